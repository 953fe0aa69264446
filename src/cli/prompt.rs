//! `mota prompt`: what a model would be sent.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::output;
use super::plan::load_plan;
use super::{Exit, Failure};
use crate::eval::config::AgentKind;
use crate::model::Endpoint;
use crate::prompt::Asks;

/// Arguments of `mota prompt`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mota prompt configs/local-model.toml --floor simple\n  mota prompt configs/routes.toml --prompt route --asks action"
)]
pub struct PromptArgs {
    /// The configuration file
    config: PathBuf,
    /// The floor's name; the first of the configuration unless given
    #[arg(long)]
    floor: Option<String>,
    /// The prompt's name; the first of the configuration unless given
    #[arg(long)]
    prompt: Option<String>,
    /// The agent's name; the first model agent unless given
    #[arg(long)]
    agent: Option<String>,
    /// What is asked for: an action, or the route that some prompts ask for first; what is asked first unless given
    #[arg(long, value_enum)]
    asks: Option<AsksFor>,
    /// Tokens that the prompt fits itself into, where it is one that does so, in place of those configured
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    tokens: Option<u64>,
    /// Print the messages as JSON (its schema: mota schema prompt)
    #[arg(long)]
    json: bool,
}

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AsksFor {
    /// An action.
    Action,
    /// A whole route.
    Route,
}

impl PromptArgs {
    /// Prints the messages of the first decision.
    pub fn run(self) -> Result<Exit, Failure> {
        let plan = load_plan(&self.config, &[])?;
        let models: Vec<(&str, &Endpoint)> = (plan.config.agents.iter())
            .filter_map(|agent| match &agent.kind {
                AgentKind::Model(model) => Some((agent.name.as_str(), model.as_ref())),
                _ => None,
            })
            .collect();
        let (_, model) = choose(&models, self.agent.as_deref(), |(name, _)| name, "model agent")?;
        let floor = choose(&plan.floors, self.floor.as_deref(), |floor| floor.name(), "floor")?;
        let prompt = choose(&plan.prompts, self.prompt.as_deref(), |prompt| prompt.name.as_str(), "prompt")?;
        let first = prompt.asks_first();
        let asks = match self.asks {
            Some(AsksFor::Route) if first != Asks::Route => {
                return Err(Failure::bad_input(format!("the prompt `{}` asks for no route", prompt.name)));
            }
            Some(AsksFor::Route) => Asks::Route,
            Some(AsksFor::Action) => Asks::Action,
            None => first,
        };
        let model = Endpoint { tower_tokens: self.tokens.or(model.tower_tokens), ..(*model).clone() };
        let messages = floor.prompt_at_start(prompt, &model, asks, &plan.config).map_err(Failure::bad_input)?;
        if self.json {
            output::json(&messages)?;
        } else {
            for message in &messages {
                output::text(&format!("--- {:?} ---\n{}\n\n", message.role, message.content).to_string())?;
            }
        }
        Ok(Exit::Done)
    }
}

/// The one of a name, or the first.
fn choose<'a, T>(
    all: &'a [T],
    name: Option<&str>,
    name_of: impl Fn(&'a T) -> &'a str,
    what: &str,
) -> Result<&'a T, Failure> {
    let found = match name {
        None => all.first(),
        Some(name) => all.iter().find(|one| name_of(one) == name),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(&name_of).collect();
        let asked = name.map(|name| format!(" named `{name}`")).unwrap_or_default();
        Failure::bad_input(format!("the configuration has no {what}{asked}; it has: {}", names.join(", ")))
    })
}

//! `mota prompt`: what a model would be sent.

use std::path::PathBuf;

use clap::Args;

use super::output;
use super::plan::load_plan;
use super::{Exit, Failure};
use crate::eval::config::AgentKind;
use crate::model::Endpoint;

/// Arguments of `mota prompt`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota prompt configs/local-model.toml --floor simple")]
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
    /// Print the messages as JSON (its schema: mota schema prompt)
    #[arg(long)]
    json: bool,
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
        let messages =
            floor.first_prompt(prompt, model.answer, plan.config.limits.turns).map_err(Failure::bad_input)?;
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

//! `mota doctor`: one call to each model of a batch, before the batch.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::interrupt::duration;
use super::output;
use super::plan::load_plan;
use super::{Exit, Failure};
use crate::eval::checkup::{Checkup, Reasoning, check};
use crate::prompt::{Asks, Verdict};

/// Arguments of `mota doctor`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota doctor configs/local-model.toml
  mota doctor configs/openrouter.toml --agent qwen --json

Each model is sent the first prompt of the batch on its first floor, once. It is well if its answer names an action, \
legal or not. What the batch comes to is reckoned with calls like this one, one a turn up to the turn limit; \
mota run --dry-run reckons with answers that are asked again and with earlier turns that are sent along.")]
pub struct DoctorArgs {
    /// The configuration file
    config: PathBuf,
    /// The agent's name; all model agents unless given
    #[arg(long)]
    agent: Option<String>,
    /// Wait no longer than this for a server that is busy, still loads or says nothing
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    wait: Duration,
    /// Print JSON (its schema: mota schema doctor)
    #[arg(long)]
    json: bool,
}

impl DoctorArgs {
    /// Calls the models and prints what they showed.
    pub fn run(self) -> Result<Exit, Failure> {
        let plan = load_plan(&self.config, &[])?;
        let runtime = tokio::runtime::Runtime::new().map_err(Failure::failed)?;
        let mut checkups = Vec::new();
        for (index, agent) in plan.config.agents.iter().enumerate() {
            if self.agent.as_ref().is_some_and(|name| *name != agent.name) {
                continue;
            }
            let checked = runtime.block_on(check(&plan, index, self.wait.as_secs_f64()));
            let Some(checkup) = checked.map_err(|why| Failure::bad_input(format!("agent `{}`: {why}", agent.name)))?
            else {
                continue;
            };
            if !self.json {
                output::text(&text(&checkup))?;
            }
            checkups.push(checkup);
        }
        if checkups.is_empty() {
            let which = self.agent.map_or(String::new(), |name| format!(" named `{name}`"));
            return Err(Failure::bad_input(format!("the configuration has no model agent{which}")));
        }
        if self.json {
            output::json(&checkups)?;
        }
        Ok(if checkups.iter().all(Checkup::is_well) { Exit::Done } else { Exit::NotWell })
    }
}

fn text(checkup: &Checkup) -> String {
    let mut text = format!("{}: {}\n", checkup.agent, if checkup.is_well() { "well" } else { "not well" });
    if let Some(error) = &checkup.error {
        return text + &format!("  no answer   {error}\n");
    }
    let verdict = match (checkup.verdict, &checkup.complaint) {
        (Some(Verdict::Ok), _) if checkup.asks == Asks::Route => "writes a route".to_owned(),
        (Some(Verdict::Ok), _) => "names a legal action".to_owned(),
        (verdict, complaint) => {
            let verdict = verdict.map_or(String::new(), |verdict| verdict.to_string());
            format!("{verdict}: {}", complaint.as_deref().unwrap_or_default())
        }
    };
    let form = if checkup.form_kept == Some(true) { "as asked for" } else { "not the one asked for" };
    let reasoning = match checkup.reasoning {
        Some(Reasoning::Field) => "in a field of its own",
        Some(Reasoning::Text) => "in the text, between marks such as <think> and </think>",
        Some(Reasoning::Counted) => "counted, not shown",
        Some(Reasoning::None) | None => "none",
    };
    text += &format!("  answer      {verdict} (prompt `{}`, {:.1} s)\n", checkup.prompt, checkup.seconds);
    text += &format!("  form        {form}\n  reasoning   {reasoning}\n");
    text += &match (checkup.prompt_tokens, checkup.completion_tokens) {
        (Some(sent), Some(answered)) => format!("  tokens      {sent} sent, {answered} answered\n"),
        _ => "  tokens      not counted by the server\n".to_owned(),
    };
    text += &match checkup.cost_usd {
        Some(cost) => format!("  cost        {cost:.6} USD\n"),
        None => "  cost        not known: the server states none, and the agent has no `price`\n".to_owned(),
    };
    text += &format!("  batch       {} calls like this one", checkup.batch_calls);
    if let Some(tokens) = checkup.batch_tokens {
        text += &format!(", {tokens} tokens");
    }
    if let Some(cost) = checkup.batch_cost_usd {
        text += &format!(", {cost:.2} USD");
    }
    text + "\n"
}

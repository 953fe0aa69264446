//! `mota replay`: a trace on a screen, as text, or checked against the rules.

mod shown;

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{self, hero_line};
use super::{Exit, Failure};
use crate::agent::{Call, ChosenBy, Verdict, conversation};
use crate::analysis::judge::judge;
use crate::analysis::{DecisionValue, EpisodeAnalysis};
use crate::eval::folder::{floor_path, read_manifest};
use crate::eval::record::Decision;
use crate::eval::replay::replay;
use crate::eval::trace::Trace;
use crate::format;
use crate::game::{Game, Tower};
use crate::prompt::place::{floor_name, place_name};
use crate::solver::worth::brief;
use crate::solver::worths::DEFAULT_STEPS;
use crate::solver::{Effort, Worths, values};

/// Arguments of `mota replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota replay runs/quickstart/episodes/*.complex.*.jsonl
  mota replay runs/quickstart/episodes/greedy.complex.none.0.*.jsonl --text
  mota replay runs/quickstart/episodes/*.jsonl --verify
  mota replay runs/local-model/episodes/smollm2.simple.*.jsonl --messages 3

In a terminal the traces are stepped through on a screen; ? there lists its keys. NO_COLOR=1 leaves colours out.")]
pub struct ReplayArgs {
    /// The traces, or the folder of a run for all of its own
    #[arg(required = true)]
    traces: Vec<PathBuf>,
    /// Print every decision as text; so it is without a terminal
    #[arg(long, conflicts_with = "verify")]
    text: bool,
    /// Print what was sent to the model for this decision, whole, and what came back
    #[arg(long, value_name = "TURN", conflicts_with = "verify")]
    messages: Option<u32>,
    /// Execute every decision again and fail on the first difference
    #[arg(long)]
    verify: bool,
    /// The floor file; unless given, the one that the run's folder keeps
    #[arg(long)]
    floor: Option<PathBuf>,
    /// Leave the state values out
    #[arg(long)]
    no_values: bool,
    /// Steps of the search for the value of a state, where there are too many states to hold all values
    #[arg(long, value_name = "STEPS", default_value_t = DEFAULT_STEPS, conflicts_with = "no_values")]
    effort: u64,
    /// With --verify: print JSON (its schema: mota schema verify)
    #[arg(long, requires = "verify")]
    json: bool,
}

/// Whether a trace is what the rules give.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VerifyOutput {
    /// The trace.
    trace: PathBuf,
    /// Whether every field of every decision is what the rules give.
    ok: bool,
    /// Decisions executed again.
    decisions: usize,
    /// The first difference, if there is one.
    difference: Option<String>,
}

impl ReplayArgs {
    /// Shows, prints or checks the traces.
    pub fn run(mut self) -> Result<Exit, Failure> {
        self.traces = traces(self.traces)?;
        if !self.verify && !self.text && self.messages.is_none() && output::is_interactive() {
            return shown::show(&self);
        }
        if !self.verify {
            for path in &self.traces {
                let trace = Trace::read(path)?;
                if let Some(turn) = self.messages {
                    output::text(&messages(path, &trace, turn)?)?;
                    continue;
                }
                let game = self.game(path, &trace)?;
                output::text(&self.print(&trace, &game)?)?;
            }
            return Ok(Exit::Done);
        }
        let mut results = Vec::new();
        for path in &self.traces {
            results.push(self.verify_trace(path));
        }
        let well = results.iter().all(|result| result.ok);
        if self.json {
            output::json(&results)?;
        } else {
            output::text(&verify_text(&results))?;
        }
        Ok(if well { Exit::Done } else { Exit::NotWell })
    }

    /// Checks a trace; whatever keeps it from being checked is a difference, too.
    fn verify_trace(&self, path: &Path) -> VerifyOutput {
        let check = || -> Result<usize, String> {
            let trace = Trace::read(path).map_err(|error| error.to_string())?;
            let game = self.game(path, &trace).map_err(|failure| failure.to_string())?;
            replay(&game, &trace).map_err(|difference| difference.to_string())?;
            check_manifest(path, &trace)?;
            Ok(trace.decisions.len())
        };
        let result = check();
        VerifyOutput {
            trace: path.to_owned(),
            ok: result.is_ok(),
            decisions: *result.as_ref().unwrap_or(&0),
            difference: result.err(),
        }
    }

    /// The game of a trace, on the floor whose hash its header names.
    fn game(&self, path: &Path, trace: &Trace) -> Result<Game, Failure> {
        let kept = || floor_path(&run_of(path), &trace.header.key.floor);
        let floor = self.floor.clone().unwrap_or_else(kept);
        let tower = format::read_tower(&floor)?;
        let hash = crate::eval::floor::hash(&format::write_native(&tower));
        if hash != trace.header.floor_hash {
            let message = format!("{}: this is not the floor that {} was played on", floor.display(), path.display());
            return Err(Failure::bad_input(message));
        }
        Ok(Game::new(tower, trace.header.items)?)
    }

    fn print(&self, trace: &Trace, game: &Game) -> Result<String, Failure> {
        if self.no_values {
            return Ok(text(trace, game.tower(), None));
        }
        let worths = Worths::new(game, values::DEFAULT_MEMORY, self.effort())?;
        let analysis = judge(trace, &worths).map_err(Failure::failed)?;
        match (&analysis.values_unknown, analysis.is_unknown()) {
            (Some(why), true) => tracing::warn!("the state values are not known: {why}"),
            (Some(why), false) => tracing::warn!("not all state values are known: {why}"),
            (None, _) => {}
        }
        Ok(text(trace, game.tower(), Some(&analysis).filter(|analysis| !analysis.is_unknown())))
    }

    fn effort(&self) -> Effort {
        if self.no_values { Effort::NoValues } else { Effort::Steps(self.effort) }
    }
}

/// The folder of the run that a trace is of, wherever the program was started.
fn run_of(trace: &Path) -> PathBuf {
    let whole = std::path::absolute(trace).unwrap_or_else(|_| trace.to_owned());
    whole.parent().and_then(Path::parent).map(Path::to_owned).unwrap_or_default()
}

/// The traces that are named; a run's folder, or that of its episodes, stands for all that it holds.
fn traces(named: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    let mut traces = Vec::new();
    for path in named {
        if !path.is_dir() {
            traces.push(path);
            continue;
        }
        let episodes = Some(path.join("episodes")).filter(|episodes| episodes.is_dir()).unwrap_or(path);
        let entries = std::fs::read_dir(&episodes);
        let entries = entries.map_err(|error| Failure::failed(format!("{}: {error}", episodes.display())))?;
        let is_trace = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
        let mut held: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_trace).collect();
        if held.is_empty() {
            return Err(Failure::bad_input(format!("{}: this folder holds no trace (*.jsonl)", episodes.display())));
        }
        held.sort();
        traces.extend(held);
    }
    Ok(traces)
}

/// What no rule determines must be what the run's manifest says, where there is one.
fn check_manifest(path: &Path, trace: &Trace) -> Result<(), String> {
    let Ok(manifest) = read_manifest(&run_of(path)) else { return Ok(()) };
    if path.file_stem().is_some_and(|stem| stem.to_string_lossy() != trace.header.id) {
        return Err(format!("the header: the id is `{}`, which is not the file's name", trace.header.id));
    }
    if trace.header.seed != manifest.config.seed {
        return Err(format!("the header: seed is {}, the run's is {}", trace.header.seed, manifest.config.seed));
    }
    let prompt = manifest.prompts.iter().find(|prompt| prompt.name == trace.header.key.prompt);
    match (prompt, &trace.header.prompt_hash) {
        (Some(prompt), Some(hash)) if prompt.hash != *hash => {
            Err(format!("the header: prompt_hash is {hash}, the run's is {}", prompt.hash))
        }
        _ => Ok(()),
    }
}

/// The calls for a decision: every message as it was sent, and every answer as it came.
fn messages(path: &Path, trace: &Trace, turn: u32) -> Result<String, Failure> {
    let mut text = String::new();
    for (number, call) in trace.calls.iter().enumerate().filter(|(_, call)| call.turn == turn) {
        for message in conversation::sent(call, &trace.calls[..number]) {
            text += &format!("--- {:?} ---\n{}\n\n", message.role, message.content);
        }
        if let Some(reasoning) = &call.reasoning {
            text += &format!("--- Reasoning ---\n{reasoning}\n\n");
        }
        text += &format!("--- Answer, {} ---\n{}\n\n", call.verdict, call.content.as_deref().unwrap_or_default());
    }
    match text.is_empty() {
        true => Err(Failure::bad_input(format!("{}: no model was asked for decision {turn}", path.display()))),
        false => Ok(text),
    }
}

fn verify_text(results: &[VerifyOutput]) -> String {
    let mut text = String::new();
    for result in results {
        if let Some(difference) = &result.difference {
            let name = result.trace.display().to_string();
            let told = difference.strip_prefix(&name).map_or(difference.as_str(), |rest| rest.trim_start_matches(": "));
            text += &format!("{name}: {told}\n");
        }
    }
    let decisions: usize = results.iter().map(|result| result.decisions).sum();
    let well = results.iter().filter(|result| result.ok).count();
    text + &format!("{well} of {} traces are what the rules give ({decisions} decisions)\n", results.len())
}

fn text(trace: &Trace, tower: &Tower, analysis: Option<&EpisodeAnalysis>) -> String {
    let header = &trace.header;
    let mut text = format!("{} on {}, repeat {}\n", header.key.configuration(), header.key.floor, header.key.repeat);
    text += &format!("start: {}\n", hero_line(&header.hero));
    for (index, decision) in trace.decisions.iter().enumerate() {
        let value = analysis.and_then(|analysis| analysis.decisions.get(index));
        text += &decision_text(decision, tower, value);
        for call in trace.calls.iter().filter(|call| call.turn == decision.turn) {
            text += &call_text(call);
        }
    }
    for call in trace.calls.iter().filter(|call| call.turn as usize > trace.decisions.len()) {
        text += &call_text(call);
    }
    match &trace.footer {
        Some(footer) => {
            let reason = footer.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            text += &format!("{} after {} decisions{reason}\n", footer.ending, footer.turns);
        }
        None => text += "the episode is not finished\n",
    }
    let hinted = trace.hinted();
    if trace.taken_back() > 0 || hinted > 0 {
        text += &format!("taken back: {} decisions; state values shown before {hinted}\n", trace.taken_back());
    }
    if let Some(losing) = analysis.and_then(|analysis| analysis.losing.as_ref()) {
        text += &format!(
            "losing decision: {}, {} {}; the value before it was {}, {} earlier decisions had lowered it\n",
            losing.turn,
            losing.text,
            place_name(tower, losing.target),
            losing.before,
            losing.earlier_losses
        );
    }
    if let Some(between) = analysis.and_then(|analysis| analysis.losing_between) {
        text += &format!("losing decision: not known, {}\n", between.in_words());
    }
    text
}

/// A decision with what could have been chosen; on a tower on the floor of the executed action, and how much elsewhere.
fn decision_text(decision: &Decision, tower: &Tower, value: Option<&DecisionValue>) -> String {
    let floor = decision.target.floor;
    let on = if tower.floors.len() > 1 { format!("{}, ", floor_name(tower, floor)) } else { String::new() };
    let mut text = format!("\n{}. {on}{}\n", decision.turn, hero_line(&decision.hero));
    for action in decision.actions.iter().filter(|action| action.target.floor == floor) {
        let mark = if action.number == decision.executed { ">" } else { " " };
        let damage = action.damage.map(|damage| format!(", costs {damage}")).unwrap_or_default();
        let lethal = if action.lethal { ", lethal" } else { "" };
        let worth = value.and_then(|value| value.actions.get((action.number as usize).checked_sub(1)?));
        let worth = worth.map(|worth| format!("{:>7}", brief(worth.worth))).unwrap_or_default();
        text += &format!("  {mark}{:2}.{worth}  {} {}{damage}{lethal}\n", action.number, action.text, action.target);
    }
    for blocked in decision.blocked.iter().filter(|blocked| blocked.target.floor == floor) {
        text += &format!("     -  {} {}: {}\n", blocked.what, blocked.target, blocked.reason);
    }
    let elsewhere = decision.actions.iter().filter(|action| action.target.floor != floor).count();
    match elsewhere {
        0 => {}
        1 => text += "     1 action on another floor\n",
        _ => text += &format!("     {elsewhere} actions on other floors\n"),
    }
    match decision.by {
        ChosenBy::Agent => {}
        ChosenBy::Override => text += &format!("   the override replaced action {}\n", decision.chosen),
        ChosenBy::OnInvalid => text += "   chosen in place of an agent whose answers could not be used\n",
    }
    for taken_back in &decision.taken_back {
        text += &format!(
            "   taken back: {}. {} {}\n",
            taken_back.turn,
            taken_back.text,
            place_name(tower, taken_back.target)
        );
    }
    if decision.hints {
        text += "   state values had been shown\n";
    }
    if !decision.collected.is_empty() {
        text += &format!("   collects {}\n", decision.collected.join(", "));
    }
    if let Some(value) = value {
        let lost = value.value_lost().filter(|lost| *lost > 0).map(|lost| format!("loses {lost}"));
        let said = |holds: Option<bool>, word: &str| (holds == Some(true)).then(|| word.to_owned());
        let kinds = [
            said(value.is_optimal(), "optimal"),
            said(value.is_losing(), "losing"),
            lost,
            said(value.is_forced(), "forced"),
            said(value.is_critical(), "critical"),
        ];
        let kinds: Vec<String> = kinds.into_iter().flatten().collect();
        if !kinds.is_empty() {
            text += &format!("   {}\n", kinds.join(", "));
        }
        if value.loses_value().is_none() {
            text += &format!("   cost not known: value before {}, after {}\n", value.before, value.after());
        }
    }
    text
}

fn call_text(call: &Call) -> String {
    let verdict = match call.verdict {
        Verdict::Ok => {
            let action = call.number.map(|number| format!("action {number}"));
            let route = call.route.as_ref().map(|route| match route.len() {
                1 => "a route of 1 step".to_owned(),
                steps => format!("a route of {steps} steps"),
            });
            action.into_iter().chain(route).collect::<Vec<_>>().join(" and ")
        }
        _ => call
            .complaint
            .as_ref()
            .map_or_else(|| format!("{:?}", call.verdict), |text| text.escape_debug().to_string()),
    };
    let tokens = call.usage.prompt_tokens + call.usage.completion_tokens;
    let answer: String = call.content.as_deref().unwrap_or("").chars().take(200).collect();
    format!("   call: {verdict} ({tokens} tokens): {}\n", answer.escape_debug())
}

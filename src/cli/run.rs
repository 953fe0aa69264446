//! `mota run`: plays a batch, then analyses and reports it.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::crew::Crew;
use super::descriptors;
use super::nats::NatsArgs;
use super::output;
use super::plan::load_plan_for;
use super::runtime::{Interrupts, Words};
use super::{Exit, Failure, log};
use crate::analysis::run::{RunAnalysis, analyze, keep};
use crate::cluster::Link;
use crate::cluster::run::follower::{Follower, Publishing};
use crate::eval::dispatcher::{self, RunError, RunOptions, Summary};
use crate::eval::folder::{RunFolder, read_manifest};
use crate::eval::lineup::local_limits;
use crate::eval::manifest::Manifest;
use crate::eval::plan::{Plan, WherePlayed};
use crate::eval::progress::Progress;
use crate::eval::projection::project;
use crate::eval::store::{EpisodeStore, FolderStore};
use crate::report::{self, source::Source};
use crate::solver::Effort;

/// Arguments of `mota run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota run configs/quickstart.toml
  mota run configs/quickstart.toml --out /tmp/try --set seed=8
  mota run configs/local-model.toml --dry-run
  mota run configs/quickstart.toml --nats nats://queue:4222    (played by mota worker)

The same command goes on with an interrupted run at the next decision of every unfinished episode.")]
pub struct RunArgs {
    /// The configuration file
    config: PathBuf,
    /// The run's folder; runs/NAME unless given
    #[arg(long)]
    out: Option<PathBuf>,
    /// Remove what the folder, and with --nats the server, holds of an earlier run, and begin anew
    #[arg(long)]
    fresh: bool,
    /// Play again those episodes that were aborted, beside those that have not ended
    #[arg(long, value_name = "WHICH", value_parser = ["aborted"])]
    retry: Option<String>,
    /// Print the episodes, calls, tokens and cost to expect, and stop
    #[arg(long)]
    dry_run: bool,
    /// Set a key of the configuration, such as agent.0.temperature=0.7; repeat for several
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print the summary as JSON (its schema: mota schema run, with --dry-run mota schema dry-run)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    nats: NatsArgs,
}

/// What `mota run --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunOutput {
    /// The run's folder.
    folder: PathBuf,
    /// Episodes planned, ended before, and left open.
    planned: usize,
    /// Episodes that had ended before this run.
    ended_before: usize,
    /// Episodes that stay open.
    open: usize,
    /// Whether it was interrupted.
    interrupted: bool,
    /// Episodes by how they ended.
    endings: std::collections::BTreeMap<crate::eval::Ending, usize>,
    /// Agents that cannot play, and why.
    stopped_agents: std::collections::BTreeMap<String, String>,
    /// Traces that cannot be gone on with, and why.
    broken: Vec<String>,
    /// Files that were written beside the traces.
    files: Vec<PathBuf>,
}

impl RunArgs {
    /// Plays the batch.
    pub fn run(self) -> Result<Exit, Failure> {
        let access = self.nats.access()?;
        let where_played = if access.is_some() { WherePlayed::Elsewhere } else { WherePlayed::Here };
        let mut plan = load_plan_for(&self.config, &self.set, where_played)?;
        for warning in &plan.warnings {
            tracing::warn!("{warning}");
        }
        if self.dry_run {
            return self.dry_run(&plan);
        }
        let path = self.out.clone().unwrap_or_else(|| Path::new("runs").join(&plan.config.name));
        let options = RunOptions { retry_aborted: self.retry.is_some() };
        let interrupts = Interrupts::new(if access.is_some() { Words::FOLLOWING } else { Words::PLAYING })?;
        // A server that cannot be used is told before anything is removed. A run that has ended needs none.
        let link = match &access {
            Some(access) if self.fresh || ended(&plan, &path, options, &interrupts)?.is_none() => {
                let name = format!("mota run {}", plan.config.name);
                Some(interrupts.runtime.block_on(access.connect(&name))?)
            }
            _ => None,
        };
        let is_new = !path.exists();
        let folder = RunFolder::open(&path, &plan, self.fresh)?;
        log::to_run(&folder.path);
        if access.is_none() {
            // Only now: what this machine allows is no part of what the run is.
            plan.config.concurrency.episodes = descriptors::episodes_at_once(&plan);
        }
        let plan = Arc::new(plan);
        let summary = match (&access, &link) {
            (None, _) => play(&plan, &folder, options, &interrupts)?,
            (Some(_), None) => ended(&plan, &path, options, &interrupts)?.unwrap_or_default(),
            (Some(_), Some(link)) => {
                let publishing = Publishing { options, fresh: self.fresh, lease: self.nats.lease() };
                let followed = follow(link, &plan, &folder, publishing, &interrupts);
                // A run that was refused leaves nothing in the way of one under another name.
                followed.inspect_err(|_| {
                    if is_new {
                        discard_empty(&folder.path)
                    }
                })?
            }
        };
        let crew = link.filter(|_| !summary.interrupted);
        let crew = crew.map(|link| Crew::with(interrupts, link, self.nats.lease()));
        let conclusion = conclude(&plan, &folder.path, crew.as_ref(), self.json)?;
        self.print(&folder, &summary, &conclusion)?;
        let whole = conclusion.analysis.as_ref().is_none_or(RunAnalysis::is_whole);
        Ok(match (summary.interrupted, summary.open) {
            (true, _) => Exit::Interrupted,
            (false, 0) if whole => Exit::Done,
            (false, _) => Exit::NotWell,
        })
    }

    fn print(&self, folder: &RunFolder, summary: &Summary, conclusion: &Conclusion) -> Result<(), Failure> {
        let files = &conclusion.files;
        if self.json {
            return output::json(&RunOutput {
                folder: folder.path.clone(),
                planned: summary.planned,
                ended_before: summary.ended_before,
                open: summary.open,
                interrupted: summary.interrupted,
                endings: summary.endings.clone(),
                stopped_agents: summary.stopped_agents.clone(),
                broken: summary.broken.clone(),
                files: files.clone(),
            });
        }
        let mut text = String::new();
        if let Some(analysis) = &conclusion.analysis {
            text += &report::terminal(&analysis.episodes, output::width())?;
            text += "\n";
        }
        if summary.ended_before == summary.planned {
            text += "This run had ended before; nothing was played. --fresh begins anew.\n";
        }
        for (agent, why) in &summary.stopped_agents {
            text += &format!("agent `{agent}` could not play; the same command goes on with its episodes: {why}\n");
        }
        for why in &summary.broken {
            text += &format!("not gone on with: {why}\n");
        }
        if summary.open > 0 {
            let stay = if summary.open == 1 { "1 episode stays" } else { &format!("{} episodes stay", summary.open) };
            text += &format!("{stay} open; the same command goes on there.\n");
        }
        text += &format!("\nWritten to {}:\n", folder.path.display());
        text += "  episodes/*.jsonl  (traces; mota replay TRACE --text)\n";
        text += &super::written::lines(files, &folder.path);
        output::text(&text)
    }

    fn dry_run(&self, plan: &Plan) -> Result<Exit, Failure> {
        let answer = project(plan).map_err(Failure::bad_input)?;
        if self.json {
            output::json(&answer)?;
            return Ok(Exit::Done);
        }
        let mut text = format!("{} episodes\n", answer.episodes);
        for row in &answer.matrix {
            let optimum = row.optimum.map_or("not known".into(), |hp| format!("{hp} HP"));
            text += &format!("  {:<12} {:<40} {:>4}   optimum {optimum}\n", row.floor, row.configuration, row.episodes);
        }
        if answer.most_calls > 0 {
            text += &format!(
                "at most {} calls, {} tokens sent, {} tokens answered{}\n",
                answer.most_calls,
                answer.most_prompt_tokens,
                answer.most_completion_tokens,
                answer.most_cost_usd.map(|cost| format!(", {cost:.2} USD")).unwrap_or_default()
            );
        }
        output::text(&text)?;
        Ok(Exit::Done)
    }
}

/// Plays the episodes of a plan in this process.
fn play(
    plan: &Arc<Plan>,
    folder: &RunFolder,
    options: RunOptions,
    interrupts: &Interrupts,
) -> Result<Summary, Failure> {
    let store: Arc<dyn EpisodeStore> = Arc::new(FolderStore::new(&folder.path));
    let agenda = interrupts.runtime.block_on(dispatcher::agenda(plan, &*store, options)).map_err(RunError::from)?;
    let limits = local_limits(plan, agenda.spent);
    let mut progress = Progress::new(plan, &agenda.standings, std::io::stderr().is_terminal());
    let stop = interrupts.stop.clone();
    let result = interrupts.runtime.block_on(dispatcher::run(plan, &store, &limits, &agenda, stop, &mut progress));
    interrupts.nothing_left();
    progress.finish();
    Ok(result?)
}

/// How a run came out that has ended, as far as its folder says.
fn ended(plan: &Plan, path: &Path, options: RunOptions, interrupts: &Interrupts) -> Result<Option<Summary>, Failure> {
    let store = FolderStore::new(path);
    let agenda = interrupts.runtime.block_on(dispatcher::agenda(plan, &store, options)).map_err(RunError::from)?;
    Ok(agenda.all_ended())
}

/// Removes a run's folder in which there is no episode.
fn discard_empty(folder: &Path) {
    let episodes = std::fs::read_dir(folder.join("episodes"));
    if episodes.is_ok_and(|mut episodes| episodes.next().is_none())
        && let Err(error) = std::fs::remove_dir_all(folder)
    {
        tracing::debug!("{}: {error}", folder.display());
    }
}

/// Publishes a plan on a NATS server and follows it.
fn follow(
    link: &Link,
    plan: &Arc<Plan>,
    folder: &RunFolder,
    publishing: Publishing,
    interrupts: &Interrupts,
) -> Result<Summary, Failure> {
    let result = interrupts.runtime.block_on(async {
        let mut stop = interrupts.stop.clone();
        let follower = tokio::select! {
            opened = Follower::open(link, plan, folder, publishing) => opened?,
            _ = stop.wait_for(|stop| *stop) => {
                let store = FolderStore::new(&folder.path);
                let agenda = dispatcher::agenda(plan, &store, publishing.options).await.map_err(RunError::from)?;
                return Ok(Summary { interrupted: true, ..agenda.summary() });
            }
        };
        let mut progress = Progress::new(plan, &follower.agenda.standings, std::io::stderr().is_terminal());
        let followed = follower.follow(interrupts.stop.clone(), &mut progress).await;
        progress.finish();
        Ok(followed?)
    });
    interrupts.nothing_left();
    result
}

/// What comes after the last episode.
#[derive(Default)]
struct Conclusion {
    analysis: Option<RunAnalysis>,
    files: Vec<PathBuf>,
}

/// After how long without a worker that analyses this process does so by itself.
const ALONE: Duration = Duration::from_secs(15);

/// Analyses a run, with the help of workers if there are any.
fn analysed(plan: &Plan, folder: &Path, crew: Option<&Crew>, hidden: bool) -> Result<RunAnalysis, Failure> {
    if let Some(crew) = crew {
        let (manifest, effort) = (read_manifest(folder)?, Effort::default());
        let keep = |analysis: &RunAnalysis| Ok(keep(folder, &analysis.episodes)?);
        match crew.judge_all((folder, &manifest, &plan.floors), effort, (hidden, Some(ALONE)), keep) {
            Ok(Some(analysis)) => return Ok(analysis),
            Ok(None) => tracing::warn!("no worker takes `@analysis`; the analysis is made here"),
            // All episodes are here: what they were worth does not take a server.
            Err(failure) => tracing::warn!("the analysis is made here: {failure}"),
        }
    }
    Ok(analyze(folder, &plan.floors, Effort::default())?)
}

/// Analyses and reports what has been played.
fn conclude(plan: &Plan, folder: &Path, crew: Option<&Crew>, hidden: bool) -> Result<Conclusion, Failure> {
    if !plan.config.analysis {
        return Ok(Conclusion::default());
    }
    let analysis = analysed(plan, folder, crew, hidden)?;
    super::analyze::warn(&analysis);
    let out = folder.join("report");
    fs::create_dir_all(&out).map_err(|error| Failure::failed(format!("{}: {error}", out.display())))?;
    let manifest = Manifest::of(plan);
    let source = Source { folder, manifest: &manifest, floors: &plan.floors, episodes: &analysis.episodes };
    let files = report::write_all(&[source], &out)?;
    Ok(Conclusion { analysis: Some(analysis), files })
}

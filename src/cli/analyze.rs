//! `mota analyze`: the value of every decision of a run.

use std::path::PathBuf;

use clap::Args;

use super::crew::Crew;
use super::effort::EffortArgs;
use super::nats::NatsArgs;
use super::output;
use super::{Exit, Failure};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::run::{RunAnalysis, analysis_path, analyze, keep, kept_floors};
use crate::eval::folder::read_manifest;
use crate::report;

/// Arguments of `mota analyze`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota analyze runs/quickstart
  mota analyze runs/quickstart --nats nats://queue:4222    (judged by mota worker)")]
pub struct AnalyzeArgs {
    /// The run's folder
    run: PathBuf,
    #[command(flatten)]
    effort: EffortArgs,
    /// Print an array of JSON objects, one an episode (their schema: mota schema analysis)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    nats: NatsArgs,
}

impl AnalyzeArgs {
    /// Analyses the run, on the floors that its folder keeps.
    pub fn run(self) -> Result<Exit, Failure> {
        let manifest = read_manifest(&self.run)?;
        let floors = kept_floors(&self.run, &manifest)?;
        let effort = self.effort.effort();
        let analysis = match Crew::of(&self.nats, "mota analyze")? {
            None => analyze(&self.run, &floors, effort)?,
            Some(crew) => {
                let keep = |analysis: &RunAnalysis| Ok(keep(&self.run, &analysis.episodes)?);
                match crew.judge_all((&self.run, &manifest, &floors), effort, (self.json, None), keep)? {
                    Some(analysis) => analysis,
                    None => return Ok(Exit::Interrupted),
                }
            }
        };
        warn(&analysis);
        if self.json {
            output::json(&analysis.episodes)?;
        } else {
            let table = report::terminal(&analysis.episodes, output::width())?;
            output::text(&format!("{table}\nWritten to {}\n", analysis_path(&self.run).display()))?;
        }
        Ok(if analysis.is_whole() { Exit::Done } else { Exit::NotWell })
    }
}

/// Tells what an analysis could not judge.
pub fn warn(analysis: &RunAnalysis) {
    for why in &analysis.walked.left_out {
        tracing::warn!("left out of the analysis: {why}");
    }
    for (floor, why) in &analysis.walked.unknown {
        let on_it = || analysis.episodes.iter().filter(|episode| episode.key.floor == *floor);
        match on_it().all(EpisodeAnalysis::is_unknown) {
            true => tracing::warn!("floor `{floor}`: the state values are not known, so no losing decision is: {why}"),
            false => {
                let decisions = || on_it().flat_map(|episode| &episode.decisions);
                let (all, known) = (decisions().count(), decisions().filter(|decision| decision.is_known()).count());
                if known == all {
                    continue;
                }
                tracing::warn!(
                    "floor `{floor}`: the values before and after are known of {known} of {all} decisions, of the others as \
                     far as they are proven: {why}"
                );
            }
        }
    }
}

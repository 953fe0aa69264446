//! `mota calibrate`: looks for a monster table with which a floor meets targets.

mod typed;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::command_line::CommandLine;
use super::interrupt::{Interrupt, duration};
use super::memory::bytes;
use super::output;
use super::progress::{bar, threads};
use super::{Exit, Failure};
use crate::calibrate::{Calibration, Candidate, Limits, Measured, Parameter, Standing, Target, search};
use crate::format;
use crate::game::{Origin, Tower};
use crate::generate::draft::RANDOM;
use typed::{parameters, target};

/// Arguments of `mota calibrate`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota calibrate floors/hand02.toml --target optimum=1..60 --target greedy=lost -o mine.toml
  mota calibrate my.toml --vary '*.hp=20..120' --vary '*.atk=5..30' --vary '*.def=0..12' \\
      --vary '1.ability=none|magic attack' --vary hero.hp=200..500 --target optimum=1..100 --target forced=4..

--vary names a monster by its symbol, all of them by *, or the hero; then hp, atk, def or ability; then \
a range, or abilities with | between. A monster that is named goes before *. Unless something is \
varied, HP, ATK and DEF of every monster are, by half of what they are.

--target is one of
  optimum, decisions, critical, forced, costly, lethal, wrong-doors, first-losing, winning-sets,
  first-actions      a range, such as 1..60 or 4..; of the optimum also lost or won
  lost-states        percent of the sets of cleared doors and monsters, rounded down: a range
  greedy, heuristic, lookahead, published_route
                     lost, won, or a range of final HP
  value-lost AGENT   HP that the choices of greedy or heuristic along best play would cost: a range
  after X,Y [X,Y …]  value after these actions: lost, won, or a range
as mota inspect explains them. Of a floor that cannot be won nothing more is measured, and lost-states and
winning-sets only of one with at most 300000 sets.

With --candidates the outcome is the same everywhere. A search that is ended by --time-limit or Ctrl-C \
gives the best that it has; the file states the number of candidates that leads there again.")]
pub struct CalibrateArgs {
    /// The floor file: its map, and what is not varied, stay as they are
    floor: PathBuf,
    /// What the floor is to be like, as NAME=RANGE; repeat for several
    #[arg(long, value_name = "TARGET", required = true, value_parser = target)]
    target: Vec<Target>,
    /// What may be varied, as WHOSE.WHAT=RANGE; repeat for several
    #[arg(long, value_name = "WHAT")]
    vary: Vec<String>,
    /// The file to write; standard output unless given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What all lots derive from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Candidates that may be measured
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    candidates: u64,
    /// Search no longer than this (30s, 2m; a number alone is seconds)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time_limit: Option<Duration>,
    /// Do not begin with the values that the floor has
    #[arg(long)]
    anew: bool,
    /// Threads [default: all cores; the outcome does not depend on it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Memory that the state values of a candidate may take; beyond it, what rests on them is not known
    #[arg(long, value_name = "SIZE", default_value = MEMORY, value_parser = bytes)]
    memory: usize,
    /// Print JSON instead of a report (its schema: mota schema calibrate); needs -o
    #[arg(long, requires = "output")]
    json: bool,
}

/// Memory for a candidate's values, unless told otherwise.
const MEMORY: &str = "200MB";

/// What `mota calibrate --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CalibrateOutput {
    /// Whether all targets are met.
    complete: bool,
    /// Candidates measured.
    candidates: u64,
    /// Final HP under best play with the best values; null if the floor cannot be won.
    optimum: Option<i64>,
    /// The targets, with what was measured with the best values.
    targets: Vec<TargetOutput>,
    /// What was varied, with the best values.
    values: Vec<ValueOutput>,
    /// Seconds in all.
    seconds: f64,
}

/// A target.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TargetOutput {
    /// What is measured.
    measure: String,
    /// What it is to be.
    wanted: String,
    /// What it is.
    measured: String,
    /// Whether that is what is wanted.
    met: bool,
}

/// Something that was varied.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ValueOutput {
    /// What.
    parameter: String,
    /// The value.
    value: String,
}

impl CalibrateArgs {
    /// Looks for values and prints the best.
    pub fn run(self) -> Result<Exit, Failure> {
        let tower = format::read_tower(&self.floor)?;
        let parameters = match self.vary.as_slice() {
            [] => Parameter::default_of(&tower),
            typed => parameters(typed, &tower).map_err(|why| Failure::bad_input(format!("--vary: {why}")))?,
        };
        for target in &self.target {
            target.check(&tower).map_err(|why| Failure::bad_input(format!("--target: {why}")))?;
        }
        self.command(self.candidates)?;
        self.check_output()?;
        let interrupt = Interrupt::listen(self.time_limit);
        let begun = Instant::now();
        let bar = bar(self.candidates, "candidates", self.json);
        let count = self.target.len();
        let tell = |standing: &Standing| {
            bar.set_position(standing.candidates);
            bar.set_message(format!("{} of {count} targets met", standing.met));
        };
        let stops = || interrupt.stops();
        let searched = search(&tower, &parameters, &self.target, &self.limits(), &stops, tell);
        bar.finish_and_clear();
        let calibration = searched.map_err(|why| Failure::bad_input(format!("--vary: {why}")))?;
        let seconds = (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        let found = self.finished(&tower, &calibration)?;
        let text = format::write_native(&found);
        let answer = CalibrateOutput::new(&self.target, &parameters, &calibration, seconds);
        match &self.output {
            None => output::text(&text)?,
            Some(path) => output::file(path, text.as_bytes())?,
        }
        match (self.json, &self.output) {
            (true, _) => output::json(&answer)?,
            (false, Some(_)) => output::text(&answer.text())?,
            // Where the floor goes to standard output, the report must not.
            (false, None) => eprint!("{}", answer.text()),
        }
        Ok(match (calibration.complete, interrupt.was_pressed()) {
            (true, _) => Exit::Done,
            (false, false) => Exit::NotWell,
            (false, true) => Exit::Interrupted,
        })
    }

    fn limits(&self) -> Limits {
        Limits {
            most_candidates: self.candidates,
            memory: self.memory,
            most_steps: 200_000,
            threads: threads(self.jobs),
            seed: self.seed,
            anew: self.anew,
        }
    }

    /// Whether there is a place for the floor, before it is searched for.
    fn check_output(&self) -> Result<(), Failure> {
        let Some(path) = &self.output else { return Ok(()) };
        let same = |one: &Path, other: &Path| Some(one.canonicalize().ok()? == other.canonicalize().ok()?);
        if !self.anew && same(path, &self.floor) == Some(true) {
            let why = "the floor would be replaced by what the search began with; write elsewhere, or begin --anew";
            return Err(Failure::bad_input(format!("{}: {why}", path.display())));
        }
        output::check(path)
    }

    /// The best floor, with the command that finds it again. What the floor stated before stays, if it is the floor as it
    /// was and that is still true.
    fn finished(&self, before: &Tower, calibration: &Calibration) -> Result<Tower, Failure> {
        let mut tower = calibration.tower.clone();
        let as_it_was = Tower { origin: None, ..before.clone() } == Tower { origin: None, ..tower.clone() };
        let stated = before.origin.as_ref().map(|origin| origin.optimum);
        let is_true = |best: &Candidate| match (stated, best.optimum) {
            (None, _) => false,
            (Some(stated), Measured::Number(found)) => stated == Some(found),
            (Some(stated), Measured::Lost(_)) => stated.is_none(),
            // Not known is not untrue.
            (Some(_), Measured::Unknown | Measured::Nothing) => true,
        };
        tower.origin = match &calibration.best {
            Some(best) if !as_it_was || !is_true(best) => Some(Origin {
                command: self.command(calibration.candidates)?,
                random: Some(RANDOM.to_owned()),
                optimum: best.optimum.number(),
            }),
            _ => before.origin.clone(),
        };
        Ok(tower)
    }

    /// The command that leads to the same values.
    fn command(&self, candidates: u64) -> Result<String, Failure> {
        let mut line = CommandLine::new("mota calibrate").path(&self.floor);
        line = line.option("--seed", self.seed).option("--candidates", candidates);
        if self.anew {
            line = line.word("--anew");
        }
        if self.memory != bytes(MEMORY).unwrap_or_default() {
            line = line.option("--memory", self.memory);
        }
        for typed in &self.vary {
            line = line.option("--vary", typed);
        }
        for target in &self.target {
            line = line.option("--target", target);
        }
        line.finish()
    }
}

impl CalibrateOutput {
    fn new(targets: &[Target], parameters: &[Parameter], calibration: &Calibration, seconds: f64) -> Self {
        let Calibration { best, candidates, complete, .. } = calibration;
        let measured = |index: usize| best.as_ref().map_or(Measured::Unknown, |best| best.measured[index]);
        let target = |(index, target): (usize, &Target)| TargetOutput {
            measure: target.measure.to_string(),
            wanted: target.wanted.to_string(),
            measured: measured(index).to_string(),
            met: target.distance(measured(index)) == 0.0,
        };
        let value = |parameter: &Parameter| ValueOutput {
            parameter: parameter.to_string(),
            value: parameter.describe(parameter.value_on(&calibration.tower)),
        };
        CalibrateOutput {
            complete: *complete,
            candidates: *candidates,
            optimum: best.as_ref().and_then(|best| best.optimum.number()),
            targets: targets.iter().enumerate().map(target).collect(),
            // Without a candidate nothing was varied.
            values: parameters.iter().filter(|_| best.is_some()).map(value).collect(),
            seconds,
        }
    }

    fn text(&self) -> String {
        let met = self.targets.iter().filter(|target| target.met).count();
        let mut text = format!(
            "{met} of {} targets met after {} candidates, {:.1} s\n",
            self.targets.len(),
            self.candidates,
            self.seconds
        );
        for TargetOutput { measure, wanted, measured, met } in &self.targets {
            let verdict = if *met { "met   " } else { "missed" };
            text += &format!("  {verdict}  {measure} = {measured}  (wanted: {wanted})\n");
        }
        text
    }
}

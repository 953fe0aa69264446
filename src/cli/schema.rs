//! `mota schema`: the JSON Schema of everything that is read or written as JSON.

use clap::{Args, ValueEnum};
use schemars::{Schema, schema_for};

use super::output;
use super::{Exit, Failure};
use crate::analysis::EpisodeAnalysis;
use crate::eval::config::Config;
use crate::eval::manifest::Manifest;
use crate::eval::record::Record;
use crate::prompt::Observation;

/// Arguments of `mota schema`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  mota schema config > mota.schema.json")]
pub struct SchemaArgs {
    /// What of
    #[arg(value_enum)]
    of: Subject,
}

/// What there are schemas of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subject {
    /// A run's configuration file
    Config,
    /// manifest.json of a run's folder
    Manifest,
    /// A line of a trace
    Trace,
    /// A line of analysis/episodes.jsonl, and of mota analyze --json
    Analysis,
    /// An observation: what a command agent reads, and mota show --json
    Observation,
    /// A line that mota step answers
    Step,
    /// A line that mota step reads
    StepRequest,
    /// mota run --json
    Run,
    /// mota run --dry-run --json
    DryRun,
    /// mota doctor --json
    Doctor,
    /// mota runs --json
    Runs,
    /// mota worker --json
    Worker,
    /// mota batches --json
    Batches,
    /// mota solve --json
    Solve,
    /// mota value --json
    Value,
    /// mota bench --json
    Bench,
    /// mota inspect --json
    Inspect,
    /// mota calibrate --json
    Calibrate,
    /// mota generate floors --json
    Generate,
    /// mota generate tower --json
    GenerateTower,
    /// mota generate towers --json
    GenerateTowers,
    /// A file that describes a tower, for mota generate tower --describe
    Description,
    /// mota check --json
    Check,
    /// mota import h5mota --json
    Import,
    /// mota replay --verify --json
    Verify,
    /// mota prompt --json
    Prompt,
    /// mota report --json
    Report,
    /// mota compare --json
    Compare,
    /// mota export decisions --json
    ExportDecisions,
    /// mota export inspect --json
    ExportInspect,
}

impl Subject {
    /// The schema.
    fn schema(self) -> Schema {
        match self {
            Subject::Config => schema_for!(Config),
            Subject::Manifest => schema_for!(Manifest),
            Subject::Trace => schema_for!(Record),
            Subject::Analysis => schema_for!(EpisodeAnalysis),
            Subject::Observation => schema_for!(Observation),
            Subject::Step => schema_for!(crate::gym::Answer),
            Subject::StepRequest => schema_for!(crate::gym::Request),
            Subject::Run => schema_for!(super::run::RunOutput),
            Subject::DryRun => schema_for!(crate::eval::projection::Projection),
            Subject::Doctor => schema_for!(Vec<crate::eval::checkup::Checkup>),
            Subject::Runs => schema_for!(Vec<super::runs::RunEntry>),
            Subject::Worker => schema_for!(super::worker::WorkerOutput),
            Subject::Batches => schema_for!(Vec<super::batches::BatchEntry>),
            Subject::Solve => schema_for!(super::solve::SolveOutput),
            Subject::Value => schema_for!(super::value::ValueOutput),
            Subject::Bench => schema_for!(Vec<super::bench::BenchRow>),
            Subject::Inspect => schema_for!(Vec<crate::inspect::Inspection>),
            Subject::Calibrate => schema_for!(super::calibrate::CalibrateOutput),
            Subject::Generate => schema_for!(super::generate::GenerateOutput),
            Subject::GenerateTowers => schema_for!(super::generate::TowersAnswer),
            Subject::GenerateTower => schema_for!(super::generate::TowerAnswer),
            Subject::Description => schema_for!(crate::generate::tower::Description),
            Subject::Check => schema_for!(Vec<super::check::CheckOutput>),
            Subject::Import => schema_for!(super::import::ImportOutput),
            Subject::Verify => schema_for!(Vec<super::replay::VerifyOutput>),
            Subject::Prompt => schema_for!(Vec<crate::agent::call::Message>),
            Subject::Report => schema_for!(super::report::ReportOutput),
            Subject::Compare => schema_for!(Vec<super::compare::CompareOutput>),
            Subject::ExportDecisions => schema_for!(super::export::DecisionsOutput),
            Subject::ExportInspect => schema_for!(super::export::InspectOutput),
        }
    }
}

impl SchemaArgs {
    /// Prints the schema.
    pub fn run(self) -> Result<Exit, Failure> {
        output::json(&self.of.schema())?;
        Ok(Exit::Done)
    }
}

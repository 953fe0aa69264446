//! What was typed: one file a command, each of which reads its arguments, calls the library and prints.

mod analyze;
mod batches;
mod bench;
mod calibrate;
mod check;
mod command_line;
mod compare;
mod completions;
mod convert;
mod crew;
mod descriptors;
mod doctor;
mod effort;
mod exit;
mod export;
mod floor;
mod generate;
mod import;
mod inspect;
mod interrupt;
pub mod log;
mod memory;
mod nats;
mod output;
mod picture;
mod plan;
mod play;
mod progress;
mod prompt;
mod range;
mod replay;
mod report;
mod run;
mod runs;
mod runtime;
mod schema;
mod show;
mod solve;
mod step;
mod value;
mod worker;
mod written;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};

pub use exit::{Exit, Failure};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

/// Evaluation harness for Magic Tower: plays agents on floors, and names the decision that lost each episode.
#[derive(Debug, Parser)]
#[command(name = "mota", version, styles = STYLES, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Say more on standard error; repeat for still more.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

const EXAMPLES: &str = "\
Examples:
  mota run configs/quickstart.toml          play reference agents on the six floors
  mota solve floors/complex.toml            the optimum of a floor and a route to it
  mota value floors/complex.toml --after 8,7    what a choice costs
  mota inspect floors/complex.toml          what makes a floor hard
  mota play floors/hand01.toml              play a floor yourself
  mota replay runs/quickstart/episodes/ID.jsonl

Exit codes:
  0    done (an unwinnable floor is an answer, not an error)
  1    done, but not all is well: a trace that differs, episodes that stay open,
       a tower that breaks a rule of drawing
  2    what was given cannot be used: arguments, a floor, a configuration
  3    it could not be done: a limit of the solver, a folder in use, the file system
  130  interrupted";

const EXPORTS: &str = "\
Examples:
  mota export decisions runs/quickstart -o decisions.parquet
  mota export inspect runs/quickstart -o logs";

const GENERATED: &str = "\
Examples:
  mota generate floors --count 5 -o floors/generated
  mota generate tower --ask \"three floors\" --seed 7 -o tower.toml";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play a batch of episodes, or go on with it, then analyse and report it
    Run(run::RunArgs),
    /// Do work that others have published on a NATS server
    Worker(worker::WorkerArgs),
    /// List what is published on a NATS server, or remove it
    Batches(batches::BatchesArgs),
    /// Call each model of a batch once: does it answer, and what will the batch cost
    Doctor(doctor::DoctorArgs),
    /// Find the value of every decision of a run, and the decision that lost each episode
    Analyze(analyze::AnalyzeArgs),
    /// Write tables and plots of one run or several
    Report(report::ReportArgs),
    /// Set two runs side by side: paired differences, and where paired episodes part
    Compare(compare::CompareArgs),
    /// Write a run in a form that other programs read
    #[command(subcommand, after_help = EXPORTS)]
    Export(export::ExportCommand),
    /// List the runs of a folder
    Runs(runs::RunsArgs),
    /// Step through traces, print them, or check them against the rules
    Replay(replay::ReplayArgs),
    /// Play as an environment for training agents, over lines of JSON
    Step(step::StepArgs),
    /// Play a floor yourself
    Play(play::PlayArgs),
    /// Find the best result on a floor, and a route to it
    Solve(solve::SolveArgs),
    /// Find what a state is worth under best play
    Value(value::ValueArgs),
    /// Tell what a floor is like and what makes it hard
    Inspect(inspect::InspectArgs),
    /// Look for a monster table with which a floor meets targets
    Calibrate(calibrate::CalibrateArgs),
    /// Measure the searches side by side on some floors
    Bench(bench::BenchArgs),
    /// Show a floor: map, hero, monsters, items
    Show(show::ShowArgs),
    /// Look whether a tower is drawn well: ways, rooms, doors, stairs
    Check(check::CheckArgs),
    /// Make floors and towers
    #[command(subcommand, after_help = GENERATED)]
    Generate(generate::GenerateCommand),
    /// Print what a model would be sent
    Prompt(prompt::PromptArgs),
    /// About floor files
    #[command(subcommand, after_help = "Example:\n  mota floor legend")]
    Floor(floor::FloorCommand),
    /// Convert a floor between the native and the published format
    Convert(convert::ConvertArgs),
    /// Make a floor file of a tower of another game
    #[command(subcommand, after_help = "Example:\n  mota import h5mota my-tower -o my-tower.toml")]
    Import(import::ImportCommand),
    /// Print the JSON Schema of a file or of a command's --json output
    Schema(schema::SchemaArgs),
    /// Print completions for a shell
    Completions(completions::CompletionsArgs),
}

impl Command {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure`] with what to print and the exit code.
    pub fn run(self) -> Result<Exit, Failure> {
        match self {
            Command::Run(args) => args.run(),
            Command::Worker(args) => args.run(),
            Command::Batches(args) => args.run(),
            Command::Doctor(args) => args.run(),
            Command::Analyze(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Compare(args) => args.run(),
            Command::Export(command) => command.run(),
            Command::Runs(args) => args.run(),
            Command::Replay(args) => args.run(),
            Command::Step(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Solve(args) => args.run(),
            Command::Value(args) => args.run(),
            Command::Inspect(args) => args.run(),
            Command::Calibrate(args) => args.run(),
            Command::Bench(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Generate(command) => command.run(),
            Command::Prompt(args) => args.run(),
            Command::Floor(command) => command.run(),
            Command::Convert(args) => args.run(),
            Command::Import(command) => command.run(),
            Command::Schema(args) => args.run(),
            Command::Completions(args) => args.run(),
        }
    }
}

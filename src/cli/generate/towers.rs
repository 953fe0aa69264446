//! `mota generate towers`: many towers of each of some requests, and what they are like.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use super::tower::with_command;
use super::towers_answer::{TowersAnswer, TowersOfAsk};
use crate::cli::command_line::CommandLine;
use crate::cli::crew::Crew;
use crate::cli::interrupt::Interrupt;
use crate::cli::nats::NatsArgs;
use crate::cli::output;
use crate::cli::progress::{bar, threads};
use crate::cli::{Exit, Failure};
use crate::cluster::pieces::task::towers::SharedTowers;
use crate::format;
use crate::generate::tower::build::Wishes;
use crate::generate::tower::many::{self, Order, Tried};
use crate::generate::tower::{Kinds, Request, describe, understand};

/// Arguments of `mota generate towers`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota generate towers --ask \"three floors\" --count 100 -o towers
  mota generate towers --ask \"one floor\" --ask \"two levels, easy\" --count 500 --measure
  mota generate towers --ask \"three floors\" --count 10000 -o towers --nats nats://queue:4222    (made by mota worker)

Each tower passes the checks of `mota check` and is kept only if it is proven that it can be won. The table says for each \
request how many were made, of how many the optimum is known, its share of the HP at the start, and seconds a tower; with \
--measure also, for each floor alone as best play comes to it, the share of states that are lost and the most HP that it can be \
left with, and what best play pays there.

A tower's file states the command that makes it again by itself.")]
pub struct TowersArgs {
    /// Towers in plain words; repeat for several requests
    #[arg(long, value_name = "WORDS", required = true, allow_hyphen_values = true)]
    ask: Vec<String>,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Towers of each request
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    /// The folder to write them to; none are written unless given
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Measure how hard each floor is
    #[arg(long)]
    measure: bool,
    /// Threads [default: all cores; the towers do not depend on it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Replace files that are there and differ
    #[arg(long, requires = "output")]
    force: bool,
    /// Print JSON (its schema: mota schema generate-towers)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    nats: NatsArgs,
}

impl TowersArgs {
    /// Makes the towers and prints what they are like.
    pub fn run(self) -> Result<Exit, Failure> {
        let kinds = Kinds::standard();
        let requests: Vec<Request> =
            self.ask.iter().map(|ask| understand(ask, &kinds)).collect::<Result<_, _>>().map_err(Failure::bad_input)?;
        if let Some(folder) = &self.output {
            let names = requests.iter().map(|request| describe(request, &kinds, self.seed).name);
            let mut names: Vec<String> = names.collect();
            names.sort_unstable();
            if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
                let why = format!("two requests would go to files of one name, such as {}.toml", twice[0]);
                return Err(Failure::bad_input(why));
            }
            fs::create_dir_all(folder).map_err(|error| Failure::failed(format!("{}: {error}", folder.display())))?;
        }
        let crew = Crew::of(&self.nats, "mota generate towers")?;
        let begun = Instant::now();
        let mut answer = TowersAnswer { requests: Vec::new(), complete: true, seconds: 0.0 };
        let interrupted = match crew {
            Some(crew) => self.make_there(&crew, &requests, &kinds, &mut answer)?,
            None => self.make_here(&requests, &kinds, &mut answer)?,
        };
        answer.seconds = (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3;
        if self.json {
            output::json(&answer)?;
        }
        Ok(match (interrupted, answer.complete) {
            (true, _) => Exit::Interrupted,
            (false, true) => Exit::Done,
            (false, false) => return Err(Failure::failed("some towers could not be made")),
        })
    }

    /// Makes the towers in this process. Says whether it was interrupted.
    fn make_here(&self, requests: &[Request], kinds: &Kinds, answer: &mut TowersAnswer) -> Result<bool, Failure> {
        let interrupt = Interrupt::listen(None);
        for request in requests {
            request.told.iter().for_each(|line| super::tower::tell(line));
            let bar = bar(self.count, "towers", self.json);
            let order = Order {
                describe: &|seed| describe(request, kinds, seed),
                kinds,
                wishes: Wishes::default(),
                first: self.seed,
                count: self.count,
                measure: self.measure,
                threads: threads(self.jobs),
            };
            let tried = many::make(&order, &|| interrupt.stops(), &|_| bar.inc(1));
            bar.finish_and_clear();
            self.conclude(request, tried, answer)?;
            if interrupt.stops() {
                break;
            }
        }
        Ok(interrupt.stops())
    }

    /// Has the towers made by the workers of a NATS server. Says whether it was interrupted.
    fn make_there(
        &self,
        crew: &Crew,
        requests: &[Request],
        kinds: &Kinds,
        answer: &mut TowersAnswer,
    ) -> Result<bool, Failure> {
        let shared = SharedTowers {
            asks: requests.iter().map(|request| request.ask.clone()).collect(),
            kinds: kinds.clone(),
            wishes: Wishes::default(),
            measure: self.measure,
        };
        let begin = |ask: usize| requests[ask].told.iter().for_each(|line| super::tower::tell(line));
        crew.towers(shared, (self.seed, self.count), self.json, begin, |ask, tried| {
            self.conclude(&requests[ask], tried, answer)
        })?;
        Ok(crew.stops())
    }

    /// Writes the towers of a request and says what they are like.
    fn conclude(&self, request: &Request, tried: Vec<Tried>, answer: &mut TowersAnswer) -> Result<(), Failure> {
        self.write(request, &tried)?;
        answer.complete &= tried.len() as u64 == self.count && tried.iter().all(|tried| tried.made.is_ok());
        let of_ask = TowersOfAsk::of(&request.ask, &tried);
        if !self.json {
            output::text(&of_ask.text())?;
        }
        answer.requests.push(of_ask);
        Ok(())
    }

    /// Writes the towers, each to a file of its name.
    fn write(&self, request: &Request, tried: &[Tried]) -> Result<(), Failure> {
        let Some(folder) = &self.output else { return Ok(()) };
        for Tried { seed, made, .. } in tried {
            let Ok(made) = made else { continue };
            let line = CommandLine::new("mota generate tower").option("--ask", &request.ask).option("--seed", *seed);
            let tower = with_command(made.tower.clone(), line.finish()?);
            let path = folder.join(format!("{}.toml", tower.name));
            super::tower::write(&path, &format::write_native(&tower), "tower", self.force)?;
        }
        Ok(())
    }
}

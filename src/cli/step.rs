//! `mota step`: play as an environment, over lines on standard input and output.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

use clap::Args;

use super::memory::bytes;
use super::{Exit, Failure};
use crate::format;
use crate::game::{Game, ItemMode};
use crate::gym::{Answer, Session, Settings};
use crate::solver::Effort;
use crate::solver::worths::DEFAULT_STEPS;

/// Arguments of `mota step`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota step floors/complex.toml
  mota step floors/generated/*.toml --turns 200
  echo '{\"reset\": {}}' | mota step floors/simple.toml

Each line that is read is a request, and each is answered by one line (mota schema step-request, mota schema step):
  {\"reset\": {}}                            begin an episode on the first floor
  {\"reset\": {\"floor\": \"complex\"}}          … on the floor of this name
  {\"reset\": {\"index\": 3}}                  … on the fourth of the command line
  {\"reset\": {\"seed\": 7}}                   … on one that the seed draws
  {\"step\": {\"action\": 3}}                  choose a legal action by its number
  {\"step\": {\"target\": {\"x\": 8, \"y\": 7}}}   … or by its tile
  {\"observe\": {}}                          where the episode stands
  {\"close\": {}}                            end; the end of the input does the same

The answer holds the observation, the exact value of the state and of every legal action, what each \
action would cost, and after a step what it earned. A lethal action ends the game: nothing replaces it. \
A request that cannot be met is answered by {\"error\": \"…\"}, nothing changes, and the next one is read. \
Blank lines are passed over. The values of a floor are computed when it is first played.")]
pub struct StepArgs {
    /// Floor files; their names tell them apart
    #[arg(required = true)]
    floors: Vec<PathBuf>,
    /// Decisions after which an episode is truncated; no limit unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turns: Option<u32>,
    /// Leave the state values out, for speed
    #[arg(long)]
    no_values: bool,
    /// Collect items by actions of their own instead of at once
    #[arg(long)]
    items_by_action: bool,
    /// Memory that the table of all states of one floor may take; beyond it, each value is searched for
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = bytes, conflicts_with = "no_values")]
    memory: usize,
    /// Steps of the search for the value of a state, where there are too many states for the table
    #[arg(long, value_name = "STEPS", default_value_t = DEFAULT_STEPS, conflicts_with = "no_values")]
    effort: u64,
}

/// Bytes that a request may have; more are no request of anybody's.
const LONGEST_LINE: u64 = 1 << 20;

impl StepArgs {
    /// Answers requests until there are no more.
    pub fn run(self) -> Result<Exit, Failure> {
        let memory = (!self.no_values).then_some(self.memory);
        let settings = Settings { turns: self.turns, memory, effort: Effort::Steps(self.effort) };
        let mut session = Session::new(self.games()?, settings);
        let (mut requests, mut answers) = (io::stdin().lock(), io::stdout().lock());
        match serve(&mut session, &mut requests, &mut answers) {
            // Who reads no more answers asks for none.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done),
            result => result.map(|()| Exit::Done).map_err(Failure::failed),
        }
    }

    /// The floors, or everything that is wrong with them.
    fn games(&self) -> Result<Vec<Game>, Failure> {
        let items = if self.items_by_action { ItemMode::Action } else { ItemMode::Auto };
        let (mut games, mut names, mut reports) = (Vec::new(), BTreeSet::new(), Vec::new());
        for path in &self.floors {
            let read = || -> Result<Game, Failure> { Ok(Game::new(format::read_tower(path)?, items)?) };
            match read() {
                Ok(game) if !names.insert(game.tower().name.clone()) => {
                    let (path, name) = (path.display(), &game.tower().name);
                    reports.push(miette::miette!("{path}: there is another floor named `{name}`; rename one of them"));
                }
                Ok(game) => games.push(game),
                Err(failure) => reports.extend(failure.reports),
            }
        }
        match reports.is_empty() {
            true => Ok(games),
            false => Err(Failure { reports, exit: Exit::BadInput }),
        }
    }
}

/// Answers each line by one, which is flushed before the next is read.
fn serve(session: &mut Session, requests: &mut impl BufRead, answers: &mut impl Write) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if requests.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let answer = if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            pass_over_line(requests)?;
            Answer::Error { error: format!("the line has {LONGEST_LINE} bytes or more, which no request needs") }
        } else if line.trim_ascii().is_empty() {
            continue;
        } else {
            session.answer(&line)
        };
        let mut bytes = serde_json::to_vec(&answer)?;
        bytes.push(b'\n');
        answers.write_all(&bytes)?;
        answers.flush()?;
        if matches!(answer, Answer::Closed { .. }) {
            return Ok(());
        }
    }
}

/// Reads to the end of a line that is too long, without keeping it.
pub(super) fn pass_over_line(requests: &mut impl BufRead) -> io::Result<()> {
    loop {
        let unread = requests.fill_buf()?;
        let (used, ended) = match unread.iter().position(|byte| *byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (unread.len(), unread.is_empty()),
        };
        requests.consume(used);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_answered_by_one_line() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("floors/simple.toml");
        let game = Game::new(format::read_tower(&path).unwrap(), ItemMode::Auto).unwrap();
        let mut session = Session::new(vec![game], Settings::default());
        let long = "x".repeat(3 << 20);
        let asked = format!(
            "{{\"reset\": {{}}}}\n\n  \r\n{long}\n\u{0}\n{{\"observe\": {{}}}}\n{{\"close\": {{}}}}\nnever read"
        );
        let mut answers = Vec::new();
        serve(&mut session, &mut asked.as_bytes(), &mut answers).unwrap();
        let keys: Vec<String> = (String::from_utf8(answers).unwrap().lines())
            .map(|line| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line).unwrap())
            .map(|answer| answer.keys().next().unwrap().clone())
            .collect();
        assert_eq!(keys, ["observation", "error", "error", "observation", "closed"]);
        let mut last = Vec::new();
        serve(&mut session, &mut b"{\"observe\": {}}".as_slice(), &mut last).unwrap();
        assert!(last.ends_with(b"}\n"), "a last line without an end is a request, too");
    }
}

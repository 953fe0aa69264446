//! A game over plain lines: what can be done is printed with numbers, and a number is read.

use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::sync::Arc;

use super::kept;
use crate::cli::output::{self, hero_line};
use crate::cli::step::pass_over_line;
use crate::cli::{Exit, Failure};
use crate::eval::human::{HumanGame, HumanGames};
use crate::game::{GameError, Tower};
use crate::prompt::observation::question;
use crate::prompt::place::{floor_label, place_name};
use crate::prompt::{ActionView, Observation, grid};
use crate::screen::clean;
use crate::screen::play::verdict;
use crate::screen::{Episode, Worth};
use crate::solver::{Effort, Worths};

const HELP: &str = "\
a number  does that action
u         takes the last decision back
b         at the end: goes back to before the losing decision
v         shows what each action is worth, or hides it
m         prints the map of the hero's floor; m 3 that of floor 3
n         begins a new game; give up ends this one first
q         quits; an unfinished game is kept and gone on with
";

/// Bytes of a line that are looked at.
const LONGEST: u64 = 4_096;

/// Plays until `q` or the end of what is typed.
pub(super) fn play(games: &mut HumanGames, folder: &Path) -> Result<Exit, Failure> {
    let game = games.game()?;
    let mut table = Table { games, game, worths: None, hints: false };
    table.begin()?;
    while let Some(line) = read_line()? {
        if !table.obey(line.trim())? {
            break;
        }
    }
    output::text(&kept(folder, &table.game))?;
    Ok(Exit::Done)
}

/// The next line that is typed; none at the end. Of a line that is too long the rest is passed over.
fn read_line() -> Result<Option<String>, Failure> {
    output::text("> ")?;
    // Whether a prompt is seen at once does not matter to whoever cannot see it.
    let _ = std::io::stdout().flush();
    let mut bytes = Vec::new();
    let mut typed = std::io::stdin().lock();
    let read = (&mut typed).take(LONGEST).read_until(b'\n', &mut bytes).map_err(Failure::failed)?;
    if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
        pass_over_line(&mut typed).map_err(Failure::failed)?;
    }
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A game, and what is said of it.
struct Table<'a> {
    games: &'a mut HumanGames,
    game: HumanGame,
    /// What the floor's states are worth, once that has been needed.
    worths: Option<Worths>,
    hints: bool,
}

impl Table<'_> {
    fn begin(&mut self) -> Result<(), Failure> {
        let header = &self.game.trace().header;
        let title = clean::line(&self.game.rules().tower().title);
        let begun = format!("{title}: game {} of {}\n", header.key.repeat + 1, header.key.agent);
        output::text(&begun)?;
        output::text(&self.map(None)?)?;
        output::text("A number does an action; u takes back, v shows values, m the map, q quits, ? helps.\n")?;
        self.tell()
    }

    /// Does what a line says; says whether the game goes on.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        match line {
            "" => {}
            "q" => return Ok(false),
            "?" => output::text(HELP)?,
            "m" => output::text(&self.map(None)?)?,
            "u" => self.back_to(self.game.trace().decisions.len().saturating_sub(1))?,
            "b" => self.back_to_losing()?,
            "v" => {
                self.hints = !self.hints;
                self.tell()?;
            }
            "give up" => {
                self.game.give_up()?;
                self.tell()?;
            }
            "n" if self.game.ending().is_none() => {
                output::text("This game is not finished; \"give up\" ends it.\n")?;
            }
            "n" => {
                self.game = self.games.game()?;
                self.begin()?;
            }
            floor if floor.starts_with("m ") => match floor[2..].trim().parse() {
                Ok(floor) => output::text(&self.map(Some(floor))?)?,
                Err(_) => output::text("m and the number of a floor is expected.\n")?,
            },
            number => match number.parse() {
                Ok(number) => self.choose(number)?,
                Err(_) => output::text("A number, or one of u b v m n q ? is expected.\n")?,
            },
        }
        Ok(true)
    }

    fn choose(&mut self, number: u32) -> Result<(), Failure> {
        let count = self.game.rules().actions(self.game.state())?.len();
        if self.game.ending().is_some() {
            return output::text("The game has ended; u takes the last decision back, n begins a new one.\n");
        }
        if number == 0 || number as usize > count {
            return output::text(&format!("There is no action {number}; they have numbers 1 to {count}.\n"));
        }
        self.game.choose(number)?;
        let mut told = String::new();
        if let Some(decision) = self.game.trace().decisions.last() {
            let done = (decision.actions.get(number as usize - 1)).map(|action| action.text.as_str());
            let (before, after) = (decision.hero.hp, decision.after.hp);
            let target = place_name(self.game.rules().tower(), decision.target);
            told = format!("{}. {} {}: HP {before} to {after}", decision.turn, done.unwrap_or_default(), target);
            for collected in &decision.collected {
                told += &format!(", {collected}");
            }
        }
        output::text(&(clean::line(&told) + "\n"))?;
        self.tell()
    }

    fn back_to(&mut self, left: usize) -> Result<(), Failure> {
        if self.game.trace().decisions.is_empty() {
            return output::text("This is the start; there is nothing to take back.\n");
        }
        while self.game.trace().decisions.len() > left {
            let last = self.game.trace().decisions.last();
            let told = last.map(|last| format!("{}. is taken back\n", last.turn)).unwrap_or_default();
            if !self.game.take_back()? {
                break;
            }
            output::text(&told)?;
        }
        self.tell()
    }

    fn back_to_losing(&mut self) -> Result<(), Failure> {
        let losing = match self.game.ending() {
            Some(_) => self.episode(true)?.losing(),
            None => None,
        };
        match losing {
            Some(losing) => self.back_to(losing),
            None => output::text("There is no losing decision to go back to.\n"),
        }
    }

    /// Says where the game stands and what can be done, or how it ended.
    fn tell(&mut self) -> Result<(), Failure> {
        let shown = self.hints || self.game.ending().is_some();
        let episode = self.episode(shown)?;
        if self.game.ending().is_some() {
            let said: String = verdict(&episode).iter().map(|said| clean::line(said) + "\n").collect();
            return output::text(
                &(said + "u takes back, b goes back to before the losing decision, n begins anew, q quits.\n"),
            );
        }
        if episode.worth.known().is_some() {
            self.game.hint()?;
        }
        output::text(&state_text(&episode))
    }

    /// The game so far, with what it is worth if that is asked for.
    fn episode(&mut self, shown: bool) -> Result<Episode, Failure> {
        let trace = Arc::new(self.game.trace().clone());
        let states = self.game.states().to_vec();
        let mut episode = Episode::at(self.game.rules().clone(), trace, states)?;
        episode.worth = match shown {
            true => self.worth()?,
            false => Worth::Hidden,
        };
        Ok(episode)
    }

    fn worth(&mut self) -> Result<Worth, Failure> {
        let worths = match self.worths.take() {
            Some(worths) => worths,
            None => self.games.floor().worths(Effort::default())?,
        };
        let worth = Worth::of(self.game.trace(), self.worths.insert(worths));
        if let Some(judged) = worth.known().filter(|judged| judged.analysis.optimum.is_known()) {
            self.games.keep_optimum(judged.analysis.optimum.hp())?;
        }
        Ok(worth)
    }

    /// The map of a floor, of the hero's unless one is named, and what stands there.
    fn map(&self, shown: Option<u16>) -> Result<String, GameError> {
        let observation = Observation::of(self.game.rules(), self.game.state(), None, &[])?;
        let shown = shown.unwrap_or(observation.at.floor);
        let mut text = String::new();
        let Some(floor) = observation.floors.get(usize::from(shown)) else {
            return Ok(format!(
                "There is no floor {shown}; they have numbers 0 to {}.\n",
                observation.floors.len() - 1
            ));
        };
        if observation.floors.len() > 1 {
            text += &(clean::line(&floor_label(floor.floor, &floor.name)) + "\n");
        }
        text += &grid::grid(&floor.rows);
        text += "\n";
        for monster in observation.monsters.iter().filter(|monster| monster.at.iter().any(|at| at.floor == shown)) {
            let (symbol, name) = (clean::line(&monster.symbol), clean::line(&monster.name));
            let cost = monster.damage.map_or("cannot be hurt".into(), |damage| format!("costs {damage} HP now"));
            text += &format!("{symbol} {name}: {cost}{}\n", if monster.lethal { ", lethal" } else { "" });
        }
        Ok(text)
    }
}

/// The hero, the actions with what they do, and their values if they are to be seen.
fn state_text(episode: &Episode) -> String {
    let (now, _) = episode.heroes(episode.end());
    let mut text = format!("\nDecision {}. {}\n", episode.end() + 1, hero_line(&now));
    if let Some(question) = episode.state(episode.end()).and_then(|state| question(&episode.game, state)) {
        let title = if question.title.is_empty() { String::new() } else { format!("{}: ", question.title) };
        text += &(clean::line(&format!("{title}{}", question.text)) + "\n");
    }
    let judged = episode.worth.known();
    for (index, action) in episode.actions.iter().enumerate() {
        let value = judged.and_then(|judged| judged.actions.get(index));
        let value = value.map(|value| match value.is_lost() {
            true => " [lost]".to_owned(),
            false => format!(" [value {value}]"),
        });
        let value = value.unwrap_or_default();
        text += &format!("{:>3}.{value} {}\n", action.number, clean::line(&effect(episode.game.tower(), action)));
    }
    for blocked in &episode.blocked {
        let target = clean::line(&place_name(episode.game.tower(), blocked.target));
        text += &format!("  -  {} {target}: {}\n", clean::line(&blocked.what), clean::line(&blocked.reason));
    }
    if let Worth::Unknown(why) = &episode.worth {
        text += &format!("The state values are not known: {why}\n");
    }
    text
}

/// What an action would do, in words.
fn effect(tower: &Tower, action: &ActionView) -> String {
    let mut text = format!("{} {}", action.text, place_name(tower, action.target));
    text += &action.damage.map(|damage| format!(", costs {damage} HP")).unwrap_or_default();
    text += &action.price.map(|price| format!(", costs {price} gold")).unwrap_or_default();
    text += &if action.lethal { ": lethal".to_owned() } else { format!(": HP {} after", action.hp_after) };
    for collects in &action.collects {
        text += &format!(", {collects}");
    }
    text
}

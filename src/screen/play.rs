//! A game that somebody plays: the actions to choose from, what each would do, the way back. Every decision is written
//! down before it is shown. Drawing is in `draw`, what is said at the end in `verdict`.

mod draw;
mod verdict;

#[cfg(test)]
mod tests;

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

pub use verdict::verdict;

use super::episode::Episode;
use super::layout::Part;
use super::palette::Palette;
use super::session::{Screen, Then};
use super::worth::{Solver, Worth};
use crate::eval::human::{HumanError, HumanGame, HumanGames};
use crate::game::Position;
use crate::prompt::ActionView;

/// What keys do, in the order in which the foot lists them.
pub(super) const KEYS: [(&str, &str); 12] = [
    ("↑ ↓ k j", "the action before, next"),
    ("Enter space", "do it"),
    ("0-9", "go to the action of a number"),
    ("u", "take the last decision back"),
    ("v", "show state values, or hide them"),
    ("b", "at the end: back to before the losing decision"),
    ("n", "a new game; twice, if this one is not finished"),
    ("tab", "next pane; on the map, arrows go to the next action there"),
    ("PgUp PgDn", "scroll"),
    ("z [ ]", "the pane alone; floor below, above"),
    ("?", "help"),
    ("q", "quit; an unfinished game is kept and gone on with"),
];

/// How long it is waited for values before the screen says that they are being sought.
const PATIENCE: Duration = Duration::from_millis(60);

/// The screen of a game.
pub struct Play<'a> {
    games: &'a mut HumanGames,
    game: HumanGame,
    episode: Episode,
    solver: Solver,
    /// What is known of the values, shown or not.
    known: Worth,
    /// Whether they are shown.
    hints: bool,
    palette: Palette,
    /// Number of the action that the cursor is on, from 1.
    cursor: u32,
    /// Digits typed so far.
    typed: String,
    focus: Part,
    alone: bool,
    floor: Option<u16>,
    /// Lines that the panes of hero and decisions were scrolled by.
    scroll: isize,
    help: Option<usize>,
    /// Whether the next `n` gives the game up.
    gives_up: bool,
}

impl<'a> Play<'a> {
    /// Goes on with the unfinished game, or begins one.
    ///
    /// # Errors
    /// [`HumanError`] if its trace cannot be read or written.
    pub fn new(games: &'a mut HumanGames, palette: Palette) -> Result<Self, Box<dyn Error>> {
        let game = games.game()?;
        let mut play = Play {
            episode: episode(&game)?,
            games,
            game,
            solver: Solver::default(),
            known: Worth::Solving,
            hints: false,
            palette,
            cursor: 1,
            typed: String::new(),
            focus: Part::Actions,
            alone: false,
            floor: None,
            scroll: 0,
            help: None,
            gives_up: false,
        };
        play.refresh()?;
        Ok(play)
    }

    /// The game as it stands.
    pub fn game(&self) -> &HumanGame {
        &self.game
    }

    /// Shows the game as it stands now.
    fn refresh(&mut self) -> Result<(), Box<dyn Error>> {
        self.episode = episode(&self.game)?;
        (self.cursor, self.floor, self.scroll, self.known) = (1, None, 0, Worth::Solving);
        self.typed.clear();
        self.solver.ask(&self.episode.game, &self.episode.trace);
        // Values that are looked up are there at once.
        let patience = if self.shows_values() { PATIENCE } else { Duration::ZERO };
        if let Some(worth) = self.solver.answer(patience)? {
            self.learn(worth)?;
        }
        self.show_values()
    }

    fn shows_values(&self) -> bool {
        self.hints || self.game.ending().is_some()
    }

    fn learn(&mut self, worth: Worth) -> Result<(), HumanError> {
        if let Some(judged) = worth.known().filter(|judged| judged.analysis.optimum.is_known()) {
            self.games.keep_optimum(judged.analysis.optimum.hp())?;
        }
        self.known = worth;
        Ok(())
    }

    /// Shows what is known of the values, or hides it; that they are shown is written down first.
    fn show_values(&mut self) -> Result<(), Box<dyn Error>> {
        if self.shows_values() && self.known.known().is_some() {
            self.game.hint()?;
        }
        self.episode.worth = if self.shows_values() { self.known.clone() } else { Worth::Hidden };
        Ok(())
    }

    fn choose(&mut self) -> Result<(), Box<dyn Error>> {
        if self.action().is_none() {
            return Ok(());
        }
        self.game.choose(self.cursor)?;
        self.refresh()
    }

    /// The action that the cursor is on; none after the end.
    fn action(&self) -> Option<&ActionView> {
        self.episode.actions.get((self.cursor as usize).checked_sub(1)?)
    }

    /// Takes decisions back until so many are left.
    fn back_to(&mut self, left: usize) -> Result<(), Box<dyn Error>> {
        while self.episode.end() > left && self.game.take_back()? {
            self.episode = episode(&self.game)?;
        }
        self.refresh()
    }

    fn move_cursor(&mut self, by: i64) {
        let most = self.episode.actions.len().max(1) as i64;
        self.cursor = (i64::from(self.cursor) + by).clamp(1, most) as u32;
        self.floor = None;
    }

    /// Goes to the action whose number is typed; a digit that fits no more begins a new number.
    fn type_digit(&mut self, digit: char) {
        let most = self.episode.actions.len() as u32;
        let fits = |typed: &str| typed.parse().ok().filter(|number| (1..=most).contains(number));
        let longer = format!("{}{digit}", self.typed);
        let (typed, number) = match fits(&longer) {
            Some(number) => (longer, Some(number)),
            None => (digit.to_string(), fits(&digit.to_string())),
        };
        if let Some(number) = number {
            (self.typed, self.cursor, self.floor) = (typed, number, None);
        }
    }

    /// Goes to the nearest action in a direction on the map.
    fn move_on_map(&mut self, right: i32, down: i32) {
        let Some(here) = self.action().map(|action| action.target) else { return };
        let away = |there: Position| {
            let (x, y) = (i32::from(there.x) - i32::from(here.x), i32::from(there.y) - i32::from(here.y));
            let (ahead, aside) = (x * right + y * down, (x * down).abs() + (y * right).abs());
            (there.floor == here.floor && ahead > 0).then_some(ahead + 2 * aside)
        };
        let there = self.episode.actions.iter().filter_map(|action| Some((away(action.target)?, action.number)));
        if let Some((_, number)) = there.min() {
            self.cursor = number;
        }
    }

    fn arrow(&mut self, right: i32, down: i32) {
        match self.focus {
            Part::Map => self.move_on_map(right, down),
            Part::Hero | Part::Decisions if down != 0 => self.scroll += down as isize,
            _ => self.move_cursor(i64::from(right + down)),
        }
    }

    fn look_at_floor(&mut self, up: bool) {
        let floors = self.episode.game.tower().floors.len() as u16;
        let now = self.floor_shown();
        self.floor = Some(if up { (now + 1).min(floors - 1) } else { now.saturating_sub(1) });
    }

    /// The floor that is looked at: the one asked for, or that of the action.
    fn floor_shown(&self) -> u16 {
        let target = self.action().map_or(self.game.state().at, |action| action.target);
        self.floor.unwrap_or(target.floor)
    }

    /// Begins a new game; one that is not finished is given up only if that is asked for twice.
    fn new_game(&mut self, confirmed: bool) -> Result<(), Box<dyn Error>> {
        if self.game.ending().is_none() && self.episode.end() > 0 && !confirmed {
            self.gives_up = true;
            return Ok(());
        }
        if self.episode.end() > 0 {
            self.game.give_up()?;
        }
        self.game = self.games.game()?;
        self.refresh()
    }
}

/// The game so far as an episode, its values not shown.
fn episode(game: &HumanGame) -> Result<Episode, Box<dyn Error>> {
    let mut episode = Episode::at(game.rules().clone(), Arc::new(game.trace().clone()), game.states().to_vec())?;
    episode.worth = Worth::Hidden;
    Ok(episode)
}

impl Screen for Play<'_> {
    fn draw(&mut self, area: Rect, buffer: &mut Buffer) {
        self.draw_all(area, buffer);
    }

    fn press(&mut self, key: KeyEvent) -> Result<Then, Box<dyn Error>> {
        if let Some(from) = self.help {
            self.help = super::help::scrolled(from, key);
            return Ok(Then::Stay);
        }
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return Ok(Then::Stay);
        }
        let confirmed = std::mem::take(&mut self.gives_up);
        if !matches!(key.code, KeyCode::Char('0'..='9')) {
            self.typed.clear();
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Ok(Then::Quit),
            KeyCode::Enter | KeyCode::Char(' ') => self.choose()?,
            KeyCode::Char(digit @ '0'..='9') => self.type_digit(digit),
            KeyCode::Down | KeyCode::Char('j') => self.arrow(0, 1),
            KeyCode::Up | KeyCode::Char('k') => self.arrow(0, -1),
            KeyCode::Right | KeyCode::Char('l') => self.arrow(1, 0),
            KeyCode::Left | KeyCode::Char('h') => self.arrow(-1, 0),
            KeyCode::PageDown => self.scroll += 5,
            KeyCode::PageUp => self.scroll -= 5,
            KeyCode::Char('u') | KeyCode::Backspace => self.back_to(self.episode.end().saturating_sub(1))?,
            KeyCode::Char('b') => {
                if let Some(losing) = self.episode.losing() {
                    self.back_to(losing)?;
                }
            }
            KeyCode::Char('v') => {
                self.hints = !self.hints;
                self.show_values()?;
            }
            KeyCode::Char('n') => self.new_game(confirmed)?,
            KeyCode::Char('z') => self.alone = !self.alone,
            KeyCode::Char(which @ ('[' | ']')) => self.look_at_floor(which == ']'),
            KeyCode::Char('?') => self.help = Some(0),
            KeyCode::Tab | KeyCode::BackTab => {
                (self.focus, self.scroll) = (next(self.focus, key.code == KeyCode::BackTab), 0);
            }
            _ => {}
        }
        Ok(Then::Stay)
    }

    fn look(&mut self) -> Result<bool, Box<dyn Error>> {
        let Some(worth) = self.solver.answer(Duration::ZERO)? else { return Ok(false) };
        self.learn(worth)?;
        self.show_values()?;
        Ok(true)
    }
}

/// The pane that the keys go to next.
fn next(focus: Part, back: bool) -> Part {
    const ORDER: [Part; 4] = [Part::Actions, Part::Map, Part::Hero, Part::Decisions];
    let at = ORDER.iter().position(|part| *part == focus).unwrap_or(0);
    ORDER[(at + if back { ORDER.len() - 1 } else { 1 }) % ORDER.len()]
}

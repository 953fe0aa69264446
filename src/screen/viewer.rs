//! Stepping through episodes: what is selected, and what each key does to it. Drawing is in `draw`.

mod draw;

#[cfg(test)]
mod tests;

use std::error::Error;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use super::episode::Episode;
use super::layout::Part;
use super::palette::Palette;
use super::session::{Screen, Then};
use super::talk::Talk;
use super::worth::{Solver, Worth};

/// What keys do, in the order in which the foot lists them.
pub(super) const KEYS: [(&str, &str); 13] = [
    ("→ l j ↓ space", "next decision"),
    ("← h k ↑", "decision before"),
    ("x", "the losing decision"),
    ("v V", "next, previous loss of value"),
    ("tab", "next pane; ↑ ↓ then scroll it"),
    ("PgUp PgDn", "scroll by a page"),
    ("z", "the pane alone, and back"),
    ("s S", "next, previous part of what was said"),
    ("n p", "next, previous episode"),
    ("[ ]", "floor below, above"),
    ("Home End g G", "first, last decision"),
    ("?", "help"),
    ("q", "quit"),
];

/// Episodes by number, from 0; loaded when they are looked at.
pub trait Episodes {
    /// How many there are, at least one.
    fn count(&self) -> usize;

    /// Loads one.
    ///
    /// # Errors
    /// Why it cannot be shown, in words.
    fn load(&self, number: usize) -> Result<Episode, String>;
}

/// The viewer.
pub struct Viewer<'a> {
    episodes: &'a dyn Episodes,
    solver: Option<Solver>,
    palette: Palette,
    number: usize,
    episode: Result<Episode, String>,
    /// The selected decision, from 0; their number for the end.
    at: usize,
    focus: Part,
    alone: bool,
    /// The floor that is looked at, if not the hero's.
    floor: Option<u16>,
    /// The first lines of what scrolls.
    scroll: Scroll,
    help: Option<usize>,
    /// Lines of the focused pane when it was drawn last.
    page: usize,
    talk: Option<((usize, usize, u16), Talk)>,
}

/// The first lines of the panes that scroll; none where the pane follows what is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Scroll {
    actions: Option<usize>,
    talk: Option<usize>,
    hero: usize,
}

impl<'a> Viewer<'a> {
    /// A viewer that shows the first episode. Without a solver the values stay as they were loaded.
    pub fn new(episodes: &'a dyn Episodes, solver: Option<Solver>, palette: Palette) -> Self {
        let mut viewer = Viewer {
            episodes,
            solver,
            palette,
            number: 0,
            episode: Err(String::new()),
            at: 0,
            focus: Part::Decisions,
            alone: false,
            floor: None,
            scroll: Scroll::default(),
            help: None,
            page: 1,
            talk: None,
        };
        viewer.open(0);
        viewer
    }

    fn open(&mut self, number: usize) {
        self.number = number.min(self.episodes.count().saturating_sub(1));
        self.episode = self.episodes.load(self.number);
        if let (Ok(episode), Some(solver)) = (&self.episode, &mut self.solver) {
            solver.ask(&episode.game, &episode.trace);
        }
        self.talk = None;
        self.go(0);
    }

    /// Selects a decision.
    fn go(&mut self, at: usize) {
        self.at = at.min(self.last());
        self.floor = None;
        self.scroll = Scroll::default();
    }

    /// The place after the last decision.
    fn last(&self) -> usize {
        self.episode.as_ref().map_or(0, Episode::end)
    }

    /// The parts that there are to look at.
    fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::Decisions, Part::Actions];
        if self.has_talk() {
            parts.push(Part::Talk);
        }
        parts.extend([Part::Map, Part::Hero]);
        parts
    }

    fn has_talk(&self) -> bool {
        self.episode.as_ref().is_ok_and(|episode| !episode.trace.calls.is_empty())
    }

    fn focus_next(&mut self, back: bool) {
        let parts = self.parts();
        let at = parts.iter().position(|part| *part == self.focus).unwrap_or(0);
        let step = if back { parts.len() - 1 } else { 1 };
        self.focus = parts[(at + step) % parts.len()];
    }

    /// Goes to the next place of some, or the last one before.
    fn jump(&mut self, places: &[usize], back: bool) {
        let next = match back {
            false => places.iter().find(|place| **place > self.at),
            true => places.iter().rev().find(|place| **place < self.at),
        };
        if let Some(next) = next {
            self.go(*next);
        }
    }

    fn look_at_floor(&mut self, up: bool) {
        let Ok(episode) = &self.episode else { return };
        let floors = episode.game.tower().floors.len() as u16;
        let now = self.floor_shown(episode);
        self.floor = Some(if up { (now + 1).min(floors - 1) } else { now.saturating_sub(1) });
    }

    /// The floor that is looked at: the one asked for, that of the action, or the hero's.
    fn floor_shown(&self, episode: &Episode) -> u16 {
        let target = episode.decision(self.at).map(|decision| decision.target.floor);
        let hero = episode.state(self.at).map(|state| state.at.floor);
        self.floor.or(target).or(hero).unwrap_or(0)
    }

    /// Scrolls the focused pane, or selects another decision where that is what it lists.
    fn scroll(&mut self, lines: isize) {
        let moved = |from: usize| from.saturating_add_signed(lines);
        match self.focus {
            Part::Decisions | Part::Map => self.go(moved(self.at)),
            Part::Actions => self.scroll.actions = Some(moved(self.scroll.actions.unwrap_or(0))),
            Part::Talk => self.scroll.talk = Some(moved(self.talk_from())),
            Part::Hero => self.scroll.hero = moved(self.scroll.hero),
        }
    }

    /// The first line of what was said: where the model's first word stands, until it is scrolled.
    fn talk_from(&self) -> usize {
        let begin = self.talk.as_ref().map_or(0, |(_, talk)| talk.answer);
        self.scroll.talk.unwrap_or(begin)
    }

    fn next_part(&mut self, back: bool) {
        let Some((_, talk)) = &self.talk else { return };
        let from = self.talk_from();
        let part = match back {
            false => talk.parts.iter().find(|part| **part > from),
            true => talk.parts.iter().rev().find(|part| **part < from),
        };
        self.scroll.talk = part.copied().or(self.scroll.talk);
        self.focus = Part::Talk;
    }

    /// What a key does.
    fn handle(&mut self, key: KeyEvent) -> Then {
        if let Some(from) = self.help {
            self.help = super::help::scrolled(from, key);
            return Then::Stay;
        }
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            return Then::Stay;
        }
        let page = self.page.max(1) as isize;
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Then::Quit,
            KeyCode::Right | KeyCode::Char('l' | ' ') => self.go(self.at + 1),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => self.go(self.at.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.scroll(1),
            KeyCode::Up | KeyCode::Char('k') => self.scroll(-1),
            KeyCode::PageDown => self.scroll(page),
            KeyCode::PageUp => self.scroll(-page),
            KeyCode::Home | KeyCode::Char('g') => self.go(0),
            KeyCode::End | KeyCode::Char('G') => self.go(usize::MAX),
            KeyCode::Tab => self.focus_next(false),
            KeyCode::BackTab => self.focus_next(true),
            KeyCode::Enter | KeyCode::Char('z') => self.alone = !self.alone,
            KeyCode::Char('x') => {
                let losing = self.episode.as_ref().ok().and_then(Episode::losing);
                self.go(losing.unwrap_or(self.at));
            }
            KeyCode::Char(which @ ('v' | 'V')) => {
                let losses = self.episode.as_ref().map(Episode::losses).unwrap_or_default();
                self.jump(&losses, which == 'V');
            }
            KeyCode::Char(which @ ('s' | 'S')) => self.next_part(which == 'S'),
            KeyCode::Char(which @ ('[' | ']')) => self.look_at_floor(which == ']'),
            KeyCode::Char('n') if self.number + 1 < self.episodes.count() => self.open(self.number + 1),
            KeyCode::Char('p') if self.number > 0 => self.open(self.number - 1),
            KeyCode::Char('?') => self.help = Some(0),
            _ => {}
        }
        if !self.parts().contains(&self.focus) {
            self.focus = Part::Decisions;
        }
        Then::Stay
    }

    fn learn(&mut self, worth: Worth) {
        if let Ok(episode) = &mut self.episode {
            episode.worth = worth;
        }
    }
}

impl Screen for Viewer<'_> {
    fn draw(&mut self, area: Rect, buffer: &mut Buffer) {
        self.draw_all(area, buffer);
    }

    fn press(&mut self, key: KeyEvent) -> Result<Then, Box<dyn Error>> {
        Ok(self.handle(key))
    }

    fn look(&mut self) -> Result<bool, Box<dyn Error>> {
        let Some(solver) = &mut self.solver else { return Ok(false) };
        let Some(worth) = solver.answer(Duration::ZERO)? else { return Ok(false) };
        self.learn(worth);
        Ok(true)
    }
}

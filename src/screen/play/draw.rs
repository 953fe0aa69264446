//! The panes of a game.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{KEYS, Play, verdict};
use crate::game::Hero;
use crate::screen::actions::Actions;
use crate::screen::layout::{Part, Wish, parts};
use crate::screen::map::{self, Map};
use crate::screen::pane::{Pane, hanging, inner};
use crate::screen::{decisions, frame, help, hero};

impl Play<'_> {
    pub(super) fn draw_all(&mut self, area: Rect, buffer: &mut Buffer) {
        let palette = self.palette;
        let key = &self.episode.trace.header.key;
        let (floor, turn) = (&self.episode.game.tower().title, self.episode.end() + 1);
        let stands = match self.game.ending() {
            None => format!("decision {turn}"),
            Some(_) => self.episode.ending(),
        };
        let what = format!("{floor}, game {} of {}: {stands}", key.repeat + 1, key.agent);
        let status = match self.gives_up {
            true => "n again gives this game up and begins another".into(),
            false => frame::status(&self.episode, self.episode.end()),
        };
        frame::head(area, &what, &status, buffer, palette);
        frame::foot(area, &self.brief(), buffer, palette);
        let body = frame::body(area);
        let map = map::size(&self.episode.game, self.floor_shown());
        let wish = Wish { map, focus: self.focus, alone: self.alone, talk: false, plays: true };
        for (part, area) in parts(body, wish) {
            match part {
                Part::Map => self.draw_map(area, buffer),
                Part::Hero => self.draw_hero(area, buffer),
                Part::Decisions => self.draw_decisions(area, buffer),
                Part::Actions | Part::Talk => self.draw_actions(area, buffer),
            }
        }
        if let Some(from) = self.help {
            help::draw(area, &KEYS, from, buffer, palette);
        }
    }

    fn draw_map(&self, area: Rect, buffer: &mut Buffer) {
        let state = self.game.state();
        let target = self.action().map(|action| action.target);
        let marks: Vec<_> = target.into_iter().map(|target| (target, ('[', ']'))).collect();
        let middle = target.unwrap_or(state.at);
        let map = Map { game: &self.episode.game, state, floor: self.floor_shown(), marks: &marks, middle };
        map.draw(area, self.focus == Part::Map, buffer, self.palette);
    }

    fn draw_hero(&mut self, area: Rect, buffer: &mut Buffer) {
        let width = inner(area).width;
        let state = self.game.state();
        let mut lines = hero::lines(&state.hero, &self.hero_after(), width, self.palette);
        lines.extend(hero::monsters(&self.episode.game, state, self.floor_shown(), width, self.palette));
        let title = match self.action() {
            Some(action) => format!("hero, now→after {}", action.number),
            None => "hero".into(),
        };
        self.pane(Part::Hero, title, &lines, 0, area, buffer);
    }

    /// The hero after the action that the cursor is on.
    fn hero_after(&self) -> Hero {
        let (game, state) = (&self.episode.game, self.game.state());
        let index = (self.cursor as usize).checked_sub(1);
        let after = index.and_then(|index| {
            let actions = game.actions(state).ok()?;
            Some(game.apply(state, actions.get(index)?).ok()?.state.hero)
        });
        after.unwrap_or(state.hero)
    }

    fn draw_decisions(&mut self, area: Rect, buffer: &mut Buffer) {
        let lines = decisions::lines(&self.episode, usize::MAX, inner(area).width, self.palette);
        let from = lines.len().saturating_sub(usize::from(inner(area).height));
        let title = decisions::title(&self.episode).to_owned();
        self.pane(Part::Decisions, title, &lines, from, area, buffer);
    }

    fn draw_actions(&mut self, area: Rect, buffer: &mut Buffer) {
        let within = inner(area);
        if self.game.ending().is_some() {
            let mut lines: Vec<Line> = Vec::new();
            for said in verdict(&self.episode) {
                lines.extend(hanging(Vec::new(), &said, self.palette.heading(), within.width));
            }
            lines.push(Line::default());
            let mut keys = vec![("u", "take the last decision back"), ("n", "a new game"), ("q", "quit")];
            if self.episode.losing().is_some() {
                keys.insert(1, ("b", "back to before the losing decision"));
            }
            for (key, does) in keys {
                let head = vec![ratatui::text::Span::styled(format!("{key}  "), self.palette.key())];
                lines.extend(hanging(head, does, self.palette.plain(), within.width));
            }
            return self.pane(Part::Actions, "the end".into(), &lines, 0, area, buffer);
        }
        let actions = Actions::now(&self.episode, Some(self.cursor), true);
        let (lines, at) = actions.lines(within.width, self.palette);
        let from = (at.end + 1).saturating_sub(usize::from(within.height));
        self.pane(Part::Actions, "choose an action".into(), &lines, from, area, buffer);
    }

    /// Draws a pane of lines, scrolled if the keys go to it. The scroll is kept to what there is.
    fn pane(
        &mut self,
        part: Part,
        title: String,
        lines: &[Line<'static>],
        from: usize,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let focused = self.focus == part;
        let scrolled = if focused { from.saturating_add_signed(self.scroll) } else { from };
        let pane = Pane { title, lines, from: scrolled, focused };
        if focused {
            self.scroll = pane.first(area) as isize - from as isize;
        }
        pane.draw(area, buffer, self.palette);
    }

    /// The keys with fewer words, for the foot.
    fn brief(&self) -> Vec<(&'static str, &'static str)> {
        let mut keys = vec![("↑ ↓", "select"), ("Enter", "do it"), ("u", "undo"), ("v", "values")];
        if self.game.ending().is_some() {
            keys = vec![("u", "undo"), ("b", "before the losing decision")];
        }
        if self.episode.game.tower().floors.len() > 1 {
            keys.push(("[ ]", "floor"));
        }
        keys.extend([("n", "new game"), ("tab", "pane"), ("z", "zoom")]);
        keys.extend([("?", "help"), ("q", "quit")]);
        keys
    }
}

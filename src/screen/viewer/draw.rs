//! The viewer's panes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{KEYS, Viewer};
use crate::screen::actions::{Actions, collected};
use crate::screen::episode::Episode;
use crate::screen::layout::{Part, Wish, parts};
use crate::screen::map::{self, Map};
use crate::screen::pane::{Pane, hanging, inner};
use crate::screen::{decisions, frame, help, hero, talk};

impl Viewer<'_> {
    pub(super) fn draw_all(&mut self, area: Rect, buffer: &mut Buffer) {
        let palette = self.palette;
        let keys: Vec<(&str, &str)> = (KEYS.into_iter())
            .filter(|(key, _)| *key != "n p" || self.episodes.count() > 1)
            .filter(|(key, _)| *key != "s S" || self.has_talk())
            .filter(|(key, _)| *key != "[ ]" || self.floors() > 1)
            .collect();
        frame::foot(area, &brief(&keys), buffer, palette);
        let place = match self.episodes.count() {
            1 => String::new(),
            count => format!("  [episode {} of {count}]", self.number + 1),
        };
        let body = frame::body(area);
        match &self.episode {
            Err(why) => {
                frame::head(area, &format!("this episode cannot be shown{place}"), "", buffer, palette);
                let lines = hanging(Vec::new(), why, palette.bad(), inner(body).width);
                Pane { title: "why".into(), lines: &lines, from: 0, focused: true }.draw(body, buffer, palette);
            }
            Ok(episode) => {
                let key = &episode.trace.header.key;
                let (who, on) = (key.configuration(), &key.floor);
                let what = format!("{who} on {on}, repeat {}: {}{place}", key.repeat, episode.ending());
                frame::head(area, &what, &frame::status(episode, self.at), buffer, palette);
                self.draw_parts(body, buffer);
            }
        }
        if let Some(from) = self.help {
            help::draw(area, &keys, from, buffer, palette);
        }
    }

    fn floors(&self) -> usize {
        self.episode.as_ref().map_or(1, |episode| episode.game.tower().floors.len())
    }

    fn draw_parts(&mut self, body: Rect, buffer: &mut Buffer) {
        let Ok(episode) = &self.episode else { return };
        let map = map::size(&episode.game, self.floor_shown(episode));
        let wish = Wish { map, focus: self.focus, alone: self.alone, talk: self.has_talk(), plays: false };
        for (part, area) in parts(body, wish) {
            if part == self.focus {
                self.page = usize::from(inner(area).height);
            }
            match part {
                Part::Map => self.draw_map(area, buffer),
                Part::Hero => self.draw_hero(area, buffer),
                Part::Decisions => self.draw_decisions(area, buffer),
                Part::Actions => self.draw_actions(area, buffer),
                Part::Talk => self.draw_talk(area, buffer),
            }
        }
    }

    fn draw_map(&self, area: Rect, buffer: &mut Buffer) {
        let Ok(episode) = &self.episode else { return };
        let Some(state) = episode.state(self.at) else { return };
        let (mut marks, mut middle) = (Vec::new(), state.at);
        if let Some(decision) = episode.decision(self.at) {
            let chosen = decision.actions.get((decision.chosen as usize).wrapping_sub(1));
            marks.extend(chosen.map(|action| (action.target, ('(', ')'))));
            marks.push((decision.target, ('[', ']')));
            middle = decision.target;
        }
        let map = Map { game: &episode.game, state, floor: self.floor_shown(episode), marks: &marks, middle };
        map.draw(area, self.focus == Part::Map, buffer, self.palette);
    }

    fn draw_hero(&mut self, area: Rect, buffer: &mut Buffer) {
        let Ok(episode) = &self.episode else { return };
        let (before, after) = episode.heroes(self.at);
        let width = inner(area).width;
        let mut lines = hero::lines(&before, &after, width, self.palette);
        lines.extend(collected(episode, self.at, width, self.palette));
        if let Some(state) = episode.state(self.at) {
            lines.extend(hero::monsters(&episode.game, state, self.floor_shown(episode), width, self.palette));
        }
        let title = if self.at < episode.end() { "hero, before→after" } else { "hero at the end" };
        self.scroll.hero = self.pane(Part::Hero, title, &lines, self.scroll.hero, area, buffer);
    }

    fn draw_decisions(&self, area: Rect, buffer: &mut Buffer) {
        let Ok(episode) = &self.episode else { return };
        let lines = decisions::lines(episode, self.at, inner(area).width, self.palette);
        let from = self.at.saturating_sub(usize::from(inner(area).height) / 2);
        self.pane(Part::Decisions, decisions::title(episode), &lines, from, area, buffer);
    }

    fn draw_actions(&mut self, area: Rect, buffer: &mut Buffer) {
        let Ok(episode) = &self.episode else { return };
        let (lines, executed) = Actions::of(episode, self.at).lines(inner(area).width, self.palette);
        let follows = (executed.end + 1).saturating_sub(usize::from(inner(area).height));
        let from = self.scroll.actions.unwrap_or(follows);
        let title = actions_title(episode, self.at);
        let first = self.pane(Part::Actions, &title, &lines, from, area, buffer);
        self.scroll.actions = self.scroll.actions.map(|_| first);
    }

    fn draw_talk(&mut self, area: Rect, buffer: &mut Buffer) {
        let Ok(episode) = &self.episode else { return };
        let key = (self.number, self.at, inner(area).width);
        // Answers may be megabytes; they are laid out once.
        if self.talk.as_ref().is_none_or(|(known, _)| *known != key) {
            self.talk = Some((key, talk::of(episode, self.at, key.2, self.palette)));
        }
        let from = self.talk_from();
        let Some((_, talk)) = &self.talk else { return };
        let first = self.pane(Part::Talk, "prompt, reasoning, answer", &talk.lines, from, area, buffer);
        self.scroll.talk = self.scroll.talk.map(|_| first);
    }

    /// Draws a pane of lines; says which line came first.
    fn pane(
        &self,
        part: Part,
        title: &str,
        lines: &[Line<'static>],
        from: usize,
        area: Rect,
        buffer: &mut Buffer,
    ) -> usize {
        let pane = Pane { title: title.to_owned(), lines, from, focused: self.focus == part };
        pane.draw(area, buffer, self.palette);
        pane.first(area)
    }
}

fn actions_title(episode: &Episode, at: usize) -> String {
    match episode.decision(at) {
        Some(decision) => format!("decision {}", decision.turn),
        None => "what could be done now".into(),
    }
}

/// The keys with fewer words, for the foot: those that matter only sometimes first.
fn brief<'k>(keys: &[(&'k str, &'k str)]) -> Vec<(&'k str, &'k str)> {
    const SHORT: [(&str, &str, &str); 11] = [
        ("→ l j ↓ space", "→", "next"),
        ("← h k ↑", "←", "back"),
        ("x", "x", "losing"),
        ("v V", "v", "loss"),
        ("n p", "n p", "episode"),
        ("[ ]", "[ ]", "floor"),
        ("tab", "tab", "pane"),
        ("PgUp PgDn", "PgUp PgDn", "page"),
        ("z", "z", "zoom"),
        ("s S", "s", "part"),
        ("Home End g G", "g G", "first, last"),
    ];
    let shown = |(whole, ..): &&(&str, &str, &str)| keys.iter().any(|(key, _)| key == whole);
    let short = SHORT.iter().filter(shown).map(|(_, key, does)| (*key, *does));
    let always = keys.iter().copied().filter(|(key, _)| matches!(*key, "?" | "q"));
    short.chain(always).collect()
}

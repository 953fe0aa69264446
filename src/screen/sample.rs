//! Episodes for tests: played by the rules on the fixed floors, with calls of a model where they are wanted.

use std::path::Path;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use super::viewer::Episodes;
use super::{Episode, Screen, Worth};
use crate::agent::call::{Asks, Call, Message, Role, Usage};
use crate::agent::{ChosenBy, Verdict};
use crate::eval::EpisodeKey;
use crate::eval::record::{FORMAT, Footer, FooterTime, Header, HeaderTime};
use crate::eval::replay::{describe, pick};
use crate::eval::trace::Trace;
use crate::format;
use crate::game::{Game, ItemMode, State};
use crate::solver::{Effort, Worths};

/// A floor of the project.
pub fn game(floor: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors").join(format!("{floor}.toml"));
    Game::new(format::read_tower(&path).expect("a floor"), ItemMode::Auto).expect("a game")
}

/// An episode in which the numbers are chosen that `choose` gives, until the end or until it gives none.
pub fn trace(game: &Game, choose: impl Fn(&State) -> Option<u32>) -> Trace {
    let mut state = game.start().expect("a start");
    let key = EpisodeKey { agent: "mine".into(), floor: game.tower().name.clone(), prompt: "none".into(), repeat: 0 };
    let mut trace = Trace::begun(Header {
        format: FORMAT,
        mota: "0".into(),
        id: key.id("00000000"),
        key,
        floor_hash: "00000000".into(),
        prompt_hash: None,
        seed: 0,
        items: ItemMode::Auto,
        r#override: false,
        turn_limit: 200,
        hero: state.hero,
        at: state.at,
        time: HeaderTime::default(),
    });
    while let (None, Some(number)) = (state.end, choose(&state)) {
        let actions = game.actions(&state).expect("actions");
        let step = game.apply(&state, pick(&actions, number).expect("a number")).expect("a step");
        let decision = describe(game, &state, number, ChosenBy::Agent, number, &step).expect("a decision");
        trace.decisions.push(decision);
        state = step.state;
    }
    trace.footer = state.end.map(|end| Footer {
        ending: end.into(),
        reason: None,
        turn_limit: None,
        turns: state.turn,
        hero: state.hero,
        time: FooterTime::default(),
    });
    trace
}

/// A call for a decision, and what came back.
pub fn call(turn: u32, reask: u32, said: &str, number: Option<u32>) -> Call {
    Call {
        turn,
        reask,
        asks: Asks::Action,
        messages: vec![Message::new(Role::System, "You play Magic Tower."), Message::new(Role::User, "Choose.")],
        content: Some(said.into()),
        reasoning: Some("The door is near.".into()),
        verdict: if number.is_some() { Verdict::Ok } else { Verdict::Unparsable },
        number,
        complaint: number.is_none().then(|| "No action could be found.".into()),
        usage: Usage { prompt_tokens: 100, completion_tokens: 7, ..Usage::default() },
        ..Call::default()
    }
}

/// Episodes in memory, with their values.
pub struct Held(pub Vec<(Game, Trace)>);

impl Episodes for Held {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn load(&self, number: usize) -> Result<Episode, String> {
        let (game, trace) = &self.0[number];
        let mut episode =
            Episode::new(game.clone(), Arc::new(trace.clone())).map_err(|difference| difference.to_string())?;
        let worths = Worths::new(game, 1 << 28, Effort::default()).map_err(|error| error.to_string())?;
        episode.worth = Worth::of(trace, &worths);
        Ok(episode)
    }
}

/// What a screen of a size shows, without colours.
pub fn shown(screen: &mut dyn Screen, width: u16, height: u16) -> String {
    let buffer = drawn(screen, width, height);
    let line = |y: u16| {
        let mut line = String::new();
        let mut covered = 0;
        for x in 0..width {
            // The second column of a wide character shows nothing of its own.
            if covered > 0 {
                covered -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            covered = super::clean::width(symbol).saturating_sub(1);
            line += symbol;
        }
        line.trim_end().to_owned()
    };
    (0..height).map(|y| line(y) + "\n").collect()
}

/// A screen of a size.
pub fn drawn(screen: &mut dyn Screen, width: u16, height: u16) -> Buffer {
    let backend = ratatui::backend::TestBackend::new(width, height);
    let mut terminal = ratatui::Terminal::new(backend).expect("a terminal");
    let draw = |frame: &mut ratatui::Frame<'_>| screen.draw(Rect::new(0, 0, width, height), frame.buffer_mut());
    terminal.draw(draw).expect("a frame");
    terminal.backend().buffer().clone()
}

/// Presses keys: a character each, and `>`, `<`, `+`, `-`, `\t`, `\n` for →, ←, page down, page up, tab and Enter.
pub fn press(screen: &mut dyn Screen, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '>' => KeyCode::Right,
            '<' => KeyCode::Left,
            '+' => KeyCode::PageDown,
            '-' => KeyCode::PageUp,
            '\t' => KeyCode::Tab,
            '\n' => KeyCode::Enter,
            other => KeyCode::Char(other),
        };
        screen.press(KeyEvent::new(code, KeyModifiers::NONE)).expect("no error");
    }
}

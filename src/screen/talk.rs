//! What was said to a model for a decision and what it answered: every call of the turn, with its verdict.

use ratatui::text::{Line, Span};

use super::clean;
use super::episode::Episode;
use super::palette::Palette;
use crate::agent::call::{Asks, Role};
use crate::agent::{Call, Verdict};

/// The lines of a turn, wrapped, and where each part begins.
#[derive(Clone, Debug, Default)]
pub struct Talk {
    /// The lines.
    pub lines: Vec<Line<'static>>,
    /// Where prompts, reasonings and answers begin, in order.
    pub parts: Vec<usize>,
    /// Where the first thing that the model said begins.
    pub answer: usize,
}

/// What was said for the decision at a place, in lines of at most `width` columns.
pub fn of(episode: &Episode, at: usize, width: u16, palette: Palette) -> Talk {
    let turn = at as u32 + 1;
    let calls: Vec<&Call> = episode.trace.calls.iter().filter(|call| call.turn == turn).collect();
    let mut talk = Writing { talk: Talk::default(), width: width.into(), palette };
    if calls.is_empty() {
        talk.text("No model was asked for this decision.", palette.dim());
    }
    for (index, call) in calls.iter().enumerate() {
        talk.call(call, index.checked_sub(1).and_then(|before| calls.get(before)).copied(), index + 1, calls.len());
    }
    talk.talk
}

struct Writing {
    talk: Talk,
    width: usize,
    palette: Palette,
}

impl Writing {
    fn call(&mut self, call: &Call, before: Option<&Call>, number: usize, of: usize) {
        let asks = match call.asks {
            Asks::Action => "an action",
            Asks::Route => "a route",
        };
        let again = if call.reask > 0 { format!(" again (re-ask {})", call.reask) } else { String::new() };
        self.text(&format!("Call {number} of {of} asks for {asks}{again}: {}", verdict(call)), self.palette.heading());
        if let Some(complaint) = &call.complaint {
            self.text(complaint, self.palette.bad());
        }
        self.text(&used(call), self.palette.dim());
        if call.earlier > 0 || call.cut > 0 {
            let (sent, cut) = (call.earlier, call.cut);
            self.text(&format!("Earlier turns sent before: {sent}, left out: {cut}."), self.palette.dim());
        }
        // A re-ask repeats what was sent before; only what is new in it is shown.
        let known = before.map_or(0, |before| {
            before.messages.iter().zip(&call.messages).take_while(|(one, other)| one == other).count()
        });
        for message in &call.messages[known..] {
            match message.role {
                Role::Assistant if known > 0 => {}
                Role::System => self.part("system", &message.content),
                Role::User => self.part("prompt", &message.content),
                Role::Assistant => self.part("assistant", &message.content),
            }
        }
        if self.talk.answer == 0 {
            self.talk.answer = self.talk.lines.len();
        }
        if let Some(reasoning) = &call.reasoning {
            self.part("reasoning", reasoning);
        }
        self.part("answer", call.content.as_deref().unwrap_or("(no text)"));
        self.talk.lines.push(Line::default());
    }

    fn part(&mut self, name: &str, text: &str) {
        self.talk.parts.push(self.talk.lines.len());
        let rule = "─".repeat(self.width.saturating_sub(name.len() + 4));
        self.talk.lines.push(Line::from(vec![
            Span::styled("── ", self.palette.dim()),
            Span::styled(name.to_owned(), self.palette.key()),
            Span::styled(format!(" {rule}"), self.palette.dim()),
        ]));
        self.text(text.trim_end(), self.palette.plain());
    }

    fn text(&mut self, text: &str, style: ratatui::style::Style) {
        for line in clean::lines(text) {
            let wrapped = clean::wrap(&line, self.width);
            self.talk.lines.extend(wrapped.into_iter().map(|line| Line::from(Span::styled(line, style))));
        }
    }
}

fn verdict(call: &Call) -> String {
    match (call.verdict, call.number, &call.route) {
        (Verdict::Ok, Some(number), _) => format!("action {number}"),
        (Verdict::Ok, None, Some(route)) if route.len() == 1 => "a route of 1 step".into(),
        (Verdict::Ok, None, Some(route)) => format!("a route of {} steps", route.len()),
        (verdict, ..) => verdict.to_string(),
    }
}

fn used(call: &Call) -> String {
    let mut text = format!("{} tokens sent, {} answered", call.usage.prompt_tokens, call.usage.completion_tokens);
    if let Some(cost) = call.usage.cost_usd {
        text += &format!(", {cost:.4} USD");
    }
    if let Some(reason) = &call.finish_reason {
        text += &format!(", ended by {reason}");
    }
    text
}

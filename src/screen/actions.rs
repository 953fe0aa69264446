//! What can be done in a state: every legal action with what it costs and what it is worth, and what is in reach but not
//! legal, with the reason.

use ratatui::text::{Line, Span};

use super::clean;
use super::episode::{Episode, by};
use super::hero::cost;
use super::palette::Palette;
use super::pane::{hanging, span};
use crate::agent::ChosenBy;
use crate::game::Tower;
use crate::prompt::observation::question;
use crate::prompt::place::place_name;
use crate::prompt::{ActionView, BlockedView};
use crate::solver::Worth;
use crate::solver::worth::brief;

/// The actions of a state.
pub struct Actions<'a> {
    tower: &'a Tower,
    views: &'a [ActionView],
    blocked: &'a [BlockedView],
    /// What each leads to, if that is to be seen.
    values: Option<Vec<Worth>>,
    /// Number of the action that was executed, or that the cursor is on.
    executed: Option<u32>,
    /// Number of the action that was chosen.
    chosen: Option<u32>,
    /// Whether what each would do is told as well.
    with_effects: bool,
    /// What an event asks; the actions are its answers.
    question: Option<String>,
    /// What stands below.
    remarks: Vec<String>,
}

impl<'a> Actions<'a> {
    /// The actions of a decision, or of the last state.
    pub fn of(episode: &'a Episode, at: usize) -> Self {
        let Some(decision) = episode.decision(at) else { return Actions::now(episode, None, true) };
        let values = episode.value(at).map(|value| value.actions.iter().map(|action| action.worth).collect());
        Actions {
            tower: episode.game.tower(),
            views: &decision.actions,
            blocked: &decision.blocked,
            values,
            executed: Some(decision.executed),
            chosen: Some(decision.chosen),
            with_effects: false,
            question: asked(episode, at),
            remarks: remarks(episode, at),
        }
    }

    /// The actions of the last state, to choose from.
    pub fn now(episode: &'a Episode, cursor: Option<u32>, with_values: bool) -> Self {
        Actions {
            tower: episode.game.tower(),
            views: &episode.actions,
            blocked: &episode.blocked,
            values: episode.worth.known().filter(|_| with_values).map(|judged| judged.actions.clone()),
            executed: cursor,
            chosen: cursor,
            with_effects: cursor.is_some(),
            question: asked(episode, episode.end()),
            remarks: match episode.actions.is_empty() {
                true => vec![format!("No action is left: {}.", episode.ending())],
                false => Vec::new(),
            },
        }
    }

    /// The lines, and which of them the executed action begins and ends at.
    pub fn lines(&self, width: u16, palette: Palette) -> (Vec<Line<'static>>, std::ops::Range<usize>) {
        let mut lines = Vec::new();
        let mut executed = 0..0;
        if let Some(question) = &self.question {
            lines.extend(hanging(Vec::new(), question, palette.heading(), width));
        }
        if !self.views.is_empty() {
            let value = if self.values.is_some() { " value" } else { "" };
            lines.push(Line::from(Span::styled(format!("  no. damage{value}  action"), palette.dim())));
        }
        for view in self.views {
            let from = lines.len();
            lines.extend(self.action(view, width, palette));
            if self.executed == Some(view.number) {
                executed = from..lines.len();
            }
        }
        for blocked in self.blocked {
            let text = format!("{} {}: {}", blocked.what, place_name(self.tower, blocked.target), blocked.reason);
            lines.extend(hanging(vec![Span::raw("    -  ")], &text, palette.dim(), width));
        }
        for remark in &self.remarks {
            lines.extend(hanging(Vec::new(), remark, palette.heading(), width));
        }
        (lines, executed)
    }

    fn action(&self, view: &ActionView, width: u16, palette: Palette) -> Vec<Line<'static>> {
        let is_executed = self.executed == Some(view.number);
        let mark = match (is_executed, self.chosen == Some(view.number)) {
            (true, _) => ">",
            (false, true) => "*",
            _ => " ",
        };
        let text_style = if is_executed { palette.heading() } else { palette.plain() };
        let mut head =
            vec![Span::styled(mark, palette.mark()), Span::styled(format!("{:>3}", view.number), text_style)];
        head.push(match (view.lethal, view.damage) {
            (true, _) => Span::styled(" lethal", palette.bad()),
            (_, Some(damage)) => Span::raw(format!("{:>7}", cost(damage))),
            (_, None) => Span::raw(" ".repeat(7)),
        });
        if let Some(values) = &self.values {
            let best = values.iter().map(|worth| worth.most).max().flatten();
            let worth = values.get((view.number as usize).wrapping_sub(1)).copied().unwrap_or(Worth::UNKNOWN);
            head.push(match brief(worth) {
                lost if worth.is_lost() => Span::styled(format!("{lost:>6}"), palette.bad()),
                value if worth.is_saved() && worth.least >= best => {
                    Span::styled(format!("{:>6}", format!("={value}")), palette.good())
                }
                value if worth.is_known() => Span::styled(format!("{value:>6}"), palette.worse()),
                bounds => Span::styled(format!("{bounds:>6}"), palette.dim()),
            });
        }
        head.push(Span::raw("  "));
        let indent: usize = head.iter().map(|span| clean::width(&span.content)).sum();
        let mut lines =
            hanging(head, &format!("{} {}", view.text, place_name(self.tower, view.target)), text_style, width);
        let effect = self.effect(view);
        if !effect.is_empty() {
            lines.extend(hanging(vec![Span::raw(" ".repeat(indent))], &effect, palette.dim(), width));
        }
        lines
    }

    /// What an action would do, in words; nothing if that is not asked for.
    fn effect(&self, view: &ActionView) -> String {
        let mut parts = Vec::new();
        if self.with_effects {
            parts.push(match view.lethal {
                true => "kills the hero".to_owned(),
                false => format!("HP {} after", view.hp_after),
            });
            parts.extend(view.price.map(|price| format!("costs {price} gold")));
        }
        parts.extend(view.collects.iter().cloned());
        parts.join(", ")
    }
}

/// What an event asks before a decision, if it waits for an answer.
fn asked(episode: &Episode, at: usize) -> Option<String> {
    let question = question(&episode.game, episode.state(at)?)?;
    Some(if question.title.is_empty() { question.text } else { format!("{}: {}", question.title, question.text) })
}

/// Who chose, and what a human did besides.
fn remarks(episode: &Episode, at: usize) -> Vec<String> {
    let Some(decision) = episode.decision(at) else { return Vec::new() };
    let mut remarks = Vec::new();
    remarks.push(match decision.by {
        ChosenBy::Override => {
            format!("{} chose {}; {} executed {}.", "The agent", decision.chosen, by(decision.by), decision.executed)
        }
        _ => format!("Action {} was chosen by {}.", decision.chosen, by(decision.by)),
    });
    if let Some(value) = episode.value(at) {
        let kinds = [
            said(value.is_optimal(), "optimal"),
            said(value.is_losing(), "losing"),
            value.value_lost().filter(|lost| *lost > 0).map(|lost| format!("loses {lost} HP of value")),
            said(value.is_forced(), "forced"),
            said(value.is_critical(), "critical"),
        ];
        let kinds: Vec<String> = kinds.into_iter().flatten().collect();
        let lost = if value.before.is_lost() { "The boss could not be defeated any more." } else { "" };
        remarks.push(if kinds.is_empty() { lost.to_owned() } else { format!("It was {}.", kinds.join(", ")) });
        if value.loses_value().is_none() {
            let (before, after) = (value.before, value.after());
            remarks
                .push(format!("Whether it cost anything is not known: the value before was {before}, after {after}."));
        }
    }
    if let Some(end) = decision.end {
        remarks.push(format!("The game ended by it: {end}."));
    }
    if decision.hints {
        remarks.push("State values had been shown to the player.".into());
    }
    for taken_back in &decision.taken_back {
        let end = taken_back.end.map(|end| format!(" ({end})")).unwrap_or_default();
        let target = place_name(episode.game.tower(), taken_back.target);
        remarks.push(format!("Taken back: {}. {} {target}{end}", taken_back.turn, taken_back.text));
    }
    remarks.retain(|remark| !remark.is_empty());
    remarks
}

/// A word for what is proven.
fn said(holds: Option<bool>, word: &str) -> Option<String> {
    (holds == Some(true)).then(|| word.to_owned())
}

/// What was collected by a decision, for the pane of the hero.
pub fn collected(episode: &Episode, at: usize, width: u16, palette: Palette) -> Vec<Line<'static>> {
    let Some(decision) = episode.decision(at).filter(|decision| !decision.collected.is_empty()) else {
        return Vec::new();
    };
    hanging(vec![span("+ ", palette.good())], &decision.collected.join(", "), palette.plain(), width)
}

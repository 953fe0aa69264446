//! An episode as the screens show it: its trace, the states that it went through, and what they were worth.

use std::sync::Arc;

use super::worth::Worth;
use crate::agent::ChosenBy;
use crate::analysis::{DecisionValue, LosingBetween};
use crate::eval::record::Decision;
use crate::eval::replay::{Difference, replay};
use crate::eval::trace::Trace;
use crate::game::{Game, GameError, Hero, State};
use crate::prompt::observation::{action_views, blocked_views};
use crate::prompt::{ActionView, BlockedView};
use crate::solver;

/// An episode with everything that is shown of it.
pub struct Episode {
    /// The rules and the floor.
    pub game: Game,
    /// What was written of it.
    pub trace: Arc<Trace>,
    /// The state before each decision, and the last one.
    pub states: Vec<State>,
    /// What can be done in the last state.
    pub actions: Vec<ActionView>,
    /// What is in reach there but not legal.
    pub blocked: Vec<BlockedView>,
    /// What its decisions were worth.
    pub worth: Worth,
}

impl Episode {
    /// The episode of a trace, its values not sought yet.
    ///
    /// # Errors
    /// Where the trace is not what the rules give.
    pub fn new(game: Game, trace: Arc<Trace>) -> Result<Self, Difference> {
        let replayed = replay(&game, &trace)?;
        let mut states = replayed.states;
        states.push(replayed.state);
        Episode::at(game, trace, states).map_err(|error| Difference::Header(error.to_string()))
    }

    /// An episode that went through these states, which are one more than its decisions.
    ///
    /// # Errors
    /// [`GameError`] if what can be done now cannot be computed.
    pub fn at(game: Game, trace: Arc<Trace>, states: Vec<State>) -> Result<Self, GameError> {
        let (mut actions, mut blocked) = (Vec::new(), Vec::new());
        if let Some(state) = states.last() {
            actions = action_views(&game, state, &game.actions(state)?)?;
            blocked = blocked_views(&game, state, &game.blocked(state)?);
        }
        Ok(Episode { game, trace, states, actions, blocked, worth: Worth::Solving })
    }

    /// How many decisions were made; the place of the last state.
    pub fn end(&self) -> usize {
        self.trace.decisions.len()
    }

    /// The decision of a place, from 0; none at the end.
    pub fn decision(&self, at: usize) -> Option<&Decision> {
        self.trace.decisions.get(at)
    }

    /// The same with its values, if they are known.
    pub fn value(&self, at: usize) -> Option<&DecisionValue> {
        self.worth.known()?.analysis.decisions.get(at)
    }

    /// The state before a decision; at the end, the last one.
    pub fn state(&self, at: usize) -> Option<&State> {
        self.states.get(at)
    }

    /// The hero before and after a decision; twice the same at the end.
    pub fn heroes(&self, at: usize) -> (Hero, Hero) {
        let now = self.state(at).map(|state| state.hero).unwrap_or_default();
        (now, self.decision(at).map_or(now, |decision| decision.after))
    }

    /// What the state before a decision is worth, if anything was sought.
    pub fn value_before(&self, at: usize) -> Option<solver::Worth> {
        let judged = self.worth.known()?;
        Some(judged.analysis.decisions.get(at).map_or(judged.value, |decision| decision.before))
    }

    /// The place of the decision that lost it.
    pub fn losing(&self) -> Option<usize> {
        Some(self.worth.known()?.analysis.losing.as_ref()?.turn as usize - 1)
    }

    /// Where that decision lies, if it is not known which it is.
    pub fn losing_between(&self) -> Option<LosingBetween> {
        self.worth.known()?.analysis.losing_between
    }

    /// The places of the decisions that lowered the value.
    pub fn losses(&self) -> Vec<usize> {
        let decisions = self.worth.known().map_or(&[][..], |judged| &judged.analysis.decisions);
        let lowers = |decision: &DecisionValue| decision.loses_value() == Some(true);
        decisions.iter().enumerate().filter(|(_, decision)| lowers(decision)).map(|(at, _)| at).collect()
    }

    /// How it stands, in words: `won with 21 HP`, `not finished`.
    pub fn ending(&self) -> String {
        let Some(footer) = &self.trace.footer else { return "not finished".into() };
        let reason = footer.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        match footer.ending {
            crate::eval::Ending::Won => format!("won with {} HP", footer.hero.hp),
            ending => format!("{ending}{reason}"),
        }
    }
}

/// Whose choice an action was, in words.
pub fn by(by: ChosenBy) -> &'static str {
    match by {
        ChosenBy::Agent => "the agent",
        ChosenBy::OnInvalid => "the stand-in, for want of a usable answer",
        ChosenBy::Override => "the mechanical override",
    }
}

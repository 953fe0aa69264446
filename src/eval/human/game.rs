//! One game of a human, its trace open: choose, take back, give up. Every line is written before anything is shown.

use std::path::Path;
use std::time::Instant;

use super::{HumanError, TURN_LIMIT};
use crate::agent::ChosenBy;
use crate::eval::clock;
use crate::eval::floor::BatchFloor;
use crate::eval::record::{
    DecisionTime, Ending, EpisodeKey, FORMAT, Footer, FooterTime, Header, HeaderTime, Pending, PendingTime, Record,
    TakenBack,
};
use crate::eval::replay::{self, pick, replay, taken_back_of};
use crate::eval::trace::{Trace, TraceWriter};
use crate::game::{Game, GameError, State, Step};

/// A game being played.
pub struct HumanGame {
    game: Game,
    trace: Trace,
    /// The state before each decision, and the one now.
    states: Vec<State>,
    writer: TraceWriter,
    since: Instant,
}

impl HumanGame {
    pub(super) fn begin(floor: &BatchFloor, key: EpisodeKey, seed: u64, path: &Path) -> Result<Self, HumanError> {
        let header = Header {
            format: FORMAT,
            mota: env!("CARGO_PKG_VERSION").into(),
            id: key.id(&floor.hash),
            key,
            floor_hash: floor.hash.clone(),
            prompt_hash: None,
            seed,
            items: floor.game.items(),
            r#override: false,
            turn_limit: TURN_LIMIT,
            hero: floor.start.hero,
            at: floor.start.at,
            time: HeaderTime { started: clock::now() },
        };
        let mut writer = TraceWriter::create(path)?;
        writer.write(&Record::Header(header.clone()))?;
        let (game, trace, states) = (floor.game.clone(), Trace::begun(header), vec![floor.start.clone()]);
        let mut game = HumanGame { game, trace, states, writer, since: Instant::now() };
        game.finish()?;
        Ok(game)
    }

    pub(super) fn go_on(game: Game, trace: Trace, path: &Path) -> Result<Self, HumanError> {
        let replayed =
            replay(&game, &trace).map_err(|difference| HumanError::Difference { path: path.to_owned(), difference })?;
        let mut states = replayed.states;
        states.push(replayed.state);
        let writer = TraceWriter::resume(path, &trace)?;
        let mut game = HumanGame { game, trace, states, writer, since: Instant::now() };
        game.finish()?;
        Ok(game)
    }

    /// The rules and the floor.
    pub fn rules(&self) -> &Game {
        &self.game
    }

    /// What has been written so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The state now.
    pub fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// The state before each decision, and the one now.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.trace.footer.as_ref().map(|footer| footer.ending)
    }

    /// Makes a decision and writes it down; the footer as well, if the game ends by it.
    ///
    /// # Errors
    /// [`GameError::Illegal`] if no action has this number, [`GameError::Ended`] after the end, [`HumanError::Trace`] if
    /// the decision cannot be written: then nothing has changed.
    pub fn choose(&mut self, number: u32) -> Result<(), HumanError> {
        if self.ending().is_some() {
            return Err(GameError::Ended.into());
        }
        let state = self.state();
        let actions = self.game.actions(state)?;
        let illegal = || GameError::Illegal { target: state.at, why: format!("there is no action {number}") };
        let step = self.game.apply(state, pick(&actions, number).ok_or_else(illegal)?)?;
        let mut decision = replay::describe(&self.game, state, number, ChosenBy::Agent, number, &step)?;
        let Pending { taken_back, hints, .. } = self.trace.pending.clone().unwrap_or_default();
        (decision.taken_back, decision.hints) = (taken_back, hints || self.has_seen_values(decision.turn));
        decision.time = DecisionTime { at: clock::now(), took_s: clock::round(self.since.elapsed().as_secs_f64()) };
        let record = Record::Decision(decision.clone());
        match self.trace.pending.is_some() {
            true => self.writer.replace(1, &record)?,
            false => self.writer.write(&record)?,
        }
        self.trace.pending = None;
        self.trace.decisions.push(decision);
        self.states.push(step.state);
        self.since = Instant::now();
        self.finish()
    }

    /// Whether state values were once shown before this decision, in play that was taken back since: they are not forgotten.
    fn has_seen_values(&self, turn: u32) -> bool {
        let told = self.trace.decisions.iter().flat_map(|decision| &decision.taken_back);
        let told = told.chain(self.trace.pending.iter().flat_map(|pending| &pending.taken_back));
        told.into_iter().any(|back| back.hints && back.turn + 1 == turn)
    }

    /// Takes the last decision back: its line leaves the trace, and what it was is told by the decision made in its place.
    /// Says whether there was one.
    ///
    /// # Errors
    /// [`HumanError`] if that cannot be written: then nothing has changed.
    pub fn take_back(&mut self) -> Result<bool, HumanError> {
        let (Some(last), [.., before, after]) = (self.trace.decisions.last(), self.states.as_slice()) else {
            return Ok(false);
        };
        let actions = self.game.actions(before)?;
        let Some(action) = pick(&actions, last.executed) else { return Ok(false) };
        let step = Step { action: *action, collected: Vec::new(), state: after.clone() };
        let since = self.trace.pending.clone().unwrap_or_default();
        let mut taken_back = last.taken_back.clone();
        taken_back.extend(since.taken_back);
        taken_back.push(TakenBack { hints: since.hints, ..taken_back_of(&self.game, &step, last.executed) });
        // The message at the end names the optimum and the losing decision.
        let hints = last.hints || since.hints || self.trace.footer.is_some();
        let pending = Pending { taken_back, hints, time: PendingTime { at: clock::now() } };
        let lines = 1 + usize::from(self.trace.pending.is_some()) + usize::from(self.trace.footer.is_some());
        self.writer.replace(lines, &Record::Pending(pending.clone()))?;
        self.trace.decisions.pop();
        self.states.pop();
        (self.trace.footer, self.trace.pending) = (None, Some(pending));
        Ok(true)
    }

    /// Remembers that state values are shown, for the decision to come.
    ///
    /// # Errors
    /// [`HumanError`] if that cannot be written.
    pub fn hint(&mut self) -> Result<(), HumanError> {
        if self.ending().is_some() || self.trace.pending.as_ref().is_some_and(|pending| pending.hints) {
            return Ok(());
        }
        let known = self.trace.pending.clone();
        let pending =
            Pending { hints: true, time: PendingTime { at: clock::now() }, ..known.clone().unwrap_or_default() };
        self.writer.replace(usize::from(known.is_some()), &Record::Pending(pending.clone()))?;
        self.trace.pending = Some(pending);
        Ok(())
    }

    /// Ends the game as it is.
    ///
    /// # Errors
    /// [`HumanError`] if that cannot be written.
    pub fn give_up(&mut self) -> Result<(), HumanError> {
        match self.ending() {
            Some(_) => Ok(()),
            None => self.close(Ending::Aborted, Some("given up by the player".into())),
        }
    }

    /// Writes the footer once the game has ended by its own rules.
    fn finish(&mut self) -> Result<(), HumanError> {
        match self.state().end {
            Some(end) if self.trace.footer.is_none() => self.close(end.into(), None),
            _ => Ok(()),
        }
    }

    fn close(&mut self, ending: Ending, reason: Option<String>) -> Result<(), HumanError> {
        let working = self.trace.decisions.iter().map(|decision| decision.time.took_s).fold(0.0, std::ops::Add::add);
        let footer = Footer {
            ending,
            reason,
            turn_limit: None,
            turns: self.state().turn,
            hero: self.state().hero,
            time: FooterTime { ended: clock::now(), working_s: clock::round(working), waiting_s: 0.0 },
        };
        self.writer.write(&Record::Footer(footer.clone()))?;
        self.trace.footer = Some(footer);
        Ok(())
    }
}

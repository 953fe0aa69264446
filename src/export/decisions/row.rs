//! A decision with everything that is known of it. Knows nothing of columns.

use std::sync::Arc;

use crate::agent::Call;
use crate::analysis::walk::Judged;
use crate::analysis::{DecisionValue, EpisodeAnalysis};
use crate::eval::replay::{past_turn, pick};
use crate::eval::{Decision, Header};
use crate::export::Run;
use crate::game::State;
use crate::prompt::{Asks, Observation, PastTurn, Verdict};

/// What holds for all decisions of an episode.
pub struct About {
    /// Name of the run.
    pub run: String,
    /// Its folder, as it was named.
    pub folder: String,
    /// The header of its trace.
    pub header: Header,
    /// Its analysis; its decisions are in the rows.
    pub analysis: EpisodeAnalysis,
}

/// A decision.
pub struct Row {
    /// Its episode.
    pub about: Arc<About>,
    /// What was written down.
    pub decision: Decision,
    /// What it was worth.
    pub value: DecisionValue,
    /// What the agent could see, as JSON; none if it cannot be computed.
    pub observation: Option<String>,
    /// The calls for it, route and re-asks included.
    pub calls: Vec<Call>,
}

impl Row {
    /// The call whose answer was accepted for the action, or the last that asked for one.
    pub fn answer(&self) -> Option<&Call> {
        let asked = || self.calls.iter().filter(|call| call.asks == Asks::Action);
        asked().find(|call| call.verdict == Verdict::Ok).or_else(|| asked().next_back())
    }
}

/// The decisions of an episode.
pub fn rows(run: &Run<'_>, judged: Judged<'_>) -> Vec<Row> {
    let observations = observations(&judged);
    let Judged { trace, mut analysis, .. } = judged;
    let values = std::mem::take(&mut analysis.decisions);
    let about = Arc::new(About {
        run: run.manifest.config.name.clone(),
        folder: run.folder.display().to_string(),
        header: trace.header,
        analysis,
    });
    let mut calls = trace.calls.into_iter().peekable();
    let mut rows = Vec::with_capacity(values.len());
    for ((decision, value), observation) in trace.decisions.into_iter().zip(values).zip(observations) {
        let of_turn = std::iter::from_fn(|| calls.next_if(|call| call.turn <= decision.turn));
        let calls = of_turn.map(|call| Call { messages: Vec::new(), ..call }).collect();
        rows.push(Row { about: about.clone(), decision, value, observation, calls });
    }
    rows
}

/// What the agent could see before each decision, as JSON. The trace has been replayed before: what is legal in it is legal.
fn observations(judged: &Judged<'_>) -> Vec<Option<String>> {
    let limit = judged.trace.header.turn_limit;
    let (mut state, mut past) = (Some(judged.floor.start.clone()), Vec::new());
    let mut seen = Vec::with_capacity(judged.trace.decisions.len());
    for decision in &judged.trace.decisions {
        let Some(before) = &state else {
            seen.push(None);
            continue;
        };
        let observation = Observation::of(&judged.floor.game, before, Some(limit), &past).ok();
        seen.push(observation.and_then(|observation| serde_json::to_string(&observation).ok()));
        let next = after(judged, before, decision);
        state = next.map(|(state, turn)| {
            past.push(turn);
            state
        });
    }
    seen
}

fn after(judged: &Judged<'_>, before: &State, decision: &Decision) -> Option<(State, PastTurn)> {
    let game = &judged.floor.game;
    let actions = game.actions(before).ok()?;
    let step = game.apply(before, pick(&actions, decision.executed)?).ok()?;
    let turn = past_turn(game, before, decision.chosen, &step).ok()?;
    Some((step.state, turn))
}

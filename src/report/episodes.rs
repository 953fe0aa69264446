//! The table `episodes`: one row an episode, from which the other tables are computed.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::batch::Floor;
use super::table::{Table, bounds, floor_notes, fraction, text, text_if_any, whole, whole_if_any};
use crate::agent::{ChosenBy, Verdict};
use crate::analysis::{DecisionValue, EpisodeAnalysis};
use crate::eval::Ending;
use crate::solver::Worth;

/// Of how many decisions it is not known whether they lowered the value: of all, and of the agent's own. The columns are
/// there only if it is not known of some.
pub const LOSSES_NOT_KNOWN: [&str; 2] = ["value_losses_not_known", "own_value_losses_not_known"];

/// The verdicts that are not a choice, with the names of their columns.
pub const INVALID: [(Verdict, &str); 6] = [
    (Verdict::Unparsable, "unparsable"),
    (Verdict::Illegal, "illegal"),
    (Verdict::Empty, "empty"),
    (Verdict::Truncated, "truncated"),
    (Verdict::Refused, "refused"),
    (Verdict::TransportError, "transport_error"),
];

/// What is printed on paper.
const BRIEF: &[&str] = &[
    "floor",
    "agent",
    "prompt",
    "repeat",
    "ending",
    "final_hp",
    "optimum",
    "optimum_least",
    "optimum_most",
    "turns",
    "own_value_losses",
    "own_value_losses_not_known",
    "losing_turn",
    "losing_action",
    "losing_at",
    "losing_not_known",
];

/// What stands for an ending while there is none.
pub const UNFINISHED: &str = "unfinished";

/// Every episode, floor by floor, configuration by configuration.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(floors: &[Floor<'_>]) -> PolarsResult<Table> {
    let mut notes = vec![
        "Final HP is 0 for an episode that was not won, and none while it is unfinished. HP is the hero's at the end, \
         or now."
            .to_owned(),
        "Value losses: decisions that lowered the final HP under best play. Own value losses: those of them that the \
         agent itself chose."
            .to_owned(),
    ];
    notes.extend(floor_notes(floors));
    Ok(Table { name: "episodes", title: "Episodes", notes, frame: frame(floors)?, brief: BRIEF })
}

fn frame(floors: &[Floor<'_>]) -> PolarsResult<DataFrame> {
    let rows: Vec<&EpisodeAnalysis> = floors.iter().flat_map(Floor::episodes).collect();
    let mut columns = vec![
        text("floor", &rows, |e| Some(e.key.floor.clone())),
        text("agent", &rows, |e| Some(e.key.agent.clone())),
        text("prompt", &rows, |e| Some(e.key.prompt.clone())),
        whole("repeat", &rows, |e| Some(e.key.repeat.into())),
        text("id", &rows, |e| Some(e.id.clone())),
        text("ending", &rows, |e| Some(ending(e.ending))),
        text("reason", &rows, |e| e.reason.clone()),
        whole("final_hp", &rows, |e| final_hp(e)),
        whole("hp", &rows, |e| Some(e.hero.hp)),
        whole("optimum", &rows, |e| e.optimum.hp()),
    ];
    columns.extend(bounds("optimum", &rows, |e| e.optimum));
    columns.extend([
        whole("gap", &rows, |e| Some(e.optimum.hp()? - final_hp(e)?)),
        whole("turns", &rows, |e| Some(e.decisions.len() as i64)),
        whole("overrides", &rows, |e| Some(chosen_by(e, ChosenBy::Override))),
        whole("on_invalid", &rows, |e| Some(chosen_by(e, ChosenBy::OnInvalid))),
        whole("value_losses", &rows, |e| Some(e.value_losses()? as i64)),
    ]);
    columns.extend(whole_if_any(LOSSES_NOT_KNOWN[0], &rows, |e| Some(e.losses_not_known()[0] as i64)));
    columns.push(whole("own_value_losses", &rows, |e| Some(e.own_value_losses()? as i64)));
    columns.extend(whole_if_any(LOSSES_NOT_KNOWN[1], &rows, |e| Some(e.losses_not_known()[1] as i64)));
    columns.extend([
        whole("losing_turn", &rows, |e| Some(e.losing.as_ref()?.turn.into())),
        text("losing_action", &rows, |e| Some(e.losing.as_ref()?.text.clone())),
        text("losing_at", &rows, |e| Some(e.losing.as_ref()?.target.to_string())),
        text("losing_by", &rows, |e| Some(by(e.losing.as_ref()?.by).to_owned())),
        whole("losing_value_before", &rows, |e| e.losing.as_ref()?.before.hp()),
    ]);
    let before = |e: &&EpisodeAnalysis| e.losing.as_ref().map_or(Worth::LOST, |losing| losing.before);
    columns.extend(bounds("losing_value_before", &rows, before));
    columns.push(whole("losing_earlier_losses", &rows, |e| Some(e.losing.as_ref()?.earlier_losses.into())));
    let between = |e: &&EpisodeAnalysis| Some(e.losing_between?.in_words());
    columns.extend(text_if_any("losing_not_known", &rows, between));
    columns.extend(INVALID.map(|(verdict, name)| {
        whole(name, &rows, move |e| Some(e.verdicts.get(&verdict).copied().unwrap_or_default().into()))
    }));
    columns.extend([
        whole("calls", &rows, |e| Some(e.calls().into())),
        whole("prompt_tokens", &rows, |e| i64::try_from(e.prompt_tokens).ok()),
        whole("completion_tokens", &rows, |e| i64::try_from(e.completion_tokens).ok()),
        whole("reasoning_tokens", &rows, |e| i64::try_from(e.reasoning_tokens).ok()),
        fraction("cost_usd", &rows, |e| e.cost_usd),
        fraction("working_s", &rows, |e| Some(e.time?.working_s)),
        fraction("waiting_s", &rows, |e| Some(e.time?.waiting_s)),
    ]);
    DataFrame::new(rows.len(), columns)
}

/// How an episode ended, in the form of a column's name.
pub fn ending(ending: Option<Ending>) -> String {
    ending.map_or(UNFINISHED.to_owned(), |ending| ending.to_string().replace(' ', "_"))
}

/// HP at the end, 0 if lost; none while unfinished, so that no mean counts it.
fn final_hp(episode: &EpisodeAnalysis) -> Option<i64> {
    episode.ending.map(|_| episode.final_hp())
}

/// Who chose, in the word that traces use.
pub fn by(by: ChosenBy) -> &'static str {
    match by {
        ChosenBy::Agent => "agent",
        ChosenBy::OnInvalid => "on_invalid",
        ChosenBy::Override => "override",
    }
}

fn chosen_by(episode: &EpisodeAnalysis, by: ChosenBy) -> i64 {
    count(episode, |decision| decision.by == by)
}

fn count(episode: &EpisodeAnalysis, holds: impl Fn(&DecisionValue) -> bool) -> i64 {
    episode.decisions.iter().filter(|decision| holds(decision)).count() as i64
}

#[cfg(test)]
mod tests {
    use crate::report::{batch, export, sample};

    #[test]
    fn every_column_is_what_happened() {
        let analyses = sample::batch();
        let table = super::table(&batch::floors(&analyses)).unwrap();
        insta::assert_snapshot!(export::transposed(&table), @"
        floor: complex | complex | complex | complex | complex | complex | complex | hand01
        agent: optimal | smollm2 | smollm2 | smollm2 | smollm2 | smollm2 | smollm2 | smollm2
        prompt: none | single_floor | single_floor | single_floor | single_floor | single_floor | single_floor | single_floor
        repeat: 0 | 0 | 1 | 2 | 3 | 4 | 5 | 0
        id: optimal-complex-none-0 | smollm2-complex-single_floor-0 | smollm2-complex-single_floor-1 | smollm2-complex-single_floor-2 | smollm2-complex-single_floor-3 | smollm2-complex-single_floor-4 | smollm2-complex-single_floor-5 | smollm2-hand01-single_floor-0
        ending: won | stuck | turn_limit | dead | won | aborted | unfinished | won
        reason: – | – | – | – | – | – | – | –
        final_hp: 68 | 0 | 0 | 0 | 22 | 0 | – | 9
        hp: 68 | 310 | 120 | 0 | 22 | 1000 | 1000 | 9
        optimum: 68 | 68 | 68 | 68 | 68 | 68 | 68 | 9
        gap: 0 | 68 | 68 | 68 | 46 | 68 | – | 0
        turns: 3 | 5 | 4 | 1 | 4 | 1 | 2 | 1
        overrides: 0 | 0 | 0 | 1 | 0 | 0 | 0 | 0
        on_invalid: 0 | 0 | 1 | 0 | 0 | 0 | 0 | 0
        value_losses: 0 | 2 | 3 | 1 | 2 | 0 | 0 | 0
        own_value_losses: 0 | 2 | 2 | 0 | 2 | 0 | 0 | 0
        losing_turn: – | 3 | 4 | 1 | – | – | – | –
        losing_action: – | fight the Red Slime | fight the Red Slime | open the blue door | – | – | – | –
        losing_at: – | (11,8) | (11,8) | (12,2) | – | – | – | –
        losing_by: – | agent | agent | override | – | – | – | –
        losing_value_before: – | 42 | 22 | 68 | – | – | – | –
        losing_earlier_losses: – | 1 | 2 | 0 | – | – | – | –
        unparsable: 0 | 2 | 0 | 0 | 0 | 0 | 0 | 0
        illegal: 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0
        empty: 0 | 0 | 3 | 0 | 0 | 0 | 0 | 0
        truncated: 0 | 0 | 4 | 0 | 0 | 0 | 0 | 0
        refused: 0 | 0 | 0 | 0 | 0 | 5 | 0 | 0
        transport_error: 0 | 0 | 0 | 0 | 0 | 6 | 0 | 0
        calls: 0 | 7 | 7 | 0 | 0 | 11 | 0 | 0
        prompt_tokens: 0 | 1000 | 2000 | 0 | 0 | 0 | 10 | 0
        completion_tokens: 0 | 50 | 70 | 0 | 0 | 0 | 1 | 0
        reasoning_tokens: 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0
        cost_usd: – | 0.250000 | 0.500000 | – | – | – | – | –
        working_s: – | – | – | – | – | – | – | –
        waiting_s: – | – | – | – | – | – | – | –
        ");
    }
}

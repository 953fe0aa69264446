//! The table `mechanisms` (Table B.2): what each floor is meant to be hard by, and by what that shows.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::table::{Table, fraction, text, whole};
use crate::inspect::{BestPlay, Inspection};

/// One row a floor, in the order given.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(inspections: &[Inspection]) -> PolarsResult<Table> {
    let mut notes = vec![
        "Mechanism: as the floor's file states it. Optimum: final HP under best play, by the exact solver.".to_owned(),
        "Decisions, critical, forced, wrong doors, lethal: decisions of best play, and those of them at which a losing \
         action that is not lethal stands beside a saving one, exactly one action keeps the boss defeatable, opening some \
         door loses, some fight in reach is lethal. First losing turn: the first decision beside which an action loses \
         without being lethal."
            .to_owned(),
        "Lost percent: of the sets of cleared doors and monsters that play can reach, each at its best HP, those from \
         which the boss cannot be defeated; none where they are too many to count. Lost by: reference agents that never \
         defeat the boss."
            .to_owned(),
    ];
    let remark = |one: &Inspection| Some(format!("{}: {}.", one.floor, one.note.as_ref()?.trim_end_matches('.')));
    notes.extend(inspections.iter().filter_map(remark));
    Ok(Table::new("mechanisms", "What makes the floors hard", notes, frame(inspections)?))
}

fn frame(inspections: &[Inspection]) -> PolarsResult<DataFrame> {
    let best = |of: fn(&BestPlay) -> u32| move |one: &Inspection| one.best_play.as_ref().map(|best| of(best).into());
    let columns = vec![
        text("floor", inspections, |one| Some(one.floor.clone())),
        text("mechanism", inspections, |one| one.mechanism.clone()),
        whole("optimum", inspections, |one| one.optimum),
        whole("decisions", inspections, best(|best| best.decisions)),
        whole("critical", inspections, best(|best| best.critical)),
        whole("forced", inspections, best(|best| best.forced)),
        whole("wrong_doors", inspections, best(|best| best.wrong_doors)),
        whole("lethal", inspections, best(|best| best.lethal)),
        whole("first_losing_turn", inspections, |one| Some(one.best_play.as_ref()?.first_losing.as_ref()?.turn.into())),
        fraction("lost_percent", inspections, |one| Some(one.survey.as_ref()?.sets.as_ref()?.lost_percent())),
        text("lost_by", inspections, lost_by),
    ];
    DataFrame::new(inspections.len(), columns)
}

fn lost_by(inspection: &Inspection) -> Option<String> {
    let lost = inspection.agents.iter().filter(|fate| fate.episodes > 0 && fate.won == 0);
    Some(lost.map(|fate| fate.agent.name()).collect::<Vec<_>>().join(", "))
}

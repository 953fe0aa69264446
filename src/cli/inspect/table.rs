//! Several floors' inspections for people: a line each.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use crate::inspect::{Fate, Inspection, Player, Survey};

/// A table, with the remarks on floors below it.
pub fn table(inspections: &[Inspection]) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    let players: Vec<Player> = inspections.iter().flat_map(|one| &one.agents).map(|fate| fate.agent).collect();
    let players = Player::REFERENCE.into_iter().filter(|player| players.contains(player)).collect::<Vec<_>>();
    let heads = ["floor", "optimum", "obstacles", "decisions", "critical", "forced", "first", "lost"];
    table.set_header(heads.into_iter().chain(players.iter().map(|player| head(*player))));
    for inspection in inspections {
        let fates = players.iter().map(|player| {
            let fate = inspection.agents.iter().find(|fate| fate.agent == *player);
            fate.map_or("–".into(), outcome)
        });
        table.add_row(row(inspection).into_iter().chain(fates));
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
        if column.index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = table.trim_fmt() + "\n\n" + KEY;
    for inspection in inspections {
        if let Some(note) = &inspection.note {
            text += &format!("{}: {note}.\n", inspection.floor);
        }
    }
    text
}

const KEY: &str = "\
decisions, critical, forced: of best play; first: turn of the first losing action beside it; lost: share of the sets of
cleared doors and monsters that play can reach from which the boss cannot be defeated any more, each taken at its best HP
(in brackets: too many to count, those apart only in what leads to nothing count as one). Agents: final HP, or × and
the turn of the losing decision; random: episodes won.
";

fn head(player: Player) -> &'static str {
    match player {
        Player::PublishedRoute => "published",
        other => other.name(),
    }
}

fn row(inspection: &Inspection) -> Vec<String> {
    let none = || "–".to_owned();
    let best = inspection.best_play.as_ref();
    let optimum = match (inspection.optimum, &inspection.values_unknown) {
        (Some(optimum), _) => optimum.to_string(),
        (None, None) => "none".to_owned(),
        (None, Some(_)) => "unknown".to_owned(),
    };
    let of_best = |of: fn(&crate::inspect::BestPlay) -> u32| best.map_or_else(none, |best| of(best).to_string());
    vec![
        inspection.floor.clone(),
        optimum,
        inspection.inventory.obstacles.to_string(),
        of_best(|best| best.decisions),
        of_best(|best| best.critical),
        of_best(|best| best.forced),
        best.and_then(|best| best.first_losing.as_ref()).map_or_else(none, |first| first.turn.to_string()),
        inspection.survey.as_ref().map_or_else(none, lost),
    ]
}

/// The share of lost states; in brackets where the sets are too many to be counted.
fn lost(survey: &Survey) -> String {
    match &survey.sets {
        Some(sets) => format!("{:.1} %", sets.lost_percent()),
        None => format!("({:.1} %)", survey.keys.lost_percent()),
    }
}

fn outcome(fate: &Fate) -> String {
    match (fate.episodes, fate.best_hp, &fate.losing) {
        (0, ..) => "–".into(),
        (episodes, ..) if fate.agent == Player::Random => format!("{}/{episodes}", fate.won),
        (1, Some(hp), _) => hp.to_string(),
        (1, None, Some(losing)) => format!("× {}", losing.turn),
        (1, None, None) => "×".into(),
        (episodes, ..) => format!("{}/{episodes}", fate.won),
    }
}

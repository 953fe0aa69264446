//! What the hero has, before and after a decision, and what the monsters that still stand would cost him now.

use ratatui::text::{Line, Span};

use std::collections::BTreeMap;

use super::clean;
use super::palette::Palette;
use super::pane::hanging;
use crate::game::{Colour, Fight, Game, Hero, MonsterId, State, Tile};
use crate::prompt::observation::{marks, tools};
use crate::prompt::place::floor_name;

/// The quantities, those that change with both numbers, in lines of at most `width` columns.
pub fn lines(before: &Hero, after: &Hero, width: u16, palette: Palette) -> Vec<Line<'static>> {
    let mut lines: Vec<Line> = Vec::new();
    let (mut spans, mut used) = (Vec::new(), 0);
    for (name, was, is) in quantities(before, after) {
        let change = if was == is { is.to_string() } else { format!("{was}→{is}") };
        let columns = clean::width(&name) + 1 + clean::width(&change);
        if used > 0 && used + 2 + columns > usize::from(width) {
            lines.push(Line::from(std::mem::take(&mut spans)));
            used = 0;
        }
        if used > 0 {
            spans.push(Span::raw("  "));
            used += 2;
        }
        let style = match is.cmp(&was) {
            std::cmp::Ordering::Equal => palette.plain(),
            std::cmp::Ordering::Less => palette.worse().patch(palette.heading()),
            std::cmp::Ordering::Greater => palette.good().patch(palette.heading()),
        };
        spans.extend([Span::styled(format!("{name} "), palette.dim()), Span::styled(change, style)]);
        used += columns;
    }
    lines.push(Line::from(spans));
    lines
}

/// What the hero has beside his quantities; nothing where that is all.
fn holds(game: &Game, state: &State, width: u16, palette: Palette) -> Vec<Line<'static>> {
    let tools = tools(game, state).into_iter().map(|tool| format!("{} {}", tool.count, tool.name));
    let held: Vec<String> = tools.chain(marks(&state.hero)).collect();
    if held.is_empty() {
        return Vec::new();
    }
    hanging(vec![Span::styled("has ", palette.dim())], &held.join(", "), palette.plain(), width)
}

/// What else the hero has, and the monsters that still stand on a floor, a line each: symbol, name, how many, and what a
/// fight costs.
pub fn monsters(game: &Game, state: &State, floor: u16, width: u16, palette: Palette) -> Vec<Line<'static>> {
    let mut standing: BTreeMap<MonsterId, usize> = BTreeMap::new();
    for cell in game.graph().floor_cells(floor) {
        if let Tile::Monster(id) = game.tile_now(state, cell) {
            *standing.entry(id).or_default() += 1;
        }
    }
    let mut lines = holds(game, state, width, palette);
    if game.tower().floors.len() > 1 && !standing.is_empty() {
        let on = clean::cut(&clean::line(&floor_name(game.tower(), floor)), width.into());
        lines.push(Line::from(Span::styled(on, palette.dim())));
    }
    for (id, count) in standing {
        let monster = game.monster_now(state, id);
        let (cost, style) = match game.fight_now(state, id) {
            Ok(Fight::Winnable { damage }) => (cost(damage), palette.plain()),
            Ok(Fight::Lethal { .. }) if width < 36 => ("lethal".to_owned(), palette.bad()),
            Ok(Fight::Lethal { damage }) => (format!("{} lethal", cost(damage)), palette.bad()),
            Ok(Fight::Unwinnable) => ("too hard".to_owned(), palette.bad()),
            Err(_) => ("?".to_owned(), palette.bad()),
        };
        let symbol = clean::cut(&clean::line(&monster.symbol), 4);
        let room = usize::from(width).saturating_sub(3 + clean::width(&cost) + 1);
        let name = clean::cut(&clean::line(&format!("{} ×{count}", monster.name)), room);
        let gap = " ".repeat(room.saturating_sub(clean::width(&name)) + 1);
        let tile = Tile::Monster(id);
        lines.push(Line::from(vec![
            Span::raw(" ".repeat(2_usize.saturating_sub(clean::width(&symbol)))),
            Span::styled(symbol, palette.tile(tile, game.tower().is_boss(tile))),
            Span::raw(format!(" {name}{gap}")),
            Span::styled(cost, style),
        ]));
    }
    lines
}

/// What a fight does to the hero's HP: `-24`, `0`, and `+5` where rules let fights heal.
pub fn cost(damage: i64) -> String {
    if damage == 0 { "0".into() } else { format!("{:+}", damage.saturating_neg()) }
}

/// Names, and numbers before and after, of what there is to tell.
fn quantities(before: &Hero, after: &Hero) -> Vec<(String, i64, i64)> {
    let mut all: Vec<(String, i64, i64)> = vec![
        ("HP".into(), before.hp, after.hp),
        ("ATK".into(), before.atk, after.atk),
        ("DEF".into(), before.def, after.def),
        ("MDEF".into(), before.mdef, after.mdef),
    ];
    let keys = |colour: Colour| (format!("{colour} keys"), before.keys[colour], after.keys[colour]);
    let more = [("gold".into(), before.gold, after.gold), ("exp.".into(), before.experience, after.experience)];
    let more = Colour::ALL.into_iter().map(keys).chain(more);
    all.extend(more.filter(|(name, was, is)| *was != 0 || *is != 0 || name == "yellow keys"));
    all
}

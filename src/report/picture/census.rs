//! What is still on the map, by kind, and what each kind does, in words. Knows nothing of pictures.

use std::collections::HashMap;
use std::ops::Range;

use crate::game::{
    BlockedReason, CellIndex, Colour, Game, GateId, Goal, Hero, Monster, Position, Purchase, Shop, StairWay, State,
    Tile, Tower,
};
use crate::prompt::ability;
use crate::prompt::observation::marks;

/// The kinds of tiles that are on some tiles of the map now, open floor left out, each with how often: walls, doors, stairs, shops,
/// items, monsters in the order of their table.
pub fn kinds(game: &Game, state: &State, cells: Range<CellIndex>) -> Vec<(Tile, usize)> {
    let mut counts: HashMap<Tile, usize> = HashMap::new();
    for cell in cells {
        *counts.entry(game.tile_now(state, cell)).or_default() += 1;
    }
    counts.remove(&Tile::Floor);
    let mut kinds: Vec<(Tile, usize)> = counts.into_iter().collect();
    kinds.sort_by_key(|(tile, _)| match *tile {
        Tile::Floor | Tile::Wall => (0, 0, None),
        Tile::Door(colour) => (1, colour as u16, None),
        Tile::Gate(id) => (1, 4 + id, None),
        Tile::Stair(way) => (2, way as u16, None),
        Tile::Shop => (3, 0, None),
        Tile::Figure => (3, 1, None),
        Tile::Event => (3, 2, None),
        Tile::Item(item) => (4, 0, Some(item)),
        Tile::Monster(id) => (5, id, None),
    });
    kinds
}

/// What a kind of tile is called.
pub fn name(game: &Game, tile: Tile) -> String {
    match tile {
        Tile::Stair(StairWay::Up) => "stairs up".into(),
        Tile::Stair(StairWay::Down) => "stairs down".into(),
        other => game.describe(other),
    }
}

/// What a kind of tile on some tiles of the map does, gives or has: in one phrase or, of a monster with abilities and of stairs
/// that are joined otherwise than by rule, several.
pub fn does(game: &Game, state: &State, cells: Range<CellIndex>, tile: Tile) -> Vec<String> {
    let tower = game.tower();
    vec![match tile {
        Tile::Floor => "free to walk over".into(),
        Tile::Wall => "never passable".into(),
        Tile::Door(colour) => format!("opened by one {colour} key"),
        Tile::Stair(way) if !joined_by_rule(tower) => return leads(game, state, cells, way, false),
        Tile::Stair(StairWay::Up) => "to a floor of a higher number".into(),
        Tile::Stair(StairWay::Down) => "to a floor of a lower number".into(),
        Tile::Shop => tower.shop.map(|shop| sells(&shop, state)).unwrap_or_default(),
        Tile::Item(item) => game.describe_gain(item),
        Tile::Gate(id) => gate(game, id),
        Tile::Event => "something happens when it is stepped onto".into(),
        Tile::Figure => "something happens when it is touched".into(),
        Tile::Monster(id) => return fights(game.monster_now(state, id), tower),
    }]
}

/// Whether the way in which stairs are drawn says where they lead.
fn joined_by_rule(tower: &Tower) -> bool {
    tower.blueprint.ladders.is_empty() && tower.stairs == Tower::stairs_by_rule(&tower.floors)
}

/// Where the stairs at some tiles that are drawn one way lead, or the ladders, each with its place.
pub fn leads(game: &Game, state: &State, cells: Range<CellIndex>, way: StairWay, ladders: bool) -> Vec<String> {
    let tower = game.tower();
    let kind = Tile::Stair(way);
    let here = cells.filter(|cell| game.tile_now(state, *cell) == kind).map(|cell| game.graph().position(cell));
    let of_one = |at: Position| {
        let ends = tower.stairs.iter().flat_map(|(from, to)| [(*from, *to), (*to, *from)]);
        let here = ends.filter(move |(from, to)| *from == at && tower.blueprint.ladder(at, *to).is_some() == ladders);
        here.map(move |(_, to)| {
            let floor = game.floor_name(to.floor).unwrap_or_else(|| to.to_string());
            format!("{at} to {floor}")
        })
    };
    here.flat_map(of_one).collect()
}

/// What a gate takes.
fn gate(game: &Game, id: GateId) -> String {
    match game.tower().gates.get(usize::from(id)) {
        Some(gate) if !gate.by_event => game.describe_reason(&BlockedReason::NoKeys(id)),
        _ => "no key opens it".into(),
    }
}

/// The events that wait at some tiles of a kind, each with its place and title; nothing of other kinds.
pub fn titles(game: &Game, state: &State, cells: Range<CellIndex>, kind: Tile) -> Vec<String> {
    if !matches!(kind, Tile::Event | Tile::Figure) {
        return Vec::new();
    }
    let here = cells.filter(|cell| game.tile_now(state, *cell) == kind && game.has_event(state, *cell));
    let titled = |cell| Some(format!("{} {}", game.graph().position(cell), game.event_title(cell)?));
    here.filter_map(titled).collect()
}

/// What the hero has.
pub fn has(hero: &Hero) -> String {
    let mut parts = vec![format!("HP {}, ATK {}, DEF {}", hero.hp, hero.atk, hero.def)];
    if hero.mdef != 0 {
        parts.push(format!("MDEF {}", hero.mdef));
    }
    if hero.gold != 0 {
        parts.push(format!("{} gold", hero.gold));
    }
    for colour in Colour::ALL.into_iter().filter(|colour| hero.keys[*colour] != 0) {
        let count = hero.keys[colour];
        parts.push(format!("{count} {colour} {}", if count == 1 { "key" } else { "keys" }));
    }
    parts.extend(marks(hero));
    parts.join(", ")
}

fn sells(shop: &Shop, state: &State) -> String {
    let sold = Purchase::ALL.into_iter().filter(|purchase| shop.amount(*purchase) > 0);
    let goods: Vec<String> = sold.map(|purchase| format!("{} {purchase}", shop.amount(purchase))).collect();
    let price = shop.price(state.purchase_count()).map_or_else(|| "more".to_owned(), |price| price.to_string());
    format!("sells {} for {price} gold, {} more after each purchase", goods.join(" or "), shop.price_step)
}

fn fights(monster: &Monster, tower: &Tower) -> Vec<String> {
    let mut quantities = format!("HP {}, ATK {}, DEF {}", monster.hp, monster.atk, monster.def);
    if tower.shop.is_some() && monster.gold != 0 {
        quantities += &format!(", {} gold", monster.gold);
    }
    let wins = (monster.boss && tower.goal == Goal::Boss).then(|| "defeating it wins".to_owned());
    let abilities = monster.abilities.iter().map(|each| format!("{each}: {}", ability::effect(each)));
    std::iter::once(quantities).chain(wins).chain(abilities).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_tower;
    use crate::game::ItemMode;

    const DESCENDING: &str = r##"[hero]
hp = 9
atk = 9
def = 9
[monsters.B]
hp = 1
atk = 1
def = 1
[[floor]]
map = """
@ v
v .
"""
[[floor.stairs]]
at = [1, 0]
to = [1, 1, 0]
[[floor.stairs]]
at = [0, 1]
to = [1, 0, 1]
ladder = "quick exit"
[[floor]]
name = "Vaults"
map = """
B ^
^ .
"""
"##;

    #[test]
    fn listed_stairs_say_where_they_lead_however_they_are_drawn() {
        let game = Game::new(parse_tower("a.toml", DESCENDING).unwrap(), ItemMode::Auto).unwrap();
        let state = game.start().unwrap();
        let told = |way| does(&game, &state, 0..game.graph().len() as u32, Tile::Stair(way));
        assert_eq!(told(StairWay::Down), ["(1,0) to Vaults"]);
        assert_eq!(told(StairWay::Up), ["(1:1,0) to floor 0"]);
        let ladders = |way| leads(&game, &state, 0..game.graph().len() as u32, way, true);
        assert_eq!(ladders(StairWay::Down), ["(0,1) to Vaults"]);
        assert_eq!(ladders(StairWay::Up), ["(1:0,1) to floor 0"]);
        let plain = DESCENDING.replace("[[floor.stairs]]\nat = [0, 1]\nto = [1, 0, 1]\nladder = \"quick exit\"\n", "");
        let listed = Game::new(parse_tower("a.toml", &plain).unwrap(), ItemMode::Auto).unwrap();
        let state = listed.start().unwrap();
        assert_eq!(does(&listed, &state, 0..4, Tile::Stair(StairWay::Down)), ["(1,0) to Vaults"]);
    }
}

//! Random small towers and a slow solver that shares nothing with the fast one but the public engine.

use std::collections::HashMap;

use mota::game::{
    Abilities, Ability, Colour, Floor, Game, Gem, Hero, Item, ItemMode, ItemValues, Keys, Monster, Position, Potion,
    RuleSet, Rules, Shop, StairWay, State, Tile, Tower,
};
use proptest::prelude::*;

/// What a random tower may hold.
#[derive(Clone, Copy)]
pub struct Kind {
    pub floors: u16,
    /// Rows of five tiles a floor.
    pub rows: usize,
    pub shop: bool,
    pub abilities: bool,
    pub vampire: bool,
}

/// Best final HP from a state, by trying everything; a state is remembered whole.
pub fn reference(game: &Game, state: &State, known: &mut HashMap<State, Option<i64>>) -> Option<i64> {
    if let Some(end) = state.end {
        return (end == mota::game::End::Won).then_some(state.hero.hp);
    }
    let key = State { turn: 0, at: Position::default(), ..state.clone() };
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let actions = game.actions(state).expect("small numbers");
    let value = actions
        .iter()
        .map(|action| game.apply(state, action).expect("a legal action").state)
        .filter_map(|next| reference(game, &next, known))
        .max();
    known.insert(key, value);
    value
}

fn tile(shop: bool) -> impl Strategy<Value = Tile> {
    let colour = prop_oneof![4 => Just(Colour::Yellow), 2 => Just(Colour::Blue), 1 => Just(Colour::Red), 1 => Just(Colour::Green)];
    let potion = prop_oneof![Just(Potion::Red), Just(Potion::Blue), Just(Potion::Yellow), Just(Potion::Green)];
    let gem = prop_oneof![Just(Gem::Red), Just(Gem::Blue), Just(Gem::Green)];
    let item = prop_oneof![
        4 => colour.clone().prop_map(Item::Key),
        3 => gem.prop_map(Item::Gem),
        3 => potion.prop_map(Item::Potion),
        1 => Just(Item::Sword),
        1 => Just(Item::Shield),
    ];
    prop_oneof![
        7 => Just(Tile::Floor),
        8 => Just(Tile::Wall),
        3 => colour.prop_map(Tile::Door),
        5 => item.prop_map(Tile::Item),
        6 => (0..3_u16).prop_map(Tile::Monster),
        1 => Just(if shop { Tile::Shop } else { Tile::Floor }),
    ]
}

fn ability(vampire: bool) -> impl Strategy<Value = Ability> {
    let ratio = || (0_i64..=10).prop_map(|tenths| mota::game::Ratio::new(tenths, 10).expect("a decimal"));
    let plain = prop::sample::select(Ability::PLAIN.to_vec());
    prop_oneof![
        8 => plain,
        1 => (1_i64..6).prop_map(|n| Ability::NStrike { n }),
        1 => (0_i64..30).prop_map(|damage| Ability::FixedDamage { damage }),
        1 => ratio().prop_map(|ratio| Ability::BreakArmour { ratio }),
        if vampire { 6 } else { 0 } => ratio().prop_map(|ratio| Ability::Vampire { ratio, add: false }),
    ]
}

prop_compose! {
    fn monster(kind: Kind)(
        hp in 1_i64..40, atk in 0_i64..25, def in 0_i64..12, gold in 0_i64..8,
        abilities in prop::collection::vec(ability(kind.vampire), 0..3),
    ) -> Monster {
        let abilities: Abilities = abilities.into_iter().take(if kind.abilities { 3 } else { 0 }).collect();
        Monster { symbol: String::new(), name: String::new(), hp, atk, def, gold, experience: 1, abilities, boss: false }
    }
}

prop_compose! {
    /// A random tower of floors five tiles wide.
    pub fn tower(kind: Kind)(
        tiles in prop::collection::vec(prop::collection::vec(tile(kind.shop), 5 * kind.rows), usize::from(kind.floors)),
        monsters in prop::collection::vec(monster(kind), 3),
        boss in monster(kind),
        hp in 1_i64..200, atk in 3_i64..16, def in 0_i64..10, mdef in 0_i64..8, yellow in 0_i64..2,
        rules in prop::sample::select(vec![RuleSet::Thesis, RuleSet::H5mota]),
        negative_damage in any::<bool>(),
        start in 0..5 * kind.rows, boss_at in 0..5 * kind.rows - 1, ways in (0..5 * kind.rows, 0..5 * kind.rows - 1),
    ) -> Tower {
        let mut monsters: Vec<Monster> = monsters.into_iter().chain([Monster { boss: true, ..boss }]).collect();
        for (index, monster) in monsters.iter_mut().enumerate() {
            monster.symbol = if monster.boss { "B".into() } else { (index + 1).to_string() };
            monster.name = format!("Monster {}", monster.symbol);
        }
        let mut tiles = tiles;
        let size = 5 * kind.rows;
        for index in 1..tiles.len() {
            tiles[index - 1][ways.0] = Tile::Stair(StairWay::Up);
            tiles[index][(ways.0 + 1 + ways.1) % size] = Tile::Stair(StairWay::Down);
        }
        let last = tiles.len() - 1;
        let boss_cell = (start + 1 + boss_at) % size;
        tiles[0][start] = Tile::Floor;
        tiles[last][boss_cell] = Tile::Monster(3);
        if last > 0 {
            // The boss may have replaced a stair; the rule then joins fewer floors, which is a tower, too.
            tiles[0][start] = Tile::Floor;
        }
        let floors: Vec<Floor> = tiles.iter()
            .map(|tiles| Floor::from_rows(String::new(), tiles.chunks(5).map(<[Tile]>::to_vec).collect()).expect("a rectangle"))
            .collect();
        Tower {
            name: "random".into(),
            title: "random".into(),
            note: None,
            mechanism: None,
            origin: None,
            rules: Rules { set: rules, negative_damage: negative_damage && rules == RuleSet::H5mota, hatred: 0 },
            hero: Hero { hp, atk, def, mdef, keys: Keys { yellow, ..Keys::default() }, ..Hero::default() },
            start: Position::new(0, (start % 5) as u16, (start / 5) as u16),
            items: ItemValues {
                red_gem: 1, blue_gem: 2, green_gem: 3, red_potion: 20, blue_potion: 50, yellow_potion: 90,
                green_potion: 150, sword: 4, shield: 4,
            },
            monsters,
            shop: kind.shop.then_some(Shop { first_price: 3, price_step: 2, hp: 25, atk: 2, def: 2, mdef: 3 }),
            stairs: Tower::stairs_by_rule(&floors),
            floors,
            ..Tower::default()
        }
    }
}

/// How items are collected.
pub fn item_mode() -> impl Strategy<Value = ItemMode> {
    prop_oneof![2 => Just(ItemMode::Auto), 1 => Just(ItemMode::Action)]
}

//! Algorithm B.1 against a second writing of it in wide arithmetic, and the rules of play on small floors.

use std::path::Path;

use mota::game::combat::Overflow;
use mota::game::{
    Abilities, Ability, ActionKind, BlockedReason, End, Fight, Game, Hero, ItemMode, Monster, Position, Ratio, RuleSet,
    Rules, Tile, Tower, fight,
};
use proptest::prelude::*;

fn monster(hp: i64, atk: i64, def: i64, abilities: impl IntoIterator<Item = Ability>) -> Monster {
    let abilities: Abilities = abilities.into_iter().collect();
    Monster { symbol: "1".into(), name: "m".into(), hp, atk, def, gold: 0, experience: 0, abilities, boss: false }
}

fn hero(hp: i64, atk: i64, def: i64, mdef: i64) -> Hero {
    Hero { hp, atk, def, mdef, ..Hero::default() }
}

fn rules(set: RuleSet) -> Rules {
    Rules { set, ..Rules::default() }
}

fn ratio(text: &str) -> Ratio {
    text.parse().unwrap()
}

fn damage(hero: Hero, monster: Monster, set: RuleSet) -> Option<i64> {
    fight(&hero, &monster, rules(set)).unwrap().damage()
}

/// Each ability alone, computed by hand for a hero of ATK 10, DEF 5, MDEF 3 and a monster of HP 23, ATK 12, DEF 4:
/// 4 strikes, 7 damage a blow.
#[test]
fn each_ability_alone() {
    use Ability::*;
    let cases = [
        (vec![], 7 * 3 - 3),
        (vec![FirstStrike], 7 + 7 * 3 - 3),
        (vec![MagicAttack], 12 * 3 - 3),
        (vec![Solid], 7 * 22 - 3),
        (vec![Double], 14 * 3 - 3),
        (vec![Triple], 21 * 3 - 3),
        (vec![NStrike { n: 4 }], 28 * 3 - 3),
        (vec![NStrike { n: 6 }], 42 * 3 - 3),
        (vec![BreakArmour { ratio: Ability::DEFAULT_BREAK_ARMOUR }], 4 + 7 * 3 - 3),
        (vec![CounterAttack { ratio: Ability::DEFAULT_COUNTER_ATTACK }], (7 + 1) * 3 - 3),
        (vec![Purify { ratio: Ability::DEFAULT_PURIFY }], 9 + 7 * 3 - 3),
        (vec![Mimic], 5 * 4 - 3),
        (vec![Vampire { ratio: ratio("0.25"), add: false }], 25 + 7 * 3 - 3),
        (vec![FixedDamage { damage: 40 }], 40 + 7 * 3 - 3),
        (vec![Double, Triple], 14 * 3 - 3),
        (vec![Triple, NStrike { n: 5 }], 21 * 3 - 3),
        (vec![MagicAttack, FirstStrike, Double], 24 + 24 * 3 - 3),
    ];
    for (abilities, expected) in cases {
        let found = damage(hero(100, 10, 5, 3), monster(23, 12, 4, abilities.clone()), RuleSet::Thesis);
        assert_eq!(found, Some(expected), "{abilities:?}");
    }
}

#[test]
fn rule_sets_differ_where_the_sources_do() {
    use Ability::*;
    let counter = || monster(23, 12, 4, [CounterAttack { ratio: Ability::DEFAULT_COUNTER_ATTACK }]);
    assert_eq!(damage(hero(100, 10, 5, 3), counter(), RuleSet::Solver), Some(8 * 3 - 3));
    assert_eq!(damage(hero(100, 10, 5, 3), counter(), RuleSet::H5mota), Some(7 * 3 + 4 - 3));
    let fixed = || monster(4, 5, 4, [FixedDamage { damage: 2 }]);
    assert_eq!(damage(hero(100, 10, 5, 9), fixed(), RuleSet::Thesis), Some(0), "MDEF covers it");
    assert_eq!(damage(hero(100, 10, 5, 9), fixed(), RuleSet::H5mota), Some(2), "MDEF does not");
    let many = || monster(23, 12, 4, [Double, Triple, NStrike { n: 5 }]);
    assert_eq!(damage(hero(9_999, 10, 5, 3), many(), RuleSet::H5mota), Some(7 * 30 * 3 - 3));
    let both = || monster(8, 12, 4, [Mimic, Solid]);
    // Thesis: DEF 5 becomes 9, so 8 strikes of 5; solver: mimic comes last, DEF 5, 2 strikes.
    assert_eq!(damage(hero(100, 10, 5, 3), both(), RuleSet::Thesis), Some(5 * 7 - 3));
    assert_eq!(damage(hero(100, 10, 5, 3), both(), RuleSet::Solver), Some(5 - 3));
    let feeder = || monster(23, 12, 4, [Vampire { ratio: ratio("0.29"), add: true }]);
    // In doubles 0.29 × 100 is below 29; its HP becomes 51: 9 strikes.
    assert_eq!(damage(hero(100, 10, 5, 3), feeder(), RuleSet::H5mota), Some(28 + 7 * 8 - 3));
    let healing = Rules { set: RuleSet::H5mota, negative_damage: true, hatred: 0 };
    let tame = monster(4, 5, 4, []);
    assert_eq!(fight(&hero(100, 10, 5, 9), &tame, healing), Ok(Fight::Winnable { damage: -9 }));
}

#[test]
fn lethal_is_damage_of_all_hp_or_more() {
    let foe = || monster(23, 12, 4, []);
    assert_eq!(fight(&hero(19, 10, 5, 3), &foe(), Rules::default()), Ok(Fight::Winnable { damage: 18 }));
    assert_eq!(fight(&hero(18, 10, 5, 3), &foe(), Rules::default()), Ok(Fight::Lethal { damage: 18 }));
    assert_eq!(fight(&hero(19, 4, 5, 3), &foe(), Rules::default()), Ok(Fight::Unwinnable));
}

/// Algorithm B.1 once more, in 128 bits and without shortcuts.
fn reference(hero: &Hero, monster: &Monster, set: RuleSet) -> Fight {
    let has = |wanted: u8| monster.abilities.iter().find(|ability| ability.code() == wanted);
    let [hp, atk, def, mdef] = [hero.hp, hero.atk, hero.def, hero.mdef].map(i128::from);
    let [monster_hp, mut monster_atk, mut monster_def] = [monster.hp, monster.atk, monster.def].map(i128::from);
    let floor = |ratio: Ratio, value: i128| match set {
        RuleSet::H5mota => (ratio.as_f64() * value as f64).floor() as i128,
        _ => {
            let mut parts = ratio.to_string();
            let digits = parts.split_once('.').map_or(0, |(_, digits)| digits.len());
            parts.retain(|c| c != '.');
            parts.parse::<i128>().unwrap() * value / 10_i128.pow(digits as u32)
        }
    };
    if has(10).is_some() {
        (monster_atk, monster_def) = (atk, def);
    }
    if has(3).is_some() && monster_def < atk - 1 {
        monster_def = atk - 1;
    }
    if has(10).is_some() && set == RuleSet::Solver {
        monster_def = def;
    }
    let h = atk - monster_def;
    if h <= 0 {
        return Fight::Unwinnable;
    }
    let engine = set == RuleSet::H5mota;
    let mut before = 0;
    let mut life = monster_hp;
    if let Some(Ability::Vampire { ratio, add }) = has(11) {
        before += floor(ratio, hp);
        life += if add && engine { floor(ratio, hp) } else { 0 };
    }
    let strikes = (life + h - 1) / h;
    let mut blow = if has(2).is_some() { monster_atk } else { (monster_atk - def).max(0) };
    let n = if let Some(Ability::NStrike { n }) = has(6) { i128::from(n) } else { 1 };
    let (double, triple) = (has(4).is_some(), has(5).is_some());
    blow *= match (engine, double, triple) {
        (true, ..) => n * if double { 2 } else { 1 } * if triple { 3 } else { 1 },
        (false, true, _) => 2,
        (false, false, true) => 3,
        (false, false, false) => n,
    };
    before += if has(1).is_some() { blow } else { 0 };
    if let Some(Ability::BreakArmour { ratio }) = has(7) {
        before += floor(ratio, def);
    }
    if let Some(Ability::Purify { ratio }) = has(9) {
        before += floor(ratio, mdef);
    }
    let counter = if let Some(Ability::CounterAttack { ratio }) = has(8) { floor(ratio, atk) } else { 0 };
    let fixed = if let Some(Ability::FixedDamage { damage }) = has(22) { i128::from(damage) } else { 0 };
    let mut damage = before + blow * (strikes - 1) + counter * if engine { strikes } else { strikes - 1 };
    damage = match engine {
        false => (damage + fixed - mdef).max(0),
        true => (damage - mdef).max(0) + fixed,
    };
    let damage = damage as i64;
    if hero.hp > damage { Fight::Winnable { damage } } else { Fight::Lethal { damage } }
}

fn any_ability(most: i64) -> impl Strategy<Value = Ability> {
    let ratio = (0_i64..=200).prop_map(|hundredths| Ratio::new(hundredths, 100).unwrap());
    prop_oneof![
        5 => prop::sample::select(Ability::PLAIN.to_vec()),
        1 => (1..=9_i64).prop_map(|n| Ability::NStrike { n }),
        1 => (0..=most).prop_map(|damage| Ability::FixedDamage { damage }),
        1 => ratio.clone().prop_map(|ratio| Ability::BreakArmour { ratio }),
        1 => ratio.clone().prop_map(|ratio| Ability::CounterAttack { ratio }),
        1 => ratio.clone().prop_map(|ratio| Ability::Purify { ratio }),
        1 => (ratio, any::<bool>()).prop_map(|(ratio, add)| Ability::Vampire { ratio, add }),
    ]
}

prop_compose! {
    fn duel(most: i64)(
        hp in 1..=most, atk in 0..=most, def in 0..=most, mdef in 0..=most,
        life in 1..=most, strength in 0..=most, armour in 0..=most,
        abilities in prop::collection::vec(any_ability(most), 0..4),
    ) -> (Hero, Monster) {
        (hero(hp, atk, def, mdef), monster(life, strength, armour, abilities))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_the_second_writing((hero, monster) in duel(300), set in prop::sample::select(RuleSet::ALL.to_vec())) {
        prop_assert_eq!(fight(&hero, &monster, rules(set)), Ok(reference(&hero, &monster, set)));
    }

    #[test]
    fn never_wraps((hero, monster) in duel(i64::MAX), set in prop::sample::select(RuleSet::ALL.to_vec())) {
        match fight(&hero, &monster, rules(set)) {
            Ok(Fight::Winnable { damage }) => prop_assert!((0..hero.hp).contains(&damage)),
            Ok(Fight::Lethal { damage }) => prop_assert!(damage >= hero.hp),
            Ok(Fight::Unwinnable) | Err(Overflow) => {}
        }
    }
}

fn game(name: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors").join(format!("{name}.toml"));
    Game::new(mota::format::read_tower(&path).unwrap(), ItemMode::Auto).unwrap()
}

/// "On simple, complex and hand03 all three rule sets give the same cost for every fight, at every reachable attribute."
#[test]
fn the_three_rule_sets_agree_on_the_known_floors() {
    for name in ["simple", "complex", "hand03"] {
        let game = game(name);
        let tower = game.tower();
        let count = |wanted: &str| {
            tower.tiles().filter(|(_, tile)| matches!(tile, Tile::Item(item) if item.to_string() == wanted)).count()
                as i64
        };
        let (items, start) = (tower.items, tower.hero);
        for monster in &tower.monsters {
            for reds in 0..=count("red gem") {
                for blues in 0..=count("blue gem") {
                    for greens in 0..=count("green gem") {
                        let hero = Hero {
                            hp: 10_000,
                            atk: start.atk + reds * items.red_gem,
                            def: start.def + blues * items.blue_gem,
                            mdef: greens * items.green_gem,
                            ..start
                        };
                        let costs = RuleSet::ALL.map(|set| fight(&hero, monster, rules(set)));
                        assert!(costs[0] == costs[1] && costs[1] == costs[2], "{name}: {} {hero:?}", monster.name);
                    }
                }
            }
        }
    }
}

#[test]
fn the_first_decision_of_hand01_is_numbered_by_floor_x_y() {
    let game = game("hand01");
    let start = game.start().unwrap();
    let targets: Vec<(u16, u16)> = game.actions(&start).unwrap().iter().map(|a| (a.target.x, a.target.y)).collect();
    assert_eq!(targets, [(4, 8), (5, 4), (6, 8)]);
    let blocked = game.blocked(&start).unwrap();
    assert_eq!(
        (blocked.len(), blocked[0].target, blocked[0].reason.to_string()),
        (1, Position::new(0, 5, 2), "no blue key".into())
    );
    let error = game.action_at(&start, Position::new(0, 5, 2)).unwrap_err().to_string();
    assert_eq!(error, "(5,2) cannot be chosen here: blue door: no blue key");
}

#[test]
fn a_monster_that_cannot_be_hurt_is_blocked_with_its_defence() {
    let game = game("simple");
    let start = game.start().unwrap();
    let boss = Hero { atk: 12, ..start.hero };
    let monster = game.tower().monsters.iter().find(|monster| monster.boss).unwrap();
    assert_eq!(fight(&boss, monster, Rules::default()), Ok(Fight::Unwinnable));
    let soft = Game::new(Tower { hero: Hero { atk: 5, ..start.hero }, ..Tower::clone(game.tower()) }, ItemMode::Auto);
    let soft = soft.unwrap();
    let reasons: Vec<String> = (soft.blocked(&soft.start().unwrap()).unwrap().iter())
        .filter(|blocked| matches!(blocked.reason, BlockedReason::TooHard { .. }))
        .map(|blocked| format!("{} {}", blocked.target, blocked.reason))
        .collect();
    // In reach are the Slime Lord (4,2) and the Black Slime (6,4), both of DEF 5, and the Red Slime (5,3) of DEF 1.
    assert_eq!(reasons, ["(4,2) hero ATK 5 ≤ monster DEF 5", "(6,4) hero ATK 5 ≤ monster DEF 5"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, ..ProptestConfig::default() })]

    /// Whatever is played: actions are numbered in order, each is accepted and changes one thing, the region only
    /// grows, quantities stay in range, and an ended game has no action.
    #[test]
    fn play_keeps_its_invariants(
        tower in crate::towers::tower(crate::towers::Kind { floors: 2, rows: 3, shop: true, abilities: true, vampire: true }),
        items in crate::towers::item_mode(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 20),
    ) {
        let game = Game::new(tower, items).unwrap();
        let mut state = game.start().unwrap();
        for choice in choices {
            let actions = game.actions(&state).unwrap();
            if state.end.is_some() {
                prop_assert!(actions.is_empty() && game.blocked(&state).unwrap().is_empty());
                break;
            }
            prop_assert!(actions.iter().any(|action| !action.is_lethal()), "a game that goes on has a way on");
            prop_assert!(actions.windows(2).all(|pair| pair[0].target <= pair[1].target));
            let action = choice.get(&actions);
            let step = game.apply(&state, action).unwrap();
            let next = step.state;
            prop_assert!(state.region.iter().all(|cell| next.region.contains(cell)));
            prop_assert_eq!(next.turn, state.turn + 1);
            let gone = next.cleared.len() - state.cleared.len();
            match action.kind {
                ActionKind::Buy { .. } => prop_assert_eq!(gone, 0),
                _ if action.is_lethal() => prop_assert_eq!((gone, next.end, next.hero.hp), (0, Some(End::Dead), 0)),
                _ => prop_assert_eq!(gone, 1 + step.collected.len()),
            }
            let keys = next.hero.keys;
            prop_assert!([keys.yellow, keys.blue, keys.red, keys.green, next.hero.gold].iter().all(|count| *count >= 0));
            prop_assert!(next.hero.hp > 0 || next.end == Some(End::Dead));
            state = next;
        }
    }
}

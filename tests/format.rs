//! Files of floors, from outside: what is shipped can be read, what is written can be read again, and nothing that
//! somebody may put into a file makes a reader panic.

use std::fs;
use std::path::{Path, PathBuf};

use mota::format::name::is_table;
use mota::format::{parse_tower, read_tower, write_native, write_published};
use mota::game::{
    Abilities, Ability, Blueprint, Colour, Floor, Gem, Hero, Item, ItemValues, Keys, Monster, Origin, Position, Potion,
    Ratio, RuleSet, Rules, Shop, StairWay, Tile, Tower,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

mod parts;

fn floors() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("floors");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml") && !is_table(path));
    paths.sort();
    paths
}

#[test]
fn the_fixed_floors_are_read_and_converted_without_loss() {
    let paths = floors();
    assert!(paths.len() >= 6);
    for path in paths {
        let tower = read_tower(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(tower.name.as_str()));
        assert_eq!(parse_tower("other.toml", &write_native(&tower)).as_ref().ok(), Some(&tower));
        let published = write_published(&tower).unwrap();
        let back = parse_tower(&format!("{}.txt", tower.name), &published).unwrap();
        assert_eq!(back, without_names(&tower));
    }
}

/// What is left of a tower in the published format.
fn without_names(tower: &Tower) -> Tower {
    let mut bare = tower.clone();
    bare.title.clone_from(&bare.name);
    (bare.note, bare.mechanism, bare.origin) = (None, None, None);
    for monster in &mut bare.monsters {
        monster.name = mota::format::legend::monster_name(&monster.symbol);
    }
    for floor in &mut bare.floors {
        floor.name.clear();
    }
    bare.blueprint = Blueprint::default();
    bare
}

fn quantity() -> impl Strategy<Value = i64> {
    prop_oneof![4 => 0..200_i64, 1 => Just(i64::MAX), 1 => 0..i64::MAX]
}

fn ratio() -> impl Strategy<Value = Ratio> {
    (0..1_000_000_i64, 0..6_u32).prop_filter_map("a ratio", |(n, digits)| Ratio::new(n, 10_i64.pow(digits)))
}

fn ability() -> impl Strategy<Value = Ability> {
    prop_oneof![
        select(Ability::PLAIN.to_vec()),
        (1..i64::MAX).prop_map(|n| Ability::NStrike { n }),
        ratio().prop_map(|ratio| Ability::BreakArmour { ratio }),
        ratio().prop_map(|ratio| Ability::CounterAttack { ratio }),
        ratio().prop_map(|ratio| Ability::Purify { ratio }),
        (ratio(), any::<bool>()).prop_map(|(ratio, add)| Ability::Vampire { ratio, add }),
        quantity().prop_map(|damage| Ability::FixedDamage { damage }),
    ]
}

fn abilities(rules: RuleSet) -> BoxedStrategy<Abilities> {
    let most = if rules == RuleSet::Solver { 1 } else { 4 };
    vec(ability(), 0..=most)
        .prop_map(|list| list.into_iter().collect::<Abilities>())
        .prop_filter("an ability that the rules have", move |set| {
            Rules { set: rules, ..Rules::default() }.objection(set).is_none()
        })
        .boxed()
}

fn monster(symbol: String, rules: RuleSet) -> impl Strategy<Value = Monster> {
    (any::<String>(), 1..=i64::MAX, quantity(), quantity(), quantity(), quantity(), abilities(rules)).prop_map(
        move |(name, hp, atk, def, gold, experience, abilities)| {
            let boss = symbol == "B";
            Monster { symbol: symbol.clone(), name, hp, atk, def, gold, experience, abilities, boss }
        },
    )
}

fn tile(monsters: u16) -> impl Strategy<Value = Tile> {
    let colours = || select(Colour::ALL.to_vec());
    prop_oneof![
        6 => Just(Tile::Floor),
        3 => Just(Tile::Wall),
        1 => colours().prop_map(Tile::Door),
        1 => colours().prop_map(|colour| Tile::Item(Item::Key(colour))),
        1 => select(vec![Gem::Red, Gem::Blue, Gem::Green]).prop_map(|gem| Tile::Item(Item::Gem(gem))),
        1 => select(vec![Potion::Red, Potion::Blue, Potion::Yellow, Potion::Green])
            .prop_map(|potion| Tile::Item(Item::Potion(potion))),
        1 => select(vec![Item::Sword, Item::Shield]).prop_map(Tile::Item),
        1 => select(vec![StairWay::Up, StairWay::Down]).prop_map(Tile::Stair),
        1 => Just(Tile::Shop),
        3 => (1..=monsters).prop_map(Tile::Monster),
    ]
}

fn rows() -> impl Strategy<Value = Vec<Vec<Tile>>> {
    (1..6_usize, 1..6_usize).prop_flat_map(|(width, height)| vec(vec(tile(12), width), height))
}

fn items() -> impl Strategy<Value = ItemValues> {
    proptest::array::uniform9(quantity()).prop_map(|v| ItemValues {
        red_gem: v[0],
        blue_gem: v[1],
        green_gem: v[2],
        red_potion: v[3],
        blue_potion: v[4],
        yellow_potion: v[5],
        green_potion: v[6],
        sword: v[7],
        shield: v[8],
    })
}

fn hero() -> impl Strategy<Value = Hero> {
    (1..=i64::MAX, proptest::array::uniform9(quantity())).prop_map(|(hp, v)| Hero {
        hp,
        atk: v[0],
        def: v[1],
        mdef: v[2],
        gold: v[3],
        experience: v[4],
        keys: Keys { yellow: v[5], blue: v[6], red: v[7], green: v[8] },
        ..Hero::default()
    })
}

prop_compose! {
    /// A tower that can be written: every field takes any value that is valid.
    fn tower()(rules in select(RuleSet::ALL.to_vec()))(
        rules in Just(rules),
        negative_damage in any::<bool>(),
        names in ("[a-zA-Z0-9_-]{1,20}", any::<String>(), any::<Option<String>>(), any::<Option<String>>()),
        origin in any::<Option<(String, Option<String>, Option<u32>)>>(),
        floor_names in vec(any::<String>(), 3),
        hero in hero(),
        items in items(),
        boss in monster("B".to_owned(), rules),
        others in (1..=12_u8).map(|n| monster(n.to_string(), rules).boxed()).collect::<Vec<_>>(),
        shop in (1..200_i64, proptest::array::uniform5(quantity())),
        maps in vec(rows(), 1..=3),
        ends in vec((any::<Index>(), any::<Index>()), 0..4),
        explicit in any::<bool>(),
        on_stair in any::<bool>(),
        parts in parts::parts(),
    ) -> Tower {
        let mut maps = maps;
        // The last row of the first floor and a new one hold what every tower has: the hero's start and the boss.
        let width = maps[0][0].len();
        maps[0].push(vec![Tile::Monster(0); 1].into_iter().chain(vec![Tile::Wall; width - 1]).collect());
        maps[0].push(vec![if on_stair { Tile::Stair(StairWay::Up) } else { Tile::Floor }; width]);
        let start = Position::new(0, 0, maps[0].len() as u16 - 1);
        let floors: Vec<Floor> = maps.into_iter().zip(floor_names)
            .map(|(rows, name)| Floor::from_rows(name, rows).unwrap()).collect();
        let mut tower = Tower {
            name: names.0, title: names.1, note: names.2, mechanism: names.3,
            origin: origin.map(|(command, random, optimum)| Origin {
                command, random, optimum: optimum.map(|optimum| i64::from(optimum) + 1),
            }),
            rules: Rules { set: rules, negative_damage: negative_damage && rules == RuleSet::H5mota, hatred: 0 },
            hero, start, items,
            monsters: std::iter::once(boss).chain(others).collect(),
            shop: Some(Shop {
                first_price: shop.0, price_step: shop.1[0], hp: shop.1[1], atk: shop.1[2], def: shop.1[3], mdef: shop.1[4],
            }),
            stairs: Tower::stairs_by_rule(&floors),
            floors,
            ..Tower::default()
        };
        if explicit {
            let stairs: Vec<Position> = tower.tiles()
                .filter(|(_, tile)| matches!(tile, Tile::Stair(_))).map(|(at, _)| at).collect();
            let pairs = ends.iter().filter(|_| !stairs.is_empty());
            tower.stairs = pairs.map(|(at, to)| (*at.get(&stairs), *to.get(&stairs))).collect();
            tower.stairs.sort_by_key(|(at, _)| at.floor);
        }
        tower.blueprint = parts.of(&tower);
        tower
    }
}

proptest! {
    #[test]
    fn a_tower_written_natively_is_read_back(tower in tower()) {
        prop_assert_eq!(tower.validate(), Ok(()));
        let text = write_native(&tower);
        let back = parse_tower("other.toml", &text);
        prop_assert!(back.is_ok(), "{}\n{}", text, back.unwrap_err());
        let back = back.unwrap();
        prop_assert_eq!(write_native(&back), text);
        prop_assert_eq!(back, tower);
    }

    #[test]
    fn a_tower_in_the_published_format_is_read_back_or_refused(tower in tower()) {
        if let Ok(text) = write_published(&tower) {
            let back = parse_tower(&format!("{}.txt", tower.name), &text).map_err(|error| error.to_string());
            prop_assert_eq!(back, Ok(without_names(&tower)));
        }
        let mut plain = tower;
        plain.rules = Rules::default();
        plain.hero.keys.green = 0;
        plain.hero.experience = 0;
        plain.stairs = Tower::stairs_by_rule(&plain.floors[..1]);
        plain.floors.truncate(1);
        for (monster, ability) in plain.monsters.iter_mut().zip(Ability::PLAIN.into_iter().cycle()) {
            monster.experience = 0;
            monster.abilities = [ability].into_iter().collect();
        }
        let text = write_published(&plain).map_err(|error| error.to_string());
        prop_assert!(text.is_ok(), "{:?}", text);
        let text = text.unwrap();
        let back = parse_tower(&format!("{}.txt", plain.name), &text).map_err(|error| error.to_string());
        prop_assert_eq!(back.as_ref(), Ok(&without_names(&plain)));
        prop_assert_eq!(write_published(&back.unwrap()), Ok(text));
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>(), published in "[-+0-9 \t\r\n.a]{0,200}") {
        check(&text);
        check(&published);
        check(&format!("[hero]\nhp = 1\n{text}"));
        check(&format!("[[floor]]\nmap = \"\"\"{text}\"\"\"\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_spoilt_file_is_read_or_refused(
        which in any::<Index>(),
        published in any::<bool>(),
        edits in vec((any::<Index>(), 0..20_usize, prop_oneof![
            select(vec!["", "\"", "\"\"\"", "[", "]", "\n", "-1", "0", "99999999999999999999", " ", "@", "B", "$", "塔", "=", "{", "\\"])
                .prop_map(str::to_owned),
            any::<String>(),
        ]), 1..4),
    ) {
        let paths = floors();
        let tower = read_tower(&paths[which.index(paths.len())]).unwrap();
        let mut text = if published { write_published(&tower).unwrap() } else { write_native(&tower) };
        for (at, length, insert) in edits {
            let boundaries: Vec<usize> = text.char_indices().map(|(start, _)| start).chain([text.len()]).collect();
            let first = at.index(boundaries.len());
            let (start, end) = (boundaries[first], boundaries[(first + length).min(boundaries.len() - 1)]);
            text.replace_range(start..end, &insert);
        }
        check(&text);
    }
}

/// Reads a text; prints what is wrong with it, if anything is, the way people see it.
fn check(text: &str) {
    let Err(problems) = parse_tower("any.toml", text) else { return };
    let plain = problems.to_string();
    assert!(plain.lines().count() >= 1 && plain.lines().all(|line| line.starts_with("any.toml")), "{plain}");
    for problem in problems.problems.iter().filter(|problem| problem.span.is_some()) {
        let (line, column) = problems.line_column(problem).unwrap();
        assert!(line <= text.split('\n').count() && column >= 1);
    }
    let mut rendered = String::new();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor());
    handler.render_report(&mut rendered, &problems).unwrap();
    assert!(!rendered.contains("Failed to read"), "{rendered}");
}

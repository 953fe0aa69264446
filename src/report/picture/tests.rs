//! What pictures show, and that all of it can be read.

mod ways;

use std::collections::BTreeSet;

use resvg::tiny_skia::{Pixmap, Transform};

use super::glyph::{self, Glyph, TILE};
use super::*;
use crate::format::{legend, parse_tower};
use crate::game::{
    Barrier, Event, Floor, Gate, Hero, Item, ItemMode, Keys, Passage, Position, StairWay, Thing, Tile, Tower, Trigger,
};
use crate::report::ink::{assert_whole_and_apart, texts};
use crate::report::png;

/// Every kind of tile, on three floors.
const KEEP: &str = include_str!("tests/keep.toml");

fn game(text: &str) -> Game {
    Game::new(parse_tower("floor.toml", text).unwrap(), ItemMode::Auto).unwrap()
}

fn fixed(name: &str) -> Game {
    let path = format!("{}/floors/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    game(&std::fs::read_to_string(path).unwrap())
}

/// A floor of open tiles, the hero at the top left, the boss at the bottom right.
fn open(width: usize, height: usize) -> Game {
    let mut rows = vec![vec!["."; width]; height];
    rows[0][0] = "@";
    rows[height - 1][width - 1] = "B";
    let map: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
    game(&format!(
        "[hero]\nhp = 9\natk = 9\ndef = 9\n[monsters.B]\nhp = 1\natk = 1\ndef = 1\n[[floor]]\nmap = '''\n{}\n'''\n",
        map.join("\n")
    ))
}

fn marks(written: &[&str]) -> Vec<Mark> {
    written.iter().map(|mark| mark.parse().unwrap()).collect()
}

fn draw(game: &Game, after: &[&str], written: &[&str], legend: bool) -> String {
    let state = after.iter().fold(game.start().unwrap(), |state, at| {
        let action = game.action_at(&state, at.parse().unwrap()).unwrap();
        game.apply(&state, &action).unwrap().state
    });
    Picture { game, state: &state, marks: &marks(written), legend, floor: None }.svg().unwrap()
}

fn refused(game: &Game, written: &[&str]) -> String {
    let state = game.start().unwrap();
    Picture { game, state: &state, marks: &marks(written), legend: false, floor: None }.svg().unwrap_err().to_string()
}

fn words(svg: &str) -> String {
    texts(svg).into_iter().map(|(text, _)| text).collect::<Vec<_>>().join(" | ")
}

#[test]
fn marks_legend_and_note_are_those_of_the_floor() {
    let svg = draw(&fixed("simple"), &["5,3"], &["7,0=waste", "5,3", "5,4"], true);
    insta::assert_snapshot!(words(&svg), @"Simple floor | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 1 | 4 | 4 | 3 | 5 | 3 | 1 | 3 | 2 | 4 | 5 | 4 | B | 2 | 3 | 1 | (1) | yellow door (7,0): waste | (2) | hero (5,3) | (3) | open floor (5,4) | hero | HP 414, ATK 9, DEF 4, 1 | yellow key | wall | never passable | yellow door | opened by one yellow key | yellow key | +1 yellow key | red gem | +1 ATK | blue gem | +1 DEF | red potion | +75 HP | blue potion | +200 HP | 1 | Green Slime | HP 50, ATK 7, DEF 3 | 2 | Red Slime | HP 70, ATK 11, DEF 1 | 3 | Black Slime | HP 45, ATK 5, DEF 5 | magic attack: its strikes | ignore the hero's DEF | 4 | Slime Lord | HP 80, ATK 10, DEF 5 | 5 | Bat | HP 100, ATK 17, DEF 2 | B | Boss | HP 50, ATK 20, DEF 12 | defeating it wins");
    insta::assert_snapshot!(words(&draw(&game(KEEP), &[], &["2:2,0=the end."], false)), @"A keep with <everything> & more | Floor 0 Cellar | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 0 | 1 | 2 | Floor 1… | 0 | 1 | 0 | Floor 2 | 0 | 1 | 2 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 10 | 12… | A | A | B | B | B | 1 | (1) | Boss (2:2,0): the end. | A | stairs: Cellar (11,2) – A hall with a name that is much t… | B | stairs: A hall with a name that is much too long for wh… | Note: made up, and nothing played on it says anything of any other | tower.");
}

#[test]
fn what_is_gone_is_drawn_as_floor_and_the_hero_where_he_stands() {
    let simple = fixed("simple");
    let [before, after] = [&[] as &[&str], &["5,3"]].map(|after| draw(&simple, after, &[], false));
    let count = |svg: &str| ["slime-red", "badge-2", "hero"].map(|name| svg.matches(&format!("#{name}\"")).count());
    assert_eq!((count(&before), count(&after)), ([2, 2, 1], [1, 1, 1]));
    let hero = |svg: &str| svg.lines().find(|line| line.contains("#hero")).unwrap().to_owned();
    assert_ne!(hero(&before), hero(&after));
}

#[test]
fn a_hero_who_dies_lies_beside_what_killed_him() {
    let game = game(&KEEP.replace("hp = 500", "hp = 1").replace("@ Y .", "@ 2 .").replace("# k K", "Y k K"));
    let svg = draw(&game, &["1,0"], &["1,0"], false);
    assert!(svg.contains("scale(0.6)") && svg.contains(">Red Slime (1,0)<"), "{}", words(&svg));
}

#[test]
fn all_text_shows_whole_and_apart() {
    let crowd: Vec<String> =
        (0..12).map(|x| format!("{x},2=a rather long text that says what is so special here")).collect();
    let crowd: Vec<&str> = crowd.iter().map(String::as_str).collect();
    let many = ["10,0"; 105];
    let (keep, corner) = (game(KEEP), open(3, 3));
    for (name, game, written) in [
        ("keep", &keep, &[] as &[&str]),
        ("crowd", &keep, &crowd),
        ("many", &keep, &many),
        (
            "neighbours",
            &keep,
            &["0,0", "1,0", "0,1", "1,1", "8,0", "9,0", "8,1", "9,1", "9,0", "9,0", "5,2", "4,2", "4,2"],
        ),
        ("hundreds", &keep, &[["10,0"; 99].as_slice(), &["8,0", "9,0", "10,0", "9,1", "5,2", "5,2"]].concat()),
        ("corners", &corner, &["0,0", "2,0", "0,2", "2,2", "0,0", "2,0", "0,2", "2,2", "0,0", "2,0", "0,2", "2,2"]),
        ("tiny", &open(2, 1), &["1,0=abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789"]),
        ("wide", &open(123, 3), &["122,2", "121,2"]),
        ("tall", &open(2, 123), &[]),
        ("complex", &fixed("complex"), &["8,7=opened early", "11,8=the decision that lost most episodes"]),
    ] {
        for legend in [false, true] {
            let svg = draw(game, &[], written, legend);
            assert_whole_and_apart(&svg, name);
            let shown = texts(&svg).len();
            let placed = svg.matches("href=\"#badge-").count();
            let defined = svg.matches("<g id=\"badge-").count();
            assert_eq!(shown, svg.matches("<text").count() + placed - defined, "{name}: text without glyphs");
        }
    }
}

#[test]
fn tiles_of_large_maps_are_numbered_by_fives() {
    let shown = words(&draw(&open(41, 2), &[], &[], false));
    assert!(shown.contains("35 | 40 | 0 | 1 |") && !shown.contains("36"), "{shown}");
    assert!(words(&draw(&open(40, 2), &[], &[], false)).contains("36"));
}

#[test]
fn the_same_state_gives_the_same_bytes_and_every_shape_is_defined_once() {
    let keep = game(KEEP);
    let svg = draw(&keep, &[], &["0,0", "2:1,0=x"], true);
    assert_eq!(svg, draw(&keep, &[], &["0,0", "2:1,0=x"], true));
    let names = |before: &str| -> Vec<String> {
        svg.split(before).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let (defined, used) = (names("<g id=\""), names("href=\"#"));
    assert_eq!(defined.iter().collect::<BTreeSet<_>>(), used.iter().collect());
    assert_eq!(defined.len(), defined.iter().collect::<BTreeSet<_>>().len());
    let picture = draw(&fixed("complex"), &[], &[], false);
    assert!(picture.len() < 25_000, "{} bytes", picture.len());
}

/// So the kept figures outlive a change of a monster table.
#[test]
fn without_a_legend_a_picture_shows_no_quantity() {
    let (keep, other) = (game(KEEP), game(&KEEP.replace("hp = 10\n", "hp = 11\n").replace("atk = 12", "atk = 13")));
    assert_eq!(draw(&keep, &[], &["8,0"], false), draw(&other, &[], &["8,0"], false));
    assert_ne!(draw(&keep, &[], &["8,0"], true), draw(&other, &[], &["8,0"], true));
}

#[test]
fn what_is_to_be_seen_is_also_said() {
    let svg = draw(&game(KEEP), &[], &["7,0=\"why\" <not>", "2:2,0"], false);
    let start = svg.find("<title>").unwrap();
    insta::assert_snapshot!(&svg[start..svg.find("<defs>").unwrap()], @r"
    <title>A keep with &lt;everything&gt; &amp; more</title>
    <desc>3 floors; the hero stands at (0,0). On the map: wall ×1, yellow door ×1, blue door ×1, red door ×1, green door ×1, stairs up ×2, stairs down ×2, shop ×1, yellow key ×1, blue key ×1, red key ×1, green key ×1, red gem ×1, blue gem ×1, green gem ×1, red potion ×1, blue potion ×1, yellow potion ×1, green potion ×1, sword ×1, shield ×1, Green Slime ×1, Red Slime ×1, Black Slime ×1, Slime Lord ×1, Bat ×1, Big Bat ×1, Red Bat ×1, An eye with a name that no column of any legend has room for ×1, Red Mage ×1, Slime ×1, Boss ×1. A: stairs: Cellar (11,2) – A hall with a name that is much too long for what is drawn below it (0,0). B: stairs: A hall with a name that is much too long for what is drawn below it (1,0) – floor 2 (0,0). (1) green door (7,0): &quot;why&quot; &lt;not&gt;. (2) Boss (2:2,0).</desc>
    ");
    assert!(svg.contains(r#"role="img""#));
}

#[test]
fn a_mark_outside_the_tower_is_refused() {
    let keep = game(KEEP);
    insta::assert_snapshot!(refused(&keep, &["0,0", "12,0"]), @"(12,0) cannot be marked: it lies outside the map, which is 12 × 3 tiles, counted from 0");
    insta::assert_snapshot!(refused(&keep, &["1:0,1"]), @"(1:0,1) cannot be marked: it lies outside the map, which is 2 × 1 tiles, counted from 0");
    insta::assert_snapshot!(refused(&keep, &["3:0,0"]), @"(3:0,0) cannot be marked: the last floor of the tower is floor 2");
}

#[test]
fn large_maps_are_drawn_and_still_larger_ones_refused() {
    assert!(draw(&open(300, 300), &[], &["299,299"], true).len() > 10_000);
    insta::assert_snapshot!(refused(&open(501, 500), &[]), @"a tower of 250500 tiles is too large for a picture, which shows at most 250000");
}

/// Luminance of a tile, pixel by pixel, when a map of 13 tiles is 400 pixels wide.
fn grey(glyphs: &[Glyph]) -> Vec<f64> {
    const SIDE: u32 = 27;
    let ground = palette::FLOOR;
    let shapes: String = glyphs.iter().map(|glyph| glyph.shape.as_str()).collect();
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{TILE}" height="{TILE}" font-family="Noto Sans"><rect width="{TILE}" height="{TILE}" fill="{ground}"/>{shapes}</svg>"#
    );
    let mut pixels = Pixmap::new(SIDE, SIDE).unwrap();
    let scale = SIDE as f32 / TILE as f32;
    resvg::render(&png::tree(&svg).unwrap(), Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let luminance =
        |[red, green, blue]: [u8; 3]| 0.299 * f64::from(red) + 0.587 * f64::from(green) + 0.114 * f64::from(blue);
    pixels.pixels().iter().map(|pixel| luminance([pixel.red(), pixel.green(), pixel.blue()])).collect()
}

/// Share of the pixels that differ clearly.
fn difference(one: &[f64], other: &[f64]) -> f64 {
    let clear = one.iter().zip(other).filter(|(one, other)| (*one - *other).abs() > 40.0).count();
    clear as f64 / one.len() as f64
}

#[test]
fn no_two_kinds_look_alike_without_colour() {
    let keep = game(KEEP);
    let state = keep.start().unwrap();
    let mut looks = vec![("floor".to_owned(), false, grey(&[])), ("hero".to_owned(), false, grey(&[hero::glyph()]))];
    for (symbol, tile, _) in legend::TILES {
        if matches!(tile, Tile::Event | Tile::Figure) {
            continue; // They have no glyphs of their own yet.
        }
        if let Some(glyph) = glyph::of_tile(&keep, tile) {
            looks.push((symbol.to_owned(), false, grey(&[glyph])));
        }
    }
    for (tile, _) in census::kinds(&keep, &state, 0..keep.graph().len() as u32) {
        if let Tile::Monster(id) = tile {
            let symbol = keep.monster(id).symbol.clone();
            looks.push((symbol.clone(), true, grey(&[glyph::of_tile(&keep, tile).unwrap(), badge::symbol(&symbol)])));
        }
    }
    assert_eq!(looks.len(), 2 + 21 + 11);
    for (name, own, glyph) in [
        ("gate", Some("D1"), own::gate()),
        ("thing", Some("i1"), own::thing()),
        ("event", None, own::event()),
        ("figure", None, own::figure()),
        ("passage", None, own::passage()),
        ("ladder up", None, terrain::ladder(StairWay::Up)),
        ("ladder down", None, terrain::ladder(StairWay::Down)),
    ] {
        looks.retain(|(known, ..)| !matches!(known.as_str(), "!" | "N"));
        let badge = own.map(badge::symbol);
        looks.push((name.to_owned(), false, grey(&[Some(glyph), badge].into_iter().flatten().collect::<Vec<_>>())));
    }
    for (index, (name, is_monster, look)) in looks.iter().enumerate() {
        for (other, other_is_monster, other_look) in &looks[..index] {
            // Monsters of a family have the same outline; it is the badge that tells them apart.
            let least = if *is_monster && *other_is_monster { 0.02 } else { 0.06 };
            let difference = difference(look, other_look);
            assert!(difference >= least, "{name} and {other}: {difference:.3}");
        }
    }
}

/// Otherwise the test above would prove nothing.
#[test]
fn another_colour_alone_makes_no_other_look() {
    let door = terrain::door(crate::game::Colour::Red);
    let green = Glyph::new("door", door.shape.replace(palette::RED, palette::GREEN));
    assert_ne!(door.shape, green.shape);
    assert!(difference(&grey(&[door]), &grey(&[green])) < 0.02);
    let keep = game(KEEP);
    let slime = |id| grey(&[monster::glyph(keep.monster(id))]);
    assert!(difference(&slime(0), &slime(1)) < 0.02, "without their badges");
}

/// A tower with gates, things, events, a figure, a passage and barriers of its own.
fn own() -> Game {
    let tower = parse_tower("keep.toml", KEEP).unwrap();
    let thing = |symbol: &str, name: &str, hp| Thing {
        symbol: symbol.into(),
        name: name.into(),
        gain: Hero { hp, ..Hero::default() },
        tools: Vec::new(),
        script: Vec::new(),
    };
    let gate = |symbol: &str, name: &str, by_event| Gate {
        symbol: symbol.into(),
        name: name.into(),
        keys: Keys { yellow: 2, ..Keys::default() },
        tools: Vec::new(),
        by_event,
    };
    let event = |x, y, title: &str| Event {
        at: Position::new(0, x, y),
        trigger: Trigger::Step,
        title: title.into(),
        hidden: false,
        script: Vec::new(),
    };
    let rows = vec![
        vec![
            Tile::Floor,
            Tile::Event,
            Tile::Figure,
            Tile::Wall,
            Tile::Item(Item::Thing(0)),
            Tile::Item(Item::Thing(1)),
        ],
        vec![Tile::Floor, Tile::Wall, Tile::Wall, Tile::Wall, Tile::Gate(0), Tile::Gate(1)],
        vec![Tile::Floor, Tile::Floor, Tile::Floor, Tile::Floor, Tile::Monster(0), Tile::Floor],
    ];
    let at = |x, y| Position::new(0, x, y);
    let barrier = |from: (u16, u16), to: (u16, u16)| Barrier { from: at(from.0, from.1), to: at(to.0, to.1) };
    let tower = Tower {
        floors: [vec![Floor::from_rows("Cellar".into(), rows).unwrap()], tower.floors[1..].to_vec()].concat(),
        stairs: Vec::new(),
        things: vec![thing("i1", "Pickaxe", 0), thing("i2", "Holy water", 400)],
        gates: vec![gate("D1", "Iron door", false), gate("D12", "Sealed door", true)],
        events: vec![event(1, 0, "A chest with a riddle"), event(2, 0, "Old man")],
        passages: vec![Passage { from: at(3, 2), to: at(5, 2) }],
        barriers: vec![
            barrier((0, 1), (0, 0)),
            barrier((1, 2), (2, 2)),
            barrier((0, 2), (0, 1)),
            barrier((2, 2), (1, 2)),
        ],
        ..tower
    };
    Game::new(tower, ItemMode::Auto).unwrap()
}

#[test]
fn what_a_tower_has_of_its_own_is_drawn_and_explained() {
    let game = own();
    let state = game.untouched();
    let marked = marks(&["2,0=talk"]);
    let of = |floor| Picture { game: &game, state: &state, marks: &marked, legend: true, floor };
    let svg = of(Some(0)).svg().unwrap();
    assert_whole_and_apart(&svg, "own");
    insta::assert_snapshot!(words(&svg));
    // What is on other floors is not explained.
    assert!(!words(&svg).contains("Boss") && words(&of(None).svg().unwrap()).contains("Boss"));
    insta::assert_snapshot!(of(Some(1)).svg().unwrap_err().to_string());
    insta::assert_snapshot!(of(Some(7)).svg().unwrap_err().to_string());
}

#[test]
fn a_mark_leaves_the_middle_of_its_tile_as_it_was() {
    let simple = fixed("simple");
    let picture = |written: &[&str]| {
        let tree = png::tree(&draw(&simple, &[], written, false)).unwrap();
        let mut pixels = Pixmap::new(300, 300).unwrap();
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels
    };
    let (plain, marked) = (picture(&[]), picture(&["2,1"]));
    let state = simple.start().unwrap();
    let gutter = Panel::of(&simple, &state, 0).size();
    let [left, top] = [gutter.0 - 11.0 * TILE + MARGIN + 2.0 * TILE, gutter.1 - 11.0 * TILE + MARGIN + HEADING + TILE];
    let at = |picture: &Pixmap, x: u32, y: u32| picture.pixel(left as u32 + x, top as u32 + y).unwrap();
    let changed = |from: u32, to: u32| {
        let all = (from..to).flat_map(|x| (from..to).map(move |y| (x, y)));
        all.filter(|(x, y)| at(&plain, *x, *y) != at(&marked, *x, *y)).count()
    };
    assert!(changed(0, 32) > 200);
    assert_eq!(changed(12, 28), 0);
}

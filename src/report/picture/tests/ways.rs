//! How pictures join the floors of a tower and name its rooms.

use super::*;

/// Stairs, a ladder, a quick exit and rooms.
const VAULTS: &str = include_str!("vaults.toml");

fn vaults(floor: Option<u16>, written: &[&str]) -> String {
    let game = game(VAULTS);
    let state = game.untouched();
    Picture { game: &game, state: &state, marks: &marks(written), legend: true, floor }.svg().unwrap()
}

/// So many floors, each joined to the next by a pair of stairs.
fn high(floors: usize) -> String {
    let mut text = "[hero]\nhp = 9\natk = 9\ndef = 9\n[monsters.B]\nhp = 1\natk = 1\ndef = 1\n".to_owned();
    for floor in 0..floors {
        let row = match floor {
            0 => "@ . ^",
            last if last + 1 == floors => "v . B",
            _ => "v . ^",
        };
        text += &format!("[[floor]]\nmap = '''\n{row}\n'''\n");
    }
    let game = game(&text);
    let state = game.untouched();
    Picture { game: &game, state: &state, marks: &[], legend: false, floor: None }.svg().unwrap()
}

/// Where a shape is placed, as it is written.
fn places(svg: &str, shape: &str) -> Vec<String> {
    let before = format!("<use href=\"#{shape}\" ");
    svg.lines().filter_map(|line| Some(line.strip_prefix(&before)?.to_owned())).collect()
}

/// The lines between floors, with their rims.
fn curves(svg: &str) -> Vec<&str> {
    let is_curve = |line: &&str| line.strip_prefix("<path d=\"M").is_some_and(|rest| rest.contains('C'));
    svg.lines().filter(is_curve).collect()
}

#[test]
fn a_sheet_says_what_joins_its_floors_and_names_rooms() {
    let svg = vaults(None, &[]);
    assert_whole_and_apart(&svg, "vaults");
    insta::assert_snapshot!(words(&svg));
    let start = svg.find("<desc>").unwrap();
    insta::assert_snapshot!(&svg[start..svg.find("<defs>").unwrap()]);
    insta::assert_snapshot!(words(&vaults(Some(1), &["1:7,1=the way back"])));
}

#[test]
fn both_ends_of_a_pair_bear_its_letter_and_look_like_what_they_are() {
    let svg = vaults(None, &[]);
    for (letter, kind) in [("A", "stairs"), ("B", "ladder"), ("C", "ladder")] {
        let bearing = places(&svg, &format!("badge-way-{letter}"));
        let [first, second, key] = bearing.as_slice() else { panic!("{letter}: {bearing:?}") };
        assert!(places(&svg, &format!("{kind}-down")).contains(first), "{letter}");
        assert!(places(&svg, &format!("{kind}-up")).contains(second), "{letter}");
        assert_ne!(key, second);
    }
    // Each once more in the legend.
    assert_eq!([places(&svg, "stairs-up").len(), places(&svg, "ladder-up").len()], [2, 3]);
}

#[test]
fn lines_differ_by_their_dashes_and_lie_between_walls_and_things() {
    let svg = vaults(None, &[]);
    let lines: Vec<&str> = curves(&svg).into_iter().filter(|line| !line.contains("#fff")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines.iter().filter(|line| !line.contains("dasharray")).count(), 1);
    for dash in ["9 5", "2.5 3.5"] {
        assert_eq!(lines.iter().filter(|line| line.contains(&format!("dasharray=\"{dash}\""))).count(), 1, "{dash}");
    }
    let of = |text: &str| svg.match_indices(text).map(|(at, _)| at).collect::<Vec<_>>();
    let drawn: Vec<usize> = lines.iter().flat_map(|line| of(line)).collect();
    let things = ["#stairs-up\" x", "#ladder-up\" x", "#hero\" x", "#badge-B\" x"].iter().flat_map(|name| of(name));
    assert!(of("#wall\" x").iter().max() < drawn.iter().min());
    assert!(drawn.iter().max() < things.min().as_ref());
}

#[test]
fn many_pairs_have_letters_and_no_lines() {
    let (few, many) = (high(13), high(14));
    assert_eq!((curves(&few).len(), curves(&many).len()), (2 * 12, 0));
    for letter in ["A", "L", "M"] {
        let named = |svg| places(svg, &format!("badge-way-{letter}")).len();
        assert_eq!((named(&few), named(&many)), (if letter == "M" { 0 } else { 3 }, 3), "{letter}");
    }
    assert_whole_and_apart(&high(40), "high");
    assert_eq!(places(&high(40), "badge-way-AM").len(), 3);
}

#[test]
fn one_floor_of_a_tower_has_the_letters_of_the_whole() {
    let svg = vaults(Some(1), &["1:7,1=the way back", "1:7,1"]);
    assert_whole_and_apart(&svg, "one floor");
    assert!(curves(&svg).is_empty());
    assert_eq!(["A", "B", "C"].map(|letter| places(&svg, &format!("badge-way-{letter}")).len()), [2, 2, 2]);
}

#[test]
fn a_stage_shows_ladders_as_such() {
    let stages = stage::stages(&game(VAULTS)).unwrap();
    let ladders = |name: &str| stages.iter().map(|stage| places(&stage.svg, name).len()).collect::<Vec<_>>();
    assert_eq!((ladders("ladder-down"), ladders("ladder-up")), (vec![2, 0], vec![0, 2]));
}

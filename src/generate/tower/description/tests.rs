//! Descriptions as files, and what is wrong with them.

use proptest::prelude::*;

use super::super::kind::Kinds;
use super::*;

const SMALL: &str = r#"name = "small"

[[floor]]
[[floor.room]]
name = "Landing"
[[floor.room]]
name = "Forge"
size = [3, 2]
[[floor.link]]
from = "Landing"
to = "Forge"
[[floor.place]]
room = "Forge"
what = "red gem"
at = [2, 1]

[[floor]]
[[floor.room]]
name = "Cellar"
[[floor.room]]
name = "Vault"
[[floor.link]]
from = "Cellar"
to = "Vault"
"#;

#[test]
fn little_need_be_said() {
    let small = Description::read(SMALL, "small.toml").unwrap();
    assert_eq!((small.difficulty, small.descends, &small.population), (2, false, &Population::default()));
    let [first, second] = small.floors.as_slice() else { panic!("two floors") };
    assert_eq!((first.rooms[0].size, first.rooms[0].height, second.links.len()), ([4, 3], 2, 1));
    assert_eq!(first.links[0].kind, LinkKind::Corridor);
    let written = small.to_toml().unwrap();
    assert_eq!(Description::read(&written, "small.toml"), Ok(small));
    insta::assert_snapshot!(written, @r#"
    name = "small"
    descends = false
    difficulty = 2

    [population]
    seed = 0
    squares = 8
    least = 0
    most = 3
    empty = []

    [[floor]]

    [[floor.room]]
    name = "Landing"
    size = [4, 3]
    height = 2

    [[floor.room]]
    name = "Forge"
    size = [3, 2]
    height = 2

    [[floor.link]]
    from = "Landing"
    to = "Forge"
    kind = "corridor"

    [[floor.place]]
    room = "Forge"
    what = "red gem"
    at = [2, 1]

    [[floor]]

    [[floor.room]]
    name = "Cellar"
    size = [4, 3]
    height = 2

    [[floor.room]]
    name = "Vault"
    size = [4, 3]
    height = 2

    [[floor.link]]
    from = "Cellar"
    to = "Vault"
    kind = "corridor"
    "#);
}

#[test]
fn what_is_wrong_is_told() {
    let mut told = Vec::new();
    for (from, to) in [
        ("name = \"small\"", "name = \"two words\""),
        ("name = \"small\"", "name = \"small\"\ntitle = \"\""),
        ("name = \"small\"", "name = \"small\"\ndifficulty = 6"),
        ("name = \"small\"", "name = \"small\"\noptimum = [9, 1]"),
        ("name = \"small\"", "name = \"small\"\ncycle = \"fire\""),
        ("name = \"small\"", "name = \"small\"\ncolour = \"red\""),
        ("\"Forge\"\nsize", "\"Landing\"\nsize"),
        ("\"Vault\"", "\"Forge\""),
        ("\"Vault\"", "\"Vault \""),
        ("\"Vault\"", "\"Va\\u0007ult\""),
        ("[3, 2]", "[3, 13]"),
        ("[3, 2]", "[1, 3]"),
        ("[3, 2]", "[3, 2]\nheight = 0"),
        ("to = \"Forge\"", "to = \"Fogre\""),
        ("to = \"Forge\"", "to = \"Vault\""),
        ("to = \"Forge\"", "to = \"Landing\""),
        ("to = \"Forge\"", "to = \"Forge\"\ncolour = \"blue\""),
        ("to = \"Forge\"", "to = \"Forge\"\n[[floor.link]]\nfrom = \"Forge\"\nto = \"Landing\""),
        ("[[floor.link]]\nfrom = \"Landing\"\nto = \"Forge\"\n", ""),
        ("room = \"Forge\"", "room = \"Vault\""),
        ("\"red gem\"", "\"red gems key\""),
        ("\"red gem\"", "\"greed gem\""),
        ("at = [2, 1]", "at = [2, 2]"),
        ("at = [2, 1]", "at = [2, 1]\n[[floor.place]]\nroom = \"Forge\"\nwhat = \"plate\"\nat = [2, 1]"),
        ("[[floor]]", "[[floor]]\ngoal = \"Vault\""),
        ("name = \"small\"", "name = \"small\"\npopulation.squares = 0"),
        ("name = \"small\"", "name = \"small\"\npopulation.least = 4"),
        ("name = \"small\"", "name = \"small\"\npopulation.empty = [\"Landign\"]"),
        ("name = \"small\"", "name = \"small\"\npopulation.floors.3.bat = 1"),
        ("name = \"small\"", "name = \"small\"\npopulation.floors.1.bat = 0"),
    ] {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "{from}");
        told.push(match Description::read(&text, "small.toml") {
            Ok(_) => format!("{to}: nothing is told"),
            Err(error) => error.to_string(),
        });
    }
    told.push(Description::read("name = \"a\"\nfloor = []", "a.toml").unwrap_err().to_string());
    told.push(
        Description::read(&format!("name = \"a\"\n{}", "[[floor]]\nroom = [{ name = \"A\" }]\n".repeat(5)), "a.toml")
            .unwrap_err()
            .to_string(),
    );
    told.push(Description::read("name = \"a\"\n[[floor]]\nroom = []", "a.toml").unwrap_err().to_string());
    insta::assert_snapshot!(told.join("\n"), @r#"
    small.toml: the name `two words` cannot be used; write 1 to 80 letters (a to z), digits, `_` and `-`; use `title` for more
    small.toml: the title `` cannot be used; write 1 to 200 characters in a line, without spaces about them
    small.toml: the difficulty must be from 1 to 5, not 6
    small.toml: the optimum: 9 to 1 is no range; write the smaller number first
    small.toml: TOML parse error at line 2, column 9
      |
    2 | cycle = "fire"
      |         ^^^^^^
    unknown variant `fire`, expected one of `code`, `flood`, `lock`
    small.toml: TOML parse error at line 2, column 1
      |
    2 | colour = "red"
      | ^^^^^^
    unknown field `colour`, expected one of `name`, `title`, `descends`, `difficulty`, `cycle`, `optimum`, `population`, `floor`
    small.toml: there are two rooms `Landing`; give one of them another name, for links name rooms
    small.toml: there are two rooms `Forge`; give one of them another name, for links name rooms
    small.toml: a room's name on floor 2: `Vault ` cannot be used; write 1 to 60 characters in a line, without spaces about them
    small.toml: a room's name on floor 2: `Va�ult` cannot be used; write 1 to 60 characters in a line, without spaces about them
    small.toml: the number of rows of `Forge` must be from 2 to 12, not 13
    small.toml: the number of columns of `Forge` must be from 2 to 12, not 1
    small.toml: the height of `Forge` must be from 1 to 3, not 0
    small.toml: a link names the room `Fogre`, which is not on floor 1; is `Forge` meant?
    small.toml: a link names the room `Vault`, which is not on floor 1, but on floor 2; floors are joined by stairs, which need no link
    small.toml: floor 1: a link joins `Landing` to itself; name another room, or leave it out
    small.toml: floor 1: the link from `Landing` to `Forge` has a colour, but only doors have one; write kind = "door"
    small.toml: floor 1: two links join `Forge` and `Landing`; leave one out
    small.toml: floor 1: no links lead from `Landing` to `Forge`; add one
    small.toml: what is placed by hand names the room `Vault`, which is not on floor 1, but on floor 2; floors are joined by stairs, which need no link
    small.toml: the item `red gems key` is not known; is `red gem` meant?
    small.toml: the item `greed gem` is not known; there are: yellow key, blue key, red gem, blue gem, red potion, blue potion, sword, shield
    small.toml: `red gem` stands at [2, 2] of `Forge`, which has 3 columns and 2 rows, counted from 0
    small.toml: `red gem` and `plate` stand at one square of `Forge`; move one of them
    small.toml: the goal names the room `Vault`, which is not on floor 1, but on floor 2; floors are joined by stairs, which need no link
    small.toml: the population's `squares` must be from 1 to 1000, not 0
    small.toml: the population's `least` and `most`: 4 to 3 is no range; write the smaller number first
    small.toml: the population leaves `Landign` empty, but there is no such room; is `Landing` meant?
    small.toml: the population has weights for floor `3`; the floors are 1 to 2
    small.toml: the population's weights for floor 1 are all 0; give a monster a weight, or leave the floor out
    a.toml: the number of floors must be from 1 to 4, not 0
    a.toml: the number of floors must be from 1 to 4, not 5
    a.toml: the number of rooms of floor 1 must be from 1 to 25, not 0
    "#);
}

#[test]
fn names_of_the_tables_are_known() {
    let (kinds, monsters) = (Kinds::standard(), ["Bat", "Green Slime"]);
    let with = |from: &str, to: &str| {
        let description = Description::read(&SMALL.replacen(from, to, 1), "small.toml").unwrap();
        description.check_names(&kinds, &monsters).map_err(|error| error.to_string())
    };
    for (from, to) in
        [("red gem", "red gem"), ("red gem", "bat"), ("red gem", "plate"), ("size", "kind = \"crypt\"\nsize")]
    {
        assert_eq!(with(from, to), Ok(()), "{to}");
    }
    let mut told = Vec::new();
    for (from, to) in [
        ("size", "kind = \"krypt\"\nsize"),
        ("red gem", "bats"),
        ("red gem", "dragon"),
        ("name = \"small\"", "name = \"small\"\npopulation.boss = \"Green Slim\""),
        ("name = \"small\"", "name = \"small\"\npopulation.floors.1.Rat = 1"),
    ] {
        told.push(with(from, to).unwrap_err());
    }
    insta::assert_snapshot!(told.join("\n"), @r"
    the kind `krypt` is not known; is `crypt` meant?
    what is placed by hand, `bats` is not known; is `Bat` meant?
    what is placed by hand, `dragon` is not known; there are: yellow key, blue key, red gem, blue gem, red potion, blue potion, sword, shield, plate, Bat, Green Slime
    the monster `Green Slim` is not known; is `Green Slime` meant?
    the monster `Rat` is not known; there are: Bat, Green Slime
    ");
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof!["[A-Z][a-z' ]{0,8}[a-z]", "[^\\pC ][^\\pC]{0,6}[^\\pC ]"]
}

fn plans() -> impl Strategy<Value = FloorPlan> {
    let room = (
        names(),
        [2..=12_u16, 2..=12],
        1..=3_u8,
        prop::option::of(Just("crypt".to_owned())),
        prop_oneof![Just(String::new()), names()],
    );
    let room = room.prop_map(|(name, size, height, kind, note)| RoomPlan { name, size, kind, height, note });
    let kinds = prop::sample::select(vec![LinkKind::Door, LinkKind::Corridor, LinkKind::Narrow, LinkKind::Crawl]);
    let colour = prop::option::of(prop::sample::select(Colour::ALL.to_vec()));
    (prop::option::of(names()), prop::collection::vec((room, kinds, colour), 1..6), any::<bool>()).prop_map(
        |(name, rooms, by_hand)| {
            let mut plan = FloorPlan { name, rooms: Vec::new(), links: Vec::new(), goal: None, placed: Vec::new() };
            for (room, kind, colour) in rooms {
                if let Some(before) = plan.rooms.last().filter(|_| room.height > 0) {
                    let (from, to) = (before.name.clone(), room.name.clone());
                    plan.links.push(LinkPlan { from, to, kind, colour: colour.filter(|_| kind == LinkKind::Door) });
                }
                plan.rooms.push(room);
            }
            plan.goal = plan.rooms.last().filter(|_| by_hand).map(|room| room.name.clone());
            if by_hand {
                let room = plan.rooms[0].name.clone();
                plan.placed.push(HandPlaced { room: room.clone(), what: "sword".into(), at: Some([1, 1]) });
                plan.placed.push(HandPlaced { room, what: "plate".into(), at: None });
            }
            plan
        },
    )
}

fn descriptions() -> impl Strategy<Value = Description> {
    let cycle = prop::option::of(prop::sample::select(vec![Cycle::Code, Cycle::Flood, Cycle::Lock]));
    let optimum = prop::option::of((-5..5_i64, 5..900_i64));
    let weights = prop::option::of((names(), 1..9_u16));
    (prop::option::of(names()), any::<bool>(), 1..=5_u8, cycle, optimum, weights, prop::collection::vec(plans(), 1..4))
        .prop_map(|(title, descends, difficulty, cycle, optimum, weights, floors)| Description {
            name: "a_b-1".into(),
            title,
            descends,
            difficulty,
            cycle,
            optimum: optimum.map(|(least, most)| [least, most]),
            population: Population {
                seed: u64::from(difficulty),
                boss: weights.as_ref().map(|(name, _)| name.clone()),
                floors: weights.map(|weight| ("1".to_owned(), BTreeMap::from([weight]))).into_iter().collect(),
                ..Population::default()
            },
            floors,
        })
        .prop_filter("names are unique", |description| description.check().is_ok())
}

proptest! {
    #[test]
    fn reading_and_writing_gives_the_same(description in descriptions()) {
        let written = description.to_toml().unwrap();
        let read = Description::read(&written, "a.toml").unwrap();
        prop_assert_eq!(&read, &description);
        prop_assert_eq!(read.to_toml().unwrap(), written);
    }
}

//! A drawn tower with a lever, a plate, a tool and their gates: its values reckoned by hand, and what of changes to it is
//! refused, reason by reason.

use mota::game::{Game, ItemMode};
use mota::solver::exact::{self, Request};
use mota::solver::search::Watch;
use mota::solver::{SolveError, Values, values::DEFAULT_MEMORY};

/// A lever, the gate that it opens, a plate, a key of a kind and its gate, on the way to the boss; with places for more.
const DRAWN: &str = r#"
name = "drawn"
goal = "boss"

[hero]
hp = 100
atk = 10
def = 5

[variables]
"item:code" = 0

[items]
red_potion = 30

[monsters.1]
name = "Slime"
hp = 20
atk = 15
def = 0

[monsters.B]
name = "Boss"
hp = 40
atk = 15
def = 0

[things.i1]
name = "Tablet"
tools = { "item:code" = 1 }

[gates.D1]
name = "Flooded way"
by_event = true

[gates.D2]
name = "Gate with a code"
tools = { "item:code" = 1 }

[[floor]]
map = """
@ . ! . D1 . 1 p
. # # # #  # # #
. ! p i1 # . . B
. # # # #  . # #
. . . . D2 . # p
"""

[[floor.event]]
at = [2, 0]
title = "Sluice wheel"
do = [
  { open = [[0, 4, 0]] },
  { remove = [[0, 2, 0]] },
]

[[floor.event]]
at = [1, 2]
title = "Pressure plate"
do = [
  { set = "hp", to = "hp - 7" },
  { remove = [[0, 1, 2]] },
]
"#;

/// The drawn tower after some of its text has been replaced, in both modes of items.
fn drawn(changes: &[(&str, &str)]) -> [Game; 2] {
    let text = changes.iter().fold(DRAWN.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replacen(old, new, 1)
    });
    let tower = mota::format::parse_tower("drawn", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    [ItemMode::Auto, ItemMode::Action].map(|items| Game::new(tower.clone(), items).unwrap())
}

#[test]
fn a_drawn_tower_has_the_values_that_were_reckoned_by_hand() {
    // The plate takes 7, its potion gives 30, the boss strikes three times for 10 each; the slime costs 10 and gives 30.
    for game in drawn(&[]) {
        let values = Values::new(&game, DEFAULT_MEMORY).unwrap();
        assert_eq!(values.of(&game.start().unwrap()).unwrap(), Some(100 - 7 + 30 - 10 + 30 - 30));
    }
    // Of the exit one comes to know that what lies behind the boss is collected; not where that is an action.
    let [auto, action] =
        drawn(&[("goal = \"boss\"", "goal = \"exit\"\nexit = [0, 0, 0]"), (". # # # #  . # #", ". # # # #  . # p")]);
    let value = |game: &Game| Values::new(game, DEFAULT_MEMORY).unwrap().of(&game.start().unwrap()).unwrap();
    assert_eq!(value(&auto), Some(113 + 60));
    assert_eq!(value(&action), Some(113));
}

#[test]
fn what_is_more_than_this_is_refused_by_name() {
    let lever = "{ open = [[0, 4, 0]] },";
    let plate = "{ set = \"hp\", to = \"hp - 7\" },";
    let tablet = "tools = { \"item:code\" = 1 }\n\n[gates.D1]";
    let place = "title = \"Pressure plate\"";
    let cases: &[(&[(&str, &str)], &str)] = &[
        (&[("goal = \"boss\"", "goal = \"exit\"\nexit = [0, 7, 4]")], "the exit at (7,4)"),
        (&[("goal = \"boss\"", "goal = \"event\"")], "a goal that only an event reaches"),
        (&[("[hero]", "[hero]\nmarks = { cross = true }")], "marks of the hero"),
        (&[("name = \"drawn\"", "name = \"drawn\"\nrules = \"h5mota\"\nhatred = 1")], "marks of the hero"),
        (
            &[
                ("name = \"drawn\"", "name = \"drawn\"\nrules = \"h5mota\""),
                ("[monsters.B]", "abilities = [\"curse\"]\n\n[monsters.B]"),
            ],
            "monsters that leave marks",
        ),
        (
            &[("[[floor.event]]", "[[floor.barrier]]\nfrom = [0, 0]\nto = [0, 1]\n\n[[floor.event]]")],
            "one-way passages",
        ),
        (
            &[(tablet, "tools = { \"item:code\" = 1 }\ndo = [{ set = \"hp\", to = \"hp + 1\" }]\n\n[gates.D1]")],
            "`Tablet` at (3,2), which has a script",
        ),
        (
            &[(tablet, "tools = { \"item:code\" = 1 }\ngive = { hp = -1 }\n\n[gates.D1]")],
            "`Tablet` at (3,2), which takes something",
        ),
        (&[(tablet, "tools = { \"item:code\" = -1 }\n\n[gates.D1]")], "`Tablet` at (3,2), which takes something"),
        (
            &[(tablet, "tools = { \"item:code\" = 1 }\ngive = { marks = { coin = true } }\n\n[gates.D1]")],
            "`Tablet` at (3,2), which marks the hero",
        ),
        (
            &[
                (tablet, "tools = { \"item:code\" = 1 }\ngive = { gold = 1 }\n\n[gates.D1]"),
                ("[items]", "[shop]\nfirst_price = 1\nhp = 1\n\n[items]"),
                (". 1 p\n", "$ 1 p\n"),
            ],
            "`Tablet` at (3,2), which gives gold",
        ),
        (&[(". 1 p", ". 1 i1")], "`Gate with a code` at (4,4), which takes tools that lie in several places"),
        (
            &[
                ("\"item:code\" = 0", "\"item:code\" = 1"),
                (
                    "by_event = true\n\n[gates.D2]\nname = \"Gate with a code\"\ntools = { \"item:code\" = 1 }",
                    "by_event = true\n\n[gates.D2]\nname = \"Gate with a code\"\ntools = { \"item:code\" = 2 }",
                ),
            ],
            "`Gate with a code` at (4,4), which takes tools of which the hero has some from the start",
        ),
        (&[("D2 . # p", "D2 D2 # p")], "which takes tools of which there are too few for all gates"),
        (
            &[("name = \"Gate with a code\"\ntools = { \"item:code\" = 1 }", "name = \"Gate\"\nkeys = { yellow = 2 }")],
            "`Gate` at (4,4), which takes keys of its own",
        ),
        (&[(lever, "{ open = [[0, 4, 0], [0, 5, 2]] },")], "the event at (2,0), which takes away what is at (5,2)"),
        (&[(lever, "{ open = [[0, 4, 0], [0, 4, 4]] },")], "the event at (2,0), which takes away what is at (4,4)"),
        (&[(plate, "{ open = [[0, 4, 0]] },")], "the event at (1,2), which opens the gate at (4,0), as another does"),
        (
            &[(plate, "{ set = \"hp\", to = \"hp + 7\" },")],
            "the event at (1,2), which does more to HP than take a fixed number",
        ),
        (&[(plate, "{ set = \"hp\", to = \"hp / 2\" },")], "does more to HP than take a fixed number"),
        (&[(plate, "{ set = \"hp\", to = \"hp - atk\" },")], "does more to HP than take a fixed number"),
        (&[(plate, "{ set = \"hp\", to = \"hp - 1 / 2\" },")], "does more to HP than take a fixed number"),
        (&[(plate, "{ set = \"hp\", to = \"hp - 2000000000000\" },")], "does more to HP than take a fixed number"),
        (
            &[(plate, "{ set = \"atk\", to = \"atk + 1\" },")],
            "the event at (1,2), which does more than take HP and open gates",
        ),
        (
            &[(plate, "{ set = \"item:code\", to = \"1\" },")],
            "the event at (1,2), which does more than take HP and open gates",
        ),
        (
            &[(plate, "{ put = \"#\", at = [[0, 0, 1]] },")],
            "the event at (1,2), which does more than take HP and open gates",
        ),
        (
            &[(plate, "{ if = \"hp > 3\", then = [] },")],
            "the event at (1,2), which does more than take HP and open gates",
        ),
        (&[("  { remove = [[0, 1, 2]] },\n", "")], "the event at (1,2), which can happen again"),
        (
            &[(place, "title = \"Pressure plate\"\nhidden = true")],
            "the event at (1,2), which is not there from the start",
        ),
        (
            &[(
                "[[floor.event]]",
                "[[floor.event]]\nwhen = \"condition\"\nif = \"hp > 3\"\ndo = []\n\n[[floor.event]]",
            )],
            "which happens by something else than a step",
        ),
        (
            &[("[[floor.event]]", "[[floor.event]]\nat = [6, 0]\nwhen = \"after fight\"\ndo = []\n\n[[floor.event]]")],
            "which happens by something else than a step",
        ),
    ];
    for (changes, why) in cases {
        for game in drawn(changes) {
            match Values::new(&game, DEFAULT_MEMORY).map(|_| ()) {
                Err(SolveError::NotExact(what)) => assert!(what.contains(why), "{why}: {what}"),
                other => panic!("{why}: {other:?}"),
            }
            let refused = exact::solve(&game, &Request::default(), &mut Watch { stop: &|| false, tell: &mut |_| {} });
            assert!(matches!(refused, Err(SolveError::NotExact(_))), "{why}");
        }
    }
}

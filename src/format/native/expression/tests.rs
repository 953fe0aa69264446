//! Expressions: what is printed is read again as the same, and what is wrong is told at its place.

use insta::assert_snapshot;
use proptest::prelude::*;
use proptest::sample::select;

use super::name::ATTRIBUTES;
use super::*;
use crate::format::native::read::StatedItems;
use crate::game::{Abilities, Colour, Monster, Thing, Tower, Variable};

const NAMES: [&str; 10] =
    ["flag:door", "item:钥匙", "flag:两个 words", "hp:x", "x", "flag:", ":", "a\"b\\c", "flag:0", "switch:A:B"];

fn tower() -> Tower {
    let monster = |symbol: &str| Monster {
        symbol: symbol.to_owned(),
        name: String::new(),
        hp: 1,
        atk: 0,
        def: 0,
        gold: 0,
        experience: 0,
        abilities: Abilities::none(),
        boss: symbol == "B",
    };
    Tower {
        monsters: ["B", "3", "007"].map(monster).to_vec(),
        variables: NAMES.map(|name| Variable { name: name.to_owned(), start: 0 }).to_vec(),
        floors: vec![Floor::from_rows(String::new(), vec![vec![Tile::Floor; 9]; 9]).unwrap(); 2],
        ..Tower::default()
    }
}

/// Reads a text with the names of the tower.
fn read(text: &str) -> Result<Expression, Problem> {
    let tower = tower();
    let items = StatedItems::default();
    let symbols = Symbols::new(&tower.monsters, &[] as &[Thing], &[], &items, false);
    let mut variables = Variables::default();
    for name in NAMES {
        variables.add(name, 0).unwrap();
    }
    parse(text, &mut Names { symbols: &symbols, variables: &mut variables, floors: Some(&tower.floors) })
}

fn number() -> impl Strategy<Value = Number> {
    let whole = prop_oneof![-20..20_i128, any::<i64>().prop_map(i128::from), -i128::MAX..i128::MAX];
    let below = prop_oneof![Just(1_i128), 1..20_i128, select(vec![1000_i128, 1 << 15, 1 << 40, 10_i128.pow(30)])];
    (whole, below).prop_filter_map("a number", |(above, below)| Number::new(above, below))
}

fn leaf() -> impl Strategy<Value = Expression> {
    let tiles = vec![Tile::Floor, Tile::Wall, Tile::Monster(2), Tile::Event, Tile::Figure, Tile::Door(Colour::Red)];
    prop_oneof![
        3 => number().prop_map(Expression::Number),
        2 => select(QUANTITIES.map(|(_, quantity)| quantity).to_vec()).prop_map(Expression::Hero),
        2 => (0..NAMES.len() as u16).prop_map(Expression::Variable),
        1 => (0..3_u16, select(ATTRIBUTES.map(|(_, a)| a).to_vec())).prop_map(|(id, a)| Expression::Monster(id, a)),
        1 => (select(tiles), 0..2_u16, 0..9_u16, 0..9_u16)
            .prop_map(|(tile, floor, x, y)| Expression::Stands(tile, Position::new(floor, x, y))),
    ]
}

fn expression() -> impl Strategy<Value = Expression> {
    let operators: Vec<Operator> = OPERATORS.into_iter().chain([Operator::Least, Operator::Most]).collect();
    leaf().prop_recursive(8, 60, 3, move |inner| {
        let inner = move || inner.clone().prop_map(Box::new);
        prop_oneof![
            1 => inner().prop_map(Expression::Not),
            1 => inner().prop_map(Expression::Negative),
            1 => inner().prop_map(Expression::Floor),
            6 => (inner(), select(operators.clone()), inner()).prop_map(|(l, o, r)| Expression::Operation(l, o, r)),
            1 => (inner(), inner(), inner()).prop_map(|(c, t, e)| Expression::Either(c, t, e)),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_read(expression in expression()) {
        let text = print(&expression, &tower());
        prop_assert_eq!(read(&text), Ok(expression), "{}", text);
    }

    #[test]
    fn any_text_is_read_or_refused_at_a_place(
        text in any::<String>(),
        pieces in proptest::collection::vec(select(vec![
            "hp", "flag:door", "(", ")", "1", "1.5", "(1/3)", "-", "!", "==", "?", ":", ",", "min", "monster", "stands",
            "\"3\"", "3", "atk", "floor", "&&", "\"", "\\", "=", "塔", " ",
        ]), 0..30),
    ) {
        for text in [text, pieces.concat(), pieces.join(" ")] {
            match read(&text) {
                Ok(expression) => {
                    // A variable that is new has no name in the tower.
                    let new = |part: &&Expression| matches!(part, Expression::Variable(id) if *id >= NAMES.len() as u16);
                    if !expression.parts().iter().any(new) {
                        prop_assert_eq!(read(&print(&expression, &tower())), Ok(expression));
                    }
                }
                Err(problem) => {
                    let place = problem.span.unwrap();
                    prop_assert!(place.start <= place.end && text.get(place).is_some());
                }
            }
        }
    }
}

#[test]
fn expressions_are_read_as_people_mean_them() {
    let printed = |text: &str| print(&read(text).unwrap(), &tower());
    for (text, same) in [
        ("1+2*3", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-2-3", "1 - 2 - 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("hp>=10&&gold<5||!flag:door", "hp >= 10 && gold < 5 || !flag:door"),
        ("hp ? 1 : atk ? 2 : 3", "hp ? 1 : atk ? 2 : 3"),
        ("(hp ? 1 : 2) ? 3 : 4", "(hp ? 1 : 2) ? 3 : 4"),
        ("hp ? gold:0", "hp ? gold : 0"),
        ("-3 - -hp", "-3 - -hp"),
        ("-(3)", "-(3)"),
        ("1.50", "1.5"),
        ("(2/6)", "(1/3)"),
        ("( 1/3 )", "1 / 3"),
        ("item:钥匙 + flag:\"两个 words\"", "item:钥匙 + flag:\"两个 words\""),
        ("\"flag:door\" + \"x\" + \"hp:x\"", "flag:door + \"x\" + \"hp:x\""),
        (
            "monster(3,atk) + monster(\"007\", hp) + monster(B, gold)",
            "monster(3, atk) + monster(007, hp) + monster(B, gold)",
        ),
        ("stands(\"N\",1,2,3)", "stands(\"N\", 1, 2, 3)"),
    ] {
        assert_eq!(printed(text), same, "{text}");
    }
    // A variable that is not listed is the next.
    assert_eq!(read("item:new"), Ok(Expression::Variable(NAMES.len() as u16)));
}

#[test]
fn mistakes_are_told_at_their_places() {
    let told = |texts: &[&str]| {
        let told = texts.iter().map(|text| {
            let Problem { message, span, help } = read(text).unwrap_err();
            let help = help.map_or_else(String::new, |help| format!(" ({help})"));
            format!("{text} @ {:?}: {message}{help}", span.unwrap())
        });
        told.collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(told(&["", "hp +", "hp hp", "(hp", "hp = 1", "hp & 1", "1 + 'a'", "min(1)", "1.5.2", "3x", "(1/0)"]), @"
     @ 0..0: expected a number, a name or `(`, found the end
    hp + @ 4..4: expected a number, a name or `(`, found the end
    hp hp @ 3..5: expected an operator or the end, found `hp`
    (hp @ 3..3: expected `)`, found the end
    hp = 1 @ 3..4: unexpected `=` (equality is `==`)
    hp & 1 @ 3..4: unexpected `&` (`and` is `&&`, `or` is `||`)
    1 + 'a' @ 4..5: unexpected `'` (names and symbols stand in double quotes)
    min(1) @ 5..6: expected `,`, found `)`
    1.5.2 @ 0..5: `1.5.2` is no number
    3x @ 0..2: `3x` is no number
    (1/0) @ 0..5: `(1/0)` divides by 0 or has too many digits
    ");
    assert_snapshot!(told(&["hq", "goold + 1", "nothing", "door", "flag:\"x", "\"a\\n\"", "switch:B", "switch:A", "\"y\""]), @r#"
    hq @ 0..2: unknown name `hq` (did you mean `hp`?)
    goold + 1 @ 0..5: unknown name `goold` (did you mean `gold`?)
    nothing @ 0..7: unknown name `nothing` (known here: hp, atk, def, mdef, gold, experience, yellow_keys, blue_keys, red_keys, green_keys, cross, coin, curse, hatred, monster, stands, min, max, floor; a variable is written flag:NAME)
    door @ 0..4: unknown name `door` (known here: hp, atk, def, mdef, gold, experience, yellow_keys, blue_keys, red_keys, green_keys, cross, coin, curse, hatred, monster, stands, min, max, floor; a variable is written flag:NAME)
    flag:"x @ 5..6: this quote is never closed
    "a\n" @ 2..3: a `\` in quotes stands before `"` or another `\` only
    switch:B @ 0..8: unknown variable `switch:B` (did you mean `switch:A:B`?)
    switch:A @ 0..8: unknown variable `switch:A` (did you mean `switch:A:B`?)
    "y" @ 0..3: unknown variable `y` (did you mean `x`?)
    "#);
    assert_snapshot!(told(&["monster(4, atk)", "monster(3, mdef)", "monster(3, 3)", "stands(\"q\", 0, 1, 2)",
        "stands(\"D1\", 0, 1, 2)", "stands(\"Y\", 0, 9, 2)", "stands(\"Y\", 2, 0, 0)", "stands(\"Y\", 0, 1.5, 0)", "stands(Y)"]), @r#"
    monster(4, atk) @ 8..9: the monster `4` has no row in the monster table (did you mean `3`?)
    monster(3, mdef) @ 11..15: a monster has no number `mdef` (did you mean `def`?)
    monster(3, 3) @ 11..12: expected a number of a monster, such as `atk`, found `3`
    stands("q", 0, 1, 2) @ 7..10: unknown symbol `q` (`mota floor legend` prints the symbols)
    stands("D1", 0, 1, 2) @ 7..11: the door `D1` has no row (add [gates.D1])
    stands("Y", 0, 9, 2) @ 7..19: (9,2) lies outside the map
    stands("Y", 2, 0, 0) @ 7..19: there is no floor 2; floors are counted from 0
    stands("Y", 0, 1.5, 0) @ 15..18: expected a whole number from 0 to 65535: floor, column and row, found `1.5`
    stands(Y) @ 7..8: expected a symbol of the map in double quotes, found `Y`
    "#);
    assert_snapshot!(told(&["99999999999999999999999999999999999999999", "0.00000000000000000000000000000000000000001", "塔 + 1", "hp ? 1", "#"]), @"
    99999999999999999999999999999999999999999 @ 0..41: the number `9999999999999999999999999999999999999999…` has too many digits
    0.00000000000000000000000000000000000000001 @ 0..43: the number `0.00000000000000000000000000000000000000…` has too many digits
    塔 + 1 @ 0..3: unknown name `塔` (known here: hp, atk, def, mdef, gold, experience, yellow_keys, blue_keys, red_keys, green_keys, cross, coin, curse, hatred, monster, stands, min, max, floor; a variable is written flag:NAME)
    hp ? 1 @ 6..6: expected `:`, found the end
    # @ 0..1: unexpected `#`
    ");
}

#[test]
fn hostile_depth_is_an_error() {
    let deep = |text: String| read(&text).unwrap_err().message;
    for text in ["(".repeat(1 << 20), "!".repeat(1 << 20) + "1", "min(".repeat(1 << 20), "1 ? ".repeat(1 << 20)] {
        assert!(deep(text).contains("nested deeper than 100 levels"));
    }
    for sign in ["+", "*", "&&", "=="] {
        assert!(deep(vec!["1"; 1 << 20].join(sign)).contains("nested deeper"));
        let most = vec!["1"; Expression::MOST_DEEP].join(sign);
        assert!(!read(&most).unwrap().is_too_deep());
        assert!(deep(most + sign + "1").contains("nested deeper"));
    }
    // The deepest that is valid is read back, whichever side it leans to.
    let mut left = Expression::whole(1);
    let mut right = Expression::whole(1);
    let mut signs = Expression::whole(1);
    for _ in 1..Expression::MOST_DEEP {
        left = left.operation(Operator::Minus, Expression::whole(2));
        right = Expression::whole(2).operation(Operator::Minus, right);
        signs = Expression::Negative(Box::new(signs));
    }
    for expression in [left, right, signs] {
        assert!(!expression.is_too_deep());
        assert_eq!(read(&print(&expression, &tower())), Ok(expression));
    }
}

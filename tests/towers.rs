//! Files of towers with events, from outside: what is written is read again, in the same bytes, and nothing that somebody
//! may put into such a file makes the reader panic.

use mota::check::walk::Walk;
use mota::format::{parse_tower, write_native, write_published};
use mota::game::{
    Abilities, Ability, Attribute, Barrier, Choice, Colour, End, Event, Expression, Floor, Game, Gate, Gem, Goal, Hero,
    Instruction, Item, ItemMode, Keys, Marks, Monster, Number, Operator, Passage, Position, Quantity, RuleSet, Rules,
    Script, Shop, StairWay, State, Target, Thing, Tile, Tower, Trigger, Variable,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

mod parts;

const SIDE: u16 = 4;
const FLOORS: u16 = 3;
const VARIABLES: u16 = 5;
const ROWS: u16 = 3;

fn place() -> impl Strategy<Value = Position> {
    (0..FLOORS, 0..SIDE, 0..SIDE).prop_map(|(floor, x, y)| Position::new(floor, x, y))
}

fn colour() -> impl Strategy<Value = Colour> {
    select(Colour::ALL.to_vec())
}

fn tile() -> impl Strategy<Value = Tile> {
    prop_oneof![
        4 => Just(Tile::Floor),
        2 => Just(Tile::Wall),
        1 => colour().prop_map(Tile::Door),
        1 => colour().prop_map(|colour| Tile::Item(Item::Key(colour))),
        1 => Just(Tile::Item(Item::Gem(Gem::Red))),
        1 => select(vec![StairWay::Up, StairWay::Down]).prop_map(Tile::Stair),
        1 => Just(Tile::Shop),
        1 => (1..ROWS).prop_map(Tile::Monster),
        1 => (0..ROWS).prop_map(Tile::Gate),
        1 => (0..ROWS).prop_map(|id| Tile::Item(Item::Thing(id))),
        1 => select(vec![Tile::Event, Tile::Figure]),
    ]
}

fn number() -> impl Strategy<Value = Number> {
    (any::<i64>(), select(vec![1_i128, 1, 1, 2, 3, 1000]))
        .prop_filter_map("a number", |(above, below)| Number::new((above % 5000).into(), below))
}

fn quantity() -> impl Strategy<Value = Quantity> {
    prop_oneof![
        select(vec![Quantity::Hp, Quantity::Atk, Quantity::Gold, Quantity::Cross, Quantity::Hatred]),
        colour().prop_map(Quantity::Keys),
    ]
}

fn attribute() -> impl Strategy<Value = Attribute> {
    select(vec![Attribute::Hp, Attribute::Atk, Attribute::Def, Attribute::Gold, Attribute::Experience])
}

fn expression() -> impl Strategy<Value = Expression> {
    let operators =
        vec![Operator::Plus, Operator::Over, Operator::Most, Operator::Equal, Operator::AtLeast, Operator::Or];
    let leaf = prop_oneof![
        number().prop_map(Expression::Number),
        quantity().prop_map(Expression::Hero),
        (0..VARIABLES).prop_map(Expression::Variable),
        (0..ROWS, attribute()).prop_map(|(id, what)| Expression::Monster(id, what)),
        (tile(), place()).prop_map(|(tile, at)| Expression::Stands(tile, at)),
    ];
    leaf.prop_recursive(4, 12, 3, move |inner| {
        let inner = move || inner.clone().prop_map(Box::new);
        prop_oneof![
            1 => inner().prop_map(Expression::Not),
            1 => inner().prop_map(Expression::Negative),
            4 => (inner(), select(operators.clone()), inner()).prop_map(|(l, o, r)| Expression::Operation(l, o, r)),
            1 => (inner(), inner(), inner()).prop_map(|(c, t, e)| Expression::Either(c, t, e)),
        ]
    })
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![quantity().prop_map(Target::Hero), (0..VARIABLES).prop_map(Target::Variable)]
}

fn instruction() -> impl Strategy<Value = Instruction> {
    let places = || vec(place(), 0..3);
    let leaf = prop_oneof![
        (target(), expression()).prop_map(|(target, value)| Instruction::Set { target, value }),
        (tile(), places()).prop_map(|(tile, at)| Instruction::Put { tile, at }),
        places().prop_map(|at| Instruction::Remove { at }),
        places().prop_map(|at| Instruction::Open { at }),
        places().prop_map(|at| Instruction::Hide { at }),
        places().prop_map(|at| Instruction::Show { at }),
        (place(), proptest::option::of(place())).prop_map(|(from, to)| Instruction::Move { from, to }),
        (0..ROWS, attribute(), expression()).prop_map(|(monster, what, value)| Instruction::Alter {
            monster,
            what,
            value
        }),
        (0..ROWS, proptest::option::of(place())).prop_map(|(monster, at)| Instruction::Fight { monster, at }),
        place().prop_map(|to| Instruction::Go { to }),
        select(vec![Instruction::Break, Instruction::Continue, Instruction::Stop, Instruction::Win, Instruction::Lose]),
        any::<String>().prop_map(Instruction::Skip),
    ];
    leaf.prop_recursive(4, 20, 3, |inner| {
        let script = || vec(inner.clone(), 0..3);
        let choice = (any::<String>(), proptest::option::of(expression()), vec(inner.clone(), 0..3))
            .prop_map(|(text, condition, script)| Choice { text, condition, script });
        prop_oneof![
            2 => (expression(), script(), script())
                .prop_map(|(condition, then, otherwise)| Instruction::If { condition, then, otherwise }),
            1 => (expression(), script()).prop_map(|(condition, body)| Instruction::While { condition, body }),
            1 => (any::<String>(), vec(choice, 0..3))
                .prop_map(|(text, options)| Instruction::Choose { text, options }),
        ]
    })
}

fn script() -> impl Strategy<Value = Script> {
    vec(instruction(), 0..4)
}

fn trigger() -> impl Strategy<Value = Trigger> {
    prop_oneof![
        3 => select(vec![Trigger::Step, Trigger::AfterFight, Trigger::AfterCollect, Trigger::AfterOpen]),
        1 => select(vec![Trigger::FirstArrival, Trigger::Arrival]),
        1 => (expression(), any::<bool>(), any::<bool>())
            .prop_map(|(condition, once, anywhere)| Trigger::When { condition, once, anywhere }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    (place(), trigger(), any::<String>(), any::<bool>(), script()).prop_map(|(at, trigger, title, hidden, script)| {
        let of_floor = trigger.is_of_floor();
        let at = if of_floor { Position::new(at.floor, 0, 0) } else { at };
        Event { at, trigger, title, hidden: hidden && !of_floor, script }
    })
}

fn tools() -> impl Strategy<Value = Vec<(u16, i64)>> {
    vec(0..9_i64, usize::from(VARIABLES))
        .prop_map(|counts| (0..VARIABLES).rev().zip(counts).filter(|(_, count)| *count > 6).collect())
}

fn keys() -> impl Strategy<Value = Keys> {
    [0..3_i64, 0..2, 0..2, 0..2].prop_map(|[yellow, blue, red, green]| Keys { yellow, blue, red, green })
}

fn marks() -> impl Strategy<Value = Marks> {
    (any::<bool>(), any::<bool>(), any::<bool>(), 0..3_i64).prop_map(|(cross, coin, curse, hatred)| Marks {
        cross,
        coin,
        curse,
        hatred,
    })
}

fn thing() -> impl Strategy<Value = Thing> {
    (any::<String>(), [-9..9_i64, 0..2, 0..2], keys(), marks(), tools(), script()).prop_map(
        |(name, [hp, atk, gold], keys, marks, tools, script)| {
            let gain = Hero { hp, atk, gold, keys, marks, ..Hero::default() };
            Thing { symbol: String::new(), name, gain, tools, script }
        },
    )
}

fn gate() -> impl Strategy<Value = Gate> {
    (any::<String>(), keys(), tools(), any::<bool>()).prop_map(|(name, keys, tools, by_event)| Gate {
        symbol: String::new(),
        name,
        keys,
        tools,
        by_event,
    })
}

fn monster(symbol: &str) -> Monster {
    let abilities: Abilities =
        [Ability::Curse, Ability::Drain { atk: 2, def: 0 }, Ability::Invincible].into_iter().collect();
    let (hp, atk, def, gold, experience) = (5, 3, 1, 2, 0);
    let boss = symbol == "B";
    Monster { symbol: symbol.to_owned(), name: symbol.to_owned(), hp, atk, def, gold, experience, abilities, boss }
}

fn goal() -> impl Strategy<Value = Goal> {
    prop_oneof![Just(Goal::Boss), Just(Goal::Event), place().prop_map(Goal::Exit)]
}

/// Two tiles beside each other.
fn barrier() -> impl Strategy<Value = Barrier> {
    (place(), any::<bool>(), any::<bool>()).prop_map(|(at, down, back)| {
        let step = |value: u16| if value == 0 { 1 } else { value - 1 };
        let other = if down { Position { y: step(at.y), ..at } } else { Position { x: step(at.x), ..at } };
        if back { Barrier { from: other, to: at } } else { Barrier { from: at, to: other } }
    })
}

prop_compose! {
    /// A tower that can be written, with events and all else.
    fn tower()(
        maps in vec(vec(tile(), usize::from(SIDE * SIDE)), usize::from(FLOORS)),
        mut events in vec(event(), 0..8),
        mut things in vec(thing(), usize::from(ROWS)),
        mut gates in vec(gate(), usize::from(ROWS)),
        names in vec("[a-z]{1,4}:?[^\\p{C}]{0,6}", usize::from(VARIABLES)),
        starts in vec(any::<i64>(), usize::from(VARIABLES)),
        mut passages in vec((place(), place()), 0..3),
        mut barriers in vec(barrier(), 0..3),
        (goal, marks, hatred, no_stairs, on_event) in (goal(), marks(), 0..3_i64, any::<bool>(), any::<bool>()),
        parts in parts::parts(),
    ) -> Tower {
        let start = Position::new(0, 0, 0);
        let floors: Vec<Floor> = (0..).zip(maps).map(|(index, mut tiles)| {
            if index == 0 {
                tiles[0] = if on_event { Tile::Event } else { Tile::Floor };
                tiles[1] = Tile::Monster(0);
            }
            let rows = tiles.chunks(usize::from(SIDE)).map(<[Tile]>::to_vec).collect();
            Floor::from_rows(format!("floor {index}"), rows).unwrap()
        }).collect();
        let mut tower = Tower {
            name: "random".into(),
            title: "random".into(),
            rules: Rules { set: RuleSet::H5mota, negative_damage: false, hatred },
            hero: Hero { hp: 10, marks, ..Hero::default() },
            start,
            monsters: vec![monster("B"), monster("1"), monster("12")],
            shop: Some(Shop { first_price: 1, price_step: 1, hp: 1, atk: 1, def: 1, mdef: 0 }),
            stairs: if no_stairs { Vec::new() } else { Tower::stairs_by_rule(&floors) },
            floors,
            goal,
            ..Tower::default()
        };
        // Each tile with an event has one, and none has two of a kind.
        let shown: Vec<Position> = tower.tiles()
            .filter(|(_, tile)| matches!(tile, Tile::Event | Tile::Figure)).map(|(at, _)| at).collect();
        for at in shown {
            let step = Event { at, trigger: Trigger::Step, title: String::new(), hidden: false, script: Vec::new() };
            events.push(step);
        }
        events.sort_by_key(|event| event.at.floor);
        let mut kept: Vec<Event> = Vec::new();
        for event in events {
            let same = |other: &Event| other.at == event.at && other.trigger == event.trigger;
            if event.trigger.is_of_floor() || !kept.iter().any(same) {
                kept.push(event);
            }
        }
        tower.events = kept;
        for (index, thing) in things.iter_mut().enumerate() {
            thing.symbol = format!("i{}", index * 5);
        }
        for (index, gate) in gates.iter_mut().enumerate() {
            gate.symbol = format!("D{}", index + 1);
        }
        (tower.things, tower.gates) = (things, gates);
        tower.variables = (0..).zip(names).zip(starts)
            .map(|((index, name), start): ((u16, String), i64)| Variable { name: format!("{name}{index}"), start })
            .collect();
        passages.sort_by_key(|(from, _)| from.floor);
        barriers.sort_by_key(|barrier| barrier.from.floor);
        tower.passages = passages.into_iter().map(|(from, to)| Passage { from, to }).collect();
        tower.barriers = barriers;
        tower.blueprint = parts.of(&tower);
        tower
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn a_tower_with_events_is_read_back(tower in tower()) {
        prop_assert_eq!(tower.validate(), Ok(()));
        let text = write_native(&tower);
        let back = parse_tower("other.toml", &text);
        prop_assert!(back.is_ok(), "{}\n{}", text, back.unwrap_err());
        let back = back.unwrap();
        prop_assert_eq!(&write_native(&back), &text);
        prop_assert_eq!(back, tower);
    }

    #[test]
    fn the_published_format_refuses_a_tower_with_events(tower in tower()) {
        let why = write_published(&tower).unwrap_err().to_string();
        prop_assert!(why.contains("it has items of its own") && why.contains("it has variables"), "{}", why);
    }

    #[test]
    fn a_tower_is_checked_whatever_is_on_it(tower in tower()) {
        for finding in mota::check::check(&tower) {
            prop_assert!(tower.tile(finding.at).is_some(), "{}", finding.message);
            prop_assert!(finding.message.starts_with(&finding.at.to_string()), "{}", finding.message);
        }
    }

    #[test]
    fn play_comes_nowhere_that_a_walk_does_not_lead_to(tower in tower(), choices in vec(any::<Index>(), 0..12)) {
        let walk = Walk::from(&tower, tower.start, None);
        let game = Game::new(tower.clone(), ItemMode::Auto).unwrap();
        let mut state = game.start().ok();
        let mut choices = choices.iter();
        while let Some(now) = state {
            for cell in 0..game.graph().len() as u32 {
                let at = game.graph().position(cell);
                prop_assert!(!now.region.contains(cell) || walk.reaches(at), "{at} is reached\n{}", write_native(&tower));
            }
            let actions = game.actions(&now).unwrap_or_default();
            let next = choices.next().filter(|_| !actions.is_empty() && now.end.is_none());
            state = next.and_then(|choice| game.apply(&now, choice.get(&actions)).ok()).map(|step| step.state);
        }
    }

    #[test]
    fn a_spoilt_tower_is_read_or_refused(
        tower in tower(),
        edits in vec((any::<Index>(), 0..12_usize, prop_oneof![
            select(vec!["", "\"", "'", "[", "]", "{", "}", "\n", "-1", "0", "99999999999999999999", " ", "@", "!", "N", "(", ")",
                "hp", "flag:x", "if", "elif", "else", "do", "塔", "=", ",", "\\", "i0", "D1", "1.5"]).prop_map(str::to_owned),
            any::<String>(),
        ]), 1..4),
    ) {
        let mut text = write_native(&tower);
        for (at, length, insert) in edits {
            let boundaries: Vec<usize> = text.char_indices().map(|(start, _)| start).chain([text.len()]).collect();
            let first = at.index(boundaries.len());
            let (start, end) = (boundaries[first], boundaries[(first + length).min(boundaries.len() - 1)]);
            text.replace_range(start..end, &insert);
        }
        match parse_tower("any.toml", &text) {
            Ok(tower) => {
                let written = write_native(&tower);
                prop_assert_eq!(parse_tower("any.toml", &written).map_err(|problems| problems.to_string()), Ok(tower));
            }
            Err(problems) => {
                let plain = problems.to_string();
                prop_assert!(plain.lines().all(|line| line.starts_with("any.toml")), "{}", plain);
                for problem in problems.problems.iter().filter(|problem| problem.span.is_some()) {
                    let (line, column) = problems.line_column(problem).unwrap();
                    prop_assert!(line <= text.split('\n').count() && column >= 1);
                }
            }
        }
    }
}

#[test]
fn the_example_of_the_documentation_is_played() {
    let text = include_str!("data/towers/gatekeeper.toml");
    assert!(include_str!("../floors/README.md").contains(text.trim_end()));
    let tower = parse_tower("gatekeeper.toml", text).unwrap();
    assert_eq!(write_native(&tower), text);
    let game = Game::new(tower, ItemMode::Auto).unwrap();
    let mut state = game.start().unwrap();
    let play = |state: &State, told: &str| {
        let actions = game.actions(state).unwrap();
        let named = actions.iter().find(|action| game.describe_action(action) == told);
        let all = || actions.iter().map(|action| game.describe_action(action)).collect::<Vec<_>>();
        game.apply(state, named.unwrap_or_else(|| panic!("{told}: {:?}", all()))).unwrap().state
    };
    for told in [
        "start the event: Gatekeeper",
        "choose: Leave",
        "start the event: Gatekeeper",
        "choose: Pay",
        "start the event",
        "fight the Green Slime",
        "open the Sealed door",
        "fight the Boss",
    ] {
        assert_eq!(state.end, None, "before {told}");
        state = play(&state, told);
    }
    assert_eq!((state.end, state.hero.gold, state.hero.atk), (Some(End::Won), 10, 12));
}

//! Scripted events, one rule each.

use mota::game::{
    Abilities, Ability, Action, ActionKind, Attribute, Choice, Colour, End, Event, Expression, Floor, Game, GameError,
    Gate, Goal, Hero, Instruction, Item, ItemMode, ItemValues, Keys, Monster, Operator, Position, Potion, Quantity,
    RuleSet, Rules, Script, StairWay, State, Target, Thing, Tile, Tower, Trigger, Variable,
};

/// A tower drawn symbol by symbol: `@ . #`, `Y` a yellow door, `p` a potion of 75 HP, `s` a slime of 5 HP a fight, `B`
/// the boss, `!` an event, `N` a figure, `^` and `v` stairs, `D` the first gate, `i` the first thing.
pub fn drawn(floors: &[&[&str]]) -> Tower {
    let mut start = None;
    let mut drawn = Vec::new();
    for (floor, rows) in (0..).zip(floors) {
        let mut tiles = Vec::new();
        for (y, row) in (0..).zip(*rows) {
            let mut line = Vec::new();
            for (x, symbol) in (0..).zip(row.chars()) {
                line.push(match symbol {
                    '@' => {
                        start = Some(Position::new(floor, x, y));
                        Tile::Floor
                    }
                    '#' => Tile::Wall,
                    'Y' => Tile::Door(Colour::Yellow),
                    'p' => Tile::Item(Item::Potion(Potion::Red)),
                    's' => Tile::Monster(0),
                    'B' => Tile::Monster(1),
                    '!' => Tile::Event,
                    'N' => Tile::Figure,
                    '^' => Tile::Stair(StairWay::Up),
                    'v' => Tile::Stair(StairWay::Down),
                    'D' => Tile::Gate(0),
                    'i' => Tile::Item(Item::Thing(0)),
                    _ => Tile::Floor,
                });
            }
            tiles.push(line);
        }
        drawn.push(Floor::from_rows(String::new(), tiles).unwrap());
    }
    Tower {
        name: "drawn".into(),
        rules: Rules { set: RuleSet::H5mota, ..Rules::default() },
        hero: Hero { hp: 100, atk: 10, def: 5, keys: Keys { yellow: 1, ..Keys::default() }, ..Hero::default() },
        start: start.unwrap(),
        items: ItemValues { red_potion: 75, ..ItemValues::default() },
        monsters: vec![monster("1", 20, 10, 0), monster("B", 20, 15, 0)],
        stairs: Tower::stairs_by_rule(&drawn),
        floors: drawn,
        variables: vec![Variable { name: "flag:a".into(), start: 0 }, Variable { name: "item:b".into(), start: 2 }],
        things: vec![Thing {
            symbol: "i1".into(),
            name: "Crystal".into(),
            gain: Hero { atk: 3, ..Hero::default() },
            tools: vec![(1, 1)],
            script: Vec::new(),
        }],
        gates: vec![Gate {
            symbol: "D1".into(),
            name: "Iron gate".into(),
            keys: Keys { yellow: 1, ..Keys::default() },
            tools: vec![(1, 2)],
            by_event: false,
        }],
        ..Tower::default()
    }
}

fn monster(symbol: &str, hp: i64, atk: i64, def: i64) -> Monster {
    Monster {
        symbol: symbol.into(),
        name: format!("monster {symbol}"),
        hp,
        atk,
        def,
        gold: 3,
        experience: 2,
        abilities: Abilities::none(),
        boss: symbol == "B",
    }
}

pub fn event(at: (u16, u16), trigger: Trigger, script: Script) -> Event {
    Event { at: Position::new(0, at.0, at.1), trigger, title: String::new(), hidden: false, script }
}

pub fn places(at: &[(u16, u16)]) -> Vec<Position> {
    at.iter().map(|(x, y)| Position::new(0, *x, *y)).collect()
}

fn set(target: Target, value: Expression) -> Instruction {
    Instruction::Set { target, value }
}

const HP: Target = Target::Hero(Quantity::Hp);

fn hp_plus(points: i64) -> Instruction {
    let hp = Expression::Hero(Quantity::Hp);
    set(HP, hp.operation(Operator::Plus, Expression::whole(points)))
}

fn flag_is(value: i64) -> Expression {
    Expression::Variable(0).operation(Operator::Equal, Expression::whole(value))
}

fn count_up() -> Instruction {
    set(Target::Variable(0), Expression::Variable(0).operation(Operator::Plus, Expression::whole(1)))
}

pub fn play(tower: Tower) -> (Game, State) {
    let game = Game::new(tower, ItemMode::Auto).expect("a valid tower");
    let state = game.start().expect("a start");
    (game, state)
}

/// The state after the legal action at a place.
fn at(game: &Game, state: &State, x: u16, y: u16) -> State {
    on(game, state, Position::new(0, x, y))
}

fn on(game: &Game, state: &State, place: Position) -> State {
    let action = game.action_at(state, place).expect("one action there");
    game.apply(state, &action).expect("a legal action").state
}

fn nth(game: &Game, state: &State, index: usize) -> State {
    let actions = game.actions(state).expect("actions");
    game.apply(state, &actions[index]).expect("a legal action").state
}

fn targets(game: &Game, state: &State) -> Vec<(u16, u16)> {
    game.actions(state).expect("actions").iter().map(|action| (action.target.x, action.target.y)).collect()
}

#[test]
fn a_figure_asks_and_what_is_chosen_happens() {
    let choice = |text: &str, condition, script| Choice { text: text.into(), condition, script };
    let gold = Expression::Hero(Quantity::Gold).operation(Operator::AtLeast, Expression::whole(3));
    let mut tower = drawn(&[&["@N.", ".s.", "#.B"]]);
    tower.events = vec![event(
        (1, 0),
        Trigger::Step,
        vec![Instruction::While {
            condition: Expression::whole(1),
            body: vec![Instruction::Choose {
                text: "What will you have?".into(),
                options: vec![
                    choice(
                        "30 HP for 3 gold",
                        Some(gold),
                        vec![
                            hp_plus(30),
                            set(
                                Target::Hero(Quantity::Gold),
                                Expression::Hero(Quantity::Gold).operation(Operator::Minus, Expression::whole(3)),
                            ),
                        ],
                    ),
                    choice("nothing", None, vec![Instruction::Break]),
                ],
            }],
        }],
    )];
    let (game, state) = play(tower);
    assert_eq!(targets(&game, &state), [(1, 0), (1, 1)]);
    let asked = at(&game, &state, 1, 0);
    assert_eq!((asked.at, asked.end), (Position::new(0, 0, 0), None), "a figure is touched from beside it");
    let actions = game.actions(&asked).unwrap();
    assert_eq!(actions.iter().map(|a| game.describe_action(a)).collect::<Vec<_>>(), ["choose: nothing"]);
    assert_eq!(game.blocked(&asked).unwrap().len(), 1, "it cannot be paid");
    let left = nth(&game, &asked, 0);
    assert_eq!((left.pending.clone(), left.hero), (None, state.hero));
    let rich = at(&game, &left, 1, 1);
    assert_eq!(rich.hero.gold, 3);
    let bought = nth(&game, &at(&game, &rich, 1, 0), 0);
    assert_eq!((bought.hero.hp, bought.hero.gold), (rich.hero.hp + 30, 0));
    assert!(bought.pending.is_some(), "the shop asks again");
    assert_eq!(bought.turn, 5);
}

#[test]
fn tiles_are_put_removed_hidden_and_shown() {
    let mut tower = drawn(&[&["@!.Y.", "###.#", "pN#.B"]]);
    let script = vec![
        Instruction::Put { tile: Tile::Wall, at: places(&[(2, 0)]) },
        Instruction::Remove { at: places(&[(1, 1)]) },
        Instruction::Hide { at: places(&[(1, 2)]) },
    ];
    tower.events = vec![
        event((1, 0), Trigger::Step, script),
        event((1, 2), Trigger::Step, vec![Instruction::Show { at: places(&[(1, 2)]) }]),
    ];
    let (game, state) = play(tower);
    assert_eq!(targets(&game, &state), [(1, 0)]);
    let after = at(&game, &state, 1, 0);
    let cell = |x, y| game.graph().cell(Position::new(0, x, y)).unwrap();
    assert_eq!(game.tile_now(&after, cell(2, 0)), Tile::Wall);
    assert_eq!(game.tile_now(&after, cell(1, 2)), Tile::Floor);
    // The event goes on: stepping off it is a decision, since coming back would start it again.
    assert_eq!(targets(&game, &after), [(0, 0), (1, 1)]);
    let walked = at(&game, &after, 1, 1);
    assert_eq!(walked.hero.hp, 175, "the way to the potion is open");
    assert_eq!(targets(&game, &walked), [(1, 0)]);
    assert_eq!(after.end, None);
    assert_eq!(after.changed.len(), 1);
}

#[test]
fn a_hidden_event_is_open_floor_until_it_is_shown() {
    let mut tower = drawn(&[&["@!.N.", "####B"]]);
    let mut figure = event((3, 0), Trigger::Step, vec![hp_plus(1)]);
    figure.hidden = true;
    let once = vec![Instruction::Show { at: places(&[(3, 0)]) }, Instruction::Remove { at: places(&[(1, 0)]) }];
    tower.events = vec![event((1, 0), Trigger::Step, once), figure];
    let (game, state) = play(tower);
    let shown = at(&game, &state, 1, 0);
    assert_eq!(targets(&game, &shown), [(3, 0)], "the figure stands in the way of the boss");
    assert_eq!(at(&game, &shown, 3, 0).hero.hp, 101);
}

#[test]
fn guards_that_are_beaten_open_a_door() {
    let mut tower = drawn(&[&["s@s", "#D#", "#B#"]]);
    tower.gates[0].by_event = true;
    let opens = vec![Instruction::Open { at: places(&[(1, 1)]) }];
    let when = Trigger::When { condition: flag_is(2), once: true, anywhere: false };
    tower.events = vec![
        event((0, 0), Trigger::AfterFight, vec![count_up()]),
        event((2, 0), Trigger::AfterFight, vec![count_up()]),
        event((1, 1), Trigger::AfterOpen, vec![hp_plus(7)]),
        event((0, 0), when, opens),
    ];
    let (game, state) = play(tower);
    assert_eq!(targets(&game, &state), [(0, 0), (2, 0)], "no key opens the gate");
    assert_eq!(game.blocked(&state).unwrap().len(), 1);
    let one = at(&game, &state, 0, 0);
    assert_eq!(targets(&game, &one), [(2, 0)]);
    let two = at(&game, &one, 2, 0);
    assert_eq!(targets(&game, &two), [(1, 2)]);
    assert_eq!(two.hero.hp, 100 - 5 - 5 + 7);
    assert_eq!(at(&game, &two, 1, 2).end, Some(End::Won));
}

#[test]
fn arriving_where_something_happens_is_a_decision() {
    let mut tower = drawn(&[&["@^"], &["vpB"]]);
    let mut first = event((0, 0), Trigger::FirstArrival, vec![hp_plus(-50)]);
    first.at.floor = 1;
    tower.events = vec![first];
    let (game, state) = play(tower);
    assert_eq!(state.hero.hp, 100, "the potion upstairs is not yet in reach");
    let actions = game.actions(&state).unwrap();
    assert_eq!(actions, [Action { target: Position::new(1, 0, 0), kind: ActionKind::Walk }]);
    let up = nth(&game, &state, 0);
    assert_eq!(up.hero.hp, 100 - 50 + 75);
    assert!(up.region.contains(game.graph().cell(Position::new(0, 0, 0)).unwrap()), "from now on it is walked freely");
    assert!(up.exits.is_empty());
}

#[test]
fn an_event_at_the_start_happens_at_the_start() {
    let mut tower = drawn(&[&["@B"]]);
    tower.events = vec![event((0, 0), Trigger::FirstArrival, vec![hp_plus(11)])];
    assert_eq!(play(tower).1.hero.hp, 111);
}

#[test]
fn an_event_may_send_the_hero_elsewhere_fight_and_kill() {
    let mut tower = drawn(&[&["@!##", "##pB"]]);
    let go = Instruction::Go { to: Position::new(0, 2, 1) };
    let fight = Instruction::Fight { monster: 0, at: None };
    tower.events = vec![event((1, 0), Trigger::Step, vec![go.clone(), fight.clone()])];
    let (game, state) = play(tower.clone());
    let sent = at(&game, &state, 1, 0);
    assert_eq!((sent.hero.hp, sent.hero.gold), (100 - 5 + 75, 3), "one strike of 10 less 5 DEF");
    assert_eq!(targets(&game, &sent), [(3, 1)]);
    tower.hero.hp = 5;
    let (game, state) = play(tower);
    assert_eq!(at(&game, &state, 1, 0).end, Some(End::Dead));
}

#[test]
fn a_goal_may_be_an_exit_or_an_event() {
    let mut tower = drawn(&[&["@B.p"]]);
    tower.goal = Goal::Exit(Position::new(0, 3, 0));
    let (game, state) = play(tower);
    let won = at(&game, &state, 1, 0);
    assert_eq!((won.end, won.hero.hp), (Some(End::Won), 100 - 10 + 75));
    let mut tower = drawn(&[&["@.!"]]);
    tower.goal = Goal::Event;
    tower.events = vec![event((2, 0), Trigger::Step, vec![hp_plus(5), Instruction::Win, hp_plus(100)])];
    let (game, state) = play(tower);
    let won = at(&game, &state, 2, 0);
    assert_eq!((won.end, won.hero.hp), (Some(End::Won), 105), "nothing happens after the win");
}

#[test]
fn a_boss_that_an_event_moves_is_still_to_be_beaten() {
    let mut tower = drawn(&[&["@!.", "..B"]]);
    tower.goal = Goal::Exit(Position::new(0, 2, 0));
    let away = Instruction::Move { from: Position::new(0, 2, 1), to: Some(Position::new(0, 0, 1)) };
    tower.events = vec![event((1, 0), Trigger::Step, vec![away, Instruction::Remove { at: places(&[(1, 0)]) }])];
    let (game, state) = play(tower);
    let moved = at(&game, &state, 1, 0);
    assert_eq!(moved.end, None, "the exit is open, the boss stands elsewhere");
    assert_eq!(at(&game, &moved, 0, 1).end, Some(End::Won));
}

#[test]
fn a_gate_takes_all_that_it_names() {
    let (game, state) = play(drawn(&[&["@DB"]]));
    let open = at(&game, &state, 1, 0);
    assert_eq!((open.hero.keys.yellow, open.variables[1]), (0, 0));
    let mut poor = drawn(&[&["@DB"]]);
    poor.variables[1].start = 1;
    let (game, state) = play(poor);
    assert_eq!(state.end, Some(End::Stuck));
    let reason = game.describe_reason(&mota::game::BlockedReason::NoKeys(0));
    assert_eq!(reason, "takes 1 yellow key and 2 b");
}

#[test]
fn a_gate_that_takes_nothing_is_walked_through_unless_something_follows() {
    let mut tower = drawn(&[&["@Dp", "##B"]]);
    (tower.gates[0].keys, tower.gates[0].tools) = (Keys::default(), Vec::new());
    let (_, state) = play(tower.clone());
    assert_eq!((state.hero.hp, state.turn), (175, 0));
    tower.events = vec![event((1, 0), Trigger::AfterOpen, vec![hp_plus(-1)])];
    let (game, state) = play(tower);
    assert_eq!(targets(&game, &state), [(1, 0)]);
    assert_eq!(at(&game, &state, 1, 0).hero.hp, 174);
}

#[test]
fn a_thing_gives_what_its_row_says_and_with_a_script_is_a_decision() {
    let mut tower = drawn(&[&["@iB"]]);
    let (_, state) = play(tower.clone());
    assert_eq!((state.hero.atk, state.variables[1], state.turn), (13, 3, 0));
    tower.things[0].script =
        vec![set(HP, Expression::Hero(Quantity::Hp).operation(Operator::Times, Expression::whole(2)))];
    let (game, state) = play(tower);
    let taken = at(&game, &state, 1, 0);
    assert_eq!((taken.hero.atk, taken.hero.hp), (13, 200));
}

#[test]
fn a_number_that_is_set_is_rounded_down() {
    let mut tower = drawn(&[&["@!B"]]);
    let half = Expression::Hero(Quantity::Hp).operation(Operator::Over, Expression::whole(8));
    let script = vec![set(HP, half), Instruction::Remove { at: places(&[(1, 0)]) }];
    tower.events = vec![event((1, 0), Trigger::Step, script)];
    let (game, state) = play(tower);
    assert_eq!(at(&game, &state, 1, 0).hero.hp, 12);
}

#[test]
fn a_monster_that_is_altered_is_fought_as_it_is_now() {
    let mut tower = drawn(&[&["@!sB"]]);
    let atk = Expression::Monster(0, Attribute::Atk).operation(Operator::Plus, Expression::whole(6));
    let alter = Instruction::Alter { monster: 0, what: Attribute::Atk, value: atk };
    tower.events = vec![event((1, 0), Trigger::Step, vec![alter, Instruction::Remove { at: places(&[(1, 0)]) }])];
    let (game, state) = play(tower);
    let stronger = at(&game, &state, 1, 0);
    assert_eq!(at(&game, &stronger, 2, 0).hero.hp, 100 - 11);
}

#[test]
fn an_event_without_end_is_an_error_and_so_is_a_division_by_nothing() {
    let mut tower = drawn(&[&["@!B"]]);
    let ever = Instruction::While { condition: Expression::whole(1), body: vec![count_up()] };
    tower.events = vec![event((1, 0), Trigger::Step, vec![ever])];
    let (game, state) = play(tower.clone());
    let action = game.action_at(&state, Position::new(0, 1, 0)).unwrap();
    assert!(matches!(game.apply(&state, &action), Err(GameError::Endless { .. })));
    let nothing = Expression::whole(1).operation(Operator::Over, Expression::whole(0));
    tower.events[0].script = vec![set(HP, nothing)];
    let (game, state) = play(tower);
    assert!(matches!(game.apply(&state, &action), Err(GameError::Calculation { .. })));
}

#[test]
fn the_engines_later_abilities_leave_their_marks() {
    let fights = |ability: Ability, hero: Hero| {
        let mut tower = drawn(&[&["@s.", "#.B"]]);
        tower.hero = hero;
        tower.rules.hatred = 2;
        tower.monsters[0].abilities.insert(ability);
        let (game, state) = play(tower);
        game.action_at(&state, Position::new(0, 1, 0))
            .ok()
            .map(|action| game.apply(&state, &action).unwrap().state.hero)
    };
    let hero = Hero { hp: 100, atk: 10, def: 5, ..Hero::default() };
    let mut marked = hero;
    marked.marks.hatred = 9;
    let after = fights(Ability::Curse, hero).unwrap();
    assert_eq!((after.marks.curse, after.gold, after.marks.hatred), (true, 3, 2));
    marked.marks.curse = true;
    let after = fights(Ability::Hatred, marked).unwrap();
    assert_eq!((after.hp, after.gold, after.experience, after.marks.hatred), (100 - 5 - 9, 0, 0, 4 + 2));
    assert_eq!(fights(Ability::SelfDestruct, hero).unwrap().hp, 1);
    assert_eq!(fights(Ability::Invincible, hero), None);
    marked.marks.cross = true;
    assert_eq!(fights(Ability::Invincible, marked).unwrap().hp, 95);
    let after = fights(Ability::Drain { atk: 3, def: 9 }, hero).unwrap();
    assert_eq!((after.atk, after.def), (7, 0));
    let coin = Hero { marks: mota::game::Marks { coin: true, ..Default::default() }, ..hero };
    assert_eq!(fights(Ability::Solid, coin).map(|hero| hero.gold), Some(6));
}

#[test]
fn what_does_not_exist_is_told() {
    let valid = drawn(&[&["@!B"]]);
    let told = |change: &dyn Fn(&mut Tower)| {
        let mut tower = valid.clone();
        tower.events = vec![event((1, 0), Trigger::Step, Vec::new())];
        change(&mut tower);
        Game::new(tower, ItemMode::Auto).err().map(|error| error.to_string())
    };
    assert_eq!(told(&|_| {}), None);
    let outside = Instruction::Remove { at: places(&[(9, 9)]) };
    insta::assert_snapshot!(told(&|tower| tower.events.clear()).unwrap(), @"the map at (1,0) has an event that nothing is said of");
    insta::assert_snapshot!(told(&|tower| tower.events[0].script = vec![outside.clone()]).unwrap(), @"the event at (1,0) names (9,9), which lies outside the tower");
    insta::assert_snapshot!(told(&|tower| tower.events.push(tower.events[0].clone())).unwrap(), @"the event at (1,0) has a second one of its kind at its place");
    insta::assert_snapshot!(told(&|tower| tower.variables.clear()).unwrap(), @"Crystal at (0,0) names a variable that does not exist");
    insta::assert_snapshot!(told(&|tower| tower.goal = Goal::Exit(Position::new(3, 0, 0))).unwrap(), @"the exit at (3:0,0) names (3:0,0), which lies outside the tower");
}

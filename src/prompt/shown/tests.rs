//! What a model is shown of towers of any size, and that nothing is left out in silence.

use std::sync::LazyLock;

use proptest::prelude::*;
use regex::Regex;

use super::Several;
use crate::format::parse_tower;
use crate::game::{
    Barrier, Choice, Colour, Event, Expression, Floor, Game, Gate, Gem, Goal, Hero, Instruction, Item, ItemMode,
    ItemValues, Keys, Marks, Monster, Number, Passage, Position, Potion, Quantity, Shop, StairWay, State, Target,
    Thing, Tile, Tower, Trigger, Variable,
};
use crate::prompt::tokens::{Room, TokenRate, bytes};
use crate::prompt::{
    Answer, AnswerForm, Asks, Message, Observation, PastTurn, Prompt, PromptError, Scene, Verdict, answer,
};

const THREE: &str = include_str!("three.toml");

fn game(text: &str) -> Game {
    Game::new(parse_tower("tower.toml", text).expect("it is a tower"), ItemMode::Auto).expect("it can be played")
}

/// The state after the actions on some tiles.
fn after(game: &Game, places: &[&str]) -> State {
    places.iter().fold(game.start().expect("it starts"), |state, place| {
        let action = game.action_at(&state, place.parse().expect("it is a place")).expect("it is legal");
        game.apply(&state, &action).expect("it can be done").state
    })
}

fn observed(game: &Game, state: &State, turns: u32) -> Observation {
    let past = |turn| PastTurn {
        turn,
        target: game.tower().start,
        text: "fight the Bat".into(),
        hp_before: 1_000 - i64::from(turn),
        hp_after: 999 - i64::from(turn),
        collected: Vec::new(),
        instead_of: None,
    };
    let past: Vec<PastTurn> = (1..=turns).map(past).collect();
    Observation::of(game, state, Some(200), &past).expect("the state can be observed")
}

fn render(observation: &Observation, tokens: Option<u64>) -> Result<Vec<Message>, PromptError> {
    let room = Room { tokens, ..Room::default() };
    Prompt::builtin("tower").expect("it is built in").render(Scene { room, ..Scene::of(observation) }, AnswerForm::Text)
}

#[test]
fn three_floors_as_a_model_sees_them() {
    let game = game(THREE);
    let state = after(&game, &["0,2", "2,4", "4,3", "1:3,2"]);
    let messages = render(&observed(&game, &state, 1), None).expect("it fits");
    insta::assert_snapshot!(messages[0].content);
    insta::assert_snapshot!(messages[1].content);
}

#[test]
fn what_is_cut_is_said() {
    let game = game(THREE);
    let state = after(&game, &["0,2", "2,4", "4,3", "1:3,2"]);
    let observation = observed(&game, &state, 9);
    let mut shown: Vec<String> = Vec::new();
    for tokens in (900..2_000).step_by(10) {
        if let Ok(messages) = render(&observation, Some(tokens)) {
            let said = messages[1].content.lines().filter(|line| line.starts_with('('));
            let said = said.collect::<Vec<_>>().join("\n");
            if shown.last() != Some(&said) {
                shown.push(said);
            }
        }
    }
    insta::assert_snapshot!(shown.join("\n---\n"));
}

#[test]
fn a_prompt_that_cannot_fit_is_refused() {
    let game = game(THREE);
    let observation = observed(&game, &game.start().expect("it starts"), 0);
    let error = render(&observation, Some(300)).expect_err("300 tokens are too few");
    assert!(matches!(error, PromptError::TooLong { needed, most: 300, .. } if needed > 300));
    let room = Room { cap: Some(100), ..Room::default() };
    let prompt = Prompt::builtin("tower").expect("it is built in");
    let capped = prompt.render(Scene { room, ..Scene::of(&observation) }, AnswerForm::Text);
    assert!(matches!(capped, Err(PromptError::TooLong { most: 100, .. })));
}

/// Two floors with what only some towers have: a thing, gates, an event that asks, somebody, ways in one direction.
fn own() -> Game {
    let tower = parse_tower("tower.toml", THREE).expect("it is a tower");
    let at = Position::new;
    let text = |text: &str, condition| Choice { text: text.into(), condition, script: Vec::new() };
    let never = Some(Expression::Number(Number::from(0)));
    let asks = Instruction::Choose {
        text: "What will you have?".into(),
        options: vec![text("100 HP", None), text("A red key", never), text("Nothing", None)],
    };
    let event =
        |at, title: &str, script| Event { at, trigger: Trigger::Step, title: title.into(), hidden: false, script };
    let gate = |symbol: &str, name: &str, by_event| Gate {
        symbol: symbol.into(),
        name: name.into(),
        keys: Keys { yellow: 1, ..Keys::default() },
        tools: vec![(0, 1)],
        by_event,
    };
    let boss = (tower.monsters.len() - 1) as u16;
    let rows = [
        vec![
            vec![Tile::Floor, Tile::Event, Tile::Floor, Tile::Gate(0), Tile::Item(Item::Thing(0))],
            vec![Tile::Figure, Tile::Wall, Tile::Floor, Tile::Gate(1), Tile::Stair(StairWay::Up)],
        ],
        vec![vec![Tile::Floor, Tile::Floor, Tile::Monster(boss), Tile::Gate(1)]],
    ];
    let floors = ["Hall", "Roof"].into_iter().zip(rows);
    let tower = Tower {
        start: at(0, 0, 0),
        hero: Hero { marks: Marks { cross: true, hatred: 7, ..Marks::default() }, gold: 12, ..tower.hero },
        things: vec![Thing {
            symbol: "i1".into(),
            name: "Holy water".into(),
            gain: Hero { hp: 400, ..Hero::default() },
            tools: Vec::new(),
            script: Vec::new(),
        }],
        gates: vec![gate("D1", "Iron door", false), gate("D2", "Sealed door", true)],
        variables: vec![
            Variable { name: "item:pickaxe".into(), start: 2 },
            Variable { name: "flag:x".into(), start: 9 },
        ],
        events: vec![event(at(0, 1, 0), "A riddle", vec![asks]), event(at(0, 0, 1), "Old man", Vec::new())],
        passages: vec![Passage { from: at(0, 4, 1), to: at(1, 0, 0) }],
        barriers: vec![Barrier { from: at(0, 2, 0), to: at(0, 2, 1) }],
        goal: Goal::Exit(at(1, 1, 0)),
        floors: floors.map(|(name, rows)| Floor::from_rows(name.into(), rows).expect("equally long")).collect(),
        stairs: Vec::new(),
        ..tower
    };
    Game::new(tower, ItemMode::Auto).expect("it can be played")
}

#[test]
fn what_a_tower_has_of_its_own_is_told() {
    let game = own();
    let start = game.start().expect("it starts");
    let messages = render(&observed(&game, &start, 0), None).expect("it fits");
    insta::assert_snapshot!(format!("{}\n\n---\n\n{}", messages[0].content, messages[1].content));
    // The event asks, and nothing else can be done before it is answered.
    let asked = after(&game, &["1,0"]);
    let user = render(&observed(&game, &asked, 0), None).expect("it fits").remove(1).content;
    insta::assert_snapshot!(&user[user.find("In reach").expect("an answer cannot be given")..]);
}

#[test]
fn gold_and_experience_are_told_where_something_asks_for_them() {
    let plain = parse_tower("tower.toml", THREE).expect("it is a tower");
    let told = |events: Vec<Event>, shop: Option<Shop>| {
        let game = Game::new(Tower { events, shop, ..plain.clone() }, ItemMode::Auto).expect("it is a game");
        let messages = render(&observed(&game, &game.start().expect("it starts"), 0), None).expect("it fits");
        let line = |text: &str, start: &str| text.lines().find(|line| line.starts_with(start)).map(str::to_owned);
        (line(&messages[0].content, "- Fights give"), line(&messages[1].content, "| symbol").unwrap_or_default())
    };
    let waits = |condition, script| Event {
        at: Position::new(0, 0, 0),
        trigger: Trigger::When { condition, once: true, anywhere: true },
        title: String::new(),
        hidden: false,
        script,
    };
    let (rule, head) = told(Vec::new(), plain.shop);
    let has_gold = plain.shop.is_some();
    assert_eq!((rule.is_some(), head.contains("| gold |"), head.contains("experience")), (has_gold, has_gold, false));
    let level = waits(Expression::Hero(Quantity::Experience), Vec::new());
    let (rule, head) = told(vec![level.clone()], plain.shop);
    assert!(rule.is_some_and(|rule| rule.contains("experience, as listed")) && head.contains("| experience |"));
    let pays = Instruction::Set { target: Target::Hero(Quantity::Gold), value: Expression::Number(Number::from(0)) };
    let (rule, head) = told(vec![waits(Expression::Hero(Quantity::Experience), vec![pays])], plain.shop);
    let rule = rule.expect("it is told");
    assert!(rule.contains("gold and experience, as listed") && head.contains("| gold | experience |"), "{rule} {head}");
}

/// A tower of so many floors with all kinds of plain tiles, drawn by a seed.
fn tower(floors: u16, width: u16, height: u16, seed: u64) -> Tower {
    let mut drawn = seed | 1;
    let mut draw = move |below: u64| {
        // Xorshift: it need not be a good one.
        drawn ^= drawn << 13;
        drawn ^= drawn >> 7;
        drawn ^= drawn << 17;
        drawn % below
    };
    let monster = |id: i64| Monster {
        symbol: (id + 1).to_string(),
        name: format!("Monster of kind {id}"),
        hp: 10 + id,
        atk: 5 + id,
        def: id,
        gold: id,
        experience: 0,
        abilities: Default::default(),
        boss: false,
    };
    let mut monsters: Vec<Monster> = (0..30).map(monster).collect();
    monsters.push(Monster { symbol: "B".into(), name: "Boss".into(), boss: true, ..monster(30) });
    let items = [
        Item::Key(Colour::Yellow),
        Item::Key(Colour::Blue),
        Item::Gem(Gem::Red),
        Item::Potion(Potion::Red),
        Item::Potion(Potion::Blue),
        Item::Shield,
    ];
    let mut tile = || match draw(20) {
        0..8 => Tile::Floor,
        8..11 => Tile::Wall,
        11..15 => Tile::Monster(draw(30) as u16),
        15..17 => Tile::Door(if draw(4) == 0 { Colour::Blue } else { Colour::Yellow }),
        17 => Tile::Shop,
        _ => Tile::Item(items[draw(items.len() as u64) as usize]),
    };
    let mut rows: Vec<Vec<Vec<Tile>>> =
        (0..floors).map(|_| (0..height).map(|_| (0..width).map(|_| tile()).collect()).collect()).collect();
    let (right, bottom) = (width - 1, height - 1);
    let mut stairs = Vec::new();
    for floor in 1..floors {
        rows[usize::from(floor) - 1][0][usize::from(right)] = Tile::Stair(StairWay::Up);
        rows[usize::from(floor)][usize::from(bottom)][0] = Tile::Stair(StairWay::Down);
        stairs.push((Position::new(floor - 1, right, 0), Position::new(floor, 0, bottom)));
    }
    rows[0][0][0] = Tile::Floor;
    rows[usize::from(floors) - 1][usize::from(bottom)][usize::from(right)] = Tile::Monster(30);
    let names = (0..floors).map(|floor| format!("Storey {floor}"));
    let floors = names.zip(rows).map(|(name, rows)| Floor::from_rows(name, rows).expect("the rows are equally long"));
    Tower {
        name: "drawn".into(),
        title: "A drawn tower".into(),
        hero: Hero { hp: 9_999, atk: 40, def: 4, keys: Keys { yellow: 5, ..Keys::default() }, ..Hero::default() },
        items: ItemValues { red_gem: 1, red_potion: 75, blue_potion: 200, shield: 9, ..ItemValues::default() },
        monsters,
        shop: Some(Shop { first_price: 1, price_step: 0, hp: 9, atk: 1, def: 0, mdef: 0 }),
        floors: floors.collect(),
        stairs,
        ..Tower::default()
    }
}

/// The numbers of the actions that a prompt lists, and how many it says that it leaves out.
fn told(user: &str) -> (Vec<u32>, usize) {
    static LISTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^(\d+)\. ").expect("it is a constant"));
    static LEFT_OUT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"Left out: (\d+) further legal action").expect("it is a constant"));
    let number = |found: regex::Captures<'_>| found[1].parse::<u32>().expect("it is a number");
    let actions = user.rsplit_once("\nLegal actions").map_or("", |(_, actions)| actions);
    (
        LISTED.captures_iter(actions).map(number).collect(),
        LEFT_OUT.captures_iter(actions).map(number).sum::<u32>() as usize,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Never more than its tokens; every legal action is listed or counted, and can be chosen either way.
    #[test]
    fn a_tower_of_any_size_fits(
        (floors, width, height) in prop_oneof![
            4 => (1u16..56, 3u16..14, 3u16..14),
            1 => (1u16..3, 60u16..129, 40u16..129),
        ],
        seed in any::<u64>(),
        steps in 0usize..40,
        tokens in prop_oneof![Just(6_000u64), 700u64..4_000],
        per_byte in 20u64..60,
    ) {
        let game = Game::new(tower(floors, width, height, seed), ItemMode::Auto).expect("it can be played");
        let mut state = game.start().expect("it starts");
        for step in 0..steps {
            let actions = game.actions(&state).expect("they can be had");
            let Some(action) = actions.iter().filter(|action| !action.is_lethal()).nth(step % actions.len().max(1)) else { break };
            let next = game.apply(&state, action).expect("it is legal").state;
            if next.end.is_some() {
                break;
            }
            state = next;
        }
        let observation = observed(&game, &state, 12);
        let rate = TokenRate::counted(100, per_byte).expect("it is above 0");
        let prompt = Prompt::builtin("tower").expect("it is built in");
        let room = Room { tokens: Some(tokens), cap: None, rate };
        let render = || prompt.render(Scene { room, ..Scene::of(&observation) }, AnswerForm::Text);
        let messages = match render() {
            Err(PromptError::TooLong { needed, most, .. }) => {
                prop_assert!(needed > most && most == tokens && tokens < 2_400, "{needed} of {most}");
                return Ok(());
            }
            rendered => rendered.expect("it renders"),
        };
        prop_assert_eq!(&messages, &render().expect("it renders again"));
        prop_assert!(rate.tokens(bytes(&messages)) <= tokens);
        let user = &messages[1].content;
        let (mut listed, left_out) = told(user);
        let all: Vec<u32> = (1..=observation.actions.len() as u32).collect();
        prop_assert_eq!(listed.len() + left_out, all.len(), "{}", user);
        listed.sort_unstable();
        listed.dedup();
        prop_assert_eq!(listed.len() + left_out, all.len(), "an action is listed twice");
        // Those of the hero's floor are the last to go.
        let here = |number: &&u32| observation.actions[**number as usize - 1].target.floor == state.at.floor;
        let missing_here = all.iter().filter(here).any(|number| !listed.contains(number));
        let elsewhere = listed.iter().any(|number| !here(&number));
        prop_assert!(!(missing_here && elsewhere), "{}", user);
        let actions = game.actions(&state).expect("they can be had");
        for number in all {
            let said = Answer { content: Some(format!("Action: {number}")), ..Answer::default() };
            let wanted = prompt.wanted(Asks::Action, floors > 1);
            let parsed = answer::parse(&said, &actions, wanted);
            prop_assert_eq!((parsed.verdict, parsed.number), (Verdict::Ok, Some(number)));
        }
    }
}

#[test]
fn numbers_in_words() {
    let words = |numbers: &[u32]| Several::of(numbers.iter().copied()).map(|several| several.numbers);
    assert_eq!(words(&[]), None);
    assert_eq!(words(&[3]).as_deref(), Some("3"));
    assert_eq!(words(&[1, 2, 4, 5, 6, 9]).as_deref(), Some("1, 2, 4 to 6, 9"));
}

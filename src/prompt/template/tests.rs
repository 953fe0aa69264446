//! What a model is shown, as a snapshot, and what the author of a prompt is told.

use super::*;
use crate::game::{
    Abilities, Ability, Colour, Floor, Game, Gem, Hero, Item, ItemMode, ItemValues, Keys, Monster, Position, Potion,
    Rules, Tile, Tower,
};
use crate::prompt::PastTurn;

/// Three rows: the hero, three monsters and the boss, two doors of which one can be opened, a gem, a potion, a key.
fn observation() -> Observation {
    let monster = |symbol: &str, name: &str, hp, atk, def, abilities: &[Ability]| Monster {
        symbol: symbol.into(),
        name: name.into(),
        hp,
        atk,
        def,
        gold: 0,
        experience: 0,
        abilities: abilities.iter().copied().collect::<Abilities>(),
        boss: symbol == "B",
    };
    let rows = vec![
        vec![Tile::Floor, Tile::Monster(0), Tile::Item(Item::Gem(Gem::Red)), Tile::Monster(1)],
        vec![Tile::Monster(2), Tile::Door(Colour::Blue), Tile::Door(Colour::Yellow), Tile::Monster(3)],
        vec![Tile::Item(Item::Potion(Potion::Red)), Tile::Wall, Tile::Item(Item::Key(Colour::Blue)), Tile::Wall],
    ];
    let tower = Tower {
        name: "corner".into(),
        title: "A corner".into(),
        note: None,
        mechanism: None,
        origin: None,
        rules: Rules::default(),
        hero: Hero { hp: 100, atk: 9, def: 4, keys: Keys { yellow: 1, ..Keys::default() }, ..Hero::default() },
        start: Position::new(0, 0, 0),
        items: ItemValues { red_gem: 1, red_potion: 75, ..ItemValues::default() },
        monsters: vec![
            monster("1", "Green Slime", 50, 7, 3, &[]),
            monster("2", "Red Slime", 70, 11, 9, &[Ability::Double]),
            monster("3", "Bat", 30, 60, 1, &[Ability::NStrike { n: 4 }, Ability::MagicAttack]),
            monster("B", "Boss", 50, 20, 12, &[]),
        ],
        shop: None,
        floors: vec![Floor::from_rows(String::new(), rows).expect("the rows are equally long")],
        stairs: Vec::new(),
        ..Tower::default()
    };
    let game = Game::new(tower, ItemMode::Auto).expect("the tower is playable");
    let mut state = game.start().expect("the start can be computed");
    let first = game.action_at(&state, Position::new(0, 1, 0)).expect("the slime is in reach");
    let before = state.hero.hp;
    let step = game.apply(&state, &first).expect("the slime can be fought");
    state = step.state;
    let past = PastTurn {
        turn: 1,
        target: first.target,
        text: game.describe_action(&first),
        hp_before: before,
        hp_after: state.hero.hp,
        collected: crate::prompt::observation::collected(&game, &step.collected),
        instead_of: Some("fight the Bat (0,1)".into()),
    };
    Observation::of(&game, &state, Some(30), &[past]).expect("the state can be observed")
}

#[test]
fn single_floor_as_a_model_sees_it() {
    let prompt = Prompt::builtin("single_floor").expect("it is built in");
    assert!(prompt.overrides);
    let messages = prompt.render(Scene::of(&observation()), AnswerForm::Text).expect("it renders");
    assert_eq!(messages.iter().map(|message| message.role).collect::<Vec<_>>(), [Role::System, Role::User]);
    insta::assert_snapshot!(messages[0].content, @r"
    You play Magic Tower, a puzzle on a grid in which everything is visible and nothing is random. You win by defeating the boss; your score is the HP that the hero has left then. If he dies, or only lethal fights and locked doors remain, the score is 0. What is spent is gone: think ahead about keys, about HP, and about the order of gems and fights.

    Rules
    - Each turn you choose one of the listed actions; no other move exists. Walking over open floor is free and happens by itself.
    - Items that can be walked to are collected at once and at no cost, in the same turn in which they come into reach.
    - A door is opened with one key of its colour. The key is used up.
    - Fight: the hero strikes first, then both strike in turns until the monster falls. His strike takes (his ATK - its DEF) from its HP; its strike takes (its ATK - his DEF), at least 0, from his. His MDEF is taken off the total damage of each fight once. If his ATK is not above its DEF he cannot fight it.
    - A monster that needs n strikes to fall therefore strikes n - 1 times. The damage that each fight would cost now, abilities included, is listed for you; more ATK, DEF or MDEF lowers it.
    - A fight whose damage is at least the hero's HP kills him.

    Map symbols
    . floor, # wall, @ hero, B boss, numbers are monsters; doors: Y yellow, b blue, R red, E green; keys: k yellow, K blue, r red, e green; gems: a red (ATK), d blue (DEF), g green (MDEF); potions (HP): p red, P blue, o yellow, O green; s sword (ATK), h shield (DEF).
    Positions are (x,y): x is the column from the left, y the row from the top, both from 0.
    ");
    insta::assert_snapshot!(messages[1].content, @r"
    A corner, turn 2 of at most 30
         x = 0 1 2 3
    y =  0   . @ . 2
    y =  1   3 b Y B
    y =  2   p # K #

    Hero at (1,0): HP 76, ATK 10, DEF 4, MDEF 0; keys: 1 yellow

    Monsters, with the damage that a fight costs the hero now
    | symbol | name | HP | ATK | DEF | abilities | damage now | where |
    |---|---|---|---|---|---|---|---|
    | 2 | Red Slime | 70 | 11 | 9 | double attack | 966 (lethal) | (3,0) |
    | 3 | Bat | 30 | 60 | 1 | magic attack, 4-strike attack | 720 (lethal) | (0,1) |
    | B | Boss | 50 | 20 | 12 | - | cannot be hurt | (3,1) |
    double attack: strikes 2 times in each of its turns.
    magic attack: its strikes ignore the hero's DEF.
    4-strike attack: strikes 4 times in each of its turns.

    Items left
    K blue key (+1 blue key): (2,2)
    p red potion (+75 HP): (0,2)

    Last turns
    turn 1: fight the Green Slime (1,0) (in place of your choice: fight the Bat (0,1)), HP 100 -> 76; collected red gem (2,0): +1 ATK

    In reach, but not legal now
    - blue door (1,1): no blue key

    Legal actions
    1. fight the Bat (0,1): LETHAL, costs 720 HP and the hero has 76
    2. open the yellow door (2,1): HP after it 76; collects blue key (2,2): +1 blue key
    3. fight the Red Slime (3,0): LETHAL, costs 966 HP and the hero has 76

    Reason as briefly as you can. The last line of your answer must be `Action: N`, N being the number of a legal action.
    ");
}

/// Nothing in it tells what is legal but the map itself.
#[test]
fn the_unlisted_prompt_lists_no_action() {
    let (listed, unlisted) = (Prompt::builtin("single_floor").unwrap(), Prompt::builtin("unlisted").unwrap());
    assert_eq!((listed.naming, unlisted.naming, unlisted.overrides), (Naming::Number, Naming::Target, true));
    let text = |prompt: &Prompt| {
        let messages = prompt.render(Scene::of(&observation()), AnswerForm::JsonSchema).unwrap();
        messages.into_iter().map(|message| message.content).collect::<Vec<_>>().join("\n\n")
    };
    for telling in ["Legal actions\n", "\n1. ", "In reach, but not legal"] {
        assert!(text(&listed).contains(telling) && !text(&unlisted).contains(telling), "{telling}");
    }
    // What is on the map is told as before.
    let user = |text: String| text[text.find("     x = 0").unwrap()..text.find("\nLast turns").unwrap()].to_owned();
    assert_eq!(user(text(&unlisted)), user(text(&listed)));
    insta::assert_snapshot!(text(&unlisted).lines().find(|line| line.contains("you name")).unwrap(), @"- Each turn you name the tile of a door or a monster that the hero can walk to; no other move exists. Walking over open floor is free and happens by itself, left, right, up and down, never diagonally; doors, monsters and walls are in the way.");
}

/// The four prompts differ in what they are there for, and in nothing else.
#[test]
fn prompts_have_in_common_what_they_share() {
    let observation = observation();
    let render = |name: &str, asks| {
        let scene = Scene { asks, ..Scene::of(&observation) };
        Prompt::builtin(name).unwrap().render(scene, AnswerForm::Text).unwrap()
    };
    let listed = render("single_floor", Asks::Action);
    let until = |text: &str, end: &str| text[..text.find(end).unwrap_or(text.len())].to_owned();
    for (name, asks, end) in [
        ("route", Asks::Action, "\nReason as briefly"),
        ("route", Asks::Route, "\nBefore your first action"),
        ("solver_route", Asks::Action, "\nReason as briefly"),
    ] {
        let other = render(name, asks);
        assert_eq!(other[0], listed[0], "{name}");
        let text = until(&other[1].content, end).replace("You have written no route.\n\n", "");
        assert!(listed[1].content.starts_with(&text), "{name}:\n{text}");
        assert!(text.contains("Last turns") && !Prompt::builtin(name).unwrap().overrides);
    }
}

#[test]
fn every_built_in_prompt_renders_for_every_form_of_answer() {
    for name in Prompt::names() {
        let prompt = Prompt::builtin(name).expect("it is built in");
        assert_eq!(prompt.name, name);
        assert_eq!(prompt.hash().len(), 12);
        for form in [AnswerForm::JsonSchema, AnswerForm::Tool, AnswerForm::Text] {
            assert!(prompt.render(Scene::of(&observation()), form).is_ok());
            let planned = prompt.render(Scene { asks: Asks::Route, ..Scene::of(&observation()) }, form);
            assert_eq!(planned.is_ok(), prompt.route == RouteUse::Own, "{name}");
        }
    }
}

#[test]
fn a_users_prompt_may_be_short() {
    let text = "+++\nname = \"mine\"\nversion = 1\nanswer.text = \"N?\"\n+++\n{% block user %}\nHP {{ hero.hp }} {{ answer }}\n{% endblock %}\n";
    let prompt = Prompt::parse("mine.md", text).expect("it is a prompt");
    let messages = prompt.render(Scene::of(&observation()), AnswerForm::Text).expect("it renders");
    assert_eq!(messages, [Message::new(Role::User, "HP 76 N?")]);
    assert!(!prompt.overrides);
    assert_eq!(prompt.hash(), Prompt::parse("b.md", &text.replace('\n', "\r\n")).expect("it is a prompt").hash());
    assert_ne!(prompt.hash(), Prompt::parse("b.md", &text.replace("HP", "hp")).expect("it is a prompt").hash());
}

#[test]
fn mistakes_are_named_with_file_and_line() {
    let body = "{% block user %}\n{{ answer }}\n{% endblock %}";
    let front = "+++\nname = \"mine\"\nversion = 1\nanswer.text = \"N?\"\n+++\n";
    let error = |text: &str| match Prompt::parse("mine.md", text) {
        Err(error) => error.to_string(),
        Ok(prompt) => {
            prompt.render(Scene::of(&observation()), AnswerForm::Text).expect_err("it cannot render").to_string()
        }
    };
    insta::assert_snapshot!(error(body), @"mine.md:1: a prompt begins with a line `+++` and its front matter");
    insta::assert_snapshot!(error("+++\nname = \"mine\""), @"mine.md:1: the front matter is never closed by a second line `+++`");
    insta::assert_snapshot!(error(&format!("+++\nname = \"mine\"\nverion = 1\n+++\n{body}")), @"mine.md:3: unknown field `verion`, expected one of `name`, `version`, `override`, `naming`, `route`, `tokens`, `answer`, `plan`");
    insta::assert_snapshot!(error(&format!("+++\nname = \"a b\"\nversion = 1\n+++\n{body}")), @"mine.md:2: `name` may have letters, digits, `_` and `-` only");
    insta::assert_snapshot!(error(&format!("{front}{{% block user %}}\n{{% if %}}\n{{% endblock %}}")), @"mine.md:7: syntax error: unexpected end of block in `{% if %}`");
    insta::assert_snapshot!(error(&format!("{front}{{% block user %}}\n{{{{ hero.mana }}}}\n{{% endblock %}}")), @"mine.md:7: undefined value in `{{ hero.mana }}`");
    insta::assert_snapshot!(error(&format!("{front}{{% block user %}}\n{{{{ hreo }}}}\n{{% endblock %}}")), @"mine.md:7: undefined value in `{{ hreo }}`");
    insta::assert_snapshot!(error(&format!("{front}no block")), @"mine.md:1: there is no block `user`: write {% block user %} … {% endblock %}");
    insta::assert_snapshot!(error(&format!("{front}{{% block usr %}}{{% endblock %}}")), @"mine.md:6: there is no message for the block `usr`; the blocks are `system` and `user`");
    insta::assert_snapshot!(error(&format!("+++\nname = \"mine\"\nversion = 1\n+++\n{body}")), @"mine.md: the front matter has no `text` in [answer], but an agent is configured for that form");
    insta::assert_snapshot!(Prompt::builtin("singel_floor").expect_err("misspelled").to_string(), @"there is no prompt `singel_floor`; did you mean `single_floor`? (a prompt of your own is named by its path)");
    assert!(matches!(Prompt::read(Path::new("no/such/prompt.md")), Err(PromptError::Read { .. })));
}

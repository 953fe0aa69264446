//! Random small towers with what plain ones do not have: events, choices, things, gates, one-way ways, marks, goals.

use mota::game::{
    Ability, Attribute, Barrier, Choice, Event, Expression, Gate, Goal, Hero, Instruction, Item, Keys, Marks, Operator,
    Passage, Position, Quantity, RuleSet, Script, Target, Thing, Tile, Tower, Trigger, Variable,
};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::towers::{Kind, tower};

/// A place of a tower of two floors of five by three, by an index.
fn place(tower: &Tower, index: Index) -> Position {
    let places: Vec<Position> = tower.tiles().map(|(at, _)| at).collect();
    *index.get(&places)
}

fn quantity() -> impl Strategy<Value = Quantity> {
    use mota::game::Colour::{Blue, Yellow};
    prop::sample::select(vec![
        Quantity::Hp,
        Quantity::Hp,
        Quantity::Atk,
        Quantity::Def,
        Quantity::Mdef,
        Quantity::Gold,
        Quantity::Experience,
        Quantity::Keys(Yellow),
        Quantity::Keys(Blue),
    ])
}

/// Raising and lowering, setting, paying what a variable says.
fn value(quantity: Quantity) -> impl Strategy<Value = Expression> {
    let itself = Expression::Hero(quantity);
    prop_oneof![
        6 => (1_i64..30).prop_map({ let it = itself.clone(); move |by| it.clone().operation(Operator::Plus, Expression::whole(by)) }),
        3 => (1_i64..9).prop_map({ let it = itself.clone(); move |by| it.clone().operation(Operator::Minus, Expression::whole(by)) }),
        1 => (1_i64..40).prop_map(Expression::whole),
        1 => Just(itself.clone().operation(Operator::Over, Expression::whole(2))),
        1 => Just(itself.clone().operation(Operator::Most, Expression::whole(12))),
        1 => Just(itself.operation(Operator::Minus, Expression::Variable(0))),
    ]
}

fn condition() -> impl Strategy<Value = Expression> {
    let compared = (
        prop_oneof![
            3 => (0..2_u16).prop_map(Expression::Variable),
            2 => Just(Expression::Hero(Quantity::Gold)),
            1 => Just(Expression::Hero(Quantity::Experience)),
            1 => Just(Expression::Hero(Quantity::Hp)),
        ],
        prop::sample::select(vec![
            Operator::Equal,
            Operator::AtLeast,
            Operator::Less,
            Operator::AtMost,
            Operator::Greater,
            Operator::Unequal,
        ]),
        0_i64..6,
    )
        .prop_map(|(left, operator, right)| left.operation(operator, Expression::whole(right)));
    prop_oneof![
        5 => compared.clone(),
        1 => compared.clone().prop_map(|one| Expression::Not(Box::new(one))),
        1 => (compared.clone(), compared).prop_map(|(one, other)| one.operation(Operator::And, other)),
    ]
}

/// Where instructions point: resolved once the tower is known.
#[derive(Clone, Debug)]
enum Draft {
    Plain(Instruction),
    Put(Tile, Index),
    Remove(Index),
    RemoveOwn,
    Hide(Index),
    Show(Index),
    Open(Index),
    Move(Index, Option<Index>),
    Fight(u16, Option<Index>),
    Go(Index),
    If(Expression, Vec<Draft>, Vec<Draft>),
    /// A loop that does not come to a second round unless something is true.
    While(Expression, Vec<Draft>, Instruction),
    MoveBoss(Index),
    /// Opens or fights where another event is.
    OpenThere,
    FightThere(u16),
    Choose(Vec<(Option<Expression>, Vec<Draft>)>),
    Sell(Quantity, i64, Quantity, i64),
}

fn step() -> impl Strategy<Value = Draft> {
    let index = any::<Index>;
    let put = prop::sample::select(vec![
        Tile::Floor,
        Tile::Wall,
        Tile::Door(mota::game::Colour::Yellow),
        Tile::Item(Item::Potion(mota::game::Potion::Red)),
        Tile::Item(Item::Gem(mota::game::Gem::Red)),
        Tile::Item(Item::Key(mota::game::Colour::Yellow)),
        Tile::Item(Item::Thing(0)),
        Tile::Monster(0),
        Tile::Event,
        Tile::Gate(0),
    ]);
    prop_oneof![
        8 => quantity().prop_flat_map(|quantity| value(quantity).prop_map(move |value| {
            Draft::Plain(Instruction::Set { target: Target::Hero(quantity), value })
        })),
        3 => (0..2_u16, 0_i64..4).prop_map(|(id, value)| Draft::Plain(Instruction::Set {
            target: Target::Variable(id),
            value: Expression::whole(value),
        })),
        2 => (0..2_u16).prop_map(|id| Draft::Plain(Instruction::Set {
            target: Target::Variable(id),
            value: Expression::Variable(id).operation(Operator::Plus, Expression::whole(1)),
        })),
        3 => (put, index()).prop_map(|(tile, at)| Draft::Put(tile, at)),
        2 => index().prop_map(Draft::Remove),
        8 => Just(Draft::RemoveOwn),
        1 => index().prop_map(Draft::Hide),
        1 => index().prop_map(Draft::Show),
        2 => index().prop_map(Draft::Open),
        1 => (index(), prop::option::of(index())).prop_map(|(from, to)| Draft::Move(from, to)),
        1 => (0..3_u16, prop::option::of(index())).prop_map(|(monster, at)| Draft::Fight(monster, at)),
        1 => index().prop_map(Draft::Go),
        1 => (0..3_u16, 0_i64..20).prop_map(|(monster, value)| Draft::Plain(Instruction::Alter {
            monster,
            what: Attribute::Atk,
            value: Expression::whole(value),
        })),
        3 => (prop::sample::select(vec![Quantity::Gold, Quantity::Experience]), 1_i64..5, quantity(), 1_i64..20)
            .prop_map(|(money, price, bought, amount)| Draft::Sell(money, price, bought, amount)),
        1 => Just(Draft::Plain(Instruction::Stop)),
        1 => index().prop_map(Draft::MoveBoss),
        1 => Just(Draft::OpenThere),
        1 => (0..3_u16).prop_map(Draft::FightThere),
        1 => prop::sample::select(vec![Instruction::Lose, Instruction::Skip("a sound".into())]).prop_map(Draft::Plain),
    ]
}

fn script() -> impl Strategy<Value = Vec<Draft>> {
    let flat = || prop::collection::vec(step(), 1..4);
    let nested = prop_oneof![
        3 => step(),
        2 => (condition(), flat(), flat()).prop_map(|(condition, then, otherwise)| Draft::If(condition, then, otherwise)),
        2 => prop::collection::vec((prop::option::of(condition()), flat()), 1..3).prop_map(Draft::Choose),
        1 => (condition(), flat(), prop::sample::select(vec![Instruction::Stop, Instruction::Break]))
            .prop_map(|(condition, body, last)| Draft::While(condition, body, last)),
    ];
    prop::collection::vec(nested, 1..4)
}

/// Where an event is that follows something.
fn elsewhere(tower: &Tower, trigger: &Trigger, own: Position) -> Position {
    tower.events.iter().find(|event| event.trigger == *trigger).map_or(own, |event| event.at)
}

/// The script of an event at a place.
fn resolve(tower: &Tower, drafts: &[Draft], own: Position) -> Script {
    let at = |index: &Index| place(tower, *index);
    let inner = |drafts: &[Draft]| resolve(tower, drafts, own);
    let mut script = Script::new();
    for draft in drafts {
        script.push(match draft {
            Draft::Plain(instruction) => instruction.clone(),
            Draft::Put(tile, index) => Instruction::Put { tile: *tile, at: vec![at(index)] },
            Draft::Remove(index) => Instruction::Remove { at: vec![at(index)] },
            Draft::RemoveOwn => Instruction::Remove { at: vec![own] },
            Draft::Hide(index) => Instruction::Hide { at: vec![at(index)] },
            Draft::Show(index) => Instruction::Show { at: vec![at(index)] },
            Draft::Open(index) => Instruction::Open { at: vec![at(index)] },
            Draft::Move(from, to) => Instruction::Move { from: at(from), to: to.as_ref().map(at) },
            Draft::Fight(monster, index) => Instruction::Fight { monster: *monster, at: index.as_ref().map(at) },
            Draft::Go(index) => Instruction::Go { to: at(index) },
            Draft::If(condition, then, otherwise) => {
                Instruction::If { condition: condition.clone(), then: inner(then), otherwise: inner(otherwise) }
            }
            Draft::While(condition, drafts, last) => {
                let body = inner(drafts).into_iter().chain([last.clone()]).collect();
                Instruction::While { condition: condition.clone(), body }
            }
            Draft::MoveBoss(index) => {
                Instruction::Move { from: tower.bosses().next().unwrap_or(own), to: Some(at(index)) }
            }
            Draft::OpenThere => Instruction::Open { at: vec![elsewhere(tower, &Trigger::AfterOpen, own)] },
            Draft::FightThere(monster) => {
                Instruction::Fight { monster: *monster, at: Some(elsewhere(tower, &Trigger::AfterFight, own)) }
            }
            Draft::Choose(options) => Instruction::Choose {
                text: "Which?".into(),
                options: (options.iter())
                    .map(|(condition, drafts)| Choice {
                        text: "This".into(),
                        condition: condition.clone(),
                        script: inner(drafts),
                    })
                    .collect(),
            },
            Draft::Sell(money, price, bought, amount) => {
                let held = Expression::Hero(*money);
                let set = |quantity: Quantity, operator, by| Instruction::Set {
                    target: Target::Hero(quantity),
                    value: Expression::Hero(quantity).operation(operator, Expression::whole(by)),
                };
                Instruction::If {
                    condition: held.operation(Operator::AtLeast, Expression::whole(*price)),
                    then: vec![set(*money, Operator::Minus, *price), set(*bought, Operator::Plus, *amount)],
                    otherwise: Script::new(),
                }
            }
        });
    }
    script
}

#[derive(Clone, Debug)]
struct Happening {
    at: Index,
    figure: bool,
    trigger: u8,
    condition: Expression,
    hidden: bool,
    script: Vec<Draft>,
}

prop_compose! {
    fn happening()(
        at in any::<Index>(), figure in any::<bool>(), trigger in 0..12_u8, condition in condition(),
        hidden in prop::bool::weighted(0.15), script in script(),
    ) -> Happening {
        Happening { at, figure, trigger, condition, hidden, script }
    }
}

fn add(tower: &mut Tower, happening: &Happening) {
    let at = place(tower, happening.at);
    let free = |tower: &Tower| matches!(tower.tile(at), Some(Tile::Floor | Tile::Wall)) && at != tower.start;
    let trigger = match (happening.trigger, tower.tile(at)) {
        (0, _) => Trigger::FirstArrival,
        (1, _) => Trigger::When { condition: happening.condition.clone(), once: true, anywhere: true },
        (2, _) => Trigger::When { condition: happening.condition.clone(), once: false, anywhere: false },
        (3, _) => Trigger::Arrival,
        (_, Some(Tile::Monster(_))) => Trigger::AfterFight,
        (_, Some(Tile::Item(_))) => Trigger::AfterCollect,
        (_, Some(Tile::Door(_) | Tile::Gate(_))) => Trigger::AfterOpen,
        _ if free(tower) => Trigger::Step,
        _ => return,
    };
    if trigger == Trigger::Step {
        put(tower, at, if happening.figure { Tile::Figure } else { Tile::Event });
    }
    let of_floor = trigger.is_of_floor();
    let at = if of_floor { Position::new(at.floor, 0, 0) } else { at };
    if tower.events.iter().any(|event| event.at == at && event.trigger == trigger && !of_floor) {
        return;
    }
    let script = resolve(tower, &happening.script, at);
    tower.events.push(Event { at, trigger, title: String::new(), hidden: happening.hidden && !of_floor, script });
}

fn put(tower: &mut Tower, at: Position, tile: Tile) {
    let floor = &tower.floors[usize::from(at.floor)];
    let width = usize::from(floor.width());
    let mut tiles: Vec<Tile> = floor.tiles().map(|(_, _, tile)| tile).collect();
    tiles[usize::from(at.y) * width + usize::from(at.x)] = tile;
    let rows = tiles.chunks(width).map(<[Tile]>::to_vec).collect();
    tower.floors[usize::from(at.floor)] = mota::game::Floor::from_rows(String::new(), rows).expect("a rectangle");
}

fn late_ability() -> impl Strategy<Value = Option<Ability>> {
    prop::option::weighted(
        0.3,
        prop::sample::select(vec![
            Ability::Curse,
            Ability::Hatred,
            Ability::SelfDestruct,
            Ability::Invincible,
            Ability::Drain { atk: 1, def: 2 },
        ]),
    )
}

prop_compose! {
    /// A random tower of two floors of five by three with up to three events.
    pub fn scripted(kind: Kind)(
        mut tower in tower(kind),
        happenings in prop::collection::vec(happening(), 0..4),
        things in (any::<Index>(), any::<Index>(), -3_i64..20, script(), prop::bool::weighted(0.3)),
        gate in (any::<Index>(), 0_i64..2, 0_i64..2, prop::bool::weighted(0.2)),
        ways in prop::collection::vec((any::<Index>(), any::<Index>()), 0..2),
        barriers in prop::collection::vec((any::<Index>(), 0..4_u8), 0..3),
        abilities in prop::collection::vec(late_ability(), 3),
        goal in 0..4_u8, exit in any::<Index>(), winner in any::<Index>(),
        hatred in 0_i64..3,
    ) -> Tower {
        tower.variables = vec![
            Variable { name: "flag:a".into(), start: 0 },
            Variable { name: "flag:b".into(), start: 1 },
            Variable { name: "item:tool".into(), start: 0 },
        ];
        if tower.rules.set == RuleSet::H5mota {
            tower.rules.hatred = hatred;
            for (monster, ability) in tower.monsters.iter_mut().zip(&abilities) {
                ability.iter().for_each(|ability| monster.abilities.insert(*ability));
            }
        }
        let (first, second, hp, drafts, does) = &things;
        let thing = |name: &str, gain, tools, script| Thing { symbol: String::new(), name: name.into(), gain, tools, script };
        let gain = Hero { hp: *hp, mdef: (*hp * 8).min(0), keys: Keys { blue: 1, ..Keys::default() }, ..Hero::default() };
        let marks = Marks { cross: true, coin: *hp > 10, ..Marks::default() };
        let own = place(&tower, *first);
        let script = if *does { resolve(&tower, drafts, own) } else { Script::new() };
        tower.things = vec![
            thing("Bag", gain, vec![(2, 1)], script),
            thing("Cross", Hero { marks, ..Hero::default() }, Vec::new(), Script::new()),
        ];
        let (at, yellow, tool, by_event) = gate;
        tower.gates = vec![Gate {
            symbol: String::new(),
            name: "Gate".into(),
            keys: Keys { yellow, ..Keys::default() },
            tools: vec![(2, tool)],
            by_event,
        }];
        for (index, tile) in [(*first, Tile::Item(Item::Thing(0))), (*second, Tile::Item(Item::Thing(1))), (at, Tile::Gate(0))] {
            let at = place(&tower, index);
            if at != tower.start && matches!(tower.tile(at), Some(Tile::Floor)) {
                put(&mut tower, at, tile);
            }
        }
        for (from, to) in ways {
            let (from, to) = (place(&tower, from), place(&tower, to));
            if matches!(tower.tile(from), Some(Tile::Floor | Tile::Monster(_) | Tile::Door(_))) && tower.tile(to) != Some(Tile::Wall) && from != to {
                tower.passages.push(Passage { from, to });
            }
        }
        for (from, side) in barriers {
            let from = place(&tower, from);
            let (x, y) = [(0, -1_i32), (-1, 0), (1, 0), (0, 1)][usize::from(side)];
            let to = Position::new(from.floor, (i32::from(from.x) + x) as u16, (i32::from(from.y) + y) as u16);
            if tower.tile(to).is_some() {
                tower.barriers.push(Barrier { from, to });
            }
        }
        for happening in &happenings {
            add(&mut tower, happening);
        }
        tower.goal = match goal {
            0 => Goal::Exit(place(&tower, exit)),
            1 => Goal::Event,
            _ => Goal::Boss,
        };
        if !tower.events.is_empty() && goal < 2 {
            let index = winner.index(tower.events.len());
            tower.events[index].script.push(Instruction::Win);
        }
        tower
    }
}

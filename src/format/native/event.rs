//! The events of a floor in a file: `[[floor.event]]`. Knows their places and times; what they do is a script.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::expression::outside;
use super::quantity::{Label, Place};
use super::read::string;
use super::script::{self, ScriptReader, value};
use crate::format::problem::Problem;
use crate::format::table::{Places, Table};
use crate::game::{Event, Expression, Position, Tower, Trigger};

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EventKeys {
    at: Option<Place<2>>,
    when: When,
    title: Option<Label>,
    hidden: bool,
    once: Option<bool>,
    anywhere: Option<bool>,
    #[serde(rename = "if")]
    _condition: IgnoredAny,
    #[serde(rename = "do")]
    _script: IgnoredAny,
}

/// When an event happens, as files say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
enum When {
    #[default]
    #[serde(rename = "step")]
    Step,
    #[serde(rename = "after fight")]
    AfterFight,
    #[serde(rename = "after collecting")]
    AfterCollect,
    #[serde(rename = "after opening")]
    AfterOpen,
    #[serde(rename = "first arrival")]
    FirstArrival,
    #[serde(rename = "arrival")]
    Arrival,
    #[serde(rename = "condition")]
    Condition,
}

/// Reads the events of all floors. `shown` is where maps show one.
pub(super) fn read_all(
    tables: Vec<Vec<Table<'_>>>,
    shown: Vec<(Position, Range<usize>)>,
    reader: &mut ScriptReader<'_>,
) -> Vec<Event> {
    let before = reader.problems.len();
    let events: Vec<Event> = (0..).zip(tables).flat_map(|(floor, tables)| read(floor, tables, reader)).collect();
    let steps: BTreeSet<Position> =
        events.iter().filter(|event| event.trigger == Trigger::Step).map(|event| event.at).collect();
    // One that could not be read is not missing.
    let missing = shown.into_iter().filter(|(at, _)| reader.problems.len() == before && !steps.contains(at));
    for (at, place) in missing.collect::<Vec<_>>() {
        let problem = Problem::at(place, "nothing is said of this event");
        let help = format!("add [[floor.event]] with at = [{}, {}] and do = [ … ]", at.x, at.y);
        reader.problems.push(problem.with_help(help));
    }
    events
}

/// Reads the events of a floor, in their order.
fn read(floor: u16, tables: Vec<Table<'_>>, reader: &mut ScriptReader<'_>) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    let mut seen = HashSet::new();
    for table in tables {
        let place = table.place();
        let Some(event) = read_one(floor, table, reader) else { continue };
        let kind = (event.at, std::mem::discriminant(&event.trigger));
        if !event.trigger.is_of_floor() && !seen.insert(kind) {
            let message = format!("a second event at {} of the same time; a tile has one of each", event.at);
            reader.problems.push(Problem::at(place, message));
        }
        events.push(event);
    }
    events
}

fn read_one(floor: u16, mut table: Table<'_>, reader: &mut ScriptReader<'_>) -> Option<Event> {
    let (condition, list) = (table.take("if"), table.take("do"));
    let has_condition = condition.as_ref().map(|entry| entry.key_place.clone());
    let condition = condition.and_then(|entry| reader.expression(entry));
    let script = list.map(|list| reader.script(list)).unwrap_or_default();
    let before = reader.problems.len();
    let (keys, places) = table.read_partly::<EventKeys>(reader.problems);
    if reader.problems.len() > before {
        return None;
    }
    let trigger = match keys.when {
        When::Step => Trigger::Step,
        When::AfterFight => Trigger::AfterFight,
        When::AfterCollect => Trigger::AfterCollect,
        When::AfterOpen => Trigger::AfterOpen,
        When::FirstArrival => Trigger::FirstArrival,
        When::Arrival => Trigger::Arrival,
        When::Condition => Trigger::When {
            condition: condition.unwrap_or(Expression::whole(0)),
            once: keys.once.unwrap_or(true),
            anywhere: keys.anywhere.unwrap_or(false),
        },
    };
    let mut wrong = |place, message: &str| reader.problems.push(Problem::at(place, message));
    match has_condition {
        Some(place) if keys.when != When::Condition => wrong(place, "`if` goes with `when = \"condition\"`"),
        None if keys.when == When::Condition => wrong(places.of("when"), "the key `if` is missing: what becomes true"),
        _ => {}
    }
    for key in ["once", "anywhere"] {
        if places.has(key) && keys.when != When::Condition {
            wrong(places.of(key), &format!("`{key}` goes with `when = \"condition\"`"));
        }
    }
    if keys.hidden && trigger.is_of_floor() {
        wrong(places.of("hidden"), "only an event on a tile is hidden, and this one concerns the floor");
    }
    let at = place_of(floor, &trigger, keys.at.map(|at| at.0), &places, reader);
    let title = keys.title.map(|title| title.0).unwrap_or_default();
    Some(Event { at, trigger, title, hidden: keys.hidden, script })
}

fn place_of(
    floor: u16,
    trigger: &Trigger,
    at: Option<[u16; 2]>,
    places: &Places,
    reader: &mut ScriptReader<'_>,
) -> Position {
    let place = Position::new(floor, at.map_or(0, |at| at[0]), at.map_or(0, |at| at[1]));
    let message = match (at, trigger.is_of_floor()) {
        (Some(_), false) => outside(place, reader.floors),
        (None, true) => None,
        (Some(_), true) => Some("this event concerns the floor and has no place on it".to_owned()),
        (None, false) => Some("the key `at` is missing: the event's column and row".to_owned()),
    };
    if let Some(message) = message {
        reader.problems.push(Problem::at(places.of("at"), message));
    }
    place
}

/// Appends the events of a floor.
pub(super) fn write(tower: &Tower, floor: u16, text: &mut String) {
    for event in tower.events.iter().filter(|event| event.at.floor == floor) {
        text.push_str("\n[[floor.event]]\n");
        if !event.trigger.is_of_floor() {
            let _ = writeln!(text, "at = [{}, {}]", event.at.x, event.at.y);
        }
        let when = match &event.trigger {
            Trigger::Step => "",
            Trigger::AfterFight => "after fight",
            Trigger::AfterCollect => "after collecting",
            Trigger::AfterOpen => "after opening",
            Trigger::FirstArrival => "first arrival",
            Trigger::Arrival => "arrival",
            Trigger::When { .. } => "condition",
        };
        if !when.is_empty() {
            let _ = writeln!(text, "when = \"{when}\"");
        }
        if let Trigger::When { condition, once, anywhere } = &event.trigger {
            let _ = writeln!(text, "if = {}", value(condition, tower));
            text.push_str(if *once { "" } else { "once = false\n" });
            text.push_str(if *anywhere { "anywhere = true\n" } else { "" });
        }
        if !event.title.is_empty() {
            let _ = writeln!(text, "title = {}", string(&event.title));
        }
        text.push_str(if event.hidden { "hidden = true\n" } else { "" });
        if !event.script.is_empty() {
            text.push_str("do = ");
            script::write(&event.script, tower, 0, text);
            text.push('\n');
        }
    }
}

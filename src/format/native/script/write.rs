//! From a script to a list in a file, an instruction a line. Knows nothing of what instructions do.

use std::fmt::Write as _;

use super::super::expression::{attribute_name, print, variable};
use super::super::read::string;
use super::super::symbols::symbol;
use crate::game::{Choice, Expression, Instruction, Position, Script, Target, Tile, Tower};

/// Appends a script as the value of a key, without the end of its last line. `indent` is that of the key's line.
pub(in super::super) fn write(script: &Script, tower: &Tower, indent: usize, text: &mut String) {
    if script.is_empty() {
        text.push_str("[]");
        return;
    }
    text.push_str("[\n");
    for instruction in script {
        one(instruction, tower, indent + 1, text);
    }
    let _ = write!(text, "{}]", blanks(indent));
}

fn blanks(indent: usize) -> String {
    "  ".repeat(indent)
}

/// One instruction, on lines of its own. What else an `if` decides follows as `elif`.
fn one(instruction: &Instruction, tower: &Tower, indent: usize, text: &mut String) {
    let (mut instruction, mut word) = (instruction, "if");
    while let Instruction::If { condition, then, otherwise } = instruction {
        let _ = write!(text, "{}{{ {word} = {}, then = ", blanks(indent), value(condition, tower));
        write(then, tower, indent, text);
        match otherwise.as_slice() {
            [] => text.push_str(" },\n"),
            [inner @ Instruction::If { .. }] => {
                text.push_str(" },\n");
                (instruction, word) = (inner, "elif");
                continue;
            }
            _ => {
                text.push_str(", else = ");
                write(otherwise, tower, indent, text);
                text.push_str(" },\n");
            }
        }
        return;
    }
    text.push_str(&blanks(indent));
    match instruction {
        Instruction::While { condition, body } => {
            let _ = write!(text, "{{ while = {}, do = ", value(condition, tower));
            write(body, tower, indent, text);
            text.push_str(" }");
        }
        Instruction::Choose { text: words, options } => {
            let _ = write!(text, "{{ choose = {}, options = [", string(words));
            for choice in options {
                option(choice, tower, indent + 1, text);
            }
            let end = if options.is_empty() { String::new() } else { format!("\n{}", blanks(indent)) };
            let _ = write!(text, "{end}] }}");
        }
        simple => text.push_str(&line(simple, tower)),
    }
    text.push_str(",\n");
}

fn option(choice: &Choice, tower: &Tower, indent: usize, text: &mut String) {
    let _ = write!(text, "\n{}{{ text = {}", blanks(indent), string(&choice.text));
    if let Some(condition) = &choice.condition {
        let _ = write!(text, ", if = {}", value(condition, tower));
    }
    if !choice.script.is_empty() {
        text.push_str(", do = ");
        write(&choice.script, tower, indent, text);
    }
    text.push_str(" },");
}

/// An instruction without others in it.
fn line(instruction: &Instruction, tower: &Tower) -> String {
    let tile = |tile: Tile| string(symbol(tower, tile));
    let monster = |id: u16| tile(Tile::Monster(id));
    match instruction {
        Instruction::Set { target: to_set, value: to } => {
            format!("{{ set = {}, to = {} }}", target(*to_set, tower), value(to, tower))
        }
        Instruction::Put { tile: to_put, at } => format!("{{ put = {}, at = {} }}", tile(*to_put), places(at)),
        Instruction::Remove { at } => format!("{{ remove = {} }}", places(at)),
        Instruction::Open { at } => format!("{{ open = {} }}", places(at)),
        Instruction::Hide { at } => format!("{{ hide = {} }}", places(at)),
        Instruction::Show { at } => format!("{{ show = {} }}", places(at)),
        Instruction::Move { from, to: None } => format!("{{ move = {} }}", place(*from)),
        Instruction::Move { from, to: Some(to) } => format!("{{ move = {}, to = {} }}", place(*from), place(*to)),
        Instruction::Alter { monster: id, what, value: to } => {
            let what = attribute_name(*what);
            format!("{{ alter = {}, what = \"{what}\", to = {} }}", monster(*id), value(to, tower))
        }
        Instruction::Fight { monster: id, at: None } => format!("{{ fight = {} }}", monster(*id)),
        Instruction::Fight { monster: id, at: Some(at) } => {
            format!("{{ fight = {}, at = {} }}", monster(*id), place(*at))
        }
        Instruction::Go { to } => format!("{{ go = {} }}", place(*to)),
        Instruction::Break => "\"break\"".to_owned(),
        Instruction::Continue => "\"continue\"".to_owned(),
        Instruction::Stop => "\"stop\"".to_owned(),
        Instruction::Win => "\"win\"".to_owned(),
        Instruction::Lose => "\"lose\"".to_owned(),
        Instruction::Skip(words) => format!("{{ skip = {} }}", string(words)),
        Instruction::If { .. } | Instruction::While { .. } | Instruction::Choose { .. } => String::new(),
    }
}

/// An expression as a value: in quotes, unless it is a whole number.
pub(in super::super) fn value(expression: &Expression, tower: &Tower) -> String {
    let whole = match expression {
        Expression::Number(number) if number.denominator() == 1 => i64::try_from(number.numerator()).ok(),
        _ => None,
    };
    whole.map_or_else(|| string(&print(expression, tower)), |whole| whole.to_string())
}

fn target(target: Target, tower: &Tower) -> String {
    string(&match target {
        Target::Hero(quantity) => print(&Expression::Hero(quantity), tower),
        Target::Variable(id) => variable(tower, id),
    })
}

/// A place: floor, column and row.
pub(in super::super) fn place(at: Position) -> String {
    format!("[{}, {}, {}]", at.floor, at.x, at.y)
}

fn places(at: &[Position]) -> String {
    let places: Vec<String> = at.iter().map(|at| place(*at)).collect();
    format!("[{}]", places.join(", "))
}

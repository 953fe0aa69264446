//! An instruction in a few words, for the table of events.

use super::super::kinds::clean;
use super::super::literal::{Kind, Value};

/// What an instruction does, in a few words.
pub fn of(raw: &Value) -> String {
    let text = |key: &str| raw.get(key).map_or(String::new(), plain);
    let at =
        ["loc", "from"].iter().find_map(|key| raw.get(key)).map_or(String::new(), |loc| format!(" {}", plain(loc)));
    let floor = raw.text_of("floorId").map_or(String::new(), |floor| format!(" {floor}"));
    let kind = raw.text_of("type").unwrap_or("text");
    let words = match kind {
        "setValue" | "addValue" => {
            let usual = if kind == "addValue" { "+=" } else { "=" };
            format!("{} {} {}", text("name"), raw.text_of("operator").unwrap_or(usual), text("value"))
        }
        "setEnemy" => {
            format!("{} of {} {} {}", text("name"), text("id"), raw.text_of("operator").unwrap_or("="), text("value"))
        }
        "setBlock" => format!("put {}{floor}{at}", text("number")),
        "closeDoor" => format!("shut {}{floor}{at}", text("id")),
        "openDoor" => format!("open{floor}{at}"),
        "hide" => format!("{}{floor}{at}", if raw.is_true("remove") { "remove" } else { "hide" }),
        "changeFloor" => format!("go to{floor}{at} {}", text("stair")),
        "changePos" | "jumpHero" => format!("go to{at}{}", text("dxy")),
        "battle" => format!("fight {}{at}", text("id")),
        "insert" => format!("insert {}{at}", text("name")),
        "openShop" => format!("shop {}", text("id")),
        "function" => {
            format!("code: {}", text("function").trim_start_matches("function(){").trim_start_matches("function () {"))
        }
        "if" | "while" | "switch" => format!("{kind} {}", text("condition")),
        other => format!("{other}{floor}{at}"),
    };
    short(&clean(&words), 60)
}

/// A text of at most so many characters.
pub fn short(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most).chain(['…']).collect(),
        false => text.trim_end().to_owned(),
    }
}

fn plain(value: &Value) -> String {
    match &value.kind {
        Kind::Text(text) => text.clone(),
        Kind::List(items) if items.len() > 4 => format!("{} tiles", items.len()),
        Kind::List(items) => {
            let inner: Vec<String> = items.iter().map(plain).collect();
            let nested = items.iter().any(|item| matches!(item.kind, Kind::List(_)));
            if nested { inner.join(" ") } else { format!("({})", inner.join(",")) }
        }
        _ => value.to_string(),
    }
}

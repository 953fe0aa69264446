//! Holds the tables of docs/generator.md equal to the data that they show.

use std::fs;
use std::path::Path;

use super::describe::links::SHARES;
use super::description::{Description, LinkKind};
use super::kind::Kinds;
use super::words::LEXICON;

/// The manual's tables by the marks that stand before them.
fn tables() -> Vec<(&'static str, String)> {
    vec![("words", words()), ("kinds", kinds()), ("kind words", kind_words()), ("links", links())]
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head_line = line(head.iter().map(|cell| (*cell).to_owned()).collect());
    let rule = format!("|{}\n", "---|".repeat(head.len()));
    head_line + &rule + &rows.map(line).collect::<String>()
}

fn words() -> String {
    let listed = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    table(&["words", "what is made"], LEXICON.iter().map(|(_, made, words)| vec![listed(words), (*made).to_owned()]))
}

fn kinds() -> String {
    let head = ["kind", "monsters", "cache", "holds", "plate", "light", "potions"];
    let rows = Kinds::standard().kinds.into_iter().map(|kind| {
        let percent = |share: f64| format!("{} %", (share * 100.0).round());
        let holds = if kind.holds.is_empty() { "–".into() } else { kind.holds.join(", ") };
        let times = |share: f64| format!("× {share}");
        let (cache, plate) = (percent(kind.cache), percent(kind.plate));
        vec![kind.name, times(kind.monsters), cache, holds, plate, kind.light.to_string(), times(kind.potions)]
    });
    table(&head, rows)
}

fn kind_words() -> String {
    table(&["kind", "words"], Kinds::standard().kinds.into_iter().map(|kind| vec![kind.name, kind.words.join(", ")]))
}

fn links() -> String {
    let rows = SHARES.iter().map(|(kind, share)| {
        let (name, what) = match kind {
            LinkKind::Door => ("door", "a short way shut by a door that takes a key"),
            LinkKind::Narrow => {
                ("narrow", "an open way of one square, which the first monster of the room behind it bars")
            }
            LinkKind::Corridor => ("corridor", "an open way of three squares or more"),
            LinkKind::Crawl => ("crawl", "a low way: only low monsters stand in its mouth"),
        };
        vec![name.to_owned(), what.to_owned(), format!("{share} %")]
    });
    table(&["link", "what it is", "of those made from words"], rows)
}

fn manual() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/generator.md")).expect("the manual is there")
}

#[test]
fn the_tables_of_the_manual_are_those_of_the_program() {
    let manual = manual();
    for (mark, table) in tables() {
        let there = manual.contains(&format!("<!-- {mark} -->\n\n{table}"));
        assert!(there, "docs/generator.md should have after <!-- {mark} -->:\n\n{table}");
    }
}

#[test]
fn the_description_of_the_manual_can_be_drawn() {
    let manual = manual();
    let example = manual.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let description = Description::read(example, "example").unwrap();
    assert_eq!(description.check_names(&Kinds::standard(), &["Bat", "Rat"]), Ok(()));
}

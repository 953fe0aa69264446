//! Projects of the HTML5 engine: what the importer makes of small invented ones of both generations, what it says of them,
//! and what it refuses.

mod faults;
mod kept;
mod project;
mod tower;

use std::fmt::Write;

use mota::format::h5mota::Report;

/// A report as lines, for snapshots.
fn told(report: &Report) -> String {
    let mut text = format!("{} floors, difficulty {:?}, goal: {}\n", report.floors, report.difficulty, report.goal);
    let (all, modelled) = report.changes();
    let _ = writeln!(text, "{modelled} of {all} changes modelled");
    for event in &report.events {
        let place = event.x.zip(event.y).map_or(String::new(), |(x, y)| format!(" ({x},{y})"));
        let _ = write!(text, "{}{place} {} | {} | ", event.floor, event.trigger, event.what);
        let _ = write!(text, "{}/{} {}", event.changes_modelled, event.changes, event.modelled.word());
        text += &if event.why.is_empty() { "\n".to_owned() } else { format!(" | {}\n", event.why) };
    }
    for other in &report.others {
        let _ =
            writeln!(text, "- {} {} ({} times, {}): {}", other.what, other.name, other.count, other.first, other.why);
    }
    for odd in &report.oddities {
        let _ = writeln!(text, "? {odd}");
    }
    text
}

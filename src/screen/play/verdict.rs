//! What is said at the end of a game: the result against the optimum, and the decisions that cost something.

use crate::eval::Ending;
use crate::screen::episode::Episode;
use crate::screen::frame::in_hp;
use crate::screen::worth::{Judged, Worth};

/// What is to be said, a sentence or two each.
pub fn verdict(episode: &Episode) -> Vec<String> {
    let Some(footer) = &episode.trace.footer else { return Vec::new() };
    let mut said = vec![match footer.ending {
        Ending::Won => format!("Won with {} HP.", footer.hero.hp),
        Ending::Dead => "Dead.".into(),
        Ending::Stuck => "Stuck: only lethal or impossible fights, and doors without a key, are left.".into(),
        other => format!("The game has ended: {other}."),
    }];
    match &episode.worth {
        Worth::Known(judged) => said.extend(compared(judged, footer.ending == Ending::Won)),
        Worth::Solving => said.push("Solving: what the best play gives is said as soon as it is known.".into()),
        Worth::Unknown(why) => said.push(format!("What the best play gives is not known: {why}.")),
        Worth::Hidden => {}
    }
    said.extend(helped(episode));
    said
}

fn compared(judged: &Judged, won: bool) -> Vec<String> {
    let analysis = &judged.analysis;
    let mut said = Vec::new();
    match analysis.optimum.value() {
        None => said.push(format!("What the best play ends with is not known: {}.", in_hp(analysis.optimum))),
        Some(None) => said.push("The boss cannot be defeated on this floor.".into()),
        Some(Some(optimum)) if won && analysis.hero.hp == optimum => said.push("No play ends with more.".into()),
        Some(Some(optimum)) => said.push(format!("The best play ends with {optimum} HP.")),
    }
    let lowered = analysis.decisions.iter().filter(|decision| decision.is_losing() == Some(false));
    let losses = lowered.filter_map(|decision| Some((decision.turn, decision.value_lost().filter(|lost| *lost > 0)?)));
    let losses: Vec<String> = losses.map(|(turn, lost)| format!("{turn} ({lost} HP)")).collect();
    if !losses.is_empty() {
        said.push(format!("Decisions that cost some of it: {}.", losses.join(", ")));
    }
    if let Some(losing) = &analysis.losing {
        said.push(format!(
            "The losing decision was {}: {} {}. Before it {} HP could still be had.",
            losing.turn, losing.text, losing.target, losing.before
        ));
    }
    if let Some(between) = &analysis.losing_between {
        said.push(format!("Which decision lost the game is not known: {}.", between.in_words()));
    }
    said
}

/// What was taken back and shown on the way.
fn helped(episode: &Episode) -> Option<String> {
    let taken_back = episode.trace.taken_back();
    let hinted = episode.trace.hinted() as usize;
    let decisions = |count: usize| if count == 1 { "1 decision".into() } else { format!("{count} decisions") };
    let back = (taken_back > 0).then(|| format!("{} taken back", decisions(taken_back as usize)));
    let shown = (hinted > 0).then(|| format!("state values shown before {}", decisions(hinted)));
    let said: Vec<String> = back.into_iter().chain(shown).collect();
    (!said.is_empty()).then(|| format!("On the way: {}.", said.join(", ")))
}

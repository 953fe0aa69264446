//! One floor's inspection for people.

use crate::analysis::decision::{ActionValue, DecisionValue};
use crate::cli::output::hero_line;
use crate::game::{Colour, Keys};
use crate::inspect::{BestPlay, Fate, Inspection, Inventory, States, Survey};

/// Everything that was found out.
pub fn text(inspection: &Inspection) -> String {
    let mut text = format!("{}\n{}", inspection.title, inventory(&inspection.inventory));
    text += &match (inspection.optimum, &inspection.hero_at_optimum, &inspection.values_unknown) {
        (Some(_), Some(hero), _) => format!("optimum    {}\n", hero_line(hero)),
        (Some(optimum), None, _) => format!("optimum    HP {optimum}\n"),
        (None, _, None) => "optimum    none: the boss cannot be defeated\n".to_owned(),
        (None, _, Some(_)) => "optimum    not known\n".to_owned(),
    };
    let known = inspection.optimum.is_some() || inspection.values_unknown.is_none();
    if let Some(stated) = inspection.stated_optimum.filter(|stated| known && inspection.optimum != Some(*stated)) {
        text += &format!("stated     the file states {stated}: it was changed after that was found\n");
    }
    if let Some(why) = &inspection.values_unknown {
        text += &format!("values     not known: {why}\n");
    }
    if let Some(survey) = &inspection.survey {
        text += &states(survey, &inspection.inventory);
    }
    if let Some(best_play) = &inspection.best_play {
        text += &best(best_play);
    }
    text += &agents(&inspection.agents);
    if !inspection.points.is_empty() {
        text += "\nOn the picture\n";
        for (number, point) in (1..).zip(&inspection.points) {
            text += &format!("  ({number}) {}: {}\n", point.at, point.text);
        }
    }
    if let Some(note) = &inspection.note {
        text += &format!("\nNote: {note}.\n");
    }
    text
}

fn inventory(inventory: &Inventory) -> String {
    let sizes: Vec<String> = inventory.sizes.iter().map(|(width, height)| format!("{width} × {height}")).collect();
    let size = match sizes.as_slice() {
        [one] => one.clone(),
        all => format!("{} floors, {}", all.len(), all[..all.len().min(3)].join(", ")),
    };
    let Inventory { monsters, obstacles, gems: [red, blue, green], potions, potion_hp, .. } = inventory;
    let mut text = format!("size       {size}\n");
    text += &format!("start      {}\n", hero_line(&inventory.hero));
    let monsters = plural(i64::from(*monsters), "monster");
    let doors = plural(inventory.all_doors(), "door");
    text += &format!("obstacles  {obstacles}: {monsters}, the boss, {doors}\n");
    let colours = Colour::ALL.into_iter().filter(|colour| inventory.doors[*colour] > 0 || inventory.keys[*colour] > 0);
    let keys = |keys: Keys, colour: Colour, what: &str| plural(keys[colour], &format!("{colour} {what}"));
    let keys: Vec<String> = colours
        .map(|colour| {
            format!("{} for {}", keys(inventory.keys, colour, "key"), plural(inventory.doors[colour], "door"))
        })
        .collect();
    if !keys.is_empty() {
        text += &format!("keys       {}\n", keys.join(", "));
    }
    let potions = plural(i64::from(*potions), "potion");
    text += &format!("items      {red} red, {blue} blue, {green} green gems, {potions} of {potion_hp} HP\n");
    if inventory.shops > 0 {
        text += &format!("shops      {}\n", inventory.shops);
    }
    text
}

fn plural(count: i64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn states(survey: &Survey, inventory: &Inventory) -> String {
    let start_hp = inventory.hero.hp;
    // With a shop, what was bought tells states apart, too.
    let things =
        if inventory.shops > 0 { "cleared doors, monsters and purchases" } else { "cleared doors and monsters" };
    let share = |states: &States| format!("{:.1} %", states.lost_percent());
    let Survey { sets, keys, least_start_hp } = survey;
    let mut text = match sets {
        Some(sets) => format!(
            "states     {} of {things} can be reached, {} lost ({}); {}\n",
            plural(sets.reached as i64, "set"),
            sets.lost,
            share(sets),
            plural(sets.winning as i64, "winning set")
        ),
        None => format!("states     more sets of {things} can be reached than were to be counted\n"),
    };
    text += &format!(
        "           {} if those that lead to nothing any more are not told apart, {} lost ({})\n",
        keys.reached,
        keys.lost,
        share(keys)
    );
    if let Some(least) = least_start_hp {
        text += &format!("slack      the boss can be defeated with {least} of the {start_hp} HP at the start\n");
    }
    text
}

fn best(play: &BestPlay) -> String {
    let BestPlay { decisions, critical, forced, costly, lethal, wrong_doors, .. } = play;
    let mut text = format!(
        "\nBest play: {}, {critical} critical, {forced} forced\n\
         at {costly} some action costs value, at {lethal} a fight in reach is lethal, at {wrong_doors} opening a wrong \
         door loses\n",
        plural(i64::from(*decisions), "decision")
    );
    for step in &play.steps {
        text += &decision(step);
    }
    text += &match &play.first_losing {
        Some(first) => format!("first losing alternative: turn {}, {} {}\n", first.turn, first.text, first.target),
        None => "no alternative loses\n".to_owned(),
    };
    for temptation in &play.temptations {
        let what = format!("{}'s choices on the way would cost value", temptation.agent);
        text += &match temptation.costly {
            0 => format!("{what} at no decision\n"),
            costly => {
                format!("{what} at {costly}, {} HP together, and lose at {}", temptation.value_lost, temptation.losing)
            }
        };
        if let Some(first) = &temptation.first_losing {
            text += &format!(", first on turn {}: {} {}", first.turn, first.text, first.target);
        }
        text += if temptation.costly > 0 { "\n" } else { "" };
    }
    text
}

/// A decision of best play: what is done, and what else would cost.
fn decision(step: &DecisionValue) -> String {
    let Some(action) = step.action() else { return String::new() };
    let kind = match (step.is_critical(), step.is_forced()) {
        (_, Some(true)) => "forced",
        (Some(true), _) => "critical",
        _ => "",
    };
    let others = || step.actions.iter().filter(|other| other.number != step.executed);
    let list = |what: &str, of: &dyn Fn(&ActionValue) -> bool| {
        let places: Vec<String> = others().filter(|other| of(other)).map(|other| place(other, action)).collect();
        (!places.is_empty()).then(|| format!("{what}: {}", places.join(" ")))
    };
    let equal = list("as good", &|other| other.worth.is_saved() && other.worth == step.before);
    let costly = others().filter(|other| other.worth.most < step.before.least);
    let costly = costly.filter_map(|other| Some(format!("{} {}", place(other, action), other.worth.hp()?)));
    let losing = list("lost", &|other| other.worth.is_lost() && !other.lethal);
    let lethal = list("lethal", &|other| other.lethal);
    let others: Vec<String> = costly.chain(equal).chain(losing).chain(lethal).collect();
    let done = format!("{} {}", action.text, action.target);
    let line = format!("{:4}. {done:<34} {kind:<8} {}", step.turn, others.join(", "));
    format!("{}\n", line.trim_end())
}

/// An action by its place; what several purchases at one shop are is told by words.
fn place(other: &ActionValue, done: &ActionValue) -> String {
    match other.target == done.target || other.text.starts_with("buy") {
        true => format!("{} {}", other.text, other.target),
        false => other.target.to_string(),
    }
}

fn agents(fates: &[Fate]) -> String {
    let mut text = "\nReference agents\n".to_owned();
    for fate in fates {
        text += &format!("  {:<16} {}\n", fate.agent.name(), outcome(fate));
    }
    text
}

fn outcome(fate: &Fate) -> String {
    let mut text = match (fate.did_not_play.as_deref(), fate.episodes, fate.best_hp) {
        (Some(why), ..) => return format!("did not play: {why}"),
        (_, 0, _) => return "did not play".into(),
        (_, 1, Some(hp)) => return format!("wins with {hp} HP"),
        (_, 1, None) => "loses".to_owned(),
        (_, episodes, best) => {
            let best = best.map(|hp| format!(", at best with {hp} HP")).unwrap_or_default();
            format!("wins {} of {episodes}{best}", fate.won)
        }
    };
    if let Some(losing) = &fate.losing {
        let how_often =
            if fate.episodes > 1 { format!("; loses most often ({}×)", fate.lost_by_it) } else { String::new() };
        text += &format!(
            "{how_often} on turn {}: {} {}, where {} HP could have been had",
            losing.turn, losing.text, losing.target, losing.before
        );
    }
    text
}

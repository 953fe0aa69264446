//! What happens to a run elsewhere, as the events of a run that is played here. Knows nothing of the server.

use std::collections::BTreeSet;

use super::mirror::Told;
use crate::cluster::status::Status;
use crate::eval::dispatcher::Reporter;
use crate::eval::event::Event;
use crate::eval::plan::Plan;
use crate::eval::record::Record;

/// Seconds by which a wait may grow shorter from one status to the next, which comes about a second later.
const SLACK: f64 = 3.0;
/// Calls of an agent that wait on one worker; whatever tells of more is no worker.
const MOST: usize = 10_000;

/// What a line of a journal means for a run.
pub(super) fn happenings(episode: usize, told: &Told) -> Vec<Event> {
    let Told::Record(record) = told else { return Vec::new() };
    match serde_json::from_slice(record) {
        Ok(Record::Header(_)) => vec![Event::Started { episode, turns: 0, torn: 0 }],
        Ok(Record::Call(call)) => {
            let (verdict, usage, from_cache) = (call.verdict, call.usage, call.time.from_cache);
            vec![Event::Called { episode, verdict, usage, from_cache }]
        }
        Ok(Record::Decision(_)) => vec![Event::Decided { episode }],
        Ok(Record::Footer(footer)) => vec![Event::Finished { episode, ending: footer.ending }],
        Ok(Record::Pending(_)) => Vec::new(),
        Err(error) => {
            tracing::warn!("a record of episode {} cannot be read: {error}", episode + 1);
            Vec::new()
        }
    }
}

/// Tells what has changed from one status of a worker to the next.
pub(super) fn pass_on(plan: &Plan, before: &Status, now: &Status, reporter: &mut dyn Reporter) {
    let agents: BTreeSet<&String> = before.waiting.keys().chain(now.waiting.keys()).collect();
    for agent in agents {
        let wait = |status: &Status| status.waiting.get(agent).cloned().unwrap_or_default();
        let (was, is) = (wait(before), wait(now));
        let (were, are) = (was.calls.min(MOST), is.calls.min(MOST));
        // As many as before may wait for something else.
        let other = is.why != was.why || is.seconds > was.seconds || is.seconds < was.seconds - SLACK;
        let anew = usize::from(are > 0 && are <= were && other);
        for _ in are..were + anew {
            event(plan, Event::Resumed { agent: agent.clone() }, reporter);
        }
        for _ in were..are.max(were + anew) {
            let (agent, why, seconds) = (agent.clone(), is.why.clone(), is.seconds);
            event(plan, Event::Waiting { agent, why, seconds }, reporter);
        }
    }
    if let Some(why) = now.trouble.as_ref().filter(|why| before.trouble.as_ref() != Some(*why)) {
        event(plan, Event::Trouble { worker: now.worker.clone(), why: why.clone() }, reporter);
    }
    for (agent, why) in now.cannot.iter().filter(|(agent, _)| !before.cannot.contains_key(*agent)) {
        let (worker, agent, why) = (now.worker.clone(), agent.clone(), why.clone());
        event(plan, Event::CannotHere { worker, agent, why }, reporter);
    }
}

/// Writes an event into the log and shows it.
pub(super) fn event(plan: &Plan, event: Event, reporter: &mut dyn Reporter) {
    event.log(plan);
    reporter.event(&event);
}

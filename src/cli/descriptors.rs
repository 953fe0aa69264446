//! File descriptors: how many the process may have, and how many episodes at once they suffice for. Knows nothing of how
//! episodes are played.

use crate::eval::config::AgentKind;
use crate::eval::plan::Plan;

/// Descriptors that are not an episode's: standard streams, the runtime's own, lock, log, files read and closed again.
const OWN: u64 = 24;

/// Lets the process have as many descriptors as the episodes of a plan need at once, and says how many episodes there may
/// be if it cannot have so many. No more than are needed, because programs that are started inherit the limit.
pub fn episodes_at_once(plan: &Plan) -> usize {
    let asked = plan.config.concurrency.episodes.min(plan.episodes.len()).max(1);
    let each = each(plan.config.agents.iter().map(|agent| &agent.kind));
    let most = most(OWN.saturating_add(each.saturating_mul(asked as u64)));
    let fit = usize::try_from(most.saturating_sub(OWN) / each).unwrap_or(usize::MAX).max(1);
    if fit >= asked {
        return plan.config.concurrency.episodes;
    }
    let told = "this system allows the program no more file descriptors";
    tracing::warn!("{told} than {most} (ulimit -Hn): {fit} episodes are played at once instead of {asked}");
    fit
}

/// The most descriptors that the process has at once for each episode that agents of these kinds play: its trace, and what
/// the agents talk through.
fn each<'a>(kinds: impl Iterator<Item = &'a AgentKind>) -> u64 {
    let (mut models, mut commands) = (0, 0);
    for kind in kinds {
        match kind {
            // A connection stays open for a while when its call has ended, and each agent has its own.
            AgentKind::Model(_) => models += 1,
            // Three pipes and a handle of the process; as many ends again while it is started.
            AgentKind::Command(_) => commands = 8,
            _ => {}
        }
    }
    // A new connection may have been begun before that of another call became free.
    1 + commands.max(u64::from(models > 0)) + models
}

/// The limit of descriptors, raised to what is needed as far as the system allows.
fn most(needed: u64) -> u64 {
    // Where the limit cannot be told or raised, going on as configured is all that can be done.
    rlimit::increase_nofile_limit(needed).unwrap_or(needed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::command::CommandConfig;

    #[test]
    fn what_each_episode_needs() {
        let model = AgentKind::Model(Box::default());
        let command = AgentKind::Command(CommandConfig::default());
        assert_eq!(each([AgentKind::Greedy, AgentKind::Random].iter()), 1);
        assert_eq!(each([model.clone()].iter()), 3);
        assert_eq!(each([model.clone(), model.clone(), AgentKind::Greedy].iter()), 4);
        assert_eq!(each([command.clone(), command.clone()].iter()), 9);
        assert_eq!(each([command, model].iter()), 10);
    }
}

//! The table `configurations`: one row for every configuration over all floors.

use polars_core::frame::DataFrame;
use polars_core::prelude::PolarsResult;

use super::batch::{self, Floor};
use super::episodes::INVALID;
use super::table::{Table, ends, floor_notes, fraction, text, whole};
use crate::analysis::EpisodeAnalysis;
use crate::analysis::statistics::{RESAMPLES, mean, mean_interval, wilson};

const BRIEF: &[&str] = &[
    "agent",
    "prompt",
    "floors",
    "finished",
    "won",
    "win_rate",
    "optimal",
    "share_of_optimum",
    "mean_turns",
    "own_value_losses_per_episode",
    "invalid_percent",
    "tokens_per_episode",
    "cost_usd_per_episode",
];

/// How every configuration fared over all floors that it played.
///
/// # Errors
/// If the frame cannot be built.
pub fn table(floors: &[Floor<'_>]) -> PolarsResult<Table> {
    let mut notes = vec![
        "Over all floors that the configuration played: rows are comparable only where these are the same. All columns \
         but episodes are over finished ones. Judged: finished episodes whose state values are \
         known; optimal: those of them that ended at the optimum."
            .to_owned(),
        format!(
            "Share of optimum: final HP over the floor's optimum, a lost episode counting as 0, averaged over episodes \
             whose optimum is known and above 0. Intervals cover 95 %: of the win rate by Wilson's score method, of the \
             share by the percentile bootstrap, {RESAMPLES} samples of episodes drawn with replacement, none with fewer \
             than two. Both take episodes for independent, those on the same floor included."
        ),
        "Own value losses: of judged episodes, decisions of the agent itself that lowered the final HP under best play. Invalid: answers \
         that were no action, of all calls. Tokens: sent and answered. Cost: of the \
         episodes that state any; an answer from the response cache counts as if it had been paid for."
            .to_owned(),
    ];
    notes.extend(floor_notes(floors));
    Ok(Table {
        name: "configurations",
        title: "Configurations over all floors",
        notes,
        frame: frame(floors)?,
        brief: BRIEF,
    })
}

/// A configuration with all its episodes.
struct Row<'a> {
    agent: &'a str,
    prompt: &'a str,
    floors: usize,
    episodes: usize,
    finished: Vec<&'a EpisodeAnalysis>,
}

impl Row<'_> {
    fn won(&self) -> usize {
        self.finished.iter().filter(|episode| episode.is_won()).count()
    }

    fn shares(&self) -> Vec<f64> {
        self.finished.iter().filter_map(|episode| episode.share_of_optimum()).collect()
    }

    /// The mean of what every finished episode has; none without any.
    fn mean(&self, of: impl Fn(&EpisodeAnalysis) -> f64) -> Option<f64> {
        mean(&self.finished.iter().map(|episode| of(episode)).collect::<Vec<f64>>())
    }

    fn calls(&self) -> u32 {
        self.finished.iter().map(|episode| episode.calls()).sum()
    }

    fn invalid_percent(&self) -> Option<f64> {
        let invalid = |episode: &EpisodeAnalysis| -> u32 {
            INVALID.iter().filter_map(|(verdict, _)| episode.verdicts.get(verdict)).sum()
        };
        let calls = self.calls();
        (calls > 0).then(|| 100.0 * f64::from(self.finished.iter().map(|e| invalid(e)).sum::<u32>()) / f64::from(calls))
    }

    /// US dollars of every episode that states any.
    fn costs(&self) -> Vec<f64> {
        self.finished.iter().filter_map(|episode| episode.cost_usd).collect()
    }

    /// Of the episodes that state any.
    fn cost_per_win(&self) -> Option<f64> {
        let won = self.finished.iter().filter(|episode| episode.is_won() && episode.cost_usd.is_some()).count();
        self.cost().filter(|_| won > 0).map(|cost| cost / won as f64)
    }

    fn cost(&self) -> Option<f64> {
        Some(self.costs()).filter(|costs| !costs.is_empty()).map(|costs| costs.iter().sum())
    }
}

fn frame(floors: &[Floor<'_>]) -> PolarsResult<DataFrame> {
    let rows: Vec<Row<'_>> = batch::configurations(floors)
        .into_iter()
        .map(|(floors, configuration)| Row {
            agent: &configuration[0].key.agent,
            prompt: &configuration[0].key.prompt,
            floors,
            episodes: configuration.len(),
            finished: configuration.iter().copied().filter(|episode| episode.is_finished()).collect(),
        })
        .collect();
    let optimal = |row: &Row<'_>| row.finished.iter().filter(|e| e.is_judged() && e.is_optimal() == Some(true)).count();
    let judged = |row: &Row<'_>| row.finished.iter().filter(|episode| episode.is_judged()).count();
    let own = |row: &Row<'_>| {
        let judged = row.finished.iter().filter(|episode| episode.is_judged());
        let losses = judged.filter_map(|episode| Some(episode.own_value_losses()? as f64));
        mean(&losses.collect::<Vec<f64>>())
    };
    let tokens = |episode: &EpisodeAnalysis| (episode.prompt_tokens + episode.completion_tokens) as f64;
    let mut columns = vec![
        text("agent", &rows, |row| Some(row.agent.to_owned())),
        text("prompt", &rows, |row| Some(row.prompt.to_owned())),
        whole("floors", &rows, |row| Some(row.floors as i64)),
        whole("episodes", &rows, |row| Some(row.episodes as i64)),
        whole("finished", &rows, |row| Some(row.finished.len() as i64)),
        whole("won", &rows, |row| Some(row.won() as i64)),
        fraction("win_rate", &rows, |row| row.mean(|episode| f64::from(u8::from(episode.is_won())))),
    ];
    columns.extend(ends("win_rate", &rows, |row| wilson(row.won(), row.finished.len())));
    columns.push(whole("judged", &rows, |row| Some(judged(row) as i64)));
    columns.push(whole("optimal", &rows, |row| (judged(row) > 0).then(|| optimal(row) as i64)));
    columns.push(fraction("share_of_optimum", &rows, |row| mean(&row.shares())));
    columns.extend(ends("share_of_optimum", &rows, |row| mean_interval(&row.shares())));
    columns.extend([
        fraction("mean_turns", &rows, |row| row.mean(|episode| episode.decisions.len() as f64)),
        fraction("overrides_per_episode", &rows, |row| row.mean(|episode| episode.overrides() as f64)),
        fraction("own_value_losses_per_episode", &rows, own),
        fraction("invalid_percent", &rows, Row::invalid_percent),
        fraction("tokens_per_episode", &rows, |row| (row.calls() > 0).then(|| row.mean(tokens)).flatten()),
        fraction("cost_usd", &rows, Row::cost),
        fraction("cost_usd_per_episode", &rows, |row| mean(&row.costs())),
        fraction("cost_usd_per_win", &rows, Row::cost_per_win),
    ]);
    DataFrame::new(rows.len(), columns)
}

#[cfg(test)]
mod tests {
    use crate::eval::Ending;
    use crate::report::sample::episode;
    use crate::report::{batch, export, sample};

    /// What is not known is neither a loss nor none: the mean is that of the episodes that could be judged.
    #[test]
    fn floors_without_values_do_not_count_as_played_well() {
        let known = episode("a", "none", "f").values(&[60, 50]).ended(Ending::Won, 50).done();
        let unknown = episode("a", "none", "g").values(&[60, 50]).ended(Ending::Won, 50).unknown().done();
        let shown = |analyses: &[_]| {
            let shown = export::transposed(&super::table(&batch::floors(analyses)).unwrap());
            let wanted = ["judged", "optimal", "share_of_optimum", "own_value_losses_per_episode"];
            let lines = shown.lines().filter(|line| wanted.iter().any(|name| line.starts_with(&format!("{name}:"))));
            lines.collect::<Vec<_>>().join(", ")
        };
        let both = [known, unknown.clone()];
        assert_eq!(shown(&both), "judged: 1, optimal: 0, share_of_optimum: 0.735, own_value_losses_per_episode: 2.00");
        assert_eq!(shown(&[unknown]), "judged: 0, optimal: –, share_of_optimum: –, own_value_losses_per_episode: –");
        let floors = batch::floors(&both);
        let episodes = crate::report::episodes::table(&floors).unwrap();
        let results = export::transposed(&crate::report::results::table(&floors, &episodes).unwrap());
        assert!(
            results.contains("\nvalue_losses: 2 | –\nvalue_losses_not_known: 0 | 2\nown_value_losses: 2 | –\n"),
            "{results}"
        );
    }

    /// smollm2, by hand: on two floors seven episodes, six finished, two of them won, at 22 of 68 and 9 of 9 HP: shares
    /// 0, 0, 0, 22/68, 0, 1 (mean 0.22). Turns 5, 4, 1, 4, 1, 1. Own value losses 2, 2, 0, 2, 0, 0. Of the 25 answers of
    /// the finished ones 21 were no action. Tokens 1050, 2070 and none in the four others: 520 on average.
    #[test]
    fn every_column_is_what_is_counted_by_hand() {
        let analyses = sample::batch();
        let table = super::table(&batch::floors(&analyses)).unwrap();
        insta::assert_snapshot!(export::transposed(&table), @"
        agent: optimal | smollm2
        prompt: none | single_floor
        floors: 1 | 2
        episodes: 1 | 7
        finished: 1 | 6
        won: 1 | 2
        win_rate: 1.000 | 0.333
        win_rate_low: 0.207 | 0.097
        win_rate_high: 1.000 | 0.700
        judged: 1 | 6
        optimal: 1 | 1
        share_of_optimum: 1.000 | 0.221
        share_of_optimum_low: – | 0.000
        share_of_optimum_high: – | 0.554
        mean_turns: 3.00 | 2.67
        overrides_per_episode: 0.00 | 0.17
        own_value_losses_per_episode: 0.00 | 1.00
        invalid_percent: – | 84.00
        tokens_per_episode: – | 520.00
        cost_usd: – | 0.750000
        cost_usd_per_episode: – | 0.375000
        cost_usd_per_win: – | –
        ");
    }
}

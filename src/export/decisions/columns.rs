//! Rows as columns: the one place that names them, in the order in which they stand in the file.

use polars_core::chunked_array::builder::get_list_builder;
use polars_core::frame::DataFrame;
use polars_core::prelude::{Column, DataType, IntoSeries, NamedFrom, PolarsResult, Series};
use serde::Serialize;
use serde_json::Value;

use super::row::Row;
use crate::analysis::ActionValue;
use crate::game::{Colour, Hero};
use crate::model::Usage;
use crate::prompt::ActionView;
use crate::solver::Worth;

/// The rows as a frame; of no rows, one that has the columns all the same.
pub fn frame(rows: &[Row]) -> PolarsResult<DataFrame> {
    let columns = [episode(rows), situation(rows), value(rows), choice(rows), legal(rows)?, model(rows)?, ending(rows)];
    DataFrame::new(rows.len(), columns.into_iter().flatten().collect())
}

fn episode(rows: &[Row]) -> Vec<Column> {
    vec![
        texts("run", rows, |row| Some(row.about.run.clone())),
        texts("folder", rows, |row| Some(row.about.folder.clone())),
        texts("episode", rows, |row| Some(row.about.header.id.clone())),
        texts("agent", rows, |row| Some(row.about.header.key.agent.clone())),
        texts("floor", rows, |row| Some(row.about.header.key.floor.clone())),
        texts("floor_hash", rows, |row| Some(row.about.header.floor_hash.clone())),
        texts("prompt", rows, |row| Some(row.about.header.key.prompt.clone())),
        integers("repeat", rows, |row| Some(row.about.header.key.repeat.into())),
        integers("turn", rows, |row| Some(row.decision.turn.into())),
    ]
}

fn situation(rows: &[Row]) -> Vec<Column> {
    let mut columns = vec![
        texts("observation", rows, |row| row.observation.clone()),
        integers("x", rows, |row| Some(row.decision.at.x.into())),
        integers("y", rows, |row| Some(row.decision.at.y.into())),
        integers("z", rows, |row| Some(row.decision.at.floor.into())),
    ];
    columns.extend(hero(rows, "", |row| &row.decision.hero));
    columns.extend(hero(rows, "_after", |row| &row.decision.after));
    columns
}

type Quantity = fn(&Hero) -> i64;

/// The hero's quantities, each a column with this end of its name.
fn hero(rows: &[Row], end: &str, of: impl Fn(&Row) -> &Hero) -> Vec<Column> {
    let quantities: [(&str, Quantity); 6] = [
        ("hp", |hero| hero.hp),
        ("atk", |hero| hero.atk),
        ("def", |hero| hero.def),
        ("mdef", |hero| hero.mdef),
        ("gold", |hero| hero.gold),
        ("experience", |hero| hero.experience),
    ];
    let keys = Colour::ALL
        .into_iter()
        .map(|colour| integers(&format!("{colour}_keys{end}"), rows, |row| Some(of(row).keys[colour])));
    (quantities.iter())
        .map(|(name, quantity)| integers(&format!("{name}{end}"), rows, |row| Some(quantity(of(row)))))
        .chain(keys)
        .collect()
}

fn value(rows: &[Row]) -> Vec<Column> {
    let mut columns = vec![texts("values_unknown", rows, |row| row.about.analysis.values_unknown.clone())];
    columns.extend(worth("optimum", rows, |row| row.about.analysis.optimum));
    columns.extend(worth("value_before", rows, |row| row.value.before));
    columns.extend(worth("value_after", rows, |row| row.value.after()));
    columns.extend([
        integers("value_lost", rows, |row| row.value.value_lost()),
        booleans("optimal", rows, |row| row.value.is_optimal()),
        booleans("losing", rows, |row| row.value.is_losing()),
        booleans("critical", rows, |row| row.value.is_critical()),
        booleans("forced", rows, |row| row.value.is_forced()),
    ]);
    columns
}

/// A value, whether it is known, and the bounds that it lies between, known or not.
fn worth(name: &str, rows: &[Row], of: impl Fn(&Row) -> Worth) -> [Column; 4] {
    [
        integers(name, rows, |row| of(row).hp()),
        booleans(&format!("{name}_known"), rows, |row| Some(of(row).is_known())),
        integers(&format!("{name}_least"), rows, |row| of(row).least),
        integers(&format!("{name}_most"), rows, |row| of(row).bound()),
    ]
}

fn choice(rows: &[Row]) -> Vec<Column> {
    vec![
        integers("chosen", rows, |row| Some(row.decision.chosen.into())),
        integers("executed", rows, |row| Some(row.decision.executed.into())),
        texts("by", rows, |row| name(&row.decision.by)),
        integers("target_x", rows, |row| Some(row.decision.target.x.into())),
        integers("target_y", rows, |row| Some(row.decision.target.y.into())),
        integers("target_z", rows, |row| Some(row.decision.target.floor.into())),
        texts("text", rows, |row| row.value.action().map(|action| action.text.clone())),
        texts("end", rows, |row| name(&row.decision.end?)),
        integers("taken_back", rows, |row| Some(row.decision.taken_back.len() as i64)),
        booleans("hints", rows, |row| Some(row.decision.hints)),
    ]
}

/// Lists of one length in every row: what is known of each legal action.
fn legal(rows: &[Row]) -> PolarsResult<Vec<Column>> {
    let values = |row: &Row, of: fn(&ActionValue) -> Option<i64>| row.value.actions.iter().map(of).collect::<Vec<_>>();
    let integer = |name: &str, of: fn(&ActionView) -> Option<i64>| {
        lists(name, DataType::Int64, rows, |row| series(row.decision.actions.iter().map(of).collect::<Vec<_>>()))
    };
    let text = |name: &str, of: fn(&ActionView) -> Option<String>| {
        lists(name, DataType::String, rows, |row| series(row.decision.actions.iter().map(of).collect::<Vec<_>>()))
    };
    Ok(vec![
        integer("action_number", |action| Some(action.number.into()))?,
        integer("action_x", |action| Some(action.target.x.into()))?,
        integer("action_y", |action| Some(action.target.y.into()))?,
        integer("action_z", |action| Some(action.target.floor.into()))?,
        text("action_kind", |action| name(&action.verb))?,
        text("action_text", |action| Some(action.text.clone()))?,
        integer("action_damage", |action| action.damage)?,
        integer("action_price", |action| action.price)?,
        integer("action_hp_after", |action| Some(action.hp_after))?,
        lists("action_lethal", DataType::Boolean, rows, |row| {
            series(row.decision.actions.iter().map(|action| action.lethal).collect::<Vec<_>>())
        })?,
        lists("action_value", DataType::Int64, rows, |row| series(values(row, |action| action.worth.hp())))?,
        lists("action_value_known", DataType::Boolean, rows, |row| {
            series(row.value.actions.iter().map(|action| action.worth.is_known()).collect::<Vec<_>>())
        })?,
        lists("action_value_least", DataType::Int64, rows, |row| series(values(row, |action| action.worth.least)))?,
        lists("action_value_most", DataType::Int64, rows, |row| series(values(row, |action| action.worth.bound())))?,
    ])
}

fn model(rows: &[Row]) -> PolarsResult<Vec<Column>> {
    // What no call was made for has no tokens, which is not the same as none used.
    let sum = |row: &Row, of: fn(&Usage) -> u64| {
        let used: u64 = row.calls.iter().map(|call| of(&call.usage)).fold(0, u64::saturating_add);
        (!row.calls.is_empty()).then(|| i64::try_from(used).unwrap_or(i64::MAX))
    };
    let verdicts = |row: &Row| row.calls.iter().map(|call| name(&call.verdict)).collect::<Vec<_>>();
    let costs: Vec<Option<f64>> = (rows.iter())
        .map(|row| row.calls.iter().filter_map(|call| call.usage.cost_usd).reduce(std::ops::Add::add))
        .collect();
    Ok(vec![
        lists("verdicts", DataType::String, rows, |row| series(verdicts(row)))?,
        integers("prompt_tokens", rows, |row| sum(row, |usage| usage.prompt_tokens)),
        integers("completion_tokens", rows, |row| sum(row, |usage| usage.completion_tokens)),
        integers("reasoning_tokens", rows, |row| sum(row, |usage| usage.reasoning_tokens)),
        Series::new("cost_usd".into(), costs).into(),
        texts("answer", rows, |row| row.answer()?.content.clone()),
        texts("reasoning", rows, |row| row.answer()?.reasoning.clone()),
    ])
}

fn ending(rows: &[Row]) -> Vec<Column> {
    vec![
        texts("ending", rows, |row| name(&row.about.analysis.ending?)),
        texts("ending_reason", rows, |row| row.about.analysis.reason.clone()),
        integers("final_hp", rows, |row| row.about.analysis.ending.map(|_| row.about.analysis.final_hp())),
    ]
}

fn integers(name: &str, rows: &[Row], of: impl Fn(&Row) -> Option<i64>) -> Column {
    Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into()
}

fn booleans(name: &str, rows: &[Row], of: impl Fn(&Row) -> Option<bool>) -> Column {
    Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into()
}

fn texts(name: &str, rows: &[Row], of: impl Fn(&Row) -> Option<String>) -> Column {
    Series::new(name.into(), rows.iter().map(of).collect::<Vec<_>>()).into()
}

fn lists(name: &str, of_type: DataType, rows: &[Row], of: impl Fn(&Row) -> Series) -> PolarsResult<Column> {
    const ACTIONS: usize = 8;
    let mut builder = get_list_builder(&of_type, ACTIONS * rows.len(), rows.len(), name.into());
    for row in rows {
        builder.append_series(&of(row))?;
    }
    Ok(builder.finish().into_series().into())
}

fn series<T>(values: Vec<T>) -> Series
where
    Series: NamedFrom<Vec<T>, [T]>,
{
    Series::new("".into(), values)
}

/// The name that traces use.
fn name(of: &impl Serialize) -> Option<String> {
    match serde_json::to_value(of) {
        Ok(Value::String(name)) => Some(name),
        _ => None,
    }
}

/// A column's type, as the documentation calls it.
#[cfg(test)]
pub fn type_in_words(of: &DataType) -> String {
    match of {
        DataType::Int64 => "integer".into(),
        DataType::Float64 => "fraction".into(),
        DataType::String => "text".into(),
        DataType::Boolean => "truth".into(),
        DataType::List(of) => format!("list of {}", type_in_words(of)),
        other => other.to_string(),
    }
}

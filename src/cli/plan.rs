//! From the configuration file and the keys set on the command line to a plan.

use std::path::Path;

use super::Failure;
use crate::eval::config_file::ConfigFile;
use crate::eval::plan::{Plan, WherePlayed};
use crate::format;

/// Reads a configuration, with keys set on the command line, and loads what it names.
pub fn load_plan(path: &Path, set: &[String]) -> Result<Plan, Failure> {
    load_plan_for(path, set, WherePlayed::Here)
}

/// The same for a batch that is played here or on other machines.
pub fn load_plan_for(path: &Path, set: &[String], where_played: WherePlayed) -> Result<Plan, Failure> {
    let text = format::read_text(path, format::SIZE_LIMIT)?;
    let file = path.display().to_string();
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let config = match set {
        [] => ConfigFile::parse(&file, &name, &text),
        set => {
            let text = with_keys(&text, set).map_err(|why| Failure::bad_input(format!("--set: {why}")))?;
            ConfigFile::parse(&format!("{file} with --set"), &name, &text)
        }
    };
    let base = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(Plan::new(config, base, where_played)?)
}

/// The text of a configuration with keys replaced or added.
fn with_keys(text: &str, set: &[String]) -> Result<String, String> {
    let document: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    let mut document = toml::Value::Table(document);
    for assignment in set {
        let (key, value) = assignment.split_once('=').ok_or_else(|| format!("`{assignment}` is not KEY=VALUE"))?;
        let read = format!("value = {value}").parse::<toml::Table>().ok();
        let value = read.and_then(|mut table| table.remove("value"));
        let value = value.unwrap_or_else(|| toml::Value::String(assignment[key.len() + 1..].to_owned()));
        let mut path: Vec<&str> = key.trim().split('.').collect();
        let last = path.pop().unwrap_or_default();
        set_key(&mut document, &path, last, value).map_err(|why| format!("`{key}`: {why}"))?;
    }
    toml::to_string(&document).map_err(|error| error.to_string())
}

fn set_key(place: &mut toml::Value, path: &[&str], last: &str, value: toml::Value) -> Result<(), String> {
    let Some((part, rest)) = path.split_first() else {
        return match place {
            toml::Value::Table(table) => {
                table.insert(last.to_owned(), value);
                Ok(())
            }
            toml::Value::Array(array) => {
                let index: usize = last.parse().map_err(|_| format!("`{last}` is not a number"))?;
                *array.get_mut(index).ok_or_else(|| format!("there is no element {index}"))? = value;
                Ok(())
            }
            _ => Err(format!("`{last}` is not inside a table")),
        };
    };
    let inner = match place {
        toml::Value::Table(table) => {
            table.entry(part.to_string()).or_insert_with(|| toml::Value::Table(toml::Table::new()))
        }
        toml::Value::Array(array) => {
            let index: usize = part.parse().map_err(|_| format!("`{part}` is not a number"))?;
            array.get_mut(index).ok_or_else(|| format!("there is no element {index}"))?
        }
        _ => return Err(format!("`{part}` is not inside a table")),
    };
    set_key(inner, rest, last, value)
}

//! `mota check`: whether a tower is drawn well.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output;
use super::{Exit, Failure};
use crate::check::{CHECKS, Code, Finding, Unasked, check_only, unasked};
use crate::format;
use crate::format::name::is_table;
use crate::game::Tower;

/// Arguments of `mota check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mota check tower.toml
  mota check floors/hand0*.toml --only H5,H6
  mota check --list

A finding is a place where a tower breaks a rule of drawing; it can be played all the same. Rules of rooms are asked \
where the file names rooms, rules of the quick exit where it names one. Ends with 1 if anything is found.")]
pub struct CheckArgs {
    /// Tower files
    #[arg(required_unless_present = "list")]
    towers: Vec<PathBuf>,
    /// Ask these checks only
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    only: Vec<Code>,
    /// Print the checks with their rules
    #[arg(long, conflicts_with_all = ["towers", "only", "json"])]
    list: bool,
    /// Print JSON, a list of one entry a tower (its schema: mota schema check)
    #[arg(long)]
    json: bool,
}

/// `mota check --json`, of one tower.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckOutput {
    /// The file, as it was typed.
    file: String,
    /// The tower's name.
    tower: String,
    /// Where it breaks which rules, in the order of the table.
    findings: Vec<Finding>,
    /// The checks that were asked.
    asked: Vec<Code>,
    /// Those that say nothing of it, although they were wanted.
    unasked: Vec<Unasked>,
}

impl CheckArgs {
    /// Checks the towers and prints what is found.
    pub fn run(self) -> Result<Exit, Failure> {
        if self.list {
            output::text(&list())?;
            return Ok(Exit::Done);
        }
        let wanted = if self.only.is_empty() { Code::ALL.to_vec() } else { self.only.clone() };
        let towers = self.towers()?;
        let checked: Vec<CheckOutput> = towers.iter().map(|(file, tower)| checked(file, tower, &wanted)).collect();
        match self.json {
            true => output::json(&checked)?,
            false => output::text(&checked.iter().map(told).collect::<String>())?,
        }
        Ok(if checked.iter().all(|one| one.findings.is_empty()) { Exit::Done } else { Exit::NotWell })
    }

    /// The towers with their files' names, or everything that is wrong with the files.
    fn towers(&self) -> Result<Vec<(String, Tower)>, Failure> {
        let (mut towers, mut reports) = (Vec::new(), Vec::new());
        // A pattern of the shell finds the tables beside the floors, too.
        let several = self.towers.len() > 1;
        for path in self.towers.iter().filter(|path| !(several && is_table(path))) {
            match format::read_tower(path) {
                Ok(tower) => towers.push((path.display().to_string(), tower)),
                Err(error) => reports.extend(Failure::from(error).reports),
            }
        }
        match reports.is_empty() {
            true => Ok(towers),
            false => Err(Failure { reports, exit: Exit::BadInput }),
        }
    }
}

fn checked(file: &str, tower: &Tower, wanted: &[Code]) -> CheckOutput {
    let unasked: Vec<Unasked> = unasked(tower).into_iter().filter(|each| wanted.contains(&each.code)).collect();
    let is_asked = |code: &Code| wanted.contains(code) && unasked.iter().all(|each| each.code != *code);
    CheckOutput {
        file: file.to_owned(),
        tower: tower.name.clone(),
        findings: check_only(tower, wanted),
        asked: Code::ALL.into_iter().filter(is_asked).collect(),
        unasked,
    }
}

/// A line a finding and one for the file.
fn told(checked: &CheckOutput) -> String {
    let mut text = String::new();
    for finding in &checked.findings {
        let _ = writeln!(text, "{}: {} {}", checked.file, finding.code, finding.message);
    }
    let (found, asked) = (counted(checked.findings.len(), "finding"), counted(checked.asked.len(), "check"));
    let _ = write!(text, "{}: {found} by {asked}", checked.file);
    let mut why: BTreeMap<Code, (&str, Vec<String>)> = BTreeMap::new();
    for each in &checked.unasked {
        let known = why.values_mut().find(|(reason, _)| *reason == each.why);
        match known {
            Some((_, codes)) => codes.push(each.code.to_string()),
            None => drop(why.insert(each.code, (&each.why, vec![each.code.to_string()]))),
        }
    }
    let reasons: Vec<String> = why.values().map(|(reason, codes)| format!("{} ({reason})", codes.join(", "))).collect();
    if !reasons.is_empty() {
        let _ = write!(text, "; not asked: {}", reasons.join(", "));
    }
    text + "\n"
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// The table of checks.
fn list() -> String {
    let mut text = String::new();
    for check in &CHECKS {
        let _ = writeln!(text, "{:<4} {}\n     {}", check.code, check.name, check.rule);
    }
    text
}

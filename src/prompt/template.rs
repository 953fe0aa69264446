//! Prompts: templates with a front matter, built in or a user's own. Knows what a template may use; the observation
//! knows what is true.

mod error;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

use minijinja::value::{Serde, merge_maps};
use minijinja::{Environment, Value};
use regex::Regex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use error::PromptError;

use super::cut::Cuts;
use super::environment::environment;
use super::form::{AnswerForm, Asks, Naming, Wanted};
use super::message::{Message, Role};
use super::observation::Observation;
use super::route::{RouteUse, RouteView};
use super::shown::Shown;
use super::tokens::{Room, TokenRate, bytes};

/// A prompt condition: a Markdown file with a TOML front matter between two lines `+++`, and a minijinja template
/// with the blocks `user` and, if wanted, `system`, each of which becomes a message. What stands outside of the blocks
/// is part of both.
///
/// A template may use every field of [`Observation`]; `route`, a [`RouteView`] or none; `planning`, true while a whole
/// route is asked for and not an action; and `answer`, the front matter's instruction for what is asked and the form of
/// answer in use. Where the front matter names a number of `tokens`, `shown` holds as much of the tower as fits into them.
/// Beside minijinja's own filters it has `grid` (a floor's rows as a map with coordinates), `place` (one position or
/// several) and `keys` (keys held, in words). A field that does not exist is an error.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// Its name, as configs and episode ids have it.
    pub name: String,
    /// Its version, from 1; raised when its wording changes.
    pub version: u32,
    /// Whether the mechanical override applies unless a config says otherwise.
    pub overrides: bool,
    /// How answers name their actions.
    pub naming: Naming,
    /// Whose route it carries.
    pub route: RouteUse,
    /// Tokens that it fits itself into, unless another number is configured; none if it shows all there is.
    pub tokens: Option<u64>,
    file: String,
    hash: String,
    text: std::sync::Arc<str>,
    answer: Instructions,
    plan: Instructions,
    environment: Environment<'static>,
    template: String,
    has_system: bool,
}

/// The prompts that are built in: name and text.
const BUILT_IN: [(&str, &str); 5] = [
    ("single_floor", include_str!("../../prompts/single_floor.md")),
    ("route", include_str!("../../prompts/route.md")),
    ("solver_route", include_str!("../../prompts/solver_route.md")),
    ("unlisted", include_str!("../../prompts/unlisted.md")),
    ("tower", include_str!("../../prompts/tower.md")),
];

/// The line before and after the front matter.
const FENCE: &str = "+++";

/// Names under which the template and its two messages are compiled.
const WHOLE: &str = "prompt";
const SYSTEM: &str = "prompt/system";
const USER: &str = "prompt/user";

/// Bytes that a prompt file may have; a larger one is not a prompt.
const LARGEST_FILE: u64 = 1 << 20;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrontMatter {
    name: String,
    version: u32,
    #[serde(default, rename = "override")]
    overrides: bool,
    #[serde(default)]
    naming: Naming,
    #[serde(default)]
    route: RouteUse,
    tokens: Option<u64>,
    #[serde(default)]
    answer: Instructions,
    #[serde(default)]
    plan: Instructions,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Instructions {
    json_schema: Option<String>,
    tool: Option<String>,
    text: Option<String>,
}

impl Instructions {
    fn of(&self, form: AnswerForm) -> Option<&str> {
        let instruction = match form {
            AnswerForm::JsonSchema => &self.json_schema,
            AnswerForm::Tool => &self.tool,
            AnswerForm::Text => &self.text,
        };
        instruction.as_deref()
    }
}

/// What a prompt is rendered from.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// What the model may know of the game.
    pub observation: &'a Observation,
    /// The route that it is reminded of.
    pub route: Option<&'a RouteView>,
    /// What is asked for.
    pub asks: Asks,
    /// What a prompt that fits itself into a number of tokens may come to.
    pub room: Room,
}

impl<'a> Scene<'a> {
    /// An action is asked for, and no route carried.
    pub fn of(observation: &'a Observation) -> Self {
        Scene { observation, route: None, asks: Asks::Action, room: Room::default() }
    }
}

impl Prompt {
    /// Names of the prompts that are built in.
    pub fn names() -> Vec<&'static str> {
        BUILT_IN.iter().map(|(name, _)| *name).collect()
    }

    /// The prompt that is built in under a name.
    ///
    /// # Errors
    /// [`PromptError::Unknown`] with the nearest name.
    pub fn builtin(name: &str) -> Result<Self, PromptError> {
        match BUILT_IN.iter().find(|(known, _)| *known == name) {
            Some((name, text)) => Prompt::parse(&format!("prompts/{name}.md"), text),
            None => {
                let near = |known: &&str| (strsim::damerau_levenshtein(known, name), known.to_string());
                let nearest = Prompt::names().iter().min_by_key(|known| near(known)).map_or("", |known| *known);
                Err(PromptError::Unknown { name: name.into(), nearest: nearest.into() })
            }
        }
    }

    /// Reads a prompt file.
    ///
    /// # Errors
    /// [`PromptError`] if it cannot be read or is no prompt.
    pub fn read(path: &Path) -> Result<Self, PromptError> {
        let file = path.display().to_string();
        let failed = |reason: String| PromptError::Read { file: file.clone(), reason };
        let bytes = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?.len();
        if bytes > LARGEST_FILE {
            return Err(failed(format!("a prompt may have {LARGEST_FILE} bytes, this file has {bytes}")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
        Prompt::parse(&file, &text)
    }

    /// Reads a prompt from its text; `file` is what errors call it.
    ///
    /// # Errors
    /// [`PromptError`] if it is no prompt.
    pub fn parse(file: &str, text: &str) -> Result<Self, PromptError> {
        let wrong = |line: usize, reason: String| PromptError::FrontMatter { file: file.to_owned(), line, reason };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        let mut lines = text.lines();
        if lines.next().map(str::trim_end) != Some(FENCE) {
            return Err(wrong(1, format!("a prompt begins with a line `{FENCE}` and its front matter")));
        }
        let Some(length) = lines.position(|line| line.trim_end() == FENCE) else {
            return Err(wrong(1, format!("the front matter is never closed by a second line `{FENCE}`")));
        };
        let front: Vec<&str> = text.lines().skip(1).take(length).collect();
        let front_matter: FrontMatter = toml::from_str(&front.join("\n")).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start);
            wrong(2 + newlines(&front.join("\n"), before), error.message().trim().replace('\n', "; "))
        })?;
        if front_matter.name.is_empty() || !front_matter.name.chars().all(is_name) {
            return Err(wrong(2, "`name` may have letters, digits, `_` and `-` only".into()));
        }
        // Blank lines in place of the front matter keep the line numbers of errors those of the file.
        let body: Vec<&str> = text.lines().skip(length + 2).collect();
        let template = "\n".repeat(length + 2) + &body.join("\n");
        let has_system = block_names(&template).any(|(_, name)| name == "system");
        let mut prompt = Prompt {
            has_system,
            environment: environment(),
            name: front_matter.name,
            version: front_matter.version,
            overrides: front_matter.overrides,
            naming: front_matter.naming,
            route: front_matter.route,
            tokens: front_matter.tokens,
            file: file.to_owned(),
            hash: hash(&text),
            text: text.as_str().into(),
            answer: front_matter.answer,
            plan: front_matter.plan,
            template,
        };
        prompt.compile()?;
        Ok(prompt)
    }

    /// The first 12 hexadecimal digits of the SHA-256 of the prompt's text, line ends aside.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The prompt's text, front matter included, line ends made equal: [`Prompt::parse`] makes the same prompt of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What is asked for first.
    pub fn asks_first(&self) -> Asks {
        if self.route == RouteUse::Own { Asks::Route } else { Asks::Action }
    }

    /// What an answer must hold under this prompt.
    pub fn wanted(&self, asks: Asks, floors: bool) -> Wanted {
        let revises = asks == Asks::Action && self.route == RouteUse::Own;
        Wanted { asks, naming: self.naming, floors, revises }
    }

    /// The messages that tell a model what it may know, and how to answer.
    ///
    /// # Errors
    /// [`PromptError::Template`] if the template uses something that does not exist, [`PromptError::TooLong`] if it cannot
    /// be fitted into its tokens.
    pub fn render(&self, scene: Scene<'_>, form: AnswerForm) -> Result<Vec<Message>, PromptError> {
        let (table, instructions) = match scene.asks {
            Asks::Action => ("answer", &self.answer),
            Asks::Route => ("plan", &self.plan),
        };
        let Some(answer) = instructions.of(form) else {
            return Err(PromptError::NoInstruction { file: self.file.clone(), table, form: form.name() });
        };
        let Scene { observation, route, asks, room } = scene;
        let context = Value::from(Serde(Context { observation, route, planning: asks == Asks::Route, answer }));
        match self.tokens {
            Some(allowed) => self.fitted(observation, context, room.rate, room.of(allowed)),
            None => self.messages(context),
        }
    }

    /// The messages with as little left out as fits into so many tokens.
    fn fitted(
        &self,
        observation: &Observation,
        context: Value,
        rate: TokenRate,
        most: u64,
    ) -> Result<Vec<Message>, PromptError> {
        let cuts = Cuts::of(observation);
        let after = |count: usize| {
            let shown = Shown::of(observation, &cuts.first(count));
            let shown = Value::from(Serde(BTreeMap::from([("shown", shown)])));
            let messages = self.messages(merge_maps([shown, context.clone()]))?;
            let tokens = rate.tokens(bytes(&messages));
            Ok::<_, PromptError>((messages, tokens))
        };
        let (messages, needed) = after(0)?;
        if needed <= most {
            return Ok(messages);
        }
        let (mut fitting, needed) = after(cuts.len())?;
        if needed > most {
            return Err(PromptError::TooLong { prompt: self.name.clone(), needed, most });
        }
        // With the first so many cuts it does not fit, with the first so many it does.
        let (mut too_few, mut enough) = (0, cuts.len());
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            match after(middle)? {
                (messages, tokens) if tokens <= most => (fitting, enough) = (messages, middle),
                _ => too_few = middle,
            }
        }
        Ok(fitting)
    }

    fn messages(&self, context: Value) -> Result<Vec<Message>, PromptError> {
        let message = |role, name: &str| {
            let text = self.environment.get_template(name).and_then(|template| template.render(context.clone()));
            text.map(|text| Message::new(role, tidy(&text))).map_err(|error| self.blame(&error))
        };
        let mut messages = Vec::with_capacity(2);
        if self.has_system {
            messages.push(message(Role::System, SYSTEM)?);
        }
        messages.push(message(Role::User, USER)?);
        Ok(messages)
    }

    /// Compiles the template, and one child of it for each message, in which the other message's block is empty.
    fn compile(&mut self) -> Result<(), PromptError> {
        let child = |without: &str| format!("{{% extends '{WHOLE}' %}}{{% block {without} %}}{{% endblock %}}");
        let templates = [(WHOLE, self.template.clone()), (SYSTEM, child("user")), (USER, child("system"))];
        for (name, source) in templates {
            self.environment.add_template_owned(name, source).map_err(|error| self.blame(&error))?;
        }
        self.check_blocks()
    }

    fn check_blocks(&self) -> Result<(), PromptError> {
        let wrong = |line, reason: String| Err(PromptError::Template { file: self.file.clone(), line, reason });
        let inside = |name: &str| matches!(name, "system" | "user");
        if let Some((line, name)) = block_names(&self.template).find(|(_, name)| !inside(name)) {
            return wrong(
                line,
                format!("there is no message for the block `{name}`; the blocks are `system` and `user`"),
            );
        }
        match block_names(&self.template).any(|(_, name)| name == "user") {
            true => Ok(()),
            false => wrong(1, "there is no block `user`: write {% block user %} … {% endblock %}".into()),
        }
    }

    fn blame(&self, error: &minijinja::Error) -> PromptError {
        let line = error.line().unwrap_or(1);
        let what = error.detail().map_or_else(String::new, |detail| format!(": {detail}"));
        let source = self.template.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim();
        let place = if source.is_empty() { String::new() } else { format!(" in `{source}`") };
        PromptError::Template { file: self.file.clone(), line, reason: format!("{}{what}{place}", error.kind()) }
    }
}

#[derive(Serialize)]
struct Context<'a> {
    #[serde(flatten)]
    observation: &'a Observation,
    route: Option<&'a RouteView>,
    planning: bool,
    answer: &'a str,
}

/// The blocks that a template opens, each with its line.
fn block_names(template: &str) -> impl Iterator<Item = (usize, &str)> {
    static BLOCK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{%[-+]?\s*block\s+(\w+)").expect("the pattern is a constant"));
    (BLOCK.captures_iter(template))
        .filter_map(|found| found.get(1))
        .map(|name| (1 + newlines(template, name.start()), name.as_str()))
}

/// A message without blank lines at its ends, blanks at line ends, or two blank lines in a row.
fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.trim().lines().map(str::trim_end) {
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank <= 1 {
            tidied.push_str(line);
            tidied.push('\n');
        }
    }
    tidied.truncate(tidied.trim_end().len());
    tidied
}

fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

fn newlines(text: &str, before: usize) -> usize {
    text.bytes().take(before).filter(|byte| *byte == b'\n').count()
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

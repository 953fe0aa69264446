//! The fixed parts of the page: markup, style, script, and the policy that allows nothing else. Knows nothing of what is
//! shown.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

const MARKUP: &str = include_str!("page.html");

pub const STYLE: &str = concat!(include_str!("style.css"), include_str!("replay.css"));

/// One script: every file knows the names of those before it.
pub const SCRIPT: &str = concat!(
    include_str!("js/base.js"),
    include_str!("js/data.js"),
    include_str!("js/table.js"),
    include_str!("js/overview.js"),
    include_str!("js/episodes.js"),
    include_str!("js/curve.js"),
    include_str!("js/stage.js"),
    include_str!("js/decision.js"),
    include_str!("js/calls.js"),
    include_str!("js/replay.js"),
    include_str!("js/main.js"),
);

/// The page around its data.
pub struct Shell {
    before: String,
    after: String,
}

impl Shell {
    /// With everything in its place.
    pub fn new() -> Self {
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'; \
             require-trusted-types-for 'script'; trusted-types mota",
            hash(SCRIPT),
            hash(STYLE)
        );
        let (before, after) = MARKUP.split_once("{data}").unwrap_or((MARKUP, ""));
        let before = before.replace("{policy}", &policy).replace("{style}", STYLE);
        Shell { before, after: after.replace("{script}", SCRIPT) }
    }

    /// Up to the first data block.
    pub fn before_data(&self) -> &str {
        &self.before
    }

    /// From the last data block on.
    pub fn after_data(&self) -> &str {
        &self.after
    }
}

/// What a policy calls an element of this text.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_its_place_and_ends_where_it_should() {
        let shell = Shell::new();
        let page = format!("{}{}", shell.before_data(), shell.after_data());
        for (text, times) in [
            (format!("<style>{STYLE}</style>"), 1),
            (format!("<script>{SCRIPT}</script>"), 1),
            ("</script".into(), 1),
            ("</style".into(), 1),
            ("<!--".into(), 0),
            ("http-equiv=\"Content-Security-Policy\"".into(), 1),
            ("{data}".into(), 0),
            ("{policy}".into(), 0),
        ] {
            assert_eq!(page.matches(&text).count(), times, "{}", &text[..text.len().min(40)]);
        }
    }

    /// What could make markup of text, or reach out of the page, is not in the script.
    #[test]
    fn the_script_makes_no_markup_of_text_and_asks_for_nothing() {
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "Function(",
            "fetch(",
            "XMLHttp",
            "WebSocket",
            "import(",
            "sendBeacon",
            ".src",
            "http:",
            "https:",
        ] {
            let namespace = "http://www.w3.org/2000/svg";
            assert!(!SCRIPT.replace(namespace, "").contains(word), "{word}");
        }
        assert_eq!(SCRIPT.matches("parseFromString").count(), 1);
    }
}

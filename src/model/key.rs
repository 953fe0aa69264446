//! The secret that an endpoint asks for: where it comes from and how it is kept out of everything that is written.

use secrecy::{ExposeSecret, SecretString};

use super::echo;

/// An API key, or none. It comes from an environment variable, and neither `Debug` nor any text that has passed
/// [`Key::redact`] shows it.
#[derive(Clone, Debug)]
pub struct Key(SecretString);

/// What stands in a text in place of the key.
pub const REDACTED: &str = "[API key]";

/// Characters below which a key is a dummy for a local server, not a secret: replacing `none` in every text would
/// do harm and protect nothing.
const SHORTEST_SECRET: usize = 8;

impl Key {
    /// No key.
    pub fn none() -> Self {
        Key(SecretString::from(String::new()))
    }

    /// The key in an environment variable.
    ///
    /// # Errors
    /// Why there is none, in words that do not hold it.
    pub fn from_environment(variable: &str) -> Result<Self, &'static str> {
        match std::env::var(variable) {
            Ok(key) if key.trim().is_empty() => Err("is empty"),
            Ok(key) if !key.trim().bytes().all(|byte| byte.is_ascii_graphic()) => {
                Err("holds characters that a header cannot carry")
            }
            Ok(key) => Ok(Key::new(key.trim())),
            Err(std::env::VarError::NotPresent) => Err("is not set"),
            Err(std::env::VarError::NotUnicode(_)) => Err("is not text"),
        }
    }

    /// A given key; tests need no environment.
    pub fn new(key: &str) -> Self {
        Key(SecretString::from(key.to_owned()))
    }

    /// The key itself, for the one header that carries it; `None` if there is none.
    pub(super) fn expose(&self) -> Option<&str> {
        Some(self.0.expose_secret()).filter(|key| !key.is_empty())
    }

    /// The key as async-openai asks for it.
    pub(super) fn secret(&self) -> &SecretString {
        &self.0
    }

    /// A server's text without the key, should the server have echoed it, as it is or with escapes of any kind.
    pub fn redact(&self, text: String) -> String {
        let key = self.expose().filter(|key| key.len() >= SHORTEST_SECRET);
        key.and_then(|key| echo::replaced(&text, key, REDACTED)).unwrap_or(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_shown_nowhere() {
        let key = Key::new("sk-0123456789");
        assert_eq!(key.redact("wrong key sk-0123456789!".into()), "wrong key [API key]!");
        assert!(!format!("{key:?}").contains("0123456789"));
        assert_eq!(key.redact("?key=sk%2D0123456789".into()), "?key=[API key]");
        assert_eq!(Key::new("none").redact("none".into()), "none");
        assert_eq!(Key::none().redact("text".into()), "text");
        assert_eq!(Key::from_environment("MOTA_TEST_VARIABLE_THAT_IS_NEVER_SET").err(), Some("is not set"));
    }
}

//! How many tokens a text comes to, by what servers have counted so far, and what a prompt may come to. Knows nothing of
//! what calls cost.

use super::message::Message;

/// Tokens that a byte of a message comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenRate(f64);

/// Tokens that a byte comes to before a call was counted: English has some four bytes a token, maps and tables fewer.
const TOKENS_PER_BYTE: f64 = 1.0 / 3.0;

/// Bytes that a message has beside its text: its role, and what separates it from the next.
const FRAME: usize = 12;

/// The guess that holds until a server has counted.
impl Default for TokenRate {
    fn default() -> Self {
        TokenRate(TOKENS_PER_BYTE)
    }
}

impl TokenRate {
    /// That of so many bytes for which a server counted so many tokens; none if there is nothing to be learnt of it.
    pub fn counted(bytes: usize, tokens: u64) -> Option<Self> {
        (tokens > 0 && bytes > 0).then(|| TokenRate(tokens as f64 / bytes as f64))
    }

    /// Tokens that so many bytes of messages come to.
    pub fn tokens(self, bytes: usize) -> u64 {
        (bytes as f64 * self.0).ceil() as u64
    }
}

/// Bytes that messages come to.
pub fn bytes<'a>(messages: impl IntoIterator<Item = &'a Message>) -> usize {
    messages.into_iter().map(|message| message.content.len() + FRAME).sum()
}

/// What the prompt of a turn may come to, where the prompt is one that fits itself into a number of tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Room {
    /// Tokens, in place of those that the prompt itself allows.
    pub tokens: Option<u64>,
    /// Tokens that it may not pass, whatever else is said.
    pub cap: Option<u64>,
    /// How tokens are counted.
    pub rate: TokenRate,
}

impl Room {
    /// The tokens, of a prompt that itself allows so many.
    pub fn of(&self, allowed: u64) -> u64 {
        let tokens = self.tokens.unwrap_or(allowed);
        self.cap.map_or(tokens, |cap| cap.min(tokens))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Role;

    #[test]
    fn what_was_counted_replaces_the_guess() {
        let messages = [Message::new(Role::User, "x".repeat(88)), Message::new(Role::User, "y".repeat(188))];
        assert_eq!(bytes(&messages), 300);
        assert_eq!(TokenRate::default().tokens(300), 100);
        assert_eq!(TokenRate::counted(300, 150).map(|rate| rate.tokens(300)), Some(150));
        assert_eq!((TokenRate::counted(0, 3), TokenRate::counted(3, 0)), (None, None));
    }

    #[test]
    fn the_cap_holds_whatever_is_asked_for() {
        let room = |tokens, cap| Room { tokens, cap, ..Room::default() }.of(6_000);
        assert_eq!(room(None, None), 6_000);
        assert_eq!(room(Some(9_000), None), 9_000);
        assert_eq!(room(Some(9_000), Some(2_000)), 2_000);
        assert_eq!(room(None, Some(8_000)), 6_000);
    }
}

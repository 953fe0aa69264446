//! What is said to a model before a decision: earlier turns, the question, and each answer to it that could not be used.
//! Knows how much may be sent; knows nothing of how it is sent.

use std::sync::Arc;

use super::call::{Asks, Call, Message, Role, Verdict};
use crate::prompt::thought::visible;
use crate::prompt::tokens::bytes;

/// The conversation about one decision.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// The rendered prompt.
    opening: Vec<Message>,
    /// Earlier turns that may be sent before it, the earliest first.
    earlier: Vec<Exchange>,
    /// Answers that could not be used, each with what was wrong.
    wrong: Vec<Exchange>,
    /// What it begins with if it is too long even without earlier turns, and of how many turns that no longer tells.
    brief: Option<(Vec<Message>, u32)>,
    /// Turns that the prompt itself no longer tells of.
    unsaid: u32,
}

/// Two messages that belong together.
#[derive(Clone, Debug)]
struct Exchange(Message, Message);

/// What is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// All messages.
    pub messages: Vec<Message>,
    /// Earlier turns among them.
    pub earlier: u32,
    /// Earlier turns that were left out for the sake of the limit.
    pub cut: u32,
    /// Bytes that they come to.
    pub bytes: usize,
}

/// Characters of a wrong answer that it is shown again; the end, where the answer should have been.
const REPEATED: usize = 2_000;

/// Characters of an earlier turn's answer that are sent again.
const CARRIED: usize = 8_000;

impl Conversation {
    /// A conversation that begins with a rendered prompt, after the last so many turns.
    pub fn new(opening: Vec<Message>, calls: &[Call], turn: u32, turns: u32) -> Self {
        let earlier = (turn.saturating_sub(turns).max(1)..turn).filter_map(|turn| exchange_of(calls, turn)).collect();
        Conversation { opening, earlier, wrong: Vec::new(), brief: None, unsaid: 0 }
    }

    /// With a shorter prompt, for the case that it is too long, that does not tell of so many turns.
    pub fn or_begin_with(self, brief: Vec<Message>, unsaid: u32) -> Self {
        Conversation { brief: Some((brief, unsaid)), ..self }
    }

    /// Goes on after an answer that could not be used.
    pub fn add(&mut self, content: Option<&str>, complaint: &str) {
        let answer = Message::new(Role::Assistant, said(content, REPEATED));
        self.wrong.push(Exchange(answer, Message::new(Role::User, complaint)));
    }

    /// Answers that could not be used so far.
    pub fn asked(&self) -> u32 {
        self.wrong.len() as u32
    }

    /// The messages without those of earlier turns, as a trace keeps them.
    pub fn own_messages(&self) -> Vec<Message> {
        let wrong = self.wrong.iter().flat_map(|Exchange(answer, complaint)| [answer, complaint]);
        self.opening.iter().chain(wrong).cloned().collect()
    }

    /// What is sent: as many of the latest turns as `fits` allows for the bytes of the whole, and the shorter prompt if it
    /// allows none with the other. From then on the conversation begins with the shorter one.
    ///
    /// # Errors
    /// The bytes that it comes to at the least, if that is too much.
    pub fn within(&mut self, fits: impl Fn(usize) -> bool) -> Result<Sent, usize> {
        match (self.kept_within(&fits), self.brief.take()) {
            (Err(_), Some((brief, unsaid))) => {
                (self.opening, self.unsaid) = (brief, unsaid);
                self.kept_within(&fits)
            }
            (result, brief) => {
                self.brief = brief;
                result
            }
        }
    }

    fn kept_within(&self, fits: &impl Fn(usize) -> bool) -> Result<Sent, usize> {
        let own = self.own_messages();
        let fixed = bytes(&own);
        let sized: Vec<usize> =
            self.earlier.iter().map(|Exchange(question, answer)| bytes([question, answer])).collect();
        let mut kept = self.earlier.len();
        let mut sum = fixed + sized.iter().sum::<usize>() + self.note(0).map_or(0, |note| note.len());
        while !fits(sum) {
            let Some(rest) = kept.checked_sub(1) else { return Err(sum) };
            kept = rest;
            let sent: usize = sized.iter().rev().take(kept).sum();
            let cut = (self.earlier.len() - kept) as u32;
            sum = fixed + sent + self.note(cut).map_or(0, |note| note.len());
        }
        let cut = self.unsaid + (self.earlier.len() - kept) as u32;
        let earlier = &self.earlier[self.earlier.len() - kept..];
        Ok(Sent { messages: laid_out(&own, earlier, cut), earlier: kept as u32, cut, bytes: sum })
    }

    fn note(&self, cut: u32) -> Option<String> {
        note(self.unsaid + cut)
    }
}

/// All messages that were sent with a call, `before` being the calls of its episode before it.
pub fn sent(call: &Call, before: &[Call]) -> Vec<Message> {
    // Turns without an exchange are none that could be sent; the last so many of the others were.
    let all: Vec<Exchange> = (1..call.turn).filter_map(|turn| exchange_of(before, turn)).collect();
    let earlier = &all[all.len().saturating_sub(call.earlier as usize)..];
    laid_out(&call.messages, earlier, call.cut)
}

/// Instructions first, then earlier turns, then the question and what followed. That turns are left out is said at the
/// head of the first message that is not the instructions.
fn laid_out(own: &[Message], earlier: &[Exchange], cut: u32) -> Vec<Message> {
    let instructions = own.iter().take_while(|message| message.role == Role::System).count();
    let (instructions, rest) = own.split_at(instructions);
    let turns = earlier.iter().flat_map(|Exchange(question, answer)| [question, answer]);
    let mut messages: Vec<Message> = instructions.iter().chain(turns).chain(rest).cloned().collect();
    if let (Some(note), Some(first)) = (note(cut), messages.get_mut(instructions.len())) {
        first.content = format!("{note}{}", first.content).into();
    }
    messages
}

fn note(cut: u32) -> Option<String> {
    match cut {
        0 => None,
        1 => Some("(1 earlier turn is left out.)\n\n".into()),
        cut => Some(format!("({cut} earlier turns are left out.)\n\n")),
    }
}

/// The question of a turn and the last answer to it; none if the turn was decided without one.
fn exchange_of(calls: &[Call], turn: u32) -> Option<Exchange> {
    let from = calls.partition_point(|call| call.turn < turn);
    let answered = |call: &&Call| call.asks == Asks::Action && call.verdict != Verdict::TransportError;
    let mut of_turn = calls[from..].iter().take_while(|call| call.turn == turn).filter(answered);
    let first = of_turn.next()?;
    let question = first.messages.iter().find(|message| message.role == Role::User)?;
    let last = of_turn.last().unwrap_or(first);
    Some(Exchange(question.clone(), Message::new(Role::Assistant, said(last.content.as_deref(), CARRIED))))
}

/// What an assistant's message says of an answer: its end, reasoning left out. Some servers refuse an empty message.
fn said(content: Option<&str>, most: usize) -> Arc<str> {
    let said = content.and_then(visible).unwrap_or_default().trim();
    let from = said.char_indices().rev().nth(most - 1).map_or(0, |(at, _)| at);
    if said.is_empty() { "(no answer)".into() } else { said[from..].into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(text: &str) -> Message {
        Message::new(Role::User, text)
    }

    fn call(turn: u32, reask: u32, content: &str) -> Call {
        Call {
            turn,
            reask,
            messages: vec![Message::new(Role::System, "rules"), user(&format!("question {turn}"))],
            content: Some(content.into()),
            verdict: Verdict::Ok,
            ..Call::default()
        }
    }

    fn texts(messages: &[Message]) -> Vec<&str> {
        messages.iter().map(|message| &*message.content).collect()
    }

    /// Three turns, of which the second was asked twice.
    fn calls() -> Vec<Call> {
        vec![call(1, 0, "<think>hm</think>one"), call(2, 0, "no"), call(2, 1, "two"), call(3, 0, "three")]
    }

    fn fourth(turns: u32) -> Conversation {
        let opening = vec![Message::new(Role::System, "rules"), user("question 4")];
        Conversation::new(opening, &calls(), 4, turns)
    }

    #[test]
    fn earlier_turns_are_sent_as_messages() {
        let mut conversation = fourth(2);
        conversation.add(Some("what"), "No.");
        let all = conversation.within(|_| true).expect("it fits");
        let expected = ["rules", "question 2", "two", "question 3", "three", "question 4", "what", "No."];
        assert_eq!((texts(&all.messages), all.earlier, all.cut), (expected.to_vec(), 2, 0));
        assert_eq!(all.bytes, bytes(&all.messages));
        assert_eq!(texts(&fourth(u32::MAX).within(|_| true).expect("it fits").messages)[1..3], ["question 1", "one"]);
        assert_eq!(texts(&fourth(0).within(|_| true).expect("it fits").messages), ["rules", "question 4"]);
    }

    #[test]
    fn what_is_cut_is_said() {
        let whole = fourth(u32::MAX).within(|_| true).expect("it fits");
        let less = fourth(u32::MAX).within(|bytes| bytes < whole.bytes).expect("it fits");
        assert_eq!((less.earlier, less.cut), (2, 1));
        assert_eq!(texts(&less.messages)[1], "(1 earlier turn is left out.)\n\nquestion 2");
        assert_eq!(less.bytes, bytes(&less.messages));
        let none = fourth(u32::MAX).within(|bytes| bytes < 80).expect("it fits");
        assert_eq!(texts(&none.messages), ["rules", "(3 earlier turns are left out.)\n\nquestion 4"]);
        assert_eq!(fourth(u32::MAX).within(|bytes| bytes < 40), Err(none.bytes));
    }

    #[test]
    fn what_was_sent_is_told_by_the_trace() {
        for turns in [0, 1, 2, 9] {
            for most in [70, 100, 150, 1_000] {
                let Ok(said) = fourth(turns).within(|bytes| bytes < most) else { continue };
                let kept = Call {
                    earlier: said.earlier,
                    cut: said.cut,
                    messages: fourth(turns).own_messages(),
                    ..call(4, 0, "")
                };
                assert_eq!(sent(&kept, &calls()), said.messages, "{turns} turns within {most} bytes");
            }
        }
    }
}

//! A language model as a player: prompt, call, answer, and asking again. Knows nothing of HTTP.

use std::sync::Arc;

use async_trait::async_trait;

use crate::model::{CallError, CallTime, Client, Usage};
use crate::prompt::answer::{self, Answer, Parsed, Verdict};
use crate::prompt::{Message, Prompt, Role, Wanted};

use super::stand_in::{Heuristic, StandIn};
use super::{Agent, AgentError, Call, CallLog, Choice, ChosenBy, View};

/// Plays by asking a model. Every decision starts a conversation of its own: what was decided before stands in the
/// prompt.
pub struct ModelAgent {
    client: Arc<Client>,
    prompt: Arc<Prompt>,
    stand_in: StandIn,
}

impl ModelAgent {
    /// A player for one episode. The client and the prompt are shared with the others.
    pub fn new(client: Arc<Client>, prompt: Arc<Prompt>, heuristic: Heuristic) -> Self {
        let on_invalid = client.endpoint().on_invalid;
        ModelAgent { client, prompt, stand_in: StandIn { on_invalid, heuristic } }
    }

    /// The conversation before the first answer to this decision.
    fn opening(&self, view: &View<'_>) -> Result<Vec<Message>, AgentError> {
        let form = self.client.endpoint().answer;
        // A prompt that cannot be rendered fails for every episode alike.
        self.prompt.render(&view.observation()?, form).map_err(|error| AgentError::Agent(error.to_string()))
    }
}

#[async_trait]
impl Agent for ModelAgent {
    async fn choose(&mut self, view: &View<'_>, calls: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let mut conversation = Conversation::new(self.opening(view)?);
        // An interrupted turn goes on where it was: its answers are not asked for again.
        for call in view.calls.iter().filter(|call| call.turn == view.turn() && call.verdict != Verdict::TransportError)
        {
            if let (Verdict::Ok, Some(number)) = (call.verdict, call.number) {
                return Ok(Choice { number, by: ChosenBy::Agent });
            }
            conversation.add(call.content.as_deref(), call.complaint.as_deref());
        }
        let wanted = Wanted { naming: self.prompt.naming, floors: view.game.tower().floors.len() > 1 };
        while conversation.asked <= self.client.endpoint().reasks {
            let seed = view.seed.wrapping_add(u64::from(conversation.asked));
            let replied = self.client.call(&conversation.messages, wanted, seed).await;
            let reply = match replied {
                Ok(reply) => reply,
                Err(CallError::Agent { why }) => return Err(AgentError::Agent(why)),
                Err(CallError::Episode { why, time }) => {
                    calls.record(conversation.failed(view.turn(), &why, time))?;
                    return Err(AgentError::Episode(why));
                }
            };
            let parsed = answer::parse(&reply.answer, view.actions, wanted.naming);
            let call = conversation.completed(view.turn(), reply.answer, &parsed, reply.usage, reply.time);
            let said = call.content.clone();
            calls.record(call)?;
            if let Some(number) = parsed.number {
                return Ok(Choice { number, by: ChosenBy::Agent });
            }
            conversation.add(said.as_deref(), parsed.complaint.as_deref());
        }
        self.stand_in.choose(view, conversation.asked, &conversation.complaint)
    }
}

/// What is said about one decision: the prompt, then each answer that could not be used, with what was wrong.
struct Conversation {
    messages: Vec<Message>,
    asked: u32,
    complaint: String,
}

/// Characters of a wrong answer that it is shown again; the end, where the answer should have been.
const REPEATED: usize = 2_000;

impl Conversation {
    fn new(messages: Vec<Message>) -> Self {
        Conversation { messages, asked: 0, complaint: String::new() }
    }

    fn add(&mut self, content: Option<&str>, complaint: Option<&str>) {
        let said = content.and_then(answer::visible).unwrap_or_default().trim();
        let from = said.char_indices().rev().nth(REPEATED - 1).map_or(0, |(at, _)| at);
        // Some servers refuse an empty message of the assistant's.
        let said = if said.is_empty() { "(no answer)" } else { &said[from..] };
        self.complaint = complaint.unwrap_or("Your answer could not be used.").to_owned();
        self.messages.push(Message::new(Role::Assistant, said));
        self.messages.push(Message::new(Role::User, self.complaint.as_str()));
        self.asked += 1;
    }

    fn completed(&self, turn: u32, answer: Answer, parsed: &Parsed, usage: Usage, time: CallTime) -> Call {
        Call {
            turn,
            reask: self.asked,
            messages: self.messages.clone(),
            content: answer.content.filter(|text| !text.trim().is_empty()).or(answer.arguments).or(answer.refusal),
            reasoning: answer.reasoning,
            finish_reason: answer.finish_reason,
            verdict: parsed.verdict,
            number: parsed.number,
            complaint: parsed.complaint.clone(),
            usage,
            time,
        }
    }

    fn failed(&self, turn: u32, why: &str, time: CallTime) -> Call {
        Call {
            turn,
            reask: self.asked,
            messages: self.messages.clone(),
            content: None,
            reasoning: None,
            finish_reason: None,
            verdict: Verdict::TransportError,
            number: None,
            complaint: Some(why.to_owned()),
            usage: Usage::default(),
            time,
        }
    }
}

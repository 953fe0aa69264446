//! A language model as a player: prompt, call, answer, and asking again. Knows nothing of HTTP.

use std::sync::Arc;

use async_trait::async_trait;

use crate::game::{Action, Position};
use crate::model::{Ask, CallError, CallTime, Client, Estimate, Reply, Spending, Usage};
use crate::prompt::answer::{self, Parsed, Verdict};
use crate::prompt::route_answer::parse_route;
use crate::prompt::{Asks, Message, Observation, Prompt, PromptError, Route, RouteUse, Scene};

use super::conversation::{Conversation, Sent};
use super::stand_in::{Heuristic, StandIn};
use super::{Agent, AgentError, Call, CallLog, Choice, ChosenBy, View};

/// Plays by asking a model. Unless earlier turns are sent as messages, every decision starts a conversation of its own:
/// what was decided before stands in the prompt.
pub struct ModelAgent {
    client: Arc<Client>,
    prompt: Arc<Prompt>,
    stand_in: StandIn,
    /// The episode's repeat.
    repeat: u32,
    /// The decisions of a solver, for a prompt that carries them.
    solved: Option<Arc<[Action]>>,
    /// The instructions as they were last rendered: they seldom change, and every call of the episode holds them.
    instructions: Option<Message>,
}

impl ModelAgent {
    /// A player for one episode. The client and the prompt are shared with the others.
    pub fn new(client: Arc<Client>, prompt: Arc<Prompt>, heuristic: Heuristic) -> Self {
        let on_invalid = client.endpoint().on_invalid;
        let stand_in = StandIn { on_invalid, heuristic };
        ModelAgent { client, prompt, stand_in, repeat: 0, solved: None, instructions: None }
    }

    /// For an episode of this repeat, with a solver's decisions for a prompt that carries them.
    pub fn at(self, repeat: u32, solved: Option<Arc<[Action]>>) -> Self {
        ModelAgent { repeat, solved, ..self }
    }

    /// Asks for an action or a route, again where an answer cannot be used, until there is one or the answers are used up.
    /// An interrupted turn goes on where it was: its answers are not asked for again.
    async fn ask(
        &mut self,
        view: &View<'_>,
        asks: Asks,
        route: Option<&Route>,
        tally: &mut Tally,
        calls: &mut dyn CallLog,
    ) -> Result<Asked, AgentError> {
        let mut conversation = self.opening(view, asks, route, tally)?;
        let completed =
            |call: &&Call| call.turn == view.turn() && call.asks == asks && call.verdict != Verdict::TransportError;
        let mut recorded = view.calls.iter().filter(completed);
        let mut complaint = String::new();
        while conversation.asked() <= self.client.endpoint().reasks {
            // Also before an answer that is there already: what is left out must not depend on an interruption.
            let sent = self.sent(&mut conversation, view, tally)?;
            let call = match recorded.next() {
                Some(call) => call.clone(),
                None => {
                    let call = Call {
                        turn: view.turn(),
                        reask: conversation.asked(),
                        asks,
                        earlier: sent.earlier,
                        cut: sent.cut,
                        messages: conversation.own_messages(),
                        sent_bytes: sent.bytes,
                        ..Call::default()
                    };
                    self.complete(call, &sent.messages, view, tally, calls).await?
                }
            };
            tally.add(&call);
            if call.verdict == Verdict::Ok {
                return Ok(Asked::Answered { number: call.number, route: call.route });
            }
            complaint = call.complaint.unwrap_or_else(|| "Your answer could not be used.".into());
            conversation.add(call.content.as_deref(), &complaint);
        }
        Ok(Asked::UsedUp { tries: conversation.asked(), complaint })
    }

    /// The conversation before the first answer, with what it may begin with instead if it is too long.
    fn opening(
        &mut self,
        view: &View<'_>,
        asks: Asks,
        route: Option<&Route>,
        tally: &Tally,
    ) -> Result<Conversation, AgentError> {
        let endpoint = self.client.endpoint();
        let (turns, capped) = (endpoint.history.map_or(0, |history| history.turns()), endpoint.prompt_tokens.is_some());
        let mut observation = view.observation()?;
        if turns > 0 {
            // What earlier turns were like stands in their own messages; what came of the last one does not.
            observation.history.drain(..observation.history.len().saturating_sub(1));
        }
        let opening = self.render(&observation, view, asks, route, tally)?;
        let conversation = Conversation::new(opening, view.calls, view.turn(), turns);
        let told = observation.history.len() as u32;
        if told == 0 || !capped {
            return Ok(conversation);
        }
        observation.history.clear();
        let brief = self.render(&observation, view, asks, route, tally)?;
        // Of turns that are sent as messages only what came of the last is left out, and the map shows that.
        Ok(conversation.or_begin_with(brief, if turns > 0 { 0 } else { told }))
    }

    fn render(
        &mut self,
        observation: &Observation,
        view: &View<'_>,
        asks: Asks,
        route: Option<&Route>,
        tally: &Tally,
    ) -> Result<Vec<Message>, AgentError> {
        let route = route.map(|route| route.view(view.game, view.state, view.past));
        let room = self.client.endpoint().room(tally.estimate.rate());
        let scene = Scene { observation, route: route.as_ref(), asks, room };
        let rendered = self.prompt.render(scene, self.client.endpoint().answer);
        let mut messages = rendered.map_err(|error| match error {
            PromptError::TooLong { .. } => AgentError::Episode(error.to_string()),
            // Whatever else is wrong with it is so for every episode.
            _ => AgentError::Agent(error.to_string()),
        })?;
        if let [instructions, _, ..] = messages.as_mut_slice() {
            match &self.instructions {
                Some(known) if known == instructions => *instructions = known.clone(),
                _ => self.instructions = Some(instructions.clone()),
            }
        }
        Ok(messages)
    }

    fn fits(&self, bytes: usize, tally: &Tally) -> bool {
        self.client.endpoint().prompt_tokens.is_none_or(|most| tally.estimate.tokens(bytes) <= most)
    }

    /// What is sent of a conversation, if that is allowed to be sent at all.
    fn sent(&self, conversation: &mut Conversation, view: &View<'_>, tally: &Tally) -> Result<Sent, AgentError> {
        let sent = conversation.within(|bytes| self.fits(bytes, tally)).map_err(|bytes| {
            let (needed, most) = (tally.estimate.tokens(bytes), self.client.endpoint().prompt_tokens.unwrap_or(0));
            AgentError::Episode(format!("the prompt comes to about {needed} tokens, prompt_tokens allows {most}"))
        })?;
        let next = Spending::from(&tally.estimate.of(sent.bytes));
        match view.limits.budget.forbids(tally.spent, next) {
            Some(why) => Err(AgentError::Episode(why)),
            None => Ok(sent),
        }
    }

    /// Makes a call, reads the answer and writes both down.
    async fn complete(
        &self,
        call: Call,
        messages: &[Message],
        view: &View<'_>,
        tally: &Tally,
        calls: &mut dyn CallLog,
    ) -> Result<Call, AgentError> {
        let wanted = self.prompt.wanted(call.asks, view.game.tower().floors.len() > 1);
        let ask = Ask {
            messages,
            wanted,
            seed: view.seed.wrapping_add(u64::from(call.reask)),
            repeat: self.repeat,
            patience: view.limits.wait.map(|most| (most - tally.waited).max(0.0)),
        };
        match self.client.call(ask).await {
            Ok(reply) => {
                let parsed = match call.asks {
                    Asks::Action => answer::parse(&reply.answer, view.actions, wanted),
                    Asks::Route => parse_route(&reply.answer),
                };
                let call = answered(call, reply, parsed);
                calls.record(call.clone()).await?;
                Ok(call)
            }
            Err(CallError::Agent { why }) => Err(AgentError::Agent(why)),
            Err(CallError::Budget { why }) => Err(AgentError::Budget(why)),
            // Said already by whoever watches calls.
            Err(CallError::Unreachable { .. }) => Err(AgentError::Interrupted),
            Err(CallError::Episode { why, time }) => {
                let complaint = Some(why.clone());
                calls.record(Call { verdict: Verdict::TransportError, complaint, time, ..call }).await?;
                Err(AgentError::Episode(why))
            }
        }
    }

    /// The route that the prompt carries now.
    fn route(&self, view: &View<'_>) -> Option<Route> {
        match self.prompt.route {
            RouteUse::None => None,
            RouteUse::Own => own_route(view, view.calls),
            RouteUse::Solver | RouteUse::Published | RouteUse::Exact => {
                self.solved.as_ref().map(|actions| Route::of_actions(view.game, actions))
            }
        }
    }
}

#[async_trait]
impl Agent for ModelAgent {
    async fn choose(&mut self, view: &View<'_>, calls: &mut dyn CallLog) -> Result<Choice, AgentError> {
        let mut tally = Tally::before(view, &self.client);
        let mut route = self.route(view);
        if self.prompt.route == RouteUse::Own && view.turn() == 1 {
            // A model that writes no usable route plays without one.
            let planned = match self.ask(view, Asks::Route, None, &mut tally, calls).await? {
                Asked::Answered { route, .. } => route,
                Asked::UsedUp { .. } => None,
            };
            route = planned.map(|tiles: Vec<Position>| Route::of_tiles(view.game, 1, &tiles));
        }
        match self.ask(view, Asks::Action, route.as_ref(), &mut tally, calls).await? {
            Asked::Answered { number: Some(number), .. } => Ok(Choice { number, by: ChosenBy::Agent }),
            Asked::Answered { number: None, .. } => Err(AgentError::Episode("an answer names no action".into())),
            Asked::UsedUp { tries, complaint } => self.stand_in.choose(view, tries, &complaint),
        }
    }
}

/// What asking came to.
enum Asked {
    /// An answer that can be used.
    Answered {
        /// The action that it names.
        number: Option<u32>,
        /// The route that it holds.
        route: Option<Vec<Position>>,
    },
    /// None, after so many tries of which the last was wrong as it says.
    UsedUp { tries: u32, complaint: String },
}

/// The last route that the model wrote.
fn own_route(view: &View<'_>, calls: &[Call]) -> Option<Route> {
    // A route beside an action is in force from the decision on with which it came.
    let written = calls.iter().rev().find(|call| call.turn < view.turn() && call.route.is_some())?;
    Some(Route::of_tiles(view.game, written.turn, written.route.as_deref()?))
}

/// What the calls of an episode have come to.
struct Tally {
    estimate: Estimate,
    spent: Spending,
    /// Seconds of waiting for the server.
    waited: f64,
}

impl Tally {
    /// Before a decision: its own calls are added one by one, where an interruption is taken up again as well.
    fn before(view: &View<'_>, client: &Client) -> Self {
        let estimate = Estimate::new(client.endpoint());
        let mut tally = Tally { estimate, spent: Spending::default(), waited: 0.0 };
        let earlier = |call: &&Call| call.turn < view.turn() || call.verdict == Verdict::TransportError;
        view.calls.iter().filter(earlier).for_each(|call| tally.add(call));
        tally
    }

    fn add(&mut self, call: &Call) {
        self.estimate.learn(call.sent_bytes, &call.usage);
        self.spent += Spending::from(&call.usage);
        self.waited += call.time.waited();
    }
}

/// A call with its answer and what was made of it.
fn answered(call: Call, reply: Reply, parsed: Parsed) -> Call {
    let Reply { answer, usage, time } = reply;
    let content = answer.content.filter(|text| !text.trim().is_empty()).or(answer.arguments).or(answer.refusal);
    let (usage, time): (Usage, CallTime) = (usage, time);
    Call {
        content,
        reasoning: answer.reasoning,
        finish_reason: answer.finish_reason,
        verdict: parsed.verdict,
        number: parsed.number,
        route: parsed.route,
        complaint: parsed.complaint,
        usage,
        time,
        ..call
    }
}

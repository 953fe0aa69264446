//! Who chooses when an agent's answers to a decision are used up.

use crate::prompt::OnInvalid;

use super::{AgentError, Choice, ChosenBy, View, random};

/// The rule-based heuristic, as a function of the view.
pub type Heuristic = fn(&View<'_>) -> Result<u32, AgentError>;

/// The configured stand-in.
#[derive(Clone, Copy, Debug)]
pub struct StandIn {
    /// What the config says.
    pub on_invalid: OnInvalid,
    /// Who chooses if it says `heuristic`.
    pub heuristic: Heuristic,
}

impl StandIn {
    /// Chooses in the agent's place, after `tries` answers of which the last was wrong as `complaint` says.
    ///
    /// # Errors
    /// [`AgentError::Episode`] if the config says `abort`.
    pub fn choose(&self, view: &View<'_>, tries: u32, complaint: &str) -> Result<Choice, AgentError> {
        let number = match self.on_invalid {
            OnInvalid::Heuristic => (self.heuristic)(view)?,
            OnInvalid::Random => random::draw(view),
            OnInvalid::Abort => {
                return Err(AgentError::Episode(format!("no usable answer in {tries} tries; the last: {complaint}")));
            }
        };
        Ok(Choice { number, by: ChosenBy::OnInvalid })
    }
}

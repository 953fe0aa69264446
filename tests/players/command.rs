//! The command agent with programs of one line.
#![cfg(unix)]

use crate::game::{last_action, start};
use crate::log::Calls;
use mota::agent::{Agent, AgentError, Choice, ChosenBy, CommandAgent, CommandConfig, Verdict};
use mota::prompt::{Observation, OnInvalid};

fn shell(script: &str) -> CommandConfig {
    CommandConfig { command: ["sh", "-c", script].map(str::to_owned).to_vec(), ..CommandConfig::default() }
}

async fn play(config: CommandConfig) -> (Result<Choice, AgentError>, Calls) {
    let (start, mut calls) = (start(), Calls::default());
    let choice = CommandAgent::new("mine", config, last_action).choose(&start.view(&[]), &mut calls).await;
    (choice, calls)
}

fn by_agent(number: u32) -> Choice {
    Choice { number, by: ChosenBy::Agent }
}

#[tokio::test]
async fn every_form_of_answer_is_understood() {
    for (answer, number) in [(r#"{"action": 2}"#, 2), (r#"{"target": {"x": 1, "y": 0}}"#, 2), ("1", 1)] {
        let (choice, calls) = play(shell(&format!("while read -r line; do echo '{answer}'; done"))).await;
        assert_eq!(choice.expect("a choice"), by_agent(number), "{answer}");
        assert_eq!(calls.verdicts(), [Verdict::Ok]);
    }
}

#[tokio::test]
async fn one_process_is_kept_for_all_turns_and_reads_whole_observations() {
    let script = r#"n=0; while read -r line; do n=$((n + 1)); echo "$line" >&2; echo $n; done"#;
    let mut agent = CommandAgent::new("mine", shell(script), last_action);
    let (start, mut calls) = (start(), Calls::default());
    for number in [1, 2] {
        assert_eq!(agent.choose(&start.view(&[]), &mut calls).await.expect("a choice"), by_agent(number));
    }
    let sent: Observation = serde_json::from_str(&calls.0[0].messages[0].content).expect("an observation");
    assert_eq!(Some(sent), start.view(&[]).observation().ok());
}

#[tokio::test]
async fn a_bad_answer_is_answered_with_what_was_wrong() {
    let script =
        r#"read -r line; echo 9; read -r line; case "$line" in *'no action 9'*'"reasks_left":1'*) echo 1;; esac"#;
    let (choice, calls) = play(shell(script)).await;
    assert_eq!(choice.expect("a choice"), by_agent(1));
    assert_eq!(calls.verdicts(), [Verdict::Illegal, Verdict::Ok]);
}

#[tokio::test]
async fn three_bad_answers_are_replaced_or_end_the_episode() {
    let config = shell("while read -r line; do echo north; done");
    let (choice, calls) = play(config.clone()).await;
    assert_eq!(choice.expect("a choice"), Choice { number: 2, by: ChosenBy::OnInvalid });
    assert_eq!(calls.verdicts(), [Verdict::Unparsable; 3]);
    let (choice, _) = play(CommandConfig { on_invalid: OnInvalid::Abort, ..config }).await;
    assert!(matches!(choice, Err(AgentError::Episode(_))));
}

#[tokio::test]
async fn programs_that_fail() {
    let (choice, calls) = play(shell("exit 3")).await;
    assert_eq!(
        choice.expect_err("it ends").to_string(),
        "the command ended without an answer (exit status: 3); its standard error is in the log"
    );
    assert_eq!(calls.verdicts(), [Verdict::TransportError]);
    let (choice, _) = play(CommandConfig { timeout: 0.2, ..shell("sleep 60") }).await;
    assert_eq!(choice.expect_err("it is late").to_string(), "the command gave no answer within 0.2 s");
    let (choice, _) = play(CommandConfig { command: vec!["no-such-program".into()], ..CommandConfig::default() }).await;
    assert!(matches!(choice, Err(AgentError::Agent(_))));
    assert_eq!(CommandConfig::default().check().len(), 1);
}

/// Two lines for one observation would put every later answer one question behind.
#[tokio::test]
async fn a_second_line_is_no_answer_to_the_next_question() {
    let script = r#"while read -r line; do printf '{"action": 1}\n{"action": 2}\n'; done"#;
    let (choice, calls) = play(shell(script)).await;
    assert_eq!(choice.expect("a choice").by, ChosenBy::OnInvalid);
    assert_eq!(calls.verdicts(), [Verdict::Unparsable; 3]);
}

// The calls for a decision: what was sent, what came back, what was made of it. Texts are laid out when they are unfolded.

function callList(replay, turn) {
  const calls = replay.calls.filter((call) => call.turn === turn);
  if (calls.length === 0) return null;
  return make("section", { class: "calls", "aria-labelledby": "calls-heading" },
    make("h3", { id: "calls-heading" }, calls.length === 1 ? "The call to the model" : `${calls.length} calls to the model`),
    calls.map((call) => callCard(replay, call)));
}

function callCard({ texts }, call) {
  const text = (place) => (place === null ? null : texts[place]);
  const characters = (place) => plural(text(place).length, "character");
  const sent = call.messages.reduce((sum, [, place]) => sum + text(place).length, 0);
  const folded = [
    fold(`Prompt: ${plural(call.messages.length, "message")}, ${plural(sent, "character")}`,
      () => call.messages.map(([role, place]) => spoken(role, text(place)))),
    call.reasoning === null ? null
      : fold(`Reasoning: ${characters(call.reasoning)}`, () => [said(text(call.reasoning), "Reasoning")]),
    call.content === null ? make("p", { class: "aside" }, "The answer has no text.")
      : fold(`Answer: ${characters(call.content)}`, () => [said(text(call.content), "Answer")]),
  ];
  const good = call.verdict === "ok";
  return make("article", { class: "call" },
    make("p", { class: "verdict" },
      make("span", { class: `chip ${good ? "good" : "bad"}` }, sign(good ? "●" : "✕"), call.verdict.replaceAll("_", " ")),
      outcome(call)),
    call.complaint === null ? null : make("p", { class: "complaint" }, "The model was told: ", outside(call.complaint)),
    make("p", { class: "aside" }, usage(call)),
    earlierWords(call),
    folded);
}

function outcome({ asks, reask, number: chosen, route }) {
  const parts = [
    asks === "route" ? "asked for a route" : "asked for an action",
    reask > 0 && `asked again, time ${reask}`,
    chosen !== null && `understood: action ${chosen}`,
    route !== null && `understood: a route of ${plural(route.length, "step")}`,
  ];
  return ` ${parts.filter(Boolean).join("; ")}`;
}

function usage(call) {
  const guessed = call.guessed ? ", guessed from lengths: the server counted nothing" : "";
  const sent = `${number(call.prompt_tokens)} tokens sent${call.cached_tokens ? ` (${number(call.cached_tokens)} cached)` : ""}`;
  const answered = `${number(call.completion_tokens)} answered`
    + (call.reasoning_tokens ? ` (${number(call.reasoning_tokens)} of them reasoning)` : "");
  const parts = [
    `${sent}, ${answered}${guessed}`,
    call.cost_usd === null ? "cost not known" : dollars(call.cost_usd),
    call.from_cache ? "from the response cache" : `${call.seconds.toFixed(1)} s`,
    call.finish_reason === null ? null : `finish reason ${call.finish_reason}`,
    call.retries.length > 0 && `${plural(call.retries.length, "attempt")} before it gave nothing: ${call.retries.join("; ")}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

function earlierWords({ earlier, cut }) {
  if (earlier === 0 && cut === 0) return null;
  const words = `${plural(earlier, "earlier turn")} sent along${cut > 0 ? `, ${cut} left out for the sake of length` : ""}.`;
  return make("p", { class: "aside" }, words);
}

function fold(title, build) {
  const details = make("details", {}, make("summary", {}, title));
  details.addEventListener("toggle", () => details.append(...build()), { once: true });
  return details;
}

const SPEAKERS = { system: "Instructions", user: "The harness", assistant: "The model" };

function spoken(role, text) {
  return make("div", { class: `spoken ${role}` }, make("p", { class: "speaker" }, SPEAKERS[role] ?? role), said(text, SPEAKERS[role]));
}

function said(text, label) {
  return make("pre", { tabindex: "0", role: "region", "aria-label": label }, text);
}

// An episode stepped through: controls, curve, map, hero, actions, calls. Stop 1 is the moment before the first decision; the
// stop after the last is the end.

const PACE = 1200;

const ICONS = {
  play: "M4 2v12l10-6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  start: "M2 2h2.5v12H2zM14 2v12L5.5 8z",
  back: "M12 2v12L4 8z",
  on: "M4 2v12l8-6z",
  end: "M11.5 2H14v12h-2.5zM2 2v12l8.5-6z",
};

function icon(shape) {
  return draw("svg", { class: "icon", viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    draw("path", { d: ICONS[shape] }));
}

class ReplayView {
  constructor(episode, replay, floors) {
    Object.assign(this, { episode, replay, turn: 0, timer: null });
    this.known = episode.values.length > 0;
    tower.floors = floors?.length > 1 ? floors.map((floor) => floor.name) : [];
    this.last = replay.decisions.length;
    this.stops = replay.start === null ? [] : [replay.start, ...replay.decisions.map((decision) => decision.after)];
    this.decisions = replay.decisions.map((packed, index) => new Decision(packed, replay, this.stops[index].hero));
    this.used = usedQuantities(this.stops);
    this.stage = floors && replay.start ? new Stage(floors, this.stops, replay.looks) : null;
    this.curve = this.known && this.last > 0 ? new Curve({
      episode,
      decisions: this.decisions,
      pick: (turn) => this.go(turn),
      link: (turn) => episodeLink(episode.id, turn),
      words: (turn) => this.words(turn),
    }) : null;
    this.heading = make("h1", { id: "replay-title", tabindex: "-1" }, outside(episode.agent),
      episode.prompt === null ? null : [" / ", outside(episode.prompt)], " on ", outside(episode.floor_name));
    this.status = make("p", { class: "unseen", "aria-live": "polite", "aria-atomic": "true", id: "status" });
    this.hero = make("div");
    this.detail = make("div", { class: "detail" });
    this.element = make("article", { "aria-labelledby": "replay-title" }, this.top(), this.controls(), this.status,
      this.figure(), make("div", { class: "sides" },
        make("div", { class: "side" }, this.mapOrWords(), this.hero), this.detail), glossary());
  }

  top() {
    const { episode } = this;
    const title = overview.data.floors[episode.floor]?.title ?? episode.floor_name;
    const facts = [
      title !== episode.floor_name && outside(title),
      endingChip(episode.ending),
      `${plural(this.last, "decision")}`,
      episode.ending === "unfinished" ? `${number(episode.hp)} HP now` : `final HP ${number(episode.final_hp)}`,
      this.known ? (episode.optimum === null ? "the boss cannot be defeated on this floor" : `optimum ${valueWords(episode.optimum)}`)
        : "state values not known",
      `repeat ${episode.repeat}`,
    ];
    return make("div", { class: "top" },
      make("nav", { class: "crumbs", "aria-label": "Episodes" },
        make("a", { href: "#episodes" }, "← All episodes"), this.neighbours()),
      this.heading,
      make("p", { class: "summary" }, facts.filter(Boolean).map((fact) => make("span", {}, fact))),
      episode.reason === null ? null : make("p", { class: "aside" }, "Reason: ", outside(episode.reason)),
      make("p", { class: "id" }, make("code", {}, episode.id)));
  }

  neighbours() {
    const listed = listedEpisodes();
    const at = listed.indexOf(this.episode);
    const link = (episode, words) => episode
      && make("a", { href: episodeLink(episode.id), "aria-label": `${words} episode: ${episodeName(episode)}` }, words);
    return make("span", { class: "neighbours" }, at > 0 && link(listed[at - 1], "Previous"),
      at >= 0 && link(listed[at + 1], "Next"));
  }

  controls() {
    const button = (label, shape, action) =>
      make("button", { type: "button", "aria-label": label, title: label, click: action }, icon(shape));
    this.slider = make("input", { type: "range", min: 1, max: this.last + 1, step: 1, id: "slider",
      "aria-label": "Decision", input: () => this.go(Number(this.slider.value)) });
    this.place = make("output", { class: "place-in-episode", for: "slider" });
    this.playButton = make("button", { type: "button", class: "play", click: () => this.togglePlay() });
    this.showPlaying(false);
    const { losing, losing_between: between } = this.episode;
    return make("div", { class: "controls", role: "group", "aria-label": "Steps of the episode" },
      this.playButton,
      button("Back to the start", "start", () => this.go(1)),
      button("One decision back", "back", () => this.go(this.turn - 1)),
      this.slider,
      button("One decision on", "on", () => this.go(this.turn + 1)),
      button("To the end", "end", () => this.go(this.last + 1)),
      this.place,
      losing && make("button", { type: "button", class: "to-losing", click: () => this.go(losing.turn) },
        sign("✕"), `To the losing decision (${losing.turn})`),
      between && make("button", { type: "button", class: "to-losing", click: () => this.go(between.first) },
        sign("?"), `Losing decision not known: ${between.text}`));
  }

  figure() {
    if (!this.known) {
      return make("p", { class: "notice" }, "The state values are not known, so no decision is judged: ",
        outside(this.episode.values_unknown));
    }
    if (!this.curve) return null;
    return make("figure", { class: "values" },
      make("figcaption", {}, make("strong", {}, "State value"), " in HP after each decision. ",
        make("span", { class: "key" }, sign("▼"), "value lost"), " ",
        make("span", { class: "key" }, sign("✕"), "losing decision"),
        this.episode.values.some(isOpen) && [" ", make("span", { class: "key" }, sign("▒"), "not known")]),
      this.curve.element,
      this.episode.values_unknown === null ? null
        : make("p", { class: "aside" }, "Not all values are known: ", outside(this.episode.values_unknown)));
  }

  mapOrWords() {
    if (this.stage) return this.stage.element;
    const why = this.replay.start === null ? "The floor of this episode cannot be shown." : "The floor is too large to be drawn here.";
    return make("p", { class: "notice" }, why);
  }

  // A decision in one sentence.
  words(turn) {
    const decision = this.decisions[turn - 1];
    if (!decision) return this.endWords();
    const action = decision.done;
    const value = this.known ? `; ${lossWords(decision)}` : "";
    return `decision ${turn} of ${this.last}: ${action.text} ${placeName(action.at)}${value}`;
  }

  endWords() {
    const { ending, final_hp: finalHp, hp } = this.episode;
    if (ending === "unfinished") {
      return this.last === 0 ? "no decision has been made yet" : `unfinished after ${plural(this.last, "decision")}, ${number(hp)} HP`;
    }
    return `the end: ${ending} after ${plural(this.last, "decision")}, final HP ${number(finalHp)}`;
  }

  // Shows a stop, the nearest one if there is none of that number.
  go(wanted) {
    const turn = Math.min(Math.max(1, Math.trunc(wanted) || 1), this.last + 1);
    if (turn === this.turn) return;
    this.turn = turn;
    const decision = this.decisions[turn - 1] ?? null;
    this.slider.value = turn;
    this.slider.setAttribute("aria-valuetext", decision ? `decision ${turn} of ${this.last}` : "the end");
    this.place.textContent = decision ? `Decision ${turn} of ${this.last}` : "The end";
    this.status.textContent = this.words(turn);
    this.curve?.show(turn);
    this.stage?.show(turn, decision);
    this.showHero(turn);
    this.detail.replaceChildren(...this.details(turn, decision));
    history.replaceState(null, "", episodeLink(this.episode.id, turn));
    if (turn > this.last) this.pause();
  }

  showHero(turn) {
    const [before, after] = [this.stops[turn - 1], this.stops[turn]];
    const holds = before?.holds ?? [];
    this.hero.replaceChildren(...(before ? [heroTable(before.hero, after?.hero ?? null, this.used)] : []),
      ...(holds.length > 0 ? [make("p", { class: "aside" }, "He also has ", outside(holds.join(", ")), ".")] : []));
  }

  details(turn, decision) {
    const point = (at, shows = false) => {
      if (shows && this.stage && at[0] !== this.stage.floor) this.stage.showFloor(at[0]);
      this.stage?.point(at);
    };
    const parts = decision
      ? [this.decisionHeading(turn, decision), questionWords(decision), this.judgement(decision), actionList(decision, this.known, point),
        collectedWords(decision), blockedList(decision, point)]
      : this.ending();
    return [...parts, callList(this.replay, turn), this.missingWords()].filter(Boolean);
  }

  decisionHeading(turn, decision) {
    const action = decision.done;
    return make("h2", { class: "decision" }, make("span", { class: "thin" }, `Decision ${turn} `),
      outside(action.text), ` ${placeName(action.at)}`);
  }

  judgement(decision) {
    if (!this.known) return make("p", { class: "judgement" }, "Values not known.");
    const chips = kindChips(decision, this.known);
    const words = decision.before === null
      ? "The boss can no longer be defeated, whatever is chosen."
      : lossWords(decision).replace("value", "Value");
    return make("p", { class: "judgement" }, make("span", { class: "change" }, words), chips);
  }

  ending() {
    const { failed } = this.replay;
    return [
      make("h2", { class: "decision" }, make("span", { class: "thin" }, "The end "), this.episode.ending),
      make("p", {}, capital(this.endWords()), "."),
      failed === null ? null : make("p", { class: "notice" }, "What came after this cannot be shown: ", outside(failed)),
    ];
  }

  missingWords() {
    const { calls_missing: missing } = this.replay;
    if (missing === 0) return null;
    return make("p", { class: "notice" }, missing === this.episode.calls
      ? "The trace of this episode is gone or has changed since it was analysed: prompts and answers are not shown."
      : `${plural(missing, "call")} of this episode can no longer be read from its trace.`);
  }

  togglePlay() {
    if (this.timer !== null) return this.pause();
    if (this.turn > this.last) this.go(1);
    this.showPlaying(true);
    // What changes every second is not read out.
    this.status.setAttribute("aria-live", "off");
    this.timer = setInterval(() => this.go(this.turn + 1), PACE);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.showPlaying(false);
    this.status.setAttribute("aria-live", "polite");
  }

  showPlaying(plays) {
    const label = plays ? "Pause" : "Play";
    this.playButton.replaceChildren(icon(plays ? "pause" : "play"));
    fill(this.playButton, { "aria-label": label, title: label }, []);
  }

  // Keys that step, wherever they mean nothing else.
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input:not([type=range]), select, textarea, pre, .scroll")) return;
    const slides = event.target === this.slider;
    const steps = { j: 1, k: -1, ...(slides ? {} : { ArrowRight: 1, ArrowLeft: -1 }) };
    if (steps[event.key]) this.go(this.turn + steps[event.key]);
    else if (!slides && event.key === "Home") this.go(1);
    else if (!slides && event.key === "End") this.go(this.last + 1);
    else return;
    event.preventDefault();
  }
}

// What an event asked, of which the actions are the answers.
function questionWords({ question }) {
  return question === undefined ? null : make("p", { class: "question" }, "An event asks: ", outside(question));
}

function collectedWords({ collected = [] }) {
  return collected.length === 0 ? null : make("p", { class: "collected" }, "Collected: ", outside(collected.join(", ")), ".");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

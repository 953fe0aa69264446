// A decision: what could have been chosen, what each would do and was worth, and the hero before and after.

const QUANTITIES = ["HP", "ATK", "DEF", "MDEF", "gold", "experience", "yellow keys", "blue keys", "red keys", "green keys"];

// The words of `analysis/decision.rs`.
const WORDS = {
  "State value": "the hero's final HP under best play from there on; lost where the boss can no longer be defeated.",
  "not known": "a value lies between what some way to win gives and what it is proven that none exceeds; nothing else is claimed.",
  optimal: "no other action has a higher value.",
  losing: "the boss could be defeated before it, and no longer after it.",
  critical: "a losing action that is not lethal stood beside a saving one.",
  forced: "exactly one action keeps the boss defeatable.",
  override: "a lethal choice is replaced by that of a simple rule.",
  "stand-in": "chooses where none of the agent's answers could be used.",
};

function glossary() {
  return make("details", { class: "glossary" }, make("summary", {}, "What the words mean"),
    make("dl", {}, Object.entries(WORDS).map(([word, meaning]) =>
      make("div", {}, make("dt", {}, word), make("dd", {}, meaning)))));
}

// The value of an action of which nothing is known.
const NOT_KNOWN = { least: null, most: null };

// A decision with what could have been chosen, which an episode carries once for all its decisions. It is put together when it
// is looked at: there may be thousands.
class Decision {
  constructor(packed, { deeds, obstacles }, hero) {
    Object.assign(this, packed);
    this.packed = { packed, deeds, obstacles, hp: hero[0] };
  }

  get actions() {
    const { packed, deeds, hp } = this.packed;
    return packed.deeds.map((place, index) => {
      const deed = deeds[place];
      return { ...deed, hp_after: deed.lethal ? 0 : sum(hp, deed.change), value: packed.values ? packed.values[index] : NOT_KNOWN };
    });
  }

  get blocked() {
    const { packed, obstacles } = this.packed;
    return (packed.obstacles ?? []).map((place) => obstacles[place]);
  }

  // The action that was executed.
  get done() {
    return this.packed.deeds[this.packed.packed.deeds[this.executed - 1]];
  }
}

// What an action or a decision is about to cost, in the words of the live text as well.
function lossWords({ before, actions, executed }) {
  if (before === null) return "the boss can no longer be defeated";
  return `value ${valueWords(before)} → ${valueWords(actions[executed - 1]?.value)}`;
}

function kindChips({ optimal, losing, forced, critical, before, lost, lowered, actions, executed }, known) {
  if (!known) return [];
  const chip = (look, character, text) => make("span", { class: `chip ${look}` }, sign(character), text);
  return [
    optimal && chip("good", "●", "optimal"),
    losing && chip("bad", "✕", "losing"),
    before !== null && !losing && Number(lost) > 0 && chip("bad", "▼", `loses ${lost}`),
    lowered === true && !losing && chip("bad", "▼", "loses value"),
    lowered === undefined && (isOpen(before) || isOpen(actions[executed - 1]?.value)) && chip("", "?", "cost not known"),
    before === null && chip("", "✕", "already lost"),
    critical && chip("", "!", "critical"),
    forced && chip("", "↦", "forced"),
  ].filter(Boolean);
}

// The legal actions, best to be compared one below the other. `point` shows a place on the map.
function actionList(decision, known, point) {
  const { before } = decision;
  const bounds = (value) => (isOpen(value) ? value.most ?? value.least ?? 0 : value ?? 0);
  const highest = () => Math.max(1, Number(before.most ?? 0), ...decision.actions.map(({ value }) => Number(bounds(value))));
  const best = before === null ? null : isOpen(before) ? highest() : Number(before);
  const items = decision.actions.map((action, index) => {
    const is = { chosen: index + 1 === decision.chosen, executed: index + 1 === decision.executed };
    return make("li", { class: is.executed ? "executed" : null, pointerenter: () => point(action.at),
      pointerleave: () => point(null) },
    make("span", { class: "ordinal" }, `${index + 1}.`),
    make("div", {}, make("div", { class: "deed" },
      make("button", { type: "button", class: "place", focus: () => point(action.at), blur: () => point(null),
        click: () => point(action.at, true) },
      outside(action.text), ` ${placeName(action.at)}`),
      choiceTags(decision, is)),
      make("p", { class: "effect" }, effect(action))),
    known && decision.before !== null ? worth(action, decision, best) : null);
  });
  return make("ol", { class: "actions" }, items);
}

function choiceTags({ by, chosen, executed }, is) {
  const tag = (text) => make("span", { class: "tag" }, text);
  const whose = by === "on_invalid" ? "the stand-in" : "the agent";
  if (chosen === executed) return is.executed ? tag(`▸ chosen by ${whose}, executed`) : null;
  if (is.executed) return tag("▸ executed by the override");
  return is.chosen ? tag("▹ chosen by the agent, replaced") : null;
}

function effect({ verb, damage, lethal, price, collects = [], hp_after: after }) {
  if (lethal) return "kills the hero";
  const parts = [
    verb === "open" && "uses up its key",
    damage !== undefined && `costs ${number(damage)} HP`,
    price !== undefined && `costs ${number(price)} gold`,
    collects.length > 0 && `collects ${collects.join(", ")}`,
    `leaves ${number(after)} HP`,
  ];
  return parts.filter(Boolean).join(" · ");
}

// Bounds as a bar that begins at the lower one, and in words.
function openWorth({ least, most }, best) {
  const share = (hp) => Math.min(100, (100 * Number(hp)) / best);
  const [from, to] = [share(least ?? 0), most === null ? 100 : share(most)];
  return make("div", { class: "worth" }, make("span", { class: "value" }, hidden("value ")),
    draw("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "track", width: 100, height: 8 }),
      draw("rect", { class: "open", x: from, width: Math.max(1, to - from), height: 8 })),
    make("span", { class: "aside" }, valueWords({ least, most })));
}

// A value as a bar and in words; a lost one has no bar.
function worth({ value, lethal }, { before }, best) {
  if (isOpen(value)) return openWorth(value, best);
  const share = value === null || best <= 0 ? 0 : Math.max(0.01, Number(value) / best);
  const bar = draw("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "track", width: 100, height: 8 }),
    draw("rect", { class: value === before ? "best" : "less", width: 100 * share, height: 8 }));
  const loss = value === null || isOpen(before) ? null : difference(before, value);
  const verdict = value === null
    ? make("span", { class: "loss" }, sign("✕"), lethal ? "lethal: lost" : "lost")
    : loss === null ? null
    : loss === 0n ? make("span", { class: "gain" }, sign("●"), "best") : make("span", { class: "loss" }, `−${loss}`);
  return make("div", { class: "worth" },
    make("span", { class: "value" }, hidden("value "), value === null ? "" : number(value)), bar, verdict);
}

function blockedList({ blocked = [] }, point) {
  if (blocked.length === 0) return null;
  return make("div", { class: "blocked" }, make("h3", {}, "In reach, but not legal"),
    make("ul", {}, blocked.map(({ at, what, reason }) =>
      make("li", { pointerenter: () => point(at), pointerleave: () => point(null) },
        outside(what), ` ${placeName(at)}: `, outside(reason)))));
}

// The hero before and after; what no moment of the episode has is left out.
function heroTable(before, after, used) {
  const rows = QUANTITIES.map((name, index) => ({ name, index })).filter(({ index }) => used.has(index));
  const cells = ({ index }) => {
    if (after === null) return [make("td", { class: "numeric" }, number(before[index]))];
    const change = difference(after[index], before[index]);
    return [
      make("td", { class: "numeric" }, number(before[index])),
      make("td", { class: "numeric" }, number(after[index])),
      make("td", { class: `numeric ${change > 0n ? "gain" : change < 0n ? "loss" : "same"}` },
        change === 0n ? "·" : signed(change)),
    ];
  };
  const headings = after === null ? ["now"] : ["before", "after", "change"];
  return make("table", { class: "hero" }, make("caption", {}, "The hero"),
    make("thead", {}, make("tr", {}, make("td", {}),
      headings.map((heading) => make("th", { scope: "col", class: "numeric" }, heading)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, row.name), cells(row)))));
}

// HP, ATK and DEF, and whatever else is not always 0.
function usedQuantities(stops) {
  const used = (index) => index < 3 || stops.some(({ hero }) => hero[index] !== 0);
  return new Set(QUANTITIES.map((_, index) => index).filter(used));
}

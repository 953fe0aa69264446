// The floor as it is before a decision: what has been cleared is hidden, the hero stands where he stands, the legal actions
// are ringed and numbered.

// As many floors have a button each; of more there is a list.
const FEW = 6;

class Stage {
  // `floors` as the page carries them; a stop before every decision and one at the end.
  // `looks` of what events put on tiles; undefined where they put nothing.
  constructor(floors, stops, looks) {
    this.floors = floors;
    this.stops = stops;
    this.looks = looks;
    this.firstCells = [];
    let cells = 0;
    for (const { width, height } of floors) {
      this.firstCells.push(cells);
      cells += width * height;
    }
    this.caption = make("figcaption", { class: "aside" });
    this.holder = make("div", { class: "map" });
    this.choices = make("div", { class: "floors", role: "group", "aria-label": "Floor shown" });
    this.choices.hidden = floors.length < 2;
    this.chooser = floors.length > FEW ? this.floorChooser() : null;
    this.element = make("figure", { class: "stage" }, this.choices, this.holder, this.caption);
    this.floor = null;
  }

  cell([floor, x, y]) {
    return this.firstCells[floor] + y * this.floors[floor].width + x;
  }

  floorName(index) {
    return this.floors[index].heading;
  }

  // Shows the moment before a decision; after the last, the end.
  show(turn, decision) {
    this.turn = turn;
    this.decision = decision;
    this.at = this.stops[turn - 1].at;
    const past = this.stops.slice(0, turn);
    this.cleared = new Set(past.flatMap((stop) => stop.cleared ?? []));
    // What is there now in place of what was there at the start, by tile; null for open floor.
    this.changed = new Map(past.flatMap((stop) => stop.changed ?? []));
    this.actions = decision?.actions ?? [];
    this.acting = new Set(this.floors.length > FEW ? this.actions.map((action) => action.at[0]) : []);
    // Where the decision was made, or where the hero stands in the end.
    this.home = decision?.done?.at[0] ?? this.at[0];
    this.showFloor(this.home);
  }

  showFloor(index) {
    if (this.floor !== index) this.open(index);
    const here = this.at[0] === index;
    for (const [cell, group] of this.groups) group.toggleAttribute("hidden", this.cleared.has(cell) || this.changed.has(cell));
    this.drawChanged(index);
    this.hero.toggleAttribute("hidden", !here);
    if (here) this.placeHero();
    this.ring();
    this.describe(index);
    this.choose(index);
  }

  // What is pressed to look at another floor: a button each, or where there are many a list of them.
  choose(index) {
    if (this.floors.length < 2) return;
    if (this.chooser === null) {
      this.choices.replaceChildren(...this.floors.map((_, at) => this.floorButton(at)));
      return;
    }
    const { list, below, above, home } = this.chooser;
    for (const [at, option] of [...list.options].entries()) option.textContent = this.signed(at);
    list.value = String(index);
    below.disabled = index === 0;
    above.disabled = index === this.floors.length - 1;
    home.disabled = index === this.home;
  }

  floorChooser() {
    const to = (floor) => this.showFloor(Math.min(Math.max(0, floor), this.floors.length - 1));
    const button = (words, floor) => make("button", { type: "button", click: () => to(floor()) }, words);
    const chooser = {
      list: make("select", { "aria-label": "Floor shown", change: () => to(Number(chooser.list.value)) },
        this.floors.map((_, at) => make("option", { value: at }))),
      below: button("Below", () => this.floor - 1),
      above: button("Above", () => this.floor + 1),
      home: button("Back to the decision", () => this.home),
    };
    this.choices.append(...Object.values(chooser));
    return chooser;
  }

  // A floor's name, with what is to be found there.
  signed(index) {
    const signs = this.signs(index);
    return this.floorName(index) + (signs.length > 0 ? ` (${signs.join(", ")})` : "");
  }

  signs(index) {
    return [this.at[0] === index && "hero", this.decision && this.home === index && "decision",
      this.acting.has(index) && "actions"].filter(Boolean);
  }

  open(index) {
    this.floor = index;
    const svg = parseDrawing(this.floors[index].svg);
    this.groups = new Map();
    for (const group of svg.querySelectorAll("[data-x]")) {
      this.groups.set(this.cell([index, Number(group.dataset.x), Number(group.dataset.y)]), group);
    }
    this.hero = svg.querySelector("[data-hero]");
    this.rings = draw("g", { class: "rings" });
    this.pointer = draw("rect", { class: "pointer", rx: 6, hidden: true });
    this.title = draw("title", { id: "stage-title" });
    this.words = draw("desc", { id: "stage-words" });
    svg.setAttribute("aria-labelledby", "stage-title stage-words");
    svg.prepend(this.title, this.words);
    this.changes = draw("g");
    this.hero.before(this.changes);
    svg.append(this.rings, this.pointer);
    this.holder.replaceChildren(svg);
    if (!this.looks) return;
    const glyphs = parseDrawing(this.looks.svg);
    fill(glyphs, { class: "unseen", "aria-hidden": "true" }, []);
    this.holder.append(glyphs);
  }

  // What events have put on the tiles of this floor.
  drawChanged(index) {
    const { width, height } = this.floors[index];
    const first = this.firstCells[index];
    const uses = [...this.changed].filter(([cell, look]) => look !== null && cell >= first && cell < first + width * height)
      .flatMap(([cell, look]) => {
        const [x, y] = this.corner([index, (cell - first) % width, Math.floor((cell - first) / width)]);
        return this.looks.kinds[look].map((name) => draw("use", { href: `#${name}`, x, y }));
      });
    this.changes.replaceChildren(...uses);
  }

  // Whether something is on a tile now that hides the hero.
  isTaken(cell) {
    if (this.changed.has(cell)) return this.changed.get(cell) !== null;
    return this.groups.has(cell) && !this.cleared.has(cell);
  }

  corner([, x, y]) {
    const { corner: [left, top], tile } = this.floors[this.floor];
    return [left + x * tile, top + y * tile];
  }

  // Smaller, in a corner, where something else stands on his tile.
  placeHero() {
    const { tile } = this.floors[this.floor];
    const [x, y] = this.corner(this.at);
    const cell = this.cell(this.at);
    const shares = this.isTaken(cell);
    this.hero.setAttribute("transform",
      shares ? `translate(${x} ${y + 0.4 * tile}) scale(0.6)` : `translate(${x} ${y})`);
  }

  // One ring for each tile, with the numbers of its actions.
  ring() {
    const tiles = new Map();
    for (const [index, action] of this.actions.entries()) {
      if (action.at[0] !== this.floor) continue;
      const cell = this.cell(action.at);
      const ring = tiles.get(cell) ?? { at: action.at, numbers: [] };
      ring.numbers.push(index + 1);
      tiles.set(cell, ring);
    }
    const executed = (ring) => ring.numbers.includes(this.decision.executed);
    const ordered = [...tiles.values()].sort((one, other) => executed(one) - executed(other));
    this.rings.replaceChildren(...ordered.map((ring) => this.drawRing(ring, executed(ring))));
    this.pointer.setAttribute("hidden", "");
  }

  drawRing({ at, numbers }, executed) {
    const { tile } = this.floors[this.floor];
    const [x, y] = this.corner(at);
    const text = numbers.length > 1 ? `${numbers[0]}–${numbers.at(-1)}` : String(numbers[0]);
    const wide = 7 + 6.5 * text.length;
    return draw("g", { class: executed ? "ring executed" : "ring" },
      draw("rect", { class: "under", x: x + 1, y: y + 1, width: tile - 2, height: tile - 2, rx: 5 }),
      draw("rect", { class: "line", x: x + 1, y: y + 1, width: tile - 2, height: tile - 2, rx: 5 }),
      draw("rect", { class: "plate", x: x - 3, y: y - 3, width: wide, height: 14, rx: 7 }),
      draw("text", { x: x - 3 + wide / 2, y: y + 7.8, "text-anchor": "middle" }, text));
  }

  // Points at a tile of this floor, or at none.
  point(at) {
    if (at === null || at[0] !== this.floor) return this.pointer.setAttribute("hidden", "");
    const { tile } = this.floors[this.floor];
    const [x, y] = this.corner(at);
    fill(this.pointer, { x: x - 4, y: y - 4, width: tile + 8, height: tile + 8 }, []);
    this.pointer.removeAttribute("hidden");
  }

  describe(index) {
    const name = this.floors.length > 1 ? `${this.floorName(index)}, ` : "";
    const here = this.floors.length > 1 ? `${this.floorName(index)}. ` : "";
    const when = this.decision ? `before decision ${this.turn}` : "at the end";
    this.title.textContent = `Map: ${name}${when}`;
    const actions = this.actions.map((action, at) => `${at + 1}: ${action.text} ${placeName(action.at)}`);
    this.words.textContent = `The hero stands at ${placeName(this.at)}.`
      + (actions.length > 0 ? ` Legal actions: ${actions.join("; ")}.` : "");
    this.caption.replaceChildren(outside(here), this.decision
      ? "Before the decision. Rings: the legal actions by number; the filled one was executed."
      : "At the end.");
  }

  floorButton(index) {
    const signs = this.signs(index);
    return make("button", { type: "button", "aria-pressed": String(index === this.floor),
      click: () => {
        this.showFloor(index);
        this.choices.children[index].focus();
      } },
    outside(this.floorName(index)), signs.length > 0 ? make("span", { class: "aside" }, ` ${signs.join(", ")}`) : null);
  }
}

// The value of the state along an episode: a step line, or a band where it is not known, with a mark where value was lost and a
// cross where the boss could no longer be defeated. Every decision is a link to itself; those that are marked are reached by keyboard.

const CURVE = { height: 190, left: 46, right: 20, top: 22, rail: 26, bottom: 24 };

class Curve {
  // `decisions` of the replay; `pick(turn)` goes to one, `link(turn)` is its address, `words(turn)` tells it.
  constructor({ episode, decisions, pick, link, words }) {
    Object.assign(this, { episode, decisions, pick, link, words, turn: 1 });
    this.element = make("div", { class: "curve" });
    this.width = 0;
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width > 0 && width !== this.width) {
        this.width = width;
        this.redraw();
      }
    }).observe(this.element);
  }

  get values() {
    return this.episode.values;
  }

  get last() {
    return this.decisions.length;
  }

  x(turn) {
    return CURVE.left + (turn * (this.width - CURVE.left - CURVE.right)) / Math.max(1, this.last);
  }

  get ground() {
    return CURVE.height - CURVE.bottom - (this.hasRail ? CURVE.rail : 0);
  }

  get hasRail() {
    return this.values.includes(null);
  }

  get highest() {
    const found = Math.max(1, ...this.values.map(leastOf));
    const proven = Math.max(0, ...this.values.filter(isOpen).map(({ most }) => Number(most ?? 0)));
    // A bound far above all that was found would leave no room for it.
    return Math.max(found, Math.min(proven, 2 * found));
  }

  // A lost state lies on a rail of its own, below 0.
  y(value) {
    if (value === null) return this.ground + CURVE.rail - 6;
    return this.ground - (leastOf(value) * (this.ground - CURVE.top)) / this.highest;
  }

  redraw() {
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.turn : null;
    this.cursor = draw("g", { class: "cursor" });
    const svg = draw("svg", { viewBox: `0 0 ${this.width} ${CURVE.height}`, width: this.width, height: CURVE.height,
      role: "group", "aria-labelledby": "curve-title", "aria-describedby": "curve-words" },
    draw("title", { id: "curve-title" }, "State value along the episode"),
    draw("desc", { id: "curve-words" }, this.description()),
    this.axes(), this.cursor, this.bands(), this.line(), this.columns(), this.marks());
    this.element.replaceChildren(svg);
    this.show(this.turn);
    if (focused) this.element.querySelector(`.point[data-turn="${focused}"]`)?.focus();
  }

  description() {
    const { losing, losing_between: between, optimum } = this.episode;
    const losses = this.decisions.filter(isLoss).length;
    const start = optimum === null ? "The boss cannot be defeated from the start." : `At the start ${valueWords(optimum)} HP.`;
    return `Final HP under best play before and after each of ${plural(this.last, "decision")}. ${start} `
      + `${plural(losses, "decision")} lowered it.${losing ? ` Decision ${losing.turn} lost the episode.` : ""}`
      + `${between ? ` Which decision lost the episode is not known: ${between.text}.` : ""}`;
  }

  axes() {
    const right = this.width - CURVE.right;
    const step = niceStep(this.highest, 4);
    const levels = [];
    for (let level = 0; level <= this.highest; level += step) levels.push(level);
    const turns = [];
    const turnStep = Math.max(1, niceStep(this.last, this.width / 60));
    for (let turn = turnStep; turn <= this.last; turn += turnStep) turns.push(turn);
    return draw("g", { class: "axes" },
      levels.map((level) => [
        draw("path", { d: `M${CURVE.left} ${this.y(level)}H${right}` }),
        draw("text", { x: CURVE.left - 8, y: this.y(level) + 4, "text-anchor": "end" }, number(level)),
      ]),
      this.hasRail && [
        draw("path", { class: "rail", d: `M${CURVE.left} ${this.y(null)}H${right}` }),
        draw("text", { x: CURVE.left - 8, y: this.y(null) + 4, "text-anchor": "end" }, "lost"),
      ],
      turns.map((turn) =>
        draw("text", { x: this.x(turn), y: CURVE.height - 6, "text-anchor": "middle" }, String(turn))));
  }

  line() {
    let path = "";
    let begun = false;
    this.values.forEach((value, turn) => {
      if (begun) path += `H${this.x(turn)}`;
      if (!isOpen(value)) path += begun ? `V${this.y(value)}` : `M${this.x(turn)} ${this.y(value)}`;
      begun = !isOpen(value);
    });
    return draw("path", { class: "line", d: path });
  }

  // What a value that is not known lies between, until the next decision.
  bands() {
    return draw("g", { class: "bands" }, this.values.map((value, turn) => {
      if (!isOpen(value)) return null;
      const top = value.most === null ? CURVE.top : Math.max(CURVE.top, this.y(value.most));
      const [left, bottom] = [this.x(turn), this.y(value)];
      const right = Math.max(this.x(Math.min(turn + 1, this.last)), left + 3);
      return draw("rect", { class: "band", x: left, y: top, width: right - left, height: Math.max(1, bottom - top) });
    }));
  }

  // What is clicked: all of the height around a decision. By keyboard the slider does the same.
  columns() {
    const half = (this.x(1) - this.x(0)) / 2;
    return draw("g", { "aria-hidden": "true" }, this.decisions.map((_, index) =>
      draw("rect", { class: "column", x: this.x(index + 1) - half, y: 0, width: 2 * half, height: CURVE.height,
        click: () => this.pick(index + 1) }, draw("title", {}, this.words(index + 1)))));
  }

  marks() {
    return draw("g", { class: "marks" }, this.decisions.map((decision, index) => {
      const turn = index + 1;
      if (!isLoss(decision)) return this.wins(turn);
      const [x, y] = [this.x(turn), this.y(this.values[turn])];
      const shape = decision.losing
        ? draw("path", { class: "cross", d: `M${x - 6} ${y - 6}l12 12m-12 0l12 -12` })
        : draw("path", { class: "drop", d: `M${x - 6} ${y - 5}h12l-6 10z` });
      return draw("a", { href: this.link(turn), class: "point", "data-turn": turn, "aria-label": this.words(turn) },
        draw("circle", { class: "halo", cx: x, cy: y, r: 12 }), shape);
    }));
  }

  // A dot at the end of an episode that was won.
  wins(turn) {
    if (turn !== this.last || this.episode.ending !== "won") return null;
    return draw("circle", { class: "won", cx: this.x(turn), cy: this.y(this.values[turn]), r: 5 });
  }

  // Marks the decision that is looked at; after the last, none.
  show(turn) {
    this.turn = turn;
    if (!this.cursor) return;
    if (turn > this.last) return this.cursor.replaceChildren();
    const [x, { lost, losing, lowered }] = [this.x(turn), this.decisions[turn - 1]];
    const label = losing ? "lost" : Number(lost ?? 0) > 0 ? `−${lost}` : lowered ? "−?" : String(turn);
    const anchor = x > this.width - 50 ? "end" : x < CURVE.left + 10 ? "start" : "middle";
    this.cursor.replaceChildren(
      draw("path", { d: `M${x} ${CURVE.top - 6}V${CURVE.height - CURVE.bottom + 4}` }),
      draw("text", { x, y: CURVE.top - 10, "text-anchor": anchor }, label));
  }
}

// Whether it is proven that a decision lowered the value.
function isLoss({ lost, lowered }) {
  return Number(lost ?? 0) > 0 || lowered === true;
}

// 1, 2 or 5 times a power of ten, so that at most about so many steps reach `length`.
function niceStep(length, most) {
  const least = length / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

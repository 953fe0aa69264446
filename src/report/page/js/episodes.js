// The list of episodes: filtered, sorted, each row a way to its replay.

const list = { table: null, shown: [] };

const ENDINGS = { won: "●", dead: "✕", stuck: "■", "turn limit": "◷", aborted: "◌", unfinished: "…" };

function endingChip(ending) {
  return make("span", { class: `ending ${ending === "won" ? "good" : ending === "unfinished" ? "" : "bad"}` },
    sign(ENDINGS[ending] ?? "·"), ending);
}

function episodeLink(id, turn = null) {
  return `#episode=${encodeURIComponent(id)}${turn === null ? "" : `&turn=${turn}`}`;
}

function episodeName({ agent, prompt, floor_name: floor, repeat }) {
  return `${agent}${prompt === null ? "" : ` / ${prompt}`} on ${floor}, repeat ${repeat}`;
}

function showEpisodes({ episodes }) {
  list.shown = episodes;
  if (episodes.length === 0) {
    byId("episodes").append(make("p", { class: "none" }, "No episode has been played."));
    return;
  }
  const searched = new Map(episodes.map((episode) => [episode, searchText(episode)]));
  const count = make("p", { class: "count", role: "status" });
  const choices = [
    choice("Floor", episodes, (episode) => episode.floor_name),
    choice("Agent", episodes, (episode) => episode.agent),
    choice("Prompt", episodes, (episode) => episode.prompt ?? "none"),
    choice("Ending", episodes, (episode) => episode.ending),
  ];
  const words = make("input", { type: "search", id: "words", placeholder: "id, action, place, reason" });
  const narrow = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = episodes.filter((episode) =>
      choices.every((one) => one.holds(episode)) && wanted.every((word) => searched.get(episode).includes(word)));
    list.table.setRows(rows);
    const all = plural(episodes.length, "episode");
    count.textContent = rows.length === episodes.length ? all : `${rows.length.toLocaleString("en")} of ${all}`;
  };
  list.table = new SortedTable({
    caption: "Episodes, each with its replay",
    columns: episodeColumns(episodes),
    rows: episodes,
    opened: (episode) => { location.hash = episodeLink(episode.id); },
  });
  const form = make("form", { class: "filter", role: "search", "aria-label": "Episodes", input: narrow,
    submit: (event) => event.preventDefault(), reset: () => setTimeout(narrow) },
  choices.filter((one) => one.matters).map((one) => one.element),
  make("div", { class: "field grow" }, make("label", { for: "words" }, "Text"), words),
  make("button", { type: "reset", class: "quiet" }, "Clear"));
  byId("episodes").append(form, count, list.table.element);
  narrow();
}

// Those that are listed, as they are listed: a replay goes on to the next of these.
function listedEpisodes() {
  return list.table?.ordered ?? [];
}

function searchText(episode) {
  const { id, agent, prompt, floor_name: floor, ending, reason, losing } = episode;
  return [id, agent, prompt, floor, ending, reason, losing?.text, losing?.at].filter(Boolean).join(" ").toLowerCase();
}

function choice(label, episodes, of) {
  const values = [...new Set(episodes.map(of))];
  const id = `filter-${label.toLowerCase()}`;
  const select = make("select", { id }, make("option", { value: "" }, "all"),
    values.map((value, index) => make("option", { value: String(index + 1) }, value)));
  return {
    matters: values.length > 1,
    element: make("div", { class: "field" }, make("label", { for: id }, label), select),
    holds: (episode) => select.value === "" || of(episode) === values[Number(select.value) - 1],
  };
}

function episodeColumns(episodes) {
  const some = (has) => episodes.some(has);
  const column = (label, key, cell = key, more = {}) => ({ label, key, cell: (row) => cell(row) ?? "", ...more });
  const figure = (label, key) => column(label, (row) => (key(row) === null ? null : Number(key(row))),
    (row) => (key(row) === null ? "" : number(key(row))), { numeric: true });
  const columns = [
    column("floor", (row) => row.floor_name),
    column("agent", (row) => row.agent, (row) =>
      make("a", { href: episodeLink(row.id), "aria-label": `${episodeName(row)}: replay` }, row.agent), { head: true }),
    some((row) => row.prompt !== null) && column("prompt", (row) => row.prompt),
    some((row) => row.repeat > 0) && figure("repeat", (row) => row.repeat),
    column("ending", (row) => row.ending, (row) => endingChip(row.ending)),
    figure("final HP", (row) => row.final_hp),
    column("optimum", (row) => (row.optimum === null ? null : leastOf(row.optimum)),
      (row) => (row.optimum === null ? "" : valueWords(row.optimum)), { numeric: true }),
    figure("decisions", (row) => row.decisions),
    column("state value", (row) => (row.values.at(-1) ?? null) && leastOf(row.values.at(-1)), sparkline,
      { numeric: true, class: "spark" }),
    figure("value losses", (row) => row.value_losses),
    column("losing decision", (row) => row.losing?.turn ?? row.losing_between?.first ?? null, losingCell,
    { class: "wrap" }),
    some((row) => row.calls > 0) && figure("invalid answers", (row) => row.invalid),
    some((row) => row.cost_usd !== null) && column("cost", (row) => row.cost_usd, (row) => dollars(row.cost_usd),
      { numeric: true }),
  ];
  return columns.filter(Boolean);
}

function losingCell({ id, losing, losing_between: between }) {
  if (losing) return make("a", { href: episodeLink(id, losing.turn) }, `${losing.turn}: `, outside(losing.text), ` ${losing.at}`);
  return between && make("a", { href: episodeLink(id, between.first) }, `not known: ${between.text}`);
}

const SPARK = { width: 90, height: 20 };

// The value after every decision in small, or the least that it can be; a cross where the boss could no longer be defeated.
function sparkline({ values }) {
  if (values.length === 0) return make("span", { class: "aside" }, "not known");
  const { width, height } = SPARK;
  const highest = Math.max(1, ...values.map(leastOf));
  const x = (turn) => 2 + (turn * (width - 8)) / Math.max(1, values.length - 1);
  const y = (value) => height - 3 - (leastOf(value) * (height - 6)) / highest;
  const lost = values.findIndex((value) => value === null);
  const kept = lost < 0 ? values : values.slice(0, lost);
  const path = kept.map((value, turn) => (turn === 0 ? `M${x(0)} ${y(value)}` : `H${x(turn)}V${y(value)}`)).join("");
  const cross = lost > 0
    && draw("path", { class: "cross", d: `M${x(lost) - 3} ${height - 7}l6 6m-6 0l6 -6` });
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" },
    draw("path", { class: "ground", d: `M0 ${height - 2.5}H${width}` }),
    path ? draw("path", { class: "line", d: lost > 0 ? `${path}H${x(lost)}` : path }) : null,
    cross || null);
}

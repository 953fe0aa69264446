// The report at first sight: heading, what was played, tables, plots.

const overview = { data: null };

function showOverview(data) {
  overview.data = data;
  document.title = data.title;
  byId("title").textContent = data.title;
  byId("summary").replaceChildren(...summary(data));
  byId("runs").replaceChildren(...data.runs.map((run) => runCard(run, data)));
  byId("played").hidden = data.runs.length === 0;
  byId("tables").append(...data.tables.map(tableSection));
  byId("tables").hidden = data.tables.length === 0;
  byId("plots").hidden = data.plots.length === 0;
  byId("colophon").textContent = `Made by mota ${data.version}. The page asks for nothing beyond this file.`;
  const sections = ["played", "tables", "episodes", "plots"].filter((id) => !byId(id).hidden);
  byId("sections").replaceChildren(make("ul", {}, sections.map((id) =>
    make("li", {}, make("a", { href: `#${id}` }, byId(`${id}-heading`).textContent)))));
}

function summary({ runs, floors, episodes }) {
  const agents = new Set(episodes.map((episode) => episode.agent));
  const ended = (ending) => episodes.filter((episode) => episode.ending === ending).length;
  const seeds = [...new Set(runs.map((run) => String(run.seed)))];
  const facts = [
    plural(episodes.length, "episode"),
    episodes.length > 0 && `${ended("won").toLocaleString("en")} won`,
    ended("unfinished") > 0 && `${ended("unfinished").toLocaleString("en")} unfinished`,
    agents.size > 0 && plural(agents.size, "agent"),
    floors.length > 0 && plural(floors.length, "floor"),
    runs.length > 1 && plural(runs.length, "run"),
    seeds.length > 0 && `${seeds.length === 1 ? "seed" : "seeds"} ${seeds.join(", ")}`,
  ];
  return facts.filter(Boolean).map((fact) => make("span", {}, fact));
}

function runCard(run, data) {
  const begun = data.episodes.filter((episode) => data.runs[episode.run] === run).length;
  const item = (name, more) => make("li", {}, outside(name), more && make("span", { class: "aside" }, " ", outside(more)));
  const agents = run.agents.map(({ name, kind, detail }) =>
    item(name, [kind === name ? null : kind, detail].filter(Boolean).join(", ")));
  const floors = run.floors.map((name) => {
    const title = data.floors.find((floor) => floor.name === name)?.title;
    return item(name, title === name ? null : title);
  });
  const rules = [
    begun === run.planned ? plural(begun, "episode") : `${begun} of ${plural(run.planned, "episode")} begun`,
    `seed ${run.seed}`,
    `at most ${plural(run.turn_limit, "decision")} each`,
    `items collected ${run.items_by_decision ? "by decisions" : "at once"}`,
  ];
  const fact = (name, ...value) => make("div", {}, make("dt", {}, name), make("dd", {}, ...value));
  return make("dl", { class: "run" },
    fact("Run", outside(run.name), make("span", { class: "aside" }, ` ${rules.join(", ")}`)),
    fact("Agents", make("ul", {}, agents)),
    run.prompts.length > 0 && fact("Prompts", make("ul", {}, run.prompts.map(([name, hash]) => item(name, hash)))),
    fact("Floors", make("ul", {}, floors)));
}

// A column's name in words.
function columnLabel(name) {
  return name.replaceAll("_", " ").replace(/\bhp\b/g, "HP").replace(/\busd\b/g, "USD");
}

// These tables are there at once, unless they have more rows than that; all others wait until they are asked for.
const OPEN = ["configurations", "results"];
const LONG = 200;

function tableSection(sheet) {
  const length = sheet.cells[0]?.length ?? 0;
  const heading = make("h3", { id: `table-${sheet.name}` }, sheet.title);
  const notes = make("ul", { class: "notes" }, sheet.notes.map((note) => make("li", {}, outside(note))));
  const section = make("section", { class: "sheet", "data-table": sheet.name });
  const build = () => [tableOf(sheet, length), sheet.notes.length > 0 ? notes : null].filter(Boolean);
  if (OPEN.includes(sheet.name) && length <= LONG) {
    section.append(heading, ...build());
    return section;
  }
  const folded = make("details", {}, make("summary", {}, length > 0 ? plural(length, "row") : "No rows"));
  folded.addEventListener("toggle", () => folded.append(...build()), { once: true });
  section.append(heading, folded);
  return section;
}

function tableOf(sheet, length) {
  const rows = Array.from({ length }, (_, index) => index);
  const isBare = ({ numeric }, index) => length > 0 && sheet.cells[index].every((cell) =>
    cell === null || (numeric ? Number(cell) === 0 : cell === "none"));
  const bare = sheet.columns.filter(isBare).length;
  const holder = make("div");
  const build = (all) => {
    const columns = sheet.columns
      .map((column, index) => ({ ...column, index }))
      .filter((column) => all || !isBare(column, column.index))
      .map(({ name, numeric, index }, place) => ({
        label: columnLabel(name),
        numeric,
        head: place === 0,
        key: (row) => (numeric && sheet.cells[index][row] !== null ? Number(sheet.cells[index][row]) : sheet.cells[index][row]),
        cell: (row) => sheet.cells[index][row] ?? "",
      }));
    const table = new SortedTable({ caption: sheet.title, columns, rows });
    const toggle = make("button", { type: "button", class: "more columns", "aria-expanded": String(all), click: () => {
      build(!all);
      holder.querySelector(".columns").focus();
    } }, all ? `Hide ${plural(bare, "column")} that say nothing` : `Show ${plural(bare, "column")} that are 0, none or empty in every row`);
    holder.replaceChildren(table.element, ...(bare > 0 ? [toggle] : []));
  };
  build(false);
  return holder;
}

// What a figure shows, without the floor that it shows it of.
function kindOf(title) {
  return title.split(": ", 1)[0];
}

// A fold for every kind of figure, of which the first is open.
function showPlots(titles) {
  const kinds = new Map();
  titles.forEach((title, index) => kinds.set(kindOf(title), [...(kinds.get(kindOf(title)) ?? []), index]));
  for (const [kind, indices] of kinds) {
    const count = indices.length > 1 ? ` (${indices.length})` : "";
    const fold = make("details", { class: "kind" }, make("summary", {}, outside(kind), count));
    fold.addEventListener("toggle", () => drawPlots(fold, titles, indices), { once: true });
    byId("plots").append(fold);
  }
  const first = byId("plots").querySelector("details");
  if (first) first.open = true;
}

// One by one, so that the page is there before the last is drawn.
async function drawPlots(fold, titles, indices) {
  for (const index of indices) {
    const title = titles[index];
    const drawing = parseDrawing(await unpacked("plot", index));
    const shown = drawing ?? make("p", { class: "none" }, "This plot cannot be drawn.");
    fold.append(make("figure", {},
      make("div", { class: "scroll card", tabindex: "0", role: "region", "aria-label": title }, shown),
      make("figcaption", {}, outside(title))));
    await new Promise((resume) => setTimeout(resume));
  }
}

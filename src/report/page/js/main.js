// Which of the two is shown: the report, or the replay that the address names as #episode=ID&turn=N.

const view = { replay: null, scrolled: 0 };

function named() {
  const parts = new URLSearchParams(location.hash.slice(1));
  return parts.has("episode") ? { id: parts.get("episode"), turn: parts.get("turn") } : null;
}

async function follow() {
  const wanted = named();
  if (wanted === null) return showReport();
  if (view.replay?.episode.id === wanted.id) return view.replay.go(Number(wanted.turn ?? 1));
  if (byId("replay").hidden) view.scrolled = scrollY;
  const index = overview.data.episodes.findIndex((episode) => episode.id === wanted.id);
  if (index < 0) return showNotice(`This report has no episode ${wanted.id}.`);
  const episode = overview.data.episodes[index];
  try {
    const [replay, floors] = await Promise.all([
      unpacked("episode", index),
      episode.floor === null ? null : unpacked("floor", episode.floor),
    ]);
    if (named()?.id !== wanted.id) return;
    view.replay?.pause();
    view.replay = new ReplayView(episode, replay, floors);
  } catch (error) {
    return showNotice(`This episode cannot be shown: ${error.message}`);
  }
  turnTo("replay", view.replay.element);
  view.replay.go(Number(wanted.turn ?? 1));
  document.title = `${episodeName(episode)} · ${overview.data.title}`;
  scrollTo(0, 0);
  view.replay.heading.focus({ preventScroll: true });
}

function showReport() {
  const returns = !byId("replay").hidden;
  const left = view.replay?.episode;
  view.replay?.pause();
  view.replay = null;
  turnTo("report");
  document.title = overview.data.title;
  if (!returns) return;
  scrollTo(0, view.scrolled);
  // Back to where the reader was.
  const links = [...byId("episodes").querySelectorAll("a")];
  const link = left && links.find((one) => one.getAttribute("href") === episodeLink(left.id));
  (link ?? byId("content")).focus({ preventScroll: true });
}

function showNotice(text) {
  view.replay?.pause();
  view.replay = null;
  turnTo("replay", make("div", {}, make("p", {}, make("a", { href: "#episodes" }, "← All episodes")),
    make("p", { class: "notice", role: "alert" }, text)));
}

function turnTo(shown, ...content) {
  byId("replay").replaceChildren(...content);
  byId("report").hidden = shown !== "report";
  byId("replay").hidden = shown !== "replay";
  byId("sections").hidden = shown !== "report";
}

async function start() {
  theme.start();
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("content").focus();
  });
  const data = await unpacked("overview", 0);
  showOverview(data);
  showEpisodes(data);
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => view.replay?.key(event));
  await follow();
  showPlots(data.plots);
}

start().catch((error) => {
  byId("report").hidden = false;
  byId("title").textContent = "This report cannot be shown";
  byId("summary").textContent = `${error.message}. The tables lie beside it as CSV and Markdown.`;
  throw error;
});

// A table that is sorted by its headings. Rows are made when they are shown: at first so many.

const SHOWN_AT_FIRST = 100;

const inOrder = new Intl.Collator("en", { numeric: true });

// Columns: { label, numeric, key: row => value, cell: row => node or text, head: whether it names the row, class }.
class SortedTable {
  constructor({ caption, columns, rows, opened }) {
    this.columns = columns;
    this.rows = rows;
    this.opened = opened;
    this.by = null;
    this.descending = false;
    this.most = SHOWN_AT_FIRST;
    this.headings = columns.map((column, index) => this.heading(column, index));
    this.body = make("tbody");
    this.table = make("table", {},
      make("caption", {}, caption),
      make("thead", {}, make("tr", {}, this.headings)),
      this.body);
    this.more = make("button", { type: "button", class: "more", hidden: true, click: () => this.showAll() });
    this.element = make("div", {},
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, this.table),
      this.more);
    this.show();
  }

  heading(column, index) {
    const button = make("button", { type: "button", click: () => this.sortBy(index) },
      make("span", {}, column.label), make("span", { class: "arrow", "aria-hidden": "true" }));
    return make("th", { scope: "col", "aria-sort": "none", class: column.numeric ? "numeric" : null }, button);
  }

  sortBy(index) {
    this.descending = this.by === index && !this.descending;
    this.by = index;
    this.headings.forEach((heading, at) => {
      heading.setAttribute("aria-sort", at !== index ? "none" : this.descending ? "descending" : "ascending");
    });
    this.show();
  }

  setRows(rows) {
    this.rows = rows;
    this.most = SHOWN_AT_FIRST;
    this.show();
  }

  showAll() {
    const first = this.most;
    this.most = Infinity;
    this.show();
    this.body.rows[first]?.querySelector("a, button")?.focus();
  }

  // Cells without a value come last, whichever way.
  sorted() {
    if (this.by === null) return this.rows;
    const { key, numeric } = this.columns[this.by];
    const way = this.descending ? -1 : 1;
    const keyed = this.rows.map((row) => [key(row), row]);
    keyed.sort(([one], [other]) => {
      if (one === null || other === null) return (one === null) - (other === null);
      return way * (numeric ? one - other : inOrder.compare(one, other));
    });
    return keyed.map(([, row]) => row);
  }

  show() {
    this.ordered = this.sorted();
    const shown = this.ordered.slice(0, this.most);
    this.body.replaceChildren(...shown.map((row, index) => this.row(row, shown[index - 1])));
    if (this.rows.length === 0) {
      this.body.append(make("tr", {}, make("td", { class: "none", colspan: this.columns.length }, "No rows.")));
    }
    this.more.hidden = shown.length === this.ordered.length;
    this.more.textContent = `Show all ${plural(this.ordered.length, "row")}`;
  }

  // A rule stands where the first column changes, as long as the rows are in their own order.
  row(row, before) {
    const first = this.columns[0].key;
    const begins = this.by === null && before !== undefined && first(row) !== first(before);
    const line = make("tr", { class: begins ? "begins" : null }, this.columns.map((column) => {
      const look = [column.numeric ? "numeric" : null, column.class].filter(Boolean).join(" ") || null;
      const content = column.cell(row);
      return column.head
        ? make("th", { scope: "row", class: look }, content)
        : make("td", { class: look }, content);
    }));
    if (this.opened) {
      line.classList.add("opens");
      line.addEventListener("click", (event) => {
        if (!event.target.closest("a, button") && getSelection().isCollapsed) this.opened(row);
      });
    }
    return line;
  }
}

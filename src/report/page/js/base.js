"use strict";
// What every other file uses: elements, words for numbers, the theme.
//
// Text from outside reaches the page as text nodes and attributes only; nothing here or below makes markup of it.

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes and children. A function is a listener; true sets an attribute, false and null leave it out.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

// Text from outside in the middle of ours: its direction ends with it.
function outside(text) {
  return make("bdi", {}, text);
}

// A mark that is seen, for what is said in words beside it.
function sign(character) {
  return make("span", { "aria-hidden": "true", class: "sign" }, character);
}

function hidden(text) {
  return make("span", { class: "unseen" }, text);
}

// A number as it came; whole numbers beyond 2^53 come as their digits.
function number(value) {
  return value === null || value === undefined ? "–" : String(value).replace("-", "−");
}

function plural(count, one, many = one + "s") {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

// The difference of two whole numbers, exactly.
function difference(after, before) {
  return BigInt(after) - BigInt(before);
}

// The sum of two whole numbers, exactly.
function sum(one, other) {
  return String(BigInt(one) + BigInt(other));
}

function signed(change) {
  return change > 0n ? `+${change}` : number(change);
}

// A state value is a number, null if it is lost, or the bounds { least, most } that it lies between if it is not known.
function isOpen(value) {
  return value !== null && typeof value === "object";
}

// What a state value is at least; 0 where no way to win is known.
function leastOf(value) {
  return Number((isOpen(value) ? value.least : value) ?? 0);
}

function valueWords(value) {
  if (value === null) return "lost";
  if (!isOpen(value)) return number(value);
  const { least, most } = value;
  if (least === null) return most === null ? "not known" : `at most ${number(most)} if not lost`;
  return most === null ? `at least ${number(least)}` : `between ${number(least)} and ${number(most)}`;
}

// Names of the floors of the tower that is shown; none on a single floor.
const tower = { floors: [] };

// (x,y) on the first floor, (floor:x,y) above it; on a tower with the floor's name.
function placeName([floor, x, y]) {
  const name = tower.floors[floor];
  const place = floor === 0 ? `(${x},${y})` : `(${floor}:${x},${y})`;
  return name ? `${place} ${name}` : place;
}

function dollars(cost) {
  return cost === null ? null : `$${cost.toFixed(cost < 0.01 ? 6 : 4)}`;
}

// Light or dark as the system has it, unless switched here; kept for the next report where the browser allows it.
const theme = {
  system: matchMedia("(prefers-color-scheme: dark)"),
  kept() {
    try {
      return localStorage.getItem("mota-theme");
    } catch {
      return null;
    }
  },
  keep(choice) {
    try {
      localStorage.setItem("mota-theme", choice);
    } catch {
      // Then it holds for this page only.
    }
  },
  now() {
    return document.documentElement.dataset.theme ?? (theme.system.matches ? "dark" : "light");
  },
  show() {
    const other = theme.now() === "dark" ? "light" : "dark";
    byId("theme").textContent = other === "dark" ? "Dark theme" : "Light theme";
  },
  start() {
    const kept = theme.kept();
    if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
    theme.show();
    theme.system.addEventListener("change", theme.show);
    byId("theme").addEventListener("click", () => {
      const choice = theme.now() === "dark" ? "light" : "dark";
      document.documentElement.dataset.theme = choice;
      theme.keep(choice);
      theme.show();
    });
  },
};

// Sorts, filters and copies tables. Without it, they are as the generator wrote them.

import { element } from "./elements.js";

// Fewer rows are not sorted; many have a filter.
const FEW = 3;
const MANY = 20;
const ROWS = "tbody tr, ol > li";

/** The text of a cell without what stands beside its figure. */
function text(cell) {
  const nodes = [...cell.childNodes].filter((node) => !node.matches?.("i, sup, .tool"));
  return nodes.map((node) => node.textContent).join("").replace(/\s+/g, " ").trim();
}

const isNumber = (shown) => /^[\d,]+(\.\d+)?(x|%|$| [^\d])/.test(shown);

/** What a cell is sorted by: a number, negative for a change to the worse, or a text; undefined if it has no figure. */
function key(cell) {
  const shown = text(cell);
  if (["", "–"].includes(shown)) return undefined;
  // No difference lies between changes for the better and for the worse.
  if (cell.matches(".change") && !isNumber(shown)) return 0;
  const sign = cell.matches(".bad") || (cell.matches(".unknown") && / (slower|more)/.test(shown)) ? -1 : 1;
  return isNumber(shown) ? sign * Number.parseFloat(shown.replaceAll(",", "")) : shown;
}

function compare(a, b) {
  const areNumbers = typeof a === "number" && typeof b === "number";
  return areNumbers ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
}

/** Sorts by a column: numbers from the largest, texts from A; then the other way round; then as written. */
function sort(head) {
  const body = head.closest("table").tBodies[0];
  body.written ??= [...body.rows];
  const keys = new Map(body.written.map((row) => [row, key(row.cells[head.cellIndex])]));
  const known = body.written.filter((row) => keys.get(row) !== undefined);
  const first = known.some((row) => typeof keys.get(row) !== "number") ? "ascending" : "descending";
  const second = { ascending: "descending", descending: "ascending" }[first];
  const next = { [first]: second, [second]: null }[head.getAttribute("aria-sort")];
  const order = next === undefined ? first : next;
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  if (order === null) return body.append(...body.written);
  head.setAttribute("aria-sort", order);
  const turn = order === "ascending" ? 1 : -1;
  known.sort((a, b) => turn * compare(keys.get(a), keys.get(b)));
  body.append(...known, ...body.written.filter((row) => keys.get(row) === undefined));
}

// Also the headings of tables that other scripts draw.
document.addEventListener("click", ({ target }) => {
  const head = target.closest(".sort")?.closest("th");
  if (head) sort(head);
});

/** Adds a field that hides the rows of a list without its words, and the groups that are empty then. */
function filter(label, list, status) {
  const field = element("input", { type: "search", placeholder: "Filter", "aria-label": label, autocomplete: "off" });
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const rows = [...list.querySelectorAll(ROWS)];
    // The label is the key in filters, as in data.
    const said = (row) => `${row.textContent} ${row.dataset.of ?? ""}`.toLowerCase();
    for (const row of rows) row.hidden = !words.every((word) => said(row).includes(word));
    for (const group of list.querySelectorAll("section, .scroll, details")) group.hidden = rows.every((row) => row.hidden || !group.contains(row));
    const shown = rows.filter((row) => !row.hidden).length;
    status.textContent = field.value.trim() ? `${shown} of ${rows.length}` : "";
  });
  return field;
}

/** Text that stays text in Markdown, and on forges mentions nobody and links nowhere. */
function escaped(shown) {
  const plain = shown.replace(/[\\`*_{}[\]<>|~&$]/g, "\\$&");
  return plain.replace(/[@#]|www(?=\.)|:(?=\/\/)/g, "$&&#8203;");
}

function markdown(table) {
  const rows = [...table.rows].filter((row) => !row.hidden);
  const cell = (one) => escaped([text(one), one.querySelector("i")?.textContent].filter(Boolean).join(" "));
  const [head, ...others] = rows.map((row) => `| ${[...row.cells].map(cell).join(" | ")} |`);
  const rule = `|${[...table.tHead.rows[0].cells].map((_, column) => (column ? " ---: |" : " --- |")).join("")}`;
  return [head, rule, ...others, ""].join("\n");
}

/** Copies tables as Markdown. */
async function copy(tables, status) {
  try {
    await navigator.clipboard.writeText(tables.map(markdown).join("\n"));
    status.textContent = "Copied";
  } catch (error) {
    status.textContent = `Not copied: ${error.message}`;
  }
}

/** Makes a table sortable, and adds a filter to many rows. */
function enhance(table) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < FEW || !table.caption || !table.tHead) return;
  const isInList = table.closest("[data-filter]");
  if (rows.length >= MANY && !isInList) {
    const status = element("span", { role: "status" });
    const field = filter(`Filter ${text(table.tHead.rows[0].cells[0])}s`, table, status);
    (table.caption.firstElementChild ?? table.caption).append(" ", element("span", { class: "tools tool" }, field, status));
  }
  for (const head of table.tHead.rows[0].cells) head.append(element("button", { type: "button", class: "sort" }, ...head.childNodes));
}

for (const list of document.querySelectorAll("[data-filter]")) {
  const status = element("span", { role: "status" });
  const field = filter(list.dataset.filter, list, status);
  if (list.querySelectorAll(ROWS).length >= MANY) list.prepend(element("p", { class: "tools" }, field, status));
}
const all = [...document.querySelectorAll(".scroll > table")];
all.forEach(enhance);
if (all.length) {
  const status = element("span", { role: "status" });
  const button = element("button", { type: "button" }, "Markdown");
  button.addEventListener("click", () => copy(all, status));
  all.at(-1).parentElement.parentElement.append(element("p", { class: "tools tool" }, "Copy all tables of this page as", button, status));
}

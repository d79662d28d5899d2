// Searches the index that Zola writes: title, description and path of every page. The query is kept
// in the address (?q=…), so that a search can be shared and survives going back.

const MAX_SHOWN = 20;
const search = document.querySelector("search");
const input = document.getElementById("query");
const count = document.getElementById("count");
const found = document.getElementById("found");

const pages = fetch(search.dataset.index).then((response) => {
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.json();
});

/** How well a page matches: every term must be in it; a title weighs more than a description. */
function weigh(page, terms) {
  const [title, description, path] = [page.title, page.description, page.path].map((t) => (t ?? "").toLowerCase());
  let sum = 0;
  for (const term of terms) {
    const weight = 8 * title.includes(term) + 3 * description.includes(term) + path.includes(term);
    if (weight === 0) return 0;
    sum += weight;
  }
  return sum;
}

/** Appends `text` with the terms marked, never as markup. */
function mark(parent, text, terms) {
  const pattern = terms.map((t) => t.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  text.split(new RegExp(`(${pattern})`, "gi")).forEach((piece, index) => {
    if (index % 2 === 0) return parent.append(piece);
    const hit = document.createElement("mark");
    hit.textContent = piece;
    parent.append(hit);
  });
}

function item(page, terms) {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  link.href = page.url;
  mark(link, page.title ?? page.url, terms);
  const words = document.createElement("p");
  mark(words, page.description ?? "", terms);
  entry.append(link, words);
  return entry;
}

async function show() {
  const query = input.value.trim();
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const address = new URL(location);
  if (query) address.searchParams.set("q", query);
  else address.searchParams.delete("q");
  history.replaceState(null, "", address);
  if (terms.length === 0) {
    found.replaceChildren();
    count.textContent = "";
    return;
  }
  let all;
  try {
    all = await pages;
  } catch (error) {
    count.textContent = `The index cannot be read (${error.message}). Use the lists below instead.`;
    return;
  }
  if (query !== input.value.trim()) return; // changed while the index was loading
  const hits = all
    .map((page) => ({ page, weight: weigh(page, terms) }))
    .filter((hit) => hit.weight > 0)
    .sort((a, b) => b.weight - a.weight || b.page.url.localeCompare(a.page.url));
  found.replaceChildren(...hits.slice(0, MAX_SHOWN).map((hit) => item(hit.page, terms)));
  const shown = hits.length > MAX_SHOWN ? `, the first ${MAX_SHOWN} shown` : "";
  count.textContent = hits.length === 0 ? "Nothing found." : `${hits.length} page${hits.length === 1 ? "" : "s"} found${shown}.`;
}

input.value = new URL(location).searchParams.get("q") ?? "";
input.addEventListener("input", show);
show();

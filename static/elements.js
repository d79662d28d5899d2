// Elements that scripts make. Everything is inserted as text: no text of a report becomes markup.

/** Creates an element with text or elements inside. */
export function element(name, attributes, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** A table in a frame that scrolls. The first cell of each row is its header; cells may be elements already. */
export function table(kind, name, head, rows) {
  const heading = (text) => (typeof text === "string" ? element("th", { scope: "col" }, text) : text);
  const line = ([label, ...cells]) => element("tr", {}, element("th", { scope: "row" }, label), ...cells);
  const made = element(
    "table",
    { class: kind },
    element("caption", {}, element("span", {}, name)),
    element("thead", {}, element("tr", {}, ...head.map(heading))),
    element("tbody", {}, ...rows.map(line)),
  );
  return element("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": name }, made);
}

// Elements that scripts make. Everything is inserted as text: no text of a report becomes markup.

/** Creates an element with text or elements inside. */
export function element(name, attributes, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

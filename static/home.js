// The front page: another pair of builds. Without it, the page shows the first pair.

import { a, b, plot, readAddress, root, show, warn, writeAddress } from "./pair.js";

/** Rows of the plot, as in `home.rs`. */
const MAX_DOTS = 12;

function update() {
  const { up, file, machine } = root.dataset;
  root.querySelector(".how a.all").hash = `${location.hash}&machine=${encodeURIComponent(machine)}`;
  show(up, file, ({ headlines }, names) => (headlines.length ? [plot(headlines.slice(0, MAX_DOTS), names, up)] : []));
}

if (root) {
  const read = () => {
    for (const select of [a, b]) select.selectedIndex = [...select.options].findIndex((option) => option.defaultSelected);
    warn(readAddress());
    update();
  };
  root.addEventListener("change", () => {
    writeAddress();
    update();
  });
  window.addEventListener("popstate", read);
  if (location.hash) read();
}

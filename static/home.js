// The front page: another pair of builds, and what another load needs. Without it, the page shows the first pair and load.

import { a, b, plot, readAddress, root, show, warn, writeAddress } from "./pair.js";

const load = document.querySelector("#load");

function update() {
  const { up, file, machine } = root.dataset;
  need();
  root.querySelector(".how a.all").hash = `${location.hash}&machine=${encodeURIComponent(machine)}`;
  show(up, file, ({ headlines, since }, names) => (headlines.rows.length ? [plot(headlines, names, up, since)] : []));
}

/** Adds up what the load needs with both builds: the rows of the table are those of the selects. */
function need() {
  if (!load) return;
  const [connections, resumed, gbit, sessions] = [...load.querySelectorAll("input")].map(({ value }) => Number(value));
  const again = (connections * resumed) / 100;
  const mebibytes = (gbit * 1e9) / 8 / 1048576;
  const rows = load.querySelector("tbody").rows;
  const parts = [a, b].flatMap(({ selectedIndex, value }) => {
    const costs = [...rows[selectedIndex].cells].slice(1).map((cell) => parseFloat(cell.textContent.replaceAll(",", "")));
    const [full, short, sent, session, process] = costs;
    const mib = (process + sessions * session) / 1024;
    const cores = ((connections - again) * full + again * short + mebibytes * sent) / 1e6;
    const known = [Number.isNaN(cores) ? "" : `${cores.toFixed(1)} cores`, Number.isNaN(mib) ? "" : `${mib.toFixed(0)} MiB`];
    return [value, known.filter(Boolean).join(", ") || "not measured"];
  });
  load.querySelectorAll("dt, dd").forEach((place, number) => (place.textContent = parts[number]));
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
  load?.addEventListener("input", need);
  if (location.hash) read();
}

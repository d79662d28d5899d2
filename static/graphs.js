// Graphs one can point at: a mark under the pointer, or reached by arrow keys, shows what it is.
// Without this script browsers show the same text, the mark's <title>, after a while.

const tip = document.createElement("div");
tip.className = "tip";
tip.setAttribute("role", "status");
document.body.append(tip);

/** Shows a mark's text above it, within the window; none without a mark. */
function point(mark) {
  document.querySelector(".at")?.classList.remove("at");
  tip.textContent = mark?.dataset.says ?? mark?.getAttribute("aria-label") ?? "";
  if (!mark) return;
  mark.classList.add("at");
  const place = (mark.querySelector(".f, circle:not(.k, .w, .h)") ?? mark).getBoundingClientRect();
  const left = place.left + place.width / 2 - tip.offsetWidth / 2;
  const room = document.documentElement.clientWidth - tip.offsetWidth - 4;
  const above = place.top - tip.offsetHeight - 6;
  tip.style.left = `${scrollX + Math.max(4, Math.min(left, room))}px`;
  tip.style.top = `${scrollY + (above > 0 ? above : place.bottom + 6)}px`;
}

for (const graph of document.querySelectorAll(".panels")) {
  const marks = [...graph.querySelectorAll(".mark")];
  if (!marks.length) continue;
  for (const mark of marks) {
    const title = mark.querySelector("title");
    if (!title) continue;
    mark.dataset.says = title.textContent;
    title.remove();
  }
  let at = -1;
  graph.tabIndex = 0;
  graph.addEventListener("pointerover", (event) => point(event.target.closest(".mark")));
  graph.addEventListener("pointerleave", () => point());
  graph.addEventListener("blur", () => point());
  graph.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step) {
      at = (at + step + marks.length) % marks.length;
      point(marks[at]);
    } else if (event.key === "Escape") {
      point();
    } else {
      return;
    }
    event.preventDefault();
  });
}

// Dots of comparisons say the evidence, also in plots that other scripts draw.
const dot = ({ target }) => target.closest?.(".dots tbody tr")?.querySelector(".strip svg");
document.addEventListener("focusin", (event) => point(dot(event)));
document.addEventListener("pointerover", (event) => {
  if (!event.target.closest(".panels")) point(event.target.closest(".strip") ? dot(event) : undefined);
});

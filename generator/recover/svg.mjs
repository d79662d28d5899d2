// A minimal SVG parser: the subset of XML that Matplotlib, Google Sheets and the generator write.

const TOKEN = /<\?[^]*?\?>|<![^]*?>|<(\/?)([\w:.]+)((?:\s+[\w:.-]+="[^"]*")*)\s*(\/?)>|[^<]+/g;

/** Returns the root element, `{name, attributes, children, text}`; `text` includes that of all descendants. */
export function parse(svg) {
  const top = { children: [], text: "" };
  const open = [top];
  for (const [all, close, name, attributes, empty] of svg.matchAll(TOKEN)) {
    const parent = open.at(-1);
    if (close) {
      open.pop();
      open.at(-1).text += parent.text;
    } else if (name) {
      const pairs = [...attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: "" };
      parent.children.push(element);
      if (!empty) open.push(element);
    } else if (!all.startsWith("<")) {
      parent.text += all;
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1).name}> is not closed`);
  return top.children[0];
}

/** Returns all descendants with this name, in document order. */
export function all(element, name) {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}

/** Returns the elements whose `id` starts with `prefix` and an underscore. */
export function groups(elements, prefix) {
  return elements.filter((e) => e.attributes.id?.startsWith(`${prefix}_`));
}

/** Returns the points of a path with absolute commands, including control points of curves. */
function points(d) {
  const numbers = (d.match(/-?[\d.]+/g) ?? []).map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
}

/** Returns the bounding box of a path's points: `{left, right, top, bottom}`. */
export function box(d) {
  const [xs, ys] = [0, 1].map((axis) => points(d).map((p) => p[axis]));
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

// The scatter: two measures of every system and every summary, a shape and a colour per system.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = [
  "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0Z",
  "M-4.5,-4.5h9v9h-9Z",
  "M0,-5.8L5.4,4H-5.4Z",
  "M0,-6L6,0L0,6L-6,0Z",
  "M0,5.8L5.4,-4H-5.4Z",
  "M-2,-5.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5v-4h3.5Z",
  "M-5.4,-3L-3,-5.4L0,-2.4L3,-5.4L5.4,-3L2.4,0L5.4,3L3,5.4L0,2.4L-3,5.4L-5.4,3L-2.4,0Z",
  "M0,-6L1.6,-2H6L2.6,0.8L3.8,5.4L0,2.7L-3.8,5.4L-2.6,0.8L-6,-2H-1.6Z",
];
const COLOURS = 6;
const MARGIN = { left: 56, right: 14, top: 12, bottom: 46 };
const REACH = 22;
const LABEL = 22;
const MANY = 12;

function svgElement(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function symbol(system) {
  return { d: SHAPES[system % SHAPES.length], class: `mark colour-${system % COLOURS}` };
}

function startScatter(data) {
  const chosen = { x: document.getElementById("plot-x"), y: document.getElementById("plot-y") };
  const hidden = new Set();
  const measure = (axis) => data.measures.find((each) => each.key === chosen[axis].value);
  const names = () => ({ x: measure("x").label, y: measure("y").label });
  const values = (mark) => `${measure("x").label} ${show(mark.x)}, ${measure("y").label} ${show(mark.y)}`;

  function summaries() {
    const x = measure("x").values;
    const y = measure("y").values;
    return data.points
      .map(([, system], index) => ({ index, system, x: x[index], y: y[index] }))
      .filter((mark) => mark.x !== null && mark.y !== null && !hidden.has(mark.system));
  }

  function systems() {
    const groups = new Map();
    for (const mark of summaries()) {
      const sum = groups.get(mark.system) ?? { x: 0, y: 0, n: 0 };
      groups.set(mark.system, { x: sum.x + mark.x, y: sum.y + mark.y, n: sum.n + 1 });
    }
    return [...groups].sort(([a], [b]) => a - b).map(([system, sum]) => (
      { system, x: sum.x / sum.n, y: sum.y / sum.n, n: sum.n, name: data.systems[system] }));
  }

  // The correlation of what is shown, and what the study says where that is the same.
  function reader(id, [one, many], study) {
    return (marks, unnamed) => {
      const xs = marks.map((mark) => mark.x);
      const ys = marks.map((mark) => mark.y);
      const n = `${marks.length.toLocaleString("en-US")} ${marks.length === 1 ? one : many}`;
      let text = `${n}: Pearson ${show(pearson(xs, ys))}, Spearman ${show(spearman(xs, ys))}.`;
      const same = chosen.x.value === data.start.x && chosen.y.value === data.start.y && !hidden.size;
      if (same && study.pearson !== undefined && study.spearman !== undefined) {
        text += ` The study: Pearson ${show(study.pearson)}, Spearman ${show(study.spearman)}.`;
      }
      if (unnamed) text += ` ${unnamed} of the names ${unnamed === 1 ? "does" : "do"} not fit: point at a mark to read its name.`;
      document.getElementById(id).textContent = text;
    };
  }

  const plots = [
    startPlot({
      id: "systems", marks: systems, names, noun: "systems", labelled: true,
      describe: (mark) => `${mark.name}, mean of ${mark.n.toLocaleString("en-US")}: ${values(mark)}`,
      report: reader("systems-readout", ["system", "systems"], data.start.system),
    }),
    startPlot({
      id: "plot", marks: summaries, names, noun: "summaries",
      describe: (mark) => {
        const [source, system] = data.points[mark.index];
        return `${data.systems[system]}, ${data.documents[source].title}: ${values(mark)}`;
      },
      report: reader("plot-readout", ["summary", "summaries"], data.start.summary),
      open: (mark, choose) => {
        const go = (index) => {
          choose((other) => other.index === index);
          openPanel(data, index, go);
        };
        go(mark.index);
      },
    }),
  ];
  const draw = () => plots.forEach((plot) => plot());
  fillSelects(data, chosen, draw);
  fillLegend(data, hidden, draw);
  draw();
}

// A plot that draws what `marks` gives, leads the keyboard along it, and opens marks.
function startPlot({ id, marks, names, noun, describe, report, open, labelled }) {
  const canvas = document.getElementById(`${id}-canvas`);
  const pointed = document.getElementById(`${id}-pointed`);
  let shown = [];
  let current = 0;
  let cursor = null;

  function point(at) {
    current = at;
    const mark = shown[current];
    cursor.setAttribute("transform", `translate(${mark.px.toFixed(1)},${mark.py.toFixed(1)})`);
    cursor.setAttribute("aria-label", describe(mark));
    cursor.firstChild.setAttribute("d", SHAPES[mark.system % SHAPES.length]);
    cursor.setAttribute("class", `cursor colour-${mark.system % COLOURS}`);
    pointed.textContent = describe(mark);
  }

  // Along an axis: the neighbour by that measure.
  function step(axis, by) {
    const order = shown.map((_, at) => at)
      .sort((a, b) => shown[a][axis] - shown[b][axis] || a - b);
    point(order[(order.indexOf(current) + by + order.length) % order.length]);
  }

  function choose(wanted) {
    const at = shown.findIndex(wanted);
    if (at >= 0) point(at);
  }

  const act = () => open?.(shown[current], choose);
  const KEYS = {
    ArrowRight: () => step("x", 1),
    ArrowLeft: () => step("x", -1),
    ArrowUp: () => step("y", 1),
    ArrowDown: () => step("y", -1),
    Home: () => point(0),
    End: () => point(shown.length - 1),
    Enter: act,
    " ": act,
  };

  function draw() {
    shown = marks();
    pointed.textContent = "";
    if (!shown.length) {
      report(shown, 0);
      canvas.replaceChildren(element("p", { class: "absent" }, `No ${noun} with both values are chosen.`));
      return;
    }
    const width = Math.max(280, canvas.clientWidth);
    const height = Math.round(Math.min(560, Math.max(320, width * 0.62)));
    const svg = svgElement("svg", {
      viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
      "aria-label": `${names().y} against ${names().x}, ${shown.length} ${noun}`,
      "aria-describedby": "plot-hint",
    });
    const scale = frame(svg, shown, names(), width, height);
    for (const mark of shown) {
      [mark.px, mark.py] = [scale.x(mark.x), scale.y(mark.y)];
      svg.append(svgElement("path", {
        ...symbol(mark.system), transform: `translate(${mark.px.toFixed(1)},${mark.py.toFixed(1)})`,
      }));
    }
    report(shown, labelled ? nameMarks(svg, shown, width) : 0);
    cursor = svgElement("g", { tabindex: "0", role: open ? "button" : "img" }, svgElement("path", {}));
    svg.append(cursor);
    point(0);
    pointed.textContent = "";
    listen(svg);
    canvas.replaceChildren(svg);
  }

  function listen(svg) {
    svg.addEventListener("click", (event) => {
      const at = nearest(svg, event, shown);
      if (at === null) return;
      point(at);
      cursor.focus({ preventScroll: true });
      act();
    });
    svg.addEventListener("pointermove", (event) => {
      const at = nearest(svg, event, shown);
      pointed.textContent = at === null ? "" : describe(shown[at]);
    });
    svg.addEventListener("keydown", (event) => {
      if (!KEYS[event.key]) return;
      event.preventDefault();
      KEYS[event.key]();
    });
  }

  let width = canvas.clientWidth;
  new ResizeObserver(() => {
    if (canvas.clientWidth === width) return;
    width = canvas.clientWidth;
    draw();
  }).observe(canvas);
  return draw;
}

// A finger is wider than a mark: the nearest one within reach counts.
function nearest(svg, event, shown) {
  const box = svg.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  let best = null;
  let least = REACH;
  shown.forEach((mark, at) => {
    const distance = Math.hypot(mark.px - x, mark.py - y);
    if (distance < least) [best, least] = [at, distance];
  });
  return best;
}

// A name beside each mark where it fits; returns how many do not.
function nameMarks(svg, shown, width) {
  const taken = shown.map(({ px, py }) => [px - 6, py - 6, px + 6, py + 6]);
  let unnamed = 0;
  for (const mark of shown) {
    const name = mark.name.length > LABEL ? `${mark.name.slice(0, LABEL - 1)}…` : mark.name;
    const size = name.length * 6.4;
    const offsets = [[9, 4, "start"], [-9, 4, "end"], [0, -10, "middle"], [0, 18, "middle"]];
    const label = offsets.map(([dx, dy, anchor]) => {
      const x = mark.px + dx;
      const left = anchor === "start" ? x : anchor === "end" ? x - size : x - size / 2;
      return { x, y: mark.py + dy, anchor, box: [left, mark.py + dy - 10, left + size, mark.py + dy + 3] };
    }).find(({ box }) => box[0] >= MARGIN.left && box[2] <= width && box[1] >= 0
      && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]));
    if (!label) {
      unnamed += 1;
      continue;
    }
    taken.push(label.box);
    svg.append(svgElement("text", { class: "name", x: label.x, y: label.y, "text-anchor": label.anchor },
      ...(name === mark.name ? [] : [svgElement("title", {}, mark.name)]), name));
  }
  return unnamed;
}

// Axes with ticks; returns where values lie.
function frame(svg, shown, names, width, height) {
  const axis = (name, from, to) => {
    const [low, high] = shown.reduce(([least, most], mark) => (
      [Math.min(least, mark[name]), Math.max(most, mark[name])]), [Infinity, -Infinity]);
    const pad = (high - low || Math.abs(high) || 1) * 0.05;
    const scale = (value) => from + ((value - low + pad) / (high - low + 2 * pad)) * (to - from);
    return [scale, ticks(low - pad, high + pad)];
  };
  const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
  const [x, xTicks] = axis("x", MARGIN.left, right);
  const [y, yTicks] = axis("y", bottom, MARGIN.top);
  for (const value of xTicks) {
    svg.append(svgElement("line", { class: "grid", x1: x(value), x2: x(value), y1: MARGIN.top, y2: bottom }),
      svgElement("text", { class: "tick", x: x(value), y: bottom + 16, "text-anchor": "middle" }, String(value)));
  }
  for (const value of yTicks) {
    svg.append(svgElement("line", { class: "grid", x1: MARGIN.left, x2: right, y1: y(value), y2: y(value) }),
      svgElement("text", { class: "tick", x: MARGIN.left - 8, y: y(value) + 4, "text-anchor": "end" }, String(value)));
  }
  const middle = (MARGIN.top + bottom) / 2;
  svg.append(
    svgElement("text", { class: "axis", x: (MARGIN.left + right) / 2, y: height - 8, "text-anchor": "middle" }, names.x),
    svgElement("text", { class: "axis", x: 0, y: 0, transform: `translate(13,${middle}) rotate(-90)`, "text-anchor": "middle" }, names.y),
  );
  return { x, y };
}

function fillSelects(data, chosen, draw) {
  for (const axis of ["x", "y"]) {
    for (const group of [...new Set(data.measures.map((measure) => measure.group))]) {
      const options = data.measures.filter((measure) => measure.group === group)
        .map((measure) => element("option", { value: measure.key }, measure.label));
      chosen[axis].append(element("optgroup", { label: group }, ...options));
    }
    chosen[axis].value = data.start[axis];
    chosen[axis].addEventListener("change", draw);
  }
}

// A box per system; a search narrows the list, and the buttons act on what is listed.
function fillLegend(data, hidden, draw) {
  const [search, all, none] = ["plot-search", "plot-all", "plot-none"].map((id) => document.getElementById(id));
  const entries = data.systems.map((name, system) => {
    const box = element("input", { type: "checkbox", checked: "" });
    box.addEventListener("change", () => {
      set(system, box.checked);
      draw();
    });
    const sign = svgElement("svg", { viewBox: "-7 -7 14 14", width: 14, height: 14, "aria-hidden": "true" },
      svgElement("path", symbol(system)));
    return { box, label: element("label", {}, box, sign, element("span", {}, name)) };
  });

  function set(system, shown) {
    entries[system].box.checked = shown;
    if (shown) hidden.delete(system);
    else hidden.add(system);
  }

  function setListed(shown) {
    entries.forEach(({ label }, system) => { if (!label.hidden) set(system, shown); });
    draw();
  }

  function narrow() {
    const wanted = search.value.trim().toLowerCase();
    entries.forEach(({ label }, system) => {
      label.hidden = !data.systems[system].toLowerCase().includes(wanted);
    });
    all.textContent = wanted ? "Show these" : "Show all";
    none.textContent = wanted ? "Hide these" : "Hide all";
  }

  document.getElementById("plot-legend").append(...entries.map(({ label }) => label));
  search.hidden = data.systems.length <= MANY;
  search.addEventListener("input", narrow);
  all.addEventListener("click", () => setListed(true));
  none.addEventListener("click", () => setListed(false));
}

// The scatter: two measures of every summary, a shape and a colour per system.

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

function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function symbol(system) {
  return { d: SHAPES[system % SHAPES.length], class: `mark colour-${system % COLOURS}` };
}

function startScatter(data) {
  const canvas = document.getElementById("plot-canvas");
  const chosen = { x: document.getElementById("plot-x"), y: document.getElementById("plot-y") };
  const hidden = new Set();
  let shown = [];
  let current = 0;

  const measure = (axis) => data.measures.find((found) => found.key === chosen[axis].value);

  function visible() {
    const x = measure("x").values;
    const y = measure("y").values;
    return data.points
      .map(([, system], place) => ({ place, system, x: x[place], y: y[place] }))
      .filter((point) => point.x !== null && point.y !== null && !hidden.has(point.system));
  }

  function describe(point) {
    const [source, system] = data.points[point.place];
    return `${data.systems[system]}, ${data.documents[source].title}: `
      + `${measure("x").label} ${show(point.x)}, ${measure("y").label} ${show(point.y)}`;
  }

  function report() {
    const xs = shown.map((point) => point.x);
    const ys = shown.map((point) => point.y);
    const n = shown.length.toLocaleString("en-US");
    let text = `${n} summaries: Pearson ${show(pearson(xs, ys))}, Spearman ${show(spearman(xs, ys))}.`;
    const start = data.start;
    const same = chosen.x.value === start.x && chosen.y.value === start.y && !hidden.size;
    if (same && start.study.pearson !== undefined) {
      text += ` The study: Pearson ${show(start.study.pearson)}, Spearman ${show(start.study.spearman)}.`;
    }
    if (data.points.length < data.total) {
      text += ` A seeded sample of ${data.points.length.toLocaleString("en-US")} of the`
        + ` ${data.total.toLocaleString("en-US")} summaries is shown; the study is about all of them.`;
    }
    document.getElementById("plot-readout").textContent = text;
  }

  function open(place) {
    const at = shown.findIndex((point) => point.place === place);
    if (at >= 0) focus(at);
    openPanel(data, place, open);
  }

  function focus(at) {
    if (!shown.length) return;
    shown[current]?.node.setAttribute("tabindex", "-1");
    current = (at + shown.length) % shown.length;
    shown[current].node.setAttribute("tabindex", "0");
    if (!document.getElementById("panel").open) shown[current].node.focus();
  }

  // Along an axis: the neighbour by that measure.
  function step(axis, by) {
    const order = shown.map((_, at) => at)
      .sort((a, b) => shown[a][axis] - shown[b][axis] || a - b);
    focus(order[(order.indexOf(current) + by + order.length) % order.length]);
  }

  const KEYS = {
    ArrowRight: () => step("x", 1),
    ArrowLeft: () => step("x", -1),
    ArrowUp: () => step("y", 1),
    ArrowDown: () => step("y", -1),
    Home: () => focus(0),
    End: () => focus(shown.length - 1),
    Enter: () => open(shown[current].place),
    " ": () => open(shown[current].place),
  };

  function draw() {
    shown = visible();
    current = 0;
    report();
    if (!shown.length) {
      canvas.replaceChildren(element("p", { class: "absent" }, "No summary has both values."));
      return;
    }
    const width = Math.max(280, canvas.clientWidth);
    const height = Math.round(Math.min(560, Math.max(320, width * 0.62)));
    const svg = drawn("svg", {
      viewBox: `0 0 ${width} ${height}`, width, height, role: "group",
      "aria-label": `${measure("y").label} against ${measure("x").label}, ${shown.length} summaries`,
      "aria-describedby": "plot-hint",
    });
    const place = frame(svg, width, height);
    for (const point of shown) {
      [point.px, point.py] = [place.x(point.x), place.y(point.y)];
      point.node = drawn("path", {
        ...symbol(point.system), transform: `translate(${point.px.toFixed(1)},${point.py.toFixed(1)})`,
        role: "button", tabindex: "-1", "aria-label": describe(point),
      }, drawn("title", {}, describe(point)));
      svg.append(point.node);
    }
    shown[0].node.setAttribute("tabindex", "0");
    svg.addEventListener("click", (event) => nearest(svg, event));
    svg.addEventListener("keydown", (event) => {
      const act = KEYS[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    canvas.replaceChildren(svg);
  }

  // A finger is wider than a mark: the nearest one within reach opens.
  function nearest(svg, event) {
    const box = svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null;
    let least = REACH;
    for (const point of shown) {
      const distance = Math.hypot(point.px - x, point.py - y);
      if (distance < least) [best, least] = [point, distance];
    }
    if (best) open(best.place);
  }

  // Axes with ticks; returns where values lie.
  function frame(svg, width, height) {
    const axis = (name, from, to) => {
      const values = shown.map((point) => point[name]);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const pad = (high - low || Math.abs(high) || 1) * 0.05;
      const scale = (value) => from + ((value - low + pad) / (high - low + 2 * pad)) * (to - from);
      return [scale, ticks(low - pad, high + pad)];
    };
    const [right, bottom] = [width - MARGIN.right, height - MARGIN.bottom];
    const [x, xTicks] = axis("x", MARGIN.left, right);
    const [y, yTicks] = axis("y", bottom, MARGIN.top);
    for (const value of xTicks) {
      svg.append(drawn("line", { class: "grid", x1: x(value), x2: x(value), y1: MARGIN.top, y2: bottom }),
        drawn("text", { class: "tick", x: x(value), y: bottom + 16, "text-anchor": "middle" }, String(value)));
    }
    for (const value of yTicks) {
      svg.append(drawn("line", { class: "grid", x1: MARGIN.left, x2: right, y1: y(value), y2: y(value) }),
        drawn("text", { class: "tick", x: MARGIN.left - 8, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    }
    const middle = (MARGIN.top + bottom) / 2;
    svg.append(
      drawn("text", { class: "axis", x: (MARGIN.left + right) / 2, y: height - 8, "text-anchor": "middle" }, measure("x").label),
      drawn("text", { class: "axis", x: 0, y: 0, transform: `translate(13,${middle}) rotate(-90)`, "text-anchor": "middle" }, measure("y").label),
    );
    return { x, y };
  }

  fillSelects(data, chosen, draw);
  fillLegend(data, hidden, draw);
  draw();
  let width = canvas.clientWidth;
  new ResizeObserver(() => {
    if (canvas.clientWidth !== width) {
      width = canvas.clientWidth;
      draw();
    }
  }).observe(canvas);
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

function fillLegend(data, hidden, draw) {
  const legend = document.getElementById("plot-legend");
  data.systems.forEach((name, system) => {
    const box = element("input", { type: "checkbox", checked: "" });
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(system);
      else hidden.add(system);
      draw();
    });
    const sign = drawn("svg", { viewBox: "-7 -7 14 14", width: 14, height: 14, "aria-hidden": "true" },
      drawn("path", symbol(system)));
    legend.append(element("label", {}, box, sign, element("span", {}, name)));
  });
}

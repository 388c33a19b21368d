// The drawer that shows one summary: document with highlights, references, scores, ratings.
// Texts only ever become text nodes, so nothing in them can run.

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function prose(text) {
  return element("div", { class: "prose" }, text);
}

function heat(documentRecord) {
  const container = element("div", { class: "prose" });
  for (const [text, count] of documentRecord.passages) {
    if (!count) {
      container.append(text);
      continue;
    }
    const share = count / documentRecord.annotators;
    const level = Math.max(1, Math.ceil(share * 5));
    const people = `highlighted by ${count} of ${documentRecord.annotators}`;
    container.append(element("mark", { class: `heat-${level}`, title: people }, text));
  }
  return container;
}

function heatLegend(documentRecord) {
  if (!documentRecord.annotators) return "";
  const scale = element("p", { class: "note" }, "Highlighted by few ");
  for (let level = 1; level <= 5; level += 1) {
    scale.append(element("mark", { class: `heat-${level}` }, "\u2002"));
  }
  scale.append(` many of ${documentRecord.annotators} annotators`);
  return scale;
}

function valueTable(caption, rows) {
  const body = element("tbody");
  for (const [name, value] of rows) {
    body.append(element("tr", {},
      element("th", { scope: "row" }, name), element("td", { class: "number" }, show(value))));
  }
  return element("div", { class: "scroll" },
    element("table", {}, element("caption", {}, caption), body));
}

function ratingTable(data, index) {
  const ratings = data.ratings[index].map(([dimension, annotator, value]) => (
    [data.dimensions[dimension], data.annotators[annotator], value]));
  const people = [...new Set(ratings.map(([, annotator]) => annotator))];
  const dimensions = [...new Set(ratings.map(([dimension]) => dimension))];
  const given = new Map();
  for (const [dimension, annotator, value] of ratings) {
    const key = JSON.stringify([dimension, annotator]);
    given.set(key, [...(given.get(key) ?? []), value]);
  }
  const head = element("tr", {}, element("th", { scope: "col" }, "Dimension"));
  for (const name of people) head.append(element("th", { scope: "col", class: "number" }, name));
  const body = element("tbody");
  for (const dimension of dimensions) {
    const row = element("tr", {}, element("th", { scope: "row" }, dimension));
    for (const name of people) {
      const values = given.get(JSON.stringify([dimension, name])) ?? [];
      row.append(element("td", { class: "number" }, values.join(", ") || "—"));
    }
    body.append(row);
  }
  return element("div", { class: "scroll" }, element("table", {},
    element("caption", {}, "Ratings"), element("thead", {}, head), body));
}

function openPanel(data, index, choose) {
  const [documentIndex, systemIndex, summary] = data.points[index];
  const source = data.documents[documentIndex];
  const close = element("button", { type: "button", class: "close" }, "Close");
  const panel = document.getElementById("panel");
  close.addEventListener("click", () => panel.close());
  const parts = [
    element("div", { class: "drawer-head" },
      element("div", {},
        element("p", { class: "about" }, data.systems[systemIndex]),
        element("h3", { id: "panel-title" }, source.title)),
      close),
    siblings(data, index, choose),
    ...(source.file ? [beside(source, systemIndex)] : texts(source, summary)),
  ];
  const given = (group) => data.measures
    .filter((measure) => measure.group === group && measure.values[index] !== null)
    .map((measure) => [measure.label, measure.values[index]]);
  if (data.ratings[index].length) parts.push(ratingTable(data, index));
  for (const [group, caption] of [["People", "Human scores"], ["Metrics", "Metrics"], ["Length", "Length"]]) {
    if (given(group).length) parts.push(valueTable(caption, given(group)));
  }
  const body = document.getElementById("panel-body");
  body.replaceChildren(...parts);
  if (!panel.open) panel.showModal();
  body.scrollTop = 0;
}

// The summary, the references and the document with its highlights.
function texts(source, summary) {
  const parts = [element("h4", {}, "Summary"), prose(summary || "(empty)")];
  if (source.references.length) parts.push(element("h4", {}, "References"));
  for (const [name, text] of source.references) {
    parts.push(element("p", { class: "about" }, name), prose(text));
  }
  parts.push(element("h4", {}, "Document"), heatLegend(source));
  parts.push(source.passages.length ? heat(source) : element("p", {}, "The corpus has no text of this document."));
  return parts;
}

// Where the texts are that did not fit into this page.
function beside(source, system) {
  const link = element("a", { href: `${source.file}#system-${system}`, target: "_blank", rel: "noopener" }, source.file);
  return element("p", {}, "This page cannot carry all texts of the corpus. Those of this document are in ", link, ".");
}

// Buttons for the other summaries of the same document.
function siblings(data, index, choose) {
  const line = element("p", { class: "siblings" });
  data.points.forEach(([documentIndex, systemIndex], other) => {
    if (documentIndex !== data.points[index][0]) return;
    const button = element("button", { type: "button" }, data.systems[systemIndex]);
    if (other === index) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => choose(other));
    line.append(button);
  });
  return line;
}

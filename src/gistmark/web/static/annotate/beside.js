// What stands beside the summaries: a title, a document or its heat map, references.

import { element } from "./dom.js";
import { heatMap } from "./heat.js";
import { passage } from "./text.js";

export function titleOf(item) {
  if (!item.title) return null;
  return element("section", { class: "item-title" },
    element("h3", {}, "Title"), element("p", { lang: item.lang, dir: "auto" }, item.title));
}

export function documentOf(item, answer) {
  if (item.document === undefined) return null;
  if (item.heat === undefined) {
    return passage("Document", item.document, { lang: item.lang, kind: "document" });
  }
  return element("section", { class: "passage document" },
    element("h3", {}, "Document"), heatMap(item, answer));
}

export function referencesOf(item) {
  const references = item.references ?? [];
  return references.map((text, place) => passage(
    references.length === 1 ? "Reference" : `Reference ${place + 1}`, text,
    { kind: "reference" }));
}

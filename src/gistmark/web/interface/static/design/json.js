// The design as JSON: to download, and to bring in from a file or from the clipboard.

import { button, element } from "../annotate/dom.js";
import { field } from "./inputs.js";

export function jsonPart(designer, { editable }) {
  const text = element("textarea", {
    class: "is-code", rows: "12", spellcheck: "false", dir: "ltr", readonly: !editable,
  });
  const wrong = element("p", { class: "errorlist", role: "alert" });
  const use = () => {
    wrong.textContent = "";
    try {
      designer.load(formOf(text.value));
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  const file = element("input", { type: "file", accept: ".json,application/json" });
  file.addEventListener("change", async () => {
    if (!file.files.length) return;
    text.value = await file.files[0].text();
    use();
    file.value = "";
  });
  const details = element("details", { class: "section" },
    element("summary", {}, "The protocol as JSON"),
    field({
      label: "JSON", control: text, help: editable ? "Change it or paste another one." : "",
    }),
    wrong,
    element("div", { class: "row" },
      editable ? button("Use this JSON", use, { class: "small" }) : null,
      button("Download", () => download(written(designer.protocol)), { class: "small" })),
    editable ? field({ label: "Or open a file", control: file }) : null);
  details.firstElementChild.addEventListener("click", () => {
    if (!details.open) text.value = written(designer.protocol);
  });
  return details;
}

function written(protocol) {
  return `${JSON.stringify(protocol, null, 2)}\n`;
}

function formOf(text) {
  let read;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${error.message}`);
  }
  if (read === null || typeof read !== "object" || read.kind !== "form") {
    throw new Error("This is not a form: the designer takes protocols of the kind “form” only.");
  }
  const isObject = (each) => each !== null && typeof each === "object" && !Array.isArray(each);
  if (!Array.isArray(read.blocks ?? []) || !(read.blocks ?? []).every(isObject)) {
    throw new Error("“blocks” must be a list of objects.");
  }
  return read;
}

function download(text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = element("a", { href: address, download: "protocol.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

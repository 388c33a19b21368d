// The statement at the end: true or false.

import { REPLY_ID, faultPlace } from "./controls.js";
import { element } from "./dom.js";

export function questionScreen({ task, answer }) {
  const inputs = [true, false].map((value) => element("input", {
    type: "radio", name: REPLY_ID, id: value ? REPLY_ID : `${REPLY_ID}-false`, value: String(value),
    on: { change: () => { answer.reply = value; } },
  }));
  if (answer.reply !== null) inputs[answer.reply ? 0 : 1].checked = true;
  return element("div", { class: "single" },
    element("fieldset", { class: "dimension question" },
      element("legend", {}, "Is this statement about what you have read true or false?"),
      element("blockquote", { class: "text", dir: "auto" }, task.question),
      element("div", { class: "sides" },
        element("label", { class: "side" }, inputs[0], "True"),
        element("label", { class: "side" }, inputs[1], "False")),
      faultPlace("reply")));
}

// The manager's own decision about an item, on the controls that annotators have.

import { Answer } from "../annotate/answer.js";
import { screensOf } from "../annotate/screens.js";
import { NO_CLOCK, questionOf } from "./seen.js";

const task = JSON.parse(document.getElementById("payload").textContent);
const [item] = task.items;
const answer = new Answer([item.key], NO_CLOCK, task.draft);
const form = document.getElementById("own-form");

for (const screen of screensOf(task, await questionOf(task))) {
  document.getElementById("own").append(
    screen.build({ answer, announce: () => {}, goOn: () => form.elements.note.focus() }));
}

form.addEventListener("submit", () => {
  const { seconds, ...parts } = answer.toMapping().items[item.key];
  form.elements.answer.value = JSON.stringify(parts);
});

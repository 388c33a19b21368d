// Work as its annotator saw it, built by the annotator's own modules, but not to be changed.

import { Answer } from "../annotate/answer.js";
import { element } from "../annotate/dom.js";
import { screensOf } from "../annotate/screens.js";

export const NO_CLOCK = { seconds: 0, secondsOf: () => 0 };
const STATEMENT = "statement";

// An answer that stays as it was submitted, whatever is pressed.
class Submitted extends Answer {
  setPart() {}

  move() {}

  get reply() {
    return super.reply;
  }

  set reply(_) {}
}

export async function questionOf(task) {
  const { question } = await import(`../annotate/questions/${task.kind}.js`);
  return question(task);
}

// The content of every screen, by the key of its item; that of the statement is "statement".
export async function seenScreens(task) {
  const answer = new Submitted(task.items.map(({ key }) => key), NO_CLOCK, task.draft);
  const screens = screensOf(task, await questionOf(task));
  return screens.map((screen) => ({
    key: screen.item?.key ?? STATEMENT,
    node: frozen(screen.build({ answer, announce: () => {}, goOn: () => {} })),
  }));
}

// What is on a screen can be read, scrolled and unfolded, but no control does anything. The
// threshold of a heat map changes only what one sees, so it works.
function frozen(content) {
  for (const control of content.querySelectorAll("input, textarea, select, button")) {
    if (!control.closest(".threshold")) control.disabled = true;
  }
  for (const text of content.querySelectorAll(".words[tabindex]")) text.removeAttribute("tabindex");
  const node = element("div", { class: "screen is-frozen" }, content);
  for (const event of ["pointerdown", "mousedown", "touchstart", "keydown", "click"]) {
    node.addEventListener(event, (happened) => {
      if (happened.target.closest?.(".words")) happened.stopPropagation();
    }, { capture: true });
  }
  return node;
}

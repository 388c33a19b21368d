// The screens of a task: one for each item, or for each dimension of it, then the statement.
//
// What is asked on them is the question type's: a module of ./questions with the name of the
// task's `kind`, which exports one function. `question(task)` returns, at once or as a promise,
//
//   heading, noun                   the name of its screens, and of an item in lists
//   build(screen, page)             the content of a screen {item, dimensions}; `page` has `answer`
//                                   (answer.js), `announce(text)`, `goOn()`, and `onKey(handler)`
//                                   for keys that are pressed on the screen, but on no control
//   missing(screen, answer)         what is still to do on it: [{target, text}], where `target` is
//                                   the id of a control
//   prefill(draft)                  a draft with what is answered from the start; may be left out

import { element } from "./dom.js";
import { faultLine } from "./feedback.js";
import { gettext, interpolate } from "./translation.js";

const REPLY_ID = "reply";

// Each screen has `build` and `missing`, and its names: `title` on itself, `where` in lists.
export function screensOf(task, question) {
  const screens = task.items.flatMap((item, index) => screensOfItem(task, question, item, index));
  return task.question === null ? screens : [...screens, statementScreen(task)];
}

// What is still to be done before a task can be submitted: [{screen, target, text}].
export function missing(screens, answer) {
  return screens.flatMap((screen, number) => {
    const named = (what) => (screen.where === "" ? what
      : interpolate(gettext("%(where)s: %(what)s"), { where: screen.where, what }));
    return screen.missing(answer)
      .map(({ target, text }) => ({ screen: number, target, text: named(text) }));
  });
}

function screensOfItem(task, question, item, index) {
  const several = task.items.length > 1;
  return portions(task).map((dimensions, number, all) => ({
    item,
    build: (page) => question.build({ item, dimensions }, page),
    missing: (answer) => question.missing({ item, dimensions }, answer),
    where: several ? interpolate(gettext("%(noun)s %(number)s"), {
      noun: question.noun, number: index + 1,
    }) : "",
    title: [
      question.heading,
      several ? interpolate(gettext("%(number)s of %(count)s"), {
        number: index + 1, count: task.items.length,
      }) : "",
      all.length > 1 ? interpolate(gettext("question %(number)s of %(count)s"), {
        number: number + 1, count: all.length,
      }) : "",
    ].filter(Boolean).join(" · "),
  }));
}

// The dimensions that share a screen.
function portions(task) {
  if (!task.one_dimension_per_screen) return [task.dimensions];
  return task.dimensions.map((dimension) => [dimension]);
}

// The statement at the end: true or false.
function statementScreen(task) {
  return {
    item: null,
    where: "",
    title: gettext("One last question"),
    build: ({ answer }) => statement(task, answer),
    missing: (answer) => (answer.reply === null
      ? [{ target: REPLY_ID, text: gettext("Say whether the statement is true or false.") }] : []),
  };
}

function statement(task, answer) {
  const inputs = [true, false].map((value) => element("input", {
    type: "radio", name: REPLY_ID, id: value ? REPLY_ID : `${REPLY_ID}-false`, value: String(value),
    on: { change: () => { answer.reply = value; } },
  }));
  if (answer.reply !== null) inputs[answer.reply ? 0 : 1].checked = true;
  return element("div", { class: "single" },
    element("fieldset", { class: "dimension question" },
      element("legend", {},
        gettext("Is this statement about what you have read true or false?")),
      element("blockquote", { class: "text", dir: "auto" }, task.question),
      element("div", { class: "sides" },
        element("label", { class: "side" }, inputs[0], gettext("True")),
        element("label", { class: "side" }, inputs[1], gettext("False"))),
      faultLine("reply")));
}

// What is still to be done before a task can be handed in, and where.

import { REPLY_ID, choiceId, marksId, ratingId } from "./controls.js";
import { PARTS, scaleOf } from "./rating.js";

// [{screen, target, text}]: the number of the screen, the id of the control, and what to do.
export function missing(task, screens, answer) {
  return screens.flatMap((screen, number) => {
    const named = (text) => (screen.where ? `${screen.where}: ${text}` : text);
    return lacking(task, screen, answer)
      .map(({ target, text }) => ({ screen: number, target, text: named(text) }));
  });
}

function lacking(task, { item, dimensions }, answer) {
  if (item === null) return unanswered(answer);
  if (task.kind === "highlight") return unmarked(item, answer);
  const find = task.kind === "rating" ? unrated : unchosen;
  return dimensions.map((dimension) => find(task, item, dimension, answer))
    .filter((found) => found !== null);
}

function unanswered(answer) {
  const text = "Say whether the statement is true or false.";
  return answer.reply === null ? [{ target: REPLY_ID, text }] : [];
}

function unmarked(item, answer) {
  const marked = answer.highlights(item.key)?.length > 0;
  return marked ? [] : [{ target: marksId(item.key), text: "Mark at least one word." }];
}

function unrated(task, item, dimension, answer) {
  const part = Object.keys(PARTS).find((each) => (
    scaleOf(task, dimension, each) && answer.rating(item.key, dimension.name, each) === null));
  if (part === undefined) return null;
  const target = ratingId(item.key, task.dimensions.indexOf(dimension), part);
  return { target, text: [dimension.question, PARTS[part]].filter(Boolean).join(" ") };
}

function unchosen(task, item, dimension, answer) {
  if (answer.choice(item.key, dimension.name) !== null) return null;
  const target = choiceId(item.key, task.dimensions.indexOf(dimension));
  return { target, text: dimension.question };
}

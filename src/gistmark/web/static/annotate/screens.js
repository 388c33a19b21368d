// The screens of a task: one for each item, or for each dimension of it, then the question.

import { comparisonScreen } from "./comparison.js";
import { highlightScreen } from "./highlight.js";
import { questionScreen } from "./question.js";
import { ratingScreen } from "./rating.js";

const KINDS = {
  highlight: { build: highlightScreen, heading: "Mark what matters", noun: "Document" },
  rating: { build: ratingScreen, heading: "Rate the summary", noun: "Summary" },
  comparison: { build: comparisonScreen, heading: "Compare the two summaries", noun: "Pair" },
};

// Each has what to build it from, and its names: `title` on the screen itself, `where` in lists.
export function screensOf(task) {
  const kind = KINDS[task.kind];
  const screens = task.items.flatMap((item, place) => portions(task).map((dimensions, number, all) => ({
    build: kind.build,
    item,
    dimensions,
    where: task.items.length > 1 ? `${kind.noun} ${place + 1}` : "",
    title: [
      kind.heading,
      task.items.length > 1 ? `${place + 1} of ${task.items.length}` : "",
      all.length > 1 ? `question ${number + 1} of ${all.length}` : "",
    ].filter(Boolean).join(" · "),
  })));
  if (task.question !== null) {
    screens.push({ build: questionScreen, item: null, dimensions: [], where: "", title: "One last question" });
  }
  return screens;
}

// The dimensions that share a screen.
function portions(task) {
  if (!task.one_dimension_per_screen) return [task.dimensions];
  return task.dimensions.map((dimension) => [dimension]);
}

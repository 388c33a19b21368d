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
  const screens = task.items.flatMap((item, place) => screensOfItem(task, item, place));
  const title = "One last question";
  const last = { build: questionScreen, item: null, dimensions: [], where: "", title };
  return task.question === null ? screens : [...screens, last];
}

function screensOfItem(task, item, place) {
  const { build, heading, noun } = KINDS[task.kind];
  const several = task.items.length > 1;
  return portions(task).map((dimensions, number, all) => ({
    build,
    item,
    dimensions,
    where: several ? `${noun} ${place + 1}` : "",
    title: [
      heading,
      several ? `${place + 1} of ${task.items.length}` : "",
      all.length > 1 ? `question ${number + 1} of ${all.length}` : "",
    ].filter(Boolean).join(" · "),
  }));
}

// The dimensions that share a screen.
function portions(task) {
  if (!task.one_dimension_per_screen) return [task.dimensions];
  return task.dimensions.map((dimension) => [dimension]);
}

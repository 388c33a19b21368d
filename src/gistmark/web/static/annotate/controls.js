// What all controls share: an id to link to, the field of the answer that they fill in, and a
// place beside them for what the server says is wrong.

import { element } from "./dom.js";

export function ratingId(key, place, part) {
  return `rating-${key}-${place}-${part}`;
}

export function choiceId(key, place) {
  return `choice-${key}-${place}`;
}

export function marksId(key) {
  return `marks-${key}`;
}

export const REPLY_ID = "reply";

// A place for what is wrong with one field, such as `items.1.ratings.fluency.value`.
export function faultPlace(field) {
  return element("p", { class: "fault", role: "alert", "data-field": field });
}

// Shows each fault beside its field; returns the messages of those that belong to none.
export function showFaults(faults) {
  clearFaults();
  const places = [...document.querySelectorAll(".fault[data-field]")];
  const elsewhere = [];
  for (const { field, message } of faults) {
    const place = places.find((each) => belongs(field, each.dataset.field));
    if (place) place.textContent = message;
    else elsewhere.push(message);
  }
  return elsewhere;
}

export function clearFaults() {
  for (const place of document.querySelectorAll(".fault[data-field]")) place.textContent = "";
}

function belongs(field, own) {
  return field === own || field.startsWith(`${own}.`) || field.startsWith(`${own}[`);
}

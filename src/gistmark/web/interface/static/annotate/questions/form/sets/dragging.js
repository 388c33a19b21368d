// Dragging a card of a list by its handle, with the mouse or a finger, to another position. A line
// shows where it would go; near the edge of what can be seen, the page scrolls.

const THRESHOLD = 6;
const EDGE = 56;
const SPEED = 12;

// `cards()` are those of the list in their order; `drop(position)` is called with the position
// that the card was dragged to, if it is another one.
export function makeDraggable(card, handle, { cards, drop }) {
  let drag = null;
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    drag = { id: event.pointerId, start: event.clientY, y: event.clientY, to: null };
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    drag.y = event.clientY;
    if (drag.scroller) follow();
    else if (Math.abs(drag.y - drag.start) > THRESHOLD) begin();
  });
  const begin = () => {
    drag.scroller = scrollerOf(card);
    drag.offset = drag.start - card.getBoundingClientRect().top;
    card.classList.add("dragging");
    follow();
    drag.frame = requestAnimationFrame(scroll);
  };
  const follow = () => {
    card.style.setProperty("--shift", 0);
    const shift = drag.y - drag.offset - card.getBoundingClientRect().top;
    card.style.setProperty("--shift", shift);
    const all = cards();
    const others = all.filter((each) => each !== card);
    const past = others.filter((each) => middleOf(each) < drag.y).length;
    drag.to = past === all.indexOf(card) ? null : past;
    for (const [position, other] of others.entries()) {
      other.classList.toggle("drop-before", drag.to !== null && position === past);
      other.classList.toggle("drop-after",
        drag.to !== null && past === others.length && position === past - 1);
    }
  };
  const scroll = () => {
    if (drag === null) return;
    const { top, bottom } = visiblePart(drag.scroller);
    const list = card.parentElement.getBoundingClientRect();
    const goesUp = drag.y < top + EDGE && list.top < top;
    const goesDown = drag.y > bottom - EDGE && list.bottom > bottom;
    const step = goesUp ? -SPEED : goesDown ? SPEED : 0;
    if (step !== 0) {
      drag.scroller.scrollTop += step;
      follow();
    }
    drag.frame = requestAnimationFrame(scroll);
  };
  const end = (isDropped) => {
    const { to, frame } = drag;
    drag = null;
    cancelAnimationFrame(frame);
    card.classList.remove("dragging");
    for (const each of cards()) each.classList.remove("drop-before", "drop-after");
    if (isDropped && to !== null) drop(to);
  };
  handle.addEventListener("pointerup", (event) => {
    if (drag?.id === event.pointerId) end(true);
  });
  handle.addEventListener("pointercancel", () => { if (drag !== null) end(false); });
  handle.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && drag !== null) end(false);
  });
}

// What scrolls around an element: a column with a bar of its own, or the page.
export function scrollerOf(node) {
  for (let each = node.parentElement; each !== null; each = each.parentElement) {
    const isScrolling = /auto|scroll/.test(getComputedStyle(each).overflowY);
    if (isScrolling && each.scrollHeight > each.clientHeight) return each;
  }
  return document.scrollingElement;
}

// The edges of what a reader can see of it, above the bar at the foot.
function visiblePart(scroller) {
  const foot = document.querySelector(".foot")?.getBoundingClientRect().top ?? innerHeight;
  if (scroller === document.scrollingElement) return { top: 0, bottom: Math.min(innerHeight, foot) };
  const { top, bottom } = scroller.getBoundingClientRect();
  return { top: Math.max(0, top), bottom: Math.min(bottom, foot) };
}

function middleOf(node) {
  const { top, height } = node.getBoundingClientRect();
  return top + height / 2;
}

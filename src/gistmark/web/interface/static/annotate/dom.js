// Making elements. Texts only ever become text nodes, so nothing in them can run.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") listen(made, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

export function button(text, onClick, attributes = {}) {
  return element("button", { type: "button", ...attributes, on: { click: onClick } }, text);
}

// The name of a key, as keyboards have it.
export function keycap(name) {
  return element("kbd", { dir: "ltr" }, name);
}

function listen(node, handlers) {
  for (const [event, handler] of Object.entries(handlers)) node.addEventListener(event, handler);
}

// Talking to the API: JSON both ways, with the token that proves that one of our pages sends it.

import { gettext, interpolate } from "./translation.js";

const JSON_TYPE = "application/json";
const FIRST_DELAY = 1000;
const LONGEST_DELAY = 30000;

export class Unreachable extends Error {}

// The reply as {status, ok, body, headers}. Throws `Unreachable` where there is none, or none that counts: no
// network, a server that is starting again or has too much to do.
export async function send(method, address, content, { keepalive = false, headers = {} } = {}) {
  let response;
  let body;
  try {
    response = await fetch(address, {
      method,
      keepalive,
      credentials: "same-origin",
      headers: {
        "Content-Type": JSON_TYPE, Accept: JSON_TYPE, "X-CSRFToken": token(), ...headers,
      },
      body: content === undefined ? undefined : JSON.stringify(content),
    });
    body = await readBody(response);
  } catch {
    throw new Unreachable();
  }
  if (response.status >= 500 || response.status === 429) throw new Unreachable();
  return { status: response.status, ok: response.ok, body, headers: response.headers };
}

// What the server says is wrong, as one text. What is wrong with single fields is in `faults`.
export function sentence({ body, status }) {
  if (status === 401) {
    return gettext("You are not logged in any more. Please log in again; your work is kept here.");
  }
  if (body?.faults?.length) return gettext("Something in the answer is not right.");
  if (typeof body?.detail === "string") return body.detail;
  return interpolate(
    gettext("The server did not understand the page (%(status)s). Reload it and try again."),
    { status: String(status) });
}

async function readBody(response) {
  const type = response.headers.get("Content-Type") ?? "";
  return type.startsWith(JSON_TYPE) ? response.json() : null;
}

// The cookie comes first: it stays right when somebody logs in again in another tab.
function token() {
  const cookie = document.cookie.split("; ").find((each) => each.startsWith("csrftoken="));
  return cookie?.slice("csrftoken=".length) ??
    document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}

// A name for one attempt, in every browser: `crypto.randomUUID` is missing where a page does not
// come by https.
export function createKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// Trying again: later each time, and no later than needed once the browser is online again.
export class Retry {
  #timer = null;
  #delay = FIRST_DELAY;

  // Calls `again` after a while, or at once when the browser finds the network.
  later(again) {
    this.stop();
    const go = () => {
      this.stop();
      again();
    };
    const timer = setTimeout(go, this.#delay);
    window.addEventListener("online", go);
    this.#timer = () => {
      clearTimeout(timer);
      window.removeEventListener("online", go);
    };
    this.#delay = Math.min(2 * this.#delay, LONGEST_DELAY);
  }

  get waits() {
    return this.#timer !== null;
  }

  // All is well: nothing waits, and the next wait is a short one.
  rest() {
    this.stop();
    this.#delay = FIRST_DELAY;
  }

  stop() {
    this.#timer?.();
    this.#timer = null;
  }
}

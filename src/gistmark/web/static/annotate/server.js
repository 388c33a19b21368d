// Talking to the server: JSON both ways, with the token that proves that a page of ours asks.

const JSON_TYPE = "application/json";

export class Unreachable extends Error {}

// The reply as {status, body}. Throws `Unreachable` where there is none, or none that counts: no
// network, a server that is starting again or has too much to do.
export async function send(method, address, content, { keepalive = false } = {}) {
  let response;
  let body;
  try {
    response = await fetch(address, {
      method,
      keepalive,
      credentials: "same-origin",
      headers: { "Content-Type": JSON_TYPE, Accept: JSON_TYPE, "X-CSRFToken": token() },
      body: content === undefined ? undefined : JSON.stringify(content),
    });
    body = await readBody(response);
  } catch {
    throw new Unreachable();
  }
  if (response.status >= 500 || response.status === 429) throw new Unreachable();
  return { status: response.status, ok: response.ok, body };
}

// What the server says is wrong, as one text.
export function sentence({ body, status }) {
  if (typeof body?.error === "string") return body.error;
  if (status === 403) return "The server refused this page. Reload it and log in again if asked.";
  return `The server did not understand the page (${status}). Reload it and try again.`;
}

async function readBody(response) {
  const type = response.headers.get("Content-Type") ?? "";
  return type.startsWith(JSON_TYPE) ? response.json() : null;
}

// The cookie is asked first: it stays right when somebody logs in again in another tab.
function token() {
  const cookie = document.cookie.split("; ").find((each) => each.startsWith("csrftoken="));
  return cookie?.slice("csrftoken=".length) ??
    document.querySelector("input[name=csrfmiddlewaretoken]")?.value ?? "";
}

// A name for one attempt, in every browser: `crypto.randomUUID` is missing where a page does not
// come by https.
export function drawKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

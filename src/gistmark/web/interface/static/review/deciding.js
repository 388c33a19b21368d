// Forms that decide on work are sent without leaving the page: what the server says is shown, and
// the parts of the page that it changed are fetched again. Without a script they work as forms do.

const said = document.getElementById("said");
let busy = false;

export function say(sentences, kind = "") {
  said.replaceChildren(...sentences.map((sentence) => {
    const line = document.createElement("p");
    line.className = `notice ${kind}`.trim();
    line.dir = "auto";
    line.textContent = sentence;
    return line;
  }));
}

// `done()` is called once the page is up to date.
export function decideInPlace(done = () => {}) {
  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-decides]");
    if (!form) return;
    event.preventDefault();
    send(form, event.submitter, done);
  });
}

async function send(form, submitter, done) {
  if (busy) return;
  busy = true;
  form.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(form.action, {
      method: "POST", body: new FormData(form, submitter), headers: { Accept: "application/json" },
    });
    const body = await response.json();
    if (response.ok) {
      await refresh();
      say([body.message, ...body.left], body.left.length ? "is-warn" : "is-good");
      done();
    } else {
      say([body.detail], "is-bad");
    }
  } catch {
    say(["The server cannot be reached, or you are not logged in any more; nothing was decided."],
      "is-bad");
  } finally {
    busy = false;
    form.removeAttribute("aria-busy");
  }
}

// Fetches the page again and puts its parts in place of those that are shown; the rest, and where
// one has scrolled to, stays as it is.
async function refresh() {
  const response = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Error(String(response.status));
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  const focused = document.activeElement?.id;
  const position = window.scrollY;
  for (const part of document.querySelectorAll("[data-part]")) {
    const newer = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
    if (newer) part.replaceChildren(...newer.childNodes);
  }
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
  window.scrollTo(0, position);
}

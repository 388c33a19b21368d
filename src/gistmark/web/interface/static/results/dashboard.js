/* Keeps the numbers of a campaign's dashboard up to date, as long as somebody looks at it. */

const PAUSE = 15_000;

const board = document.querySelector("[data-numbers]");
const renewed = document.getElementById("renewed");

/** Put what changed in place of what is shown; details stay open or closed as they are. */
function show(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const shown = board.querySelector(`[data-part="${name}"]`);
    if (!shown) {
      continue;
    }
    const fresh = document.createElement("div");
    fresh.innerHTML = html;
    for (const details of fresh.querySelectorAll("details[id]")) {
      details.open = document.getElementById(details.id)?.open ?? details.open;
    }
    const focused = shown.contains(document.activeElement);
    if (!focused && fresh.innerHTML !== shown.innerHTML) {
      shown.replaceChildren(...fresh.childNodes);
    }
  }
}

async function renew() {
  if (document.hidden) {
    return;
  }
  try {
    const response = await fetch(board.dataset.numbers, {
      headers: { Accept: "application/json" },
    });
    if (!response.ok) {
      throw new Error(String(response.status));
    }
    show((await response.json()).parts);
    const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    renewed.textContent = `As of ${time}`;
  } catch {
    renewed.textContent = "The server cannot be reached; trying again.";
  }
}

async function keepRenewing() {
  await renew();
  setTimeout(keepRenewing, PAUSE);
}

document.addEventListener("visibilitychange", renew);
keepRenewing();

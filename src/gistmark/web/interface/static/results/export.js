/* Watches an export that is being written, and starts the download when it is ready. */

const PAUSE = 2_000;
const PENDING = ["waiting", "running"];

const page = document.querySelector("[data-export]");
const sentence = document.getElementById("export-sentence");
const file = document.getElementById("export-file");

async function look() {
  let state = page.dataset.export;
  try {
    const response = await fetch(location.href, { headers: { Accept: "application/json" } });
    if (!response.ok) {
      throw new Error(String(response.status));
    }
    const told = await response.json();
    state = told.state;
    if (sentence.textContent !== told.sentence) {
      sentence.textContent = told.sentence;
    }
  } catch {
    sentence.textContent = "The server cannot be reached; trying again.";
  }
  if (PENDING.includes(state)) {
    setTimeout(look, PAUSE);
    return;
  }
  document.getElementById("export-waiting").hidden = true;
  if (state === "ready") {
    file.hidden = false;
    file.querySelector("a").click();
  }
}

if (PENDING.includes(page.dataset.export)) {
  setTimeout(look, PAUSE);
}

// What the page does besides the scatter: tables that sort, contents that follow, print.

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", { type: "button", class: "sort" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      table.classList.add("sorted");
      sortRows(table.tBodies[0], column, up ? 1 : -1);
    });
  });
}

// Numbers by value, texts by alphabet; what has no value always comes last.
function sortRows(body, column, direction) {
  const key = (row) => {
    const cell = row.cells[column];
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    return cell.classList.contains("text") || cell.classList.contains("code") ? cell.textContent : null;
  };
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === "number" && typeof b === "number"
      ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    return direction * (typeof a === "string" ? -order : order);
  });
  body.append(...rows.map(([, row]) => row));
}

function followContents() {
  const links = new Map([...document.querySelectorAll(".contents a")]
    .map((link) => [link.getAttribute("href").slice(1), link]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  document.querySelectorAll("main > section").forEach((section) => watcher.observe(section));
}

for (const table of document.querySelectorAll(".table table")) {
  if (table.tBodies[0].rows.length > 1) sortable(table);
}
followContents();
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details").forEach((details) => { details.open = true; });
});
if (document.getElementById("plot")) {
  startScatter(JSON.parse(document.getElementById("data").textContent));
}

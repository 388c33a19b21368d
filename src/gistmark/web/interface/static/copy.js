/* A button with data-copies="ID" copies what the field of that id holds. What it says then may be
   given as data-copied and data-refused, in the language of the page. */

for (const button of document.querySelectorAll("[data-copies]")) {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copies);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.copied ?? "Copied";
    } catch {
      button.textContent = button.dataset.refused ?? "Press Ctrl+C";
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

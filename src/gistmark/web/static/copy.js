/* A button with data-copies="ID" copies what the field of that id holds. */

for (const button of document.querySelectorAll("[data-copies]")) {
  const label = button.textContent;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copies);
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

// Shows the button that copies the secret above it. Without access to the clipboard, which browsers
// grant only over HTTPS and on this machine, the button selects the secret.
(() => {
  for (const row of document.querySelectorAll("[data-copy]")) {
    const secret = row.previousElementSibling;
    const status = row.querySelector("[role=status]");
    row.querySelector("button").addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(secret.textContent);
        status.textContent = status.dataset.copied;
      } catch {
        getSelection().selectAllChildren(secret);
        status.textContent = status.dataset.selected;
      }
    });
    row.hidden = false;
  }
})();

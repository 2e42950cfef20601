// Updates the progress of an import until it is complete.
(() => {
  const status = document.querySelector("[data-poll]");
  if (!status) return;
  const update = async () => {
    try {
      const response = await fetch(location.href, { headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const next = page.querySelector("#import-status");
      if (!next) return location.reload(); // the session has ended
      document.querySelector("#import-status").replaceWith(next);
      if (next.hasAttribute("data-poll")) setTimeout(update, 700);
    } catch {
      setTimeout(update, 3000);
    }
  };
  setTimeout(update, 300);
})();

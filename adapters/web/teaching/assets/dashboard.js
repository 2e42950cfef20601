// Draws a plot above each table with the attribute data-plot. The table contains the values: its
// first column has the labels, and each other column is a series.
(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const short = (label, length) => (label.length > length ? `${label.slice(0, length - 1)}…` : label);

  /** Returns the labels, the names of the series and their values. */
  function read(table) {
    const rows = [...table.tBodies[0].rows];
    const names = [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent);
    return {
      labels: rows.map((row) => row.cells[0].textContent.trim()),
      series: names.map((name, i) => ({ name, values: rows.map((row) => Number(row.cells[i + 1].textContent)) })),
    };
  }

  function configuration(kind, { labels, series }) {
    const colors = (dark.matches ? "--series-dark" : "--series-light");
    const palette = style(colors).split(",").map((color) => color.trim());
    const ink = dark.matches ? "#d6dae3" : "#343a46";
    const grid = dark.matches ? "#333a47" : "#e2e6ee";
    const flat = kind === "stacked" || kind === "share";
    const width = document.documentElement.clientWidth;
    const values = { beginAtZero: true, ticks: { color: ink, precision: 0 }, grid: { color: grid }, stacked: kind === "stacked" };
    if (kind === "share") values.max = 100;
    const names = {
      ticks: {
        color: ink, autoSkip: !flat, maxRotation: 0,
        callback(value) {
          const label = this.getLabelForValue(value);
          return flat ? short(label, width < 600 ? 16 : 28) : (labels.length > 53 ? label : label.replace(/ \d{4}$/, ""));
        },
      },
      grid: { display: false }, stacked: kind === "stacked",
    };
    return {
      type: kind === "line" ? "line" : "bar",
      data: {
        labels,
        datasets: (kind === "share" ? series.slice(0, 1) : series).map(({ name, values: data }, i) => ({
          label: name, data, backgroundColor: palette[i], borderColor: palette[i], borderWidth: kind === "line" ? 2 : 0,
          cubicInterpolationMode: "monotone", pointRadius: labels.length > 53 ? 1 : 3, maxBarThickness: 28, borderRadius: kind === "stacked" ? 0 : 3,
        })),
      },
      options: {
        indexAxis: flat ? "y" : "x", responsive: true, maintainAspectRatio: false, animation: calm.matches ? false : { duration: 300 },
        scales: flat ? { x: values, y: names } : { x: names, y: values },
        plugins: { legend: { display: series.length > 1 && kind !== "share", position: "bottom", labels: { color: ink, boxWidth: 12 } } },
      },
    };
  }

  for (const table of document.querySelectorAll("table[data-plot]")) {
    const kind = table.dataset.plot;
    const data = read(table);
    const figure = table.closest(".figure");
    const frame = document.createElement("div");
    frame.className = "canvas";
    frame.setAttribute("aria-hidden", "true"); // the table has the same values
    if (kind === "stacked" || kind === "share") frame.classList.add(data.labels.length > 6 ? "tall" : "medium");
    const canvas = frame.appendChild(document.createElement("canvas"));
    figure.prepend(frame);
    let chart = new Chart(canvas, configuration(kind, data));
    dark.addEventListener("change", () => {
      chart.destroy();
      chart = new Chart(canvas, configuration(kind, data));
    });
  }
})();

"use strict";
// Filters and sorting; without this script the page shows everything, in the paper's order.
document.addEventListener("DOMContentLoaded", () => {
  const controls = document.getElementById("controls");
  const text = document.getElementById("filter-text");
  const status = document.getElementById("filter-status");
  const said = document.getElementById("filter-said");
  const results = [...document.querySelectorAll("article.result")];

  const words = new Map();
  for (const part of document.querySelectorAll("article.result, .steps tbody")) {
    words.set(part, part.textContent.toLowerCase());
  }

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    let steps = 0;
    let shown = 0;
    for (const result of results) {
      const rows = [...result.querySelectorAll(".steps tbody")];
      const own = !status.value || result.dataset.statuses.split("|").includes(status.value);
      let any = false;
      for (const row of rows) {
        const fits =
          (!status.value || row.dataset.status === status.value) && (!wanted || words.get(row).includes(wanted));
        row.hidden = !fits && Boolean(status.value || wanted);
        if (fits) { steps += 1; any = true; }
      }
      const fits = own && (!wanted || words.get(result).includes(wanted));
      result.hidden = !(fits || any);
      if (fits && !any) { for (const row of rows) row.hidden = false; }
      if (!result.hidden) shown += 1;
    }
    said.textContent = status.value || wanted ? `${shown} of ${results.length} results, ${steps} steps fit` : "";
  }

  function sorted(table, column, button) {
    const header = button.closest("th");
    const up = header.getAttribute("aria-sort") !== "ascending";
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => key(a).localeCompare(key(b), "en", { numeric: true }) * (up ? 1 : -1));
    table.tBodies[0].append(...rows);
  }

  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = cell.textContent;
      cell.replaceChildren(button);
      button.addEventListener("click", () => sorted(table, column, button));
    });
  }
  controls.hidden = false;
  text.addEventListener("input", filter);
  status.addEventListener("change", filter);
  addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });
});

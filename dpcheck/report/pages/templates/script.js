"use strict";
// Colours, filters, sorting, copying; without this script the page shows everything, in its own order.
(() => {
  const themes = ["", "light", "dark"];
  const names = { "": "as the system", light: "light", dark: "dark" };
  const root = document.documentElement;
  const memory = (value) => {
    try {
      if (value === undefined) return localStorage.getItem("dpcheck-theme") ?? "";
      localStorage.setItem("dpcheck-theme", value);
    } catch { /* a page that may not remember still works */ }
    return value ?? "";
  };
  const wear = (theme) => {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
  };
  let theme = themes.includes(memory()) ? memory() : "";
  wear(theme);
  root.classList.add("scripted");

  // A number as it stands in a cell: 1,234 or 4.1e9 or 12% or 3.5× or [0.1, 0.2]; NaN for words.
  function numberOf(text) {
    const found = /^[<>≤≥\[(~≈]*\s*([-−+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?|inf)\s*[%×]?/i.exec(text);
    if (!found) return NaN;
    const plain = found[1].replace(/,/g, "").replace("−", "-");
    return plain.toLowerCase() === "inf" ? Infinity : Number(plain);
  }

  function sort(table, column, button) {
    const header = button.closest("th");
    const up = header.getAttribute("aria-sort") !== "ascending";
    for (const other of table.querySelectorAll("thead th")) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => (row.cells[column].dataset.key ?? row.cells[column].textContent).trim();
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, text: key(row), number: numberOf(key(row)) }));
    const numbers = rows.every(({ text, number }) => text === "" || !Number.isNaN(number));
    rows.sort((a, b) => {
      if ((a.text === "") !== (b.text === "")) return a.text === "" ? 1 : -1; // empty cells stay last
      const order = numbers && a.text !== "" ? a.number - b.number || 0
        : a.text.localeCompare(b.text, "en", { numeric: true });
      return up ? order : -order;
    });
    table.tBodies[0].append(...rows.map(({ row }) => row));
  }

  function sortable(table) {
    [...table.tHead.rows[0].cells].forEach((cell, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...cell.childNodes);
      cell.append(button);
      button.addEventListener("click", () => sort(table, column, button));
    });
  }

  // A form filters the rows of the table it names: by words, and by attributes of the rows.
  function filtered(form) {
    const rows = [...document.getElementById(form.dataset.filters).tBodies[0].rows];
    const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const text = form.querySelector("input");
    const chosen = [...form.querySelectorAll("select")];
    const filter = () => {
      const wanted = text.value.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const fits = words.get(row).includes(wanted) && chosen.every((one) =>
          !one.value || (row.dataset[one.dataset.attribute] ?? "").split("|").includes(one.value));
        row.hidden = !fits;
        shown += fits;
      }
      const asked = wanted || chosen.some((one) => one.value);
      form.querySelector("output").textContent = asked ? `${shown} of ${rows.length} fit` : "";
    };
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
  }

  // The results of a paper and the steps of their proofs, together.
  function filteredResults(form) {
    const results = [...document.querySelectorAll("article.result")];
    const [text, status, said] = [form.querySelector("input"), form.querySelector("select"), form.querySelector("output")];
    const words = new Map();
    for (const part of document.querySelectorAll("article.result, .steps tbody")) {
      words.set(part, part.textContent.toLowerCase());
    }
    const filter = () => {
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
    };
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  function copied(part) {
    const text = part.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.setAttribute("aria-label", `copy: ${text}`);
    button.addEventListener("click", async () => {
      const back = document.activeElement;
      await copy(text);
      back?.focus?.();
      button.textContent = "copied";
      setTimeout(() => { button.textContent = "copy"; }, 1500);
    });
    part.append(button);
  }

  // Numbers to take along: those of a table, and where a chart has all of its own, these.
  function saved(name, kind, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind === "csv" ? "text/csv" : "application/json" }));
    link.download = `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60) || "numbers"}.${kind}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
  function rowsOf(table) {
    return [...table.rows].map((row) => [...row.cells].map((one) => one.textContent.trim()));
  }
  function numbersOf(figure) {
    return JSON.parse(figure.querySelector("script.asked").textContent).datasets.numbers;
  }
  function downloads(table) {
    const figure = table.closest("figure");
    const full = figure?.querySelector("script.asked");
    const name = table.dataset.csv;
    const line = document.createElement("p");
    line.className = "downloads";
    line.append("the numbers:");
    const make = (kind, text) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = kind.toUpperCase();
      button.setAttribute("aria-label", `${kind.toUpperCase()} of ${name}`);
      button.addEventListener("click", () => saved(name, kind, text()));
      line.append(button);
    };
    const asRows = () => {
      if (!full) return rowsOf(table);
      const rows = numbersOf(figure);
      const columns = ["name", "role", "x", "value", "interval", "trials"];
      return [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? "")))];
    };
    make("csv", () => asRows().map((row) => row.map(cell).join(",")).join("\n") + "\n");
    make("json", () => {
      const [head, ...rows] = asRows();
      return JSON.stringify(rows.map((row) => Object.fromEntries(head.map((column, at) => [column, row[at]]))), null, 1);
    });
    (table.closest("details") ?? table.closest(".scroll") ?? table).after(line);
  }

  // What scrolls sideways can be reached and scrolled by the keyboard, and only while it does.
  function reachable() {
    for (const part of document.querySelectorAll(".scroll, .plot, .formula")) {
      if (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1) {
        part.tabIndex = 0;
        part.setAttribute("role", "group");
        part.setAttribute("aria-label", `${part.dataset.name ?? (part.classList.contains("formula") ? "Formula" : "Table")} (scrolls)`);
      } else {
        for (const name of ["tabindex", "role", "aria-label"]) part.removeAttribute(name);
      }
    }
  }

  // On paper every part is open; afterwards as the reader left it.
  let opened = [];
  function unfold() {
    for (const part of document.querySelectorAll("details:not([open])")) { part.open = true; opened.push(part); }
  }
  function fold() {
    for (const part of opened) part.open = false;
    opened = [];
  }

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const show = () => { button.textContent = `colours: ${names[theme]}`; };
    button.addEventListener("click", () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      memory(theme);
      wear(theme);
      show();
    });
    show();
    button.hidden = false;
    document.querySelectorAll("table.sortable").forEach(sortable);
    document.querySelectorAll("form[data-filters]").forEach(filtered);
    document.querySelectorAll("form[data-filters-results]").forEach(filteredResults);
    document.querySelectorAll(".copied").forEach(copied);
    document.querySelectorAll("table[data-csv]").forEach(downloads);
    reachable();
    addEventListener("resize", reachable);
    document.addEventListener("toggle", reachable, true);
    const paper = matchMedia("print");
    paper.addEventListener("change", () => (paper.matches ? unfold() : fold()));
    addEventListener("beforeprint", unfold);
    addEventListener("afterprint", fold);
    // a link to a part that is folded or filtered away shows it
    const reveal = () => {
      const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      for (let at = part; at; at = at.parentElement) {
        if (at instanceof HTMLDetailsElement) at.open = true;
        at.hidden = at.hidden && at.tagName === "FORM";
      }
      part?.scrollIntoView();
    };
    if (location.hash) reveal();
    addEventListener("hashchange", reveal);
  });
})();

// Filters rows and failures, and opens the failure that a link leads to. Without it everything is shown.
"use strict";
(() => {
  const form = document.getElementById("filter");
  const fields = form.elements;
  const rows = [...document.querySelectorAll("[data-search]")];
  const columns = [...document.querySelectorAll("[data-column]")];

  function apply() {
    const words = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const system = fields.system.value;
    const column = fields.column.value;
    for (const each of columns) {
      each.hidden = column !== "" && each.dataset.column !== column;
    }
    for (const row of rows) {
      const failing = column === ""
        ? row.dataset.failing !== ""
        : row.dataset.failing.split(" ").includes(column);
      const shown = words.every((word) => row.dataset.search.includes(word))
        && (system === "" || row.dataset.system === system)
        && (!fields.failing.checked || failing)
        && !(row.matches("[data-column]") && column !== "" && row.dataset.column !== column);
      row.hidden = !shown;
    }
    for (const part of document.querySelectorAll("[data-part]")) {
      const all = part.querySelectorAll("[data-search]");
      const left = [...all].filter((row) => !row.hidden).length;
      const said = part.querySelector("[data-count]");
      said.textContent = left === all.length ? `${all.length}` : `${left} of ${all.length}`;
    }
  }

  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const failure = target && target.closest("details");
    if (failure) {
      failure.hidden = false;
      failure.open = true;
      target.scrollIntoView();
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-choose]");
    if (link) {
      fields.text.value = link.dataset.choose;
      if (fields.column.options.length > 2) {
        fields.column.value = link.dataset.in;
      }
      fields.failing.checked = false;
      apply();
    }
  });
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  window.addEventListener("hashchange", openTarget);
  form.hidden = false;
  apply();
  openTarget();
})();

// Filters the rows of tables and the parts, and opens the part that a link leads to. Without it everything is shown.
"use strict";
(() => {
  const form = document.getElementById("filter");
  const fields = form.elements;
  const every = [...document.querySelectorAll("tbody[role] > tr, details.part")];
  const rows = every.map((row) => [row, row.textContent.toLowerCase(), row.querySelector(".mark.fail, .mark.known")]);

  function apply() {
    const words = fields.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [row, text, failing] of rows) {
      row.hidden = !words.every((word) => text.includes(word)) || (fields.failing.checked && !failing);
    }
    for (const heading of document.querySelectorAll("main > h2")) {
      const found = [];
      for (let part = heading.nextElementSibling; part && part.tagName !== "H2"; part = part.nextElementSibling) {
        found.push(...every.filter((row) => part.contains(row)));
      }
      const named = found.filter((row) => row.id);
      const alike = found.every((row) => row.tagName === found[0].tagName) ? found : []; // of several kinds: no count
      const counted = named.length ? named : alike;
      const shown = counted.filter((row) => !row.hidden).length;
      heading.dataset.count = shown === counted.length ? shown || "" : `${shown} of ${counted.length}`;
    }
  }

  function openTarget() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) {
      for (let part = target; part; part = part.parentElement.closest("details")) {
        part.hidden = false;
        part.open = true;
      }
      target.scrollIntoView();
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("td a[href^='#']");
    if (link) {
      fields.text.value = link.closest("tr").querySelector("code").textContent;
      fields.failing.checked = false;
      apply();
    }
  });
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  window.addEventListener("hashchange", openTarget);
  form.hidden = rows.length < 2;
  fields.failing.parentElement.hidden = !rows.some(([, , failing]) => failing);
  apply();
  openTarget();
})();

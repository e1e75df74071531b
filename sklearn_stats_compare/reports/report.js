// Makes the tables sortable. A cell's `data-v` holds the number that its text rounds. Rows without
// a number stay last in both directions: NaN compares false with everything, and a comparison
// function that is not consistent leaves the order of Array.sort to the browser. A tie keeps the
// order, as sort is stable from ECMAScript 2019 on. A notebook may hold several reports, each with
// this script: each report is made ready once. In a block, for names of two scripts would collide.
{
"use strict";
const ready = report => {
  for (const button of report.querySelectorAll("th button")) {
    button.addEventListener("click", () => {
      const head = button.parentElement, table = head.closest("table");
      const column = head.cellIndex, up = head.getAttribute("aria-sort") !== "ascending";
      const key = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const numeric = row => row.cells[column].dataset.v !== undefined;
      const compare = (a, b) => {
        if (!numeric(a) || !numeric(b)) return key(a).localeCompare(key(b));
        const x = Number(key(a)), y = Number(key(b));
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return x === y ? 0 : x - y;
      };
      const last = row => numeric(row) && Number.isNaN(Number(key(row)));
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (last(a) || last(b)) ? last(a) - last(b) : (up ? 1 : -1) * compare(a, b));
      for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      table.tBodies[0].append(...rows);
    });
  }
};
for (const report of document.querySelectorAll(".ssc-report:not([data-ready])")) {
  report.dataset.ready = "";
  ready(report);
}
}

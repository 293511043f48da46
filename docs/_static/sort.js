// Tables of the class "sortable" are sorted by a click on the head of a column: numbers by size, words by the alphabet.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("table.sortable")) {
    table.querySelectorAll("thead th").forEach((head, column) => {
      let ascending = true;
      const value = (row) => {
        const words = row.cells[column].textContent.trim();
        const number = Number.parseFloat(words.replaceAll(",", ""));
        return Number.isNaN(number) ? words : number;
      };
      const sort = () => {
        ascending = !ascending;
        const sign = ascending ? 1 : -1;
        const rows = [...table.tBodies[0].rows].sort((a, b) => {
          const [x, y] = [value(a), value(b)];
          return sign * (typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "number" ? -1 : 1);
        });
        table.tBodies[0].append(...rows);
        head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      };
      head.tabIndex = 0;
      head.style.cursor = "pointer";
      head.title = "sort";
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => event.key === "Enter" && sort());
    });
  }
});

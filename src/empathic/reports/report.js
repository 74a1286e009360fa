// Sorts tables, shows the value under the pointer, hands out the data of a table as CSV. Nothing leaves the page.
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = head.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const body = table.tBodies[0];
      const key = (row) => {
        const cell = row.cells[column];
        const number = parseFloat(cell.dataset.value ?? cell.textContent.replace("−", "-"));
        return Number.isNaN(number) ? cell.textContent : number;
      };
      const rows = [...body.rows].sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
}
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.querySelector(".report").append(tip);
for (const dot of document.querySelectorAll("[data-tip]")) {
  dot.addEventListener("pointermove", (event) => {
    tip.textContent = dot.dataset.tip;
    tip.hidden = false;
    tip.style.left = `${Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 14}px`;
  });
  dot.addEventListener("pointerleave", () => { tip.hidden = true; });
}
for (const button of document.querySelectorAll("button[data-table]")) {
  button.addEventListener("click", () => {
    const table = document.getElementById(button.dataset.table);
    const quote = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const lines = [...table.rows].map((row) => [...row.cells].map((cell) => quote(cell.textContent.trim())).join(","));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.join("\n")], { type: "text/csv" }));
    link.download = `${button.dataset.table}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
const chooser = document.getElementById("choose-emotion");
chooser?.addEventListener("change", () => {
  for (const item of document.querySelectorAll("details[data-emotion]")) {
    item.hidden = chooser.value !== "" && item.dataset.emotion !== chooser.value;
  }
});

// The board beside the radios: drag a chatbot into a group, or use its buttons. The radios stay the answer.
const form = document.querySelector("form[data-rank]");
const fields = [...form.querySelectorAll("fieldset[data-bot]")];
const groups = [...fields[0].querySelectorAll("input")].map((input) => ({
  value: input.value,
  label: input.closest("label").textContent.trim(),
}));

const board = document.createElement("div");
board.className = "board";
const news = document.createElement("p");
news.className = "hidden";
news.setAttribute("role", "status");
const bins = [{ value: "", label: "Not sorted yet" }, ...groups].map(makeBin);
fields[0].before(board, news);
for (const hint of document.querySelectorAll("[data-hint]")) hint.hidden = false;
fields.forEach(makeChip);
form.addEventListener("change", place);
place();

function makeBin(group) {
  const bin = document.createElement("section");
  bin.className = group.value === "" ? "bin start" : "bin";
  bin.dataset.value = group.value;
  const title = document.createElement("h2");
  title.className = "small";
  title.textContent = group.label;
  bin.append(title);
  bin.setAttribute("aria-label", group.label);
  board.append(bin);
  return bin;
}

function makeChip(field) {
  const chip = document.createElement("div");
  chip.className = "chip";
  chip.dataset.bot = field.dataset.bot;
  const name = document.createElement("span");
  name.className = `bot-tag bot-${field.dataset.bot}`;
  name.textContent = field.dataset.bot;
  const moves = document.createElement("span");
  moves.className = "moves";
  moves.append(button(field, "worse", -1), button(field, "better", 1));
  chip.append(name, moves);
  chip.addEventListener("pointerdown", (event) => drag(event, chip, field));
  bins[0].append(chip);
}

function button(field, word, by) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = `plain ${word}`; // the arrow is in the stylesheet: it points to where the better group is
  made.setAttribute("aria-label", `Move the ${field.dataset.bot} chatbot one group ${word}`);
  made.addEventListener("click", () => {
    const now = groups.findIndex((group) => group.value === chosen(field));
    const next = now === -1 ? 1 : Math.min(Math.max(now + by, 0), groups.length - 1);
    choose(field, groups[next].value);
    made.focus();
  });
  return made;
}

function chosen(field) {
  return field.querySelector("input:checked")?.value ?? "";
}

function choose(field, value) {
  const input = [...field.querySelectorAll("input")].find((each) => each.value === value);
  if (!input) return;
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  const group = groups.find((each) => each.value === value);
  news.textContent = `${field.dataset.bot} chatbot: ${group.label}`;
}

function place() {
  for (const field of fields) {
    const chip = board.querySelector(`[data-bot="${field.dataset.bot}"]`);
    bins.find((bin) => bin.dataset.value === chosen(field)).append(chip);
  }
}

function drag(event, chip, field) {
  if (event.target.closest("button")) return;
  event.preventDefault();
  chip.setPointerCapture(event.pointerId);
  chip.classList.add("held");
  const under = (at) => document.elementsFromPoint(at.clientX, at.clientY).find((each) => bins.includes(each));
  const move = (at) => bins.forEach((bin) => bin.classList.toggle("over", bin === under(at)));
  const drop = (at) => {
    chip.classList.remove("held");
    bins.forEach((bin) => bin.classList.remove("over"));
    chip.removeEventListener("pointermove", move);
    chip.removeEventListener("pointerup", drop);
    chip.removeEventListener("pointercancel", drop);
    const bin = at.type === "pointerup" && under(at);
    if (bin && bin.dataset.value !== "") choose(field, bin.dataset.value);
  };
  chip.addEventListener("pointermove", move);
  chip.addEventListener("pointerup", drop);
  chip.addEventListener("pointercancel", drop);
}

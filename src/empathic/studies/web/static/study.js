// Autosave, the outbox and the heartbeat of a study page. Without this script the forms work as plain forms.
import { flush, key, onChange, post, put, rest, waiting, whole } from "./outbox.js";

const form = document.querySelector("form[data-autosave]");
const words = {
  sending: "Saving …",
  saved: "✓ Saved",
  waiting: "No connection. Your answers are kept here and sent again.",
  stale: "This page is out of date. Your answers are kept here; please reload it.",
  refused: "Not saved: please look at your last answer again.",
};

// The line beside the buttons that says what is saved and what is not.
function tell(where, state) {
  if (!where) return;
  let line = where.querySelector("[data-status]");
  if (!line) {
    line = document.createElement("span");
    line.className = "status";
    line.setAttribute("role", "status");
    line.dataset.status = "";
    where.append(line);
  }
  line.textContent = words[state];
  line.classList.toggle("bad", ["waiting", "stale", "refused"].includes(state));
  line.classList.toggle("good", state === "saved");
}

onChange((state) => tell(form, state));

function value(input) {
  return input.type === "radio" || input.type === "number" ? input.value.trim() : whole(input.value);
}

const last = new Map();
function save(input) {
  const given = value(input);
  if ((given === "" && input.tagName !== "TEXTAREA") || last.get(input.name) === given) return;
  last.set(input.name, given);
  put("/api/answers", { key: key(), answers: { [input.name]: given }, time: Date.now() / 1000 });
}

if (form) {
  let typing;
  form.addEventListener("change", (event) => {
    clearTimeout(typing);
    save(event.target);
  });
  form.addEventListener("input", (event) => {
    clearTimeout(typing);
    if (event.target.tagName === "TEXTAREA") typing = setTimeout(() => save(event.target), 1000);
  });
  // A page that is left or hidden in the middle of a sentence keeps what was typed.
  document.addEventListener("visibilitychange", () => {
    const box = document.activeElement;
    if (document.visibilityState !== "hidden" || box?.tagName !== "TEXTAREA") return;
    if (form.contains(box) && box.value !== box.defaultValue) save(box);
  });
}

// A form sent without a connection would end on the browser's error page: it waits until the server answers.
document.addEventListener("submit", async (event) => {
  const sent = event.target;
  if (sent.matches("[data-say]") || sent.dataset.moment === "go") return;
  event.preventDefault();
  if (sent.dataset.moment === "wait") return;
  sent.dataset.moment = "wait";
  const button = event.submitter ?? sent.querySelector("button");
  button.disabled = true;
  await flush();
  await online(sent);
  button.disabled = false;
  sent.dataset.moment = "go";
  sent.requestSubmit(button);
});
window.addEventListener("pageshow", () => {
  for (const each of document.querySelectorAll("form:not([data-say])")) {
    delete each.dataset.moment;
    for (const button of each.querySelectorAll("button")) button.disabled = false;
  }
});

async function online(where) {
  for (;;) {
    try {
      const answer = await fetch("/health", { cache: "no-store" });
      if (answer.status < 500) return;
    } catch {
      // still offline
    }
    tell(where.querySelector(".actions") ?? where, "waiting");
    await rest(1000);
  }
}

if (waiting()) flush();
window.addEventListener("online", () => flush());
setInterval(() => {
  if (document.visibilityState === "visible") post("/api/heartbeat", {}).catch(() => {});
}, 60000);
document.querySelector("[data-focus]")?.focus();

// Autosave, the outbox and the heartbeat of a study page. Without this script the forms work as plain forms.
import { flush, key, onChange, post, put, waiting, whole } from "./outbox.js";

const form = document.querySelector("form[data-autosave]");
const status = document.querySelector("[data-status]");
const words = {
  sending: "Saving …",
  saved: "Saved",
  waiting: "No connection. Your answers are kept here and sent again.",
  stale: "This page is out of date. Your answers are kept here; please reload it.",
};

onChange((state) => {
  if (status && form) {
    status.textContent = words[state];
    status.classList.toggle("bad", state === "waiting" || state === "stale");
  }
});

function value(input) {
  return input.type === "radio" || input.type === "number" ? input.value.trim() : whole(input.value);
}

function save(input) {
  const given = value(input);
  if (given === "" && input.tagName !== "TEXTAREA") return;
  put("/api/answers", { key: key(), answers: { [input.name]: given }, time: Date.now() / 1000 });
}

if (form) {
  form.addEventListener("change", (event) => save(event.target));
  let typing;
  form.addEventListener("input", (event) => {
    clearTimeout(typing);
    if (event.target.tagName === "TEXTAREA") typing = setTimeout(() => save(event.target), 1500);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button[type=submit]");
    button.disabled = true;
    await flush();
    await online();
    form.submit();
  });
  window.addEventListener("pageshow", () => {
    form.querySelector("button[type=submit]").disabled = false;
  });
}

// A form sent without a connection would end on the browser's error page: wait until the server answers.
async function online() {
  for (;;) {
    try {
      const answer = await fetch("/health", { cache: "no-store" });
      if (answer.status < 500) return;
    } catch {
      // still offline
    }
    if (status) {
      status.textContent = words.waiting;
      status.classList.add("bad");
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

if (waiting()) flush();
window.addEventListener("online", () => flush());
setInterval(() => {
  if (document.visibilityState === "visible") post("/api/heartbeat", {}).catch(() => {});
}, 60000);
document.querySelector("[data-focus]")?.focus();

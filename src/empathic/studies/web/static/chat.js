// The chat follows the database: a message is kept until the server has it, the answer is read as it grows.
import { key, owner, post, whole } from "./outbox.js";

const list = document.querySelector("[data-chat]");
const place = list.dataset.chat;
const status = document.querySelector("[data-status]");
const form = document.querySelector("form[data-say]");
const draft = `empathic-draft-${owner}-${place}`;

function keep(item) {
  try {
    if (item) localStorage.setItem(draft, JSON.stringify(item));
    else localStorage.removeItem(draft);
  } catch {
    // Without storage the message stays in the box until it is sent.
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(draft));
  } catch {
    return null;
  }
}

function say(text, bad = false) {
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

function show(line) {
  const item = list.querySelector(`[data-n="${line.n}"]`);
  if (!item) return;
  item.querySelector("[data-text]").textContent = line.text || "…";
}

function follow() {
  const source = new EventSource(`/api/chats/${place}/events`);
  source.addEventListener("line", (event) => show(JSON.parse(event.data)));
  source.addEventListener("end", () => {
    source.close();
    location.reload();
  });
}

async function send(item) {
  keep(item);
  for (let pause = 500; ; pause = Math.min(pause * 2, 10000)) {
    try {
      const answer = await post(`/api/chats/${place}/messages`, item);
      if (answer.status < 500 && answer.status !== 429) {
        if (!answer.ok) say(String((await answer.json()).detail), true);
        if (answer.ok || answer.status === 409) {
          keep(null);
          location.reload();
        }
        return answer.ok;
      }
    } catch {
      // no connection: wait and try again
    }
    say("Not sent yet. Your message is kept and sent again.", true);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

if (form) {
  const box = form.querySelector("textarea");
  const button = form.querySelector("button");
  const submit = async () => {
    const text = whole(box.value.trim());
    if (!text) return;
    button.disabled = true;
    const old = kept();
    const item = old && old.text === text ? old : { key: key(), text };
    if (!(await send(item))) button.disabled = false;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    }
  });
  const left = kept();
  if (left && list.dataset.waiting === "no") {
    box.value = left.text;
    send(left);
  } else if (list.dataset.waiting === "no") {
    box.focus();
  }
}
if (list.dataset.waiting === "yes") follow();

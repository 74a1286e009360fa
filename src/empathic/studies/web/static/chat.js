// The chat follows the database: a message is kept until the server has it, the answer is read as it grows.
import { key, owner, post, rest, store, stored, whole } from "./outbox.js";

const main = document.querySelector("main");
const news = document.querySelector("[data-news]"); // outside main, so that it is read aloud when main is renewed
const find = (name) => main.querySelector(name);
const place = () => find("[data-chat]").dataset.chat;
const draft = () => `empathic-draft-${owner}-${place()}`;

function say(text, bad = false) {
  const status = find("[data-status]");
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

// Shows the page as the server has it now, without leaving it.
async function renew() {
  for (let pause = 500; ; pause = Math.min(pause * 2, 5000)) {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      if (answer.status < 500) {
        if (!answer.ok || answer.redirected) return location.reload();
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        main.replaceChildren(...fresh.querySelector("main").childNodes);
        return begin();
      }
    } catch {
      // no connection: wait and try again
    }
    say("No connection. The chat is kept and continues.", true);
    await rest(pause);
  }
}

function show(line) {
  const text = find(`[data-n="${line.n}"] [data-text]`);
  if (!text) return;
  text.textContent = line.text || "…";
  text.parentElement.scrollIntoView({ block: "nearest" });
}

function follow() {
  const source = new EventSource(`/api/chats/${place()}/events`);
  source.addEventListener("line", (event) => {
    say("The chatbot is writing …");
    show(JSON.parse(event.data));
  });
  source.addEventListener("end", async () => {
    source.close();
    await renew();
    const answer = [...main.querySelectorAll("li.bot")].at(-1);
    if (answer) news.textContent = answer.textContent;
  });
  source.addEventListener("error", () => {
    say("No connection. The answer is kept and appears here.", true);
    if (source.readyState === EventSource.CLOSED) rest(2000).then(renew);
  });
}

function lock(on) {
  for (const button of main.querySelectorAll("button")) button.disabled = on;
}

// Until the message is there, the chat can be neither ended nor continued.
async function send(item) {
  lock(true);
  store(draft(), item);
  for (let pause = 500; ; pause = Math.min(pause * 2, 5000)) {
    try {
      const answer = await post(`/api/chats/${place()}/messages`, item);
      if (answer.status < 500 && answer.status !== 429) return settle(item, answer);
    } catch {
      // no connection: wait and try again
    }
    say("Not sent yet. Your message is kept and sent again.", true);
    await rest(pause);
  }
}

// What cannot be sent now stays in the box, to be sent or changed; it is not sent again by itself.
async function settle(item, answer) {
  store(draft(), answer.ok ? null : { text: item.text });
  const why = answer.ok ? "" : String((await answer.json()).detail);
  if (answer.ok || answer.status === 409) await renew();
  else lock(false);
  if (why) say(why, true);
}

function submit(form) {
  const text = whole(form.querySelector("textarea").value.trim());
  if (!text || form.querySelector("button").disabled) return;
  const old = stored(draft());
  send(old?.key && old.text === text ? old : { key: key(), text });
}

function begin() {
  if (find("[data-chat]").dataset.waiting === "yes") return follow();
  const box = find("form[data-say] textarea");
  if (!box) return;
  const left = stored(draft());
  if (left) box.value = left.text;
  if (left?.key) send(left);
  box.focus();
}

main.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-say]")) return;
  event.preventDefault();
  submit(event.target);
});
main.addEventListener("keydown", (event) => {
  if (!event.target.matches("[data-say] textarea") || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit(event.target.form);
});
main.addEventListener("input", (event) => {
  if (event.target.matches("[data-say] textarea")) store(draft(), { text: whole(event.target.value) });
});
begin();

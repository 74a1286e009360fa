// What was answered is kept here until the server has acknowledged it; sending again changes nothing there.
const body = document.body;
export const owner = body.dataset.owner;
const store = `empathic-outbox-${owner}`;

export function key() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A box that is full may cut an emoji in two; the half is replaced, because no database could keep it.
export function whole(text) {
  return text.toWellFormed ? text.toWellFormed() : text;
}

export async function post(path, content) {
  return fetch(path, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": body.dataset.csrf },
    body: JSON.stringify(content),
  });
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(store) || "[]");
  } catch {
    return memory;
  }
}

let memory = [];
function write(items) {
  memory = items;
  try {
    localStorage.setItem(store, JSON.stringify(items));
  } catch {
    // Private windows may refuse storage; the list in memory still resends.
  }
}

export function put(path, content) {
  write([...read(), { path, content }]);
  return flush();
}

export const waiting = () => read().length;

let running = null;
let listener = () => {};
export function onChange(callback) {
  listener = callback;
}

// Sends in order until nothing is left; every wait is a little longer, at most ten seconds.
export function flush() {
  running ??= drain().finally(() => {
    running = null;
  });
  return running;
}

async function drain() {
  let pause = 500;
  while (read().length) {
    const [first] = read();
    listener("sending");
    const result = await sent(first);
    if (result === "stop") return listener("stale");
    if (result === "done") {
      write(read().slice(1));
      pause = 500;
    } else {
      listener("waiting");
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 10000);
    }
  }
  listener("saved");
}

// Without a session (401, 403) it is kept for the next page; refused for good (other 4xx) it would never be accepted.
async function sent(item) {
  try {
    const answer = await post(item.path, item.content);
    if (answer.status === 401 || answer.status === 403) return "stop";
    return answer.status >= 500 || answer.status === 429 ? "again" : "done";
  } catch {
    return "again";
  }
}

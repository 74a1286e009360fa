// What was answered is kept here until the server has acknowledged it; sending again changes nothing there.
const body = document.body;
export const owner = body.dataset.owner;
// One entry per answer, named by time and key: two tabs never write the same one, so neither can lose the other's.
const mark = `empathic-outbox-${owner}-`;
const memory = new Map();

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

export function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

// False where storage is refused (private windows) or full: what is in memory is still sent.
export function store(name, item) {
  try {
    if (item === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(item));
    return true;
  } catch {
    return false;
  }
}

function names() {
  let kept = [];
  try {
    kept = Object.keys(localStorage).filter((name) => name.startsWith(mark));
  } catch {
    // no storage
  }
  return [...new Set([...kept, ...memory.keys()])].sort();
}

let count = 0;
export function put(path, content) {
  const moment = String(Date.now()).padStart(14, "0") + String(count++).padStart(6, "0");
  const name = `${mark}${moment}-${content.key}`;
  if (!store(name, { path, content })) memory.set(name, { path, content });
  return flush();
}

function drop(name) {
  memory.delete(name);
  store(name, null);
}

export const waiting = () => names().length;

let running = null;
let listener = () => {};
export function onChange(callback) {
  listener = callback;
}

// Sends in order until nothing is left.
export function flush() {
  running ??= drain().finally(() => {
    running = null;
  });
  return running;
}

async function drain() {
  let pause = 500;
  let end = "saved";
  for (let [name] = names(); name; [name] = names()) {
    const item = memory.get(name) ?? stored(name);
    listener("sending");
    const result = item ? await sent(item) : "done";
    if (result === "stop") return listener("stale");
    if (result === "done" || result === "refused") {
      drop(name);
      pause = 500;
      end = result === "done" ? end : "refused";
    } else {
      listener("waiting");
      await rest(pause);
      pause = Math.min(pause * 2, 5000);
    }
  }
  listener(end);
}

// Every wait is a little longer, at most five seconds, and ends at once when the browser is online again.
export function rest(milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
    window.addEventListener("online", done);
  });
}

// Without a session (401, 403) it is kept for the next page; refused for good (other 4xx) it would never be accepted.
async function sent(item) {
  try {
    const answer = await post(item.path, item.content);
    if (answer.status === 401 || answer.status === 403) return "stop";
    if (answer.status >= 500 || answer.status === 429) return "again";
    return answer.ok && !(await answer.json()).refused?.length ? "done" : "refused";
  } catch {
    return "again";
  }
}

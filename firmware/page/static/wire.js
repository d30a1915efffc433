// The way to the page's process and back: events in, presses out, and whether anybody is there.

// Both ends of the link beat every second; three missed beats, and what is shown is called old.
const SILENT_MS = 3000;
// A connection that is dead without a word is given up and made anew.
const DEAD_MS = 6000;
const ANSWER_MS = 1500;
const LOOK_MS = 250;

export class Wire {
  #onMessage;
  #onState;
  #onRefused;
  #tab = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  #count = 0;
  #sending = Promise.resolve();
  #source = null;
  #serviceUp = false;
  #heard = performance.now();
  #good = performance.now();
  // This browser's clock less the machine's monotonic one, in ms.
  #offset = null;

  state = "waiting";
  why = "";

  constructor({ onMessage, onState, onRefused }) {
    this.#onMessage = onMessage;
    this.#onState = onState;
    this.#onRefused = onRefused;
  }

  open() {
    this.#connect();
    setInterval(() => this.#look(), LOOK_MS);
  }

  // How long ago an instant of the machine's clock is, in ms.
  age(instant) {
    return this.#offset === null ? 0 : performance.now() - this.#offset - instant;
  }

  // Sends one command, after those before it. Nothing is kept for later: without a connection it is refused here.
  send(command, stamp) {
    if (this.state !== "up") {
      this.#onRefused("not_sent");
      return;
    }
    this.#count += 1;
    const body = { ...command, tab: this.#tab, id: `${this.#tab}-${this.#count}` };
    if (this.#offset !== null) body.at_ms = Math.max(0, stamp - this.#offset);
    this.#sending = this.#sending.then(() => this.#post(body));
  }

  async #post(body) {
    let answer;
    try {
      answer = await fetch("input", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        keepalive: true,
        signal: AbortSignal.timeout(ANSWER_MS),
      });
    } catch {
      this.#onRefused("no_answer");
      return;
    }
    if (answer.ok) return;
    const told = await answer.json().catch(() => null);
    this.#onRefused(told?.error ?? `HTTP ${answer.status}`);
  }

  #connect() {
    this.#source?.close();
    this.#heard = performance.now();
    this.#source = new EventSource(`events?tab=${this.#tab}`);
    this.#source.onmessage = (event) => this.#take(JSON.parse(event.data));
    this.#source.onerror = () => {
      this.#serviceUp = false;
      this.#set("waiting", "");
    };
  }

  #take(message) {
    this.#heard = performance.now();
    if (message.kind === "beat") {
      this.#offset = performance.now() - message.now_ms;
      if (this.#serviceUp) this.#set("up", "");
    } else if (message.kind === "link") {
      this.#serviceUp = message.up;
      this.#set(message.up ? "up" : "waiting", message.why ?? "");
    } else {
      this.#onMessage(message);
    }
  }

  #look() {
    const now = performance.now();
    if (this.state === "up") {
      this.#good = now;
      if (now - this.#heard > SILENT_MS) this.#set("gone", "");
      return;
    }
    if (now - this.#good > SILENT_MS) this.#set("gone", this.why);
    const closed = this.#source.readyState === EventSource.CLOSED && now - this.#heard > LOOK_MS * 4;
    if (closed || now - this.#heard > DEAD_MS) this.#connect();
  }

  #set(state, why) {
    // What is called old stays so until somebody is there again.
    const next = state === "waiting" && this.state === "gone" ? "gone" : state;
    if (next === this.state && why === this.why) return;
    this.state = next;
    this.why = why;
    this.#onState(next, why);
  }
}

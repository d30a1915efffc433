// The keys, the button on its cable and the goals: mouse, touch, keyboard, and whatever clicks for people.

// By place, not by letter, so that they lie under the fingers as on the box.
const CODES = {
  red: ["KeyQ", "Numpad7"], up: ["KeyW", "Numpad8"], white: ["KeyE", "Numpad9"],
  fault: ["KeyA", "Numpad4"], ok: ["KeyS", "Numpad5"], undo: ["KeyD", "Numpad6"],
  stroke: ["KeyZ", "Numpad1"], down: ["KeyX", "Numpad2"], rest: ["KeyC", "Numpad3"],
  hand: ["KeyH", "Numpad0"], goal_red: ["Digit1"], goal_white: ["Digit2"],
};
const BLOCK = ["red", "up", "white", "fault", "ok", "undo", "stroke", "down", "rest"];
const GOALS = ["goal_red", "goal_white"];
const SIGNS = { up: "▲", down: "▼" };
// What is printed there, as far as the browser does not say it itself.
const PRINTED = {
  de: { KeyZ: "Y" },
  fr: { KeyQ: "A", KeyW: "Z", KeyA: "Q", KeyZ: "W" },
};
// Assistive programs click without holding.
const TAP_MS = 120;

export class Keys {
  #wire;
  #words;
  #language;
  #buttons = new Map();
  #held = new Map();
  #layout = null;
  #offered = true;

  constructor({ wire, words, language }) {
    this.#wire = wire;
    this.#words = words;
    this.#language = language;
  }

  build() {
    for (const name of BLOCK) document.getElementById("keys").append(this.#key(name));
    document.getElementById("cable").append(this.#key("hand"));
    for (const name of GOALS) document.getElementById("goals").append(this.#goal(name));
    addEventListener("keydown", (event) => this.#keyboard(event, true));
    addEventListener("keyup", (event) => this.#keyboard(event, false));
    addEventListener("blur", (event) => this.#letGo(event.timeStamp));
    addEventListener("pagehide", (event) => this.#letGo(event.timeStamp));
    document.addEventListener("visibilitychange", (event) => {
      if (document.hidden) this.#letGo(event.timeStamp);
    });
    navigator.keyboard?.getLayoutMap?.().then((layout) => {
      this.#layout = layout;
      this.label();
    }, () => {});
  }

  // Shows the inputs of this board; a board with keys of its own has none here.
  offer({ inputs, keys, sensors }) {
    this.#offered = inputs !== false;
    const there = new Set([...(keys ?? [...BLOCK, "hand"]), ...(sensors ?? GOALS)]);
    document.body.dataset.inputs = String(this.#offered);
    for (const [name, button] of this.#buttons) button.hidden = !this.#offered || !there.has(name);
  }

  enable(on) {
    for (const button of this.#buttons.values()) button.setAttribute("aria-disabled", String(!on));
    if (!on) {
      // The page's process lets go of what it can no longer hear of.
      for (const button of this.#buttons.values()) delete button.dataset.held;
      this.#held.clear();
    }
  }

  label() {
    const words = this.#words();
    for (const [name, button] of this.#buttons) {
      const letter = this.#letter(CODES[name][0]);
      button.querySelector(".name").textContent = SIGNS[name] ?? words.key[name];
      button.querySelector("kbd").textContent = letter;
      button.setAttribute("aria-label", words.key[name]);
      button.setAttribute("aria-keyshortcuts", letter);
      button.title = `${words.key[name]} [${letter}]`;
    }
  }

  #letter(code) {
    const printed = this.#layout?.get(code) ?? PRINTED[this.#language()]?.[code] ?? code.replace(/^(Key|Digit)/, "");
    return printed.toUpperCase();
  }

  #button(name, kind) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = kind;
    button.dataset.name = name;
    for (const [tag, part] of [["span", "name"], ["kbd", "letter"]]) {
      const element = document.createElement(tag);
      element.className = part;
      button.append(element);
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    this.#buttons.set(name, button);
    return button;
  }

  #key(name) {
    const button = this.#button(name, "key");
    button.addEventListener("pointerdown", (event) => {
      if (event.button === 0) this.#hold(name, `pointer ${event.pointerId}`, event.timeStamp);
    });
    for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
      button.addEventListener(end, (event) => this.#release(name, `pointer ${event.pointerId}`, event.timeStamp));
    }
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      this.#hold(name, "click", event.timeStamp);
      setTimeout(() => this.#release(name, "click", performance.now()), TAP_MS);
    });
    return button;
  }

  #goal(name) {
    const button = this.#button(name, "goal");
    button.addEventListener("pointerdown", (event) => {
      if (event.button === 0) this.#pulse(name, event.timeStamp);
    });
    button.addEventListener("click", (event) => {
      if (event.detail === 0) this.#pulse(name, event.timeStamp);
    });
    return button;
  }

  #keyboard(event, down) {
    const focused = event.target.closest?.("button.key")?.dataset.name;
    const presses = event.code === "Space" || event.code === "Enter" || event.code === "NumpadEnter";
    const name = presses ? focused : Object.keys(CODES).find((key) => CODES[key].includes(event.code));
    if (!name || (down && (event.ctrlKey || event.altKey || event.metaKey))) return;
    event.preventDefault();
    if (!down) this.#release(name, event.code, event.timeStamp);
    else if (!event.repeat && GOALS.includes(name)) this.#pulse(name, event.timeStamp);
    else if (!event.repeat) this.#hold(name, event.code, event.timeStamp);
  }

  // Two fingers on one key are one press, until the last one has gone.
  #hold(name, by, stamp) {
    if (!this.#offered || this.#buttons.get(name).hidden) return;
    const holders = this.#held.get(name) ?? new Set();
    if (this.#wire.state === "up") {
      this.#held.set(name, holders.add(by));
      this.#buttons.get(name).dataset.held = "";
    }
    if (holders.size < 2) this.#wire.send({ input: name, active: true }, stamp);
  }

  #release(name, by, stamp) {
    const holders = this.#held.get(name);
    if (!holders?.delete(by) || holders.size > 0) return;
    this.#held.delete(name);
    delete this.#buttons.get(name).dataset.held;
    this.#wire.send({ input: name, active: false }, stamp);
  }

  #letGo(stamp) {
    for (const [name, holders] of [...this.#held]) {
      for (const by of [...holders]) this.#release(name, by, stamp);
    }
  }

  #pulse(name, stamp) {
    if (!this.#offered || this.#buttons.get(name).hidden) return;
    const button = this.#buttons.get(name);
    delete button.dataset.ball;
    void button.offsetWidth; // so that the ball falls again
    if (this.#wire.state === "up") button.dataset.ball = "";
    this.#wire.send({ pulse: name }, stamp);
  }
}

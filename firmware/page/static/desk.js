// The desk: joins the parts. Nothing here knows a rule of the game.

import { Keys } from "./keys.js";
import { drawLed, drawOled } from "./pictures.js";
import { Sound } from "./sound.js";
import { Wire } from "./wire.js";
import { words } from "./words.js";

const SIGNALS_SHOWN = 8;
const CALL_SHOWN_MS = 4000;
const NOTICE_SHOWN_MS = 6000;
// A signal that comes later than this is told, but no longer heard.
const LATE_MS = 1500;

const at = (id) => document.getElementById(id);
const forced = new URLSearchParams(location.search).get("lang");
let language = words[forced] ? forced : "de";
let say = words[language];
let board = null;

const wire = new Wire({ onMessage: take, onState: showLink, onRefused: notice });
const keys = new Keys({ wire, words: () => say, language: () => language });
const sound = new Sound();

function speak() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say[element.dataset.say];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say[element.dataset.label]);
  }
  at("oled").alt = say.oled;
  at("led").setAttribute("aria-label", say.led);
  at("signals").dataset.none = say.none;
  at("about").textContent = board && board.inputs === false ? say.watching : say.about;
  keys.label();
  showLink(wire.state, wire.why);
  showSound();
}

function take(message) {
  switch (message.kind) {
    case "panel":
      if (message.panel === "oled") drawOled(at("oled"), message);
      if (message.panel === "led") drawLed(at("led"), message);
      break;
    case "hall": at("hall").textContent = message.line || "\u00a0"; break;
    case "signal": showSignal(message); break;
    case "board":
      board = message;
      if (!forced && words[message.language]) {
        language = message.language;
        say = words[language];
      }
      keys.offer(message);
      speak();
      break;
    case "troubles": showTroubles(message.troubles); break;
  }
}

function showLink(state, why) {
  document.body.dataset.link = state;
  at("link-text").textContent = { up: say.connected, waiting: say.waiting, gone: say.gone }[state];
  at("gone").hidden = state !== "gone";
  at("gone").textContent = state === "gone" ? [say.gone_long, why && `(${why})`].filter(Boolean).join(" ") : "";
  keys.enable(state === "up");
}

let lastSignal = null;

function showSignal(message) {
  const { signal } = message;
  if (signal === "hush") {
    sound.hush();
    return;
  }
  const late = wire.age(message.at_ns / 1e6) > LATE_MS;
  // The call is a word, and the board says in which language; all else sounds the same everywhere.
  const word = message.word ?? say.call.toLowerCase();
  if (!late) sound.play(signal === "zeit" ? word : signal);
  if (signal === "zeit" && !late) showCall(word);
  const list = at("signals");
  const time = new Date().toLocaleTimeString(language);
  if (lastSignal && lastSignal.name === signal) {
    lastSignal.count += 1;
    lastSignal.item.querySelector("time").textContent = time;
    lastSignal.item.querySelector(".count").textContent = `× ${lastSignal.count}`;
    return;
  }
  const item = document.createElement("li");
  item.dataset.signal = signal;
  for (const [tag, text, kind] of [["time", time], ["span", say.signal[signal] ?? signal], ["span", "", "count"]]) {
    const part = document.createElement(tag);
    part.textContent = text;
    if (kind) part.className = kind;
    item.append(part);
  }
  list.prepend(item);
  while (list.children.length > SIGNALS_SHOWN) list.lastChild.remove();
  lastSignal = { name: signal, count: 1, item };
}

let callTimer = 0;

function showCall(word) {
  at("call").textContent = word.toUpperCase();
  clearTimeout(callTimer);
  callTimer = setTimeout(() => { at("call").textContent = ""; }, CALL_SHOWN_MS);
}

function showTroubles(troubles) {
  const list = at("troubles");
  list.replaceChildren(...troubles.map((trouble) => {
    const item = document.createElement("li");
    item.textContent = typeof trouble === "string" ? trouble : [trouble.name, trouble.what].filter(Boolean).join(": ");
    return item;
  }));
  list.hidden = troubles.length === 0;
}

let noticeTimer = 0;

function notice(what) {
  at("notice").textContent = say[what] ?? what;
  at("notice").hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { at("notice").hidden = true; }, NOTICE_SHOWN_MS);
}

function showSound() {
  at("sound").textContent = sound.on ? say.sound_on : say.sound_off;
  at("sound").setAttribute("aria-pressed", String(sound.on));
}

at("sound").addEventListener("click", async () => {
  await sound.toggle();
  showSound();
});

keys.build();
speak();
wire.open();

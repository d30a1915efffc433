// The loudspeaker. Browsers are silent until somebody has clicked, so it begins switched off.

export class Sound {
  #context = null;
  #sounds = new Map();
  #playing = null;

  on = false;

  async toggle() {
    this.on = !this.on;
    if (!this.on) {
      this.#playing?.stop();
      return;
    }
    this.#context ??= new AudioContext();
    await this.#context.resume();
    if (this.#sounds.size === 0) await this.#load();
    this.play("key");
  }

  hush() {
    this.#playing?.stop();
    this.#playing = null;
  }

  // As on the box, the newest sound cuts the older.
  play(name) {
    const sound = this.#sounds.get(name);
    if (!this.on || !sound) return;
    this.#playing?.stop();
    this.#playing = this.#context.createBufferSource();
    this.#playing.buffer = sound;
    this.#playing.connect(this.#context.destination);
    this.#playing.start();
    document.body.dataset.played = name;
  }

  async #load() {
    const names = await (await fetch("sounds")).json();
    await Promise.all(names.map(async (name) => {
      const file = await (await fetch(name)).arrayBuffer();
      this.#sounds.set(name.replace(/\.wav$/, ""), await this.#context.decodeAudioData(file));
    }));
  }
}

// Sounds of the table, synthesised: dice on wood, a man put down, and a bell for a hole.

import { setWish, wish } from "./store.js";

/** @type {AudioContext | null} */
let context = null;

/** Whether sounds are on; off by default where the main pointer is a finger. */
export const soundOn = () => Boolean(wish("sound", !matchMedia("(pointer: coarse)").matches));

export function setSound(on) {
  setWish("sound", on);
  if (on) play("man");
}

/** The audio context; null while sounds are off, or before the first click, when browsers refuse to play any. */
function ready() {
  if (!soundOn() || !window.AudioContext || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

/** A short tone that fades away. */
function tone(audio, at, { pitch, length, loud, kind = "sine", falls = 1 }) {
  const source = audio.createOscillator(), volume = audio.createGain();
  source.type = kind;
  source.frequency.setValueAtTime(pitch, at);
  source.frequency.exponentialRampToValueAtTime(pitch * falls, at + length);
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

/** A knock on wood: a low tone that falls quickly, and a click. */
function knock(audio, at, pitch, loud) {
  tone(audio, at, { pitch, length: 0.09, loud, kind: "triangle", falls: 0.5 });
  tone(audio, at, { pitch: pitch * 6.3, length: 0.02, loud: loud * 0.4, kind: "square", falls: 0.6 });
}

const SOUNDS = {
  dice(audio, at) {
    [[0, 410, 0.16], [0.05, 340, 0.12], [0.11, 460, 0.1], [0.16, 380, 0.07], [0.2, 430, 0.05]]
      .forEach(([later, pitch, loud]) => knock(audio, at + later, pitch, loud));
  },
  man(audio, at) {
    knock(audio, at, 210, 0.25);
  },
  bell(audio, at) {
    [[660, 0.12], [990, 0.07], [1320, 0.05], [1787, 0.03]]
      .forEach(([pitch, loud]) => tone(audio, at, { pitch, length: 1.1, loud }));
  },
};

/** Plays a sound: dice, man or bell. */
export function play(name) {
  const audio = ready();
  if (audio) SOUNDS[name](audio, audio.currentTime + 0.01);
}

// SHA-256. The browser has it too, but not on pages without HTTPS, such as a board on the local network.

const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** Adds one block of 64 bytes, at `from`, to a hash of eight words. */
function mix(hash, data, from) {
  const words = Array.from({ length: 16 }, (_, n) => data.getInt32(from + 4 * n));
  for (let n = 16; n < 64; n++) {
    const [a, b] = [words[n - 15], words[n - 2]];
    words.push((words[n - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + words[n - 7]
      + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0);
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let n = 0; n < 64; n++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[n] + words[n]) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, n) => (word + hash[n]) | 0);
}

/** The SHA-256 of a text, as 32 bytes. */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text), length = Math.ceil((bytes.length + 9) / 64) * 64;
  const data = new DataView(new ArrayBuffer(length));
  bytes.forEach((byte, n) => data.setUint8(n, byte));
  data.setUint8(bytes.length, 0x80);
  data.setBigUint64(length - 8, BigInt(bytes.length) * 8n);
  let hash = START;
  for (let from = 0; from < length; from += 64) hash = mix(hash, data, from);
  return hash.flatMap((word) => [24, 16, 8, 0].map((by) => (word >>> by) & 255));
}

/** Bytes as hexadecimal digits. */
export const hex = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Bytes as a number, most significant first, modulo a small number. */
export const modulo = (bytes, by) => bytes.reduce((rest, byte) => (rest * 256 + byte) % by, 0);

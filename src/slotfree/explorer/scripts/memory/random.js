// Random numbers that follow from a seed: xoshiro128** on 32-bit integers.

/** Return a well mixed number of 32 bits (the finaliser of MurmurHash3). */
function mixed(x) {
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Return the seed of a part, such as seedFor(7, "cue", 12): each part has a stream of its own. */
export function seedFor(seed, ...names) {
  let code = mixed((seed + 0x9e3779b9) >>> 0);
  for (const letter of names.join("/")) code = Math.imul(code ^ letter.codePointAt(0), 0x01000193);
  return mixed(code);
}

export class Generator {
  /** Begin the stream of a seed, an integer of 32 bits. */
  constructor(seed) {
    this.state = new Uint32Array(4);
    for (let i = 0; i < 4; i++) this.state[i] = mixed((seed + Math.imul(i + 1, 0x9e3779b9)) >>> 0);
  }

  /** Return an integer of 32 bits. */
  next() {
    const s = this.state;
    const x = Math.imul(s[1], 5);
    const result = Math.imul((x << 7) | (x >>> 25), 9) >>> 0;
    const t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** Return a number in [0, 1) that float32 holds exactly. */
  random() {
    return (this.next() >>> 8) / 0x1000000;
  }

  /** Return an integer from 0 to below n, each with the same chance. */
  below(n) {
    const limit = 0x100000000 - (0x100000000 % n);
    for (;;) {
      const number = this.next();
      if (number < limit) return number % n;
    }
  }

  /** Move a random k-subset of the first n items to the front (partial Fisher-Yates). */
  shuffleFront(items, n, k) {
    for (let q = 0; q < k; q++) {
      const r = q + this.below(n - q);
      const item = items[q];
      items[q] = items[r];
      items[r] = item;
    }
  }
}

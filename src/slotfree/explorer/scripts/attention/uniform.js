// Uniform random numbers by counting, as the library draws the fast weights that are there before a context.

const GOLDEN = 0x9e3779b97f4a7c15n;
const wrapped = (n) => BigInt.asUintN(64, n);

/** The key of the n-th stream under a key, a BigInt of 64 bits (the finaliser of SplitMix64). */
export function stream(key, n) {
  let z = wrapped(key + BigInt(n + 1) * GOLDEN);
  z = wrapped((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = wrapped((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

/** n numbers of a stream, uniform in [0, high), or 0 if high is 0. */
export function uniform(key, high, n) {
  const first = Number(key & 0xffffffffn);
  const second = Number(key >> 32n);
  const step = 2 ** -32 * high;
  return Float64Array.from({ length: n }, (_, count) => hashed(count, first, second) * step + 0.5 * high);
}

function hashed(count, first, second) {
  let x = (Math.imul(count, 0x9e3779b9) + first) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d) ^ second;
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

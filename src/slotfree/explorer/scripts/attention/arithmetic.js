// Sums and the exponential function as the library's kernels have them, so that results agree to the last bit.

const LOG_2_SHORT = 0.693145751953125; // log 2 is the sum of the two; n times the first is exact
const LOG_2_REST = 1.42860682030941723212e-6;
const TO_BITS = 1.5 * 2 ** 52;
const words = new Uint32Array(2);
const number = new Float64Array(words.buffer);
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0]; // which of the two words holds the exponent

/** e^x for x up to 709, in plain arithmetic; 0 below −708. */
export function exponential(x) {
  if (x < -708) return 0;
  const n = x * (1 / Math.LN2) + TO_BITS - TO_BITS;
  const r = x - n * LOG_2_SHORT - n * LOG_2_REST;
  const z = r * r;
  const p = r * ((1.2617719307481059e-4 * z + 3.0299440770744196e-2) * z + 1);
  const q = ((3.0019850513866446e-6 * z + 2.5244834034968410e-3) * z + 2.2726554820815503e-1) * z + 2;
  words[1 - HIGH] = 0;
  words[HIGH] = (n + 1023) << 20; // 2ⁿ, by its exponent
  return (1 + 2 * (p / (q - p))) * number[0];
}

/** Σ_j w_j x_j over a row that begins at `first`, in four lanes. */
export function dot(w, first, x) {
  const whole = x.length - (x.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let j = 0; j < whole; j += 4) {
    a += w[first + j] * x[j];
    b += w[first + j + 1] * x[j + 1];
    c += w[first + j + 2] * x[j + 2];
    d += w[first + j + 3] * x[j + 3];
  }
  let total = a + c + (b + d);
  for (let j = whole; j < x.length; j += 1) total += w[first + j] * x[j];
  return total;
}

/** W x, for a matrix that is kept row by row. */
export function product(W, x) {
  return Float64Array.from({ length: W.length / x.length }, (_, row) => dot(W, row * x.length, x));
}

/** softmax(β h). */
export function softmax(h, beta = 1) {
  const largest = h.reduce((a, b) => Math.max(a, b));
  const s = h.map((drive) => exponential(beta * (drive - largest)));
  const total = s.reduce((a, b) => a + b, 0);
  return s.map((part) => part / total);
}

/** The place of the largest number; of equal ones, the first. */
export function largest(values) {
  return values.reduce((best, value, place) => (value > values[best] ? place : best), 0);
}

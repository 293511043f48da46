// k-winner-take-all with the tie rule of the library, to the bit.
//
// Of units that tie for the last places, those win for which a hash of the unit and of the layer's active inputs is
// largest. The hash is of 64 bits, which are kept as two halves of 32: integers of JavaScript hold 53.

const MAX_BUCKETS = 1024;

let high = 0; // the two halves of the result of the last 64-bit operation
let low = 0;

/** Leave a · b of 64 bits in high and low; Math.imul gives the lower 32 bits of a product. */
function multiply(aHigh, aLow, bHigh, bLow) {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16); // below 2^33, so exact
  const carry = (middle % 0x10000) + a0 * b1;
  const top = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000);
  high = (top + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) >>> 0;
  low = Math.imul(aLow, bLow) >>> 0;
}

/** Leave x ^ (x >> shift) of the last result in high and low; 0 < shift < 32. */
function fold(shift) {
  low = (low ^ ((low >>> shift) | (high << (32 - shift)))) >>> 0;
  high = (high ^ (high >>> shift)) >>> 0;
}

/** Return a hash of the first n active inputs, [high, low] (FNV-1a over integers). */
export function hashInputs(inputs, n = inputs.length) {
  high = 0xcbf29ce4;
  low = 0x84222325;
  for (let a = 0; a < n; a++) multiply(high, (low ^ inputs[a]) >>> 0, 0x100, 0x000001b3);
  return [high, low];
}

/** Return where a unit stands in a tie: an integer of 53 bits (SplitMix64), largest first. */
export function turn(codeHigh, codeLow, unit) {
  multiply(0x9e3779b9, 0x7f4a7c15, 0, unit + 1);
  const sum = low + codeLow;
  high = (high + codeHigh + (sum > 0xffffffff ? 1 : 0)) >>> 0;
  low = sum >>> 0;
  fold(30);
  multiply(high, low, 0xbf58476d, 0x1ce4e5b9);
  fold(27);
  multiply(high, low, 0x94d049bb, 0x133111eb);
  fold(31);
  return high * 0x200000 + (low >>> 11);
}

/** Working room of `kWinners` for a layer of n units. */
export class WinnersRoom {
  constructor(n) {
    this.values = new Float64Array(n);
    this.counts = new Int32Array(MAX_BUCKETS);
  }
}

/**
 * Write the ascending indices of the k units with the largest drives to winners.
 * `inputs`, of which the first n are taken, are the active inputs of the layer: they decide ties and nothing else.
 */
export function kWinners(drive, k, inputs, n, winners, room) {
  room.values.set(drive);
  const threshold = kthLargest(room.values, drive.length, k, room.counts);
  let reach = 0;
  let above = 0;
  for (let i = 0; i < drive.length; i++) {
    if (drive[i] >= threshold) {
      if (reach < k) winners[reach] = i;
      reach++;
      if (drive[i] > threshold) above++;
    }
  }
  if (reach > k) breakTies(drive, threshold, k - above, hashInputs(inputs, n), winners, room);
}

/** Write those above the threshold, and `places` of those at it, by turn (equal turns: the lowest index). */
function breakTies(drive, threshold, places, [codeHigh, codeLow], winners, room) {
  let tied = 0;
  for (let i = 0; i < drive.length; i++) {
    if (drive[i] === threshold) room.values[tied++] = turn(codeHigh, codeLow, i);
  }
  const turns = room.values.slice(0, tied);
  const last = kthLargest(room.values, tied, places, room.counts);
  let equal = places; // places for those whose turn is the last that wins
  for (const place of turns) if (place > last) equal--;
  for (let i = 0, t = 0, c = 0; i < drive.length; i++) {
    let keep = drive[i] > threshold;
    if (drive[i] === threshold) {
      const place = turns[t++];
      keep = place > last || (place === last && equal-- > 0);
    }
    if (keep) winners[c++] = i;
  }
}

/**
 * Return the k-th largest (k counts from 1) of the first n values, which are overwritten.
 *
 * The values are spread over buckets between their extremes; the bucket in which the k-th is, is searched on.
 */
function kthLargest(values, n, k, counts) {
  for (;;) {
    let least = values[0];
    let greatest = values[0];
    for (let i = 1; i < n; i++) {
      if (values[i] < least) least = values[i];
      if (values[i] > greatest) greatest = values[i];
    }
    if (!(least < greatest)) return least;
    const nBuckets = Math.min(n + 2, MAX_BUCKETS);
    const scale = (nBuckets - 1) / (greatest - least);
    counts.fill(0, 0, nBuckets);
    for (let i = 0; i < n; i++) counts[((values[i] - least) * scale) | 0]++;
    let bucket = nBuckets - 1;
    while (counts[bucket] < k) k -= counts[bucket--];
    let left = 0;
    for (let i = 0; i < n; i++) {
      const value = values[i];
      if ((((value - least) * scale) | 0) === bucket) values[left++] = value;
    }
    n = left;
  }
}

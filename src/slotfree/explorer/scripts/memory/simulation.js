// A memory that stores a stream and is tested as it goes, with a 1-winner MHN beside it.

import { KWinnerMHN } from "./memory/kwinner.js";
import { accuracy, tally } from "./memory/metrics.js";
import { partialCue, patternOf, positions } from "./memory/patterns.js";
import { Generator, seedFor } from "./memory/random.js";
import { Recognition } from "./memory/recognition.js";
import { Meter, OLDEST, settling, tested } from "./memory/retention.js";
import { sourceOf } from "./memory/sources.js";

/** The 1-winner MHN of the paper: as many weights as the K-winner of the main text. */
export const ONE_WINNER = { n_hidden: 100, k_hidden: 1, fan_in: 1, learning_rate: 1 };

const TESTS = 2; // patterns that are tested after each one stored
const ALL_TESTED = 1000; // patterns in a test of all ages, as in the paper

/** What happens between storing and testing, all of which follows from the seed. */
export class Simulation {
  /**
   * settings: those of the memory. source: {similarity, n_flips}. own: patterns drawn by hand, [{index, ones}], stored
   * when so many patterns have been stored before. quiet: how many are stored before any is tested.
   */
  constructor({ settings, source, cue, seed, own = [], quiet = 0 }) {
    this.seed = seed;
    this.quiet = quiet;
    this.cue = cue;
    this.memory = new KWinnerMHN(settings, { seed: seedFor(seed, "memory") });
    this.one = new KWinnerMHN(ONE_WINNER, { seed: seedFor(seed, "1-winner") });
    this.source = sourceOf(source, this.memory.settings, seedFor(seed, "patterns"));
    this.settled = Math.max(settling(this.memory.settings), settling(this.one.settings));
    this.own = own.map(({ index, ones }) => ({ index, ones: Uint16Array.from(ones) }));
    this.history = []; // a ring of the newest entries, {index, pattern, winners, isOwn}
    this.lastOwn = null;
    this.followed = null; // an entry, kept longer than the ring would
    this.wanted = null; // the index of the entry that is to be followed, once it is stored
    this.wins = new Uint32Array(this.memory.settings.n_hidden);
    this.toTest = 0; // ages that are left of a test of all ages
    this.begin();
  }

  get stored() {
    return this.memory.n_stored;
  }

  /** Whether the stream has come to its end: a tree has so many leaves. */
  get ended() {
    return this.source.left() === 0 && !this.own.some(({ index }) => index === this.stored);
  }

  /** Begin the tests anew. */
  begin() {
    this.meters = [new Meter(), new Meter()];
    this.recognition = [new Recognition(), new Recognition()];
    this.turn = 0;
    this.toTest = 0;
    this.rng = new Generator(seedFor(this.seed, "tests", this.stored));
  }

  setCue(cue) {
    this.cue = cue;
    this.begin();
  }

  /** Store the next pattern of the stream, or one drawn by hand whose turn it is, and test some. */
  store() {
    const mine = this.own.find(({ index }) => index === this.stored);
    const pattern = mine ? patternOf(mine.ones, this.memory.settings.n_visible) : this.source.next();
    const entry = { index: this.stored, pattern, winners: this.memory.store(pattern), isOwn: Boolean(mine) };
    entry.oneWinners = this.one.store(pattern);
    this.history[entry.index % OLDEST] = entry;
    if (entry.isOwn) this.lastOwn = entry;
    if (entry.index === this.wanted) this.followed = entry;
    for (const unit of entry.winners) this.wins[unit]++;
    if (this.stored === this.settled) this.begin();
    if (this.stored <= this.quiet) return;
    for (let t = 0; t < TESTS; t++) this.testNext();
    this.testNeverStored();
  }

  /** Store a pattern drawn by hand. */
  storeOwn(ones) {
    this.own.push({ index: this.stored, ones });
    this.store();
  }

  /** Return the entry of an age, 1 being the newest, or undefined. */
  entry(age) {
    return age >= 1 && age <= Math.min(this.stored, OLDEST) ? this.history[(this.stored - age) % OLDEST] : undefined;
  }

  /** Keep the entry of an index for as long as the simulation lasts. */
  follow(index) {
    this.wanted = index;
    if (this.followed?.index !== index) this.followed = this.entry(this.stored - index) ?? null;
  }

  /** Test a pattern of the bin of ages whose turn it is. */
  testNext() {
    const { edges, bins } = this.meters[0];
    const bin = this.turn % bins.length;
    const age = edges[bin] + this.rng.below(edges[bin + 1] - edges[bin]);
    this.turn = age > this.stored ? 0 : this.turn + 1; // older ones are not there yet
    this.test(age);
  }

  test(age) {
    const entry = this.entry(age);
    if (!entry || entry.isOwn) return;
    [this.memory, this.one].forEach((memory, m) => {
      const found = tested(memory, entry.pattern, this.cue, this.rng);
      this.meters[m].add(age, found);
      this.recognition[m].addOld(age, found);
    });
  }

  testNeverStored() {
    const pattern = this.source.never();
    [this.memory, this.one].forEach((memory, m) => {
      const found = tested(memory, pattern, this.cue, this.rng);
      this.meters[m].baseline.add(found);
      this.recognition[m].addNew(found);
    });
  }

  /** Begin a test of all ages, with the weights as they are: `testOne` does it step by step. */
  testAll() {
    this.toTest = Math.min(this.stored, ALL_TESTED);
  }

  testOne() {
    this.test(this.toTest);
    this.testNeverStored();
    this.toTest--;
  }

  /** Return how an entry is recalled from its cue, which is always the same ones of it. */
  recall({ index, pattern, winners, oneWinners, isOwn }) {
    const rng = new Generator(seedFor(this.seed, "cue", index));
    const cue = this.cue === 1 ? pattern : partialCue(pattern, this.cue, rng);
    const [retrieved, byOne] = [this.memory.retrieve(cue), this.one.retrieve(cue)];
    return {
      index,
      isOwn,
      age: this.stored - index,
      pattern: positions(pattern),
      cue: positions(cue),
      retrieved: positions(retrieved),
      accuracy: accuracy(retrieved, pattern),
      tally: tally(retrieved, pattern),
      oneWinner: accuracy(byOne, pattern),
      oneRetrieved: positions(byOne),
      winners,
      oneWinners,
      cueWinners: this.memory.winners(cue),
      drives: Float32Array.from(this.memory.drives(cue)),
    };
  }
}

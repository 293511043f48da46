// The simulation in a thread of its own. It works in short slices, so that it hears what the page wants in between.
//
// Messages to it, {what, …}: start (a new simulation), run (patterns per second, 0 to pause; halt also ends what is to
// be stored at once), store (so many at once), own (a pattern drawn by hand), look (which pattern and which unit to
// show), cue, test (all ages). It answers with frames; a frame carries the number of the start that it belongs to.

import { Simulation } from "./memory/simulation.js";

const SLICE = 14; // milliseconds of work before it listens
const FRAME = 70; // milliseconds between frames

let simulation = null;
let run = 0; // the number of the start
let rate = 0; // patterns per second
let due = 0; // patterns that are to be stored by rate
let goal = 0; // a number of patterns that is to be reached without delay
let heard = 0; // messages
let looking = { show: "age", age: 1, unit: 0 };
let timer = null;
let then = 0; // when the last slice began
let shown = 0; // when the last frame was sent

const DO = {
  start(message) {
    simulation = new Simulation(message.options);
    ({ run } = message);
    goal = message.stored;
    due = 0;
  },
  run(message) {
    ({ rate } = message);
    due = 0;
    if (message.halt) goal = 0;
    then = performance.now();
  },
  store(message) {
    goal = Math.max(goal, simulation.stored) + message.n;
  },
  own(message) {
    simulation.storeOwn(message.ones);
    goal = 0;
  },
  look(message) {
    looking = message.looking;
  },
  cue(message) {
    simulation.setCue(message.cue);
  },
  test() {
    simulation.testAll();
  },
};

function busy() {
  return simulation.toTest > 0 || (!simulation.ended && (simulation.stored < goal || rate > 0));
}

/** Do one thing that is due; return whether there was one. */
function step() {
  if (simulation.toTest > 0) simulation.testOne();
  else if (simulation.ended) return false;
  else if (simulation.stored < goal) simulation.store();
  else if (due >= 1) {
    simulation.store();
    due--;
  } else return false;
  return true;
}

function slice() {
  timer = null;
  const now = performance.now();
  if (rate > 0) due = Math.min(due + (rate * (now - then)) / 1000, Math.max(1, rate));
  then = now;
  while (performance.now() - now < SLICE && step());
  if (!busy() || now - shown >= FRAME) send();
  if (busy()) timer = setTimeout(slice, due >= 1 || simulation.stored < goal || simulation.toTest > 0 ? 0 : 15);
}

/** Return the entry that is looked at. */
function entry() {
  if (looking.show === "own") return simulation.lastOwn;
  if (looking.show === "follow") {
    simulation.follow(looking.index);
    return simulation.followed;
  }
  return simulation.entry(looking.age);
}

function send() {
  shown = performance.now();
  const seen = entry();
  const unit = Math.min(looking.unit, simulation.wins.length - 1);
  postMessage({
    run,
    heard,
    stored: simulation.stored,
    settled: simulation.settled,
    ended: simulation.ended,
    busy: busy(),
    testing: simulation.toTest,
    own: simulation.own,
    ownAge: simulation.lastOwn ? simulation.stored - simulation.lastOwn.index : null,
    recall: seen ? simulation.recall(seen) : null,
    wins: simulation.wins,
    unit: { index: unit, wins: simulation.wins[unit], ...simulation.memory.unit(unit) },
    curves: simulation.meters.map((meter) => meter.curve()),
    recognition: simulation.recognition.map((each) => each.curves()),
  });
}

onmessage = ({ data }) => {
  heard++;
  DO[data.what](data);
  if (!simulation) return;
  if (timer === null) {
    then = performance.now();
    timer = setTimeout(slice, 0);
  }
};

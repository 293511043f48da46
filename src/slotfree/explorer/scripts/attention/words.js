// What happens in a sequence, in words.

import { largest } from "./attention/arithmetic.js";
import { two } from "./attention/maths.js";

const CASES = ["lower case", "upper case"];

/** "A, upper case", of an item. */
export function itemName(task, token) {
  return `${task.token_names[token]}, ${CASES[Math.floor(token / task.n_letters)]}`;
}

/** Words in a row: "a, b and c". */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** For each unit the number of the item it holds after so many items, or −1. */
export function holds(trace, after = trace.items.length) {
  const held = new Array(trace.sizes.n_hidden).fill(-1);
  trace.winners.slice(0, after).forEach((units, t) => units.forEach((m) => (held[m] = t)));
  return held;
}

/** Which units stored an item, and why these. */
export function whoStored(trace, t, isPerfect) {
  const units = trace.winners[t];
  const where = units.length > 1 ? `units ${listed(units)}` : `unit ${units[0]}`;
  if (isPerfect) return `Stored in ${where}: item ${t + 1} always is, whatever the drives are.`;
  const drives = trace.drives[t];
  if (units.length > 1) {
    const shown = [...units].sort((a, b) => drives[b] - drives[a]).map((m) => two(drives[m]));
    return `Stored in ${where}, which have the ${units.length} largest drives: ${listed(shown)}.`;
  }
  const others = drives.map((drive, m) => (units.includes(m) ? -Infinity : drive));
  const next = largest(others);
  return `Stored in ${where}, which has the largest drive, ${two(drives[units[0]])}; next is ${two(others[next])}.`;
}

/** What an item overwrote, and what is left of it; empty if nothing was. */
export function whatWasLost(trace, task, t) {
  const before = holds(trace, t);
  const after = holds(trace, t + 1);
  const taken = trace.winners[t].filter((m) => before[m] >= 0);
  const items = [...new Set(taken.map((m) => before[m]))];
  return items.map((item) => {
    const name = task.token_names[trace.items[item]];
    const units = taken.filter((m) => before[m] === item);
    const left = after.filter((held) => held === item).length;
    const where = units.length > 1 ? `units ${listed(units)}` : `unit ${units[0]}`;
    const rest = left === 0 ? "that item is gone" : `${left} of its ${trace.winners[item].length} units still hold it`;
    return `The ${name} in ${where} is overwritten; ${rest}.`;
  }).join(" ");
}

/** How much attention each item has, over the units that hold it, and how much units have that hold none. */
export function attentionByItem(trace) {
  const shares = trace.items.map(() => 0);
  let rest = 0;
  holds(trace).forEach((t, m) => {
    if (t < 0) rest += trace.attention[m];
    else shares[t] += trace.attention[m];
  });
  return { shares, rest };
}

/** Where attention goes. */
export function whoIsAttended(trace, task) {
  const { shares, rest } = attentionByItem(trace);
  const best = largest(shares);
  const percent = (share) => `${Math.round(100 * share)} %`;
  const name = task.token_names[trace.items[best]];
  if (rest > shares[best]) return `Most attention, ${percent(rest)}, is on units that have stored nothing.`;
  return `The ${name} has most attention, ${percent(shares[best])}.`;
}

/** The answer as a number of an output, and whether it is right: true, false or null if none is. */
export function answerOf(trace) {
  const answer = largest(trace.answered_by);
  return { answer, right: trace.target < 0 ? null : answer === trace.target };
}

/** What the task says. */
export function whatIsRight(trace, task) {
  const letter = task.letters[trace.asked - 2 * task.n_letters];
  const came = trace.items.filter((token) => token % task.n_letters === trace.asked % task.n_letters);
  if (came.length === 0) return `No ${letter} is in the context, so no answer is right.`;
  const names = came.map((token) => task.token_names[token]);
  const why = came.length > 1 ? ", and the latest counts" : "";
  return `The context has ${listed(names)}${why}: ${CASES[trace.target]} is right.`;
}

/** The verdict in a few words. */
export function verdict(trace) {
  const { answer, right } = answerOf(trace);
  const judged = right === null ? "a guess: none is right" : right ? "right" : "wrong";
  return `${right ? "✓" : right === false ? "✗" : "?"} ${CASES[answer]}, ${judged}`;
}

/** One sentence for the screen reader, for each step from 1 on. */
export function sayStep(trace, task, step, kind) {
  const n = trace.items.length;
  if (step < 1) return "Nothing is stored yet.";
  if (step <= n) {
    const name = itemName(task, trace.items[step - 1]);
    if (kind.isSlots) return `Item ${step}, ${name}, is kept in slot ${step - 1}.`;
    const stored = whoStored(trace, step - 1, kind.isPerfect);
    return `Item ${step}, ${name}. ${stored} ${whatWasLost(trace, task, step - 1)}`.trim();
  }
  if (step === n + 1) return `Query ${task.token_names[trace.asked]}. ${whoIsAttended(trace, task)}`;
  if (step === n + 2) {
    const best = largest(trace.reinstated);
    return `The reinstated input is largest at ${task.token_names[best]}, ${two(trace.reinstated[best])}.`;
  }
  return `Answer: ${verdict(trace).slice(2)}. ${whatIsRight(trace, task)}`;
}

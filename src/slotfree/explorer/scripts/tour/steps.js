// What the tour says, and what each of its steps shows.

/** {name, title, text, shows: parts of the stage, pace: patterns per second, last: age at which they stop}. */
export const STEPS = [
  {
    name: "Start", title: "Watch a memory forget",
    text: "Two memories of the same size have stored this picture, and ten other patterns follow every second. Asked " +
      "with half of its cells, the ensemble lets it fade; the slot is perfect, and then the picture is gone at once.",
    shows: ["stored", "ensemble", "slot"], pace: 10, last: 500,
  },
  {
    name: "Store", title: "Store: one picture, fifty units",
    text: "The picture is 100 cells of 1000. It drives 2000 hidden units; the 50 that it drives most win, and their " +
      "connections move a little towards it. This ensemble is all that is kept. A slot is a single unit, of 100, " +
      "whose connections become the picture.",
    shows: ["stored", "units"], pace: 0, last: 1,
  },
  {
    name: "Recall", title: "Recall: a part brings back the whole",
    text: "Show a part of the picture, the cue. It drives hidden units; those that win drive the cells, and the 100 " +
      "cells that are driven most come back. How small a part is enough? Move the slider.",
    shows: ["cue", "ensemble", "slot", "share"], pace: 0, last: 1,
  },
  {
    name: "Forget", title: "Forget: others move the same weights",
    text: "Each pattern that follows moves the connections of 50 units, and some of these hold the picture. Nothing " +
      "is erased. It is overwritten bit by bit, until the picture comes back no better than one that was never " +
      "stored: the dotted line.",
    shows: ["ensemble", "fading"], pace: 10, last: 500,
  },
  {
    name: "Slots or ensembles", title: "Slots or ensembles: which is the better memory?",
    text: "Each new pattern takes one of 100 slots: the picture is safe until its own is taken, and when that is, is " +
      "chance. Try it again with others. An ensemble is worse at first, but after a hundred or two, when most slots are " +
      "taken, it still knows something of each.",
    shows: ["ensemble", "slot", "fading", "both"], pace: 10, last: 500,
  },
  {
    name: "Theory", title: "Theory: forgetting can be computed",
    text: "From four numbers (how many units, how many win, how many connections each has, how far weights move) " +
      "theory computes how well a pattern of any age comes back: the dashed line. Nothing is fitted. The points are " +
      "measured while this memory stores 300 patterns a second.",
    shows: ["theory"], pace: 300, last: 6000,
  },
  {
    name: "Attention", title: "Attention without slots",
    text: "A transformer keeps each item that it has read in a slot. Here items are written into units, as the " +
      "picture was. It read b, A, D, c, and is asked in which case d was: it attends to units, and what they hold " +
      "is the answer.",
    shows: ["attention"], pace: 0, last: 0,
  },
];

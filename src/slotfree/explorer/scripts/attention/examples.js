// Sequences that show something, each with a sentence for what. The tests check every sentence with the library.

export const EXAMPLES = [
  {
    name: "A letter, found again",
    values: { context: "bADc", query: "d", model: "query-key", storage: "winner" },
    shows: "Each letter is stored in a unit of its own, and the query attends to the one that holds D.",
  },
  {
    name: "The latest counts",
    values: { context: "aAbc", query: "a", model: "query-key", storage: "winner" },
    shows: "The keys of a and A have become alike, so A takes the unit of a: storing is updating.",
  },
  {
    name: "With slots, it cannot",
    values: { context: "aAbc", query: "a", model: "slots", storage: "winner" },
    shows: "A transformer with slots keeps both, attends to both, and cannot know which came later: it is wrong.",
  },
  {
    name: "Spread over three units",
    values: { context: "bADc", query: "a", model: "query-key", storage: "winners" },
    shows: "D takes one unit of A, and c another. The third still holds A, and that is enough.",
  },
  {
    name: "Two letters, one unit",
    values: { context: "ABcd", query: "a", model: "mhn", storage: "winner" },
    shows: "The MHN rule has made the keys of A and B alike. B overwrites A, and the answer is a wrong guess.",
  },
  {
    name: "Without projections",
    values: { context: "bADc", query: "b", model: "query-key", storage: "no-projections" },
    shows: "No letter has a unit of its own. Here c is stored where b was, and b is lost.",
  },
  {
    name: "Never shown",
    values: { context: "aBcA", query: "d", model: "query-key", storage: "winner" },
    shows: "No unit fits the query, so attention is spread over all of them, and most of those stored nothing.",
  },
];

// The Case Sequence Task: in which case did the queried letter appear?

export const NO_ANSWER = -1; // a target: nothing was shown that the query asks for

/** Tokens: letters in lower case, 0 to L − 1, in upper case, L to 2L − 1, and queries, 2L to 3L − 1. */
export class CaseSequenceTask {
  constructor({ n_letters, context_length }) {
    Object.assign(this, { n_letters, context_length, n_tokens: 3 * n_letters, n_outputs: 2 });
    this.letters = [..."abcdefghijklmnopqrstuvwxyz"].slice(0, n_letters);
    const upper = this.letters.map((letter) => letter.toUpperCase());
    this.token_names = [...this.letters, ...upper, ...this.letters.map((letter) => `${letter}?`)];
    this.output_names = ["lowercase", "uppercase"];
  }

  /** What is wrong with the text of a context, in words; empty if nothing is. */
  faultOfContext(text) {
    const wrong = [...new Set([...text].filter((c) => !this.letters.includes(c.toLowerCase())))];
    const right = `Type ${this.context_length} letters out of ${this.letters.join(", ")}, each in either case: bADc.`;
    if (wrong.length > 0) return `${wrong.map((c) => `“${c}”`).join(" and ")} cannot be in a context. ${right}`;
    if ([...text].length === this.context_length) return "";
    const found = text.length === 1 ? "1 letter" : `${text.length} letters`;
    return `A context has ${this.context_length} letters, and this one has ${found}. ${right}`;
  }

  /** What is wrong with the text of a query. */
  faultOfQuery(text) {
    if (this.letters.includes(text.toLowerCase().replace(/\?$/, ""))) return "";
    return `A query is one letter: ${this.letters.slice(0, -1).join(", ")} or ${this.letters.at(-1)}.`;
  }

  /** One sequence by names, "bADc" and "d": tokens, and the right output. Letters may come back: the latest counts. */
  sequence(context, query) {
    const fault = this.faultOfContext(context) || this.faultOfQuery(query);
    if (fault) throw new Error(fault);
    const L = this.n_letters;
    const items = [...context].map((name) => this.token_names.indexOf(name));
    const asked = this.letters.indexOf(query.toLowerCase().replace(/\?$/, ""));
    const latest = items.findLast((token) => token % L === asked);
    return { items, query: 2 * L + asked, target: latest === undefined ? NO_ANSWER : Math.floor(latest / L) };
  }
}

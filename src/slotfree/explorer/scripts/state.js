// What the page shows, kept in its address: #tab?name=value&…

export const TABS = ["tour", "memory", "attention"];

/** Return {tab, values} of the address; an unknown tab is the first. */
export function readAddress(hash = location.hash) {
  const [tab, query = ""] = hash.replace(/^#/, "").split("?");
  return { tab: TABS.includes(tab) ? tab : TABS[0], values: Object.fromEntries(new URLSearchParams(query)) };
}

/**
 * Put a tab and its values, as texts, into the address, without a new entry in the history. The ? is always there: an
 * address that ends in the name of an element would make the browser scroll to it.
 */
export function writeAddress(tab, values) {
  history.replaceState(null, "", `#${tab}?${new URLSearchParams(values)}`);
}

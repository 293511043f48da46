// What the page shows, kept in its address: #tab?name=value&…

export const TABS = ["memory", "attention"];

/** Return {tab, values} of the address; an unknown tab is the first. */
export function readAddress(hash = location.hash) {
  const [tab, query = ""] = hash.replace(/^#/, "").split("?");
  return { tab: TABS.includes(tab) ? tab : TABS[0], values: Object.fromEntries(new URLSearchParams(query)) };
}

/** Put a tab and its values, as texts, into the address, without a new entry in the history. */
export function writeAddress(tab, values) {
  const query = new URLSearchParams(values).toString();
  history.replaceState(null, "", query ? `#${tab}?${query}` : `#${tab}`);
}

// The page: three tabs, each of which is opened when it is first shown.

import { openAttention } from "./attention/tab.js";
import { openMemory } from "./memory/tab.js";
import { TABS, readAddress, writeAddress } from "./state.js";
import { startTheme } from "./theme.js";
import { openTour } from "./tour/tab.js";

const OPEN = { tour: openTour, memory: openMemory, attention: openAttention };
const opened = {}; // by tab, {values(), set(values), shown(is)}
let current = null; // the address is that of the tab that is shown, whatever another still has to say

function show(tab, values) {
  const root = document.getElementById(tab);
  current = tab;
  for (const other of TABS) {
    document.getElementById(other).hidden = other !== tab;
    const button = document.getElementById(`tab-${other}`);
    button.setAttribute("aria-selected", String(other === tab));
    button.tabIndex = other === tab ? 0 : -1;
    if (other !== tab) opened[other]?.shown(false);
  }
  if (opened[tab]) {
    if (values && Object.keys(values).length > 0) opened[tab].set(values);
  } else {
    opened[tab] = OPEN[tab](root, values ?? {}, (now) => tab === current && writeAddress(tab, now), leave);
  }
  opened[tab].shown(true);
  writeAddress(tab, opened[tab].values());
}

/** Go to another tab, as if it had been pressed. */
function leave(tab) {
  show(tab);
  document.getElementById(`tab-${tab}`).focus();
}

function start() {
  startTheme(document.getElementById("theme"));
  const buttons = TABS.map((tab) => document.getElementById(`tab-${tab}`));
  buttons.forEach((button, i) => {
    button.addEventListener("click", () => show(TABS[i]));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = (i + step + TABS.length) % TABS.length;
      show(TABS[next]);
      buttons[next].focus();
    });
  });
  const follow = () => {
    const { tab, values } = readAddress();
    show(tab, values);
  };
  addEventListener("hashchange", follow);
  follow();
}

start();

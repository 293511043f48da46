"""Chromium without a window, through Playwright; it resolves no names, and what a page asks for or prints is kept.

Needs a Chromium of the machine (Playwright's own is not used): where there is none, tests are skipped and say so.
"""

import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking"),
)


@dataclass
class Visit:
    """A page that is open; ``asked`` are the addresses it asked for, ``complaints`` what it printed or threw."""

    page: Page
    asked: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def asked_of_others(self):
        """The addresses that are not inside the page, but for its own."""
        own = self.page.evaluate("location.href.split('#')[0]")
        return [url for url in self.asked if url.split("#")[0] != own and not url.startswith(("data:", "blob:"))]


@contextmanager
def chromium():
    """Start a browser, and end it; without one, the test is skipped."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium, and there is none on this machine")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def visited(browser, url, **options):
    """Open a page in a window of its own, without a network, and close it; options are Playwright's."""
    context = browser.new_context(offline=True, **options)
    visit = Visit(context.new_page())
    visit.page.on("request", lambda request: visit.asked.append(request.url))
    visit.page.on("console", lambda message: visit.complaints.append(f"{message.type}: {message.text}"))
    visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
    visit.page.goto(url)
    try:
        yield visit
    finally:
        context.close()


def wait_until(page, expression, argument=None, seconds=30):
    """Wait until an expression is true; asked from here, as the policy of a page refuses Playwright's own way."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression, argument):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(20)


def look(page, width, *, height=800, dark=False, media="screen"):
    """Show a page in a window of this size, or as on paper."""
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(media=media, color_scheme="dark" if dark else "light")


SMALLEST_CONTRAST = """
(texts) => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => channels(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    return getComputedStyle(document.documentElement).backgroundColor;
  };
  return [...document.querySelectorAll(texts)]
    .filter((e) => e.textContent.trim() && e.checkVisibility())
    .map((e) => [light(getComputedStyle(e).color), light(ground(e)), e.outerHTML.slice(0, 80)])
    .map(([a, b, what]) => [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), what])
    .sort((a, b) => a[0] - b[0])[0];
}
"""


def smallest_contrast(page, texts):
    """The least contrast of a text with its ground (WCAG), and the element that has it; ``texts`` is a selector."""
    return page.evaluate(SMALLEST_CONTRAST, texts)

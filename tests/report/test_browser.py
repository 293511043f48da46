from itertools import pairwise

import pytest
from browser import chromium, look, smallest_contrast, visited
from made_up_results import claim, judge, made_item, some_manifest, some_study

from slotfree.report.page import render, write_report
from slotfree.report.pictures import read_picture
from slotfree.study.finding import Finding

TEXTS = (
    "h1, h2, h3, p, a, td, th, dt, dd, small, code, caption, summary, strong, li, .verdict, .count, .source, .tag, .see"
)
BROKEN_LINKS = """
[...document.querySelectorAll('[href]')].map((a) => a.getAttribute('href')).filter((href) => href !== 'data:,'
  && !(href.startsWith('#') && document.getElementById(decodeURIComponent(href.slice(1)))))
"""
IMAGES = """
[...document.images].map((image) => image.complete && image.naturalWidth > 0 && image.alt.length > 40
  && image.getBoundingClientRect().width > 200 && image.getBoundingClientRect().height > 60)
"""
SHOWN_ROWS = "[...document.querySelectorAll('tr[id]')].filter((row) => row.checkVisibility()).map((row) => row.id)"
OPEN_ALL = "document.querySelectorAll('details').forEach((fold) => { fold.open = true; })"
IN_VIEW = """
new Promise((resolve) => setTimeout(resolve, 1000)).then(() => {
  const target = document.querySelector(':target');
  const {top, bottom} = target.getBoundingClientRect();
  return [target.id, target.checkVisibility() && top >= 0 && bottom <= innerHeight];
})
"""  # once scrolling has ended


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture
def visit(browser, directory):
    """The report, just opened from its file."""
    write_report(directory, some_study())
    with visited(browser, (directory.path / "report.html").as_uri()) as opened:
        yield opened


@pytest.fixture
def page(visit):
    return visit.page


def test_it_asks_for_nothing_and_complains_of_nothing(visit):
    assert [url for url in visit.asked if not url.startswith("data:")] == [visit.page.url]
    assert visit.complaints == []
    assert visit.page.evaluate("document.scripts.length") == 0


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (375, False), (375, True)])
def test_it_is_readable_on_desktop_and_phone_light_and_dark(page, width, dark):
    look(page, width, dark=dark)
    page.evaluate(OPEN_ALL)
    assert page.evaluate(IMAGES) == [True] * 4, "that at the top, and those of three items"
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "nobody has to scroll sideways"
    ratio, element = smallest_contrast(page, TEXTS)
    assert ratio >= 4.5, f"WCAG AA: {element}"
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") is not dark
    assert page.evaluate("getComputedStyle(document.querySelector('.figure')).backgroundColor") == "rgb(255, 255, 255)"


def test_folds_are_closed_at_first_and_open_with_the_keyboard(page):
    look(page, 1280)
    assert page.evaluate(SHOWN_ROWS) == []
    page.evaluate("document.querySelector('#item-fig4 .claims summary').focus()")
    page.keyboard.press("Enter")
    assert page.evaluate(SHOWN_ROWS) == ["claim-fig4.good-100%", "claim-fig4.bad-100%"]


def test_paper_is_white_and_has_every_claim_reason_and_figure(page):
    look(page, 700, dark=True, media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("document.querySelector('nav').offsetHeight") == 0
    assert page.evaluate(IMAGES) == [True] * 4, "that at the top, and those of three items"
    assert len(page.evaluate(SHOWN_ROWS)) == 5
    hidden = "[...document.querySelectorAll('.list p, .found p, .cost')].filter((p) => !p.checkVisibility()).length"
    assert page.evaluate(hidden) == 0


def test_links_lead_somewhere(page):
    look(page, 1280)
    assert page.evaluate(BROKEN_LINKS) == []
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


def test_links_open_the_folds_in_which_they_end(browser, page):
    look(page, 1280)
    page.evaluate("document.querySelector('.list a').click()")
    assert page.evaluate(IN_VIEW) == ["claim-tableS1.own", True]
    with visited(browser, page.url.split("#")[0] + "#claim-tableS1.own") as other:
        look(other.page, 375)
        assert other.page.evaluate(IN_VIEW)[0] == "claim-tableS1.own"
        assert other.page.evaluate(SHOWN_ROWS) == ["claim-tableS1.open", "claim-tableS1.own"]


def test_a_long_report_shows_its_first_figure_within_three_screens_and_is_short(browser, directory, tmp_path):
    verdicts = ["contradicted"] * 35 + ["inconclusive"] * 35 + ["confirmed"] * 310
    long = "What is said of it in a sentence of a usual length, with full cues: the mean over runs of what is measured."
    items = []
    for i in range(38):
        found = [(f"claim-{n}", verdicts[i + 38 * n]) for n in range(10)]
        own = [claim(f"fig{i}", name, verdict, claim=long, recorded=verdict, source="ours") for name, verdict in found]
        items.append(made_item(f"fig{i}", own, explained={row["id"]: f"{row['id']} is so. {long}" for row in own}))
    line = Finding("long", f"{long} {long}", long, tuple(judge(f"fig3{i}.claim-9") for i in range(8)))
    study = some_study(items=tuple(f"x.fig{i}" for i in range(38)), findings=(line,) * 10)
    picture = read_picture(directory.path / "figures", "fig4")
    pictures = {f"fig{i}": picture for i in range(38)}
    (tmp_path / "long.html").write_text(render(study, some_manifest(), items, pictures.get))
    with visited(browser, (tmp_path / "long.html").as_uri()) as visit:
        page = visit.page
        look(page, 1300, height=900)
        assert page.evaluate("document.querySelectorAll('.found li, .list li').length") == 80
        assert page.evaluate("document.images[0].getBoundingClientRect().bottom") < 900
        figures = page.evaluate("[...document.images].reduce((sum, image) => sum + image.offsetHeight, 0)")
        assert page.evaluate("document.documentElement.scrollHeight") < figures / 2 + 19 * 130 + 3000


def test_a_figure_that_is_asked_for_is_large_and_on_a_phone_says_that_it_goes_on(page):
    width = "document.querySelector('#item-fig7 img').getBoundingClientRect().width"
    look(page, 800)
    small = page.evaluate(width)
    assert not page.locator("#item-fig7 .hint").is_visible()
    page.locator("#item-fig7 .larger").click()
    assert page.evaluate(width) > 1.3 * small
    look(page, 375)
    assert page.locator("#item-fig7 .hint").is_visible()
    wide = "document.querySelector('#item-fig7 .figure')"
    assert page.evaluate(f"{wide}.scrollWidth > {wide}.clientWidth")


def test_headings_are_in_order(page):
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.evaluate("document.documentElement.lang") == "en"

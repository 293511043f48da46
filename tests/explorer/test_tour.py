"""The tour: what is seen first, its six steps by mouse, keyboard and address, and what it says is what is there."""

import re

import numpy as np
import pytest
from browser import look, visited, wait_until

NAMES = ["Store", "Recall", "Forget", "Slots or ensembles", "Theory", "Attention"]
SAID = "document.querySelector('#tour-said')?.textContent"
MARKS = """(selector) => {
  const canvas = document.querySelector(selector);
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let coloured = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    const colour = pixels.slice(i, i + 3);
    if (pixels[i + 3] > 200 && Math.max(...colour) - Math.min(...colour) > 60) coloured++;
  }
  return coloured / (canvas.width * canvas.height);
}"""


def numbers(page):
    """How many patterns later, how many cells the ensemble brings back, how many the slot does."""
    said = page.evaluate(SAID)
    found = re.search(
        r"(?:(\d+) patterns later|Just stored).*ensemble brings back (\d+), the slot (?:all )?(\d+)", said
    )
    assert found, said
    return tuple(int(number or 0) for number in found.groups())


def at_step(page, step=0, **values):
    query = "&".join(f"{name}={value}" for name, value in {"step": step, **values}.items())
    page.evaluate("hash => { location.hash = '#attention'; location.hash = hash; }", f"#tour?{query}")
    page.wait_for_timeout(50)
    if step in (0, 2, 3, 4):
        wait_until(page, f"{SAID} !== ''")


def step_of(page):
    return page.evaluate("Number(new URLSearchParams(location.hash.split('?')[1]).get('step') ?? 0)")


def test_it_opens_with_a_face_that_fades_beside_one_that_is_gone_at_once(browser, explorer_file):
    with visited(browser, explorer_file.as_uri()) as visit:
        page = visit.page
        assert page.evaluate(MARKS, "#tour-drawing") > 0.03, "the face is there at once"
        wait_until(page, f"/later/.test({SAID})")
        first = numbers(page)
        wait_until(page, f"parseInt({SAID}) >= 15")
        later = numbers(page)
        assert later[0] < 60, "ten a second"
        assert first[2] == later[2] == 100
        page.click("#tour-play")
        for _ in range(4):
            page.click("#tour-jump")
        wait_until(page, f"parseInt({SAID}) > 400")
        _, ensemble, slot = numbers(page)
        assert 30 < ensemble < later[1] <= 90, "about 38, as patterns that were never stored"
        assert slot < 40
        assert "another pattern has taken its place" in page.evaluate(SAID)
        assert page.evaluate(
            "[...document.querySelectorAll('#tour canvas:not([role=presentation])')].every((c) => c.ariaLabel)"
        )
        assert visit.complaints == []


def test_nothing_moves_where_motion_is_unwanted(explorer):
    at_step(explorer)
    before = numbers(explorer)
    explorer.wait_for_timeout(400)
    assert numbers(explorer) == before
    assert explorer.inner_text("#tour-play") == "Play"
    explorer.click("#tour-jump")
    wait_until(explorer, f"{SAID}.startsWith('100 patterns later')")


def test_six_steps_by_mouse_and_back_and_skip(explorer):
    at_step(explorer)
    assert explorer.locator("#tour .chips button").all_inner_texts() == [f"{i} {n}" for i, n in enumerate(NAMES, 1)]
    titles = [explorer.inner_text("#tour-title")]
    for step in range(1, 7):
        explorer.click("#tour-next")
        assert step_of(explorer) == step
        assert explorer.get_attribute(f"#step-{step}", "aria-current") == "step"
        titles.append(explorer.inner_text("#tour-title"))
    assert len(set(titles)) == 7
    explorer.click("#tour-back")
    assert step_of(explorer) == 5
    explorer.click("#step-2")
    assert step_of(explorer) == 2
    explorer.click("#tour-skip")
    assert explorer.evaluate("location.hash").startswith("#memory?")
    assert explorer.evaluate("document.activeElement.id") == "tab-memory"


def test_steps_by_keyboard(explorer):
    at_step(explorer, 1)
    explorer.evaluate("document.activeElement.blur()")
    for key, step in (("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        explorer.keyboard.press(key)
        assert step_of(explorer) == step
    explorer.focus("#tour-cue")
    explorer.keyboard.press("ArrowRight")
    assert step_of(explorer) == 2, "the slider has its own arrows"
    explorer.focus("#tour-next")
    explorer.keyboard.press("Enter")
    assert step_of(explorer) == 3
    assert "Step 3 of 6" in explorer.locator("#tour [aria-live]").last.inner_text()
    explorer.keyboard.press("Escape")
    assert explorer.evaluate("location.hash").startswith("#memory?")


def test_the_address_brings_step_picture_and_drawing_back(browser, explorer_file, explorer):
    at_step(explorer, 4, picture=7)
    assert explorer.input_value("#picture") == "7"
    assert explorer.inner_text("#tour-title").startswith("Slots or ensembles")
    at_step(explorer)
    box = explorer.locator("#tour-drawing").bounding_box()
    explorer.mouse.move(box["x"] + 5, box["y"] + 5)
    explorer.mouse.down()
    explorer.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5, steps=40)
    explorer.mouse.up()
    assert explorer.input_value("#picture") == "own"
    wait_until(explorer, f"{SAID} !== ''")
    said = numbers(explorer)
    with visited(browser, explorer.url, reduced_motion="reduce") as visit:
        wait_until(visit.page, f"{SAID} !== ''")
        assert visit.page.input_value("#picture") == "own"
        assert numbers(visit.page) == said


@pytest.mark.parametrize("query", ["step=7", "step=-1", "picture=own", "picture=x&seed=1e3", "drawing=zz"])
def test_what_an_address_says_wrongly_is_as_at_first(explorer, query):
    explorer.evaluate("hash => { location.hash = '#attention'; location.hash = hash; }", f"#tour?{query}")
    wait_until(explorer, "location.hash === '#tour?'")


def test_a_smaller_cue_brings_back_less(explorer):
    at_step(explorer, 2)
    _, half, slot = numbers(explorer)
    said = explorer.evaluate(SAID)
    explorer.focus("#tour-cue")
    for _ in range(3):
        explorer.keyboard.press("ArrowLeft")
    wait_until(explorer, f"said => {SAID} !== said", said)
    wait_until(explorer, "document.querySelector('#tour-cue-value').textContent === '20 %'")
    explorer.wait_for_timeout(300)
    _, fifth, _ = numbers(explorer)
    assert fifth < half - 10
    assert slot == 100


def test_the_theory_of_the_tour_is_close_to_what_is_measured(browser, explorer_file):
    with visited(browser, f"{explorer_file.as_uri()}#tour?step=5") as visit:
        drawn = (
            "(kind) => document.querySelector(`#tour .stage-of-tour polyline.${kind}`)?.getAttribute('points') ?? ''"
        )
        wait_until(visit.page, f"({drawn})('memory').split(' ').length > 20")
        visit.page.wait_for_timeout(1500)
        theory, memory = (
            np.array([place.split(",") for place in visit.page.evaluate(drawn, kind).split()], float)
            for kind in ("theory", "memory")
        )
        off = memory[:, 1] - np.interp(memory[:, 0], theory[:, 0], theory[:, 1])
        assert np.abs(off).mean() < 0.04 * 280, "of the height of the axis"
        assert visit.complaints == []


def test_attention_is_what_python_finds(explorer):
    at_step(explorer, 6)
    text = explorer.inner_text("#tour .tour-attention")
    assert "The D has most attention, 98 %." in text
    assert "upper case, right" in text


@pytest.mark.parametrize("step", range(7))
def test_on_a_phone_the_picture_comes_first_and_the_way_on_is_in_sight(explorer, step):
    look(explorer, 390, height=844)
    at_step(explorer, step)
    explorer.evaluate("scrollTo(0, 0)")
    assert explorer.evaluate("document.documentElement.scrollWidth") <= 390
    picture = explorer.locator("#tour :is(canvas, svg.chart, .bars):visible").first.bounding_box()
    assert picture["y"] < 330
    assert picture["x"] >= 0
    assert picture["x"] + picture["width"] <= 390
    following = explorer.locator("#tour-next").bounding_box()
    assert following["y"] + following["height"] <= 844
    if step == 0:
        drawing = explorer.locator("#tour-drawing").bounding_box()
        assert drawing["y"] + drawing["height"] < 2 * 844
    look(explorer, 1300)

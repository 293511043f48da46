"""The attention tab in a browser: what is typed is answered as Python answers it, by mouse, keyboard and address."""

import json
import re

import numpy as np
import pytest
from browser import wait_until

from slotfree.explorer import trained

CASES = ("lower case", "upper case")


def opened(page, **values):
    """Go to the tab with these values in the address."""
    query = "&".join(f"{name}={value}" for name, value in values.items())
    page.evaluate("hash => { location.hash = '#memory'; location.hash = hash; }", f"#attention?{query or 'step=all'}")
    wait_until(page, "!document.getElementById('attention').hidden && globalThis.slotfree?.attention !== undefined")
    wait_until(page, "values => Object.entries(values).every(([k, v]) => location.hash.includes(`${k}=${v}`))", values)


def inspected(name, context, query, seed=0):
    model, weights = trained.load(name)
    if name == "slots":
        return model.inspect(weights, trained.TASK, context, query)
    return model.inspect(weights, trained.TASK, context, query, seed=seed)


def shown(page):
    """The steps that are there to see."""
    return [step.inner_text() for step in page.locator("#attention .stage:visible").all()]


def test_a_typed_sequence_is_answered_as_python_does(explorer):
    opened(explorer)
    for context, query in (("cDbA", "d"), ("aBcd", "b"), ("DCBa", "a"), ("aAbB", "b")):
        explorer.get_by_label("Context").fill(context)
        explorer.get_by_label("Query", exact=True).fill(query)
        trace, steps = inspected("query-key/winner", context, query), shown(explorer)
        for item, winner, step in zip(context, trace.winners, steps, strict=False):
            assert f": {item}, {CASES[item.isupper()]}" in step
            assert f"Stored in unit {winner}," in step
        assert f"{CASES[trace.stored_output.argmax()]}, right" in steps[-1]
        numbers = [f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−") for value in trace.stored_output]
        assert re.findall(r"^−?\d\.\d\d$", steps[-1], re.MULTILINE) == numbers
        heights = explorer.locator("#attention .stage:nth-child(5) .bar i").evaluate_all(
            "bars => bars.map((bar) => parseFloat(bar.style.height) / 100)"
        )
        np.testing.assert_allclose(heights, trace.attention, rtol=0, atol=1e-5)


def test_steps_come_one_by_one_and_are_said(explorer):
    opened(explorer, context="aAbc", query="a", model="query-key", storage="winner", step=0)
    assert shown(explorer) == []
    said = []
    for n in range(1, 8):
        explorer.get_by_role("button", name="Next step").click()
        assert len(shown(explorer)) == n
        said.append(explorer.locator("#attention [aria-live].unseen").inner_text())
        assert f"step={n if n < 7 else 'all'}" in explorer.evaluate("location.hash")
    assert "The a in unit 0 is overwritten; that item is gone." in said[1]
    assert said[-1] == "Answer: upper case, right. The context has a and A, and the latest counts: upper case is right."
    assert explorer.get_by_role("button", name="Next step").is_disabled()
    explorer.get_by_role("button", name="Again", exact=True).click()
    assert shown(explorer) == []
    explorer.get_by_role("button", name="Step 3: store b, lower case").click()
    assert len(shown(explorer)) == 3


def test_all_steps_are_played_or_shown_at_once_where_motion_is_unwanted(explorer):
    opened(explorer, context="bADc", step=0)
    explorer.emulate_media(reduced_motion="no-preference")
    explorer.get_by_role("button", name="All", exact=True).press("Enter")
    assert len(shown(explorer)) == 1
    explorer.get_by_role("button", name="Stop").press("Enter")
    explorer.emulate_media(reduced_motion="reduce")
    explorer.get_by_role("button", name="All", exact=True).click()
    assert len(shown(explorer)) == 7


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("Context", "bAx", "“x” cannot be in a context. Type 4 letters out of a, b, c, d, each in either case: bADc."),
        ("Context", "bA", "A context has 4 letters, and this one has 2 letters."),
        ("Context", "bADcb", "A context has 4 letters, and this one has 5 letters."),
        ("Context", "", "A context has 4 letters, and this one has 0 letters."),
        ("Query", "e", "A query is one letter: a, b, c or d."),
        ("Query", "", "A query is one letter"),
    ],
)
def test_a_wrong_text_is_told_and_the_address_keeps_the_last_right_one(explorer, field, text, message):
    opened(explorer, context="cABd", query="b")
    entry = explorer.get_by_label(field, exact=True)
    entry.fill(text)
    assert message in explorer.locator(f"#{field.lower()}-fault").inner_text()
    assert entry.get_attribute("aria-invalid") == "true"
    assert explorer.locator("#attention .steps").evaluate("section => section.inert")
    assert "context=cABd&query=b" in explorer.evaluate("location.hash")
    entry.fill("DcbA" if field == "Context" else "D?")
    assert explorer.locator(f"#{field.lower()}-fault").inner_text() == ""
    assert not explorer.locator("#attention .steps").evaluate("section => section.inert")


def test_the_address_holds_everything_and_brings_it_back(explorer):
    wanted = {"context": "DdAb", "query": "d", "model": "mhn", "storage": "no-projections", "seed": "7", "step": "5"}
    opened(explorer, **wanted)
    assert explorer.get_by_label("Context").input_value() == "DdAb"
    assert explorer.get_by_label("Random start").input_value() == "7"
    assert len(shown(explorer)) == 5
    trace = inspected("mhn/no-projections", "DdAb", "d", 7)
    assert [f"Stored in unit {unit}," in step for unit, step in zip(trace.winners, shown(explorer), strict=False)] == [
        True
    ] * 4
    address = explorer.evaluate("location.hash")
    opened(explorer, context="aBCd")
    assert explorer.evaluate("location.hash") != address
    explorer.evaluate("address => { location.hash = address; }", address)
    wait_until(explorer, "document.getElementById('context').value === 'DdAb'")
    assert explorer.evaluate("location.hash") == address


def test_what_an_address_says_wrongly_is_as_at_first(explorer):
    bad = "#attention?context=zzzz&query=q&model=big&storage=cloud&seed=-1&step=99"
    explorer.evaluate("hash => { location.hash = '#memory'; location.hash = hash; }", bad)
    first = "#attention?context=bADc&query=d&model=query-key&storage=winner&seed=0&step=all"
    wait_until(explorer, "first => location.hash === first", first)


def test_it_works_by_keyboard_alone(explorer):
    opened(explorer, context="bADc", step=0)
    explorer.get_by_label("Context").focus()
    explorer.keyboard.press("Control+A")
    explorer.keyboard.type("dCBa")
    explorer.keyboard.press("Tab")
    explorer.keyboard.press("Control+A")
    explorer.keyboard.type("c")
    assert "upper case, right" in shown(explorer)[-1]
    for _ in range(60):
        explorer.keyboard.press("Tab")
        if explorer.evaluate("document.activeElement.textContent") == "Again":
            break
    explorer.keyboard.press("Enter")
    assert shown(explorer) == []
    assert explorer.evaluate("document.activeElement.textContent") == "Next step"
    for _ in range(7):
        explorer.keyboard.press("Enter")
    assert len(shown(explorer)) == 7
    assert explorer.evaluate("document.activeElement.textContent") == "Again"


def test_pictures_follow_the_theme(explorer):
    opened(explorer, context="bADc", storage="winners")
    corner = """() => {
      const copy = new OffscreenCanvas(40, 100).getContext("2d", { willReadFrequently: true });
      copy.drawImage(document.querySelector("#attention .pair canvas"), 0, 0);
      return [...copy.getImageData(20, 80, 1, 1).data];
    }"""
    explorer.locator("#theme").select_option("light")
    light = explorer.evaluate(corner)
    explorer.locator("#theme").select_option("dark")
    assert sum(light[:3]) > 700 > 100 > sum(explorer.evaluate(corner)[:3])
    explorer.locator("#theme").select_option("auto")


def test_a_random_sequence_is_one_of_the_task(explorer):
    opened(explorer)
    explorer.get_by_role("button", name="Random sequence").click()
    context, query = (
        explorer.get_by_label("Context").input_value(),
        explorer.get_by_label("Query", exact=True).input_value(),
    )
    assert sorted(context.lower()) == list("abcd")
    assert query in "abcd"


EXPECTED = {  # what the sentence of each example says, of Python's trace
    "A letter, found again": lambda t: len(set(t.winners)) == 4 and t.attention.argmax() == t.winners[2],
    "The latest counts": lambda t: t.winners[0] == t.winners[1] and t.stored_output.argmax() == 1,
    "With slots, it cannot": lambda t: min(t.attention[:2]) > 0.4 and t.output.argmax() == 0,
    "Spread over three units": lambda t: (
        [len(set(t.winners[1]) & set(t.winners[later])) for later in (2, 3)] == [1, 1]
        and t.attention[list(set(t.winners[1]) - set(t.winners[2]) - set(t.winners[3]))] > 0.9
        and t.stored_output.argmax() == 1
    ),
    "Two letters, one unit": lambda t: t.winners[0] == t.winners[1] and t.stored_output.argmax() == 0,
    "Without projections": lambda t: t.winners[0] == t.winners[3] and t.stored_output.argmax() == 1,
    "Never shown": lambda t: t.attention.max() < 0.1 and np.delete(t.attention, np.unique(t.winners)).sum() > 0.5,
}


@pytest.mark.parametrize("name", EXPECTED)
def test_examples_show_what_their_sentences_say(explorer, name):
    opened(explorer)
    examples = {each["name"]: each for each in explorer.evaluate("slotfree.attention.EXAMPLES")}
    assert list(examples) == list(EXPECTED)
    values = examples[name]["values"]
    model = values["model"] if values["model"] == "slots" else f"{values['model']}/{values['storage']}"
    trace = inspected(model, values["context"], values["query"])
    assert EXPECTED[name](trace)
    explorer.get_by_role("button", name=name, exact=True).click()
    answer = np.argmax(trace.output if model == "slots" else trace.stored_output)
    target = trained.TASK.sequence(values["context"], values["query"]).target[0]
    judged = "a guess: none is right" if target < 0 else "right" if answer == target else "wrong"
    assert f"{CASES[answer]}, {judged}" in shown(explorer)[-1]


@pytest.mark.parametrize("name", trained.MODELS)
def test_what_is_said_of_a_model_is_what_is_in_the_file(explorer, name):
    model, _, storage = name.partition("/")
    opened(explorer, model=model, storage=storage or "winner")
    accuracy = json.loads(trained.FILE.read_text("utf-8"))["models"][name]["accuracy"]
    told = "all" if accuracy == 1 else f"{100 * accuracy:.1f} %"
    assert f"It answers {told} of the 1,536 sequences" in explorer.locator("#attention .side").inner_text()
    assert trained.TASK.n_sequences == 1536
    offered = explorer.get_by_label("Random start").is_visible()
    assert offered == (storage in ("winner", "no-projections", "winners"))

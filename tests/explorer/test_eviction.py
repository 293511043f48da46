"""Who is evicted, by address rule: the page against a plain twin, and laws that each rule must obey."""

import numpy as np
import pytest
from browser import wait_until

RULES = ("match", "oldest")


@pytest.fixture(scope="module", autouse=True)
def _open(explorer):
    explorer.evaluate("location.hash = '#attention'")
    wait_until(explorer, "globalThis.slotfree?.attention !== undefined")


def on_the_page(page, letters, **options):
    found = page.evaluate(
        "([letters, options]) => slotfree.attention.evictions([...letters], options)", [letters, options]
    )
    return np.array(found["units"]), np.array(found["held"])


def twin(letters, keys, rule, n_hidden, k):
    """The units of each item: the k that match best; or, unless their mean match exceeds γ|k|², the oldest."""
    gamma = (1 + min(0.9, np.sqrt(2 * np.log(n_hidden / k) / len(keys["A"])))) / 2
    W, written, units = np.zeros((n_hidden, len(keys["A"]))), np.full(n_hidden, -1), []
    for time, letter in enumerate(letters):
        key = np.array(keys[letter])
        drives = W @ key
        winners = np.argsort(-drives, kind="stable")[:k]
        if rule == "oldest":
            winners = np.argsort(np.where(written < 0, np.inf, -drives), kind="stable")[:k]
            if written.max() < 0 or drives[winners].mean() <= gamma * key @ key:
                winners = np.argsort(written, kind="stable")[:k]
        W[winners], written[winners] = key, time
        units.append(winners.tolist())
    return units


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("n_hidden", "k"), [(1, 1), (8, 1), (6, 2), (10, 3)])
def test_units_are_those_of_a_plain_twin(explorer, rule, n_hidden, k):
    rng = np.random.default_rng(n_hidden)
    letters = "".join(rng.choice(list("ABCDEFGHIJKL"), 20)) + "A"
    keys = {letter: rng.integers(-3, 4, 9).tolist() for letter in "ABCDEFGHIJKL"}
    found, held = on_the_page(explorer, letters, rule=rule, n_hidden=n_hidden, k=k, key_dim=9, keys=keys)
    assert found.tolist() == twin(letters, keys, rule, n_hidden, k)
    assert held.min() >= 0
    assert held.max() <= 1


def test_the_oldest_go_first_and_no_unit_is_idle(explorer):
    letters = "ABCDEFGHIJKLMNOP"
    units, held = on_the_page(explorer, letters, rule="oldest", n_hidden=8, k=2)
    assert sorted(units[:4].ravel()) == list(range(8))
    # Keys of 24 random signs have |k|² = 24: two differ by chance, and the four newest are there.
    assert held[-1].tolist() == [0] * 12 + [1] * 4


def test_an_item_that_comes_again_keeps_its_units(explorer):
    for rule in RULES:
        units, _ = on_the_page(explorer, "ABAAB", rule=rule, n_hidden=8, k=1)
        assert units[0] == units[2] == units[3]


def test_the_card_shows_both_rules_and_refuses_what_is_no_letter(explorer):
    explorer.fill("#items", "ABCDEFGHIJKL")
    said = explorer.locator(".eviction figure p").all_inner_texts()
    assert said[1] == "A, B, C and D are gone; no unit is empty."
    assert said[0] != said[1]
    explorer.fill("#items", "A1")
    assert "Type 1 to 20 letters" in explorer.inner_text("#items-fault")
    assert explorer.locator(".eviction figure p").all_inner_texts() == said
    explorer.fill("#items", "AB")
    assert (
        explorer.locator(".eviction figure p")
        .all_inner_texts()[1]
        .startswith("Nothing is lost; 6 of 8 units are still empty")
    )

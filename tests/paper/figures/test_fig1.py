"""Figure 1: slots and weights compute the same, and its measures see what cycles do."""

import numpy as np
import pytest
from paper.numeric import ROUNDING
from scipy.special import softmax
from study.madeup import CODES, around

from slotfree.memory.modern_hopfield import TOLERANCE
from slotfree.paper.figures import fig1
from slotfree.paper.figures.fig1 import HEAD, STEPS, TASK, Auto
from slotfree.paper.shared.diagrams import trained
from slotfree.paper.text import s1_introduction
from slotfree.study.results import Results
from slotfree.study.scale import SCALES


def test_slots_and_neurons_retrieve_the_same():
    """Each memory neuron takes the query through its weights and returns its pattern through the same ones."""
    for net in fig1.auto_associative(0):
        hidden = softmax(net.beta * np.array([sum(row * net.query) for row in net.patterns]))
        np.testing.assert_allclose(hidden, net.hidden, atol=ROUNDING)
        returned = [sum(row * hidden) for row in net.patterns.T]
        np.testing.assert_allclose(returned, net.states[1], atol=ROUNDING)


def test_cycles_settle_to_a_blend_of_patterns():
    """A state of rest is its own retrieval: shares of all patterns that are positive and sum to 1."""
    for net in (*fig1.auto_associative(0), *fig1.auto_associative(0, fig1.LOW_BETA)):
        shares = softmax(net.beta * net.patterns @ net.states[-1])
        np.testing.assert_allclose(shares @ net.patterns, net.states[-1], atol=2 * TOLERANCE)
        np.testing.assert_array_equal(net.states[0], net.query)


def test_keys_and_values_in_weights_are_attention():
    """For all sequences of the task, in a trained transformer."""
    weights = trained(HEAD, TASK, STEPS, 0)
    every = TASK.all_sequences()
    for items, query in zip(every.context, every.query, strict=True):
        trace = HEAD.inspect(weights, TASK, items, int(query))
        incoming, outgoing = weights.W_K[:, items].T, weights.W_V[:, items]
        hidden = softmax(HEAD.inverse_temperature * (incoming @ weights.W_Q[:, query]))
        np.testing.assert_allclose(hidden, trace.attention, atol=ROUNDING)
        np.testing.assert_allclose(outgoing @ hidden, trace.output, atol=ROUNDING)


def test_values_are_no_queries():
    """What a hetero-associative network returns cannot be taken for its next query."""
    _, _, query, _, output = fig1.attention_head(0)
    assert query.shape != output.shape


def verdicts(seed=0):
    judges = (*s1_introduction.CYCLES, s1_introduction.WEIGHTINGS, *fig1.ITEM.claims)
    return {judge.name: judge.claim(Results({}, SCALES["paper"], seed)).verdict for judge in judges}


@pytest.mark.parametrize("seed", [0, 3])
def test_networks_are_as_described_with_any_seed(seed):
    assert set(verdicts(seed).values()) == {"confirmed"}


def networks(first, last, beta):
    """Two patterns, the first of which matches best; states at distances from it towards the second."""
    patterns, query = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]]), np.array([1.0, 0, 0])
    toward = (patterns[1] - patterns[0]) / np.sqrt(2)
    return [
        Auto(patterns, query, np.array([query, patterns[0] + a * toward, patterns[0] + b * toward]), beta)
        for a, b in zip(first, last, strict=True)
    ]


def test_judges_of_cycles_can_fail(monkeypatch):
    near, middle, far = (around(mean, 0.1, runs=50) for mean in (0.2, 0.7, 1.2))
    names = ("fig1.cycles", "fig1.best-match", "fig1.weightings", "fig1.low-beta")
    for last, beta, expected in ((near, 4.0, "cccx"), (far, -4.0, "xxxc")):
        nets = networks(middle, last, beta)
        monkeypatch.setattr(fig1, "auto_associative", lambda seed, beta=0.0, nets=nets: nets)
        found = verdicts()
        assert "".join(CODES[found[name]] for name in names) == expected

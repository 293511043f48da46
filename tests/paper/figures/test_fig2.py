"""Figure 2: the outer products that are drawn add up to the gradients, and none of them can be left out."""

from dataclasses import replace

import numpy as np
import pytest
from paper.numeric import DIFFERENCES, ROUNDING, relative_difference, slope
from scipy.special import softmax

from slotfree.attention.gradients import gradients
from slotfree.paper.figures.fig2 import CONTEXT, HEAD, QUERY, STEPS, TASK, recurrent, through_slots
from slotfree.paper.shared.diagrams import trained

LENGTHS = (4, 8, 16)


def test_outer_products_of_slots_add_up_to_the_gradient():
    """That of the loss, by finite differences, and that with which the baseline is trained."""
    weights, sequence = trained(HEAD, TASK, STEPS, 0), TASK.sequence(CONTEXT, QUERY)
    g = through_slots(weights, CONTEXT, QUERY)
    X, x_q = g.items, TASK.one_hot(sequence.query[0])

    def loss(W_K, W_V):
        s = softmax(HEAD.inverse_temperature * (X @ W_K.T @ weights.W_Q @ x_q))
        return float(((W_V @ X.T @ s - g.target) ** 2).sum())

    used, _, _ = gradients(HEAD, weights, TASK, sequence)
    of_keys = slope(lambda W: loss(W, weights.W_V), weights.W_K)
    of_values = slope(lambda W: loss(weights.W_K, W), weights.W_V)
    for parts, by_slope, trained_with in ((g.of_keys, of_keys, used.W_K), (g.of_values, of_values, used.W_V)):
        assert relative_difference(parts.sum(axis=0), by_slope) < DIFFERENCES
        assert relative_difference(parts.sum(axis=0), trained_with) < ROUNDING


def test_every_slot_has_a_part_in_the_gradient():
    g = through_slots(trained(HEAD, TASK, STEPS, 0), CONTEXT, QUERY)
    for parts in (g.of_keys, g.of_values):
        assert all(relative_difference(parts.sum(axis=0) - part, parts.sum(axis=0)) > 0.01 for part in parts)


@pytest.mark.parametrize("length", LENGTHS)
def test_outer_products_of_steps_add_up_to_the_gradient(length):
    net = recurrent(0, length)
    of_states, of_inputs = net.updates(net.states())
    by_states = slope(lambda W: replace(net, W_HH=W).loss(), net.W_HH)
    by_inputs = slope(lambda W: replace(net, W_HI=W).loss(), net.W_HI)
    assert relative_difference(of_states.sum(axis=0), by_states) < DIFFERENCES
    assert relative_difference(of_inputs.sum(axis=0), by_inputs) < DIFFERENCES
    assert relative_difference(of_states[-1], by_states) > 0.05  # the last step alone


@pytest.mark.parametrize("length", LENGTHS)
def test_every_state_is_needed_for_the_gradient(length):
    """With any of the stored states lost the gradient is another; the longer the sequence, the more are kept."""
    net = recurrent(0, length)
    states = net.states()
    right = net.updates(states)[0].sum(axis=0)
    assert len(states) == length + 1
    for t in range(1, length + 1):
        lost = states.copy()
        lost[t] = 0.0
        assert relative_difference(net.updates(lost)[0].sum(axis=0), right) > ROUNDING


def test_without_recurrence_earlier_states_do_not_matter():
    """Else the test above would mean little."""
    net = replace(recurrent(0), W_HH=np.zeros((5, 5)))
    states = net.states()
    lost = states.copy()
    lost[1] = 0.0
    np.testing.assert_array_equal(net.updates(lost)[0].sum(axis=0), net.updates(states)[0].sum(axis=0))

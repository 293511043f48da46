"""The diagrams of the paper: what they show is what the models do, and their claims can fail."""

from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from legibility import letters_as_read, touching_words, words_on_curves
from paper.written_pages import check_claims
from study.madeup import around, check_table, verdicts

from slotfree.drawing.style import STYLE
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.paper import STUDY
from slotfree.paper.attention import fig1, fig2, fig5, fig6, figS8
from slotfree.paper.memory import fig3
from slotfree.paper.shared import memories
from slotfree.paper.shared.diagrams import trained
from slotfree.paper.shared.numeric import relative_difference, slope, softmax
from slotfree.paper.shared.query_step import FIXED, MHN, TASK, query_step
from slotfree.study.results import Results
from slotfree.study.scale import SCALES

NAMES = ("fig1", "fig2", "fig3", "fig5", "fig6", "figS8")
TINY, COARSE = 1e-16, 1e-3  # differences of what is the same, and of what is not


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 3])
def test_diagrams_are_legible_and_confirmed_with_any_seed(name, seed):
    item, r = STUDY.item(name), Results({}, SCALES["quick"], seed)
    with mpl.rc_context(STYLE):
        picture = item.draw(r)
        assert touching_words(picture.figure) == []
        assert words_on_curves(picture.figure) == []
    assert letters_as_read(picture.figure) == ("" if name == "fig3" else "AB")
    assert list(picture.tables[""][0]) == ["panel", "what", "place", "value"]
    assert set(verdicts(item.claims(r)).values()) == {"c"}
    check_claims(name, item.claims(r))


def test_slopes_are_those_of_a_loss():
    W = np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(slope(lambda M: float((M**3).sum()), W), 3 * W**2, atol=1e-8)
    assert relative_difference(np.array([1.0, 2.5]), np.array([1.0, 2.0])) == 0.25


def test_softmax_is_normalised_and_does_not_overflow():
    np.testing.assert_allclose(softmax(np.array([1000.0, 1000.0, 0.0])), [0.5, 0.5, 0])


def test_small_models_learn_the_task():
    weights = trained(fig5.HEAD, fig5.TASK, fig5.STEPS, 0)
    every = fig5.TASK.all_sequences()
    outputs = [
        fig5.HEAD.inspect(weights, fig5.TASK, c, int(q)).output for c, q in zip(every.context, every.query, strict=True)
    ]
    assert (np.argmax(outputs, axis=1) == every.target).all()


class TestFigure1:
    def test_cycles_end_where_the_network_rests(self):
        net = fig1.auto_associative(0)[0]
        out = net.patterns.T @ softmax(net.beta * net.patterns @ net.states[-1])
        np.testing.assert_allclose(out, net.states[-1], atol=1e-9)
        np.testing.assert_array_equal(net.states[0], net.query)

    def test_sameness(self):
        found = [verdicts(fig1.claims_on_sameness([TINY, auto], TINY, out)) for auto, out in ((0, 0), (COARSE, COARSE))]
        check_table(found, {"*": "cx"}, only={"*": "cx"})
        assert verdicts(fig1.claims_on_sameness([0], COARSE, 0))["hetero-same"] == "x"

    def test_cycles(self):
        def scenario(gain, kept, move):
            near = np.stack([np.ones(100), around(1 - gain, 0.3, runs=100)], axis=1)
            return verdicts(fig1.claims_on_cycles(near, np.arange(100) < kept, [0.0, move]))

        found = [scenario(0.5, 90, 0), scenario(-0.5, 10, 1e-3), scenario(0, 50, 0)]
        check_table(found, {"cycles": "cxi", "best-match": "cxi", "rest": "cxc"}, only={"rest": "cx"})

    def test_a_low_beta(self):
        near = [np.stack([np.ones(100), around(1 + by, 0.3, runs=100)], axis=1) for by in (0.5, -0.5, 0)]
        check_table([verdicts(fig1.claims_on_beta(d)) for d in near], {"low-beta": "cxi"})

    def test_weightings(self):
        one, alike = [0.9, 0.05, 0.03, 0.02], [0.25, 0.25, 0.25, 0.25]
        hidden = [np.array(rows) for rows in ([one] * 6, [alike] * 6, [one] + [alike] * 5)]
        check_table([verdicts(fig1.claims_on_shares(h)) for h in hidden], {"weightings": "cxi"})
        (claim,) = fig1.claims_on_shares(hidden[0])
        assert claim.estimate.value == pytest.approx(0.87)
        assert "other than the best is 0.0300, that of the best 0.90" in claim.claim


class TestFigure2:
    def test_slots_add_up(self):
        found = [verdicts(fig2.claims_on_slots(d, d, needed)) for d, needed in ((TINY, 0.1), (COARSE, 0.0))]
        check_table(found, {"*": "cx"}, only={"*": "cx"})

    def test_states_add_up(self):
        found = [verdicts(fig2.claims_on_states([TINY, d], [0.1, n])) for d, n in ((TINY, 0.2), (COARSE, 0.0))]
        check_table(found, {"*": "cx"}, only={"*": "cx"})

    def test_a_gradient_without_the_past_is_another(self):
        """With the last step alone, backpropagation through time is truncated: finite differences tell."""
        net = fig2.recurrent(0)
        recurrent, _ = net.updates(net.states())
        exact = slope(lambda W: replace(net, W_HH=W).loss(), net.W_HH)
        assert relative_difference(recurrent.sum(axis=0), exact) < 1e-6
        assert relative_difference(recurrent[-1], exact) > 0.05

    def test_a_state_that_does_not_matter_is_seen(self):
        net = fig2.recurrent(0)
        assert fig2.states_needed(net) > 0
        assert fig2.states_needed(replace(net, W_HH=np.zeros_like(net.W_HH))) == 0


class TestFigure3:
    def one(self, **changes):
        return replace(fig3.kwinner_storing(fig3.ONE_WINNER, 0), **changes)

    def some(self, **changes):
        return replace(fig3.kwinner_storing(fig3.K_WINNER, 0), **changes)

    def test_an_original_that_changes_is_contradicted(self):
        right = fig3.original_retrieval(0)
        found = [verdicts(fig3.claims_on_original(s)) for s in (right, replace(right, after=right.after + 1))]
        check_table(found, {"original-fixed": "cx"}, only={"original-fixed": "cx"})

    def test_winners_alone_learn(self):
        right = self.some()
        wrong = replace(right, after=right.before + 0.1, return_after=right.return_before)
        none = replace(right, after=right.before, return_after=right.return_before)
        found = [verdicts(fig3.claims_on_winners([s])) for s in (right, wrong, none)]
        check_table(found, {"learn": "ccx", "only-winners": "cxc"}, only={"learn": "cx", "only-winners": "cx"})

    def test_a_return_weight_of_another_unit_counts(self):
        right = self.some()
        back = right.return_after.copy()
        back[:, ~right.winners] += 0.1
        assert verdicts(fig3.claims_on_winners([replace(right, return_after=back)]))["only-winners"] == "x"

    def test_replaced_completely(self):
        right = self.one()
        half = replace(right, after=(right.before + right.after) / 2)
        found = [verdicts(fig3.claims_on_one_winner([s])) for s in (right, half)]
        check_table(found, {"replaced": "cx"}, only={"replaced": "cx"})

    def test_graded_sparse_and_distributed(self):
        found = [verdicts(fig3.claims_on_k_winner([s])) for s in (self.some(), self.one())]
        check_table(found, {"*": "cx"}, only={"*": "cx"})

    def test_units_hold_several_memories_unless_they_replace_them(self):
        one = memories.ONE_WINNER.settings
        assert set(fig3.memories_of_units(one, 0)) == {1}
        held = fig3.memories_of_units(replace(one, learning_rate=0.3), 0)
        assert (fig3.claim_on_units("x", "It holds many", held).verdict, held.min() > 1) == ("confirmed", True)
        assert fig3.claim_on_units("x", "It holds many", np.array([3, 1, 5])).verdict == "contradicted"

    def test_traces_are_counted_until_float32_loses_them(self, monkeypatch):
        """One unit wins each time: of 4, 5, … patterns with ε = 0.9 the eighth last has less than 2⁻²³ left."""
        settings = KWinnerSettings(8, 1, 4, 1, 1.0, 0.9)
        for n_stored, held in ((4, 4), (7, 7), (8, 7), (30, 7)):
            monkeypatch.setattr(fig3, "N_STORED", n_stored)
            fig3.memories_of_units.cache_clear()
            assert fig3.memories_of_units(settings, 0).tolist() == [held]
        fig3.memories_of_units.cache_clear()


class TestFigure5:
    def test_sequences(self):
        drawn = fig5.SAMPLE.batch(100, seed=0)
        context = drawn.context.copy()
        context[0, 0] = context[0, 1]
        wrong = replace(drawn, context=context, target=1 - drawn.target)
        found = [verdicts(fig5.claims_on_task(sequences)) for sequences in (drawn, wrong)]
        check_table(found, {"*": "cx"}, only={"*": "cx"})

    def test_attention_and_signal(self):
        for claims in (fig5.claims_on_attention, fig5.claims_on_signal):
            check_table([verdicts(claims(d)) for d in (TINY, COARSE)], {"*": "cx"}, only={"*": "cx"})

    def test_published_gradients_are_not_those_of_the_output(self, monkeypatch):
        monkeypatch.setattr(fig5, "HEAD", replace(fig5.HEAD, gradients="published"))
        assert fig5.signal_difference(trained(fig5.HEAD, fig5.TASK, fig5.HALF, 0)) > 0.1


class TestFigure6:
    def test_weights_that_change(self):
        found = [verdicts(fig6.claims_on_fixed_weights(fig6.Changes(d, d))) for d in (0.0, TINY)]
        check_table(found, {"*": "cx"}, only={"*": "cx"})

    def test_gradients(self):
        found = [verdicts(fig6.claims_on_gradients(d, d)) for d in (TINY, COARSE)]
        check_table(found, {"*": "cx"}, only={"*": "cx"})

    def test_projections(self):
        lost = [around(mean, 0.1, runs=20) for mean in (0.2, -0.2, 0.0)]
        found = [verdicts(fig6.claims_on_projections(np.zeros(20), share)) for share in lost]
        check_table(found, {"projections": "cxi"})

    def test_the_winner_holds_the_item(self):
        trace = query_step(FIXED, 0).trace
        winner = trace.winners[fig6.STEP]
        item = TASK.one_hot(fig6.sequence().context[0, fig6.STEP])
        np.testing.assert_array_equal(trace.W_IH[fig6.STEP + 1][:, winner], item)
        others = np.delete(np.arange(FIXED.units), winner)
        np.testing.assert_array_equal(trace.W_HK[fig6.STEP + 1][others], trace.W_HK[fig6.STEP][others])


class TestFigureS8:
    def test_gradients(self):
        for claims in (figS8.claims_on_mhn, figS8.claims_on_alignment):
            check_table([verdicts(claims(d, d)) for d in (TINY, COARSE)], {"*": "cx"}, only={"*": "cx"})

    def test_the_signal_of_one_rule_is_not_that_of_the_other(self):
        step = query_step(MHN, 0)

        def loss(k):
            return float(((step.W_VH @ softmax(step.W_HK @ k) - step.target) ** 2).sum())

        assert figS8.differences(MHN, step, step.mhn_delta, loss, 0)[0] < 1e-6
        assert figS8.differences(MHN, step, step.alignment_delta, loss, 0)[0] > 0.1

"""Forgetting in theory. ``docs/explained/theory.md`` derives every step and says what it leaves out.

``one_winner`` has the 1-winner MHN, as in the paper (theorem 1) and exactly. ``k_winner`` predicts the retention of any
K-winner MHN, ``sf.predict_retention``, in these steps:

1. ``steady_state``: the weights after very many patterns, and how often each hidden unit wins;
2. ``trace_decay``: what is left of a pattern in its winners after each has won r times more,
   ``wins_by_age``: how often they have won by the time the pattern has a given age;
3. ``winners_at_test``: which hidden units win with a cue, and their connections to the visible units;
4. ``winner_correlation``: how alike winners are, since they have stored the same patterns;
5. ``retrieval_accuracy``: which visible units the winners drive most, and how many of them belong to the pattern.

The steps share two tools: ``drive_distribution`` (the distribution of a sum of weights, and the probability to be
among the k largest) and ``random_cue`` (the drives that a random cue gives, and the inputs of those that win).
``limits`` says what must hold of every prediction, and which limit was left where it does not.
"""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)

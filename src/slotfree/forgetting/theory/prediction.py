"""What theory predicts of a memory, as plain arrays, and what follows from it."""

from typing import NamedTuple

import numpy as np

from slotfree.forgetting.theory.drive_distribution import Floats


class Prediction(NamedTuple):
    """The accuracy by age, and how it varies over memories and patterns.

    Attributes
    ----------
    accuracy, variance, auc : of stored patterns, (cue, age).
    baseline, unseen_variance : of patterns never stored, (cue).
    error : expected error of the accuracy, (cue).
    """

    accuracy: Floats
    baseline: Floats
    error: Floats
    variance: Floats
    unseen_variance: Floats
    auc: Floats

    @classmethod
    def empty(cls, cues: int, ages: int) -> "Prediction":
        """Return a prediction to be filled in."""
        (accuracy, variance, auc), (baseline, error, unseen_variance) = np.empty((3, cues, ages)), np.empty((3, cues))
        return cls(accuracy, baseline, error, variance, unseen_variance, auc)

    @classmethod
    def always_right(cls, cues: int, ages: int) -> "Prediction":
        """Return the prediction for patterns that all memories recall, stored or not."""
        always = cls.empty(cues, ages)
        for values, value in zip(always, (1.0, 1.0, 0.0, 0.0, 0.0, 0.5), strict=True):
            values[:] = value
        return always

    def variables(self) -> dict[str, Floats]:
        """Return the variables of a predicted dataset, (cue, age) or (cue).

        d' = R.D. / √(Var ρ + Var ρ̃), as the accuracies ρ of a stored pattern and ρ̃ of one never stored are independent.
        """
        raw = self.accuracy - self.baseline[:, None]
        difference = np.sqrt(self.variance + self.unseen_variance[:, None])
        with np.errstate(divide="ignore", invalid="ignore"):
            d_prime = np.where(raw == 0, 0.0, raw / difference)
        return {
            "accuracy": self.accuracy,
            "baseline": self.baseline,
            "raw_difference": raw,
            "expected_error": self.error,
            "spread": np.sqrt(self.variance),
            "baseline_spread": np.sqrt(self.unseen_variance),
            "difference_spread": difference,
            "d_prime": d_prime,
            "d_prime_detection": np.sqrt(2) * d_prime,
            "auc": self.auc,
        }

import numpy as np
from study.madeup import Fading, faded

from slotfree.beyond.stackS5 import CELLS, older_d_prime


def test_mean_sensitivity_and_its_error_by_hand():
    experiment = CELLS[0.1, 5, 10]
    data = faded(experiment, lambda *_: Fading(0.1, 0, 0.4, 0.05), runs=6, n_ages=300)
    delta = (data["accuracy"].sel(kind="real") - data["accuracy"].sel(kind="pseudo")).values[:, 0, 29:]

    def mean_d(rows):
        return (rows.mean(axis=0) / rows.std(axis=0)).mean()

    without = np.array([mean_d(np.delete(delta, i, axis=0)) for i in range(6)])
    expected = (mean_d(delta), np.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum()))
    np.testing.assert_allclose(older_d_prime(data), expected)

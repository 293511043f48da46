import numpy as np
import pytest
from of_items import letters
from study.madeup import PAPER, Fading, around, check_table, faded

from slotfree.beyond import stackS5
from slotfree.beyond.stackS5 import CELLS, CODES, PLACES, PLAIN, map_of, older_d_prime
from slotfree.study.results import Results


def made_up(level, step, width):
    """Stacks that retain a level more than the plain memories, and codes that change with sparsity by steps."""
    data = {}
    for i, experiment in enumerate((*CELLS.values(), *PLAIN.values())):
        made = Fading(0.1 + (level if i < len(CELLS) else 0), 0, 0.4, 0.05)
        data[experiment.name] = faded(experiment, lambda *_, m=made: m, runs=20, n_ages=300, seed=i)
    values = around([[0.5 + step * stackS5.SPARSITIES.index(s) for s, _ in PLACES]], width)
    codes = [{"before": x[:, 0], "after": x, "recovered": x} for x in values]
    return Results({**data, CODES.name: CODES.run.label(codes)}, PAPER, 0)


@pytest.fixture(scope="module")
def better():
    return made_up(0.05, 0.02, 0.002)


def test_claims(better):
    made = (better, made_up(-0.05, -0.02, 0.002), made_up(0.0, 0.0, 0.01))
    check_table([letters(stackS5.ITEM, r) for r in made], dict.fromkeys(("gain-5", "gain-10", "recovery"), "cxi"))


def test_the_map_and_its_table(better):
    table = stackS5.draw(better).tables[""]
    assert [(row["sparsity"], row["expansion"]) for row in table] == list(PLACES)
    found = map_of(better, 10)
    np.testing.assert_allclose([row["d_prime_10"] for row in table], found.d_prime.ravel(), atol=1e-6)
    place = PLACES.index((0.1, 5))
    assert found.d_prime.ravel()[place] == older_d_prime(better[CELLS[0.1, 5, 10]])[0]


def test_mean_sensitivity_and_its_error_by_hand():
    experiment = CELLS[0.1, 5, 10]
    data = faded(experiment, lambda *_: Fading(0.1, 0, 0.4, 0.05), runs=6, n_ages=300)
    delta = (data["accuracy"].sel(kind="real") - data["accuracy"].sel(kind="pseudo")).values[:, 0, 29:]

    def mean_d(rows):
        return (rows.mean(axis=0) / rows.std(axis=0)).mean()

    without = np.array([mean_d(np.delete(delta, i, axis=0)) for i in range(6)])
    expected = (mean_d(delta), np.sqrt(5 / 6 * ((without - without.mean()) ** 2).sum()))
    np.testing.assert_allclose(older_d_prime(data), expected)

import numpy as np
from legibility import letters_as_read
from of_items import letters
from study.madeup import PAPER, Fading, check_table, faded

from slotfree.beyond import baselines
from slotfree.beyond.baselines import EXPERIMENTS
from slotfree.study.results import Results

AS_FOUND = {
    "kwinner": Fading(0.33, 0.005, 0.5, 0.04),
    "onewinner": Fading(0.8, 0.01, 0.18, 0.1),
    "modern": Fading(0, 0, 0.14, 0.02),
    "classical": Fading(0.4, 0.001, 0.1, 0.04),
    "willshaw": Fading(0, 0, 0.1, 0.02),
    "kanerva": Fading(0.05, 0, 0.17, 0.04),
    "fading": Fading(0.1, 0.001, 0.14, 0.04),
}
FADES, GONE = Fading(0.3, 0.001, 0.5, 0.05), Fading(0, 0, 0.1, 0.05)
SWAPPED = {
    "kwinner": GONE,
    "onewinner": GONE,
    "modern": FADES,
    "classical": Fading(-0.1, 0, 0.5, 0.05),
    "willshaw": FADES,
    "kanerva": FADES,
    "fading": Fading(0.2, 0.001, 0.5, 0.05),
}
ALIKE = dict.fromkeys(AS_FOUND, Fading(0.01, 0, 0.3, 0.05))


def made_up(models, n_ages=1000, runs=60):
    """Results of memories that fade."""
    data = {
        experiment.name: faded(experiment, lambda *_, n=name: models[n], runs=runs, n_ages=n_ages, seed=i)
        for i, (name, experiment) in enumerate(EXPERIMENTS.items())
    }
    return Results(data, PAPER, 0)


def test_claims():
    older = AS_FOUND | {"kwinner": FADES, "classical": Fading(0.01, 0, 0.9, 0.05)}
    check_table(
        [letters(baselines.ITEM, made_up(models)) for models in (AS_FOUND, SWAPPED, ALIKE, older)],
        dict.fromkeys(("willshaw-full-*", "beyond-slots-*", "decay-*", "partial-cues"), "cxi.")
        | {"classical-older-*": "c.ix", "newest-100%": "cxix", "newest-50%": "xcic"},
    )


def test_the_figure_and_its_tables():
    picture = baselines.draw(made_up(AS_FOUND, n_ages=120, runs=4))
    tables, areas = picture.tables, picture.axes[2, 0]
    picture.figure.canvas.draw()
    assert letters_as_read(picture.figure) == "ABC"
    places = [bar.lines[0].get_ydata()[0] for bar in areas.containers]
    np.testing.assert_array_equal(np.round(places), np.repeat(np.arange(7), 2), "a mark for each cue beside its memory")
    assert [0, 0] in [list(line.get_xdata()) for line in areas.lines], "where nothing is retained"
    assert {name: list(rows[0]) for name, rows in tables.items()} == {
        "": ["measure", "model", "cue", "kind", "age", "mean", "standard_error"],
        "_areas": ["model", "cue", "area", "low", "high"],
    }
    assert len(tables[""]) == 7 * 2 * 3 * 120

import numpy as np
from legibility import letters_as_read
from study.madeup import PAPER, Fading, around, check_table, faded, verdicts

from slotfree.beyond import baselines
from slotfree.beyond.baselines import EXPERIMENTS, FILLING, Filling, expected_ones
from slotfree.memory.willshaw import WillshawSettings
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


def made_up(models, slots, first, too_many, width, n_ages=700, runs=60):
    """Memories; accuracy of slots, and of Willshaw's memory while it fills; how many of its weights are 1 too many."""
    data = {}
    for i, (name, experiment) in enumerate(EXPERIMENTS.items()):
        data[experiment.name] = faded(experiment, lambda *_, n=name: models[n], runs=runs, n_ages=n_ages, seed=i)
    held = data[EXPERIMENTS["modern"].name]["accuracy"]
    held.loc[{"kind": "real", "age": slice(1, 100)}] = around(slots, width, runs=runs)[:, None, None]
    numbers = np.array(FILLING.run.numbers)
    filled = around(expected_ones(numbers) + too_many, width, seed=1)
    accuracy = around(np.full((2, len(numbers)), first), width, seed=2)
    filling = [{"filled": f, "accuracy": a} for f, a in zip(filled, accuracy, strict=True)]
    return Results({**data, FILLING.name: FILLING.run.label(filling)}, PAPER, 0)


def test_claims():
    made = (
        made_up(AS_FOUND, 1.0, 1.0, 0.0, 0.001),
        made_up(SWAPPED, 0.99, 0.9, 0.05, 0.001),
        made_up(ALIKE, 0.999, 0.99, 0.01, 0.01),
        made_up(AS_FOUND | {"kwinner": FADES, "classical": Fading(0.01, 0, 0.9, 0.05)}, 1.0, 1.0, 0.0, 0.001),
    )
    of_willshaw = ("willshaw-few", "willshaw-fills", "willshaw-full-*")
    others = ("slots-hold-*", "beyond-slots-*", "decay-*", "partial-cues")
    check_table(
        [verdicts(baselines.claims(r)) for r in made],
        dict.fromkeys((*of_willshaw, *others), "cxi.")
        | {"classical-older-*": "c.ix", "newest-100%": "cxix", "newest-50%": "xcic"},
    )


def test_the_figure_and_its_tables():
    picture = baselines.draw(made_up(AS_FOUND, 1.0, 1.0, 0.0, 0.001, n_ages=120, runs=4))
    tables, areas = picture.tables, picture.axes[2, 0]
    picture.figure.canvas.draw()
    assert letters_as_read(picture.figure) == "ABCD"
    places = [bar.lines[0].get_ydata()[0] for bar in areas.containers]
    np.testing.assert_array_equal(np.round(places), np.repeat(np.arange(7), 2), "a mark for each cue beside its memory")
    assert [0, 0] in [list(line.get_xdata()) for line in areas.lines], "where nothing is retained"
    assert {name: list(rows[0]) for name, rows in tables.items()} == {
        "": ["measure", "model", "cue", "kind", "age", "mean", "standard_error"],
        "_areas": ["model", "cue", "area", "low", "high"],
        "_filling": ["measure", "cue", "stored", "mean", "standard_deviation"],
    }
    assert len(tables[""]) == 7 * 2 * 3 * 120
    filled = [row["mean"] for row in tables["_filling"] if row["measure"] == "filled"]
    np.testing.assert_allclose(filled, expected_ones(np.array(FILLING.run.numbers)), atol=1e-6)


def test_weights_fill_up_as_chance_has_it():
    run = Filling(WillshawSettings(), (1, 10, 300), tested=10)
    data = run.label([run(np.random.SeedSequence(i)) for i in range(2)])
    expected = expected_ones(np.array(run.numbers))
    np.testing.assert_allclose(data["filled"].mean("run"), expected, atol=0.01)
    first, _, full = data["accuracy"].sel(cue=1.0).mean("run").values
    assert first == 1
    assert full < 0.5

"""Cues of any kind in the protocol: what memories are asked, what labels say, and what is refused."""

from functools import partial

import numpy as np
import pytest
import xarray as xr

import slotfree as sf
from slotfree.drawing import show_retention
from slotfree.files.dataset import read_dataset, write_dataset
from slotfree.forgetting.theory.limits import TheoryLimitError
from slotfree.study.retention import Retention

SMALL = {"n_visible": 60, "k_visible": 12, "n_hidden": 40, "k_hidden": 4, "fan_in": 0.5}
SIZES = {"runs": 2, "n_stored": 30, "n_tested": 10, "seed": 0}


class Echo:
    """Retrieves the cue as it is: accuracy is what a cue keeps of its pattern."""

    def __init__(self, seed):
        pass

    def store(self, patterns):
        pass

    def retrieve(self, cues):
        return cues


def first_half(patterns, *, seed):
    return patterns * (np.arange(patterns.shape[1]) < patterns.shape[1] // 2)


def test_cues_are_presented_as_their_names_say():
    source = partial(sf.random_patterns, n_visible=60, k_visible=20)
    asked = [("noisy", 0.3), 0.5, ("occluded", 0.25), ("cluttered", 0.5), ("blended", 0.4), ("partial", 0.7)]
    data = sf.retention(Echo, source, cues=asked, metrics=("accuracy", "precision"), **SIZES)
    labels = ["noisy 0.3", "0.5", "occluded 0.25", "cluttered 0.5", "blended 0.4", "0.7"]
    assert data["cue"].values.tolist() == labels
    exact = {"noisy 0.3": (0.7, 0.7), "0.5": (0.5, 1), "occluded 0.25": (0.75, 1), "cluttered 0.5": (1, 2 / 3)}
    for label, (accuracy, precision) in exact.items():
        np.testing.assert_allclose(data["accuracy"].sel(cue=label), accuracy)
        np.testing.assert_allclose(data["precision"].sel(cue=label), precision)
    assert (data["accuracy"].sel(cue="blended 0.4") >= 0.6).all()


def test_a_function_is_a_cue_and_is_told_by_its_name():
    data = sf.retention(SMALL, cues=[first_half, partial(sf.noisy_cues, share=0.2)], **SIZES)
    assert data["cue"].values.tolist() == ["first_half", "noisy_cues(share=0.2)"]


def test_levels_are_as_they_were_beside_others_and_by_name():
    """Each cue has a stream of its own: adding one changes no other."""
    alone = sf.retention(SMALL, cues=(1.0, 0.5), **SIZES)
    among = sf.retention(SMALL, cues=[("noisy", 0.3), ("partial", 0.5), 1.0], **SIZES)
    assert alone["cue"].dtype == float
    for level in (1.0, 0.5):
        np.testing.assert_array_equal(among["accuracy"].sel(cue=str(level)), alone["accuracy"].sel(cue=level))
    one = sf.retention(SMALL, cues=("noisy", 0.3), **SIZES)
    np.testing.assert_array_equal(one["accuracy"].sel(cue="noisy 0.3"), among["accuracy"].sel(cue="noisy 0.3"))


def test_results_are_drawn_and_those_of_studies_are_kept(tmp_path):
    run = Retention(sf.KWinnerSettings(**SMALL), cues=(("noisy", 0.3), 1.0), n_stored=30, n_tested=10)
    data = run.label([run(np.random.SeedSequence(i)) for i in range(2)])
    write_dataset(tmp_path / "data", data)
    assert read_dataset(tmp_path / "data")["cue"].values.tolist() == ["noisy 0.3", "1.0"]
    titles = [axis.get_title() for axis in show_retention(sf.retention(SMALL, cues=run.cues, **SIZES)).axes[0]]
    assert titles == ["noisy 0.3 cues", "100% cues"]


def test_mixed_cues_are_drawn_beside_levels_and_theory():
    settings = sf.KWinnerSettings()
    sizes = {"runs": 1, "n_stored": 20, "n_tested": 5, "seed": 0}
    mixed, levels = sf.retention(settings, cues=[1.0, ("noisy", 0.3)], **sizes), sf.retention(settings, **sizes)
    picture = show_retention({"a": mixed, "b": levels}, theory=sf.predict_retention(settings, ages=[1, 5]))
    assert [axis.get_title() for axis in picture.axes[0]] == ["100% cues", "noisy 0.3 cues", "50% cues"]


def test_mixed_cues_are_saved(tmp_path):
    data = sf.retention(SMALL, cues=[1.0, ("noisy", 0.3)], **SIZES)
    write_dataset(tmp_path / "ours", data)
    data.to_netcdf(tmp_path / "theirs.nc")
    with xr.open_dataset(tmp_path / "theirs.nc") as back:
        assert back["cue"].values.tolist() == ["1.0", "noisy 0.3"]
        np.testing.assert_array_equal(back["accuracy"], data["accuracy"])
    xr.testing.assert_equal(read_dataset(tmp_path / "ours"), data)


@pytest.mark.parametrize(
    ("cue", "error", "message"),
    [
        ("noisy", TypeError, r"cues must be levels in \(0, 1\], names with a number .* not 'noisy'"),
        ([("wet", 0.3)], ValueError, "the kind of a cue must be 'partial', 'noisy', .* not 'wet'"),
        ([("noisy", 1.2)], ValueError, r"the level of the cue 'noisy' must be a number in \[0, 1\], not 1.2"),
        ([("partial", 0.0)], ValueError, r"the level of the cue 'partial' must be a number in \(0, 1\], not 0"),
        ([("occluded", 1.0)], ValueError, "share=1 leaves nothing of a pattern with 12 active bits"),
        ([("noisy", 0.3), ("noisy", 0.3)], ValueError, "cues must be different cue levels"),
        (lambda x, seed: x[:, :5], ValueError, "what the cue '<lambda>' returns must have the shape"),
        (lambda x, seed: 0 * x, ValueError, "returns must leave each pattern some ones, and leaves 10 none"),
        (lambda x, seed: 3 * x, ValueError, "returns must hold only 0 and 1"),
    ],
)
def test_cues_that_cannot_be(cue, error, message):
    with pytest.raises(error, match=message):
        sf.retention(SMALL, cues=cue, **SIZES)


def test_no_theory_covers_other_cues():
    for cue in (("noisy", 0.3), [1.0, first_half]):
        with pytest.raises(TheoryLimitError, match=r"cues must be levels of partial cues, in \(0, 1\], not '"):
            sf.predict_retention({}, cues=cue)
    np.testing.assert_array_equal(
        sf.predict_retention({}, cues=[("partial", 0.5)], ages=[1])["accuracy"],
        sf.predict_retention({}, cues=0.5, ages=[1])["accuracy"],
    )

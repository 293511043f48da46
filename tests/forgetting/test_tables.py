import numpy as np
import pandas as pd
import pytest
import xarray as xr
from plain_memories import Slots

import slotfree as sf
from slotfree.forgetting import long_table, recalled, schedule_of
from slotfree.forgetting.tables import COLUMNS

PEOPLE = pd.DataFrame(
    [
        *[("a", 1, "study", i, word) for i, word in enumerate(("cat", "dog", "sky"), 1)],
        *[("a", 1, "recall", i, word) for i, word in enumerate(("sky", "tree", "cat", "sky"), 1)],
        *[("a", 2, "study", i, word) for i, word in enumerate(("dog", "tea"), 1)],
        *[("b", 1, "study", i, word) for i, word in enumerate(("sea", "cat", "dog"), 1)],
        *[("b", 2, "study", i, word) for i, word in enumerate(("sky", "tea"), 1)],
        ("b", 2, "recall", 1, "tea"),
    ],
    columns=COLUMNS,
)


def test_what_people_recalled():
    data = recalled(PEOPLE)
    assert data["run"].values.tolist() == ["a", "b"]
    nan = np.nan
    np.testing.assert_array_equal(data["accuracy"], [[[1, 0, 1], [0, 0, nan]], [[0, 0, 0], [0, 1, nan]]])
    np.testing.assert_array_equal(data["output"].sel(run="a")[0], [3, nan, 1])
    assert data["name"].sel(run="b")[1].values.tolist() == ["sky", "tea", ""]


def test_a_table_comes_back_without_intrusions_and_repeats():
    back = long_table(recalled(PEOPLE))
    assert list(back.columns) == list(COLUMNS)
    assert back["trial_type"].isin(["study", "recall"]).all()
    studied = PEOPLE["trial_type"] == "study"
    key = ["subject", "list", "position", "item"]
    pd.testing.assert_frame_equal(
        back[back["trial_type"] == "study"][key].reset_index(drop=True), PEOPLE[studied][key].reset_index(drop=True)
    )
    said = back[back["trial_type"] == "recall"][key].values.tolist()
    assert said == [["a", 1, 1, "sky"], ["a", 1, 2, "cat"], ["b", 2, 1, "tea"]]
    again = recalled(back)
    np.testing.assert_array_equal(again["accuracy"], recalled(PEOPLE)["accuracy"])


def test_memories_recall_what_reaches_the_criterion_the_best_first():
    accuracy = [[[0.2, 0.9, 0.7], [0.5, np.nan, np.nan]]]
    table = long_table(xr.Dataset({"accuracy": (("run", "test", "item"), accuracy)}), criterion=0.6)
    assert len(table[table["trial_type"] == "study"]) == 4
    assert table[table["trial_type"] == "recall"]["item"].tolist() == ["1-2", "1-3"]
    assert (table.groupby(["subject", "list", "trial_type"])["position"].min() == 1).all()


def test_a_memory_gets_the_lists_of_a_person():
    data = sf.experiment(Slots, schedule_of(PEOPLE, "b", n_visible=40, k_visible=6), runs=2, seed=0)
    assert data["list"].values.tolist() == [1, 2]
    assert (data["accuracy"].sel(test="list")[:, 0] == 1).all()
    np.testing.assert_array_equal(data["accuracy"].sel(test="list")[:, 1], [[1, 1, np.nan]] * 2)


def test_tables_that_cannot_be():
    for read in (recalled, schedule_of):
        with pytest.raises(ValueError, match=r"table must have the columns .*; it lacks list, position"):
            read(PEOPLE.drop(columns=["list", "position"]))
        with pytest.raises(ValueError, match=r"trial_type must be 'study' or 'recall', not \['test'\]"):
            read(PEOPLE.replace("recall", "test"))
        with pytest.raises(ValueError, match="table must have study trials"):
            read(PEOPLE[PEOPLE["trial_type"] == "recall"])
    with pytest.raises(ValueError, match=r"subject must be one of the table, \['a', 'b'\], not 'c'"):
        schedule_of(PEOPLE, "c")
    with pytest.raises(ValueError, match=r"data must hold accuracy \(run, test, item\)"):
        long_table(xr.Dataset())


def test_lists_keep_their_names_and_what_was_studied_twice_is_recalled_once():
    rows = [("study", 1, "cat"), ("study", 2, "sky"), ("study", 3, "cat"), ("recall", 1, "cat")]
    table = pd.DataFrame([(7, number, *row) for number in (3, 5) for row in rows], columns=COLUMNS)
    pd.testing.assert_frame_equal(long_table(recalled(table)), table)
    data = sf.experiment(Slots, schedule_of(table, n_visible=40, k_visible=6), runs=1, seed=0)
    assert long_table(data)["list"].unique().tolist() == [3, 5]

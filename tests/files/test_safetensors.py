import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import load_file, save_file

from slotfree.files.errors import FormatError
from slotfree.files.safetensors import DTYPES, ArrayFile, write_arrays

ARRAYS = st.dictionaries(
    st.text(min_size=1, max_size=8).filter(lambda name: name != "__metadata__" and name.isprintable()),
    st.sampled_from(list(DTYPES.values())).flatmap(
        lambda code: hnp.arrays(code, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
    ),
    min_size=1,
    max_size=4,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(arrays=ARRAYS)
def test_round_trip_here_and_in_the_reference_library(tmp_path, arrays):
    path = tmp_path / "file"
    write_arrays(path, arrays, {"words": "to words"})
    theirs = load_file(path)
    with ArrayFile(path) as file:
        assert file.metadata == {"words": "to words"}
        assert file.shapes.keys() == arrays.keys()
        for name, array in arrays.items():
            for other in (file.read(name), theirs[name]):
                assert other.dtype == array.dtype
                assert other.shape == array.shape
                assert other.tobytes() == array.tobytes()
            rows = [row for piece in file.pieces(name) for row in piece]
            assert b"".join(row.tobytes() for row in rows) == array.tobytes()


def test_files_of_the_reference_library_can_be_read(tmp_path):
    arrays = {"b": np.arange(6.0).reshape(2, 3), "a": np.ones(5, np.uint8), "none": np.zeros((0, 3))}
    save_file(arrays, tmp_path / "file", {"k": "v"})
    with ArrayFile(tmp_path / "file") as file:
        assert file.metadata == {"k": "v"}
        for name, array in arrays.items():
            np.testing.assert_array_equal(file.read(name), array)


def test_a_header_too_long_to_be_read_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="need a header of"):
        write_arrays(tmp_path / "file", {}, {"long": "x" * 2_000_000})
    assert not (tmp_path / "file").exists()


def test_a_file_cut_while_it_is_read_is_refused(tmp_path):
    write_arrays(tmp_path / "file", {"a": np.arange(100.0)}, {})
    with ArrayFile(tmp_path / "file") as file:
        with (tmp_path / "file").open("r+b") as other:
            other.truncate(200)
        with pytest.raises(FormatError, match="it was cut while it was read, in 'a'"):
            file.read("a")

"""JSON with a checksum of itself, and files that are no files: damage is noticed, nothing is waited for."""

import math
import os
import pickle

import numpy as np
import pytest

from slotfree.files.errors import FormatError
from slotfree.files.regular import hash_of_file, open_regular, read_regular, remove_special
from slotfree.files.sealed_json import read_sealed, sealed

VALUE = {"words": "ünïcode", "numbers": [1, 2.5, -0.0, 1e300, 10**30], "none": None, "deep": {"a": [{"b": True}]}}


def test_what_is_sealed_is_read(tmp_path):
    (tmp_path / "f").write_bytes(sealed(VALUE))
    assert read_sealed(tmp_path / "f") == VALUE
    (tmp_path / "f").write_bytes(sealed({"limit": math.inf, "nothing": math.nan}))
    assert read_sealed(tmp_path / "f")["limit"] == math.inf


def test_the_reason_of_a_refusal_is_whole_and_without_the_path(tmp_path):
    error = FormatError("it says 'b cannot be used: c'", tmp_path / "a cannot be used: f")
    assert error.reason == pickle.loads(pickle.dumps(error)).reason == "it says 'b cannot be used: c'"
    assert str(error) == f"{str(tmp_path / 'a cannot be used: f')!r} cannot be used: {error.reason}"
    assert str(FormatError("it is empty")) == FormatError("it is empty").reason == "it is empty"


def test_any_changed_bit_is_noticed(tmp_path):
    whole = sealed(VALUE)
    rng = np.random.default_rng(0)
    for position in range(len(whole)):
        changed = bytearray(whole)
        changed[position] ^= 1 << rng.integers(8)
        (tmp_path / "f").write_bytes(changed)
        with pytest.raises(FormatError):
            read_sealed(tmp_path / "f")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not the JSON it should be"),
        (b"\xff\xfe", "not the JSON it should be"),
        (b"[" * 200_000, "not the JSON it should be"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "not the JSON it should be"),
        (b"[1]", "not a JSON object"),
        (b'{"a": 1}', "no checksum"),
        (b'{"a": 1, "checksum": ["x"]}', "its checksum is wrong"),
        (sealed(VALUE)[:-9], "not the JSON it should be"),
    ],
)
def test_damage_is_told_in_a_line(tmp_path, content, reason):
    (tmp_path / "f").write_bytes(content)
    with pytest.raises(FormatError, match=reason) as told:
        read_sealed(tmp_path / "f")
    assert "\n" not in str(told.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_only_ordinary_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for name in ("pipe", "link", "/dev/zero"):
        with pytest.raises(FormatError, match="it is not an ordinary file"):
            open_regular(tmp_path / name)
    with pytest.raises(IsADirectoryError):
        read_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        hash_of_file(tmp_path / "nothing")
    (tmp_path / "large").write_bytes(b"12345")
    assert read_regular(tmp_path / "large", most=5) == b"12345"
    with pytest.raises(FormatError, match="more than 4 bytes"):
        read_regular(tmp_path / "large", most=4)
    assert remove_special(tmp_path / "pipe")
    assert not any(remove_special(tmp_path / name) for name in ("pipe", "large", "link", "."))
    assert (tmp_path / "large").exists()

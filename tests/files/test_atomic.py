import errno
import os
import signal
import time
import warnings

import numpy as np
import pytest

import slotfree as sf
from slotfree.files import atomic
from slotfree.files.atomic import write_atomically

ROUTES = ["nameless", "named"]


@pytest.fixture(params=ROUTES)
def route(request, monkeypatch):
    """Both ways to write: with a file that has no name yet, and, as on other systems, with a temporary name."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system has no files without a name")
    return request.param


def names(directory):
    return sorted(path.name for path in directory.iterdir())


def test_new_and_old_files(tmp_path, route):
    path = tmp_path / "file"
    write_atomically(path, lambda file: file.write(b"one"))
    assert path.read_bytes() == b"one"
    write_atomically(path, lambda file: file.write(b"two"))
    assert path.read_bytes() == b"two"
    assert names(tmp_path) == ["file"]


def test_permissions_follow_the_umask(tmp_path, route):
    old = os.umask(0o027)
    try:
        write_atomically(tmp_path / "file", lambda file: file.write(b"x"))
    finally:
        os.umask(old)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(tmp_path, route):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    write_atomically(tmp_path / "link", lambda file: file.write(b"x"))
    assert (tmp_path / "there" / "file").read_bytes() == b"x"
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, route, error):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def write(file):
        file.write(b"half of the n")
        raise error

    with pytest.raises(type(error)):
        write_atomically(path, write)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_where_a_complete_file_cannot_be_linked_it_is_written_by_name(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    write_atomically(tmp_path / "file", lambda file: file.write(b"x"))
    assert (tmp_path / "file").read_bytes() == b"x"
    assert names(tmp_path) == ["file"]


def test_leftovers_are_removed_but_not_those_in_use_or_of_others(tmp_path, route):
    (tmp_path / ".file.0123456789abcdef.tmp").write_bytes(b"left by a killed process")
    (tmp_path / ".other.0123456789abcdef.tmp").write_bytes(b"of another file")
    with (tmp_path / ".file.fedcba9876543210.tmp").open("wb") as used:
        atomic.fcntl.flock(used, atomic.fcntl.LOCK_EX)
        write_atomically(tmp_path / "file", lambda file: file.write(b"x"))
        assert names(tmp_path) == [".file.fedcba9876543210.tmp", ".other.0123456789abcdef.tmp", "file"]


def fork_and_kill(work, delay):
    """Run work in a child for a while, then kill -9."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child only writes files
        child = os.fork()
    if child == 0:
        try:
            while True:
                work()
        finally:
            os._exit(1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, "the child was to be killed while saving"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_during_save_100_times(tmp_path, route):
    """A child saves two memories in turn, over and over; killed at any moment, one of them is there, whole."""
    path = tmp_path / "m.safetensors"
    old, new = (sf.KWinnerMHN(200, 400, 20, 5, 0.2, 0.3, seed=seed) for seed in (0, 1))
    old.save(path)
    contents = {}
    for memory in (old, new):
        memory.save(path)
        contents[path.read_bytes()] = memory

    def save_both():
        new.save(path)
        old.save(path)

    rng = np.random.default_rng(0)
    seen, leftovers = set(), 0
    for _ in range(100 if route == "nameless" else 30):
        fork_and_kill(save_both, rng.uniform(0.002, 0.03))
        content = path.read_bytes()
        assert content in contents, "neither the whole old nor the whole new file"
        seen.add(contents[content])
        np.testing.assert_array_equal(sf.KWinnerMHN.load(path).weights, contents[content].weights)
        leftovers += len(names(tmp_path)) - 1
        old.save(path)
        assert names(tmp_path) == [path.name], "the next save removes what a killed one left"
    assert seen == {old, new}, "the kills must fall on both sides of a rename"
    if route == "nameless":
        assert leftovers <= 5, "only a kill between link and rename leaves a file"
    else:
        assert leftovers > 0, "the kills must fall into the middle of writing"

import errno
import os
import signal
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

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


def leftover(target, digits):
    return target.with_name(f"{atomic._prefix(target)}{digits * 16}.tmp")


def test_leftovers_are_removed_but_not_those_in_use_or_of_others(tmp_path, route):
    target = tmp_path / "file"
    leftover(target, "0").write_bytes(b"left by a killed process")
    leftover(target, "1").write_bytes(b"")  # perhaps about to be locked
    kept = [
        leftover(target, "1"),
        leftover(tmp_path / "other", "0"),
        tmp_path / ".file.tmp",
        tmp_path / ".file.notes.tmp",
    ]
    for path in kept[1:]:
        path.write_bytes(b"of others")
    with leftover(target, "2").open("wb") as used:
        used.write(b"half")
        used.flush()
        atomic.fcntl.flock(used, atomic.fcntl.LOCK_EX)
        write_atomically(target, lambda file: file.write(b"x"))
        assert set(tmp_path.iterdir()) == {target, leftover(target, "2"), *kept}
    os.utime(leftover(target, "1"), (0, 0))
    write_atomically(target, lambda file: file.write(b"x"))
    assert set(tmp_path.iterdir()) == {target, *kept[1:]}


def test_a_file_is_locked_while_it_is_written(tmp_path, route):
    def write(file):
        other = os.open(f"/proc/self/fd/{file.fileno()}", os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            atomic.fcntl.flock(other, atomic.fcntl.LOCK_EX | atomic.fcntl.LOCK_NB)
        os.close(other)

    write_atomically(tmp_path / "file", write)


def test_the_content_is_on_disk_before_the_name_and_the_name_before_the_end(tmp_path, route, monkeypatch):
    events = []

    def note(word, function):
        def noted(*arguments, **options):
            events.append(word)
            return function(*arguments, **options)

        return noted

    monkeypatch.setattr(os, "fsync", note("sync", os.fsync))
    monkeypatch.setattr(os, "link", note("link", os.link))
    monkeypatch.setattr(atomic.Path, "replace", note("rename", atomic.Path.replace))
    write_atomically(tmp_path / "file", lambda file: file.write(b"x") and events.append("write"))
    assert events == ["write", "sync", *(["link"] if route == "nameless" else []), "rename", "sync"]


def test_many_writers_at_once(tmp_path, route):
    """Six threads save over and over to one path: no error, nothing left, and always a whole file."""
    target = tmp_path / "file"
    contents = [bytes([65 + i]) * 1000 for i in range(6)]

    def work(content):
        for _ in range(60):
            write_atomically(target, lambda file: file.write(content))
            assert target.read_bytes() in contents

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, contents))
    assert names(tmp_path) == ["file"]


def test_long_names_and_old_modes(tmp_path, route):
    path = tmp_path / ("n" * 250)
    write_atomically(path, lambda file: file.write(b"x"))
    path.chmod(0o600)
    write_atomically(path, lambda file: file.write(b"y"))
    assert path.read_bytes() == b"y"
    assert path.stat().st_mode & 0o777 == 0o600


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


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_9_during_save_100_times(tmp_path, route, monkeypatch):
    """A child saves two memories in turn, over and over; killed at any moment, one of them is there, whole."""
    monkeypatch.setattr(atomic, "YOUNG", -1.0)  # there is no other writer whose empty file must be spared
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


def test_where_a_path_leads_nowhere_a_link_is_named(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "gone" / "file")
    with pytest.raises(FileNotFoundError, match=r"and the link .* leads there"):
        write_atomically(tmp_path / "link", lambda file: file.write(b"x"))
    with pytest.raises(FileNotFoundError, match=r"is not one$"):
        write_atomically(tmp_path / "gone" / "file", lambda file: file.write(b"x"))

import webbrowser

import pytest
from program import slotfree

from slotfree.explorer.page import page


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """What a browser was asked to open; it can, and the cache is a folder of the test."""
    addresses = []
    monkeypatch.setattr(webbrowser, "open", lambda url: addresses.append(url) or True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return addresses


def test_it_opens_the_page_from_a_file(opened, tmp_path):
    done = slotfree("explore")
    path = tmp_path / "cache" / "slotfree" / "explorer.html"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"the explorer is in {path}\n"
    assert opened == [path.as_uri()]
    assert path.read_text("utf-8") == page()


def test_it_writes_the_page_where_one_wants_it(opened, tmp_path):
    done = slotfree("explore", "--out", "mine.html", cwd=tmp_path)
    assert done.stdout == f"the explorer is in {tmp_path / 'mine.html'}\n"
    assert (tmp_path / "mine.html").read_text("utf-8") == page()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.html"], "nothing else, and no cache"
    assert opened == [(tmp_path / "mine.html").as_uri()]
    assert slotfree("explore", "--out", tmp_path / "mine.html", "--no-open").returncode == 0
    assert len(opened) == 1


def test_without_a_browser_it_says_where_the_page_is(monkeypatch, opened, tmp_path):
    monkeypatch.setattr(webbrowser, "open", lambda url: False)
    done = slotfree("explore", "--out", tmp_path / "mine.html")
    assert done.returncode == 0
    assert done.stdout == f"the explorer is in {tmp_path / 'mine.html'}\n"
    assert done.stderr == "no browser could be opened here; open that file in one\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("page.txt", "the name must end in .html, not 'page.txt'"),
        ("missing/page.html", "the directory must exist, and 'missing' does not"),
        ("folder.html", "is a directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_opens(opened, tmp_path, name, message):
    (tmp_path / "folder.html").mkdir()
    done = slotfree("explore", "--out", name, cwd=tmp_path)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert opened == []
    assert [path.name for path in tmp_path.iterdir()] == ["folder.html"]

import io
import os
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

import slotfree as sf
from slotfree.display import progress
from slotfree.display.counts import counted_words
from slotfree.display.duration import duration
from slotfree.display.progress import Lines, TerminalBar, counted

SMALL = {"n_visible": 60, "k_visible": 6, "n_hidden": 40, "k_hidden": 3, "fan_in": 0.3}
COUNT = "from slotfree.display.progress import counted\nprint(sum(counted(iter(range(5)), 5, 'runs', progress=True)))"


def test_parts_are_passed_on_as_they_are(capsys):
    parts = [object() for _ in range(5)]
    for shown in (False, True):
        assert list(counted(iter(parts), 5, "runs", progress=shown)) == parts
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("5 runs in ")
    assert printed.err.count("\n") == 1, "nothing is animated where there is no terminal"


def test_nothing_is_shown_unless_asked_for(capsys):
    list(counted(range(3), 3, "runs", progress=False))
    assert capsys.readouterr() == ("", "")


def test_retention_is_the_same_with_progress(capsys):
    options = {"runs": 4, "n_stored": 30, "n_tested": 10, "seed": 0}
    quiet = sf.retention(SMALL, **options)
    assert capsys.readouterr().out == ""
    shown = sf.retention(SMALL, **options, progress=True)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "4 runs in " in printed.err
    assert quiet.identical(shown)


def test_training_is_the_same_with_progress(capsys):
    model, task = sf.SlotFreeTransformer(n_hidden=8), sf.CaseSequenceTask(n_letters=3, context_length=2)
    quiet, shown = (sf.train(model, task, runs=3, iterations=5, seed=0, progress=shown) for shown in (False, True))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "3 runs in " in printed.err
    assert quiet.attrs == shown.attrs
    for name in ("accuracy", "loss", "W_Q", "W_K", "W_V"):
        np.testing.assert_array_equal(getattr(quiet, name), getattr(shown, name))


def test_progress_must_be_true_or_false():
    with pytest.raises(TypeError, match="progress must be True or False, not 'yes'"):
        sf.retention(SMALL, runs=1, n_stored=2, n_tested=1, seed=0, progress="yes")


def test_errors_pass_through_the_bar(capsys):
    def parts():
        yield 1
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(counted(parts(), 2, "runs", progress=True))
    assert "runs in" not in capsys.readouterr().err


def test_lines_come_at_intervals(capsys, monkeypatch):
    now = iter([0.0, 1.0, 6.0, 6.0, 7.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    lines = Lines("runs")
    for done in (1, 2, 3):
        lines.show(done, 3, "about 2 s left")
    assert capsys.readouterr().err == "2 of 3 runs, about 2 s left\n"


def test_a_terminal_has_a_bar():
    screen = io.StringIO()
    with TerminalBar("runs", Console(file=screen, force_terminal=True, width=80)) as bar:
        bar.show(1, 4)
        bar.progress.refresh()
        bar.tell("a line that stays")
    assert "25%" in screen.getvalue()
    assert "1 of 4 runs" in screen.getvalue()
    assert "a line that stays" in screen.getvalue()


def on_a_terminal(**environment):
    """What a program writes to stderr where this is a terminal, and to stdout where that is a pipe."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with os.fdopen(ours, "rb", buffering=0) as screen:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", COUNT],
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=kept | {"TERM": "xterm-256color"} | environment,
            check=True,
        )
        os.close(theirs)
        written = b""
        try:
            while part := screen.read(65536):
                written += part
        except OSError:  # the end of a terminal
            pass
    return done.stdout.decode(), written.decode()


def test_on_a_terminal_stdout_stays_clean_and_colours_are_as_asked_for():
    out, screen = on_a_terminal()
    assert out == "10\n"
    assert "100%" in screen
    assert "5 runs in" in screen
    assert "\x1b[3" in screen
    out, screen = on_a_terminal(NO_COLOR="1")
    assert out == "10\n"
    assert "100%" in screen
    assert not any(f"\x1b[3{colour}m" in screen for colour in range(8))


def test_a_dumb_terminal_gets_lines():
    out, screen = on_a_terminal(TERM="dumb")
    assert out == "10\n"
    assert "\x1b" not in screen
    assert screen.strip().startswith("5 runs in")


@pytest.fixture
def notebook(monkeypatch):
    """A notebook that remembers what is displayed, and what that is replaced by."""
    shown = []

    def display(data, *, raw, display_id):
        assert raw
        assert display_id is True
        shown.append(data)
        return SimpleNamespace(update=lambda data, raw: shown.append(data))

    package, displays = ModuleType("IPython"), ModuleType("IPython.display")
    package.get_ipython = lambda: SimpleNamespace(kernel=object())
    displays.display = display
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", displays)
    return shown


def test_a_notebook_has_a_bar_that_becomes_a_line(notebook, capsys):
    assert list(counted(range(3), 3, "<runs>", progress=True)) == [0, 1, 2]
    assert '<progress value="0" max="3"' in notebook[0]["text/html"]
    assert notebook[0]["text/plain"] == "0 of 3 <runs>"
    assert notebook[-1]["text/html"].startswith("<div>3 &lt;runs&gt; in ")
    assert capsys.readouterr() == ("", "")


def test_a_line_that_is_told_stays_beside_the_bar(monkeypatch, notebook):
    outputs = []

    def display(data, *, raw, display_id):
        outputs.append(data)
        place = len(outputs) - 1
        return SimpleNamespace(update=lambda data, raw: outputs.__setitem__(place, data))

    monkeypatch.setattr(sys.modules["IPython.display"], "display", display)
    monkeypatch.setattr(progress, "NOTEBOOK_EVERY", -1.0)
    with progress.bar("runs") as bar:
        bar.tell("before")
        bar.show(1, 3)
        bar.tell("between")
        bar.show(2, 3)
        assert [each["text/plain"] for each in outputs] == ["before", "2 of 3 runs", "between"]
        bar.finish("done")
    assert [each["text/plain"] for each in outputs] == ["before", "done", "between"]


def test_lines_and_terminals_finish_with_a_line_that_stays(capsys):
    Lines("runs").finish("done")
    assert capsys.readouterr().err == "done\n"
    screen = io.StringIO()
    with TerminalBar("runs", Console(file=screen, force_terminal=True, width=80)) as bar:
        bar.finish("done")
    assert "done" in screen.getvalue()


def test_a_notebook_tells_where_work_stopped(notebook):
    with pytest.raises(ZeroDivisionError):
        list(counted((1 / x for x in (1, 0)), 2, "runs", progress=True))
    assert notebook[-1]["text/plain"].startswith("stopped: ")


def test_a_shell_without_a_kernel_is_no_notebook(monkeypatch):
    package = ModuleType("IPython")
    package.get_ipython = lambda: None
    monkeypatch.setitem(sys.modules, "IPython", package)
    assert not progress.in_notebook()


def test_rich_is_imported_only_where_it_is_needed():
    code = "import sys\nfrom slotfree.display.progress import counted\nlist(counted([1], 1, '', progress=False))"
    asked = f"{code}\nprint('rich' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", asked], text=True) == "False\n"


@pytest.mark.parametrize(("seconds", "words"), [(3.21, "3.2 s"), (12, "12 s"), (120, "2.0 min"), (7300, "2.0 h")])
def test_times_are_told_in_the_unit_that_suits_them(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(("n", "words"), [(0, "0 runs"), (1, "1 run"), (2, "2 runs"), (12345, "12,345 runs")])
def test_things_are_counted_in_words(n, words):
    assert counted_words(n, "runs") == words


def test_one_run_is_no_runs(capsys):
    list(counted([0], 1, "runs", progress=True))
    assert capsys.readouterr().err.startswith("1 run in ")
    assert Lines("runs").text(0, 1, "") == "0 of 1 run"
    assert Lines("").text(1, 2, "soon") == "1 of 2, soon"

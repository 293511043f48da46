import os
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import slotfree as sf
from slotfree.display import progress
from slotfree.display.counts import counted_words
from slotfree.display.duration import duration
from slotfree.display.progress import Bar, counted

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
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(progress.time, "monotonic", lambda: now.seconds)
    monkeypatch.setattr("rich.console.monotonic", lambda: now.seconds)
    bar = Bar("runs")
    for done in range(6):
        now.seconds += 2.0
        bar.show(done, 10)
    bar.show(6, 10, "words")
    bar.finish("done")
    assert capsys.readouterr().err == "2 of 10 runs, about 16 s left\n5 of 10 runs, about 10 s left\ndone\n"


def on_a_terminal(code=COUNT, **environment):
    """What a program writes to stderr where this is a terminal, and to stdout where that is a pipe."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with os.fdopen(ours, "rb", buffering=0) as screen:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
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


def test_a_line_stays_above_the_bar():
    _, screen = on_a_terminal(
        "from slotfree.display.progress import Bar\n"
        "with Bar('runs') as bar: bar.show(1, 4); bar.tell('a path[/red]'); bar.show(2, 4, 'words'); bar.finish('done')"
    )
    for part in ("a path[/red]", " 50%", "2 of 4 runs, words", "done"):
        assert part in screen


def test_a_dumb_terminal_gets_lines():
    out, screen = on_a_terminal(TERM="dumb")
    assert out == "10\n"
    assert "\x1b" not in screen
    assert screen.strip().startswith("5 runs in")


def test_a_pipe_gets_lines_even_if_colours_are_forced():
    command, forced = [sys.executable, "-c", COUNT], os.environ | {"FORCE_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=forced, check=True)
    assert done.stdout == "10\n"
    assert done.stderr.startswith("5 runs in")
    assert done.stderr.count("\n") == 1


@pytest.fixture
def notebook(monkeypatch):
    """A notebook: its outputs as text, each as it is in the end, and all HTML that it was given."""
    found = SimpleNamespace(outputs=[], html=[])

    def put(place, shown):
        content = shown._repr_mimebundle_([], [])
        found.outputs[place:] = [content["text/plain"].strip(), *found.outputs[place + 1 :]]
        found.html.append(content["text/html"])

    def display(shown, *, display_id):
        assert display_id is True
        place = len(found.outputs)
        put(place, shown)
        return SimpleNamespace(update=lambda shown: put(place, shown))

    package, displays = ModuleType("IPython"), ModuleType("IPython.display")
    package.get_ipython = lambda: SimpleNamespace(kernel=object())
    displays.display = display
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", displays)
    monkeypatch.setattr(progress, "NOTEBOOK_EVERY", -1.0)
    return found


def test_a_notebook_has_a_bar_that_becomes_a_line(notebook, capsys):
    assert list(counted(range(3), 3, "<runs>", progress=True)) == [0, 1, 2]
    assert "0 of 3 &lt;runs&gt;" in notebook.html[0]
    assert " 67%" in notebook.html[2]
    assert len(notebook.html) == 5
    assert [line[:12] for line in notebook.outputs] == ["3 <runs> in "]
    assert capsys.readouterr() == ("", "")


def test_a_notebook_moves_the_bar_only_as_often_as_can_be_seen(notebook, monkeypatch):
    monkeypatch.setattr(progress, "NOTEBOOK_EVERY", 1000.0)
    list(counted(range(300), 300, "runs", progress=True))
    assert len(notebook.html) == 2


def test_a_line_that_stays_has_a_place_beside_the_bar(notebook):
    with Bar("runs") as bar:
        bar.tell("before")
        bar.show(1, 3)
        bar.tell("between")
        bar.show(2, 3)
        assert [line.rsplit("  ")[-1] for line in notebook.outputs][::2] == ["before", "between"]
        assert "2 of 3 runs" in notebook.outputs[1]
        bar.finish("done")
    assert notebook.outputs == ["before", "done", "between"]


def test_a_notebook_shows_where_work_stopped(notebook):
    with pytest.raises(ZeroDivisionError):
        list(counted((1 / x for x in (1, 0)), 2, "runs", progress=True))
    assert notebook.outputs[0].startswith("stopped: 1 of 2 runs")


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


def test_one_run_is_no_runs(capsys, monkeypatch):
    monkeypatch.setattr(progress, "LINE_EVERY", -1.0)
    list(counted([0], 1, "runs", progress=True))
    Bar().show(1, 2, "soon")
    first, second, third, last = capsys.readouterr().err.splitlines()
    assert (first, second, last) == ("0 of 1 run", "1 of 1 run", "1 of 2, soon")
    assert third.startswith("1 run in ")

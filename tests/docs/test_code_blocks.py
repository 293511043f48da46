"""Every code block of the README and the documentation is tried; notebooks are run when the site is made."""

import doctest
import subprocess
import sys
from types import ModuleType

import pytest
from pages import PAGES, Block, blocks_of, commands_in, is_notebook
from pytorch import skip_without_pytorch

from slotfree.memory import base

SHOWN = {"text", "toml", "json"}  # not code
TRIED = {"python", "sh"}
STUDY = "# my_study.py\n"  # the first line of a block that is a file of its own
WITH_PYTHON = [
    name
    for name, path in PAGES.items()
    if any(block.kind == "python" for block in blocks_of(path.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize("name", PAGES)
def test_there_are_only_blocks_that_are_tried_or_shown(name):
    text = PAGES[name].read_text(encoding="utf-8")
    for block in blocks_of(text):
        known = block.kind in TRIED | SHOWN or block.kind.startswith("{")
        assert known, f"{name}, line {block.line}: {block.kind or 'a block without a language'}"
        assert is_notebook(text) or not block.kind.startswith("{code-cell}"), f"{name} is not declared a notebook"
    assert len([line for line in text.splitlines() if line.lstrip().startswith("```")]) % 2 == 0


@pytest.fixture
def cluster_in_place_of_slurm(monkeypatch):
    """A machine without SLURM: dask-jobqueue's cluster is one of this machine, with one small worker."""
    distributed = pytest.importorskip("distributed")
    made = []

    class SLURMCluster(distributed.LocalCluster):
        def __init__(self, *, cores, processes, memory, walltime):
            assert cores % processes == 0
            assert memory.endswith("GB")
            assert walltime.count(":") == 2
            options = {"protocol": "tcp://", "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
            super().__init__(n_workers=0, threads_per_worker=1, processes=False, **options)
            made.append(self)

        def scale(self, n=None, *, jobs=None):
            return super().scale(n if jobs is None else 1)

    module = ModuleType("dask_jobqueue")
    module.SLURMCluster = SLURMCluster
    monkeypatch.setitem(sys.modules, "dask_jobqueue", module)
    yield
    for cluster in made:
        cluster.close()


@pytest.mark.parametrize("name", WITH_PYTHON)
def test_python_runs_as_printed(name, tmp_path, monkeypatch, cluster_in_place_of_slurm):
    """Blocks of a page follow each other; those with prompts print what they say. Their memories are forgotten."""
    if name.endswith("/torch.md"):
        skip_without_pytorch()
    monkeypatch.chdir(tmp_path)
    base.memories()  # imports all of ours: one that a page is the first to use would be forgotten, too
    monkeypatch.setattr(base, "_MEMORIES", dict(base._MEMORIES))
    space = {"__name__": "example"}
    for block in blocks_of(PAGES[name].read_text(encoding="utf-8")):
        if block.kind == "python":
            try_block(name, block, space)


def try_block(name, block, space):
    """Run a block of a page in the names that the blocks before it have left."""
    if ">>>" in block.code:
        parsed = doctest.DocTestParser().get_doctest(block.code, space, name, name, block.line - 1)
        runner = doctest.DocTestRunner(optionflags=doctest.REPORT_ONLY_FIRST_FAILURE)
        runner.run(parsed, clear_globs=False)
        assert runner.summarize(verbose=False).failed == 0, f"{name}, line {block.line}"
        space.update(parsed.globs)
    elif block.code.startswith(STUDY):
        run_study(block.code)
    else:
        exec(compile(block.code, f"{name}, line {block.line}", "exec"), space)


def run_study(code):
    """Write a study to its file, and run it."""
    with open("my_study.py", "w", encoding="utf-8") as file:  # noqa: PTH123 (the directory is that of the test)
        file.write(code)
    command = [sys.executable, "-m", "slotfree", "run", "my_study.py", "--scale", "quick", "--out", "out"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_block_that_prints_something_else_is_noticed(capsys):
    with pytest.raises(AssertionError, match="page, line 3"):
        try_block("page", Block("python", ">>> 1 + 1\n3\n", 3), {})
    with pytest.raises(ZeroDivisionError):
        try_block("page", Block("python", "1 / 0\n", 3), {})


def test_blocks_are_found():
    text = (
        "a\n\n```python\nx\n```\n\n- b\n\n  ```sh\n  slotfree list  # all\n  ```\n\n````{note}\n```text\ny\n```\n````\n"
    )
    found = blocks_of(text)
    assert [(block.kind, block.line) for block in found] == [("python", 4), ("sh", 10), ("{note}", 14)]
    assert commands_in(found[1].code) == ["slotfree list"]
    assert commands_in("a \\\n  b # c\n\n# d\n") == ["a    b"]

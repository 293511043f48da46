"""Every command in the README and the documentation can be typed: cheap ones are run, others are tried without running.

What reproduces, runs or sweeps is planned with ``--dry-run``; what would open a browser, change a shell or search for
half a minute is parsed.
"""

import re
import shlex
import tomllib
from contextlib import chdir

import click
import pytest
from click.testing import CliRunner
from pages import PAGES, ROOT, blocks_of, commands_in

from slotfree.cli.main import cli

PLANNED = {"reproduce", "run", "sweep"}
PARSED = {"bench", "completion", "explore", "optimise", "warm"}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
COMMANDS = {
    name: [
        command
        for block in blocks_of(path.read_text(encoding="utf-8"))
        if block.kind == "sh"
        for command in commands_in(block.code)
    ]
    for name, path in PAGES.items()
}


@pytest.mark.parametrize("name", [name for name, commands in COMMANDS.items() if commands])
def test_the_commands_of_a_page(name, tmp_path):
    for command in COMMANDS[name]:
        try_command(command, tmp_path)


def try_command(command, folder):
    """Type a command in a folder in which those before it were typed."""
    program, *words = shlex.split(command)
    if program == "slotfree":
        try_slotfree(command, words, folder)
    elif program == "make":
        assert words, command
        assert all(f"\n{target}:" in MAKEFILE for target in words), command
    elif program == "pip":
        assert set(re.findall(r"\[(.*)\]", command)) <= set(EXTRAS), command
    elif program in ("python", "pytest") or "=" in program:
        files = [word for word in words if word.endswith(".py")]
        assert files, command
        assert all((ROOT / file).exists() or (folder / file).exists() for file in files), command
    else:
        assert program in ("git", "cd"), f"{command}: nothing tries this"


def try_slotfree(command, words, folder):
    """Run a command of slotfree, or plan or parse what takes long or has effects elsewhere."""
    if words[0] in PARSED:
        cli.commands[words[0]].make_context(words[0], words[1:])
        return
    for file in (word for word in words if word.endswith((".py", ".toml"))):
        if words[0] != "example" and not (folder / file).exists():
            write_study(folder / file)
    if "--scheduler" in words:  # nobody listens there
        place = words.index("--scheduler")
        words = words[:place] + words[place + 2 :]
    planned = ["--dry-run"] if words[0] in PLANNED and "--dry-run" not in words and "--help" not in words else []
    with chdir(folder):
        done = CliRunner().invoke(cli, [*words, *planned])
    assert done.exit_code == 0, f"{command}\n{done.output}\n{done.exception}"


def write_study(file):
    """The study that a page has the reader write, as extending.md prints it."""
    assert file.name == "my_study.py", f"no command of the page writes {file.name}"
    (study,) = (
        block.code
        for block in blocks_of(PAGES["docs/extending.md"].read_text(encoding="utf-8"))
        if block.code.startswith("# my_study.py\n")
    )
    file.write_text(study, encoding="utf-8")


def test_commands_that_cannot_be_typed_are_noticed(tmp_path):
    wrong = ("slotfree remember", "slotfree predict --n-hiden 3", "slotfree explore --forever", "make tea")
    for command in (*wrong, "pip install '.[coffee]'", "rm -r elsewhere", "python nothing.py"):
        with pytest.raises((AssertionError, click.UsageError)):
            try_command(command, tmp_path)

"""Examples in docstrings run as printed, and public functions and classes have one."""

import doctest
from importlib import import_module
from inspect import isclass
from pathlib import Path

import pytest
from pytorch import skip_without_pytorch

import slotfree as sf

SOURCE = Path(sf.__file__).parent
MODULES = [
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(SOURCE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
ROOMS = (sf, sf.memory, sf.study, sf.drawing)
WITHOUT = {
    "FormatError",  # is raised, not called
    "KWinnerSettings",  # a memory shows it
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_run_as_printed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name.startswith("slotfree.torch"):
        skip_without_pytorch()
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0


def test_public_functions_and_classes_have_an_example():
    """Classes of rooms other than slotfree itself are shown by its tutorials."""
    public = {name: getattr(room, name) for room in ROOMS for name in room.__all__}
    asked = {name for name, one in public.items() if name in sf.__all__ or not isclass(one)}
    without = {name for name in asked if ">>> " not in (public[name].__doc__ or "")}
    assert without <= WITHOUT

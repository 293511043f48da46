"""help() of everything: without a warning, with the names that are there and the arguments that they take."""

import inspect
import pkgutil
import pydoc
import re
import warnings
from importlib import import_module

import pytest
from pytorch import skip_without_pytorch

import slotfree as sf
from slotfree import drawing, memory, study

MODULES = ["slotfree", *(m.name for m in pkgutil.walk_packages(sf.__path__, "slotfree.") if "__main__" not in m.name)]
PUBLIC = {"slotfree": sf, "slotfree.memory": memory, "slotfree.study": study, "slotfree.drawing": drawing}


def helped(thing):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return pydoc.plain(pydoc.render_doc(thing))


def public_names():
    return [(room, name) for room, package in PUBLIC.items() for name in package.__all__]


@pytest.mark.parametrize("name", MODULES)
def test_every_module_has_help(name):
    if name.startswith("slotfree.torch"):
        skip_without_pytorch()
    text = helped(import_module(name))
    assert f"NAME\n    {name} - " in text
    assert "Traceback" not in text
    if name not in PUBLIC and import_module(name).__file__.endswith("__init__.py"):
        assert "rooms" not in text.partition("DATA\n")[2], "no names but those of use"


@pytest.mark.parametrize(("room", "name"), public_names())
def test_every_public_name_has_help_that_begins_with_what_it_is(room, name):
    thing = getattr(PUBLIC[room], name)
    text = helped(thing)
    assert name in text
    first = inspect.getdoc(thing).splitlines()[0]
    assert first in text
    assert 8 <= len(first) <= 120
    assert first.endswith(".")


@pytest.mark.parametrize(("room", "name"), public_names())
def test_every_public_argument_is_described(room, name):
    thing = getattr(PUBLIC[room], name)
    words = inspect.getdoc(thing)
    if name.endswith("Settings") or getattr(thing, "_is_protocol", False):
        return  # the arguments of a memory, which describes them; what a protocol is made of
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) and name not in ("BinaryMemory",):
            assert re.search(rf"\b{parameter.name}\b", words), f"{name} does not describe {parameter.name}"


def test_help_of_the_package_begins_with_its_names_and_what_they_are_for():
    text = helped(sf)
    head = text.partition("PACKAGE CONTENTS")[0]
    listed = re.findall(r"^ *- ((?:``\w+``(?:, )?)+): (.+)$", head, re.MULTILINE)
    names = [name for found, _ in listed for name in re.findall(r"``(\w+)``", found)]
    assert sorted(names) == sorted(sf.__all__)
    assert all(len(words) > 10 for _, words in listed)
    for room in PUBLIC:
        if room != "slotfree":
            assert f"``{room}``" in head


def test_help_of_a_room_shows_its_public_names():
    assert {"Willshaw", "WillshawSettings", "BinaryMemory", "load_memory"} <= set(memory.__all__)
    for package in (memory, study, drawing):
        text = helped(package)
        for name in package.__all__:
            assert name in text
    for name in memory.__all__:
        assert getattr(memory, name).__name__ == name
    assert {"recognition", "Store", "Test"} <= set(sf.forgetting.__all__)
    with pytest.raises(AttributeError):
        sf.patterns.__all__  # noqa: B018


def test_help_is_of_the_signature_that_a_memory_has():
    assert "KWinnerMHN(n_visible: int = 1000, n_hidden: int = 2000, k_visible: int = 100" in helped(sf.KWinnerMHN)
    assert "progress: bool = False" in helped(sf.retention)

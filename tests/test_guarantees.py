"""The promises in the documentation name tests that exist."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "reference" / "guarantees.md"
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(test_\w+)`", PAGE.read_text(encoding="utf-8"))))


@pytest.mark.parametrize(("file", "test"), NAMED, ids=lambda name: name)
def test_the_test_that_holds_a_promise_exists(file, test):
    assert f"\ndef {test}(" in (TESTS / file).read_text(encoding="utf-8")


def test_every_promise_names_a_test():
    promises = PAGE.read_text(encoding="utf-8").partition("## What is not promised")[0].split("\n## ")[1:]
    assert len(promises) > 5
    for promise in promises:
        assert "Held by `" in promise, promise.partition("\n")[0]

import io

import pytest
from made_up_results import some_items, some_manifest
from matplotlib.figure import Figure

from slotfree.runs.directory import opened
from slotfree.study.summary import write_summary


@pytest.fixture
def items():
    return some_items()


@pytest.fixture(scope="session")
def directory(tmp_path_factory):
    """A directory of made-up results, without a report."""
    manifest = some_manifest()
    figure = Figure(figsize=(8.5, 3))
    figure.subplots().plot([1, 3, 2])
    with opened(tmp_path_factory.mktemp("report"), manifest.pop("settings"), manifest) as made:
        for suffix in ("svg", "png"):
            content = io.BytesIO()
            figure.savefig(content, format=suffix)
            for item in some_items():
                made.write(f"figures/{item['item']}.{suffix}", content.getvalue())
        for item in some_items():
            write_summary(made, item, [])
        yield made

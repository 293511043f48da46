import pytest
from browser import visited

from slotfree.explorer.page import write_page


@pytest.fixture(scope="session")
def explorer_file(tmp_path_factory):
    """The explorer, assembled from its sources, in a file of its own."""
    path = tmp_path_factory.mktemp("explorer") / "explorer.html"
    write_page(path)
    return path


@pytest.fixture(scope="module")
def explorer_visit(browser, explorer_file):
    """The explorer, open from its file without a network, with what it asked for and complained of.

    It does not scroll smoothly: a button that moves under the mouse between press and release is not clicked.
    """
    with visited(browser, explorer_file.as_uri(), reduced_motion="reduce") as visit:
        yield visit


@pytest.fixture(scope="module")
def explorer(explorer_visit):
    """The page of the explorer, open for all tests of a file; a test fails if the page asks or complains in it."""
    return explorer_visit.page


@pytest.fixture(autouse=True)
def _nothing_is_asked_and_nothing_complained_of(request):
    visit = request.getfixturevalue("explorer_visit") if "explorer_visit" in request.fixturenames else None
    yield
    if visit is not None:
        assert visit.asked_of_others() == []
        assert visit.complaints == []

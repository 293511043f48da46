"""The site, made once for all tests of it; notebooks are run if they or the package changed since the last time."""

import subprocess
import sys

import pytest
from pages import DOCS


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Where the site is."""
    out = tmp_path_factory.mktemp("site")
    options = ["--fail-on-warning", "--keep-going", "--quiet", "-d", str(out / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(DOCS), str(out / "site")]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr[-3000:]
    return out / "site"

"""axe-core finds no serious fault of accessibility. It comes from npm, and is kept in pytest's cache, not here."""

import shutil
import subprocess

import pytest
from browser import look, wait_until

VIEWS = (
    "tour?step=0",
    "tour?step=1",
    "tour?step=2",
    "tour?step=4",
    "tour?step=6",
    "memory?playing=0",
    "attention?step=all",
)
FAULTS = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}"""


@pytest.fixture(scope="module")
def axe(request):
    """The text of axe-core."""
    folder = request.config.cache.mkdir("axe")
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        if (npm := shutil.which("npm")) is None:
            pytest.skip("needs npm, from which axe-core comes, and there is none on this machine")
        command = [
            npm,
            "install",
            "--prefix",
            str(folder),
            "--no-audit",
            "--no-fund",
            "--silent",
            "--fetch-retries=0",
            "axe-core@4",
        ]
        try:
            done = subprocess.run(command, timeout=120, capture_output=True, check=False)
        except subprocess.TimeoutExpired:
            pytest.skip("npm could not bring axe-core within two minutes")
        if done.returncode or not script.is_file():
            pytest.skip("npm could not bring axe-core")
    return script.read_text("utf-8")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_no_serious_fault(explorer, axe, view, dark):
    look(explorer, 1300, dark=dark)
    explorer.evaluate("hash => { location.hash = hash; }", f"#{view}")
    wait_until(explorer, "tab => !document.getElementById(tab).hidden", view.partition("?")[0])
    explorer.wait_for_timeout(200)
    explorer.evaluate(axe)
    assert explorer.evaluate(FAULTS) == []


def test_a_fault_is_found(explorer, axe):
    explorer.evaluate(axe)
    explorer.evaluate("document.body.append(Object.assign(document.createElement('button'), { id: 'nameless' }))")
    assert [fault.partition(":")[0] for fault in explorer.evaluate(FAULTS)] == ["button-name"]
    explorer.evaluate("document.getElementById('nameless').remove()")

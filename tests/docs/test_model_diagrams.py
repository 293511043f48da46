"""The diagrams of the memory model are those that their script draws."""

import subprocess
import sys

import numpy as np
from matplotlib.image import imread
from pages import DOCS


def test_the_diagrams_are_drawn_from_memories_as_they_are_now(tmp_path):
    subprocess.run([sys.executable, DOCS / "explained" / "diagrams.py", tmp_path], check=True)
    drawn = sorted(path.name for path in tmp_path.iterdir())
    assert drawn == ["fading.png", "slots.png"]
    for name in drawn:
        new, kept = imread(tmp_path / name), imread(DOCS / "figures" / name)
        assert new.shape == kept.shape
        assert np.abs(new - kept).mean() < 0.005, f"run python docs/explained/diagrams.py for {name}"

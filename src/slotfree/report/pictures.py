"""Figures inside the page: no file beside it, no request."""

import base64
import struct
from dataclasses import dataclass
from pathlib import Path

from slotfree.files.errors import FormatError
from slotfree.files.regular import read_regular
from slotfree.runs.errors import refuse_way_out

PNG = b"\x89PNG\r\n\x1a\n"
LARGEST_SVG = 1_500_000
SHOWN = 0.6  # of the PNG's pixels, which are 160 to an inch: letters have the size for which they are set


@dataclass(frozen=True)
class Picture:
    """A figure as the page holds it; width and height are those at which it is read well, in CSS pixels."""

    kind: str
    content: bytes
    width: int
    height: int

    @property
    def uri(self) -> str:
        """The figure as a data URI."""
        return f"data:image/{self.kind};base64,{base64.b64encode(self.content).decode()}"


def read_picture(folder: Path, name: str) -> Picture | None:
    """Return a figure of a directory, None if it has none: as SVG, sharp at any size, unless that is too large."""
    for suffix in ("png", "svg"):
        refuse_way_out(folder / f"{name}.{suffix}")
    try:
        pixels = read_regular(folder / f"{name}.png")
    except (FileNotFoundError, FormatError):
        return None
    if not pixels.startswith(PNG) or len(pixels) < 24:
        return None
    width, height = (round(SHOWN * size) for size in struct.unpack(">II", pixels[16:24]))
    try:
        return Picture("svg+xml", read_regular(folder / f"{name}.svg", LARGEST_SVG), width, height)
    except (FileNotFoundError, FormatError):  # it is not there, or too large
        return Picture("png", pixels, width, height)

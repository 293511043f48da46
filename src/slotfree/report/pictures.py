"""Figures inside the page: no file beside it, no request."""

import base64
import struct
from dataclasses import dataclass
from pathlib import Path

LARGEST_SVG = 1_500_000
SHOWN = 0.72  # the PNG's pixels are for print, at 160 to an inch


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
    png, svg = folder / f"{name}.png", folder / f"{name}.svg"
    if not png.is_file():
        return None
    pixels = png.read_bytes()
    width, height = (round(SHOWN * size) for size in struct.unpack(">II", pixels[16:24]))
    if svg.is_file() and svg.stat().st_size <= LARGEST_SVG:
        return Picture("svg+xml", svg.read_bytes(), width, height)
    return Picture("png", pixels, width, height)

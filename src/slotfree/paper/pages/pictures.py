"""Figures for the documentation: the pixels of those of a run in a third of the bytes."""

import io

from PIL import Image

COLOURS = 256  # of the palette: neighbouring shades of a figure become one, which the eye does not tell
DPI = 160


def smaller(png: bytes) -> bytes:
    """Return a PNG as one with a palette, on white where it is transparent; the same bytes each time."""
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    opaque = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    content = io.BytesIO()
    opaque.quantize(COLOURS, kmeans=3, dither=Image.Dither.NONE).save(content, "PNG", optimize=True, dpi=(DPI, DPI))
    return content.getvalue()

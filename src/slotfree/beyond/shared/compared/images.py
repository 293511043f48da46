"""Codes of images that need no download: digits drawn with matplotlib's fonts, and patches of its sample photograph."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from slotfree.patterns.encoding import encode

Reals = NDArray[np.float64]

FONTS = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono", "DejaVuSerif", "DejaVuSerif-Bold", "STIXGeneral")
SIDE = 16  # pixels of a side of a digit
PATCH = 12  # pixels of a side of a patch
FLAT = 8.0  # grey levels: a patch with a smaller spread shows nothing
POOL = 6000  # images of a kind
N_VISIBLE, K_VISIBLE = 1000, 100
SEED = 20  # of images and projections: codes are the same in all runs


@dataclass(frozen=True)
class ImageCodes:
    """Codes of images; each run takes a random selection of the same 6,000 in random order.

    Attributes
    ----------
    kind : "digits", 0 to 9 in several fonts, sizes, places and slants, less their mean; or "patches", square parts of a
        photograph, each less its mean.
    """

    kind: str

    def __call__(self, n_patterns: int, /, *, seed: np.random.SeedSequence) -> NDArray[np.uint8]:
        pool = digit_codes() if self.kind == "digits" else patch_codes()
        return pool[np.random.default_rng(seed).permutation(len(pool))[:n_patterns]]


@cache
def digit_codes() -> NDArray[np.uint8]:
    """Return codes of digits, (POOL, n_visible), all different."""
    images = drawn_digits(POOL + POOL // 20, np.random.default_rng(SEED))
    codes = encode(images - images.mean(axis=0), N_VISIBLE, K_VISIBLE, seed=SEED)
    _, first = np.unique(np.packbits(codes, axis=1), axis=0, return_index=True)
    return codes[np.sort(first)[:POOL]]


@cache
def patch_codes() -> NDArray[np.uint8]:
    """Return codes of patches that show something, (POOL, n_visible); no two begin at the same pixel."""
    with Image.open(Path(mpl.get_data_path()) / "sample_data" / "grace_hopper.jpg") as photograph:
        grey = np.asarray(photograph.convert("L"), np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(grey, (PATCH, PATCH))
    some = np.random.default_rng(SEED).permutation(windows.shape[0] * windows.shape[1])[: 4 * POOL]
    patches = windows[np.unravel_index(some, windows.shape[:2])].reshape(len(some), -1)
    patches = patches[patches.std(axis=1) > FLAT][:POOL]
    return encode(patches - patches.mean(axis=1, keepdims=True), N_VISIBLE, K_VISIBLE, seed=SEED)


def drawn_digits(n: int, rng: np.random.Generator) -> Reals:
    """Return images of random digits, (n, SIDE, SIDE), of grey levels from 0 to 1."""
    images = np.zeros((n, SIDE, SIDE))
    for image in images:
        canvas = Image.new("L", (2 * SIDE, 2 * SIDE))
        font = _font(FONTS[rng.integers(len(FONTS))], int(rng.integers(22, 31)))
        place = tuple(SIDE + rng.uniform(-2.5, 2.5, 2))
        ImageDraw.Draw(canvas).text(place, str(rng.integers(10)), fill=255, font=font, anchor="mm")
        slanted = canvas.rotate(rng.uniform(-15, 15), Image.Resampling.BILINEAR)
        image[:] = np.asarray(slanted.resize((SIDE, SIDE), Image.Resampling.BOX)) / 255
    return images


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(Path(mpl.get_data_path()) / "fonts" / "ttf" / f"{name}.ttf"), size)

"""Write what the pages about the paper need from a finished run: its figures, and a page for each item.

    python docs/paper/write.py RESULTS       such as: results; ``make verdicts`` records the verdicts as well

A page, ``items/NAME.md``, has a title, the figure with its words, and a directive for the rest, which
docs/_ext/paper_pages.py makes with the site.
"""

import io
import sys
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from slotfree.paper import STUDY
from slotfree.study.item import Item

HERE = Path(__file__).parent
OURS = HERE.parent / "figures"  # of our own studies: on pages that call them otherwise, or by their names
NAMES = {"theoryK1": "theory", "theoryK2": "map", "theoryK3": "growth", "stackS3": "stack"}
COLOURS = 256  # of the palette: neighbouring shades of a figure become one, which the eye does not tell
DPI = 160
PAGE = """# {number}: {title}

![{alt}](../figures/{name}.png)

```{{paper-item}} {name}
On the site: what it shows, and its claims with their verdicts (src/slotfree/paper/figures/{name}.py).
```
"""


def smaller(png: bytes) -> bytes:
    """Return a PNG as one with a palette, on white where it is transparent; the same bytes each time."""
    picture = Image.open(io.BytesIO(png)).convert("RGBA")
    opaque = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    content = io.BytesIO()
    opaque.quantize(COLOURS, kmeans=3, dither=Image.Dither.NONE).save(content, "PNG", optimize=True, dpi=(DPI, DPI))
    return content.getvalue()


def page_of(item: Item) -> str:
    """The page of an item, as Markdown."""
    return PAGE.format(name=item.name, number=item.number or item.name, title=item.title, alt=item.alt)


def write(results: Path, folder: Path, items: Iterable[Item], pictures: Iterable[str]) -> int:
    """Write pages and pictures to a folder, and remove what it has of others; return how many there are.

    Parameters
    ----------
    pictures : the names of all pictures of a run that pages show.
    """
    contents = {f"items/{item.name}.md": page_of(item).encode() for item in items}
    for name in pictures:
        contents[f"figures/{name}.png"] = smaller((results / "figures" / f"{name}.png").read_bytes())
    for file in (*folder.glob("items/*.md"), *folder.glob("figures/*.png")):
        if str(file.relative_to(folder)) not in contents:
            file.unlink()
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return len(contents)


def write_ours(results: Path) -> int:
    """Write the figures of our own studies that pages show and that were run; return how many."""
    made = {NAMES.get(file.stem, file.stem): file for file in (results / "figures").glob("*.png")}
    shown = [file for file in OURS.glob("*.png") if file.stem in made]
    for file in shown:
        file.write_bytes(smaller(made[file.stem].read_bytes()))
    return len(shown)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python docs/paper/write.py RESULTS, such as results")
    items = STUDY.chosen()
    drawn = [item.name for item in items if item.draw] + [each.picture for each in STUDY.found() if each.draw]
    print(f"{write(Path(sys.argv[1]), HERE, items, drawn)} files are written to {HERE}")
    print(f"{write_ours(Path(sys.argv[1]))} files are written to {OURS}")

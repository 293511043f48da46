"""Write the pages: ``python -m slotfree.paper.pages results docs/paper``, or ``make coverage``."""

import sys
from pathlib import Path

from slotfree.files.atomic import write_atomically
from slotfree.paper.pages.coverage import coverage_pages
from slotfree.paper.pages.figures import figure_pages
from slotfree.paper.pages.findings import findings_page
from slotfree.paper.pages.pictures import smaller
from slotfree.paper.pages.run import read_run


def written(results: Path, folder: Path) -> int:
    """Write all pages and pictures to a folder, and return how many; nothing is written if the run is not whole."""
    run = read_run(results)
    pages = {**findings_page(run), **coverage_pages(run), **figure_pages(run)}
    files = {name: text.encode() for name, text in pages.items()}
    files |= {f"figures/{item['item']}.png": smaller(run.picture(item["item"])) for item in run.items}
    for name, content in files.items():
        _write(folder / name, content)
    return len(files)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, lambda file: file.write(content))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python -m slotfree.paper.pages RESULTS FOLDER, such as results docs/paper")
    print(f"{written(Path(sys.argv[1]), Path(sys.argv[2]))} files are written to {sys.argv[2]}")

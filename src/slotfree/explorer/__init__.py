"""The explorer: one page on which a memory forgets before your eyes, and attention works without slots.

The page is made of plain HTML, CSS and JavaScript modules (``page.html``, ``styles/``, ``scripts/``) and of data that
the library computed (``data/``). ``assemble`` joins them into one file that needs no server and no network.
"""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)

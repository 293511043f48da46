"""Recency in theory: how well an item is recalled from a context that ``Winners`` stores, by how many came after it.

Slow weights are ideal: a query is the key of its letter, both cases of a letter have the same key, and values are the
case code. Keys have random directions and one length |k|. ``predict`` has the prediction, ``predict_recency``, in these
steps:

1. ``wins``: how often units win, and how often those of an item have won before it and after it;
2. ``parts``: what a unit with given wins adds to the answer, as the characteristic function of a random number;
3. ``others``: the same for all units that do not hold what is asked for;
4. ``predict``: the chance that the sum has the right sign.

Part one's theory of retention shares one thing with it: an item's units win again with a chance of k/n_h for each later
item, if projections choose them, and after r more wins (1 − ε)^r of the item is left.
"""

from slotfree import rooms

__getattr__, __dir__ = rooms.lazy(__name__)

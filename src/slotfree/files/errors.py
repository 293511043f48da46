"""The one error for files that are not what they should be."""

import os

from slotfree.checks import shown


class FormatError(ValueError):
    """A file is damaged, hostile, or not of the kind asked for. Nothing of it was used.

    Parameters
    ----------
    reason, path : what is wrong, and the file, if its name is to stand in the message.

    Attributes
    ----------
    reason : what is wrong, without the name of the file, which messages may have shortened.
    """

    def __init__(self, reason: str, path: str | os.PathLike[str] | None = None) -> None:
        super().__init__(reason if path is None else f"{shown(str(path))} cannot be used: {reason}")
        self.reason = reason

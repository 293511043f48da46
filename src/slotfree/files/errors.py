"""The one error for files that are not what they should be."""


class FormatError(ValueError):
    """A file is damaged, hostile, or not of the kind asked for. Nothing of it was used."""

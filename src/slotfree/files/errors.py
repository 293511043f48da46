"""The one error for files that are not what they should be."""


class FormatError(ValueError):
    """A file is damaged, hostile, or not of the kind asked for. Nothing of it was used."""

    @property
    def reason(self) -> str:
        """What is wrong, without the name of the file, which messages may have shortened."""
        return str(self).rpartition(" cannot be used: ")[2]

"""The verdicts of an item of judges on made-up results."""

from study.madeup import verdicts


def letters(item, results):
    """The verdict of each claim of an item as a letter, by name."""
    return verdicts(judge.claim(results) for judge in item.claims)

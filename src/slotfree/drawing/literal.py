"""Words of users in figures: matplotlib takes what stands between two dollar signs for a formula."""


def literal(words: str) -> str:
    """Return words so that matplotlib draws them as they are, with their dollar signs."""
    return words.replace("$", r"\$")

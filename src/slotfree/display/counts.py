"""Numbers of things in words."""


def counted_words(n: int, things: str) -> str:
    """Return how many things there are, such as "1,000 runs" or "1 run"; things are named in the plural, with an s."""
    return f"{n:,} {things.removesuffix('s') if n == 1 else things}"

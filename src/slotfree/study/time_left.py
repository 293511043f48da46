"""How much time is left, from the times of what is finished."""

from collections.abc import Mapping


class TimeLeft:
    """Counts what is still to be done, in groups whose members take about the same time.

    The longest time of a group is left out: the first run of a kind may have had to wait for a compiler.
    """

    def __init__(self, missing: Mapping[str, int]) -> None:
        self.missing = dict(missing)
        self._times: dict[str, tuple[int, float, float]] = {}  # how many, their sum, and the longest

    def finished(self, group: str, seconds: float, *, was_missing: bool = True) -> None:
        """One member of a group is finished, or was finished before, and took this long."""
        count, total, longest = self._times.get(group, (0, 0.0, 0.0))
        self._times[group] = (count + 1, total + seconds, max(longest, seconds))
        if was_missing:
            self.dropped(group)

    def dropped(self, group: str) -> None:
        """One member of a group will not be finished."""
        self.missing[group] -= 1

    @property
    def seconds(self) -> float | None:
        """Seconds of work left on one core; None until two members of each large group are finished.

        Groups of which less is known count as the average of the others.
        """
        means = {
            group: (total - longest) / (count - 1)
            for group, (count, total, longest) in self._times.items()
            if count > 1
        }
        if not any(self.missing.values()):
            return 0.0
        if not means or any(count > 1 and group not in means for group, count in self.missing.items()):
            return None
        average = sum(means.values()) / len(means)
        return sum(count * means.get(group, average) for group, count in self.missing.items())

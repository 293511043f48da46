"""How much time is left, from the times of what is finished."""

from collections.abc import Mapping


class TimeLeft:
    """Counts what is still to be done, in groups whose members take about the same time."""

    def __init__(self, missing: Mapping[str, int]) -> None:
        self.missing = dict(missing)
        self._times: dict[str, tuple[int, float]] = {}

    def finished(self, group: str, seconds: float, *, was_missing: bool = True) -> None:
        """One member of a group is finished, or was finished before, and took so long."""
        count, total = self._times.get(group, (0, 0.0))
        self._times[group] = (count + 1, total + seconds)
        if was_missing:
            self.dropped(group)

    def dropped(self, group: str) -> None:
        """One member of a group will not be finished."""
        self.missing[group] -= 1

    @property
    def seconds(self) -> float | None:
        """Seconds of work left on one core; groups of which nothing is finished count as the average of the others."""
        means = {group: total / count for group, (count, total) in self._times.items()}
        if not means:
            return None
        average = sum(means.values()) / len(means)
        return sum(count * means.get(group, average) for group, count in self.missing.items())

"""The hidden layer at test: which units win with a cue, and what they are connected to.

Hidden units are of two kinds: the k_h old winners, which stored the pattern, and all others.
"""

import numpy as np
from scipy import special

from slotfree.kernels.tilts import stretch, tilt_connections
from slotfree.memory.kwinner import KWinnerSettings
from slotfree.retention.drives import N_DRIVES, N_WEIGHTS, WEIGHTS, Floats, mean_and_variance, tails, win_probability
from slotfree.retention.pairs import Pairs
from slotfree.retention.readout import CUE, MISSING, OFF, Readout, Winners
from slotfree.retention.steady_state import SteadyState, fresh_drives, winners_active
from slotfree.retention.traces import Since, Traces


class Recall:
    """Retrieval with cues of one level c, in the steady state.

    Parameters
    ----------
    settings, state, trace, pairs : the network, and what is left of a stored pattern in it.
    cue : c; the cue has c k_v ones, which must be at least one.
    """

    def __init__(self, settings: KWinnerSettings, state: SteadyState, trace: Traces, pairs: Pairs, cue: float) -> None:
        self.settings, self.state, self.trace = settings, state, trace
        n_v, k_v = settings.n_visible, settings.k_visible
        self.ones = int(cue * k_v + 0.5)
        self.c = self.ones / k_v
        self.sizes = np.array([self.ones, k_v - self.ones, n_v - k_v])
        self._find_old_drives()
        self._find_others_at_storing()
        just_stored = self._old(trace.since_storing(0), self.c * trace.drive_mean[None], np.ones((1, len(trace.on))))
        widest = np.concatenate([just_stored, self.unseen().other])
        self.readout = Readout(settings, state, pairs, self.sizes, widest)

    def curve(self, since: Since) -> tuple[float, Floats]:
        """Baseline, and accuracy at each age.

        A pattern that all its winners have forgotten is one that was never seen. In theory the two are different cases
        that agree within about 0.01; what they differ by is taken out, in proportion to the winners that forgot.
        """
        rho = self.accuracies(self.unseen(), self.forgotten(), self.stored(since))
        return float(rho[0]), rho[2:] + since.old[:, -1] * (rho[0] - rho[1])

    def accuracies(self, *winners: Winners) -> Floats:
        """Expected ρ: the share of the pattern among the k_v visible units with the largest drive."""
        return self.readout.accuracies(*winners)

    def unseen(self) -> Winners:
        """Winners for a pattern that is not stored."""
        n_h, k_h = self.settings.n_hidden, self.settings.k_hidden
        above = tails(self.state.units @ self.other_drive)
        chance = win_probability((n_h - 1) * above, (n_h - 1) * above * (1 - above), k_h)
        other = self._others(chance[None], np.zeros(1))
        return Winners(np.zeros(1), np.zeros_like(other), other)

    def forgotten(self) -> Winners:
        """Winners for a pattern stored so long ago that nothing is left of it."""
        return self.stored(self.trace.since_storing(-1))

    def stored(self, since: Since) -> Winners:
        """Winners for a stored pattern, at each age.

        An old winner wins if fewer than k_h of the k_h − 1 other old ones and of the n_h − k_h others have more drive;
        another unit, if fewer than k_h of the k_h old ones and the n_h − k_h − 1 others have.
        """
        n_h, k_h = self.settings.n_hidden, self.settings.k_hidden
        not_old = since.all_units @ self.not_old
        drive = not_old * (self.state.units @ self.other_drive)
        drive /= np.maximum(drive.sum(axis=1, keepdims=True), 1e-300)
        old_drive = self._old_drive_now(since)
        u, u_old = tails(drive), tails((since.old[:, None] @ old_drive)[:, 0])

        def chance(n_old: int, n_other: int) -> Floats:
            return win_probability(
                n_old * u_old + n_other * u, n_old * u_old * (1 - u_old) + n_other * u * (1 - u), k_h
            )

        chance_old = chance(k_h - 1, n_h - k_h)
        returns, drives = np.moveaxis(
            old_drive @ np.stack([chance_old, chance_old * self.lattice.drives], axis=2), 2, 0
        )
        old = self._old(since, drives / np.maximum(returns, 1e-300), returns)
        returning = np.minimum((since.old * returns).sum(axis=1), 1.0)
        if n_h == k_h:
            return Winners(np.ones_like(returning), old, np.zeros_like(old))
        chance_other = chance(k_h, n_h - k_h - 1)
        won = drive * chance_other
        lacking = since.all_units @ (self.not_old * self.lacking) / np.maximum(not_old, 1e-300)
        lack = (won * lacking).sum(axis=1) / np.maximum(won.sum(axis=1), 1e-300)
        return Winners(returning, old, self._others(not_old * chance_other, lack))

    def _find_old_drives(self) -> None:
        """Drives of old winners by r: the cue takes a part c of the pattern, and so, with chance, of the drive.

        h_c = cH + noise,    Var = c(1 − c) k_v/(k_v − 1) (b E w² − H²/k_v)
        """
        trace, k_v, c = self.trace, self.settings.k_visible, self.c
        parts = trace.inputs * (trace.on @ WEIGHTS**2) - trace.drive_mean**2 / k_v
        split = c * (1 - c) * k_v / max(k_v - 1, 1) * np.maximum(parts, 0.0)
        variance = c * c * trace.drive_variance + split
        high = float((c * trace.drive_mean + 6 * np.sqrt(variance)).max())
        state = self.state
        self.lattice, self.other_drive = fresh_drives(self.settings, self.ones, state.density, state.units, high)
        n_r, at_storing, lattice = len(trace.on), state.lattice, self.lattice
        middle = (trace.chance @ at_storing.drives - at_storing.low) / at_storing.step
        to, scale = (c * trace.drive_mean - lattice.low) / lattice.step, c * trace.drive_slope * at_storing.step
        now = np.empty((n_r, N_DRIVES))
        stretch(np.tile(trace.chance, (n_r, 1)), np.full(n_r, middle), to, scale / lattice.step, now)
        self.old_drive = lattice.with_noise(now, c * c * trace.drive_noise + split)
        self.back_to_whole = c * trace.drive_variance / np.maximum(variance, 1e-12)

    def _old_drive_now(self, since: Since) -> Floats:
        """Drives of old winners by age and r, with the mean and variance that b has at this age."""
        trace, lattice = self.trace, self.lattice
        by_inputs = self.c * trace.drive_by_inputs
        mean, variance = mean_and_variance(self.old_drive, lattice.drives)
        narrower = by_inputs**2 * (trace.inputs_variance - since.inputs_variance)
        scale = np.sqrt(np.clip(1 - narrower / np.maximum(variance, 1e-12), 0.05, 1.0))
        middle = (mean - lattice.low) / lattice.step
        to = middle + by_inputs * (since.inputs - trace.inputs) / lattice.step
        used = since.old > 1e-9
        r = np.nonzero(used)[1]
        moved = np.empty((len(r), N_DRIVES))
        stretch(self.old_drive[r], middle[r], to[used], scale[used], moved)
        drive = np.zeros((*used.shape, N_DRIVES))
        drive[used] = moved
        return drive

    def _find_others_at_storing(self) -> None:
        """What is known of the others: the whole pattern did not make them win when it was stored.

        With r wins since, a unit that now has the drive h from the cue had about μ + κ_r (h − μ) from it then, and an
        independent drive from the missing part. It was no winner if both together were below the threshold; the less
        the missing part gave it, the likelier.
        """
        n_v, k_v, m = self.settings.n_visible, self.settings.k_visible, self.settings.n_connections
        w_mean, w_variance = mean_and_variance(self.state.units @ self.state.density, WEIGHTS)
        s = (k_v - self.ones) / n_v
        missing = m * s * w_mean
        missing_variance = m * s * (1 - s) * (w_variance + (1 - m / n_v) * w_mean**2)
        h = self.lattice.drives
        mu, variance = mean_and_variance(self.state.units @ self.other_drive, h)
        rise = np.maximum(np.diff(self.state.chance, prepend=0.0), 0.0)
        threshold, threshold_variance = mean_and_variance(rise / max(rise.sum(), 1e-300), self.state.lattice.drives)
        kept = self.trace.kept[:, None]
        width = np.sqrt(missing_variance + (1 - kept**2) * variance + threshold_variance + 1e-12)
        z = (threshold - missing - mu - kept * (h - mu)) / width
        self.not_old = special.ndtr(z)
        hazard = np.sqrt(2 / np.pi) / special.erfcx(-z / np.sqrt(2))
        self.lacking = -kept * missing_variance / width * hazard

    def _others(self, chance: Floats, lacking: Floats) -> Floats:
        """Weights of other winners to visible units, by kind, at each age.

        Parameters
        ----------
        chance : that a unit is no old winner and wins, by its drive.
        lacking : drive that the missing part of the pattern gives them less than it gives any unit.
        """
        n_v, m, density = self.settings.n_visible, self.settings.n_connections, self.state.density
        total = np.maximum(chance @ self.other_drive.T, 1e-300)
        drive = (chance * self.lattice.drives) @ self.other_drive.T / total
        classes = self.state.units * total
        classes /= classes.sum(axis=1, keepdims=True)
        rows = np.tile(density, (len(chance), 1))
        active, _ = winners_active(self.settings, self.ones, rows, drive.ravel())
        ones = (classes[:, None] @ (rows * active).reshape(len(chance), *density.shape))[:, 0]
        cue = m * ones / self.ones
        rest = m * (classes @ density - ones) / max(n_v - self.ones, 1)
        missing = rest.copy()
        if self.sizes[MISSING] and lacking.any():
            average = rest @ WEIGHTS
            less = np.maximum(average + lacking / self.sizes[MISSING], 1e-3 * average)
            tilt_connections(rest, WEIGHTS, less, missing)
        return np.stack([cue, missing, rest], axis=1)

    def _old(self, since: Since, h: Floats, returns: Floats) -> Floats:
        """Weights of returning old winners to visible units, by kind, at each age; h and returns: mean drive, share."""
        trace, m = self.trace, self.settings.n_connections
        mass = since.old * returns
        used = mass >= 1e-7 * mass.max(axis=1, keepdims=True)
        age, r = np.nonzero(used)
        mean = trace.drive_mean + trace.drive_by_inputs * (since.inputs - trace.inputs)
        more = self.back_to_whole * (h - self.c * mean)
        before = trace.on[r] * np.minimum(since.inputs[used] / self.settings.k_visible, 1.0)[:, None]

        def tilted(density: Floats, drive: Floats, kind: int) -> Floats:
            out = np.zeros((len(r), N_WEIGHTS))
            if self.sizes[kind]:
                tilt_connections(density, WEIGHTS, drive / self.sizes[kind], out)
            return out

        cue = tilted(before, h[used], CUE)
        missing = tilted(before, np.maximum(mean + more - h, 1e-9)[used], MISSING)
        ones = self.sizes[CUE] * cue.sum(axis=1) + self.sizes[MISSING] * missing.sum(axis=1)
        zeros = np.maximum(m - ones, 0.0)[:, None] * trace.off[r]
        drive = (since.strength - mean + trace.off_by_drive * more)[used]
        average = zeros @ WEIGHTS
        off = tilted(zeros / max(self.sizes[OFF], 1), np.clip(drive, 0.1 * average, 3 * average), OFF)
        share = np.zeros((len(mass), len(r)))
        share[age, np.arange(len(r))] = np.maximum(mass[used], 1e-300)
        share /= share.sum(axis=1, keepdims=True)
        return np.stack([share @ cue, share @ missing, share @ off], axis=1)

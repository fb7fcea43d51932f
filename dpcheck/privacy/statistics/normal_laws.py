"""Two normal laws of one spread, where the outputs look like that: what Gaussian noise leaves of two datasets.

With delta what matters happens far out, where past outputs are few. Laws that were fitted to all of them say what to
expect there; they are believed where both what each output says of the coin and how often it comes agree with them.
"""

from __future__ import annotations

import numpy as np

from dpcheck.privacy.statistics.posterior import DRAWS, QUADRATURE_SEED, Floats, Integers, Posterior, expit

#: With fewer outputs on either dataset no law is fitted.
LEAST = 50
#: The outputs may look as unlike the laws as happens once in so many.
UNLIKE = 1000.0
#: Cells of a comparison hold so many expected outputs.
LEAST_EXPECTED = 10.0
#: The name of their model; and by how many nats it is likelier than the criterion of Schwarz says, which is for
#: parameters of which nothing is known: the middle is known, and the shift may be small.
TWO_NORMAL_LAWS, LIKELIER = "two normal laws", 5.0
#: The evidence may be so many nats below that of the best other model, which bends where nothing is known.
BELOW = 4.0


def two_normal_laws(histogram: Integers, centres: Floats, edges: Floats) -> list[Posterior]:
    """The posterior under two normal laws of one spread; nothing where the outputs are not like that.

    Parameters
    ----------
    histogram : integers, shape (B, 2): past outputs per bin on D' (column 0) and on D (column 1)
    centres : shape (B,): the mean past value per bin, its middle where it has seen none; NaN last
    edges : shape (B - 2,): between the bins; the last bin is that of what is no number

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> edges = np.linspace(-4.0, 5.0, 91)
    >>> sides = [np.histogram(rng.normal(mean, size=5_000), [-np.inf, *edges, np.inf])[0] for mean in (0.0, 1.0)]
    >>> histogram = np.vstack([np.column_stack(sides), [[0, 0]]])
    >>> centres = np.concatenate([[-4.0], 0.5 * (edges[1:] + edges[:-1]), [5.0, np.nan]])
    >>> [found] = two_normal_laws(histogram, centres, edges)
    >>> bool(3.0 < found.log_odds[-2] < 5.5)  # 4.5 in truth
    True
    """
    from scipy.special import ndtr

    right, left = histogram[:-1].sum(axis=0)
    if min(left, right) < LEAST or histogram[-1].any() or len(edges) < 2:
        return []
    x = centres[:-1]
    with np.errstate(over="ignore", invalid="ignore"):
        means = [float(np.average(x, weights=histogram[:-1, side])) for side in (0, 1)]
        squares = sum(float(((x - means[side]) ** 2 * histogram[:-1, side]).sum()) for side in (0, 1))
    spread = np.sqrt(squares / (left + right))
    if not np.isfinite(spread) or not spread > 0.0:
        return []
    mass = np.zeros(len(histogram))
    for side, count in ((0, right), (1, left)):
        reached = ndtr((edges - means[side]) / spread)
        mass[:-1] += count / (left + right) * np.diff(np.concatenate([[0.0], reached, [1.0]]))
    if unlike(histogram[:-1].sum(axis=1), mass[:-1]):
        return []
    deviates = np.random.default_rng(QUADRATURE_SEED).normal(size=(DRAWS, 3))
    of_left = means[1] + spread / np.sqrt(left) * deviates[:, :1]
    of_right = means[0] + spread / np.sqrt(right) * deviates[:, 1:2]
    wider = spread * np.exp(deviates[:, 2:] / np.sqrt(2.0 * (left + right)))
    chance = _log_odds(x, means[1], means[0], spread)
    return [of_laws(TWO_NORMAL_LAWS, histogram, chance, _log_odds(x, of_left, of_right, wider), mass, 2)]


def _log_odds(x: Floats, left: float | Floats, right: float | Floats, spread: float | Floats) -> Floats:
    """Midway between the means nothing is known: the coin is fair."""
    return np.asarray((left - right) / spread**2 * (x - 0.5 * (left + right)))


def of_laws(
    name: str, histogram: Integers, log_odds: Floats, drawn: Floats, mass: Floats, parameters: int
) -> Posterior:
    """The posterior under laws that were fitted; its evidence by the criterion of Schwarz (1978).

    Parameters
    ----------
    name : str
    histogram : integers, shape (B, 2): past outputs per bin on D' (column 0) and on D (column 1)
    log_odds : shape (B - 1,): per bin of numbers, under the laws fitted
    drawn : shape (draws, B - 1): the same under laws drawn about these
    mass : shape (B,): the probability of each bin under the laws fitted
    parameters : int
        How many were fitted.

    Examples
    --------
    >>> halves = np.array([[8, 2], [2, 8], [0, 0]])
    >>> found = of_laws("two coins", halves, np.array([-1.4, 1.4]), np.zeros((3, 2)), np.array([0.5, 0.5, 0.0]), 1)
    >>> round(found.evidence, 1), found.draws.shape, found.probability.round(1).tolist()
    (-11.5, (3, 3), [0.2, 0.8, 0.5])
    """
    right, left = histogram[:-1].T
    evidence = -float((left * np.logaddexp(0.0, -log_odds) + right * np.logaddexp(0.0, log_odds)).sum())
    evidence -= 0.5 * parameters * float(np.log(histogram[:-1].sum()))
    return Posterior(name, np.append(expit(log_odds), 0.5), np.pad(drawn, ((0, 0), (0, 1))), mass, evidence)


def unlike(seen: Integers, mass: Floats) -> bool:
    """Whether the outputs of both datasets together are not those of the laws (chi-squared; Pearson 1900)."""
    from scipy.special import chdtrc

    expected = mass * seen.sum()
    cell = np.minimum((np.cumsum(expected) - 0.5 * expected) // LEAST_EXPECTED, seen.sum() // LEAST_EXPECTED - 1)
    _, place = np.unique(cell, return_inverse=True)
    found, wanted = np.bincount(place, seen), np.bincount(place, expected)
    known = wanted > 0.5 * LEAST_EXPECTED
    distance = float(((found - wanted)[known] ** 2 / wanted[known]).sum())
    return bool(chdtrc(max(int(known.sum()) - 4, 1), distance) < 1.0 / UNLIKE)

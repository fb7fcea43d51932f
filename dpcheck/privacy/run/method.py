"""How an audit works, in one line of its record."""

from __future__ import annotations

from dpcheck.model.claims import Claim, GridClaim, orders_in_words, orders_tested, points_tested

_GAME = "label game: coin per call, learned guesses, mixture of bets; anytime-valid"


def method_of(claim: Claim) -> str:
    """The method of an audit of this claim.

    >>> from dpcheck.model.claims import GaussianDP
    >>> method_of(GaussianDP(1.0)).removeprefix(_GAME)
    '; 1-GDP is tested through 7 (epsilon, delta) points it implies, fixed beforehand, their evidence averaged'
    """
    if not isinstance(claim, GridClaim):
        return _GAME
    count = len(points_tested(claim))
    points = "1 (epsilon, delta) point" if count == 1 else f"{count} (epsilon, delta) points"
    through = f"{points} it implies, fixed beforehand, their evidence averaged"
    if not (orders := orders_tested(claim)):
        return f"{_GAME}; {claim} is tested through {through}"
    order = "order" if len(orders) == 1 else "orders"
    return (
        f"{_GAME}; {claim} is tested by bets against the Rényi divergences it bounds ({order} "
        f"{orders_in_words(claim)}, each way round) and through {through}"
    )

"""Privacy: exact losses of the paper's learners, over all neighbours."""

from __future__ import annotations


def _loss_of_reduction() -> list[Table]:
    """Exact losses of B beside that of the learner inside."""
    records = Records.labelled(features=[0, 1, 3], labels=[0, 1])
    inside = CoverLearner(GridThresholds(4), 1.0)
    rows = []
    for private, public, probability in ((25, 1, None), (6, 2, Fraction(1, 2))):
        learner = FromSemiPrivate(inside, private, public, Dummies([0]), "fill", probability)
        loss, answer = _exact_loss(learner, records, 2)
        chance = learner.position_probability
        rows.append((str(private), str(public), str(chance), "2", f"{loss:.4f}", "1", answer))
    columns = ("n_priv", "n_pub", "p", "ntilde", "exact epsilon of B", "claim", "answer")
    return [Table("B over A_SSPP (thresholds on 4 points): every pair of neighbours", columns, tuple(rows))]


def _exact_loss(learner: Any, records: Any, size: int) -> tuple[float, str]:
    """The largest log-ratio over all pairs of neighbouring datasets, and whether the claim was decided to hold."""
    verdict = dpcheck.audit(
        learner,
        neighbours=ReplaceOne(records=records, size=size),
        exhaustive=True,
        isolation="none",
        seed=0,
        max_seconds=math.inf,
    )
    return verdict.epsilon_lower, "" if verdict.exact is None else str(verdict.exact.answer)


def exact_privacy(seed: int, quick: bool) -> Measurement:
    """Claim 6: the largest log-ratio of A_SSPP, over all neighbours."""
    grid = [(i, j) for i in range(3) for j in range(3)]
    line = Records.labelled(features=list(range(4)), labels=[0, 1])
    plane = Records.labelled(features=grid, labels=[0, 1])
    cases: list[tuple[str, Any, Any, Any, int]] = [
        ("thresholds on 4 points, lowest", CoverLearner(GridThresholds(4), 1.0), [1, 2], line, 2 if quick else 6)
    ]
    if not quick:
        cases += [
            ("thresholds on 4 points, highest", CoverLearner(GridThresholds(4), 1.0, "highest"), [1, 2], line, 6),
            ("thresholds on 4 points, middle", CoverLearner(GridThresholds(4), 1.0, "middle"), [1, 2], line, 6),
            ("half-planes on a 3 × 3 grid", CoverLearner(HalfPlanes(), 1.0), grid, plane, 3),
            ("rectangles on a 3 × 3 grid", CoverLearner(Rectangles(), 1.0), grid, plane, 3),
        ]
    series, rows, answers = [], [], []
    for colour, (name, learner, public, records, most) in enumerate(cases):
        found = [_exact_loss(FixedPublic(learner, public), records, size) for size in range(1, most + 1)]
        sizes = tuple(float(size) for size in range(1, most + 1))
        series.append(Series(name, "exact", colour, sizes, tuple(loss for loss, _ in found)))
        rows.append((name, *(f"{loss:.6f}" for loss, _ in found), *("",) * (6 - most)))
        answers += [answer for _, answer in found]
    largest = max(max(one.y) for one in series)
    if len({one.y for one in series[:3]}) == 1 and len(series) > 1:
        series[:3] = [replace(series[0], name="thresholds on 4 points, all three rules")]
    return Measurement(
        "exact-privacy",
        "A_SSPP is epsilon-private, with little to spare",
        ("alon2019:lem-3.2",),
        "The exact output laws of A_SSPP at epsilon = 1 on every pair of neighbouring private samples of n_priv "
        "records: the largest log-ratio of probabilities, over three rules for representatives and three classes. "
        "Doubles find the worst pair; that the claim holds is decided in exact arithmetic, for polynomials in "
        "exp(1/2).",
        f"The loss grows with n_priv and stays below the claim: {series[0].y[0]:.4f} at n_priv = 1, at most "
        f"{largest:.4f} here.",
        "Exact: all neighbouring pairs were compared, nothing was sampled.",
        (
            Chart(
                "exact-loss",
                "Exact privacy loss beside the claim",
                "private records n_priv",
                "largest log-ratio (nats)",
                tuple(series),
                (Mark("claimed epsilon = 1", y=1.0, colour=7),),
                x_log=False,
                y_range=(0, 1.08),
                alt="Losses rise with n_priv towards the claimed epsilon of 1 and stay below it.",
            ),
        ),
        (Table("Exact loss by n_priv, epsilon = 1", ("learner", *(str(n) for n in range(1, 7))), tuple(rows)),),
        (
            Outcome(
                "holds" if all(answer == "holds" for answer in answers) else "undecided",
                "lem-3.2: A_SSPP is epsilon-private in S_priv, for these public samples",
                f"decided exactly in each of {len(answers)} cases, over all pairs of neighbours",
            ),
        ),
    )

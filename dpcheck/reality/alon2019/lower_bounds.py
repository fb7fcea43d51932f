"""Lower bounds: the explicit constants, and the hard instances on which every learner is run."""

from __future__ import annotations


def lower_against_upper(seed: int, quick: bool) -> Measurement:
    """Claim 4: 1/(1600 alpha) against the explicit upper bound."""
    beta = Fraction(1, 18)
    rows, upper, need, lower, covered = [], [], [], [], []
    accuracies = ("0.1", "1/16", "0.03", "0.01", "0.003", "0.001", "0.0003", "0.0001")
    for text in accuracies:
        accuracy = Fraction(text)
        above = int(size_of("public", accuracy=text, failure=beta, vc=1))
        exact = (
            least_public(accuracy, beta) if accuracy >= (Fraction(3, 1000) if quick else Fraction(1, 1000)) else None
        )
        upper.append(float(above))
        if accuracy <= Fraction(1, 16):
            least = float(value_of(BOUNDS["public_necessary"], accuracy=text))
            lower.append((float(accuracy), least))
            ratio, shown = three_digits(above / least), f"{least:.4g}"
        else:
            ratio, shown = f"({three_digits(float(1600 * accuracy) * above)} formally)", "says nothing"
        if exact is not None:
            need.append(float(exact))
            covered.append(float(accuracy))
        over_log = three_digits(float(1600 * accuracy) * above / math.log(1 / accuracy))
        rows.append((text, shown, "" if exact is None else f"{exact:,}", f"{above:,}", ratio, over_log))
    values = [float(Fraction(text)) for text in accuracies]
    return Measurement(
        "lower-against-upper",
        "1/(1600 alpha) against what suffices",
        ("alon2019:thm-4.1", "alon2019:thm-4.2", "alon2019:obs-1.b"),
        "Thresholds (d = 1) at beta = 1/18: the public examples that thm-4.1 says are needed, those with which "
        "Bad has that probability under the uniform law on [0, 1], and those that the explicit form of thm-3.1 says "
        "suffice.",
        f"The two bounds are a factor of {rows[0][4].strip('()').split(' ')[0]} (alpha = 0.1, formally) to "
        f"{rows[-1][4]} (alpha = 1e-4) apart, and the ratio grows no faster than log(1/alpha): that it is at most "
        "200,000 log(1/alpha) for alpha <= 1/100 is proved under obs-1.b. Neither d nor beta is in the lower bound, "
        "which asks for one public example, no more, while alpha is above 1/1600.",
        EXACT,
        (
            Chart(
                "lower-upper",
                "Public examples at failure 1/18",
                "accuracy alpha",
                "n_pub",
                (
                    Series("suffices: explicit thm-3.1", "bound", 0, tuple(values), tuple(upper)),
                    Series("Bad on [0, 1] at most 1/18, exact", "exact", 1, tuple(covered), tuple(need)),
                    Series("needed: 1/(1600 alpha)", "bound", 2, *zip(*lower, strict=True)),
                ),
                y_log=True,
                alt="Three nearly parallel lines on log-log axes: the upper bound five to six orders above the lower "
                "one, the exact size for Bad in between.",
            ),
        ),
        (
            Table(
                "Lower against upper bound, d = 1, beta = 1/18",
                (
                    "alpha",
                    "needed (thm-4.1)",
                    "Bad on [0, 1], exact",
                    "suffices (thm-3.1)",
                    "ratio",
                    "ratio / log(1/alpha)",
                ),
                tuple(rows),
            ),
        ),
    )

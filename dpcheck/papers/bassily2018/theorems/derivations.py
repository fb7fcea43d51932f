"""How printed lines follow, from laws, events and private algorithms up."""

from __future__ import annotations

from dpcheck.proof.derivation.lines import Derivation, Given, Line

# The models are given; an example is drawn, and the coins of hpriv.
_P = "law P; type X; x(P): X; y(P) in Z[0, 1]; law coins; alpha in (0, 1)"
_P_WORDS = (
    ("P", "examples (x, y)"),
    ("X", "the domain of points"),
    ("x", "the point of an example"),
    ("y", "the label of an example"),
    ("coins", "the coins of hpriv: noise, and a label for none"),
)
_REALISABLE = "for z: P: y(z) = hstar(x(z))"
_OUT_PRIV = "Pr(z: P, c: coins, not (hhat(x(z)) = hpriv(x(z), c)))"
_STAR_PRIV = "Pr(z: P, c: coins, not (hstar(x(z)) = hpriv(x(z), c)))"
_PRIV_P = "Pr(z: P, c: coins, not (hpriv(x(z), c) = y(z)))"


_SYMMETRIC = "definition: the size of the symmetric difference"

# The k models are given; the votes on an example.
_VOTES = "k in Z[1, inf); set K of k; type EX; type X; x(EX): X; y(EX) in Z[0, 1]; h(K, X) in Z[0, 1]"
_VOTES_WORDS = (
    ("EX", "examples (x, y)"),
    ("K", "the k models, which are given"),
    ("X", "the domain of points"),
    ("x", "the point of an example"),
    ("y", "the label of an example"),
    ("h", "the label that a model gives a point"),
)


def _v(example: str) -> str:
    """1 where more than a third of the models are wrong on an example, else 0."""
    return f"[total(j: K, [not (h(j, x({example})) = y({example}))]) > k/3]"


def _differ(name: str, binders: str, one: str, other: str) -> Line:
    """That two labels differ, as a polynomial in them."""
    return Line(name, f"for {binders}: [not ({one} = {other})] = {one}*(1 - {other}) + (1 - {one})*{other}")


def _tail(point: str) -> str:
    """How likely noise of Lap(1/eps) is above a point."""
    return f"([{point} >= 0]*exp(-eps*({point}))/2 + [{point} < 0]*(1 - exp(eps*({point}))/2))"


_CLOSE = "for t in (-inf, inf), u in (-inf, inf) if abs(t - u) <= 1: "
_SINH = "have (exp(eps) - exp(-eps))/2 <= exp(eps) - 1"
#: Both tails of Lap(1/eps) at points that are at most 1 apart differ by a factor of at most exp(eps).
_LAPLACE = (
    Line(
        "above.pp",
        f"{_CLOSE}[t >= 0]*[u >= 0]*(exp(-eps*t)/2 - exp(eps)*(exp(-eps*u)/2)) <= 0",
        hints=("have exp(-eps*t) <= exp(eps - eps*u)",),
    ),
    Line(
        "above.pn",
        f"{_CLOSE}[t >= 0]*[u < 0]*(exp(-eps*t)/2 - exp(eps)*(1 - exp(eps*u)/2)) <= 0",
        hints=("have exp(-eps*t) <= 1", "have exp(eps*u) <= 1", "have exp(eps) >= 1"),
    ),
    Line(
        "above.np",
        f"{_CLOSE}[t < 0]*[u >= 0]*(1 - exp(eps*t)/2 - exp(eps)*(exp(-eps*u)/2)) <= 0",
        hints=("have exp(eps)*exp(-eps*u) >= exp(-eps*t)", "have exp(eps*t) + exp(-eps*t) >= 2"),
    ),
    Line(
        "above.nn",
        f"{_CLOSE}[t < 0]*[u < 0]*(1 - exp(eps*t)/2 - exp(eps)*(1 - exp(eps*u)/2)) <= 0",
        hints=(
            "have exp(eps*t) >= exp(-eps)*exp(eps*u)",
            "have exp(eps*u) <= 1",
            _SINH,
            "have (exp(eps) - exp(-eps))/2*exp(eps*u) <= exp(eps) - 1",
        ),
    ),
    Line(
        "above",
        f"{_CLOSE}{_tail('t')} <= exp(eps)*{_tail('u')}",
        using=("above.pp", "above.pn", "above.np", "above.nn"),
    ),
    Line(
        "below.pp",
        f"{_CLOSE}[t >= 0]*[u >= 0]*(1 - exp(-eps*t)/2 - exp(eps)*(1 - exp(-eps*u)/2)) <= 0",
        hints=(
            "have exp(-eps*t) >= exp(-eps)*exp(-eps*u)",
            "have exp(-eps*u) <= 1",
            _SINH,
            "have (exp(eps) - exp(-eps))/2*exp(-eps*u) <= exp(eps) - 1",
        ),
    ),
    Line(
        "below.pn",
        f"{_CLOSE}[t >= 0]*[u < 0]*(1 - exp(-eps*t)/2 - exp(eps)*(exp(eps*u)/2)) <= 0",
        hints=("have exp(eps)*exp(eps*u) >= exp(eps*t)", "have exp(eps*t) + exp(-eps*t) >= 2"),
    ),
    Line(
        "below.np",
        f"{_CLOSE}[t < 0]*[u >= 0]*(exp(eps*t)/2 - exp(eps)*(1 - exp(-eps*u)/2)) <= 0",
        hints=("have exp(eps*t) <= 1", "have exp(-eps*u) <= 1", "have exp(eps) >= 1"),
    ),
    Line(
        "below.nn",
        f"{_CLOSE}[t < 0]*[u < 0]*(exp(eps*t)/2 - exp(eps)*(exp(eps*u)/2)) <= 0",
        hints=("have exp(eps*t) <= exp(eps + eps*u)",),
    ),
    Line(
        "below",
        f"{_CLOSE}1 - {_tail('t')} <= exp(eps)*(1 - {_tail('u')})",
        using=("below.pp", "below.pn", "below.np", "below.nn"),
    ),
)

#: The exponent of a Chernoff bound at the best point of [0, 1].
_EXPONENT = (
    "m*(3*(alpha + gamma))*(exp(min(1, r/(2*(alpha + gamma)))) - 1) "
    "- min(1, r/(2*(alpha + gamma)))*(3*m*(alpha + gamma + r))"
)


def _below(point: str) -> str:
    """How likely noise of Lap(2 lam) is at most a point."""
    return f"([{point} < 0]*exp(({point})/(2*lam))/2 + [{point} >= 0]*(1 - exp(-({point})/(2*lam))/2))"


_NEAR = "for x in (-inf, inf), y in (-inf, inf) if y >= x - 2*s: "
#: T3.1.idea as repaired: what a round of alg-2 costs, from its fresh threshold on.
ROUND = Derivation(
    "lam in (0, inf); s in [0, inf); w in (-inf, inf); d(Z) in (-inf, inf); dd(Z) in (-inf, inf); type THRESHOLD; "
    "above(THRESHOLD) in (-inf, inf); down(THRESHOLD): THRESHOLD; law noise; at(noise): THRESHOLD; law queries; "
    "z(queries, Z) in (-inf, inf); law single; z_1(single) in (-inf, inf); type PAST; "
    "past(queries, Z): PAST; answered(PAST, THRESHOLD) in Z[0, 1]; "
    "answered_D(PAST, THRESHOLD) in Z[0, 1]",
    (
        Line(
            "nn",
            f"{_NEAR}[x < 0]*[y < 0]*(exp(x/(2*lam))/2 - exp(s/lam)*(exp(y/(2*lam))/2)) <= 0",
            hints=("have exp(x/(2*lam)) <= exp(s/lam + y/(2*lam))",),
        ),
        Line(
            "np",
            f"{_NEAR}[x < 0]*[y >= 0]*(exp(x/(2*lam))/2 - exp(s/lam)*(1 - exp(-y/(2*lam))/2)) <= 0",
            hints=("have exp(x/(2*lam)) <= 1", "have exp(-y/(2*lam)) <= 1", "have exp(s/lam) >= 1"),
        ),
        Line(
            "pn",
            f"{_NEAR}[x >= 0]*[y < 0]*(1 - exp(-x/(2*lam))/2 - exp(s/lam)*(exp(y/(2*lam))/2)) <= 0",
            hints=("have exp(s/lam)*exp(y/(2*lam)) >= exp(x/(2*lam))", "have exp(x/(2*lam)) + exp(-x/(2*lam)) >= 2"),
        ),
        Line(
            "pp",
            f"{_NEAR}[x >= 0]*[y >= 0]*(1 - exp(-x/(2*lam))/2 - exp(s/lam)*(1 - exp(-y/(2*lam))/2)) <= 0",
            hints=(
                "have exp(-x/(2*lam)) >= exp(-s/lam)*exp(-y/(2*lam))",
                "have exp(-y/(2*lam)) <= 1",
                "have (exp(s/lam) - exp(-s/lam))/2 <= exp(s/lam) - 1",
            ),
        ),
        Line("moved", f"{_NEAR}{_below('x')} <= exp(s/lam)*{_below('y')}", using=("nn", "np", "pn", "pp")),
        Line(
            "single",
            f"{_NEAR}Pr(u: single, z_1(u) <= x) <= exp(s/lam)*Pr(u: single, z_1(u) <= y)",
            using=("moved", "tail", "tail at x = y"),
        ),
        Line(
            "first",
            "for t: THRESHOLD, v: queries: answered(past(v, 0), t) <= answered_D(past(v, 0), down(t))",
            using=("none", "none_D at t = down(t)"),
        ),
        Line(
            "next",
            "for n in Z[0, inf), t: THRESHOLD, v: queries if answered(past(v, n), t) <= "
            "answered_D(past(v, n), down(t)): "
            "answered(past(v, n + 1), t) <= answered_D(past(v, n + 1), down(t))",
            using=("more", "more_D at t = down(t)", "lower", "close at n = n + 1"),
        ),
        Line(
            "labels",
            "for n in Z[0, inf), t: THRESHOLD, v: queries: answered(past(v, n), t) <= answered_D(past(v, n), down(t))",
            "induction n",
            ("first", "next"),
        ),
        Line(
            "product",
            "for p in [0, 1], q in [0, 1], x in [0, 1], y in [0, 1], u in [1, inf) if p <= q, x <= u*y: p*x <= u*(q*y)",
            hints=("have p*x <= q*x", "have q*x <= q*(u*y)"),
        ),
        Line("one", "exp(s/lam) >= 1"),
        Line(
            "round",
            "for n in Z[0, inf), t: THRESHOLD: "
            "Pr(v: queries, answered(past(v, n), t) and d(n + 1) + z(v, n + 1) <= w + above(t)) "
            "<= exp(s/lam)*Pr(v: queries, answered_D(past(v, n), down(t)) and dd(n + 1) + z(v, n + "
            "1) <= w + above(down(t)))",
            using=(
                "mean of labels over v",
                "independent at F(y) = answered(y, t), x = w + above(t) - d(n + 1)",
                "independent at F(y) = answered_D(y, down(t)), x = w + above(down(t)) - dd(n + 1)",
                "lower",
                "close at n = n + 1",
                "one",
                "single at x = w + above(t) - d(n + 1), y = w + above(down(t)) - dd(n + 1)",
                (
                    "product at p = mean(v: queries, answered(past(v, n), t)), q = mean(v: queries, "
                    "answered_D(past(v, n), down(t))), "
                    "x = Pr(u: single, z_1(u) <= w + above(t) - d(n + 1)), y = Pr(u: single, z_1(u) <= w + "
                    "above(down(t)) - dd(n + 1)), u = exp(s/lam)"
                ),
            ),
        ),
        Line(
            "drawn",
            "for n in Z[0, inf), a: noise: "
            "Pr(v: queries, answered(past(v, n), at(a)) and d(n + 1) + z(v, n + 1) <= w + above(at(a))) "
            "<= exp(s/lam)*Pr(v: queries, answered_D(past(v, n), down(at(a))) and dd(n + 1) + z(v, n "
            "+ 1) <= w + above(down(at(a))))",
            using=("round at t = at(a)",),
        ),
        Line(
            "scaled",
            "for p in [0, 1], q in [0, 1], r in [0, 1] if p <= exp(s/lam)*q, q <= exp(s/lam)*r: p <= exp(2*s/lam)*r",
            hints=("have exp(s/lam)*q <= exp(s/lam)*(exp(s/lam)*r)", "have exp(s/lam)*(exp(s/lam)*r) = exp(2*s/lam)*r"),
        ),
        Line(
            "withheld",
            "for n in Z[0, inf): "
            "Pr(a: noise, v: queries, answered(past(v, n), at(a)) and d(n + 1) + z(v, n + 1) <= w + above(at(a))) "
            "<= exp(2*s/lam)*Pr(a: noise, v: queries, answered_D(past(v, n), at(a)) and dd(n + 1) + "
            "z(v, n + 1) <= w + above(at(a)))",
            using=(
                "mean of drawn over a",
                "shift at F(t) = Pr(v: queries, answered_D(past(v, n), t) and dd(n + 1) + z(v, n + 1) <= w + above(t))",
                (
                    "scaled at p = Pr(a: noise, v: queries, answered(past(v, n), at(a)) and d(n + 1) + z(v, "
                    "n + 1) <= w + above(at(a))), "
                    "q = Pr(a: noise, v: queries, answered_D(past(v, n), down(at(a))) and dd(n + 1) + z(v, n "
                    "+ 1) <= w + above(down(at(a)))), "
                    "r = Pr(a: noise, v: queries, answered_D(past(v, n), at(a)) and dd(n + 1) + z(v, n + 1) "
                    "<= w + above(at(a)))"
                ),
            ),
        ),
        Line(
            "labels_drawn",
            "for n in Z[0, inf), a: noise, v: queries: answered(past(v, n), at(a)) <= "
            "answered_D(past(v, n), down(at(a)))",
            using=("labels at t = at(a)",),
        ),
        Line(
            "unfinished",
            "for n in Z[0, inf): Pr(a: noise, v: queries, answered(past(v, n), at(a))) "
            "<= exp(s/lam)*Pr(a: noise, v: queries, answered_D(past(v, n), at(a)))",
            using=(
                "mean of mean of labels_drawn over v over a",
                "shift at F(t) = Pr(v: queries, answered_D(past(v, n), t))",
            ),
        ),
    ),
    given=(
        Given(
            "close",
            "for n in Z[1, inf): abs(d(n) - dd(n)) <= s",
            "definition: the distances of a query on the two sides are at most s apart",
        ),
        Given(
            "none",
            "for t: THRESHOLD, v: queries: answered(past(v, 0), t) = 1",
            "definition: a round begins without answers",
        ),
        Given(
            "none_D",
            "for t: THRESHOLD, v: queries: answered_D(past(v, 0), t) = 1",
            "definition: a round begins without answers",
        ),
        Given(
            "more",
            "for n in Z[0, inf), t: THRESHOLD, v: queries: answered(past(v, n + 1), t) = "
            "answered(past(v, n), t)*[d(n + 1) + z(v, n + 1) > w + above(t)]",
            "definition: algorithm 2: a query is answered with a label where its noisy distance is above the threshold",
        ),
        Given(
            "more_D",
            "for n in Z[0, inf), t: THRESHOLD, v: queries: answered_D(past(v, n + 1), t) = "
            "answered_D(past(v, n), t)*[dd(n + 1) + z(v, n + 1) > w + above(t)]",
            "definition: algorithm 2: a query is answered with a label where its noisy distance is above the threshold",
        ),
        Given(
            "lower", "for t: THRESHOLD: above(down(t)) = above(t) - s", "definition: the threshold that is lower by s"
        ),
        Given(
            "independent",
            "for F(PAST) in [0, 1], n in Z[0, inf), x in (-inf, inf): mean(v: queries, F(past(v, "
            "n))*[z(v, n + 1) <= x]) = mean(v: queries, F(past(v, n)))*Pr(u: single, z_1(u) <= x)",
            "definition: the noise of a query is Lap(2 lam), independent of the noises before it",
        ),
        Given("tail", f"for x in (-inf, inf): Pr(u: single, z_1(u) <= x) = {_below('x')}", "definition: Lap(2 lam)"),
        Given(
            "shift",
            "for F(THRESHOLD) in [0, 1]: mean(a: noise, F(down(at(a)))) <= exp(s/lam)*mean(a: noise, F(at(a)))",
            "definition: Lap(lam), the noise of a threshold: its density at a point is at most "
            "exp(s/lam) times that at the point moved by s",
        ),
    ),
    shows=("withheld", "unfinished"),
    notation=(
        ("lam", "the scale of a threshold's noise; that of a query's noise is 2 lam"),
        ("s", "by how much distances move with one record"),
        ("w", "the threshold, before noise"),
        ("d", "the distances of the queries of a round on one side"),
        ("dd", "the distances of the same queries on the other side"),
        ("THRESHOLD", "values of the noise of a threshold"),
        ("above", "the value, as a number"),
        ("down", "the value that is smaller by s"),
        ("noise", "the noise of a threshold, Lap(lam)"),
        ("at", "the value that is drawn"),
        ("queries", "sequences of noises of queries, independent and Lap(2 lam) each"),
        ("z", "the noise of a query in a sequence"),
        ("single", "Lap(2 lam)"),
        ("z_1", "the noise that is drawn"),
        ("PAST", "the noises of the first queries of a round"),
        ("past", "those of the first n queries"),
        ("answered", "whether all of them get a label on one side"),
        ("answered_D", "whether all of them get a label on the other side"),
    ),
    says=("how many labels a round gives before its ⊥ costs 2 s/lam, and s/lam where there is no ⊥",),
)

DERIVATIONS: dict[str, Derivation] = {
    "C4.1.O": Derivation(
        "gamma in [0, 1]; alpha in (0, 1)",
        (Line("constant", "3*gamma + 7*alpha <= 7*(gamma + alpha)"),),
        says=("3 gamma + 7 alpha = O(gamma+alpha)",),
    ),
    "obs-5.a": Derivation(
        "V in [1, inf); alpha in (0, 1)",
        (
            Line("realisable", "V^(3/2)/alpha^(3/2) = sqrt(V/alpha)*V/alpha"),
            Line("agnostic", "V^(3/2)/alpha^(5/2) = sqrt(V/alpha)*V/alpha^2"),
        ),
        says=("V^{3/2}/alpha^{3/2} = sqrt(V/alpha) V/alpha", "V^{3/2}/alpha^{5/2} = sqrt(V/alpha) V/alpha^2"),
        shows=("realisable", "agnostic"),
    ),
    "T3.4.cmp": Derivation(
        "m in Z[1, inf); V in [1, inf); eps in (0, inf); n in [1, inf)",
        (
            Line("square", "m*V^2/(eps^2*n^2) = (sqrt(m)*V/(eps*n))^2"),
            Line("capped", "for r in [0, inf): min(1, r^2) = min(1, r)^2 <= min(1, r)"),
            Line(
                "smaller",
                "min(1, m*V^2/(eps^2*n^2)) = min(1, sqrt(m)*V/(eps*n))^2 <= min(1, sqrt(m)*V/(eps*n))",
                using=("square", "capped at r = sqrt(m)*V/(eps*n)"),
            ),
            Line("below", "for r in (0, inf) if r < 1: r^2 < r"),
            Line(
                "ratio",
                "if sqrt(m)*V/(eps*n) < 1: m*V^2/(eps^2*n^2) = (sqrt(m)*V/(eps*n))^2 < sqrt(m)*V/(eps*n)",
                using=("square", "below at r = sqrt(m)*V/(eps*n)"),
            ),
        ),
        shows=("smaller", "ratio"),
        says=("`O~(mV^2/(eps^2n^2))` is significantly smaller than `O~(sqrt(m)V/(eps n))`",),
    ),
    "obs-1.a": Derivation(
        "alpha in (0, 1); V in [1, inf); eps in (0, inf); n in [1, inf)",
        (
            Line(
                "mine",
                "for q in (0, inf), m in (0, inf) if m/q^2 = alpha, alpha > 1/q: m = alpha*q^2 > q",
            ),
            Line(
                "theirs",
                "for q in (0, inf), m in [0, inf) if sqrt(m)/q <= alpha: m <= alpha*(alpha*q^2)",
                hints=("have sqrt(m) <= alpha*q", "have m = sqrt(m)*sqrt(m)", "have m <= (alpha*q)*(alpha*q)"),
            ),
            Line(
                "both",
                "for ours in (0, inf), theirs in [0, inf) if ours*V^2/(eps^2*n^2) = alpha, "
                "sqrt(theirs)*V/(eps*n) <= alpha, alpha > V/(eps*n): theirs/alpha <= ours > eps*n/V",
                using=("mine at q = eps*n/V, m = ours", "theirs at q = eps*n/V, m = theirs"),
            ),
        ),
        notation=(("n", "the size of the private dataset"),),
        says=("more queries by at least a factor 1/alpha at error alpha",),
    ),
    "T4.2.8": Derivation(
        f"{_P}; hhat(X) in Z[0, 1]; hpriv(X, coins) in Z[0, 1]; hstar(X) in Z[0, 1]",
        (Line("sum", f"{_OUT_PRIV} <= 8*alpha", using=("learner", "best")),),
        given=(
            Given("learner", f"{_OUT_PRIV} - {_STAR_PRIV} <= alpha", "line: T4.2.agn"),
            Given("best", f"{_STAR_PRIV} <= 7*alpha", "line: T4.2.hs"),
        ),
        notation=(*_P_WORDS, ("hstar", "h*")),
        says=("err(hhat;(D_X,hpriv)) <= 8 alpha",),
    ),
    "T4.2.15": Derivation(
        f"{_P}; hhat(X) in Z[0, 1]; hpriv(X, coins) in Z[0, 1]; hstar(X) in Z[0, 1]",
        (
            _differ("hat", "z: P", "hhat(x(z))", "hstar(x(z))"),
            _differ("hat.y", "z: P", "hhat(x(z))", "y(z)"),
            _differ("hat.priv", "z: P, c: coins", "hhat(x(z))", "hpriv(x(z), c)"),
            _differ("priv", "z: P, c: coins", "hpriv(x(z), c)", "hstar(x(z))"),
            _differ("priv.y", "z: P, c: coins", "hpriv(x(z), c)", "y(z)"),
            Line(
                "labels",
                "for z: P: hhat(x(z))*(1 - y(z)) + (1 - hhat(x(z)))*y(z) "
                "= hhat(x(z))*(1 - hstar(x(z))) + (1 - hhat(x(z)))*hstar(x(z))",
                using=("realisable",),
            ),
            Line(
                "labels.priv",
                "for z: P, c: coins: hpriv(x(z), c)*(1 - y(z)) + (1 - hpriv(x(z), c))*y(z) "
                "= hpriv(x(z), c)*(1 - hstar(x(z))) + (1 - hpriv(x(z), c))*hstar(x(z))",
                using=("realisable",),
            ),
            Line(
                "triangle",
                "for z: P, c: coins: hhat(x(z))*(1 - hstar(x(z))) + (1 - hhat(x(z)))*hstar(x(z)) "
                "<= hhat(x(z))*(1 - hpriv(x(z), c)) + (1 - hhat(x(z)))*hpriv(x(z), c) "
                "+ hpriv(x(z), c)*(1 - hstar(x(z))) + (1 - hpriv(x(z), c))*hstar(x(z))",
            ),
            Line(
                "all",
                "Pr(z: P, not (hhat(x(z)) = y(z))) = Pr(z: P, not (hhat(x(z)) = hstar(x(z)))) "
                "<= mean(z: P, c: coins, [not (hhat(x(z)) = hpriv(x(z), c))] + [not (hpriv(x(z), c) = hstar(x(z)))]) "
                f"= {_OUT_PRIV} + {_PRIV_P} <= 15*alpha",
                using=(
                    "mean of hat over z",
                    "mean of hat.y over z",
                    "mean of mean of hat.priv over c over z",
                    "mean of mean of priv over c over z",
                    "mean of mean of priv.y over c over z",
                    "mean of labels over z",
                    "mean of mean of labels.priv over c over z",
                    "mean of mean of triangle over c over z",
                    "out",
                    "private",
                ),
            ),
        ),
        given=(
            Given("realisable", _REALISABLE, "definition: the true labels are those of h*"),
            Given("out", f"{_OUT_PRIV} <= 8*alpha", "line: T4.2.8"),
            Given("private", f"{_PRIV_P} <= 7*alpha", "line: T4.2.h"),
        ),
        notation=(*_P_WORDS, ("hstar", "h*")),
        says=(
            (
                "`err(hhat;P) = E 1(hhat != h*) <= E[1(hhat != hpriv)+1(hpriv != h*)] "
                "= err(hhat;(D_X,hpriv))+err(hpriv;P) <= 15 alpha`"
            ),
        ),
    ),
    "T4.2.hs": Derivation(
        f"{_P}; gamma in [0, 1); hpriv(X, coins) in Z[0, 1]; hstar(X) in Z[0, 1]",
        (
            _differ("star", "z: P, c: coins", "hstar(x(z))", "hpriv(x(z), c)"),
            _differ("priv", "z: P, c: coins", "hpriv(x(z), c)", "y(z)"),
            Line(
                "labels",
                "for z: P, c: coins: hstar(x(z))*(1 - hpriv(x(z), c)) + (1 - hstar(x(z)))*hpriv(x(z), c) "
                "= hpriv(x(z), c)*(1 - y(z)) + (1 - hpriv(x(z), c))*y(z)",
                using=("realisable",),
            ),
            Line(
                "all",
                f"{_STAR_PRIV} = mean(z: P, c: coins, [not (hstar(x(z)) = hpriv(x(z), c))]) = {_PRIV_P} <= 7*alpha",
                using=(
                    "mean of mean of star over c over z",
                    "mean of mean of priv over c over z",
                    "mean of mean of labels over c over z",
                    "claim",
                    "zero",
                ),
            ),
        ),
        given=(
            Given("realisable", _REALISABLE, "definition: the true labels are those of h*"),
            Given("claim", f"{_PRIV_P} <= 3*gamma + 7*alpha", "result: bassily2018:clm-4.1"),
            Given("zero", "gamma = 0", "printed: gamma = 0"),
        ),
        notation=(*_P_WORDS, ("hstar", "h*")),
        says=("`err(h*;(D_X,hpriv)) = E 1(h*(x) != hpriv(x)) = err(hpriv;P) <= 7 alpha`",),
    ),
    "T4.2.h": Derivation(
        f"law W; {_P}; beta in (0, 1); gamma in [0, 1); m in Z[1, inf); learns in Z[0, 1]; "
        "hpriv(W, X, coins) in Z[0, 1]",
        (
            Line(
                "each",
                "for w: W: [Pr(z: P, c: coins, not (hpriv(w, x(z), c) = y(z))) <= 3*gamma + 7*alpha] "
                "<= [Pr(z: P, c: coins, not (hpriv(w, x(z), c) = y(z))) <= 7*alpha]",
                using=("zero",),
            ),
            Line(
                "all",
                "Pr(w: W, Pr(z: P, c: coins, not (hpriv(w, x(z), c) = y(z))) <= 7*alpha) >= 1 - 2*beta",
                using=("mean of each over w", "small", "size", "learner", "claim"),
            ),
        ),
        given=(
            Given(
                "claim",
                "if beta <= alpha, m >= 4*log(1/(alpha*beta))/alpha, learns = 1: "
                "Pr(w: W, Pr(z: P, c: coins, not (hpriv(w, x(z), c) = y(z))) <= 3*gamma + 7*alpha) >= 1 - 2*beta",
                "result: bassily2018:clm-4.1",
            ),
            Given("small", "beta <= alpha", "definition: the beta and alpha of the theorem, as clm-4.1 asks"),
            Given("size", "m >= 4*log(1/(alpha*beta))/alpha", "line: T4.2.m"),
            Given("learner", "learns = 1", "line: T4.2.n"),
            Given("zero", "gamma = 0", "printed: gamma=0"),
        ),
        notation=(
            *_P_WORDS,
            ("m", "the number of public points"),
            ("learns", "whether Theta of alg-2 is an (alpha, beta/k, n/k)-PAC learner"),
            ("W", "private datasets, and the coins of training and of the event of claim 4.1"),
        ),
        says=("w.p. `>= 1-2beta` `err(hpriv;P) <= 7 alpha`",),
    ),
    "T4.2.agn": Derivation(
        "law S; law D_X; law coins; type H; lab(H, D_X) in Z[0, 1]; hpriv(D_X, coins) in Z[0, 1]; "
        "hhat(S): H; point hstar: H; least in [0, 1]; alpha in (0, 1); beta in (0, 1)",
        (
            Line(
                "low",
                "[least <= Pr(x: D_X, c: coins, not (lab(hstar, x) = hpriv(x, c)))] = 1",
                using=("minimum at h = hstar",),
            ),
            Line(
                "each",
                "for s: S: [Pr(x: D_X, c: coins, not (lab(hhat(s), x) = hpriv(x, c))) <= least + alpha] "
                "<= [Pr(x: D_X, c: coins, not (lab(hhat(s), x) = hpriv(x, c))) "
                "- Pr(x: D_X, c: coins, not (lab(hstar, x) = hpriv(x, c))) "
                "<= Pr(x: D_X, c: coins, not (lab(hhat(s), x) = hpriv(x, c))) - least <= alpha]",
                using=("low",),
            ),
            Line(
                "all",
                "Pr(s: S, Pr(x: D_X, c: coins, not (lab(hhat(s), x) = hpriv(x, c))) "
                "- Pr(x: D_X, c: coins, not (lab(hstar, x) = hpriv(x, c))) "
                "<= Pr(x: D_X, c: coins, not (lab(hhat(s), x) = hpriv(x, c))) - least <= alpha) >= 1 - beta",
                using=("mean of each over s", "low", "learner"),
            ),
        ),
        given=(
            Given(
                "minimum",
                "for h: H: least <= Pr(x: D_X, c: coins, not (lab(h, x) = hpriv(x, c)))",
                "definition: a minimum is a lower bound",
            ),
            Given(
                "learner",
                "Pr(s: S, Pr(x: D_X, c: coins, not (lab(hhat(s), x) = hpriv(x, c))) <= least + alpha) >= 1 - beta",
                "result: bassily2018:def-2.1",
            ),
        ),
        notation=(
            ("S", "the m labelled points of (D_X, hpriv), and the coins of Theta"),
            ("coins", "the coins of hpriv"),
            ("lab", "the label that a hypothesis of H gives a point"),
            ("hstar", "h*"),
            ("least", "min_{h in H} err(h;(D_X,hpriv))"),
        ),
        says=(
            (
                "w.p. `>= 1-beta`: `err(hhat;(D_X,hpriv)) - err(h*;(D_X,hpriv)) "
                "<= err(hhat;(D_X,hpriv)) - min_{h in H} err(h;(D_X,hpriv)) <= alpha`"
            ),
        ),
    ),
    "T4.2.budget": Derivation(
        "law W; law S; beta in (0, 1); one(W) in Z[0, 1]; other(W, S) in Z[0, 1]",
        (
            Line("each", "for w: W, s: S: [one(w) or other(w, s)] <= one(w) + other(w, s)"),
            Line(
                "all",
                "Pr(w: W, s: S, one(w) or other(w, s)) <= 2*beta + beta = 3*beta",
                using=("mean of mean of each over s over w", "private", "mean of public over w"),
            ),
        ),
        given=(
            Given("private", "Pr(w: W, one(w)) <= 2*beta", "line: T4.2.h"),
            Given("public", "for w: W: Pr(s: S, other(w, s)) <= beta", "line: T4.2.agn"),
        ),
        notation=(
            ("W", "private datasets and the coins of training"),
            ("S", "labelled public points and the coins of Theta"),
            ("one", "whether err(hpriv;P) is above 7 alpha"),
            ("other", "whether hhat has an excess above alpha over the best of H"),
        ),
        says=("failure budget `2 beta + beta = 3 beta`",),
    ),
    "T4.3.err": Derivation(
        f"{_P}; gamma in [0, 1); hhat(X) in Z[0, 1]; hpriv(X, coins) in Z[0, 1]; hstar(X) in Z[0, 1]",
        (
            _differ("hat.y", "z: P, c: coins", "hhat(x(z))", "y(z)"),
            _differ("hat.priv", "z: P, c: coins", "hhat(x(z))", "hpriv(x(z), c)"),
            _differ("priv.y", "z: P, c: coins", "hpriv(x(z), c)", "y(z)"),
            _differ("star.y", "z: P, c: coins", "hstar(x(z))", "y(z)"),
            _differ("star.priv", "z: P, c: coins", "hstar(x(z))", "hpriv(x(z), c)"),
            Line(
                "best",
                "for z: P, c: coins: hstar(x(z))*(1 - hpriv(x(z), c)) + (1 - hstar(x(z)))*hpriv(x(z), c) "
                "<= hstar(x(z))*(1 - y(z)) + (1 - hstar(x(z)))*y(z) "
                "+ hpriv(x(z), c)*(1 - y(z)) + (1 - hpriv(x(z), c))*y(z)",
            ),
            Line(
                "out",
                "for z: P, c: coins: hhat(x(z))*(1 - y(z)) + (1 - hhat(x(z)))*y(z) "
                "<= hhat(x(z))*(1 - hpriv(x(z), c)) + (1 - hhat(x(z)))*hpriv(x(z), c) "
                "+ hpriv(x(z), c)*(1 - y(z)) + (1 - hpriv(x(z), c))*y(z)",
            ),
            Line(
                "all",
                "for goal in (0, 15) if goal = 15*alpha: "
                "Pr(z: P, not (hhat(x(z)) = y(z))) <= goal + 7*gamma = 15*alpha + 7*gamma <= 15*(alpha + gamma)",
                using=(
                    "mean of mean of hat.y over c over z",
                    "mean of mean of hat.priv over c over z",
                    "mean of mean of priv.y over c over z",
                    "mean of mean of star.y over c over z",
                    "mean of mean of star.priv over c over z",
                    "mean of mean of best over c over z",
                    "mean of mean of out over c over z",
                    "claim",
                    "gamma",
                    "learner",
                ),
            ),
        ),
        given=(
            Given("claim", f"{_PRIV_P} <= 3*gamma + 7*alpha", "result: bassily2018:clm-4.1"),
            Given("gamma", "Pr(z: P, not (hstar(x(z)) = y(z))) = gamma", "definition: gamma = min_h err(h;P)"),
            Given("learner", f"{_OUT_PRIV} <= {_STAR_PRIV} + alpha", "line: T4.2.agn"),
        ),
        notation=(
            *_P_WORDS,
            ("hpriv", "hpriv, none replaced by a coin"),
            ("hstar", "a hypothesis of H with err(h;P) = gamma"),
        ),
        says=("thm-4.3: `err(hhat;P) = O(alpha+gamma)`; inf-1.2: `alpha + O(gamma)`",),
    ),
    "T4.2.k": Derivation(
        "alpha in (0, 1); beta in (0, 1); eps in (0, inf); delta in (0, 1); V in [1, inf); n in (0, inf); "
        "m in (0, inf); M in (0, inf); mbar in (0, inf); T in (0, inf); lam in (0, inf); k in (0, inf); c in [1, inf)",
        (
            Line("order", "for w in [1, inf), x in (0, 1): w^3/x^3 <= w^4/x^4", hints=("have w/x >= 1",)),
            Line("powers", "V^(3/2)/alpha^(3/2) <= V^2/alpha^2", using=("order at w = sqrt(V), x = sqrt(alpha)",)),
            Line("log", "log(1/beta) > 0"),
            Line(
                "queries",
                "eps*n/V <= c*V/alpha^2",
                using=("size", "powers"),
                hints=("have eps*n <= c*(V^(3/2)/alpha^(3/2))", "have eps*n <= c*(V^2/alpha^2)"),
            ),
            Line(
                "many",
                "M <= c^2*V*(1 + log(1/beta))/alpha^2",
                using=("M_is", "queries", "log"),
                hints=("have c*(eps*n/V) <= c*(c*V/alpha^2)", "have (c^2*V/alpha^2)*log(1/beta) >= 0"),
            ),
            Line(
                "public",
                "m <= c^2*V*(1 + log(1/beta))/alpha^2",
                using=("m_is", "log"),
                hints=(
                    "have V + log(1/beta) <= V*(1 + log(1/beta))",
                    "have c*(V + log(1/beta)) <= c*(V*(1 + log(1/beta)))",
                    "have c*(V*(1 + log(1/beta))) <= c^2*(V*(1 + log(1/beta)))",
                    "have c*(V + log(1/beta))/alpha^2 <= c^2*(V*(1 + log(1/beta)))/alpha^2",
                ),
            ),
            Line("both", "mbar <= c^2*V*(1 + log(1/beta))/alpha^2", using=("mbar_is", "many", "public")),
            Line(
                "square",
                "T <= (c^3*V^2*(1 + log(1/beta))/(eps*alpha^2*n))^2",
                using=("T_is", "both", "log"),
                hints=(
                    "have mbar^2 <= (c^2*V*(1 + log(1/beta))/alpha^2)^2",
                    "have (c*V^2/(eps^2*n^2))*mbar^2 <= (c*V^2/(eps^2*n^2))*(c^2*V*(1 + log(1/beta))/alpha^2)^2",
                    (
                        "have (c*V^2/(eps^2*n^2))*(c^2*V*(1 + log(1/beta))/alpha^2)^2 "
                        "= c^5*(V^2*(1 + log(1/beta))/(eps*alpha^2*n))^2"
                    ),
                    "have c^5 <= c^6",
                    (
                        "have c^5*(V^2*(1 + log(1/beta))/(eps*alpha^2*n))^2 "
                        "<= c^6*(V^2*(1 + log(1/beta))/(eps*alpha^2*n))^2"
                    ),
                ),
            ),
            Line(
                "scale",
                "lam <= 4*sqrt(2)*c^3*V^2*(1 + log(1/beta))*sqrt(log(2/delta))/(eps^2*alpha^2*n)",
                using=("lam_is", "square", "log"),
            ),
            Line("cancel", "for p in (0, inf), q in (-inf, inf) if p*q > 0: q > 0"),
            Line(
                "positive",
                "log(4*m*T/min(delta, beta/2)) > 0",
                using=("k_is", "cancel at p = 34*sqrt(2)*lam, q = log(4*m*T/min(delta, beta/2))"),
            ),
            Line(
                "product",
                "for x in (0, inf), y in (0, inf), q in (0, inf) if x <= 4*sqrt(2)*y: 34*sqrt(2)*x*q <= 272*y*q",
                hints=("have sqrt(2)*x <= 8*y", "have (sqrt(2)*x)*q <= (8*y)*q"),
            ),
            Line(
                "all",
                "k <= 272*c^3*(1 + log(1/beta))*sqrt(log(2/delta))*log(4*m*T/min(delta, beta/2))"
                "*(V^2/(eps^2*alpha^2*n))",
                using=(
                    "k_is",
                    "scale",
                    "positive",
                    (
                        "product at x = lam, "
                        "y = c^3*(1 + log(1/beta))*sqrt(log(2/delta))*(V^2/(eps^2*alpha^2*n)), "
                        "q = log(4*m*T/min(delta, beta/2))"
                    ),
                ),
            ),
            Line(
                "up",
                "for p in (0, inf), q in (0, inf) if p <= q: ceil(p) <= ceil(q)",
                hints=("integer ceil(q) >= ceil(p)",),
            ),
            Line(
                "rounded",
                "ceil(k) <= ceil(272*c^3*(1 + log(1/beta))*sqrt(log(2/delta))*log(4*m*T/min(delta, beta/2))"
                "*(V^2/(eps^2*alpha^2*n)))",
                using=(
                    "all",
                    (
                        "up at p = k, q = 272*c^3*(1 + log(1/beta))*sqrt(log(2/delta))*log(4*m*T/min(delta, beta/2))"
                        "*(V^2/(eps^2*alpha^2*n))"
                    ),
                ),
            ),
        ),
        given=(
            Given("lam_is", "lam = sqrt(32*T*log(2/delta))/eps", "line: A2.lam"),
            Given("k_is", "k = 34*sqrt(2)*lam*log(4*m*T/min(delta, beta/2))", "line: A2.k"),
            Given("T_is", "T <= c*mbar^2*V^2/(eps^2*n^2)", "result: bassily2018:thm-3.4"),
            Given("mbar_is", "mbar = max(M, m)", "result: bassily2018:thm-3.4"),
            Given("M_is", "M <= c*eps*n/V", "definition: M of thm-3.4 is of the order of eps n/V"),
            Given("m_is", "m <= c*(V + log(1/beta))/alpha^2", "line: T4.2.m"),
            Given("size", "n <= c*V^(3/2)/(eps*alpha^(3/2))", "printed: `n = O~(V^{3/2}/(eps alpha^{3/2}))`"),
        ),
        shows=("all", "rounded"),
        notation=(
            ("delta", "the delta of alg-2's privacy"),
            ("lam", "the scale of a threshold's noise in alg-2"),
            ("k", "the number of models of alg-2, before it is rounded up"),
            ("M", "the number of queries that thm-3.4 speaks of, of the order of eps n/V"),
            ("mbar", "max(M,m)"),
            ("c", "a bound for the constants, and the logarithms that the O~ of thm-3.4 and of n hide"),
        ),
        says=("`k = O~(V^2/(eps^2 alpha^2 n))`",),
    ),
    "T4.2.n": Derivation(
        "c in [1, inf); V in [1, inf); eps in (0, inf); n in (0, inf); k in (0, inf); alpha in (0, 1)",
        (
            Line(
                "roots",
                "for w in (0, inf), x in (0, inf) if n/k <= c*w^2/x^2, k <= c*w^4/(eps^2*x^4*n): n <= c*w^3/(eps*x^3)",
                hints=(
                    "have n*k <= c*w^4/(eps^2*x^4)",
                    "have n <= c*k*w^2/x^2",
                    "have n^2 <= n*(c*k*w^2/x^2)",
                    "have n*(c*k*w^2/x^2) = c*(n*k)*w^2/x^2",
                    "have c*(n*k)*w^2/x^2 <= c*(c*w^4/(eps^2*x^4))*w^2/x^2",
                    "have n^2 <= (c*w^3/(eps*x^3))^2",
                    "lemma squares p = n; q = c*w^3/(eps*x^3)",
                ),
            ),
            Line(
                "all",
                "n <= c*V^(3/2)/(eps*alpha^(3/2))",
                using=("chunk", "models", "roots at w = sqrt(V), x = sqrt(alpha)"),
                hints=("have c*sqrt(V)^3/(eps*sqrt(alpha)^3) = c*V^(3/2)/(eps*alpha^(3/2))",),
            ),
        ),
        given=(
            Given("chunk", "n/k <= c*V/alpha", "printed: `n/k = O~(V/alpha)`"),
            Given("models", "k <= c*V^2/(eps^2*alpha^2*n)", "line: T4.2.k"),
        ),
        notation=(("c", "a bound for both constants and hidden logarithms"),),
        says=("`n/k = O~(V/alpha)` and 42 => `n = O~(V^{3/2}/(eps alpha^{3/2}))`",),
    ),
    "T3.2.count": Derivation(
        "m in Z[1, inf); k in Z[1, inf); B in [0, inf); set Q of m; set K of k; h(K, Q) in Z[0, 1]; y(Q) in Z[0, 1]",
        (
            _differ("differ", "j: K, i: Q", "h(j, i)", "y(i)"),
            Line("some", "for j: K, i: Q: [not (h(j, i) = y(i))] >= 0"),
            Line(
                "wrong",
                "for i: Q: total(j: K, [not (h(j, i) = y(i))]) "
                "= y(i)*total(j: K, 1 - h(j, i)) + (1 - y(i))*total(j: K, h(j, i))",
                using=("total of differ over j",),
            ),
            Line(
                "each",
                "for i: Q: (k/3)*[min(total(j: K, h(j, i)), total(j: K, 1 - h(j, i))) > k/3] "
                "<= total(j: K, [not (h(j, i) = y(i))])",
                using=("wrong", "total of some over j"),
            ),
            Line(
                "all",
                "total(i: Q, [min(total(j: K, h(j, i)), total(j: K, 1 - h(j, i))) > k/3]) <= 3*B",
                using=("total of each over i", "total of mistakes over j"),
            ),
        ),
        given=(
            Given(
                "mistakes",
                "for j: K: total(i: Q, [not (h(j, i) = y(i))]) <= B",
                "line: T3.2.chernoff",
            ),
        ),
        notation=(
            ("Q", "the m queries"),
            ("K", "the k classifiers"),
            ("h", "the votes, h_j at query i"),
            ("y", "the right labels"),
        ),
        says=("at most `3B` queries have number of ones (or zeros) among the votes `> k/3`",),
    ),
    "S2.dti": Derivation(
        "type D; dist(D, D) in Z[0, inf); type R; f(D): R; eq(R, R) in Z[0, 1]; K in Z[0, inf); N in Z[0, inf); "
        "before(D, D): D; point d, other, near, beside: D",
        (
            Line("far", "dist(d, other) > K", using=("stable at a = other", "more")),
            Line("place", "dist(d, other) = K + 1", using=("far", "within"), hints=("integer dist_d_other >= K + 1",)),
            Line("within.K", "[dist(d, before(d, other)) <= K] = 1", using=("place", "path at a = d, b = other")),
            Line("last", "eq(f(d), f(before(d, other))) = 1", using=("within.K", "stable at a = before(d, other)")),
            Line(
                "changes",
                "eq(f(before(d, other)), f(other)) = 0",
                using=("last", "more", "equal.a at u = f(d), v = f(before(d, other)), w = f(other)"),
            ),
            Line(
                "above",
                "N <= K",
                using=(
                    "place",
                    "changes",
                    "path at a = d, b = other",
                    "step at a = d, b = other",
                    "least at a = before(d, other), g = other",
                ),
            ),
            Line(
                "below",
                "N >= K",
                using=(
                    "stable at a = near",
                    "stable at a = beside",
                    "equal.b at u = f(d), v = f(near), w = f(beside)",
                    "triangle at a = d, b = near, g = beside",
                    "nearest",
                    "neighbours",
                    "unstable",
                ),
                hints=("integer N >= K",),
            ),
            Line("equal", "N = K", using=("above", "below")),
        ),
        given=(
            Given("equal.a", "for u: R, v: R, w: R: eq(u, v)*eq(v, w) <= eq(u, w)", "definition: equality of values"),
            Given("equal.b", "for u: R, v: R, w: R: eq(u, v)*eq(u, w) <= eq(v, w)", "definition: equality of values"),
            Given("triangle", "for a: D, b: D, g: D: dist(a, g) <= dist(a, b) + dist(b, g)", _SYMMETRIC),
            Given("path", "for a: D, b: D if dist(a, b) >= 1: dist(a, before(a, b)) = dist(a, b) - 1", _SYMMETRIC),
            Given("step", "for a: D, b: D if dist(a, b) >= 1: dist(before(a, b), b) = 1", _SYMMETRIC),
            Given(
                "stable",
                "for a: D: [dist(d, a) <= K] <= eq(f(d), f(a))",
                "definition: K is the largest k for which f is k-stable on d",
            ),
            Given("within", "dist(d, other) <= K + 1", "definition: f is not (K + 1)-stable on d, K being the largest"),
            Given("more", "eq(f(d), f(other)) <= 0", "definition: f is not (K + 1)-stable on d, K being the largest"),
            Given(
                "least",
                "for a: D, g: D if dist(a, g) <= 1, eq(f(a), f(g)) = 0: N <= dist(d, a)",
                "definition: N is the least number of records to a dataset a that is not stable",
            ),
            Given("nearest", "dist(d, near) = N", "definition: N is reached by a dataset that is not stable"),
            Given("neighbours", "dist(near, beside) <= 1", "definition: near is not stable"),
            Given("unstable", "eq(f(near), f(beside)) = 0", "definition: near is not stable"),
        ),
        notation=(
            ("dist", "the size of the symmetric difference"),
            ("R", "the range of f"),
            ("eq", "whether two values are equal"),
            ("K", "max{k : f(D) is k-stable}"),
            ("N", "distance to instability of D"),
            ("before", "the last dataset before the second on a shortest way from the first to it"),
            ("d", "D"),
            ("other", "a dataset that shows that f is not (K + 1)-stable on D"),
            ("near", "a nearest dataset that is not stable"),
            ("beside", "a neighbour of it with another value"),
        ),
        says=("distance to instability of D (def-2.3) `=` `max{k : f(D) is k-stable}`",),
    ),
    "T2.5": Derivation(
        "delta in (0, 1); beta in (0, 1); eps in (0, inf); Gamma in (-inf, inf); dist in Z[0, inf); "
        "stable(Z) in Z[0, 1]; law noise; z(noise) in (-inf, inf); out(noise) in Z[0, 1]",
        (
            Line(
                "distance",
                "dist >= (log(1/delta) + log(1/beta))/eps",
                using=("hypothesis", "largest at k = ceil((log(1/delta) + log(1/beta))/eps)"),
                hints=("have log(1/delta) >= 0", "have log(1/beta) >= 0", "have (log(1/delta) + log(1/beta))/eps >= 0"),
            ),
            Line(
                "lead",
                "eps*(dist - Gamma) >= log(1/beta)",
                using=("distance", "threshold"),
                hints=("have eps*dist >= log(1/delta) + log(1/beta)",),
            ),
            Line("ahead", "dist - Gamma >= 0", using=("lead",), hints=("have log(1/beta) >= 0",)),
            Line(
                "small",
                "exp(-eps*(dist - Gamma))/2 <= beta",
                using=("lead",),
                hints=("have exp(-eps*(dist - Gamma)) <= exp(-log(1/beta))",),
            ),
            Line(
                "all",
                "Pr(w: noise, out(w)) >= 1 - beta",
                using=("ahead", "mean of algorithm over w", "tail at t = dist - Gamma", "small"),
            ),
        ),
        given=(
            Given("threshold", "Gamma = log(1/delta)/eps", "result: bassily2018:thm-2.4"),
            Given(
                "hypothesis",
                "stable(ceil((log(1/delta) + log(1/beta))/eps)) = 1",
                "printed: f ((log(1/delta)+log(1/beta))/eps)-stable",
            ),
            Given("largest", "for k in Z[0, inf) if stable(k) = 1: k <= dist", "result: bassily2018:thm-2.4"),
            Given("algorithm", "for w: noise: out(w) = [dist + z(w) > Gamma]", "definition: algorithm 1"),
            Given("tail", "for t in [0, inf): Pr(w: noise, z(w) <= -t) = exp(-eps*t)/2", "definition: Lap(1/eps)"),
        ),
        notation=(
            ("noise", "Lap(1/eps)"),
            ("z", "the noise"),
            ("out", "whether the output is f(D)"),
        ),
        says=("`f ((log(1/delta)+log(1/beta))/eps)-stable => Pr[output f(D)] >= 1-beta`",),
    ),
    "C4.1.iid": Derivation(
        f"law S; {_VOTES}; ex(S, Z): EX; type PAST; past(S, Z): PAST; type VALUES; values(PAST): VALUES",
        (
            Line(
                "all",
                "for F(VALUES) in Z[0, 1], G(Z) in Z[0, 1], t in Z[1, inf): "
                f"mean(s: S, F(values(past(s, t)))*G({_v('ex(s, t + 1)')})) "
                f"= mean(s: S, F(values(past(s, t))))*mean(s: S, G({_v('ex(s, t + 1)')})) "
                f"= mean(s: S, F(values(past(s, t))))*mean(s: S, G({_v('ex(s, 1)')}))",
                using=(
                    f"examples at F(p) = F(values(p)), G(z) = G({_v('z')})",
                    f"examples at F(p) = 1, G(z) = G({_v('z')})",
                ),
            ),
        ),
        given=(
            Given(
                "examples",
                "for F(PAST) in Z[0, 1], G(EX) in Z[0, 1], t in Z[1, inf): "
                "mean(s: S, F(past(s, t))*G(ex(s, t + 1))) = mean(s: S, F(past(s, t)))*mean(s: S, G(ex(s, 1)))",
                "definition: i.i.d. examples, each independent of those before it and distributed as the first",
            ),
        ),
        notation=(
            ("S", "sequences of examples"),
            *_VOTES_WORDS,
            ("ex", "the example (xt_t, yt_t) of a sequence"),
            ("PAST", "sequences of t examples"),
            ("past", "the first t examples"),
            ("VALUES", "sequences of zeros and ones"),
            ("values", "the sequence of the v of examples"),
        ),
        says=("`v_t = 1(#{j: h_j(xt_t) != yt_t} > k/3)` i.i.d. over t given D",),
    ),
    "C4.1.end": Derivation(
        "alpha in (0, 1); gamma in [0, 1); law P; k in Z[1, inf); set K of k; type X; x(P): X; y(P) in Z[0, 1]; "
        "h(K, X) in Z[0, 1]; v(P) in Z[0, 1]; law noise; hpriv(X, noise) in Z[0, 1]",
        (
            Line("some", "for j: K, i: P: [not (h(j, x(i)) = y(i))] >= 0"),
            Line(
                "markov",
                "for i: P: (k/3)*v(i) <= total(j: K, [not (h(j, x(i)) = y(i))])",
                using=("votes", "total of some over j"),
            ),
            _differ("differ", "i: P, c: noise", "hpriv(x(i), c)", "y(i)"),
            Line("wrong", "for i: P, c: noise: [not (hpriv(x(i), c) = y(i))] <= v(i)", using=("differ", "right")),
            Line(
                "all",
                "Pr(i: P, c: noise, not (hpriv(x(i), c) = y(i))) <= Pr(i: P, v(i)) = mean(i: P, v(i)) "
                "<= 7*alpha + 3*gamma",
                using=("mean of mean of wrong over c over i", "mean of markov over i", "total of errors over j"),
            ),
        ),
        given=(
            Given("votes", "for i: P: v(i) = [total(j: K, [not (h(j, x(i)) = y(i))]) > k/3]", "line: C4.1.iid"),
            Given(
                "right",
                "for i: P, c: noise: [not v(i)] <= [hpriv(x(i), c) and y(i) or not hpriv(x(i), c) and not y(i)]",
                "line: C4.1.noise",
            ),
            Given("errors", "for j: K: Pr(i: P, not (h(j, x(i)) = y(i))) <= alpha + gamma", "line: C4.1.err"),
        ),
        notation=(
            ("P", "examples (xt_t, yt_t)"),
            ("K", "the k models, which are given"),
            ("X", "the domain of points"),
            ("x", "the point of an example"),
            ("y", "the label of an example"),
            ("h", "the label that a model gives a point"),
            ("v", "v_t"),
            ("noise", "the noise of a query, in the event of C4.1.noise"),
        ),
        says=("`Pr[hpriv(xt_t) != yt_t] <= Pr[v_t=1] = E[v_t] <= 7 alpha + 3 gamma`",),
    ),
    "C4.1.mean": Derivation(
        "alpha in (0, 1); beta in (0, 1); gamma in [0, 1); m in Z[1, inf); law S; set Q of m; v(S, Q) in Z[0, 1]",
        (
            Line("one", "for s: S, t: Q: v(s, t) <= 1"),
            Line(
                "each",
                "for s: S, r in [0, inf): "
                "total(u: Q, v(s, u))/m <= [total(u: Q, v(s, u))/m > 3*(alpha + gamma + r)] + 3*(alpha + gamma + r)",
                using=("total of one over t",),
            ),
            Line(
                "all",
                "for t: Q, r in [0, inf) if r = sqrt(log(m/beta)/(2*m*(alpha + gamma))): "
                "mean(s: S, v(s, t)) = mean(s: S, total(u: Q, v(s, u))/m) < beta + 3*(alpha + gamma + r)",
                using=("mean of each over s", "total of same over u", "tail"),
            ),
        ),
        given=(
            Given("same", "for t: Q, u: Q: mean(s: S, v(s, t)) = mean(s: S, v(s, u))", "line: C4.1.iid"),
            Given(
                "tail",
                "for r in [0, inf) if r = sqrt(log(m/beta)/(2*m*(alpha + gamma))): "
                "Pr(s: S, total(u: Q, v(s, u))/m > 3*(alpha + gamma + r)) < beta",
                "line: C4.1.tail",
            ),
        ),
        notation=(("S", "sequences of m examples"), ("Q", "the m places of a sequence"), ("v", "v_t for a sequence")),
        says=("`E[v_t] = E[(1/m) sum v_t] < beta + 3(alpha+gamma+sqrt(log(m/beta)/(2m(alpha+gamma))))`",),
    ),
    "T2.4": Derivation(
        "eps in (0, inf); delta in (0, inf); Gamma in (-inf, inf); type D; dist(D, D) in Z[0, inf); type R; f(D): R; "
        "eq(R, R) in Z[0, 1]; K(D) in Z[0, inf); other(D): D; constant in Z[0, 1]; type OUT; value(R): OUT; "
        "point none: OUT; law noise; z(noise) in (-inf, inf); Astab(D, noise): OUT",
        (
            *_LAPLACE,
            Line(
                "law.above",
                f"{_CLOSE}Pr(w: noise, z(w) > t) <= exp(eps)*Pr(w: noise, z(w) > u)",
                using=("tail at t = -t", "tail at t = -u", "above"),
            ),
            Line(
                "law.below",
                f"{_CLOSE}Pr(w: noise, z(w) <= t) <= exp(eps)*Pr(w: noise, z(w) <= u)",
                using=("tail at t = -t", "tail at t = -u", "below"),
            ),
            Line(
                "gap.p",
                "for q in Z[0, 1], x in [0, inf), t in (-inf, inf) if eps*t + x*q >= log(1/delta): "
                "(1 - q)*[t >= 0]*(exp(-eps*t)/2 - delta) <= 0",
                hints=("have exp(-eps*t) <= exp(-log(1/delta))", "have exp(-log(1/delta)) = delta"),
            ),
            Line(
                "gap.n",
                "for q in Z[0, 1], x in [0, inf), t in (-inf, inf) if eps*t + x*q >= log(1/delta): "
                "(1 - q)*[t < 0]*(1 - exp(eps*t)/2 - delta) <= 0",
                hints=(
                    "have eps*t <= 0",
                    "have log(1/delta) <= 0",
                    "lemma log_below x = delta",
                    "have log(1/delta) = -log(delta)",
                    "have delta >= 1",
                ),
            ),
            Line(
                "close",
                "for a: D, b: D if dist(a, b) = 1: K(a) <= K(b) + 1",
                using=(
                    "stable at a = a, b = other(b)",
                    "stable",
                    "within at a = b",
                    "more at a = b",
                    "triangle at a = a, b = b, c = other(b)",
                    "equal at u = f(a), v = f(b), w = f(other(b))",
                    "infinite",
                ),
                hints=("integer K_b + 1 >= K_a",),
            ),
            Line(
                "zero",
                "for a: D, b: D if dist(a, b) = 1: K(a)*(1 - eq(f(a), f(b))) <= 0",
                using=("stable",),
                hints=("integer 0 >= K_a",),
            ),
            Line(
                "apart",
                "for a: D, b: D if dist(a, b) = 1: abs((Gamma - K(a)) - (Gamma - K(b))) <= 1",
                using=("close", "symmetric", "close at a = b, b = a"),
            ),
            Line(
                "released",
                "for a: D, b: D if dist(a, b) = 1: Pr(w: noise, K(a) + z(w) > Gamma) "
                "<= exp(eps)*Pr(w: noise, K(b) + z(w) > Gamma)",
                using=("apart", "law.above at t = Gamma - K(a), u = Gamma - K(b)"),
            ),
            Line(
                "withheld",
                "for a: D, b: D if dist(a, b) = 1: Pr(w: noise, K(a) + z(w) <= Gamma) "
                "<= exp(eps)*Pr(w: noise, K(b) + z(w) <= Gamma)",
                using=("apart", "law.below at t = Gamma - K(a), u = Gamma - K(b)"),
            ),
            Line(
                "rare",
                "for a: D, b: D if dist(a, b) = 1: (1 - eq(f(a), f(b)))*Pr(w: noise, K(a) + z(w) > Gamma) <= delta",
                using=(
                    "zero",
                    "threshold",
                    "tail at t = K(a) - Gamma",
                    "gap.p at q = eq(f(a), f(b)), x = eps*K(a), t = Gamma - K(a)",
                    "gap.n at q = eq(f(a), f(b)), x = eps*K(a), t = Gamma - K(a)",
                ),
            ),
            Line(
                "private",
                "for F(OUT) in Z[0, 1], a: D, b: D if dist(a, b) = 1: "
                "mean(w: noise, F(Astab(a, w))) <= exp(eps)*mean(w: noise, F(Astab(b, w))) + delta",
                using=(
                    "mean of algorithm over w",
                    "mean of algorithm over w at a = b",
                    "same at u = f(a), v = f(b)",
                    "constant.f",
                    "released",
                    "withheld",
                    "rare",
                ),
                hints=("have exp(eps) >= 1",),
            ),
        ),
        given=(
            Given("symmetric", "for a: D, b: D if dist(a, b) = 1: dist(b, a) = 1", _SYMMETRIC),
            Given("triangle", "for a: D, b: D, c: D if dist(a, b) = 1: dist(a, c) <= 1 + dist(b, c)", _SYMMETRIC),
            Given("equal", "for u: R, v: R, w: R: eq(u, v)*eq(u, w) <= eq(v, w)", "definition: equality of values"),
            Given(
                "stable",
                "for a: D, b: D: [dist(a, b) <= K(a)] <= eq(f(a), f(b))",
                "printed: `dist_f(D)=max{k: f(D) is k-stable}`",
            ),
            Given(
                "within",
                "for a: D: dist(a, other(a)) <= K(a) + 1",
                "printed: `dist_f(D)=max{k: f(D) is k-stable}`",
            ),
            Given(
                "more",
                "for a: D: eq(f(a), f(other(a))) <= constant",
                "printed: `dist_f(D)=max{k: f(D) is k-stable}`",
            ),
            Given("constant.f", "for a: D, b: D: constant <= eq(f(a), f(b))", "definition: f is constant"),
            Given(
                "infinite",
                "for a: D, b: D if dist(a, b) = 1: constant*K(a) = 0",
                "definition: for a constant f the distance is infinite, and K is not used",
            ),
            Given("threshold", "Gamma = log(1/delta)/eps", "printed: `Gamma = log(1/delta)/eps`"),
            Given(
                "tail", f"for t in (-inf, inf): Pr(w: noise, z(w) <= -t) = 1 - {_tail('-t')}", "definition: Lap(1/eps)"
            ),
            Given(
                "same",
                "for F(OUT) in Z[0, 1], u: R, v: R: F(value(u))*eq(u, v) <= F(value(v))",
                "definition: an event of outputs, which are the values of f, or none",
            ),
            Given(
                "algorithm",
                "for F(OUT) in Z[0, 1], a: D, w: noise: F(Astab(a, w)) "
                "= (1 - (1 - constant)*[K(a) + z(w) <= Gamma])*F(value(f(a))) "
                "+ (1 - constant)*[K(a) + z(w) <= Gamma]*F(none)",
                "definition: algorithm 1",
            ),
        ),
        notation=(
            ("dist", "the size of the symmetric difference"),
            ("R", "the range of f"),
            ("eq", "whether two values are equal"),
            ("K", "the distance of f, for a constant f (where it is infinite) 0"),
            ("other", "a dataset that shows that f is not (K + 1)-stable"),
            ("constant", "whether f is constant"),
            ("OUT", "outputs"),
            ("value", "a value of f as an output"),
            ("none", "the output ⊥"),
            ("noise", "Lap(1/eps)"),
            ("z", "the noise"),
        ),
        says=("(eps,delta)-DP of Astab",),
    ),
    "C4.1.tail": Derivation(
        "alpha in (0, 1); beta in (0, 1); gamma in [0, 1); m in Z[1, inf); k in Z[1, inf); set K of k; law S; "
        "bad(K, S) in Z[0, 1]; v(S, Z) in Z[0, 1]; type VALUES; first(S, Z): VALUES; ones(VALUES) in [0, inf)",
        (
            Line("some", "for j: K, s: S: bad(j, s) >= 0"),
            Line(
                "markov", "for s: S: (k/3)*v(s, 1) <= total(j: K, bad(j, s))", using=("votes", "total of some over j")
            ),
            Line(
                "rate",
                "mean(s: S, v(s, 1)) <= 3*(alpha + gamma)",
                using=("mean of markov over s", "total of errors over j"),
            ),
            Line(
                "grow",
                "for s: S, n in Z[0, inf), u in [0, 1]: exp(u*ones(first(s, n + 1))) "
                "= exp(u*ones(first(s, n)))*(1 + (exp(u) - 1)*v(s, n + 1))",
                using=("next",),
            ),
            Line(
                "factor",
                "for n in Z[0, inf), u in [0, 1]: mean(s: S, exp(u*ones(first(s, n + 1)))) "
                "= mean(s: S, exp(u*ones(first(s, n))))*(1 + (exp(u) - 1)*mean(s: S, v(s, 1)))",
                using=("mean of grow over s", "independent at F(y) = exp(u*ones(y))"),
            ),
            Line("one", "for s: S, u in [0, 1]: exp(u*ones(first(s, 0))) = 1", using=("none",)),
            Line(
                "moment.0",
                "for u in [0, 1]: mean(s: S, exp(u*ones(first(s, 0)))) <= exp(0*(3*(alpha + gamma))*(exp(u) - 1))",
                using=("mean of one over s",),
            ),
            Line(
                "product",
                "for n in Z[0, inf), M in [0, inf), p in [0, 1], b in (0, inf), w in [0, inf) "
                "if M <= exp(n*b*w), p <= b: M*(1 + w*p) <= exp((n + 1)*b*w)",
                hints=(
                    "have w*p <= w*b",
                    "lemma exp_above x = w*b",
                    "have 1 + w*p <= exp(w*b)",
                    "have M*(1 + w*p) <= exp(n*b*w)*exp(w*b)",
                    "have exp((n + 1)*b*w) = exp(n*b*w)*exp(w*b)",
                ),
            ),
            Line(
                "moment.n",
                "for n in Z[0, inf), u in [0, 1] "
                "if mean(s: S, exp(u*ones(first(s, n)))) <= exp(n*(3*(alpha + gamma))*(exp(u) - 1)): "
                "mean(s: S, exp(u*ones(first(s, n + 1)))) <= exp((n + 1)*(3*(alpha + gamma))*(exp(u) - 1))",
                using=(
                    "factor",
                    "rate",
                    (
                        "product at M = mean(s: S, exp(u*ones(first(s, n)))), p = mean(s: S, v(s, 1)), "
                        "b = 3*(alpha + gamma), w = exp(u) - 1"
                    ),
                ),
            ),
            Line(
                "moment",
                "for n in Z[0, inf), u in [0, 1]: mean(s: S, exp(u*ones(first(s, n)))) "
                "<= exp(n*(3*(alpha + gamma))*(exp(u) - 1))",
                "induction n",
                using=("moment.0", "moment.n"),
            ),
            Line(
                "above",
                "for s: S, u in [0, 1], c in [0, inf): "
                "[ones(first(s, m)) > c]*(exp(u*c) - exp(u*ones(first(s, m)))) <= 0",
            ),
            Line(
                "exceeds",
                "for s: S, u in [0, 1], c in [0, inf): exp(u*c)*[ones(first(s, m)) > c] <= exp(u*ones(first(s, m)))",
                using=("above",),
            ),
            Line(
                "chernoff",
                "for u in [0, 1], c in [0, inf): Pr(s: S, ones(first(s, m)) > c) "
                "<= exp(m*(3*(alpha + gamma))*(exp(u) - 1) - u*c)",
                using=("mean of exceeds over s", "moment at n = m"),
            ),
            Line("exp", "for u in [0, 1]: exp(u) <= 1 + u + u^2"),
            Line(
                "best.a",
                "for a in (0, inf), r in (0, inf): [r <= 2*a]*[3*(a + r) < 1]"
                "*(3*a*min(1, r/(2*a))^2 - 3*min(1, r/(2*a))*r + 4*a*r^2) <= 0",
            ),
            Line(
                "best.b",
                "for a in (0, inf), r in (0, inf): [r > 2*a]*[3*(a + r) < 1]"
                "*(3*a*min(1, r/(2*a))^2 - 3*min(1, r/(2*a))*r + 4*a*r^2) <= 0",
            ),
            Line(
                "best",
                "for a in (0, inf), r in (0, inf): [3*(a + r) < 1]"
                "*(3*a*(exp(min(1, r/(2*a))) - 1) - min(1, r/(2*a))*(3*(a + r)) + 4*a*r^2) <= 0",
                using=("best.a", "best.b", "exp at u = min(1, r/(2*a))"),
            ),
            Line(
                "best.r",
                "for r in (0, inf): [3*(alpha + gamma + r) < 1]*(3*(alpha + gamma)"
                "*(exp(min(1, r/(2*(alpha + gamma)))) - 1) - min(1, r/(2*(alpha + gamma)))*(3*(alpha + gamma + r)) "
                "+ 4*(alpha + gamma)*r^2) <= 0",
                using=("best at a = alpha + gamma",),
            ),
            Line(
                "best.m",
                f"for r in (0, inf): [3*(alpha + gamma + r) < 1]*({_EXPONENT} + 4*m*(alpha + gamma)*r^2) <= 0",
                using=("best.r",),
                hints=(
                    (
                        "have m*(3*(alpha + gamma)*(exp(min(1, r/(2*(alpha + gamma)))) - 1) "
                        "- min(1, r/(2*(alpha + gamma)))*(3*(alpha + gamma + r)) + 4*(alpha + gamma)*r^2) <= 0"
                    ),
                ),
            ),
            Line(
                "larger",
                "for q in Z[0, 1], a in (-inf, inf), b in (-inf, inf), p in [0, 1] "
                "if p <= exp(a), q*(a - b) <= 0: q*(p - exp(b)) <= 0",
                hints=("case a - b", "second: have exp(a) <= exp(b)"),
            ),
            Line(
                "chance",
                "for r in (0, inf): [3*(alpha + gamma + r) < 1]"
                "*(Pr(s: S, ones(first(s, m)) > 3*m*(alpha + gamma + r)) - exp(-4*m*(alpha + gamma)*r^2)) <= 0",
                using=(
                    "best.m",
                    "chernoff at u = min(1, r/(2*(alpha + gamma))), c = 3*m*(alpha + gamma + r)",
                    (
                        "larger at q = [3*(alpha + gamma + r) < 1], p = Pr(s: S, ones(first(s, m)) "
                        f"> 3*m*(alpha + gamma + r)), a = {_EXPONENT}, b = -4*m*(alpha + gamma)*r^2"
                    ),
                ),
            ),
            Line("most.0", "for s: S: ones(first(s, 0)) <= 0", using=("none",)),
            Line(
                "most.n",
                "for s: S, n in Z[0, inf) if ones(first(s, n)) <= n: ones(first(s, n + 1)) <= n + 1",
                using=("next",),
            ),
            Line("most", "for s: S, n in Z[0, inf): ones(first(s, n)) <= n", "induction n", ("most.0", "most.n")),
            Line(
                "none.above",
                "for s: S, r in (0, inf): "
                "[3*(alpha + gamma + r) >= 1]*[ones(first(s, m)) > 3*m*(alpha + gamma + r)] <= 0",
                using=("most at n = m",),
            ),
            Line(
                "scale",
                "for s: S, r in (0, inf): [ones(first(s, m))/m > 3*(alpha + gamma + r)] "
                "<= [ones(first(s, m)) > 3*m*(alpha + gamma + r)]",
            ),
            Line(
                "bound",
                "for r in (0, inf): Pr(s: S, ones(first(s, m))/m > 3*(alpha + gamma + r)) "
                "<= exp(-4*m*(alpha + gamma)*r^2)",
                using=("mean of scale over s", "mean of none.above over s", "chance"),
                hints=("have exp(-4*m*(alpha + gamma)*r^2) >= 0",),
            ),
            Line(
                "small",
                "for r in (0, inf) if r >= sqrt(log(m/beta)/(2*m*(alpha + gamma))): "
                "exp(-4*m*(alpha + gamma)*r^2) < beta",
                hints=(
                    "have log(m/beta) > 0",
                    "have sqrt(log(m/beta)/(2*m*(alpha + gamma)))^2 <= r^2",
                    "have log(m/beta)/(2*m*(alpha + gamma)) <= r^2",
                    "have log(m/beta) <= 2*m*(alpha + gamma)*r^2",
                    "have -4*m*(alpha + gamma)*r^2 < -log(m/beta)",
                    "have exp(-4*m*(alpha + gamma)*r^2) < exp(-log(m/beta))",
                    "have exp(-log(m/beta)) = beta/m",
                    "have beta/m <= beta",
                ),
            ),
            Line(
                "all",
                "for r in (0, inf) if r >= sqrt(log(m/beta)/(2*m*(alpha + gamma))): "
                "Pr(s: S, ones(first(s, m))/m > 3*(alpha + gamma + r)) < beta",
                using=("bound", "small"),
            ),
        ),
        given=(
            Given("votes", "for s: S: v(s, 1) = [total(j: K, bad(j, s)) > k/3]", "line: C4.1.iid"),
            Given("errors", "for j: K: mean(s: S, bad(j, s)) <= alpha + gamma", "line: C4.1.err"),
            Given("none", "for s: S: ones(first(s, 0)) = 0", "definition: a sum of no terms"),
            Given(
                "next",
                "for s: S, n in Z[0, inf): ones(first(s, n + 1)) = ones(first(s, n)) + v(s, n + 1)",
                "definition: a sum of n + 1 terms",
            ),
            Given(
                "independent",
                "for F(VALUES) in [0, inf), n in Z[0, inf): "
                "mean(s: S, F(first(s, n))*v(s, n + 1)) = mean(s: S, F(first(s, n)))*mean(s: S, v(s, 1))",
                "line: C4.1.iid",
            ),
        ),
        notation=(
            ("K", "the k models, which are given"),
            ("v", "v_t"),
            ("S", "sequences of examples"),
            ("bad", "whether h_j errs on the first example"),
            ("VALUES", "sequences of zeros and ones"),
            ("first", "v_1, ..., v_n"),
            ("ones", "their sum"),
        ),
        says=("`Pr[(1/m) sum v_t > 3(alpha+gamma+sqrt(log(m/beta)/(2m(alpha+gamma))))] < beta`",),
    ),
}

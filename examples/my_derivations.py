"""A paper of four lines about probability, each derived from laws, events and a private algorithm up.

    dpcheck theorems --from examples/my_derivations.py --prove
    dpcheck theorems --from examples/my_derivations.py guarded-answer

A line is PROVED when its derivation is: every rule's conditions are looked at, and every formula that is left has a
certificate that a separate checker replays. `dpcheck/proof/derivation/rules.md` explains the language.
"""

from dpcheck.proof.derivation.lines import Derivation, Given, Line
from dpcheck.proof.statement import Paper, Step, Theorem

_PRIVATE = (
    "for F(OUT) in Z[0, 1], d: DATA, dd: DATA if near(d, dd) = 1: "
    "mean(c: coins, F(A(d, c))) <= exp(eps)*mean(c: coins, F(A(dd, c))) + delta"
)
_DATA = (
    "eps in [0, inf); delta in [0, 1]; type DATA; near(DATA, DATA) in Z[0, 1]; type OUT; law coins; A(DATA, coins): OUT"
)
_WORDS = (("DATA", "datasets"), ("near", "neighbours"), ("OUT", "what A puts out"), ("coins", "its coins"))

STEPS = (
    Step("post", printed="g(A(D)) is (eps, delta)-private, whatever g is", derivation=Derivation(
        f"{_DATA}; type NEW; g(OUT): NEW",
        (Line("post", "for F(NEW) in Z[0, 1], d: DATA, dd: DATA if near(d, dd) = 1: "
              "mean(c: coins, F(g(A(d, c)))) <= exp(eps)*mean(c: coins, F(g(A(dd, c)))) + delta",
              using=("private at F(y) = F(g(y))",)),),
        given=(Given("private", _PRIVATE, "definition: A is (eps, delta)-private"),),
        notation=(*_WORDS, ("NEW", "what g gives")), says=("g(A(D)) is (eps, delta)-private",))),
    Step("pair", printed="datasets that differ in two records: (2 eps, (1 + e^eps) delta)", derivation=Derivation(
        _DATA,
        (Line("pair", "for F(OUT) in Z[0, 1], d: DATA, m: DATA, dd: DATA if near(d, m) = 1, near(m, dd) = 1: "
              "mean(c: coins, F(A(d, c))) <= exp(2*eps)*mean(c: coins, F(A(dd, c))) + (1 + exp(eps))*delta",
              using=("private at d = d, dd = m", "private at d = m, dd = dd")),),
        given=(Given("private", _PRIVATE, "definition: A is (eps, delta)-private"),),
        notation=_WORDS, says=("(2 eps, (1 + e^eps) delta)",))),
    Step("each", printed="Pr[|q_h - q_h(D)| > t for some h in H] <= beta", domain="variances at most v, t^2 = N v/beta",
         derivation=Derivation(
        "N in Z[1, inf); set H of N; law mu; t in (0, inf); v in [0, inf); beta in (0, 1]; q(H, mu) in (-inf, inf); "
        "truth(H) in (-inf, inf)",
        (Line("far", "for h: H, x: mu: t^2*[abs(q(h, x) - truth(h)) > t] <= (q(h, x) - truth(h))^2"),
         Line("one", "for h: H: Pr(x: mu, abs(q(h, x) - truth(h)) > t) <= beta/N",
              using=("mean of far over x", "variance", "level")),
         Line("some", "for x: mu: [some(h: H, abs(q(h, x) - truth(h)) > t)] "
              "<= total(h: H, [abs(q(h, x) - truth(h)) > t])", "sum"),
         Line("all", "Pr(x: mu, some(h: H, abs(q(h, x) - truth(h)) > t)) <= beta",
              using=("mean of some over x", "total of one over h"))),
        given=(Given("variance", "for h: H: mean(x: mu, (q(h, x) - truth(h))^2) <= v", "printed: variances at most v"),
               Given("level", "t^2 = N*v/beta", "printed: t^2 = N v/beta")),
        notation=(("mu", "the draws"), ("q", "the answer q_h"), ("truth", "q_h(D)")),
        says=("Pr[|q_h - q_h(D)| > t for some h in H] <= beta",))),
    Step("coin", printed="E[loss of the majority of two] <= E[loss of one]", domain="ties by a fair coin",
         derivation=Derivation(
        "law mu; wrong(mu) in Z[0, 1]",
        (Line("coin", "mean(x: mu, y: mu, wrong(x)*wrong(y) + (wrong(x)*(1 - wrong(y)) + (1 - wrong(x))*wrong(y))/2) "
              "<= mean(x: mu, wrong(x))"),),
        notation=(("mu", "the draw of one"), ("wrong", "its loss")),
        says=("E[loss of the majority of two] <= E[loss of one]",))),
)  # fmt: skip

PAPER = Paper(
    "derived", "Four lines, derived",
    (Theorem("derived:guarded-answer", "Private answers, all of them near", kind="privacy",
             statement="A keeps its privacy under g, on pairs of records, and is near for all h",
             steps=("post", "pair", "each", "coin")),),
    STEPS,
)  # fmt: skip

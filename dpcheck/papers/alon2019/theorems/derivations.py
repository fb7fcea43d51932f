"""How printed lines follow, from laws, events and private algorithms up."""

from __future__ import annotations

from dataclasses import replace

from dpcheck.proof.derivation.lines import Derivation, Given, Line

_SUM_OF = "total(h: Htilde, {}exp(-eps*mistakes(h, {})/2))"
#: A mechanism that weighs each hypothesis by its mistakes: a neighbour's weights, their sums, and so its probabilities.
_EXPONENTIAL = (
    Line(
        "quotient",
        "for E in [1, inf), a in [0, inf), b in [0, inf), A in (0, inf), B in (0, inf) if a <= E*b, B <= E*A: "
        "a/A <= E^2*(b/B)",
    ),
    Line(
        "weight",
        "for s: S, t: S, h: Htilde if near(s, t) = 1: "
        "exp(-eps*mistakes(h, s)/2) <= exp(eps/2)*exp(-eps*mistakes(h, t)/2)",
        using=("one_record",),
    ),
    Line(
        "event",
        "for F(Htilde) in Z[0, 1], s: S, t: S, h: Htilde if near(s, t) = 1: "
        "F(h)*exp(-eps*mistakes(h, s)/2) <= exp(eps/2)*(F(h)*exp(-eps*mistakes(h, t)/2))",
        using=("weight",),
    ),
    Line(
        "private",
        "for F(Htilde) in Z[0, 1], s: S, t: S if near(s, t) = 1: "
        "total(h: Htilde, F(h)*exp(-eps*mistakes(h, s)/2))/total(h: Htilde, exp(-eps*mistakes(h, s)/2)) "
        "<= exp(eps)*(total(h: Htilde, F(h)*exp(-eps*mistakes(h, t)/2))/total(h: Htilde, exp(-eps*mistakes(h, t)/2)))",
        using=(
            "symmetric",
            "total of event over h",
            "total of (weight at s = t, t = s) over h",
            f"quotient at E = exp(eps/2), a = {_SUM_OF.format('F(h)*', 's')}, b = {_SUM_OF.format('F(h)*', 't')}, "
            + f"A = {_SUM_OF.format('', 's')}, B = {_SUM_OF.format('', 't')}",
        ),
    ),
)

DERIVATIONS = {
    "L32": Derivation(
        "eps in (0, inf); N in Z[1, inf); set Htilde of N; type S; near(S, S) in Z[0, 1]; "
        "mistakes(Htilde, S) in Z[0, inf)",
        _EXPONENTIAL,
        given=(
            Given(
                "one_record",
                "for s: S, t: S, h: Htilde if near(s, t) = 1: abs(mistakes(h, s) - mistakes(h, t)) <= 1",
                "definition: neighbouring samples differ in one record, which a hypothesis gets right or wrong",
            ),
            Given(
                "symmetric", "for s: S, t: S: near(s, t) = near(t, s)", "definition: neighbours are so of each other"
            ),
        ),
        notation=(
            ("N", "the size of the cover, which depends on T_pub alone"),
            ("S", "private samples"),
            ("near", "whether two of them differ in one record"),
            ("mistakes", "n errhat(h; S): h is put out with probability exp(-eps mistakes/2) over the sum of these"),
        ),
        says=("hence eps-DP",),
    ),
    "T31.s2": Derivation(
        "alpha in (0, 1); beta in (0, 1); d in Z[1, inf)",
        (
            Line(
                "equal",
                "d*log((d*log(1/alpha) + log(1/beta))/(d*alpha)) "
                "= 1*d*(log(1/alpha) + log(log(1/alpha) + log(1/beta)/d))",
            ),
        ),
        says=(
            "O(d log((d log(1/alpha)+log(1/beta))/(d alpha))) = O(d (log(1/alpha)+log(log(1/alpha)+log(1/beta)/d)))",
        ),
    ),
    "T31.s3": Derivation(
        "alpha in (0, 1); beta in (0, 1); d in Z[1, inf)",
        (
            Line("logs", "for L in (0, inf), q in (0, inf): L + log(L + q) <= 2*(L + max(0, log(q)))"),
            Line(
                "order",
                "d*(log(1/alpha) + log(log(1/alpha) + log(1/beta)/d)) "
                "<= 2*(d*log(1/alpha) + d*max(0, log(log(1/beta)/d)))",
                using=("logs at L = log(1/alpha), q = log(1/beta)/d",),
            ),
        ),
        says=("O(d (log(1/alpha)+log(log(1/alpha)+log(1/beta)/d))) = O(d log(1/alpha) + d (log(log(1/beta)/d))^+)",),
    ),
    "T31.s5": Derivation(
        "d in Z[1, inf); alpha in (0, 1); beta in (0, 1); eps in (0, inf)",
        (
            Line("logs", "for L in (0, inf), B in (0, inf): d*L + d*max(0, log(B/d)) + B <= 2*(d*L + B)"),
            Line(
                "order",
                "(d*log(1/alpha) + d*max(0, log(log(1/beta)/d)) + log(1/beta))*max(1/alpha^2, 1/(eps*alpha)) "
                "<= 2*(d*log(1/alpha) + log(1/beta))*max(1/alpha^2, 1/(eps*alpha))",
                using=("logs at L = log(1/alpha), B = log(1/beta)",),
            ),
        ),
        says=("O((d log(1/alpha)+log(1/beta)) max(1/alpha^2,1/(eps alpha)))",),
    ),
    "T31.end": Derivation(
        "alpha in (0, 1); beta in (0, 1); law S; out(S) in [0, 1]; cover(S) in [0, 1]; star in [0, 1]",
        (
            Line(
                "each",
                "for s: S: [out(s) > star + alpha] <= [out(s) > cover(s) + alpha/2] + [cover(s) > star + alpha/2]",
            ),
            Line(
                "all",
                "Pr(s: S, out(s) <= star + alpha) >= 1 - beta",
                using=("mean of each over s", "private", "public"),
            ),
        ),
        given=(
            Given(
                "private", "Pr(s: S, out(s) > cover(s) + alpha/2) <= beta/2", "printed: beta/2+beta/2, alpha/2+alpha/2"
            ),
            Given("public", "Pr(s: S, cover(s) > star + alpha/2) <= beta/2", "printed: beta/2+beta/2, alpha/2+alpha/2"),
        ),
        notation=(
            ("S", "samples, public and private, and the coins"),
            ("out", "err(h_priv)"),
            ("cover", "the least error on the cover"),
            ("star", "err(h*)"),
        ),
        says=("`err(h_priv) <= err(h*)+alpha` w.p. >= 1-beta",),
    ),
    "O4.1": Derivation(
        "n_pub in Z[1, inf); alpha in (0, 1); excess in [0, 1]",
        (
            Line("small", "alpha <= 1/100", using=("few",)),
            Line("below", "excess < 1/10", using=("few", "small", "reduction")),
        ),
        given=(
            Given("few", "n_pub < 1/(1000*alpha)", "printed: fewer than 1/(1000 alpha) public examples"),
            Given("reduction", "if alpha <= 1/100: excess <= 100*n_pub*alpha", "result: alon2019:lem-4.4"),
        ),
        notation=(
            ("n_pub", "the number of public examples"),
            ("excess", "the error of the private learner that the reduction makes of it"),
        ),
        says=("private learner with excess < 1/10",),
    ),
    "C45": Derivation(
        "eps in [0, inf); delta in [0, 1]; type S; near(S, S) in Z[0, 1]; type T; close(T, T) in Z[0, 1]; type OUT; "
        "law R; fill(S, R): T; law coins; A(T, coins): OUT",
        (
            Line(
                "each",
                "for F(OUT) in Z[0, 1], s: S, t: S, r: R if near(s, t) = 1: mean(c: coins, F(A(fill(s, r), c))) "
                "<= exp(eps)*mean(c: coins, F(A(fill(t, r), c))) + delta",
                using=("once", "private at t = fill(s, r), u = fill(t, r)"),
            ),
            Line(
                "B_private",
                "for F(OUT) in Z[0, 1], s: S, t: S if near(s, t) = 1: mean(r: R, mean(c: coins, F(A(fill(s, r), c)))) "
                "<= exp(eps)*mean(r: R, mean(c: coins, F(A(fill(t, r), c)))) + delta",
                using=("mean of each over r",),
            ),
        ),
        given=(
            Given(
                "private",
                "for F(OUT) in Z[0, 1], t: T, u: T if close(t, u) = 1: "
                "mean(c: coins, F(A(t, c))) <= exp(eps)*mean(c: coins, F(A(u, c))) + delta",
                "printed: A(.,S_pub) is (eps,delta)-DP",
            ),
            Given(
                "once",
                "for s: S, t: S, r: R if near(s, t) = 1: close(fill(s, r), fill(t, r)) = 1",
                "printed: each point of Stilde appears at most once in S_priv",
            ),
        ),
        notation=(
            ("S", "the samples Stilde"),
            ("near", "whether two of them differ in one place"),
            ("T", "the samples S_priv"),
            ("close", "whether two of them differ in at most one place"),
            ("OUT", "what A puts out"),
            ("R", "what B draws: S_pub, the dummies and the places; it does not look at Stilde"),
            ("fill", "S_priv, of Stilde and what is drawn"),
            ("coins", "A's coins"),
        ),
        says=("B is (eps,delta)-DP",),
    ),
    "C46.eq": Derivation(
        "n_pub in Z[1, inf); law b; zeros(b) in Z[0, 1]; same(b) in Z[0, 1]; all_zero(Z) in [0, 1]",
        (
            Line("start", "all_zero(0) = (1 - 1/(100*n_pub))^0", using=("none",)),
            Line(
                "step",
                "for k in Z[0, inf) if all_zero(k) = (1 - 1/(100*n_pub))^k: "
                "all_zero(k + 1) = (1 - 1/(100*n_pub))^(k + 1)",
                using=("one_more",),
            ),
            Line("power", "for k in Z[0, inf): all_zero(k) = (1 - 1/(100*n_pub))^k", "induction k", ("start", "step")),
            Line(
                "line",
                "Pr(x: b, same(x)) >= Pr(x: b, zeros(x)) = (1 - 1/(100*n_pub))^n_pub",
                using=("mean of kept over x", "all_of_them", "power at k = n_pub"),
            ),
        ),
        given=(
            Given("kept", "for x: b: zeros(x) <= same(x)", "definition: where all b_i = 0, zhat_i = z_i^0 for each i"),
            Given("all_of_them", "mean(x: b, zeros(x)) = all_zero(n_pub)", "definition: the event that all b_i = 0"),
            Given("none", "all_zero(0) = 1", "definition: of no coins all are 0"),
            Given(
                "one_more",
                "for k in Z[0, inf): all_zero(k + 1) = all_zero(k)*(1 - 1/(100*n_pub))",
                "definition: the coins b_i are independent, and 1 with probability 1/(100 n_pub)",
            ),
        ),
        notation=(
            ("b", "the coins and the draws of v and z^0"),
            ("zeros", "whether all b_i = 0"),
            ("same", "Shat_pub = S_pub"),
            ("all_zero", "the probability that the first k coins are 0"),
        ),
        says=("P[Shat_pub = S_pub] >= P[all b_i=0] = (1-1/(100 n_pub))^{n_pub}",),
    ),
    "C46.(3)": Derivation(
        "alpha in (0, 1); tv in [0, 1]; type P; law S_pub; law Shat_pub; x(S_pub): P; y(Shat_pub): P; "
        "law S_priv; law A; excess(S_priv, P, A) in [-1, 1]",
        (
            Line(
                "line",
                "Pr(s: S_priv, p: S_pub, a: A, excess(s, x(p), a) > alpha) "
                "- Pr(s: S_priv, p: Shat_pub, a: A, excess(s, y(p), a) > alpha) <= 0.01",
                using=("functions F of distance at F(p) = Pr(s: S_priv, a: A, excess(s, p, a) > alpha)", "small"),
            ),
        ),
        given=(
            Given(
                "distance",
                "for F(P) in Z[0, 1]: mean(p: S_pub, F(x(p))) - mean(p: Shat_pub, F(y(p))) <= tv",
                "definition: total variation: no event of the two laws of public samples differs by more",
            ),
            Given("small", "tv <= 0.01", "line: C46.tv"),
        ),
        notation=(
            ("P", "public samples"),
            ("x", "the sample S_pub"),
            ("y", "the sample Shat_pub"),
            ("tv", "the total variation of their laws"),
            ("excess", "err(A(S_priv,.);D_(p)) - min_H err(.;D_(p))"),
        ),
        says=(
            "P_{S_priv,S_pub,A}[err(A(S_priv,S_pub);D_(p)) - min_H err(.;D_(p)) > alpha]",
            "P_{S_priv,Shat_pub,A}[err(A(S_priv,Shat_pub);D_(p)) - min_H err(.;D_(p)) > alpha] <= 0.01",
        ),
    ),
    "C46.mix": Derivation(
        "p in (0, 1); law D; law D_0; law label; wrong(D) in Z[0, 1]; h(D_0) in Z[0, 1]; y(label) in Z[0, 1]",
        (
            Line("each", "for x: D_0, b: label: [not (h(x) = y(b))] = h(x)*(1 - y(b)) + (1 - h(x))*y(b)"),
            Line(
                "line",
                "p*mean(z: D, wrong(z)) + (1 - p)*Pr(x: D_0, b: label, not (h(x) = y(b))) "
                "= p*mean(z: D, wrong(z)) + (1 - p)/2",
                using=("mean of mean of each over x over b", "fair"),
            ),
        ),
        given=(Given("fair", "mean(b: label, y(b)) = 1/2", "printed: D_0 with fair independent labels"),),
        notation=(
            ("label", "the coin that labels a point of D_0"),
            ("y", "the label"),
            ("wrong", "whether h errs on an example of D"),
            ("D", "D"),
            ("h", "h, on points of D_0"),
        ),
        says=("p err(h;D)+(1-p) err(h;D_0) = p err(h;D)+(1-p)/2",),
    ),
    "C46.arg": Derivation(
        "p in (0, 1); type H; err(H) in [0, 1]; err_p(H) in [0, 1]; point star: H",
        (
            Line(
                "order",
                "for h: H, g: H: [err_p(h) <= err_p(g)] = [err(h) <= err(g)]",
                using=("mixed at h = h", "mixed at h = g"),
            ),
            Line("star", "0 = err(star) <= err_p(star) = (1 - p)/2", using=("mixed at h = star", "realisable")),
        ),
        given=(
            Given("mixed", "for h: H: err_p(h) = p*err(h) + (1 - p)/2", "line: C46.mix"),
            Given("realisable", "err(star) = 0", "printed: D realisable"),
        ),
        shows=("order", "star"),
        notation=(("err", "err(.;D)"), ("err_p", "err(.;D_(p))"), ("star", "h*")),
        says=("argmin_H err(.;D_(p)) = argmin_H err(.;D)`; `err(h*;D)=0`, `err(h*;D_(p)) = (1-p)/2",),
    ),
    "C46.fin1": Derivation(
        "p in (0, 1); alpha in (0, 1); law W; err(W) in [0, 1]; err_p(W) in [0, 1]; best in [0, 1]",
        (
            Line("each", "for w: W: [alpha < p*err(w)] = [err_p(w) - best > alpha]", using=("mixed", "least")),
            Line("line", "Pr(w: W, not (alpha >= p*err(w))) < 1/16", using=("mean of each over w", "rarely")),
        ),
        given=(
            Given("mixed", "for w: W: err_p(w) = p*err(w) + (1 - p)/2", "line: C46.mix"),
            Given("least", "best = (1 - p)/2", "line: C46.arg"),
            Given("rarely", "Pr(w: W, err_p(w) - best > alpha) < 1/16", "line: C46.(4)"),
        ),
        notation=(
            ("W", "the samples and all coins"),
            ("err", "err(A(S_priv,S_pub);D)"),
            ("err_p", "err(A(S_priv,S_pub);D_(p))"),
            ("best", "min_H err(.;D_(p))"),
        ),
        says=("alpha >= p err(A(S_priv,S_pub);D)` except w.p. < 1/16",),
    ),
    "I.100": Derivation(
        "n_pub in Z[1, inf); alpha in (0, 1); eps in [0, inf); delta in [0, 1]; law draws; type SAMPLES; type HYP; "
        "law coins; sample(draws): SAMPLES; near(SAMPLES, SAMPLES) in Z[0, 1]; B(SAMPLES, coins): HYP; "
        "err(HYP) in [0, 1]",
        (
            Line("small", "alpha <= 1/100", using=("few",)),
            Line(
                "private",
                "for F(HYP) in Z[0, 1], s: SAMPLES, t: SAMPLES if near(s, t) = 1: "
                "mean(c: coins, F(B(s, c))) <= exp(eps)*mean(c: coins, F(B(t, c))) + delta",
                using=("small", "reduction.private"),
            ),
            Line(
                "otherwise",
                "for w: draws, c: coins: [err(B(sample(w), c)) <= 1/100] = 1 - [err(B(sample(w), c)) > 1/100]",
            ),
            Line(
                "above",
                "for w: draws, c: coins: [err(B(sample(w), c)) > 1/100] <= [err(B(sample(w), c)) > 100*n_pub*alpha]",
                using=("few",),
            ),
            Line(
                "below",
                "Pr(w: draws, c: coins, err(B(sample(w), c)) <= 1/100) >= 1 - 1/16",
                using=(
                    "mean of mean of above over c over w",
                    "mean of mean of otherwise over c over w",
                    "small",
                    "reduction.errs",
                ),
            ),
        ),
        given=(
            Given("few", "n_pub <= 1/(10^4*alpha)", "printed: n_pub <= 1/(10^4 alpha)"),
            Given(
                "reduction.private",
                "for F(HYP) in Z[0, 1], s: SAMPLES, t: SAMPLES if near(s, t) = 1, alpha <= 1/100: "
                "mean(c: coins, F(B(s, c))) <= exp(eps)*mean(c: coins, F(B(t, c))) + delta",
                "result: alon2019:lem-4.4",
            ),
            Given(
                "reduction.errs",
                "if alpha <= 1/100: Pr(w: draws, c: coins, err(B(sample(w), c)) > 100*n_pub*alpha) <= 1/16",
                "result: alon2019:lem-4.4",
            ),
        ),
        notation=(
            ("draws", "i.i.d. examples of a realisable D"),
            ("SAMPLES", "private samples"),
            ("HYP", "hypotheses"),
            ("coins", "the learner's coins"),
            ("sample", "the sample that is drawn"),
            ("near", "whether samples differ in one example"),
            ("eps", "epsilon"),
            ("delta", "delta"),
            ("B", "the private learner that the reduction makes of the semi-private one"),
            ("err", "its error with respect to D"),
        ),
        shows=("private", "below"),
        says=('private learner with excess a small constant "say 1/100"',),
    ),
}

#: How results follow whose proof is one line.
RESULTS = {
    "alon2019:lem-3.2": replace(
        DERIVATIONS["L32"],
        says=("A_SSPP(.,T_pub) is eps-DP in S_priv",),
        notation=(*DERIVATIONS["L32"].notation, ("Htilde", "the cover")),
    ),
    "alon2019:clm-4.5": replace(
        DERIVATIONS["C45"],
        given=(
            replace(DERIVATIONS["C45"].given[0], source="definition: A is (eps, delta)-private for each public sample"),
            replace(DERIVATIONS["C45"].given[1], source="printed: every element used at most once"),
        ),
        notation=(*DERIVATIONS["C45"].notation, ("A", "the semi-private learner, with S_pub")),
    ),
}

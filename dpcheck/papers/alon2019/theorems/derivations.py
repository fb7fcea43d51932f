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

#: The logarithm in the size of the cover, and what it is at most.
_ORDERS = (
    Line(
        "equal",
        "d*log((d*log(1/alpha) + log(1/beta))/(d*alpha)) = 1*d*(log(1/alpha) + log(log(1/alpha) + log(1/beta)/d))",
    ),
    Line("logs", "for L in (0, inf), q in (0, inf): L + log(L + q) <= 2*(L + max(0, log(q)))"),
    Line(
        "order",
        "d*(log(1/alpha) + log(log(1/alpha) + log(1/beta)/d)) <= 2*(d*log(1/alpha) + d*max(0, log(log(1/beta)/d)))",
        using=("logs at L = log(1/alpha), q = log(1/beta)/d",),
    ),
)

DERIVATIONS = {
    "S2.boost": Derivation(
        "type L; weak(L) in Z[0, 1]; pure(L) in Z[0, 1]; boosted(L): L",
        (Line("line", "for A: L: weak(A) = 0", using=("boosting", "none at A = boosted(A)")),),
        given=(
            Given("boosting", "for A: L: weak(A) <= pure(boosted(A))", "result: alon2019:lem-2.6"),
            Given("none", "for A: L: pure(A) = 0", "printed: when no pure learner exists"),
        ),
        notation=(
            ("L", "all algorithms that put out hypotheses"),
            ("weak", "whether A is a (0.1, 0.1, 0.1)-pure private learner for H, for realisable laws"),
            ("pure", "whether A is a pure private learner of H, for realisable laws, at each accuracy and failure"),
            ("boosted", "what boosting makes of A; any algorithm where A is not a (0.1, 0.1, 0.1)-pure learner"),
        ),
        says=("no (0.1,0.1,0.1)-pure learner by contraposition of 2.6",),
    ),
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
    "L33.chain2": Derivation(
        "n_pub in Z[1, inf); alpha in (0, 1); G in Z[2, inf); law T; type H_Delta; dis(H_Delta) in [0, 1]; "
        "hit(H_Delta, T, Z) in Z[0, 1]; count(H_Delta, T, Z) in Z[0, inf); bad(T) in Z[0, 1]; star(T): H_Delta; law R; "
        "coin(R, Z) in Z[0, 1]; left(R, T, T): T; right(R, T, T): T; set K of G; rep(K, T, T): H_Delta; "
        "which(H_Delta, T, T): K",
        (
            Line("mean_start", "for h: H_Delta: mean(t: T, count(h, t, 0)) = 0*dis(h)", using=("mean of none over t",)),
            Line(
                "mean_step",
                "for h: H_Delta, k in Z[0, inf) if mean(t: T, count(h, t, k)) = k*dis(h): "
                "mean(t: T, count(h, t, k + 1)) = (k + 1)*dis(h)",
                using=("mean of more over t", "alike at i = k + 1"),
            ),
            Line(
                "means",
                "for h: H_Delta, k in Z[0, inf): mean(t: T, count(h, t, k)) = k*dis(h)",
                "induction k",
                ("mean_start", "mean_step"),
            ),
            Line(
                "square",
                "for h: H_Delta, t: T, k in Z[0, inf): count(h, t, k + 1)^2 "
                "= count(h, t, k)^2 + 2*count(h, t, k)*hit(h, t, k + 1) + hit(h, t, k + 1)",
                using=("more",),
            ),
            Line("nothing", "for h: H_Delta, t: T: count(h, t, 0)^2 = 0", using=("none",)),
            Line(
                "square_start",
                "for h: H_Delta: mean(t: T, count(h, t, 0)^2) = 0*dis(h)*(1 - dis(h)) + (0*dis(h))^2",
                using=("mean of nothing over t",),
            ),
            Line(
                "square_step",
                "for h: H_Delta, k in Z[0, inf) "
                "if mean(t: T, count(h, t, k)^2) = k*dis(h)*(1 - dis(h)) + (k*dis(h))^2: "
                "mean(t: T, count(h, t, k + 1)^2) = (k + 1)*dis(h)*(1 - dis(h)) + ((k + 1)*dis(h))^2",
                using=("mean of square over t", "independent", "means", "alike at i = k + 1"),
            ),
            Line(
                "squares",
                "for h: H_Delta, k in Z[0, inf): mean(t: T, count(h, t, k)^2) = k*dis(h)*(1 - dis(h)) + (k*dis(h))^2",
                "induction k",
                ("square_start", "square_step"),
            ),
            Line(
                "few",
                "for h: H_Delta, t: T: [dis(h) > alpha]*[count(h, t, n_pub) < alpha*n_pub/2]*(n_pub*dis(h)/2 + 2)^2 "
                "<= (n_pub*dis(h) - count(h, t, n_pub) + 2)^2",
            ),
            Line(
                "half",
                "for h: H_Delta if alpha*n_pub >= 4: "
                "[dis(h) > alpha] <= 2*Pr(t: T, count(h, t, n_pub) >= alpha*n_pub/2)",
                using=("mean of few over t", "means at k = n_pub", "squares at k = n_pub"),
            ),
            Line("far_then", "for t: T if bad(t) = 1: bad(t) <= [dis(star(t)) > alpha]", using=("far",)),
            Line("far_else", "for t: T if bad(t) <= 0: bad(t) <= [dis(star(t)) > alpha]"),
            Line("is_far", "for t: T: bad(t) <= [dis(star(t)) > alpha]", "cases", ("far_then", "far_else")),
            Line("zero_then", "for t: T if bad(t) = 1: bad(t)*count(star(t), t, n_pub) = 0", using=("zero",)),
            Line("zero_else", "for t: T if bad(t) <= 0: bad(t)*count(star(t), t, n_pub) = 0"),
            Line("is_zero", "for t: T: bad(t)*count(star(t), t, n_pub) = 0", "cases", ("zero_then", "zero_else")),
            Line(
                "second",
                "for t: T if alpha*n_pub >= 4: "
                "bad(t) <= 2*Pr(u: T, bad(t) and count(star(t), u, n_pub) >= alpha*n_pub/2)",
                using=("is_far", "half at h = star(t)"),
            ),
            Line(
                "both_start",
                "for h: H_Delta, t: T, u: T, r: R: count(h, left(r, t, u), 0) + count(h, right(r, t, u), 0) "
                "= count(h, t, 0) + count(h, u, 0)",
                using=("none", "none at t = u", "none at t = left(r, t, u)", "none at t = right(r, t, u)"),
            ),
            Line(
                "both_step",
                "for h: H_Delta, t: T, u: T, r: R, k in Z[0, inf) if count(h, left(r, t, u), k) "
                "+ count(h, right(r, t, u), k) = count(h, t, k) + count(h, u, k): "
                "count(h, left(r, t, u), k + 1) + count(h, right(r, t, u), k + 1) "
                "= count(h, t, k + 1) + count(h, u, k + 1)",
                using=(
                    "more",
                    "more at t = u",
                    "more at t = left(r, t, u)",
                    "more at t = right(r, t, u)",
                    "lefts at i = k + 1",
                    "rights at i = k + 1",
                ),
            ),
            Line(
                "both",
                "for h: H_Delta, t: T, u: T, r: R, k in Z[0, inf): count(h, left(r, t, u), k) "
                "+ count(h, right(r, t, u), k) = count(h, t, k) + count(h, u, k)",
                "induction k",
                ("both_start", "both_step"),
            ),
            Line(
                "clear",
                "for h: H_Delta, t: T, u: T, r: R, k in Z[0, inf): [count(h, left(r, t, u), k + 1) <= 0] "
                "= [count(h, left(r, t, u), k) <= 0]"
                "*(1 - (1 - coin(r, k + 1))*hit(h, t, k + 1) - coin(r, k + 1)*hit(h, u, k + 1))",
                using=("more at t = left(r, t, u)", "lefts at i = k + 1"),
            ),
            Line(
                "pair",
                "for h: H_Delta, t: T, u: T, k in Z[0, inf): Pr(r: R, count(h, left(r, t, u), k + 1) <= 0) "
                "= Pr(r: R, count(h, left(r, t, u), k) <= 0)*(1 - (hit(h, t, k + 1) + hit(h, u, k + 1))/2)",
                using=("mean of clear over r", "fair"),
            ),
            Line(
                "power_start",
                "for h: H_Delta, t: T, u: T: "
                "Pr(r: R, count(h, left(r, t, u), 0) <= 0)*2^(count(h, t, 0) + count(h, u, 0)) <= 1",
                using=("none", "none at t = u"),
            ),
            Line(
                "power_step",
                "for h: H_Delta, t: T, u: T, k in Z[0, inf) "
                "if Pr(r: R, count(h, left(r, t, u), k) <= 0)*2^(count(h, t, k) + count(h, u, k)) <= 1: "
                "Pr(r: R, count(h, left(r, t, u), k + 1) <= 0)*2^(count(h, t, k + 1) + count(h, u, k + 1)) <= 1",
                using=("pair", "more", "more at t = u"),
            ),
            Line(
                "power",
                "for h: H_Delta, t: T, u: T, k in Z[0, inf): "
                "Pr(r: R, count(h, left(r, t, u), k) <= 0)*2^(count(h, t, k) + count(h, u, k)) <= 1",
                "induction k",
                ("power_start", "power_step"),
            ),
            Line(
                "apart",
                "for h: H_Delta, t: T, u: T, r: R: "
                "[count(h, left(r, t, u), n_pub) <= 0 and count(h, right(r, t, u), n_pub) >= alpha*n_pub/2] "
                "<= [count(h, left(r, t, u), n_pub) <= 0]"
                "*[count(h, t, n_pub) + count(h, u, n_pub) >= alpha*n_pub/2]",
                using=("both at k = n_pub",),
            ),
            Line(
                "each",
                "for h: H_Delta, t: T, u: T: "
                "Pr(r: R, count(h, left(r, t, u), n_pub) <= 0 and count(h, right(r, t, u), n_pub) >= alpha*n_pub/2) "
                "<= 2^(-(alpha*n_pub/2))",
                using=("mean of apart over r", "power at k = n_pub"),
                hints=("have 2^(count_h_t + count_h_u) >= 2^(alpha*n_pub/2)", "have P2*2^(alpha*n_pub/2) <= 1"),
            ),
            Line(
                "one",
                "for j: K, t: T, u: T, r: R: [count(rep(j, t, u), left(r, t, u), n_pub) <= 0 "
                "and count(rep(j, t, u), right(r, t, u), n_pub) >= alpha*n_pub/2] "
                "<= total(i: K, [count(rep(i, t, u), left(r, t, u), n_pub) <= 0 "
                "and count(rep(i, t, u), right(r, t, u), n_pub) >= alpha*n_pub/2])",
                "sum",
            ),
            Line(
                "some",
                "for t: T, u: T, r: R: [bad(left(r, t, u)) "
                "and count(star(left(r, t, u)), right(r, t, u), n_pub) >= alpha*n_pub/2] "
                "<= total(i: K, [count(rep(i, t, u), left(r, t, u), n_pub) <= 0 "
                "and count(rep(i, t, u), right(r, t, u), n_pub) >= alpha*n_pub/2])",
                using=(
                    "is_zero at t = left(r, t, u)",
                    "left_pattern at h = star(left(r, t, u))",
                    "right_pattern at h = star(left(r, t, u))",
                    "one at j = which(star(left(r, t, u)), t, u)",
                ),
            ),
            Line(
                "of_pattern",
                "for i: K, t: T, u: T: Pr(r: R, count(rep(i, t, u), left(r, t, u), n_pub) <= 0 "
                "and count(rep(i, t, u), right(r, t, u), n_pub) >= alpha*n_pub/2) <= 2^(-(alpha*n_pub/2))",
                using=("each at h = rep(i, t, u)",),
            ),
            Line(
                "union",
                "for t: T, u: T: Pr(r: R, bad(left(r, t, u)) "
                "and count(star(left(r, t, u)), right(r, t, u), n_pub) >= alpha*n_pub/2) "
                "<= G*2^(-(alpha*n_pub/2))",
                using=("mean of some over r", "total of of_pattern over i"),
            ),
            Line(
                "exchanged",
                "for r: R: Pr(t: T, u: T, bad(left(r, t, u)) "
                "and count(star(left(r, t, u)), right(r, t, u), n_pub) >= alpha*n_pub/2) "
                "= Pr(t: T, u: T, bad(t) and count(star(t), u, n_pub) >= alpha*n_pub/2)",
                using=("exchange at F(t, u) = [bad(t) and count(star(t), u, n_pub) >= alpha*n_pub/2]",),
            ),
            Line(
                "double",
                "Pr(t: T, u: T, bad(t) and count(star(t), u, n_pub) >= alpha*n_pub/2) <= G*2^(-(alpha*n_pub/2))",
                using=(
                    "mean of mean of union over u over t",
                    "mean of exchanged over r",
                ),
            ),
            Line(
                "large",
                "if alpha*n_pub >= 4: Pr(t: T, bad(t)) <= 2*G*exp(-(alpha*n_pub/4))",
                using=("mean of second over t", "double"),
            ),
            Line("small", "if alpha*n_pub <= 4: Pr(t: T, bad(t)) <= 2*G*exp(-(alpha*n_pub/4))"),
            Line("line", "Pr(t: T, bad(t)) <= 2*G*exp(-(alpha*n_pub/4))", "cases", ("large", "small")),
        ),
        given=(
            Given(
                "far",
                "for t: T if bad(t) = 1: dis(star(t)) > alpha",
                "definition: where the event happens, there is an h in H_Delta with dis(h, h_0; D_X) > alpha",
            ),
            Given(
                "zero",
                "for t: T if bad(t) = 1: count(star(t), t, n_pub) = 0",
                "definition: this h has dishat(h, h_0; T_pub) = 0",
            ),
            Given("none", "for h: H_Delta, t: T: count(h, t, 0) = 0", "definition: of no points none is counted"),
            Given(
                "more",
                "for h: H_Delta, t: T, k in Z[0, inf): count(h, t, k + 1) = count(h, t, k) + hit(h, t, k + 1)",
                "definition: of one point more",
            ),
            Given(
                "alike",
                "for h: H_Delta, i in Z[1, inf): mean(t: T, hit(h, t, i)) = dis(h)",
                "definition: dis(h, h_0; D_X) is the probability that h and h_0 differ at a point drawn from D_X",
            ),
            Given(
                "independent",
                "for h: H_Delta, k in Z[0, inf): "
                "mean(t: T, count(h, t, k)*hit(h, t, k + 1)) = mean(t: T, count(h, t, k))*mean(t: T, hit(h, t, k + 1))",
                "definition: each point is independent of those before it",
            ),
            Given(
                "lefts",
                "for h: H_Delta, t: T, u: T, r: R, i in Z[1, inf): "
                "hit(h, left(r, t, u), i) = (1 - coin(r, i))*hit(h, t, i) + coin(r, i)*hit(h, u, i)",
                "definition: the i-th points of t and u change places where the i-th coin is 1",
            ),
            Given(
                "rights",
                "for h: H_Delta, t: T, u: T, r: R, i in Z[1, inf): "
                "hit(h, right(r, t, u), i) = coin(r, i)*hit(h, t, i) + (1 - coin(r, i))*hit(h, u, i)",
                "definition: the i-th points of t and u change places where the i-th coin is 1",
            ),
            Given(
                "exchange",
                "for F(T, T) in Z[0, 1], r: R: "
                "mean(t: T, u: T, F(left(r, t, u), right(r, t, u))) = mean(t: T, u: T, F(t, u))",
                "definition: all points of t and u are independent and drawn from D_X, so those of a pair may change "
                "places",
            ),
            Given(
                "fair",
                "for h: H_Delta, t: T, u: T, k in Z[0, inf): "
                "mean(r: R, [count(h, left(r, t, u), k) <= 0]*coin(r, k + 1)) "
                "= mean(r: R, [count(h, left(r, t, u), k) <= 0])/2",
                "definition: the coins are fair, and the coin of pair k + 1 is independent of those before it",
            ),
            Given(
                "left_pattern",
                "for h: H_Delta, t: T, u: T, r: R: "
                "count(rep(which(h, t, u), t, u), left(r, t, u), n_pub) = count(h, left(r, t, u), n_pub)",
                "definition: h and this member have one pattern on the 2 n_pub points, which those of left are among",
            ),
            Given(
                "right_pattern",
                "for h: H_Delta, t: T, u: T, r: R: "
                "count(rep(which(h, t, u), t, u), right(r, t, u), n_pub) = count(h, right(r, t, u), n_pub)",
                "definition: h and this member have one pattern on the 2 n_pub points, which those of right are among",
            ),
        ),
        notation=(
            (
                "G",
                "G_{H_Delta}(2 n_pub), the most patterns on 2 n_pub points; at least 2, as members of H differ",
            ),
            (
                "T",
                "sequences of independent points from D_X; the first n_pub are T_pub, or the second sample",
            ),
            ("hit", "hit(h, t, i): whether h differs from h_0 at the i-th point of t"),
            (
                "count",
                "count(h, t, k): on how many of the first k points h differs from h_0; n_pub dishat at k = n_pub",
            ),
            ("dis", "dis(h, h_0; D_X)"),
            ("bad", "whether some h in H_Delta has dis(h, h_0; D_X) > alpha and dishat(h, h_0; T_pub) = 0"),
            ("star", "such an h, where there is one; else any"),
            ("R", "sequences of independent fair coins"),
            ("coin", "the i-th coin"),
            ("left", "t with its i-th point replaced by that of u, for each i where the i-th coin is 1"),
            ("right", "u with its i-th point replaced by that of t, for each i where the i-th coin is 1"),
            (
                "K",
                "numbers of patterns on the first n_pub points of t and of u, G of them (some may be of one pattern)",
            ),
            ("rep", "rep(j, t, u): a member of H_Delta with the pattern j on these points"),
            ("which", "which(h, t, u): the number of the pattern of h on these points"),
        ),
        says=("`... <= 2 G_{H_Delta}(2 n_pub) exp(-alpha n_pub/4)`",),
    ),
    "T31.s2": Derivation(
        "alpha in (0, 1); beta in (0, 1); d in Z[1, inf)",
        _ORDERS[:1],
        says=(
            "O(d log((d log(1/alpha)+log(1/beta))/(d alpha))) = O(d (log(1/alpha)+log(log(1/alpha)+log(1/beta)/d)))",
        ),
    ),
    "T31.s3": Derivation(
        "alpha in (0, 1); beta in (0, 1); d in Z[1, inf)",
        _ORDERS[1:],
        says=("O(d (log(1/alpha)+log(log(1/alpha)+log(1/beta)/d))) = O(d log(1/alpha) + d (log(log(1/beta)/d))^+)",),
    ),
    "T31.s4": Derivation(
        "d in Z[1, inf); alpha in (0, 1/2]; beta in (0, 1); eps in (0, inf); N in Z[1, inf); n_pub in Z[1, inf); "
        "n_priv in Z[1, inf); C in [1, inf); K in [1, inf)",
        (
            Line(
                "product",
                "for a in [0, inf), X in [0, inf), B in (0, inf), M in (0, inf) if a <= 2*K*X: "
                "C*(a + B)*M <= 2*C*K*(X + B)*M",
            ),
            *_ORDERS[1:],
            Line(
                "printed",
                "d*log((d*log(1/alpha) + log(1/beta))/(d*alpha)) <= 2*(d*log(1/alpha) + d*max(0, log(log(1/beta)/d)))",
                using=("order",),
                hints=(
                    "have log(1/alpha) > 0",
                    "have log(1/beta) > 0",
                    "lemma log_quotient_above x = log(1/alpha) + log(1/beta)/d; y = alpha",
                    "have d*log((d*log(1/alpha) + log(1/beta))/(d*alpha)) "
                    + "<= d*(log(1/alpha) + log(log(1/alpha) + log(1/beta)/d))",
                ),
            ),
            Line("times", "for z in (-inf, inf), x in [0, inf) if z <= 2*x: K*z <= 2*K*x"),
            Line(
                "cover",
                "log(N) <= 2*K*(d*log(1/alpha) + d*max(0, log(log(1/beta)/d)))",
                using=(
                    "sauer",
                    "first",
                    "printed",
                    "times at z = d*log((d*log(1/alpha) + log(1/beta))/(d*alpha)), "
                    + "x = d*log(1/alpha) + d*max(0, log(log(1/beta)/d))",
                ),
            ),
            Line(
                "line",
                "n_priv <= 2*C*K*(d*log(1/alpha) + d*max(0, log(log(1/beta)/d)) + log(1/beta))"
                "*max(1/alpha^2, 1/(eps*alpha))",
                using=(
                    "size",
                    "cover",
                    "product at a = log(N), X = d*log(1/alpha) + d*max(0, log(log(1/beta)/d)), B = log(1/beta), "
                    + "M = max(1/alpha^2, 1/(eps*alpha))",
                ),
            ),
        ),
        given=(
            Given(
                "size",
                "n_priv <= C*(log(N) + log(1/beta))*max(1/alpha^2, 1/(eps*alpha))",
                "line: T31.kln",
            ),
            Given("sauer", "log(N) <= d*log(e*n_pub/d)", "line: T31.sauer"),
            Given(
                "first",
                "d*log(e*n_pub/d) <= K*(d*log((d*log(1/alpha) + log(1/beta))/(d*alpha)))",
                "line: T31.s1",
            ),
        ),
        notation=(
            ("N", "#Htilde"),
            ("n_pub", "the public sample size of the theorem"),
            ("n_priv", "the size that the generic learner over Htilde asks for"),
            ("C", "the constant of the generic learner's size"),
            ("K", "the constant of T31.s1"),
        ),
        says=("`n_priv = O((d log(1/alpha)+d (log(log(1/beta)/d))^+ + log(1/beta)) max(1/alpha^2,1/(eps alpha)))`",),
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
    "C46.hat": Derivation(
        "n_pub in Z[1, inf); p in (0, 1); type EX; law BER; b(BER) in Z[0, 1]; law D; v(D): EX; law D_0; z0(D_0): EX; "
        "zhat(BER, D, D_0): EX; law D_p; z(D_p): EX; type SAMPLE; put(SAMPLE, Z, EX): SAMPLE; law DRAWS; "
        "Shat_pub(DRAWS): SAMPLE; law OTHER; other(OTHER): SAMPLE; joined(Z, SAMPLE, SAMPLE): SAMPLE",
        (
            Line(
                "one",
                "for F(EX) in [0, 1]: mean(c: BER, d: D, a: D_0, F(zhat(c, d, a))) = mean(w: D_p, F(z(w)))",
                using=("mean of mean of mean of chosen over c over d over a", "coin", "mixture"),
            ),
            Line(
                "hat_placed",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf), w: DRAWS, u: OTHER, c: BER, d: D, a: D_0: "
                "F(joined(k, put(Shat_pub(w), k + 1, zhat(c, d, a)), other(u))) "
                "= F(put(joined(k, Shat_pub(w), other(u)), k + 1, zhat(c, d, a)))",
                using=("before at s = Shat_pub(w), t = other(u), x = zhat(c, d, a)",),
            ),
            Line(
                "other_placed",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf), w: DRAWS, u: OTHER, y: D_p: "
                "F(joined(k + 1, Shat_pub(w), put(other(u), k + 1, z(y)))) "
                "= F(put(joined(k, Shat_pub(w), other(u)), k + 1, z(y)))",
                using=("after at s = Shat_pub(w), t = other(u), x = z(y)",),
            ),
            Line(
                "hat_alone",
                "for F(SAMPLE) in [0, 1], w: DRAWS, u: OTHER: F(joined(0, Shat_pub(w), other(u))) = F(Shat_pub(w))",
                using=("none at s = Shat_pub(w), t = other(u)",),
            ),
            Line(
                "other_alone",
                "for F(SAMPLE) in [0, 1], w: DRAWS, u: OTHER: F(joined(n_pub, Shat_pub(w), other(u))) = F(other(u))",
                using=("full at s = Shat_pub(w), t = other(u)",),
            ),
            Line(
                "either",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf), w: DRAWS, u: OTHER: "
                "mean(c: BER, d: D, a: D_0, F(put(joined(k, Shat_pub(w), other(u)), k + 1, zhat(c, d, a)))) "
                "= mean(y: D_p, F(put(joined(k, Shat_pub(w), other(u)), k + 1, z(y))))",
                using=("one at F(x) = F(put(joined(k, Shat_pub(w), other(u)), k + 1, x))",),
            ),
            Line(
                "first",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf), u: OTHER: "
                "mean(w: DRAWS, F(joined(k, Shat_pub(w), other(u)))) "
                "= mean(w: DRAWS, c: BER, d: D, a: D_0, "
                "F(put(joined(k, Shat_pub(w), other(u)), k + 1, zhat(c, d, a))))",
                using=(
                    "hats at F(s) = F(joined(k, s, other(u))), i = k + 1",
                    "mean of mean of mean of mean of hat_placed over c over d over a over w",
                ),
            ),
            Line(
                "second",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf), w: DRAWS: "
                "mean(u: OTHER, F(joined(k + 1, Shat_pub(w), other(u)))) "
                "= mean(u: OTHER, y: D_p, F(put(joined(k, Shat_pub(w), other(u)), k + 1, z(y))))",
                using=(
                    "others at F(s) = F(joined(k + 1, Shat_pub(w), s)), i = k + 1",
                    "mean of mean of other_placed over y over u",
                ),
            ),
            Line(
                "next",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf): "
                "mean(w: DRAWS, u: OTHER, F(joined(k + 1, Shat_pub(w), other(u)))) "
                "= mean(w: DRAWS, u: OTHER, F(joined(k, Shat_pub(w), other(u))))",
                using=(
                    "mean of first over u",
                    "mean of second over w",
                    "mean of mean of either over u over w",
                ),
            ),
            Line(
                "start",
                "for F(SAMPLE) in [0, 1]: mean(w: DRAWS, u: OTHER, F(joined(0, Shat_pub(w), other(u)))) "
                "= mean(w: DRAWS, F(Shat_pub(w)))",
                using=("mean of mean of hat_alone over u over w",),
            ),
            Line(
                "step",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf) if mean(w: DRAWS, u: OTHER, "
                "F(joined(k, Shat_pub(w), other(u)))) = mean(w: DRAWS, F(Shat_pub(w))): "
                "mean(w: DRAWS, u: OTHER, F(joined(k + 1, Shat_pub(w), other(u)))) = mean(w: DRAWS, F(Shat_pub(w)))",
                using=("next",),
            ),
            Line(
                "all",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf): mean(w: DRAWS, u: OTHER, "
                "F(joined(k, Shat_pub(w), other(u)))) = mean(w: DRAWS, F(Shat_pub(w)))",
                "induction k",
                ("start", "step"),
            ),
            Line(
                "line",
                "for F(SAMPLE) in [0, 1]: mean(w: DRAWS, F(Shat_pub(w))) = mean(u: OTHER, F(other(u)))",
                using=("all at k = n_pub", "mean of mean of other_alone over u over w"),
            ),
        ),
        given=(
            Given(
                "chosen",
                "for F(EX) in [0, 1], c: BER, d: D, a: D_0: F(zhat(c, d, a)) = b(c)*F(v(d)) + (1 - b(c))*F(z0(a))",
                "printed: `zhat_i = b_i v_i + (1-b_i) z_i^0`",
            ),
            Given("coin", "mean(c: BER, b(c)) = p", "printed: b ~ Ber(p)^{n_pub}"),
            Given(
                "mixture",
                "for F(EX) in [0, 1]: mean(w: D_p, F(z(w))) = p*mean(d: D, F(v(d))) + (1 - p)*mean(a: D_0, F(z0(a)))",
                "definition: D_(p) = p D + (1-p) D_0",
            ),
            Given(
                "hats",
                "for F(SAMPLE) in [0, 1], i in Z[1, inf): mean(w: DRAWS, F(Shat_pub(w))) "
                "= mean(w: DRAWS, c: BER, d: D, a: D_0, F(put(Shat_pub(w), i, zhat(c, d, a))))",
                "definition: b_i, v_i and z_i^0 are independent of each other and of those of the other places, and "
                "drawn from Ber(p), D and D_0: drawn again, they leave the law of Shat_pub as it is",
            ),
            Given(
                "others",
                "for F(SAMPLE) in [0, 1], i in Z[1, inf): mean(u: OTHER, F(other(u))) "
                "= mean(u: OTHER, y: D_p, F(put(other(u), i, z(y))))",
                "definition: in D_(p)^{n_pub} each example is independent of the others and drawn from D_(p)",
            ),
            Given(
                "none",
                "for F(SAMPLE) in [0, 1], s: SAMPLE, t: SAMPLE: F(joined(0, s, t)) = F(s)",
                "definition: the first 0 examples of t, then those of s: this is s",
            ),
            Given(
                "full",
                "for F(SAMPLE) in [0, 1], s: SAMPLE, t: SAMPLE: F(joined(n_pub, s, t)) = F(t)",
                "definition: the first n_pub examples of t are all of them",
            ),
            Given(
                "before",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf), s: SAMPLE, t: SAMPLE, x: EX: "
                "F(joined(k, put(s, k + 1, x), t)) = F(put(joined(k, s, t), k + 1, x))",
                "definition: place k + 1 is after the first k, where there are the examples of s",
            ),
            Given(
                "after",
                "for F(SAMPLE) in [0, 1], k in Z[0, inf), s: SAMPLE, t: SAMPLE, x: EX: "
                "F(joined(k + 1, s, put(t, k + 1, x))) = F(put(joined(k, s, t), k + 1, x))",
                "definition: the first k examples of t, then x, then examples of s",
            ),
        ),
        notation=(
            ("EX", "examples (x, y)"),
            ("BER", "Ber(p), the law of one b_i"),
            ("b", "b_i"),
            ("D", "D, the law of one v_i"),
            ("v", "v_i, as an example"),
            ("D_0", "D_0, the law of one z_i^0"),
            ("z0", "z_i^0, as an example"),
            ("zhat", "zhat_i, of the draws of b_i, v_i and z_i^0"),
            ("D_p", "D_(p)"),
            ("z", "an example drawn from D_(p)"),
            ("SAMPLE", "samples of n_pub examples"),
            ("put", "put(s, i, x): s with x in the place i; s itself where i is above n_pub"),
            ("DRAWS", "all of b, v and z^0"),
            ("Shat_pub", "Shat_pub"),
            ("OTHER", "D_(p)^{n_pub}"),
            ("other", "a sample drawn from D_(p)^{n_pub}"),
            (
                "joined",
                "joined(k, s, t): in the first k places the examples of t, in the others those of s",
            ),
        ),
        says=("`Shat_pub ~ D_(p)^{n_pub}`",),
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
        "p in (0, 1); type EX; law D; v(D): EX; law D_0; law label; z0(D_0, label): EX; law D_p; z(D_p): EX; "
        "wrong(EX) in Z[0, 1]; h(D_0) in Z[0, 1]; y(label) in Z[0, 1]",
        (
            Line("each", "for x: D_0, b: label: wrong(z0(x, b)) = h(x)*(1 - y(b)) + (1 - h(x))*y(b)", using=("errs",)),
            Line(
                "line",
                "mean(w: D_p, wrong(z(w))) "
                "= p*mean(d: D, wrong(v(d))) + (1 - p)*mean(x: D_0, b: label, wrong(z0(x, b))) "
                "= p*mean(d: D, wrong(v(d))) + (1 - p)/2",
                using=("mixture at F(x) = wrong(x)", "mean of mean of each over x over b", "fair"),
            ),
        ),
        given=(
            Given(
                "mixture",
                "for F(EX) in [0, 1]: "
                "mean(w: D_p, F(z(w))) = p*mean(d: D, F(v(d))) + (1 - p)*mean(x: D_0, b: label, F(z0(x, b)))",
                "definition: D_(p) = p D + (1-p) D_0",
            ),
            Given(
                "errs",
                "for x: D_0, b: label: wrong(z0(x, b)) = [not (h(x) = y(b))]",
                "definition: h errs on a point with a label where it gives another one",
            ),
            Given("fair", "mean(b: label, y(b)) = 1/2", "printed: D_0 with fair independent labels"),
        ),
        notation=(
            ("EX", "examples (x, y)"),
            ("D", "D"),
            ("v", "the example that is drawn"),
            ("D_0", "the points of D_0"),
            ("label", "the coin that labels a point of D_0"),
            ("y", "the label"),
            ("z0", "the point with this label"),
            ("D_p", "D_(p)"),
            ("z", "the example that is drawn"),
            ("wrong", "whether h errs on an example: err(h;.) is its average"),
            ("h", "h, on points of D_0"),
        ),
        says=("err(h;D_(p)) = p err(h;D)+(1-p) err(h;D_0) = p err(h;D)+(1-p)/2",),
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
    "T41.red": Derivation(
        "n_pub in Z[1, inf); n_priv in Z[2, inf); alpha in (0, 1); delta in [0, 1]; learns in Z[0, 1]; "
        "type S; near(S, S) in Z[0, 1]; type T; close(T, T) in Z[0, 1]; type PUB; type HYP; law R; fill(S, R): T; "
        "S_pub(R): PUB; law coins; A(T, PUB, coins): HYP; law draws; sample(draws): S; err(HYP) in [0, 1]",
        (
            Line(
                "each",
                "for F(HYP) in Z[0, 1], s: S, t: S, r: R if near(s, t) = 1: "
                "mean(c: coins, F(A(fill(s, r), S_pub(r), c))) "
                "<= exp(0.1)*mean(c: coins, F(A(fill(t, r), S_pub(r), c))) + delta",
                using=("once", "semi_private at t = fill(s, r), u = fill(t, r), x = S_pub(r)"),
            ),
            Line(
                "private",
                "for F(HYP) in Z[0, 1], s: S, t: S if near(s, t) = 1: "
                "mean(r: R, c: coins, F(A(fill(s, r), S_pub(r), c))) "
                "<= exp(0.1)*mean(r: R, c: coins, F(A(fill(t, r), S_pub(r), c))) + 1/(100*n_priv^2*log(n_priv))",
                using=("mean of each over r", "delta"),
            ),
            Line(
                "otherwise",
                "for w: draws, r: R, c: coins: [err(A(fill(sample(w), r), S_pub(r), c)) <= 100*n_pub*alpha] "
                "= 1 - [err(A(fill(sample(w), r), S_pub(r), c)) > 100*n_pub*alpha]",
            ),
            Line(
                "accurate",
                "Pr(w: draws, r: R, c: coins, err(A(fill(sample(w), r), S_pub(r), c)) <= 100*n_pub*alpha) >= 1 - 1/16",
                using=("mean of mean of mean of otherwise over c over r over w", "small", "learner", "reduction"),
            ),
        ),
        given=(
            Given("small", "alpha <= 1/100", "printed: 0<alpha<=1/100"),
            Given(
                "delta",
                "delta = 1/(100*n_priv^2*log(n_priv))",
                "printed: 1/(100 n_priv^2 log n_priv)",
            ),
            Given(
                "semi_private",
                "for F(HYP) in Z[0, 1], t: T, u: T, x: PUB if close(t, u) = 1: "
                "mean(c: coins, F(A(t, x, c))) <= exp(0.1)*mean(c: coins, F(A(u, x, c))) + delta",
                "line: T41.delta",
            ),
            Given("learner", "learns = 1", "line: T41.delta"),
            Given("once", "for s: S, t: S, r: R if near(s, t) = 1: close(fill(s, r), fill(t, r)) = 1", "line: C45"),
            Given(
                "reduction",
                "if alpha <= 1/100, learns = 1: "
                "Pr(w: draws, r: R, c: coins, err(A(fill(sample(w), r), S_pub(r), c)) > 100*n_pub*alpha) <= 1/16",
                "result: alon2019:lem-4.4",
            ),
        ),
        notation=(
            ("delta", "the delta of A"),
            ("learns", "whether A is an (alpha, 1/18)-agnostic learner, given S_priv and S_pub"),
            ("S", "samples Stilde of the private learner B that lem-4.4 makes of A"),
            ("near", "whether two of them differ in one place"),
            ("T", "the samples S_priv that A is given"),
            ("close", "whether two of them differ in at most one place"),
            ("PUB", "the public samples that A is given"),
            ("HYP", "hypotheses"),
            ("R", "what B draws: S_pub, the dummies and the places"),
            ("fill", "S_priv, of Stilde and what is drawn"),
            ("S_pub", "S_pub, of what is drawn"),
            ("coins", "A's coins"),
            ("A", "the semi-private learner; B puts out what A does with S_priv and S_pub"),
            ("draws", "i.i.d. examples of any realisable D"),
            ("sample", "Stilde, as it is drawn"),
            ("err", "the error with respect to D"),
        ),
        shows=("private", "accurate"),
        says=("`(100 n_pub alpha,1/16,0.1,1/(100 n_priv^2 log n_priv))`-private learner",),
    ),
    "T41.use": Derivation(
        "n_pub in Z[1, inf); n_priv in Z[2, inf); alpha in (0, 1); type L; size(L) in Z[2, inf); leak(L) in [0, 1]; "
        "type LAW; law W; err(L, LAW, W) in [0, 1]; worst(L): LAW; point B: L",
        (
            Line(
                "fewer",
                "for m in Z[2, inf), n in Z[2, inf) if m <= n: 1/(100*n^2*log(n)) <= 1/(100*m^2*log(m))",
            ),
            Line("short", "size(B) <= n_priv", using=("ntilde",)),
            Line(
                "enough",
                "leak(B) <= 1/(100*size(B)^2*log(size(B)))",
                using=("short", "private", "fewer at m = size(B), n = n_priv"),
            ),
            Line("fails", "Pr(w: W, err(B, worst(B), w) > 1/16) > 1/16", using=("enough", "impossible at A = B")),
            Line(
                "each",
                "for w: W: [100*n_pub*alpha <= 1/16]*[err(B, worst(B), w) > 1/16] "
                "<= [err(B, worst(B), w) > 100*n_pub*alpha]",
            ),
            Line(
                "line",
                "100*n_pub*alpha > 1/16",
                using=("mean of each over w", "fails", "accurate at law_D = worst(B)"),
            ),
        ),
        given=(
            Given(
                "impossible",
                "for A: L if leak(A) <= 1/(100*size(A)^2*log(size(A))): Pr(w: W, err(A, worst(A), w) > 1/16) > 1/16",
                "result: alon2019:thm-4.3",
            ),
            Given(
                "accurate",
                "for law_D: LAW: Pr(w: W, err(B, law_D, w) > 100*n_pub*alpha) <= 1/16",
                "line: T41.red",
            ),
            Given("private", "leak(B) <= 1/(100*n_priv^2*log(n_priv))", "line: T41.red"),
            Given(
                "ntilde",
                "size(B) = max(2, ceil(n_priv/(10*n_pub)))",
                "line: A2.par",
            ),
        ),
        notation=(
            ("n_pub", "the number of public examples"),
            ("alpha", "the accuracy of the semi-private learner"),
            ("L", "algorithms that put out hypotheses, for samples of a size"),
            ("size", "the number of examples; one of them is not looked at where ntilde = 1"),
            ("leak", "the least delta with which the algorithm is (0.1, delta)-private"),
            ("LAW", "laws that the class realises"),
            ("W", "all that is random: the sample and the coins"),
            ("err", "the error of what the algorithm puts out on a sample of a law"),
            ("worst", "a law on which the error is above 1/16 with probability above 1/16, where there is one"),
            ("B", "the private learner of the line before"),
        ),
        says=("thm-4.3 (at sample size ntilde) => `100 n_pub alpha > 1/16`",),
    ),
    "T42.excl": Derivation(
        "type PRIV; type SEMI; type ACC; alpha(ACC) in (0, 1); n_pub(SEMI, ACC) in Z[0, inf); as_semi(PRIV): SEMI; "
        "point A: PRIV",
        (
            Line(
                "line",
                "for c in (0, inf), a: ACC: n_pub(as_semi(A), a) < c/alpha(a)",
                using=("no_public at B = A",),
            ),
        ),
        given=(
            Given(
                "no_public",
                "for B: PRIV, a: ACC: n_pub(as_semi(B), a) = 0",
                "result: alon2019:def-priv",
            ),
        ),
        notation=(
            ("PRIV", "pure private learners of H"),
            ("SEMI", "pure semi-private learners of H"),
            ("ACC", "accuracies, with failure probabilities"),
            ("alpha", "the excess error"),
            ("n_pub", "the size of a semi-private learner's public sample"),
            ("as_semi", "the private learner, as a semi-private one"),
            ("A", "the pure private learner that there is"),
        ),
        says=("H learnable by a pure private learner => item 2 fails (n_pub=0)",),
    ),
    "T42.chain": Derivation(
        "type L; agnostic(L) in Z[0, 1]; realisable(L) in Z[0, 1]; weak(L) in Z[0, 1]; good(L) in Z[0, 1]; "
        "private(L) in Z[0, 1]; extended(L): L; boosted(L): L; type LAW; law W; err(L, LAW, W) in [0, 1]; "
        "worst(L): LAW",
        (
            Line("first", "for A: L: realisable(A) = 0", using=("lem_5", "none at A = extended(A)")),
            Line("not_weak", "for A: L: weak(A) = 0", using=("lem_6", "first at A = boosted(A)")),
            Line("each", "for A: L, w: W: [err(A, worst(A), w) > 0.1] <= [err(A, worst(A), w) > 1/16]"),
            Line(
                "line",
                "for A: L: good(A) = 0",
                using=(
                    "mean of each over w",
                    "not_weak",
                    "good_private",
                    "good_accurate at d = worst(A)",
                    "otherwise",
                ),
            ),
        ),
        given=(
            Given("none", "for A: L: agnostic(A) = 0", "printed: no pure private learner"),
            Given("lem_5", "for A: L: realisable(A) <= agnostic(extended(A))", "result: alon2019:lem-2.5"),
            Given("lem_6", "for A: L: weak(A) <= realisable(boosted(A))", "result: alon2019:lem-2.6"),
            Given("good_private", "for A: L: good(A) <= private(A)", "definition: such a learner is private"),
            Given(
                "good_accurate",
                "for A: L, d: LAW: good(A)*Pr(w: W, err(A, d, w) > 1/16) <= 1/16",
                "definition: on each realisable law it errs by more than 1/16 with probability at most 1/16",
            ),
            Given(
                "otherwise",
                "for A: L: private(A)*(1 - weak(A)) <= [Pr(w: W, err(A, worst(A), w) > 0.1) > 0.1]",
                "definition: where a private algorithm is no (0.1, 0.1, 0.1)-pure learner, it errs on some realisable "
                "law by more than 0.1 with probability above 0.1",
            ),
        ),
        notation=(
            ("L", "algorithms that put out hypotheses, for samples of any size"),
            ("agnostic", "whether A is a pure private learner of H"),
            ("realisable", "whether A is one for realisable distributions"),
            ("weak", "whether A is a (0.1, 0.1, 0.1)-pure private learner of H for realisable distributions"),
            ("good", "whether A is a (1/16, 1/16, 0.1)-pure private learner of H for realisable distributions"),
            ("private", "whether A is (0.1, 0)-private"),
            ("extended", "the agnostic learner that lem-2.5 makes of A"),
            ("boosted", "the learner that lem-2.6 makes of A"),
            ("LAW", "realisable distributions"),
            ("W", "all that is random: the sample and the coins"),
            ("err", "the error of what A puts out on a sample of a distribution"),
            ("worst", "one on which the error is above 0.1 with probability above 0.1, where there is one"),
        ),
        shows=("first", "line"),
        says=(
            "no pure private learner => (2.5) none for realisable distributions",
            "=> (2.6) no (1/16,1/16,0.1)-pure private learner, realisable",
        ),
    ),
    "I.rates": Derivation(
        "d in Z[1, inf); alpha in (0, 1)",
        (
            Line("quadratic", "(d/alpha^2)/d = ((d/alpha)/d)^2"),
            Line("matching", "1/alpha <= d/alpha = d*(1/alpha)"),
        ),
        notation=(("alpha", "the excess error"), ("d", "the VC dimension")),
        shows=("quadratic", "matching"),
        says=(
            '`d/alpha^2 -> d/alpha` is "a quadratic improvement" of the public sample size',
            '"nearly matching lower bound" 1/alpha',
        ),
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

"""chaudhuri2011: the learners that choose from a cover, agnostic and realisable (section 4, appendices A to C).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.

Letters: d = d_U, L = log(1/delta), T = log(khat/eps), N = #G, m = #S. Doubling dimensions are logarithms to base 2 of
integers, so d is 0 or at least 1. In the repairs (4) has the constant 2848 and (5) the constant 35600.
"""

from __future__ import annotations

from dpcheck.papers.chaudhuri2011.theorems import selection_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of, tightness_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: eps and delta that tend to 1 as C grows; with alpha = 1/2, d = 1, kappa = 1 they meet (4) and (5) with one record.
_NEAR_1 = "exp(-1/(16*C))"
_ONE_RECORD_4 = Claim(
    "C in [1, inf)", "",
    f"1 >= C*(1/((1/2)*{_NEAR_1}) + 1/{_NEAR_1}^2)*(1*log(1/{_NEAR_1}) + log(1/{_NEAR_1}))",
    ("have exp(1/(16*C)) <= 11/10",))
_ONE_RECORD_5 = Claim(
    "C in [1, inf)", "", f"1 >= C*(1/((1/2)*{_NEAR_1}))*(1*log(1/{_NEAR_1}) + log(1/{_NEAR_1}))",
    ("have exp(1/(16*C)) <= 11/10",))
_WHY_NEAR_1 = (
    "for every constant C at alpha = 1/2, kappa = 1, d_U = 1 and eps = delta = exp(-1/(16 C)) (thresholds, D = U "
    "uniform) one record meets the condition (for C < 1 the parameters of C = 1 do)"
)
_EPS_NEAR_1 = (
    "As eps and delta tend to 1 and kappa = 1, log(kappa/eps) and log(1/delta) tend to 0, and the condition on m says "
    "nothing, whatever the constant."
)
#: log N and what the tails ask for, where T is at least log(21/20) >= 1/21: log N <= d (log 16 + T) (T8.size).
_LOG_SIZES = "N in [1, inf); d in [1, inf); T in [1/21, inf); L in (0, inf); z in (0, inf)"
_LOGS = ("have log(16) <= 2773/1000", "have log(4) <= 1387/1000", "have log(2) <= 694/1000", "have d*T >= d/21")
_T_LARGE = Claim("khat in (0, inf); eps in (0, 1)", "khat >= 21/20*eps", "log(khat/eps) >= 1/21",
                 ("have khat/eps >= 21/20", "lemma log_increases x = 21/20; y = khat/eps"))
_FROM_4 = Claim("alpha in (0, 1); eps in (0, 1); m in (0, inf); X in (0, inf)",
                "m >= 2848*(1/(alpha*eps) + 1/eps^2)*X", "m*eps^2 >= 2848*X")
_FROM_4_ALPHA = Claim("alpha in (0, 1); eps in (0, 1); m in (0, inf); X in (0, inf)",
                      "m >= 2848*(1/(alpha*eps) + 1/eps^2)*X", "alpha*eps*m >= 2848*X")
_FROM_5 = Claim("alpha in (0, 1); eps in (0, 1); m in (0, inf); X in (0, inf)",
                "m >= 35600*(1/(alpha*eps))*X", "eps*m >= 35600*X")
_FROM_5_ALPHA = Claim("alpha in (0, 1); eps in (0, 1); m in (0, inf); X in (0, inf)",
                      "m >= 35600*(1/(alpha*eps))*X", "alpha*eps*m >= 35600*X")
#: khat < (21/20) eps: at most one member of G errs by more than inf err + eps, and it is chosen with probability at
#: most delta.
_ONE_BAD = (
    Claim("eps in (0, 1); kappa in [1, inf); khat in [1, inf); apart in [0, 1]; u in [0, 1]",
          "kappa <= khat; khat <= 21/20*eps; apart <= 2*(1 - eps); 1 - apart <= kappa*(1 - u)", "u <= eps/(4*khat)"),
    Claim("bad in [0, 1]; good in [0, 1]; least in [0, 1]; eps in [20/21, 1)",
          "bad > least + eps; good <= least + eps/4", "bad - good >= 7/10"),
    Claim("y in (-inf, inf)", "", "1/(1 + exp(y)) <= exp(-y/2)/2"),
    Claim("a in [0, 1/4]", "", "1 <= (exp(-a) + exp(a))/2"),
    Claim("mu in [7/10, 1]; a in [0, 1/4]", "", "(1 + mu)/2*exp(-a) + (1 - mu)/2*exp(a) <= exp(-a/2)"),
)
_WHY_ONE_BAD = (
    "khat >= kappa >= 1, so eps >= 20/21. Two members of G that err by more than eps differ under D with probability "
    "(apart) below 2 (1 - eps), being right where they differ one of them; D(not A) <= kappa U(not A) turns this into "
    "a distance u under U of at most eps0 = eps/(4 khat): they are not both in a packing. The one bad member has "
    "probability at most 1/(1 + exp(alpha (its mistakes - those of g_0)/2)) <= exp(-alpha (..)/4)/2, whose mean over "
    "the sample is at most exp(-alpha m/8)/2 by independence: on a record the difference x is -1, 0 or 1, with a mean "
    "mu >= 7/10, and with a = alpha/4 exp(-a x) <= (1 + x)/2 exp(-a) + (1 - x)/2 exp(a)"
)
#: Chernoff's exponents: E exp(s X) for X ~ Bin(m, p) is (1 + p (exp(s) - 1))^m.
_MOMENT = Claim("p in [0, 1]; s in (-inf, inf)", "", "1 + p*(exp(s) - 1) <= exp(p*(exp(s) - 1))",
                ("lemma exp_above x = p*(exp(s) - 1)",))
_REQUIREMENT = Claim(
    "M in (0, inf); alpha in (0, 1); eps in (0, 1); L in (0, inf); C in (0, inf)", "",
    "C*(1/(eps*alpha) + 1/eps^2)*(1*log((1/2 + 3/(4*(1/(6 + 4*exp(alpha*M)))))/eps) + L) > "
    "C*(1/(eps*alpha) + 1/eps^2)*(alpha*M + L)",
    ("have exp(alpha*M) > 1", "lemma log_increases x = exp(alpha*M); y = 5 + 3*exp(alpha*M)",
     "lemma log_below x = exp(alpha*M)/((5 + 3*exp(alpha*M))/eps)"))
_REQUIREMENT_ANY = Claim(
    "C in [1, inf)", "",
    "log((1/2 + 3/(4*(1/(6 + 4*exp((1/2)*(1/C))))))/(1/2)) + log(1/exp(-1/C)) > C*((1/2)*(1/C) + log(1/exp(-1/C)))",
    ("have exp((1/2)*(1/C)) > 1", "lemma log_increases x = 16; y = (5 + 3*exp((1/2)*(1/C)))/(1/2)", "have log(16) > 2"))
_BAND = Claim("n in Z[2, inf)", "", "1 - 2*exp(-n*(1/sqrt(n))^2/2) < 0")
_HALF_ARC = Claim("", "", "1 > (1/3)/(1 - 2*exp(-2*(1/2)^2/2))")
#: d_U <= (n - 1) log2(5) for separators under the uniform sphere, with the argument.
_SPHERE = (
    Claim("s in [0, 1]; a in [0, 1]; c in [0, 1]; b in [0, 1]; k in Z[1, inf)", "a <= k*s", "a*c + b*s <= (k + 1)*s"),
    Claim("n in Z[2, inf)", "", "(n - 1)*(log(5)/log(2)) <= 3*n"),
)
_WHY_SPHERE = (
    "d_U <= 3n, so C is three times that of thm-8: rho_U is the angle divided by pi; around a largest packing of a "
    "ball of radius r at distances above r/2 the balls of radius r/4 are disjoint and lie in one of radius 5r/4, whose "
    "measure is at most 5^(n-1) times theirs, since sin(5f) <= 5 sin f (the first formula, by induction: a, b, s, c "
    "are the moduli of sin(kf), cos(kf), sin f, cos f)"
)
#: A far point makes a larger packing (old, new: the least distance within the packing, and from it); there is none
#: larger.
_GREEDY = (
    Claim("old in (0, inf); new in [0, inf); eps in (0, inf)", "old > eps; new > eps", "min(old, new) > eps"),
    Claim("far in Z[0, 1]; larger in Z[0, 1]", "far <= larger; larger <= 0", "far <= 0"),
)

STEPS = (
    # Section 4
    Step("T7.sens",
         against=(Claim("m in Z[3, inf); alpha in (0, 1)", "",
                        "(1/(1 + exp(-alpha*m/2)))/(exp(-alpha*m/2)/(1 + exp(-alpha*m/2))) > exp(alpha)"),),
         because="a score q in place of err: two candidates with scores 0, 1 on S and 1, 0 on S', so that it moves by "
                 "at most 1; the weights exp(-alpha m q/2) of step 3 then have a loss of alpha m/2",
         reading="as an inference from what it names, a change of err(g, S) by at most 1, with err(g, S) = (1/#S) "
                 "(mistakes) as section 2.4 defines it. Datasets have multiplicity: were they sets, #S, khat and G "
                 "would tell duplicates",
         erratum=Erratum(
             quotes="Because changing one labeled example in S changes err(g,S) by at most 1, this step is guaranteed "
                    "alpha-privacy (McSherry and Talwar, 2007).",
             explanation="err(g, S) is an average: it moves by at most 1/#S, and only this makes the weights "
                         "exp(-alpha #S err/2) alpha-private. A change by 1 would allow a loss of alpha #S.",
             severity="slip", quality="reading",
             readings="It holds where err(g, S) is the number of mistakes, #S err(g, S)."),
         repair=Repair(
             "changing one labelled example changes err(g, S) by at most 1/m, so step 3 is alpha-private", "constant",
             claims=(
                 Claim("a in Z[0, 1]; b in Z[0, 1]; m in Z[1, inf)", "", "-1/m <= (a - b)/m <= 1/m"),
                 Claim("alpha in (0, inf); m in Z[1, inf); one in [0, 1]; two in [0, 1]", "two <= one + 1/m",
                       "exp(-alpha*m*one/2) <= exp(alpha/2)*exp(-alpha*m*two/2)", ("have m*two <= m*one + 1",)),
                 Claim("E in [1, inf); a in [0, inf); b in [0, inf); A in [0, inf); B in [0, inf)",
                       "a <= E*b; A <= E*B",
                       "a + A <= E*(b + B)"),
                 Claim("E in [1, inf); w in (0, inf); v in (0, inf); W in (0, inf); V in (0, inf)",
                       "w <= E*v; V <= E*W",
                       "w/W <= E^2*(v/V)"),
             ),
             because="each weight moves by a factor of at most exp(alpha/2), so does their sum (by induction over G), "
                     "and a probability by at most exp(alpha), a sum of probabilities too; khat and G depend on m, U "
                     "and the parameters alone",
             downstream="thm-7 holds as printed.")),
    Step("A1.exists",
         against=(Claim("C in (0, inf); alpha in (0, 1); eps in (0, 1)", "",
                        "exp(-(1/(C*(1/(alpha*eps) + 1/eps^2)) - (1/C + 3)))/4 > 1",
                        ("have C*(1/(alpha*eps) + 1/eps^2) >= C", "have 1/(C*(1/(alpha*eps) + 1/eps^2)) <= 1/C")),),
         because="one record, d_U = 1, log(1/delta) = 1/C + 3: step 1 gives log(khat/eps) = 1/(C (..)) - log(1/delta), "
                 "and eps0 = exp(-log(khat/eps))/4 is above 1, the largest possible diameter",
         witness=instances.radius_beyond_the_diameter,
         uses=("chaudhuri2011:lem-13",),
         erratum=Erratum(
             quotes="note that such a set always exists because of Lemma 13.",
             explanation="Lemma 13 asks for a radius below the diameter of (H, rho_U); eps0 = eps/(4 khat) is above it "
                         "for small samples, and for classes of small diameter.", severity="slip"),
         repair=Repair(
             "such a set exists: by lem-13 for eps0 below the diameter, and otherwise any one hypothesis is such a set",
             "assumption",
             claims=(Claim("rho in [0, inf); diameter in [0, inf); eps0 in (0, inf)",
                           "rho <= diameter; diameter <= eps0",
                           "rho <= eps0"),),
             because="one hypothesis is a packing, and a cover where no distance exceeds eps0",
             uses=("chaudhuri2011:lem-13",), downstream="nothing changes.")),
    # Example 1
    Step("X1.ddim",
         claims=(
             Claim("a in [0, 1]; b in [0, 1]; r in (0, inf); x in [0, 1]", "a <= x; x <= (a + b)/2; b - a <= 2*r",
                   "abs(x - (a + (b - a)/4)) <= r/2"),
             Claim("a in [0, 1]; b in [0, 1]; r in (0, inf); x in [0, 1]", "x <= b; (a + b)/2 <= x; b - a <= 2*r",
                   "abs(x - (b - (b - a)/4)) <= r/2"),
             Claim("a in [0, 1]; b in [0, 1]", "a <= b", "0 <= a + (b - a)/4 <= b - (b - a)/4 <= 1"),
             Claim("c in [0, 1]", "", "max(c, 1 - c) > 1/4"),
             Claim("", "", "log(2)/log(2) = 1"),
         ),
         because="(H, rho_U) is [0, 1] with its distance. A ball of radius r is an interval [a, b] of length at most "
                 "2r, which two balls of radius r/2 cover; the ball of radius 1/2 around 1/2 is [0, 1], which no ball "
                 "of radius 1/4 covers",
         needed="the least number of balls that cover a ball of the line, for balls that are infinite sets of points"),
    Step("X1.kappa",
         claims=(
             Claim("eta in (0, 1/10)", "", "(1/2)*1 + (1/2)*(1/(2*eta/3)) = 1/2 + 3/(4*eta)"),
             Claim("M in (0, inf); alpha in (0, 1)", "", "1/2 + 3/(4*(1/(6 + 4*exp(alpha*M)))) <= 8*exp(alpha*M)",
                   ("have exp(alpha*M) > 1",)),
             Claim("eta in (0, 1/10); inside in [0, 1]; outside in [0, 1]", "",
                   "(1/2 + 3/(4*eta))*inside + (1/2)*outside <= (1/2 + 3/(4*eta))*(inside + outside)"),
         ),
         because="the largest density, with the constant 8; inside, outside: the lengths of the parts of A in the "
                 "interval and out of it"),
    Step("X1.req",
         against=(_REQUIREMENT, _REQUIREMENT_ANY),
         because="L = log(1/delta), eta = 1/(6 + 4 exp(alpha M)): with the same C on both sides the line fails for all "
                 "parameters, since kappa = 5 + 3 exp(alpha M) is above exp(alpha M). Nor does another constant C on "
                 "the right help: alpha = 1/2, M = 1/C, eps = 1/2, delta = exp(-1/C)",
         uses=("chaudhuri2011:thm-8",),
         erratum=Erratum(
             quotes="Therefore the sample requirement of Algorithm A_1 to learn with alpha-privacy and excess "
                    "generalization error epsilon is at most C . (1/(eps alpha) + 1/eps^2) . (alpha M + log(1/delta))",
             explanation="log(kappa/eps) is alpha M + log(1/eps) and a constant: log(1/eps) and the constant are "
                         "missing. (And (4) is of order M for constant eps only where alpha M is bounded "
                         "below.)", severity="constant"),
         repair=Repair(
             "at most C (1/(eps alpha) + 1/eps^2) (alpha M + log(8/eps) + log(1/delta))", "constant",
             claims=(Claim("M in (0, inf); alpha in (0, 1); eps in (0, 1); L in (0, inf); C in (0, inf)", "",
                           "C*(1/(eps*alpha) + 1/eps^2)*(1*log((1/2 + 3/(4*(1/(6 + 4*exp(alpha*M)))))/eps) + L) <= "
                           "C*(1/(eps*alpha) + 1/eps^2)*(alpha*M + log(8/eps) + L)",
                           ("have exp(alpha*M) > 1",
                            "lemma log_increases x = (5 + 3*exp(alpha*M))/eps; y = 8*exp(alpha*M)/eps",
                            "lemma log_product_above x = exp(alpha*M); y = 8/eps")),
                     Claim("M in (0, inf); alpha in (0, 1); eps in (0, 1); L in (0, inf)", "alpha*M >= 1",
                           "(1/(eps*alpha) + 1/eps^2)*(alpha*M + log(8/eps) + L) <= "
                           "(2/eps^2)*M*(1 + log(8/eps))*(1 + L)",
                           ("have log(8/eps) >= 2", "have 1/(eps*alpha) <= 1/(eps^2*alpha)",
                            "have alpha*M + log(8/eps) + L <= alpha*M*(1 + log(8/eps))*(1 + L)"))),
             because="the second formula: of order M for constant eps where alpha M >= 1, up to 1 + log(1/delta)",
             uses=("chaudhuri2011:thm-8",), downstream="ex-1 matches thm-5 where alpha M >= 1.")),
    # Examples 2 and 3
    Step("X2.rate",
         against=(_BAND,),
         because="at gamma = 1/sqrt(n) the smoothness 1/(1 - 2 exp(-n gamma^2/2)) is negative for every n, and its "
                 "logarithm, which the requirement contains, not defined",
         reading="the requirement is the expression printed before, with that smoothness",
         uses=("chaudhuri2011:thm-8", "chaudhuri2011:lem-20"),
         erratum=Erratum(
             quotes="When n is large and gamma >= 1/sqrt(n), this bound is O~(n/(alpha eps) + n/eps^2), where the O~ "
                    "notation hides factors logarithmic in 1/delta and 1/eps.",
             explanation="1 - 2 exp(-n gamma^2/2) is -0.21 at gamma = 1/sqrt(n), for all n; it is positive for gamma "
                         "above sqrt(2 log 2/n).", severity="constant"),
         repair=Repair(
             "with the smoothness 1/U(W), which is at most 2 for gamma >= 1/sqrt(n), any n >= 2", "statement",
             claims=(Claim("t in (0, 1); u in (0, 1); k in [0, inf)", "t <= u", "k*log(1 - u^2) <= k*log(1 - t^2)",
                           ("lemma log_increases x = 1 - u^2; y = 1 - t^2",)),
                     Claim("p in (0, 1/2]; g in (0, 1)", "",
                           "g^2*(1 - p) + ((g/p)^2 - (2*p/(3*g))*(g/p)^3) - (g^2 - (2*p/(3*g))*g^3) = "
                           "g^2*(1/(3*p^2) - p/3)"),
                     Claim("p in (0, 1/2]", "", "1/(3*p^2) - p/3 > 1"),
                     Claim("eps in (0, 1); kappa in [1, 2]", "", "log(kappa/eps) <= log(1/eps) + 7/10",
                           ("lemma log_product_above x = kappa; y = 1/eps", "lemma log_increases x = kappa; y = 2",
                            "have log(2) <= 7/10")),
                     Claim("n in Z[2, inf); a in (0, inf); L in (0, inf); C in (0, inf); alpha in (0, 1); "
                           "eps in (0, 1)", "",
                           "C*(1/(alpha*eps) + 1/eps^2)*(n*(a + 7/10) + L) <= "
                           "C*(n/(alpha*eps) + n/eps^2)*(1 + a)*(1 + L)",
                           ("have n*(a + 7/10) + L <= n*(1 + a)*(1 + L)",))),
             because="n = 2: the band of width 1/sqrt(2) is half of the circle. n >= 3: t = u.x has a density that "
                     "decreases in abs(t) (k = (n - 3)/2) and the mean square 1/n, by symmetry; so F(t) = U(abs(u.x) "
                     "<= t) is concave, with p = F(g) at g = 1/sqrt(n) it is at most p up to g and p t/g from there "
                     "on, so that p >= g, and the mean square, the integral of 2t (1 - F(t)), is at least the second "
                     "formula's left side; for p <= 1/2 that is above 1/n. So U(W) > 1/2. Then a = log(1/eps), L = "
                     "log(1/delta)",
             uses=("chaudhuri2011:thm-8",), downstream="the order in ex-2 stands, the smoothness of lem-20 only for n "
                                                       "gamma^2 > 2 log 2.")),
    Step("X3.rate",
         spelled=(("= O(n^2 log(2/(1-gamma)))", "<= n^2*log(2/(1-gamma))"),),
         claims=(Claim("n in Z[1, inf); gamma in (0, 1)", "",
                       "n*((n-1)/2)*log(2/(1-gamma)) <= n^2*log(2/(1-gamma))",
                       ("have log(2/(1-gamma)) >= 0",)),),
         because="with the constant 1"),
    # Appendices A and B
    Step("L15",
         claims=(*_GREEDY,
                 Claim("N in Z[1, inf); d in (-inf, inf)", "N < 2^d", "log(N) < d*log(2)",
                       ("lemma log_quotient_below x = N; y = 2^d", "lemma log_below x = N/2^d", "have N/2^d < 1")),
                 Claim("N in Z[1, inf); most in Z[1, inf)", "N <= most", "log(N) <= log(most)")),
         because="P_z: a packing of B(z, r) to which nothing can be added (sizes are below 2^d); a point farther than "
                 "r/2 from all of it could be added. The sizes are integers below 2^d, so there is a largest, N, and "
                 "log2 N < d balls of half the radius cover every ball",
         reading="where B(z, r) has a diameter of at most r/2, which lem-13 leaves out, P_z = {z}",
         uses=("chaudhuri2011:lem-13",),
         needed="a largest packing among the finite sets of points of an infinite space: sets of points, chosen by "
                "their size"),
    Step("L17.sauer",
         claims=(Claim("m in Z[1, inf); V in Z[1, inf)", "m >= V/2", "2*m*log(1 + V/(2*m)) <= V",
                       ("lemma log_below x = 1 + V/(2*m)",)),
                 Claim("m in Z[1, inf); V in Z[1, inf); i in Z[0, inf)", "m >= V/2; i <= V",
                       "V*log(V/(2*m)) <= i*log(V/(2*m))", ("lemma log_below x = V/(2*m)", "have V/(2*m) <= 1")),
                 Claim("m in Z[1, inf); i in Z[1, inf)", "i <= m", "i/m + (m - i)/m = 1"),
                 Claim("once in [0, inf); twice in [0, inf); a in [0, inf); b in [0, inf)", "once <= a; twice <= b",
                       "once + twice <= a + b"),
                 Claim("s in [0, inf); b in [0, inf)", "s <= b", "s^2 <= b^2")),
         because="a pattern of F on 2m points is the difference of a pair of patterns of H, so there are at most "
                 "s_H(2m)^2. Sauer's lemma, s_H(k) <= sum_{i<=V} C(k, i), by induction over k: of the patterns on k "
                 "points, once are told apart by the first k - 1 points, and twice more occur with both labels of the "
                 "last one, so that these patterns shatter sets of at most V - 1 points; C(k - 1, i) + C(k - 1, i - 1) "
                 "= C(k, i) ((k-i)/k and i/k of it). And sum_{i<=V} C(2m, i) <= (2m/V)^V sum_i C(2m, i) (V/2m)^i = "
                 "(2m/V)^V (1 + V/2m)^(2m) <= (2em/V)^V, the range 2m >= V being used",
         reading="V >= 1",
         needed="Sauer's lemma from shattered sets up, for every class: by induction over the points, or by shifting"),
    Step("L17.eps",
         spelled=(("(4/m)(2V log(2em/V)+log(4/delta))", "(4/m)*(2*V*log(2*e*m/V)+log(4/delta))"),
                  ("(8V log(2em/V)+4log(4/delta))", "(8*V*log(2*e*m/V)+4*log(4/delta))")),
         claims=(Claim("m in Z[1, inf); V in Z[1, inf); delta in (0, 1)", "m >= V/2",
                       "(4/m)*(2*V*log(2*e*m/V) + log(4/delta)) = (8*V*log(2*e*m/V) + 4*log(4/delta))/m"),)),
    # Lemmas 18 and 19
    Step("L18.1",
         spelled=(("sum exp(-a_i')", "(exp(-a0)+rest)"), ("a_{i0}", "a0"), ("exp(-a_i)", "exp(-a)")),
         claims=(Claim("a in (-inf, inf); a0 in (-inf, inf); t in (-inf, inf); rest in [0, inf)", "a >= t",
                       "exp(-a)/(exp(-a0)+rest) <= exp(-t)/exp(-a0) = exp(-(t-a0))"),),
         because="rest: the other terms of the sum"),
    Step("L18.2",
         claims=(Claim("s in [0, inf); p in [0, 1]; k in Z[0, inf); t in (-inf, inf)", "s <= k*exp(-t); p <= exp(-t)",
                       "s + p <= (k + 1)*exp(-t)"),
                 Claim("k in Z[0, inf); I in Z[1, inf); t in (-inf, inf)", "k <= I", "k*exp(-t) <= I*exp(-t)")),
         because="L18.1 at a_{i0} + t, for each of the k indices in the sum, one after the other"),
    Step("L19",
         spelled=(("rho_D(h,h') = D(A)", "D"), ("kappa U(A) = kappa rho_U(h,h')", "kappa*U")),
         claims=(Claim("D in [0, 1]; U in [0, 1]; kappa in [1, inf); eps in (0, inf)", "D <= kappa*U; U <= eps",
                       "D <= kappa*U <= kappa*eps"),),
         because="A is the set where h and h' differ, D and U its measures"),
    # Theorem 8
    Step("T8.khat",
         claims=(Claim("C in (0, inf); q in (0, inf); d in (0, inf); L in (0, inf); T in (-inf, inf); u in [0, inf); "
                       "m in (0, inf)",
                       "m = C*q*(d*T + L); m >= C*q*(d*u + L)", "T >= u",
                       ("have C*q > 0", "have C*q*(d*T + L) >= C*q*(d*u + L)", "have d*T >= d*u")),
                 Claim("k in Z[2, inf)", "", "log(k)/log(2) >= 1")),
         because="q = 1/(alpha eps) + 1/eps^2 (in thm-9 1/(alpha eps)), T = log(khat/eps), u = log(kappa/eps); d_U > 0 "
                 "is the logarithm of an integer of at least 2, so at least 1",
         reading="\"the computed value of khat\": step 1 has a solution, so d_U > 0. (d_U = 0, where any two "
                 "hypotheses agree almost everywhere under U, leaves no khat, or for #S = C q log(1/delta) any; then "
                 "any hypothesis will do)"),
    Step("T8.size",
         claims=(Claim("khat in [1, inf); eps in (0, 1)", "", "4*1/(eps/(4*khat)) = 16*khat/eps"),
                 Claim("khat in [1, inf); eps in (0, 1)", "", "eps/(4*khat) <= 4*1")),
         because="lem-14 with r = 1, which no distance exceeds; the second formula: it is used where its bound is at "
                 "least 1, which the lemma as printed does not ask for",
         reading="under (4), so khat >= kappa >= 1 (T8.khat)", uses=("chaudhuri2011:lem-14",)),
    Step("T8.(6)",
         against=(Claim("w in (0, 1]", "", "w/2 < w"), Claim("w in (0, 1]", "", "w/2 > 0")),
         because="H = {h_w: 0 < w <= 1}, D = U uniform on [0, 1] (d_U = 1, kappa = 1), all labels +1: err(h_w) = w, "
                 "and h_{w/2} errs less; the infimum 0 is not attained",
         reading="h* minimises err over H, as the paragraph before supposes; arbitrary H",
         uses=("chaudhuri2011:lem-19",),
         erratum=Erratum(
             quotes="Suppose that h* in H minimizes err(h) over h in H.",
             explanation="For infinite H the minimum need not exist; theorem 8 speaks of the infimum.",
             severity="slip"),
         repair=Repair(
             "some g_0 in G has err(g_0) <= inf_H err + eps/4", "statement",
             claims=(Claim("g in Z[0, 1]; h in Z[0, 1]; y in Z[0, 1]", "", "abs(g - y) <= abs(h - y) + abs(h - g)"),
                     Claim("g0 in [0, 1]; h in [0, 1]; rho in [0, 1]; least in [0, 1]; eps in (0, 1); tau in (0, 1)",
                           "g0 <= h + rho; h <= least + tau; rho <= eps/4", "g0 <= least + eps/4 + tau"),
                     Claim("g in [0, 1]; bound in [0, 2]; tau in (0, 1)", "g > bound; tau <= (g - bound)/2",
                           "g > bound + tau")),
             because="point by point and on average; for each tau > 0 some member of G is within eps/4 of an h with "
                     "err(h) <= inf + tau; G is finite, so if all of G erred by more than inf + eps/4 a small tau "
                     "would be exceeded by all",
             uses=("chaudhuri2011:lem-19",), downstream="thm-8 holds with the infimum, inf err in place of err(h*).")),
    Step("T8.hoeff",
         against=(_ONE_RECORD_4,
                  Claim("C in [1, inf); N in [1, inf)", "", f"2*N*exp(-1*{_NEAR_1}^2/32) > {_NEAR_1}/2")),
         because=_WHY_NEAR_1 + ", and there 2 #G exp(-m eps^2/32) is above 1 and delta/2 below 1/2",
         witness=instances.one_record_meets_the_conditions,
         erratum=Erratum(
             quotes="we have that for a large enough value of the constant C in Equation (4), Pr[E] <= |G| max_g "
                    "Pr[...] <= 2 |G| exp(-|S| eps^2/32) <= delta/2.",
             explanation=_EPS_NEAR_1, severity="edge"),
         repair=Repair(
             "for khat >= (21/20) eps, so for all eps <= 20/21, with C = 2848", "domain",
             claims=(
                 Claim("a in [0, 1]; b in [0, 1]; k in Z[0, inf); most in [0, 1]", "a <= k*most; b <= most",
                       "a + b <= (k + 1)*most"),
                 Claim("s in (-inf, inf); y in [-1, 1]", "", "exp(s*y) <= (1 + y)/2*exp(s) + (1 - y)/2*exp(-s)"),
                 Claim("s in (-inf, inf)", "", "(exp(s) + exp(-s))/2 <= exp(s^2/2)"),
                 Claim("m in Z[1, inf); eps in (0, 1)", "", "m*(eps/4)^2/2 - (eps/4)*m*(eps/4) = -m*eps^2/32"),
                 _FROM_4, _T_LARGE,
                 Claim(_LOG_SIZES, "log(N) <= d*(log(16) + T); z >= 2848*(d*T + L)", "log(4) + log(N) + L <= z/32",
                       _LOGS),
                 Claim("N in [1, inf); delta in (0, 1); z in (0, inf)", "z >= 32*log(4*N/delta)",
                       "2*N*exp(-z/32) <= delta/2",
                       ("have 4*N/delta > 1", "have exp(z/32) >= 4*N/delta", "have exp(-z/32) <= delta/(4*N)")),
             ),
             because="the union over G; y = mistake - err(g) in [-1, 1] has mean 0, so E exp(s y) <= exp(s^2/2), for "
                     "either sign; m records and s = eps/4 in Markov's inequality; then (4) with z = m eps^2, T = "
                     "log(khat/eps) and T8.size",
             uses=("chaudhuri2011:lem-14",),
             downstream="khat < (21/20) eps is left to T8.c6; with C = 2848 for all eps, see there.")),
    Step("T8.unif",
         claims=(Claim("err in [0, 1]; seen in [0, 1]; eps in (0, 1)", "abs(err - seen) <= eps/4",
                       "err <= seen + eps/4"),
                 Claim("err in [0, 1]; seen in [0, 1]; eps in (0, 1)", "abs(err - seen) <= eps/4",
                       "err >= seen - eps/4")),
         because="h_A and g_0 are in G"),
    Step("T8.c1",
         claims=(Claim("out in [0, 1]; g0 in [0, 1]; star in [0, 1]; eps in (0, 1)",
                       "g0 <= star + eps/4; out > star + eps",
                       "out > g0 + 3*eps/4"),),
         because="one event contains the other, by (6) (the paper says (7))"),
    Step("T8.c2",
         claims=(Claim("both in [0, 1]; only in [0, 1]; E in [0, 1)", "both <= E; only <= 1 - E",
                       "both + only <= E + only/(1 - E)"),),
         because="both, only: the event with E and without E",
         reading="Pr[E] < 1, so that the condition can be asked for"),
    Step("T8.c3",
         claims=(Claim("out in [0, 1]; g0 in [0, 1]; outS in [0, 1]; g0S in [0, 1]; eps in (0, 1)",
                       "out <= outS + eps/4; g0 >= g0S - eps/4; out > g0 + 3*eps/4", "outS > g0S + eps/4"),
                 Claim("E in [0, 1]; p in [0, 1]; q in [0, 1]; delta in (0, 1)", "E <= delta/2; p <= q",
                       "E + p <= delta/2 + q")),
         because="one event contains the other on not-E, by T8.unif", reading="with Pr[E] <= delta/2 from T8.hoeff"),
    Step("T8.c4",
         claims=(Claim("alpha in (0, 1); m in Z[1, inf); outS in [0, 1]; g0S in [0, 1]; eps in (0, 1)",
                       "outS > g0S + eps/4",
                       "alpha*m*outS/2 >= alpha*m*g0S/2 + alpha*m*eps/8", ("have alpha*m*(outS - g0S - eps/4) >= 0",)),
                 Claim("p in [0, 1]; bound in [0, inf); delta in (0, 1)", "p <= bound",
                       "delta/2 + p <= delta/2 + bound")),
         because="lem-18, part 2, at t = alpha m eps/8, for each sample", uses=("chaudhuri2011:lem-18",)),
    Step("T8.c5",
         claims=(Claim("N in [1, inf); most in [1, inf); x in (0, 1); delta in (0, 1)", "N <= most",
                       "delta/2 + N*x <= delta/2 + most*x"),),
         because="T8.size"),
    Step("T8.c6",
         against=(_ONE_RECORD_4,
                  Claim("C in [1, inf); khat in [1, inf)", "",
                        f"{_NEAR_1}/2 + (16*khat/{_NEAR_1})^1*exp(-(1/2)*1*{_NEAR_1}/8) > {_NEAR_1}",
                        ("have exp(-1/(16*C)) <= 1", "have 16*khat/exp(-1/(16*C)) >= 16",
                         "have exp(-(1/2)*1*exp(-1/(16*C))/8) >= 9/10"))),
         because=_WHY_NEAR_1 + ", and then (16 khat/eps)^1 exp(-alpha eps/8) is above 14",
         witness=instances.one_record_meets_the_conditions,
         erratum=Erratum(
             quotes="<= delta/2 + (16 khat/eps)^{d_U} exp(-alpha |S| eps/8) <= delta ... the final three inequalities "
                    "follow from Lemma 18 ..., the upper bound on |G|, and the lower bound on m in (4).",
             explanation=_EPS_NEAR_1, severity="edge"),
         repair=Repair(
             "with C = 2848: the bound is at most delta where khat >= (21/20) eps, and where khat < (21/20) eps at "
             "most one member of G errs by more than inf err + eps, and is chosen with probability at most "
             "delta", "statement",
             claims=(
                 _FROM_4_ALPHA, _T_LARGE,
                 Claim(_LOG_SIZES, "log(N) <= d*(log(16) + T); z >= 2848*(d*T + L)", "log(2) + log(N) + L <= z/8",
                       _LOGS),
                 Claim("N in [1, inf); delta in (0, 1); z in (0, inf)", "z >= 8*log(2*N/delta)",
                       "delta/2 + N*exp(-z/8) <= delta",
                       ("have 2*N/delta > 1", "have exp(z/8) >= 2*N/delta", "have exp(-z/8) <= delta/(2*N)")),
                 *_ONE_BAD,
                 Claim("alpha in (0, 1); m in Z[1, inf); eps in (0, 1); L in (0, inf); X in (0, inf)",
                       "alpha*eps*m >= 2848*X; L <= X", "exp(-alpha*m/8)/2 <= exp(-L)",
                       ("have alpha*m*(1 - eps) >= 0", "have alpha*m/8 >= L")),
             ),
             because="z = alpha eps m. In the second case: " + _WHY_ONE_BAD + ", and delta = exp(-L), X = d T + L",
             uses=("chaudhuri2011:lem-14",),
             downstream="thm-8 holds for all alpha, eps, delta in (0, 1), with C = 2848.")),
    # Theorem 9
    Step("T9.(7)",
         claims=(Claim("g in Z[0, 1]; h in Z[0, 1]; y in Z[0, 1]", "", "abs(g - y) <= abs(h - y) + abs(h - g)"),
                 Claim("star in [0, 1]; rho in [0, 1]; eps in (0, 1)", "star <= 0; rho <= eps/4",
                       "star + rho <= eps/4")),
         because="point by point, and on average; G is an eps/4-cover for rho_D", uses=("chaudhuri2011:lem-19",)),
    Step("T9.chern1",
         claims=(_MOMENT,
                 Claim("", "", "(1/10)*(9/10) + (exp(-1/10) - 1) <= -1/400"),
                 Claim("p in (0, 1]; m in Z[1, inf)", "",
                       "(1/10)*(9/10)*m*p + m*p*(exp(-1/10) - 1) <= -m*p/400",
                       ("have (1/10)*(9/10) + (exp(-1/10) - 1) <= -1/400",)),
                 Claim("p in (0, 1]; m in Z[1, inf); eps in (0, 1)", "p >= eps", "exp(-m*p/400) <= exp(-m*eps/400)")),
         because="X ~ Bin(m, p) has E exp(-X/10) <= exp(m p (exp(-1/10) - 1)), and Markov's inequality bounds Pr[X <= "
                 "(9/10) m p]"),
    Step("T9.union",
         against=(_ONE_RECORD_5, Claim("C in [1, inf); N in [1, inf)", "", f"exp(-1*{_NEAR_1}/400) > {_NEAR_1}/(4*N)",
                                       ("have exp(-1/(16*C)) <= 1", "have exp(-1*exp(-1/(16*C))/400) >= 9/10",
                                        "have exp(-1/(16*C))/(4*N) <= 1/4"))),
         because=_WHY_NEAR_1 + ", and exp(-m eps/400) is above 9/10, delta/(4 #G) at most 1/4",
         reading="G_1 is not empty (where it is, nothing is to be shown). Both bounds are garbled in the text "
                 "(delta/4^{|G_1|})",
         witness=instances.one_record_meets_the_conditions,
         erratum=Erratum(
             quotes="The quantity on the right hand side is at most delta/(4|G|) <= delta/(4|G_1|) for a large enough "
                    "constant C in Equation (5).", explanation=_EPS_NEAR_1, severity="edge", quality="reading",
             readings="Under none: the text has delta/4^{|G_1|} twice, which is at most delta/4 as well."),
         repair=Repair(
             "for khat >= (21/20) eps, so for all eps <= 20/21, with C = 35600", "domain",
             claims=(
                 _FROM_5, _T_LARGE,
                 Claim(_LOG_SIZES, "log(N) <= d*(log(16) + T); z >= 35600*(d*T + L)", "log(4) + log(N) + L <= z/400",
                       _LOGS),
                 Claim("N in [1, inf); bad in [1, inf); delta in (0, 1); z in (0, inf)",
                       "z >= 400*log(4*N/delta); bad <= N",
                       "exp(-z/400) <= delta/(4*N) <= delta/(4*bad)",
                       ("link 0: have 4*N/delta > 1", "link 0: have exp(z/400) >= 4*N/delta")),
             ),
             because="z = m eps, T = log(khat/eps), T8.size", uses=("chaudhuri2011:lem-14",),
             downstream="khat < (21/20) eps is left to T9.d6; thm-9 with C = 35600.")),
    Step("T9.(8)",
         claims=(
             Claim("a in [0, 1]; b in [0, 1]; k in Z[0, inf); N in Z[1, inf); delta in (0, 1)",
                   "a <= k*(delta/(4*N)); b <= delta/(4*N)", "a + b <= (k + 1)*(delta/(4*N))"),
             Claim("N in Z[1, inf); delta in (0, 1)", "", "N*(delta/(4*N)) <= delta/4"),
             _MOMENT,
             Claim("p in (0, 1]; m in Z[1, inf); eps in (0, 1)", "p >= eps",
                   "(1/10)*(9/10)*m*eps + m*p*(exp(-1/10) - 1) <= -m*eps/400",
                   ("have exp(-1/10) <= 905/1000", "have exp(-1/10) - 1 <= -95/1000",
                    "have m*(p - eps) >= 0", "have m*p*(exp(-1/10) - 1) <= -m*p*95/1000")),
         ),
         because="the union over G_1, one member after the other. Not-E_1 also has err(g, S) = 9 eps/10, which "
                 "T9.chern1's event may lack where err(g) = eps; Chernoff's bound includes it (the last two formulas)",
         reading="with T9.union's bound exp(-m eps/400) <= delta/(4 #G_1)"),
    Step("T9.chern2",
         against=(Claim("m in Z[1, inf)", "", "1 - (1 - 1/(50*m))^m > (1/25)/4"),
                  Claim("m in Z[1, inf)", "", "1/(50*m) + sqrt(3*(1/(50*m))*log(4/(1/25))/m) < 1/m")),
         because="delta = 1/25, err(g_0) = 1/(50 m), for every size m (thresholds, D = U uniform, h* at a distance "
                 "1/(50 m) from g_0): one mistake among m records is more than the line allows, and has a probability "
                 "above delta/4; err(g_0) <= eps/4 for m >= 2/(25 eps), so under (5) as well",
         witness=instances.one_mistake_is_too_many,
         erratum=Erratum(
             quotes="From a standard multiplicative Chernoff bound, with probability at least 1 - delta/4, err(g_0,S) "
                    "<= err(g) + sqrt(3 err(g) ln(4/delta)/|S|)",
             explanation="Chernoff's bound with the constant 3 is for deviations of at most the mean, m err(g_0) >= 3 "
                         "ln(4/delta); err(g_0) may be far below. At m err(g_0) = 1/50, delta = 1/25 one mistake has "
                         "probability of at least 0.0198 and exceeds the bound.", severity="gap", quality="reading",
             readings="Under none: \"err(g)\" is err(g_0), which the next inequality bounds by eps/4."),
         repair=Repair(
             "with probability at least 1 - delta/4, err(g_0,S) <= (e - 1) err(g_0) + ln(4/delta)/m", "statement",
             claims=(_MOMENT,
                     Claim("p in [0, 1]; m in Z[1, inf); delta in (0, 1)", "",
                           "exp(m*p*(e - 1) - m*((e - 1)*p + log(4/delta)/m)) = delta/4")),
             because="E exp(X) <= exp(m p (e - 1)) for X ~ Bin(m, p), and Markov's inequality",
             downstream="T9.(9) from it, for m >= (4/eps) log(4/delta).")),
    Step("T9.c2a",
         spelled=(("err(g_0)", "err"), ("ln", "log"), ("(3eps/4)", "(3*eps/4)")),
         claims=(Claim("err in [0, 1]; eps in (0, 1); delta in (0, 1); m in Z[1, inf)", "err <= eps/4",
                       "err + sqrt(3*err*log(4/delta)/m) <= eps/4 + sqrt((3*eps/4)*log(4/delta)/m)",
                       ("have log(4/delta) > 0", "have 3*err*log(4/delta)/m <= (3*eps/4)*log(4/delta)/m")),)),
    Step("T9.c2b",
         spelled=(("ln", "log"), ("(3eps/4)(eps/3)", "(3*eps/4)*(eps/3)"), ("(3eps/4)", "(3*eps/4)"),
                  ("= 3eps/4", "= 3*eps/4")),
         claims=(Claim("eps in (0, 1); delta in (0, 1); m in Z[1, inf)", "m >= (3/eps)*log(4/delta)",
                       "eps/4 + sqrt((3*eps/4)*log(4/delta)/m) <= eps/4 + sqrt((3*eps/4)*(eps/3)) = 3*eps/4",
                       ("link 1: have sqrt((3*eps/4)*(eps/3))/eps <= 1/2",
                        "link 1: have sqrt((3*eps/4)*(eps/3))/eps >= 1/2",
                        "link 1: have sqrt((3*eps/4)*(eps/3)) <= eps/2",
                        "link 1: have sqrt((3*eps/4)*(eps/3)) >= eps/2")),)),
    Step("T9.(9)",
         against=(Claim("", "", "90000 >= (3/(1/100))*log(4/(4*(46/125)^300))"),
                  Claim("", "",
                        "338*log(90000*89325) - (676*log(676) - 676 + log(2*pi*676)/2 + 1/(12*676)) + 676*log(1/400) + "
                                "89324*log(399/400) > log(4*(46/125)^300/4)")),
         because="eps = 1/100, err(g_0) = eps/4, m = 90000, delta = 4 (46/125)^300: 676 mistakes are more than 3 eps "
                 "m/4 = 675, and exactly so many have a probability above delta/4: in logarithms, with m (m-1) ... "
                 "(m-k+1) >= (m (m-k+1))^(k/2), k = 676, and Stirling's upper bound for k!",
         reading="\"if |S| >= (3/eps) log(4/delta)\"",
         witness=instances.too_many_mistakes,
         erratum=Erratum(
             quotes="Thus, if |S| >= (3/eps) log(4/delta), which is the case due to Equation (5), Pr[not E_2] = "
                    "Pr[err(g_0,S) > 3eps/4] <= delta/4. (9)",
             explanation="At err(g_0) = eps/4 the tail has the exponent m KL(3eps/4, eps/4), for small eps (3 log 3 - "
                         "2) m eps/4 = 0.324 m eps, and log(4/delta) may be m eps/3: for small eps and delta the tail "
                         "is above delta/4. Nor does (5) give this size near eps = delta = 1 "
                         "(T9.union).", severity="constant"),
         repair=Repair(
             "if m >= (4/eps) log(4/delta), which (5) gives for khat >= (21/20) eps with C = 35600", "constant",
             claims=(_MOMENT,
                     Claim("m in Z[1, inf); eps in (0, 1); p in [0, 1]", "p <= eps/4",
                           "m*p*(3 - 1) - log(3)*(3*m*eps/4) <= -m*eps/4",
                           ("have log(3) >= 1", "have m*p <= m*eps/4", "have log(3)*(3*m*eps/4) >= 3*m*eps/4")),
                     Claim("z in (0, inf); delta in (0, 1)", "z >= 4*log(4/delta)", "exp(-z/4) <= delta/4",
                           ("have 4/delta > 1", "have exp(z/4) >= 4/delta")),
                     _FROM_5, _T_LARGE,
                     Claim("d in [1, inf); T in [1/21, inf); L in (0, inf); z in (0, inf)", "z >= 35600*(d*T + L)",
                           "z >= 4*(log(4) + L)", ("have log(4) <= 1387/1000", "have d*T >= 1/21"))),
             because="X ~ Bin(m, p) has E 3^X <= exp(2 m p), and Markov's inequality at 3 m eps/4; z = m eps, T = "
                     "log(khat/eps)",
             downstream="thm-9 with C = 35600.")),
    Step("T9.d1",
         claims=(Claim("inner in [0, 1]; outer in [0, 1]; both in (0, 1]; not1 in [0, 1]; not2 in [0, 1]",
                       "inner <= both; outer <= 1 - both; 1 - both <= not1 + not2",
                       "inner + outer <= inner/both + not1 + not2"),),
         because="inner, outer: the event with E_1 and E_2, and without; both = Pr[E_1 and E_2]",
         reading="Pr[E_1 and E_2] > 0, so that the condition can be asked for"),
    Step("T9.d2",
         claims=(Claim("outS in [0, 1]; g0S in [0, 1]; eps in (0, 1)", "outS > 9*eps/10; g0S <= 3*eps/4",
                       "outS > g0S + (9/10-3/4)*eps"),
                 Claim("p in [0, 1]; q in [0, 1]; not1 in [0, 1]; not2 in [0, 1]; delta in (0, 1)",
                       "p <= q; not1 <= delta/4; not2 <= delta/4", "p + not1 + not2 <= q + delta/4 + delta/4")),
         because="err(h_A) > eps puts h_A in G_1, and E_1, E_2 hold", reading="with (8) and (9)"),
    Step("T9.d3",
         spelled=(("(9/10-3/4)eps = 3eps/20", "(9/10-3/4)*eps = 3*eps/20"),),
         claims=(Claim("eps in (0, 1)", "", "(9/10-3/4)*eps = 3*eps/20"),
                 Claim("delta in (0, 1)", "", "delta/4+delta/4 = delta/2"))),
    Step("T9.d4",
         against=(Claim("C in [1, inf); m in Z[40, inf)", "m >= 40*C",
                        "m >= C*(1/((3*C/m)*(1/2)))*(1*log(1/(1/2)) + log(1/(1/2)))"),
                  Claim("C in [1, inf); m in Z[40, inf)", "m >= 40*C",
                        "1/(1 + exp((3*C/m)*m/2)) > 2*exp(-3*(1/2)*m/20)")),
         because="H = {h, its complement} (d_U = 1), labels h, D = U (kappa = 1), eps = delta = 1/2, alpha = 3C/m for "
                 "any m >= 40C: (5) holds, G = H, and step 3 returns the complement, whose error is 1 on every sample, "
                 "with probability 1/(1 + exp(alpha m/2)); C >= 1 (for smaller C the instance of C = 1)",
         witness=instances.a_hypothesis_and_its_complement, uses=("chaudhuri2011:lem-18",),
         erratum=Erratum(
             quotes="<= |G| exp(-3 eps |S|/20) + delta/2 ... the fourth step follows from Lemma 18",
             explanation="Step 3 weighs by exp(-alpha |S| err/2), so Lemma 18 gives |G| exp(-3 alpha eps |S|/40): "
                         "alpha and the factor 1/2 are missing.", severity="constant"),
         repair=Repair(
             "<= #G exp(-3 alpha eps m/40) + delta/2", "constant",
             claims=(Claim("alpha in (0, 1); m in Z[1, inf); outS in [0, 1]; g0S in [0, 1]; eps in (0, 1)",
                           "outS > g0S + 3*eps/20",
                           "alpha*m*outS/2 >= alpha*m*g0S/2 + 3*alpha*eps*m/40",
                           ("have alpha*m*(outS - g0S - 3*eps/20) >= 0",)),
                     Claim("p in [0, 1]; bound in [0, inf); delta in (0, 1)", "p <= bound",
                           "p + delta/2 <= bound + delta/2")),
             because="lem-18, part 2, at t = 3 alpha eps m/40, for each sample", uses=("chaudhuri2011:lem-18",),
             downstream="T9.d5 and T9.d6 with this exponent; (5) still suffices.")),
    Step("T9.d5",
         claims=(Claim("N in [1, inf); most in [1, inf); x in (0, 1); delta in (0, 1)", "N <= most",
                       "N*x + delta/2 <= most*x + delta/2"),
                 Claim("khat in [1, inf); eps in (0, 1)", "", "4*1/(eps/(4*khat)) = 16*khat/eps"),
                 Claim("khat in [1, inf); eps in (0, 1)", "", "eps/(4*khat) <= 4*1")),
         because="as T8.size, under (5)", uses=("chaudhuri2011:lem-14",)),
    Step("T9.d6",
         against=(_ONE_RECORD_5,
                  Claim("C in [1, inf); khat in [1, inf)", "",
                        f"(16*khat/{_NEAR_1})^1*exp(-3*{_NEAR_1}*1/20) + {_NEAR_1}/2 > {_NEAR_1}",
                        ("have exp(-1/(16*C)) <= 1", "have 16*khat/exp(-1/(16*C)) >= 16",
                         "have exp(-3*exp(-1/(16*C))*1/20) >= 8/10"))),
         because=_WHY_NEAR_1 + ", and (16 khat/eps)^1 exp(-3 eps/20) is above 12",
         witness=instances.one_record_meets_the_conditions,
         erratum=Erratum(
             quotes="<= delta/2 + delta/2 = delta. ... the final step from Equation (5).", explanation=_EPS_NEAR_1,
             severity="edge"),
         repair=Repair(
             "with C = 35600 and the exponent of T9.d4's repair: at most delta where khat >= (21/20) eps; where khat < "
             "(21/20) eps at most one member of G errs by more than eps, and is chosen with probability at most "
             "delta", "statement",
             claims=(
                 _FROM_5_ALPHA, _T_LARGE,
                 Claim(_LOG_SIZES, "log(N) <= d*(log(16) + T); z >= 35600*(d*T + L)", "log(2) + log(N) + L <= 3*z/40",
                       _LOGS),
                 Claim("N in [1, inf); delta in (0, 1); z in (0, inf)", "z >= (40/3)*log(2*N/delta)",
                       "N*exp(-3*z/40) + delta/2 <= delta/2 + delta/2 = delta",
                       ("link 0: have 2*N/delta > 1", "link 0: have exp(3*z/40) >= 2*N/delta",
                        "link 0: have exp(-3*z/40) <= delta/(2*N)")),
                 *_ONE_BAD,
                 Claim("alpha in (0, 1); m in Z[1, inf); eps in (0, 1); L in (0, inf); X in (0, inf)",
                       "alpha*eps*m >= 35600*X; L <= X", "exp(-alpha*m/8)/2 <= exp(-L)",
                       ("have alpha*m*(1 - eps) >= 0", "have alpha*m/8 >= L")),
             ),
             because="z = alpha eps m. In the second case, with inf err = 0: " + _WHY_ONE_BAD
                     + ", and delta = exp(-L), X = d T + L",
             uses=("chaudhuri2011:lem-14",),
             downstream="thm-9 holds for all alpha, eps, delta in (0, 1), with C = 35600.")),
    # Examples: measures of the sphere
    Step("L20.measure",
         claims=(
             Claim("s in [0, 1]; g in (0, 1); t in [-1, 1]", "t >= g; 2*g^2 <= 1", "s^2 - 2*s*g*t + g^2 <= 1 - g^2"),
             Claim("s in [0, 1]; g in (0, 1); t in [-1, 1]", "t >= g",
                   "s^2 - 2*s*(1/(2*g))*t + (1/(2*g))^2 <= (1/(2*g))^2",
                   ("have t/g >= 1", "have s*(t/g) >= s", "have s^2 <= s")),
             Claim("n in Z[2, inf); g in (0, 1)", "", "(n/2)*log(1 - g^2) <= -n*g^2/2",
                   ("lemma log_below x = 1 - g^2",)),
             Claim("n in Z[2, inf); g in (0, 1)", "2*g^2 >= 1", "-n*log(2*g) <= -n*g^2/2"),
             Claim("above in [0, 1]; below in [0, 1]; b in [0, 1]", "above <= b; below <= b",
                   "1 - (above + below) >= 1 - 2*b"),
         ),
         because="Ball's argument: the measure of the cap {u.x >= g} is the volume of the cone over it in the unit "
                 "ball, divided by that ball's. A point s x of the cone (t = u.x) lies in the ball around g u of "
                 "radius sqrt(1 - g^2) where 2 g^2 <= 1, and in the one around u/(2g) of radius 1/(2g) always; so the "
                 "cap has measure at most (1 - g^2)^(n/2), or (2g)^-n, and both are at most exp(-n g^2/2) (in "
                 "logarithms). Not-W lies in two such caps",
         needed="volumes of balls and cones in n dimensions"),
    Step("L20.div",
         against=(_HALF_ARC,),
         because="n = 2, gamma = 1/2, A = W: D(A) = 1, U(A) = 1/3, and 1 - 2 exp(-n gamma^2/2) is negative",
         witness=instances.a_third_of_the_circle,
         erratum=Erratum(
             quotes="Thus, for any set A subset S^{n-1}, we have ... = Pr_{x~U}[x in A and W]/Pr_{x~U}[x in W] <= "
                    "Pr_{x~U}[x in A]/(1 - 2exp(-n gamma^2/2)).",
             explanation="The denominator is negative for n gamma^2 < 2 log 2, and the quotient no upper "
                         "bound.", severity="edge"),
         repair=Repair(
             "for n gamma^2 > 2 log 2", "domain",
             claims=(Claim("z in (0, inf)", "z > 2*log(2)", "1 - 2*exp(-z/2) > 0", ("have exp(z/2) > 2",)),
                     Claim("inter in [0, 1]; whole in [0, 1]; W in (0, 1]; b in (0, 1]", "inter <= whole; W >= b",
                           "inter/W <= whole/b")),
             because="z = n gamma^2, W = U(W) >= b = 1 - 2 exp(-z/2)", downstream="lem-20 and ex-2 for these widths.")),
    Step("L21.measure",
         claims=(
             Claim("y in (0, 1)", "", "(2*y*sqrt(1 - y^2))^2 + (1 - 2*y^2)^2 = 1"),
             Claim("gamma in (0, 1)", "", "1 - 2*((1 - gamma)/2) = gamma"),
             Claim("b in (0, 1); z in (0, 1); k in [0, inf)", "", "k*log(1 - z^2) <= k*log(1 - b^2*z^2)",
                   ("have b^2 <= 1", "have b^2*z^2 <= z^2", "lemma log_increases x = 1 - z^2; y = 1 - b^2*z^2")),
             Claim("", "", "1 >= (1/2)*(pi/2)"),
             Claim("b in (0, 1); z in (0, 1)", "", "1 <= 1/sqrt(1 - b^2*z^2)"),
             Claim("part in [0, inf); full in (0, inf); x in (0, 1)", "part >= (1/2)*full", "x*part/((1/2)*full) >= x"),
         ),
         because="the density of the angle f from u is proportional to sin(f)^(n-2); with y = sin(f/2), sin f = 2y "
                 "sqrt(1 - y^2) and df = 2 dy/sqrt(1 - y^2), it is proportional to g(y) = y^(n-2) (1 - y^2)^((n-3)/2), "
                 "and cos f >= gamma is y <= b = sqrt((1 - gamma)/2). U(not W) is the integral of g up to b over half "
                 "of that up to 1, and y = b z turns the former into b^(n-1) times part, the integral of z^(n-2) (1 - "
                 "b^2 z^2)^((n-3)/2) over (0, 1). For n >= 3 part is at least full, point by point (k = (n-3)/2); for "
                 "n = 2 part is at least 1, and full is pi/2. So U(not W) >= b^(n-1)",
         reading="n >= 2",
         needed="integrals of densities, and a change of variables in them"),
    Step("L21.div",
         claims=(Claim("inter in [0, 1]; whole in [0, 1]; cap in (0, 1]; b in (0, 1]", "inter <= whole; cap >= b",
                       "inter/cap <= whole/b"),
                 Claim("n in Z[2, inf); gamma in (0, 1)", "", "exp(((n - 1)/2)*log((1 - gamma)/2)) > 0")),
         because="cap = U(S \\ W), b the bound of L21.measure"),
)

_A1 = ("dpcheck.papers.chaudhuri2011.learners:ReferenceLearner",)
_PROPERTY = "properties/test_chaudhuri2011.py"
_LEARNERS = "tests/papers/chaudhuri2011/test_learners_chaudhuri2011.py"
_METRIC = "properties/test_classes_metric.py"
_SETTING = (
    "d_U > 0 (two hypotheses at a positive distance under U; where d_U = 0 step 1 has no solution, and any hypothesis "
    "will do); G is chosen from m, U and the parameters alone; samples have multiplicity"
)

THEOREMS = (
    Theorem("chaudhuri2011:def-6", "Smoothness of a distribution with respect to another", stated=True),
    Theorem("chaudhuri2011:obs-4.a", "Absolute continuity and smoothness",
            against=(Claim("kappa in [1, inf)", "", "sqrt(1/(4*kappa^2)) > kappa*(1/(4*kappa^2))"),),
            witness=instances.a_density_without_bound,
            erratum=Erratum("if D is absolutely continuous with respect to U (i.e., U assigns zero probability to a "
                            "set only if D does also), then D is kappa-smooth with respect to U for some finite kappa.",
                            "U uniform on [0, 1], D with the density 1/(2 sqrt(x)): D([0, a]) = sqrt(a) is above kappa "
                            "a at a = 1/(4 kappa^2), for every kappa.", "false"),
            claims=(Claim("density1 in [0, inf); density2 in [0, inf); U1 in [0, 1]; U2 in [0, 1]; kappa in [1, inf)",
                          "density1 <= kappa; density2 <= kappa", "density1*U1 + density2*U2 <= kappa*(U1 + U2)"),),
            assumptions="the claim is the repaired statement: D(A) is the mean of the density over A, two values at a "
                        "time",
            repaired_statement="if D has a density with respect to U that is bounded by kappa", proved_by=""),
    Theorem("chaudhuri2011:obs-4.b", "Finite VC dimension and doubling dimension",
            against=(Claim("k in Z[1, inf)", "", "4^(-k) + 4^(-k) <= 2*4^(-k)"),
                     Claim("k in Z[1, inf); mass in (0, 1)", "", "4^(-k) + mass > (2*4^(-k))/2"),
                     Claim("k in Z[1, inf)", "", "2^k*4^(-k) = 2^(-k)", ("have 4^(-k) = 2^(-k)*2^(-k)",))),
            witness=instances.singletons_in_blocks,
            erratum=Erratum("any hypothesis class with finite VC dimension will satisfy this condition for any "
                            "unlabeled data distribution U.",
                            "Singletons (VC dimension 1) over blocks k = 1, 2, ... of 2^k points of mass 4^-k each: "
                            "those of block k lie in one ball of radius 2 4^-k, and each ball of half the radius holds "
                            "at most one of them (its distance to any other singleton is above 4^-k), so the doubling "
                            "dimension at that scale is at least k, and over all scales infinite.", "false"),
            claims=(Claim("N in [1, inf); r in (0, 1]; n in Z[1, inf)", "n >= (4/r)*log(N)",
                          "2*log(N) + n*log(1 - r/2) <= 0",
                          ("lemma log_below x = 1 - r/2", "have n*r >= 4*log(N)", "have n*log(1 - r/2) <= -n*r/2")),
                    Claim("x in [0, inf); r in (0, 1]; V in Z[1, inf)", "x <= V*log(4*x/r + 2)",
                          "x <= r/2 + 2*V*(log(8*V/r) - 1)",
                          ("lemma log_tangent x = 4*x/r + 2; c = 8*V/r",
                           "have V*log(4*x/r + 2) <= x/2 + r/4 + V*(log(8*V/r) - 1)"))),
            assumptions="the repaired statement: of N hypotheses at distances above r/2, two agree on n independent "
                        "points with probability at most N^2/2 (1 - r/2)^n, which is below 1 for n >= (4/r) log N; so "
                        "some n <= (4/r) log N + 1 points tell all N apart, N <= sum_{i<=V} C(n, i) <= (n + 1)^V, and "
                        "x = log N is bounded. A largest packing of a ball is a cover of it (for scales above 1 take r "
                        "= 1)",
            repaired_statement="the doubling dimension at each scale r > 0 is finite (the supremum over all scales "
                               "need not be)",
            proved_by="", checks=(_METRIC,)),
    Theorem("chaudhuri2011:thm-7", "A1 is alpha-private",
            assumptions="G is chosen from m, U and the parameters alone; samples have multiplicity, and their size is "
                        "public",
            steps=("T7.sens", "A1.exists"), proved_by="repaired", learners=_A1, checks=(_PROPERTY, _LEARNERS)),
    Theorem("chaudhuri2011:thm-8", "A1 learns in the agnostic case",
            bounds=bounds_of("chaudhuri2011", "agnostic"), assumptions=_SETTING,
            steps=("T8.khat", "T8.size", "T8.(6)", "T8.hoeff", "T8.unif", "T8.c1", "T8.c2", "T8.c3", "T8.c4", "T8.c5",
                   "T8.c6"),
            repaired_statement="as printed for d_U > 0, with C = 2848", proved_by="repaired", learners=_A1,
            checks=(_LEARNERS,)),
    Theorem("chaudhuri2011:thm-9", "A1r learns in the realisable case",
            bounds=bounds_of("chaudhuri2011", "realisable"), assumptions=_SETTING,
            steps=("T8.khat", "T9.(7)", "T9.chern1", "T9.union", "T9.(8)", "T9.chern2", "T9.c2a", "T9.c2b", "T9.(9)",
                   "T9.d1", "T9.d2", "T9.d3", "T9.d4", "T9.d5", "T9.d6"),
            repaired_statement="as printed for d_U > 0, with C = 35600", proved_by="repaired", learners=_A1,
            checks=(_LEARNERS,)),
    Theorem("chaudhuri2011:ex-1", "Thresholds under concentrated distributions",
            bounds=bounds_of("chaudhuri2011", "thresholds"), tightness=tightness_of("chaudhuri2011:ex-1"),
            steps=("X1.ddim", "X1.kappa", "X1.req"),
            uses=("chaudhuri2011:thm-8", "chaudhuri2011:thm-5"), against=(_REQUIREMENT, _REQUIREMENT_ANY),
            erratum=Erratum("the sample requirement of Algorithm A_1 ... is at most C . (1/(eps alpha) + 1/eps^2) . "
                            "(alpha M + log(1/delta))",
                            "(4) at this kappa is above it for all parameters with the same C; with another C on the "
                            "right at alpha = eps = 1/2, M = 1/C, delta = exp(-1/C): log(1/eps) and a constant are "
                            "missing.", "constant"),
            repaired_statement="at most C (1/(eps alpha) + 1/eps^2) (alpha M + log(8/eps) + log(1/delta)), which is of "
                               "order M for constant eps where alpha M >= 1",
            learners=_A1, checks=(_PROPERTY, _LEARNERS)),
    Theorem("chaudhuri2011:ex-2", "Separators under a band around the equator", steps=("X2.rate",),
            uses=("chaudhuri2011:thm-8", "chaudhuri2011:lem-20"), against=(_BAND,),
            claims=_SPHERE, assumptions=_WHY_SPHERE,
            erratum=Erratum("When n is large and gamma >= 1/sqrt(n), this bound is O~(n/(alpha eps) + n/eps^2)",
                            "At gamma = 1/sqrt(n) the bound is the logarithm of a negative number, for every n.",
                            "constant"),
            repaired_statement="with the smoothness 1/U(W), which is at most 2 for gamma >= 1/sqrt(n), n >= 2; the "
                               "printed smoothness for n gamma^2 > 2 log 2", learners=_A1),
    Theorem("chaudhuri2011:ex-3", "Separators under two opposite caps", steps=("X3.rate",),
            uses=("chaudhuri2011:thm-8", "chaudhuri2011:lem-21"),
            claims=(*_SPHERE,
                    Claim("n in Z[2, inf); g in (0, inf); a in (0, inf); L in (0, inf); C in (0, inf); q in (0, inf)",
                          "",
                          "C*q*(n*(((n - 1)/2)*g + a) + L) <= C*q*(n^2*g + n*a + L)",
                          ("have n*(((n - 1)/2)*g + a) + L <= n^2*g + n*a + L",)),
                    Claim("n in Z[2, inf); g in (0, inf); a in (0, inf); L in (0, inf)", "",
                          "n^2*g + n*a + L <= n^2*(1 + g)*(1 + a)*(1 + L)")),
            assumptions="g = log(2/(1 - gamma)), a = log(1/eps), L = log(1/delta), q = 1/(alpha eps) + 1/eps^2: the "
                        "requirement, and its order for constant gamma; " + _WHY_SPHERE, learners=_A1),
    Theorem("chaudhuri2011:lem-13", "A packing that is a cover",
            claims=_GREEDY,
            assumptions="the proof: by Zorn's lemma there is a packing to which no point can be added; a point that is "
                        "far (farther than eps) from all of it would make a larger packing", checks=(_METRIC,)),
    Theorem("chaudhuri2011:lem-14", "Sizes of packings from the doubling dimension",
            claims=(Claim("k in Z[1, inf); x in (1, inf); d in [0, inf)", "2^(k - 1) < x", "k*d*log(2) <= d*log(2*x)",
                          ("lemma log_increases x = 2^(k - 1); y = x", "have (k - 1)*log(2) <= log(x)",
                           "have d*(log(x) - (k - 1)*log(2)) >= 0")),
                    Claim("balls in [1, inf); B in [1, inf); power in [1, inf)", "balls <= power",
                          "balls*B <= power*B"),
                    Claim("eps in (0, inf); r in (0, inf); k in Z[0, inf); p in [0, inf); q in [0, inf)",
                          "2*r/eps <= 2^k; p <= r/2^k; q <= r/2^k", "p + q <= eps",
                          ("have 2*r <= eps*2^k", "have r/2^k <= eps/2")),
                    Claim("eps in (0, inf); r in (0, inf); d in [0, inf)", "eps <= 4*r; 2*r <= eps",
                          "0 <= d*log(4*r/eps)",
                          ("have 4*r/eps >= 1", "lemma log_increases x = 1; y = 4*r/eps"))),
            against=(Claim("", "", "(4*(1/8)/1)^1 < 1"),), witness=instances.a_packing_of_one,
            assumptions="the repaired lemma's proof: by induction B^k balls (power) of radius r/2^k cover B(z, r), B = "
                        "2^d, and for the least k with 2^k >= x = 2r/eps each holds at most one point of the packing; "
                        "where 2r <= eps the packing has one point",
            erratum=Erratum("For any eps > 0 and r > 0, if a metric space has doubling dimension d and z in Z, then "
                            "every eps-packing of B(z, r) has cardinality at most (4r/eps)^d.",
                            "A single point is a packing; for eps > 4r and d > 0 the bound is below 1. Two points at "
                            "distance 1 (d = 1), r = 1/8, eps = 1: the bound is 1/2.", "edge"),
            repaired_statement="for eps <= 4r (theorems 8 and 9 use it there)", checks=(_METRIC,)),
    Theorem("chaudhuri2011:lem-15", "A large packing in some ball", steps=("L15",), checks=(_METRIC,)),
    Theorem("chaudhuri2011:lem-16", "Uniform convergence of relative frequencies", cited="Vapnik & Chervonenkis 1971",
            claims=(Claim("a in [0, 1]; b in [0, 1]; c in [0, inf)", "a^2 - b^2 <= a*c", "a^2 <= b^2 + b*c + c^2",
                          ("case b + c - a",)),
                    Claim("s in [1, inf); delta in (0, 1); m in Z[1, inf)", "",
                          "4*s*exp(-m*((4/m)*(log(s) + log(4/delta)))/4) = delta")),
            assumptions="the two cited tails are at most 4 s exp(-m eps_m/4) = delta; each gives the second term of "
                        "its minimum from the first (a^2, b^2: the two means, c^2 = eps_m)"),
    Theorem("chaudhuri2011:lem-17", "Uniform convergence of disagreements", steps=("L17.sauer", "L17.eps"),
            uses=("chaudhuri2011:lem-16",), assumptions="V >= 1"),
    Theorem("chaudhuri2011:lem-18", "Tails of the exponential mechanism", steps=("L18.1", "L18.2"),
            checks=("tests/parts/test_choice.py",)),
    Theorem("chaudhuri2011:lem-19", "Covers under smoothness", steps=("L19",), checks=(_METRIC,)),
    Theorem("chaudhuri2011:lem-20", "Smoothness of a band", steps=("L20.measure", "L20.div"),
            against=(_HALF_ARC,), witness=instances.a_third_of_the_circle,
            erratum=Erratum("Then, D is 1/(1 - 2exp(-n gamma^2/2))-smooth with respect to U.",
                            "n = 2, gamma = 1/2: the number is negative.", "edge"),
            repaired_statement="for n gamma^2 > 2 log 2"),
    Theorem("chaudhuri2011:lem-21", "Smoothness of two opposite caps", steps=("L21.measure", "L21.div"),
            assumptions="n >= 2"),
)

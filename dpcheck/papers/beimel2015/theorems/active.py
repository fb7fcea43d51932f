"""beimel2015: active learners and transcripts (section 5).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems import active_instances as instances
from dpcheck.papers.beimel2015.theorems.boosting import AMPLIFIED, EPS_AT_MOST_1, ONE_EXAMPLE, ONE_EXAMPLE_BECAUSE
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_TWO_POINTS = (
    Claim("alpha in (0, 1/9]", "", "alpha < 2*alpha < 1"),
    Claim("h in Z[0, 1]", "", "(1/2)*abs(h - 0) + (1/2)*abs(h - 1) >= 1/2"),
)
_TWO_POINTS_BECAUSE = (
    "mu puts 2 alpha on the point 0 and the rest on the point 1, the target is c_0 or c_1, each with probability 1/2: "
    "they differ at 0 only, h is wrong there for one of them, and then its error is above alpha; B = {0}, for every d "
    ">= 1"
)
_RARE = Claim("alpha in (0, 1/9]; n in Z[1, inf)", "n >= 16/alpha", "n*(2*alpha)*(1 - 2*alpha)/(alpha*n)^2 <= 1/8",
              ("have alpha*n >= 16", "have n*(2*alpha)*(1 - 2*alpha) <= 2*alpha*n", "have 2*alpha*n <= (alpha*n)^2/8"))
#: Binary search among t labelled points of a random part of n: r = t/n.
_SEARCH = (
    Claim("r in [0, 1]; p1 in [0, 1]; q1 in [0, 1]; p0 in [0, 1]", "", "r*p1 + (1 - r)*p0 <= (r*q1 + (1 - r)*p0) + r"),
    Claim("alpha in (0, 1); t in Z[1, inf)", "t >= log(4)/alpha", "(1 - alpha)^t <= 1/4",
          ("have alpha*t >= log(4)", "lemma log_below x = 1 - alpha", "have t*log(1 - alpha) <= -log(4)",
           "have exp(t*log(1 - alpha)) <= exp(-log(4))")),
    Claim("c in (0, 1]; t in Z[1, inf)", "t <= log(4)/(c^2/10000) + 1", "t + 1 <= 14002/c^2",
          ("have log(4) <= 14/10", "have c^2*t <= 14000 + c^2")),
    Claim("u in [1, inf)", "", "log(14002*u^2) <= 12*u"),
    Claim("u in [1, inf); k in [0, inf)", "k*log(2) <= 12*u", "k + 1 < 10000*u",
          ("have log(2) >= 69/100", "have k*(69/100) <= 12*u")),
)
_SEARCH_BECAUSE = (
    "a learner that draws t = ceil(log(4)/alpha) of its n entries at random and searches among them for the threshold "
    "by halving: an entry matters only when it is drawn, so output and transcript together are (0, t/n)-private; it "
    "errs by more than alpha with probability at most (1 - alpha)^t <= 1/4; and it asks for at most log2(t + 1) + 1 "
    "labels (u = 1/c, k = log2(t + 1), c/alpha = 10000 u). For every delta > 0 let n >= t/delta: at alpha = c^2/10^4 "
    "(and c as small as one likes) that is below c/alpha"
)
_SEARCH_ERRATUM = (
    "The bound is m >= e^{-2 eps}(1 - 25 beta/9)/(9 alpha) - n delta (1 + e^{-eps}): nothing for delta >= 1/(9 alpha "
    "n), and with n >= (100/alpha^2) log(1/(alpha beta)) nothing for any delta that does not fall with alpha. For "
    "every delta > 0 binary search in a random part of t = ceil(log(4)/alpha) of n = ceil(t/delta) entries is a (0, "
    "delta)-private TPAL with about log2(1/alpha) labels."
)
_SEARCH_READINGS = (
    "It holds for delta = 0 and, as is usually asked, for delta <= 1/n, with a constant that depends on eps: no sample "
    "is made larger than 16/alpha then (repair). The printed bound gives it for delta = 0."
)
#: Probabilities of a proof whose premises T56.b and T56.34 are refuted: what follows from them is decided.
_FROM_THE_LINES_BEFORE = "an implication: the lines before (T56.b and T56.34, which are refuted) are taken as printed"

STEPS = (
    # Theorem 5.6
    Step("T56.n",
         claims=(Claim("E in [1, inf); delta in [0, 1]; p in [0, 1]", "", "p <= E*p + delta"),),
         because="a learner that runs A on its first entries and ignores the others is a TPAL with the same alpha, "
                 "beta, eps, delta and m for every larger n: an ignored entry changes nothing"),
    Step("T56.b",
         against=(Claim("", "", "8*(1/32)*2^1 < 1"), Claim("n in Z[1, inf)", "", "0 < 7*(1/32)*n")),
         because="d = 1, alpha = 1/32: B = {1, ..., 1/2} is empty and b = 0, for every n",
         reading="B = {1, ..., 8 alpha 2^d} holds the integers up to 8 alpha 2^d, for all alpha <= 1/9 and all d",
         erratum=Erratum(
             quotes="Standard arguments in learning theory (see Theorem B.6) state that with all but probability beta "
                    "<= 1/4 it holds that 7 alpha n <= b <= 9 alpha n.",
             explanation="For alpha < 2^{-d}/8 the set B is empty; where 8 alpha 2^d is no integer its mass is not 8 "
                         "alpha.",
             severity="gap", quality="reading",
             readings="It holds by thm-B.6 where 8 alpha 2^d is an integer from 1 to 2^d - 1."),
         repair=Repair("with mass 2 alpha on B = {0}: b <= 3 alpha n with probability at least 7/8, for n >= 16/alpha",
                       "statement", claims=(*_TWO_POINTS, _RARE),
                       because=_TWO_POINTS_BECAUSE + "; b is binomial with mean 2 alpha n, and Chebyshev's inequality",
                       downstream="see T56.solve.")),
    Step("T56.34",
         against=(Claim("", "", "8*(1/16)*2^4 = 8"), Claim("", "", "1/16 <= 1/9"), Claim("", "", "1 - 3/8 < 3/4")),
         because="d = 4, alpha = 1/16, B = {1, ..., 8}: the hypothesis c_4 is alpha-good for c_3, c_4 and c_5, three "
                 "of the eight targets",
         witness=instances.three_of_eight,
         erratum=Erratum(
             quotes="even given the labels of all x not in B, the target concept is distributed uniformly on B, and "
                    "the probability that A fails to output an alpha-good hypothesis is at least 3/4.",
             explanation="A hypothesis may be alpha-good for 2 alpha 2^d + 1 of the 8 alpha 2^d targets: the "
                         "probability is 5/8 at d = 4, alpha = 1/16, and 0 where B has one element. All that holds is "
                         "3/4 - 1/(8 alpha 2^d).",
             severity="constant"),
         repair=Repair("with two targets that differ on a point of mass 2 alpha: at least 1/2", "statement",
                       claims=_TWO_POINTS, because=_TWO_POINTS_BECAUSE,
                       downstream="1/2 in place of 3/4 in the lines that follow, see T56.solve.")),
    Step("T56.c1",
         claims=(Claim("beta in (0, 1/4]; fails in [0, 1]; both in [0, 1]; silent in (0, 1]",
                       "fails <= beta; both <= fails; both/silent >= 3/4",
                       "beta >= fails >= both >= (3/4)*silent"),
                 Claim("both in [0, 1]; silent in (0, 1]", "", "both = silent*(both/silent)")),
         because="both: no query in B and failure; silent: no query in B; 3/4 is the line before (where silent = 0 "
                 "there is nothing to show)",
         reading=_FROM_THE_LINES_BEFORE),
    Step("T56.c2",
         claims=(Claim("few in (0, 1]; both in [0, 1]; silent in [0, 1]; beta in (0, 1/4]",
                       "few >= 1 - beta; both <= silent; both <= few",
                       "(3/4)*silent >= few*(both/few)*(3/4)"),
                 Claim("few in (0, 1]; given in [0, 1]; beta in (0, 1/4]", "few >= 1 - beta",
                       "few*given*(3/4) >= (9/16)*given")),
         because="few: b <= 9 alpha n, both: few and silent, given = both/few", reading=_FROM_THE_LINES_BEFORE),
    Step("T56.c3", spelled=(("Pr[query in B | b<=9 alpha n]", "(1-given)"),),
         claims=(Claim("beta in (0, 1/4]; given in [0, 1]", "beta >= (9/16)*given", "1 - given >= 1 - (16/9)*beta"),),
         because="the line before", reading=_FROM_THE_LINES_BEFORE),
    Step("T56.star",
         claims=(Claim("k in Z[1, inf); y in (0, inf); asked in [0, 1]", "k <= y", "asked*(1/k) >= asked/y"),
                 Claim("beta in (0, 1/4]; y in (0, inf); few in [0, 1]; given in [0, 1]",
                       "few >= 1 - beta; given >= (1 - (16/9)*beta)/y",
                       "few*given >= (1 - beta)*(1 - (16/9)*beta)/y",
                       ("have few*given >= (1 - beta)*given",
                        "have (1 - beta)*given >= (1 - beta)*((1 - (16/9)*beta)/y)")),
                 Claim("beta in (0, 1/4]; y in (0, inf)", "", "(1 - beta)*(1 - (16/9)*beta)/y >= (1 - (25/9)*beta)/y")),
         because="y = 9 alpha n; x* is one of the b = k <= y entries of B, chosen independently of A's coins, so it is "
                 "a given one that A asks for with probability 1/k",
         reading=_FROM_THE_LINES_BEFORE),
    Step("T56.swap",
         claims=(Claim("b in Z[1, inf); n in Z[1, inf)", "", "b*(1/b)*(1/n) = 1/n"),
                 Claim("m in Z[0, inf); n in Z[1, inf); asked in [0, inf)", "asked <= m", "asked*(1/n) <= m/n")),
         because="S' = s' with x^ at index k comes from the b indices j of s' with s'_j in B: S is s' with k and j "
                 "exchanged (of the same probability), x* is at k, which is chosen with probability 1/b, and j is x^'s "
                 "index with probability 1/n. So k is uniform and independent of S' ~ P, and A asks for at most m "
                 "indices",
         reading="given b >= 1; without an entry in B there is no x*, and nothing is asked"),
    Step("T56.dp",
         claims=(Claim("eps in [0, inf); delta in [0, 1]; p in [0, 1]; mid in [0, 1]; q in [0, 1]",
                       "p <= exp(eps)*mid + delta; mid <= exp(eps)*q + delta",
                       "q >= exp(-2*eps)*p - delta*(1 + exp(-eps))",
                       ("have exp(-eps)*(exp(eps)*mid + delta - p) >= 0", "have mid >= exp(-eps)*p - exp(-eps)*delta",
                        "have exp(-eps)*(exp(eps)*q + delta - mid) >= 0", "have q >= exp(-eps)*mid - exp(-eps)*delta",
                        "have exp(-eps)*(mid - exp(-eps)*p + exp(-eps)*delta) >= 0",
                        "have exp(-2*eps)*delta <= delta")),),
         because="S and S' differ in at most two entries; x* in S and x^ in S' have the same index, and that it is "
                 "asked for is an event of the transcript"),
    Step("T56.fin", spelled=(("(25/9)beta", "(25/9) beta"), ("delta(1+", "delta (1+")),
         claims=(Claim("m in Z[0, inf); n in Z[1, inf); eps in [0, inf); delta in [0, 1]; beta in (0, 1/4]; "
                       "alpha in (0, 1/9]; p in [0, 1]; q in [0, 1]",
                       "m/n >= q; q >= exp(-2*eps)*p - delta*(1 + exp(-eps)); p >= (1 - (25/9)*beta)/(9*alpha*n)",
                       "m/n >= exp(-2*eps)*((1 - (25/9)*beta)/(9*alpha*n)) - delta*(1 + exp(-eps))",
                       ("have exp(-2*eps)*(p - (1 - (25/9)*beta)/(9*alpha*n)) >= 0",)),),
         because="T56.swap, T56.dp and T56.star, in this order", reading=_FROM_THE_LINES_BEFORE),
    Step("T56.solve",
         against=(Claim("alpha in (0, 1/9]; beta in (0, 1/4]; eps in [0, inf); n in Z[1, inf)",
                        "n >= (100/alpha^2)*log(1/(alpha*beta))",
                        "exp(-2*eps)*((1 - (25/9)*beta)/(9*alpha)) - n*alpha*(1 + exp(-eps)) < 0",
                        ("have log(1/(alpha*beta)) >= 1", "have n*alpha^2 >= 100", "have n*alpha >= 100/alpha",
                         "have exp(-2*eps)*((1 - (25/9)*beta)/(9*alpha)) <= 1/(9*alpha)",
                         "have n*alpha*exp(-eps) >= 0")),
                         *_SEARCH),
         because="at delta = alpha, for example, the bound of step 88 times n is negative. And no other proof will do: "
                 + _SEARCH_BECAUSE,
         witness=instances.private_search,
         reading="Omega(1/alpha): for each learner, c > 0 and alpha_0; delta is a number",
         erratum=Erratum(quotes="Solving for m, this yields m = Omega(1/alpha).", explanation=_SEARCH_ERRATUM,
                         severity="constant", quality="reading", readings=_SEARCH_READINGS),
         repair=Repair(
             "m >= e^{-2 eps}/(16 alpha) where n delta (1 + e^{-eps}) <= e^{-2 eps}/(16 alpha), n >= 16/alpha; so for "
             "delta = 0, and for delta <= 1/n where alpha <= e^{-2 eps}/2304: m = Omega(1/alpha) for fixed eps",
             "assumption",
             claims=(*_TWO_POINTS, _RARE,
                     Claim("beta in (0, 1/4]; fails in [0, 1]; silent in [0, 1]; many in [0, 1/8]",
                           "fails <= beta; (1/2)*silent <= fails", "1 - silent - many >= 3/8"),
                     Claim("alpha in (0, 1/9]; n in Z[1, inf); asked in [0, 1]", "asked >= 3/8",
                           "asked*(1/(3*alpha*n)) >= 1/(8*alpha*n)",
                           ("have asked*(1/(3*alpha*n)) >= (3/8)*(1/(3*alpha*n))",)),
                     Claim("alpha in (0, 1/9]; n in Z[1, inf); m in Z[0, inf); eps in [0, inf); delta in [0, 1]",
                           "m/n >= exp(-2*eps)*(1/(8*alpha*n)) - delta*(1 + exp(-eps)); n*delta*(1 + exp(-eps)) <= "
                           "exp(-2*eps)/(16*alpha)",
                           "m >= exp(-2*eps)/(16*alpha)",
                           ("have n*(m/n - exp(-2*eps)*(1/(8*alpha*n)) + delta*(1 + exp(-eps))) >= 0",)),
                     Claim("alpha in (0, 1/9]; n in Z[1, inf); eps in [0, inf); delta in [0, 1]",
                           "n*delta <= 1; alpha <= exp(-2*eps)/2304",
                           "n*delta*(1 + exp(-eps)) <= exp(-2*eps)/(16*alpha)",
                           ("have exp(-eps) <= 1", "have exp(-2*eps)/(16*alpha) >= 144",
                            "have n*delta*(1 + exp(-eps)) <= n*delta*2")),
                     Claim("alpha in (0, 1/9]; n in Z[1, inf)", "n*log(1 - 2*alpha) <= -log(2)", "n*alpha >= 1/4",
                           ("lemma log_below x = 1/(1 - 2*alpha)", "have n*(1/(1 - 2*alpha) - 1) >= log(2)",
                            "have 1/(1 - 2*alpha) - 1 <= 18/7*alpha", "have n*(18/7*alpha) >= 69/100")),
                     Claim("alpha in (0, 1/9]; N in Z[1, inf); n in Z[1, inf); delta in [0, 1]",
                           "n*alpha >= 1/4; n*delta <= 1; N*alpha <= 16 + alpha", "N*delta <= 65",
                           ("have delta <= 4*alpha", "have N*delta <= N*(4*alpha)")),
                     Claim("alpha in (0, 1/9]; x in [0, 65]; eps in [0, inf)", "alpha <= exp(-2*eps)/2304",
                           "x*(1 + exp(-eps)) <= exp(-2*eps)/(16*alpha)",
                           ("have exp(-eps) <= 1", "have exp(-2*eps)/(16*alpha) >= 144",
                            "have x*(1 + exp(-eps)) <= x*2"))),
             because=_TWO_POINTS_BECAUSE + ". silent: A asks for no label of B, many: b > 3 alpha n; the lines from "
                                           "T56.star on with 3/8 and 3 alpha n. A smaller n may be made larger "
                                           "(T56.n). For delta <= 1/n: where n >= 16/alpha by the fourth formula from "
                                           "the end. Otherwise P[no point of B] = (1 - 2 alpha)^n <= P[silent] <= 1/2, "
                                           "so n alpha >= 1/4 and delta <= 4 alpha; the sample is made larger to N = "
                                           "ceil(16/alpha), x = N delta",
             downstream="int-4 speaks of delta = 0, or of delta <= 1/n.")),
    # Claim 5.7
    Step("C57.util",
         claims=(Claim("w in [0, 1]; p in [0, 1]; q in [0, 1]", "", "w*(p*q) + (1 - w)*(p*q) = p*q"),
                 Claim("w in [0, 1]; f in [0, 1]; g in [0, 1]; beta in (0, 1)", "f <= beta; g <= beta",
                       "w*f + (1 - w)*g <= beta")),
         because="J and K are chosen without looking at the entries: whatever they are, the kept points are i.i.d. "
                 "from mu, the m of K among them labelled by c, and A fails with probability at most beta; averaged "
                 "over J (two at a time) both stay so",
         reading="t is an integer of at least n (or rounded up), A's labelled entries come first"),
    Step("C57.eq",
         claims=(Claim("w in [0, 1]; a in [0, 1]; b in [0, 1]; c in [0, 1]; d in [0, 1]",
                       "a <= c; c <= a; b <= d; d <= b",
                       "w*a + (1 - w)*b = w*c + (1 - w)*d"),),
         because="given J without i, A is run on the same database: the averages over J (two terms at a time) have the "
                 "same terms"),
    Step("C57.count",
         because="Q = R u {j} for one of the t - 1 indices other than i that are not among the n - 1 of R; R = Q "
                 "without one of its n indices"),
    Step("C57.two",
         claims=(Claim("E in [1, inf); delta in [0, 1]; p in [0, 1]; mid in [0, 1]; q in [0, 1]",
                       "p <= E*mid + delta; mid <= E*q + delta",
                       "p <= E^2*q + delta + delta*E", ("have E*mid <= E*(E*q + delta)",)),),
         because="E = exp(eps*). R u {i} and R u {j} label the same entries of R, but for one: where i is among the m "
                 "smallest and j is not, the m-th smallest of R is labelled in the second only (and the other way "
                 "round); so at most two entries differ, as multisets"),
    Step("C57.sum", spelled=(("Pr[i notin J]", "((t-n)/t)"), ("e^{eps*}", "exp(es)"), ("(n/t)(1", "(n/t) (1")),
         claims=(Claim("t in Z[2, inf); n in Z[1, inf); E in [1, inf); p in [0, 1]; delta in [0, 1]; es in [0, inf)",
                       "n < t",
                       "(n/(t-n))*((t-n)/t)*(E*p+delta+delta*exp(es)) = (n/t)*E*p + (n/t)*(1+exp(es))*delta"),
                 Claim("t in Z[2, inf); n in Z[1, inf)", "n < t", "1 - n/t = (t - n)/t")),
         because="each index is in J with probability n/t", reading="t > n"),
    Step("C57.up",
         spelled=(("Pr[SubSampling(D) in F]", "(both + (1-r) p)"), ("(n/t)E", "r E"), ("(t-n)/t", "(1-r)"),
                  ("(n/t)(1+e^{eps*})delta", "r (1+exp(es)) delta")),
         claims=(Claim("r in [0, 1]; E in [1, inf); delta in [0, 1]; es in [0, inf); both in [0, 1]; p in [0, 1]",
                       "both <= r*E*p + r*(1 + exp(es))*delta",
                       "both + (1 - r)*p <= (r*E + (1 - r))*p + r*(1 + exp(es))*delta"),),
         because="r = n/t; both: the event and i in J, C57.sum"),
    Step("C57.lo",
         spelled=(("Pr[SubSampling(D') in F]", "(r q1 + (1-r) p)"), ("(n/t)/E", "r/E^2"), ("(t-n)/t", "(1-r)"),
                            ("(n/t) 2", "r 2")),
         claims=(Claim("r in [0, 1]; E in [1, inf); delta in [0, 1]; p in [0, 1]; q1 in [0, 1]",
                       "p <= E^2*q1 + (1 + E)*delta",
                       "r*q1 + (1 - r)*p >= (r/E^2 + (1 - r))*p - r*2*delta",
                       ("have (1 + E)*delta <= 2*E^2*delta", "have p/E^2 <= q1 + 2*delta",
                        "have r*(q1 + 2*delta - p/E^2) >= 0")),),
         because="E = exp(eps*) here; the same exchange in the other direction"),
    Step("C57.end",
         against=(Claim("", "", "((3/103)/100 + 100/103)*(2*(3/103)/(1 - (3/103)*(99/100))) - (3/103)*2 <= 0"),
                  Claim("", "",
                        "((3/103)*100 + 100/103)*(2*(3/103)/(1 - (3/103)*(99/100))) + (3/103)*(1 + 10) > exp(3)*0 + "
                                "((7 + 10)/(3 + 100))*3")),
         because="exp(eps*) = 10, eps = 3, n/t = 3/103, and any small delta, by which all is divided: with p = 2 "
                 "(n/t)/(1 - (n/t)(99/100)), Pr[SubSampling(D') in F] = 0 and the first probability as large as step "
                 "95 allows, 95 and 96 hold and 97 does not",
         reading="\"this yields\": 97 from 95 and 96, for every eps",
         erratum=Erratum(
             quotes="For t >= (n/eps)(3 + exp(2 eps*)), this yields Pr[SubSampling(D) in F] <= e^eps "
                    "Pr[SubSampling(D') in F] + ((7 + e^{eps*})/(3 + e^{2 eps*})) eps delta.",
             explanation="The delta of the lower bound is multiplied by the ratio of the two brackets, which is at "
                         "most 3 for eps <= 1 but grows with eps.", severity="edge", quality="reading",
             readings="It follows for eps <= 1 (the last two formulas of the repair, E for exp(2 eps*))."),
         repair=Repair(
             "97 for every eps with n/t <= eps/(3 + exp(2 eps*)) <= 1, from the privacy of A directly", "statement",
             claims=(Claim("r in [0, 1]; lam in [0, 1]; E in [1, inf); delta in [0, 1]; p1 in [0, 1]; q1 in [0, 1]; "
                           "p0 in [0, 1]",
                           "p1 <= E*q1 + delta; p1 <= E^2*p0 + (1 + E)*delta",
                           "r*p1 + (1 - r)*p0 <= (1 - r + r*(1 - lam)*E^2)*p0 + r*lam*E*q1 + r*(1 + (1 - lam)*E)*delta",
                           ("have r*lam*(E*q1 + delta - p1) >= 0",
                            "have r*(1 - lam)*(E^2*p0 + (1 + E)*delta - p1) >= 0")),
                     Claim("r in [0, 1]; E in [1, inf)", "", "0 <= (1 - r + r*E^2)/(E*(1 - r + r*E)) <= 1",
                           ("have 1 - r + r*E >= 1", "have E*(1 - r + r*E) - (1 - r + r*E^2) >= 0")),
                     Claim("r in [0, 1]; E in [1, inf)", "",
                           "1 - r + r*(1 - (1 - r + r*E^2)/(E*(1 - r + r*E)))*E^2 = "
                           "((1 - r + r*E^2)/(E*(1 - r + r*E)))*E*(1 - r)"),
                     Claim("r in [0, 1]; E in [1, inf)", "",
                           "1 + (1 - (1 - r + r*E^2)/(E*(1 - r + r*E)))*E = E/(1 - r + r*E)"),
                     Claim("r in [0, 1]; E in [1, inf); eps in (0, inf)", "r*(3 + E^2) <= eps",
                           "(1 - r + r*E^2)/(1 - r + r*E) <= exp(eps)",
                           ("have 1 - r + r*E >= 1", "have exp(eps) >= 1 + eps", "have r*E^2 <= eps",
                            "have eps*(1 - r + r*E) >= eps",
                            "have 1 - r + r*E^2 <= (1 + eps)*(1 - r + r*E)")),
                     Claim("r in [0, 1]; E in [1, inf); eps in (0, inf); delta in [0, 1]", "r*(3 + E^2) <= eps",
                           "r*(E/(1 - r + r*E))*delta <= ((7 + E)/(3 + E^2))*eps*delta",
                           ("have 1 - r + r*E >= 1", "have E/(1 - r + r*E) <= E", "have r <= eps/(3 + E^2)",
                            "have r*(E/(1 - r + r*E)) <= r*E", "have r*E <= (eps/(3 + E^2))*E",
                            "have (eps/(3 + E^2))*E <= ((7 + E)/(3 + E^2))*eps",
                            "have r*(E/(1 - r + r*E)) <= ((7 + E)/(3 + E^2))*eps")),
                     Claim("r in [0, 1]; E in [1, inf); eps in (0, 1]", "r*(3 + E) <= eps",
                           "E*(1 - r + r*E) <= (1 + eps)*(E - r*E + r)",
                           ("have E*(1 - r) >= 0", "have E - r*E + r >= 0", "have (1 - r*(3 + E))*(E - 1) >= 0",
                            "have r*((1 - r*(3 + E))*(E - 1)) >= 0", "have (eps - r*(3 + E))*(E - r*E + r) >= 0")),
                     Claim("eps in (0, 1]", "", "1 + eps <= exp(eps) <= 3")),
             because="E = exp(eps*), r = n/t; p1, q1 given i in J on D and D', p0 given i not in J: p1 is one step "
                     "from q1 and two from p0. With lam = (1 - r + r E^2)/(E(1 - r + r E)) the right side of the first "
                     "formula is lam E times (1 - r) p0 + r q1, plus r E/(1 - r + r E) delta",
             downstream="clm-5.7 with the delta of its proof for every eps up to 3 + exp(2 eps*).")),
    Step("C57.stmt",
         claims=(Claim("es in (0, inf); eps in (0, 1]; delta in [0, 1]", "",
                       "((7 + exp(es))/(3 + exp(2*es)))*eps*delta <= ((7 + es)/(3 + exp(2*es)))*eps*delta"),),
         because="es is eps*; what the proof shows must be at most what the statement says",
         erratum=Erratum(
             quotes="an (alpha, beta, epsilon, ((7+epsilon*)/(3+e^{2 epsilon*})) epsilon delta, t, m)-PAL",
             explanation="The proof ends with 7 + e^{eps*}; the statement prints 7 + eps*, which is less.",
             severity="slip",
             quality="reading",
             readings="It holds where the statement is read with the proof's 7 + e^{eps*}: one letter may "
                                         "have been lost, here or in print."),
         repair=Repair(
             "((7 + e^{eps*})/(3 + e^{2 eps*})) eps delta for SubSampling; with K a random m-subset of J, even (eps "
             "delta)/(3 + e^{2 eps*}), so the statement's", "statement",
             claims=(AMPLIFIED,
                     Claim("E in [1, inf); eps in (0, inf)", "", "1 + eps/(3 + E^2)*(E - 1) <= exp(eps)",
                           ("have exp(eps) >= 1 + eps", "have (E - 1)/(3 + E^2) <= 1",
                            "have eps*((E - 1)/(3 + E^2)) <= eps")),
                     Claim("E in [1, inf); es in [0, inf); eps in (0, inf); delta in [0, 1]", "",
                           "eps/(3 + E^2)*delta <= ((7 + es)/(3 + E^2))*eps*delta"),
                     Claim("es in (0, 11/5]", "", "exp(es) <= 7 + es")),
             because="E = exp(eps*). Where K is random, the index that takes the place of i takes its role too, and "
                     "one entry differs: the amplification of clm-4.3. For SubSampling as printed the repair of "
                     "C57.end gives E eps delta/(3 + E^2), which is the statement's up to eps* = 2.2 or so",
             downstream="clm-5.7 holds with either numerator.")),
    Step("T58", uses=("beimel2015:clm-5.7", "beimel2015:thm-4.14"), against=ONE_EXAMPLE, because=ONE_EXAMPLE_BECAUSE,
         witness=instances.one_example,
         reading="\"every eps\", sizes rounded up",
         erratum=Erratum(
             quotes="For every alpha, beta, epsilon, delta, n, if there exists an (alpha, beta, 1, delta, n, n)-PSSL "
                    "for a concept class C, then there exists an (lambda alpha, lambda beta, epsilon, delta, "
                    "O(n/epsilon), m)-PAL for C",
             explanation="As thm-4.14: O(n/eps) examples are too few for large eps.", severity="edge",
             quality="reading", readings=EPS_AT_MOST_1),
         repair=Repair(
             "for eps <= 1", "domain",
             claims=(Claim("eps in (0, 1]; delta in [0, 1]", "", "((7 + e)/(3 + e^2))*eps*delta <= delta"),
                     Claim("eps in (0, 1]; n in Z[1, inf)", "", "(n/eps)*(3 + e^2) + 1 <= 12*n/eps")),
             because="clm-5.7 at eps* = 1 on the learner that thm-4.14 gives at eps = 1, whose m does not depend on "
                     "eps",
             uses=("beimel2015:clm-5.7", "beimel2015:thm-4.14"), downstream="thm-5.8 for eps <= 1.")),
)

_CHECKS = ("properties/test_beimel2015_active.py", "tests/papers/beimel2015/test_beimel2015_active.py")
_SUB = ("dpcheck.papers.beimel2015.learners:SubSampling",)

THEOREMS = (
    Theorem("beimel2015:def-5.1", "Active learner", stated=True),
    Theorem("beimel2015:rem-5.2", "Labels are asked for by index", stated=True, checks=_CHECKS),
    Theorem("beimel2015:def-5.3", "Private active learner", stated=True, uses=("beimel2015:def-5.1",)),
    Theorem("beimel2015:def-5.4", "Transcript privacy", stated=True, uses=("beimel2015:def-5.3",)),
    Theorem("beimel2015:thm-5.5", "A private semi-supervised learner is a transcript-private active one",
            claims=(Claim("E in [1, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]; pair_p in [0, 1]; "
                          "pair_q in [0, 1]",
                          "p <= E*q + delta; pair_p <= p; q <= pair_q", "pair_p <= E*pair_q + delta"),
                    Claim("E in [1, inf); delta in [0, 1]; p in [0, 1]", "", "p <= E*p + delta")),
            assumptions="the transcript is 1, ..., m, whatever the sample, so each event of the pair is one of the "
                        "hypothesis; a changed entry whose label is not read changes at most its point",
            learners=("dpcheck.papers.beimel2015.learners:TranscriptWrapper",), checks=_CHECKS),
    Theorem("beimel2015:rem-5.a", "SubSampling is not transcript-private",
            claims=(Claim("eps in (0, inf); es in (0, inf); t in Z[1, inf)", "es > eps",
                          "(1/t)*(exp(es)/(1 + exp(es))) > exp(eps)*((1/t)*(1/(1 + exp(es))))"),),
            assumptions="n = m = 1 and A answers with the label it reads, kept with probability e^{eps*}/(1 + "
                        "e^{eps*}): who sees that index i was asked for knows that i is in J, and the ratio of the "
                        "pair is e^{eps*}",
            cited="Balcan & Feldman 2013, for their learners", learners=_SUB, checks=_CHECKS),
    Theorem("beimel2015:thm-5.6", "Transcript privacy costs 1/alpha labels",
            assumptions="alpha <= 1/9, beta <= 1/4; every eps, delta, n, d",
            steps=("T56.n", "T56.b", "T56.34", "T56.c1", "T56.c2", "T56.c3", "T56.star", "T56.swap", "T56.dp",
                   "T56.fin", "T56.solve"), uses=("beimel2015:thm-B.6",),
            against=_SEARCH, witness=instances.private_search,
            erratum=Erratum("In every (alpha, beta, epsilon, delta, n, m)-TPAL for THRESH_d the labeled sample "
                            "complexity satisfies m = "
                            "Omega(1/alpha).", _SEARCH_ERRATUM, "constant", "reading", _SEARCH_READINGS),
            repaired_statement="m >= e^{-2 eps}/(16 alpha) where n >= 16/alpha and n delta (1 + e^{-eps}) <= e^{-2 "
                               "eps}/(16 alpha); in particular for delta = 0, and for delta <= 1/n where alpha <= "
                               "e^{-2 eps}/2304",
            learners=("dpcheck.parts.active:PrivateBinarySearch",), checks=_CHECKS),
    Theorem("beimel2015:clm-5.7", "SubSampling boosts privacy without more labels", assumptions="\"for every eps\"",
            steps=("C57.util", "C57.eq", "C57.count", "C57.two", "C57.sum", "C57.up", "C57.lo", "C57.end", "C57.stmt"),
            against=(Claim("n in Z[1, inf); E in [1, inf)", "", "(n/(n*(3 + E)))*(3 + E) <= 1"),
                     Claim("", "", "1/16 + 1/16 < 3/8")),
            witness=instances.one_example,
            erratum=Erratum("then for every epsilon there exists an (alpha, beta, epsilon, ..., t, m)-PAL (private "
                            "active learner) for C, where t = (n/epsilon)(3 + exp(2 epsilon*)).",
                            "For eps > 3 + exp(2 eps*) the pool is smaller than n. All functions on 4 points have an "
                            "(1/16, 1/16, eps*, 0, n, n)-PSSL; at eps = n (3 + exp(2 eps*)) a learner with t = 1 "
                            "example would have a mean error of at most 1/8, and with one example it is 3/8 for some "
                            "target.", "edge",
                            "reading",
                            "It holds where the pool is at least as large as the sample drawn from it, as step 1 of "
                                       "SubSampling takes for granted: eps <= 3 + exp(2 eps*)."),
            repaired_statement="for eps <= 3 + exp(2 eps*), with the proof's delta (or the statement's, K being a "
                               "random part of J)", learners=_SUB, checks=_CHECKS),
    Theorem("beimel2015:thm-5.8", "Labels need not depend on the privacy parameters",
            assumptions="\"for every alpha, beta, eps, delta, n\"", steps=("T58",),
            uses=("beimel2015:clm-5.7", "beimel2015:thm-4.14"), against=ONE_EXAMPLE, witness=instances.one_example,
            erratum=Erratum("For every alpha, beta, epsilon, delta, n, if there exists an (alpha, beta, 1, delta, n, "
                            "n)-PSSL for a concept class C, then there exists an (lambda alpha, lambda beta, epsilon, "
                            "delta, O(n/epsilon), m)-PAL for C",
                            "As thm-4.14: O(n/eps) examples are too few for large eps.", "edge", "reading",
                            EPS_AT_MOST_1),
            repaired_statement="for eps <= 1", learners=_SUB, checks=_CHECKS),
)

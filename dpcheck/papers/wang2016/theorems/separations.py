"""wang2016: what cannot be learned privately, and characterisations (sections 3.3 and 3.4).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.papers.wang2016.theorems import separations_instances as instances
from dpcheck.papers.wang2016.theorems.stability import POINTWISE
from dpcheck.papers.wang2016.theorems.stability_instances import labels_of_integers
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: p (1 - p)^n <= 1/n, with y = n p.
_ATOM = (
    Claim("p in [0, 1); n in Z[1, inf)", "", "(1 - p)^n <= exp(-n*p)",
          ("lemma log_below x = 1 - p", "have n*log(1 - p) <= -n*p", "lemma exp_increases x = n*log(1 - p); y = -n*p")),
    Claim("y in [0, inf)", "", "y*exp(-y) <= 1"),
    Claim("N in Z[1, inf); n in Z[1, inf)", "", "N*(1/n) = N/n"),
)
_DEF_13 = (
    "Definition 13 asks for a learner that is consistent for every distribution of the class, without one rate for "
    "all: "
)
_DEF_13_READING = "It holds if DD-learnable asks for one rate for all distributions in DD, as definition 1 does."
_TENDS = Claim("xi in [0, 1]; eps in [0, 1/4]; t in (0, 1]", "xi <= t/2; eps <= t/4", "xi + exp(eps) - 1 <= t",
               ("have exp(eps) - 1 <= 2*eps",))

#: Of the line and of the example.
_NOT_EVEN_DD = Erratum(
    quotes="This problem is not learnable, and not even D-learnable when D is the class of all discrete distributions "
           "with finite number of possible values.",
    explanation=_DEF_13 + "the set of what was seen is.", severity="slip", quality="reading", readings=_DEF_13_READING)

STEPS = (
    # Proposition 11
    Step("P11.supp",
         claims=(Claim("p in [0, 1]; q in [0, 1]; r in [0, 1]; eps in [0, inf); m in Z[0, inf)",
                       "p <= exp(m*eps)*q; q <= exp(eps)*r", "p <= exp((m + 1)*eps)*r",
                       ("have exp(m*eps) > 0", "have exp(m*eps)*q <= exp(m*eps)*(exp(eps)*r)")),
                 Claim("p in (0, 1]; q in [0, 1]; n in Z[1, inf); eps in [0, inf)", "p <= exp(n*eps)*q", "q > 0",
                       ("case q",))),
         because="one record at a time, n times; P_A(Z)(h) = p > 0 makes P_A(Z')(h) = q > 0"),
    Step("P11.pigeon",
         claims=(Claim("n in Z[1, inf); N in Z[1, inf)", "N > n", "N*(1/n) > 1"),
                 Claim("m in [0, 1]", "", "m - m^2 <= 1/4"),
                 Claim("N in Z[1, inf); n in Z[1, inf)", "", "2*(N*sqrt(1/(4*n))) = N/sqrt(n)"),
                 Claim("risk in [0, 1]; star in [0, 1]; seen in [0, 1]; best in [0, 1]; gap in [0, 1]",
                       "risk <= seen + gap; seen <= best; best <= star + gap", "risk <= star + 2*gap")),
         because="if more than n hypotheses had at least 1/n each, the sum would be above 1 (of infinitely many take n "
                 "+ 1). ERM: a loss in [0, 1] has a variance of at most 1/4, so E |Rhat(h) - R(h)| <= sqrt(1/(4n)), "
                 "the largest gap over N hypotheses is at most their sum, and the excess risk of ERM at most twice "
                 "that: a rate N/sqrt n for a given finite H",
         reading="two implications; #H = n, which neither covers, is one size n, to which consistency is indifferent"),
    Step("P11.risk",
         claims=(Claim("n in Z[1, inf); risk in [0, 1]; other in [0, 1]", "",
                       "(1 - 1/n)*risk + (1/n)*other <= risk + 1/n"),
                 Claim("n in Z[1, inf); p in [0, 1]; loss in [0, 1]; rest in [0, 1]", "p < 1/n",
                       "rest <= ((1 - p)*rest + p*loss) + 1/n",
                       ("have p*(rest - loss) <= p",))),
         because="the first: h0 with probability 1/n; the second: A(Z) given that it is not h, which has probability p "
                 "< 1/n",
         reading="A' is the mixture or the conditioned A of the proof; where #H < n the proof uses ERM, which "
                 "P11.pigeon is about"),
    # Proposition 12
    Step("P12.pack",
         claims=(Claim("x in (0, inf)", "", "(ceil(exp(x)) - 1)*exp(-x) < 1"),
                 Claim("eta in (0, 1)", "", "eta/3 + eta/3 < eta")),
         because="x = eps n, eta = exp(-x): K thresholds eta apart take (K - 1) eta < 1, so they fit with 0 < h_1 and "
                 "h_K < 1; neighbouring intervals do not meet; on both sides of each h_i there is room for points "
                 "within its interval and within [0, 1]",
         reading="the points lie in [0, 1]; the intervals of h_1 and h_K may reach out of it (at eps n = 1/2 they "
                 "must)"),
    Step("P12.zero",
         claims=(Claim("h in (0, 1); x in [0, 1]", "x < h", "x <= h"), Claim("n in Z[1, inf)", "", "0/n = 0")),
         because="points are labelled 1(z > h_i), and h_i answers 1 just where x > h_i: no point is wrong",
         reading="for odd n one side has a point more"),
    Step("P12.disj",
         claims=(Claim("a in [0, 1]; b in [0, 1]; c in [0, 1]; rest in [0, 1]", "a + b + c + rest = 1",
                       "1 - a >= b + c"),),
         because="J_1 and two more of the disjoint intervals; any number by induction"),
    Step("P12.(4)",
         claims=(Claim("p in [0, 1]; q in [0, 1]; r in [0, 1]; eps in (0, inf); m in Z[0, inf)",
                       "p >= exp(-eps*m)*q; r >= exp(-eps)*p", "r >= exp(-eps*(m + 1))*q",
                       ("have exp(-eps) > 0", "have exp(-eps)*p >= exp(-eps)*(exp(-eps*m)*q)")),),
         because="from Z_i to Z_1 one record at a time, n times (datasets that differ in fewer places have a smaller "
                 "factor)"),
    Step("P12.markov", spelled=(("P_A(Zi)(J_i)", "1 - out"),),
         claims=(Claim("out in [0, 1]", "out*(1/2) < 0.1", "1 - out > 0.9"),),
         because="a threshold outside J_i is wrong on the points of one side only, one half: with probability out "
                 "outside J_i and else at h_i the empirical risk is out/2",
         witness=instances.half_is_wrong,
         erratum=Erratum(
             quotes="It follows that P(A(Z_i) in [h_i - eta/3, h_i + eta/3]) > 0.9 otherwise E_{h~A(Z_i)} Rhat(h,Z_i) "
                    ">= 0.1",
             explanation="Outside the interval the empirical risk is 1/2, not 1: with 0.15 outside it is 0.075.",
             severity="constant"),
         repair=Repair("P(A(Z_i) in J_i) > 0.8 (n even; > 0.7 for odd n >= 3)", "constant",
                       claims=(Claim("out in [0, 1]; mean in [0, 1]", "out*(1/2) <= mean; mean < 0.1", "1 - out > 0.8"),
                               Claim("out in [0, 1]; n in Z[3, inf); mean in [0, 1]",
                                     "out*((n - 1)/(2*n)) <= mean; mean < 0.1",
                                     "1 - out > 0.7",
                                     ("have (n - 1)/(2*n) >= 1/3", "have out*(1/3) <= out*((n - 1)/(2*n))"))),
                       because="outside J_i all points of one side are wrong, (n - 1)/2 of them or more",
                       downstream="see (5).")),
    Step("P12.(5)",
         against=(Claim("x in (0, inf)", "", "(ceil(exp(x)) - 1)*exp(-x)*0.9 < 0.9"),
                  Claim("", "", "0.91 > 0.9"), Claim("", "", "0.82 < 2*(1/2)*0.9")),
         because="the sum has K - 1 terms, and (K - 1) e^{-eps n} < 1 for K = ceil(e^{eps n}). At n = 2, e^{eps n} = "
                 "2, K = 2 there is an eps-DP learner with P(A(Z_2) in J_2) = 0.91 and P(A(Z_1) not in J_1) = 0.82 (of "
                 "Z_1 nothing is assumed: \"if K - 1 of them obey AERM, the remaining one cannot be\")",
         witness=instances.two_intervals,
         erratum=Erratum(
             quotes="therefore P(A(Z_1) notin [h_1 - eta/3, h_1 + eta/3]) >= K exp(-eps n) 0.9 >= 0.9, (5)",
             explanation="The sum is over i = 2, ..., K: K - 1 terms, which for K = ceil(exp(eps n)) give less than "
                         "0.9.", severity="constant"),
         repair=Repair(
             ">= (K - 1) exp(-eps n) 0.8 >= 0.4 (>= 0.35 with 0.7 for odd n >= 3)", "constant",
             claims=(Claim("y in (1, inf); K in Z[2, inf)", "K >= y", "(K - 1)/y*0.8 >= 0.4",
                           ("have K - 1 >= y/2", "have (K - 1)/y >= 1/2")),
                     Claim("y in (1, inf); K in Z[2, inf)", "K >= y", "(K - 1)/y*0.7 >= 0.35",
                           ("have K - 1 >= y/2", "have (K - 1)/y >= 1/2"))),
             because="y = e^{eps n} > 1, K = ceil(y) >= 2",
             downstream="prop-12 holds with 0.2 (or 0.116) for 0.9 in the next line, still above 0.1; P33.(5') has "
                        "the same sum.")),
    Step("P12.risk", spelled=(("E_h Rhat(h,Z_1)", "out*(1/2)"),),
         claims=(Claim("out in [0, 1]", "out >= 0.9", "out*(1/2) >= 0.9*1 = 0.9"),),
         because="a threshold outside J_1 is wrong on one half of Z_1",
         witness=instances.half_is_wrong,
         erratum=Erratum(
             quotes="and E_{h~A(Z_i)} Rhat(h,Z_i) >= 0.9 x 1 = 0.9",
             explanation="The empirical risk outside the interval is 1/2, not 1, and the dataset is Z_1.",
             severity="constant"),
         repair=Repair(">= 0.4 * 1/2 = 0.2 (>= 0.35/3 > 0.1 for odd n >= 3)", "constant",
                       claims=(Claim("out in [0, 1]", "out >= 0.4", "out*(1/2) >= 0.2 > 0.1"),
                               Claim("out in [0, 1]; n in Z[3, inf)", "out >= 0.35", "out*((n - 1)/(2*n)) > 0.1",
                                     ("have (n - 1)/(2*n) >= 1/3", "have out*((n - 1)/(2*n)) >= 0.35*(1/3)"))),
                       downstream="it contradicts E Rhat(h, Z_1) < 0.1: prop-12 holds.")),
    # Examples 16 and 17
    Step("X16.lb",
         claims=(Claim("n in Z[1, inf)", "", "(3*n - n)/(3*n) = 2/3"),
                 Claim("n in Z[1, inf)", "", "(1 - 1/(3*n))^n >= 2/3")),
         because="take the 3n elements themselves independent and uniform on [0, 1]: given the sample and the coins, "
                 "the elements that were not seen are independent of the finite set h and outside it with probability "
                 "1. There are at least 3n - n of them, so the risk, averaged over the elements, is at least 2/3, and "
                 "for some elements so; for the set of what was seen it is (1 - 1/(3n))^n on average",
         reading="for each estimator there are 3n elements (one that knows them errs never)"),
    Step("X16.ub", claims=_ATOM,
         because="the risk of the set of what was seen is sum_j p_j (1 - p_j)^n, over at most N atoms (an atom with p "
                 "= 1 adds 0), and R* = 0; y = n p: each term is at most exp(-y) y/n <= 1/n"),
    Step("X16.def13",
         against=(*_ATOM, Claim("N in Z[1, inf); n in Z[1, inf); t in (0, 1)", "n >= N/t", "N/n <= t")),
         because="a distribution with finitely many values has some number N of them: by X16.ub the risk of the set of "
                 "what was seen is at most t for all n >= N/t, so this one learner is consistent for each of them",
         reading="definition 13 as printed: \"consistent for every unknown distribution D in DD\", consistent as in "
                 "(1)",
         witness=instances.each_distribution_is_learnt,
         erratum=_NOT_EVEN_DD,
         repair=Repair("not DD-learnable with one rate for all D in DD", "statement",
                       claims=(Claim("xi in [0, 1/2); n in Z[1, inf)", "", "(3*n - n)/(3*n) > xi"),),
                       because="X16.lb: for a rate with xi(n) < 1/2 there is a distribution on 3n points with a larger "
                               "risk at n",
                       downstream="definition 13 has to ask for one rate wherever learnability is compared with "
                                  "DD-learnability; see thm-18.")),
    Step("X17",
         against=(Claim("", "", "1/2 > 1/10"), Claim("n in Z[4, inf)", "", "1 - floor(sqrt(n))/n >= 1/2"),
                  Claim("n in Z[1, inf)", "", "(3*n - n)/(3*n) >= 2/3")),
         because="lem-34 and lem-4 give privacy and keep consistency, not AERM: on points a, b, A with excess 1/10 on "
                 "one record has the excess 1/2 on one of two; and the (not private) A(Z) = Z has none, on floor(sqrt "
                 "n) of n different records 1 - floor(sqrt n)/n. Lem-10 needs a universally consistent A, lem-14 a "
                 "learnable problem, and this one is not (risk 2/3 on 3n points)",
         witness=instances.sample_is_not_enough, uses=("wang2016:lem-34", "wang2016:lem-4"),
         erratum=Erratum(
             quotes="Assume an eps-DP AERM algorithm exists, the subsampling lemma ensures the existence of an "
                    "eps(n)-DP AERM algorithm A' with eps(n) -> 0.",
             explanation="A on a small sample of Z minimises the empirical risk on the sample, not on Z.",
             severity="gap"),
         repair=Repair(
             "directly: E Rhat(A(Z), Z) >= e^-eps E R(A(Z)) = e^-eps, while E Rhat*(Z) = 0", "statement",
             claims=(Claim("E in [1, inf); seen in [0, 1]; fresh in [0, 1]", "fresh <= E*seen; fresh >= 1",
                           "seen >= 1/E > 0"),),
             because="for each i, E_A(Z) l(h, z_i) = seen is at least e^-eps times E_A(Z^(i)) l(h, z_i) = fresh, where "
                     "Z^(i) has an independent record in place of z_i: then z_i is a fresh example, in a finite set "
                     "with probability 0",
             downstream="ex-17 holds.")),
    # Theorems 7 and 18
    Step("T7.21", against=POINTWISE,
         because="see the theorem: a learner that is eps-DP and universally AERM in the sense of definition 5, for a "
                 "problem that nothing learns. Nor does the argument go through with one rate: cor-9's xi + e^eps - 1 "
                 "does not tend to 0 for a constant eps, and lem-4 makes eps vanish for consistent algorithms, not for "
                 "AERM ones",
         reading="\"differentially private\" is eps-DP with eps < inf (definition 3), universally AERM is definition 5",
         witness=labels_of_integers,
         erratum=Erratum(
             quotes="Lemma 4 and Corollary 9 together establishes 2 => 1 in Theorem 7.",
             explanation="Corollary 9 needs one rate for all distributions and eps(n) -> 0; lemma 4, which would give "
                         "the latter, speaks of consistent algorithms.", severity="gap", quality="reading",
             readings="It holds if in 2 there is one rate for all distributions, and eps(n) -> 0."),
         repair=Repair(
             "2 with one rate and eps(n) -> 0 gives 1 by cor-9", "assumption", claims=(_TENDS,),
             because="the rate xi + e^eps - 1 tends to 0; eps(n) is bounded, so the algorithm is eps-DP with one eps < "
                     "inf",
             uses=("wang2016:cor-9",),
             downstream="thm-7 holds with eps(n) -> 0 in 2 and 3, as thm-15 is printed; the rest of the paper uses 1 "
                        "=> 3 and cor-9 with eps(n) -> 0.")),
    Step("T18",
         against=(Claim("eps in (0, inf); X in [0, 1]; Y in [0, 1]", "X + Y >= 1/2", "eps + max(X, exp(-eps)*Y) > 1/4",
                        ("lemma exp_above x = -eps",)),
                  Claim("w in [0, 1); x in (1/4, 1]; y in [0, 1]", "x + y > 1/2",
                        "max((1 - w)*x, w/2 + (1 - w)*y) > 1/4",
                        ("have (1 - w)*(x + y - 1/2) > 0",)),
                  Claim("s in (1/2, 1]", "", "s^2 + (1 - s)^2 > 1/2"),
                  Claim("c in (0, 1)", "", "max((1/2 + c/4)^2, (1 - (1/2 + c/4))^2) < 1/4 + c")),
         because="n = 1, records 0 and 1, hypotheses P with losses 0 on 0 and 1/2 on 1, and h_s, 1/2 < s <= 1, with "
                 "losses s^2 and (1-s)^2. With q = Pr[1] the least risk is attained (by P for q <= 1/2, by h_q above), "
                 "and finite nets of s learn privately. On either record some hypothesis has loss 0. A law with mean "
                 "losses X and Y on 0 and 1 has X + Y >= 1/2; the law for the other record has at least exp(-eps) Y on "
                 "1: above 1/4 for eps > 0. For eps = 0, weight w < 1 on P and means x, y of the others it is above "
                 "1/4 too, and 1/2 for w = 1. Constant h_s with s = 1/2 + c/4 come within c of 1/4: the infimum of (6) "
                 "is not attained",
         reading="(6) is an argmin: that it has a minimiser is part of the line",
         uses=("wang2016:thm-7", "wang2016:cor-9"),
         erratum=Erratum(
             quotes="This A is a witness in the optimization so we know that any minimizer of (6) will have a "
                    "objective value that is no greater than eps(n) + xi(n) for any n. Corollary 9 concludes its "
                    "universal consistency.",
             explanation="(6) need not have a minimiser: for some privately learnable problem and n = 1 there is none.",
             severity="slip", quality="reading", readings="Of a minimiser, where there is one, the line is right."),
         repair=Repair(
             "an algorithm whose objective is within 1/n of the infimum of (6) has eps_m + xi_m <= eps(n) + xi(n) + "
             "1/n, so it is universally consistent by cor-9", "statement",
             claims=(Claim("eps_m in [0, 1]; xi_m in [0, 1]; v in [0, 1]; t in (0, 1]", "eps_m + xi_m <= v + t",
                           "xi_m + exp(eps_m) - 1 <= 2*(v + t)", ("have exp(eps_m) - 1 <= 2*eps_m",)),
                     Claim("eps_m in [0, inf); xi_m in [0, 1]; worst in [0, 1]; t in (0, 1]",
                           "eps_m + xi_m <= 0 + worst + t",
                           "eps_m <= 2")),
             because="v = eps(n) + xi(n) of thm-7's algorithm, t = 1/n, eps_m and xi_m those of the algorithm found; "
                     "by cor-9 its excess risk is at most 2 (v + 1/n) once v + 1/n <= 1 (so that eps_m <= 1), which "
                     "tends to 0. An algorithm that ignores the data has eps = 0 and an excess of at most 1, so eps_m "
                     "<= 2 always: private",
             uses=("wang2016:thm-7", "wang2016:cor-9"),
             downstream="thm-18 speaks of algorithms within 1/n of the infimum, in (6) and (7).")),
    # Lemma 14
    Step("L14.(14)",
         claims=(Claim("n in Z[1, inf); k in Z[1, inf); seen in [0, 1]; risk in [0, 1]", "k <= sqrt(n)",
                       "(k/n)*seen + ((n - k)/n)*risk <= 1/sqrt(n) + risk",
                       ("have k/n <= 1/sqrt(n)", "have (k/n)*seen <= k/n", "have ((n - k)/n)*risk <= risk")),
                 Claim("n in Z[1, inf); k in Z[1, inf); a in [0, 1]; b in [0, 1]", "k <= n",
                       "(1/n)*(k*a + (n - k)*b) = (k/n)*a + ((n - k)/n)*b"),
                 Claim("x in [0, 1]; risk in [0, 1]; star in [0, 1]; xi in [0, inf)", "risk <= star + xi",
                       "x + risk <= x + star + xi")),
         because="given the subset, its k = floor(sqrt n) records are an iid sample and the n - k others an "
                 "independent one, on which the empirical risk of A(Z') is R(A(Z')) on average",
         reading="xi(sqrt n) is xi(floor(sqrt n)): see L4.rate"),
    Step("L14.(15)",
         spelled=(("|E Rhat*(Z)-R*| <= [3", "[3"), ("xi'(n^{1/4})", " y"), ("xi(n^{1/4})", "x"), ("sqrt n", "sqrt(n)")),
         claims=(Claim("x in [0, 1]; y in [0, 1]; n in Z[1, inf)", "",
                       "(3*y + 8/sqrt(n)) + (6*y + 18/sqrt(n)) + (3*y + 10/sqrt(n)) = 12*x + 36/sqrt(n)"),),
         because="x = xi(n^{1/4}), y = xi'(n^{1/4})",
         erratum=Erratum(
             quotes="= 12 xi(n^{1/4}) + 36/sqrt(n). (15)",
             explanation="xi is the rate of A on DD, xi' that of the non-private learner: the prime is missing on the "
                         "right.", severity="slip"),
         repair=Repair(
             "= 12 xi'(n^{1/4}) + 36/sqrt n", "statement",
             claims=(Claim("y in [0, 1]; n in Z[1, inf)", "",
                           "(3*y + 8/sqrt(n)) + (6*y + 18/sqrt(n)) + (3*y + 10/sqrt(n)) = 12*y + 36/sqrt(n)"),
                     Claim("y in [0, 1]; n in Z[1, inf)", "", "(3*y + 8/sqrt(n)) + 2/sqrt(n) = 3*y + 10/sqrt(n)"),
                     Claim("y in [0, 1]; n in Z[1, inf)", "", "2/sqrt(n) <= 6*y + 18/sqrt(n)"),
                     Claim("a in [0, 1]; b in [0, 1]; c in [0, 1]; d in [0, 1]", "",
                           "abs(a - d) <= abs(a - b) + abs(b - c) + abs(c - d)",
                           ("have a - b <= abs(a - b)", "have b - a <= abs(a - b)", "have b - c <= abs(b - c)",
                            "have c - b <= abs(b - c)", "have c - d <= abs(c - d)", "have d - c <= abs(c - d)",
                            "case a - d"))),
             because="the triangle inequality; B is AERM at 3 xi'(n^{1/4}) + 8/sqrt n and stable at 2/sqrt n (cited), "
                     "so consistent at their sum by thm-35, and |E R - E Rhat| is at most 2/sqrt n by T35.c, below "
                     "what is cited for it",
             cites="Shalev-Shwartz, Shamir, Srebro & Sridharan 2010, theorem 7", uses=("wang2016:thm-35",),
             downstream="lem-14 is printed with the prime: nothing changes.")),
    Step("L14.sum",
         claims=(Claim("x in [0, inf); y in [0, inf); n in Z[1, inf); star in [0, 1]; seen in [0, 1]; least in [0, 1]",
                       "seen <= 1/sqrt(n) + star + x; star - least <= 12*y + 36/sqrt(n)",
                       "seen - least <= 12*y + 37/sqrt(n) + x"),),
         because="x = xi(sqrt n), y = xi'(n^{1/4}); (14) and (15)"),
)

_TESTS = ("tests/papers/wang2016/test_learners_wang2016_reductions.py",
          "tests/papers/wang2016/test_wang2016_theorems_separations.py")

THEOREMS = (
    Theorem("wang2016:prop-11", "What is learnt privately is learnt by a non-private algorithm",
            assumptions="0 <= l <= 1; a non-private algorithm is one that is not eps-DP for any eps, where there is "
                        "one: two hypotheses and two possible records",
            steps=("P11.supp", "P11.pigeon", "P11.risk"),
            repaired_statement="as printed. (With one hypothesis, or one possible record, all algorithms are 0-DP: "
                               "then a non-private one is one that need not be private. With #H <= n ERM may be "
                               "private as well, if one hypothesis is best on every dataset: answer, with probability "
                               "1/n, another hypothesis than ERM does on a given dataset without z, when z is in Z.)",
            claims=(Claim("n in Z[1, inf); p in [0, 1]; eps in [0, inf)", "p >= 1/n", "p > exp(eps)*0"),),
            proved_by="repaired", learners=("dpcheck.papers.wang2016.learners:Unprivate",), checks=_TESTS),
    Theorem("wang2016:prop-12", "Thresholds on [0, 1] are learnable, not privately",
            assumptions="thresholds on [0, 1], 0-1 loss; eps < inf",
            steps=("P12.pack", "P12.zero", "P12.disj", "P12.(4)", "P12.markov", "P12.(5)", "P12.risk"),
            uses=("wang2016:thm-7", "wang2016:lem-10"),
            claims=(Claim("q in [1, inf)", "", "(q + 1)/q^2 + 1/q <= 3/q"),
                    Claim("gap in [0, 1]; risk in [0, 1]; seen in [0, 1]; best in [0, 1]; star in [0, 1]",
                          "risk <= seen + 2*gap; seen <= best; best <= star + 2*gap", "risk <= star + 4*gap"),
                    Claim("m in [0, 1]", "", "m - m^2 <= 1/4")),
            repaired_statement="as printed. Learnable: the risk of h is P(x > h, y = 0) + P(x <= h, y = 1), two "
                               "functions of h that are monotone between 0 and 1. Take m points between which such a "
                               "function moves by at most 1/m: its 2m one-sided values there are known to within 2m "
                               "sqrt(1/(4n)) on average, in the largest (third claim), so it is everywhere to within "
                               "m/sqrt n + 1/m, at most 3/n^{1/4} for m = ceil(n^{1/4}) (first claim, q = n^{1/4}); "
                               "ERM has the rate 12/n^{1/4} (second claim)",
            proved_by="repaired", learners=("dpcheck.papers.wang2016.hard_instances:PackedThresholds",), checks=_TESTS),
    Theorem("wang2016:def-13", "DD-learnability", stated=True),
    Theorem("wang2016:lem-14", "Private DD-learnability gives private DD-universal AERM",
            assumptions="0 <= l <= 1; the problem is learnable with rate xi'",
            steps=("L14.(14)", "L14.(15)", "L14.sum"),
            uses=("wang2016:lem-34", "wang2016:lem-4"), proved_by="repaired",
            repaired_statement="with xi(floor(sqrt n)), the sample in random order",
            learners=("dpcheck.papers.wang2016.learners:SubsampledLearner",),
            checks=("tests/papers/wang2016/test_learners_wang2016_reductions.py",)),
    Theorem("wang2016:thm-15", "Characterisation of private DD-learnability", claims=(_TENDS,),
            assumptions="0 <= l <= 1; for the converse, the problem is "
                        "learnable", uses=("wang2016:lem-8", "wang2016:cor-9", "wang2016:lem-14"),
            proved_by="repaired"),
    Theorem("wang2016:ex-16", "Finite sets: not learnable", steps=("X16.lb", "X16.ub", "X16.def13"),
            against=(*_ATOM, Claim("N in Z[1, inf); n in Z[1, inf); t in (0, 1)", "n >= N/t", "N/n <= t")),
            witness=instances.each_distribution_is_learnt,
            erratum=_NOT_EVEN_DD,
            repaired_statement="not learnable, and not DD-learnable with one rate for all D in DD",
            proved_by="repaired",
            learners=("dpcheck.papers.wang2016.learners:Support",
                      "dpcheck.papers.wang2016.hard_instances:UniformAtoms"),
            checks=_TESTS),
    Theorem("wang2016:ex-17", "Continuous distributions: privately DD-learnable, not by AERM",
            assumptions="finite sets of points, DD the continuous distributions; eps < "
                        "inf", steps=("X17",), proved_by="repaired",
            learners=("dpcheck.papers.wang2016.learners:EmptySet", "dpcheck.papers.wang2016.learners:Support"),
            checks=_TESTS),
    Theorem("wang2016:thm-18", "A generic learner by optimisation over mechanisms",
            assumptions="the problem is learnable",
            steps=("T18",), uses=("wang2016:thm-7", "wang2016:thm-15"),
            against=(Claim("n in Z[1, inf); eps in (0, inf); K in [1, inf)", "K >= 2*exp(n*eps)/eps",
                           "eps + (1 - exp(n*eps)/K) > 1",
                           ("have exp(n*eps)/K <= eps/2",)),
                     Claim("K in [1, inf); t in (0, 1)", "K >= 1/t", "0 + (1 - 1/K) >= 1 - t"),
                     Claim("q in [1, inf)", "", "(q + 1)/q^2 + 1/q <= 3/q")),
            witness=instances.stabbed_intervals,
            erratum=Erratum(
                quotes="If the problem is private D-learnable, (7) will always output a D-universally consistent "
                       "private learning algorithm.",
                explanation=_DEF_13 + "then the supremum over DD in (7) need not tend to 0. Records [a, b] with a < b "
                                      "in [0, 1], H = [0, 1], l = I[h not in [a, b]], DD: the laws whose ends a and b "
                                      "have continuous distributions. Learnable: the risk P(a > h) + P(b < h) is a sum "
                                      "of two monotone functions of h (ERM has the rate 12/n^{1/4}, see prop-12). "
                                      "Privately DD-learnable by definition 13: the exponential mechanism over "
                                      "ceil(n^{1/4}) points of a grid, since the risk is continuous in h. But for K "
                                      "disjoint intervals J_i and laws of records within J_i around its middle, an "
                                      "eps-DP algorithm is in some J_i with probability at most e^(n eps)/K, and "
                                      "outside the empirical risk is 1: the value of (7) is at least 1 at eps = 0 and "
                                      "above 1 at any other eps. So the algorithm that always answers h = 0 minimises "
                                      "(7), with value 1, for every n, and it learns nothing.",
                severity="gap", quality="reading",
                readings=_DEF_13_READING + " The first claim, of (6), is not touched."),
            repaired_statement="an algorithm within 1/n of the infimum (there may be no minimiser): of (6), and of (7) "
                               "where DD-learnable and DD-universally AERM ask for one rate for all D in DD",
            proved_by="repaired", learners=("dpcheck.papers.wang2016.learners:OptimalPrivateLearner",), checks=_TESTS),
    Theorem("wang2016:rem-33.a", "A better bound on delta, and where the transition lies",
            assumptions="eps < inf is a constant (definition 28) and n is large: n (e^eps - 1) >= 2, log n >= 2 eps. E "
                        "= e^eps, P = E^n, thresholds as in prop-12 with any number K of them, D_i uniform on the two "
                        "halves of J_i: outside J_i the risk is 1/2, so a rate of at most 0.1 means P(A(Z) in J_i) >= "
                        "0.8 for Z ~ D_i^n; group privacy (first two claims, S = (P - 1)/(E - 1)) and u = P delta <= "
                        "1/n, g = E - 1 leave at least 0.3/P of it on Z_1, for each of K - 1 disjoint intervals. "
                        "exp(-n^2 log n) is below the bound of prop-33; above all c/n its first claim holds",
            uses=("wang2016:prop-33",), proved_by="repaired",
            claims=(
                Claim("p in [0, 1]; q in [0, 1]; r in [0, 1]; S in [0, inf); d in [0, 1]; E in (1, inf); F in [1, inf)",
                      "q <= F*p + S*d; r <= E*q + d", "r <= (E*F)*p + (E*S + 1)*d"),
                Claim("E in (1, inf); P in [1, inf)", "", "E*((P - 1)/(E - 1)) + 1 = (E*P - 1)/(E - 1)"),
                Claim("out in [0, 1]; xi in [0, 0.1]", "out*(1/2) <= xi", "1 - out >= 0.8"),
                Claim("u in [0, 1]; g in (0, inf); n in Z[1, inf)", "u*n <= 1; n*g >= 2", "u/g <= 1/2",
                      ("have u*n*g <= g", "have u*n*g >= 2*u", "have u <= g/2")),
                Claim("p in [0, 1]; q in [0.8, 1]; u in [0, 1/2]; P in [1, inf)", "q <= P*p + u", "p >= 0.3/P",
                      ("have P*p >= 0.3",)),
                Claim("P in [1, inf); K in Z[2, inf)", "K >= 4*P + 1", "(K - 1)*(0.3/P) > 1"),
                Claim("n in Z[2, inf); eps in (0, inf)", "log(n) >= 2*eps", "n^2*log(n) >= eps*n^2 + log(n)",
                      ("have log(n) > 0", "have n^2*log(n) >= 2*eps*n^2", "have n^2*log(n) >= 4*log(n)")),
            )),
)

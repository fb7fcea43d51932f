"""bassily2018: how many queries are answered, and how well (theorems 3.2, 3.4 and 3.5).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides. Letters
are the paper's; a = gamma + alpha, L = log(m/beta), A = 4mT/min(delta, beta/2), z = min(delta, beta/2).

Hidden logarithms. In lines that refute, Lg >= 1 stands for any product of powers of logarithms of all parameters but
epsilon. In repairs c >= 1 stands for the constant times the logarithms that come in: log(2/delta) and log A through k,
and 1 + log(n/(kV)) + log(k/beta) through the learner, each to the first power; what else is hidden is written out.
"""

from __future__ import annotations

from dpcheck.papers.bassily2018.theorems import rates_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: m = 2, alpha = 7/1000, gamma = 0, beta = 10^-6: both queries fall on a point where all classifiers are wrong.
_TWO = "(2*(7/1000) + sqrt(2*(7/1000)*log(2/10^-6)/2))"
_TWO_QUERIES = (
    Claim("", "", f"3*{_TWO} <= 1"),
    Claim("", "", "(7/1000)^2 > 2*10^-6"),
)
_TWO_WORDS = (
    "m = 2, gamma = 0, alpha = 7/1000, beta = 10^-6: T = 0.998 (1 if rounded up). H = {0, 1_p} with P_X(p) = alpha, "
    "labels 0, a learner that always returns 1_p (its error is alpha): with probability alpha^2 = 4.9 10^-5 > 2 beta "
    "both queries are p, where all votes are wrong, and no label that alg-2 can give them is right"
)
#: eps = 20000: one model.
_ONE_MODEL = "sqrt(32*log(2000000))/20000"
NOT_ANSWERED = (
    Claim("", "", f"1/3 >= 8*({_ONE_MODEL})*log(80000000)"),
    Claim("", "", f"0 < 34*sqrt(2)*({_ONE_MODEL})*log(80000000) <= 1"),
    Claim("", "", "1 - (4*(1/2000000) - (1/2000000)^2)/6 > 1 - 1/1000000"),
)
NOT_ANSWERED_WORDS = (
    "epsilon = 20000, delta = 10^-6, beta = 10^-7, T = 1, m = 1: k = 1 satisfies it; one vote is at distance 0 "
    "whatever it is, and no label is given with probability above 1 - 10^-6"
)
#: T = 3(a m + ...) at a = 10^-20: A < 1.
_TINY = "3*(10^-20 + sqrt(10^-20*log(1/(1/20))/2))"
_BUDGET = "p1 in [0, 1]; p2 in [0, 1]; p3 in [0, 1]; beta in (0, 1)"

#: How epsilon enters: k is at least 1.
_LARGE = "k is an integer of at least 1, and sqrt(T)/epsilon tends to 0 as epsilon grows"
_EPS = "It holds for epsilon <= 1 (or up to any constant)."
_K = (
    Claim("T in [1, inf); eps in (0, 1]; c in [1, inf); k in Z[1, inf)", "k <= c*sqrt(T)/eps + 1",
          "k <= (c + 1)*sqrt(T)/eps",
          ("have sqrt(T)/eps >= 1",)),
)
#: T = ceil(3B) with either B: at most 6 a m + 3 L + 1 (am = u^2, L = v^2, b = 1/sqrt(2)).
_CUTOFF = (
    Claim("u in [0, inf); v in [0, inf); b in [0, 1]", "", "3*(u^2 + b*u*v) <= 6*u^2 + 3*v^2", ("have b*u*v <= u*v",
          "case u - v")),
    Claim("s in [1, inf); X in [0, inf); L in [0, inf)", "s^2 <= 6*X*s + 3*L + 1", "s^2 <= 72*X^2 + 6*L + 2"),
)
_YOUNG = Claim("r in [0, inf); h in [0, inf); G in [0, inf)", "r^4 <= G + h^3*r", "r^4 <= (4/3)*G + h^4",
               ("have 3*h^4 + r^4 - 4*h^3*r >= 0",))

#: One query: the rate is 0 or 1. z = 40 C, n = z^8, eps = 1, V = 1, beta = 1/(16 n).
_SMALL_M = (
    Claim("z in [40, inf)", "", "(z/40)*(1 + log(16) + 16*log(z))^4 < z^8",
          ("lemma log_below x = z", "have log(z) >= 0", "have log(16) <= 3", "have 1 + log(16) + 16*log(z) <= 16*z",
           "have (1 + log(16) + 16*log(z))^2 <= (16*z)^2", "have (1 + log(16) + 16*log(z))^4 <= (16*z)^4")),
    Claim("n in Z[2, inf)", "", "(1/2)*(1 - 1/n)^n*(1/n) > 1/(16*n)", ("have (1 - 1/n)^n > 1/8",)),
    Claim("C in [1, inf); Lg in [1, inf); n in Z[2, inf)", "", "C*Lg/((2*C*Lg)*n) < 1"),
)
_SMALL_M_WORDS = (
    "V = 1: H = {h0, h1} that differ at one point p with P_X(p) = 1/n, the target one of them. With probability (1 - "
    "1/n)^n p is not in D, with probability 1/n the first query is p, and then the output does not depend on the "
    "target: for one of the two it is misclassified with probability at least (1 - 1/n)^n/(2n) > beta = 1/(16n). So "
    "for m = 1 the rate is 1 with more than beta, and for every constant C the bound is below 1: at epsilon = 1 with n "
    "= (40C)^8 and the fourth power of 1 + log(n/beta) (for other powers a larger n), and at epsilon = 2 C Lg with any "
    "logarithms"
)
#: gamma = 1/(4C), beta = 1/(8C), eps = 1, V = 1, m = 1, n = z^16.
_SMALL_M_AGNOSTIC = (
    Claim("z in [40, inf)", "", "(z/40)*(1/(4*(z/40))) + (z/40)*(1 + 17*log(z) - log(5))^4/z^8 < 1",
          ("lemma log_below x = z", "have log(5) >= 1", "have log(5) <= 2", "have log(z) >= 3",
           "have 1 + 17*log(z) - log(5) >= 0",
           "have 1 + 17*log(z) - log(5) <= 17*z",
           "have (1 + 17*log(z) - log(5))^2 <= (17*z)^2", "have (1 + 17*log(z) - log(5))^4 <= (17*z)^4",
           "have (z/40)*(1 + 17*log(z) - log(5))^4/z^8 <= 1/2")),
    Claim("C in [1, inf)", "", "1/(4*C) > 1/(8*C)"),
)
_SMALL_M_AGNOSTIC_WORDS = (
    "labels are 0 everywhere, flipped with probability gamma = 1/(4C): every output for a query is wrong with "
    "probability at least gamma > beta = 1/(8C), so for m = 1 the rate is 1 with more than beta, and the bound is "
    "below 1 at epsilon = 1, V = 1, n = (40C)^16, with the fourth power of 1 + log(n/beta) (for other powers a larger "
    "n)"
)
#: V = 1: one of two hypotheses that differ at a point of mass 1/n, which n examples miss: alpha >= 1/n at beta = 1/16.
NOT_SEEN = Claim("n in Z[2, inf)", "", "(1/2)*(1 - 1/n)^n > 1/16", ("have (1 - 1/n)^n > 1/8",))
_NOT_SEEN_WORDS = (
    f"{_LARGE}: a learner of two hypotheses that differ at one point of mass 1/n does not see the point with "
    "probability above 1/8, and then is wrong there with probability 1/2 for one of the two: at V = 1, beta = 1/16, no "
    "n examples give an alpha below 1/n"
)
#: T >= 3 alpha m at eps = C Lg mu, V = 1, m = mu eps n.
_LARGE_T = (
    NOT_SEEN,
    Claim("C in [1, inf); Lg in [1, inf); n in Z[2, inf); mu in [1, inf)", "",
          "3*(1/n)*(mu*(C*Lg*mu)*n) > C*Lg*(mu*(C*Lg*mu)*n)^2/((C*Lg*mu)*n)^2"),
)
_LARGE_T_WORDS = (
    f"{_NOT_SEEN_WORDS}; with epsilon = C Lg mu, m = mu epsilon n (as large as M, by mu), T = 3B >= 3 alpha m is above "
    "C Lg m^2V^2/(epsilon n)^2 = C Lg mu^2"
)
#: m = r^3, gamma = 1/(C n), (eps n)^(2/3) = C Lg r n, V = 1, alpha >= 1/n.
_LARGE_T_AGNOSTIC = (
    NOT_SEEN,
    Claim("C in [1, inf); Lg in [1, inf); n in Z[2, inf); r in [1, inf)", "",
          "3*(1/n)*r^3 > C*(1/(C*n))*r^3 + C*Lg*r^4/(C*Lg*r*n)"),
)
_LARGE_T_AGNOSTIC_WORDS = (
    f"{_NOT_SEEN_WORDS}; with m = r^3, gamma = 1/(C n) and epsilon such that (epsilon n)^(2/3) = C Lg r n (m is above "
    "M <= 1/gamma for large r), T >= 3 alpha m is above C m gamma + C Lg m^(4/3)/(epsilon n)^(2/3)"
)


STEPS = (
    # Theorem 3.2
    Step("T3.2.union", spelled=(("err(h_j)", "err"),),
         against=(
             Claim("k in Z[2, inf); s in Z[1, inf); zeros in Z[0, inf)", "zeros <= k*s", "max(zeros, k*s - zeros) >= s",
                   ("case zeros - (k*s - zeros)", "have k*s >= 2*s")),
             Claim("k in Z[2, inf); s in Z[1, inf); beta in (0, 1)", "s >= log(2*k/beta)/log(2)", "2*2^(-s) <= beta/k",
                   ("have log(2) > 0", "have s*log(2) >= log(2*k/beta)", "have exp(s*log(2)) >= 2*k/beta",
                    "have 2^s >= 2*k/beta", "have 2^(-s) = 1/2^s")),
             Claim("", "", "1/4 < 1/2"),
         ),
         because="X = {0, 1} uniform, labels y = x, H all functions, n/k = s: a learner that fits its examples, and "
                 "gives unseen points the label it saw, errs by 1/2 with probability 2 2^-s <= beta/k on i.i.d. "
                 "examples and else by 0, so it is a (1/4, beta/k, s)-learner. D holds one of the points at least s "
                 "times; a split that puts s of these into D_1 makes err(h_1) = 1/2 > 1/4, always",
         reading="\"arbitrarily\" lets the split depend on the records",
         erratum=Erratum(
             quotes="Arbitrarily split D into k non-overlapping chunks of size n/k. ... First, notice that Θ is an (α, "
                    "β/k, n/k)-agnostic PAC learner, hence w.p. ≥ 1 - β, the misclassification rate of h_j for all j ∈ "
                    "[k] is at most γ + α.",
             explanation="Chunks chosen with an eye on the records are not i.i.d. samples.", severity="slip",
             quality="reading",
             readings="It holds for a split that does not depend on the records (blocks of an i.i.d. sample, or a "
                      "random one)."),
         repair=Repair(
             "for a split that does not depend on the values of the records", "assumption",
             claims=(
                 Claim("one in [0, 1]; rest in [0, 1]; k in Z[1, inf); j in Z[0, inf); beta in (0, 1)",
                       "one <= beta/k; rest <= j*(beta/k)", "one + rest <= (j + 1)*(beta/k)"),
                 Claim("k in Z[1, inf); beta in (0, 1)", "", "k*(beta/k) <= beta"),
                 Claim("err in [0, 1]; gamma in [0, 1]; alpha in (0, 1)", "err - gamma <= alpha", "err <= gamma+alpha"),
             ),
             because="each chunk holds n/k i.i.d. examples (k divides n); the union bound, one classifier after the "
                     "other",
             downstream="Privacy needs its own condition on the split (A2.split); a random split of fixed sizes, or "
                        "blocks, satisfies this one.")),
    Step("T3.2.chernoff",
         against=(
             Claim("", "", "1 - 0.99^100 - 0.99^99 - (4950/10000)*0.99^98 > 1/20"),
             Claim("", "", "100*(1/100) + sqrt(100*(1/100)*log(100/(1/20))/2) < 3"),
         ),
         witness=instances.three_mistakes,
         because="m = 100, a = 1/100, beta = 1/20, and all classifiers the same one, with error a: B = 2.95, and it "
                 "makes 3 mistakes or more with probability 0.079 > beta",
         erratum=Erratum(
             quotes="So, by the standard Chernoff's bound, with probability at least 1 - β none of the h_j's "
                    "misclassify more than (γ + α)m + sqrt((γ + α)m log(m/β)/2) ≜ B queries in Q.",
             explanation="The variance of the number of mistakes is about (gamma + alpha) m, so that its square root "
                         "has to be multiplied by sqrt(2 log(1/failure)) at least, not sqrt(log/2), and a term in log "
                         "is missing for few mistakes; and a union over k classifiers asks for log(k/beta), where "
                         "log(m/beta) is printed.",
             severity="constant"),
         repair=Repair(
             "B = 2am + log(k/beta)", "constant",
             claims=(
                 Claim("p in [0, 1]", "", "1 + p*(e - 1) <= exp(p*(e - 1))", ("lemma exp_above x = p*(e - 1)",)),
                 Claim("p in [0, 1]; a in [0, 1]; m in Z[1, inf); k in Z[1, inf); beta in (0, 1)", "p <= a",
                       "exp(m*p*(e - 1) - (2*a*m + log(k/beta))) <= beta/k",
                       ("have m*p <= m*a", "have m*p*(e - 1) <= 2*a*m",
                        "have exp(m*p*(e - 1) - (2*a*m + log(k/beta))) <= exp(-log(k/beta))")),
                 Claim("k in Z[1, inf); beta in (0, 1)", "", "k*(beta/k) <= beta"),
             ),
             because="Markov's inequality for exp(number of mistakes): its mean is (1 + p(e - 1))^m <= exp(mp(e - 1)), "
                     "and P[N > b] <= exp(mp(e - 1) - b); the union over k classifiers",
             downstream="T = 3B = 6am + 3 log(k/beta) solves with k as T -> k did before (obs-3.a). Without the "
                        "classifiers' own counts it is simpler: the chance that a query has more than k/3 wrong votes "
                        "is at most 3a given the models (C4.1.end), so at most 6am + log(1/beta) queries have, with "
                        "probability 1 - beta.")),
    Step("T3.2.count",
         claims=(
             Claim("N in Z[0, inf); k in Z[1, inf); B in [0, inf)", "N*(k/3) <= k*B", "N <= 3*B"),
             Claim("S in [0, inf); wrong in [0, inf); N in Z[0, inf); k in Z[1, inf)", "S >= N*(k/3); wrong > k/3",
                   "S + wrong >= (N + 1)*(k/3)"),
             Claim("ones in [0, inf); zeros in [0, inf); k in Z[1, inf)", "ones > k/3; zeros > k/3",
                   "min(ones, zeros) > k/3"),
         ),
         because="S is the number of wrong votes on N such queries, at most kB in all; where both labels have more "
                 "than k/3 votes the wrong one has",
         reading="\"number of ones (or, zeros) > k/3 (i.e., they significantly disagree)\" is: the smaller of the two "
                 "numbers",
         uses=("bassily2018:lem-3.3",)),
    Step("T3.2.T", stated=True),
    Step("T3.2.suff", spelled=(("4mT", "4 m T"),),
         against=NOT_ANSWERED, witness=instances.one_model,
         because=NOT_ANSWERED_WORDS,
         reading="sufficient that all remaining queries get a label, except with probability beta; any epsilon",
         erratum=Erratum(
             quotes="it would suffice to have k/3 ≥ 32 log(4mT/min(δ, β/2)) sqrt(2T log(2/δ))/ε (taking into account "
                    "the noise in the threshold passed to A_stab in Step 8 of A_binClas).",
             explanation="The distance is k/3 - 1, and where lam is small against a vote (epsilon very large, or T far "
                         "below 1) the 1 is all of it.",
             severity="edge", quality="reading",
             readings="The epsilon was lost in the conversion and restored. It holds for epsilon <= 25 and T >= 1."),
         repair=Repair(
             "for T >= 1 and lam log A >= 1/3 (the k of alg-2 is then at least 16)", "domain",
             claims=(
                 Claim("lam in (0, inf); T in [1, inf); m in Z[1, inf); delta in (0, 1); beta in (0, 1); z in (0, 1)",
                       "z <= delta; z <= beta/2",
                       "2*lam*log(2*m/delta) + 2*lam*log(m/beta) + lam*log((T + 1)/beta) <= 5*lam*log(4*m*T/z)",
                       ("have 2*m/delta <= 4*m*T/z", "have m/beta <= 4*m*T/z", "have (T + 1)/beta <= 4*m*T/z",
                        "lemma log_increases x = 2*m/delta; y = 4*m*T/z", "lemma log_increases x = m/beta; y = 4*m*T/z",
                        "lemma log_increases x = (T + 1)/beta; y = 4*m*T/z")),
                 Claim("x in [1/3, inf); k in [0, inf)", "k/3 >= 8*x", "k/3 - 1 >= 5*x"),
                 Claim("T in [1, inf); m in Z[1, inf); eps in (0, 25]; delta in (0, 1); z in (0, 1/2]", "z <= delta",
                       "sqrt(32*T*log(2/delta))/eps*log(4*m*T/z) >= 1/3",
                       ("have log(2/delta) >= 69/100", "have T*log(2/delta) >= 69/100",
                        "have sqrt(32*T*log(2/delta)) >= 23/5", "have sqrt(32*T*log(2/delta))/eps >= 23/125",
                        "have 4*m*T/z >= 8", "have log(4*m*T/z) >= 2")),
                 Claim("x in [1/3, inf); k in [0, inf)", "k/3 >= 16*x", "k/6 - 1 >= 5*x"),
                 Claim("m in Z[1, inf); beta in (0, 1); lam in (0, inf)", "",
                       "exp(-(2*lam*log(m/beta))/(2*lam))/2 <= beta/(2*m)"),
                 Claim("T in [1, inf); beta in (0, 1); lam in (0, inf)", "",
                       "exp(-(lam*log((T + 1)/beta))/lam)/2 <= beta/(2*(T + 1))"),
                 Claim("m in Z[1, inf); T in [1, inf); beta in (0, 1)", "",
                       "m*(beta/(2*m)) + (T + 1)*(beta/(2*(T + 1))) <= beta"),
                 Claim("right in [0, inf); wrong in [0, inf); k in Z[1, inf)", "wrong <= k/3; right = k - wrong",
                       "right - wrong - 1 >= k/3 - 1"),
             ),
             because="x = lam log A. The m noises of queries are above -2 lam log(m/beta) and the at most T + 1 noises "
                     "of thresholds below lam log((T + 1)/beta) except with probability beta; then every distance "
                     "above w plus both (first formula) gets its label. The second is for x >= 1/3, which epsilon <= "
                     "25 gives (third); the fourth is for the repaired distance, ceil(lead/2) - 1 >= k/6 - 1, with the "
                     "k of alg-2",
             downstream="Part (i) and (ii) of thm-3.2 need lam log A >= 1/3, which epsilon <= 25 and T >= 1 give.")),
    Step("T3.2.k",
         claims=(Claim("T in (0, inf); m in Z[1, inf); delta in (0, 1); beta in (0, 1); eps in (0, inf)", "",
                       "34*sqrt(2)*(sqrt(32*T*log(2/delta))/eps)*log(4*m*T/min(delta, beta/2))/3 >= "
                       "32*log(4*m*T/min(delta, beta/2))*sqrt(2*T*log(2/delta))/eps"),),
         against=(
             Claim("", "", f"4*{_TINY}/10^-6 < 1"),
             Claim("lam in (0, inf); x in (-inf, 0)", "", "34*sqrt(2)*lam*x/3 < 8*lam*x"),
             Claim("", "", "8^2*32 = 32^2*2"),
         ),
         because="m = 1, gamma = 0, alpha = 10^-20, beta = 1/20, delta = 10^-6: A < 1, its logarithm x is negative, "
                 "and so is k; the right side of step 16 is 8 lam x (third formula, squared)",
         reading="T of thm-3.2 for all alpha in (0, 1): it tends to 0 with alpha",
         erratum=Erratum(
             quotes="This condition on k is satisfied by the setting of k in A_binClas.",
             explanation="T is a real number that may be so small that 4mT < min(delta, beta/2); the k of alg-2 is "
                         "then negative.",
             severity="edge", quality="reading", readings="It holds for T >= 1, so if T is rounded up."),
         repair=Repair(
             "for T >= 1 (T rounded up)", "domain",
             claims=(
                 Claim("m in Z[1, inf); T in [1, inf); z in (0, 1)", "", "log(4*m*T/z) >= 0", ("have 4*m*T/z >= 1",)),
                 Claim("lam in (0, inf); x in [0, inf)", "", "34*sqrt(2)*lam*x/3 >= 16*lam*x >= 8*lam*x"),
                 Claim("", "", "8^2*32 = 32^2*2"),
             ),
             because="k/3 = 34 sqrt(2) lam x/3 with x = log A, and the right side of step 16 is 8 lam x; rounding k up "
                     "helps",
             downstream="twice what is asked for")),
    Step("T3.2.maj",
         against=(Claim("", "", f"3*{_TWO} <= 1"), Claim("", "", "(7/1000)^2 > 10^-6")),
         witness=instances.two_queries,
         because=f"{_TWO_WORDS}: two such queries, and 3B is below 1",
         reading="the probability of the line is the whole one, over D and Q",
         erratum=Erratum(
             quotes="note that by the same lemma above, w.p. 1 - β, there are at least 2k/3 classifiers that output "
                    "the correct label in each of the remaining m - 3B queries.",
             explanation="B is too small (T3.2.chernoff); and the line rests on two events that fail with probability "
                         "beta each, the errors and the mistakes.",
             severity="constant"),
         repair=Repair(
             "w.p. >= 1 - 2 beta, with B = 2am + log(k/beta)", "constant",
             claims=(
                 Claim("p1 in [0, 1]; p2 in [0, 1]; beta in (0, 1)", "p1 <= beta; p2 <= beta",
                       "1 - (p1 + p2) >= 1 - 2*beta"),
                 Claim("wrong in [0, inf); k in Z[1, inf)", "wrong <= k/3", "k - wrong >= 2*k/3"),
             ),
             because="T3.2.union and T3.2.chernoff as repaired, and lem-3.3", uses=("bassily2018:lem-3.3",),
             downstream="the budget of thm-3.2 becomes 3 beta")),
    Step("T3.2.budget",
         against=_TWO_QUERIES, witness=instances.two_queries,
         because=f"{_TWO_WORDS}. Whatever alg-2 does, both are misclassified: more than T, with probability above 2 "
                 "beta",
         erratum=Erratum(
             quotes="Hence, w.p. ≥ 1 - 2β, Algorithm A_binClas will correctly classify such queries. This completes "
                    "the proof.",
             explanation="Three events fail with probability beta each: the classifiers' errors, their mistakes on Q, "
                         "and the noise; and B is too small.",
             severity="constant"),
         repair=Repair(
             "w.p. >= 1 - 3 beta, with B = 2am + log(k/beta)", "constant",
             claims=(Claim(_BUDGET, "p1 <= beta; p2 <= beta; p3 <= beta", "1 - (p1 + p2 + p3) >= 1 - 3*beta"),),
             because="T3.2.union, T3.2.chernoff, T3.2.suff as repaired", downstream="thm-3.2 with 1 - 3 beta")),
    Step("T3.2.rate", spelled=(("= O(gamma+alpha)", "<= C*(gamma+alpha)"),),
         against=(
             Claim("C in [1, inf)", "", "3*(1/(8*C^2) + sqrt((1/(8*C^2))*log(2)/2)) > C*(1/(8*C^2))",
                   ("have sqrt((1/(8*C^2))*log(2)/2) >= 1/(5*C)",)),
             Claim("C in [1, inf)", "", "0 < 1/(8*C^2) < 1"),
         ),
         because="for every C: m = 1, beta = 1/2, gamma = 0, alpha = 1/(8C^2)",
         erratum=Erratum(
             quotes="the misclassification rate of A_binClas is at most T/m = O(γ + α).",
             explanation="T/m = 3a(1 + sqrt(log(m/beta)/(2am))), which is far above a where am is small against "
                         "log(m/beta): fewer than log(m/beta) mistakes cannot be ruled out.",
             severity="constant"),
         repair=Repair(
             "for (gamma + alpha) m >= log(m/beta): T/m <= 5.13 (gamma + alpha); with B = 2am + log(k/beta), where "
             "that is at least log(k/beta), T/m <= 10 (gamma + alpha) for T rounded up and am >= 1", "domain",
             claims=(
                 Claim("u in (0, inf); v in [0, inf)", "v <= u", "3*(u^2 + u*v/sqrt(2)) <= 5.13*u^2",
                       ("have u*v <= u^2", "have 1/sqrt(2) <= 0.7072", "have u*v*(1/sqrt(2)) <= 0.7072*u^2")),
                 Claim("x in [1, inf); L in [0, inf)", "L <= x", "3*(2*x + L) + 1 <= 10*x"),
             ),
             because="am = u^2 = x, L = v^2 in the first",
             downstream="In general T/m <= 10 (gamma + alpha) + O(log(k/beta))/m.")),
    Step("T3.2.halt",
         against=(
             Claim("", "", f"3*{_TWO} <= 1"),
             Claim("", "", "(14/1000)^2*(1 - 2*(2/3)*(10^-6/4)*2*exp((34*sqrt(2)*sqrt(32*log(2000000))*log(16000000) + "
                           "1)/(8*32*log(2000000)))) > 2*10^-6"),
             Claim("u in [0, 1]", "", "(4*u - u^2)/6 <= 2/3*u"),
             Claim("u in [1, inf)", "", "1 - (4/u - 1/u^2)/6 <= 2/3*u"),
             Claim("", "", "(exp(1/(2*sqrt(32*log(2000000)))) + exp(-1/(2*sqrt(32*log(2000000)))))/2 <= "
                           "exp((1/(2*sqrt(32*log(2000000))))^2/2)"),
         ),
         witness=instances.two_abstentions,
         because="m = 2, gamma = 0, alpha = 7/1000, beta = delta = 10^-6, epsilon = 1, T = 1 (0.998 rounded up): H = "
                 "{0, 1_p, 1_q} with P_X(p) = P_X(q) = alpha, labels 0, a learner that returns 1_p or 1_q by a fair "
                 "coin (the parity of a fair bit in the features of its chunk). With probability (2 alpha)^2 both "
                 "queries are p or q, the lead is |2J - k| with J binomial, E exp(|2J - k|/(2 lam)) <= 2 cosh(1/(2 "
                 "lam))^k <= 2 exp(k/(8 lam^2)), and a label at distance d has a chance of at most (2/3)(delta/(2m)) "
                 "exp(d/(2 lam)): ⊥ twice, more than T, with probability above 2 beta",
         reading="T rounded up; with T = 0.998 the first ⊥ is too many, which is likelier still",
         erratum=Erratum(
             quotes="i) with probability at least 1 - 2β, A_binClas does not halt before answering all the m queries "
                    "in Q, and outputs ⊥ for at most T queries",
             explanation="T is too small by the constants of T3.2.chernoff: rare queries on which the votes are split "
                         "come in twos more often than 2 beta.",
             severity="constant"),
         repair=Repair(
             "w.p. >= 1 - 3 beta, with T >= 3B, B = 2am + log(k/beta), T >= 1 and lam log A >= 1/3", "constant",
             claims=(
                 Claim("bad in Z[0, inf); out in Z[0, inf); B in [0, inf); T in [0, inf)",
                       "bad <= 3*B; T >= 3*B; out <= bad", "out <= T"),
                 Claim(_BUDGET, "p1 <= beta; p2 <= beta; p3 <= beta", "1 - (p1 + p2 + p3) >= 1 - 3*beta"),
             ),
             because="only queries with more than k/3 wrong votes may get ⊥ (T3.2.suff); the loop goes on while c <= T",
             uses=("bassily2018:lem-3.3",), downstream="thm-3.2 with 1 - 3 beta")),
    Step("L3.3", spelled=(("#{i: wrong_i > xi k}", "N"),),
         claims=(Claim("xi in (0, 1/2]; B in Z[0, inf); N in Z[0, 0]", "", "N < B/xi"),),
         because="k classifiers that make no mistake: there is no such query (N = 0), and B may be 0",
         erratum=Erratum(
             quotes="each classifier is guaranteed to make at most B mistakes in predicting the m labels ... For any ξ "
                    "∈ (0, 1/2], |{i ∈ [m] : ... > ξk}| < B/ξ.",
             explanation="For B = 0 both sides are 0.", severity="slip"),
         repair=Repair(
             "for B > 0, and with <= for all B >= 0", "domain",
             claims=(
                 Claim("N in Z[1, inf); k in Z[1, inf); xi in (0, 1/2]; B in [0, inf); S in [0, inf)",
                       "S > N*(xi*k); S <= k*B",
                       "N < B/xi", ("have N*xi < B",)),
                 Claim("N in Z[0, 0]; xi in (0, 1/2]; B in (0, inf)", "", "N < B/xi"),
                 Claim("N in Z[0, 0]; xi in (0, 1/2]; B in [0, inf)", "", "N <= B/xi"),
                 Claim("S in [0, inf); wrong in [0, inf); N in Z[0, inf); c in [0, inf)", "S >= N*c; wrong > c",
                       "S + wrong > (N + 1)*c"),
                 Claim("S in [0, inf); own in [0, inf); j in Z[0, inf); B in [0, inf)", "S <= j*B; own <= B",
                       "S + own <= (j + 1)*B"),
             ),
             because="S is the number of wrong votes on the N queries, counted by queries (fourth formula, one query "
                     "after the other) and by classifiers (fifth)",
             downstream="T3.2.count says \"at most\": unchanged.")),
    # Theorem 3.4
    Step("T3.4.alpha",
         claims=(
             Claim("x in [1, inf); q in (0, inf); alpha in (0, 1)", "alpha >= 13*(1 + log(x) + q)/x",
                   "alpha*x >= (4/log(2))*(log(2) + q)",
                   ("have log(x) >= 0", "have log(2) >= 69/100", "have log(2) <= 1",
                                                         "have alpha*x >= 13*(1 + log(x) + q)", "have 1/log(2) <= 3/2",
                                                         "have 4*q/log(2) <= 6*q")),
             Claim("x in [1, inf); q in (0, inf); alpha in (0, 1)", "alpha >= 13*(1 + log(x) + q)/x",
                   "alpha*x >= (8/log(2))*log(13/alpha)",
                   ("have log(x) >= 0", "have alpha*x >= 13*(1 + log(x) + q)", "have alpha*x >= 13",
                    "have 13/alpha <= x",
                    "lemma log_increases x = 13/alpha; y = x", "have log(2) >= 69/100", "have 8/log(2) <= 13")),
         ),
         because="Blumer et al.: alpha N >= max{4 log2(2/beta), 8V log2(13/alpha)} suffices for every consistent "
                 "learner. With x = N/V, N = n/k, and q = log(1/beta): alpha = 13 (V/N)(1 + log(N/V) + log(1/beta)) is "
                 "enough (the first has a factor V >= 1 to spare)",
         reading="the hidden logarithms are 1 + log(n/(kV)) + log(1/beta), to the first power; n/k >= V, alpha < 1; "
                 "realisable",
         cites="Blumer, Ehrenfeucht, Haussler & Warmuth 1989, theorem 2.1"),
    Step("T3.4.T",
         against=_LARGE_T,
         because=_LARGE_T_WORDS,
         reading="all epsilon > 0; hidden logarithms do not hold epsilon",
         erratum=Erratum(
             quotes="Setting T as in Theorem 3.2 with the aforementioned setting of α, and setting k as in Algorithm "
                    "A_binClas gives the setting of T in the theorem statement.",
             explanation=_LARGE + ": for large epsilon nothing is gained any more.", severity="edge",
             quality="reading",
             readings=_EPS),
         repair=Repair(
             "for epsilon <= 1, with mbar >= eps n/(V c) and T rounded up: T <= (72 c^2 + 6 log(k/beta) + 2) (mbar c "
             "V/(eps n))^2", "domain",
             claims=(*_K, *_CUTOFF,
                     Claim("X in [1, inf); c in [1, inf); L in [0, inf); t in [0, inf)", "t <= 72*(c*X)^2 + 6*L + 2",
                           "t <= (72*c^2 + 6*L + 2)*X^2", ("have X^2 >= 1",))),
             because="s = sqrt(T), and alpha m <= c X s with X = mbar c V/(eps n) >= 1, from T3.4.alpha and k <= c "
                     "s/eps: T <= 6 alpha m + 3L + 1, whether 3B is the printed or the repaired one; L = log(max(m, "
                     "k)/beta)",
             downstream="T = O~(mbar^2 V^2/(eps^2 n^2)) with the square of the logarithms in c.")),
    Step("T3.4.small",
         against=_SMALL_M, witness=instances.one_query,
         because=_SMALL_M_WORDS,
         reading="\"for up to M queries\": for every m <= M. Where M < 1, m = 1 falls under (ii), whose bound is then "
                 "below that of (i)",
         erratum=Erratum(
             quotes="For up to m = Ω̃(ε n/V) queries, the setting of T becomes T = O(1), and hence Theorem 3.2 implies "
                    "A_binClas yields a misclassification rate Õ(V/(ε n))",
             explanation="T = O(1) gives a rate of T/m = O(1/m), which is V/(eps n) for m about M only; for a single "
                         "query the rate is 0 or 1. And the rate cannot be below that of non-private learners for "
                         "large epsilon.",
             severity="constant", quality="reading",
             readings="It holds for m of the order of M and epsilon <= 1; for smaller m the number of mistakes is "
                      "O~(1)."),
         repair=Repair(
             "for epsilon <= 1: T = O~(1), and the rate is at most T/m, which is O~(V/(eps n)) for m >= M/2", "domain",
             claims=(
                 Claim("s in [1, inf); y in [0, 1]; Q in (0, inf)", "s^2 <= 6*y*s + 3*Q + 1", "s^2 <= 74 + 6*Q"),
                 Claim("M in (0, inf); m in Z[1, inf); t in [0, inf)", "m >= M/2", "t/m <= 2*t/M"),
                 Claim("M in (0, inf); t in [0, inf); q in (0, inf); c in [1, inf)", "M >= q/c", "2*t/M <= 2*c*t/q",
                       ("have 1/M <= c/q",)),
             ),
             because="M = eps n/(V c), c with the logarithms: y = alpha m/s <= 1, so T <= 74 + 6 Q with Q = "
                     "log(k/beta), a hidden logarithm; q = eps n/V",
             downstream="thm-3.4 (i) for m of the order of M")),
    Step("T3.4.large",
         against=_LARGE_T,
         because=_LARGE_T_WORDS,
         reading="all epsilon > 0; hidden logarithms do not hold epsilon",
         erratum=Erratum(
             quotes="Beyond Ω̃(ε n/V) queries, T = Õ(m² V²/(ε² n²)), and hence, Theorem 3.2 implies that the "
                    "misclassification rate of A_binClas is Õ(m V²/(ε² n²)).",
             explanation="As T3.4.T.", severity="edge", quality="reading", readings=_EPS),
         repair=Repair(
             "for epsilon <= 1", "domain",
             claims=(Claim("T in [0, inf); K in [1, inf); m in Z[1, inf); q in (0, inf)", "T <= K*(m/q)^2",
                           "T/m <= K*m/q^2"), *_K, *_CUTOFF),
             because="T3.4.T as repaired, K its constant and logarithms, q = eps n/V",
             downstream="thm-3.4 (ii) for epsilon <= 1")),
    Step("T3.4.cmp",
         claims=(
             Claim("q in (0, inf); m in Z[1, inf)", "", "min(1, m/q^2) <= min(1, sqrt(m)/q)",
                   ("have sqrt(m)/q >= 0", "have m/q^2 = (sqrt(m)/q)^2", "case m - q^2")),
             Claim("q in [1, inf); m in Z[1, inf)", "m > q; m <= q^2", "m/q^2 <= sqrt(m)/q",
                   ("have sqrt(m) <= q", "have m = sqrt(m)*sqrt(m)", "have m <= q*sqrt(m)")),
             Claim("q in (0, inf); m in Z[1, inf)", "", "m/q^2 = (sqrt(m)/q)*(sqrt(m)/q)"),
         ),
         because="q = eps n/V, M of the order of q: the ratio of the two is sqrt(m)/q, so 1/sqrt(q) at m = q",
         reading="sqrt(m) V/n, the root over m alone; a misclassification rate is at most 1, so both are capped there: "
                 "for m > q^2 both bounds are 1"),
    Step("obs-1.a",
         claims=(
             Claim("alpha in (0, 1); q in (0, inf)", "", "alpha*q^2/(alpha*q)^2 = 1/alpha"),
             Claim("alpha in (0, 1); q in [1, inf); m in (0, inf)", "m = alpha*q^2", "m/q^2 <= alpha"),
             Claim("alpha in (0, 1); q in [1, inf); root in (0, inf)", "root = alpha*q", "root/q = alpha"),
         ),
         because="q = eps n/V. The rate m/q^2 is alpha at m = alpha q^2, which is above M of the order of q where "
                 "alpha > 1/q; the rate sqrt(m)/q of advanced composition is alpha at m = (alpha q)^2 (root = sqrt(m))",
         reading="realisable case, logarithms aside; \"in some cases\": there"),
    # Theorem 3.5
    Step("T3.5.T",
         against=_LARGE_T_AGNOSTIC,
         because=_LARGE_T_AGNOSTIC_WORDS,
         reading="all epsilon > 0; hidden logarithms do not hold epsilon",
         erratum=Erratum(
             quotes="Setting T as in Theorem 3.2 with this value of α, and setting k as in A_binClas, and then solving "
                    "for T in the resulting expression, we get the setting of T as in the theorem statement",
             explanation=_LARGE + ".", severity="edge", quality="reading", readings=_EPS),
         repair=Repair(
             "for epsilon <= 1, mbar >= (1 + L) min{1/gamma, sqrt(eps n/V)}: T <= 12 mbar gamma + (4 + (6c)^(4/3)) "
             "(mbar sqrt(V/(eps n)))^(4/3)", "domain",
             claims=(*_K, _CUTOFF[0], _YOUNG,
                     Claim("g in [0, inf); L in [0, inf); Y in [0, inf)", "g >= 1 + L",
                           "(4/3)*(6*g + 3*L + 1) + Y <= 12*g + Y"),
                     Claim("g in [0, inf); L in [0, inf); Y in [0, inf); H in [0, inf)", "Y >= 1 + L",
                           "(4/3)*(6*g + 3*L + 1) + H <= 8*g + 4*Y + H")),
             because="r = T^(1/4), g = gamma mbar, alpha mbar <= c mbar sqrt(V/(eps n)) r: T <= 6g + 3L + 1 + h^3 r "
                     "with h^3 = 6c mbar sqrt(V/(eps n)); the formula with fourth powers gives (4/3)(6g + 3L + 1) + "
                     "h^4, h^4 = (6c)^(4/3) Y, Y = (mbar sqrt(V/(eps n)))^(4/3); and g or Y is at least 1 + L",
             downstream="T = O(mbar gamma) + O~(mbar^(4/3) V^(2/3)/(eps n)^(2/3)).")),
    Step("T3.5.small",
         against=_SMALL_M_AGNOSTIC, witness=instances.one_noisy_query,
         because=_SMALL_M_AGNOSTIC_WORDS,
         reading="\"for up to M queries\": for every m <= M. Where M < 1, m = 1 falls under (ii), whose bound is below "
                 "1 too",
         erratum=Erratum(
             quotes="For up to m = Ω̃(min{1/γ, √(ε n/V)}) queries, the setting of T becomes T = O(1), and hence "
                    "Theorem 3.2 implies A_binClas yields a misclassification rate O(γ) + Õ(√(V/(ε n)))",
             explanation="T = O(1) gives a rate of O(1/m), which is the printed one for m about M only.",
             severity="constant", quality="reading",
             readings="It holds for m of the order of M and epsilon <= 1."),
         repair=Repair(
             "for epsilon <= 1 and M/2 <= m <= M: the rate is at most T/m <= 2 T (gamma + sqrt(V/(eps n)))", "domain",
             claims=(
                 Claim("M in (0, inf); m in Z[1, inf); t in [0, inf)", "m >= M/2", "t/m <= 2*t/M"),
                 Claim("u in (0, inf); v in (0, inf); M in (0, inf)", "M >= min(1/u, 1/v)", "1/M <= u + v",
                       ("case 1/u - 1/v", "have M*(u + v) >= 1")),
                 _YOUNG,
             ),
             because="u = gamma, v = sqrt(V/(eps n)), M = min{1/u, 1/v}; T <= (4/3)(6 gamma m + 3L + 1) + h^4 with "
                     "gamma m <= 1 and h^4 a power of logarithms (T3.5.T), so O~(1)",
             downstream="thm-3.5 (i) for m of the order of M, with the logarithms of T before gamma too")),
    Step("T3.5.large",
         against=_LARGE_T_AGNOSTIC,
         because=_LARGE_T_AGNOSTIC_WORDS,
         reading="all epsilon > 0; hidden logarithms do not hold epsilon",
         erratum=Erratum(
             quotes="Beyond Ω̃(min{1/γ, √(ε n/V)}) queries, T = O(mγ) + Õ(m^{4/3} V^{2/3}/(ε^{2/3} n^{2/3})), and "
                    "hence, Theorem 3.2 implies that the misclassification rate of A_binClas is O(γ) + Õ(m^{1/3} "
                    "V^{2/3}/(ε^{2/3} n^{2/3})).",
             explanation="As T3.5.T.", severity="edge", quality="reading", readings=_EPS),
         repair=Repair(
             "for epsilon <= 1", "domain",
             claims=(Claim("T in [0, inf); K in [1, inf); r in [1, inf); g in [0, inf); w in (0, inf)",
                           "T <= K*(r^3*g) + K*r^4/w",
                           "T/r^3 <= K*g + K*r/w"), *_K, _YOUNG),
             because="m = r^3, w = (eps n/V)^(2/3), T3.5.T as repaired", downstream="thm-3.5 (ii) for epsilon <= 1")),
    Step("T3.5.opt",
         claims=(Claim("x in (0, inf); s in (0, inf); t in (0, inf); eps in (0, inf)", "s^2 = x; t^2 = eps",
                       "(s/t)^2 = x/eps"),),
         because="s = sqrt(V/n), t = sqrt(eps): the rate is s/t. The best excess over gamma, over all laws, is of the "
                 "order sqrt(V/n): the same up to 1/sqrt(eps)",
         reading="the rate over all gamma together, epsilon up to a constant, constants before gamma aside (for gamma "
                 "far below sqrt(V/n) non-private learners do better, down to V/n)",
         cites="Anthony & Bartlett 1999, theorem 5.2"),
)

_ANSWERS = ("dpcheck.papers.bassily2018.learners:PrivateAnswers",)
_PROPERTY = "properties/test_bassily2018.py"
_SIZES = "tests/papers/bassily2018/test_bassily2018.py"
_INSTANCES = "tests/papers/bassily2018/test_bassily2018_theorems_rates.py"

THEOREMS = (
    Theorem("bassily2018:thm-3.2", "Few queries are abstained from, few are misclassified",
            bounds=bounds_of("bassily2018", "models"),
            assumptions="alpha, beta in (0, 1); Theta an (alpha, beta/k, n/k)-agnostic learner. Its proof that the k "
                        "of alg-2 copes with the noise is in the full version, not in the inventory",
            steps=("T3.2.union", "T3.2.chernoff", "T3.2.count", "T3.2.T", "T3.2.suff", "T3.2.k", "T3.2.maj",
                   "T3.2.budget", "T3.2.rate", "T3.2.halt"),
            uses=("bassily2018:lem-3.3", "bassily2018:thm-2.5"),
            against=_TWO_QUERIES, witness=instances.two_queries,
            erratum=Erratum("i) with probability at least 1 - 2β, A_binClas does not halt before answering all the m "
                            "queries in Q, and outputs ⊥ for at most T queries; and ii) the misclassification rate of "
                            "A_binClas is at most T/m = O(γ + α).",
                            f"{_TWO_WORDS}: the rate is 1 > T/m. And T/m = O(gamma + alpha) fails for (gamma + alpha) "
                            "m far below log(m/beta) (T3.2.rate).", "constant"),
            repaired_statement="with a split that does not depend on the records, B = 2(gamma + alpha)m + log(k/beta), "
                               "T = max(1, ceil(3B)) and lam log A >= 1/3: with probability at least 1 - 3 beta; T/m "
                               "<= 10 (gamma + alpha) where (gamma + alpha) m >= log(k/beta) >= 1",
            learners=_ANSWERS, checks=(_PROPERTY, _INSTANCES)),
    Theorem("bassily2018:lem-3.3", "Counting mistakes",
            assumptions="m points, k classifiers with at most B mistakes each; xi in (0, 1/2]", steps=("L3.3",),
            against=(Claim("B in Z[0, 0]; xi in (0, 1/2]", "", "0 >= B/xi"),), witness=instances.no_mistakes,
            erratum=Erratum("|{i ∈ [m] : |{j ∈ [k] : h_j(x̃_i) ≠ ỹ_i}| > ξk}| < B/ξ.", "B = 0: 0 < 0.", "slip"),
            repaired_statement="for B > 0; with <= for all B >= 0", checks=(_INSTANCES,)),
    Theorem("bassily2018:obs-3.a", "The circle T -> alpha -> k -> T has a solution",
            claims=(Claim("r in [1, inf); X in [0, inf); L in [0, inf); l in [0, inf)", "r >= 1 + 24*X + 6*X*l + 3*L",
                          "6*X*r^2*(l + 4*r) + 3*L + 1 <= r^4",
                          ("have r^4 = r*r^3", "have r^3 >= r^2", "have r^3 >= 1",
                           "have r*r^3 >= (1 + 24*X + 6*X*l + 3*L)*r^3",
                           "have 6*X*l*r^3 >= 6*X*l*r^2", "have 3*L*r^3 >= 3*L")),
                    Claim("T in [1, inf)", "", "log(T) <= 4*T^(1/4)", ("lemma log_below x = T^(1/4)",))),
            assumptions="r = T^(1/4): the right side of T >= 6 alpha m + 3L + 1, alpha m = X sqrt(T)(l + log T) with l "
                        "the other logarithms, is at most T for large T, so there is a least integer T that will do. "
                        "Counting relations and parameters does not show it. It says something where k <= n and alpha "
                        "< 1",
            learners=_ANSWERS, checks=(_SIZES,)),
    Theorem("bassily2018:thm-3.4", "Rates in the realisable case", assumptions="gamma = 0; beta in (0, 1)",
            steps=("T3.4.alpha", "T3.4.T", "T3.4.small", "T3.4.large"),
            uses=("bassily2018:thm-3.2", "bassily2018:obs-3.d"),
            against=_SMALL_M, witness=instances.one_query,
            erratum=Erratum("w.p. ≥ 1 - β, A_binClas yields the following misclassification rate: (i) Õ(V/(ε n)) for "
                            "up to M queries, and (ii) Õ(m V²/(ε² n²)) for m > M queries.",
                            f"{_SMALL_M_WORDS}.", "edge", "reading",
                            "\"For up to M queries\" means every m <= M; at epsilon <= 1 it holds for m of the order "
                            "of M and above."),
            repaired_statement="for epsilon <= 1: at most O~(1 + m^2V^2/(eps^2n^2)) queries are misclassified, so the "
                               "rate is O~(V/(eps n)) for m between M/2 and M, and O~(mV^2/(eps^2n^2)) for m > M; for "
                               "smaller m the rate is at most O~(V/(eps n))/beta (Markov)",
            learners=_ANSWERS, checks=(_SIZES, _INSTANCES)),
    Theorem("bassily2018:obs-3.b", "Advanced composition would give more", steps=("T3.4.cmp",),
            assumptions="logarithms aside; epsilon <= 1, as thm-3.4 (ii) is repaired", uses=("bassily2018:thm-3.4",),
            proved_by="repaired",
            learners=("dpcheck.papers.bassily2018.learners:NoisyMajority",),
            checks=("tests/papers/bassily2018/test_bassily2018_composition.py",)),
    Theorem("bassily2018:thm-3.5", "Rates in the non-realisable case", assumptions="beta in (0, 1)",
            steps=("T3.5.T", "T3.5.small", "T3.5.large", "T3.5.opt"),
            uses=("bassily2018:thm-3.2", "bassily2018:obs-3.d"),
            against=_SMALL_M_AGNOSTIC, witness=instances.one_noisy_query,
            erratum=Erratum("w.p. ≥ 1 - β, A_binClas yields the following misclassification rate: (i) O(γ) + Õ(√(V/(ε "
                            "n))) for up to M queries, and (ii) O(γ) + Õ(m^{1/3} V^{2/3}/(ε^{2/3} n^{2/3})) for m > M "
                            "queries.",
                            f"{_SMALL_M_AGNOSTIC_WORDS}.", "constant", "reading",
                            "\"For up to M queries\" means every m <= M; at epsilon <= 1 it holds for m of the order "
                            "of M and above, with logarithms before gamma."),
            repaired_statement="for epsilon <= 1: at most O~(1) + O(m gamma) + O~(m^(4/3) V^(2/3)/(eps n)^(2/3)) "
                               "queries are misclassified, so the rates are as printed for m >= M/2, with logarithms "
                               "before gamma for m <= M",
            learners=_ANSWERS, checks=(_SIZES, _INSTANCES)),
    Theorem("bassily2018:inf-1.1", "Theorem 3.4, informally",
            claims=(Claim("mean in (0, inf); p in [0, 1]; beta in (0, 1)", "p*(mean/beta) <= mean", "p <= beta"),),
            assumptions="epsilon is a constant; \"with high probability\" is with a constant probability 1 - beta: the "
                        "mean rate is at most 3 alpha and the noise, O~(V/n) for every m <= M, so Markov's inequality "
                        "gives (i); thm-3.4 as repaired gives (ii)",
            uses=("bassily2018:thm-3.4",), proved_by="repaired"),
    Theorem("bassily2018:obs-1.a", "More queries than advanced composition", steps=("obs-1.a",),
            assumptions="realisable case, logarithms aside, alpha > V/(eps n)", uses=("bassily2018:thm-3.4",),
            proved_by="repaired",
            checks=("tests/papers/bassily2018/test_bassily2018_composition.py",)),
    Theorem("bassily2018:obs-1.b", "The rates for m > n/V",
            claims=(Claim("q in [1, inf); m in Z[1, inf)", "m > q; m <= q^2", "m/q^2 <= sqrt(m)/q",
                          ("have sqrt(m) <= q", "have m = sqrt(m)*sqrt(m)", "have m <= q*sqrt(m)")),),
            assumptions="q = n/V, epsilon a constant, rates below 1; \"can be significantly larger\"",
            uses=("bassily2018:thm-3.4",), proved_by="repaired",
            checks=("tests/papers/bassily2018/test_bassily2018_composition.py",)),
    Theorem("bassily2018:obs-3.d", "Uniform convergence", steps=("T3.4.alpha",),
            assumptions="realisable: T3.4.alpha; agnostic: alpha = O~(sqrt(kV/n)) is cited",
            cited="Shalev-Shwartz & Ben-David 2014, theorem 6.8",
            learners=("dpcheck.papers.bassily2018.learners:Realisable", "dpcheck.papers.bassily2018.learners:Agnostic"),
            checks=(_SIZES,)),
    Theorem("bassily2018:obs-1.c", "No cost for privacy up to n/V queries",
            claims=(Claim("V in Z[1, inf); n in Z[1, inf); eps in (0, 1]", "", "(V/(eps*n))/(V/n) = 1/eps"),),
            assumptions="epsilon a constant: the rate of thm-3.4 (i) and the best non-private one, of the order V/n, "
                        "differ by 1/epsilon and logarithms", uses=("bassily2018:thm-3.4",), proved_by="repaired"),
)

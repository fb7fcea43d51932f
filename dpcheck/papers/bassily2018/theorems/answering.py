"""bassily2018: stability, the sparse vector over votes and its privacy (sections 2.1 and 3, theorem 3.1).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides. Letters
are the paper's: T the cutoff, m queries, k models, lam the scale of a threshold's noise, w the threshold; d is a
printed distance, g the lead ct(qhat) - ct(1 - qhat).

The law of one query. A query at distance d gets a label when d + Lap(2 lam) > w + Lap(lam). The difference of the two
noises exceeds x >= 0 with probability (4 exp(-x/(2 lam)) - exp(-x/lam))/6: its law is 4/3 Lap(2 lam) less 1/3 Lap(lam),
as the moment generating functions show (``_TAIL``); the witnesses compare it with the integral over the threshold. With
exp(-w/(2 lam)) = delta/(2m) and u = delta/(2m) exp(d/(2 lam)) the chance of a label is (4u - u^2)/6 for d <= w, and the
chance of none is (4/u - 1/u^2)/6 for d >= w.
"""

from __future__ import annotations

from dpcheck.papers.bassily2018.theorems import answering_instances as instances
from dpcheck.papers.bassily2018.theorems.derivations import ROUND
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: 1/(2 lam) at T = 1 and (epsilon, delta) = (30, 1/10); (1, 10^-6); and at T = 1/1000, (1, 10^-6).
_RATE_30 = "15/sqrt(32*log(20))"
_RATE_1 = "1/(2*sqrt(32*log(2000000)))"
_RATE_SMALL = "1/(2*sqrt(32*(1/1000)*log(2000000)))"
_U_30 = f"((1/20)*exp({_RATE_30}))"
#: 1/u at distance 15749, all of 15750 votes alike.
_V_ALL = f"(2000000*exp(-15749*{_RATE_1}))"
#: u at the printed distances 601 and 599.
_U_601, _U_599 = (f"((1/2000000)*exp({d}*{_RATE_1}))" for d in (601, 599))
_V_21, _V_23 = (f"(2000000*exp(-{d}*{_RATE_SMALL}))" for d in (21, 23))

#: Lap(2 lam) - Lap(lam) has the moment generating function of 4/3 Lap(2 lam) less 1/3 Lap(lam), at t = (lam s)^2.
_TAIL = Claim("t in [0, 1/4)", "", "(1/(1 - t))*(1/(1 - 4*t)) = (4/3)/(1 - 4*t) - (1/3)/(1 - t)")
#: A tie against two votes more: the label that only the second side gives.
_LARGE_EPS = (
    _TAIL,
    Claim("", "", f"(4*{_U_30} - {_U_30}^2)/6 > 1/10"),
    Claim("", "", f"{_U_30} < 1"),
)
#: One record less, and all blocks move.
_BLOCKS = (
    Claim("", "", "15749 < 34*sqrt(2)*sqrt(32*log(2000000))*log(4000000) <= 15750"),
    Claim("", "", f"1 - (4*(1/2000000) - (1/2000000)^2)/6 - e*(4*{_V_ALL} - {_V_ALL}^2)/6 > 1 - 1/1000000"),
    Claim("", "", f"{_V_ALL} < 1"),
)
#: A cutoff far below 1: the noise is that of T rounds, and one is played.
_SMALL_T = (
    Claim("", "", f"(4*{_V_21} - {_V_21}^2)/6 - e*(4*{_V_23} - {_V_23}^2)/6 > 1/1000000"),
    Claim("", "", f"{_V_21} < 1"),
)
_LARGE_EPS_WORDS = (
    "T = 1, m = 1, (epsilon, delta) = (30, 0.1), k = 80 (beta = 0.05): with 40 votes for each label the output is "
    "never 0 (ties going to 1; else exchange the labels); with one vote changed 0 leads by 2, its printed distance is "
    "1, and it is released with probability 0.145 > delta"
)
_BLOCKS_WORDS = (
    "k = 15750 blocks of two records, labels 1 1 0 0 1 1 0 0 ..., a learner that votes 1 where both labels are 1, T = "
    "1, m = 1, (epsilon, delta) = (1, 10^-6): the votes are even and nothing is released but with probability 4 10^-7; "
    "without the first record no block has two ones, all votes are 0 and 0 is released but with probability 3 10^-153"
)
_SMALL_T_WORDS = (
    "T = 1/1000, m = 1, (epsilon, delta) = (1, 10^-6), k = 272: 125 votes for 1 give no label with probability 0.24, "
    "124 with probability 0.06"
)
#: The mean of exp(aZ), Z the privacy loss of R rounds that are s-DP each, is at most exp(R a(a + 1)s^2/2).
_MOMENTS = (
    Claim("E in (1, inf); p in [0, 1]", "p = E/(1 + E)", "p*(1/E) + (1 - p)*E = 1"),
    Claim("a in (0, inf); w in (0, inf)", "", "a*(a + 1)*w^(-a - 2) >= 0"),
    Claim("s in (0, inf); a in (0, inf)", "",
          "exp(s)/(1 + exp(s))*exp(a*s) + 1/(1 + exp(s))*exp(-a*s) = "
          "(exp((a + 1/2)*s) + exp(-(a + 1/2)*s))/(exp(s/2) + exp(-s/2))"),
    Claim("t in [0, inf)", "", "exp(t) - exp(-t) <= t*(exp(t) + exp(-t))"),
    Claim("s in (0, inf); a in (0, inf)", "", "((a + 1/2)*s)^2/2 - (s/2)^2/2 = a*(a + 1)*s^2/2"),
    Claim("x in [0, inf); y in [0, inf); r in [0, inf); R in Z[0, inf)", "x <= exp(R*r); y <= exp(r)",
          "x*y <= exp((R + 1)*r)",
          ("have exp((R + 1)*r) = exp(R*r)*exp(r)",)),
)
_MOMENTS_WORDS = (
    "In a round that is s-DP, w = exp(-Z) = Q/P is between exp(-s) and exp(s), its mean under P is 1, and w^-a is "
    "convex: the mean of exp(aZ) is at most the chord's value at 1, cosh((a + 1/2)s)/cosh(s/2), and at most exp(a(a + "
    "1)s^2/2), since t^2/2 - log cosh t increases; rounds multiply, whatever was before (formulas 1 to 6)"
)
_REPAIRED = (
    "for T >= 1 and a split in which the chunk of a record does not depend on the other records: as printed for "
    "epsilon <= 2 and delta <= 1/10; with the distance max{0, ceil((ct(qhat) - ct(1 - qhat))/2) - 1} for epsilon <= "
    "2.3 log(2/delta) and all delta"
)

STEPS = (
    # Section 2.1
    Step("S2.dti",
         claims=(
             Claim("K in Z[0, inf); near in Z[0, inf); beside in Z[0, inf)", "near <= K - 1; beside <= near + 1",
                   "beside <= K"),
             Claim("K in Z[0, inf); other in Z[1, inf)", "other = K + 1", "other - 1 <= K"),
             Claim("at in Z(-inf, inf); before in Z(-inf, inf); last in Z(-inf, inf)", "before = at; last >= at + 1",
                   "last >= before + 1"),
         ),
         because="K = max{k : f is k-stable on D}. A dataset nearer than K has its neighbours within K of D, where f "
                 "is constant: it is stable. Some dataset at distance K + 1 has another value (values numbered so that "
                 "it is the larger one); on a shortest way to it the last one before it, at distance K, still has D's: "
                 "it is unstable. So the nearest unstable dataset is at distance K",
         reading="f takes two values; the value of max, not its place"),
    Step("T2.4",
         claims=(
             Claim("Gamma in (-inf, inf); delta in (0, 1]; eps in (0, inf)", "Gamma = log(1/delta)/eps",
                   "exp(-eps*Gamma)/2 <= delta", ("have eps*Gamma = log(1/delta)",)),
             Claim("x in (-inf, inf); d in (-inf, inf); dd in (-inf, inf); eps in (0, inf)", "abs(d - dd) <= 1",
                   "exp(-eps*abs(x - d)) <= exp(eps)*exp(-eps*abs(x - dd))"),
             Claim("K in Z[0, inf); L in Z[0, inf)", "L >= K - 1; K >= L - 1", "abs(K - L) <= 1"),
             Claim("p in [0, 1]; q in [0, 1]; E in [1, inf); a in [0, 1]; delta in (0, 1]", "p <= q; a <= delta/2",
                   "p + a <= E*q + delta"),
             Claim("p in [0, 1]; q in [0, 1]; E in [1, inf); delta in [1, inf)", "", "p <= E*q + delta"),
         ),
         because="where f(D) = f(D') the distances differ by at most 1 (a ball about D' lies in one about D that is "
                 "larger by 1, and the other way), so the density of the noisy distance changes by a factor of at most "
                 "exp(eps). Where they differ both distances are 0: each value is released with probability exp(-eps "
                 "Gamma)/2 = delta/2, ⊥ has the same probability on both sides, and the fourth formula is the "
                 "definition. For delta > 1 it says nothing (fifth)",
         reading="arg max is the value of the maximum; it is infinite, on all datasets, for a constant f"),
    Step("T2.5",
         claims=(Claim("delta in (0, 1); beta in (0, 1); eps in (0, inf); d in Z[0, inf)",
                       "d >= (log(1/delta) + log(1/beta))/eps",
                       "1 - exp(-eps*(d - log(1/delta)/eps))/2 >= 1 - beta",
                       ("have eps*(d - log(1/delta)/eps) >= log(1/beta)",
                        "have exp(-eps*(d - log(1/delta)/eps)) <= exp(-log(1/beta))")),),
         because="d is the largest k for which f is k-stable; the tail of Lap(1/eps) below Gamma - d <= 0",
         reading="k-stable for a k that is no integer: the largest integer k for which f is k-stable is at least that "
                 "number, as sizes are rounded up. (Rounded down, which |D Δ D'| <= k would do, it is false at eps = "
                 "10, delta = beta = exp(-9/2), where the number is 0.9; computed exactly in the tests.)"),
    # Algorithm 2
    Step("A2.lam", stated=True),
    Step("A2.k", stated=True, reading="rounded up; not defined where 4mT/min(delta, beta/2) < 1 (T3.2.k)"),
    Step("A2.w", stated=True),
    Step("A2.dist",
         claims=(Claim("g in Z[1, inf)", "", "max(0, g - 1) <= floor(g/2)"),),
         because="a lead of g votes is gone after more than g/2 changed votes, and one record can change a vote: the "
                 "distance to instability is at most floor(g/2), with ties to qhat, and ceil(g/2) - 1 against it",
         witness=instances.three_votes,
         reading="one record changes one vote and no other (A2.split)",
         erratum=Erratum(
             quotes="dist_{q̂_{x_i}} ← max{0, ct(q̂_{x_i}) - ct(1 - q̂_{x_i}) - 1}",
             explanation="Votes are changed, not added: a changed vote moves the lead by 2. Three votes alike are at "
                         "printed distance 2, and two changed votes reverse them. Where thm-2.4 uses that neighbours "
                         "differ by 1, the printed distance moves by 2.",
             severity="constant"),
         repair=Repair(
             "the printed distance moves by at most 2 with one vote, and is at most 1 on both sides where the label "
             "changes; max{0, ceil((ct(qhat) - ct(1 - qhat))/2) - 1} moves by at most 1, is 0 where the label changes, "
             "and is the distance to instability in votes with ties against qhat", "constant",
             claims=(
                 Claim("g in Z[0, inf)", "", "0 <= max(0, g + 2 - 1) - max(0, g - 1) <= 2"),
                 Claim("g in Z[-2, 0]", "", "max(0, abs(g) - 1) <= 1"),
                 Claim("j in Z[1, inf)", "", "max(0, j - 1) - max(0, j - 1 - 1) <= 1"),
                 Claim("j in Z[1, inf)", "", "0 <= max(0, j - 1) - max(0, j - 1 - 1)"),
                 Claim("g in Z[-2, 0]", "", "max(0, ceil(abs(g)/2) - 1) = 0"),
                 Claim("g in Z[0, inf); c in Z[0, inf)", "c <= g/2 - 1/2", "g - 2*c > 0"),
                 Claim("g in Z[0, inf); c in Z[0, inf)", "c >= g/2", "g - 2*c <= 0"),
             ),
             because="g is the lead of label 0, which a vote moves by 2: from g to g + 2, or with the labels "
                     "exchanged; the label may change where g is in {-2, -1, 0}, and then both distances are at most "
                     "1. j = ceil(g/2) moves by 1 with it. After c changed votes the lead is g - 2c, so the label "
                     "stays for c < g/2, and need not for c >= g/2",
             downstream="Thm-3.1 has to be proved for distances that move by 2: T3.1.total as repaired does it, with "
                        "the printed scales, for T >= 1, epsilon <= 2 and delta <= 1/10.")),
    Step("A2.split",
         against=_BLOCKS, witness=instances.blocks,
         because=_BLOCKS_WORDS,
         reading="arbitrary chunks may be blocks of consecutive records; neighbours by definition 2.2; the learner is "
                 "arbitrary, as thm-3.1 has it; k rounded up",
         erratum=Erratum(
             quotes="Arbitrarily split D into k non-overlapping chunks of size n/k.",
             explanation="Under add/remove a record more moves the bounds of all blocks, so all votes may change at "
                         "once; and chunks of exactly n/k records are possible on one side only.",
             severity="gap", quality="reading",
             readings="It holds for splits in which the chunk of each record does not depend on the other records "
                      "(drawn for each record, or a function of it), and for blocks where a record is replaced."),
         repair=Repair(
             "with the chunk of each record drawn by itself, or a function of it, one record more or less changes one "
             "chunk",
             "assumption",
             claims=(Claim("v in Z[0, inf); vv in Z[0, inf); rest in Z[0, inf); own in Z[0, 1]; oown in Z[0, 1]",
                           "v = rest + own; vv = rest + oown", "abs(v - vv) <= 1"),),
             because="the votes of the other k - 1 models are the same on both sides, given the coins of split and "
                     "training",
             downstream="Chunks are of size n/k on average only.")),
    Step("A2.guard", stated=True, reading="floor(T) + 1 abstentions are possible, not T"),
    # Theorem 3.1
    Step("T3.1.idea",
         against=(
             _TAIL,
             Claim("", "", f"(4*{_U_601} - {_U_601}^2)/6 - (4*{_U_599} - {_U_599}^2)/6 > 1/100"),
             Claim("", "", f"{_U_601} < 1"),
         ),
         witness=instances.answers_cost,
         because="T = 1, m = 1, (epsilon, delta) = (1, 10^-6), k = 15750: 8176 votes against 7574, and 8175 against "
                 "7575, are at printed distances 601 and 599 and get their label with probabilities that differ by "
                 "0.012, so more than delta: the label is released with a loss in epsilon",
         reading="\"no loss in privacy in terms of epsilon\" is: the label has the same probability on both sides, up "
                 "to delta",
         erratum=Erratum(
             quotes="The idea is that in each round of query response, if the algorithm outputs a label in {0, 1}, "
                    "then there is \"no loss in privacy\" in terms of ε (as there is sufficient consensus).",
             explanation="A label has a loss too: where votes are neither split nor far from it, its probability moves "
                         "with a vote. What is free is another label behind the same threshold: a round's loss is "
                         "that of its threshold and of its ⊥, however many labels it has.",
             severity="slip", quality="reading",
             readings="It holds for a label beside those of its round, which is what the sum over rounds needs."),
         repair=Repair(
             "where distances move by at most s, how many labels a round gives before its ⊥ costs 2 s/lam, and s/lam "
             "where there is no ⊥, however many they are", "statement",
             claims=(
                 Claim("r in (-inf, inf); s in [0, inf); lam in (0, inf)", "",
                       "exp(-abs(r)/lam) <= exp(s/lam)*exp(-abs(r - s)/lam)"),
                 Claim("r in (-inf, inf); s in [0, inf); lam in (0, inf)", "",
                       "exp(-abs(r - s)/lam) <= exp(s/lam)*exp(-abs(r)/lam)"),
                 Claim("g in Z[3, inf)", "", "g - 2 > 0"),
             ),
             derivation=ROUND,
             because="the noise r of the threshold on one side is compared with r - s on the other. The first two "
                     "formulas are the densities of Lap(lam), which the derivation takes as a law; the last: the label "
                     "itself is the same on both sides where the lead is 3 or more, and where it is not, an answer is "
                     "rare (T3.1.total)",
             downstream="T3.1.total as repaired adds up rounds.")),
    Step("T3.1.total",
         against=(*_LARGE_EPS, *_SMALL_T),
         witness=instances.printed_scales_are_not_private,
         because=f"{_LARGE_EPS_WORDS}. {_SMALL_T_WORDS}",
         reading="any epsilon, and the T of thm-3.2, a real number; a split in which one record changes one vote; k "
                 "rounded up; the root in lam ends before /epsilon",
         erratum=Erratum(
             quotes="Sparse vector helps account for the privacy loss across all the m queries.",
             explanation=f"{_LARGE_EPS_WORDS}: the threshold leaves delta for labels at distance 0, not 1. "
                         f"{_SMALL_T_WORDS}: the noise is that of T rounds, and one is played however small T is.",
             severity="constant", quality="reading",
             readings="The epsilons were lost in the conversion and restored (λ ← sqrt(32 T log(2/δ))/ε). It holds for "
                      "T >= 1, epsilon <= 2 and delta <= 1/10."),
         repair=Repair(
             f"(epsilon, delta) {_REPAIRED}", "domain",
             claims=(
                 *_MOMENTS,
                 Claim("y in [0, inf); a in (0, inf)", "", "1 - exp(-y) <= exp(a*y)", ("have exp(a*y) >= 1",)),
                 Claim("T in [1, inf); L in (0, inf); eps in (0, inf)", "",
                       "(T + 1)*(2/(sqrt(32*T*L)/eps))^2/2 <= eps^2/(8*L)",
                       ("have (2/(sqrt(32*T*L)/eps))^2 = eps^2/(8*T*L)",)),
                 Claim("l in (0, inf); v in (0, inf)", "", "(l/v)*((l/v + 1)*v^2 - (v^2 + 2*v*l)) = -l^2"),
                 Claim("delta in (0, 1)", "", "exp(-log(2/delta)) = delta/2"),
                 Claim("L in (0, inf); eps in (0, inf)", "eps <= 23/10*L", "eps^2/(8*L) + 2*(eps/sqrt(8)) <= eps",
                       ("have eps^2/(8*L) <= eps*(23/80)",)),
                 Claim("delta in (0, 1); m in Z[1, inf)", "",
                       "m*((4*(delta/(2*m)) - (delta/(2*m))^2)/6) <= delta/2"),
                 Claim("p in [0, 1]; q in [0, 1]; E in [1, inf); b in [0, 1]; delta in (0, 1)",
                       "p <= E*q + delta/2; b <= delta/2", "p + b <= E*q + delta"),
                 Claim("T in [1, inf); L in (0, inf); eps in (0, inf)", "(T + 1)^2 <= 2*T*L",
                       "(T + 1)*(4/(sqrt(32*T*L)/eps)) <= eps", ("have sqrt(32*T*L) >= 4*(T + 1)",)),
                 Claim("T in [1, inf); L in [299/100, inf)", "(T + 1)^2 > 2*T*L", "T >= 37/10"),
                 Claim("T in [1, inf); L in [299/100, inf)", "(T + 1)^2 > 2*T*L", "L <= (T + 1)*16/25",
                       ("have T >= 37/10",)),
                 Claim("T in [1, inf); L in (0, inf); eps in (0, inf)", "",
                       "(T + 1)*(4/(sqrt(32*T*L)/eps))^2/2 = eps^2*(T + 1)/(4*L*T)",
                       ("have (4/(sqrt(32*T*L)/eps))^2 = eps^2/(2*T*L)",)),
                 Claim("T in [37/10, inf); L in [299/100, inf); eps in (0, 2]", "",
                       "eps^2*(T + 1)/(4*L*T) <= 107/500*eps",
                       ("have (T + 1)/T <= 471/370", "have eps/(4*L) <= 50/299",
                        "have (eps/(4*L))*((T + 1)/T) <= (50/299)*(471/370)")),
                 Claim("y in [0, inf)", "", "1 - exp(-y) <= y"),
                 Claim("t in [0, inf)", "", "t <= exp(t - 1)", ("lemma exp_above x = t - 1",)),
                 Claim("y in [0, inf); a in (0, inf); w in [0, inf); g in [0, 1]", "g <= y; a*y <= w/e",
                       "g <= w/(e*a)"),
                 Claim("eps in (0, inf); r in (0, inf)", "",
                       "((eps - r)/(2*r))*(((eps - r)/(2*r) + 1)*r - eps) <= eps/2 - eps^2/(4*r)"),
                 Claim("T in [1, inf); L in (0, inf); eps in (0, 2]", "L <= (T + 1)*16/25",
                       "eps/2 - eps^2/(4*(eps^2*(T + 1)/(4*L*T))) <= 41/25 - L",
                       ("have L/(T + 1) <= 16/25", "have eps^2/(4*(eps^2*(T + 1)/(4*L*T))) = L - L/(T + 1)")),
                 Claim("eps in (0, 2]; r in (0, inf)", "r <= 107/500*eps", "(eps - r)/(2*r) >= 9/5",
                       ("have eps/r >= 500/107", "have (eps - r)/(2*r) = eps/r/2 - 1/2")),
                 Claim("a in [9/5, inf); L in (0, inf)", "", "exp(41/25 - L)/(e*a) <= 6/5*exp(-L)",
                       ("have exp(41/25 - L) = exp(41/25)*exp(-L)", "have exp(41/25)/(e*a) <= 6/5")),
                 Claim("delta in (0, 1/10]", "", "6/5*exp(-log(2/delta)) = 3/5*delta"),
                 Claim("delta in (0, 1/10]", "", "log(2/delta) >= 299/100"),
                 Claim("T in [1, inf); L in [299/100, inf); eps in (0, 2]", "", "eps/(2*sqrt(32*T*L)) <= 11/100",
                       ("have 32*T*L >= 9568/100", "have sqrt(32*T*L) >= 97/10")),
                 Claim("x in [0, 11/100]; m in Z[1, inf); delta in (0, 1)", "",
                       "m*((4*(delta/(2*m)*exp(x)) - (delta/(2*m)*exp(x))^2)/6) <= 2/5*delta", ("have exp(x) <= 6/5",)),
                 Claim("p in [0, 1]; q in [0, 1]; E in [1, inf); b in [0, 1]; delta in (0, 1)",
                       "p <= E*q + 3/5*delta; b <= 2/5*delta", "p + b <= E*q + delta"),
                 Claim("one in [0, 1]; rest in [0, 1]; each in [0, 1]; R in Z[0, inf)", "one <= each; rest <= R*each",
                       "one + rest <= (R + 1)*each"),
             ),
             because=f"{_MOMENTS_WORDS}. So with r = Rs^2/2 and y = Z - eps the pattern of answers is (eps, d)-DP, d "
                     "the mean of max(0, 1 - exp(-y)) <= exp(ay), at most exp(a((a + 1)r - eps)). T + 1 rounds of "
                     "2/lam each have r <= v^2 = eps^2/(8L), L = log(2/delta) = l^2, and a = l/v makes that exp(-L) = "
                     "delta/2 at v^2 + 2vl <= eps (7 to 11). Outputs differ from the pattern by labels, which are the "
                     "same on both sides unless a query is answered where the leading labels differ; its distance is "
                     "then 0, and each of at most min(T + 1, m) rounds comes to one such query first, with a threshold "
                     "whose noise is fresh: probability at most (4u - u^2)/6 each at u = delta/(2m) (12, 13 and the "
                     "last). The printed distance moves by 2 and is at most 1 where the labels differ: rounds of "
                     "4/lam, u = delta/(2m) exp(x) with x = 1/(2 lam), and L >= 2.99. For (T + 1)^2 <= 2TL their sum "
                     "is at most epsilon (14). Else T >= 3.7 and L <= 0.64(T + 1); r = eps^2(T + 1)/(4LT) <= 0.214 "
                     "eps, and max(0, 1 - exp(-y)) <= exp(ay)/(ea), so d is at most exp(a((a + 1)r - eps))/(ea); at a "
                     "= (eps - r)/(2r) >= 9/5 that is at most 6/5 exp(-L) = 3/5 delta; the labels add 2/5 delta",
             downstream="The k of alg-2 is enough for the repaired distance too (T3.2.suff).")),
)

_ANSWERS = ("dpcheck.papers.bassily2018.learners:PrivateAnswers", "dpcheck.papers.bassily2018.learners:PrintedAnswers")
_PROPERTY = "properties/test_bassily2018.py"
_EXACT = "tests/papers/bassily2018/test_bassily2018_exact.py"
_INSTANCES = "tests/papers/bassily2018/test_bassily2018_theorems_answering.py"

THEOREMS = (
    Theorem("bassily2018:def-2.1", "Agnostic PAC learner with its numbers", stated=True),
    Theorem("bassily2018:def-2.2", "Differential privacy, one record added or removed", stated=True),
    Theorem("bassily2018:def-2.3", "Stability, distance to instability", stated=True),
    Theorem("bassily2018:thm-2.4", "A_stab is (epsilon, delta)-private", assumptions="any f; delta, epsilon > 0",
            steps=("T2.4",), uses=("bassily2018:def-2.3",),
            learners=("dpcheck.papers.bassily2018.learners:StableRelease",),
            checks=(_PROPERTY, "tests/papers/bassily2018/test_bassily2018.py")),
    Theorem("bassily2018:thm-2.5", "A_stab releases what is stable enough",
            assumptions="0 < delta, beta < 1; epsilon > 0",
            steps=("T2.5",), uses=("bassily2018:def-2.3",),
            learners=("dpcheck.papers.bassily2018.learners:StableRelease",),
            checks=(_PROPERTY, "tests/papers/bassily2018/test_bassily2018.py")),
    Theorem("bassily2018:thm-3.1", "A_binClas is (epsilon, delta)-private",
            assumptions="any learner, any queries; neighbours by definition 2.2. The paper's proof is in its full "
                        "version and not in the inventory: the steps are its sketch and what the algorithm needs of it",
            steps=("A2.lam", "A2.k", "A2.w", "A2.dist", "A2.split", "A2.guard", "T3.1.idea", "T3.1.total"),
            uses=("bassily2018:def-2.2",),
            against=(*_LARGE_EPS, *_BLOCKS, *_SMALL_T), witness=instances.not_private_as_printed,
            erratum=Erratum("Algorithm A_binClas (Algorithm 2) is (ε, δ)-DP.",
                            f"Three instances, each with its exact law. {_LARGE_EPS_WORDS}. {_BLOCKS_WORDS}. "
                            f"{_SMALL_T_WORDS}.",
                            "constant", "reading",
                            "The first holds for every split; the second needs \"arbitrarily\" to allow blocks; the "
                            "third the real T of thm-3.2. With a right split, T >= 1, epsilon <= 2 and delta <= 1/10 "
                            "it holds as printed."),
            repaired_statement=_REPAIRED,
            learners=_ANSWERS,
            checks=(_PROPERTY, _EXACT, _INSTANCES, "tests/papers/bassily2018/test_bassily2018.py",
                    "tests/papers/bassily2018/test_bassily2018_online.py")),
    Theorem("bassily2018:rem-1", "The cutoff without knowing gamma",
            claims=(Claim("n in Z[1, inf); wrong in Z[0, inf); x in Z[0, 1]", "wrong <= n",
                          "abs((wrong + x)/(n + 1) - wrong/n) <= 1/n"),
                    Claim("k in Z[1, inf); rest in [0, inf); one in [0, 1]; other in [0, 1]", "",
                          "abs((rest + one)/k - (rest + other)/k) <= 1/k"),
                    Claim("x in (0, inf); y in [0, inf)", "", "3*(2*x + sqrt(2)*y) <= 2*(3*(x + y))")),
            assumptions="the rate is the average over the k classifiers, of which a record of the other half changes "
                        "one: it moves by 1/n with a record of the half set aside, by 1/k with one of the other (the "
                        "rate of a single classifier may move by 1). An estimate between gamma + alpha and twice that "
                        "at most doubles T (x = (gamma + alpha) m, y = sqrt(x log(m/beta)/2))"),
    Theorem("bassily2018:def-dti", "Distance to instability", steps=("S2.dti",), stated=True),
    Theorem("bassily2018:obs-5.d", "Any learner, any loss: privacy does not depend on them",
            claims=(Claim("v in Z[0, inf); vv in Z[0, inf); rest in Z[0, inf); own in Z[0, 1]; oown in Z[0, 1]",
                          "v = rest + own; vv = rest + oown", "abs(v - vv) <= 1"),),
            assumptions="the proof of thm-3.1 uses of the models only that one of them changes",
            uses=("bassily2018:thm-3.1",),
            proved_by="repaired", learners=_ANSWERS, checks=(_PROPERTY,)),
    Theorem("bassily2018:obs-3.c", "More than two classes",
            claims=(Claim("t in Z[0, inf); s in Z[0, inf); tt in Z[0, inf); ss in Z[0, inf)",
                          "abs(t - tt) <= 1; abs(s - ss) <= 1", "abs((t - s) - (tt - ss)) <= 2"),
                    Claim("right in [0, inf); other in [0, inf); k in Z[1, inf)", "right >= 2*k/3; other <= k - right",
                          "right - other >= k/3")),
            assumptions="the distance is max{0, first count - second count - 1}: a changed vote moves each count by at "
                        "most 1; with at most a third of the votes wrong the lead is at least k/3, as with two classes",
                        checks=(_PROPERTY,)),
)

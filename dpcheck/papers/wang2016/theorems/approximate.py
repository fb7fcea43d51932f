"""wang2016: approximate privacy (section 6) and other routes to utility (appendix B).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.

Letters: ``w`` or ``gamma`` is the probability that record i is in the sample; ``q`` and ``p`` are probabilities of one
event on two datasets; ``E`` stands for e^eps; ``k`` for the size of a sample.
"""

from __future__ import annotations

from dpcheck.papers.wang2016.theorems import approximate_instances as instances
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_LOW = (
    Claim("eps in [0, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]", "p <= exp(eps)*q + delta",
          "q >= exp(-eps)*p - exp(-eps)*delta", ("have exp(-eps)*p <= exp(-eps)*exp(eps)*q + exp(-eps)*delta",)),
    Claim("w in [0, 1]; c in [0, 1]; d in [0, 1]; p1 in [0, 1]; p2 in [0, 1]; q1 in [0, 1]; q2 in [0, 1]",
          "q1 >= c*p1 - c*d; q2 >= c*p2 - c*d", "w*q1 + (1 - w)*q2 >= c*(w*p1 + (1 - w)*p2) - c*d",
          ("have w*(q1 - c*p1 + c*d) >= 0", "have (1 - w)*(q2 - c*p2 + c*d) >= 0")),
    Claim("first in (0, inf); second in (0, inf); k in Z[1, inf); n in Z[1, inf)", "k < n; first*(n - k) = second*k",
          "k*(1/(second*k)) = 1/second"),
    Claim("first in (0, inf); second in (0, inf); k in Z[1, inf); n in Z[1, inf)", "k < n; first*(n - k) = second*k",
          "(n - k)*(1/(second*k)) = 1/first", ("have (n - k)*first = second*k",)),
)
#: n - 1 records 0 and one 1: the minimiser of (n-1) h^10 + (1-h)^10 is 1/(1 + (n-1)^(1/9)).
_TENTH = "five records: 0, 0, 0, 0, 0 against 0, 0, 0, 0, 1"
_COIN = Claim("w in (-inf, inf)", "", "((1/2 + w)^10 + (1/2 - w)^10)/2 - (1/2)^10 >= 45*w^2*(1/2)^8")
_SLOW = ("records 0 and 1 in equal parts (or a fair coin): ERM + W with W independent of mean 0 has an excess of at "
         "least 45/256 E W^2 (the first formula, at w = ERM + W - 1/2), and E W^2 = 2 (2/n^(1/10))^2: above 1.4 "
         "n^(-1/5)")

STEPS = (
    Step("L29",
         against=(Claim("", "", "(1/2)*1 + (1 - 1/2)*1 > ((1/2)*0 + (1 - 1/2)*1) + (1 - 1)*(1/2)"),),
         because="n = 4, Z = (x, x, x, x), Z' = (y, x, x, x), A says whether it has seen no y: P(A'(Z) says so) = 1; "
                 "P(A'(Z') says so) = 1/2, as record 1 is drawn with probability 1/2; and both probabilities in the "
                 "bracket are 1, since Z has no y",
         reading="the printed A'(Z_I), A' being what draws a subset; floor(sqrt n) records are drawn",
         witness=instances.sample_of_a_sample,
         erratum=Erratum(
             quotes="= P(A'(Z') in S) + [P_I(A(Z_I) in S | i in I) - P_I(A'(Z_I) in S | i in I)] P(i in I)",
             explanation="A'(Z_I) for A(Z'_I): as printed the two sides may be 1 and 1/2.", severity="slip"),
         repair=Repair(
             "with P_I(A(Z'_I) in S | i in I) in the bracket", "statement",
             claims=(Claim("w in [0, 1]; one in [0, 1]; two in [0, 1]; other in [0, 1]", "",
                           "w*one + (1 - w)*two = (w*other + (1 - w)*two) + (one - other)*w <= (w*other + (1 - w)*two) "
                           "+ w"),
                     Claim("n in Z[1, inf)", "", "floor(sqrt(n))/n <= 1/sqrt(n)")),
             because="w = P(i in I) = floor(sqrt n)/n; one, two: the probabilities of S on Z_I given that i is in I, "
                     "and is not; other: on Z'_I given that it is", downstream="nothing changes.")),
    Step("L30",
         claims=(
             Claim("top in [0, 1]; l1 in [0, 1]; l2 in [0, 1]; g1 in [0, 1]; g2 in [0, 1]", "l1 <= top; l2 <= top",
                   "0 <= l1*g1 + l2*g2 <= top*(g1 + g2)"),
             Claim("top in [0, 1]; gain in [0, 1]; up in [0, inf); down in [0, inf)",
                   "up <= top*gain; down <= top*gain",
                   "abs(up - down) <= top*gain <= gain"),
             Claim("eps in [0, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]", "p <= exp(eps)*q + delta",
                   "p - q <= (exp(eps) - 1)*q + delta <= exp(eps) - 1 + delta"),
         ),
         because="gain = P(E) - P'(E), which is what P' has more outside E; up and down are the integrals of l (p - "
                 "p') over E and of l (p' - p) outside, top = sup l (the first formula: parts added up); the densities "
                 "are taken by P + P', and E is an event"),
    Step("L31.(12)",
         spelled=(("P_A'(Z)(E)", "gamma one + (1-gamma) two"), ("P_A'(Z')(E)", "(gamma other + (1-gamma) two)"),
                              ("gamma(e^eps-1) P(Z'_I;E|i in I)", "gamma (exp(eps)-1) other"),),
         claims=(Claim("gamma in [0, 1]; eps in [0, inf); delta in [0, 1]; one in [0, 1]; other in [0, 1]; "
                       "two in [0, 1]",
                       "one <= exp(eps)*other + delta",
                       "gamma*one + (1 - gamma)*two <= (gamma*other + (1 - gamma)*two) + gamma*(exp(eps) - 1)*other + "
                       "gamma*delta"),),
         because="one, other: P(A(Z_I) in E | i in I) and the same with Z'; Z_I and Z'_I are neighbours, so averaging "
                 "A's privacy over I relates them; two: i not in I"),
    Step("L31.(13)",
         claims=(
             Claim("k in Z[1, inf); n in Z[1, inf); first in (0, inf); second in [0, inf)",
                   "k <= n; first*(n - k) = second*k",
                   "first/(first + second) = k/n",
                   ("have first*n = (first + second)*k",)),
             Claim("first in (0, inf); second in (0, inf); sum1 in [0, inf); sum2 in [0, inf)", "",
                   "(sum1 + sum2)/(first + second) = "
                   "(first/(first + second))*(sum1/first) + (1 - first/(first + second))*(sum2/second)"),
         ),
         because="the sample is one of #I1 + #I2 equally likely sets, k = gamma n, and #I1 (n - k) = #I2 k is "
                 "L31.count",
         reading="gamma n is an integer; for gamma = 1 the second term is not there"),
    Step("L31.count",
         because="the sets with i are i and k-1 of the n-1 others, those without "
                 "k of them. From I without i, one leaves one of k for i; from J with i, one leaves i for one of the "
                 "(n-1) - (k-1) = n - k others outside: both count the pairs at distance 1, as the second formula "
                 "checks",
         reading="gamma n = k is an integer, 1 <= k < n"),
    Step("L31.low",
         against=(Claim("", "", "1/8 < (1/2)*((1/4 + 1/2)/2) - (1/2)*0"),),
         because="n = 3, two records drawn and kept in their order, e^eps = 2, delta = 0: A answers E with probability "
                 "2^-d/2, d the number of places in which its sample differs from (z_2, z_3). i = 3: P(E) is 1/8 on "
                 "(z_1, z_2), where both places differ, 1/4 on (z_1, z_3), 1/2 on (z_2, z_3)",
         reading="Z_I keeps the order of Z, and A looks at it", witness=instances.order_of_three,
         erratum=Erratum(
             quotes="For every I in I_2 there are precisely gamma n elements J in I_1 such that d(I,J) = 1. ... It "
                    "follows by symmetry that if we apply (eps, delta)-DP to 1/(gamma n) of each I in I_2 and change I "
                    "to their corresponding J in I_1",
             explanation="d(I,J) = 1 makes Z_I and Z_J neighbours only if the common records stand in the same places. "
                         "The paper does not say in which order A sees its sample; if that of the dataset is kept and "
                         "A looks at it, the line fails: with 3 records, 2 of them "
                         "drawn.", severity="slip", quality="reading",
             readings="It holds if the sample comes in random order, or A does not look at the order."),
         repair=Repair(
             "as printed for samples in random order, or A symmetric", "assumption", claims=_LOW,
             because="then Z'_I and Z'_J can be handed over with the two records in the same place. A uniform pair (I, "
                     "J) at distance 1 has uniform I and uniform J (each I is in k of the #I2 k pairs, each J in n - "
                     "k); q and p are the probabilities on Z'_I and Z'_J; averaged over pairs, two at a time",
             downstream="lem-31 for samples in random order.")),
    Step("L31.solve", spelled=(("P(E|i in I)", "p"), ("P_A'(Z')(E)", "whole"), ("(1-gamma)e^-eps", "(1-gamma) c"),),
         claims=(Claim("gamma in (0, 1]; c in (0, 1]; delta in [0, 1]; p in [0, 1]; q in [0, 1]; whole in [0, 1]",
                       "whole = gamma*p + (1 - gamma)*q; q >= c*p - c*delta",
                       "p <= whole/(gamma + (1 - gamma)*c) + ((1 - gamma)*c/(gamma + (1 - gamma)*c))*delta",
                       ("have gamma + (1 - gamma)*c > 0", "have (1 - gamma)*q >= (1 - gamma)*(c*p - c*delta)")),),
         because="c = e^-eps; (13) and L31.low"),
    Step("L31.relax",
         spelled=(("<= e^eps P_A'(Z')(E)",
                   ("whole/(gamma + (1-gamma) exp(-eps)) + ((1-gamma) exp(-eps)/(gamma + (1-gamma) exp(-eps))) delta "
                    "<= exp(eps) whole")),),
         claims=(Claim("gamma in (0, 1]; eps in [0, inf); delta in [0, 1]; whole in [0, 1]", "",
                       "whole/(gamma + (1 - gamma)*exp(-eps)) + "
                       "((1 - gamma)*exp(-eps)/(gamma + (1 - gamma)*exp(-eps)))*delta <= exp(eps)*whole + delta",
                       ("have exp(-eps) <= 1", "have gamma + (1 - gamma)*exp(-eps) >= exp(-eps)",
                        "have whole/(gamma + (1 - gamma)*exp(-eps)) <= exp(eps)*whole",
                        "have (1 - gamma)*exp(-eps)/(gamma + (1 - gamma)*exp(-eps)) <= 1")),)),
    Step("L31.end", spelled=(("P_A'(Z)(E)", "left"), ("P_A'(Z')(E)", "whole"),
                             ("gamma e^eps(e^eps-1)", "gamma exp(eps) (exp(eps)-1)"),
                             ("gamma(e^eps-1) delta", "gamma (exp(eps)-1) delta"),),
         claims=(
             Claim("gamma in (0, 1]; eps in [0, inf); delta in [0, 1]; left in [0, 1]; whole in [0, 1]; p in [0, 1]",
                   "left <= whole + gamma*(exp(eps) - 1)*p + gamma*delta; p <= exp(eps)*whole + delta",
                   "left <= (1 + gamma*exp(eps)*(exp(eps) - 1))*whole + gamma*delta + gamma*(exp(eps) - 1)*delta",
                   ("have gamma*(exp(eps) - 1)*p <= gamma*(exp(eps) - 1)*(exp(eps)*whole + delta)",)),
             Claim("gamma in (0, 1]; eps in [0, inf); delta in [0, 1]", "",
                   "gamma*delta + gamma*(exp(eps) - 1)*delta = gamma*exp(eps)*delta"),
             Claim("gamma in (0, 1]; eps in [0, inf)", "", "exp(log(1 + gamma*exp(eps)*(exp(eps) - 1))) = 1 + "
                                                           "gamma*exp(eps)*(exp(eps) - 1)",
                   ("have gamma*exp(eps)*(exp(eps) - 1) >= 0",)),
         ),
         because="(12), and p = P(Z'_I; E | i in I) by L31.relax"),
    Step("T32.if",
         claims=(Claim("eps in [0, inf); delta in [0, 1]; stable in [0, inf); erm in [0, inf); excess in (-inf, inf)",
                       "stable <= exp(eps) - 1 + delta; excess <= erm + stable",
                       "excess <= erm + exp(eps) - 1 + delta"),),
         because="lem-30 and thm-35; the rate tends to 0 as eps(n) and delta(n) do",
         reading="the members of Delta(n) tend to 0 (the paper calls that the minimal requirement)",
         uses=("wang2016:lem-30", "wang2016:thm-35")),
    Step("T32.delta",
         claims=(
             Claim("n in Z[1, inf); k in Z[1, inf); E in [1, inf); c in (0, inf); d in [0, 1]",
                   "k <= sqrt(n); d <= (c/E)/k",
                   "(k/n)*E*d <= c/n", ("have k*d <= c/E", "have E*(k*d) <= c")),
             Claim("n in Z[1, inf); E in [1, inf); c in (0, inf); d in [0, 1]", "d <= (c/E)/sqrt(n)",
                   "n^(-1/2)*E*d <= c/n",
                   ("have E*d <= c/sqrt(n)", "have (1/sqrt(n))*E*d <= (1/sqrt(n))*(c/sqrt(n))")),
             Claim("power in (0, 1]; E in [1, inf); c in (0, inf); d in [0, 1]; s in (0, 1]", "d <= (c/E)*power",
                   "s*E*d <= c*power",
                   ("have E*d <= c*power",)),
         ),
         because="E = e^eps is constant. o(1/n): for every c, from some n on delta(sqrt n) <= (c/E)/sqrt(n), also with "
                 "k = floor(sqrt n) for sqrt(n). o(1/poly): for every r and c, delta(sqrt n) <= (c/E) (sqrt n)^(-2r), "
                 "power = n^-r and s = n^(-1/2)"),
    Step("P33.1",
         claims=(
             Claim("n in Z[1, inf); d in (0, 1]", "", "floor(d*n)/n <= d"),
             Claim("n in Z[1, inf); d in (0, 1]; M in Z[1, inf)", "d >= (M + 1)/n", "floor(d*n) >= M"),
             Claim("w in [0, 1]; one in [0, 1]; two in [0, 1]; other in [0, 1]; d in [0, 1]", "w <= d",
                   "w*one + (1 - w)*two <= (w*other + (1 - w)*two) + d"),
         ),
         because="floor(n d) records are drawn, so the probability that record i is among them is at most d = "
                 "delta~(n); delta~ = omega(1/n) is that for every M, (M + 1)/n <= delta~(n) from some n on; the "
                 "sample is iid of that size",
         reading="xi at floor(n delta~(n)); where that is 0 (finitely many n) anything is returned that does not "
                 "depend on the data"),
    Step("P33.group",
         claims=(Claim("eps in (0, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]",
                       "p <= exp(eps)*q + delta; q <= exp(eps)*p + delta",
                       "p <= exp(1*eps)*p + exp((1 - 1)*eps)*delta <= exp(1*eps)*q + 1*exp((1 - 1)*eps)*delta"),),
         because="n = 1, p = P(A(Z) in S), q = P(A(Z') in S): the middle has P(A(Z) in S) where P(A(Z') in S) is meant",
         reading="Z in the middle, as printed",
         erratum=Erratum(
             quotes="P(A(Z) in S) <= e^{n eps} P(A(Z) in S) + sum_{i=1}^n e^{(i-1) eps} delta <= e^{n eps} P(A(Z') in "
                    "S) + n e^{(n-1) eps} delta.",
             explanation="A(Z) for A(Z') in the middle: the first relation says nothing, the second is false where "
                         "P(A(Z) in S) > P(A(Z') in S).",
             severity="slip"),
         repair=Repair(
             "P(A(Z) in S) <= e^{n eps} P(A(Z') in S) + sum_{i=1}^n e^{(i-1) eps} delta <= e^{n eps} P(A(Z') in S) + n "
             "e^{(n-1) eps} delta", "statement",
             claims=(
                 Claim("E in [1, inf); power in [1, inf); total in [0, inf); p in [0, 1]; mid in [0, 1]; q in [0, 1]; "
                       "delta in [0, 1]",
                       "p <= E*mid + delta; mid <= power*q + total*delta", "p <= E*power*q + (1 + E*total)*delta",
                       ("have E*mid <= E*(power*q + total*delta)",)),
                 Claim("E in [1, inf); n in Z[1, inf); total in [0, inf); power in [1, inf)", "total <= n*power",
                       "1 + E*total <= (n + 1)*(E*power)",
                       ("have E*total <= E*n*power", "have 1 <= E*power")),
                 Claim("E in [1, inf); q in [0, 1]; delta in [0, 1]", "", "E*q + 1*delta <= E*q + 1*1*delta"),
             ),
             because="by induction on n: the sum of e^{(i-1) eps} up to n+1 is 1 + e^eps times that up to n (total); "
                     "power is e^{n eps} in the first formula, e^{(n-1) eps} in the "
                     "second", downstream="what is used.")),
    Step("P33.shift", spelled=(("P_A(Z')(S) <= e^{-n eps}P_A(Z')(S) - e^{-eps} n delta",
                                "q <= exp(-n eps) q - exp(-eps) n delta"),),
         claims=(Claim("eps in (0, inf); n in Z[1, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]",
                       "p <= exp(n*eps)*q + n*exp((n - 1)*eps)*delta; q <= exp(n*eps)*p + n*exp((n - 1)*eps)*delta",
                       "q <= exp(-n*eps)*q - exp(-eps)*n*delta"),),
         because="q = P(A(Z') in S) on both sides, as printed",
         erratum=Erratum(
             quotes="When we shift the inequality around, we get P(A(Z') in S) <= e^{-n eps} P(A(Z') in S) - e^{-eps} "
                    "n delta.",
             explanation="The relation should be >=, and the right side should have A(Z).", severity="slip"),
         repair=Repair(
             "P(A(Z') in S) >= e^{-n eps} P(A(Z) in S) - e^{-eps} n delta", "direction",
             claims=(Claim("eps in (0, inf); n in Z[1, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]",
                           "p <= exp(n*eps)*q + n*exp((n - 1)*eps)*delta", "q >= exp(-n*eps)*p - exp(-eps)*n*delta",
                           ("have exp(-n*eps)*p <= exp(-n*eps)*(exp(n*eps)*q + n*exp((n - 1)*eps)*delta)",)),),
             downstream="(4') uses this.")),
    Step("P33.(4')",
         spelled=(("P_A(Z1)(J_i)", "q"), ("e^{-eps n}P_A(Zi)(J_i)", "exp(-eps n) p"), ("delta(n)", "delta"),),
         claims=(Claim("eps in (0, inf); n in Z[1, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]",
                       "q >= exp(-n*eps)*p - exp(-eps)*n*delta", "q >= exp(-eps*n)*p - n*delta",
                       ("have exp(-eps) <= 1", "have exp(-eps)*(n*delta) <= n*delta")),),
         because="P33.shift as it should read; p and q are the probabilities of J_i on Z_i and Z_1"),
    Step("P33.(5')", spelled=(("P_A(Z1)(notin J_1) >= ", ""), ("e^{-eps n}", "exp(-eps n)"), ("e^{-eps}", "exp(-eps)"),
                              ("delta(n)", "delta"),),
         claims=(Claim("eps in (0, inf); n in Z[1, inf); K in Z[1, inf); delta in [0, 1]",
                       "K > exp(eps*n); delta <= 0.4*n*exp(-eps*n)",
                       "K*exp(-eps*n)*0.9 - K*exp(-eps)*n*delta >= 0.9 >= 0.5"),),
         because="the relations between the expressions",
         erratum=Erratum(
             quotes=">= K exp(-eps n) 0.9 - K e^{-eps} n delta(n) >= 0.9 >= 0.5, where the last inequality follows by "
                    "K > exp(eps n) and delta(n) <= 0.4 n e^{-eps n}.",
             explanation="n stands on the wrong side of the condition: it must be delta <= 0.4 e^{-eps n}/n, and then "
                         "the bound is 0.5, not 0.9. And the sum over i = 2, ..., K has K - 1 "
                         "terms.", severity="constant"),
         repair=Repair(
             ">= (K-1)(e^{-eps n} 0.9 - e^{-eps} n delta(n)) >= 0.5 for K - 1 >= exp(eps n), delta(n) <= 0.4 e^{-eps "
             "n}/n",
             "constant",
             claims=(Claim("eps in (0, inf); n in Z[1, inf); K in Z[2, inf); delta in [0, 1]",
                           "K - 1 >= exp(eps*n); delta <= 0.4*exp(-eps*n)/n",
                           "(K - 1)*(exp(-eps*n)*0.9 - exp(-eps)*n*delta) >= 0.5",
                           ("have n*delta <= 0.4*exp(-eps*n)", "have exp(-eps) <= 1",
                            "have exp(-eps)*(n*delta) <= 0.4*exp(-eps*n)",
                            "have exp(-eps*n)*0.9 - exp(-eps)*n*delta >= 0.5*exp(-eps*n)",
                            "have (K - 1)*exp(-eps*n) >= 1")),),
             because="K thresholds for any K: their distance eta may be as small as one likes; P(J_i) > 0.9 on Z_i "
                     "where the empirical risk is below 1/20, as a threshold outside J_i errs on half of the points",
             downstream="the range of delta~ at the end needs another argument, see P33.end.")),
    Step("P33.end",
         against=(Claim("eps in (0, inf); level in (0, inf); n in Z[1, inf)", "",
                        "n^(-1/2)*exp(eps)*(exp(-level*n)/sqrt(n)) > 0.4*exp(-level*n)/n",
                        ("have exp(eps) >= 1", "have n^(-1/2)/sqrt(n) = 1/n",
                         "have exp(eps)*exp(-level*n) > 0.4*exp(-level*n)")),),
         because="at delta~(m) = exp(-eps(m^2) m^2)/m and sqrt(n) = m, with level = eps(n): the delta of thm-32 is "
                 "e^eps exp(-level n)/n, above the 0.4 exp(-level n)/n that (5') needs, for every n",
         reading="\"the condition of step 99\" is that which (5') needs; eps(n) is that of the AERM algorithm of "
                 "thm-32",
         erratum=Erratum(
             quotes="By the contrapositive of Theorem 32, the problem is not approximately privately learnable for "
                    "delta~(n) <= exp(-eps(n^2) n^2)/n.",
             explanation="n^{-1/2} e^eps delta~(sqrt n) is then e^eps exp(-eps(n) n)/n at most, which is not below 0.4 "
                         "exp(-eps(n) n)/n. The condition as printed, 0.4 n exp(-eps(n) n), is met for large n, but "
                         "(5') does not follow from it.",
             severity="gap",
             quality="reading",
             readings="With the condition as printed in (5') the implication holds, for n^2 >= 2.5 e^eps; "
                                         "that condition is wrong."),
         repair=Repair(
             "for squares n with sqrt(n) >= 4/(e^eps - 1), with the sum of e^{(i-1) eps(n)} as it is and K large",
             "statement",
             claims=(
                 Claim("E in (1, inf); total in [0, inf); power in [1, inf)", "total <= (power - 1)/(E - 1)",
                       "1 + E*total <= (E*power - 1)/(E - 1)",
                       ("have (E - 1)*total <= power - 1", "have (E - 1)*(1 + E*total) <= E*power - 1")),
                 Claim("u in (0, inf); r in (0, inf); small in (0, 1]; p in [0.9, 1]; delta in [0, inf)",
                       "delta <= (1 + u)*small/r^2; r*u >= 4", "small*p - delta/((1 + u)*u/r) >= small/2",
                       ("have delta*r^2 <= (1 + u)*small", "have delta/((1 + u)*u/r) <= small/(u*r)",
                        "have small/(u*r) <= small/4")),
                 Claim("K in [2, inf); small in (0, 1]", "K >= 1 + 1/small", "(K - 1)*(small/2) >= 1/2",
                       ("have (K - 1)*small >= 1",)),
             ),
             because="eps(n) = log(1 + e^eps (e^eps - 1)/sqrt(n)) (lem-31), u = e^eps - 1, r = sqrt(n), so e^eps(n) - "
                     "1 = (1 + u) u/r; small = exp(-eps(n) n): group privacy gives P(A(Z_1) in J_i) >= small p - delta "
                     "(1 - small)/(e^eps(n) - 1) with the geometric sum (first formula), and the K - 1 disjoint "
                     "intervals then hold 1/2 or more, for each of the infinitely many n, while an always AERM "
                     "algorithm leaves less than 1/10 there",
             uses=("wang2016:lem-31",), downstream="prop-33 holds as printed, eps(n) being that of thm-32.")),
    # Appendix B
    Step("B.rate",
         claims=(
             Claim("tau in [0, inf); beta in [0, 1]; mean in [0, 1]", "mean <= (1 - beta)*tau + beta*1",
                   "mean <= tau + beta"),
             Claim("n in Z[2, inf)", "", "12*log(4/(1/n)) <= (8*log(n))^2",
                   ("have log(n) >= 69/100", "have 12*log(4*n) = 12*log(4) + 12*log(n)", "have log(4) <= 2*log(n)",
                    "have log(n)^2 >= (69/100)*log(n)")),
             Claim("n in Z[2, inf)", "", "8*log(n)/sqrt(n) + 1/n <= 10*log(n)/sqrt(n)",
                   ("have log(n) >= 69/100", "have sqrt(n) >= 1", "have 1/n <= 1/sqrt(n)",
                    "have 1/sqrt(n) <= 2*log(n)/sqrt(n)")),
         ),
         because="lem-38 at tau = 8 log n/sqrt(n), beta = 1/n (n tau^2 >= 12 log(4/beta)), losses in [0, 1]; the "
                 "constant is 10",
         reading="n >= 2 (log 1 = 0); \"when eps is small\": eps < tau/2", uses=("wang2016:lem-38",)),
    Step("B.chain",
         claims=(Claim("emp in [0, 1]; least in [0, 1]; mean in [0, 1]; R in [0, 1]; xi in [0, inf)",
                       "emp - least <= xi; least <= mean; mean = R",
                       "emp <= R + xi"),),
         because="AERM with rate xi; min <= phi* for each sample; the mean of phi* over the sample is unbiased",
         reading="\"->\" is: the difference is at most xi(n), which tends to 0"),
    Step("B.dp",
         against=(Claim("eps in (0, inf)", "", "(1/(1 + 4^(1/9)))/(2/(eps*5)) > eps", ("have 4^(1/9) <= 13/10",)),
                  Claim("eps in (0, inf); C in [1, inf); r in [1, inf)", "r >= 4*C",
                        "(1/(1 + r))/(2/(eps*(r^9 + 1))) > C*eps",
                        ("have r^9 >= r^2", "have r^2 >= 4*C*r", "have r^9 + 1 > 2*C*(1 + r)"))),
         because=_TENTH + ": the minimiser moves from 0 to 1/(1 + 4^(1/9)) = 0.46, and the Laplace law of scale b, "
                          "moved by s, loses s/b = 1.15 eps; with n = r^9 + 1 records it moves by 1/(1 + r), and loses "
                          "more than C eps for every C",
         witness=instances.tenth_powers,
         erratum=Erratum(
             quotes="Consider the eps(n)-DP algorithm that outputs ERM + Laplace(2/(eps(n) n))",
             explanation="The minimiser of the sum of tenth powers moves by 1/(1 + (n-1)^(1/9)) when one of n records "
                         "0 becomes 1, far more than 2/n: it loses 1.15 eps for n = 5, 159 eps for n = "
                         "1000.", severity="false"),
         repair=Repair(
             "with noise of scale s(n)/eps, s(n) = 2/(2 + (2(n-1))^(1/9))", "constant",
             claims=(
                 Claim("s in [0, inf); d in (-inf, inf)", "", "(s + d)^9 + (s - d)^9 >= 2*s^9"),
                 Claim("u in [0, inf); v in [0, inf)", "", "u^9 + v^9 <= (u + v)^9"),
                 Claim("y in [0, inf); x in (0, inf)", "x > y", "x^9 > y^9"),
                 Claim("D in [0, 1]; r in [0, inf)", "r*D/2 <= 1 - D", "D <= 2/(2 + r)"),
                 Claim("eps in (0, inf); s in (0, inf); moved in [0, inf)", "moved <= s", "moved/(s/eps) <= eps"),
             ),
             because="let a record go from 0 to 1, the minimiser from b to a, D = a - b >= 0, f(t) = t^9. The "
                     "derivatives vanish: over the others sum f(a - y_j) = f(1 - a) and sum f(y_j - b) = f(b); two "
                     "terms with sum D have sum at least 2 f(D/2) (first formula), f(1 - a) + f(b) <= f(1 - D) "
                     "(second). So 2(n-1)(D/2)^9 <= (1 - D)^9; with r^9 = 2(n-1) that is (r D/2)^9 <= (1 - D)^9, so r "
                     "D/2 <= 1 - D (third); other changes of a record move the minimiser less",
             downstream="at eps = n^(-9/10) this noise grows with n: the example shows nothing.")),
    Step("B.moment",
         against=(_COIN,
                  Claim("C in [1, inf); r in [1, inf)", "r >= C", "45*(1/2)^8*(2*(2/r)^2) > C/r^10",
                        ("have r^8 >= r", "have 45*(1/2)^8*8*r^8 > C")),
                  Claim("C in [1, inf); r in [2, inf)", "r >= C", "(1/2)*(45*(1/4)*(1/2)^8*(2*(2/r)^2)) > C/r^10",
                        ("have r^7 >= 128", "have r^8 >= 128*r", "have (45/256)*r^8 > C")),
                  Claim("b in (0, inf)", "", "3628800*(2*b)^10 > 3628800*2*b^10")),
         because=_SLOW + ", while the printed rate is C/n (r = n^(1/10)). \"Universally\" it is no better: for a fair "
                         "coin at least half of the samples have a quarter of each value (Chebyshev, n >= 8), and "
                         "there the mean of |x - ERM|^8 is at least (1/4) 2^-8, as ERM or 1 - ERM is at least 1/2 "
                         "(third formula). And E W^10 = 10! (2/(eps n))^10, which is the excess where all records "
                         "agree, has 2^10, not 2! (b = 1/(eps n), 10! = 3628800)",
         witness=instances.fair_records,
         erratum=Erratum(
             quotes="This algorithm is AERM with rate xi(n) = 10! 2!/(eps(n) n)^10 = O(n^-1).",
             explanation="E W^10 = 10! 2^10/(eps n)^10 is the excess only where all records agree. Else the mean of |x "
                         "- ERM - W|^10 has the term 45 E W^2 (mean of |x - ERM|^8): 1.4 n^(-1/5) for records 0 and 1 "
                         "in equal parts.", severity="false"),
         repair=Repair(
             "its AERM rate is O(n^(-1/5)), and no better", "constant",
             claims=(
                 _COIN,
                 Claim("x in (-inf, inf); w in (-inf, inf)", "",
                       "((x + w)^10 + (x - w)^10)/2 = x^10 + 45*x^8*w^2 + 210*x^6*w^4 + 210*x^4*w^6 + 45*x^2*w^8 + "
                       "w^10"),
                 Claim("b in (0, 2]; m8 in [0, 1]; m6 in [0, 1]; m4 in [0, 1]; m2 in [0, 1]", "",
                       "45*m8*2*b^2 + 210*m6*24*b^4 + 210*m4*720*b^6 + 45*m2*40320*b^8 + 3628800*b^10 <= "
                       "1048576000*b^2",
                       ("have b^4 <= 4*b^2", "have b^6 <= 16*b^2", "have b^8 <= 64*b^2", "have b^10 <= 256*b^2")),
             ),
             because="W and -W have the same law, so odd powers drop out; E W^(2j) = (2j)! b^(2j) with b = 2/n^(1/10) "
                     "<= 2 (integration by parts: I_k = k b I_{k-1}); the means m of even powers of |x - ERM| are at "
                     "most 1; b^2 = 4 n^(-1/5)",
             downstream="see B.cor9.")),
    Step("B.cor9",
         against=(_COIN, Claim("C in [1, inf); r in [1, inf)", "r >= C", "45*(1/2)^8*(2*(2/r)^2) > C/r^9",
                               ("have r^7 >= r", "have 45*(1/2)^8*8*r^7 > C"))),
         because="x a fair coin on {0, 1}, R* = 2^-10 at 1/2: " + _SLOW
                 + "; with r = n^(1/10) the printed rate is C/r^9",
         witness=instances.fair_records,
         erratum=Erratum(
             quotes="By Corollary 9 we get an overall rate of O(n^{-9/10})",
             explanation="The excess risk is at least 1.4 n^(-1/5) for a fair coin. Corollary 9 does not apply either: "
                         "the algorithm is not eps(n)-private (B.dp), and |x - h|^10 is not bounded for real "
                         "h.", severity="false"),
         repair=Repair(
             "the overall rate is no better than 1.4 n^(-1/5)", "statement",
             claims=(_COIN, Claim("r in [1, inf)", "", "45*(1/2)^8*(2*(2/r)^2) >= 1.4/r^2")),
             because=_SLOW + " = 1.4/r^2", downstream="the comparison with O~(n^(-1/2)) goes the other way.")),
)

_SUB = ("dpcheck.papers.wang2016.learners:SubsampledLearner",)
_CHECKS = ("tests/papers/wang2016/test_learners_wang2016_reductions.py",
           "tests/papers/wang2016/test_wang2016_theorems_approximate.py")

THEOREMS = (
    Theorem("wang2016:def-27", "Approximate differential privacy", stated=True),
    Theorem("wang2016:def-28", "Approximately privately learnable", stated=True),
    Theorem("wang2016:lem-29", "Any algorithm on a random subset is (0, 1/sqrt n)-private",
            assumptions="floor(sqrt n) records are drawn",
            steps=("L29",), proved_by="repaired", learners=_SUB, checks=_CHECKS),
    Theorem("wang2016:lem-30", "Stability of approximate privacy", assumptions="losses in [0, 1]", steps=("L30",),
            learners=_SUB, checks=_CHECKS),
    Theorem("wang2016:lem-31", "Subsampling amplifies approximate privacy", assumptions="gamma n is an integer",
            steps=("L31.(12)", "L31.(13)", "L31.count", "L31.low", "L31.solve", "L31.relax", "L31.end"),
            proved_by="repaired",
            against=(Claim("", "", "285/100 > 1 + (50/1600)*8*(8 - 1)"),), witness=instances.order_of_windows,
            erratum=Erratum("then A' that acts on a random subsample of Z of size gamma n obeys (eps', delta')-DP with "
                            "eps' = log(1 + gamma e^eps(e^eps - 1)) and delta' = gamma e^eps delta.",
                            "If the sample keeps the order of the dataset and A looks at it: n = 1600, 50 of them, "
                            "e^eps = 8, delta = 0. Z is a, six records b_1, six b_2, .., six b_25, and c's, Z' has "
                            "another record for a; A answers E with probability 8^-d/2, d the number of the first 26 "
                            "places unlike a, b_1, .., b_25. P(E) is 2.853 times as large on Z as on Z', and 2.75 is "
                            "claimed.", "slip", "reading",
                            "It holds if the sample comes in random order, or A does not look at the order."),
            repaired_statement="as printed, the sample reaching A in random order, or A not looking at the order",
            learners=_SUB, checks=_CHECKS),
    Theorem("wang2016:thm-32", "Approximately private learnability and private AERM",
            assumptions="the members of Delta(n) tend to 0; delta(sqrt n) is read at floor(sqrt n), the size of the "
                        "sample (in random order, see lem-31)",
            steps=("T32.if", "T32.delta"),
            uses=("wang2016:lem-30", "wang2016:lem-31", "wang2016:thm-35", "wang2016:lem-10"),
            claims=(
                Claim("n in Z[1, inf); c in [0, inf)", "", "log(1 + c/sqrt(n)) <= c/sqrt(n)",
                      ("have c/sqrt(n) >= 0", "lemma log_below x = 1 + c/sqrt(n)")),
                Claim("gamma in [0, 1]; g in [0, 1]; delta in [0, 1]; E in [1, inf)", "gamma <= g",
                      "gamma*E*delta <= g*E*delta"),
            ),
            proved_by="repaired", learners=_SUB, checks=_CHECKS),
    Theorem("wang2016:prop-33", "All or not all learnable problems, by the size of delta",
            assumptions="eps(n) is that of thm-32, log(1 + e^eps (e^eps - 1)/sqrt(n)), for a fixed eps > 0: where "
                        "algorithms of every eps < inf are to be excluded, the bound on delta~ has to hold for each of "
                        "them",
            steps=("P33.1", "P33.group", "P33.shift", "P33.(4')", "P33.(5')", "P33.end"),
            uses=("wang2016:prop-12", "wang2016:thm-32", "wang2016:lem-29", "wang2016:lem-31"), proved_by="repaired",
            learners=_SUB, checks=_CHECKS),
    Theorem("wang2016:lem-38", "Outputs of private algorithms generalise", cited="Dwork et al. 2015b, theorem 7"),
    Theorem("wang2016:rem-B.rate", "The tenth power: ERM plus Laplace noise",
            assumptions="loss |x - h|^10, x in [0, 1]; eps(n) = n^(-9/10)",
            steps=("B.dp", "B.moment", "B.cor9"), uses=("wang2016:cor-9",),
            against=(Claim("eps in (0, inf)", "", "(1/(1 + 4^(1/9)))/(2/(eps*5)) > eps", ("have 4^(1/9) <= 13/10",)),
                     _COIN,
                     Claim("C in [1, inf); r in [1, inf)", "r >= C", "45*(1/2)^8*(2*(2/r)^2) > C/r^9",
                           ("have r^7 >= r", "have 45*(1/2)^8*8*r^7 > C"))),
            witness=instances.tenth_powers_and_fair_records,
            erratum=Erratum("Consider the eps(n)-DP algorithm that outputs ERM + Laplace(2/(eps(n) n)) where eps(n) is "
                            "chosen to be n^{-9/10}. This algorithm is AERM with rate xi(n) = 10! 2!/(eps(n) n)^10 = "
                            "O(n^-1). By Corollary 9 we get an overall rate of O(n^{-9/10})",
                            "It is not eps(n)-private (" + _TENTH
                            + ": 1.15 eps; 159 eps for n = 1000), its AERM rate is not O(1/n) and its overall rate not "
                              "O(n^(-9/10)): both are at least 1.4 n^(-1/5).", "false"),
            repaired_statement="eps-private with noise of scale 2/((2 + (2(n-1))^(1/9)) eps); with the printed noise "
                               "the AERM rate is of the order n^(-1/5)",
            learners=("dpcheck.papers.wang2016.learners:PerturbedMinimiser",),
            checks=("tests/papers/wang2016/test_learners_wang2016_choices.py",
                    "tests/papers/wang2016/test_wang2016_theorems_approximate.py")),
    Theorem("wang2016:rem-B.compare", "What lemma 38 gives", assumptions="n >= 2; eps <= 1",
            steps=("B.rate", "B.chain"),
            uses=("wang2016:lem-38",),
            claims=(Claim("eps in (0, 1); n in Z[2, inf); C in [1, inf)", "eps/log(1/eps) <= C/sqrt(n); eps >= 1/n",
                          "eps <= C*log(n)/sqrt(n)",
                          ("have log(1/eps) > 0", "have eps <= C*log(1/eps)/sqrt(n)",
                           "lemma log_increases x = 1/eps; y = n")),
                    Claim("eps in (0, 1); n in Z[2, inf); C in [1, inf)", "eps < 1/n", "eps <= 2*C*log(n)/sqrt(n)",
                          ("have log(n) >= 69/100", "have sqrt(n) >= 1", "have 1/n <= 1/sqrt(n)",
                           "have 1/sqrt(n) <= 2*log(n)/sqrt(n)")))),
)

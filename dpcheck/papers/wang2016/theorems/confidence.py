"""wang2016: high confidence by boosting (section 5.1, appendix A.6).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.

Letters: ``m`` is the size n/(a+1) of a part, ``L`` is log(3/delta), ``x`` a gap between risks.
"""

from __future__ import annotations

from dpcheck.papers.wang2016.theorems import confidence_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: Randomised response at 6 on a record, three records, delta = 3 e^-2: what the output 1 has on (0, 0, 0) and
#: (1, 0, 0).
_F = "(1/(1 + exp(6)))"
_W = "exp(-sqrt(3)/4)"
_BEFORE = f"({_F}^2 + 2*{_F}*(1 - {_F})*{_W}/(1 + {_W}))"
_AFTER = (f"((2/3)*((1 - {_F})*{_F} + ((1 - {_F})^2 + {_F}^2)*{_W}/(1 + {_W})) + "
          f"(1/3)*({_F}^2 + 2*{_F}*(1 - {_F})/(1 + {_W})))")
_PRIVACY = (Claim("", "", "3/(log(3/3) + 1) = 3"), Claim("", "", "(log(3/(3*exp(-2))) + 1)/sqrt(3) <= 6/sqrt(3)"),
            Claim("", "", f"{_AFTER} > exp(6/sqrt(3))*{_BEFORE}"))
_PRIVACY_BECAUSE = (
    "delta = 3 e^-2, so a = 2, n = 3 and the parts hold one record. A(m) is eps(m)-private with eps(m) = 6/sqrt(m): "
    "randomised response on one record, the exponential mechanism on more; H = {0, 1}, loss |h - z|. log(3/n) = 0, so "
    "the printed privacy is eps(3) = 3.46 (the validation's is 1.73). From (0, 0, 0) to (1, 0, 0) the probability of 1 "
    "grows by a factor e^4.9"
)
_RATE = (
    Claim("C in [1, inf); L in Z[20, inf)", "L >= C^2", "(1/(2*e))*exp(-2*C*sqrt(L + 1)/4)/L > 3*exp(-L)",
          ("have C*sqrt(L + 1) <= L + 1", "have -2*C*sqrt(L + 1)/4 >= -(L + 1)/2",
           "have exp(-2*C*sqrt(L + 1)/4) >= exp(-(L + 1)/2)")),
    Claim("C in [1, inf); L in Z[20, inf); r in [1, inf)", "",
          "e*((1/(2*e))*(2*C*(sqrt(L + 1)/r))) + C*(sqrt(L)/r) < 2*C*(sqrt(L + 1)/r)", ("have sqrt(L) < sqrt(L + 1)",)),
)
_RATE_BECAUSE = (
    "for every C: L >= max(20, C^2) whole, delta = 3 e^-L, so a = L; H = {g, b_1, b_2, ..}, g loses nothing, b_m loses "
    "x = 2C/sqrt(m) on every record; A on m records returns b_m with probability 1/(2e), whatever the data, else g: "
    "0-private, of rate x/(2e). For n = (L+1) m, m > 4 C^2, the first candidate is bad with probability 1/(2e) and is "
    "then chosen with probability at least exp(-eps m x/4)/L, eps m/4 = sqrt(n)/4: this is above delta, and x is above "
    "e xi + C sqrt(L/n) (r = sqrt(n))"
)

STEPS = (
    Step("T25.markov", spelled=(("Pr[R(h)-R* <= e xi(n)]", "1 - p"),),
         claims=(Claim("p in [0, 1]; xi in [0, inf); above in (0, inf); rest in [0, inf)",
                       "above > e*xi; p*above + rest <= xi",
                       "1 - p >= 1 - 1/e", ("have p*above <= xi", "have e*p*above <= above", "have p <= 1/e")),),
         because="p = Pr[R(h) - R* > e xi], above the mean of the excess there, rest what the other cases add to the "
                 "mean, which is not negative as R* is the infimum"),
    Step("T25.(20)", spelled=(("Pr[min_{j<=a} R(h_j)-R* <= e xi(n/(a+1))]", "1 - all"),),
         claims=(Claim("power in (0, 1]; others in [0, 1]; last in [0, 1]", "others <= power; last <= 1/e",
                       "others*last <= power*(1/e)"),
                 Claim("a in Z[1, inf)", "", "(1/e)^a*(1/e) = (1/e)^(a + 1)"),
                 Claim("a in Z[1, inf); all in [0, 1]", "all <= (1/e)^a", "1 - all >= 1 - (1/e)^a")),
         because="by induction on the number of candidates, power being (1/e)^a: disjoint parts of an iid sample are "
                 "independent, so the probabilities that all exceed e xi multiply",
         reading="a is a positive integer, as section 5.1 says, and a + 1 divides n"),
    Step("T25.(21)",
         against=(Claim("", "", "1/8 > 1/9"), Claim("", "", "sqrt(log(2*1/(1/9))/(2*6)) < 1/2")),
         because="n = 6, a = 1, delta_1 = 1/9: the three validation losses are fair coins, and with probability 1/8 "
                 "all are 1, so that Rhat - R = 1/2", witness=instances.three_fair_coins,
         erratum=Erratum(
             quotes="with probability 1 - delta_1 for all j = 1, ..., a+1: Rhat(h_j, Z_{a+1}) - R(h_j) <= "
                    "sqrt(log(2a/delta_1)/(2n)). (21)",
             explanation="The validation part has n/(a+1) records, not n: Hoeffding's inequality gives 2 n/(a+1) below "
                         "log(2a/delta_1). And there are a candidates, not a+1.", severity="constant"),
         repair=Repair(
             "for all j <= a: |Rhat(h_j, Z_{a+1}) - R(h_j)| <= sqrt(log(2a/delta_1)/(2n/(a+1)))", "constant",
             claims=(Claim("a in Z[1, inf); m in Z[1, inf); delta1 in (0, 1)", "",
                           "2*a*exp(-2*m*sqrt(log(2*a/delta1)/(2*m))^2) <= delta1", ("have log(2*a/delta1) >= 0",)),),
             because="Hoeffding's inequality, 2 exp(-2 m r^2) for each of a candidates, which do not depend on the "
                     "part of m records",
             cites="Hoeffding 1963", downstream="T25.comb and T25.C: see there.")),
    Step("T25.sens",
         claims=(Claim("m in Z[1, inf); rest in [0, inf); old in [0, 1]; new in [0, 1]", "",
                       "abs((rest + old)/m - (rest + new)/m) = 0"),),
         because="the case j in I_{a+1}: one of the m summands of q changes",
         erratum=Erratum(
             quotes="the distribution of the output of function q(Z,h) is a mixture of the two cases: j in I_{a+1} and "
                    "j not in I_{a+1}. Since in the first case, q(Z,h) = q(Z',h) for all h, sensitivity for this case "
                    "is 0. In the second case, by the boundedness assumption, the sensitivity is at most 2(a+1)/n.",
             explanation="The two cases are exchanged.", severity="slip"),
         repair=Repair(
             "for j not in I_{a+1}: 0; for j in I_{a+1}: at most 2(a+1)/n", "statement",
             claims=(Claim("n in Z[1, inf); a in Z[1, inf); rest in [0, inf); old in [0, 1]; new in [0, 1]", "",
                           "abs((rest + old)/(n/(a + 1)) - (rest + new)/(n/(a + 1))) <= 2*(a + 1)/n"),),
             because="for j not in I_{a+1} the records that q reads are the same", downstream="nothing changes.")),
    Step("T25.(22)", spelled=(("Pr[Rhat(h) > Rhat(h_1) + 8(eta log n+log a)/(eps n/(a+1))]",
                               "a exp(-(eps m/4) (8 (eta log(n) + log(a))/(eps m)))"), ("n^-eta", "n^(-eta)"),),
         claims=(
             Claim("a in Z[1, inf); m in (0, inf); eps in (0, inf); x in [0, inf); bad in [0, inf); "
                   "weight in (0, inf); best in (-inf, inf)",
                   "bad <= a*exp(-(eps*m/4)*(best + x)); weight >= exp(-(eps*m/4)*best)",
                   "bad/weight <= a*exp(-(eps*m/4)*x)",
                   ("have a*exp(-(eps*m/4)*x)*weight >= a*exp(-(eps*m/4)*x)*exp(-(eps*m/4)*best)",
                    "have a*exp(-(eps*m/4)*x)*weight >= bad")),
             Claim("a in Z[1, inf); n in Z[1, inf); eps in (0, inf); eta in [0, inf); m in (0, inf)", "m = n/(a + 1)",
                   "a*exp(-(eps*m/4)*(8*(eta*log(n) + log(a))/(eps*m))) <= n^(-eta)",
                   ("have log(n) >= 0", "have log(a) >= 0",
                    "have (eps*m/4)*(8*(eta*log(n) + log(a))/(eps*m)) = 2*(eta*log(n) + log(a))",
                    "have exp(-(eps*m/4)*(8*(eta*log(n) + log(a))/(eps*m))) <= exp(-eta*log(n) - log(a))")),
         ),
         because="sensitivity 2/m makes the exponent eps/(2 s) = eps m/4; the candidates beyond the gap weigh at most "
                 "a exp(-(eps m/4)(best + x)), the best at least its own weight, m = n/(a+1)"),
    Step("T25.comb",
         against=(
             Claim("p in [0, 1/2]", "", "(1 - 2*p)*(p*(999/1000) + (1 - p)*(1/1000)) <= 126/1000"),
             Claim("", "",
                   "3/4 > e*(126/1000) + sqrt(log(2*25/(1/20))/(2*26)) + 8*(2*log(26) + log(25))/(6000*26/(25 + 1))"),
             Claim("", "", "(1/8)*(1 - (7/8)^25 - (1/7)^25)/(1 + 24*exp(-1500)) > 26^(-2) + 1/20 + exp(-25)"),
         ),
         because="g loses z, b loses 1 - z, z in {0, 1}; A on one record returns the hypothesis that does not lose "
                 "there, or the other one with probability 1/1000 (on more records: the exponential mechanism), so "
                 "xi(1) = 126/1000 whatever D (first formula, and by symmetry). a = 25, n = 26 (parts of one record), "
                 "eps = 6000, eta = 2, delta_1 = 1/20; z is 1 with probability 1/8, so R(b) - R* = 3/4, above the "
                 "printed threshold (second formula). A run returns b with a probability in [1/8, 1/7]; where both "
                 "occur and the validation record is 1, a copy of b is chosen with probability at least 1/(1 + 24 "
                 "e^-1500): 0.12 in all, and 0.052 is printed",
         witness=instances.one_validation_record,
         erratum=Erratum(
             quotes="Combine (20)(21) and (22) we get P[R(h) - R* > e xi(n/(a+1)) + sqrt(log(2a/delta_1)/(2n)) + 8(eta "
                    "log n + log a)/(eps n/(a+1))] <= n^-eta + delta_1 + e^-a.",
             explanation="(21) is used twice, for the candidate chosen and for the best one, and its root has 2n for "
                         "2n/(a+1).",
             severity="constant"),
         repair=Repair(
             "with 2 sqrt(log(2a/delta_1)/(2n/(a+1))) for the root", "constant",
             claims=(
                 Claim("risk in [0, 1]; seen in [0, 1]; best in [0, 1]; good in [0, 1]; seen_good in [0, 1]; "
                       "star in [0, 1]; xi in [0, inf); r in [0, inf); x in [0, inf)",
                       "risk <= seen + r; seen <= best + x; best <= seen_good; seen_good <= good + r; "
                       "good - star <= e*xi",
                       "risk - star <= e*xi + 2*r + x"),
                 Claim("p1 in [0, 1]; p2 in [0, 1]; p3 in [0, 1]; union in [0, 1]; n in Z[1, inf); eta in [0, inf); "
                       "delta1 in (0, 1); a in Z[1, inf)",
                       "union <= p1 + p2 + p3; p1 <= n^(-eta); p2 <= delta1; p3 <= exp(-a)",
                       "union <= n^(-eta) + delta1 + exp(-a)"),
             ),
             because="outside the three events of (20), (21) and (22); (21) as repaired is two-sided",
             cites="Hoeffding 1963",
             downstream="the constant of thm-25; see T25.C.")),
    Step("T25.sub",
         against=(Claim("a in Z[1, 1]", "", "a < log(3/(1/2))"), Claim("a in Z[2, inf)", "", "a > log(3/(1/2))")),
         because="delta = 1/2: log 6 is no integer, and a is the number of candidates; for real a there is no such "
                 "algorithm",
         reading="all delta in (0, 1), as in the theorem; n >= 2, as log n divides",
         erratum=Erratum(
             quotes="Now by appropriately choosing eta = log(3/delta)/log n, a = log(3/delta), delta_1 = delta/3, we "
                    "get",
             explanation="a is \"a pre-chosen positive integer\" (section 5.1), and log(3/delta) is one for delta = 3 "
                         "e^-k only. (The threshold is that of the line before, with its error.)", severity="slip",
             quality="reading",
             readings="It follows from the line before for delta = 3 e^-k; else a is to be rounded up, which "
                                         "changes constants only."),
         repair=Repair(
             "a = ceil(log(3/delta)), parts of floor(n/(a+1)) records; the probability is at most delta", "constant",
             claims=(
                 Claim("delta in (0, 1); a in Z[1, inf)", "a >= log(3/delta)", "exp(-a) <= delta/3",
                       ("have exp(-a) <= exp(-log(3/delta))",)),
                 Claim("delta in (0, 1); n in Z[2, inf)", "", "n^(-(log(3/delta)/log(n))) <= delta/3",
                       ("have (log(3/delta)/log(n))*log(n) = log(3/delta)",
                        "have n^(-(log(3/delta)/log(n))) <= exp(-log(3/delta))")),
                 Claim("delta in (0, 1); p1 in [0, 1]; p2 in [0, 1]; p3 in [0, 1]",
                       "p1 <= delta/3; p2 <= delta/3; p3 <= delta/3",
                       "p1 + p2 + p3 <= delta"),
             ),
             because="n^-eta, delta_1 and e^-a", downstream="part sizes in thm-25 are floor(n/(a+1)).")),
    Step("T25.C",
         against=(Claim("C in [1, inf); L in [2, inf); n in Z[1, inf)", "L >= C^2",
                        "sqrt((log(2*L) + L)/(2*n)) + 8*(L + log(L))/(((L + 1)/sqrt(n))*n/(L + 1)) > C*sqrt(L/n)",
                        ("have log(L) >= 0", "have log(2*L) >= 0", "have sqrt((log(2*L) + L)/(2*n)) >= 0",
                         "have ((L + 1)/sqrt(n))*n/(L + 1) = sqrt(n)", "have 8*(L + log(L))/sqrt(n) >= 8*L/sqrt(n)",
                         "have C <= sqrt(L)", "have C*sqrt(L) <= L", "have C*sqrt(L/n) <= L/sqrt(n)")),),
         because="L = log(3/delta): the last term is 8 (L + log L)/sqrt(n), and C sqrt(L/n) is below it as soon as L "
                 ">= C^2",
         erratum=Erratum(
             quotes="combine the terms and take eps = (log(3/delta)+1)/sqrt(n), we get the bound of the excess risk in "
                    "the theorem.",
             explanation="The last term is 8(log(3/delta) + loglog(3/delta))/sqrt(n), linear in log(3/delta); no "
                         "absolute constant times sqrt(log(3/delta)/n) bounds it as delta tends to "
                         "0.", severity="constant"),
         repair=Repair(
             "the two terms (with the root of T25.comb as repaired) are at most 54 log(3/delta)/sqrt(n)", "constant",
             claims=(
                 Claim("L in [1, inf); a in Z[1, inf)", "a <= L + 1", "log(2) + log(a) + L <= 3*L",
                       ("lemma log_below x = a", "have log(2) <= 1")),
                 Claim("L in [1, inf); a in Z[1, inf); m in Z[1, inf); r in [1, inf); s in (0, inf)",
                       "a <= L + 1; m >= r^2/(2*(a + 1)); s*r > 3*L", "2*m*s^2 > 3*L",
                       ("have a + 1 <= 3*L", "have 2*(a + 1)*m >= r^2", "have 6*L*m >= r^2",
                        "have (s*r)^2 > (3*L)*(s*r)",
                        "have (s*r)^2 > 9*L^2", "have s^2*(6*L*m) >= s^2*r^2", "have 2*m*s^2*(3*L) > 3*L*(3*L)")),
                 Claim("L in [1, inf); a in Z[1, inf); m in Z[1, inf); n in Z[1, inf); r in [1, inf)",
                       "r^2 = n; a <= L + 1; m >= n/(2*(a + 1))", "8*(L + log(a))/(((L + 1)/r)*m) <= 48*L/r",
                       ("lemma log_below x = a", "have L + log(a) <= 2*L", "have 2*(a + 1)*m >= n",
                        "have (L + 2)*2*m >= n",
                        "have 3*(L + 1)*m >= n")),
             ),
             because="L = log(3/delta) >= log 3, a = ceil(L), m = floor(n/(a+1)) >= n/(2(a+1)), r = sqrt(n), delta_1 = "
                     "delta/3: U = log(6a/delta) <= 3L; the terms are 2s with s = sqrt(U/(2m)) and 8(L + log a)/(eps "
                     "m). Were s above 3L/r, U = 2 m s^2 would be above 3L; so they are at most 6 and 48 times L/r",
             downstream="thm-25 with 54 log(3/delta)/sqrt(n).")),
    Step("T25.priv", against=_PRIVACY, because=_PRIVACY_BECAUSE, witness=instances.boosted_randomised_response,
         erratum=Erratum(
             quotes="we get the overall privacy loss max{eps(n/(log(3/n)+1)), (log(3/delta)+1)/sqrt(n)} as stated in "
                    "the theorem.",
             explanation="log(3/n) for log(3/delta): the parts have n/(log(3/delta)+1) records. From n = 9 on log(3/n) "
                         "+ 1 is negative, and the sample size with it.", severity="slip"),
         repair=Repair(
             "max{eps(m), (log(3/delta)+1)/sqrt(n)} with m = floor(n/(a+1)) the size of a part", "constant",
             claims=(
                 Claim("w in [0, 1]; E in [1, inf); p1 in [0, 1]; p2 in [0, 1]; q1 in [0, 1]; q2 in [0, 1]",
                       "p1 <= E*q1; p2 <= E*q2",
                       "w*p1 + (1 - w)*p2 <= E*(w*q1 + (1 - w)*q2)"),
                 Claim("eps in (0, inf); m in (0, inf); v in [0, 1]; u in [0, 1]", "abs(u - v) <= 1/m",
                       "exp(-(eps*m/4)*u) <= exp(eps/4)*exp(-(eps*m/4)*v)",
                       ("have v - u <= 1/m", "have (eps*m/4)*(v - u) <= eps/4",
                        "have -(eps*m/4)*u <= eps/4 - (eps*m/4)*v")),
             ),
             because="given the partition, a record lies in one part: either one candidate's law changes, by a factor "
                     "of e^eps(m), or the weights of the validation do, by e^(eps/4) each, so the choice by e^(eps/2); "
                     "the whole is an average over candidates and partitions, two at a time",
             downstream="thm-25's privacy with log(3/delta).")),
)

THEOREMS = (
    Theorem("wang2016:thm-25", "High confidence by private boosting", bounds=bounds_of("wang2016", "confidence"),
            assumptions="A learns privately with rate xi(n), privacy eps(n); losses in [0, 1]",
            steps=("T25.markov", "T25.(20)", "T25.(21)", "T25.sens", "T25.(22)", "T25.comb", "T25.sub", "T25.C",
                   "T25.priv"),
            against=(*_RATE, *_PRIVACY), witness=instances.boosting_as_printed,
            erratum=Erratum("the boosting algorithm A' with a = log(3/delta) is max{eps(n/(log(3/n)+1)), "
                            "(log(3/delta)+1)/sqrt(n)}-differentially private, its output h obeys R(h) - R* <= e "
                            "xi(n/(log(3/delta)+1)) + C sqrt(log(3/delta)/n) for an absolute constant C with "
                            "probability at least 1 - delta.",
                            "Utility: " + _RATE_BECAUSE + ". Privacy: log(3/n) is a misprint for log(3/delta) (from n "
                                                          "= 9 on the printed size is negative); to the "
                                                          "letter, " + _PRIVACY_BECAUSE + ".", "constant"),
            repaired_statement="with a = ceil(log(3/delta)) candidates on parts of m = floor(n/(a+1)) records, n >= a "
                               "+ 1: max{eps(m), (log(3/delta)+1)/sqrt(n)}-private, and R(h) - R* <= e xi(m) + 54 "
                               "log(3/delta)/sqrt(n) with probability at least 1 - delta",
            learners=("dpcheck.papers.wang2016.learners:BoostedLearner",),
            checks=("tests/papers/wang2016/test_learners_wang2016_reductions.py",
                    "tests/papers/wang2016/test_wang2016_theorems_confidence.py")),
)

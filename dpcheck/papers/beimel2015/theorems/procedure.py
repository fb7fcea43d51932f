"""beimel2015: LabelBoostProcedure: its privacy and its utility (lemma 4.1, claim 4.2).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
Letters are the paper's: s = #S, t = #T, V = VC(C), K the points that both inputs have. In the chain of lemma 4.1 u and
v are exp(q/2) of h_{2,z} and h'_{2,z}, F is the sum of exp(q(S_2, f)/2) over H_2.
"""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems import procedure_instances as instances
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_SHARED = "The instance of C42.stmt: one labelled entry, V = 11."
_FITS = "It holds for #S + #T >= V, as in LabelBoost, where #S is well above V."
_BUDGET = "t <= beta/e*V*exp(alpha*s/(2*V)) - s"
_SIZES = "s in Z[1, inf); t in Z[0, inf); V in Z[1, inf); alpha in (0, 1); beta in (0, 1)"

STEPS = (
    # Lemma 4.1
    Step("L41.P",
         claims=(Claim("others in Z[0, inf); i1 in Z[0, 1]; i2 in Z[0, 1]", "others + i1 >= 1; others + i2 <= 0",
                       "others + i1 = 1 = i1"),
                 Claim("n in Z[0, inf); i1 in Z[0, inf)", "n <= i1; i1 <= 1", "0 <= n <= 1")),
         because="for a point x: others is how often it occurs in the entries that both inputs have, i1 and i2 whether "
                 "the replaced entry is at x in the first and in the second. A point of P_1 minus P_2 occurs once, as "
                 "the point of the first's replaced entry, and that is one point"),
    Step("L41.H", spelled=(("#Pi_C(K)", "K"), ("#Pi_C(P_i)", "P"), ("#H_1", "H1"), ("#H_2", "H2")),
         claims=(Claim("K in Z[0, inf); P in Z[0, inf); r in Z[1, 2]", "K <= P; P <= 2*K",
                       "K + 1 <= P + r <= 2*(K + 1)"),
                 Claim("K in Z[1, inf); H1 in Z[1, inf); H2 in Z[1, inf)", "H1 <= 2*K; K <= H2", "H1 <= 2*H2"),
                 Claim("K in Z[1, inf); H1 in Z[1, inf); H2 in Z[1, inf)", "H2 <= 2*K; K <= H1", "H2 <= 2*H1")),
         because="each pattern on K extends to r = 1 or 2 patterns on P_i, which has at most one point more (induction "
                 "over the patterns on K); #H_i = #Pi_C(P_i)"),
    Step("L41.q1", spelled=(("q(S_i,h_{i,z})", "(common+once a)"), ("q(S_i,h'_{i,z})", "(common+once b)")),
         claims=(Claim("common in Z[0, inf); once in Z[0, 1]; a in Z[0, 1]; b in Z[0, 1]", "",
                       "abs((common + once*a) - (common + once*b)) <= 1"),),
         because="the two agree on K, and S_i has at most one entry at a point outside K (L41.P): a and b say whether "
                 "they get its label right"),
    Step("L41.q2", spelled=(("q(S_1,h_{1,z})", "(common+once a)"), ("q(S_2,h_{2,z})", "(common+once b)")),
         claims=(Claim("common in Z[0, inf); once in Z[0, 1]; a in Z[0, 1]; b in Z[0, 1]", "",
                       "abs((common + once*a) - (common + once*b)) <= 1"),),
         because="every entry that S_1 and S_2 have both is at a point of K, where the hypotheses agree, and has the "
                 "same label; the replaced entry, if it is in S, is right or wrong in each"),
    Step("L41.c1",
         claims=(Claim("a in (0, inf); b in (0, inf); F1 in (0, inf); two in Z[0, 1]", "a + two*b <= F1",
                       "(a + two*b)/F1 <= (a + b)/F1"),),
         because="a, b: exp(q/2) of h_{1,z} and h'_{1,z}, two: whether they differ, F1 the sum over H_1: w_{1,z} = (a "
                 "+ two b)/F1"),
    Step("L41.c2",
         claims=(Claim("num in (0, inf); R in (0, inf); rest in [0, inf)", "", "num/(R + rest) <= num/R"),),
         because="the h_{1,r} are different members of H_1 for different r; rest: the other members"),
    Step("L41.c3",
         claims=(Claim("q1 in [0, inf); q2 in [0, inf)", "abs(q1 - q2) <= 1", "exp(q1/2) <= exp((q2 + 1)/2)"),
                 Claim("q1 in [0, inf); q2 in [0, inf); r2 in [0, inf)", "abs(q1 - q2) <= 1; abs(q1 - r2) <= 1",
                       "exp(q1/2) >= (1/2)*(exp((q2 - 1)/2) + exp((r2 - 1)/2))",
                       ("have exp(q1/2) >= exp((q2 - 1)/2)", "have exp(q1/2) >= exp((r2 - 1)/2)")),
                 Claim("A in (0, inf); B in (0, inf); a in (0, inf); b in (0, inf)", "A >= B; a >= b",
                       "A + a >= B + b"),
                 Claim("num in (0, inf); NUM in (0, inf); R in (0, inf); D in (0, inf)", "num <= NUM; R >= D",
                       "num/R <= NUM/D")),
         because="L41.q2 for all four pairs, term by term in numerator and denominator"),
    Step("L41.c4",
         claims=(Claim("q in [0, inf)", "", "exp((q + 1)/2) = exp(1/2)*exp(q/2)"),
                 Claim("q in [0, inf)", "", "exp((q - 1)/2) = exp(-1/2)*exp(q/2)"),
                 Claim("F in [0, inf); D in [0, inf); u in (0, inf); v in (0, inf); two in Z[0, 1]", "F <= D",
                       "F + u + two*v <= D + u + v"),
                 Claim("u in (0, inf); v in (0, inf); D in (0, inf); F in (0, inf)", "F <= D",
                       "(exp(1/2)*u + exp(1/2)*v)/((1/2)*(exp(-1/2)*D)) <= 2*e*((u + v)/F)",
                       ("have (u + v)/D <= (u + v)/F",))),
         because="D: the sum over r of both exponentials; each f in H_2 is h_{2,r} or h'_{2,r} for one r (third "
                 "formula: one r after the other), so F <= D"),
    Step("L41.c5",
         claims=(Claim("u in (0, inf); F in (0, inf)", "", "2*e*((u + u)/F) <= 4*e*(u/F)"),
                 Claim("u in (0, inf); v in (0, inf); F in (0, inf)", "", "2*e*((u + v)/F) <= 4*e*((u + v)/F)")),
         because="w_{2,z} is u/F where the two hypotheses are one (u = v), and (u + v)/F where they differ"),
    Step("L41.nb",
         claims=(Claim("moved in Z[0, 1]; y1 in Z[0, 1]; y2 in Z[0, 1]", "abs(y1 - y2) <= moved",
                       "max(moved, abs(y1 - y2)) = 1"),),
         because="entries that both inputs have are at points of K and get the same label. The replaced entry: moved "
                 "says whether its point changed, y1 and y2 are its new labels, the same where the point is; then the "
                 "relabelled databases are equal",
         erratum=Erratum(
             quotes="for every z in Pi_C(K) the databases (S_1 o T_1)^{h_{1,z}} and (S_2 o T_2)^{h_{2,z}} are "
                    "neighboring",
             explanation="Neighbouring databases differ in exactly one entry (definition 2.1); where the inputs differ "
                         "in a label only, the relabelled databases are equal.", severity="slip", quality="reading",
             readings="It holds with \"at most one\", as the proof's summary has it: \"they differ on at most one "
                      "entry\"."),
         witness=instances.equal_after_relabelling,
         repair=Repair("they differ in at most one entry", "statement",
                       claims=(Claim("moved in Z[0, 1]; y1 in Z[0, 1]; y2 in Z[0, 1]; others in Z[0, inf)",
                                     "abs(y1 - y2) <= moved; others <= 0", "others + max(moved, abs(y1 - y2)) <= 1"),
                               Claim("p in [0, 1]; E in [1, inf); delta in [0, 1]", "", "p <= E*p + delta")),
                       because="equal databases give equal laws: the second formula",
                       downstream="nothing changes: (1) holds for equal databases, too.")),
    Step("L41.mix",
         claims=(Claim("y in [0, 1]; E in [1, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]; Q in [0, 1]",
                       "p <= E*q + delta; p <= E*Q + delta", "p <= E*(y*q + (1 - y)*Q) + delta"),
                 Claim("x in [0, 1]; p in [0, 1]; P in [0, 1]; R in [0, inf)", "p <= R; P <= R",
                       "x*p + (1 - x)*P <= R"),
                 Claim("w1 in [0, 1]; w2 in [0, 1]; E in [1, inf); delta in [0, 1]; p in [0, 1]; q in [0, 1]",
                       "w1 <= 4*e*w2; p <= E*q + delta", "w1*p <= 4*e*w2*(E*q + delta)"),
                 Claim("a in [0, inf); b in [0, inf); A in [0, inf); B in [0, inf)", "a <= A; b <= B",
                       "a + b <= A + B")),
         because="E = exp(eps). Given z the databases are a mixture (x, y) of one or two on either side, all four "
                 "pairs of which differ in at most one entry; then the sum over z",
         reading="Pr[A((S_i o T_i)^{h_{i,z}} o D) in F | h_{i,z}] is over which of h_{i,z}, h'_{i,z} was chosen, as "
                 "well"),
    Step("L41.end", spelled=(("4e", "4 e"),),
         claims=(Claim("", "", "4*e <= e^3"),
                 Claim("q in [0, 1]; eps in [0, inf); delta in [0, 1]", "",
                       "4*e*(exp(eps)*q + delta) <= exp(eps + 3)*q + 4*e*delta",
                       ("have 4*e*exp(eps) <= exp(3)*exp(eps)",)),
                 Claim("p in [0, 1]; q in [0, 1]; eps in [0, inf); delta in [0, 1]", "p <= exp(eps)*q + delta",
                       "p <= exp(eps + 3)*q + 4*e*delta",
                       ("have exp(3) >= 1", "have exp(eps)*q <= exp(3)*(exp(eps)*q)"))),
         because="q: the sum over z of w_{2,z} Pr[... | h_{2,z}], the w_{2,z} add up to 1. The last formula is the "
                 "case in which the inputs differ in D. (LabelBoostProcedure claims a ratio of (1 + e^(1/2))^2 = 7.02 "
                 "in place of 4e, and says why)"),
    # Claim 4.2
    Step("C42.a", spelled=(("#H = #Pi_C(P)", "2^P"), ("e #P", "e P")),
         claims=(Claim("s in Z[1, inf); V in Z[1, inf); alpha in (0, 1); beta in (0, 1); P in Z[1, 1]",
                       "0 <= beta/e*V*exp(alpha*s/(2*V)) - s", "2^P <= (e*P/V)^V"),),
         because="C all functions on V points, S a number s of copies of one entry, T empty: P = 1 distinct point, two "
                 "dichotomies, and the hypothesis holds for s large or V large",
         erratum=Erratum(
             quotes="Note that by Sauer's lemma, |H| = |Pi_C(P)| <= (e|P|/VC(C))^{VC(C)}",
             explanation="Sauer's lemma in this form needs #P > V (thm-B.2). At #P = 1, V = 2 it says 2 <= 1.85.",
             severity="edge"),
         repair=Repair("#H <= (e max(#P, V)/V)^V", "constant",
                       claims=(Claim("V in Z[1, inf); P in Z[0, inf)", "P <= V", "2^P <= exp(V)",
                                     ("have log(2) <= 1", "have P*log(2) <= P",
                                      "lemma exp_increases x = P*log(2); y = V")),
                               Claim("V in Z[1, inf)", "", "e*V/V = e"),
                               Claim("V in Z[1, inf); P in Z[1, inf)", "P > V", "max(P, V) = P")),
                       because="thm-B.2 for #P > V, and 2^(#P) <= e^V dichotomies at most otherwise",
                       uses=("beimel2015:thm-B.2",),
                       downstream="C42.b with max(#P, V) needs #S + #T >= V, and so does the claim.")),
    Step("C42.b", spelled=(("#P", "P"), ("e(#T+#S)", "e (t+s)")),
         claims=(Claim("P in Z[1, inf); t in Z[0, inf); s in Z[1, inf); V in Z[1, inf)", "P <= t + s",
                       "(e*P/V)^V <= (e*(t + s)/V)^V", ("lemma log_increases x = e*P/V; y = e*(t + s)/V",)),)),
    Step("C42.c", spelled=(("e(#T+#S)", "e (t+s)"), ("#S", "s"), ("(2V)", "(2 V)")),
         claims=(Claim(_SIZES, _BUDGET, "(e*(t + s)/V)^V <= (beta*exp(alpha*s/(2*V)))^V",
                       ("have t + s <= beta/e*V*exp(alpha*s/(2*V))", "have e*(t + s)/V <= beta*exp(alpha*s/(2*V))",
                        "lemma log_increases x = e*(t + s)/V; y = beta*exp(alpha*s/(2*V))",
                        "have V*log(e*(t + s)/V) <= V*log(beta*exp(alpha*s/(2*V)))",
                        "have (e*(t + s)/V)^V = exp(V*log(e*(t + s)/V))",
                        "have (beta*exp(alpha*s/(2*V)))^V = exp(V*log(beta*exp(alpha*s/(2*V))))",
                        "lemma exp_increases x = V*log(e*(t + s)/V); y = V*log(beta*exp(alpha*s/(2*V)))")),)),
    Step("C42.d", spelled=(("#S", "s"), ("(2V)", "(2 V)")),
         claims=(Claim("s in Z[0, inf); V in Z[1, inf); alpha in (0, 1); beta in (0, 1]", "",
                       "(beta*exp(alpha*s/(2*V)))^V <= beta*exp(alpha*s/2)",
                       ("have log(beta) <= 0", "have V*log(beta) <= log(beta)")),)),
    Step("C42.e",
         against=(Claim("", "", "0 <= (1/4)/e*11*exp((1/2)*1/(2*11)) - 1"),
                  Claim("", "", "2*exp(-(1/2)*1/2) > 1/4")),
         because="the second relation: alpha = 1/2, beta = 1/4, V = 11 (all functions on 11 points), S one entry, T "
                 "empty: the hypothesis holds and #H = 2",
         witness=instances.one_entry_of_eleven,
         erratum=Erratum(
             quotes="is at most |H| exp(-alpha|S|/2) <= beta.",
             explanation="It rests on |H| = |Pi_C(P)| <= (e|P|/VC(C))^{VC(C)}, which fails for #P < V. " + _SHARED,
             severity="constant", quality="reading",
             readings="Read as what follows from the chain above it, the line holds: the fault is C42.a's. " + _FITS),
         repair=Repair("for #S + #T >= V", "domain",
                       claims=(Claim("right in Z[0, inf); all in Z[0, inf)", "right >= all", "right + 1 >= all + 1"),
                               Claim("H in [0, inf); s in Z[1, inf); alpha in (0, 1); beta in (0, 1)",
                                     "H <= beta*exp(alpha*s/2)", "H*exp(-alpha*s/2) <= beta",
                                     ("have H*exp(-alpha*s/2) <= beta*exp(alpha*s/2)*exp(-alpha*s/2)",)),
                               Claim("t in Z[0, inf); s in Z[1, inf); V in Z[1, inf); P in Z[1, inf)",
                                     "P <= t + s; V <= t + s",
                                     "(e*max(P, V)/V)^V <= (e*(t + s)/V)^V",
                                     ("have max(P, V) <= t + s",
                                      "lemma log_increases x = e*max(P, V)/V; y = e*(t + s)/V"))),
                       because="f* agrees with c on P, so it is right on each entry of S (first formula); prop-A.1 at "
                               "eps = 1, Delta = alpha; #H as C42.a repaired, then C42.c and C42.d",
                       uses=("beimel2015:prop-A.1", "beimel2015:thm-B.2"),
                       downstream="see C42.stmt.")),
    Step("C42.stmt",
         against=(Claim("", "", "0 <= (1/4)/e*11*exp((1/2)*1/(2*11)) - 1"), Claim("", "", "1/(1 + exp(1/2)) > 1/4")),
         because="alpha = 1/2, beta = 1/4, V = 11 (all functions on 11 points), S one entry, T empty: the hypothesis "
                 "holds, and the wrong one of the two hypotheses, whose error on S is 1, is chosen with probability "
                 "1/(1 + e^(1/2)) = 0.378",
         witness=instances.one_entry_of_eleven,
         erratum=Erratum(
             quotes="Fix alpha and beta, and let S o T o D be s.t. S is labeled by some target concept c in C, and "
                    "s.t. |T| <= (beta/e) VC(C) exp(alpha|S|/(2VC(C))) - |S| ... With probability at least (1 - beta) "
                    "we have that error_S(h) <= alpha.",
             explanation="With V large the hypothesis holds for a single labelled entry, which does not lead the "
                         "choice.",
             severity="constant"),
         repair=Repair("for #S + #T >= V", "domain",
                       claims=(Claim(_SIZES, _BUDGET, "log(beta) + alpha*s/2 >= V*log(e*(t + s)/V)",
                                     ("have t + s <= beta/e*V*exp(alpha*s/(2*V))",
                                      "have e*(t + s)/V <= beta*exp(alpha*s/(2*V))",
                                      "lemma log_increases x = e*(t + s)/V; y = beta*exp(alpha*s/(2*V))",
                                      "have log(e*(t + s)/V) <= log(beta) + alpha*s/(2*V)",
                                      "have V*log(e*(t + s)/V) <= V*log(beta) + alpha*s/2", "have log(beta) < 0",
                                      "have V*log(beta) <= log(beta)")),
                               Claim("t in Z[0, inf); s in Z[1, inf); V in Z[1, inf); P in Z[1, inf)",
                                     "P <= t + s; V <= t + s",
                                     "(e*max(P, V)/V)^V <= (e*(t + s)/V)^V",
                                     ("have max(P, V) <= t + s",
                                      "lemma log_increases x = e*max(P, V)/V; y = e*(t + s)/V")),
                               Claim("H in [0, inf); s in Z[1, inf); alpha in (0, 1); beta in (0, 1)",
                                     "H <= beta*exp(alpha*s/2)", "H*exp(-alpha*s/2) <= beta",
                                     ("have H*exp(-alpha*s/2) <= beta*exp(alpha*s/2)*exp(-alpha*s/2)",))),
                       because="the lines with their repairs: log #H <= V log(e max(#P, V)/V) <= V log(e (#S + #T)/V) "
                               "<= log(beta) + alpha #S/2, and prop-A.1",
                       uses=("beimel2015:prop-A.1", "beimel2015:thm-B.2"),
                       downstream="obs-4.7 uses it with #S well above V: nothing changes.")),
)

_PROCEDURE = ("dpcheck.papers.beimel2015.learners:LabelBoostProcedure",)
_CHECKS = ("properties/test_beimel2015_boost.py", "tests/papers/beimel2015/test_beimel2015_boost.py",
           "tests/papers/beimel2015/test_beimel2015_theorems_procedure.py")

THEOREMS = (
    Theorem("beimel2015:lem-4.1", "A private algorithm after LabelBoostProcedure",
            assumptions="A is (eps, delta)-DP; S, T and D are told apart by position, whatever labels the entries "
                        "carry",
            steps=("L41.P", "L41.H", "L41.q1", "L41.q2", "L41.c1", "L41.c2", "L41.c3", "L41.c4", "L41.c5", "L41.nb",
                   "L41.mix", "L41.end"),
            proved_by="repaired", learners=_PROCEDURE, checks=_CHECKS),
    Theorem("beimel2015:clm-4.2", "LabelBoostProcedure's hypothesis is right on S",
            assumptions="S is labelled by a concept of C; #T <= (beta/e) V exp(alpha #S/(2V)) - #S; #S >= 1; alpha, "
                        "beta in (0, 1)",
            steps=("C42.a", "C42.b", "C42.c", "C42.d", "C42.e", "C42.stmt"),
            uses=("beimel2015:prop-A.1", "beimel2015:thm-B.2"),
            against=(Claim("", "", "0 <= (1/4)/e*11*exp((1/2)*1/(2*11)) - 1"), Claim("", "", "1/(1 + exp(1/2)) > 1/4")),
            witness=instances.one_entry_of_eleven,
            erratum=Erratum(
                "Consider the execution of LabelBoostProcedure on S o T o D, and let h denote the hypothesis chosen on "
                "Step 4. With probability at least (1 - beta) we have that error_S(h) <= alpha.",
                "All functions on 11 points, one labelled entry, no T, alpha = 1/2, beta = 1/4: the hypothesis on #T "
                "holds, and the label of the one entry is got wrong with probability 1/(1 + e^(1/2)) = "
                "0.378. " + _FITS, "constant"),
            repaired_statement="for #S + #T >= V", learners=_PROCEDURE, checks=_CHECKS),
)

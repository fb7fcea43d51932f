"""chaudhuri2011: no distribution-free private learner for thresholds (sections 2 and 3).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.papers.chaudhuri2011.theorems import thresholds_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_SIZES = "alpha in (0, inf); M in (2, inf); m in Z[0, inf)"
_CENTRES = "eta in (0, 1/10); k in Z[1, inf)"
_SMALL_ETA = Claim("alpha in (0, inf); M in (2, inf)", "", "1/(6 + 4*exp(alpha*M)) < 1/10", ("have exp(alpha*M) > 1",))
#: One more record replaced: the induction step of group privacy, for any alpha above 0.
_ONE_MORE_RECORD = Claim("alpha in (0, inf); k in Z[0, inf); p in [0, 1]; q in [0, 1]; r in [0, 1]",
                         "p >= exp(-alpha*k)*q; q >= exp(-alpha)*r", "p >= exp(-alpha*(k + 1))*r")
_GROWS = ("have alpha*(M - m) >= 0", "have exp(alpha*(M - m)) >= 1")

STEPS = (
    Step("T5.eta", stated=True),
    Step("T5.disjoint",
         claims=(_SMALL_ETA,
                 Claim(_CENTRES, "k <= floor(1/eta) - 1", "0 <= k*eta - eta/3"),
                 Claim(_CENTRES, "k <= floor(1/eta) - 1", "k*eta + eta/3 <= 1"),
                 Claim(_CENTRES, "k <= floor(1/eta) - 1", "k*eta + eta/3 < (k + 1)*eta - eta/3")),
         because="z = k eta, and the intervals of neighbouring centres do not meet"),
    Step("T5.K",
         claims=(_SMALL_ETA, Claim("eta in (0, 1/10)", "", "floor(1/eta)-1 >= 5")),
         because="eta is below 1/10"),
    Step("T5.real",
         claims=(Claim("y in Z[0, 1]", "", "abs(y - y) = 0"),
                 Claim("length in (0, 1]; inside in [0, 1]", "", "length/2 + inside/2 > 0")),
         because="h_z is the labelling itself; every interval of [0, 1] of positive length has a positive mass, half "
                 "of its length at least (inside: what G_z puts there), so the closed support is [0, 1]"),
    Step("T5.(1)",
         claims=(Claim("own in [0, 1]; others in [0, 1]; rest in [0, 1]", "own + others + rest = 1",
                       "1 - own >= others"),),
         because="the G_z are disjoint, a threshold is one function, so the GG_z are disjoint, and the sum is the "
                 "probability (others) of the union of the GG_z' with z' other than z"),
    Step("T5.(2)",
         against=(Claim("m in Z[0, inf); alpha in (0, inf)", "", "0 < exp(-alpha*m)*1"),),
         because="A ignores the records and outputs h_{j eta} on every sample of size j: its law is the same for all "
                 "samples of a size, so it is alpha-private, and it succeeds on S_z of size j for z = j eta; for S_z "
                 "and S_z' of sizes j and j' it puts 0 on GG_z' and 1 where the line asks for exp(-alpha m) of that. "
                 "Where M >= K (alpha M = log(3/2), M = 11 = K) every z has such an S_z: all that the proof supposes "
                 "of the P_z holds",
         reading="S_z has a size m <= M that depends on z, as \"for all z there exists a sample S_z of size m <= M\" "
                 "says and as the negation of the theorem's \"for all samples S of size m <= M\" gives. Privacy "
                 "(definition 3) and lemma 22 compare samples of one size. For alpha of 1 or more, which lemma 22 "
                 "leaves out, its argument is repeated in the repair",
         witness=instances.output_told_by_the_size,
         uses=("chaudhuri2011:lem-22",),
         erratum=Erratum(
             quotes="any S_z differs from S_{z'} by at most m labeled examples, so because A* is alpha-private, Lemma "
                    "22 that implies for any z', ... (2)",
             explanation="S_z and S_z' may have different sizes; alpha-privacy says nothing of such a pair, and an "
                         "algorithm may output h_{j eta} on all samples of size j: for alpha M = log(3/2) and M = 11 "
                         "it succeeds for all 11 centres.",
             severity="gap", quality="reading",
             readings="It holds if m is fixed first (the supposition speaks of \"size M\") and P may depend on it; for "
                      "one P and all m <= M the family must be finer (see the repair)."),
         repair=Repair(
             "with eta = 1/(6 + (M + 1)(1 + exp(alpha M))): for each size m, (2) holds among the z with a sample of "
             "that size on which A succeeds, so there are at most 1 + exp(alpha m) of them, and some z is left over "
             "for all sizes",
             "statement",
             claims=(
                 Claim("p in [0, 1]; alpha in (0, inf)", "", "p >= exp(-alpha*0)*p"),
                 _ONE_MORE_RECORD,
                 Claim("N in Z[1, inf); alpha in (0, inf); m in Z[0, inf); out in [0, 1]",
                       "out >= exp(-alpha*m)*((N - 1)*(1/2)); out <= 1/2", "N <= 1 + exp(alpha*m)"),
                 Claim(_SIZES, "m <= M", "1 + exp(alpha*m) <= 1 + exp(alpha*M)"),
                 Claim("alpha in (0, inf); M in (2, inf)", "",
                       "floor(6 + (M + 1)*(1 + exp(alpha*M))) - 1 > (M + 1)*(1 + exp(alpha*M))"),
                 Claim("alpha in (0, inf); M in (2, inf)", "", "1/(6 + (M + 1)*(1 + exp(alpha*M))) < 1/10",
                       ("have exp(alpha*M) > 1",)),
             ),
             because="group privacy by induction over the records replaced, for samples of one size; N: how many z "
                     "have a sample of size m on which A succeeds; (1), (2) and (3) for these z give the third "
                     "formula; there are at most M + 1 sizes 0, ..., floor(M), and more than (M + 1)(1 + exp(alpha M)) "
                     "centres. eta is below 1/10, which is all that the lines about G_z and P_z ask for",
             downstream="thm-5 holds for one P and all m <= M; eta, and with it 1/kappa in ex-1, is smaller by a "
                        "factor of about M + 1.")),
    Step("T5.quarter",
         claims=(Claim("eta in (0, 1/10); d in [0, 1]", "d >= eta/3", "d/2 + (1/2)*min(d, eta/3)/(2*eta/3) >= 1/4"),
                 Claim("", "", "1/4 > 1/5")),
         because="h_w and h_z' differ between w and z', at a distance d of more than eta/3: mass d/2 of the uniform "
                 "half, and min(d, eta/3)/(2 eta/3) of the other half"),
    Step("T5.(3)",
         claims=(Claim("success in [0, 1]; inside in [0, 1]", "success >= 1/2; success <= inside", "inside >= 1/2"),),
         because="outputs with error below 1/5 lie in GG_z' (T5.quarter)",
         reading="success: with probability at least 1/2 (printed: \"with probability 1/2\") the error is below 1/5"),
    Step("T5.comb",
         claims=(Claim("first in [0, 1]; rest in [0, 1]; q in [0, 1]; t in (0, 1]; k in Z[0, inf)",
                       "rest >= t*(k*(1/2)); first >= t*q; q >= 1/2", "first + rest >= t*((k + 1)*(1/2))"),
                 Claim("out in [0, 1]; total in [0, 1]; bound in [0, 1]", "out >= total; total >= bound",
                       "out >= bound")),
         because="t = exp(-alpha m): one more z' in the sum, by induction from (2) and (3); then (1)",
         reading="as an inference from (1), (2) and (3)"),
    Step("T5.count",
         spelled=(("sum_{z' in Z\\{z}} 1/2", "((floor(6+4 exp(alpha M)) - 1 - 1)*(1/2))"),
                  ("(1/eta - 2)(1/2)", "*((6+4 exp(alpha M)) - 2)*(1/2)")),
         claims=(Claim(_SIZES, "m <= M",
                       "exp(-alpha*m)*((floor(6 + 4*exp(alpha*M)) - 1 - 1)*(1/2)) >= "
                       "exp(-alpha*m)*((6 + 4*exp(alpha*M)) - 2)*(1/2)"),),
         because="1/eta = 6 + 4 exp(alpha M), and Z without z has floor(1/eta) - 2 members",
         erratum=Erratum(
             quotes=">= e^{-alpha m} . sum_{z' in Z \\ {z}} 1/2 >= e^{-alpha m} . (1/eta - 2) . 1/2.",
             explanation="Z has floor(1/eta) - 1 members, so the sum has floor(1/eta) - 2 terms, which is less than "
                         "1/eta - 2 unless 1/eta is an integer: 42 against 42.17 at alpha = 1, M = 3, m = 0 (halves "
                         "taken).",
             severity="constant"),
         repair=Repair(
             ">= exp(-alpha m) (1/eta - 3) (1/2), which is still above 1/2", "constant",
             claims=(Claim(_SIZES, "m <= M",
                           "exp(-alpha*m)*((floor(6 + 4*exp(alpha*M)) - 1 - 1)*(1/2)) >= "
                           "exp(-alpha*m)*((6 + 4*exp(alpha*M)) - 3)*(1/2)"),
                     Claim(_SIZES, "m <= M", "exp(-alpha*m)*((6 + 4*exp(alpha*M)) - 3)*(1/2) > 1/2", _GROWS)),
             downstream="T5.final with 3 for 2.")),
    Step("T5.final",
         spelled=(("(1/eta-2)(1/2)", "*((6+4 exp(alpha M))-2)*(1/2)"),),
         claims=(Claim(_SIZES, "m <= M", "exp(-alpha*m)*((6 + 4*exp(alpha*M)) - 2)*(1/2) > 1/2", _GROWS),),
         because="1/eta = 6 + 4 exp(alpha M)"),
)

_PROPERTY = "properties/test_chaudhuri2011.py"

THEOREMS = (
    Theorem("chaudhuri2011:def-1", "Differential privacy", stated=True),
    Theorem("chaudhuri2011:def-2", "Label privacy: one label replaced", stated=True, uses=("chaudhuri2011:def-1",)),
    Theorem("chaudhuri2011:def-3", "Privacy: one labelled example replaced", stated=True,
            uses=("chaudhuri2011:def-1",)),
    Theorem("chaudhuri2011:obs-2.3", "Privacy implies label privacy",
            claims=(Claim("label in [0, inf); replaced in [0, inf); alpha in [0, inf)",
                          "label <= replaced; replaced <= alpha",
                          "label <= alpha"),),
            assumptions="two datasets that differ in one label differ in one labelled example: the largest loss over "
                        "the former pairs (label) is at most that over the latter (replaced)",
            learners=("dpcheck.papers.chaudhuri2011.learners:ReferenceLearner",), checks=(_PROPERTY,)),
    Theorem("chaudhuri2011:def-ddim", "Covers, packings, doubling dimension", stated=True),
    Theorem("chaudhuri2011:def-rho", "Disagreement metrics and empirical error", stated=True),
    Theorem("chaudhuri2011:def-4", "Thresholds on the unit interval", stated=True),
    Theorem("chaudhuri2011:thm-5", "No private learner of thresholds for all distributions",
            bounds=bounds_of("chaudhuri2011", "thresholds_necessary"),
            assumptions="M > 2; alpha > 0; A is alpha-private and outputs thresholds; success: with probability at "
                        "least 1/2",
            steps=("T5.eta", "T5.disjoint", "T5.K", "T5.real", "T5.(1)", "T5.(2)", "T5.quarter", "T5.(3)", "T5.comb",
                   "T5.count", "T5.final"),
            proved_by="repaired", checks=(_PROPERTY, "tests/papers/chaudhuri2011/test_learners_chaudhuri2011.py")),
)

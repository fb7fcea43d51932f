"""wang2016: private learnability, stability and subsampling (sections 2 and 3, appendices A.1 and A.2).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.papers.wang2016.theorems import stability_instances as instances
from dpcheck.papers.wang2016.theorems.approximate_instances import order_of_windows
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: e^eps = 45, gamma = 30/900: the likelihood ratio of the subsampled learner is above 22, the claim log(22) below it.
_KEPT = Claim("", "", "log(22) > 2*(30/900)*(45 - 1/45)")
_ORDER = (
    "The paper does not say in which order A sees its sample. If the order of the dataset is kept and A looks at it, R "
    "u {i} and R u {j} give samples that differ in all places between the two, and the loss is hardly reduced"
)
_ORDER_READING = "It holds if the sample comes in random order, or A does not look at the order."
_SWAPPED = (
    Claim("E in [1, inf); gamma in (0, 1]; a in [0, 1]; x in [0, 1]", "a <= E*x",
          "gamma*a + (1 - gamma)*x <= (gamma*E + 1 - gamma)*x"),
    Claim("E in [1, inf); gamma in (0, 1]; a in [0, 1]; x in [0, 1]", "a >= x/E",
          "gamma*a + (1 - gamma)*x >= (gamma/E + 1 - gamma)*x"),
    Claim("w in [0, 1]; c in [0, inf); p in [0, 1]; q in [0, 1]; x in [0, 1]; y in [0, 1]", "p <= c*x; q <= c*y",
          "w*p + (1 - w)*q <= c*(w*x + (1 - w)*y)"),
    Claim("w in [0, 1]; c in [0, inf); p in [0, 1]; q in [0, 1]; x in [0, 1]; y in [0, 1]", "p >= c*x; q >= c*y",
          "w*p + (1 - w)*q >= c*(w*x + (1 - w)*y)"),
    Claim("top in [0, 1]; low in (0, 1]; x in (0, 1]; u in (0, inf); v in (0, inf)", "top <= u*x; low >= v*x",
          "top/low <= u/v"),
)
#: A learner of all functions on the integers that is universally AERM distribution by distribution: thm-7.
POINTWISE = (
    Claim("eps in (0, inf); t in (-inf, inf)", "", "1/(1 + exp(t)) <= exp(eps/2)*(1/(1 + exp(t + eps/2)))"),
    Claim("eps in (0, inf); t in (-inf, inf)", "", "1/(1 + exp(-(t + eps/2))) <= exp(eps/2)*(1/(1 + exp(-t)))"),
    Claim("u in [0, inf)", "", "u <= 1 + exp(u/2)"),
    Claim("n in Z[1, inf); eps in (0, inf)", "", "floor(sqrt(n))/(eps*n) <= 1/(eps*sqrt(n))"),
    Claim("n in Z[1, inf)", "", "(1/2)*(1 - 1/(2*n))^n >= 1/4"),
)
#: ceil(sqrt n) records: at least sqrt n of them, and as private as printed.
_CEIL = (
    Claim("n in Z[1, inf)", "", "ceil(sqrt(n)) >= sqrt(n)"),
    Claim("n in Z[1, inf)", "", "ceil(sqrt(n)) < n + 1"),
    Claim("gamma in (0, 1]; E in [1, inf); a in [0, 1]; c in [0, 1]; b in [0, 1]", "a <= E*c; a <= E*b",
          "gamma*a + (1 - gamma)*b <= (1 + gamma*(E - 1))*(gamma*c + (1 - gamma)*b)",
          ("case c - b",)),
    Claim("s in [1, inf); gamma in (0, 1]; E in [1, inf)", "gamma <= (s + 1)/s^2",
          "log(1 + gamma*(E - 1)) <= (2/s)*(E - 1/E)",
          ("have gamma <= 2/s", "have gamma*(E - 1) <= (2/s)*(E - 1)", "have (2/s)*(E - 1) <= (2/s)*(E - 1/E)",
           "lemma log_below x = 1 + gamma*(E - 1)")),
)
#: Losses of 0 and 1: one rate is enough for privacy with a constant eps. thm-7.
_CONSTANT = (
    Claim("E in [1, inf); seen in [0, 1]; fresh in [0, 1]; xi in [0, 1]", "fresh <= E*seen; seen <= xi",
          "fresh <= E*xi"),
    Claim("tail in [0, 1]; x in (0, 1]", "tail*(2*x) <= x", "tail <= 1/2"),
    Claim("star in [0, 1]; one in [0, 1]; risk in [0, 1]", "", "star*one + (1 - star)*risk <= star + risk"),
    Claim("q in (0, 1); N in Z[1, inf); t in (0, 1]", "N*q >= log(1/t)", "(1 - q)^N <= t",
          ("lemma log_below x = 1 - q", "have N*log(1 - q) <= -N*q", "have N*log(1 - q) <= log(t)",
           "lemma exp_increases x = N*log(1 - q); y = log(t)")),
    Claim("N in Z[1, inf); c in (0, inf); best in [0, 1]; x in [0, 1]", "",
          "N*exp(-c*(best + x))/exp(-c*best) = N*exp(-c*x)"),
)
_LOSS = Claim("gamma in (0, 1]; E in (1, inf)", "",
              "log(1 + gamma*(E - 1)) - log(1 + gamma*(1/E - 1)) <= 2*gamma*(E - 1/E)")

STEPS = (
    # Lemma 4
    Step("L4.gamma", spelled=(("gamma = floor(sqrt n)/n `<= 1/sqrt n`", "`floor(sqrt(n))/n <= 1/sqrt(n)`"),),
         claims=(Claim("n in Z[1, inf)", "", "floor(sqrt(n))/n <= 1/sqrt(n)"),)),
    Step("L4.priv", spelled=(("b(eps)", "(e^eps - e^-eps)"), ("sqrt n", "sqrt(n)")),
         claims=(Claim("n in Z[1, inf); gamma in (0, 1]; eps in (0, inf)", "gamma <= 1/sqrt(n)",
                       "2*gamma*(exp(eps) - exp(-eps)) <= 2/sqrt(n)*(exp(eps) - exp(-eps))"),),
         uses=("wang2016:lem-34",)),
    Step("L4.rate",
         claims=(Claim("n in Z[1, inf)", "", "1 <= floor(sqrt(n)) <= n"),
                 Claim("w in [0, 1]; a in [0, 1]; b in [0, 1]; xi in [0, inf)", "a <= xi; b <= xi",
                       "w*a + (1 - w)*b <= xi")),
         because="the places are drawn whatever the records are, so given the places the k = floor(sqrt n) records "
                 "there are iid: A's excess risk on them is at most xi(k) on average; a and b are that of two choices "
                 "of places",
         reading="xi is defined at sizes: xi(sqrt n) is xi at the size of the sample, floor(sqrt n). For rates of real "
                 "numbers see lem-4"),
    # Lemma 34
    Step("L34.mix",
         claims=(Claim("n in Z[1, inf); k in Z[1, inf); p in [0, 1]", "n*p = k; k <= n", "p = k/n"),
                 Claim("gamma in (0, 1); both in [0, 1]; out in [0, 1]", "",
                       "gamma*(both/gamma) + (1 - gamma)*(out/(1 - gamma)) = both + out")),
         because="all records are drawn with the same probability p, and k = gamma n of them are drawn; total "
                 "probability, both: E and i in S, out: E and i not in S",
         reading="gamma n is an integer of at least 1; E has probability above 0 (else the loss says nothing); for "
                 "gamma = 1 the term of weight 0 is left out"),
    Step("L34.tower",
         claims=(Claim("n in Z[1, inf); k in Z[1, inf); w in (0, 1]", "k < n", "w/(n - 1 - (k - 1)) = w/(n - k)"),
                 Claim("gamma in (0, 1]; u in [0, 1]; a in [0, 1]; b in [0, 1]; x in [0, 1]; y in [0, 1]", "",
                       "gamma*(u*a + (1 - u)*b) + (1 - gamma)*(u*x + (1 - u)*y) = "
                       "u*(gamma*a + (1 - gamma)*x) + (1 - u)*(gamma*b + (1 - gamma)*y)")),
         because="given i in S the others are a uniform R. Given i not in S, S is a uniform set of k records among the "
                 "n - 1 others: the first k - 1 that are drawn, in order, one by one, are a uniform R, and the last a "
                 "uniform j among the n - k left (a sequence of k has its first k - 1's probability w times 1/(n - "
                 "k)). So both terms are averages over the same R, the second one over j as well; averages of any "
                 "number of terms by induction",
         reading="the second term is the average over j"),
    Step("L34.swap", claims=_SWAPPED,
         because="a = P(E | S = R u {i}), x = the average of P(E | S = R u {j}) over j, first formula Z, second Z', if "
                 "samples that differ in i and j are neighbours; then averages over R. If they are not: the instance",
         reading="the sample keeps the order of the dataset, and A looks at it",
         against=(_KEPT, Claim("", "", "log(22) > log(((30/900)*45 + 1 - 30/900)/((30/900)/45 + 1 - 30/900))")),
         witness=instances.order_kept,
         erratum=Erratum(
             quotes="By the given condition that A is eps-DP, we can replace R u {i} with R u {j} for an arbitrary j "
                    "with bounded changes in the probability",
             explanation=_ORDER + ": n = 900, 30 of them, e^eps = 45, and a ratio above 22 where the line allows 2.55.",
             severity="slip", quality="reading", readings=_ORDER_READING),
         repair=Repair(
             "the sample in random order (or A symmetric): then the sample of R u {i} and that of R u {j} can be "
             "handed over with i and j in the same place, and are neighbours", "assumption", claims=_SWAPPED,
             because="given the order of the places, exchange the record i for the record j: one place changes; "
                     "average over the orders. Then as printed",
             downstream="lem-34, and with it lem-4, lem-10 and lem-14, hold for samples in random order.")),
    Step("L34.ratio", spelled=(("`= (gamma", "`(gamma"), ("gamma(", "gamma (")),
         claims=(Claim("gamma in (0, 1]; eps in (0, inf)", "",
                       "(gamma*exp(eps) + 1 - gamma)/(gamma*exp(-eps) + 1 - gamma) = "
                       "(1 + gamma*(exp(eps) - 1))/(1 + gamma*(exp(-eps) - 1))"),
                 Claim("u in (0, inf); v in (0, inf); x in (0, 1]", "", "(u*x)/(v*x) = u/v")),
         because="x: the probability that both sides of the ratio have as a factor, u and v what is left of them"),
    Step("L34.loss",
         claims=(Claim("ratio in (0, inf); u in (0, inf); v in (0, inf)", "ratio <= u/v",
                       "log(ratio) <= log(u) - log(v)",
                       ("lemma log_quotient_above x = u; y = v", "lemma log_increases x = ratio; y = u/v")),
                 Claim("gamma in (0, 1]; eps in (0, inf)", "", "1 + gamma*(exp(eps) - 1) > 0"),
                 Claim("gamma in (0, 1]; eps in (0, inf)", "", "1 + gamma*(exp(-eps) - 1) > 0")),
         because="u, v: the two ends of the ratio before; for all events and both orders of the neighbours"),
    Step("L34.rng", spelled=(("`0 < e^eps - 1 < inf`", "`0 < e^eps - 1`"),),
         claims=(Claim("eps in (0, inf)", "", "-1 <= e^(-eps) - 1 < 0"),
                 Claim("eps in (0, inf)", "", "0 < e^eps - 1"))),
    Step("L34.logup", spelled=(("(x/2)(2+x)", "(x/2) (2+x)"),),
         claims=(Claim("x in [0, inf)", "", "log(1+x) <= (x/2)*(2+x)/(1+x) <= x"),)),
    Step("L34.loglo", spelled=(("(x/2)(2+x)", "(x/2) (2+x)"),),
         claims=(Claim("x in [-1, 0]", "", "log(1+x) >= (x/2)*(2+x)/(1+x) >= x/(1+x)"),),
         erratum=Erratum(
             quotes="log(1+x) >= (x/2)(2+x)/(1+x) >= x/(1+x) for -1 <= x <= 0",
             explanation="At x = -1 neither the logarithm nor the quotients are defined.", severity="slip",
             quality="reading",
             readings="With -infinity for their values at x = -1 it holds."),
         repair=Repair("for -1 < x <= 0", "domain",
                       claims=(Claim("x in (-1, 0]", "", "log(1+x) >= (x/2)*(2+x)/(1+x) >= x/(1+x)"),
                               Claim("gamma in (0, 1]; eps in (0, inf)", "", "-1 < gamma*(exp(-eps) - 1)")),
                       because="the second formula: where it is used x is above -1", downstream="nothing changes.")),
    Step("L34.end",
         spelled=(("eps' <=", "log(1 + gamma (e^eps - 1)) - log(1 + gamma (e^-eps - 1)) <="),),
         claims=(Claim("gamma in (0, 1]; eps in (0, inf)", "",
                       "log(1 + gamma*(exp(eps) - 1)) - log(1 + gamma*(exp(-eps) - 1)) <= "
                       "2*gamma*(exp(eps) - exp(-eps))",
                       ("substitute eps = log(E) with E in (1, inf) as exp(eps)",)),
                 Claim("gamma in (0, 1]; E in (1, inf)", "",
                       "gamma*(E - 1) + gamma*(1 - 1/E)/(1 - gamma*(1 - 1/E)) <= 2*gamma*(E - 1/E)")),
         because="the first is the line; the second, E = e^eps, the way that is printed, through x and x/(1+x)"),
    # Lemma 8
    Step("L8.1",
         claims=(Claim("p in [0, 1]; q in [0, 1]", "", "p - q = (1 - q) - (1 - p)"),
                 Claim("up in [0, inf); down in [0, inf); s in [0, 1]; t in [0, 1]", "up <= s*t; down <= s*t",
                       "abs(up - down) <= s*t")),
         because="p, q: what the two laws give to the set {p >= p'}; both give 1 to everything, so p' - p integrates "
                 "to the same t outside as p - p' inside. up and down are the integrals of l |p - p'| inside and "
                 "outside, at most s = sup l times t"),
    Step("L8.2",
         claims=(Claim("E in [1, inf); p in [0, inf); q in (0, inf)", "p <= E*q", "q*(p/q - 1) <= (E - 1)*q"),
                 Claim("p in [0, inf); q in (0, inf)", "", "p - q = q*(p/q - 1)"),
                 Claim("E in [1, inf); mass in [0, 1]", "", "(E - 1)*mass <= E - 1")),
         because="densities p, q = p' with respect to the sum of the two laws: p <= e^eps p' almost everywhere, since "
                 "A is eps-DP, so where p' is 0 so is p"),
    Step("L8.3",
         claims=(Claim("eps in [0, 1)", "", "exp(eps)-1 < 2*eps"),),
         reading="eps = 0 belongs to the domain: definition 2 does not exclude it, definition 13 and example 17 have "
                 "it",
         erratum=Erratum(
             quotes="For eps < 1 we have exp(eps) - 1 < 2 eps.",
             explanation="At eps = 0 both sides are 0.", severity="slip", quality="reading",
             readings="It holds for eps > 0."),
         repair=Repair("exp(eps) - 1 <= 2 eps for 0 <= eps <= 1", "statement",
                       claims=(Claim("eps in [0, 1]", "", "exp(eps) - 1 <= 2*eps"),),
                       downstream="stability is asked for with <=; eps = 1 of the main text is covered.")),
    # Theorem 35
    Step("T35.a",
         claims=(Claim("u in [0, 1]; v in [0, 1]; a in [0, 1]; b in [0, 1]; c in [0, 1]; d in [0, 1]", "",
                       "u*(v*a + (1 - v)*b) + (1 - u)*(v*c + (1 - v)*d) = v*(u*a + (1 - u)*c) + "
                       "(1 - v)*(u*b + (1 - u)*d)"),
                 Claim("n in Z[1, inf); u in [0, 1]; a in [0, inf); b in [0, inf)", "",
                       "u*(a/n) + (1 - u)*(b/n) = (1/n)*(u*a + (1 - u)*b)")),
         because="the definitions of R and Rhat; E_h and E_z are exchanged (bounded losses; two values at a time)"),
    Step("T35.b",
         claims=(Claim("p in [0, 1]; f in [0, 1]; g in [0, 1]", "",
                       "p*(p*f + (1 - p)*f) + (1 - p)*(p*g + (1 - p)*g) = p*f + (1 - p)*g"),
                 Claim("n in Z[1, inf); a in [0, 1]", "", "(1/n)*(n*a) = a")),
         because="first sum: z'_i is a fresh example of D, so each term is E_z E_A(Z) l(h, z) = a. Second: Z^(i) has "
                 "the law D^n and z'_i is its i-th record, as z_i is Z's, so the term is E E_A(Z) l(h, z_i): f and g "
                 "are the values of z_i -> E_A l(h, z_i) at two values of the i-th record, given the others, and the "
                 "record that is replaced does not matter"),
    Step("T35.c",
         claims=(Claim("w in [0, 1]; a in [-1, 1]; b in [-1, 1]; xi in [0, 1]", "abs(a) <= xi; abs(b) <= xi",
                       "abs(w*a + (1 - w)*b) <= xi",
                       ("have a <= abs(a)", "have -a <= abs(a)", "have b <= abs(b)", "have -b <= abs(b)",
                        "have w*a + (1 - w)*b <= xi", "have -(w*a + (1 - w)*b) <= xi", "case w*a + (1 - w)*b")),),
         because="an average over i, Z and z' of differences at neighbours (of 0 where z'_i = z_i); definition 6"),
    Step("T35.d",
         claims=(Claim("n in Z[1, inf); r in [0, 1]", "", "(1/n)*(n*r) = r"),),
         because="h* does not depend on Z: each E l(h*, z_i) is r = R(h*) = R*, which the paper assumes to be "
                 "attained"),
    Step("T35.e",
         claims=(Claim("risk in [0, 1]; seen in [0, 1]; star in [0, 1]", "",
                       "risk - star = (risk - seen) + (seen - star)"),
                 Claim("risk in [0, 1]; seen in [0, 1]; star in [0, 1]; least in [0, 1]", "least <= star",
                       "(risk - seen) + (seen - star) <= (risk - seen) + (seen - least)"),
                 Claim("gap in [-1, 1]; excess in [0, 1]; xi_1 in [0, inf); xi_2 in [0, inf)",
                       "gap <= xi_1; excess <= xi_2",
                       "gap + excess <= xi_1 + xi_2")),
         because="expectations; star = E Rhat(h*, Z) = R* by T35.d, least = E Rhat*(Z), gap by T35.c"),
    Step("C9.O",
         against=(Claim("C in [1, inf); xi in [0, 1]", "", "xi + exp(2*C + 2) - 1 > C*(xi + (2*C + 2))"),),
         because="for every constant C, at eps(n) = 2C + 2",
         reading="one constant for all eps(n) and xi(n) at most 1, as in the statement, which does not bound eps(n)",
         erratum=Erratum(
             quotes="then A is universally consistent with rate xi(n) + e^{eps(n)} - 1 = O(xi(n) + eps(n)).",
             explanation="e^eps - 1 is not O(eps) where eps(n) is not bounded.", severity="edge", quality="reading",
             readings="It holds where eps(n) is bounded, with a constant that depends on the bound: 2 for eps(n) <= "
                      "1."),
         repair=Repair(
             "at most xi + 2 eps for eps(n) <= 1; and the excess risk, which is at most 1, is at most 2 (xi + eps) for "
             "all eps(n)", "domain",
             claims=(Claim("xi in [0, 1]; eps in [0, 1]", "", "xi + exp(eps) - 1 <= xi + 2*eps"),
                     Claim("xi in [0, 1]; eps in [1, inf)", "", "1 <= 2*(xi + eps)")),
             downstream="cor-9 is used with eps(n) -> 0 only: nothing changes.")),
    # Lemma 10
    Step("L10.a",
         claims=(Claim("w in [0, 1]; a in [0, 1]; b in [0, 1]; least in [0, 1]", "",
                       "(w*a + (1 - w)*b) - least = w*(a - least) + (1 - w)*(b - least)"),),
         because="A' is A on a random subset of k = floor(sqrt n) records; Rhat(A(.), Z) is the expectation over the "
                 "coins"),
    Step("L10.b",
         claims=(Claim("W in (0, 1]; m in Z[1, inf)", "", "W/(m*W) = 1/m"),),
         because="all sequences of k indices have the same probability W = n^-k, so given that no index comes twice "
                 "the m sequences without repetition are equally likely: a random subset in random order",
         reading="Unif(Z) draws an index of [n] (Z may hold equal records), and the sample of A' is in random order or "
                 "A is symmetric"),
    Step("L10.c",
         claims=(Claim("none in (0, 1]; inside in [0, 1]; outside in [0, 1]", "",
                       "inside <= (none*inside + (1 - none)*outside)/none"),),
         because="total expectation; what is averaged is at least 0 since Rhat*(Z) is the least empirical risk on Z"),
    Step("L10.d",
         claims=(Claim("n in Z[1, inf); i in Z[0, inf)", "i < n", "(n - i)/n = 1 - i/n"),
                 Claim("P in [0, 1]; S in [0, inf); x in [0, 1]", "P >= 1 - S", "P*(1 - x) >= 1 - (S + x)"),
                 Claim("i in Z[0, inf); n in Z[1, inf)", "", "i*(i - 1)/(2*n) + i/n = (i + 1)*((i + 1) - 1)/(2*n)"),
                 Claim("n in Z[1, inf); k in Z[1, inf)", "k <= sqrt(n)", "1 - k*(k - 1)/(2*n) >= 1/2")),
         because="given i different indices the next one is new with probability (n - i)/n; the product by induction "
                 "(x = i/n, at most 1 for i < k <= n), the sum is k (k - 1)/(2n)"),
    Step("L10.e",
         claims=(Claim("n in Z[1, inf)", "", "1/(1 + 2^floor(sqrt(n))) <= 2*(1/(1 + 2^n))"),),
         because="Z = H = {0, 1}, l = |h - z|, A answers 1 with odds 2^(2j - k) and Z is all ones: the left side is "
                 "that of k = floor(sqrt n) records, the right one is printed for n",
         witness=instances.point_mass,
         erratum=Erratum(
             quotes="Rhat(A'(Z),Z) - Rhat*(Z) <= 2 E_{Z' ~ Unif(Z)^{floor(n)}} [Rhat(A(Z'),Z) - Rhat*(Z)] <= 2 "
                    "xi(sqrt(n)).",
             explanation="The sample is of floor(sqrt n) records, not of floor(n).", severity="slip"),
         repair=Repair(
             "<= 2 E_{Z' ~ Unif(Z)^k}[.] <= 2 xi(k), k = floor(sqrt n)", "statement",
             claims=(Claim("none in [1/2, 1]; inside in [0, 1]; mean in [0, 1]; xi in [0, inf)",
                           "inside*none <= mean; mean <= xi", "inside <= 2*xi"),),
             because="L10.c and L10.d; Rhat(., Z) is the risk and Rhat*(Z) the optimal risk under Unif(Z), for which A "
                     "has the rate xi too",
             downstream="always AERM with rate 2 xi(floor(sqrt n)).")),
    Step("L10.f",
         against=(Claim("n in Z[1, inf)", "", "sqrt(n) >= 1"),),
         because="a rate tends to 0 by (2)",
         erratum=Erratum(
             quotes="It is obvious that A' is consistent with rate sqrt(n) as it applies A on a random sample of size "
                    "sqrt(n).",
             explanation="The rate is xi(sqrt n): sqrt n is the size of the sample.", severity="slip"),
         repair=Repair(
             "A' is consistent with rate xi(floor(sqrt n)); it is (2/sqrt n)(e^eps - e^-eps)-DP and so, by cor-9, "
             "universally consistent", "statement",
             claims=(Claim("n in Z[1, inf)", "", "floor(sqrt(n)) > sqrt(n) - 1"),
                     Claim("s in [1, inf); b in (0, inf); t in (0, 1]", "s >= 2*b/t", "(2/s)*b <= t")),
             because="the first formula: floor(sqrt n) tends to infinity, so xi of it to 0; the second, with s = sqrt "
                     "n: the loss tends to 0, b = e^eps - e^-eps",
             uses=("wang2016:lem-34", "wang2016:cor-9"), downstream="nothing changes.")),
    Step("L10.stmt",
         against=(Claim("", "", "1/4*(1/3) + 1/2*(2/3) > 1/4*(1/2) + 1/2*(1/2)"),),
         because="k = 2 of n = 4 records, two hypotheses of loss 0 and 1; on two records A answers the bad one with "
                 "probability 1/4 if they are equal and 1/2 if they differ (log(2)-DP), and the good one on other "
                 "numbers of records: xi(2) = 1/4*1/2 + 1/2*1/2 over all distributions on {0, 1}, and on Z = (0, 0, 1, "
                 "1) two of six pairs are equal",
         witness=instances.factor_lost,
         erratum=Erratum(
             quotes="then there is another universally consistent learning algorithm A' that is always AERM with rate "
                    "xi(sqrt(n))",
             explanation="The proof has 2 xi(sqrt n), and its A' need not have the rate xi(sqrt n): 5/12 against 3/8.",
             severity="constant"),
         repair=Repair(
             "with replacement: A on k = floor(sqrt n) independent uniform draws from Z is always AERM with rate "
             "xi(k), and as private as printed; for a rate that does not increase and k = ceil(sqrt n) with rate "
             "xi(sqrt n)", "statement",
             claims=(
                 Claim("n in Z[1, inf); E in [1, inf); w in [0, inf)", "",
                       "w*(1 - 1/n) + w*E*(1/n) = w*(1 + (1/n)*(E - 1))"),
                 Claim("top in [0, 1]; low in (0, 1]; x in (0, 1]; u in (0, inf); v in (0, inf)",
                       "top <= u*x; low >= v*x",
                       "top/low <= u/v"),
                 _LOSS,
                 Claim("n in Z[1, inf); k in Z[1, inf); b in (0, inf)", "k <= sqrt(n)", "k*(2*(1/n)*b) <= 2/sqrt(n)*b"),
                 Claim("s in [7/5, inf); E in (1, inf)", "",
                       "(s + 1)*(1 + s^2/(E*(s^2 - 1) + 1)) <= 2*s*(1 + 1/E)"),
                 Claim("n in Z[2, inf); E in (1, inf)", "",
                       "n*(log(1 + (1/n)*(E - 1)) - log(1 + (1/n)*(1/E - 1))) <= (E - 1)*(1 + n/(E*(n - 1) + 1))",
                       ("have 1/E < 1", "have (1/n)*(1 - 1/E) < 1", "lemma log_below x = 1 + (1/n)*(E - 1)",
                        "lemma log_below x = 1/(1 + (1/n)*(1/E - 1))")),
             ),
             because="Rhat(., Z) is the risk under Unif(Z). If J are the places where record i is drawn, given J the "
                     "sample is |J| replacements away from one without i, whose other places have the same law: with x "
                     "the probability of an event given J empty it is at most E^|J| x and at least E^-|J| x; |J| is a "
                     "sum of k coins of probability 1/n, so the ratio is at most ((1 + (E-1)/n)/(1 + (1/E-1)/n))^k, "
                     "which is at most e^(2 (k/n)(E - 1/E)) by the formula of L34.end at gamma = 1/n. For ceil(sqrt n) "
                     "<= s + 1, s = sqrt n and n >= 2: the last two formulas times (E - 1)/s^2; for n = 1 it is A "
                     "itself. Universally consistent by cor-9",
             uses=("wang2016:cor-9",),
             downstream="lem-10 holds as printed, by another A'; 2 xi(floor(sqrt n)) for the printed one.")),
)

_SUB = ("dpcheck.papers.wang2016.learners:SubsampledLearner",)
_END = ("tests/papers/wang2016/test_learners_wang2016_reductions.py",
        "tests/papers/wang2016/test_wang2016_theorems_stability.py")

THEOREMS = (
    Theorem("wang2016:def-0.risk", "Risk and consistency", stated=True),
    Theorem("wang2016:def-1", "Learnability", stated=True),
    Theorem("wang2016:tab-1", "Problems of the general learning setting", stated=True,
            assumptions="a list; losses that are not within [0, 1] have to be bounded and rescaled before the results "
                        "speak of them",
            learners=("dpcheck.papers.wang2016.learners.table_of_losses:Classification",
                      "dpcheck.papers.wang2016.learners.table_of_losses:KMeans"),
            checks=("tests/papers/wang2016/test_learners_wang2016_choices.py",)),
    Theorem("wang2016:def-2", "Differential privacy", stated=True),
    Theorem("wang2016:def-3", "Private learnability", stated=True, uses=("wang2016:def-1", "wang2016:def-2")),
    Theorem("wang2016:lem-4", "Subsampling makes the privacy loss vanish",
            assumptions="0 < eps < inf; A is private and consistent at every size",
            steps=("L4.gamma", "L4.priv", "L4.rate"), uses=("wang2016:lem-34",), claims=_CEIL, proved_by="repaired",
            repaired_statement="as printed, the sample in random order and xi(sqrt n) at the size floor(sqrt n). For a "
                               "rate xi of real numbers that does not increase, a sample of k = ceil(sqrt n) has "
                               "xi(sqrt n) itself and the same privacy: with s = sqrt n, gamma = k/n <= (s + 1)/s^2, a "
                               "and c the probabilities of an event given that record i is drawn, with Z and Z', b "
                               "given that it is not (L34.tower pairs the samples), the loss is at most log(1 + gamma "
                               "(e^eps - 1)) (claims)",
            learners=_SUB, checks=_END),
    Theorem("wang2016:def-5", "AERM", stated=True),
    Theorem("wang2016:def-6", "Stability", stated=True),
    Theorem("wang2016:thm-7", "Private learnability is private AERM",
            assumptions="0 <= l <= 1; the optimal risks are attained", steps=("T7.21",),
            uses=("wang2016:lem-4", "wang2016:cor-9", "wang2016:lem-10"),
            against=POINTWISE,
            witness=instances.labels_of_integers,
            erratum=Erratum(
                quotes="Given a learning problem (Z, H, l), the following statements are equivalent. 1. The problem is "
                       "privately learnable. 2. There exists a differentially private universally AERM algorithm.",
                explanation="Definition 5 asks of a universally AERM algorithm that its excess tends to 0 for every "
                            "distribution, definitions 1 and 3 one rate for all of them. Records (x, y) with x a "
                            "positive integer and y in {0, 1}, H = all functions from the positive integers to {0, 1}, "
                            "l = I[h(x) != y]. For x <= sqrt n answer 1 with odds e^(eps d/2), d = the ones less the "
                            "zeros seen at x, independently; 0 for larger x. A replaced record moves two of the d by "
                            "1, or one by 2: eps-DP. The excess mistakes at x are |d|/(1 + e^(eps |d|/2)) <= 1/eps on "
                            "average, so the excess empirical risk is at most floor(sqrt n)/(eps n) + the part of the "
                            "sample above sqrt n, whose expectation P(x > sqrt n) tends to 0 for every distribution: "
                            "universally AERM. But nothing learns the problem: uniform over 2n points with fixed, "
                            "random labels the risk from n records is at least 1/4 on average, for some labels so. (It "
                            "is not the constant eps: with eps = n^(-1/4) the bound is n^(-1/4).)",
                severity="gap", quality="reading",
                readings="2 and 3 are equivalent to 1 where 2 asks for one rate for all distributions and, in 2 and 3, "
                         "eps(n) tends to 0 (as in theorem 15) or losses are 0 or 1. 1 => 3 => 2 hold as printed."),
            repaired_statement="equivalent are 1; 2 with one rate for all distributions and eps(n) -> 0; 3 with eps(n) "
                               "-> 0. For losses of 0 and 1 a constant eps is enough in 2 (with one rate) and 3: given "
                               "D and its h*, let D' be D given l(h*, z) = 0. On m records of D' the least empirical "
                               "risk is 0, so A's is at most xi(m) and its risk under D' at most e^eps xi(m) on "
                               "average (as in X17); for some Z it is at most 2 e^eps xi(m) with probability 1/2, so "
                               "with any fixed Z0 in place of Z with probability e^(-m eps)/2 = q. Of N >= log(1/t)/q "
                               "draws of A(Z0), which see no data, one is so good but for probability t, and its risk "
                               "under D is at most R* + 2 e^eps xi(m); the exponential mechanism on n new records "
                               "finds one as good as n grows. For other losses it is not decided here",
            proved_by="repaired",
            claims=(Claim("s in [1, inf); b in (0, inf); t in (0, 1]", "s >= 2*b/t", "(2/s)*b <= t"), *_CONSTANT),
            checks=_END),
    Theorem("wang2016:lem-8", "Privacy gives stability", assumptions="0 <= l <= 1", steps=("L8.1", "L8.2", "L8.3"),
            proved_by="repaired",
            learners=("dpcheck.papers.wang2016.learners:OptimalPrivateLearner",),
            checks=("properties/test_optimal_learner.py", "tests/papers/wang2016/test_wang2016_theorems_stability.py")),
    Theorem("wang2016:cor-9", "Privacy and AERM give consistency", assumptions="0 <= l <= 1", steps=("C9.O",),
            uses=("wang2016:lem-8", "wang2016:thm-35"),
            against=(Claim("C in [1, inf); xi in [0, 1]", "", "xi + exp(2*C + 2) - 1 > C*(xi + (2*C + 2))"),),
            erratum=Erratum(
                quotes="then A is universally consistent with rate xi(n) + e^{eps(n)} - 1 = O(xi(n) + eps(n)).",
                explanation="The equality fails for every constant at eps(n) = 2C + 2; and a rate tends to 0 by (2), "
                            "which xi + e^eps - 1 does only if eps(n) does.", severity="edge", quality="reading",
                readings="It holds where eps(n) is bounded, with a constant that depends on the bound, and so where "
                         "eps(n) tends to 0: xi + 2 eps for eps(n) <= 1."),
            repaired_statement="the excess risk is at most xi(n) + e^{eps(n)} - 1, which is at most xi(n) + 2 eps(n) "
                               "where eps(n) <= 1; consistent if eps(n) -> 0",
            proved_by="repaired", checks=_END),
    Theorem("wang2016:lem-10", "Private and consistent gives private and always AERM",
            assumptions="A is private and universally consistent at every size; 0 <= l <= 1",
            steps=("L10.a", "L10.b", "L10.c", "L10.d", "L10.e", "L10.f", "L10.stmt"),
            uses=("wang2016:lem-34", "wang2016:cor-9"),
            proved_by="repaired",
            repaired_statement="as printed, with another A' (sampling with replacement): xi at the size floor(sqrt n), "
                               "or, for a rate of real numbers that does not increase, xi(sqrt n) itself with "
                               "ceil(sqrt n) records; the A' of the proof has 2 xi(floor(sqrt n))",
            learners=_SUB, checks=_END),
    Theorem("wang2016:lem-34", "Privacy amplification by subsampling",
            assumptions="gamma n is an integer of at least 1; eps > 0",
            steps=("L34.mix", "L34.tower", "L34.swap", "L34.ratio", "L34.loss", "L34.rng", "L34.logup", "L34.loglo",
                   "L34.end"),
            against=(Claim("", "", "log(285/100) > 2*(50/1600)*(8 - 1/8)"),), witness=order_of_windows,
            erratum=Erratum(
                quotes="the algorithm A' that output the result of A to a random subsample of size gamma n data points "
                       "preserves 2 gamma (e^eps - e^-eps)-DP.",
                explanation="If the sample keeps the order of the dataset and A looks at it: n = 1600, 50 of them, "
                            "e^eps = 8. Z is a, six records b_1, six b_2, .., six b_25, and c's, Z' has another record "
                            "for a; A answers E with probability 8^-d/2, d the number of the first 26 places unlike a, "
                            "b_1, .., b_25. P(E) is 2.853 times as large on Z as on Z', a loss of 1.05 where 0.49 is "
                            "claimed.",
                severity="slip", quality="reading",
                readings="It holds if the sample comes in random order, or A does not look at the order."),
            repaired_statement="as printed, the sample reaching A in random order, or A not looking at the order (then "
                               "log(1 + gamma (e^eps - 1)) holds as well, see lem-4)",
            proved_by="repaired", learners=_SUB, checks=_END),
    Theorem("wang2016:thm-35", "Stability and AERM give consistency",
            assumptions="0 <= l <= 1; R* and Rhat* are attained",
            steps=("T35.a", "T35.b", "T35.c", "T35.d", "T35.e"),
                   checks=("tests/papers/wang2016/test_wang2016_theorems_stability.py",)),
)

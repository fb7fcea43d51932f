"""beimel2015: LabelBoost: subsampling, the recursion of sizes, learning (rest of section 4).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides. Letters are the
paper's: V the VC dimension, s = #S, E = exp(eps*) the ratio of the learner inside, r a sampling rate.
"""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems import boosting_instances as instances
from dpcheck.papers.beimel2015.theorems.derivations import LENGTHS_DOUBLE
from dpcheck.proof.lazy_bounds import bounds_of, tightness_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: P[i in J] = r; p1 and q1: the event given i in J, on the two databases; p0: given i not in J, the same on both.
AMPLIFIED = Claim(
    "r in [0, 1]; E in [1, inf); delta in [0, 1]; p1 in [0, 1]; q1 in [0, 1]; p0 in [0, 1]",
    "p1 <= E*q1 + delta; p1 <= E*p0 + delta",
    "E*(r*p1 + (1 - r)*p0) <= E*((1 + r*(E - 1))*(r*q1 + (1 - r)*p0) + r*delta)",
    ("have r*(1 + r*(E - 1))*(E*q1 + delta - p1) >= 0", "have r*(E - 1)*(1 - r)*(E*p0 + delta - p1) >= 0"))
_AMPLIFIED_BECAUSE = (
    "an entry i in J is exchanged for a uniformly random one outside, so p1 is at most E times each of q1 and p0, plus "
    "delta; divided by E the first formula is the (log(1 + r(E - 1)), r delta)-privacy of a part kept at rate r"
)
_SIZES = "sizes are real numbers, as printed (the paper rounds nowhere): parts of a whole are exactly that part"
_LOOP = "s in [0, inf); V in [1, inf); a in (0, 1]; b in (0, 1]"
_GROUP = (
    Claim("k in Z[0, inf); delta in [0, 1]; u in [0, 1]; v in [0, 1]; w in [0, 1]",
          "u <= exp(k)*v + delta*((exp(k) - 1)/(e - 1)); v <= e*w + delta",
          "u <= exp(k + 1)*w + delta*((exp(k + 1) - 1)/(e - 1))",
          ("have exp(k)*v <= exp(k)*(e*w + delta)",)),
    Claim("n in Z[1, inf)", "", "(1 - 1/n) + (1/n)*e = 1 + (e - 1)/n"),
    Claim("n in Z[1, inf)", "", "n*log(1 + (e - 1)/n) <= e - 1", ("lemma log_below x = 1 + (e - 1)/n",)),
    Claim("n in Z[2, inf)", "", "n*log(1 - (1 - 1/e)/n) >= -1",
          ("have 1 - (1 - 1/e)/n >= 2/3", "lemma log_below x = 1/(1 - (1 - 1/e)/n)",
           "lemma log_quotient_below x = 1; y = 1 - (1 - 1/e)/n",
           "have n*(1/(1 - (1 - 1/e)/n) - 1) <= 1")),
)
#: M, G = (M - 1)/(e - 1), L and H = (1 - L)/(e - 1) of the multiplicity, with log(M) = u <= e - 1 and L >= 1/e.
_MOMENT_BOUNDS = (
    Claim("u in [0, inf)", "u <= e - 1", "exp(u) <= 56/10", ("lemma exp_increases x = u; y = e - 1",)),
    Claim("M in [1, 56/10]", "", "(M - 1)/(e - 1) <= 28/10"),
    Claim("L in (0, 1]", "log(L) >= -1", "L >= 36/100", ("have log(36/100) <= -1",)),
    Claim("L in [36/100, 1]", "", "(1 - L)/(e - 1) <= 38/100"),
)
_MIXED = ("M in [0, 56/10]; G in [0, 28/10]; L in [36/100, 1]; H in [0, 38/100]; x in [0, 1]; P in [0, 1]; Q in [0, "
          "1]; delta in [0, 1]")
_MIXED_ASSUMED = "P <= M*x + G*delta; Q >= L*x - H*delta"
_MIXED_HINTS = ("have M*x <= 56/10*x", "have G*delta <= 28/10*delta", "have L*x >= 36/100*x",
                "have H*delta <= 38/100*delta")
_MOMENTS = (
    "K, the number of copies of the differing entry i, is Bin(n, 1/n); M = E e^K, L = E e^-K. Given K = k both "
    "databases are k steps from one whose copies of i are replaced by draws of the other entries, which has the law "
    "that both have given K = 0, with the event's probability x: P <= M x + delta (M - 1)/(e - 1) and Q >= L x - delta "
    "(1 - L)/(e - 1) (the first formula is one step of group privacy, the next three M and L, by independence); at n = "
    "1 nothing is resampled"
)
_ALPHA_BETA_NEAR_1 = (
    "As alpha and beta tend to 1 the size O((1/alpha) VC(C) log(1/(alpha beta))) tends to 0 whatever the constant, "
    "while (96000/alpha) VC(C) log(2240/(alpha beta)) does not. "
)
_HALF = "It holds where alpha beta <= 1/2, and pointwise, with a constant that depends on alpha and beta."
ONE_EXAMPLE = (
    Claim("lam in [1, inf)", "", "lam*(1/(16*lam)) + lam*(1/(16*lam)) < 3/8"),
    Claim("C in [1, inf); n in Z[1, inf)", "", "C*n/(C*n) <= 1"),
)
ONE_EXAMPLE_BECAUSE = (
    "for all lambda, C: the class of all functions on 4 points, uniform points, alpha = beta = 1/(16 lambda), for "
    "which a pure learner exists (the exponential mechanism over 16 hypotheses, with some n), and eps = C n: there is "
    "ceil(C n/eps) = 1 example; averaged over the targets every hypothesis errs by 3/8 or more then, but P[error > "
    "lambda alpha] <= lambda beta gives lambda alpha + lambda beta = 1/8"
)
_EVERY_EPS = (
    "The number of examples O(n/eps), and of labels, tends to 0 as eps grows, and no learner is that good with one "
    "example. Claim 4.3 is about eps <= 1."
)
EPS_AT_MOST_1 = (
    "It holds for eps <= 1: privacy is \"boosted\" by claim 4.3, which fixes eps <= 1, so that may be implied."
)

STEPS = (
    # Claims 4.3 and 4.5
    Step("C43",
         claims=(AMPLIFIED,
                 Claim("E in [1, inf); eps in (0, 1]", "", "1 + eps/(3 + E)*(E - 1) <= exp(eps)"),
                 Claim("E in [1, inf); eps in (0, 1]; delta in [0, 1]", "",
                       "eps/(3 + E)*delta <= 4*eps*delta/(3 + E)"),
                 Claim("E in [1, inf); eps in (0, 1]; n in Z[1, inf)", "", "n/eps*(3 + E) >= n + 1")),
         because=_AMPLIFIED_BECAUSE + "; r = n/t = eps/(3 + E)",
         reading="eps > 0; A treats its input as a multiset (rem-4.4); t is an integer, or rounded up, which makes r "
                 "smaller"),
    Step("C45",
         claims=(*_GROUP,
                 *_MOMENT_BOUNDS,
                 Claim(_MIXED, _MIXED_ASSUMED, "P <= 244*Q + 2467*delta", _MIXED_HINTS)),
         because=_MOMENTS,
         reading="eps <= 1, so A is (1, delta)-private"),
    # Lemma 4.6
    Step("L46.N",
         because="v depends on #S, alpha_i, beta_i, VC and n alone, and the next #S on #S and #T; by induction all "
                 "sizes agree, and so does the number of iterations, where there is a last one",
         reading="which entries are labelled is public; " + _SIZES),
    Step("L46.iid",
         claims=(Claim("delta in [0, 1]", "", "2467*delta <= 2476*delta"),),
         because="clm-4.5, whose hypothesis eps <= 1 holds; 2476 is more than the 2467 that it prints",
         reading="\"(ln(244), 2476)\" lacks its delta; A, asked for more than n entries, uses n of them",
         uses=("beimel2015:clm-4.5",)),
    Step("L46.L0",
         claims=(Claim("", "", "(4/(3 + 244))*2476 <= 41"), Claim("", "", "300 >= 3 + 244"), AMPLIFIED,
                 Claim("r in [0, 1]", "r <= 1/(3 + 244)", "1 + r*(244 - 1) <= e"),
                 Claim("r in [0, 1]; delta in [0, 1]", "r <= 1/300", "r*2476*delta <= 41*delta")),
         because=_AMPLIFIED_BECAUSE + "; the part that is kept, 1/300, is less than clm-4.3's 1/247",
         reading=_SIZES, uses=("beimel2015:clm-4.3",)),
    Step("L46.proc", spelled=(("4e*41", "4*e*41"),),
         claims=(Claim("", "", "1+3=4"), Claim("", "", "4*e*41 <= 446")), because="lem-4.1 at (1, 41 delta)",
         uses=("beimel2015:lem-4.1",)),
    Step("L46.Lt",
         claims=(Claim("", "", "(4/(3+e^4)) * 446 <= 41"), Claim("", "", "100 >= 3+e^4"), AMPLIFIED,
                 Claim("r in [0, 1]", "r <= 1/(3 + e^4)", "1 + r*(e^4 - 1) <= e"),
                 Claim("r in [0, 1]; delta in [0, 1]", "r <= 1/100", "r*446*delta <= 41*delta")),
         because="the part, S or T, that holds the differing entry is sampled by itself, at 1/100, the other part "
                 "being fixed: "
                 + _AMPLIFIED_BECAUSE
                 + ". An entry of D is left to L_{t-1}. All of this looks at its input as a multiset: steps 2c, 3 and "
                   "4 draw at random",
         reading=_SIZES, uses=("beimel2015:clm-4.3",)),
    # Observation 4.7 and claim 4.8
    Step("O47", spelled=(("alpha_i #S_i^c/(2V)", "a (s/100)/(2 V)"), ("#T_i^c+#S_i^c", "T/100+s/100"),
                         ("(beta_i/e)", "(b/e)")),
         claims=(Claim(_LOOP + "; T in [0, inf)", "T + s <= b*V*exp(a*s/(200*V))",
                       "T/100 + s/100 <= (b/e)*V*exp(a*(s/100)/(2*V))",
                       ("have exp(a*(s/100)/(2*V)) = exp(a*s/(200*V))", "have b*V*exp(a*s/(200*V)) > 0",
                        "have b*V*exp(a*s/(200*V))/100 <= b*V*exp(a*s/(200*V))/e")),),
         because="step 2b: #T = v is at most beta_i V exp(alpha_i #S/(200 V)) - #S",
         reading="step 2b can be run, that is v >= 0; " + _SIZES),
    Step("C48.a",
         claims=(Claim("n in Z[1, inf); x in (-inf, inf)", "", "min(30000*n, x) <= 30000*n"),),
         because="step 2b"),
    Step("C48.b",
         against=(
             Claim("", "", "80000 < (1/16)*exp((1/40)*120000/200) - 120000 < 90000"),
             Claim("", "", "(1/32)*exp((1/80)*2100/200) - 2000 < 0"),
             Claim("a in (0, 1]; b in (0, 1]; s in [0, 2100]", "", "s + max(0, b*exp(a*s/200) - s) <= 100*2100",
                   ("have a*s/200 <= 11", "have exp(a*s/200) <= exp(11)", "have exp(11) <= 60000",
                    "have b*exp(a*s/200) <= 60000")),
             Claim("", "", "2100 < 300*401"),
         ),
         because="V = 1, alpha = beta = 1/2, m = 120000, n = 401: #T_1 is between 80000 and 90000 (first formula), so "
                 "#S_2 = (120000 + #T_1)/100 is between 2000 and 2100, and v = beta_2 exp(alpha_2 #S_2/200) - #S_2 is "
                 "negative (second): #T_2, which is 0 or less, is not 2 #T_1. From 2100 on #S stays at most 2100 "
                 "(third), below 300 n = 120300, for ever: there is no last iteration, and all i > 1 are meant",
         witness=instances.endless,
         reading="as printed, without a word on whether the loop ends; the first v elements are none where v < 0; "
                 + _SIZES,
         erratum=Erratum(
             quotes="Denote the number of iterations throughout the execution as N. [...] Moreover, for every 1 < i < "
                    "N we have that |T_i^b| >= 2|T_{i-1}^b|.",
             explanation="LabelBoost need not end, and v may be negative: nothing in algorithm 3, in lemma 4.6 or in "
                         "claim 4.8 asks that S be large enough to grow. At V = 1, alpha = beta = 1/2, n = 401 and m = "
                         "120000 labelled examples (below 300 n) the first iteration labels 84,313 more, the second "
                         "asks for v < 0 elements, and S shrinks to nothing: the loop goes on for ever without a T. Of "
                         + instances.ENDS_AND_NOT + " Claim 4.9 asks for #S >= (96000/alpha) VC log(2240/(alpha "
                         "beta)), with which it ends.",
             severity="gap", quality="reading",
             readings="where N is said to be a number, that is where the loop ends, the line holds (the repair)"),
         repair=Repair(
             "where the loop ends, #T_i^b >= 2 #T_{i-1}^b for 1 < i < N", "assumption",
             derivation=LENGTHS_DOUBLE,
             because="sizes increase up to the last: from one that does not on, all are below 300 n. With x, y, z = "
                     "alpha_j s_j/(200 V) at j = i-1, i, i+1 and w = 4 z/y, x = y - log(w), and s_{i+2} > s_{i+1} asks "
                     "for exp(z) > 2 exp(y)",
             downstream="Claim 4.8 holds: a loop that does not end takes at most 90000 n elements too.")),
    Step("C48.c",
         because="C48.b from N-1 down; the partial sums of the series are 2 - 2^-k, and its limit 2",
         reading="the loop ends, as in C48.b as repaired"),
    # Claim 4.9
    Step("C49.base", spelled=(("alpha_1 beta_1", "(alpha/20) (beta/8)"), ("alpha_1", "(alpha/20)")),
         claims=(Claim("alpha in (0, 1); beta in (0, 1); V in Z[1, inf)", "",
                       "(96000/alpha)*V*log(2240/(alpha*beta)) = (4800/(alpha/20))*V*log(14/((alpha/20)*(beta/8)))"),)),
    Step("C49.a",
         claims=(Claim("s in [0, inf); t in [0, inf)", "", "s/100 + t/100 = (1/100)*(s + t)"),),
         because="steps 2c and 2e",
         reading=_SIZES),
    Step("C49.b",
         claims=(Claim("n in Z[1, inf); s in [0, inf); B in (0, inf)", "(s + min(30000*n, B - s))/100 < 300*n",
                       "(1/100)*(s + min(30000*n, B - s)) = (1/100)*B"),
                 Claim("a in (0, 1/20]; b in (0, 1/8]; x in [0, inf)", "x >= 24*log(14/(a*b))", "a*b*exp(x) >= 200*x",
                       ("have log(14/(a*b)) >= log(2240)", "have log(2240) >= 7", "have exp(x/24) >= 14/(a*b)",
                        "have a*b*exp(x/24) >= 14",
                        "have x >= 168", "have exp(23*x/24) >= 15*x", "have a*b*exp(x) >= 14*exp(23*x/24)")),
                 Claim("a in (0, 1]; b in (0, 1]; V in [1, inf); x in [0, inf)", "a*b*exp(x) >= 200*x",
                       "b*V*exp(x) - 200*V*x/a >= 0",
                       ("have b*exp(x) >= 200*x/a",))),
         because="B = beta V exp(alpha s/(200 V)); the loop goes on, so (s + v)/100 < 300 n; and v >= 0, by the other "
                 "formulas at x = alpha s/(200 V) >= 24 log(14/(alpha beta)), the induction hypothesis"),
    Step("C49.c",
         claims=(Claim("s in (0, inf); V in [1, inf); a in (0, 1]; L in (0, inf)", "s >= (4800/a)*V*L",
                       "a*s/(200*V) >= 24*L",
                       ("have a*s >= 4800*V*L",)),
                 Claim("B in (0, inf); u in (0, inf); L in (0, inf)", "u >= 24*L", "B*exp(u) >= B*exp(24*L)",
                       ("lemma exp_increases x = 24*L; y = u",)),
                 Claim("", "", "4800/200 = 24")),
         because="L = log(14/(alpha beta)), u = alpha #S/(200 V), B = beta V/100"),
    Step("C49.d",
         claims=(Claim("q in (0, inf)", "", "exp(24*log(q)) >= q^24"),),
         because="q = 14/(alpha beta), which is positive; equality",
         reading="log is the natural logarithm"),
    Step("C49.e",
         claims=(Claim("a in (0, 1]; q in [14, inf)", "",
                       "(1/100)*(14/(a*q))*q^24 >= (4800/(a/2))*log(4*q)",
                       ("lemma log_below x = 4*q", "have (1/100)*14*q^23 >= 9600*4*q")),),
         because="q = 14/(alpha_{i-1} beta_{i-1}) >= 14, so beta_{i-1} = 14/(alpha_{i-1} q); divided by V"),
    Step("R410",
         claims=(
             Claim("a in (0, 1/20]; b in (0, 1/8]; x in [0, inf)", "x >= 24*log(14/(a*b))", "x >= 160",
                   ("have log(14/(a*b)) >= log(2240)",)),
             Claim("a in (0, 1]; b in (0, 1]; x in [160, inf)", "x >= 24*log(14/(a*b))",
                   "((a/2)/(200))*(b/100)*exp(x) >= 2*2^(x/2)",
                   ("have exp(x/24) >= 14/(a*b)", "have a*b*exp(x/24) >= 14",
                    "have a*b*exp(x) >= 14*exp(23*x/24)", "have 14*exp(23*x/24) >= 80000*exp(x*log(2)/2)")),
             Claim("x in [160, inf)", "", "x/2 >= 2^(2^2)"),
             Claim("n in Z[1, inf); V in [1, inf); a in (0, 1]; x in [160, inf)", "200*V*x/a < 300*n", "x/2 <= n",
                   ("have 200*x <= 200*V*x/a",)),
         ),
         because="x_i = alpha_i #S_i^b/(200 V) >= 24 log(14/(alpha_i beta_i)) (clm-4.9) and x_{i+1} = "
                 "(alpha_{i+1}/200) (beta_i/100) exp(x_i) give x_{i+1}/2 >= 2^(x_i/2), so x_i/2 is at least a tower of "
                 "i + 2 twos; iteration N begins with #S = 200 V x_N/alpha_N < 300 n, so that tower is at most n: N <= "
                 "log* n, with the constant 1",
         reading="log* counts base 2 and is 0 up to 1; for S of clm-4.9; " + _SIZES, uses=("beimel2015:clm-4.9",)),
    # Claim 4.11
    Step("C411.a",
         claims=(Claim("s in [0, inf); a in (0, 1]; L in (0, inf); V in [1, inf)", "s >= (4800/a)*V*L",
                       "s/100 >= (48/a)*V*L"),),
         because="L = log(14/(alpha_1 beta_1)); step 2c and clm-4.9", reading=_SIZES, uses=("beimel2015:clm-4.9",)),
    Step("C411.b", spelled=(("(48/(10 a))(10 V", "(48/(10 a)) (10 V"), ("48e", "48 e")),
         claims=(Claim("a in (0, 1/20]; b in (0, 1/8]; V in Z[1, inf)", "",
                       "(48/(10*a))*(10*V*log(48*e/(10*a)) + log(5/b)) <= (48/a)*V*log(14/(a*b))",
                       ("have log(1/a) >= 2", "have log(1/b) >= 2", "have V*log(1/b) >= log(1/b)",
                        "have log(5) <= 17/10",
                        "have log(48/10) + 1 <= log(14)",
                        "have 10*V*log(48*e/(10*a)) + log(5/b) <= 10*V*log(14/(a*b))")),)),
    Step("C411.c",
         claims=(Claim("b in (0, 1/8]; both in [0, 1]; first in [0, 1]; second in [0, 1]",
                       "both + first <= b; both + second <= b", "both + first + second <= 2*b"),),
         because="the atoms of the two events, that error_S(h_1) > alpha_1 (obs-4.7) and that thm-B.5 at (10 alpha_1, "
                 "beta_1) fails for some pair of C; outside them the error is below 10 alpha_1",
         uses=("beimel2015:obs-4.7", "beimel2015:thm-B.5")),
    Step("C411.d",
         claims=(Claim("w in [0, 1]; p in [0, 1]; q in [0, 1]", "", "w*(p*q) + (1 - w)*(p*q) = p*q"),
                 Claim("s in [0, inf); a in (0, 1]; L in (0, inf); V in [1, inf)", "s >= (4800/a)*V*L",
                       "s/100 >= (48/a)*V*L")),
         because="which entries are kept is independent of their values, so kept points are i.i.d. as all are; clm-4.9",
         reading="the points alone are i.i.d. (given h_{i-1}, which depends on them, they need not be; thm-B.5 speaks "
                 "of all pairs of C at once, so nothing more is used); " + _SIZES,
         uses=("beimel2015:clm-4.9",)),
    Step("C411.e",
         claims=(Claim("y in Z[0, 1]; g in Z[0, 1]; h in Z[0, 1]", "", "abs(y - h) <= abs(y - g) + abs(g - h)"),
                 Claim("d in [0, 1]; f in [0, 1]; g in [0, 1]; A in [0, inf); a in (0, 1]",
                       "d <= f + g; f <= 10*A; g <= 10*a",
                       "d <= 10*(A + a)"),
                 Claim("B in [0, inf); b in (0, 1]; old in [0, 1]; new in [0, 1]", "old <= 2*B; new <= 2*b",
                       "1 - (old + new) >= 1 - 2*(B + b)")),
         because="labels point by point, then on average; the induction step with the sums A, B up to i-1; the union "
                 "of the failures",
         uses=("beimel2015:obs-4.7", "beimel2015:thm-B.5")),
    # Lemma 4.12
    Step("L412.a", spelled=(("#S^3", "s/300"),),
         claims=(Claim("s in [0, inf); n in Z[1, inf)", "s >= 300*n", "s/300 >= n"),
                 Claim("s in Z[0, inf); n in Z[1, inf)", "s >= 300*n", "floor(s/300) > n - 1")),
         because="rounded down too: an integer above n - 1 is at least n"),
    Step("L412.b",
         claims=(Claim("w in [0, 1]; f in [0, 1]; g in [0, 1]; beta in (0, 1)", "f <= beta; g <= beta",
                       "w*f + (1 - w)*g <= beta"),),
         because="given S^3 and h_N the draws are i.i.d. from the uniform law on S^3, labelled by a concept of C; "
                 "averaged over S^3 (two at a time) the failure stays at most beta",
         reading="A is run on n of the #S^3 >= n draws (\"We apply A on n i.i.d. samples from S\", alg-3)"),
    Step("L412.c",
         against=(Claim("", "", "1747301 >= (96000/(1/2))*log(2240/((1/2)*(1/2)))"),
                  Claim("", "", "1747301 < 300*5825"),
                  Claim("", "", "((1/2)/8)*exp(((1/2)/20)*1747301/200) - 1747301 > 30000*5825",
                        ("have exp(((1/2)/20)*1747301/200) >= exp(200)", "have exp(200) >= 10^20")),
                  Claim("", "", "(1/300)*((1747301 + 30000*5825)/100) < (640/(1/2))*log(4480/((1/2)*(1/2)))")),
         because="one iteration whose T is cut off at v = 30000 n; witness: m = 1,747,301 as clm-4.9 asks, n = 5825: "
                 "#S = (m + 30000 n)/100 ends the loop, and #S^3 = 5883.2",
         witness=instances.last_iteration,
         erratum=Erratum(
             quotes="As |S^3| >= (1/300)|S| >= (640/alpha) VC(C) log(4480/(alpha beta))",
             explanation="When the loop ends with v = 30000 n, #S is only known to be at least 300 n, and 300 n above "
                         "the #S before, (96000/alpha) VC log(2240/(alpha beta)) in the first iteration: 320 and 2240, "
                         "not 640 and 4480. With m >= 300 n there is no iteration at all, and the same holds.",
                         severity="constant"),
         repair=Repair(
             "#S^3 >= (320/alpha) V log(2240/(alpha beta))", "constant",
             claims=(Claim("m in [0, inf); s in [0, inf); n in Z[1, inf); B in (0, inf)",
                           "m >= 96000*B; s >= m; s < 300*n",
                           "(1/300)*(300*n) >= 320*B"),
                     Claim("m in [0, inf); B in (0, inf)", "m >= 96000*B", "(1/300)*m >= 320*B")),
             because="B = (1/alpha) V log(2240/(alpha beta)); sizes do not decrease (C48.b), and the last iteration "
                     "begins with s < 300 n and ends with at least 300 n; without an iteration #S = m",
             uses=("beimel2015:clm-4.9",), downstream="thm-B.5 is still met (L412.d).")),
    Step("L412.d",
         against=(Claim("n in Z[1, inf); K in Z[1, inf); alpha in (0, 1/20]", "K >= 2*n",
                        "1 - n/K >= 1/2 >= 10*alpha"),),
         because="thm-B.5 is about c and h of C. For other h it fails: under the uniform law on K >= 2n points the "
                 "table that has the labels of n sampled points and is wrong elsewhere has no error on the sample and "
                 "1/2 >= 10 alpha or more in truth, always, however large n is. An SSL need not be proper (definition "
                 "2.3)",
         witness=instances.tables_are_outside,
         uses=("beimel2015:thm-B.5",),
         erratum=Erratum(
             quotes="Theorem B.5 states that with probability at least (1 - beta/2) it holds that error_mu(h_fin, h_N) "
                    "<= 10 alpha.",
             explanation="Theorem B.5 speaks of pairs of concepts of C, and h_fin is the base learner's, who may be "
                         "improper: the lemma says \"an (alpha, beta, n, n)-SSL\", and remark 4.15 and corollary 4.18 "
                         "use improper ones.", severity="gap"),
         repair=Repair(
             "for proper base learners by thm-B.5; for all by points of S^3 that A does not see", "statement",
             claims=(
                 Claim("alpha in (0, 1); beta in (0, 1); V in Z[1, inf)", "",
                       "(48/(10*alpha))*(10*V*log(48*e/(10*alpha)) + log(5/(beta/2))) <= "
                       "(320/alpha)*V*log(2240/(alpha*beta))",
                       ("have log(1/alpha) > 0", "have log(1/beta) > 0", "have V*log(1/beta) >= log(1/beta)",
                        "have log(48/10) + 1 <= 27/10",
                        "have log(10) <= 24/10", "have log(2240) >= 77/10", "have V*log(1/alpha) > 0",
                        "have 48*V*log(48*e/(10*alpha)) + (48/10)*log(10/beta) <= 320*V*log(2240/(alpha*beta))")),
                 Claim("N in [1000, inf)", "", "N*log(1 - 1/N) >= log(36/100)",
                       ("lemma log_below x = 1/(1 - 1/N)", "have N*(1/(1 - 1/N) - 1) <= 1002/1000",
                        "have log(36/100) <= -1002/1000")),
                 Claim("N in [1, inf); L in [77/10, inf)", "N >= 320*L", "-2*N*(36/100 - 1/4)^2 + log(4) <= -L",
                       ("have log(4) <= 14/10",)),
                 Claim("err in [0, 1]; N in [1, inf); unseen in [1, inf); alpha in (0, 1)",
                       "unseen >= N/4; err*unseen <= alpha*N",
                       "err <= 4*alpha", ("have err*(N/4) <= err*unseen",)),
                 Claim("T in (0, inf); V in Z[1, inf); u in (0, inf); L in [77/10, inf)", "T >= 320*L; u + 77/10 <= L",
                       "V*(1 + log(T) + u) + V*(1 + log(2) + log(T) + u) + log(16) + L - (9/40)*V*T <= 0",
                       ("lemma log_tangent x = T; c = 320", "have log(320) <= 58/10", "have log(2) <= 7/10",
                        "have log(16) <= 28/10",
                        "have log(T) <= T/320 + 48/10", "have L <= V*L", "have log(16) <= 28/10*V",
                        "have V*log(T) <= V*(T/320 + 48/10)", "have V*u <= V*(L - 77/10)", "have V*L <= V*T/320")),
             ),
             because="N = #S^3, L = log(2240/(alpha beta)). At least N/4 points of S^3 are not among the draws except "
                     "with probability beta/4 (their mean is N(1 - 1/N)^N, at least 0.36 N: the second formula; "
                     "McDiarmid: the third), and an error of at most alpha on S^3 is one of at most 4 alpha there. "
                     "Given the draws' places and the coins, h_fin is one of at most (e N/V)^V hypotheses, one per "
                     "labelling of the drawn points by C, and the unseen points are i.i.d. from mu: for each of these, "
                     "{h_fin xor h: h in C} has dimension V, and P[some h: error_mu > 10 alpha, error on u points <= 4 "
                     "alpha] <= 4 (2 e u/V)^V exp(-(0.6)^2 10 alpha u/4), which the last formula (T = alpha N/V, u = "
                     "log(1/alpha)) sums to beta/4",
             cites="Anthony & Shawe-Taylor 1993 (relative deviations); McDiarmid 1989", uses=("beimel2015:thm-B.5",),
             downstream="lem-4.12, thm-4.13, thm-4.14 and cor-4.18 keep their constants, improper learners included.")),
    Step("L412.e",
         claims=(Claim("k in Z[0, inf); beta in (0, 1)", "",
                       "(beta/4)*(1 - 2^(-k)) + beta/(4*2^(k + 1)) = (beta/4)*(1 - 2^(-(k + 1)))"),
                 Claim("k in Z[0, inf); beta in (0, 1)", "", "2*((beta/4)*(1 - 2^(-k))) <= beta/2"),
                 Claim("k in Z[0, inf); alpha in (0, 1)", "",
                       "(alpha/10)*(1 - 2^(-k)) + alpha/(10*2^(k + 1)) = (alpha/10)*(1 - 2^(-(k + 1)))"),
                 Claim("k in Z[0, inf); alpha in (0, 1)", "", "10*((alpha/10)*(1 - 2^(-k))) <= alpha")),
         because="the partial sums, by induction"),
    Step("L412.f",
         claims=(Claim("alpha in (0, 1)", "", "10*alpha+alpha = 11*alpha"),
                 Claim("beta in (0, 1)", "", "beta+beta/2+beta/2 = 2*beta"),
                 Claim("d in [0, 1]; f in [0, 1]; g in [0, 1]; alpha in (0, 1)",
                       "d <= f + g; f <= alpha; g <= 10*alpha",
                       "d <= 11*alpha")),
         because="d: the error under mu of what is put out, f its error on the last sample, g that of its labels"),
    Step("L412.g",
         against=(Claim("C in [1, inf)", "",
                        "(96000/exp(-1/C))*log(2240/(exp(-1/C)*exp(-1/C))) > "
                        "C*((1/exp(-1/C))*log(1/(exp(-1/C)*exp(-1/C))))",
                        ("have log(2240/(exp(-1/C)*exp(-1/C))) >= 7", "have C*log(1/(exp(-1/C)*exp(-1/C))) = 2",
                         "have exp(-1/C) > 0")),
                  Claim("C in [1, inf)", "", "90000 + (96000/(1/C))*log(2240/((1/C)*(1/2))) > C*90001",
                        ("have log(2240/((1/C)*(1/2))) >= 7",))),
         because="at alpha = beta = exp(-1/C) and V = 1 the size is above C times the bound; and two constant "
                 "functions are learnt (V = 1) from n = 1 label at every alpha, while 90000 n + m grows as 1/alpha",
         reading="one constant for all alpha, beta in (0, 1), all n and all classes",
         erratum=Erratum(
             quotes="results in an (11 alpha, 2 beta, O(n), m)-SSL for C, where m = O((1/alpha) VC(C) log(1/(alpha "
                    "beta))).",
             explanation=_ALPHA_BETA_NEAR_1 + "And m is not O(n): a class may be learnable from few labels at every "
                                              "alpha.",
             severity="constant",
             quality="reading", readings=_HALF + " For m > n nothing need be done: A itself uses n < m labels."),
         repair=Repair(
             "for alpha beta <= 1/2, m <= (1,248,000/alpha) V log(1/(alpha beta)); and where m <= n the total is at "
             "most 90001 n", "domain",
             claims=(Claim("p in (0, 1/2]; alpha in (0, 1); V in Z[1, inf)", "",
                           "(96000/alpha)*V*log(2240/p) <= (96000*13/alpha)*V*log(1/p)",
                           ("have log(1/p) >= log(2)", "have log(2240) <= 12*log(2)",
                            "have log(2240/p) <= 13*log(1/p)")),
                     Claim("n in Z[1, inf); m in [0, inf)", "m <= n", "90000*n + m <= 90001*n")),
             because="p = alpha beta; where m > n the base learner itself is an (alpha, beta, n, n)-SSL with fewer "
                     "labels",
             downstream="thm-4.14 and thm-5.8 say that a learner exists: theirs is a constant hypothesis for lambda "
                        "alpha or lambda beta >= 1, A where m > n, and this one otherwise.")),
    # Theorems 4.14 and 4.16
    Step("T414.priv", uses=("beimel2015:clm-4.3", "beimel2015:thm-4.13"),
         claims=(Claim("eps in (0, 1]; delta in [0, 1]", "", "4*(eps/29)*(41*delta)/(3 + e) <= delta"),
                 Claim("eps in (0, 1]", "", "eps/29 <= eps"),
                 Claim("eps in [1, inf)", "", "exp(1) <= exp(eps)", ("lemma exp_increases x = 1; y = eps",))),
         because="thm-4.13 gives (1, 41 delta), and clm-4.3 at eps/29 makes that (eps/29, delta); for eps > 1 take eps "
                 "= 1",
         reading="clm-4.3 may be applied with a smaller eps, which O(n/eps) has room for (at eps itself it gives 28.7 "
                 "eps delta, more than delta for eps > 0.0349); both parts are subsampled at the same rate"),
    Step("T414.size", uses=("beimel2015:clm-4.3", "beimel2015:thm-4.13"), against=ONE_EXAMPLE,
         because=ONE_EXAMPLE_BECAUSE,
         witness=instances.one_example,
         reading="\"every eps\", sizes rounded up",
         erratum=Erratum(
             quotes="For every alpha, beta, epsilon, delta, n, ... then there exists an (lambda alpha, lambda beta, "
                    "epsilon, delta, O(n/epsilon), m)-PSSL for C, where m = O((1/(alpha epsilon)) VC(C) log(1/(alpha "
                    "beta))).",
             explanation=_EVERY_EPS, severity="edge", quality="reading", readings=EPS_AT_MOST_1),
         repair=Repair(
             "for eps <= 1", "domain",
             claims=(Claim("p in (0, 1/2]; alpha in (0, 1); eps in (0, 1]; V in Z[1, inf)", "",
                           "((3 + e)/(eps/29))*((96000/alpha)*V*log(2240/p)) <= (96000*2262/(alpha*eps))*V*log(1/p)",
                           ("have log(1/p) >= log(2)", "have log(2240) <= 12*log(2)", "have log(2240/p) <= 13*log(1/p)",
                            "have (3 + e)*29*log(2240/p) <= 2262*log(1/p)")),
                     Claim("n in Z[1, inf); m in [0, inf); eps in (0, 1]", "m <= n",
                           "((3 + e)/(eps/29))*(90000*n + m) <= 174*90001*n/eps",
                           ("have (3 + e)*(90000*n + m) <= 6*(90000*n + m)", "have 6*(90000*n + m) <= 6*90001*n",
                            "have (3 + e)*29*(90000*n + m) <= 174*90001*n")),
                     Claim("n in Z[1, inf); eps in (0, 1]", "", "((3 + e)/(eps/29))*n + 1 <= 175*n/eps"),
                     Claim("x in [1, inf)", "", "x + 1 <= 2*x")),
             because="p = alpha beta <= 1/121: with lambda = 11, where alpha or beta is larger a constant hypothesis "
                     "will do; where m > n it is A, subsampled from 29 (3 + e) n/eps labelled entries; rounding up "
                     "costs a factor of at most 2",
             downstream="thm-4.14 holds for eps <= 1.")),
    Step("T416",
         against=(Claim("lam in [1, inf); N in Z[1, inf)", "", "N*(4*lam*(1/(16*lam*N))) <= 1/4"),
                  Claim("lam in [1, inf)", "", "(1 - 1/4)/2 > lam*(1/(8*lam))"),
                  Claim("lam in [1, inf); N in Z[1, inf)", "", "4*lam*(1/(16*lam*N)) > lam*(1/(16*lam*N))"),
                  Claim("lam in [1, inf); n in Z[1, inf)", "n >= 2*log(8*lam)", "1/(1 + exp(n/2)) <= 1/(8*lam)",
                        ("have exp(n/2) >= exp(log(8*lam))", "have exp(n/2) >= 8*lam"))),
         because="F: the two constants (V = 1), which the exponential mechanism learns privately at every alpha from n "
                 "= ceil(2 log(1/beta)) labels, beta = 1/(8 lambda), eps = 1. Whatever lambda and C, with N = ceil(C "
                 "n) examples in all and alpha = 1/(16 lambda N) no learner tells P[c = 1] = 1/2 + 2 lambda alpha from "
                 "1/2 - 2 lambda alpha: their N-fold laws are at a distance of at most 1/4, the wrong constant's "
                 "excess is 4 lambda alpha, so it fails with probability 3/8 > lambda beta",
         witness=instances.biased_labels,
         uses=("beimel2015:thm-4.14",),
         erratum=Erratum(
             quotes="then there exists an (lambda alpha, lambda beta, epsilon, delta, O(n/epsilon), m)-agnostic-PSSL "
                    "using F, where m = O((1/(alpha^2 epsilon)) VC(F) log(1/(alpha beta))).",
             explanation="The total number of examples cannot be O(n/eps): agnostic learning takes 1/alpha^2 examples "
                         "where a realisable learner's n may not depend on alpha at all. Besides: the base learner "
                         "must be proper (definition 2.5 asks for a hypothesis of F; point functions have improper "
                         "pure learners of constant size, but no proper ones), at least one iteration must be made "
                         "(for m >= 300 n LabelBoost runs A on labels of no concept of F, where A promises nothing), "
                         "and eps <= 1.", severity="gap"),
         repair=Repair(
             "for proper base learners, eps <= 1 and at least one iteration, with O(n/eps) + m examples", "statement",
             claims=(Claim("a in (0, 1/20]; b in (0, 1/8]; V in Z[1, inf); s in [0, inf)",
                           "s >= (50*V/a^2)*log(1/(a*b))",
                           "s >= (48/a)*V*log(14/(a*b))",
                           ("have log(1/(a*b)) >= log(160)", "have log(160) >= 5", "have log(14) <= 27/10",
                            "have log(14/(a*b)) <= 2*log(1/(a*b))", "have 50/a^2 >= 1000/a",
                            "have (50*V/a^2)*log(1/(a*b)) >= (1000*V/a)*log(1/(a*b))")),
                     Claim("star in [0, 1]; best in [0, 1]; emp in [0, 1]; true in [0, 1]; a in (0, 1)",
                           "emp <= best + a; best <= star + a; true <= emp + a", "true <= star + 3*a"),
                     Claim("alpha in (0, 1); A in [0, 1]", "A <= alpha/10 - alpha/20",
                           "3*(alpha/20) + 10*A + 10*alpha <= 11*alpha"),
                     Claim("alpha in (0, 1); beta in (0, 1); V in Z[1, inf)", "",
                           "(2000000*V/alpha^2)*log(160/(alpha*beta))/100 >= "
                           "(50*V/(alpha/20)^2)*log(1/((alpha/20)*(beta/8)))")),
             because="with m = (2 10^6 V/alpha^2) log(160/(alpha beta)) the first iteration chooses h_1 within alpha_1 "
                     "of the best error on S_1^c (prop-A.1, the size of H as in clm-4.2), and thm-B.6 at (alpha_1, "
                     "beta_1) makes that 3 alpha_1 in truth; from then on S is labelled by h_1 of F, and the rest is "
                     "lem-4.12 with h_1 as the target, A = sum of alpha_i over i >= 2",
             uses=("beimel2015:thm-B.6", "beimel2015:thm-B.5", "beimel2015:prop-A.1"),
             downstream="nothing else rests on it here.")),
    # Comparisons
    Step("XR",
         against=(Claim("", "", "(2^2 - 1)^2 + 1 < 2^(2*2)"),),
         because="d = 1, l = 2: four points, 3 non-empty intervals on each axis, so 9 rectangles and the empty set, "
                 "fewer than the 16 subsets: the VC dimension is below 4 (it is 2)",
         witness=instances.small_rectangles,
         erratum=Erratum(
             quotes="The VC dimension of this class is 2l",
             explanation="With two points on each axis (d = 1) and l >= 2 it is less: 2, not 4, for l = 2. Three "
                         "values on an axis are needed.", severity="edge"),
         repair=Repair(
             "VC(RECTANGLE_d^l) = 2l for d >= 2, and at most 2l always", "domain",
             claims=(Claim("u in Z[0, 1]; w in Z[0, 1]", "", "1 - u <= 1 <= 1 + w"),
                     Claim("u in Z[0, 1]", "u >= 1", "1 - u <= 0"), Claim("u in Z[0, 1]", "u <= 0", "0 < 1 - u"),
                     Claim("w in Z[0, 1]", "w >= 1", "2 <= 1 + w"), Claim("w in Z[0, 1]", "w <= 0", "2 > 1 + w"),
                     Claim("d in Z[2, inf)", "", "2^d >= 3"),
                     Claim("a in (-inf, inf); b in (-inf, inf); low in (-inf, inf); high in (-inf, inf); "
                           "x in (-inf, inf)",
                           "a <= low; low <= x; x <= high; high <= b", "a <= x <= b"),
                     Claim("l in Z[1, inf)", "", "(2*l + 1) - 2*l >= 1")),
             because="at least: the 2l points with one coordinate 0 or 2 and the others 1; the box [1 - u, 1 + w] on "
                     "an axis holds its point 0 iff u = 1, its point 2 iff w = 1, and the points of all other axes. At "
                     "most: of 2l + 1 points choose one of least and one of largest value on each axis; some point is "
                     "left over, and lies in every box that holds the chosen ones",
             downstream="cor-4.17 needs O(l) only.")),
    Step("CMP.b",
         claims=(Claim("K in Z[2, inf); V in Z[1, inf)", "V < K", "V*log(e*K/V) <= 3*(log(K)*V)",
                       ("have log(K) >= 69/100", "have log(V) >= 0", "lemma log_quotient_above x = e*K; y = V",
                        "have log(e*K/V) <= 1 + log(K)",
                        "have 1 + log(K) <= 3*log(K)")),
                 Claim("K in Z[2, inf); V in Z[1, inf)", "K <= V", "K*log(2) <= 3*(log(K)*V)",
                       ("have log(K) >= log(2)", "have K*log(2) <= V*log(2)", "have V*log(2) <= V*log(K)"))),
         because="K = #X: Sauer's lemma (thm-B.2) where V < K, and at most 2^K functions on K = V points; the constant "
                 "3",
         reading="#X >= 2, as X = X_d has", uses=("beimel2015:thm-B.2",)),
)

_BOOST = ("dpcheck.papers.beimel2015.learners:LabelBoost",)
_CHECKS = ("properties/test_beimel2015_boost.py", "tests/papers/beimel2015/test_beimel2015_boost.py")
_SAMPLED = ("properties/test_beimel2015_active.py", "tests/papers/beimel2015/test_beimel2015_active.py")
_ENDLESS = (
    "A loop that does not end is never cut off at 30000 n; sizes increase up to some s_j < 300 n, s_{j+1} <= s_j, and "
    "later ones halve at least (C48.b). For j <= 2 the T add up to at most 99 s_j + 98 s_j, and 100 s_2 more for j = "
    "2. For j >= 3 let p, q, r = s_{j-1}, s_j, s_{j+1}, y = alpha_{j-1} p/(200 V) and rho = q/p > 1. Sizes double up "
    "to p, so #T_1 + ... + #T_{j-1} <= 198 p + 100 q; exp(y) > 2 exp(alpha_{j-2} s_{j-2}/(200 V)) gives y >= 19 "
    "(alpha_{j-1} beta_{j-1} <= 1/640). Either T_j is empty and all later ones add up to at most q; or #T_j = 100 r - "
    "q with r = q exp(-y(1 - rho/2))/2, T_{j+1} is empty (100 exp(-y rho/4)/2 < 1) and all later ones add up to at "
    "most r"
)
_ENDLESS_CLAIMS = (
    Claim("n in Z[1, inf); s in [0, inf)", "s < 300*n", "100*s + 99*s + 98*s <= 90000*n"),
    Claim("y in (0, inf)", "y >= log(2); y >= log(2) + log(640*10000*y)", "y >= 19"),
    Claim("y in [19, inf); rho in [1, inf)", "", "100*exp(-y*rho/4)/2 < 1",
          ("have y*rho >= 19", "lemma exp_increases x = -y*rho/4; y = -19/4")),
    Claim("n in Z[1, inf); p in [0, inf); q in [0, inf); r in [0, inf)", "p <= q; q < 300*n; r <= q",
          "198*p + 100*q + q <= 90000*n"),
    Claim("n in Z[1, inf); p in [0, inf); q in [0, inf); r in [0, inf)", "2*p <= q; q < 300*n; r <= q",
          "198*p + 100*q + (100*r - q) + r <= 90000*n"),
    Claim("y in [19, inf); rho in [1, 2]", "",
          "198/rho + 100 + (100*exp(-y*(1 - rho/2))/2 - 1) + exp(-y*(1 - rho/2))/2 <= 300"),
)
_STUCK = (
    Claim("C in [1, inf)", "", "C*((1/exp(-1/C))*log(1/(exp(-1/C)*exp(-1/C)))) + 1 <= 7",
          ("have C*log(1/(exp(-1/C)*exp(-1/C))) = 2", "have exp(1/C) <= e")),
    Claim("m in Z[1, 7]; a in (0, 1]; b in (0, 1]", "", "(b/8)*1*exp((a/20)*m/(200*1)) - m < 0"),
)
_STUCK_ERRATUM = (
    _ALPHA_BETA_NEAR_1 + "For every constant C, at alpha = beta = exp(-1/C), V = 1, the ceil(C (1/alpha) log(1/(alpha "
                         "beta))) <= 7 labels give a negative v in the first iteration: S never grows, and nothing is "
                         "put out. And 90000 n + m is not O(n) (L412.g)."
)

THEOREMS = (
    Theorem("beimel2015:clm-4.3", "Subsampling boosts privacy",
            assumptions="0 < eps <= 1; A treats its input as a multiset",
            steps=("C43",),
            learners=("dpcheck.papers.beimel2015.learners:UniformSubsampling",
                      "dpcheck.papers.beimel2015.learners:SubsampledParts"),
            checks=_SAMPLED),
    Theorem("beimel2015:rem-4.4", "A learner that looks at the order is given a shuffled sample", stated=True,
            checks=_SAMPLED),
    Theorem("beimel2015:clm-4.5", "Running on i.i.d. draws from the database", assumptions="eps <= 1", steps=("C45",),
            learners=("dpcheck.papers.beimel2015.learners:IndependentResampling",), checks=_SAMPLED),
    Theorem("beimel2015:lem-4.6", "LabelBoost is (1, 41 delta)-private", assumptions="A is (1, delta)-private",
            steps=("L46.N", "L46.iid", "L46.L0", "L46.proc", "L46.Lt"),
            uses=("beimel2015:lem-4.1", "beimel2015:clm-4.3", "beimel2015:clm-4.5"),
            learners=_BOOST, checks=_CHECKS),
    Theorem("beimel2015:obs-4.7", "The hypothesis of an iteration errs by at most alpha_i on its sample",
            steps=("O47",),
            uses=("beimel2015:clm-4.2",),
            against=(Claim("", "", "(exp(1/2)/(1 + exp(1/2)))^10 < 1 - (1/2)/(4*2)"),),
            witness=instances.shattered_sample,
            erratum=Erratum(
                "In every iteration i, with probability at least (1 - beta_i) we have that error_{S_i^c}(h_i) <= "
                "alpha_i.",
                "Nothing is asked of #S here. The class of all sets of at most 160000 integers, m = 1000, n = 4, alpha "
                "= beta = 1/2, distinct points: S_1^c has 10 points, all labellings of S_1^c o T_1^c (100 points) are "
                "in C, and the exponential mechanism gets each label of S_1^c wrong with probability 1/(1 + sqrt(e)) = "
                "0.378: error at most 1/40 with probability 0.0087 only. With small m, v may also be "
                "negative.", "constant"),
            repaired_statement="for #S as in clm-4.9, so that #S_i^c >= V (clm-4.2 holds then)", learners=_BOOST,
            checks=_CHECKS),
    Theorem("beimel2015:clm-4.8", "D is long enough", assumptions="#D >= 90000 n. " + _ENDLESS,
            steps=("C48.a", "C48.b", "C48.c"), claims=_ENDLESS_CLAIMS, proved_by="repaired", learners=_BOOST,
            checks=_CHECKS),
    Theorem("beimel2015:clm-4.9", "The labelled part grows",
            assumptions="#D >= 90000 n, #S >= (96000/alpha) V log(2240/(alpha beta)), V >= 1",
            steps=("C49.base", "C49.a", "C49.b", "C49.c", "C49.d", "C49.e"), learners=_BOOST, checks=_CHECKS),
    Theorem("beimel2015:rem-4.10", "There are O(log* n) iterations", assumptions="those of clm-4.9", steps=("R410",),
            uses=("beimel2015:clm-4.9",),
            learners=_BOOST, checks=_CHECKS),
    Theorem("beimel2015:clm-4.11", "The hypotheses stay close to the target",
            assumptions="those of clm-4.9; i.i.d. points; c in C",
            steps=("C411.a", "C411.b", "C411.c", "C411.d", "C411.e"),
            uses=("beimel2015:obs-4.7", "beimel2015:clm-4.9", "beimel2015:thm-B.5"),
            proved_by="repaired", learners=_BOOST, checks=_CHECKS),
    Theorem("beimel2015:lem-4.12", "LabelBoost learns from few labels", assumptions="alpha, beta in (0, 1)",
            steps=("L412.a", "L412.b", "L412.c", "L412.d", "L412.e", "L412.f", "L412.g"),
            uses=("beimel2015:clm-4.8", "beimel2015:clm-4.9", "beimel2015:clm-4.11", "beimel2015:thm-B.5"),
            against=_STUCK, witness=instances.stuck,
            erratum=Erratum("results in an (11 alpha, 2 beta, O(n), m)-SSL for C, where m = O((1/alpha) VC(C) "
                            "log(1/(alpha beta))).", _STUCK_ERRATUM, "edge",
                            "reading", _HALF),
            repaired_statement="with #D >= 90000 n and m >= (96000/alpha) V log(2240/(alpha beta)), which is "
                               "O((1/alpha) V log(1/(alpha beta))) for alpha beta <= 1/2",
            learners=_BOOST, checks=_CHECKS),
    Theorem("beimel2015:thm-4.13", "LabelBoost is private and learns from few labels",
            bounds=bounds_of("beimel2015", "boost_labelled", "boost_unlabelled"),
            assumptions="alpha, beta in (0, 1); any delta",
            uses=("beimel2015:lem-4.6", "beimel2015:lem-4.12"), against=_STUCK, witness=instances.stuck,
            erratum=Erratum("results in an (11 alpha, 2 beta, epsilon=1, 41 delta, O(n), m)-PSSL for C, where m = "
                            "O((1/alpha) VC(C) log(1/(alpha beta))).",
                            _STUCK_ERRATUM, "edge", "reading", _HALF),
            repaired_statement="with the sizes of lem-4.12 as repaired", learners=_BOOST, checks=_CHECKS),
    Theorem("beimel2015:thm-4.14", "Private learning with few labels at any eps",
            bounds=bounds_of("beimel2015", "amplified_labelled"),
            assumptions="\"for every alpha, beta, eps, delta, n\"",
            steps=("T414.priv", "T414.size"), uses=("beimel2015:clm-4.3", "beimel2015:thm-4.13"), against=ONE_EXAMPLE,
            witness=instances.one_example,
            erratum=Erratum("For every alpha, beta, epsilon, delta, n, if there exists an (alpha, beta, 1, delta, n, "
                            "n)-PSSL for a concept class C, then there exists an (lambda alpha, lambda beta, epsilon, "
                            "delta, O(n/epsilon), m)-PSSL for C",
                            ONE_EXAMPLE_BECAUSE[0].upper() + ONE_EXAMPLE_BECAUSE[1:] + ". "
                            + _EVERY_EPS, "edge", "reading", EPS_AT_MOST_1),
            repaired_statement="for eps <= 1, with lambda = 11", learners=_BOOST, checks=_CHECKS),
    Theorem("beimel2015:rem-4.15", "LabelBoost keeps pure privacy and properness", claims=(Claim("", "", "41*0 = 0"),),
            assumptions="what is put out is the base learner's hypothesis", uses=("beimel2015:lem-4.6",),
            learners=_BOOST,
            checks=_CHECKS),
    Theorem("beimel2015:thm-4.16", "The agnostic version", assumptions="\"for every alpha, beta, eps, delta, n\"",
            steps=("T416",),
            uses=("beimel2015:thm-4.14",),
            against=(Claim("lam in [1, inf); N in Z[1, inf)", "", "N*(4*lam*(1/(16*lam*N))) <= 1/4"),
                     Claim("lam in [1, inf)", "", "(1 - 1/4)/2 > lam*(1/(8*lam))"),
                     Claim("k in Z[1, inf); N in Z[1, inf)", "k >= N + 2", "exp(k)*exp(-N)*(1 - 1/8) > 1")),
            witness=instances.biased_labels,
            erratum=Erratum("then there exists an (lambda alpha, lambda beta, epsilon, delta, O(n/epsilon), "
                            "m)-agnostic-PSSL using F",
                            "Two constants: n does not depend on alpha, agnostic learning takes 1/alpha^2 examples "
                            "(T416). And with delta = 0 the base learner must be proper: point functions on exp(k) "
                            "points have improper pure learners whose n does not depend on k, but an output in F with "
                            "N examples needs exp(k) exp(-N)(1 - lambda beta) <= 1 (group privacy from the database of "
                            "copies of one point to that of another), the third formula.", "gap"),
            repaired_statement="for proper base learners and eps <= 1, with O(n/eps) + m examples in all",
            learners=_BOOST,
            checks=_CHECKS),
    Theorem("beimel2015:ex-rect", "The VC dimension of rectangles is 2l", steps=("XR",),
            against=(Claim("", "", "(2^2 - 1)^2 + 1 < 2^(2*2)"),),
            witness=instances.small_rectangles,
            erratum=Erratum("The VC dimension of this class is 2l",
                            "d = 1, l = 2: 10 concepts on 4 points; the VC dimension is 2.", "edge"),
            repaired_statement="for d >= 2; at most 2l always"),
    Theorem("beimel2015:cor-4.17", "Rectangles with O(l) labels",
            tightness=tightness_of("beimel2015:cor-4.17"), uses=("beimel2015:thm-4.14", "beimel2015:ex-rect"),
            proved_by="repaired",
            cited="Beimel, Nissim & Stemmer 2013 (APPROX-RANDOM): the private learner for rectangles and its running "
                  "time",
            assumptions="sizes as functions of l and d alone"),
    Theorem("beimel2015:cmp-4.a", "The labelled complexity of thm-4.14 does not depend on delta",
            uses=("beimel2015:thm-4.14",), proved_by="repaired",
            assumptions="m as in T414.size: a function of alpha, beta, eps and V"),
    Theorem("beimel2015:cmp-4.b", "LabelBoost on the generic learner against GenericLearner", steps=("CMP.b",),
            uses=("beimel2015:thm-4.14", "beimel2015:thm-B.2"),
            proved_by="repaired", cited="Kasiviswanathan et al. 2008, theorem 3.4"),
    Theorem("beimel2015:cor-4.18", "Pure privacy with VC(C) labels and RepDim(C) examples", uses=("beimel2015:thm-4.14",
        "beimel2015:rem-4.15"),
            proved_by="repaired", cited="Beimel, Nissim & Stemmer 2013 (ITCS), upper bound by RepDim",
            assumptions="sizes as functions of VC(C) and RepDim(C) alone; improper base learners (L412.d as repaired)"),
)

"""beimel2015: the exponential mechanism, sanitising and generalisation (appendices A and B).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
Letters are the paper's: V is the VC dimension, N = #X.
"""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems import appendix_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_ANY = "alpha in (0, 1]; beta in (0, 1); V in Z[1, inf); m in Z[1, inf)"
_HALF = "alpha in (0, 1/2]; beta in (0, 1); V in Z[1, inf); m in Z[1, inf)"
_B4 = "m >= 8/alpha*(V*log(16/alpha) + log(2/beta))"
_B5 = "m >= 48/alpha*(10*V*log(48*e/alpha) + log(5/beta))"
_B6 = "m >= 50*V/alpha^2*log(1/(alpha*beta))"
_B6_LOGS = ("have alpha^2*m >= 50*V*log(1/(alpha*beta))", "have log(1/(alpha*beta)) >= log(1/alpha) + log(1/beta)",
            "have log(1/alpha) >= 69/100", "have log(1/beta) > 0",
            "have V*log(1/(alpha*beta)) >= V*log(1/alpha) + log(1/beta)", "have V*log(1/alpha) >= V*69/100")
#: Markov's inequality, two values at a time: high where the variable is at least t, low elsewhere.
_MARKOV = Claim("p in [0, 1]; t in (0, inf); high in [0, inf); low in [0, inf)", "high >= t",
                "p*high + (1 - p)*low >= p*t")
#: A second sample has at least half of the expected hits with probability 1/2 or more (Cantelli's inequality).
_GHOST = (
    _MARKOV,
    Claim("y in (0, inf); t in (0, inf); u in (0, inf)", "y >= t", "(y + u)^2 >= (t + u)^2"),
    Claim("s in [0, inf); t in (0, inf)", "", "(s + (s/t)^2)/(t + s/t)^2 = s/(s + t^2)"),
    Claim("z in [4, inf)", "", "z/(z + (z/2)^2) <= 1/2"),
)
#: Patterns on 2 m examples, of which P <= 2 m are distinct: thm-B.2 for P > V, 2^V at most otherwise.
_PATTERNS = (
    Claim("m in Z[1, inf); V in Z[1, inf); P in Z[1, inf)", "P <= 2*m", "(e*P/V)^V <= (2*e*m/V)^V",
          ("lemma log_increases x = e*P/V; y = 2*e*m/V",)),
    Claim("m in Z[1, inf); V in Z[1, inf)", "m >= V", "2^V <= (2*e*m/V)^V",
          ("lemma log_increases x = 2; y = 2*e*m/V",)),
)
_NEAR_1 = "It holds for alpha in (0, 1/2] and all beta in (0, 1), with the constant 50."
_SINGLETONS = "C = the singletons of 2000 points, uniform law, f = 0"
_B6_AT_1 = (Claim("", "", "1 >= 50*1/(999/1000)^2*log(1/((999/1000)*(999/1000)))"),
            Claim("", "", "1 - 1/2000 > 999/1000"))
_K_SMALL = Claim("K in [1, inf)", "", "K*(1/exp(-1/(4*K))^2*(1/(4*K))) <= 1", ("have exp(1/(4*K)) <= 13/10",))
#: x = 1/(4 K), N >= 16 K.
_K_FAR = Claim("x in (0, 1/4]; N in Z[1, inf)", "N*x >= 4", "1 - 2/N > exp(-x)",
               ("have 2/N <= x/2", "have exp(-x) < 1 - x/2"))
_TWO_POINTS = (
    Claim("alpha in (0, 1/32)", "", "2 < (2 - 1)/(16*alpha)"),
    Claim("alpha in (0, 1/32); p in [0, 1]", "p >= alpha; p <= 1 - alpha",
          "(p^2 + (1 - p)^2)/2 <= 1/2 - alpha + alpha^2 < 1/2"),
    Claim("alpha in (0, 1/32); p in [0, 1]", "p <= alpha", "p^2/2 <= 1/2 - alpha + alpha^2"),
)

STEPS = (
    # Proposition A.1
    Step("PA1.i",
         claims=(
             Claim("others in Z[0, inf); a in Z[0, 1]; b in Z[0, 1]", "", "abs((others + a) - (others + b)) <= 1"),
             Claim("eps in (0, inf); q in [0, inf); Q in [0, inf)", "abs(q - Q) <= 1",
                   "exp(eps*q/2) <= exp(eps/2)*exp(eps*Q/2)"),
             Claim("E in [1, inf); a in [0, inf); b in [0, inf); A in [0, inf); B in [0, inf)", "a <= E*b; A <= E*B",
                   "a + A <= E*(b + B)"),
             Claim("E in [1, inf); w in (0, inf); v in (0, inf); W in (0, inf); U in (0, inf)", "w <= E*v; U <= E*W",
                   "w/W <= E^2*(v/U)"),
             Claim("eps in (0, inf)", "", "exp(eps/2)^2 = exp(eps)"),
         ),
         because="one entry, point and label, replaced: each q moves by at most 1, each weight by at most E = "
                 "exp(eps/2), their sum too (one hypothesis after the other), a probability by at most E^2, and an "
                 "event's, the sum of its hypotheses', too",
         reading="H is fixed: it does not depend on S"),
    Step("PA1.ii", spelled=(("Pr[error_S(h)>e^+Delta]", "bad/whole"), ("#H", "N"), ("Delta", "D")),
         claims=(
             Claim("m in Z[1, inf); least in [0, 1]; error in [0, 1]; D in (0, inf)", "error > least + D",
                   "m*(1 - error) < m*(1 - least) - D*m", ("have m*error > m*least + m*D",)),
             Claim("eps in (0, inf); right in [0, inf); best in [0, inf); D in (0, inf); m in Z[1, inf)",
                   "right < best - D*m",
                   "exp(eps*right/2) <= exp(-eps*D*m/2)*exp(eps*best/2)"),
             Claim("n in Z[0, inf); bad in [0, inf); w in [0, inf); top in (0, inf)", "bad <= n*top; w <= top",
                   "bad + w <= (n + 1)*top"),
             Claim("N in Z[1, inf); bad in [0, inf); top in (0, inf); whole in (0, inf); eps in (0, inf); "
                   "D in (0, inf); m in Z[1, inf)", "bad <= N*(exp(-eps*D*m/2)*top); whole >= top",
                   "bad/whole <= N*exp(-eps*D*m/2)",
                   ("have N*exp(-eps*D*m/2)*(whole - top) >= 0", "have bad <= N*exp(-eps*D*m/2)*whole")),
         ),
         because="D: Delta; right = m (1 - error) and best = m (1 - least) labels are right; top = exp(eps best/2): "
                 "the weight of a hypothesis of least error, so the whole is at least that; the at most N = #H bad "
                 "ones weigh at most exp(-eps Delta m/2) top each",
         reading="m >= 1: error_S is not defined without entries"),
    # Theorem B.2
    Step("TB2", spelled=(("#Pi_C(B)", "n"), ("#B", "m")),
         claims=(
             Claim("all in Z[0, inf); fewer in Z[0, inf); twice in Z[0, inf); f in [0, inf); g in [0, inf)",
                   "all = fewer + twice; fewer <= f; twice <= g", "all <= f + g"),
             Claim("m in Z[1, inf); i in Z[0, inf); x in [0, inf)", "i <= m",
                   "x + x*(m - i)/(i + 1) = x*(m + 1)/(i + 1)"),
             Claim("m in Z[1, inf); V in Z[1, inf); i in Z[0, inf)", "i <= V; V <= m", "V*log(V/m) <= i*log(V/m)",
                   ("lemma log_below x = V/m", "have V/m <= 1", "have log(V/m) <= 0")),
             Claim("m in Z[1, inf); V in Z[1, inf)", "V <= m", "m*log(1 + V/m) <= V"),
             Claim("m in Z[1, inf); V in Z[1, inf); n in Z[1, inf)", "m > V; log(n) + V*log(V/m) <= V",
                   "n <= (e*m/V)^V"),
         ),
         because="m = #B. Induction over the points: #Pi_C(B) is the number of patterns without a point b (fewer), and "
                 "of those among them that go on with both labels of b (twice), which form a class of dimension at "
                 "most V - 1, as a set that they shatter is shattered by C together with b (without points, or with V "
                 "= 0, there is one pattern); so #Pi_C(B) <= sum_{i<=V} binom(m, i) (the second formula is Pascal's "
                 "rule, x = binom(m, i)). Then (V/m)^V sum_{i<=V} binom(m, i) <= sum_i binom(m, i) (V/m)^i = (1 + "
                 "V/m)^m <= e^V, and the last formula, n = #Pi_C(B)",
         needed="Sauer's lemma from shattered sets up, for every class: by induction over the points, or by shifting"),
    # Theorem B.3
    Step("TB3",
         against=_TWO_POINTS,
         because="V = 2: all four functions on two points of mass p and 1 - p. The learner that labels what its two "
                 "examples show and flips a fair coin for a point not seen fails with probability at most 1/2 - alpha "
                 "+ alpha^2 < 1/2: both examples are at one point, and the coin is wrong for the other, of mass above "
                 "alpha. It has m = 2 examples, fewer than (V - 1)/(16 alpha)",
         witness=instances.coin_for_the_unseen,
         erratum=Erratum(
             quotes="For any (alpha, beta < 1/2, n, m)-SSL for a class C it holds that m >= (VC(C) - 1)/(16 alpha).",
             explanation="With beta close to 1/2 (1/2 - alpha + alpha^2) two examples are enough for V = 2 and any "
                         "alpha. Lower bounds of this form ask for a small beta, and for a small alpha.",
             severity="edge"),
         repair=Repair(
             "for alpha <= 1/8 and beta <= 1/7", "domain",
             claims=(Claim("V in Z[2, inf); alpha in (0, 1/8]", "", "0 < 8*alpha/(V - 1) <= 1"),
                     Claim("u in [0, 1]; m in Z[0, inf)", "", "(1 - u)*(1 - m*u) >= 1 - (m + 1)*u"),
                     Claim("V in Z[2, inf); alpha in (0, 1/8]; m in Z[0, inf)", "m < (V - 1)/(16*alpha)",
                           "1 - m*(8*alpha/(V - 1)) > 1/2"),
                     Claim("unseen in [0, 1]; alpha in (0, 1/8]", "unseen > 1/2", "(1/2)*unseen*(8*alpha) > 2*alpha"),
                     Claim("alpha in (0, 1/8]; mean in [0, 1]; fails in [0, 1]",
                           "mean <= fails*(8*alpha) + (1 - fails)*alpha; mean > 2*alpha", "fails > 1/7")),
             because="V shattered points: one of mass 1 - 8 alpha, the others of mass u = 8 alpha/(V - 1) each, labels "
                     "fair coins. A light point is unseen with probability (1 - u)^m >= 1 - m u > 1/2 (induction over "
                     "m), and its label is then wrong with probability 1/2: the error on the light points is above 2 "
                     "alpha on average and at most 8 alpha, so it is above alpha with probability over 1/7, for some "
                     "labelling too. V = 1: nothing is said",
             downstream="rem-3.a: Omega(VC) holds, for beta <= 1/7.")),
    # Theorems B.4, B.5, B.6
    Step("TB456",
         against=_B6_AT_1,
         because=f"thm-B.6 at alpha = beta = 999/1000, V = 1, m = 1: {_SINGLETONS}: the singleton of the one example "
                 "has empirical error 1 and true error 1/2000, so the event fails with probability 1 > beta",
         witness=instances.singleton_of_the_example,
         erratum=Erratum(
             quotes="For a sample S = (x_i, f(x_i))_{i=1}^m where m >= (50 VC(H)/alpha^2) ln(1/(alpha beta)) and each "
                    "x_i is drawn i.i.d. from mu, it holds that Pr[for all h in H, |error_mu(h, f) - error_S(h)| <= "
                    "alpha] >= 1 - beta.",
             explanation="No range of alpha and beta is printed; as both tend to 1 the size tends to 0 (and for VC(H) "
                         "= 0 it is 0). B.4 and B.5 hold as printed.",
             severity="edge", quality="reading", readings=_NEAR_1),
         repair=Repair(
             "B.4 and B.5 as printed, B.6 for alpha in (0, 1/2]", "domain",
             claims=(
                 _MARKOV, *_PATTERNS,
                 Claim(_HALF, _B6, "1/(4*m)/(alpha/8)^2 <= 1/2", (*_B6_LOGS, "have alpha^2*m >= 32")),
                 Claim("p in [0, 1]", "", "p*(1 - p) <= 1/4"),
                 Claim("s in [0, inf)", "", "(exp(s) + exp(-s))/2 <= exp(s^2/2)"),
                 Claim("m in (0, inf); t in (0, inf)", "", "-(t/m)*t + m*(t/m)^2/2 = -t^2/(2*m)"),
                 Claim("m in (0, inf); alpha in (0, 1/2]", "", "(7/8*alpha*m)^2/(2*m) = 49*alpha^2*m/128"),
                 Claim(_HALF, _B6, "m >= V", (*_B6_LOGS, "have alpha^2*m <= m")),
                 Claim(_HALF, _B6, "log(4) + V*log(2*e*m/V) - 49*alpha^2*m/128 + log(1/beta) <= 0",
                       ("lemma log_tangent x = 2*e*m/V; c = 100*e/alpha^2",
                        "have V*log(2*e*m/V) <= alpha^2*m/50 + V*log(100/alpha^2)", "have V*log(100) <= V*461/100",
                        "have V*log(100/alpha^2) <= V*461/100 + 2*V*log(1/alpha)", "have log(4) <= 139/100",
                        *_B6_LOGS)),
             ),
             because="B.6: given a sample on which some h is off by more than alpha, a second one has it off by at "
                     "most alpha/8 with probability 1/2 or more (Chebyshev's inequality, which is Markov's, the first "
                     "formula, for the square, with variance at most 1/(4m)), so the two halves differ by t = 7 alpha "
                     "m/8 in mistakes. Given the 2m examples, each pair swapped by a fair coin: a pattern does so with "
                     "probability at most 2 exp(-t^2/(2m)) (Markov's inequality for exp((t/m) difference)), and there "
                     "are at most (2 e m/V)^V patterns (thm-B.2, m >= V): in all 4 (2 e m/V)^V exp(-49 alpha^2 m/128) "
                     "<= beta. For B.4 and B.5 see their entries",
             uses=("beimel2015:thm-B.2", "beimel2015:thm-B.4", "beimel2015:thm-B.5"),
             downstream="T33.B6 uses it at (alpha/5, beta/5), thm-A.3 at (alpha/2, 1/2).")),
    # Theorem A.3
    Step("TA3",
         against=(_K_SMALL, _K_FAR),
         because="for every constant K, at alpha = exp(-x), x = 1/(4K), V = 1, the sanitised database has one element. "
                 "The singletons of N >= 16 K points, eps so small that m >= N, S with the N points equally often up "
                 "to one: each is at most 2/N of S, and the singleton of the one element is off by 1 - 2/N > alpha, "
                 "whatever it is",
         reading="O(...) is one constant for all alpha in (0, 1), rounded up; a database has at least one element",
         witness=instances.one_point_for_sixteen,
         erratum=Erratum(
             quotes="for any class of predicates C over a domain X, and any parameters alpha, beta, eps, there exists "
                    "an (alpha, beta, eps, m)-sanitizer for C ... The returned sanitized database contains "
                    "O((VC(C)/alpha^2) log(1/alpha)) elements.",
             explanation="The size tends to 0 (rounded up: 1) as alpha tends to 1.", severity="edge",
             quality="reading",
             readings="It holds for alpha in (0, 1/2], with k = ceil((200 V/alpha^2) ln(4/alpha)) elements."),
         repair=Repair(
             "for alpha in (0, 1/2], with k = ceil((200 V/alpha^2) log(4/alpha)) <= (601 V/alpha^2) log(1/alpha) "
             "elements and m >= (4/(alpha eps)) (k log #X + log(1/beta)), which is at most 2404 times the printed "
             "sum", "domain",
             claims=(
                 Claim("alpha in (0, 1/2]; V in Z[1, inf)", "",
                       "50*V/(alpha/2)^2*log(1/((alpha/2)*(1/2))) = 200*V/alpha^2*log(4/alpha)"),
                 Claim("alpha in (0, 1/2]; V in Z[1, inf); k in Z[1, inf)", "k <= 200*V/alpha^2*log(4/alpha) + 1",
                       "k <= 601*V/alpha^2*log(1/alpha)",
                       ("have log(1/alpha) >= log(2)", "have log(2) >= 69/100", "have log(4/alpha) <= 3*log(1/alpha)",
                        "have 1/alpha^2 >= 4", "have V/alpha^2 >= 4", "have V/alpha^2*log(1/alpha) >= 1",
                        "have V/alpha^2*log(4/alpha) <= V/alpha^2*(3*log(1/alpha))")),
                 Claim("m in Z[1, inf); others in Z[0, inf); a in Z[0, 1]; b in Z[0, 1]", "others <= m - 1",
                       "abs((others + a)/m - (others + b)/m) <= 1/m"),
                 Claim("eps in (0, inf); m in Z[1, inf); q in [0, inf); Q in [0, inf)", "abs(q - Q) <= 1/m",
                       "exp(-eps*m*q/2) <= exp(eps/2)*exp(-eps*m*Q/2)", ("have m*abs(q - Q) <= 1",)),
                 Claim("E in [1, inf); w in (0, inf); v in (0, inf); W in (0, inf); U in (0, inf)",
                       "w <= E*v; U <= E*W",
                       "w/W <= E^2*(v/U)"),
                 Claim("far in [0, 1]; near in [0, 1]; alpha in (0, 1/2]; eps in (0, inf); m in Z[1, inf)",
                       "far > alpha; near <= alpha/2",
                       "exp(-eps*m*far/2) <= exp(-eps*m*alpha/4)*exp(-eps*m*near/2)",
                       ("have far - near >= alpha/2", "have eps*m*(far - near) >= eps*m*(alpha/2)")),
                 Claim("h in [0, inf); beta in (0, 1); eps in (0, inf); alpha in (0, 1/2]; m in Z[1, inf)",
                       "m >= 4/(alpha*eps)*(h + log(1/beta))", "exp(h)*exp(-eps*m*alpha/4) <= beta",
                       ("have m*alpha*eps >= 4*(h + log(1/beta))",
                        "lemma exp_increases x = h - eps*m*alpha/4; y = log(beta)")),
                 Claim("c in [2, inf); B in (0, inf); V in Z[1, inf); k in Z[1, inf); N in Z[1, inf); eps in (0, inf)",
                       "k <= 601*V*c^2*log(c)",
                       "4*c/eps*(k*log(N) + B) <= 2404*(log(N)*V*log(c)*c^3/eps + B/eps*c)",
                       ("have log(N) >= 0", "have k*log(N) <= 601*V*c^2*log(c)*log(N)",
                        "have c/eps*(k*log(N)) <= c/eps*(601*V*c^2*log(c)*log(N))", "have c/eps*B >= 0")),
             ),
             because="thm-B.6 at (alpha/2, 1/2), for f = 0 and the law of an entry of S: some k entries answer every "
                     "query within alpha/2. The exponential mechanism over the N^k databases of k elements, with "
                     "weight exp(-(eps m/2) (largest error)): one entry of S replaced moves each Q_c(S), so the "
                     "largest error too, by at most 1/m: eps-DP as PA1.i; far: the error of a bad database, near: of "
                     "that one; h = k log N; c = 1/alpha, B = log(1/beta)",
             uses=("beimel2015:thm-B.6",), downstream="T33.san: alpha bounded away from 1.")),
)

_DOUBLE = (
    "Proof: z = alpha m >= 4. Given h with error above alpha and no mistake on the sample, y = m error > z: a second "
    "sample has at least y/2 >= z/2 mistakes with probability 1/2 or more (Cantelli's inequality, the first four "
    "formulas, with variance at most y); given the 2m examples, k >= z/2 mistakes all lie in the second half with "
    "probability at most the product of k factors (m - i)/(2m - i) <= 1/2; h xor c has at most (2 e m/V)^V patterns "
    "(thm-B.2, m >= V): in all 2 (2 e m/V)^V exp(-z/4) <= beta, the last formula. For alpha > 1 or beta >= 1 nothing "
    "is said. X is finite, or the events are measurable"
)
_SWAPS = (
    "Proof: as thm-B.4, z = alpha m >= 4. Given c, h with error at least alpha and at most z/10 mistakes on the "
    "sample, a second sample has at least z/2 with probability 1/2 or more. Given the 2m examples in pairs that fair "
    "coins swap: b pairs have two mistakes, a have one, and X of these are in the first half: b + X <= z/10 and b + a "
    "- X >= z/2, so a >= 2z/5, and P[X <= z/10] <= e^(z/10) ((1 + 1/e)/2)^a (Markov's inequality for e^-X) <= "
    "exp(-z/20). C^xor has at most (2 e m/V)^(2V) patterns (pairs, by induction as in O32.sq; thm-B.2, m >= V). For "
    "alpha > 1 or beta >= 1 nothing is said"
)
_CHECKS = ("properties/test_beimel2015.py", "tests/papers/beimel2015/test_beimel2015.py")

THEOREMS = (
    Theorem("beimel2015:prop-A.1", "The exponential mechanism: privacy and utility",
            bounds=bounds_of("beimel2015", "base"), assumptions="H finite and fixed; m >= 1",
            steps=("PA1.i", "PA1.ii"), learners=("dpcheck.papers.beimel2015.learners:ExponentialLearner",),
            checks=("properties/test_exponential.py", *_CHECKS)),
    Theorem("beimel2015:def-A.2", "Sanitiser", stated=True, uses=("beimel2015:def-2.1",)),
    Theorem("beimel2015:thm-A.3", "The sanitiser of Blum, Ligett & Roth", assumptions="any alpha, beta, eps",
            steps=("TA3",),
            uses=("beimel2015:thm-B.6",), against=(_K_SMALL, _K_FAR), witness=instances.one_point_for_sixteen,
            erratum=Erratum(
                "For any class of predicates C over a domain X, and any parameters alpha, beta, eps, there exists an "
                "(alpha, beta, eps, m)-sanitizer for C ... The returned sanitized database contains O((VC(C)/alpha^2) "
                "log(1/alpha)) elements.",
                "As alpha tends to 1 that is one element, and no element is within alpha of a database that has each "
                "of N points about equally often, for the singletons.", "edge", "reading",
                "It holds for alpha in (0, 1/2], with k = ceil((200 V/alpha^2) ln(4/alpha)) elements."),
            repaired_statement="for alpha in (0, 1/2], with k = ceil((200 V/alpha^2) log(4/alpha)) elements and m >= "
                               "(4/(alpha eps)) (k log #X + log(1/beta))",
            learners=("dpcheck.parts.mechanisms.sanitisers:BlumLigettRoth",),
            checks=("properties/test_sanitising.py", *_CHECKS)),
    Theorem("beimel2015:def-B.1", "VC dimension", stated=True),
    Theorem("beimel2015:thm-B.2", "Sauer's lemma", assumptions="#B > V >= 1", steps=("TB2",),
            checks=("properties/test_classes.py", "tests/papers/beimel2015/test_beimel2015_theorems_appendix.py")),
    Theorem("beimel2015:thm-B.3", "Labelled examples that any learner needs",
            bounds=bounds_of("beimel2015", "labelled_necessary"), assumptions="beta < 1/2", steps=("TB3",),
            against=_TWO_POINTS, witness=instances.coin_for_the_unseen,
            erratum=Erratum(
                "For any (alpha, beta < 1/2, n, m)-SSL for a class C it holds that m >= (VC(C) - 1)/(16 alpha).",
                "All four functions on two points, m = 2, a fair coin for a point not seen: it fails with probability "
                "at most 1/2 - alpha + alpha^2, and 2 < 1/(16 alpha) for alpha < 1/32.", "edge"),
            repaired_statement="for alpha <= 1/8 and beta <= 1/7"),
    Theorem("beimel2015:thm-B.4", "Generalisation of consistent hypotheses", assumptions=_DOUBLE,
            uses=("beimel2015:thm-B.2",),
            claims=(*_GHOST, *_PATTERNS,
                    Claim("n in Z[1, inf); i in Z[0, inf)", "i < n", "(n - i)/(2*n - i) <= 1/2"),
                    Claim("z in [0, inf)", "", "2^(-z/2) <= exp(-z/4)", ("have log(2) >= 1/2",)),
                    Claim(_ANY, _B4, "alpha*m >= 4",
                          ("have alpha*m >= 8*(V*log(16/alpha) + log(2/beta))", "have log(16/alpha) >= 1",
                           "have log(2/beta) > 0")),
                    Claim(_ANY, _B4, "m >= V",
                          ("have alpha*m >= 8*(V*log(16/alpha) + log(2/beta))", "have log(16/alpha) >= 1",
                           "have log(2/beta) > 0",
                           "have V*log(16/alpha) >= V")),
                    Claim(_ANY, _B4, "log(2) + V*log(2*e*m/V) - alpha*m/4 + log(1/beta) <= 0",
                          ("have alpha*m >= 8*(V*log(16/alpha) + log(2/beta))",
                           "lemma log_tangent x = 2*e*m/V; c = 16*e/alpha",
                           "have V*log(2*e*m/V) <= alpha*m/8 + V*log(16/alpha)")))),
    Theorem("beimel2015:thm-B.5", "Generalisation of nearly consistent pairs", assumptions=_SWAPS,
            uses=("beimel2015:thm-B.2",),
            claims=(*_GHOST, *_PATTERNS,
                    Claim("n in Z[0, inf); seen in Z[0, inf); new in Z[0, inf)", "seen <= n^2; new <= 2*n + 1",
                          "seen + new <= (n + 1)^2"),
                    Claim("b in [0, inf); x in [0, inf); a in [0, inf); z in [0, inf)",
                          "b + x <= z/10; b + a - x >= z/2",
                          "a >= 2*z/5"),
                    Claim("a in [0, inf); z in [0, inf)", "a >= 2*z/5",
                          "a*log((1 + exp(-1))/2) <= (2*z/5)*log((1 + exp(-1))/2)"),
                    Claim("z in [0, inf)", "", "z/10 + (2*z/5)*log((1 + exp(-1))/2) <= -z/20"),
                    Claim(_ANY, _B5, "alpha*m >= 4",
                          ("have alpha*m >= 48*(10*V*log(48*e/alpha) + log(5/beta))", "have log(48*e/alpha) >= 1",
                           "have log(5/beta) > 0")),
                    Claim(_ANY, _B5, "m >= V",
                          ("have alpha*m >= 48*(10*V*log(48*e/alpha) + log(5/beta))", "have log(48*e/alpha) >= 1",
                           "have log(5/beta) > 0", "have V*log(48*e/alpha) >= V")),
                    Claim(_ANY, _B5, "log(2) + 2*V*log(2*e*m/V) - alpha*m/20 + log(1/beta) <= 0",
                          ("lemma log_tangent x = 2*e*m/V; c = 160*e/alpha",
                           "have 2*V*log(2*e*m/V) <= alpha*m/40 + 2*V*log(160/alpha)", "have V*log(160) <= V*508/100",
                           "have alpha*m >= 48*(10*V*log(48*e/alpha) + log(5/beta))", "have log(1/alpha) >= 0",
                           "have log(1/beta) > 0", "have log(2) <= 7/10", "have log(5) >= 1",
                           "have V*log(1/alpha) >= 0",
                           "have V*log(48) >= V*387/100", "have 2*V*log(160/alpha) <= V*1016/100 + 2*V*log(1/alpha)",
                           "have alpha*m/40 >= 12*(V*487/100 + V*log(1/alpha)) + 6/5 + 6/5*log(1/beta)")))),
    Theorem("beimel2015:thm-B.6", "Uniform convergence", assumptions="any alpha, beta", steps=("TB456",),
            against=_B6_AT_1,
            witness=instances.singleton_of_the_example,
            erratum=Erratum(
                "For a sample S = (x_i, f(x_i))_{i=1}^m where m >= (50 VC(H)/alpha^2) ln(1/(alpha beta)) ... it holds "
                "that Pr[for all h in H, |error_mu(h, f) - error_S(h)| <= alpha] >= 1 - beta.",
                f"alpha = beta = 999/1000, m = 1: {_SINGLETONS}: the singleton of the one example is off by 1 - "
                "1/2000.",
                "edge", "reading", _NEAR_1),
            repaired_statement="for alpha in (0, 1/2]"),
)

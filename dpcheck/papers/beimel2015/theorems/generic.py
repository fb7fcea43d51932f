"""beimel2015: the generic learner and the tools of the appendices (sections 2 and 3, appendices A and B).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
Letters are the paper's: V is VC(C), l = #B, k = #D~, E = exp(eps); in errors of a hypothesis, es is error_S, ed
error_D, et error_{D~} and emu error_mu.
"""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems import generic_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of, tightness_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: What obs-3.2 needs of Sauer's lemma (thm-B.2).
_SAUER = "beimel2015:thm-B.2"
_BIG_SETS = "It holds for #B > V, which is all that the conclusion needs (#B = 10 V)."
_NEAR_1 = "It holds for alpha in (0, 1/2], with explicit constants."
#: c = 1/alpha, B = log(1/beta): the sizes of thm-3.3 without the common factor 1/eps.
_ROOM = "c in [2, inf); B in (0, inf); V in Z[1, inf)"
_LOGS = ("have log(c) >= 69/100", "have V*c^3*log(c) >= 4*V*c*log(c)", "have V*c*log(c) >= V*c*69/100",
         "have V*c >= c")

STEPS = (
    # Observation 3.2
    Step("O32.proj",
         claims=(Claim("h in Z[0, 1]; f in Z[0, 1]", "", "abs(h - f) = h + f - 2*h*f"),),
         because="h, f: the values at a point b of B. (h xor f)(b), which is 1 where they differ, is the bitwise sum "
                 "of the two labels; so coordinate by coordinate both sides are the image of C x C under the same map"),
    Step("O32.sq",
         claims=(Claim("n in Z[0, inf); seen in Z[0, inf); new in Z[0, inf)", "seen <= n^2; new <= 2*n + 1",
                       "seen + new <= (n + 1)^2"),),
         because="induction over the n patterns of Pi_C(B): one pattern more adds at most 2 n + 1 ordered pairs, so at "
                 "most so many XORs; without patterns there is none"),
    Step("O32.sauer", spelled=(("#Pi_C(B)", "(2^l)"), ("2V", "2 V")),
         claims=(Claim("V in Z[1, inf); l in Z[1, inf)", "l <= V", "(2^l)^2 <= (e*l/V)^(2*V)"),),
         because="all functions on V points have 2^l patterns on l <= V of them",
         erratum=Erratum(
             quotes="Now note that for every B = {b_1, ..., b_l} ⊆ X_d ... Therefore, by Sauer's lemma B.2, "
                    "|Pi_{C^xor}(B)| <= |Pi_C(B)|^2 <= (e l/VC(C))^{2VC(C)}.",
             explanation="Sauer's lemma in this form needs #B > V (as thm-B.2 says): at l = 1, V = 2 the left side is "
                         "4 and the right one 3.41.", severity="slip", quality="reading", readings=_BIG_SETS),
         repair=Repair("#Pi_C(B)^2 <= (e l/V)^(2V) for l > V", "domain",
                       claims=(Claim("p in [0, inf); s in (0, inf)", "p <= s", "p^2 <= s^2"),
                               Claim("V in Z[1, inf); l in Z[1, inf)", "l > V",
                                     "((e*l/V)^V)^2 = (e*l/V)^(2*V)")),
                       because="thm-B.2, squared", uses=(_SAUER,),
                       downstream="nothing: the conclusion uses l >= 10 V.")),
    Step("O32.need", spelled=(("2V", "2 V"),),
         claims=(Claim("V in Z[1, inf); l in Z[1, inf)", "l <= V", "(e*l/V)^(2*V) >= 2^l"),),
         because="C all functions on V points: C^xor = C shatters each set of l <= V of them",
         erratum=Erratum(
             quotes="Hence, for C^xor to shatter a subset B ⊆ X_d of size l it must be that (e l/VC(C))^{2VC(C)} >= "
                    "2^l.",
             explanation="As O32.sauer: with V = 3, l = 1 the left side is 0.55, the right one 2.", severity="slip",
             quality="reading", readings=_BIG_SETS),
         repair=Repair("for l > V", "domain",
                       claims=(Claim("n in [0, inf); p in [0, inf); s in [0, inf)", "n <= p; p <= s", "n <= s"),),
                       because="n = 2^l patterns of C^xor on a shattered B, at most p = #Pi_C(B)^2, at most s = (e "
                               "l/V)^(2V)",
                       uses=(_SAUER,), downstream="nothing: the conclusion uses l >= 10 V.")),
    Step("O32.ten", spelled=(("2V", "2 V"),),
         claims=(Claim("V in Z[1, inf); l in Z[1, inf)", "l >= 10*V", "(e*l/V)^(2*V) < 2^l",
                       ("lemma log_tangent x = e*l/V; c = 10*e", "have log(10) <= 231/100",
                        "have log(2) >= 69/100")),)),
    Step("O32.end",
         claims=(Claim("V in Z[1, inf); W in Z[1, inf)", "W*log(2) <= 2*V*log(e*W/V)", "W <= 10*V",
                       ("lemma log_tangent x = e*W/V; c = 10*e", "have log(10) <= 231/100", "have log(2) >= 69/100")),
                 Claim("V in Z[1, inf); W in Z[0, inf)", "W <= V", "W <= 10*V")),
         because="W = VC(C^xor): a shattered set of W points; for W > V O32.need holds at l = W, and the assumption is "
                 "its logarithm"),
    # Theorem 3.3
    Step("T33.priv",
         claims=(Claim("w in [0, 1]; E in [1, inf); p1 in [0, 1]; p2 in [0, 1]; q1 in [0, 1]; q2 in [0, 1]",
                       "p1 <= E*q1; p2 <= E*q2", "w*p1 + (1 - w)*p2 <= E*(w*q1 + (1 - w)*q2)"),
                 Claim("E in [1, inf); r1 in [0, 1]; r2 in [0, 1]; s1 in [0, 1]; s2 in [0, 1]; t1 in [0, 1]; "
                       "t2 in [0, 1]",
                       "r1 <= E*s1; r2 <= E*s2", "r1*t1 + r2*t2 <= E*(s1*t1 + s2*t2)")),
         because="E = exp(eps), two values of D~ at a time. An entry of S replaced: the law of H is the same (w) and "
                 "given H an event's probability moves from q to at most E q. One of D replaced: each D~ has r <= E s, "
                 "and t, the event's probability given D~, is the same. An entry is in one of S and D only: its "
                 "position says which",
         reading="the arbitrary concept of step 4 is a function of B, z and public coins: the proof says that D is "
                 "only accessed via a sanitiser, and S only by the choice (a concept chosen by who sees D would give D "
                 "away). S and D are the first m and the last n - m entries, whatever labels they carry",
         uses=("beimel2015:prop-A.1",)),
    Step("T33.k",
         because="W = VC(C^xor), the constant 10",
         reading="the first relation is alg-1's choice of the size of D~; whether a D~ of that size can be accurate is "
                 "T33.san",
         uses=("beimel2015:obs-3.2",)),
    Step("T33.hstar", spelled=(("error_{D~}(h*,c)", "wrong + abs(h-c)"),),
         claims=(Claim("wrong in Z[0, inf); h in Z[0, 1]; c in Z[0, 1]", "wrong = 0; h = c",
                       "wrong + abs(h - c) = 0"),),
         because="H has a concept for the dichotomy of c on B, and every entry of D~ is in B: induction over the "
                 "entries of D~, of which there is at least one"),
    Step("T33.a", spelled=(("error_S(h*)", "es"),),
         claims=(Claim("es in [0, 1]; et in [0, 1]; alpha in (0, 1)", "et <= 0; abs(es - et) <= 3*alpha/5",
                       "es <= 3*alpha/5"),),
         because="E1 for h*, whose error on D~ is 0"),
    Step("T33.b", spelled=(("error_S(h)", "es"), ("3alpha", "3 alpha")),
         claims=(Claim("es in [0, 1]; least in [0, 1]; star in [0, 1]; alpha in (0, 1)",
                       "es <= alpha/5 + least; least <= star; star <= 3*alpha/5",
                       "es <= alpha/5 + 3*alpha/5 = 4*alpha/5"),),
         because="E2, and the least error on S in H is at most that of h*"),
    Step("T33.c", spelled=(("error_mu(c,h)", "emu"),),
         claims=(Claim("small in Z[0, 1]; emu in [0, 1]; alpha in (0, 1)", "emu <= alpha + (1 - small); small >= 1",
                       "emu <= alpha"),),
         because="small: whether error_S(h) <= 4 alpha/5, which T33.b says of the concept put out; the first "
                 "assumption is E3: nothing is said of an h that is not small"),
    Step("T33.B6",
         against=(Claim("alpha in (0, 1)", "", "1/2 > alpha/5"), Claim("beta in (0, 1)", "", "1 > 2*beta/5")),
         because="n = m + 1, so that D has one entry, with m as large as one likes: C = {0, 1_b}, c = 0, mu(b) = 1/2: "
                 "error_D (1_b, c) is 0 or 1 and error_mu(1_b, c) = 1/2, so (3) fails with probability 1",
         witness=instances.one_unlabelled_entry,
         erratum=Erratum(
             quotes="by setting n and m to be at least (1250/alpha^2) VC(C) ln(25/(alpha beta)), Theorem B.6 ensures "
                    "that with probability at least (1 - (2/5) beta), for every h in C the following two inequalities "
                    "hold.",
             explanation="n is the number of all entries; (3) is about D, which has n - m of them.", severity="slip",
             quality="reading",
             readings="It holds with n for the number of entries of D, as definition 2.4 has it; the next line writes "
                      "n - m."),
         repair=Repair(
             "n - m and m at least (1250/alpha^2) V ln(25/(alpha beta))", "assumption",
             claims=(Claim("alpha in (0, 1); beta in (0, 1); V in Z[1, inf)", "",
                           "1250/alpha^2*V*log(25/(alpha*beta)) = 50*V/(alpha/5)^2*log(1/((alpha/5)*(beta/5)))"),
                     Claim("alpha in (0, 1)", "", "alpha/5 <= 1/2"),
                     Claim("s in [0, 1]; d in [0, 1]; both in [0, 1]; beta in (0, 1)",
                           "s <= beta/5; d <= beta/5; both <= s + d", "1 - both >= 1 - 2/5*beta")),
             because="thm-B.6 at (alpha/5, beta/5) for S and for D, and alpha/5 is where it holds",
             uses=("beimel2015:thm-B.6",),
             downstream="that the sizes meet it is T33.all's; nothing else changes.")),
    Step("T33.const", spelled=(("(alpha/5)(beta/5)", "(alpha/5) (beta/5)"),),
         claims=(Claim("alpha in (0, 1); beta in (0, 1)", "", "25/(alpha*beta) = 1/((alpha/5)*(beta/5))"),
                 Claim("", "", "1250 = 50*25"))),
    Step("T33.E3",
         claims=(Claim("es in [0, 1]; emu in [0, 1]; alpha in (0, 1)", "abs(es - emu) <= alpha/5; es <= 4*alpha/5",
                       "emu <= alpha"),),
         because="es, emu: the errors of a concept of H on S and under mu; (2) says that they are within alpha/5"),
    Step("T33.n1",
         because="W = VC(C^xor), the constant 10; log #X_d is at most d",
         reading="the first relation sets the size; whether it suffices is T33.san", uses=("beimel2015:obs-3.2",)),
    Step("T33.san",
         against=(Claim("K in [1, inf)", "", "K*(2/exp(-1/(4*K))^2*(1/(4*K))) <= 1", ("have exp(1/(4*K)) <= 13/10",)),
                  Claim("alpha in (0, 1)", "", "1 - 2/8 > alpha/5")),
         because="for every constant K of the size of D~, at alpha = exp(-1/(4K)), V = 1 and VC(C^xor) = 2 that size "
                 "is 1. C = {1_x : x in X_3}, D (as large as one likes) has each of the 8 points equally often: "
                 "whichever point x D~ is, g = 1_x xor 1_y has Q_g(D~) = 1 and Q_g(D) = 2/8",
         reading="the probability is over the sanitiser's coins, for every D, as in thm-A.3; O(...) is one constant "
                 "for all alpha in (0, 1), rounded up",
         witness=instances.one_point_for_eight, uses=("beimel2015:thm-A.3",),
         erratum=Erratum(
             quotes="Theorem A.3 ensures that with probability at least (1 - beta/5) for every (h xor f) in C^xor ... "
                    "it holds that alpha/5 >= |Q_{(h xor f)}(D) - Q_{(h xor f)}(D~)|",
             explanation="#D~ = O((V/alpha^2) log(1/alpha)) is 1 for alpha near 1, while an accuracy of alpha/5 < 1/5 "
                         "is asked for: the size should have log(1/(alpha/5)).", severity="edge", quality="reading",
             readings=_NEAR_1),
         repair=Repair(
             "for alpha in (0, 1/2], with k = ceil((50000 V/alpha^2) log(20/alpha)) and n - m >= (20/(alpha eps)) (k "
             "log #X_d + log(5/beta)), which is at most 5600000 (d V log(1/alpha)/(alpha^3 eps) + log(1/beta)/(eps "
             "alpha))", "domain",
             claims=(Claim("V in Z[1, inf); W in Z[0, inf); alpha in (0, 1/2]", "W <= 10*V",
                           "200*W/(alpha/5)^2*log(4/(alpha/5)) <= 50000*V/alpha^2*log(20/alpha)",
                           ("have log(20/alpha) > 0", "have W/alpha^2 <= 10*V/alpha^2",
                            "have W/alpha^2*log(20/alpha) <= 10*V/alpha^2*log(20/alpha)")),
                     Claim("c in [2, inf); V in Z[1, inf); k in Z[1, inf)", "k <= 50000*V*c^2*log(20*c) + 1",
                           "k <= 270000*V*c^2*log(c)",
                           ("have log(c) >= 69/100", "have log(20) <= 3", "have log(20*c) <= 536/100*log(c)",
                            "have V*c^2 >= 4", "have V*c^2*log(c) >= 1",
                            "have V*c^2*log(20*c) <= V*c^2*(536/100*log(c))")),
                     Claim("c in [2, inf); B in (0, inf); V in Z[1, inf); k in Z[1, inf); d in Z[1, inf)",
                           "k <= 270000*V*c^2*log(c)",
                           "20*c*(k*d*log(2) + log(5) + B) <= 5600000*(d*V*c^3*log(c) + c*B)",
                           ("have log(c) >= 69/100", "have log(2) <= 7/10", "have log(5) <= 17/10",
                            "have k*d <= 270000*V*c^2*log(c)*d",
                            "have k*d*log(2) <= 189000*V*c^2*log(c)*d", "have c*k*d*log(2) <= 189000*V*c^3*log(c)*d",
                            "have V*d >= 1", "have c^3*log(c) >= 2*c", "have V*d*c^3*log(c) >= 2*c"))),
             because="c = 1/alpha, B = log(1/beta), both sides times eps; thm-A.3 as repaired at (alpha/5, beta/5) for "
                     "C^xor, of dimension W <= 10 V; Q_{h xor f}(D) = error_D(h, f) point by point (O32.proj)",
             uses=("beimel2015:thm-A.3", "beimel2015:obs-3.2"), downstream="thm-3.3 needs alpha bounded away from 1.")),
    Step("T33.(4)", spelled=(("abs(error_D(h,c)-error_{D~}(h,c))", "gap"),),
         claims=(Claim("gap in [0, 1]; worst in [0, 1]; alpha in (0, 1)", "gap <= worst; worst <= alpha/5",
                       "gap <= alpha/5"),),
         because="worst: over all h, f in C (T33.san); gap: f = c, which is in C",
         reading="\"in particular\": what follows from T33.san"),
    Step("T33.tri",
         claims=(Claim("es in [0, 1]; ed in [0, 1]; et in [0, 1]; emu in [0, 1]; alpha in (0, 1)",
                       "abs(es - emu) <= alpha/5; abs(ed - emu) <= alpha/5; abs(ed - et) <= alpha/5",
                       "abs(es - et) <= 3*alpha/5"),
                 Claim("first in [0, 1]; second in [0, 1]; either in [0, 1]; beta in (0, 1)",
                       "first <= 2/5*beta; second <= beta/5; either <= first + second", "1 - either >= 1 - 3*beta/5")),
         because="first: (2) or (3) fails; second: (4) fails; E3 is T33.E3"),
    Step("T33.em", spelled=(("Pr[E2]", "1-fails"), ("#H", "N")),
         claims=(Claim("fails in [0, 1]; N in Z[1, inf); eps in (0, inf); alpha in (0, 1); m in Z[1, inf)",
                       "fails <= N*exp(-eps*(alpha/5)*m/2)", "1 - fails >= 1 - N*exp(-eps*alpha*m/10)",
                       ("have exp(-eps*(alpha/5)*m/2) = exp(-eps*alpha*m/10)",)),),
         because="N = #H; prop-A.1 at Delta = alpha/5, given D~", uses=("beimel2015:prop-A.1",)),
    Step("T33.H",
         claims=(Claim("N in Z[1, inf); b in Z[0, inf)", "N <= 2^b", "log(N) <= b",
                       ("lemma log_increases x = N; y = 2^b", "have log(2) <= 1")),
                 Claim("b in Z[0, inf); k in Z[0, inf); new in Z[0, 1]", "b <= k", "b + new <= k + 1")),
         because="#H = #Pi_C(B) <= 2^(#B); an entry more adds at most one distinct point; T33.k",
         uses=("beimel2015:obs-3.2",)),
    Step("T33.m",
         against=(Claim("K in [1, inf); eps in (0, inf); m in [0, inf)",
                        "m < K*(1/(exp(-1/(8*K))^3*eps)*(1/(8*K)) + 1/(exp(-1/(8*K))*eps)*(1/(8*K))) + 1; eps = 1/10",
                        "1/(1 + exp(eps*m/2)) > 1/5", ("have exp(1/(8*K)) <= 114/100", "have m <= 5")),),
         because="for every constant K, at alpha = beta = exp(-1/(8K)), eps = 1/10, V = 1: C = {0, 1}, c = 0, B not "
                 "empty, so H = C; the constant 1 errs on all of S, and is chosen with probability 1/(1 + exp(eps "
                 "m/2)) > 1/5 > beta/5",
         reading="m equal to its O(...) with one constant for all alpha, beta in (0, 1), rounded up",
         witness=instances.wrong_constant,
         erratum=Erratum(
             quotes="Therefore, for m >= O((VC(C)/(alpha^3 eps)) log(1/alpha) + (1/(alpha eps)) log(1/beta)), Event "
                    "E_2 occurs with probability at least (1 - beta/5).",
             explanation="#H exp(-eps alpha m/10) <= beta/5 asks for log(5/beta), and the size tends to 0 (rounded up: "
                         "eps m does) as alpha and beta tend to "
                         "1.", severity="edge", quality="reading", readings=_NEAR_1),
         repair=Repair(
             "for alpha in (0, 1/2], m >= 2000000 ((V/(alpha^3 eps)) log(1/alpha) + (1/(alpha eps)) log(1/beta))",
             "domain",
             claims=(Claim("c in [2, inf); B in (0, inf); V in Z[1, inf); k in Z[1, inf)", "k <= 270000*V*c^2*log(c)",
                           "10*c*(k*log(2) + log(5) + B) <= 2000000*(V*c^3*log(c) + c*B)",
                           ("have log(c) >= 69/100", "have log(2) <= 7/10", "have log(5) <= 17/10",
                            "have k*log(2) <= 189000*V*c^2*log(c)", "have c*k*log(2) <= 189000*V*c^3*log(c)",
                            "have c^3*log(c) >= 2*c", "have V*c^3*log(c) >= 2*c")),
                     Claim("h in [0, inf); beta in (0, 1); eps in (0, inf); alpha in (0, 1/2]; m in Z[1, inf)",
                           "m >= 10/(alpha*eps)*(h + log(5/beta))", "exp(h)*exp(-eps*alpha*m/10) <= beta/5",
                           ("have m*alpha*eps >= 10*(h + log(5/beta))",
                            "lemma exp_increases x = h - eps*alpha*m/10; y = log(beta/5)"))),
             because="c = 1/alpha, B = log(1/beta), both sides of the first times eps; k as in T33.san, h = log #H <= "
                     "k log 2",
             downstream="T33.all.")),
    Step("T33.all",
         against=(Claim("K in Z[1, inf)", "",
                        "1250*K/(1/2)^2*log(25/((1/2)*exp(-K))) > K*(K/(1/2)^3*log(2) + 1/(1/2)*K) + 1",
                        ("have log(50) > 3", "have log(2) <= 7/10")),
                  Claim("K in [1, inf); x in [0, inf); m in [0, inf); L in [0, inf)",
                        "L <= 8*K - 1; m <= K*(L*(8*K)^3 + 8*K*x) + 1; x >= 200*K^3",
                        "2*m/(8*K)^2 + 2*log(2) < x + log(5/2)",
                        ("have 2*log(2) <= 14/10 + log(5/2)", "have K^2*L <= K^2*(8*K - 1)", "have K^3 >= 1",
                         "have K^2 >= 1",
                         "have 2*m/(8*K)^2 <= 16*K^2*L + x/4 + 1/32")),
                  Claim("K in [1, inf)", "", "log(8*K) <= 8*K - 1", ("lemma log_below x = 8*K",)),
                  Claim("K in [1, inf); m in [0, inf)", "m >= K*(log(8*K)*(8*K)^3)",
                        "1/(4*m)/((3/10)*(1/(8*K)))^2 <= 1/2",
                        ("have log(8*K) >= 2", "have m >= 1024*K^4", "have K^4 >= K^2", "have m >= 1024*K^2")),
                  Claim("a in (0, 1/8]", "",
                        "(1/2 - a/2)*log((1/2 - a/2)/(1/2)) + (1/2 + a/2)*log((1/2 + a/2)/(1/2)) <= a^2",
                        ("lemma log_below x = (1/2 - a/2)/(1/2)", "lemma log_below x = (1/2 + a/2)/(1/2)",
                         "have (1/2 - a/2)*log((1/2 - a/2)/(1/2)) <= (1/2 - a/2)*(-a)",
                         "have (1/2 + a/2)*log((1/2 + a/2)/(1/2)) <= (1/2 + a/2)*a")),
                  Claim("x in (0, inf); r in (0, inf)", "", "x*log(x) >= x*log(r) + x - r",
                        ("lemma log_below x = r/x", "lemma log_quotient_below x = r; y = x",
                         "have log(r) - log(x) <= r/x - 1", "have x*(log(r) - log(x)) <= r - x")),
                  Claim("Q in (0, 1)", "", "Q*log(Q) + (1 - Q)*log(1 - Q) >= -log(2)",
                        ("lemma log_below x = (1/2)/Q", "lemma log_below x = (1/2)/(1-Q)",
                         "have Q*log((1/2)/Q) <= 1/2 - Q",
                         "have (1-Q)*log((1/2)/(1-Q)) <= 1/2 - (1 - Q)")),
                  Claim("Q in [1/2, 1); u in [0, inf); w in [0, inf); h in [-1, 0]; D in [0, inf)",
                        "h >= -log(2); h + Q*u + (1 - Q)*w <= D", "u <= 2*D + 2*log(2)",
                        ("have (1-Q)*w >= 0", "have Q*u <= D + log(2)", "have Q*u >= u/2"))),
         because="for every constant K, at alpha = 1/2, eps = 1, V = K, beta = exp(-K) the size m that step 13 asks "
                 "for (left) is above this line's m, rounded up (right). And (2) itself fails with a probability above "
                 "2 beta/5 at V = 1, eps = 1, alpha = 1/(8K), x = log(1/beta) >= 200 K^3: let error_mu(h, c) = 1/2; "
                 "where each example is wrong with probability 1/2 - alpha/2 instead, the event that error_S < 1/2 - "
                 "alpha/5 has a probability Q >= 1/2 (Chebyshev), and the divergence D is at most alpha^2 per example. "
                 "The sixth formula, times b and summed over the atoms of the event (a and b: an atom's probability in "
                 "the second and the first law, x = a/b, r: their sums' ratio) and over the others, gives D >= h + Q u "
                 "+ (1 - Q) w, where h = Q log(Q) + (1 - Q) log(1 - Q) and the event's probability is exp(-u) >= "
                 "exp(-2 m alpha^2 - 2 log 2), above 2 beta/5 (L = log(8K))",
         reading="the three requirements on m are met together by the size printed here, with one constant for all "
                 "alpha, beta, eps",
         erratum=Erratum(
             quotes="All in all, setting n >= O((d VC(C) log(1/alpha))/(alpha^3 eps) + log(1/beta)/(eps alpha)), and m "
                    ">= O((VC(C)/(alpha^3 eps)) log(1/alpha) + (1/(alpha eps)) log(1/beta)), ensures that the "
                    "probability of GenericLearner failing to output an alpha-good hypothesis is at most beta.",
             explanation="Theorem B.6 needs (V/alpha^2) ln(1/beta) entries, and (1/(alpha eps)) log(1/beta) is less by "
                         "any factor when V or 1/alpha is large and beta far below alpha (at eps = 1). For large eps "
                         "the size is even 1, whatever V and alpha are, and then the conclusion fails (see thm-3.3).",
             severity="gap", quality="reading",
             readings="With constants that depend on alpha, V and eps it holds. For eps <= 1 and alpha <= 1/2 the "
                      "conclusion holds by another argument (repair)."),
         repair=Repair(
             "for alpha in (0, 1/2] and eps in (0, 1]: a sanitiser of accuracy alpha/400, and thm-B.5 in place of "
             "thm-B.6, m = ceil(2*10^11 (...)) and n >= 10^13 (...) suffice", "statement",
             claims=(
                 Claim("X in [1, inf); Y in [1, inf); m in [0, inf); more in [0, inf)", "X <= Y; m <= 2*10^11*X + 1",
                       "(10^13*Y + more) - m >= 5*10^12*Y"),
                 Claim("p in [0, 1]; t in (0, inf); high in [0, inf); low in [0, inf)", "high >= t",
                       "p*high + (1 - p)*low >= p*t"),
                 Claim("ed in [0, 1]; et in [0, 1]; eta in (0, 1)", "et <= 0; abs(ed - et) <= eta",
                       "ed <= (10*eta)/10"),
                 Claim("x in [0, inf)", "", "1 + x <= exp(x)"),
                 Claim("z in [0, inf)", "", "-(z/20)*log(2) + z/40 <= -z/120"),
                 Claim("es in [0, 1]; star in [0, 1]; alpha in (0, 1/2]", "star <= alpha/20; es <= star + alpha/20",
                       "es <= alpha/10"),
                 Claim("f1 in [0, 1]; f2 in [0, 1]; f3 in [0, 1]; f4 in [0, 1]; f5 in [0, 1]; any in [0, 1]; "
                       "beta in (0, 1)",
                       "f1 <= beta/5; f2 <= beta/5; f3 <= beta/5; f4 <= beta/5; f5 <= beta/5; "
                       "any <= f1 + f2 + f3 + f4 + f5",
                       "any <= beta"),
                 Claim("c in [2, inf); V in Z[1, inf); k in Z[1, inf)", "k <= 200*(10*V)*(400*c)^2*log(1600*c) + 1",
                       "k <= 4*10^9*V*c^2*log(c)",
                       ("have log(c) >= 69/100", "have log(1600) <= 74/10", "have log(1600*c) <= 12*log(c)",
                        "have V*c^2 >= 4", "have V*c^2*log(c) >= 1", "have V*c^2*log(1600*c) <= V*c^2*(12*log(c))")),
                 Claim(_ROOM, "", "48*c*(10*V*log(48*e*c) + log(25) + B) <= 10^5*(V*c^3*log(c) + c*B)",
                       (*_LOGS, "have log(48) <= 39/10", "have log(48*e*c) <= 9*log(c)", "have log(25) <= 33/10",
                        "have V*c*log(48*e*c) <= V*c*(9*log(c))")),
                 Claim(_ROOM, "", "120*c*(log(5) + B) <= 10^5*(V*c^3*log(c) + c*B)", (*_LOGS, "have log(5) <= 17/10")),
                 Claim(_ROOM, "", "48*40*c*(10*V*log(48*e*40*c) + log(25) + B) <= 10^6*(V*c^3*log(c) + c*B)",
                       (*_LOGS, "have log(48*40) <= 76/10", "have log(48*e*40*c) <= 14*log(c)", "have log(25) <= 33/10",
                        "have V*c*log(48*e*40*c) <= V*c*(14*log(c))")),
                 Claim(f"{_ROOM}; k in Z[1, inf)", "k <= 4*10^9*V*c^2*log(c)",
                       "40*c*(k*log(2) + log(5) + B) <= 2*10^11*(V*c^3*log(c) + c*B)",
                       ("have log(c) >= 69/100", "have log(2) <= 7/10", "have log(5) <= 17/10",
                        "have k*log(2) <= 28*10^8*V*c^2*log(c)", "have c*k*log(2) <= 28*10^8*V*c^3*log(c)",
                        "have c^3*log(c) >= 2*c", "have V*c^3*log(c) >= 2*c")),
                 Claim(f"{_ROOM}; k in Z[1, inf); d in Z[1, inf)", "k <= 4*10^9*V*c^2*log(c)",
                       "4*400*c*(k*d*log(2) + log(5) + B) <= 5*10^12*(d*V*c^3*log(c) + c*B)",
                       ("have log(c) >= 69/100", "have log(2) <= 7/10", "have log(5) <= 17/10",
                        "have k*d <= 4*10^9*V*c^2*log(c)*d", "have k*d*log(2) <= 28*10^8*V*c^2*log(c)*d",
                        "have c*k*d*log(2) <= 28*10^8*V*c^3*log(c)*d", "have V*d >= 1", "have c^3*log(c) >= 2*c",
                        "have V*d*c^3*log(c) >= 2*c")),
                 Claim("x in [0, inf); eps in (0, 1]", "", "x <= x/eps"),
                 Claim("beta in (0, 1); alpha in (0, 1/2]; m in Z[1, inf)", "m >= 120/alpha*log(5/beta)",
                       "exp(-alpha*m/120) <= beta/5",
                       ("have m*alpha >= 120*log(5/beta)", "lemma exp_increases x = -alpha*m/120; y = log(beta/5)")),
                 Claim("h in [0, inf); beta in (0, 1); eps in (0, 1]; alpha in (0, 1/2]; m in Z[1, inf)",
                       "m >= 40/(alpha*eps)*(h + log(5/beta))", "exp(h)*exp(-eps*alpha*m/40) <= beta/5",
                       ("have m*alpha*eps >= 40*(h + log(5/beta))",
                        "lemma exp_increases x = h - eps*alpha*m/40; y = log(beta/5)")),
             ),
             because="X, Y: the sums (...) of m and of n, at least 1, so n - m >= 5*10^12 Y; the second formula is "
                     "Markov's inequality. c = 1/alpha, B = log(1/beta), eta = alpha/400, each event fails with "
                     "probability at most beta/5: D~ is accurate to eta (thm-A.3), so error_D(h*, c) <= eta; thm-B.5 "
                     "on D at alpha/40 = 10 eta: error_mu(c, h*) < alpha/40; h* does not depend on S, so P[error_S(h*) "
                     ">= alpha/20] <= 2^(-alpha m/20) (1 + alpha/40)^m <= exp(-alpha m/120) (Markov's inequality for "
                     "2^(mistakes)); the choice is within alpha/20 of h* (prop-A.1: #H exp(-eps alpha m/40)); thm-B.5 "
                     "on S at alpha: error_S(h) <= alpha/10 gives error_mu(c, h) < alpha. The sizes, in this order: k, "
                     "thm-B.5 on S, h* on S, thm-B.5 on D, the choice, the sanitiser; the last two are times 1/eps, "
                     "which is at least 1. The last two formulas: these sizes of m bound what they should (h = log #H "
                     "<= k log 2)",
             uses=("beimel2015:thm-B.5", "beimel2015:thm-A.3", "beimel2015:prop-A.1", "beimel2015:obs-3.2"),
             downstream="thm-3.3 holds for alpha <= 1/2 with min(eps, 1) for eps.")),
    Step("T33.sum", spelled=(("3beta", "3 beta"),),
         claims=(Claim("beta in (0, 1)", "", "3*beta/5 + beta/5 <= beta"),)),
    # Corollary 3.4
    Step("C34",
         claims=(Claim("below1 in [-1, 1]; below2 in [-1, 1]; eta in (0, 1)", "abs(below1) <= eta; abs(below2) <= eta",
                       "abs(below2 - below1) <= 2*eta"),
                 Claim("k in Z[1, inf); t in [0, 1]", "", "abs(floor(k*t + 1/2)/k - t) <= 1/(2*k)"),
                 Claim("h in [0, inf); beta in (0, 1); eps in (0, inf); alpha in (0, 1); m in Z[1, inf)",
                       "m >= 10/(alpha*eps)*(h + log(5/beta))", "exp(h)*exp(-eps*alpha*m/10) <= beta/5",
                       ("have m*alpha*eps >= 10*(h + log(5/beta))",
                        "lemma exp_increases x = h - eps*alpha*m/10; y = log(beta/5)"))),
         because="a set of C^xor is the difference of two thresholds (first formula: their errors add up); D~ is "
                 "reduced to k = ceil(20/alpha) of its points, the (i - 1/2)-th k-quantiles, which moves the part "
                 "below any threshold by at most 1/(2k) (second); then #H <= 2^k and the size m of the last formula, h "
                 "= k log 2, has no d in it, nor has T33.B6's",
         reading="alg-1 asks for a D~ of O(V/alpha^2 log(1/alpha)) points (step 2); what [7] puts out is reduced to "
                 "that, which is postprocessing",
         cites="Beimel, Nissim & Stemmer 2013 (the sanitiser of thresholds)",
         uses=("beimel2015:prop-A.1", "beimel2015:thm-B.6")),
)

_GENERIC = ("dpcheck.papers.beimel2015.learners:GenericLearner",)
_CHECKS = ("properties/test_beimel2015.py", "tests/papers/beimel2015/test_beimel2015.py")

THEOREMS = (
    Theorem("beimel2015:def-2.1", "Neighbouring databases, differential privacy", stated=True),
    Theorem("beimel2015:def-2.2", "Generalisation error", stated=True),
    Theorem("beimel2015:def-2.3", "Semi-supervised learner (SSL)", stated=True, uses=("beimel2015:def-2.2",)),
    Theorem("beimel2015:def-2.4", "Empirical errors", stated=True),
    Theorem("beimel2015:def-2.5", "Agnostic semi-supervised learner", stated=True, uses=("beimel2015:def-2.2",)),
    Theorem("beimel2015:def-2.6", "Private semi-supervised learner (PSSL)", stated=True,
            uses=("beimel2015:def-2.1", "beimel2015:def-2.3")),
    Theorem("beimel2015:def-3.1", "Symmetric differences of concepts", stated=True),
    Theorem("beimel2015:obs-3.2", "VC(C^xor) is at most 10 VC(C)", assumptions="VC(C) >= 1",
            steps=("O32.proj", "O32.sq", "O32.sauer", "O32.need", "O32.ten", "O32.end"), uses=(_SAUER,),
            proved_by="repaired", checks=_CHECKS),
    Theorem("beimel2015:thm-3.3", "GenericLearner: labelled complexity VC(C)",
            bounds=bounds_of("beimel2015", "generic_labelled", "generic_unlabelled"),
            assumptions="C over X_d; any alpha, beta, eps",
            steps=("T33.priv", "T33.k", "T33.hstar", "T33.a", "T33.b", "T33.c", "T33.B6", "T33.const", "T33.E3",
                   "T33.n1", "T33.san", "T33.(4)", "T33.tri", "T33.em", "T33.H", "T33.m", "T33.all", "T33.sum"),
            uses=("beimel2015:obs-3.2", "beimel2015:prop-A.1", "beimel2015:thm-A.3", "beimel2015:thm-B.6"),
            against=(Claim("K in [1, inf); eps in (0, inf)", "eps >= 200*K",
                           "K*(2/((1/4)^3*eps)*log(4) + 1/((1/4)*eps)*log(4)) <= 1", ("have log(4) <= 139/100",)),
                     Claim("", "", "1/2 > 1/4")),
            witness=instances.one_label_for_two_points,
            erratum=Erratum(
                "For every alpha, beta, eps, there exists an (alpha, beta, eps, delta=0, n, m)-private semi-supervised "
                "proper-learner for C, where m = O((VC(C)/(alpha^3 eps)) log(1/alpha) + (1/(alpha eps)) log(1/beta))",
                "For eps large m is 1 whatever V and alpha are, and no learner (private or not) can do with that: all "
                "four functions on two points, uniform, alpha = beta = 1/4, eps = 200 K for the constant K: one label "
                "leaves the other point's open, and some target is missed with probability 1/2.", "constant", "reading",
                "It holds for alpha in (0, 1/2] with min(eps, 1) in place of eps, or with constants that depend on "
                "alpha, V and eps."),
            repaired_statement="for alpha in (0, 1/2], with E = min(eps, 1), m = ceil(2*10^11 (V log(1/alpha)/(alpha^3 "
                               "E) + log(1/beta)/(alpha E))) and n = ceil(10^13 (d V log(1/alpha)/(alpha^3 E) + "
                               "log(1/beta)/(alpha E)))",
            learners=_GENERIC, checks=(*_CHECKS, "properties/test_sanitising.py")),
    Theorem("beimel2015:rem-3.a", "The labelled complexity is optimal up to alpha, beta, eps",
            tightness=tightness_of("beimel2015:rem-3.a"),
            claims=(Claim("V in Z[2, inf); m in Z[0, inf)", "m >= (V - 1)/(16*(1/8))", "m >= V/4"),),
            assumptions="at alpha = 1/8 and beta <= 1/7 (thm-B.3 as repaired), V >= 2: m >= V/4. The unlabelled part "
                        "is [19]'s",
            cited="Feldman & Xiao 2014 (a class for which pure private learners need d VC(C) examples)",
            uses=("beimel2015:thm-3.3", "beimel2015:thm-B.3"), proved_by="repaired"),
    Theorem("beimel2015:ex-thresh", "Thresholds over X_d",
            assumptions="X_d = {0, ..., 2^d - 1}; c_j(x) = 1 iff x < j; for i < j <= N = 2^d c_i and c_j differ at the "
                        "point i of X_d; the pattern 0 on x and 1 on y > x is not shown by any, so no two points are "
                        "shattered, and the point 0 is, by c_0 and c_1",
            claims=(Claim("i in Z[0, inf); j in Z[0, inf); N in Z[1, inf)", "i < j; j <= N", "i < N"),
                    Claim("d in Z[0, inf)", "", "2^d - 0 + 1 = 2^d + 1"),
                    Claim("x in Z[0, inf); y in Z[0, inf); j in Z[0, inf)", "x < y; y < j", "x < j"),
                    Claim("d in Z[0, inf)", "", "0 <= 1 <= 2^d")),
            checks=("properties/test_classes.py",)),
    Theorem("beimel2015:cor-3.4", "Thresholds: O(1) labels, 8^(log* d) unlabelled points",
            cited="Beimel, Nissim & Stemmer 2013 (the sanitiser of thresholds)", steps=("C34",),
            proved_by="repaired",
            assumptions="constants may depend on alpha, beta, eps, delta; thm-B.6 is used at (alpha/5, beta/5), where "
                        "it holds", learners=_GENERIC, checks=_CHECKS),
    Theorem("beimel2015:int-1", "The H of GenericLearner has size 2^O(VC)",
            assumptions="for a fixed alpha: #B = K V with a constant K > 1, and thm-B.2 at #B = K V",
            claims=(Claim("V in Z[1, inf); K in (1, inf)", "", "V*log(e*(K*V)/V) <= (2*(1 + log(K)))*V*log(2)",
                          ("have log(K) > 0", "have log(2) >= 1/2", "have V*log(K) >= 0")),),
            uses=(_SAUER,)),
    Theorem("beimel2015:int-2", "Thresholds: O(1) labels, 2^O(log* d) unlabelled points",
            assumptions="L = log* d >= 1; what Õ hides is (1 + log(8^L))^k",
            claims=(Claim("L in Z[1, inf); k in Z[0, inf)", "", "8^L*(1 + L*log(8))^k <= 2^((3 + 2*k)*L)",
                          ("have log(8) <= 208/100", "have 1 + L*log(8) <= 4^L")),),
            uses=("beimel2015:cor-3.4",)),
    Theorem("beimel2015:int-3", "Boxes: fewer unlabelled points than [4] for few dimensions",
            assumptions="T = 8^(log* d), lower order terms left out: l <= sqrt(d/T)",
            claims=(Claim("l in Z[1, inf); d in Z[1, inf); T in [1, inf)", "l^2*T <= d", "l^3*T <= l*d"),
                    Claim("l in Z[1, inf); d in Z[1, inf); T in [1, inf)", "l^3*T <= l*d", "l^2*T <= d")),
            cited="Balcan & Feldman 2013 (O(l d) unlabelled points)", uses=("beimel2015:cor-4.17",),
            proved_by="repaired"),
    Theorem("beimel2015:int-4", "Transcript privacy costs labels: 1/alpha of them", uses=("beimel2015:thm-5.6",),
            assumptions="thresholds, where thm-5.6 as repaired speaks (n >= 16/alpha, n delta small). Beside it, "
                        "without privacy: a binary search among a possible answers leaves at most ceil(a/2) with each "
                        "label, so k labels do for a <= 2^k (an integer below 2^(k-1) + 1 is at most 2^(k-1)), and n "
                        "points have n + 1 answers",
            claims=(Claim("a in Z[1, inf); k in Z[1, inf)", "a <= 2^k", "ceil(a/2) < 2^(k - 1) + 1"),),
            proved_by="repaired"),
    Theorem("beimel2015:int-5", "Active learners: labels do not depend on privacy", uses=("beimel2015:thm-5.8",),
            proved_by="repaired"),
    Theorem("beimel2015:int-6", "Tables of known bounds",
            cited="Kasiviswanathan et al. 2008; Beimel, Nissim & Stemmer 2013; Feldman & Xiao 2014; Bun et al. 2015"),
)

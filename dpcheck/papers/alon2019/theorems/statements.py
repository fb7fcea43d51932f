"""Alon, Bassily & Moran 2019, "Limits of Private Learning with Access to Public Data": its results and their proofs.

Letters are the paper's: alpha accuracy, beta failure, eps and delta privacy, d the VC dimension, n_pub, n_priv and
ntilde sizes. Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.papers.alon2019.theorems import instances
from dpcheck.proof.lazy_bounds import bounds_of, tightness_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_BOUNDARY = "C in [1, inf); d in Z[5, inf); n_pub in Z[1, inf)"
#: n_pub = ceil(C (d log(1/alpha) + log(1/beta))/alpha) at alpha = exp(-1/(16 C)), beta = exp(-d/(16 C)).
_FEW_PUBLIC = "n_pub < C*(d*(1/(16*C)) + d/(16*C))/exp(-1/(16*C)) + 1"
_ALPHA_NEAR_1 = (
    "The sizes are O(...) for all alpha in (0, 1), but as alpha tends to 1 and log(1/beta) is small against d, n_pub "
    "may stay below d whatever the constant (for C < 1 take the parameters of C = 1). "
)
_SMALL_ALPHA = "It holds for alpha in (0, 1/2], and pointwise, with a constant that depends on alpha."
#: What the n_pub of thm-3.1 gives at (alpha/2, beta/2).
_FEW_ENOUGH = "alpha in (0, 1/2]; beta in (0, 1); d in Z[1, inf); n_pub in Z[1, inf)"

STEPS = (
    # Section 2
    Step("S2.erm", cites="Shalev-Shwartz & Ben-David 2014, theorem 6.8",
         reading="for a fixed failure probability, which the line leaves out"),
    Step("S2.boost",
         claims=(Claim("weak in Z[0, 1]; strong in Z[0, 1]", "weak <= strong; strong <= 0", "weak <= 0"),),
         because="weak: there is a (0.1, 0.1, 0.1)-pure learner for realisable laws; strong: H is learnable by a pure "
                 "learner; 1 is true, 0 false, and lem-2.6 says weak <= strong",
         uses=("alon2019:lem-2.6",)),
    # Lemma 3.2
    Step("L32",
         claims=(
             Claim("a in Z[0, 1]; b in Z[0, 1]", "", "-1 <= a - b <= 1"),
             Claim("eps in (0, inf); m in [0, inf); M in [0, inf)", "M <= m + 1",
                   "exp(-eps*m/2) <= exp(eps/2)*exp(-eps*M/2)"),
             Claim("E in [1, inf); a in [0, inf); b in [0, inf); A in [0, inf); B in [0, inf)", "a <= E*b; A <= E*B",
                   "a + A <= E*(b + B)"),
             Claim("E in [1, inf); w in (0, inf); v in (0, inf); W in (0, inf); V in (0, inf)", "w <= E*v; V <= E*W",
                   "w/W <= E^2*(v/V)"),
         ),
         because="replacing one record moves the mistakes of each hypothesis by at most 1, each weight by a factor of "
                 "at most exp(eps/2), their sum (by induction over the cover) too, and a probability by at most "
                 "exp(eps); the cover does not depend on S_priv"),
    # Lemma 3.3
    Step("L33.zero", instances=instances.dichotomies_are_represented,
         needed="first-order logic over arbitrary classes: the cover holds a member of each dichotomy by construction"),
    Step("L33.bad", instances=instances.uncovered_means_bad,
         needed="first-order logic over arbitrary classes and laws: the pair (htilde, h) is what Bad asks for"),
    Step("L33.(1)", spelled=(("P[Bad]", "1"),),
         claims=(Claim("n_pub in Z[1, inf); d in Z[1, inf); alpha in (0, 1)", "d - n_pub > alpha*d",
                       "1 <= 2*(2*e*n_pub/d)^(2*d)*exp(-alpha*n_pub/4)"),),
         because="the class of all functions on d points under the uniform law: two functions agree on the n_pub "
                 "public points and differ on all others, so P[Bad] = 1 whenever d - n_pub > alpha d",
         reading="n_pub in N and d = VC(H) with nothing that relates them",
         witness=instances.agreeing_on_one_of_six,
         erratum=Erratum(
             quotes="P_{T_pub ~ D_X^{n_pub}}[Bad] <= 2 (2 e n_pub / d)^{2d} e^{-alpha n_pub/4}. (1)",
             explanation="For n_pub well below d the right side is below 1 while Bad is certain: Sauer's lemma gives "
                         "(2 e n_pub/d)^(2d) only for 2 n_pub >= d. The same error stands in growth2, chain3 and the "
                         "line after (1).",
             severity="edge", quality="reading",
             readings="It holds where 2 n_pub >= d, so for the lemma's own n_pub with alpha <= 1/2."),
         repair=Repair(
             statement="(1) for 2 n_pub >= d", changes="domain",
             claims=(
                 Claim("m in Z[1, inf); d in Z[1, inf)", "d <= m", "m*log(1 + d/m) <= d"),
                 Claim("m in Z[1, inf); d in Z[1, inf); i in Z[0, inf)", "i <= d; d <= m",
                       "d*log(d/m) <= i*log(d/m)"),
             ),
             because="chain1 and chain2, and growth2 at m = 2 n_pub >= d: sum_{i<=d} C(m, i) <= (m/d)^d sum_i C(m, i) "
                     "(d/m)^i <= (m/d)^d (1 + d/m)^m <= (e m/d)^d",
             uses=("alon2019:lem-sauer",),
             downstream="L33.cover and chain3 need 2 n_pub >= d as well; with the n_pub of the lemma and alpha <= 1/2 "
                        "it holds.")),
    Step("L33.cover", spelled=(("P[Htilde is not an alpha-cover]", "1"),),
         claims=(Claim("n_pub in Z[1, inf); d in Z[1, inf); alpha in (0, 1)", "d - n_pub > alpha*d; n_pub = 1",
                       "1 <= 2*(2*e*n_pub/d)^(2*d)*exp(-alpha*n_pub/4)"),),
         because="all functions on d points, uniform, one public point x, representatives 0 and the indicator of x: "
                 "the function that is 1 everywhere else is at distance (d-1)/d or more from both",
         witness=instances.uncovered_on_six,
         erratum=Erratum(
             quotes="P[H_{T_pub} is not an alpha-cover] <= 2 (2 e n_pub / d)^{2d} e^{-alpha n_pub/4}.",
             explanation="As (1): false for n_pub well below d.", severity="edge", quality="reading",
             readings="as (1)"),
         repair=Repair("P[no cover] <= P[Bad], and (1) for 2 n_pub >= d", "domain",
                       claims=(Claim("bad in [0, 1]; uncovered in [0, 1]; bound in [0, inf)",
                                     "uncovered <= bad; bad <= bound", "uncovered <= bound"),),
                       because="L33.bad: no cover implies Bad", uses=("alon2019:lem-sauer",),
                       downstream="nothing changes for alpha <= 1/2")),
    Step("L33.beta",
         against=(Claim("C in [1, inf); d in Z[4, inf); n_pub in Z[1, inf)",
                        "n_pub >= C*(d*(1/(4*C)) + d/(4*C))/exp(-1/(4*C)); n_pub <= d",
                        "log(2) + 2*d*log(2*e*n_pub/d) - exp(-1/(4*C))*n_pub/4 > -d/(4*C)",
                        ("have exp(1/(4*C)) >= 1", "have exp(-1/(4*C)) <= 1", "have n_pub >= d/2",
                         "lemma log_below x = d/(2*n_pub)", "have log(2*n_pub/d) >= 0",
                         "have 2*d*log(2*e*n_pub/d) >= 2*d", "have exp(-1/(4*C))*n_pub <= d",
                         "have d/(4*C) > 0", "have log(2) > 0")),
                  Claim("C in [1, inf); d in Z[8, inf)", "",
                        "C*(d*(1/(4*C)) + d/(4*C))/exp(-1/(4*C)) + 1 <= d", ("have exp(1/(4*C)) <= 13/10",)),
                  Claim("C in (0, 1]; n in Z[1, inf)", "n >= C*(log(2/C) + 1)/(C/2); n <= C*(log(2/C) + 1)/(C/2) + 1",
                        "log(2) + 2*log(2*e*n) - (C/2)*n/4 > -1",
                        ("have log(2/C) >= log(2)", "have log(2) > 0", "lemma log_below x = 2/C",
                         "have C*log(2/C) <= 2 - C", "have C*n <= 2*C*(log(2/C) + 1) + C", "have C*n <= 4 + C",
                         "have n >= 1",
                         "have log(2*e*n) >= 1"))),
         because="for every constant C at alpha = exp(-1/(4C)), beta = exp(-d/(4C)) the size ceil(C(d log(1/alpha) + "
                 "log(1/beta))/alpha) lies between d/2 and d, and there the bound is above 1; for C <= 1 at alpha = "
                 "C/2, d = 1, beta = 1/e",
         reading="O(...) means: one constant for all alpha, beta in (0, 1) and all d; the bound is asked of n_pub "
                 "equal to that size, rounded up. For a fixed alpha < 1 some constant that depends on alpha will do",
         erratum=Erratum(
             quotes="Now, via standard manipulation, this bound is at most beta when n_pub = O((d log(1/alpha) + "
                    "log(1/beta))/alpha), which yields the desired bound and finishes the proof.",
             explanation=_ALPHA_NEAR_1 + "At n_pub between d/2 and d the right side of (1) is above 1.",
             severity="edge", quality="reading", readings=_SMALL_ALPHA),
         repair=Repair(
             statement="for alpha <= 1/2 the bound is at most beta for every n_pub >= 105 (d log(1/alpha) + "
                       "log(1/beta))/alpha",
             changes="domain",
             claims=(
                 Claim("alpha in (0, 1/2]; beta in (0, 1); d in Z[1, inf); n_pub in Z[1, inf)",
                       "n_pub >= 105*(d*log(1/alpha) + log(1/beta))/alpha",
                       "log(2) + 2*d*log(2*e*n_pub/d) - alpha*n_pub/4 + log(1/beta) <= 0",
                       ("have log(1/alpha) >= 69/100",
                        "have alpha*n_pub >= 105*(d*log(1/alpha) + log(1/beta))",
                        "lemma log_tangent x = 2*e*n_pub/d; c = 32*e/alpha",
                        "have 2*d*log(2*e*n_pub/d) <= alpha*n_pub/8 + 2*d*log(1/alpha) + 2*d*log(32)",
                        "have 2*d*log(32) <= d*694/100",
                        "have log(2) <= 694/1000",
                        "have log(1/beta) > 0",
                        "have d*log(1/alpha) >= d*69/100")),
             ),
             downstream="lem-3.3 holds for alpha <= 1/2, and thm-3.1 with n_pub = ceil(257 (...)/alpha) there.")),
    Step("L33.pairs", instances=instances.pairs_of_dichotomies,
         needed="the counting lemma: the image of A x A has at most #A^2 elements"),
    Step("L33.growth1", instances=instances.growth_of_differences, needed="the maximum over V of L33.pairs"),
    Step("L33.growth2", spelled=(("G_H(m)", "2^m"),),
         claims=(Claim("m in Z[1, inf); d in Z[1, inf)", "m <= d", "(2^m)^2 <= (e*m/d)^(2*d)"),),
         because="for the class of all functions on d points G_H(m) = 2^m where m <= d",
         reading="any m",
         erratum=Erratum(
             quotes="Hence, G_{H_Delta}(m) <= (G_H(m))^2 <= (e m/d)^{2d}, where the last inequality follows from "
                    "Sauer's Lemma.",
             explanation="\"For any number m\" stands before. Sauer's lemma in this form needs m >= d: at m = 1, d = 2 "
                         "the left side is 4 and the right one 3.41.", severity="edge"),
         repair=Repair(
             statement="(G_H(m))^2 <= (e m/d)^{2d} for m >= d", changes="domain",
             claims=(
                 Claim("m in Z[1, inf); d in Z[1, inf)", "d <= m", "m*log(1 + d/m) <= d"),
                 Claim("m in Z[1, inf); d in Z[1, inf); i in Z[0, inf)", "i <= d; d <= m",
                       "d*log(d/m) <= i*log(d/m)"),
             ),
             because="G_H(m) <= sum_{i<=d} C(m, i) (Sauer-Shelah), and (d/m)^d sum_{i<=d} C(m, i) <= sum_i C(m, i) "
                     "(d/m)^i = (1 + d/m)^m <= e^d",
             instances=instances.sauer_shelah,
             downstream="(1) and chain3 hold for 2 n_pub >= d only.")),
    Step("L33.chain1", instances=instances.pairs_as_differences,
         needed="dis(h1, h2) = dis(h1 xor h2, h_0) pointwise, for arbitrary classes and laws"),
    Step("L33.chain2",
         because="with z = alpha n_pub: for z < 4 the bound is above 1 (two functions that differ make G >= 2). For z "
                 ">= 4, given h with dis > alpha and no mistake on the sample, a second sample has at least z/2 "
                 "mistakes with probability 1/2 or more (Cantelli's inequality); where coins exchange the points of "
                 "the two samples pair by pair, all k mistakes of a pattern are in the second with probability at most "
                 "2^-k; the union bound over G patterns",
         reading="H has two members that differ (d >= 1)"),
    Step("L33.chain3", spelled=(("G_{H_Delta}(2 n_pub)", "2^(2 n_pub)"),),
         claims=(Claim("n_pub in Z[1, inf); d in Z[1, inf); alpha in (0, 1)", "2*n_pub <= d",
                       "2*2^(2*n_pub)*exp(-alpha*n_pub/4) <= 2*(2*e*n_pub/d)^(2*d)*exp(-alpha*n_pub/4)"),),
         because="for the class of all functions on d points G_{H_Delta}(2 n_pub) = 2^(2 n_pub) where 2 n_pub <= d",
         erratum=Erratum(quotes="<= 2 (2 e n_pub/d)^{2d} e^{-alpha n_pub/4}.",
                         explanation="Growth2 again: needs 2 n_pub >= d.", severity="edge", quality="reading",
                         readings="as (1)"),
         repair=Repair("for 2 n_pub >= d", "domain",
                       claims=(Claim("G in [0, inf); S in [0, inf); x in (0, inf)", "G <= S",
                                     "2*G*x <= 2*S*x"),),
                       because="growth2 repaired, at m = 2 n_pub", uses=("alon2019:lem-sauer",),
                       downstream="see (1)")),
    # Theorem 3.1
    Step("T31.argmin",
         against=(Claim("k in Z[1, inf)", "", "2^(-(k + 1)) < 2^(-k)"),
                  Claim("k in Z[1, inf)", "", "2^(-k) > 0")),
         because="H = all singletons {k} of the positive integers (d = 1), D puts 2^-k on the point k with label 0: "
                 "err({k}) = 2^-k, and each is beaten by {k+1}; the infimum 0 is not attained",
         reading="arbitrary H and D",
         erratum=Erratum(
             quotes="Let h* in argmin_{h in H} err(h; D) denote the optimal hypothesis in H.",
             explanation="For infinite H the minimum need not exist.", severity="slip"),
         repair=Repair(
             "for each eta > 0 let h* in H have err(h*; D) <= inf_H err + eta", "statement",
             claims=(Claim("inf_err in [0, 1]; star in [0, 1]; out in [0, 1]; alpha in (0, 1); eta in (0, 1)",
                           "star <= inf_err + eta; out <= star + alpha", "out <= inf_err + alpha + eta"),),
             because="the definition of an infimum; P[excess > alpha + eta] <= beta for every eta > 0 gives P[excess > "
                     "alpha] <= beta, since these events increase to it as eta decreases",
             downstream="T31.end holds with the infimum.")),
    Step("T31.argmin2", instances=instances.finite_classes_have_minimisers,
         needed="a finite non-empty set of numbers has a least element"),
    Step("T31.kln",
         claims=(
             Claim("N in Z[2, inf); beta in (0, 1); alpha in (0, 1); eps in (0, inf); n in (0, inf)",
                   "n >= 128*(log(N) + log(1/beta))*(1/alpha^2)", "n*alpha^2 >= 32*log(8*N/beta)",
                   ("have log(N) >= log(2)", "have log(1/beta) > 0", "have n*alpha^2 >= 128*(log(N) + log(1/beta))",
                    "lemma log_quotient_above x = 8*N; y = beta", "have log(8*N) <= 4*log(N)")),
             Claim("N in Z[2, inf); beta in (0, 1); alpha in (0, 1); eps in (0, inf); n in (0, inf)",
                   "n >= 128*(log(N) + log(1/beta))*(1/(eps*alpha))", "n*eps*alpha >= 8*log(4*N/beta)",
                   ("have log(N) >= log(2)", "have log(1/beta) > 0",
                    "have n*eps*alpha >= 128*(log(N) + log(1/beta))",
                    "lemma log_quotient_above x = 4*N; y = beta", "have log(4*N) <= 3*log(N)")),
             Claim("a in (0, inf); b in (0, inf); u in (0, inf); n in (0, inf)", "n >= u*max(a, b)", "n >= u*a"),
             Claim("N in Z[2, inf); beta in (0, 1); z in [0, inf)", "z >= 32*log(8*N/beta)",
                   "2*N*exp(-z/32) <= beta/4",
                   ("have 8*N/beta > 1", "have exp(z/32) >= 8*N/beta", "have exp(-z/32) <= beta/(8*N)")),
             Claim("N in Z[2, inf); beta in (0, 1); z in [0, inf)", "z >= 8*log(4*N/beta)",
                   "N*exp(-z/8) <= beta/4",
                   ("have 4*N/beta > 1", "have exp(z/8) >= 4*N/beta", "have exp(-z/8) <= beta/(4*N)")),
             Claim("eps in (0, inf); m in [0, inf); s in [0, inf)", "",
                   "exp(-eps*(m + s)/2) <= exp(-eps*s/2)*exp(-eps*m/2)"),
             Claim("true1 in [0, 1]; true2 in [0, 1]; seen1 in [0, 1]; seen2 in [0, 1]; alpha in (0, 1)",
                   "true1 <= seen1 + alpha/8; seen1 <= seen2 + alpha/4; seen2 <= true2 + alpha/8",
                   "true1 <= true2 + alpha/2"),
         ),
         because="the constant 128: Hoeffding's inequality at alpha/8 over the N >= 2 members (two-sided, probability "
                 "at most 2 N exp(-n alpha^2/32)) and the exponential mechanism's tail (a member with s = n alpha/4 "
                 "mistakes too many has a chance of at most exp(-eps s/2)); with one member there is nothing to choose",
         cites="Hoeffding 1963"),
    Step("T31.sauer",
         against=(Claim(_BOUNDARY, _FEW_PUBLIC, "0 > d*log(e*n_pub/d)",
                        ("have exp(1/(16*C)) <= 107/100", "have n_pub <= d*107/800 + 1", "have n_pub <= d*267/800",
                         "have n_pub*800/(267*d) <= 1",
                         "lemma log_below x = n_pub*800/(267*d)", "have log(800/267) >= 109/100",
                         "have d*log(e*n_pub/d) < 0")),),
         because="for every constant C of n_pub, at alpha = exp(-1/(16C)), beta = exp(-d/(16C)), and for every class: "
                 "log #Htilde is at least 0, and d log(e n_pub/d) is negative",
         reading="n_pub equal to its O(...) with any constant, alpha, beta in (0, 1)",
         erratum=Erratum(
             quotes="From the setting of n_pub in the theorem statement together with Sauer's Lemma, it follows that "
                    "log(|H_{T_pub}|) <= d log(e n_pub / d)",
             explanation=_ALPHA_NEAR_1 + "Sauer's lemma in this form needs n_pub >= d.", severity="edge",
             quality="reading", readings=_SMALL_ALPHA),
         repair=Repair(
             "log #Htilde <= d log(e n_pub/d) for n_pub >= d, which n_pub = ceil(257 (d log(1/alpha) + "
             "log(1/beta))/alpha) gives for alpha <= 1/2, and n_priv >= 420 (d log(1/alpha) + log(1/beta)) "
             "max(1/alpha^2, 1/(eps alpha)) suffices",
             "domain",
             claims=(Claim("alpha in (0, 1/2]; beta in (0, 1); d in Z[1, inf); n_pub in Z[1, inf)",
                           "n_pub >= 257*(d*log(1/alpha) + log(1/beta))/alpha", "n_pub >= d",
                           ("have log(1/alpha) >= 2/3", "have log(1/beta) > 0",
                            "have alpha*n_pub >= 257*(d*log(1/alpha) + log(1/beta))",
                            "have d*log(1/alpha) >= d*2/3", "have alpha*n_pub <= n_pub")),
                     Claim("m in Z[1, inf); d in Z[1, inf)", "d <= m", "m*log(1 + d/m) <= d"),
                     Claim(_FEW_ENOUGH, "n_pub <= 257*(d*log(1/alpha) + log(1/beta))/alpha + 1",
                           "32*(log(8) + log(1/beta) + d*log(e*n_pub/d)) <= 420*(d*log(1/alpha) + log(1/beta))",
                           ("have log(1/alpha) >= 69/100", "have log(1/beta) > 0", "have d*log(1/alpha) >= d*69/100",
                            "have alpha*n_pub <= 258*(d*log(1/alpha) + log(1/beta))",
                            "lemma log_tangent x = e*n_pub/d; c = 258*e*(7/10)/alpha",
                            ("have d*log(e*n_pub/d) <= (10/7)*(d*log(1/alpha) + log(1/beta)) - d + "
                             "d*log(258*e*(7/10)/alpha)"),
                            "have log(258*7/10) <= 52/10",
                            "have d*log(258*e*(7/10)/alpha) <= d + d*log(1/alpha) + d*52/10",
                            "have log(8) <= 208/100")),
                     Claim("N in Z[1, inf); beta in (0, 1); alpha in (0, 1/2]; n in (0, inf); X in (0, inf); "
                           "S in [0, inf)",
                           "log(N) <= S; 32*(log(8) + log(1/beta) + S) <= 420*X; n >= 420*X*(1/alpha^2)",
                           "n*alpha^2 >= 32*log(8*N/beta)",
                           ("have n*alpha^2 >= 420*X", "lemma log_quotient_above x = 8*N; y = beta")),
                     Claim("N in Z[1, inf); beta in (0, 1); alpha in (0, 1/2]; eps in (0, inf); n in (0, inf); "
                           "X in (0, inf); S in [0, inf)",
                           "log(N) <= S; 32*(log(8) + log(1/beta) + S) <= 420*X; n >= 420*X*(1/(eps*alpha))",
                           "n*eps*alpha >= 8*log(4*N/beta)",
                           ("have n*eps*alpha >= 420*X", "have log(1/beta) > 0", "have log(2) > 0",
                            "have 8*(log(4) + log(1/beta) + S) <= 420*X", "lemma log_quotient_above x = 4*N; y = beta",
                            "have log(4*N) <= log(4) + S"))),
             because="X = d log(1/alpha) + log(1/beta), S = d log(e n_pub/d): T31.kln's tails ask for n alpha^2 >= 32 "
                     "log(8N/beta) and n eps alpha >= 8 log(4N/beta)",
             uses=("alon2019:lem-sauer",),
             downstream="n_priv as printed holds for alpha <= 1/2 with the constant 420.")),
    Step("T31.s1",
         against=(Claim("C in [1, inf); K in [1, inf)", "",
                        "log(e*C*((log(10/9) + (9/10 - log(10/9)))/(9/10))) > "
                        "K*log((log(10/9) + (9/10 - log(10/9)))/(9/10))"),),
         because="alpha = 9/10 and log(1/beta) = d (9/10 - log(10/9)): then (d log(1/alpha) + log(1/beta))/(d alpha) = "
                 "1, the right side is 0 for every constant K, the left side d log(e C)",
         reading="C is the constant of n_pub, K that of this line; alpha, beta in (0, 1)",
         erratum=Erratum(
             quotes="<= O(d log((d log(1/alpha) + log(1/beta))/(d alpha)))",
             explanation="The logarithm on the right is 0 (or negative) where (d log(1/alpha) + log(1/beta))/(d alpha) "
                         "<= 1, near alpha = 1.", severity="edge"),
         repair=Repair(
             "for alpha <= 1/2", "domain",
             claims=(Claim("alpha in (0, 1/2]; q in (0, inf); C in [1, inf)", "",
                           "log(e*C*((log(1/alpha) + q)/alpha)) <= (1 + 4*(1 + log(C)))*log((log(1/alpha) + q)/alpha)",
                           ("have log(1/alpha) >= 69/100", "have (log(1/alpha) + q)/alpha >= 69/50",
                            "have log((log(1/alpha) + q)/alpha) >= 1/4", "have log(C) >= 0",
                            "lemma log_product_above x = e*C; y = (log(1/alpha) + q)/alpha")),
                     Claim("alpha in (0, 1/2]; q in (0, inf); C in [1, inf); d in Z[1, inf); n_pub in Z[1, inf)",
                           "n_pub <= C*d*(log(1/alpha) + q)/alpha + 1", "n_pub <= (C + 1)*d*((log(1/alpha) + q)/alpha)",
                           ("have log(1/alpha) >= 69/100", "have (log(1/alpha) + q)/alpha >= 1",
                            "have d*((log(1/alpha) + q)/alpha) >= 1"))),
             because="q = log(1/beta)/d; the constant is 1 + 4 (1 + log C), C that of n_pub plus 1 for rounding up",
             downstream="the chain that follows holds for alpha <= 1/2.")),
    Step("T31.s2",
         claims=(Claim("alpha in (0, 1); beta in (0, 1); d in Z[1, inf)", "",
                       "d*log((d*log(1/alpha) + log(1/beta))/(d*alpha)) = "
                       "d*(log(1/alpha) + log(log(1/alpha) + log(1/beta)/d))",
                       ("have log(1/alpha) > 0", "have log(1/beta) > 0",
                        "lemma log_quotient_above x = log(1/alpha) + log(1/beta)/d; y = alpha",
                        "lemma log_quotient_below x = log(1/alpha) + log(1/beta)/d; y = alpha")),),
         because="the two sides are equal, so the constant is 1"),
    Step("T31.s3",
         claims=(Claim("L in (0, inf); q in (0, inf)", "", "L + log(L + q) <= 2*(L + max(0, log(q)))"),),
         because="divided by d, q = log(1/beta)/d: the constant 2"),
    Step("T31.s4",
         because="log #Htilde is bounded in the lines before, by d log(1/alpha) + d (log(log(1/beta)/d))^+",
         reading="alpha <= 1/2, as T31.sauer and T31.s1 need"),
    Step("T31.s5",
         claims=(Claim("d in Z[1, inf); L in (0, inf); B in (0, inf)", "",
                       "d*L + d*max(0, log(B/d)) + B <= 2*(d*L + B)", ("lemma log_below x = B/d",)),),
         because="the constant 2; both sides are then multiplied by max(1/alpha^2, 1/(eps alpha))"),
    Step("T31.dis",
         against=(Claim("n in Z[1, inf); beta in (0, 1)", "", "(1 - 1/(4*n))^n > beta/2"),
                  Claim("n in Z[1, inf); alpha in (0, 1)", "", "1 - 1/(8*n) > alpha/2")),
         because="H = {000, 011, 101} on a, b, c with D_X(b) = D_X(c) = 1/(8 n_pub), a fair label on a, label 0 "
                 "elsewhere: with probability (1 - 1/(4 n_pub))^n_pub only a is seen, Htilde may be {011, 101}, its "
                 "only minimiser is 101, and dis(101, 000) = 1 - 1/(8 n_pub)",
         reading="hhat_{T_pub} is the minimiser of the error over Htilde, as it is defined two displays before (there "
                 "written h*_{T_pub})",
         witness=instances.far_minimiser, uses=("alon2019:lem-3.3",),
         erratum=Erratum(
             quotes="by invoking Lemma 3.3, it follows that ... w.p. >= 1 - beta/2 over the randomness in T_pub, we "
                    "have dis(hhat_{T_pub}, h*; D_X) <= alpha/2.",
             explanation="Lemma 3.3 gives some member of the cover that is close to h*; the minimiser of the error "
                         "over the cover need not be close to it.", severity="gap", quality="reading",
             readings="It holds if hhat_{T_pub}, which the text does not define, is the member of the cover that lemma "
                      "3.3 gives; T31.kln holds for it too."),
         repair=Repair(
             "some htilde in Htilde has dis(htilde, h*; D_X) <= alpha/2, so err(hhat) <= err(htilde) <= err(h*) + "
             "alpha/2",
             "statement",
             claims=(Claim("least in [0, 1]; close in [0, 1]; star in [0, 1]; distance in [0, 1]; alpha in (0, 1)",
                           "least <= close; close - star <= distance; distance <= alpha/2", "least - star <= alpha/2"),
                     Claim(_FEW_ENOUGH, "n_pub >= 257*(d*log(1/alpha) + log(1/beta))/alpha",
                           "2*log(2) + 2*d*log(2*e*n_pub/d) - alpha*n_pub/8 + log(1/beta) <= 0",
                           ("have log(1/alpha) >= log(2)", "have alpha*n_pub >= 257*(d*log(1/alpha) + log(1/beta))",
                            "lemma log_tangent x = 2*e*n_pub/d; c = 64*e/alpha",
                            "have 2*d*log(2*e*n_pub/d) <= alpha*n_pub/16 + 2*d*log(1/alpha) + 12*d*log(2)",
                            "have log(1/beta) > 0", "have log(2) > 0", "have d*log(1/alpha) >= d*log(2)",
                            "have d*log(2) >= log(2)"))),
             because="the second formula: the bound of lem-3.3 at (alpha/2, beta/2) is at most beta/2, in logarithms",
             uses=("alon2019:lem-3.3",), downstream="T31.end is unchanged.")),
    Step("T31.tri",
         claims=(Claim("a in Z[0, 1]; b in Z[0, 1]; y in Z[0, 1]", "", "abs(a - y) - abs(b - y) <= abs(a - b)"),),
         against=(Claim("n in Z[1, inf); beta in (0, 1)", "", "(1 - 1/(4*n))^n > beta/2"),
                  Claim("n in Z[1, inf); alpha in (0, 1)", "", "1 - 1/(8*n) > alpha/2")),
         because="the first relation holds point by point and so on average; the second is T31.dis again",
         witness=instances.far_minimiser,
         erratum=Erratum(
             quotes="Hence, by the triangle inequality, err(hhat_{T_pub}; D) - err(h*; D) <= dis(hhat_{T_pub}, h*; "
                    "D_X) <= alpha/2.",
             explanation="The second relation repeats T31.dis; the outer relation is true.", severity="gap",
             quality="reading", readings="as T31.dis"),
         repair=Repair(
             "err(hhat; D) - err(h*; D) <= err(htilde; D) - err(h*; D) <= dis(htilde, h*; D_X) <= alpha/2", "statement",
             claims=(Claim("a in Z[0, 1]; b in Z[0, 1]; y in Z[0, 1]", "", "abs(a - y) - abs(b - y) <= abs(a - b)"),
                     Claim("least in [0, 1]; close in [0, 1]; star in [0, 1]; distance in [0, 1]; alpha in (0, 1)",
                           "least <= close; close - star <= distance; distance <= alpha/2", "least - star <= alpha/2")),
             downstream="T31.end is unchanged.")),
    Step("T31.end",
         claims=(Claim("p11 in [0, 1]; p10 in [0, 1]; p01 in [0, 1]; beta in (0, 1)",
                       "p11 + p10 <= beta/2; p11 + p01 <= beta/2", "p11 + p10 + p01 <= beta"),
                 Claim("out in [0, 1]; mid in [0, 1]; star in [0, 1]; alpha in (0, 1)",
                       "out <= mid + alpha/2; mid <= star + alpha/2", "out <= star + alpha")),
         because="the probabilities of the atoms of the two events (each fails with probability at most beta/2)"),
    # Section 4, overview
    Step("O4.1",
         claims=(Claim("n_pub in Z[1, inf); alpha in (0, 1)", "n_pub < 1/(1000*alpha)", "100*n_pub*alpha < 1/10"),
                 Claim("n_pub in Z[1, inf); alpha in (0, 1)", "n_pub < 1/(1000*alpha)", "alpha <= 1/100")),
         because="lem-4.4, whose hypothesis alpha <= 1/100 holds", uses=("alon2019:lem-4.4",),
         reading="at least one public example, or alpha < 1/10; \"privately learned\" means realisable laws, which is "
                 "all that lem-4.4 gives"),
    Step("O4.2",
         claims=(Claim("semi in Z[0, 1]; private in Z[0, 1]", "semi <= private; private <= 0", "semi <= 0"),
                 Claim("n_pub in Z[1, inf); alpha in (0, 1)", "n_pub <= 1/(1600*alpha)", "100*n_pub*alpha <= 1/16")),
         needed="thm-4.3 for an excess below 1/10: what it excludes is an excess of 1/16",
         because="the contrapositive of O4.1; infinite Littlestone dimension is an example of a class that is not "
                 "privately learnable with constant excess, through thm-4.3, at the constant 1/16 and 1/(1600 alpha)",
         reading="\"constant excess error\": thm-4.3 speaks of 1/16, not of the 1/10 of the sentence before, so for "
                 "these classes the overview's 1/(1000 alpha) becomes 1/(1600 alpha), as in the theorem; realisable "
                 "laws, as lem-4.4 gives",
         uses=("alon2019:thm-4.3", "alon2019:lem-4.4")),
    # Claim 4.5
    Step("A2.par", stated=True, reading="n_pub >= 1: p is a probability, and ntilde an integer of at least 1"),
    Step("C45",
         claims=(Claim("w in [0, 1]; E in [1, inf); delta in [0, 1]; p1 in [0, 1]; p2 in [0, 1]; q1 in [0, 1]; "
                       "q2 in [0, 1]",
                       "p1 <= E*q1 + delta; p2 <= E*q2 + delta",
                       "w*p1 + (1 - w)*p2 <= E*(w*q1 + (1 - w)*q2) + delta"),),
         because="given the coins, the dummies and S_pub, neighbouring Stilde give S_priv that differ in at most one "
                 "place; the law of B is an average over them, and averaging (two at a time, by induction) keeps (eps, "
                 "delta)",
         reading="A is private at every length that alg-3 returns"),
    # Claim 4.6
    Step("C46.n", spelled=(("ntilde", "ceil(n_priv/(10 n_pub))"), ("10 p n_priv", "10 (1/(100 n_pub)) n_priv")),
         claims=(Claim("n_priv in Z[1, inf); n_pub in Z[1, inf)", "",
                       "ceil(n_priv/(10*n_pub)) = 10*(1/(100*n_pub))*n_priv"),),
         erratum=Erratum(quotes="First, note that since ntilde = 10 p n_priv, then by Chernoff's bound, ...",
                         explanation="ntilde = ceil(n_priv/(10 n_pub)) is rounded up.", severity="slip"),
         repair=Repair("ntilde >= 10 p n_priv", "direction",
                       claims=(Claim("n_priv in Z[1, inf); n_pub in Z[1, inf)", "",
                                     "ceil(n_priv/(10*n_pub)) >= 10*(1/(100*n_pub))*n_priv"),),
                       downstream="all that is used.")),
    Step("C46.chernoff",
         claims=(Claim("n_priv in Z[1, inf); n_pub in Z[1, inf)", "n_priv <= 10*n_pub",
                       "1 - (1 - 1/(100*n_pub))^(n_priv - 1) <= 0.01"),),
         because="for n_priv <= 10 n_pub there is one element in Stilde, and the loop of alg-3 ends before position "
                 "n_priv is filled when one of the first n_priv - 1 coins shows 1",
         reading="\"exits the while loop with i = n_priv\": position n_priv is filled when the loop ends; encoded with "
                 "<= for <, which is weaker",
         witness=instances.short_sample,
         erratum=Erratum(
             quotes="by Chernoff's bound, except with probability < 0.01, Algorithm 3 exits the WHILE loop with i = "
                    "n_priv.",
             explanation="The loop ends when Stilde is empty: with n_priv = 10, n_pub = 1 its only element is used up "
                         "among the first 9 positions with probability 1 - 0.99^9 = 0.086.", severity="gap",
             quality="reading",
             readings="It holds if alg-3, once Stilde is empty, fills the remaining positions with dummies (mode "
                      "'fill'), and the event is that no more elements are asked for than there are."),
         repair=Repair(
             "with alg-3 filling up with dummies: P[Bin(n_priv, p) >= ntilde + 1] <= 0.005", "statement",
             claims=(
                 Claim("n in Z[1, inf); i in Z[0, inf)", "i < n", "(n - i)/(i + 1) <= n/(i + 1)"),
                 Claim("n_priv in Z[1, inf); n_pub in Z[1, inf)", "",
                       "n_priv/(100*n_pub) <= ceil(n_priv/(10*n_pub))/10"),
                 Claim("", "", "(1/10)^2/2 <= 0.005"),
                 Claim("m in [1, inf)", "", "(1 + 1/m)^(m + 1) <= 4"),
                 Claim("m in [1, inf); x in [0, 4]", "", "x*((m + 1)/(m + 2))/10 <= 1"),
             ),
             because="with m = ntilde, lambda = n_priv p <= m/10: P[Bin >= m+1] <= C(n, m+1) p^(m+1) <= "
                     "lambda^(m+1)/(m+1)! <= (m/10)^(m+1)/(m+1)!, which is 0.005 at m = 1 and decreases: the ratio of "
                     "consecutive terms is (1 + 1/m)^(m+1) (m+1)/(10 (m+2))",
             downstream="clm-4.6 holds for the algorithm that fills up.")),
    Step("C46.(2)",
         claims=(Claim("n_priv in Z[1, inf); n_pub in Z[1, inf)", "n_priv <= 10*n_pub",
                       "1 - (1 - 1/(100*n_pub))^(n_priv - 1) <= 0.01"),),
         because="as C46.chernoff: this is the probability that S_priv is shorter than n_priv",
         witness=instances.short_sample,
         erratum=Erratum(quotes="Thus, except with probability < 0.01, we have |S_priv| = n_priv, hence, S_priv ~ "
                                "D_(p)^{n_priv}. (2)",
                         explanation="As C46.chernoff; and given that event the law is not D_(p)^n exactly: what is "
                                     "true is a distance in total variation.", severity="gap", quality="reading",
                         readings="as C46.chernoff"),
         repair=Repair("with alg-3 filling up: TV(law of S_priv, D_(p)^{n_priv}) <= 0.005", "statement",
                       claims=(Claim("", "", "(1/10)^2/2 <= 0.005"),
                               Claim("same in [0, 1]; other1 in [0, 1]; other2 in [0, 1]; miss in [0, 0.005]",
                                     "other1 <= miss", "(same + other1) - (same + other2) <= 0.005")),
                       because="the coupling that uses the same coins, dummies and elements, which differs only when "
                               "more than ntilde elements are asked for",
                       downstream="C46.17 with 0.005 for 0.01.")),
    Step("C46.hat",
         because="one coordinate has the law p D + (1-p) D_0; the coordinates are independent, and are exchanged for "
                 "those of a sample of D_(p)^{n_pub} one after the other"),
    Step("C46.eq",
         claims=(Claim("zero in [0, 1]; same in [0, 1]", "", "zero + (1 - zero)*same >= zero"),
                 Claim("q in (0, 1]; k in Z[1, inf)", "", "q^k*q = q^(k + 1)")),
         because="the event contains \"all b_i = 0\" (zero) and part of the rest; one more independent coin multiplies "
                 "the chance of all zeros by q = 1 - 1/(100 n_pub)"),
    Step("C46.99",
         claims=(Claim("n_pub in Z[1, inf)", "", "(1 - 1/(100*n_pub))^n_pub >= 0.99"),)),
    Step("C46.tv", spelled=(("TV(D_(p)^{n_pub}, D_0^{n_pub})", "1 - (1-1/(100 n_pub))^{n_pub}"),),
         claims=(Claim("p in (0, 1/100]; collision in [0, 1/2]", "", "p*(1 - collision) = p"),
                 Claim("n_pub in Z[1, inf)", "", "1 - (1 - 1/(100*n_pub))^n_pub <= 0.01")),
         because="n_pub = 1: P[Shat != S] = P[b = 1] (1 - P[v = z^0]), and a realisable D that puts all mass on (x, 1) "
                 "collides with a dummy of the same point half of the time; the second formula is the bound on the "
                 "distance",
         erratum=Erratum(
             quotes="Note that P[Shat_pub != S_pub] is the probability measure attributed to the first component of "
                    "the mixture distribution D_(p) of Shat_pub (i.e., the component from D).",
             explanation="It is at most that: examples of D and of D_0 may coincide.", severity="slip"),
         repair=Repair("P[Shat_pub != S_pub] is at most that mass, so TV <= 0.01", "direction",
                       claims=(Claim("p in (0, 1/100]; collision in [0, 1]", "", "p*(1 - collision) <= p"),
                               Claim("n_pub in Z[1, inf)", "", "1 - (1 - 1/(100*n_pub))^n_pub <= 0.01")),
                       downstream="nothing changes.")),
    Step("C46.(3)",
         claims=(Claim("first in [0, 1]; second in [0, 1]; tv in [0, 1]", "first - second <= tv; tv <= 0.01",
                       "first - second <= 0.01"),),
         because="the definition of total variation, for the event of excess error with S_priv and A's coins "
                 "independent",
         reading="A's second argument in the second probability is Shat_pub (printed S_pub)"),
    Step("C46.17",
         claims=(Claim("fails in [0, 1]; short in [0, 1]", "fails <= 1/18 + short; short < 0.01", "fails <= 1/17"),),
         because="the premise fails with probability at most 1/18, (2) with less than 0.01",
         erratum=Erratum(
             quotes="from (2) and the premise that A is agnostic semi-private learner, we have P[...] <= 1/17",
             explanation="1/18 + 0.01 = 0.0656 is above 1/17 = 0.0588.", severity="constant"),
         repair=Repair("<= 1/18 + 0.005", "constant",
                       claims=(Claim("fails in [0, 1]; short in [0, 1]", "fails <= 1/18 + short; short <= 0.005",
                                     "fails <= 1/18 + 0.005"),),
                       because="(2) as repaired",
                       downstream="C46.(4) with a change of measure instead of a difference.")),
    Step("C46.17a", claims=(Claim("", "", "1/18 + 0.01 <= 1/17"),),
         erratum=Erratum(quotes="<= 1/17", explanation="What C46.17 uses: 0.0656 against 0.0588.", severity="constant"),
         repair=Repair("1/18 + 0.005 <= 0.0606", "constant", claims=(Claim("", "", "1/18 + 0.005 <= 0.0606"),),
                       downstream="see C46.(4).")),
    Step("C46.(4)",
         claims=(Claim("fails in [0, 1]; hat in [0, 1]", "fails - hat <= 0.01; hat <= 1/17", "fails < 1/16"),),
         because="(3) and C46.17",
         erratum=Erratum(
             quotes="Hence, using (3), we conclude that except with probability < 1/16, ...",
             explanation="1/17 + 0.01 = 0.0688 is above 1/16 = 0.0625.", severity="constant"),
         repair=Repair(
             "the failure probability is at most (1/18 + 0.005)/0.99 < 1/16", "statement",
             claims=(Claim("w in [0.99, 1]; zero in [0, 1]; one in [0, 1]; fails in [0, 1]",
                           "w*zero + (1 - w)*one <= fails", "zero <= fails/0.99"),
                     Claim("", "", "(1/18 + 0.005)/0.99 < 1/16")),
             because="the law of Shat_pub is a mixture in which the law of S_pub has weight w = (1-p)^n_pub >= 0.99 "
                     "(C46.99), so an event of probability `fails` under the one has at most fails/0.99 under the "
                     "other",
             downstream="lem-4.4, clm-4.6 (filling up) and all after them hold with the printed constants 1/18 and "
                        "1/16.")),
    Step("C46.16a", claims=(Claim("", "", "1/17 + 0.01 < 1/16"),),
         erratum=Erratum(quotes="< 1/16", explanation="What C46.(4) uses: 0.0688 against 0.0625.", severity="constant"),
         repair=Repair("(1/18 + 0.005)/0.99 < 1/16", "constant", claims=(Claim("", "", "(1/18 + 0.005)/0.99 < 1/16"),),
                       downstream="see C46.(4).")),
    Step("C46.mix",
         spelled=(("err(h;D_(p)) = ", ""), ("err(h;D_0)", "(ones (1/2) + (1-ones) (1/2))"), ("err(h;D)", "err")),
         claims=(Claim("p in (0, 1); err in [0, 1]; ones in [0, 1]", "",
                       "p*err + (1 - p)*(ones*(1/2) + (1 - ones)*(1/2)) = p*err + (1 - p)/2"),),
         because="ones: the mass of points that h labels 1; each is wrong for half of the fair labels"),
    Step("C46.arg",
         claims=(Claim("p in (0, 1); first in [0, 1]; second in [0, 1]",
                       "p*first + (1 - p)/2 <= p*second + (1 - p)/2", "first <= second"),
                 Claim("p in (0, 1); first in [0, 1]; second in [0, 1]", "first <= second",
                       "p*first + (1 - p)/2 <= p*second + (1 - p)/2"),
                 Claim("p in (0, 1)", "", "p*0 + (1 - p)/2 = (1 - p)/2")),
         because="the order of errors is the same under both laws; realisability gives h* with error 0"),
    Step("C46.fin1", spelled=(("err(A(S_priv,S_pub);D)", "err"),),
         claims=(Claim("p in (0, 1); err in [0, 1]; alpha in (0, 1)", "(p*err + (1 - p)/2) - (1 - p)/2 <= alpha",
                       "alpha >= p*err"),),
         because="(4) and C46.mix"),
    Step("C46.fin2", spelled=(("err(B(Stilde);D) = err(A(S_priv,S_pub);D)", "err"),),
         claims=(Claim("n_pub in Z[1, inf); err in [0, 1]; alpha in (0, 1)", "alpha >= (1/(100*n_pub))*err",
                       "err <= 100*n_pub*alpha"),)),
    # Theorem 4.1
    Step("T41.delta",
         claims=(Claim("n_priv in Z[2, inf)", "", "2^(-n_priv) <= 1/(100*n_priv^2*log(n_priv))"),),
         because="2^-n is a negligible function of n; a learner may have n_priv = 2 at one alpha, rely on public "
                 "examples there, and be exactly (0, delta)-private",
         reading="for every size n_priv of at least 2 (log 1 = 0)",
         erratum=Erratum(
             quotes="A is (alpha, 1/18, 0.1, 1/(100 n_priv^2 log(n_priv)))-semi-private learner for H.",
             explanation="delta = negl(n_priv) is below 1/(100 n^2 log n) only for n large enough; at n = 2, delta = "
                         "2^-n is not.", severity="edge", quality="reading",
             readings="It holds for all alpha small enough, since n_priv tends to infinity there (see the repair)."),
         repair=Repair(
             "for all alpha up to some alpha_0 (which depends on the learner)", "domain",
             claims=(Claim("n in [1000, inf)", "", "1/n^3 <= 1/(100*n^2*log(n))",
                           ("have log(n) >= 1", "have 100*log(n) <= n")),
                     Claim("plus in [0, 1/18]; minus in [0, 1/18]; distance in [0, 1]",
                           "(1 - plus) - minus <= distance",
                           "distance >= 8/9"),
                     Claim("alpha in (0, 1/100]; n_pub in [0, inf); n_priv in [0, inf)",
                           "2*alpha*(n_priv + n_pub) >= 8/9; n_pub <= 1/(1600*alpha)", "n_priv >= 2/(5*alpha)")),
             because="a negligible function is at most n^-3 from some n_0 on, and n^-3 <= 1/(100 n^2 log n) from n = "
                     "1000 on; if n_pub <= 1/(1600 alpha), then n_priv grows: on one point where two members differ, "
                     "labels 1 with probability 1/2 + alpha or 1/2 - alpha make the wrong label's excess 2 alpha, the "
                     "learner tells the two laws apart except with 1/18 each, and their n-fold products are at a total "
                     "variation of at most 2 alpha n",
             downstream="thm-4.1 holds as printed, Omega being read as alpha tends to 0.")),
    Step("T41.red",
         because="eps = 0.1 and delta are as lem-4.4 asks; with n_pub = 0 the learner itself is a (1/16, 1/16, "
                 "...)-private one, which thm-4.3 excludes",
         reading="alpha <= 1/100 (not printed: the bound is about alpha tending to 0); n_priv >= 2; n_pub >= 1",
         uses=("alon2019:lem-4.4",)),
    Step("T41.use",
         because="delta at n_priv is at most what thm-4.3 excludes at ntilde <= n_priv; were 100 n_pub alpha <= 1/16, "
                 "there would be a (1/16, 1/16, ...) learner",
         reading="ntilde >= 2, since 1/log(1) is not defined in thm-4.3; a learner with one example is one with two "
                 "that ignores the second",
         uses=("alon2019:thm-4.3",)),
    Step("T41.end",
         claims=(Claim("n_pub in Z[1, inf); alpha in (0, 1)", "100*n_pub*alpha > 1/16", "n_pub > 1/(1600*alpha)"),)),
    # Theorem 4.2
    Step("T42.excl",
         because="a pure private learner is a semi-private one with n_pub = 0, which is below c/alpha for every c > 0"),
    Step("T42.chain",
         reading="lem-2.5 in its pure form (it is printed for \"privately learnable\")",
         because="lem-2.5, lem-2.6, and a (1/16, 1/16, 0.1) learner is a (0.1, 0.1, 0.1) one",
         uses=("alon2019:lem-2.5", "alon2019:lem-2.6")),
    Step("T42.end",
         claims=(Claim("alpha in [3/5, 1); n_pub in Z[0, 0]", "", "100*n_pub*alpha > 1/16"),
                 Claim("alpha in [3/5, 1); n_pub in Z[0, 0]", "", "n_pub > 1/(1600*alpha)")),
         because="for alpha >= 3/5 the exponential mechanism over the two constants (one of which has error at most "
                 "1/2) is a pure learner without public examples, for n_priv large enough (thm-kln at accuracy 1/10)",
         reading="\"for any alpha > 0\"",
         uses=("alon2019:lem-4.4",),
         erratum=Erratum(
             quotes="this implies that for any alpha > 0, A is an (alpha, 1/18, 0.1)-pure semi-private learner ... "
                    "therefore that n_pub > 1/(1600 alpha)",
             explanation="Lemma 4.4 asks for alpha <= 1/100 and n_pub >= 1; for alpha near 1 no public examples are "
                         "needed.",
             severity="slip"),
         repair=Repair("for any alpha in (0, 1/100]", "domain",
                       claims=(Claim("alpha in (0, 1/100]; n_pub in Z[1, inf)", "100*n_pub*alpha > 1/16",
                                     "n_pub > 1/(1600*alpha)"),
                               Claim("alpha in (0, 1/100]", "", "alpha <= 1/16"), Claim("", "", "1/18 <= 1/16")),
                       because="with n_pub = 0 the learner would be an (alpha, 1/18, 0.1)-pure private one, so a "
                               "(1/16, 1/16, 0.1) one, which there is not",
                       uses=("alon2019:lem-4.4",),
                       downstream="n_pub = Omega(1/alpha) is about small alpha: unchanged.")),
    # Introduction
    Step("I.rates",
         because="for each dimension the size is the square of the other; it is d times the lower bound",
         reading="the sizes as printed, without logarithms"),
    Step("I.100",
         claims=(Claim("n_pub in Z[1, inf); alpha in (0, 1)", "n_pub <= 1/(10^4*alpha)", "100*n_pub*alpha <= 1/100"),
                 Claim("n_pub in Z[1, inf); alpha in (0, 1)", "n_pub <= 1/(10^4*alpha)", "alpha <= 1/100")),
         because="lem-4.4", uses=("alon2019:lem-4.4",)),
)

_NO_CONSTANT = Claim("C in [1, inf); k in Z[2, inf)", "",
                     "C*((2*k + 1)*(1/(16*C)) + (2*k + 1)/(16*C))/exp(-1/(16*C)) + 1 <= k",
                     ("have exp(1/(16*C)) <= 107/100",))
_COFINITE = (
    "H: the sets of at most k points of an infinite X and their complements (d = 2k + 1), D_X without atoms, all "
    "labels 0, representatives cofinite. For every constant C, at alpha = exp(-1/(16C)) and beta = exp(-d/(16C)) < 1, "
    "the size ceil(C(d log(1/alpha) + log(1/beta))/alpha) is at most k, and then every dichotomy of the public points "
    "has a cofinite representative, at distance 1 > alpha from the empty set: the cover fails, and A_SSPP errs by 1, "
    "with probability 1"
)
_SSPP = ("dpcheck.papers.alon2019.learners:CoverLearner",)
_B = ("dpcheck.papers.alon2019.learners:FromSemiPrivate",)
_PROPERTY = "properties/test_alon2019.py"


THEOREMS = (
    Theorem("alon2019:def-2.1", "Differential privacy", stated=True),
    Theorem("alon2019:def-2.2", "Semi-private learner", stated=True, uses=("alon2019:def-2.1",)),
    Theorem("alon2019:def-2.3", "Semi-privately learnable class", stated=True, uses=("alon2019:def-2.2",)),
    Theorem("alon2019:def-2.4", "Semi-supervised semi-private learner", stated=True, uses=("alon2019:def-2.2",)),
    Theorem("alon2019:def-priv", "Private learner", stated=True, uses=("alon2019:def-2.2",)),
    Theorem("alon2019:obs-2.a", "d/alpha^2 labelled public examples suffice alone", steps=("S2.erm",),
            cited="Shalev-Shwartz & Ben-David 2014, theorem 6.8"),
    Theorem("alon2019:lem-2.5", "Realisable private learning gives agnostic",
            cited="Beimel, Nissim & Stemmer 2015, theorem 4.16"),
    Theorem("alon2019:lem-2.6", "Boosting pure private learners", steps=("S2.boost",),
            cited="Dwork, Rothblum & Vadhan 2010, theorem 6.1"),
    Theorem("alon2019:obs-2.b", "No analogue for approximate privacy is known", stated=True),
    Theorem("alon2019:def-2.7", "Cover of a class", stated=True),
    Theorem("alon2019:thm-3.1", "A_SSPP learns with d/alpha public examples",
            assumptions="VC(H) = d; alpha, beta in (0, 1); eps > 0",
            steps=("T31.argmin", "T31.argmin2", "T31.kln", "T31.sauer", "T31.s1", "T31.s2", "T31.s3", "T31.s4",
                   "T31.s5", "T31.dis", "T31.tri", "T31.end"),
            uses=("alon2019:lem-3.2", "alon2019:lem-3.3", "alon2019:thm-kln", "alon2019:lem-sauer"),
            against=(_NO_CONSTANT,), witness=instances.cofinite_representatives,
            erratum=Erratum("For any alpha, beta in (0, 1), eps > 0, A_SSPP is an (alpha, beta, eps)-semi-supervised "
                            "semi-private agnostic learner for H with ... n_pub = O((d log(1/alpha) + "
                            "log(1/beta))/alpha).",
                            _ALPHA_NEAR_1 + _COFINITE + ".", "edge", "reading", _SMALL_ALPHA),
            repaired_statement="for alpha in (0, 1/2], with n_pub = ceil(257 (d log(1/alpha) + log(1/beta))/alpha) (no "
                               "larger: the cover grows with n_pub) and n_priv >= 420 (d log(1/alpha) + log(1/beta)) "
                               "max(1/alpha^2, 1/(eps alpha))",
            bounds=bounds_of("alon2019", "public", "public_printed", "private", "private_printed"), learners=_SSPP,
            checks=(_PROPERTY, "properties/test_bounds.py")),
    Theorem("alon2019:lem-3.2", "A_SSPP is eps-differentially private", assumptions="any T_pub; eps > 0",
            steps=("L32",),
            learners=_SSPP, checks=(_PROPERTY,)),
    Theorem("alon2019:lem-3.3", "The public points give an alpha-cover", assumptions="T_pub ~ D_X^n_pub",
            steps=("L33.zero", "L33.bad", "L33.(1)", "L33.cover", "L33.beta", "L33.pairs", "L33.growth1", "L33.growth2",
                   "L33.chain1", "L33.chain2", "L33.chain3"),
            uses=("alon2019:lem-3.3-eq1", "alon2019:lem-3.3-growth", "alon2019:lem-sauer"),
            against=(_NO_CONSTANT,), witness=instances.cofinite_representatives,
            erratum=Erratum("where n_pub = O((d log(1/alpha) + log(1/beta))/alpha). Then, with probability at least 1 "
                            "- beta, the family constructed in Step 5 of Algorithm 1 is an alpha-cover",
                            _ALPHA_NEAR_1 + _COFINITE + ".", "edge", "reading", _SMALL_ALPHA),
            repaired_statement="for alpha in (0, 1/2], with n_pub >= 105 (d log(1/alpha) + log(1/beta))/alpha",
            bounds=bounds_of("alon2019", "cover_public", "cover_public_printed", "cover_public_tight"), learners=_SSPP,
            checks=(_PROPERTY, "properties/test_utility.py")),
    Theorem("alon2019:lem-3.3-eq1", "(1): the probability of Bad",
            steps=("L33.(1)", "L33.chain1", "L33.chain2", "L33.chain3"),
            uses=("alon2019:lem-3.3-growth",),
            against=(Claim("", "", "2*(2*e*1/6)^(2*6)*exp(-(1/2)*1/4) < 1"),), witness=instances.agreeing_on_one_of_six,
            erratum=Erratum("P[Bad] <= 2 (2 e n_pub/d)^{2d} e^{-alpha n_pub/4}. (1)",
                            "All functions on six points, one public point, alpha = 1/2: P[Bad] = 1, the right side is "
                            "0.54.",
                            "edge", "reading", "It holds where 2 n_pub >= d."),
            repaired_statement="for 2 n_pub >= d", bounds=bounds_of("alon2019", "cover_failure"),
            checks=("properties/test_utility.py",)),
    Theorem("alon2019:lem-3.3-growth", "The growth function of differences",
            steps=("L33.pairs", "L33.growth1", "L33.growth2"),
            uses=("alon2019:lem-sauer",),
            against=(Claim("", "", "(e*1/3)^(2*3) < 2^1"),),
            erratum=Erratum("for any number m, ... Note that G_{H_Delta}(m) <= (e m/d)^{2d}.",
                            "All functions on three points, m = 1: G_{H_Delta}(1) = 2, the right side is 0.55.",
                            "edge"),
            repaired_statement="for m >= d", checks=(_PROPERTY,)),
    Theorem("alon2019:lem-sauer", "Sauer's lemma",
            assumptions="G_H(m) <= (e m/d)^d for m >= d >= 1; the paper leaves the range out where it uses it "
                        "(L33.growth2, T31.sauer)", cited="Sauer 1972", checks=(_PROPERTY,)),
    Theorem("alon2019:thm-kln", "The generic learner over a finite class",
            cited="Kasiviswanathan et al. 2008, theorem 3.4",
            bounds=bounds_of("alon2019", "generic"), learners=("dpcheck.papers.alon2019.learners:GenericLearner",),
            checks=(_PROPERTY,)),
    Theorem("alon2019:thm-4.1", "Infinite Littlestone dimension needs 1/alpha public examples",
            assumptions="infinite Littlestone dimension", steps=("T41.delta", "T41.red", "T41.use", "T41.end"),
            uses=("alon2019:lem-4.4", "alon2019:thm-4.3"), proved_by="repaired",
            repaired_statement="n_pub > 1/(1600 alpha) for all alpha up to some alpha_0 that depends on the learner",
            bounds=bounds_of("alon2019", "public_necessary"), checks=("properties/test_bounds.py",)),
    Theorem("alon2019:thm-4.2", "The dichotomy for pure privacy", steps=("T42.excl", "T42.chain", "T42.end"),
            uses=("alon2019:lem-2.5", "alon2019:lem-2.6", "alon2019:lem-4.4"), proved_by="repaired",
            bounds=bounds_of("alon2019", "public_necessary_pure", "proper_packing"),
            checks=("properties/test_bounds.py",)),
    Theorem("alon2019:obs-4.a", "Few public examples give a private learner", steps=("O4.1", "O4.2", "I.100"),
            uses=("alon2019:lem-4.4", "alon2019:thm-4.3")),
    Theorem("alon2019:thm-4.3", "No private learner for infinite Littlestone dimension",
            cited="Alon, Livni, Malliaris & Moran 2018, corollary 2"),
    Theorem("alon2019:rem-1", "The reduction holds for labelled public samples, pure and approximate",
            uses=("alon2019:lem-4.4",), learners=_B, checks=(_PROPERTY,)),
    Theorem("alon2019:lem-4.4", "Public data reduction",
            assumptions="0 < alpha <= 1/100; eps > 0; delta >= 0; n_pub >= 1", steps=("A2.par",),
            uses=("alon2019:clm-4.5", "alon2019:clm-4.6"), proved_by="repaired",
            bounds=bounds_of("alon2019", "reduced"), learners=_B,
            checks=(_PROPERTY, "properties/test_utility.py")),
    Theorem("alon2019:clm-4.5", "B is (eps, delta)-differentially private", steps=("C45",), learners=_B,
            checks=(_PROPERTY,)),
    Theorem("alon2019:clm-4.6", "B errs by at most 100 n_pub alpha",
            assumptions="D realisable by H; Stilde ~ D^ntilde",
            steps=("C46.n", "C46.chernoff", "C46.(2)", "C46.hat", "C46.eq", "C46.99", "C46.tv", "C46.(3)", "C46.17",
                   "C46.17a", "C46.(4)", "C46.16a", "C46.mix", "C46.arg", "C46.fin1", "C46.fin2"),
            against=(Claim("", "", "1 - (1 - 1/100)^9 > 1/16"),), witness=instances.short_sample,
            erratum=Erratum("Then, except with probability at most 1/16 (over the choice of Stilde and internal "
                            "randomness in B), the output hypothesis satisfies: err <= 100 n_pub alpha.",
                            "n_priv = 10, n_pub = 1, alpha < 1/100, H = {h}, and an A that returns h on ten records "
                            "and its complement on fewer (it is private, neighbours being samples of equal size, and "
                            "learns H): as printed, alg-3 returns fewer than ten with probability 0.086, and then the "
                            "error is 1.", "gap", "reading",
                            "It holds for an alg-3 that fills up with dummies; line 10 of alg-3 returns n_priv "
                            "entries, some of which were never set."),
            repaired_statement="with alg-3 filling the remaining positions with dummies", learners=_B,
            checks=(_PROPERTY, "properties/test_utility.py")),
    Theorem("alon2019:obs-1.a", "A semi-private learner gives a label-private one",
            claims=(Claim("label in Z[0, 1]; replaced in Z[0, 1]; private in Z[0, 1]",
                          "label <= replaced; replaced <= private",
                          "label <= private"),),
            assumptions="the public sample is unlabelled (definition 2.4); a pair that differs in one label differs in "
                        "at most one record of S_priv, and the points may be public. For learners with labelled public "
                        "examples nothing is shown",
            learners=("dpcheck.papers.alon2019.learners:LabelPrivate",), checks=(_PROPERTY,)),
    Theorem("alon2019:obs-1.c", "With D_X known, every class is privately learnable",
            cited="a cover of size (c/alpha)^d exists (Haussler 1995); the generic learner over it"),
    Theorem("alon2019:obs-1.b", "Upper and lower bound nearly match", steps=("I.rates",),
            claims=(Claim("alpha in (0, 1/100]", "", "1600*16*(2*log(64/alpha) + log(72)) <= 200000*log(1/alpha)",
                          ("have log(1/alpha) >= 23/5",)),
                    Claim("alpha in (0, 1); beta in (0, 1); d in Z[1, inf); n_pub in Z[1, inf)",
                          "n_pub >= 16/alpha*(2*d*log(64/alpha) + log(4/beta))",
                          "2*log(2) + 2*d*log(2*e*n_pub/d) - alpha*n_pub/8 + log(1/beta) <= 0",
                          ("have alpha*n_pub >= 16*(2*d*log(64/alpha) + log(4/beta))",
                           "lemma log_tangent x = 2*e*n_pub/d; c = 64*e/alpha",
                           "have 2*d*log(2*e*n_pub/d) <= alpha*n_pub/16 + 2*d*log(64/alpha)"))),
            assumptions="thresholds (d = 1), beta = 1/18: the ratio of the explicit bounds is at most 200000 "
                        "log(1/alpha)",
            uses=("alon2019:thm-3.1", "alon2019:thm-4.1"), proved_by="repaired",
            bounds=bounds_of("alon2019", "public", "public_necessary"), tightness=tightness_of("alon2019:obs-1.b"),
            checks=("properties/test_bounds.py",)),
)

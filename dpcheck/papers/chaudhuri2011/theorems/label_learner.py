"""chaudhuri2011: the label-private learner (section 6, appendix E).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.papers.chaudhuri2011.theorems import label_learner_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_HALF = "V in Z[1, inf); eps in (0, 1/2]; delta in (0, 1); eta in [0, 1); m in (0, inf)"
#: What the bound on m gives for the case eps > 1/2, with C = 4000 for both terms; M = E[N_{eps/8}].
_LARGE = "delta in (0, 1); M in [1, inf); m in (0, inf)"
_RECORDS = "m >= 1150; m >= 4000*log(M/delta)"
_DOMAIN = ("It holds where eps and delta are at most 1/2: with 16500 for the first and 32 for the second term, if the "
           "constants of T27.alg are kept apart (C' = 4 for all asks for more).")

_ROOTS = (
    Claim("a in [0, 1]; u in [0, inf); h in [0, 1]; v in [0, inf)", "a^2 <= h^2 + a*u + h*u + u^2 + v^2",
          "(a - u/2)^2 <= ((9/8)*u + h + v)^2"),
    Claim("p in (-inf, inf); q in (0, inf)", "p^2 <= q^2", "p <= q", ("case p", "case q - p")),
)

STEPS = (
    Step("T27.cover",
         claims=(Claim("a in Z[0, 1]; b in Z[0, 1]; y in Z[0, 1]", "", "abs(a - y) - abs(b - y) <= abs(a - b)"),
                 Claim("least in [0, 1]; g in [0, 1]; h in [0, 1]; rho in [0, 1]; eps in (0, 1)",
                       "least <= g; g <= h + rho; rho <= eps/4", "least <= h + eps/4")),
         because="record by record and on average err(g, S) <= err(h, S) + rho_X(g, h); for every h the cover has a g "
                 "within eps/4, so the bound holds for the infimum too; G is finite, so g_0 exists"),
    Step("T27.pack",
         claims=(Claim("a in [0, 1]; b in [0, 1]; apart in [0, 1]; eps in (0, 1)",
                       "apart <= a + b; a <= eps/8; b <= eps/8",
                       "apart <= eps/4"),),
         because="two members of an (eps/4)-packing are never within eps/8 of the same centre, so each ball of a cover "
                 "holds at most one"),
    Step("T27.E",
         against=(Claim("C in [1, inf)", "",
                        "C*exp(1/(40*C))*(10*(1/(40*C)) + 1/(8*C)) + C*2*exp(1/(40*C))*(1/(8*C)) <= 1",
                        ("have exp(1/(40*C)) <= 11/10",)),
                  Claim("C in [1, inf)", "", "8*10*log(2*e*1/10) + 4*log(16) + 4*(1/(8*C)) < 0")),
         because="for every constant C at m = 1, V = 10, eps = exp(-1/(40C)), delta = exp(-1/(8C)), alpha = 1/2, eta = "
                 "0, N = 1: the size is enough (first formula), and eps_m is negative (second). All h agree with the "
                 "labels where the mass is: err(h) = err(h, S) = 0, E asks that 0 <= eps_m, and so Pr[E] = 0",
         reading="a size that the theorem allows, for all eps, delta in (0, 1)",
         witness=instances.agreeing_at_the_only_point,
         erratum=Erratum(
             quotes="where eps_m := (8V log(2em/V) + 4 log(16/delta))/m. By Lemma 16, the fact S(F, n) = S(H, n), and "
                    "union bounds, we have Pr[E] >= 1 - delta/2.",
             explanation="Sauer's lemma in the form (2em/V)^V is for 2m >= V. The bound on m gives that for eps <= "
                         "1/2; as eps and delta tend to 1 it asks for nothing.", severity="edge", quality="reading",
             readings="It holds for m >= V/2."),
         repair=Repair(
             "for m >= V/2, which the bound on m gives for eps <= 1/2", "domain",
             claims=(Claim("a in Z[0, 1]; b in Z[0, 1]; y in Z[0, 1]", "", "abs(abs(a - y) - abs(b - y)) = abs(a - b)",
                           ("split a at 1/2", "split b at 1/2", "split y at 1/2")),
                     Claim("V in Z[1, inf); m in Z[1, inf); delta in (0, 1)", "m >= V/2",
                           "(4/m)*(V*log(2*e*m/V) + log(4/(delta/4))) <= (8*V*log(2*e*m/V) + 4*log(16/delta))/m",
                           ("have 2*m/V >= 1", "have log(2*e*m/V) >= 0", "have V*log(2*e*m/V) >= 0",
                            "have 4/(delta/4) = 16/delta")),
                     Claim("both in [0, 1]; first in [0, 1]; second in [0, 1]; none in [0, 1]; delta in (0, 1)",
                           "both + first + second + none = 1; second + none <= delta/4; first + none <= delta/4",
                           "both >= 1 - delta/2"),
                     Claim(_HALF, "m >= 16500*(eta/eps^2 + 1/eps)*(V*log(1/eps) + log(1/delta))", "m >= V/2",
                           ("have log(1/eps) >= 69/100", "have log(1/delta) > 0", "have V*log(1/eps) >= V*69/100",
                            "have eta/eps^2 + 1/eps >= 1",
                            "have (eta/eps^2 + 1/eps)*(V*log(1/eps) + log(1/delta)) >= V*69/100"))),
             because="flipping by y keeps differences, so F and H have as many patterns on any points; (4/m)(log S(2m) "
                     "+ log(4/(delta/4))) is lem-16's eps_m for each of the two events at delta/4, and its deviations "
                     "grow with it",
             cites="Sauer 1972", uses=("chaudhuri2011:lem-16",), downstream="see T27.end")),
    Step("T27.E'",
         claims=(Claim("M in [1, inf); delta in (0, 1); alpha in (0, 1); m in Z[1, inf)", "",
                       "1 - M*exp(-alpha*m*(2*log(2*M/delta)/(alpha*m))/2) >= 1 - delta/2"),
                 Claim("w in [0, 1]; p in [0, 1]; q in [0, 1]; g in Z[1, inf); h in Z[1, inf); f in (0, 1]",
                       "p <= g*f; q <= h*f",
                       "1 - (w*p + (1 - w)*q) >= 1 - (w*g + (1 - w)*h)*f"),
                 Claim("alpha in (0, 1); m in Z[1, inf); a in [0, 1]; b in [0, 1]; t in (0, inf)", "a > b + t",
                       "alpha*m*a/2 > alpha*m*b/2 + alpha*m*t/2")),
         because="lem-18, part 2, with a_g = alpha m err(g, S)/2 and alpha m t_m/2 for its t, given S; t_m does not "
                 "depend on S; averaging over S, two values at a time; M = E#G",
         uses=("chaudhuri2011:lem-18",)),
    Step("T27.a", spelled=(("err(h_A,S)", "seen"), ("err(h*,S)", "starseen"), ("err(h_A)", "A"), ("err(h*)", "star")),
         claims=(Claim("A in [0, 1]; star in [0, 1]; seen in [0, 1]; starseen in [0, 1]", "",
                       "A - star <= (A - seen) + (starseen - star) + (seen - starseen)"),),
         because="both sides are equal",
         reading="h* any member of H: a minimiser need not exist, but E speaks of all h at once, so what follows holds "
                 "for every h* and, by continuity, with the infimum eta for err(h*)"),
    Step("T27.b",
         claims=(Claim("A in [0, 1]; star in [0, 1]; seen in [0, 1]; starseen in [0, 1]; g in [0, 1]; "
                       "eps_m in [0, inf); t in (0, inf)",
                       "starseen <= star + sqrt(star*eps_m) + eps_m; A <= seen + sqrt(A*eps_m); seen <= g + t",
                       "(A - seen) + (starseen - star) + (seen - starseen) <= sqrt(A*eps_m) + sqrt(star*eps_m) + eps_m "
                       "+ g - starseen + t"),),
         because="on E and E'; g = err(g_0, S)"),
    Step("T27.c",
         claims=(Claim("root in [0, inf); starroot in [0, inf); eps_m in [0, inf); starseen in [0, 1]; g in [0, 1]; "
                       "eps in (0, 1); t in (0, inf)", "g <= starseen + eps/4",
                       "root + starroot + eps_m + g - starseen + t <= root + starroot + eps_m + eps/4 + t"),),
         because="T27.cover, with h*"),
    Step("T27.alg",
         claims=(
             *_ROOTS,
             Claim("a in [0, 1]; h in [0, 1]; u in [0, inf); v in [0, inf); eps in (0, 1); t in (0, inf)",
                   "a^2 <= h^2 + a*u + h*u + u^2 + v^2; v^2 <= eps/4 + t; a <= (13/8)*u + h + v",
                   "a^2 <= h^2 + 4*(h*u + u^2 + t) + eps/2",
                   ("have a*u <= (13/8)*u^2 + h*u + u*v", "have u*v <= u^2 + v^2/4")),
         ),
         because="C' = 4; a, h, u are the roots of err(h_A), err(h*), eps_m, v that of eps/4 + t_m; the first two "
                 "formulas, with p = a - u/2, bound a"),
    Step("T27.end",
         against=(Claim("C in [1, inf)", "", "C*exp(1/(8*C))*(1*(1/(8*C)) + 1/(8*C)) + C*2*exp(1/(8*C))*(1/(8*C)) <= 1",
                        ("have exp(1/(8*C)) <= 12/10",)),
                  Claim("C in [1, inf); K in [1, inf)", "",
                        "K*(8*1*log(2*e*1/1) + 4*log(16) + 4*(1/(8*C))) + exp(-1/(8*C))/2 > exp(-1/(8*C))",
                        ("have log(2*e*1/1) >= 1", "have exp(-1/(8*C)) <= 1", "have log(16) > 0"))),
         because="for every constant C at m = 1, V = 1, eps = exp(-1/(8C)) = delta, alpha = 1/2, eta = 0, N = 1: the "
                 "size is enough (first formula), and the bound of T27.alg is above eps (second) for every K = C', "
                 "which is at least 1 (t_m alone)",
         reading="\"now implies\": from T27.alg, with one C for all alpha, eps, delta in (0, 1)",
         erratum=Erratum(
             quotes="for some constant C' > 0. The lower bound on m now implies the theorem.",
             explanation="As eps or delta tend to 1 the logarithms in the bound on m tend to 0 (for N = 1 the second "
                         "term as well), while eps_m and t_m contain log(16) and log(2) whatever delta is: neither is "
                         "small. The theorem is true, by a longer "
                         "way.", severity="edge", quality="reading", readings=_DOMAIN),
         repair=Repair(
             "for eps <= 1/2, C = 16500 does; for eps > 1/2 a cover of two samples takes the place of V", "statement",
             claims=(
                 # eps <= 1/2
                 Claim("V in Z[1, inf); L in [69/100, inf); B in (0, inf); Q in [1, inf); m in (0, inf)",
                       "log(Q) <= 2*L; m >= 16500*Q*(V*L + B)",
                       "8*V*log(2*e*m/V) + 4*(4*log(2) + B) <= m/(100*Q)",
                       ("lemma log_tangent x = 2*e*m/V; c = 1600*e*Q*(100/7)",
                        "lemma log_product_above x = 1600*(100/7)*e; y = Q",
                        "have log(1600*(100/7)*e) <= 11038/1000",
                        "have 8*V*log(2*e*m/V) <= (7/100)*m/(100*Q) + 8*V*(10038/1000 + 2*L)",
                        "have m/(100*Q) >= 165*(V*L + B)", "have log(2) <= 694/1000", "have V*L >= V*69/100")),
                 Claim("eta in [0, 1); eps in (0, 1/2]", "eta + eps < 1", "eta/eps^2 + 1/eps <= 1/eps^2"),
                 Claim("eta in [0, 1); eps in (0, 1); e_m in [0, inf)", "e_m <= 1/(100*(eta/eps^2 + 1/eps))",
                       "sqrt(eta*e_m) <= eps/10",
                       ("have e_m*(100*(eta/eps^2 + 1/eps)) <= 1", "have e_m*100*(eta + eps) <= eps^2",
                        "have eta*e_m <= (eps/10)^2", "lemma sqrt_below x = eta*e_m; y = eps/10")),
                 Claim("eta in [0, 1); eps in (0, 1); e_m in [0, inf); t in [0, inf); root in [0, inf)",
                       "e_m <= 1/(100*(eta/eps^2 + 1/eps)); t <= eps/8; root <= eps/10",
                       "2*root + (29/8)*e_m + (5/4)*t + (5/16)*eps <= eps",
                       ("have e_m*(100*(eta/eps^2 + 1/eps)) <= 1", "have e_m*100*(eta + eps) <= eps^2",
                        "have e_m*100*eps <= eps^2", "have e_m <= eps/100")),
                 *_ROOTS,
                 Claim("a in [0, 1]; h in [0, 1]; u in [0, inf); v in [0, inf)",
                       "a^2 <= h^2 + a*u + h*u + u^2 + v^2; a <= (13/8)*u + h + v",
                       "a^2 <= h^2 + 2*h*u + (29/8)*u^2 + (5/4)*v^2",
                       ("have a*u <= (13/8)*u^2 + h*u + u*v", "have u*v <= u^2 + v^2/4")),
                 Claim("M in [1, inf); delta in (0, 1); z in [0, inf)", "z >= 2*log(M/delta)",
                       "(M - 1)*exp(-z) <= delta/4",
                       ("have exp(-z) <= (delta/M)^2", "have (M - 1)*(delta/M)^2 <= delta/4")),
                 Claim("delta in (0, 1); eps in (0, 1); alpha in (0, 1); m in (0, inf); M in [1, inf)",
                       "m >= (32/(alpha*eps))*log(M/delta)", "alpha*m*eps/16 >= 2*log(M/delta)",
                       ("have m*alpha*eps >= 32*log(M/delta)",)),
                 # eps > 1/2
                 Claim("p in (1/2, 1]; q in [0, 1]", "p <= q + (1 - q)/4", "1 + q >= 4/3"),
                 Claim(_LARGE, "M >= 4/3; m >= 4000*log(M/delta)", "m >= 1150",
                       ("have log(M/delta) >= log(4/3)", "have log(4/3) >= 2876/10000")),
                 Claim("m in [1150, inf)", "", "1/(4*m)/(1/32)^2 <= 1/2"),
                 Claim(_LARGE, "m >= 1150; m >= 4000*log(1/delta)", "exp(-m/128) <= delta/4",
                       ("have log(4/delta) <= m/128", "have exp(m/128) >= 4/delta")),
                 Claim(_LARGE, _RECORDS, "2*M*exp(-(9/4096)*m) <= delta/2",
                       ("lemma log_product_above x = 4; y = M/delta", "have log(4) <= 14/10",
                        "have log(4*M/delta) <= (9/4096)*m",
                        "lemma exp_increases x = log(4*M/delta); y = (9/4096)*m", "have exp((9/4096)*m) >= 4*M/delta")),
                 Claim("eps in (1/2, 1)", "", "(7/16)*eps - eps/4 >= 3/32"),
                 Claim("x in [0, inf)", "", "min(1, x) <= sqrt(x)", ("case x - 1",)),
                 Claim("x in [1, inf); y in [1, inf)", "", "sqrt(x*y) <= (x + y)/2", ("have x*y <= ((x + y)/2)^2",)),
                 Claim("a in [0, 1]; b in [0, 1]; c in [0, 1]; g in [0, 1]; star in [0, 1]; eps in (1/2, 1)",
                       "a <= b + eps/2; b <= g + eps/8; g <= c + eps/4; c <= star + eps/8", "a <= star + eps"),
                 Claim("delta in (0, 1)", "", "delta/4 + delta/4 + delta/2 <= delta")),
             because="eta + eps < 1, else there is nothing to show; M = E[N_{eps/8}] >= E#G. E' with t = eps/8: only "
                     "the #G - 1 others can exceed it, so it fails with probability at most (M - 1) exp(-alpha m "
                     "eps/16) <= delta/4 for all delta. For eps <= 1/2, Q = eta/eps^2 + 1/eps, L = log(1/eps), B = "
                     "log(1/delta): the first formula is eps_m <= 1/(100 Q), then T27.alg with its constants kept "
                     "apart. For eps > 1/2, C = 4000: if rho_D(h, h') > 1/2 for some pair, rho_X(h, h') > 1/4 with "
                     "probability q > 1/3 (its mean is at most q + (1 - q)/4), so N_{eps/8} is at least 2 then, M >= "
                     "4/3 and m >= 1150; else no error is above eta + 1/2. Then err(h*, S) <= err(h*) + eps/8 but for "
                     "delta/4 (Hoeffding; h* within tau of the infimum, for every tau > 0); and all err(h) <= err(h, "
                     "S) + eps/2 but for delta/2: with a second sample S' (Chebyshev: err(h, S') >= err(h) - eps/16 "
                     "with probability 1/2) some h has err(h, S') - err(h, S) > 7 eps/16; covers of S and of S' at "
                     "eps/8 give N N' pairs (g, g'), g for S and g' for S', chosen before anything is swapped. "
                     "Swapping the i-th records of S and S' by fair coins keeps the law, and replacing h by its pair "
                     "moves the difference by at most eps/4 whatever the coins, so some pair differs by more than 3 "
                     "eps/16 >= 3/32; each does so with probability at most exp(-m (3/32)^2/2) = exp(-9 m/2048), and E "
                     "min(1, N N' exp(-9m/2048)) <= E sqrt(N N') exp(-9m/4096) <= M exp(-9m/4096)",
             cites="Hoeffding 1963", uses=("chaudhuri2011:lem-18",),
             downstream="thm-27 holds as printed with C = 16500.")),
)

_A2 = ("dpcheck.papers.chaudhuri2011.learners:LabelPrivateLearner",)
_PROPERTY = "properties/test_chaudhuri2011.py"

THEOREMS = (
    Theorem("chaudhuri2011:thm-26", "A2 is alpha-label private",
            assumptions="G is a function of the points X alone; m > 0 records, repetitions counted; any alpha > 0 (one "
                        "label moves the mistakes of each g by at most 1, its weight by a factor of at most "
                        "exp(alpha/2), their sum too, by induction over G, and a probability by at most exp(alpha)). "
                        "Nothing is promised of the points: replacing a record may lose infinitely much",
            claims=(Claim("a in Z[0, 1]; y in Z[0, 1]; z in Z[0, 1]", "", "-1 <= abs(a - y) - abs(a - z) <= 1",
                          ("split a at 1/2", "split y at 1/2", "split z at 1/2")),
                    Claim("alpha in (0, inf); m in [0, inf); k in [0, inf)", "k <= m + 1",
                          "exp(-alpha*m/2) <= exp(alpha/2)*exp(-alpha*k/2)"),
                    Claim("E in [1, inf); a in [0, inf); b in [0, inf); A in [0, inf); B in [0, inf)",
                          "a <= E*b; A <= E*B",
                          "a + A <= E*(b + B)"),
                    Claim("E in [1, inf); w in (0, inf); v in (0, inf); W in (0, inf); V in (0, inf)",
                          "w <= E*v; V <= E*W",
                          "w/W <= E^2*(v/V)"),
                    Claim("E in [1, inf); p in [0, 1]; q in [0, 1]; s in [0, 1]; t in [0, 1]", "p <= E*q; s <= E*t",
                          "p + s <= E*(q + t)")),
            learners=_A2, checks=(_PROPERTY, "tests/papers/chaudhuri2011/test_chaudhuri2011_theorems_labels.py")),
    Theorem("chaudhuri2011:thm-27", "A2 learns with label privacy",
            bounds=bounds_of("chaudhuri2011", "label_learner"),
            assumptions="alpha, eps, delta in (0, 1); V = VC(H) >= 1",
            steps=("T27.cover", "T27.pack", "T27.E", "T27.E'", "T27.a", "T27.b", "T27.c", "T27.alg", "T27.end"),
            uses=("chaudhuri2011:lem-16", "chaudhuri2011:lem-18"), proved_by="repaired",
            repaired_statement="with C = 16500; for eps <= 1/2 the second term needs 32 only, for eps > 1/2 4000 does "
                               "for both",
            learners=_A2, checks=(_PROPERTY, "tests/papers/chaudhuri2011/test_learners_chaudhuri2011.py")),
    Theorem("chaudhuri2011:rem-28", "The VC dimension may be replaced", stated=True),
)

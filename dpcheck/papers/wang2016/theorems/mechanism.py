"""wang2016: the exponential mechanism for empirical risk and its examples (section 4, appendix A.5).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.

Letters: ``star`` is F*, the least F; ``zeta`` is sup |g_n|; ``c`` is eps/(2 Dq), nats per unit of F; K and rho are
those of A2, which says nothing of K >= 1 or of how large t_0 is (rho >= 0 follows, as mu(H)/mu(S_t) >= 1 for all small
t).
"""

from __future__ import annotations

from dpcheck.papers.wang2016.theorems import mechanism_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

#: n = 1000, eps = 1, one hypothesis without loss and ceil(e^500) with loss 1 at the only record that D gives.
_MANY = "ceil(exp(500))"
_T = "(4*((1/100 + 2)*log(1000) + log(1))/(1*1000))"
_BAD = Claim("", "", f"{_MANY}*exp(-500)/(1 + {_MANY}*exp(-500)) >= 1/2")
_A2 = Claim("", "", f"log(1 + {_MANY}) <= (1/100)*60000")
_OUT_OF_RANGE = (
    "n = 1000, eps = 1, g_n = 0: H holds one hypothesis without loss and ceil(e^500) that lose 1 at the record 1 and 0 "
    "at the record 0; D gives 1 only, so Dq = 1/n and F* = 0. A2 holds with K = 1, rho = 1/100, t_0 = e^-60000, n_0 = "
    "1 (the ratio is at most #H <= e^600). A bad hypothesis comes out with probability at least 1/2, and is beyond 2t "
    "= 0.12"
)
_SMALL_T0 = "It holds where t < t_0 and K >= 1, which for fixed K, rho and t_0 is so for n eps large enough."

#: Ten hypotheses that the regulariser makes equally good: (11) at eps = 1/100 against the excess risk 18/100.
_TIES = Claim("n in Z[1000000, inf)", "",
              "2*(1/10)*(9/10) > 9*(log(1) + (0 + 2)*log(n))/(n*(1/100)) + 2*(1/100) + 1/10")
#: The same where (11) tends to 0, at n = r^30: mean loss above 20/11 zeta, zeta = n^(-1/10), eps = n^(-1/3), K = 1,
#: rho = 10.
_FADING = Claim("r in Z[2, inf)", "",
                "(20/11)*r^(-3) > 9*(log(1) + (10 + 2)*log(r^30))/(r^30*r^(-10)) + 2*r^(-10) + r^(-3)",
                ("lemma log_below x = r", "have log(r^30) = 30*log(r)", "have log(r) <= r", "have r^16 >= 65536",
                 "have (9/11)*r^17 > 3240*r + 2*r^10"))
_FADING_BECAUSE = (
    "H = [0, 1], h loses h^(1/10) at D's only record, zeta = n^(-1/10), g_n(h) = max(-zeta, zeta - h^(1/10)), eps = "
    "n^(-1/3): F is zeta wherever h^(1/10) <= 2 zeta and larger beyond, so mu(S_t) >= t^10 (K = 1, rho = 10, t_0 = 1) "
    "and the mean loss is at least that of a uniform h below (2 zeta)^10, 20/11 zeta. Here eps, sup |g_n| and (log K + "
    "rho log n)/(n eps) tend to 0"
)
#: The Gibbs bound: E F - F* <= 1/n + (log K + rho log n)/c at t = 1/n < t_0.
_GIBBS = (
    Claim("G in (0, inf); c in (0, inf); F in (-inf, inf)", "", "log(G) + c*F <= G*exp(c*F) - 1",
          ("lemma log_below x = G*exp(c*F)",)),
    Claim("G in (0, inf); c in (0, inf); s in (0, 1]; t in (0, inf); star in (-inf, inf); mean in (-inf, inf)",
          "log(G) + c*mean <= 0; G >= s*exp(-c*(star + t))", "mean - star <= t + log(1/s)/c",
          ("lemma log_increases x = s*exp(-c*(star + t)); y = G", "have log(s) - c*(star + t) <= log(G)",
           "have c*mean <= c*(star + t) - log(s)", "have mean <= star + t - log(s)/c")),
    Claim("x in (0, inf); m in (0, inf)", "", "log(x) <= x/m - 1 + log(m)", ("lemma log_tangent x = x; c = m",)),
    Claim("eps in (0, inf); n in Z[2, inf); rho in [0, inf); K in (0, inf); Dq in (0, inf); part in [0, inf)",
          "eps <= log(n); Dq <= 2/n; part <= 1/n + (log(K) + rho*log(n))/(eps/(2*Dq)); log(K) + rho*log(n) >= 0",
          "part <= 9*((rho + 2)*log(n) + log(K))/(n*eps)",
          ("have n*Dq <= 2", "have (log(K) + rho*log(n))/(eps/(2*Dq)) <= 4*(log(K) + rho*log(n))/(n*eps)",
           "have 1/n <= log(n)/(n*eps)", "have log(n) > 0",
           "have part <= (log(n) + 4*(log(K) + rho*log(n)))/(n*eps)")),
)
_GIBBS_BECAUSE = (
    "with G the mean of e^(-cF) under the uniform law on H and p the law of alg-1, the first formula averaged under p "
    "gives log G + c E_p F <= 0 (p has density e^(-cF)/G); G >= mu(S_t)/mu(H) e^(-c(F* + t)); averaged over Z the "
    "logarithm of the ratio is at most the logarithm of its mean (third formula at m = the mean), which at t = 1/n < "
    "t_0 is at most K n^rho, and at least 1; part stands for E_Z E_h F - E_Z F*"
)

STEPS = (
    # Theorem 19, privacy
    Step("T19.(16)", spelled=(("Dq = sup|q(Z,h)-q(Z',h)|", "abs((-(rest + a)/n - g) - (-(rest + b)/n - g))"),),
         claims=(Claim("n in Z[1, inf); rest in [0, inf); a in [0, 1]; b in [0, 1]; g in (-inf, inf)", "",
                       "abs((-(rest + a)/n - g) - (-(rest + b)/n - g)) <= 2/n"),),
         because="one of n summands changes, from a to b; the regulariser does not depend on the data"),
    Step("T19.priv",
         claims=(
             Claim("eps in (0, inf); Dq in (0, inf); q in (-inf, inf); r in (-inf, inf)", "abs(q - r) <= Dq",
                   "exp(eps/(2*Dq)*q) <= exp(eps/2)*exp(eps/(2*Dq)*r)",
                   ("have q - r <= Dq", "have eps/(2*Dq)*(q - r) <= eps/2",
                    "have exp(eps/(2*Dq)*q) <= exp(eps/2 + eps/(2*Dq)*r)")),
             Claim("E in [1, inf); a in [0, inf); b in [0, inf); A in [0, inf); B in [0, inf)", "a <= E*b; A <= E*B",
                   "a + A <= E*(b + B)"),
             Claim("E in [1, inf); w in [0, inf); v in [0, inf); W in (0, inf); V in (0, inf)", "w <= E*v; V <= E*W",
                   "w/W <= E^2*(v/V)", ("have w*V <= E*v*V", "have E*v*V <= E*v*E*W", "have w*V <= E^2*v*W")),
         ),
         because="each weight changes by a factor of at most exp(eps/2), the integrals over S and over H too (sums of "
                 "parts, and their limits), and so the probability of S by at most exp(eps/2)^2",
         reading="the normaliser is finite, as the paper asks (A2 gives it, g_n being bounded), and Dq > 0: where the "
                 "loss does not depend on the record, step 2 divides by 0"),
    # Lemma 36
    Step("L36.low", spelled=(("q(Z,h)", "-mean - g"), ("zeta(n)", "zeta"),),
         claims=(Claim("mean in [0, 1]; g in (-inf, inf); zeta in [0, inf)", "abs(g) <= zeta",
                       "-mean - g >= -(1 + zeta)"),)),
    Step("L36.(18)",
         claims=(Claim("c in (0, inf); t in (0, inf); star in (-inf, inf); whole in (0, inf); good in (0, inf); "
                       "weight_bad in [0, inf); weight in (0, inf)",
                       "weight_bad <= exp(-c*(star + 2*t))*whole; weight >= exp(-c*(star + t))*good",
                       "weight_bad/weight <= (whole/good)*exp(-c*t)",
                       ("have weight_bad*good <= exp(-c*(star + 2*t))*whole*good",
                        "have weight*exp(-c*t)*whole >= exp(-c*(star + t))*good*exp(-c*t)*whole")),),
         because="c = eps/(2 Dq): where q < -F* - 2t the weight e^(cq) is at most e^(-c(F* + 2t)), on S_t it is at "
                 "least e^(-c(F* + t)), and the normaliser is at least the part of S_t; whole and good are the "
                 "measures of H and S_t",
         reading="mu(S_t) > 0; where it is 0 the right side is infinite"),
    Step("L36.(19)",
         claims=(
             Claim("eps in (0, inf); n in Z[1, inf); Dq in (0, inf); t in (0, inf)", "Dq <= 2/n",
                   "exp(-(eps/(2*Dq))*t) <= exp(-eps*n*t/4)",
                   ("have n*Dq <= 2", "have eps/(2*Dq) >= eps*n/4", "have eps/(2*Dq)*t >= eps*n*t/4")),
             Claim("x in [0, inf); y in [0, inf); K in (0, inf); rho in [0, inf); t in (0, inf)",
                   "x <= K*t^(-rho); y > 0",
                   "x*y <= K*t^(-rho)*y"),
             Claim("eps in (0, inf); n in Z[1, inf); K in (0, inf); rho in [0, inf); t in (0, inf)", "",
                   "K*t^(-rho)*exp(-eps*n*t/4) = exp(-eps*n*t/4 + log(K) - rho*log(t))"),
         ),
         because="(18) with (16), averaged; the mean of mu(H)/mu(S_t) is at most K t^-rho",
         reading="for n > n_0 and t in (0, t_0), where A2 speaks", uses=("wang2016:eq-18",)),
    Step("L36.t", spelled=(("log(nt)", "log(n (4 ((rho+2) log(n) + log(K))/(eps n)))"),),
         claims=(Claim("eps in (0, inf); n in Z[2, inf); rho in (0, inf); K in (0, inf)", "eps < log(n)",
                       "log(n*(4*((rho + 2)*log(n) + log(K))/(eps*n))) > 0"),),
         because="A2 allows each K > 0 with rho > 0: where H is a single hypothesis, the ratio is 1 <= K t^-rho for t "
                 "up to K^(1/rho)",
         reading="K and rho are any that A2 allows; n >= 2, as eps < log n",
         erratum=Erratum(
             quotes="Take t = 4[(rho+2) log n + log(K)]/(eps n), by the assumption that eps < log n, we get log(nt) > "
                    "0.",
             explanation="For K < 1 t may be 0 or negative, as at n = 10, rho = 1, K = 1/1000 (K = mu(H) L^d/beta_p of "
                         "example 21 is as small for small L). Nor need t be below t_0, beyond which A2 (and so (19)) "
                         "says nothing.", severity="constant", quality="reading",
             readings="It holds for K >= 1, and a smaller K may always be replaced by 1; that t < t_0 holds for n eps "
                      "large enough."),
         repair=Repair(
             "for K >= 1; and the lines after it are for n > n_0 and t < t_0", "domain",
             claims=(Claim("eps in (0, inf); n in Z[2, inf); rho in [0, inf); K in [1, inf)", "eps <= log(n)",
                           "log(n*(4*((rho + 2)*log(n) + log(K))/(eps*n))) > 0",
                           ("have log(n) > 0", "have log(K) >= 0", "have (rho + 2)*log(n) + log(K) >= 2*log(n)",
                            "have 4*((rho + 2)*log(n) + log(K)) >= 8*eps",
                            "have n*(4*((rho + 2)*log(n) + log(K))/(eps*n)) >= 8")),),
             downstream="L36.tail and L36.e2 hold for K >= 1 and t < t_0; (17) holds for n > max(n_0, 1/t_0), see "
                        "L36.e4.")),
    Step("L36.gamma", spelled=(("gamma = ", ""), ("rho log(nt)", "rho (N + T)"), ("log n", "N"), ("log K", "k"),
                               ("rho log t", "rho T"),),
         claims=(
             Claim("eps in (0, inf); n in Z[2, inf); rho in [0, inf); N in (0, inf); k in (-inf, inf); "
                   "T in (-inf, inf); t in (0, inf)",
                   "t = 4*((rho + 2)*N + k)/(eps*n)", "(eps*n/4)*t - k + rho*T = 2*N + rho*(N + T)"),
             Claim("n in Z[2, inf); t in (0, inf)", "", "log(n*t) = log(n) + log(t)",
                   ("lemma log_product_above x = n; y = t", "lemma log_product_below x = n; y = t")),
             Claim("N in (0, inf); rho in [0, inf); T in (-inf, inf)", "N + T > 0", "2*N + rho*(N + T) >= 2*N"),
         ),
         because="N = log n, k = log K, T = log t; for t as chosen, and log(nt) > 0, the line before"),
    Step("L36.tail",
         against=(_BAD, _A2, Claim("", "", f"2*{_T} < 1"), Claim("", "", "1/2 > 1000^(-2)")),
         because=_OUT_OF_RANGE + ", where n^-2 is 10^-6", witness=instances.many_bad_hypotheses,
         reading="n > n_0 and t_0 as A2 has them; nothing says that t < t_0",
         erratum=Erratum(
             quotes="and therefore E_Z P[q(Z,h) < -F* - 2t] <= n^-2.",
             explanation="(19) was shown for t < t_0 only. " + _OUT_OF_RANGE + ".", severity="constant",
             quality="reading",
             readings=_SMALL_T0),
         repair=Repair(
             "for n > n_0, t < t_0 and K >= 1", "domain",
             claims=(Claim("n in Z[1, inf); gamma in (0, inf); p in [0, 1]", "gamma >= 2*log(n); p <= exp(-gamma)",
                           "p <= n^(-2)",
                           ("have exp(-gamma) <= exp(-2*log(n))",)),),
             because="(19) and L36.gamma", downstream="see L36.e2.")),
    Step("L36.e1",
         claims=(Claim("p in [0, 1]; good in (-inf, inf); bad in (-inf, inf); low in (-inf, inf); star in (-inf, inf); "
                       "t in (-inf, inf)",
                       "good >= -star - 2*t; bad >= low", "(1 - p)*good + p*bad >= (-star - 2*t)*(1 - p) + low*p"),),
         because="for each Z, good and bad being the means of q outside and inside the event, low the least q of all; "
                 "then the mean over Z"),
    Step("L36.e2",
         against=(_BAD, _A2, Claim("p in [1/2, 1]", "", f"(-2*{_T})*(1 - p) + (-1)*p < -2*{_T} - 1000^(-2)")),
         because=_OUT_OF_RANGE + ": with F* = 0, min q = -1, zeta = 0 and p >= 1/2 the line before is below -0.5, this "
                                 "one above -0.12",
         reading="as L36.tail", witness=instances.many_bad_hypotheses,
         erratum=Erratum(
             quotes=">= E(-F* - 2t) + (-1 - zeta(n)) n^-2",
             explanation="It uses L36.tail. And where F* + 2t is negative (g_n may be), leaving out the factor 1 - p "
                         "costs up to zeta n^-2 more.", severity="constant", quality="reading", readings=_SMALL_T0),
         repair=Repair(
             ">= E(-F* - 2t) - (1 + 2 zeta(n)) n^-2, for n > n_0, t < t_0 and K >= 1", "constant",
             claims=(Claim("p in [0, 1]; zeta in [0, inf); star in (-inf, inf); t in (0, inf); low in (-inf, inf)",
                           "star >= -zeta; low >= -(1 + zeta)",
                           "(-star - 2*t)*(1 - p) + low*p >= -star - 2*t - (1 + 2*zeta)*p",
                           ("have p*(star + zeta) >= 0", "have p*(low + 1 + zeta) >= 0", "have p*t >= 0")),
                     Claim("mean in [0, 1]; n in Z[1, inf); zeta in [0, inf)", "mean <= n^(-2)",
                           "(1 + 2*zeta)*mean <= (1 + 2*zeta)*n^(-2)")),
             because="the first formula for each Z (F* >= -zeta, as losses are at least 0), then the mean over Z, in "
                     "which only the mean of p is left, at most n^-2 by L36.tail as repaired",
             downstream="(17) holds for all n > max(n_0, 1/t_0) without these lines, see L36.e4.")),
    Step("L36.e3", spelled=((">= -E F*", "-star - 2 t - (1+zeta) n^(-2) >= -star"),
                            ("8[(rho+2) log n+log K]", "8 ((rho+2) log(n) + log(K))"),
                            ("(1+zeta(n)) n^-2", "(1+zeta) n^(-2)"),),
         claims=(Claim("eps in (0, inf); n in Z[1, inf); rho in [0, inf); K in (0, inf); star in (-inf, inf); "
                       "zeta in [0, inf); t in (-inf, inf)", "t = 4*((rho + 2)*log(n) + log(K))/(eps*n)",
                       "-star - 2*t - (1 + zeta)*n^(-2) >= "
                       "-star - 8*((rho + 2)*log(n) + log(K))/(eps*n) - (1 + zeta)*n^(-2)"),),
         because="t as chosen"),
    Step("L36.e4", spelled=((">= -E F*", "-star - 8 ((rho+2) log(n) + log(K))/(eps n) - (1+zeta) n^(-2) >= -star"),
                            ("9[(rho+2) log n+log K]", "9 ((rho+2) log(n) + log(K))"),),
         claims=(Claim("eps in (0, inf); n in Z[2, inf); rho in [0, inf); K in [1, inf); star in (-inf, inf); "
                       "zeta in [0, inf)",
                       "eps < log(n)",
                       "-star - 8*((rho + 2)*log(n) + log(K))/(eps*n) - (1 + zeta)*n^(-2) >= "
                       "-star - 9*((rho + 2)*log(n) + log(K))/(eps*n)"),),
         because="the two expressions; zeta = sup |g_n| = o(n) may be anything at one n",
         erratum=Erratum(
             quotes=">= -E F* - 9[(rho+2) log n + log(K)]/(eps n).",
             explanation="(1 + zeta) n^-2 is at most [(rho+2) log n + log K]/(eps n) only where zeta is not too large: "
                         "at n = 2, K = 1, rho = 0 and eps near log 2 it fails for zeta above "
                         "3.", severity="constant", quality="reading",
             readings="It holds for zeta(n) <= 2n - 1, so from some n on, as zeta(n) = o(n)."),
         repair=Repair(
             "E q >= -E F* - 9[(rho+2) log n + log K]/(eps n) for all n > max(n_0, 1/t_0) and eps <= log n, whatever "
             "zeta and K",
             "domain", claims=_GIBBS, because=_GIBBS_BECAUSE,
             downstream="lem-36 holds as printed for n > max(n_0, 1/t_0), without L36.t, L36.tail and L36.e2.")),
    # Lemma 37 and theorem 19, utility
    Step("L37.a",
         claims=(
             Claim("risk in [0, 1]; g in (-inf, inf); sup_g in (-inf, inf); inf_F in (-inf, inf)",
                   "inf_F <= risk + g; g <= sup_g",
                   "inf_F <= risk + sup_g"),
             Claim("mean in [0, 1]; mean_g in (-inf, inf); sup_g in (-inf, inf); least in [0, 1]; inf_F in (-inf, inf)",
                   "inf_F <= least + sup_g", "mean - least <= (mean + mean_g) - mean_g - inf_F + sup_g"),
         ),
         because="inf F is at most Rhat(h) + sup g for every h, so at most inf Rhat + sup g; then the mean over Z"),
    Step("L37.b",
         against=(Claim("", "", "9*((0 + 2)*log(2) + log(1/5))/(2*(1/2)) + 2*0 < 0"), Claim("", "", "1/2 <= log(2)")),
         because="five hypotheses (K = 5, rho = 0), n = 2, eps = 1/2, g_n = 0: the right side is negative, the left "
                 "one a mean of F - F* >= 0", witness=instances.five_hypotheses,
         uses=("wang2016:lem-36",),
         erratum=Erratum(
             quotes="<= 9[(rho+2) log n + log(1/K)]/(n eps) + 2 zeta(n).",
             explanation="log(1/K) for log K: lemma 36 has log K. With five hypotheses and n = 2 the printed bound is "
                         "negative.",
             severity="slip"),
         repair=Repair(
             "<= 9[(rho+2) log n + log K]/(n eps) + 2 zeta(n), for n > max(n_0, 1/t_0)", "constant",
             claims=(
                 Claim("q in (-inf, inf); star in (-inf, inf); sup_g in (-inf, inf); mean_g in (-inf, inf); "
                       "zeta in [0, inf); bound in (-inf, inf)",
                       "q >= -star - bound; sup_g - mean_g <= 2*zeta",
                       "(-star - q) + sup_g - mean_g <= bound + 2*zeta"),
                 *_GIBBS,
             ),
             because="lem-36 as repaired, at eps = log n too: " + _GIBBS_BECAUSE, uses=("wang2016:lem-36",),
             downstream="thm-19 has log K, as it should.")),
    Step("L37.c", spelled=(("sup g_n - E g_n", "sup_g - mean_g"), ("sup|g_n|", "zeta"),),
         claims=(Claim("sup_g in (-inf, inf); mean_g in (-inf, inf); zeta in [0, inf)",
                       "abs(sup_g) <= zeta; abs(mean_g) <= zeta",
                       "sup_g - mean_g <= 2*zeta"),),
         because="zeta = sup |g_n|"),
    Step("L37.stmt",
         against=(Claim("", "", "9*((0 + 2)*log(2) + log(1/5))/(2*(1/2)) + 0 < 0"), Claim("", "", "1/2 <= log(2)"),
                  Claim("n in Z[1000000, inf)", "",
                        "2*(1/10)*(9/10) > 9*((0 + 2)*log(n) + log(1/1))/(n*(1/100)) + 1/10")),
         because="log(1/K): as L37.b. zeta instead of 2 zeta: of ten hypotheses one has loss 0 and g_n = 1/10, nine "
                 "lose 1/5 at D's only record and have g_n = -1/10, so that F = 1/10 for all of them, S_t = H, K = 1, "
                 "rho = 0, and the law is uniform: the mean of Rhat is 18/100, above the bound for eps = 1/100 and all "
                 "n >= 10^6",
         witness=instances.ties_by_the_regulariser,
         erratum=Erratum(
             quotes="<= 9[(rho+2) log n + log(1/K)]/(n eps) + zeta(n).",
             explanation="The proof ends with 2 zeta(n), and needs it: g_n may make a hypothesis of empirical risk 2 "
                         "zeta as good as the minimiser. And log(1/K) stands for log K.", severity="constant"),
         repair=Repair(
             "9[(rho+2) log n + log K]/(n eps) + 2 zeta(n), for n > max(n_0, 1/t_0)", "constant",
             claims=(
                 Claim("mean in [0, 1]; least in [0, 1]; part in (-inf, inf); sup_g in (-inf, inf); "
                       "mean_g in (-inf, inf); zeta in [0, inf); bound in (-inf, inf)",
                       "mean - least <= part + sup_g - mean_g; part <= bound; abs(sup_g) <= zeta; abs(mean_g) <= zeta",
                       "mean - least <= bound + 2*zeta", ("have sup_g <= zeta", "have mean_g >= -zeta")),
                 *_GIBBS,
             ),
             because="L37.a with part = E_Z E_h F - E_Z F*, whose bound is lem-36's: " + _GIBBS_BECAUSE,
             uses=("wang2016:lem-36",), downstream="(11) with 2 sup |g_n|.")),
    Step("T19.rate",
         against=(_TIES, _FADING),
         because="the ten hypotheses of L37.stmt at eps = 1/100, for all n >= 10^6: D gives one record only, so the "
                 "excess risk is that of the sample, 18/100, and (11) is 0.145 or less. The same for a rate that tends "
                 "to 0: " +
                 _FADING_BECAUSE + " (second formula, n = r^30)", witness=instances.ties_by_the_regulariser,
         erratum=Erratum(
             quotes="xi(n) = 9[log K + (rho+2) log n]/(n eps(n)) + 2 eps(n) + sup_h |g_n(h)|. (11)",
             explanation="sup |g_n| counts twice, as at the end of the proof of lemma 37, also where (11) tends to 0.",
             severity="constant"),
         repair=Repair(
             "(11) with 2 sup |g_n|, for n > max(n_0, 1/t_0) and any eps(n) > 0", "constant",
             claims=(
                 Claim("risk in [0, 1]; empirical in [0, 1]; least in [0, 1]; eps in (0, 1]; stable in [0, inf); "
                       "erm in (-inf, inf)",
                       "risk - empirical <= stable; stable <= exp(eps) - 1; empirical - least <= erm",
                       "risk - least <= erm + 2*eps", ("have exp(eps) - 1 <= 2*eps",)),
                 Claim("eps in [1, inf)", "", "1 <= 2*eps"),
                 Claim("n in Z[2, inf); rho in [0, inf); K in (0, inf); eps in (0, inf); zeta in [0, inf); "
                       "excess in [0, 1]",
                       "eps > log(n); log(K) + rho*log(n) >= 0",
                       "excess <= 9*(log(K) + (rho + 2)*log(n))/(n*eps) + 2*eps + 2*zeta",
                       ("have log(n) >= 69/100", "have 9*(log(K) + (rho + 2)*log(n))/(n*eps) >= 0")),
             ),
             because="lem-37 as repaired, stability (for eps > 1 losses in [0, 1] are 2 eps-stable anyway), thm-35; "
                     "where lem-37 does not apply, eps > log n, the bound is above 1",
             uses=("wang2016:lem-37", "wang2016:lem-8", "wang2016:thm-35"),
             downstream="the examples have g_n = 0 or an O.")),
    Step("A2.g",
         against=(
             Claim("eta in (0, 1]; n in Z[1, inf)", "n >= 1/eta^2", "sqrt(n) <= eta*n",
                   ("have n*eta^2 >= 1", "have sqrt(n)*eta >= 1", "have sqrt(n)*sqrt(n)*eta >= sqrt(n)")),
             Claim("n in Z[1, inf); c in (0, inf)", "", "1/(1 + exp(c*(sqrt(n) - 1))) <= 1/2",
                   ("have c*(sqrt(n) - 1) >= 0", "have exp(c*(sqrt(n) - 1)) >= 1")),
         ),
         because="two hypotheses, one without loss and with g_n = 0, one that loses 1 at D's only record and has g_n = "
                 "-sqrt(n), which is o(n) (first formula): A2 holds with K = 2, rho = 0. F is 0 and 1 - sqrt(n), so "
                 "the good one comes out with probability at most 1/2 (second formula), and the excess risk is at "
                 "least 1/2 for all n: alg-1 is not consistent",
         reading="\"consistent with rate xi(n)\" includes xi(n) -> 0, as in (2)",
         witness=instances.a_regulariser_that_wins,
         erratum=Erratum(
             quotes="a sequence of regularizer g_n satisfying sup_h |g_n(h)| = o(n)",
             explanation="o(n) for o(1): with sup |g_n| = sqrt(n) the regulariser overrules the losses, and (11) does "
                         "not tend to 0. The text before (9) says that the second term vanishes as n "
                         "increases.", severity="slip",
             quality="reading",
             readings="It does no harm where (11) is only an upper bound that may not tend to 0; the last sentence of "
                      "theorem 19 asks for o(1)."),
         repair=Repair(
             "sup |g_n| = o(1)", "assumption",
             claims=(Claim("rest in [0, inf); eps in (0, inf); zeta in [0, inf); eta in (0, inf)",
                           "rest <= eta/5; eps <= eta/5; zeta <= eta/5", "rest + 2*eps + 2*zeta <= eta"),
                     Claim("eps in (0, inf); n in Z[2, inf); Dq in (0, inf); X in [0, inf); c in (0, inf); "
                           "rest in [0, inf)",
                           "Dq <= 2/n; rest <= 1/n + X/(eps/(2*Dq)); X <= c*(n*eps)", "rest <= 1/n + 4*c",
                           ("have n*Dq <= 2", "have X/(eps/(2*Dq)) <= 4*X/(n*eps)", "have 4*X/(n*eps) <= 4*c"))),
             because="the three terms tend to 0: rest is at most 1/n + (log K + rho log n)/(eps/(2 Dq)) (L36.e4 as "
                     "repaired, before its last formula), and X = log K + rho log n is o(n eps) in the last sentence "
                     "of thm-19. The 18 log n/(n eps) of (11) need not tend to 0 there: K = 2, rho = 0, eps = log log "
                     "n/n",
             downstream="the last sentence of thm-19 is unchanged.")),
    # Examples
    Step("X20.rate",
         claims=(
             Claim("M in Z[1, inf); L in [0, inf); n in Z[1, inf); s in (0, inf)", "s = sqrt(M + L)",
                   "9*(M*log(2) + 2*L)/s + 2*s <= 20*s^2",
                   ("have s^2 = M + L", "have s >= 1", "have log(2) <= 1", "have 9*(M*log(2) + 2*L) <= 18*s^2",
                    "have 9*(M*log(2) + 2*L)/s <= 18*s", "have s <= s^2")),
             Claim("n in Z[1, inf); s in (0, inf); X in [0, inf)", "",
                   "9*X/(n*(s/sqrt(n))) + 2*(s/sqrt(n)) = (9*X/s + 2*s)/sqrt(n)"),
             Claim("N in Z[1, inf); M in Z[1, inf)", "N <= 2^M", "1/N >= 2^(-M)"),
         ),
         because="L = log n, s = sqrt(M + log n), so eps = s/sqrt(n): the constant is 20. A minimiser exists, so "
                 "mu(S_t)/mu(H) >= 1/#H",
         reading="M >= 1 bits, n >= 1; \"=\" after \"rate\" is \"at most\" (the rate is even O of the square root, so "
                 "the printed one is larger than need be)"),
    Step("X21.cone",
         claims=(
             Claim("L in (0, inf); distance in [0, inf); star in (-inf, inf); F in (-inf, inf)",
                   "F - star <= L*distance",
                   "star + L*distance >= F"),
             Claim("L in (0, inf); t in (0, inf); distance in [0, inf); gap in [0, inf)", "gap <= L*distance; gap <= t",
                   "L*distance <= t"),
         ),
         because="gap = F(h) - F*: that S~_t contains S_t says that F(h) <= F* + t implies L ||h - h*|| <= t",
         erratum=Erratum(
             quotes="Verify that the sublevel set of F~(h), denoted by S~_t always contains S_t.",
             explanation="The other way: F~ >= F makes S~_t a subset of S_t, which is what the end of the proof uses. "
                         "For constant F the set S_t is all of H.", severity="slip"),
         repair=Repair(
             "S_t always contains S~_t", "direction",
             claims=(Claim("L in (0, inf); t in (0, inf); distance in [0, inf); gap in [0, inf)",
                           "gap <= L*distance; L*distance <= t", "gap <= t"),),
             downstream="X21.vol uses this direction.")),
    Step("X21.vol",
         against=(Claim("r in (0, 1]", "", "r^4/24 < (1/2^4)*r^4"),),
         because="p = 1, d = 4, H = [0, 1]^4, which is beta_1-regular with beta_1 = 2^-4 (each corner), F(h) = "
                 "||h||_1/4 with minimiser 0 and L = 1/4: with r = t/L the set S_t is the corner {h >= 0: sum h <= r}, "
                 "of volume r^4/24",
         reading="balls with their centre in H (others may miss H)",
         witness=instances.corner_of_a_cube,
         erratum=Erratum(
             quotes="mu(S_t) >= mu(S~_t) >= beta_p mu(B(t/L)) = beta_p (t/L)^d",
             explanation="The unit ball of l_p has the volume V = (2 Gamma(1 + 1/p))^d/Gamma(1 + d/p), not 1: 2^d/d! "
                         "for p = 1, which is below 1 from d = 4 on; for p = 2 it is from d = 13 "
                         "on.", severity="constant"),
         repair=Repair(
             "mu(S_t) >= beta_p V (t/L)^d with V the volume of the unit ball, V >= 2^d/d! for every p >= 1", "constant",
             claims=(
                 Claim("beta in (0, 1]; ball in [0, inf); part in [0, inf); level in [0, inf); V in (0, inf); "
                       "r in (0, inf); d in Z[1, inf)",
                       "ball = V*r^d; part >= beta*ball; level >= part", "level >= beta*V*r^d"),
                 Claim("d in Z[1, inf); f in (0, inf)", "", "(2^d/f)*(2/(d + 1)) = 2^(d + 1)/((d + 1)*f)"),
             ),
             because="S~_t is a subset of S_t (X21.cone) and a ball of radius t/L cut with H; the unit ball of l_p "
                     "contains that of l_1, whose volume is 2 for d = 1 and grows by the factor int_{-1}^{1} (1 - "
                     "|x|)^d dx = 2/(d+1) from d to d+1 (f = d!)",
             downstream="K = mu(H) L^d/(beta_p V); see X21.rate.")),
    Step("X21.rate",
         against=(Claim("C in [1, inf); n in Z[2, inf); Q in [1, 1]", "log(n) >= C",
                        "9*(Q + 2*log(n))/(n*sqrt(Q/n)) + 2*sqrt(Q/n) > C*sqrt(Q/n)",
                        ("have n*sqrt(Q/n) = sqrt(n)", "have sqrt(Q/n) = 1/sqrt(n)", "have 9*(Q + 2*log(n)) > C")),
                  Claim("C in [1, inf); n in Z[2, inf)", "", "(1/(2*n))*(exp(-1/(20*C))/2) > C*(1/(10*C*n))",
                        ("have exp(-1/(20*C)) >= 19/20",))),
         because="Q = d(log L + log n) + log(mu(H)/beta_p), eps = sqrt(Q/n). For every constant C: d = 1, L = 1/n, "
                 "mu(H) = e beta_p, n >= e^C: Q = 1, and (11) has 2 log n beside it. Nor is the algorithm so good: H = "
                 "[0, 1], beta = 1/2, losses L h at D's only record and 0 at another, L = e^Q/(2n) >= 1/(2n), Q = "
                 "1/(100 C^2 n): alg-1 has the density e^(-a h), a = eps n/2 = 1/(20 C), so the mean of h is at least "
                 "e^(-a)/2, and the excess L times that; sqrt(Q/n) = 1/(10 C n)",
         reading="one constant for all L > 0, d, n and mu(H)/beta_p; g_n = 0",
         erratum=Erratum(
             quotes="the algorithm is O(sqrt((d(log L + log n) + log(mu(H)/beta_p))/n) + sup_h |g_n(h)|)-consistent",
             explanation="The term 2 log n of (11) is not covered where L is as small as 1/n; where the root is nearly "
                         "0 so is eps, and the output nearly uniform; and the root may be of a negative number.",
             severity="constant", quality="reading",
             readings="It holds for L >= 1 and mu(H) >= beta_p (see the repair), and for fixed L, d, mu(H)/beta_p as n "
                      "grows."),
         repair=Repair(
             "for L >= 1, mu(H) >= beta_p and n >= 2 (beyond 1/t_0), with the constant 40 and 2 sup |g_n|", "domain",
             claims=(
                 Claim("d in Z[1, inf); l in [0, inf); N in (0, inf); m in [0, inf); extra in [0, inf); s in (0, inf)",
                       "s^2 = d*(l + N) + m; extra <= d*N", "9*(s^2 + extra + 2*N)/s + 2*s <= 40*s",
                       ("have N <= d*N", "have d*N <= s^2", "have 9*(s^2 + extra + 2*N) <= 36*s^2")),
                 Claim("n in Z[2, inf); s in (0, inf); X in [0, inf)", "",
                       "9*X/(n*(s/sqrt(n))) + 2*(s/sqrt(n)) = (9*X/s + 2*s)/sqrt(n)"),
                 Claim("d in Z[1, inf); n in Z[2, inf); l in [0, inf); m in [0, inf)", "n < d",
                       "40*sqrt((d*(l + log(n)) + m)/n) >= 1",
                       ("have log(n) >= 69/100", "have d*(l + log(n)) + m >= n*69/100",
                        "have (d*(l + log(n)) + m)/n >= 1/4",
                        "have sqrt((d*(l + log(n)) + m)/n) >= 1/2")),
             ),
             because="l = log L, N = log n, m = log(mu(H)/beta_p), s^2 = Q, so eps = s/sqrt(n); extra = log(d!/2^d) <= "
                     "d log d from the volume of the ball, which is at most d log n for n >= d; for n < d the bound is "
                     "above 1. The rate is (11) as repaired, K = mu(H) L^d d!/(2^d beta_p)",
             uses=("wang2016:thm-19",), downstream="nothing else uses it.")),
    Step("X22.count",
         claims=(Claim("d in Z[1, inf); s in Z[1, inf)", "s <= d", "binom(d,s) < d^s"),),
         erratum=Erratum(
             quotes="The solution can only be chosen from binom(d, s) < d^s different s-dimensional subspaces.",
             explanation="At s = 1 the two are equal.", severity="edge"),
         repair=Repair(
             "binom(d, s) <= d^s", "direction",
             claims=(Claim("d in Z[1, inf); s in Z[0, inf); count in [0, inf); power in [0, inf)",
                           "s < d; count <= power",
                           "count*((d - s)/(s + 1)) <= power*d", ("have (d - s)/(s + 1) <= d",)),
                     Claim("d in Z[1, inf)", "", "1 <= d^0")),
             because="by induction on s: binom(d, s+1) = binom(d, s) (d-s)/(s+1), binom(d, 0) = 1; power is d^s",
             downstream="all that is used.")),
    Step("X22.rho",
         against=(Claim("K in [1, inf); s in Z[1, inf)", "", "(K + 1)^s > K"),
                  Claim("r in (0, 1]", "", "(2^7*pi^6/(3*5*7*9*11*13))*r^13 < r^13")),
         because="stage 2 with the cone F(h) = L ||h||_2 on the unit ball of R^s: mu(H_S)/mu(S_t) = (L/t)^s, which at "
                 "t = L/(K+1) is above K, for every K, so no K goes with rho = 0. For s = 13, mu(S_t) is V (t/L)^13 "
                 "with the volume V = 2^7 pi^6/13!! = 0.911 of the unit ball, below "
                 "(t/L)^13", witness=instances.ball_of_13_dimensions,
         erratum=Erratum(
             quotes="we have an mu(S_t) >= (1/d)^s for the subset selection and mu(S_t) >= (t/L)^s for the "
                    "low-dimensional regression. Note that rho = 0 in both cases",
             explanation="(t/L)^s means rho = s, as in example 21; and the volume of the ball is left out.",
             severity="constant"),
         repair=Repair(
             "rho = 0 in stage 1, rho = s in stage 2, where mu(S_t) >= beta V (t/L)^s with the ball's volume V",
             "constant",
             claims=(Claim("beta in (0, 1]; V in (0, inf); level in (0, inf); whole in (0, inf); power in (0, inf)",
                           "level >= beta*V*power", "whole/level <= (whole/(beta*V))*(1/power)"),
                     Claim("count in Z[1, inf); power in [1, inf)", "count <= power", "1/count >= 1/power")),
             because="X21.vol as repaired, power being (t/L)^s, and d^s in the second formula; in stage 1 the "
                     "minimiser has the share 1/binom(d, s) of the sets",
             downstream="the stage errors are printed with s log n, as rho = s gives it; log(s!/2^s) <= s log d is "
                        "covered by s log d.")),
    Step("X22.rate",
         claims=(
             Claim("s in Z[1, inf); D in [0, inf); N in [0, inf); L in (0, inf); m in (-inf, inf)",
                   "m >= s*log(2) - s*D",
                   "(s*D + N) + (s*log(L) + s*N + m) <= 2*(s*(D + N + L) + m)",
                   ("lemma log_below x = L", "have s*log(L) <= s*L - s", "have N <= s*N", "have s*log(2) >= 0",
                    "have s*L >= 0",
                    "have s*(D + N + L) + m >= s*N + s*L")),
             Claim("s in Z[1, inf); D in [0, inf); N in [0, inf); L in (0, inf); m in (-inf, inf)",
                   "m >= s*log(2) - s*D",
                   "7 <= 11*(s*(D + N + L) + m)",
                   ("have log(2) >= 69/100", "have s*(D + N + L) + m >= s*log(2)", "have s*log(2) >= 69/100")),
             Claim("n in Z[1, inf); X in [0, inf)", "", "X/(n*(1/sqrt(n))) = X/sqrt(n)"),
             Claim("eps in (0, 1]", "", "exp(2*eps) - 1 <= 7*eps", ("have exp(2*eps) - 1 <= 7*eps",)),
             Claim("s in Z[1, inf); S in [0, inf); D in [0, inf); N in [0, inf); L in (0, inf); m in (-inf, inf); "
                   "x in (-inf, inf)", "S <= D; S <= N; x <= s*S; m >= -x",
                   "9*(s*D + 2*N) + 9*(s*log(L) + m + x + (s + 2)*N) <= 70*(s*(D + N + L) + m)",
                   ("lemma log_below x = L", "have s*log(L) <= s*L - s", "have N <= s*N", "have s*S <= s*D",
                    "have s*S <= s*N",
                    "have s*L >= 0", "have m >= -s*S",
                    "have 9*(s*D + 2*N) + 9*(s*log(L) + m + x + (s + 2)*N) <= 9*s*D + 45*s*N + 9*s*L + 9*m + 9*s*S")),
             Claim("s in Z[1, inf); n in Z[1, inf); D in [0, inf); N in [0, inf); L in (0, inf); m in (-inf, inf)",
                   "n < s; m >= s*log(2) - s*D", "2*((s*(D + N + L) + m)/sqrt(n)) >= 1",
                   ("have log(2) >= 69/100", "have s*(N + L) >= 0", "have s*(D + N + L) + m >= s*69/100",
                    "have sqrt(n) <= n",
                    "have s*69/100 >= sqrt(n)*69/100", "have (s*(D + N + L) + m)/sqrt(n) >= 69/100")),
         ),
         because="D = log d, N = log n, m = log(mu(H_S)/beta_p): the unit ball of dimension s <= d holds that of l_1, "
                 "so mu(H_S) >= 2^s/s! >= 2^s d^-s, and beta_p <= 1. The constants of the two O's multiply both sides "
                 "(the errors are not negative, so the larger one may be taken). n eps = sqrt(n). The stability term, "
                 "at most 7/sqrt(n) since the whole is 2 eps-private, is covered as well. The same from lemma 36 as "
                 "repaired, without the O's: K = d^s, rho = 0, then K = mu(H_S) L^s s!/(2^s beta_p), rho = s (x = "
                 "log(s!/2^s) <= s S, S = log s, K >= 1 at L = 1); for s <= n the fifth formula, else the bound is "
                 "above 1/2 (the last)",
         reading="L > 0; the stage errors as the example states them"),
    # Proposition 26
    Step("P26.exp",
         against=(Claim("eps in (0, inf); n in Z[1, inf); B in (0, inf)", "", "eps/(2*(B/n)) < eps*n/B"),
                  Claim("", "", "exp(2)*(4/(1 - exp(-4)))/(6/(1 - exp(-6))) > exp(1)")),
         because="for losses in [0, B] that are reached, Dq = B/n, and alg-1 has eps/(2 Dq) = eps n/(2B); with Dq = "
                 "2B/n, the bound, it has half of that. End to end: |h - z| on [0, 1] (B = 1, eps = 1), six records 0 "
                 "against five and a 1: the printed densities at h = 1 are 6 e^-6/(1 - e^-6) and 4 e^-4/(1 - e^-4), a "
                 "ratio of e^1.61",
         reading="B is the bound of the loss; the paper does not say what B is", witness=instances.absolute_loss_of_six,
         erratum=Erratum(
             quotes="The density to be sampled from in Algorithm 1 is proportional to exp(eps n q(h,Z)/B)",
             explanation="Algorithm 1 has exp(eps q/(2 Dq)), with Dq = B/n for losses in [0, B]. The printed density "
                         "is twice as steep and loses up to 2 eps: 1.61 at eps = 1 with the absolute loss and six "
                         "records.", severity="constant",
             quality="reading",
             readings="It holds if B is twice the bound of the loss (four times for the sensitivity 2B/n); "
                                         "the paper does not define B."),
         repair=Repair(
             "proportional to exp(eps n q/(2B)), which is log-concave", "constant",
             claims=(Claim("eps in (0, inf); n in Z[1, inf); B in (0, inf); q in (-inf, inf)", "",
                           "eps/(2*(B/n))*q = eps*n*q/(2*B)"),
                     Claim("c in (0, inf); q in (-inf, inf); r in (-inf, inf); middle in (-inf, inf); w in [0, 1]",
                           "middle >= w*q + (1 - w)*r", "c*middle >= w*(c*q) + (1 - w)*(c*r)")),
             downstream="eps-privacy is that of thm-19.")),
    Step("P26.tv",
         against=(Claim("eta in (0, 1]; eps in (0, inf)", "", "eta > exp(eps)*0"),),
         because="for every eta > 0: the law that with probability eta returns a fixed point, else a draw of the "
                 "target, and the target itself for a neighbour, are eta-close to their targets, and the point tells "
                 "the two apart for certain",
         reading="\"solved\" means that the sampler may take the place of step 2, which is what makes alg-1 "
                 "eps-private",
         witness=instances.an_atom_of_small_mass,
         erratum=Erratum(
             quotes="The Markov chain sampling algorithm in Applegate & Kannan (1991) is guaranteed to produce a "
                    "sample from a distribution that is arbitrarily close to the target distribution (in the total "
                    "variation sense) in polynomial time.",
             explanation="Closeness in total variation keeps pure privacy only up to a delta: a sampler that is "
                         "eta-close is (eps, (1 + e^eps) eta)-private.", severity="gap", quality="reading",
             readings="It holds if \"solved\" is only \"sampled up to eta in total variation\", as \"to arbitrary "
                      "accuracy\" before the proposition suggests."),
         repair=Repair(
             "the sampler is (eps, (1 + e^eps) eta)-private, and its mean loss is within eta of alg-1's", "statement",
             claims=(Claim("E in [1, inf); p in [0, 1]; q in [0, 1]; close_p in [0, 1]; close_q in [0, 1]; "
                           "eta in [0, 1]",
                           "p <= E*q; close_p <= p + eta; q <= close_q + eta", "close_p <= E*close_q + (1 + E)*eta",
                           ("have E*q <= E*close_q + E*eta",)),
                     Claim("u in [0, 1]; v in [0, 1]; mean in [0, 1]; close in [0, 1]; eta in [0, 1]",
                           "close - mean <= u - v; u - v <= eta", "close <= mean + eta")),
             because="u and v are the probabilities, under the two laws, of the set where the one density is the "
                     "larger",
             cites="Applegate & Kannan 1991",
             downstream="pure privacy is lost, approximate privacy at any delta > 0 is kept.")),
)

_ALG1 = ("dpcheck.papers.wang2016.learners:RegularisedExponential",
         "dpcheck.papers.wang2016.learners:ExponentialOnInterval")
_CHECKS = (
    "tests/papers/wang2016/test_learners_wang2016_choices.py", "properties/test_wang2016_choices.py",
    "tests/papers/wang2016/test_wang2016_theorems_mechanism.py",
)

THEOREMS = (
    Theorem("wang2016:thm-19", "The exponential mechanism learns privately", bounds=bounds_of("wang2016", "excess"),
            assumptions="A1; A2 for D; the normaliser is finite and Dq > 0; in the last sentence K, rho, n_0 and t_0 "
                        "are the same for all D, as a distribution-free rate "
                        "needs", steps=("T19.(16)", "T19.priv", "T19.rate", "A2.g"),
            uses=("wang2016:lem-37", "wang2016:lem-8", "wang2016:thm-35"),
            against=(_TIES, _FADING),
            witness=instances.ties_by_the_regulariser,
            erratum=Erratum("xi(n) = 9[log K + (rho+2) log n]/(n eps(n)) + 2 eps(n) + sup_h |g_n(h)|. (11)",
                            "Ten hypotheses, one without loss and with g_n = 1/10, nine that lose 1/5 at D's only "
                            "record and have g_n = -1/10: all have the same F, so K = 1, rho = 0, and the law is "
                            "uniform. The excess risk is 0.18, and (11) at eps = 1/100 is at most 0.145 for all n >= "
                            "10^6. The same for a rate that tends to 0: " + _FADING_BECAUSE + ".", "constant"),
            repaired_statement="with 2 sup |g_n| in (11), for n > max(n_0, 1/t_0); A2 with sup |g_n| = o(1)",
            learners=_ALG1,
            checks=_CHECKS),
    Theorem("wang2016:asm-A1", "Losses in [0, 1]", stated=True),
    Theorem("wang2016:asm-A2", "Sublevel sets are large", stated=True),
    Theorem("wang2016:ex-20", "Hypotheses of M bits", bounds=bounds_of("wang2016", "bits"),
            assumptions="M >= 1, g_n = 0", steps=("X20.rate",),
            uses=("wang2016:thm-19",),
            proved_by="repaired", learners=("dpcheck.papers.wang2016.learners:RegularisedExponential",
                                            "dpcheck.papers.wang2016.learners:CoverExponential"), checks=_CHECKS),
    Theorem("wang2016:ex-21", "Lipschitz functions on a regular set",
            assumptions="H compact and beta_p-regular, F(Z, .) L-Lipschitz in l_p",
            steps=("X21.cone", "X21.vol", "X21.rate"), uses=("wang2016:thm-19",),
            against=(Claim("r in (0, 1]", "", "r^4/24 < (1/2^4)*r^4"),), witness=instances.corner_of_a_cube,
            erratum=Erratum("Then for sufficiently small t, we have Lebesgue measure mu(S_t) >= beta_p (t/L)^d",
                            "H = [0, 1]^4, beta_1 = 2^-4, F(h) = ||h||_1/4 (a loss in [0, 1] at D's only record), L = "
                            "1/4: mu(S_t) = (t/L)^4/24, below (t/L)^4/16, and A2 fails with K = mu(H) L^d/beta_p, rho "
                            "= d.", "constant"),
            repaired_statement="mu(S_t) >= beta_p V (t/L)^d with V >= 2^d/d! the volume of the unit ball; K = mu(H) "
                               "L^d/(beta_p V), rho = d; the rate for L >= 1, mu(H) >= beta_p, n > max(1, 1/t_0)",
            learners=("dpcheck.papers.wang2016.learners:ExponentialOnInterval",
                      "dpcheck.papers.wang2016.learners:LogConcaveExponential"),
            checks=_CHECKS),
    Theorem("wang2016:ex-22", "Best subset selection in two stages", assumptions="1 <= s <= d; losses in [0, 1]",
            steps=("X22.count", "X22.rho", "X22.rate"), uses=("wang2016:thm-19",),
            claims=(
                Claim("a in (-inf, inf); b in (-inf, inf); least_a in (-inf, inf); least_b in (-inf, inf); "
                      "Dq in [0, inf)",
                      "least_a = a; least_b <= b; b <= a + Dq", "least_b - least_a <= Dq"),
                Claim("E in [1, inf); set_p in [0, 1]; set_q in [0, 1]; in_p in [0, 1]; in_q in [0, 1]",
                      "set_p <= E*set_q; in_p <= E*in_q", "set_p*in_p <= E^2*(set_q*in_q)",
                      ("have set_p*in_p <= E*set_q*in_p", "have E*set_q*in_p <= E*set_q*E*in_q")),
                Claim("E in [1, inf); a in [0, 1]; b in [0, 1]; A in [0, 1]; B in [0, 1]", "a <= E*b; A <= E*B",
                      "a + A <= E*(b + B)"),
            ),
            against=(Claim("K in [1, inf); s in Z[1, inf)", "", "(K + 1)^s > K"),),
            witness=instances.ball_of_13_dimensions,
            erratum=Erratum("binom(d, s) < d^s ... Note that rho = 0 in both cases",
                            "At s = 1 there is equality. In the second stage, for the cone F(h) = L ||h||_2, "
                            "mu(H_S)/mu(S_t) = (L/t)^s, which no K bounds: rho = s.", "constant"),
            repaired_statement="binom(d, s) <= d^s; rho = 0 in the first stage and s in the second; the two stages are "
                               "2 eps-private, and the rate is as "
                               "printed", learners=("dpcheck.papers.wang2016.learners:BestSubset",), checks=_CHECKS),
    Theorem("wang2016:ex-23", "Representations: a random finite set that is good for every D in the family",
            assumptions="a law over finite sets of at most 2^M hypotheses, drawn without the data; for each D in the "
                        "family a set has a hypothesis within alpha of R* with probability at least 1 - beta. That "
                        "finite representation dimension characterises private learning of classes is Beimel et al.'s",
            claims=(
                Claim("w in [0, 1]; E in [1, inf); p1 in [0, 1]; p2 in [0, 1]; q1 in [0, 1]; q2 in [0, 1]",
                      "p1 <= E*q1; p2 <= E*q2",
                      "w*p1 + (1 - w)*p2 <= E*(w*q1 + (1 - w)*q2)"),
                Claim("alpha in [0, 1]; beta in [0, 1]; rate in [0, inf)", "",
                      "(1 - beta)*(alpha + rate) + beta*1 <= alpha + beta + rate"),
            ),
            uses=("wang2016:ex-20",), cited="Beimel, Nissim & Stemmer 2013", proved_by="repaired",
            learners=("dpcheck.papers.wang2016.learners:RepresentedExponential",), checks=_CHECKS),
    Theorem("wang2016:ex-24", "A reference law that dominates",
            assumptions="P_D(A) <= c P_{D*}(A) for all A; the cover is one in the mean of |l(h, z) - l(h', z)| under "
                        "D*",
            claims=(
                Claim("c in (0, inf); p1 in [0, 1]; p2 in [0, 1]; q1 in [0, 1]; q2 in [0, 1]; d1 in [0, 1]; "
                      "d2 in [0, 1]",
                      "p1 <= c*q1; p2 <= c*q2", "p1*d1 + p2*d2 <= c*(q1*d1 + q2*d2)",
                      ("have p1*d1 <= c*q1*d1", "have p2*d2 <= c*q2*d2")),
                Claim("c in (0, inf); r in [0, inf); far in [0, inf); near in [0, inf); risk in [0, 1]; "
                      "star in [0, 1]; rate in [0, inf); out in [0, 1]",
                      "far <= c*near; near <= r; risk - star <= far; out - risk <= rate", "out - star <= c*r + rate"),
            ),
            uses=("wang2016:ex-20",), proved_by="repaired",
            learners=("dpcheck.papers.wang2016.learners:CoverExponential",),
            checks=_CHECKS),
    Theorem("wang2016:rem-4.3", "Uniform convergence is not sufficient; for classes it is necessary",
            assumptions="\"discrete domain\" is a finite one (over an infinite one finite VC dimension does not "
                        "suffice: thresholds, by the packing of prop-12); of the characterisation only \"privately "
                        "learnable implies finite VC dimension\" is used",
            claims=(Claim("converges in Z[0, 1]; finite in Z[0, 1]; learnable in Z[0, 1]; private in Z[0, 1]",
                          "private <= learnable; learnable <= finite; finite <= converges", "private <= converges"),),
            uses=("wang2016:prop-12",), cited="Vapnik & Chervonenkis 1971; Blumer et al. 1989", proved_by="repaired"),
    Theorem("wang2016:prop-26", "Convex problems can be sampled in polynomial time", assumptions="F(Z, .) and H convex",
            steps=("P26.exp", "P26.tv"), proved_by="repaired",
            repaired_statement="the density exp(eps n q/(2B)) can be sampled up to eta in total variation in "
                               "polynomial time, which is (eps, (1 + e^eps) eta)-private",
            learners=("dpcheck.papers.wang2016.learners:LogConcaveExponential",
                      "dpcheck.papers.wang2016.learners:LogConcaveOnBox"),
            checks=(*_CHECKS, "tests/papers/wang2016/test_learners_wang2016_boxes.py")),
    Theorem("wang2016:rem-5.3", "The exponential mechanism may be improper", assumptions="H = R, q = 1",
            claims=(Claim("c in (0, inf); M in (0, inf)", "", "exp(c*1)*(2*M) > M", ("have exp(c*1) >= 1",)),),
            learners=("dpcheck.papers.wang2016.learners:ExponentialOnInterval",), checks=_CHECKS),
    Theorem("wang2016:lem-36", "The utility of alg-1", assumptions="A1; A2 for D; eps < log n",
            steps=("L36.low", "L36.(19)", "L36.t", "L36.gamma", "L36.tail", "L36.e1", "L36.e2", "L36.e3", "L36.e4"),
            uses=("wang2016:eq-18",),
            against=(_BAD, _A2, Claim("", "", "1/2 > 9*((1/100 + 2)*log(1000) + log(1))/(1000*1)")),
            witness=instances.many_bad_hypotheses,
            erratum=Erratum("if assumption A1, A2 hold for distribution D, then E_Z E_h q(Z,h) >= -E_Z F* - 9[(rho+2) "
                            "log n + log K]/(n eps). (17)",
                            _OUT_OF_RANGE + ": E q <= -1/2, and the bound is -0.125.", "constant", "reading",
                            "It holds for n > max(n_0, 1/t_0)."),
            repaired_statement="for n > max(n_0, 1/t_0)", learners=_ALG1, checks=_CHECKS),
    Theorem("wang2016:lem-37", "alg-1 is universally AERM", assumptions="A1; A2 for D; eps <= log n",
            steps=("L37.a", "L37.b", "L37.c", "L37.stmt"), uses=("wang2016:lem-36",),
            against=(Claim("", "", "9*((0 + 2)*log(2) + log(1/5))/(2*(1/2)) + 0 < 0"), Claim("", "", "1/2 <= log(2)")),
            witness=instances.five_hypotheses,
            erratum=Erratum("<= 9[(rho+2) log n + log(1/K)]/(n eps) + zeta(n).",
                            "log(1/K) for log K: with five hypotheses (K = 5, rho = 0), n = 2, eps = 1/2 and g_n = 0 "
                            "the bound is -2.0, the left side at least 0. And zeta(n) for 2 zeta(n), see "
                            "L37.stmt.", "constant"),
            repaired_statement="9[(rho+2) log n + log K]/(n eps) + 2 zeta(n), for n > max(n_0, 1/t_0)", learners=_ALG1,
            checks=_CHECKS),
    Theorem("wang2016:eq-18", "The tail of the exponential mechanism", assumptions="t > 0, any Z", steps=("L36.(18)",),
            learners=_ALG1, checks=_CHECKS),
)

"""bassily2018: a private learner from private answers (section 4 and the remarks).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides. Letters
are the paper's; a = gamma + alpha, L = log(m/beta).

hpriv(x) is, as the paper defines it, the output of a run of alg-2 on the single query x, with models trained once, ⊥
replaced by a fair coin: a mapping that does not depend on Q (obs-4.d). The labels of A_priv are private where they come
from one run of alg-2 on all of Q, for which thm-4.2 sets T (obs-4.c); they are then not drawn from (D_X, hpriv), and
where they are, by separate runs, they are not private. The conflict is named at the line that needs both, T4.2.iid; for
a learner that minimises the empirical error it is resolved (inf-1.2).

Hidden logarithms are read as in ``rates``.
"""

from __future__ import annotations

from dpcheck.papers.bassily2018.theorems import rates_instances
from dpcheck.papers.bassily2018.theorems import transfer_instances as instances
from dpcheck.papers.bassily2018.theorems.rates import NOT_ANSWERED, NOT_ANSWERED_WORDS, NOT_SEEN
from dpcheck.proof.lazy_bounds import bounds_of, tightness_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_POINT = "alpha in (0, 1); beta in (0, 1); gamma in [0, 1); m in Z[1, inf)"
_FRACTION = (("3(alpha", "3 (alpha"), ("(2m(alpha", "(2 m (alpha"))
#: Markov's inequality over the classifiers: more than k/3 wrong votes.
_MARKOV = (
    Claim("wrong in Z[0, inf); k in Z[1, inf); v in Z[0, 1]", "v*(k/3) <= wrong", "v <= 3*(wrong/k)"),
    Claim("q in [0, 1]; alpha in (0, 1); gamma in [0, 1)", "q <= 3*(alpha + gamma)", "q <= 7*alpha + 3*gamma"),
)
_RATE_1 = "1/(2*sqrt(32*log(2000000)))"
_U_625, _U_623 = (f"((1/2000000)*exp({d}*{_RATE_1}))" for d in (625, 623))
_GAP = f"((4*{_U_625} - {_U_625}^2)/6 - (4*{_U_623} - {_U_623}^2)/6)"
_MANY_RUNS = (
    Claim("", "", f"1 - (1 + e)*(4/(10^6*{_GAP}^2)) > 1/1000000"),
    Claim("", "", f"{_U_625} < 1"),
)
_MANY_RUNS_WORDS = (
    "T = 1, (epsilon, delta) = (1, 10^-6), k = 15750, 10^6 public points, all the same: one changed vote moves the "
    "lead from 624 to 626, and the chance of a label by 0.015, so that the number of points labelled 1 has means 7728 "
    "apart and variances of at most 10^6/4; by Chebyshev's inequality the event that it is above the middle has "
    "probability at least 0.98 on one side and at most 0.017 on the other"
)
#: T = 1, m = 3, (1, 10^-6): 16889 models; two queries with one vote more for 1, and one with all.
_U_NONE, _V_ALL = "(1/6000000)", f"(6000000*exp(-16888*{_RATE_1}))"
_ONE_RUN = (
    Claim("", "", "16888 < 34*sqrt(2)*sqrt(32*log(2000000))*log(12000000) <= 16889"),
    Claim("", "", f"(1 - (4*{_U_NONE} - {_U_NONE}^2)/6)^2*(1/2) > 499/1000 > (4*{_V_ALL} - {_V_ALL}^2)/6"),
    Claim("", "", f"{_V_ALL} < 1"),
)
_ONE_RUN_WORDS = (
    "T = 1, m = 3, (epsilon, delta) = (1, 10^-6), k = 16889, two points: at q 8445 votes against 8444, at p all for 1. "
    "Behind two queries q, ⊥ both with probability above 0.99, the loop has ended: the third label, at p, is a coin "
    "and 0 with probability above 0.499, while hpriv(p) = 0 has a probability below 10^-150 (so for every T, behind T "
    "+ 1 such queries)"
)
#: eps above which n rounds up to 1; alpha = beta = 1/(16C), a point of mass 1/8.
_ONE_EXAMPLE = (
    Claim("C in [1, inf)", "", "(1 - 1/8)/2 > 3*(1/(16*C))"),
    Claim("C in [1, inf)", "", "1/8 > C*(1/(16*C))"),
)
_ONE_EXAMPLE_WORDS = (
    "for every constant C, V = 1, alpha = beta = 1/(16C), and epsilon so large that n, rounded up, is 1 (whatever the "
    "hidden logarithms of the other parameters): H = {h0, h1} that differ at one point of mass 1/8; with probability "
    "7/8 it is not the private example, and then no output depends on the target, so that for one of the two err >= "
    "1/8 > C alpha with probability at least 7/16 > 3 beta"
)
_EPS = "It holds for epsilon <= 1 (or up to any constant)."

STEPS = (
    # Claim 4.1
    Step("C4.1.err", spelled=(("err(h_j;P)", "err"),),
         claims=(Claim("err in [0, 1]; gamma in [0, 1]; alpha in (0, 1)", "err <= gamma + alpha; err >= gamma",
                       "err <= alpha"),),
         because="definition 2.1 bounds the excess over gamma: one point whose label is 1 with probability 1/4, alpha "
                 "= 1/10, and no hypothesis has an error below 1/4",
         erratum=Erratum(
             quotes="First, note that w.p. ≥ 1 - β (over the randomness of the input dataset D), for all j ∈ [k], we "
                    "have err(h_j; D) ≤ α.",
             explanation="It is gamma + alpha for an agnostic learner, as the lines after it use.", severity="slip"),
         repair=Repair(
             "err(h_j; P) <= gamma + alpha for all j", "statement",
             claims=(
                 Claim("one in [0, 1]; rest in [0, 1]; k in Z[1, inf); j in Z[0, inf); beta in (0, 1)",
                       "one <= beta/k; rest <= j*(beta/k)",
                       "one + rest <= (j + 1)*(beta/k)"),
                 Claim("k in Z[1, inf); beta in (0, 1)", "", "k*(beta/k) <= beta"),
             ),
             because="the union bound; a split that does not depend on the records, as in T3.2.union",
             downstream="the next lines say alpha + gamma: unchanged")),
    Step("C4.1.iid",
         claims=(Claim("p in [0, 1]; q in [0, 1]; r in [0, 1]; s in [0, 1]", "",
                       "p*r + p*s + q*r + q*s = (p + q)*(r + s)"),),
         because="given the models v_t is a function of (xt_t, yt_t): the probability of v_s = i, v_t = j is a sum "
                 "over the points that give i and those that give j of products, so the product of two sums (here of "
                 "two terms each)",
         reading="given D and the coins of Theta (the paper's Theta is a function)"),
    Step("C4.1.tail", spelled=_FRACTION,
         claims=(
             Claim("s in [0, 1]", "", "exp(s) <= 1 + s + s^2"),
             Claim("p in [0, 1]; s in [0, 1]", "", "1 + p*(exp(s) - 1) <= exp(p*(exp(s) - 1))",
                   ("lemma exp_above x = p*(exp(s) - 1)",)),
             Claim("mean in [0, inf); mu in (0, inf); t in (0, inf); s in [0, 1]; E in [0, inf)",
                   "mean <= mu; E <= s + s^2",
                   "mean*E - s*(mu + t) <= mu*s^2 - s*t", ("have mean*E <= mu*E", "have mu*E <= mu*(s + s^2)")),
             Claim("mu in (0, inf); t in (0, inf)", "", "mu*(t/(2*mu))^2 - (t/(2*mu))*t = -t^2/(4*mu)"),
             Claim("a in (0, 1/3]; m in Z[1, inf); L in (0, inf)", "", "9*(m*L/(2*a))/(4*(3*a*m)) > L",
                   ("have a^2 <= 1/9",
                   "have 1/a^2 >= 9")),
             Claim("mu in (0, inf); t in (0, inf)", "t >= 2*mu", "mu*1^2 - 1*t <= -t/2"),
             Claim("a in (0, 1]; m in Z[1, inf); L in (0, inf)", "9*(L/(2*m*a)) < 1", "9*(m*L/(2*a))/4 > L^2",
                   ("have L < 2*m*a/9", "have 2*a*L < m*a^2*4/9", "have m*a^2*4/9 <= m*4/9", "have 9*m/(8*a) > L")),
             Claim("m in Z[1, inf); beta in (0, 1); x in (0, inf)", "x > log(m/beta)", "exp(-x) < beta",
                   ("have exp(-x) < exp(-log(m/beta))", "have exp(-log(m/beta)) = beta/m", "have beta/m <= beta")),
             Claim("alpha in (0, 1); gamma in [0, 1); m in Z[1, inf); beta in (0, 1)", "alpha + gamma >= 1/3",
                   "3*(alpha+gamma+sqrt(log(m/beta)/(2*m*(alpha+gamma)))) >= 1", ("have log(m/beta) > 0",
                                  "have sqrt(log(m/beta)/(2*m*(alpha+gamma))) >= 0")),
         ),
         because="v_t is 1 with probability p <= 3a (C4.1.end's second formula), so the sum has mean at most mu = 3am; "
                 "the printed limit is mu + t of m, t^2 = 9mL/(2a). Where it is 1 or more (a >= 1/3, or 9L/(2ma) >= 1) "
                 "nothing is above it. Else Markov's inequality for exp(s sum): exponent at most mu s^2 - st (first "
                 "three), at s = t/(2mu) for t <= 2mu, and s = 1 for t >= 2mu: below -L in both cases",
         reading="log(m/beta)/(2m(alpha+gamma)) under the root, as the fraction stands in the conversion; with B/m = "
                 "alpha + gamma + sqrt((alpha+gamma) log(m/beta)/(2m)) in its place it is false: alpha = 1/100, gamma "
                 "= 0, beta = 10^-20, m = 20263 (computed exactly in the tests)"),
    Step("C4.1.mean", spelled=(*_FRACTION, ("E[v_t] = E[(1/m) sum v_t]", "q = q")),
         claims=(
             Claim(f"{_POINT}; q in [0, 1]; tail in [0, 1]",
                   "tail < beta; q <= tail + 3*(alpha+gamma+sqrt(log(m/beta)/(2*m*(alpha+gamma))))",
                   "q = q < beta + 3*(alpha+gamma+sqrt(log(m/beta)/(2*m*(alpha+gamma))))"),
         ),
         because="an average of numbers in [0, 1] is at most the limit plus the probability of being above it "
                 "(C4.1.tail); the v_t have one mean"),
    Step("C4.1.final", spelled=_FRACTION,
         claims=(Claim(_POINT, "beta <= alpha; m >= 4*log(1/(alpha*beta))/alpha",
                       "beta + 3*(alpha+gamma+sqrt(log(m/beta)/(2*m*(alpha+gamma)))) <= 7*alpha + 3*gamma"),),
         against=(
             Claim("", "", "1/100 + 3*(1/100 + sqrt(log(3685/(1/100))/(2*3685*(1/100)))) > 7*(1/100)"),
             Claim("", "", "1/100 + 3*(21/100 + sqrt((21/100)*log(3685/(1/100))/(2*3685))) > 7*(1/100) + 3*(20/100)"),
             Claim("", "", "3685 >= 4*log(1/((1/100)*(1/100)))/(1/100)"),
         ),
         because="alpha = beta = 1/100, m = 3685: with gamma = 0 the printed left side is 1.29; with the other "
                 "placement of the fraction and gamma = 1/5 it is 0.697 against 0.67",
         erratum=Erratum(
             quotes="for any t ∈ [m], we have E[v_t] = E[(1/m) Σ_t v_t] < β + 3(α + γ + √(log(m/β)/(2m(α + γ)))) ≤ 7α "
                    "+ 3γ.",
             explanation="With m = 4 log(1/(alpha beta))/alpha the root is of order 1, not alpha; with (alpha + gamma) "
                         "log(m/beta)/(2m) under it, it is of the order of sqrt(alpha gamma) where gamma is large "
                         "against alpha.",
             severity="gap", quality="reading",
             readings="False with the fraction as it stands, and with B/m of thm-3.2 in its place."),
         repair=Repair(
             "E[v_t] <= 3(alpha + gamma) <= 7 alpha + 3 gamma, for all m", "statement", claims=_MARKOV,
             because="given the models the mean number of wrong votes on a fresh query is at most k(alpha + gamma), "
                     "and v_t k/3 is at most that number: Markov's inequality",
             downstream="Claim 4.1 does not need its condition on m, nor the tail: err(hpriv; P) <= 3 gamma + 3 "
                        "alpha + beta.")),
    Step("C4.1.noise",
         against=NOT_ANSWERED, witness=rates_instances.one_model,
         because=NOT_ANSWERED_WORDS + ": v_t = 0 where it is right, and hpriv is a coin",
         reading="any epsilon and T",
         erratum=Erratum(
             quotes="Using the same technique as in the proof of Theorem 3.2, we can show that w.p. at least 1 - β "
                    "over the internal randomness in Algorithm 2, we have v̄_t = 1 ⇒ hpriv(x̃_t) = ỹ_t.",
             explanation="As T3.2.suff: for T >= 1 and lam log A >= 1/3.", severity="edge", quality="reading",
             readings="It holds for epsilon <= 25 and T >= 1."),
         repair=Repair(
             "for T >= 1 and lam log A >= 1/3", "domain",
             claims=(
                 Claim("x in [1/3, inf); k in [0, inf)", "k/3 >= 16*x", "k/3 - 1 >= 5*x"),
                 Claim("q in [0, 1]; noise in [0, 1]; alpha in (0, 1); beta in (0, 1); gamma in [0, 1)",
                       "q <= 3*(alpha + gamma); noise <= beta; beta <= alpha",
                       "q + noise <= 7*alpha + 3*gamma"),
                 Claim("lam in (0, inf); T in [1, inf); m in Z[1, inf); delta in (0, 1); beta in (0, 1); z in (0, 1)",
                       "z <= delta; z <= beta/2",
                       "2*lam*log(2*m/delta) + 2*lam*log(m/beta) + lam*log((T + 1)/beta) <= 5*lam*log(4*m*T/z)",
                       ("have 2*m/delta <= 4*m*T/z", "have m/beta <= 4*m*T/z", "have (T + 1)/beta <= 4*m*T/z",
                        "lemma log_increases x = 2*m/delta; y = 4*m*T/z", "lemma log_increases x = m/beta; y = 4*m*T/z",
                        "lemma log_increases x = (T + 1)/beta; y = 4*m*T/z")),
             ),
             because="T3.2.suff as repaired, x = lam log A; one query draws two noises; where their failure is counted "
                     "as an error of hpriv, claim 4.1 holds all the same (second formula)",
             downstream="Claim 4.1 for T >= 1 and lam log A >= 1/3, which epsilon <= 25 gives")),
    Step("C4.1.end", spelled=(("Pr[hpriv(xt_t) != yt_t]", "wrong"), ("Pr[v_t=1]", "q"), ("E[v_t]", "q")),
         claims=(
             Claim("wrong in [0, 1]; q in [0, 1]; alpha in (0, 1); gamma in [0, 1)",
                   "wrong <= q; q <= 3*(alpha + gamma)",
                   "wrong <= q = q <= 7*alpha + 3*gamma"),
             _MARKOV[0],
         ),
         because="where v_t = 0 the label is right (the event of C4.1.noise), so being wrong is at most as likely as "
                 "v_t = 1; and the mean of v_t is at most 3(alpha + gamma) by Markov's inequality over the "
                 "classifiers, whatever m is",
         reading="\"conditioned on this event\": of the noise of this query"),
    Step("C4.1.O", spelled=(("= O(gamma+alpha)", "<= 7 (gamma+alpha)"),),
         claims=(Claim("gamma in [0, 1]; alpha in (0, 1)", "", "3*gamma + 7*alpha <= 7*(gamma+alpha)"),),
         because="the constant is 7"),
    # Theorem 4.2
    Step("T4.2.m",
         claims=(
             Claim("alpha in (0, 1); beta in (0, 1)", "beta <= alpha", "log(1/(alpha*beta)) <= 2*log(1/beta)",
                   ("lemma log_product_above x = 1/alpha; y = 1/beta", "lemma log_increases x = 1/alpha; y = 1/beta")),
             Claim("V in Z[1, inf); alpha in (0, 1); p in [0, inf); q in [0, inf); m in [0, inf)",
                   "p <= 2*q; m >= 8*(V + q)/alpha^2", "m >= 4*p/alpha",
                   ("have m*alpha^2 >= 8*q", "have m*alpha >= m*alpha^2", "have m*alpha >= 4*p")),
         ),
         because="q = log(1/beta), p = log(1/(alpha beta)): the agnostic sample size is cited; with a constant of at "
                 "least 8 it satisfies the condition of claim 4.1",
         cites="Shalev-Shwartz & Ben-David 2014, theorem 6.8"),
    Step("T4.2.k",
         claims=(
             Claim("c in [1, inf); m in (0, inf); V in [1, inf); eps in (0, inf); n in (0, inf); root in (0, inf); "
                   "k in (0, inf); alpha in (0, 1)",
                   "root <= c*m*V/(eps*n); k <= c*root/eps; m <= c*V/alpha^2", "k <= c^3*V^2/(eps^2*alpha^2*n)",
                   ("have m*V/(eps*n) <= c*V^2/(alpha^2*eps*n)", "have c*m*V/(eps*n) <= c^2*V^2/(alpha^2*eps*n)",
                    "have root <= c^2*V^2/(alpha^2*eps*n)", "have c*root/eps <= c*(c^2*V^2/(alpha^2*eps*n))/eps")),
         ),
         because="root = sqrt(T) is set as in thm-3.4, to c m V/(eps n), and k is of the order sqrt(T)/eps",
         reading="the n of the result that the line serves, V^(3/2)/(eps alpha^(3/2)) and logarithms: for n so large "
                 "that M is above m, k does not tend to 0 as the line would have it. O~ hides the logarithms of alg-2 "
                 "and of m, which the conclusion names, and those that thm-3.4 hides"),
    Step("T4.2.n",
         claims=(
             Claim("n in (0, inf); k in (0, inf); c in [1, inf); w in (0, inf); x in (0, inf); eps in (0, inf)",
                   "n <= c*k*w^2/x^2; k <= c*w^4/(eps^2*x^4*n)", "n^2 <= c^2*(w^3/(eps*x^3))^2",
                   ("have n*k <= c*w^4/(eps^2*x^4)", "have n^2 <= n*(c*k*w^2/x^2)",
                    "have n*(c*k*w^2/x^2) = c*(n*k)*w^2/x^2",
                    "have c*(n*k)*w^2/x^2 <= c*(c*w^4/(eps^2*x^4))*w^2/x^2")),
             Claim("w in (0, inf); x in (0, inf); eps in (0, inf)", "",
                   "(w^3/(eps*x^3))/(w^4/(eps^2*x^4*(w^3/(eps*x^3)))) = w^2/x^2"),
         ),
         because="w = sqrt(V), x = sqrt(alpha): n/k <= c V/alpha and k <= c V^2/(eps^2 alpha^2 n) give n <= c "
                 "V^(3/2)/(eps alpha^(3/2)); and that n with that k has n/k = V/alpha",
         reading="an implication: the two premises are the line before and the size of a realisable learner, "
                 "logarithms in c"),
    Step("T4.2.h", spelled=(("err(hpriv;P)", "err"),),
         claims=(Claim("err in [0, 1]; alpha in (0, 1); gamma in Z[0, 0]", "err <= 7*alpha + 3*gamma",
                       "err <= 7*alpha"),),
         because="clm-4.1 at gamma = 0", uses=("bassily2018:clm-4.1",)),
    Step("T4.2.iid",
         against=(*_ONE_RUN, *_MANY_RUNS), witness=instances.one_run_or_many,
         because=f"labels from one run of alg-2 on Q: {_ONE_RUN_WORDS}. Labels from a run for each point are as the "
                 f"line says, and not private: {_MANY_RUNS_WORDS}",
         reading="the labels of A_priv as its privacy needs them (obs-4.c), and as T is set, for m queries: those of "
                 "one run on all of Q; a coin where there is none",
         erratum=Erratum(
             quotes="Note that each (x̃_t, ŷ_t), t ∈ [m], is drawn independently from (D_X, hpriv).",
             explanation="The labels of one run share a threshold and a counter, and are no sample of (D_X, hpriv), "
                         "hpriv being the mapping of a run on a single query; those of separate runs are one, but then "
                         "\"post-processing\" covers one run, not m of them.",
             severity="gap", quality="reading",
             readings="It holds, given the models, for separate runs of alg-2 for each point, as hpriv is defined; "
                      "A_priv is then not (ε, δ)-private."),
         repair=Repair(
             "for separate runs of alg-2 for each point, on the same models, given those", "assumption",
             claims=(Claim("p in [0, 1]; q in [0, 1]; f in [0, 1]; g in [0, 1]", "", "(p*q)*(f*g) = (p*f)*(q*g)"),),
             because="points are independent, and given the models so are the coins of separate runs: the probability "
                     "of ((x, y), (x', y')) is a product",
             uses=("bassily2018:obs-4.d",),
             downstream="Thm-4.2 and thm-4.3 hold for labels that are not private together; for private ones, of one "
                        "run, with a Theta that minimises the empirical error (inf-1.2).")),
    Step("T4.2.agn",
         claims=(
             Claim("out in [0, 1]; star in [0, 1]; least in [0, 1]; alpha in (0, 1)",
                   "least <= star; out <= least + alpha",
                   "out - star <= out - least <= alpha"),
         ),
         because="h* is in H; the second relation is definition 2.1 for the law (D_X, hpriv) and its m i.i.d. examples "
                 "(T4.2.iid)",
         reading="the minimum exists, as in definition 2.1"),
    Step("T4.2.hs",
         claims=(
             Claim("a in Z[0, 1]; b in Z[0, 1]", "", "abs(a - b) = abs(b - a)"),
             Claim("err in [0, 1]; alpha in (0, 1); gamma in Z[0, 0]", "err <= 7*alpha + 3*gamma", "err <= 7*alpha"),
         ),
         because="point by point, and on average over points and the coins of hpriv; the last is T4.2.h",
         uses=("bassily2018:clm-4.1",)),
    Step("T4.2.8", spelled=(("err(hhat;(D_X,hpriv))", "out"),),
         claims=(Claim("out in [0, 1]; star in [0, 1]; alpha in (0, 1)", "out - star <= alpha; star <= 7*alpha",
                       "out <= 8*alpha"),)),
    Step("T4.2.15", spelled=((("err(hhat;P) = E 1(hhat != h*) <= E[1(hhat != hpriv)+1(hpriv != h*)] = "
                               "err(hhat;(D_X,hpriv))+err(hpriv;P)"), "both"),),
         claims=(
             Claim("a in Z[0, 1]; b in Z[0, 1]; y in Z[0, 1]", "", "abs(a - y) <= abs(a - b) + abs(b - y)"),
             Claim("both in [0, 2]; out in [0, 1]; priv in [0, 1]; alpha in (0, 1)",
                   "both = out + priv; out <= 8*alpha; priv <= 7*alpha", "both <= 15*alpha"),
         ),
         because="a = hhat(x), b = hpriv(x), y = h*(x), point by point"),
    Step("T4.2.budget",
         claims=(
             Claim("beta in (0, 1)", "", "2*beta + beta = 3*beta"),
             Claim("p11 in [0, 1]; p10 in [0, 1]; p01 in [0, 1]; beta in (0, 1)",
                   "p11 + p10 <= 2*beta; p11 + p01 <= beta",
                   "p11 + p10 + p01 <= 3*beta"),
         ),
         because="the atoms of the two events"),
    # Remarks and theorem 4.3
    Step("R2",
         against=(*_ONE_EXAMPLE, Claim("C in [1, inf); Lg in [1, inf)", "", "C*Lg*(16*C)/(C*Lg*(16*C)^2) <= 1")),
         witness=instances.one_example,
         because=_ONE_EXAMPLE_WORDS,
         reading="all epsilon > 0; hidden logarithms do not hold epsilon",
         erratum=Erratum(
             quotes="Hence, the resulting sample complexity would be n = Õ(V^{3/2}/(ε α)), saving us a factor of 1/√α.",
             explanation="No n below V/alpha is enough, however large epsilon is.", severity="edge",
             quality="reading",
             readings=_EPS),
         repair=Repair(
             "for epsilon <= 1", "domain",
             claims=(
                 Claim("c in [1, inf); v in [1, inf); eps in (0, 1]; alpha in (0, 1); k in (0, inf); n in (0, inf)",
                       "k <= c*v/eps; n <= c*k*v^2/alpha",
                       "n <= c^2*v^3/(eps*alpha)", ("have c*k*v^2/alpha <= c*(c*v/eps)*v^2/alpha",)),
                 Claim("x in (0, 1)", "", "(1/x^3)/(1/x^2) = 1/x"),
             ),
             because="T is of the order alpha m = V, k of sqrt(V)/eps (v = sqrt(V)); x = sqrt(alpha)",
             cites="Boucheron, Bousquet & Lugosi 2005, corollary 5.2", downstream="the saving is as printed")),
    Step("R3",
         against=(
             Claim("w in (0, 1/2]", "", "log(1 - w) < w*log(1/2)", ("lemma log_below x = 1 - w", "have log(1/2) > -1")),
             NOT_SEEN,
             Claim("C in [1, inf); Lg in [1, inf); alpha in (0, 1/2)", "", "C*Lg/((2*C*Lg)*alpha) + 1 < 1/alpha"),
         ),
         witness=instances.accuracy_one_over_m,
         because="Theta always returns a hypothesis with error exactly 1/m: then m queries meet no mistake with "
                 "probability (1 - 1/m)^m < 1/2 (w = 1/m, in logarithms). And at V = 1, beta = 1/16 no n examples give "
                 "an accuracy below 1/n (T3.4.T), so n >= m >= 1/alpha, also where epsilon = 2 C Lg",
         reading="rate 0 with probability at least 1 - beta, beta < 1/2; all epsilon > 0",
         erratum=Erratum(
             quotes="but then train the PAC learner in A_binClas towards a target accuracy 1/m. Hence, the "
                    "misclassification rate of A_binClas can be driven to zero. This yields a sample complexity bound "
                    "n = Õ(V²/(ε α)).",
             explanation="At accuracy 1/m about one query is misclassified on average; none, with probability 1 - "
                         "beta, asks for accuracy beta/m.", severity="constant",
             quality="reading", readings="The rate is of the order 1/m on average, which tends to zero with m; and for "
                                         "constant beta the repaired bound on n is the printed one, for epsilon <= 1."),
         repair=Repair(
             "with accuracy beta/(3m): no query is misclassified, except with probability beta + that of the noise, "
             "and n = O~(V^2/(eps alpha beta)), for epsilon <= 1", "constant",
             claims=(
                 Claim("m in Z[1, inf); beta in (0, 1)", "", "m*(3*(beta/(3*m))) <= beta"),
                 Claim("c in [1, inf); v in [1, inf); eps in (0, 1]; alpha in (0, 1); beta in (0, 1); k in (0, inf); "
                       "n in (0, inf); m in (0, inf)",
                       "k <= c/eps; m <= c*v/alpha; n <= c*k*v*m/beta", "n <= c^3*v^2/(eps*alpha*beta)",
                       ("have k*m <= (c/eps)*m", "have (c/eps)*m <= (c/eps)*(c*v/alpha)",
                        "have c*k*v*m/beta = (c*v/beta)*(k*m)",
                        "have (c*v/beta)*(k*m) <= (c*v/beta)*((c/eps)*(c*v/alpha))")),
             ),
             because="a query has more than k/3 wrong votes with probability at most 3 beta/(3m) (C4.1.end), the union "
                     "over m queries; T = O~(1), k = O~(1/eps) (v = V)",
             cites="Blumer, Ehrenfeucht, Haussler & Warmuth 1989, theorem 2.1",
             downstream="The price is a factor 1/beta. The labels of one run are then those of h*, so that A_priv has "
                        "a realisable sample and is private (no need of T4.2.iid).")),
    Step("T4.3.n",
         against=(
             Claim("z in [40, inf)", "", "(z/40)*(1 + 16*log(z))^4 < z^8",
                   ("lemma log_below x = z", "have log(z) >= 0", "have 1 + 16*log(z) <= 16*z",
                    "have (1 + 16*log(z))^2 <= (16*z)^2", "have (1 + 16*log(z))^4 <= (16*z)^4")),
             Claim("c in (0, 1]; x in (0, 1)", "", "1*(1/x)*(c/x^2) = c/x^3"),
         ),
         because="epsilon = 1, V = 1, gamma = 1/2, m = 1/alpha^2: T >= 3 gamma m, so k >= sqrt(T) >= 1/alpha, and k "
                 "chunks of c/alpha^2, which agnostic learners need (Anthony & Bartlett 1999, theorem 5.2), are "
                 "c/alpha^3 records (x = alpha). With C/c = z/40 and alpha = z^-16 that is z^8 c/alpha^(5/2), above "
                 "C/alpha^(5/2) times the fourth power of 1 + log(1/alpha) (for other powers a smaller alpha)",
         reading="\"the same chain\": chunks large enough for accuracy alpha, for all gamma",
         erratum=Erratum(
             quotes="There exists n = Õ(V^{3/2}/(ε α^{5/2})) such that, w.p. ≥ 1 - 3β, the output hypothesis ĥ of "
                    "(Algorithm 3) satisfies err(ĥ; D) = O(α + γ). Proof. The proof is similar to the proof of Theorem "
                    "4.2.",
             explanation="T is of the order gamma m where gamma > alpha, so the similar proof gives n = O~(gamma^(1/2) "
                         "V^(3/2)/(eps alpha^3)).", severity="gap", quality="reading",
             readings="It holds for gamma <= alpha (and epsilon <= 1); for gamma > alpha the n of the theorem is "
                      "enough for another accuracy, which O(alpha + gamma) allows."),
         repair=Repair(
             "for epsilon <= 1: with n = O~(V^(3/2)/(eps alpha^(5/2))) the models have accuracy alpha where gamma <= "
             "alpha, and alpha^(3/4) gamma^(1/4) <= alpha + gamma where gamma > alpha", "statement",
             claims=(
                 Claim("v in [1, inf); x in (0, 1); y in (0, 1); eps in (0, 1]", "",
                       "(y^2*v/(x^4*eps))*v^2/(v^3/(eps*x^10)) = (x^3*y)^2"),
                 Claim("v in [1, inf); x in (0, 1); eps in (0, 1]", "", "(v/(x^2*eps))*v^2/(v^3/(eps*x^10)) = (x^4)^2"),
                 Claim("x in (0, 1); y in (0, 1)", "", "x^3*y <= x^4 + y^4", ("case x - y",)),
             ),
             because="x = alpha^(1/4), y = gamma^(1/4), v = sqrt(V), logarithms aside: k = sqrt(gamma m)/eps = "
                     "sqrt(gamma V)/(alpha eps) (first), or sqrt(alpha m)/eps = sqrt(V/alpha)/eps (second), and the "
                     "accuracy is sqrt(kV/n)",
             cites="Shalev-Shwartz & Ben-David 2014, theorem 6.8",
             downstream="thm-4.3 stands, with alpha + gamma for alpha in clm-4.1.")),
    Step("T4.3.err",
         claims=(
             Claim("alpha in (0, 1); gamma in [0, 1); out in [0, 1]; priv in [0, 1]; star in [0, 1]; hat in [0, 1]",
                   "priv <= 7*alpha + 3*gamma; star <= gamma + priv; out <= star + alpha; hat <= out + priv",
                   "hat <= 15*alpha + 7*gamma"),
             Claim("alpha in (0, 1); gamma in [0, 1)", "", "15*alpha + 7*gamma <= 15*(alpha + gamma)"),
             Claim("alpha in (0, 1); gamma in [0, 1)", "", "15*(alpha/15) + 7*gamma <= alpha + 7*gamma"),
         ),
         because="the chain of thm-4.2: star is the error of a best h against hpriv, at most gamma + err(hpriv; P); "
                 "for the form of inf-1.2 at alpha/15"),
    Step("obs-5.a",
         claims=(
             Claim("v in [1, inf); x in (0, 1)", "", "v^3/x^3 = (v/x)*v^2/x^2"),
             Claim("v in [1, inf); x in (0, 1)", "", "v^3/x^5 = (v/x)*v^2/(x^2)^2"),
         ),
         because="v = sqrt(V), x = sqrt(alpha)"),
)

_TRANSFER = ("dpcheck.papers.bassily2018.learners:KnowledgeTransfer",
             "dpcheck.papers.bassily2018.learners:PrivateLabels")
_TESTS = "tests/papers/bassily2018/test_bassily2018_transfer.py"
_INSTANCES = "tests/papers/bassily2018/test_bassily2018_theorems_transfer.py"

THEOREMS = (
    Theorem("bassily2018:obs-4.a", "A label-private learner by splitting",
            claims=(Claim("p in [0, 1]; q in [0, 1]; r in [0, 1]; E in [1, inf); delta in [0, 1]",
                          "p <= E*q + delta; q <= E*r + delta", "p <= E^2*r + (1 + E)*delta",
                          ("have E*q <= E*(E*r + delta)",)),),
            assumptions="a changed label is a record removed and one added: (2 epsilon, (1 + e^epsilon) delta); labels "
                        "of the discarded half change nothing",
            learners=("dpcheck.papers.bassily2018.learners:LabelPrivateTransfer",),
            checks=(_TESTS, "tests/papers/test_label_and_public_privacy.py")),
    Theorem("bassily2018:obs-4.b", "hpriv as a binary classifier",
            claims=(Claim("p0 in [0, 1]; p1 in [0, 1]; none in [0, 1]", "p0 + p1 + none = 1",
                          "(p0 + none/2) + (p1 + none/2) = 1"),
                    Claim("p in [0, 1]; q in [0, 1]; none in [0, 1]; mone in [0, 1]; E in [1, inf); d in [0, 1]; "
                          "dd in [0, 1]",
                          "p + none <= E*(q + mone) + d; p <= E*q + dd; dd <= d", "p + none/2 <= E*(q + mone/2) + d"),
                    Claim("wrong in [0, 1]; none in [0, 1]", "", "wrong + none/2 <= wrong + none")),
            assumptions="the coin is post-processing (the event \"1\" is half of {1} and half of {1, ⊥}); an "
                        "abstention counted as an error, then half of one",
            learners=("dpcheck.papers.bassily2018.learners:PrivateLabels",), checks=(_TESTS,)),
    Theorem("bassily2018:obs-4.c", "A_priv is as private as A_binClas, by post-processing",
            uses=("bassily2018:thm-3.1",),
            claims=(Claim("p in [0, 1]; q in [0, 1]; pp in [0, 1]; qq in [0, 1]; c in [0, 1]; E in [1, inf); "
                          "d in [0, 1]",
                          "p <= E*q + d; pp <= E*qq + d", "c*p + (1 - c)*pp <= E*(c*q + (1 - c)*qq) + d"),),
            assumptions="read as: A_priv keeps what alg-2 keeps. The m labels are those of one run of alg-2 on Q, for "
                        "which thm-4.2 sets T; p, q and pp, qq are the probabilities of the events that two values of "
                        "the coins (for ⊥, and of Theta) make of one event of A_priv. Labels from a run for each "
                        "point, as hpriv is defined, are not private (T4.2.iid)",
            proved_by="repaired", repaired_statement="what alg-2 keeps (thm-3.1 as repaired), A_priv keeps",
            learners=_TRANSFER, checks=(_TESTS, _INSTANCES)),
    Theorem("bassily2018:obs-4.d", "hpriv does not depend on Q",
            claims=(Claim("p in [0, 1]; q in [0, 1]; f in [0, 1]; g in [0, 1]", "", "(p*q)*(f*g) = (p*f)*(q*g)"),),
            assumptions="of the mapping, as it is defined by runs on single queries, on the same models: its law at x "
                        "is a function of D and x, and no other point enters. The labels of one run on Q do depend on "
                        "it (T4.2.iid)",
            learners=("dpcheck.papers.bassily2018.learners:PrivateLabels",), checks=(_TESTS, _INSTANCES)),
    Theorem("bassily2018:clm-4.1", "The error of hpriv",
            assumptions="0 < beta <= alpha < 1; m >= 4 log(1/(alpha beta))/alpha",
            steps=("C4.1.err", "C4.1.iid", "C4.1.tail", "C4.1.mean", "C4.1.final", "C4.1.noise", "C4.1.end", "C4.1.O"),
            against=(*NOT_ANSWERED, Claim("", "", "(1/2)*(1 - 1/1000000) > 3*0 + 7*(1/100)"), Claim("", "",
                     "10^-7 <= 1/100"), Claim("", "", "8300 >= 4*log(1/((1/100)*10^-7))/(1/100)"), Claim("", "",
                     "0 < 34*sqrt(2)*(sqrt(32*log(2000000))/30000)*log(4*8300/(5*10^-8)) <= 1")),
            witness=rates_instances.one_model,
            erratum=Erratum("with probability at least 1 - 2β ..., we have err(hpriv; D) ≤ 3γ + 7α = O(γ + α)",
                            f"{NOT_ANSWERED_WORDS}; so hpriv is a coin (or ⊥) and errs by 1/2 or more, with gamma = 0, "
                            "alpha = 1/100 and any learner. (With m = 8300 in the formulas of alg-2 too, epsilon = "
                            "30000 does it.)",
                            "edge", "reading",
                            "It holds for T >= 1 and lam log A >= 1/3, so for epsilon <= 25 and T >= 1, and without "
                            "the condition on m: by Markov's inequality err(hpriv; P) <= 3 gamma + 3 alpha + beta."),
            repaired_statement="for T >= 1 and lam log A >= 1/3, any m", learners=_TRANSFER,
            checks=("tests/papers/bassily2018/test_bassily2018_theorems_rates.py",)),
    Theorem("bassily2018:thm-4.2", "Sample complexity, realisable",
            bounds=bounds_of("bassily2018", "public", "realisable"),
            assumptions="gamma = 0; 0 < beta <= alpha < 1; T as in thm-3.4",
            steps=("T4.2.m", "T4.2.k", "T4.2.n", "T4.2.h", "T4.2.iid", "T4.2.agn", "T4.2.hs", "T4.2.8", "T4.2.15",
                   "T4.2.budget"), uses=("bassily2018:clm-4.1", "bassily2018:thm-3.4", "bassily2018:obs-4.d"),
            against=(*_ONE_EXAMPLE, Claim("C in [1, inf); Lg in [1, inf)", "", "C*Lg*(16*C)^(3/2)/(C*Lg*(16*C)^2) <= 1",
                           ("have (16*C)^(3/2) <= (16*C)^2",))),
            witness=instances.one_example,
            erratum=Erratum("There exists n = Õ(V^{3/2}/(ε α^{3/2})) for the size of the private dataset such that, "
                            "w.p. ≥ 1 - 3β, the output hypothesis ĥ of A_priv (Algorithm 3) satisfies err(ĥ; D) = "
                            "O(α).",
                            f"Large epsilon: {_ONE_EXAMPLE_WORDS}.", "constant", "reading", _EPS),
            repaired_statement="for epsilon <= 1; err(hhat; P) <= 15 alpha; with hpriv run separately for each point "
                               "(which is not private: T4.2.iid), or with one run on Q and an empirical minimiser "
                               "(inf-1.2)",
            learners=_TRANSFER, checks=(_TESTS,)),
    Theorem("bassily2018:rem-2", "With an ERM learner", steps=("R2",), uses=("bassily2018:clm-4.1",),
            against=(*_ONE_EXAMPLE, Claim("C in [1, inf); Lg in [1, inf)", "", "C*Lg*(16*C)/(C*Lg*(16*C)^2) <= 1")),
            witness=instances.one_example,
            erratum=Erratum("Hence, the resulting sample complexity would be n = Õ(V^{3/2}/(ε α)), saving us a factor "
                            "of 1/√α.", f"Large epsilon: {_ONE_EXAMPLE_WORDS}.", "edge", "reading", _EPS),
            repaired_statement="for epsilon <= 1",
            learners=("dpcheck.papers.bassily2018.learners:EmpiricalMinimiser",), checks=(_INSTANCES,)),
    Theorem("bassily2018:rem-3", "Efficient learners", steps=("R3",), uses=("bassily2018:clm-4.1",),
            against=(Claim("w in (0, 1/2]", "", "log(1 - w) < w*log(1/2)", ("lemma log_below x = 1 - w",
                     "have log(1/2) > -1")),),
            witness=instances.accuracy_one_over_m,
            erratum=Erratum("train the PAC learner in A_binClas towards a target accuracy 1/m. Hence, the "
                            "misclassification rate of A_binClas can be driven to zero.",
                            "A learner whose error is exactly 1/m errs on one of m queries with probability above 1/2.",
                            "constant", "reading",
                            "It holds with accuracy beta/(3m), which costs a factor 1/beta."),
            repaired_statement="with accuracy beta/(3m) and n = O~(V^2/(eps alpha beta)), for epsilon <= 1",
            checks=(_INSTANCES,)),
    Theorem("bassily2018:thm-4.3", "Sample complexity, non-realisable",
            bounds=bounds_of("bassily2018", "agnostic"),
            assumptions="0 < beta <= alpha < 1; T as in thm-3.5", steps=("T4.3.n", "T4.3.err"),
            uses=("bassily2018:clm-4.1", "bassily2018:thm-3.5", "bassily2018:obs-4.d"),
            against=(*_ONE_EXAMPLE, Claim("C in [1, inf); Lg in [1, inf)", "", "C*Lg*(16*C)^(5/2)/(C*Lg*(16*C)^3) <= 1",
                           ("have (16*C)^(5/2) <= (16*C)^3",))),
            witness=instances.one_example,
            erratum=Erratum("There exists n = Õ(V^{3/2}/(ε α^{5/2})) such that, w.p. ≥ 1 - 3β, the output hypothesis ĥ "
                            "of (Algorithm 3) satisfies err(ĥ; D) = O(α + γ).",
                            f"Large epsilon, gamma = 0 (or as small as one likes): {_ONE_EXAMPLE_WORDS}.", "constant",
                            "reading", _EPS),
            repaired_statement="for epsilon <= 1; labels as in thm-4.2", learners=_TRANSFER, checks=(_TESTS,)),
    Theorem("bassily2018:inf-1.2", "Theorems 4.2 and 4.3, informally",
            assumptions="epsilon a constant. The printed proofs show privacy of one run of alg-2 on Q and accuracy of "
                        "separate runs. With one run and an empirical minimiser as Theta both hold: bad, the part of Q "
                        "with more than k/3 wrong votes, is at most 6(alpha + gamma) + log(1/beta)/m (T3.2.chernoff's "
                        "downstream), all other labels are right (T3.2.suff), and errors on Q are within alpha of "
                        "those under P, for all hypotheses at once. star is a best hypothesis, priv its disagreement "
                        "with the labels, emp with the truth on Q. For err <= alpha + O(gamma) take alpha/16",
            claims=(Claim("alpha in (0, 1); gamma in [0, 1); bad in [0, 1]; emp in [0, 1]; priv in [0, 1]; "
                          "hatpriv in [0, 1]; hatemp in [0, 1]; err in [0, 1]",
                          "bad <= 7*(alpha + gamma); emp <= gamma + alpha; priv <= emp + bad; hatpriv <= priv; "
                          "hatemp <= hatpriv + bad; err <= hatemp + alpha", "err <= 16*alpha + 15*gamma"),
                    Claim("alpha in (0, 1); beta in (0, 1); gamma in [0, 1); m in Z[1, inf)", "m >= log(1/beta)/alpha",
                          "6*(alpha + gamma) + log(1/beta)/m <= 7*(alpha + gamma)",
                          ("have log(1/beta) > 0", "have m*alpha >= log(1/beta)", "have log(1/beta)/m <= alpha")),
                    Claim("q in [0, 1]; a in [0, 1]; m in Z[1, inf); beta in (0, 1)", "q <= 3*a",
                          "exp(m*q*(e - 1) - (6*a*m + log(1/beta))) <= beta",
                          ("have m*q <= 3*m*a", "have m*q*(e - 1) <= 6*a*m",
                           "have exp(m*q*(e - 1) - (6*a*m + log(1/beta))) <= exp(-log(1/beta))"))),
            uses=("bassily2018:thm-4.2", "bassily2018:thm-4.3", "bassily2018:obs-4.c"), proved_by="repaired",
            repaired_statement="with all labels from one run of alg-2 on Q (as repaired in thm-3.1) and an empirical "
                               "minimiser as Theta", learners=_TRANSFER, checks=(_TESTS,)),
    Theorem("bassily2018:obs-5.a", "A factor sqrt(V/alpha) above non-private bounds",
            bounds=bounds_of("bassily2018", "realisable_necessary", "agnostic_necessary"),
            tightness=tightness_of("bassily2018:obs-5.a"), steps=("obs-5.a",),
            assumptions="epsilon a constant; the non-private bounds are V/alpha and V/alpha^2",
            uses=("bassily2018:thm-4.2", "bassily2018:thm-4.3"), proved_by="repaired"),
    Theorem("bassily2018:obs-5.b", "The constant before gamma", claims=(Claim("", "", "7 > 1"),),
            assumptions="15 alpha + 7 gamma (T4.3.err), against gamma + alpha"),
    Theorem("bassily2018:obs-5.c", "Prior work on label privacy", cited="Beimel, Nissim & Stemmer 2016"),
)

"""chaudhuri2011: lower bounds under label privacy (section 5, appendix D).

Printed lines are in ``inventory.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.papers.chaudhuri2011.theorems import label_privacy_instances as instances
from dpcheck.proof.lazy_bounds import bounds_of, tightness_of
from dpcheck.proof.statement import Claim, Erratum, Repair, Step, Theorem

# fmt: off

_LEM_15 = (
    "A largest (r/2)-packing of a ball of radius r is a cover of it, so with M the largest size among all balls ddim_r "
    "<= log2 M, whatever r; if there is no largest size, there are packings of any size"
)
_PACKING = Claim("M in Z[1, inf); d in [0, inf)", "d <= log(M)/log(2)", "M >= 2^d",
                 ("have d*log(2) <= log(M)", "lemma exp_increases x = d*log(2); y = log(M)"))
_HALF = "1/(1 + exp(4*3))"
_TERM = "exp(4*3)/(1 + exp(4*3))*exp(-8)"
_NO_ALPHA = Erratum(
    quotes="Therefore Lemma 22 implies Pr[A(S_{X,h}) in B_X(h', s/2)] >= Pr[A(S_{X,h'}) in B_X(h', s/2)] e^{-8sm} for "
           "all h, h' in P.",
    explanation="Lemma 22 gives e^{-8 alpha sm}: alpha is missing from here to the end of the proof. Without it the "
                "line is false for alpha = 3, and for alpha < 1 true, but too weak for the end (L11.end).",
    severity="slip", quality="reading",
    readings="It holds for alpha in (0, 1), which lem-22 asks for and lem-11 does not.")
_ANY_ALPHA = "alpha > 0, as definition 2 and lem-11 have it without an upper bound"
#: k is 2^d, the number of balls that ddim = d counts: a whole number, at least 5 where d > 2.
_K = "k in Z[5, inf)"
_LOG_K = "have log(k/2 - 1) >= (17/100)*log(k)/log(2)"

STEPS = (
    # Lemma 22
    Step("L22.chain",
         claims=(Claim("m in Z[1, inf); agree in Z[0, inf); k in [0, inf); l in Z[0, inf)",
                       "agree >= m - k; l = m - agree",
                       "l <= k"),
                 Claim("j in Z[0, inf)", "", "(j + 1) - j = 1")),
         because="S^(j) has S's entries at the first j of the l places where S' and S differ, so S^(j) and S^(j+1) "
                 "differ in (j + 1) - j places, for all j from 0 to l - 1, more than the line says",
         reading="\"there exists a sequence\": it does, and the line says nothing of S^(0) and S^(1)"),
    Step("L22.tele",
         against=(Claim("alpha in (0, 1)", "", "exp(2*alpha) > exp(1*alpha)"),),
         because="for l = 1 the printed conditions (1 <= j < l) ask nothing: S^(0) = S', S^(1) = S may differ in k = 2 "
                 "labels, and randomised response, which is alpha-label private, loses 2 alpha",
         reading="\"in this case\": for every sequence as described",
         witness=instances.two_flips,
         erratum=Erratum(
             quotes="S^{(j)} differs from S^{(j+1)} in exactly one example for 1 <= j < l. In this case, ... "
                    "Pr[A(S^{(0)}) in G] <= Pr[A(S^{(1)}) in G] e^alpha",
             explanation="The index has to start at 0: nothing is said of the first pair, which the first relation "
                         "uses.",
             severity="slip", quality="reading",
             readings="It holds for sequences whose consecutive members all differ in one example; there are such."),
         repair=Repair(
             "for 0 <= j < l", "domain",
             claims=(Claim("p in [0, 1]", "", "p <= exp(0)*p"),
                     Claim("alpha in (0, inf); j in Z[0, inf); p in [0, 1]; q in [0, 1]; r in [0, 1]",
                           "p <= exp(j*alpha)*q; q <= exp(alpha)*r", "p <= exp((j + 1)*alpha)*r",
                           ("have exp(j*alpha)*q <= exp(j*alpha)*(exp(alpha)*r)",))),
             because="p = Pr[A(S^(0)) in G], q and r those of S^(j) and S^(j+1): induction over j, start and step",
             downstream="nothing changes")),
    Step("L22.end", spelled=(("Pr[A(S) in G]", "q"), ("Pr[A(S') in G]", "p")),
         claims=(Claim("alpha in (0, inf); l in [0, inf); k in [0, inf); p in [0, 1]; q in [0, 1]",
                       "l <= k; p <= exp(l*alpha)*q", "q >= p*exp(-l*alpha) >= p*exp(-k*alpha)",
                       ("have l*alpha <= k*alpha", "have exp(-k*alpha) <= exp(-l*alpha)",
                        "have p*exp(-l*alpha) <= exp(l*alpha)*q*exp(-l*alpha)")),),
         because="p = Pr[A(S') in G], q = Pr[A(S) in G]; any real k >= 0"),
    # Lemma 23
    Step("L23.1", spelled=(("rho_X>2r => rho_D >= rho_X", "x"), ("rho_X", "x")),
         claims=(Claim("r in (0, 1); x in (0, 1]", "x > 2*r", "x - sqrt(x*r/2) > r",
                       ("have x*r/2 <= (x/2)^2", "lemma sqrt_below x = x*r/2; y = x/2")),
                 Claim("d in [0, 1]; x in [0, 1]; eps_m in [0, inf); r in (0, 1)",
                       "d >= x - sqrt(x*eps_m); eps_m <= r/2", "d >= x - sqrt(x*r/2)",
                       ("have x*eps_m <= x*r/2", "lemma sqrt_increases x = x*eps_m; y = x*r/2"))),
         because="x = rho_X, d = rho_D; the first event of lem-17, of whose minimum one term is enough",
         uses=("chaudhuri2011:lem-17",)),
    Step("L23.2a", spelled=(("rho_D>6r => rho_X >= rho_D", "d"), ("rho_D", "d"), ("4r", "4 r")),
         claims=(Claim("r in (0, 1); d in (0, 1]", "d > 6*r", "d - sqrt(d*r/3) > 4*r",
                       ("have d*r/3 <= (d/4)^2", "lemma sqrt_below x = d*r/3; y = d/4")),
                 Claim("d in [0, 1]; x in [0, 1]; eps_m in [0, inf); r in (0, 1)",
                       "x >= d - sqrt(d*eps_m); eps_m <= r/3", "x >= d - sqrt(d*r/3)",
                       ("have d*eps_m <= d*r/3", "lemma sqrt_increases x = d*eps_m; y = d*r/3"))),
         because="the second event of lem-17", uses=("chaudhuri2011:lem-17",)),
    Step("L23.2b", spelled=(("rho_D<=12r => rho_X <= rho_D", "d"), ("rho_D", "d"), ("16r", "16 r")),
         claims=(Claim("d in [0, 1]; x in [0, 1]; eps_m in [0, inf); r in (0, 1)",
                       "d >= x - (sqrt(d*eps_m) + eps_m); eps_m <= r/3", "x <= d + sqrt(d*r/3) + r/3",
                       ("have d*eps_m <= d*r/3", "lemma sqrt_increases x = d*eps_m; y = d*r/3")),
                 Claim("d in [0, 1]; r in (0, 1)", "d <= 12*r", "d + sqrt(d*r/3) + r/3 <= 16*r",
                       ("have d*r/3 <= (2*r)^2", "lemma sqrt_below x = d*r/3; y = 2*r"))),
         because="the first event of lem-17, with the other term of its minimum", uses=("chaudhuri2011:lem-17",)),
    # Theorem 12
    Step("T12.pack",
         against=(Claim("", "", "1/5 <= (1/2)/2"), Claim("", "", "4*(1/5) >= (1/2)/2")),
         because="two hypotheses at distance Delta = 1/2, eps = 1/5: d'' = ddim_{4 eps} = 1, and lem-15 asks for a "
                 "scale below Delta/2",
         reading="\"By Lemma 15\": its hypothesis r in (0, D/2) is part of the line, at r = 4 eps and D = Delta",
         uses=("chaudhuri2011:lem-15",), witness=instances.two_far_hypotheses,
         erratum=Erratum(
             quotes="So pick any eps <= Delta/2. By Lemma 15, there exists an h_0 in H and P subset H such that P is a "
                    "(2 eps)-packing of (B_D(h_0, 4 eps), rho_D) of size >= 2^{d''}.",
             explanation="Lemma 15 is for scales below Delta/2, so it covers eps < Delta/8 only. What it says is true "
                         "at every scale.",
             severity="constant", quality="reading",
             readings="It holds with lem-15 for every r > 0, which is what its proof shows. (Delta is garbled in the "
                      "text.)"),
         repair=Repair("for every eps > 0 with d'' = ddim_{4 eps} there are such h_0 and P", "domain",
                       claims=(_PACKING,),
                       because=_LEM_15 + ": here r = 4 eps",
                       downstream="nothing changes")),
    Step("T12.disj",
         claims=(Claim("a in [0, 1]; b in [0, 1]; apart in [0, 1]; eps in (0, inf)",
                       "apart <= a + b; apart > 2*eps; a <= eps",
                       "b > eps"),),
         because="a, b: the distances of some g from h and h'; apart = rho_D(h, h')"),
    Step("T12.sum",
         against=(Claim("alpha in (0, inf)", "", "1/(1 + exp(4*alpha)) < exp(4*alpha)/(1 + exp(4*alpha))",
                        ("have exp(4*alpha) > 1",)),),
         because="H = {h, not h} on 8 points, uniform, eps = 1/4 (d'' = 1), X' the 8 points, a label-private choice "
                 "between h and not h by the labels: left the chance of not h on h's labels, right that of not h on "
                 "its own labels",
         witness=instances.choice_of_two,
         erratum=Erratum(
             quotes="Pr[A(S_{X',h}) notin B_D(h, eps)] >= sum_{h' in P \\ {h}} Pr[A(S_{X',h'}) in B_D(h', eps)]",
             explanation="On the right the dataset must be S_{X',h}: disjoint balls bound what A does on one dataset. "
                         "Lemma 22 then leads to S_{X',h'} and the factor e^{-alpha m} (T12.group). Equation (1) of "
                         "the paper has it right.",
             severity="slip"),
         repair=Repair("... >= sum_{h' != h} Pr[A(S_{X',h}) in B_D(h', eps)]", "statement",
                       claims=(Claim("own in [0, 1]; rest in [0, 1]", "own + rest <= 1", "1 - own >= rest"),),
                       because="own = Pr[A(S_{X',h}) in B_D(h, eps)], rest: the sum over the other, disjoint balls",
                       downstream="T12.group is what follows from it.")),
    Step("T12.group",
         reading="as the end of the chain that begins at Pr[A(S_{X',h}) notin B_D(h, eps)] (T12.sum, mended, is its "
                 "first relation); lem-22 is printed for alpha in (0, 1), and its argument, label by label, is derived "
                 "here for all alpha > 0",
         uses=("chaudhuri2011:lem-22",)),
    Step("T12.int",
         claims=(Claim("w in [0, 1]; a in [0, 1]; b in [0, 1]; u in [0, inf); v in [0, inf); f in (0, 1]",
                       "a >= u*f; b >= v*f",
                       "w*a + (1 - w)*b >= (w*u + (1 - w)*v)*f"),
                 Claim("hit in [0, 1]", "hit > 1/2", "1 - hit < 1/2"),
                 Claim("n in Z[2, inf); total in [0, inf); f in (0, 1]", "total > (n - 1)*(1/2)",
                       "total*f > (n - 1)*(1/2)*f"),
                 Claim("n in Z[1, inf); total in [0, inf); next in [0, 1]", "total >= (n - 1)*(1/2); next > 1/2",
                       "total + next > n*(1/2)")),
         because="averaging over X', two values at a time; each of the n - 1 >= 1 terms (2^d'' >= 2) is above 1/2, "
                 "added one by one"),
    Step("T12.end", spelled=(("#P", "n"), ("d''", "d")),
         claims=(Claim("n in Z[2, inf); m in (0, inf); alpha in (0, inf)", "1/2 > (n - 1)*(1/2)*exp(-alpha*m)",
                       "m > log(n - 1)/alpha",
                       ("have (n - 1)*exp(-alpha*m) < 1", "lemma log_below x = (n - 1)*exp(-alpha*m)",
                        "have log(n - 1) < alpha*m")),
                 Claim("n in Z[2, inf); d in [1, inf); alpha in (0, inf)", "n >= 2^d",
                       "log(n - 1)/alpha >= log(2^d - 1)/alpha >= log(2^(d - 1))/alpha",
                       ("have 2^d >= 2", "have 2^(d - 1) >= 1", "have 2^d = 2*2^(d - 1)",
                        "link 0: lemma log_increases x = 2^d - 1; y = n - 1",
                        "link 1: lemma log_increases x = 2^(d - 1); y = 2^d - 1"))),
         because="n = #P, d = d''"),
    # Lemma 11
    Step("L11.good",
         claims=(Claim("hit in [0, 1]", "hit < 1/2", "1 - hit > 1/2"),
                 Claim("hit in [0, 1]", "1 - hit > 1/2", "hit < 1/2"),
                 Claim("n in Z[1, inf); good in Z[0, inf)", "good < n/2", "n - good >= n/2"),
                 Claim("miss in [0, 1]", "miss > 1/2", "miss >= 1/2")),
         because="if m < log(#P/2 - 1)/(8 alpha s), A is good for fewer than #P/2 members, and the others are the Q of "
                 "lem-11",
         reading="#P > 2, without which the logarithm is not defined"),
    Step("L11.sum",
         against=(Claim("alpha in (0, inf)", "", "1/(1 + exp(4*alpha)) < exp(4*alpha)/(1 + exp(4*alpha))",
                        ("have exp(4*alpha) > 1",)),),
         because="m = 8 points, s = 1/8, h_0 constant, P = {h, not h, g}, a label-private choice between h and not h "
                 "by the labels: left the chance of not h on h's labels, right that of not h on its own (g is never "
                 "chosen)",
         witness=instances.choice_of_two,
         erratum=Erratum(
             quotes="Pr[A(S_{X,h}) notin B_X(h, s/2)] >= sum_{h' in P \\ {h}} Pr[A(S_{X,h'}) in B_X(h', s/2)].",
             explanation="On the right the dataset must be S_{X,h}, as in T12.sum.", severity="slip"),
         repair=Repair("... >= sum_{h' != h} Pr[A(S_{X,h}) in B_X(h', s/2)]", "statement",
                       claims=(Claim("own in [0, 1]; rest in [0, 1]", "own + rest <= 1", "1 - own >= rest"),
                               Claim("a in [0, 1]; b in [0, 1]; apart in [0, 1]; s in (0, inf)",
                                     "apart <= a + b; apart > s; a <= s/2", "b > s/2")),
                       because="the balls of radius s/2 around members of an s-packing are disjoint",
                       downstream="L11.group and lem-22 lead from it to L11.c1.")),
    Step("L11.tri", spelled=(("rho_X(h,h')", "apart"), ("rho_X(h_0,h)+rho_X(h_0,h')", "a+b"), ("8s`", "8 s`")),
         claims=(Claim("a in [0, 1]; b in [0, 1]; apart in [0, 1]; s in (0, inf)", "apart <= a + b; a <= 4*s; b <= 4*s",
                       "apart <= a + b <= 8*s"),
                 Claim("apart in [0, 1]; s in (0, inf); m in Z[1, inf)", "apart <= 8*s", "apart*m <= 8*s*m")),
         because="a, b: the distances of h_0 to the two, at most 4 s; apart m of the m labels differ"),
    Step("L11.group",
         against=(Claim("", "", f"{_HALF} < {_TERM}"),),
         because="alpha = 3, m = 8, s = 1/8 (8 s m = 8 labels differ), a label-private choice between h and not h: not "
                 "h on h's labels has the chance 1/(1 + exp(12)), on its own labels exp(12)/(1 + exp(12))",
         reading=_ANY_ALPHA, witness=instances.choice_of_two, erratum=_NO_ALPHA,
         repair=Repair("Pr[A(S_{X,h}) in B_X(h', s/2)] >= Pr[A(S_{X,h'}) in B_X(h', s/2)] exp(-8 alpha s m)",
                       "constant",
                       claims=(Claim("alpha in (0, inf); s in (0, inf); m in Z[1, inf); k in [0, inf); p in [0, 1]; "
                                     "q in [0, 1]",
                                     "k <= 8*s*m; p >= q*exp(-k*alpha)", "p >= q*exp(-8*alpha*s*m)",
                                     ("have k*alpha <= 8*alpha*s*m", "have exp(-8*alpha*s*m) <= exp(-k*alpha)",
                                      "have q*exp(-8*alpha*s*m) <= q*exp(-k*alpha)")),),
                       because="lem-22 with k labels, k <= 8 s m", uses=("chaudhuri2011:lem-22",),
                       downstream="L11.c1 and L11.end have exp(-8 alpha s m) too, and the lemma's bound follows.")),
    Step("L11.c1",
         against=(Claim("", "", f"{_HALF} <= 1/2"), Claim("", "", "exp(4*3)/(1 + exp(4*3)) >= 1/2"),
                  Claim("", "", f"{_HALF} < {_TERM}")),
         because="L11.group's instance: A is good for h and not h, two of the three members of P, and the term of not "
                 "h alone is above the left side",
         reading=_ANY_ALPHA, witness=instances.choice_of_two,
         erratum=Erratum(
             quotes="1/2 >= Pr[A(S_{X,h}) notin B_X(h, s/2)] >= sum_{h' in P \\ {h}} 1[A is good for h'] "
                    "Pr[A(S_{X,h'}) in B_X(h', s/2)] e^{-8sm}",
             explanation="alpha is missing in the exponent, as in L11.group.", severity="slip", quality="reading",
             readings="It holds for alpha in (0, 1)."),
         repair=Repair("the same with exp(-8 alpha s m)", "constant",
                       claims=(Claim("hit in [0, 1]", "hit >= 1/2", "1/2 >= 1 - hit"),
                               Claim("good in Z[0, 1]; a in [0, 1]; q in [0, 1]; f in (0, 1]", "a >= q*f",
                                     "a >= good*q*f"),
                               Claim("a in [0, 1]; q in [0, 1]; s in [0, 1]; t in [0, 1]; f in (0, 1]",
                                     "a >= q*f; s >= t*f",
                                     "a + s >= (q + t)*f")),
                       because="L11.sum and L11.group, mended, term by term; terms two at a time",
                       uses=("chaudhuri2011:lem-22",), downstream="see L11.end")),
    Step("L11.c2",
         claims=(Claim("good in Z[0, 1]; q in [0, 1]; f in (0, 1]", "q >= good*(1/2)", "good*q*f >= good*(1/2)*f"),
                 Claim("n in Z[1, inf); good in Z[1, inf); f in (0, 1]", "good >= n/2",
                       "(good - 1)*(1/2)*f >= (n/2 - 1)*(1/2)*f")),
         because="term by term; h is one of the good ones, so good - 1 >= #P/2 - 1 terms have indicator 1; f is the "
                 "factor, with or without alpha"),
    Step("L11.end", spelled=(("#P", "n"), ("(8s)", "(8 s)")),
         claims=(Claim("n in Z[3, inf); s in (0, inf); m in Z[1, inf)", "1/2 >= (n/2 - 1)*(1/2)*exp(-8*s*m)",
                       "m >= log(n/2 - 1)/(8*s)",
                       ("have (n/2 - 1)*exp(-8*s*m) <= 1", "lemma log_below x = (n/2 - 1)*exp(-8*s*m)",
                        "have log(n/2 - 1) <= 8*s*m")),
                 Claim("n in Z[3, inf); s in (0, 1/8]; m in Z[1, inf); alpha in (0, 1)", "m >= log(n/2 - 1)/(8*s)",
                       "m >= log(n/2 - 1)/(8*alpha*s)")),
         because="the first formula is the line, the second what it is to end: the bound that L11.good asks for",
         erratum=Erratum(
             quotes="which in turn implies m >= log((|P|/2) - 1)/(8s).",
             explanation="To be shown was m >= log((|P|/2) - 1)/(8 alpha s), which is more for alpha < 1; alpha got "
                         "lost in L11.group.", severity="slip"),
         repair=Repair("with exp(-8 alpha s m) in the lines before: m >= log(#P/2 - 1)/(8 alpha s)", "constant",
                       claims=(Claim("n in Z[3, inf); s in (0, inf); m in Z[1, inf); alpha in (0, inf)",
                                     "1/2 >= (n/2 - 1)*(1/2)*exp(-8*alpha*s*m)", "m >= log(n/2 - 1)/(8*alpha*s)",
                                     ("have (n/2 - 1)*exp(-8*alpha*s*m) <= 1",
                                      "lemma log_below x = (n/2 - 1)*exp(-8*alpha*s*m)",
                                      "have log(n/2 - 1) <= 8*alpha*s*m")),),
                       because="n = #P", downstream="lem-11 holds as printed, for every alpha > 0.")),
    # Lemma 24
    Step("L24.pack",
         against=(Claim("", "", "1/20 < (2/5)/6"), Claim("", "", "12*(1/20) >= (2/5)/2"),
                  Claim("", "", "log(5)/log(2) > 2")),
         because="the singletons of five points, uniform: Delta = 2/5, r = 1/20, ddim_{12 r} = log2 5, and lem-15 asks "
                 "for a scale below Delta/2",
         reading="\"is guaranteed by Lemma 15\": its hypothesis r in (0, D/2) is part of the line, at 12 r and D = "
                 "Delta",
         uses=("chaudhuri2011:lem-15",), witness=instances.five_singletons,
         erratum=Erratum(
             quotes="P is a (6r)-packing of (B_D(h_0, 12r), rho_D) of size |P| >= 2^d; the existence of such an h_0 "
                    "and P is guaranteed by Lemma 15.",
             explanation="Lemma 15 is for scales below Delta/2, and r < Delta/6 lets 12 r go up to 2 Delta. What it "
                         "says is true at every scale.", severity="constant", quality="reading",
             readings="It holds with lem-15 for every r > 0, which is what its proof shows. (Delta is garbled in the "
                      "text.)"),
         repair=Repair("for every r > 0 there are such h_0 and P", "domain", claims=(_PACKING,),
                       because=_LEM_15 + ": here 12 r", downstream="nothing changes")),
    Step("L24.s", spelled=(("m < log", "log"), ("#P", "n"), ("(4r)", "(4 r)")),
         claims=(Claim("n in Z[3, inf); d in (1, inf); alpha in (0, inf); r in (0, 1)", "n >= 2^d",
                       "log(2^(d - 1) - 1)/(32*alpha*r) <= log(n/2 - 1)/(8*alpha*(4*r))",
                       ("have 2^d = 2*2^(d - 1)", "have 2^(d - 1) > 1",
                        "lemma log_increases x = 2^(d - 1) - 1; y = n/2 - 1")),),
         because="n = #P; the first relation is the hypothesis, in which d > 1"),
    Step("L24.e",
         claims=(Claim("ef in [0, 1]; f in [0, 1]; neither in [0, 1]", "ef + f + neither = 1", "ef <= ef + f"),
                 Claim("x in [0, 1]; r in (0, 1); m in Z[1, inf)", "x*m > 2*r*m", "x > 2*r")),
         because="atoms: ef: E_1 and phi = 1, where rho_D > r by the first part of phi; f: rho_D > r without it; "
                 "neither"),
    Step("L24.(10)",
         claims=(Claim("Delta in (0, 1]; r in (0, inf)", "r < Delta/6", "0 < r < 1"),),
         because="lem-23, whose hypotheses on r and m hold", uses=("chaudhuri2011:lem-23",)),
    Step("L24.(11)",
         claims=(Claim("n in Z[1, inf); q in Z[0, inf); total in [0, inf)", "q >= n/2; total >= q*(1/2)",
                       "total >= n/4"),
                 Claim("r in (0, 1)", "", "(4*r)/2 = 2*r"), Claim("r in (0, 1)", "", "4*(4*r) = 16*r")),
         because="for each X with phi(X) = 1, P is a (4r)-packing of B_X(h_0, 16r), and lem-11 with s = 4r gives q "
                 "members of P with Pr[rho_X(h, A) > 2r] >= 1/2; Q may depend on X, the sum does not",
         uses=("chaudhuri2011:lem-11",)),
    Step("L24.avg", spelled=(("sum_h Pr[E_1, phi=1] = E[sum_h .. | phi=1]", "mean"), ("Pr[phi=1]", "phi"), ("#P", "n")),
         claims=(Claim("w in [0, 1]; a in [0, inf); b in [0, inf); n in Z[1, inf)", "a >= n/4; b >= n/4",
                       "w*a + (1 - w)*b >= n/4"),
                 Claim("joint in [0, 1]; phi in (0, 1]", "", "joint = (joint/phi)*phi"),
                 Claim("n in Z[1, inf); mean in [0, inf); phi in [0, 1]", "mean >= n/4; phi >= 1/2",
                       "mean*phi >= (n/4)*phi >= n/8"),
                 Claim("n in Z[1, inf); most in [0, 1]", "n*most >= n/8", "most >= 1/8")),
         because="joint = Pr[E_1, phi = 1], summed over h; averaging over the X with phi(X) = 1, two values at a time; "
                 "the largest of n terms is at least their mean"),
    # Theorem 10
    Step("T10.assume", spelled=(("6C", "6 C"),),
         claims=(Claim("C in (1, inf); Delta in (0, 1]", "", "1 <= log(6*C/Delta) <= log(6*C)*(1 + log(1/Delta))",
                       ("have log(6*C) >= 1", "have log(1/Delta) >= 0", "lemma log_quotient_above x = 6*C; y = Delta")),
                 Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1); a in [1, inf); b in [0, inf); "
                       "x in [1, inf)",
                       "x <= a*(1 + b); eps < (1/(24*C*a))*Delta/(V*(1 + b))", "eps < Delta/(24*C*V*x)",
                       ("have eps*(24*C*a*V*(1 + b)) < Delta", "have eps*(24*C*V)*x <= eps*(24*C*V)*(a*(1 + b))",
                        "have eps*(24*C*V*x) < Delta")),
                 Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1)",
                       "eps < Delta/(24*C*V*log(6*C/Delta))", "eps < 1/C",
                       ("have log(6*C/Delta) >= 1", "have 24*C*V*log(6*C/Delta) >= C",
                        "have Delta/(24*C*V*log(6*C/Delta)) <= 1/C")),
                 Claim(_K, "", "log(k/2 - 1) >= (17/100)*log(k)/log(2)"),
                 Claim("C in (1, inf); eps in (0, 1)", "eps < 1/C", "0 < log(C/eps) <= 2*log(1/eps)",
                       ("have C*eps < 1", "link 1: lemma log_below x = C*eps",
                        "link 1: lemma log_product_below x = C; y = eps",
                        "link 1: lemma log_quotient_above x = C; y = eps")),
                 Claim("C in (1, inf); V in Z[1, inf); alpha in (0, inf); w in (0, inf); x in (0, inf); y in (0, inf); "
                       "z in (0, inf)",
                       "w >= (17/100)*z; y <= 2*x; alpha <= (17/(6400*C))*z/(V*x)", "alpha <= w/(32*C*V*y)",
                       ("have alpha*(V*x)*(6400*C) <= 17*z", "have alpha*V*C*32*y <= alpha*V*C*32*(2*x)",
                        "have alpha*(32*C*V*y) <= w")),
                 Claim(f"eps in (0, 1); alpha in (0, inf); m in Z[1, inf); {_K}",
                       "m < (17/3200)*(log(k)/log(2))/(alpha*eps)", "m < log(k/2 - 1)/(32*alpha*eps)",
                       (_LOG_K, "have m*alpha*eps < (17/3200)*(log(k)/log(2))", "have m*32*alpha*eps < log(k/2 - 1)"))),
         because="a = log(6C), b = log(1/Delta), x = log(6C/Delta) in the second formula; x = log(1/eps), y = "
                 "log(C/eps), z = log2 k, w = log(k/2 - 1) in the sixth. For C > 1 of lem-24: c = min(1/(24 C "
                 "log(6C)), 17/(6400 C)); k = 2^d, 2^d' counts balls, so it is an integer, at least 5 for d > 2, and "
                 "2^(d-1) - 1 = k/2 - 1",
         reading="doubling dimensions are logarithms of whole numbers, as their definition makes them; d' is attained"),
    Step("T10.pair",
         against=(Claim("C in (1, inf); K in Z[10, inf)", "K >= 10*C", "9*C*K^2 < 2^K - 1",
                        ("have C <= K/10", "have C*K^2 <= K^3/10", "have 2^K >= K^3", "have K^3 >= 1000")),
                  Claim("C in (1, inf); K in Z[10, inf); p in (0, 1/1024]", "K >= 10*C",
                        "0 < log(6*C/((2/5)*(1 - p))) <= 3*K",
                        ("link 0: have 6*C/((2/5)*(1 - p)) >= 6*C", "have 6*C/((2/5)*(1 - p)) <= 30*C",
                         "link 1: lemma log_below x = 6*C/((2/5)*(1 - p))")),
                  Claim("C in (1, inf); K in Z[10, inf); x in (0, inf)", "9*C*K^2 < 2^K - 1; x <= 3*K",
                        "(2/5)*2^(-K)/8 < (2/5)*(1 - 2^(-K))/(24*C*K*x)",
                        ("have 3*C*K*x <= 9*C*K^2", "have 2^(-K)*(3*C*K*x) < 2^(-K)*(2^K - 1)")),
                  Claim("K in Z[1, inf)", "", "4*((2/5)*2^(-K)/8) < (2/5)*2^(-K)"),
                  Claim("K in Z[1, inf)", "", "12*((2/5)*2^(-K)/8) >= (2/5)*2^(-K)"),
                  Claim("", "", "log(5)/log(2) > 2")),
         because="a ladder: K >= 10 C levels of five points, level k of mass (2/5) 2^-k/2 a point, a hypothesis marks "
                 "one point of each level; V = K, Delta = (2/5)(1 - 2^-K), all distances at least (2/5) 2^-K. With eps "
                 "an eighth of that all of T10.assume holds (the first three formulas, p = 2^-K and x the logarithm, "
                 "and any small alpha), ddim is at least log2 5 at all scales from 12 eps to 2 Delta (a ball of half "
                 "the radius contains at most one of the five that differ at one level; from Delta on four centres "
                 "leave a hypothesis that differs from each on every level), and no two hypotheses are within 4 eps",
         reading="for every C of lem-24", uses=("chaudhuri2011:lem-15",), witness=instances.ladders_without_close_pairs,
         erratum=Erratum(
             quotes="Since eps < Delta/2, Lemma 15 implies that there exists a pair {h, h'} subset H such that "
                    "rho_D(h, h') > 2 eps but rho_D(h, h') <= 4 eps.",
             explanation="The assumptions speak of scales from 12 eps on; below, there may be no two hypotheses at all "
                         "that are so close. (And a packing of a ball of radius 4 eps has its members within 8 eps of "
                         "each other.)",
             severity="constant", quality="reading",
             readings="The scales 12 eps and 12 r of theorem 10 are those of its proof (D.4); where the theorem is "
                      "printed, they are garbled in the text we have."),
         repair=Repair(
             "there is a pair with 2 eps < rho_D(h, h') <= 12 eps; with case 1 for m < 1/(12 eps), case 2 from there "
             "on, and eps < Delta/(72 C V log(6C/Delta))", "constant",
             claims=(_PACKING,
                     Claim("a in [0, 1]; b in [0, 1]; apart in [0, 1]; eps in (0, 1)",
                           "apart <= a + b; apart > 6*eps; a <= 3*eps",
                           "b > 3*eps"),
                     Claim("b in [0, 1]; eps in (0, 1)", "b > 3*eps; b <= 12*eps", "2*eps < b <= 12*eps"),
                     Claim("eps in (0, 1/24]; m in [0, inf)", "m < 1/(12*eps)",
                           "(1 - 12*eps)^m >= (1 - 12*eps)^(1/(12*eps))",
                           ("have 12*eps*m < 1", "have log(1 - 12*eps) <= 0",
                            "have m*log(1 - 12*eps) >= 1/(12*eps)*log(1 - 12*eps)")),
                     Claim("x in (0, 1/2]", "", "(1 - x)^(1/x) >= 1/4"),
                     Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1); a in [1, inf); "
                           "b in [0, inf); x in [1, inf)",
                           "x <= a*(1 + b); eps < (1/(72*C*a))*Delta/(V*(1 + b))", "eps < Delta/(72*C*V*x)",
                           ("have eps*(72*C*a*V*(1 + b)) < Delta", "have eps*(72*C*V)*x <= eps*(72*C*V)*(a*(1 + b))",
                            "have eps*(72*C*V*x) < Delta")),
                     Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1)",
                           "eps < Delta/(72*C*V*log(6*C/Delta))", "eps < 1/24",
                           ("have log(6*C/Delta) >= 1", "have 72*C*V*log(6*C/Delta) >= 72",
                            "have Delta/(72*C*V*log(6*C/Delta)) <= 1/72")),
                     Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1)",
                           "eps < Delta/(72*C*V*log(6*C/Delta))", "1/(12*eps) > (C*V/(Delta/6))*log(C/(Delta/6))",
                           ("have log(6*C/Delta) > 0", "have eps*(72*C*V*log(6*C/Delta)) < Delta",
                            "have 72*C*V*log(6*C/Delta)/Delta < 1/eps"))),
             because=_LEM_15 + ": at 12 eps, where ddim > 2, some ball around z has a (6 eps)-packing of five or more; "
                               "one member at most is within 3 eps of z, so z and another one are the pair. Equal data "
                               "then has probability at least (1 - 12 eps)^m >= 1/4, and the last formula is T10.rmax "
                               "for the new split; the one on x is that of T10.assume with 72 for 24",
             downstream="thm-10 holds with c = min(1/(72 C log(6C)), 17/(6400 C)), which is 4.65e-5 for C = 52. With "
                        "half the alpha cases 1 and 2 are not needed at all: a learner may ignore records, so case 3 "
                        "is enough (ex-5.2).")),
    Step("T10.coll", spelled=(("Pr_X[rho_X(h,h')=0]", "(1-rho)^m"), ("4eps", "4 eps")),
         claims=(Claim("eps in (0, 1/5]; rho in [0, 1]; m in Z[0, inf)", "rho <= 4*eps",
                       "(1 - rho)^m >= (1 - 4*eps)^m"),
                 Claim("eps in (0, 1/5]; m in [0, inf)", "m < 1/(4*eps)", "(1 - 4*eps)^m >= (1 - 4*eps)^(1/(4*eps))",
                       ("have 4*eps*m < 1", "have log(1 - 4*eps) <= 0",
                        "have m*log(1 - 4*eps) >= 1/(4*eps)*log(1 - 4*eps)")),
                 Claim("eps in (0, 1/5]", "", "(1 - 4*eps)^(1/(4*eps)) > 1/8"),
                 Claim("Delta in (0, 1]; eps in (0, 1)", "eps <= Delta/5", "eps <= 1/5")),
         because="rho = rho_D(h, h'); Pr[rho_X(h, h') = 0] = (1 - rho)^m"),
    Step("T10.case1",
         against=(Claim("", "", "1 - 4*(1/5) >= 1/8"), Claim("", "", "(4/5)*(1/100) + (1/2)*(1 - 4*(1/5)) < 1/8")),
         because="h and h' at distance 4 eps = 4/5, not h in the class too (Delta = 1), m = 1: a learner that follows "
                 "the label where it tells, but for one time in 100, and a coin where it does not misses each with "
                 "probability 27/250, though the data are equal with probability 1/5",
         reading="from \">= 1/8\", which is all that the line before gives, and under its condition eps <= Delta/5",
         witness=instances.fair_on_equal_data,
         erratum=Erratum(
             quotes="So if, say, Pr[h_A in B_D(h, eps)] >= 1/8, then Pr[h_A notin B_D(h', eps)] >= 1/8. Therefore "
                    "Pr[h_A notin B_D(h*, eps)] >= 1/8 for at least one h* in {h, h'}.",
             explanation="Where the data are equal, one output misses at least one of the two; so the two "
                         "probabilities of a miss have the sum 1/8 or more, and one of them is at least 1/16.",
             severity="constant", quality="reading",
             readings="With the eps of T10.assume data are equal with probability above 1/4, and then 1/8 is right."),
         repair=Repair(
             "equal data with probability at least 1/4 give a miss with probability at least 1/8 for one of the two",
             "constant",
             claims=(Claim("q in [1/4, 1]; a in [0, 1]; b in [0, 1]; f in [0, 1]; g in [0, 1]",
                           "a + b <= 1; f >= q*(1 - a); g >= q*(1 - b)", "max(f, g) >= 1/8",
                           ("have f + g >= 1/4", "case f - g")),
                     Claim("x in (0, 1/2]", "", "(1 - x)^(1/x) >= 1/4"),
                     Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1)",
                           "eps < Delta/(24*C*V*log(6*C/Delta))", "4*eps <= 1/2",
                           ("have log(6*C/Delta) >= 1", "have 24*C*V*log(6*C/Delta) >= 24",
                            "have Delta/(24*C*V*log(6*C/Delta)) <= 1/24"))),
             because="q: the probability of equal data; a, b: those that the output is then near h, near h'; f, g: "
                     "those of a miss",
             downstream="thm-10 keeps its 1/8.")),
    Step("T10.r",
         claims=(Claim("C in (1, inf); V in Z[1, inf); eps in (0, 1); q in (0, 1)", "q <= eps",
                       "(C*V/q)*log(C/q) >= (C*V/eps)*log(C/eps)",
                       ("lemma log_increases x = C/eps; y = C/q", "have log(C/eps) > 0",
                        "have (C*V/q)*log(C/q) >= (C*V/q)*log(C/eps)",
                        "have (C*V/q)*log(C/eps) >= (C*V/eps)*log(C/eps)")),
                 Claim("C in (1, inf); V in Z[1, inf)", "", "(C*V/C)*log(C/C) = 0")),
         because="a solution q <= eps would have m at least the bound that it is below; and there is a solution "
                 "between eps, where the left side is above m, and C, where it is 0"),
    Step("T10.rmax", spelled=(("4eps", "4 eps"), ("(CV/", "(C V/")),
         claims=(Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1); m in Z[1, inf)",
                       "m >= 1/(4*eps); eps < Delta/(24*C*V*log(6*C/Delta))",
                       "m >= 1/(4*eps) > (C*V/(Delta/6))*log(C/(Delta/6))",
                       ("have log(6*C/Delta) > 0", "have eps*(24*C*V*log(6*C/Delta)) < Delta",
                        "have 24*C*V*log(6*C/Delta)/Delta < 1/eps")),
                 Claim("C in (1, inf); V in Z[1, inf); R in (0, 1]; q in (0, inf)", "R <= q",
                       "(C*V/q)*log(C/q) <= (C*V/R)*log(C/R)",
                       ("lemma log_increases x = C/q; y = C/R", "have log(C/R) > 0",
                        "have (C*V/q)*log(C/q) <= (C*V/q)*log(C/R)",
                        "have (C*V/q)*log(C/R) <= (C*V/R)*log(C/R)"))),
         because="R = Delta/6: r = q >= R would have m = (CV/q) log(C/q) at most what it is above"),
    Step("T10.alpha",
         claims=(Claim("C in (1, inf); eps in (0, 1); r in (0, 1)", "eps < r", "0 < log(C/r) < log(C/eps)",
                       ("link 1: lemma log_below x = eps/r", "link 1: have eps/r < 1")),
                 Claim(f"{_K}; j in Z[5, inf)", "k <= j", "0 < log(k/2 - 1) <= log(j/2 - 1)"),
                 Claim("C in (1, inf); V in Z[1, inf); a in (0, inf); b in (0, inf); x in (0, inf); y in (0, inf)",
                       "a <= b; y < x", "a/(32*C*V*x) < b/(32*C*V*y)", ("have a*y < b*x",))),
         because="a, b and x, y: the logarithms above; k = 2^d', j = 2^d'' >= k, since eps < r < Delta/6 is "
                 "in the range of the infimum; the first relation is assumed",
         reading="as T10.assume: whole numbers of balls"),
    Step("T10.m",
         claims=(Claim("C in (1, inf); V in Z[1, inf); r in (0, 1); alpha in (0, inf); j in Z[5, inf)",
                       "alpha < log(j/2 - 1)/(32*C*V*log(C/r))", "(C*V/r)*log(C/r) < log(j/2 - 1)/(32*alpha*r)",
                       ("have log(C/r) > 0", "have alpha*(32*C*V*log(C/r)) < log(j/2 - 1)")),
                 Claim("miss in [0, 1]; r in (0, 1); eps in (0, 1)", "eps < r; miss > r", "miss > eps")),
         because="j = 2^d''; strict, as lem-24 wants it; a miss by more than r is one by more than eps"),
    Step("T10.case3",
         claims=(Claim("C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1)",
                       "eps < Delta/(24*C*V*log(6*C/Delta))", "eps < Delta/6",
                       ("have log(6*C/Delta) >= 1", "have 24*C*V*log(6*C/Delta) >= 24",
                        "have Delta/(24*C*V*log(6*C/Delta)) <= Delta/24")),),
         because="the other hypotheses of lem-24 are those of the case", uses=("chaudhuri2011:lem-24",),
         reading="its conclusion is printed with \"<= 1/8\" at the end, read as >="),
    # Lemma 25
    Step("L25.p1",
         claims=(Claim("v in (0, 1]; w in (0, 1]; joint in [0, 1]", "", "joint/(v*w) = (joint/w)/v"),),
         because="v, w: the probabilities that h_v, h_w are in B(h_u, r), which are independent; joint: that both are, "
                 "and close"),
    Step("L25.p2",
         claims=(Claim("v in (0, 1]; w in (0, 1]; joint in [0, 1]; near in [0, 1]", "joint <= near",
                       "(joint/w)/v <= (near/w)/v"),
                 Claim("v in (0, 1]; w in (0, 1]; near in [0, 1]; half in [0, 1]", "near = half*w",
                       "(near/w)/v = half/v")),
         because="near: h_w in B(h_u, r) and h_v within r/2 of h_w. For each h_w the second has the probability half = "
                 "mu(B(h_u, r/2)), since mu is invariant under rotations"),
    Step("L25.ratio",
         against=(Claim("n in Z[3, inf); c in (0, 1)", "", "2^(-(n - 2))*(2*c)^(n - 2) < 1", ("have c^(n - 2) < 1",)),
                  Claim("n in Z[3, inf)", "", "1/2 > 2^(-(n - 1))")),
         because="a ball of radius r <= 1 is a cap of angle t = pi r, and mu(B(r)) is proportional to the integral of "
                 "sin^(n-2) from 0 to t, mu(B(r/2)) to that up to t/2, which is half the integral of sin(x/2)^(n-2) up "
                 "to t. As sin x = 2 c sin(x/2) with c = cos(x/2), 2^-(n-2) sin(x)^(n-2) is below sin(x/2)^(n-2) for "
                 "all x (first formula): the ratio is above 2^-(n-1) for every r in (0, 1] and n >= 3. At r = 1 it is "
                 "1/2 for every n",
         reading="any r in (0, 1]; beyond 1 it is false for n = 2 as well",
         erratum=Erratum(
             quotes="= Pr[h_v in B_D(h_u, r/2)]/Pr[h_v in B_D(h_u, r)] = 2^{-(n-1)}. ... the last equality follows by "
                    "the fact that B_D(h_u, r) corresponds to a (n-1)-dimensional spherical cap of S^{n-1}.",
             explanation="Measures of caps do not scale like balls of R^{n-1}: the ratio is larger than 2^{-(n-1)} for "
                         "n >= 3 and tends to it only as r tends to 0. The inequality runs against the proof, which "
                         "needs an upper bound.",
             severity="gap"),
         repair=Repair(
             "the ratio is at most 2^-(n-1) cos(pi r/2)^-(n-2) for r < 1: at most 2^-(n-2) for r <= 2/(pi sqrt(n)), "
             "and at most 2^(-n/2) for r <= 1/2", "constant",
             claims=(Claim("n in Z[2, inf); c in (0, 1]; least in (0, 1]", "least <= c",
                           "(2*c)^(-(n - 2)) <= (2*least)^(-(n - 2))"),
                     Claim("n in Z[2, inf)", "", "(1 - 1/(2*n))^(n - 2) >= 1/2"),
                     Claim("n in Z[2, inf); x in (0, inf)", "x^2 <= 1/n", "1 - x^2/2 >= 1 - 1/(2*n)"),
                     Claim("n in Z[2, inf)", "", "(1/2)/(2*(1/sqrt(2)))^(n - 2) = 2^(-n/2)")),
             because="pointwise under the integrals: sin(x/2)^(n-2) = (2c)^-(n-2) sin(x)^(n-2), c = cos(x/2) >= cos(pi "
                     "r/2) = least; cos x >= 1 - x^2/2 at x = pi r/2 <= 1/sqrt(n), and cos(pi/4) = 1/sqrt(2) for r = "
                     "1/2; sizes of caps as in the line",
             downstream="see L25.M, L25.N")),
    Step("L25.M",
         against=(Claim("n in Z[3, inf); N in Z[2, inf)", "N = 2^(n - 1)",
                        "N*(N - 1)/2*(1/2) > N*(N - 1)/2*2^(-(n - 1))",
                        ("have 2^(-(n - 1)) < 1/2",)),),
         because="at r = 1 the ball is the whole class and two random hypotheses are within 1/2 of each other with p = "
                 "1/2",
         erratum=Erratum(quotes="= sum_{i<j} p <= binom(N, 2) 2^{-(n-1)}.",
                         explanation="L25.ratio again: p may be larger than 2^{-(n-1)}.", severity="gap"),
         repair=Repair("no random choice: a largest (r/2)-packing of B_D(h_u, r) is a cover of it, so its size times "
                       "mu(B(r/2)) is at least mu(B(r))", "statement",
                       claims=(Claim("N in Z[1, inf); half in (0, 1]; whole in (0, 1]; q in (0, 1]",
                                     "N*half >= whole; half/whole <= q", "N >= 1/q",
                                     ("have half <= q*whole", "have N*q*whole >= whole", "have N*q >= 1")),),
                       because="q: the bound on the ratio (L25.ratio, mended)",
                       downstream="L25.N: the size is at least 1/q")),
    Step("L25.N",
         against=(Claim("", "", "2^2 - (2^2*(2^2 - 1)/2)*(1/2) < 2^2 - (2^2*(2^2 - 1)/2)*2^(-2)"),
                  Claim("n in Z[5, inf)", "", "n + 1 < 2^(n - 2)")),
         because="n = 3, r = 1: p = 1/2, so M = 3 and N - M = 1, below the middle term 5/2. And for n >= 5, r = 1 no "
                 "packing is as large as the right side: its members have pairwise angles above pi/2, and at most n + "
                 "1 vectors of R^n have",
         erratum=Erratum(
             quotes="N - M >= 2^{n-1} - (2^{n-1}(2^{n-1} - 1)/2) 2^{-(n-1)} > 2^{n-2}.",
             explanation="L25.M again; the second relation is true.", severity="gap"),
         repair=Repair("the packing has at least 2^(n-2) members for r <= 2/(pi sqrt(n)), and 2^(n/2) for r <= 1/2",
                       "domain",
                       claims=(Claim("n in Z[2, inf)", "", "1/(2^(-(n - 1))*2) = 2^(n - 2)"),
                               Claim("n in Z[2, inf)", "", "1/2^(-n/2) = 2^(n/2)")),
                       because="1/q with the two bounds of L25.ratio, mended",
                       downstream="lem-25 holds for small scales; a bound of the order of n for all scales up to "
                                  "1/2.")),
    Step("L25.ddim",
         against=(Claim("a in [0, 1]", "", "min(a, 1 - a) <= 1/2", ("case a - 1/2",)),
                  Claim("n in Z[4, inf)", "", "log(2)/log(2) < n - 2")),
         because="r = 1: a = rho(h_w, h_u) and rho(h_w, h_-u) = 1 - a, so the balls of radius 1/2 around h_u and h_-u "
                 "cover the class, and ddim_1 = 1",
         witness=instances.halves_of_the_sphere,
         erratum=Erratum(
             quotes="By Lemma 25 (see Appendix D), the doubling dimension of (H, rho_D) at any scale r is at least n - "
                    "2.",
             explanation="At r = 1, the diameter, two closed half-spheres cover the class: the doubling dimension is "
                         "1. From 2 on it is 0.", severity="constant"),
         repair=Repair(
             "ddim_r >= n - 2 for r <= 2/(pi sqrt(n)), and ddim_r >= n/2 for r <= 1/2", "domain",
             claims=(Claim("N in Z[1, inf); half in (0, 1]; whole in (0, 1]; q in (0, 1]",
                           "N*half >= whole; half/whole <= q",
                           "N >= 1/q", ("have half <= q*whole", "have N*q*whole >= whole", "have N*q >= 1")),
                     Claim("n in Z[2, inf); N in Z[1, inf)", "N >= 2^(n - 2)", "log(N)/log(2) >= n - 2",
                           ("lemma log_increases x = 2^(n - 2); y = N",)),
                     Claim("n in Z[2, inf); N in Z[1, inf)", "N >= 2^(n/2)", "log(N)/log(2) >= n/2",
                           ("lemma log_increases x = 2^(n/2); y = N",))),
             because="N balls of radius r/2 anywhere that cover a ball of radius r: N mu(B(r/2)) >= mu(B(r)), with the "
                     "ratio as mended in L25.ratio",
             downstream="ex-5.2 has to keep to scales up to 1/2.")),
)

_A2 = ("dpcheck.papers.chaudhuri2011.learners:LabelPrivateLearner",)
_A1 = ("dpcheck.papers.chaudhuri2011.learners:ReferenceLearner",)
_TESTS = "tests/papers/chaudhuri2011/test_learners_chaudhuri2011.py"
_METRIC = "tests/parts/test_classes_metric.py"

THEOREMS = (
    Theorem("chaudhuri2011:thm-10", "d/(alpha eps) label-private records are necessary",
            bounds=bounds_of("chaudhuri2011", "label_necessary"),
            assumptions="label privacy; VC(H) = V; d, d' > 2, logarithms of whole numbers; some universal c",
            steps=("T10.assume", "T10.pair", "T10.coll", "T10.case1", "T10.r", "T10.rmax", "T10.alpha", "T10.m",
                   "T10.case3"),
            uses=("chaudhuri2011:lem-24",), proved_by="repaired",
            repaired_statement="with c = min(1/(72 C log(6C)), 17/(6400 C)), C of lem-23: 4.65e-5 for C = 52. With c = "
                               "17/(12800 C) case 3 alone gives more: d in place of d', and eps < min(Delta/6, 1/C) is "
                               "enough (argument at ex-5.2)",
            checks=(_TESTS,)),
    Theorem("chaudhuri2011:obs-5.1", "The VC dimension may be replaced; larger eps",
            cited="Long 1995, the non-private lower bound for separators"),
    Theorem("chaudhuri2011:lem-11", "Half of a packing is hard for a label-private learner",
            assumptions="label privacy at any alpha > 0; P an s-packing of B_X(h_0, 4s) with #P > 2",
            steps=("L11.good", "L11.sum", "L11.tri", "L11.group", "L11.c1", "L11.c2", "L11.end"),
            uses=("chaudhuri2011:lem-22",), proved_by="repaired", learners=_A2, checks=(_TESTS,)),
    Theorem("chaudhuri2011:thm-12", "(d''-1) log 2/alpha label-private records are necessary",
            bounds=bounds_of("chaudhuri2011", "label_packing"),
            assumptions="label privacy at any alpha > 0; d'' = ddim_{4 eps} >= 1",
            steps=("T12.pack", "T12.disj", "T12.sum", "T12.group", "T12.int", "T12.end"),
            uses=("chaudhuri2011:lem-22",), proved_by="repaired", learners=(*_A2, *_A1), checks=(_TESTS,)),
    Theorem("chaudhuri2011:ex-5.2", "Linear separators need n/(alpha eps) label-private records",
            bounds=bounds_of("chaudhuri2011", "separators", "separators_necessary"),
            tightness=tightness_of("chaudhuri2011:ex-5.2"),
            assumptions="D uniform on the sphere. Repaired with lem-24 at r = eps alone, without cases 1 and 2 of "
                        "thm-10 and without d': a label-private learner from m records is one from more records that "
                        "ignores the rest, so what lem-24 shows for one size holds for all smaller ones. Its sizes, "
                        "for eps < Delta/6 (so below 1/6) and w = log(2^(d-1) - 1), reach from (CV/eps) log(C/eps) up "
                        "to w/(32 alpha eps), and the largest integer below that is one of them for alpha <= w/(64 CV "
                        "log(C/eps)) (first formula). Here Delta = 1, V = n, and d = ddim_{12 eps} is at least n/2 > 2 "
                        "for eps <= 1/24 and n >= 5 (second; lem-25, mended); k = 2^d is an integer, so at least 5, "
                        "and w = log(k/2 - 1) at least 17 n/200 (third; then the conditions with n, and the sixth is "
                        "that on alpha for any class: x = log(1/eps), y = log(C/eps), z = d). The doubling dimension "
                        "is at most 7n/3 (last): balls of radius r/4 around an (r/2)-packing of B(r) are disjoint in "
                        "B(5r/4), whose measure is at most 5^(n-1) times theirs, since |sin 5x| <= 5 |sin x|",
            claims=(Claim("C in (1, inf); V in Z[1, inf); eps in (0, 1/6); alpha in (0, inf); w in (0, inf)",
                          "alpha <= w/(64*C*V*log(C/eps))", "w/(32*alpha*eps) - 1 >= (C*V/eps)*log(C/eps)",
                          ("have C/eps >= 6", "have log(C/eps) >= 1", "have alpha*(64*C*V*log(C/eps)) <= w",
                           "have (C*V/eps)*log(C/eps)*(32*alpha*eps)*2 <= w", "have (C*V/eps)*log(C/eps) >= 1",
                           "have (C*V/eps)*log(C/eps)*2 <= w/(32*alpha*eps)")),
                    Claim("n in Z[5, inf)", "", "n/2 > 2"),
                    Claim(f"{_K}; n in Z[5, inf)", "log(k)/log(2) >= n/2", "log(k/2 - 1) >= (17/200)*n", (_LOG_K,)),
                    Claim("C in (1, inf); n in Z[5, inf); x in (0, inf); alpha in (0, inf); w in (0, inf)",
                          "w >= (17/200)*n; alpha <= 17/(12800*C*x)", "alpha <= w/(64*C*n*x)",
                          ("have alpha*(12800*C*x) <= 17", "have alpha*(64*C*n*x) <= w")),
                    Claim("eps in (0, 1/24]; n in Z[5, inf); alpha in (0, inf); w in (0, inf); m in Z[1, inf)",
                          "w >= (17/200)*n; m < (17/6400)*n/(alpha*eps)", "m < w/(32*alpha*eps)",
                          ("have m*alpha*eps < (17/6400)*n",)),
                    Claim("C in (1, inf); V in Z[1, inf); alpha in (0, inf); w in (0, inf); x in (0, inf); "
                          "y in (0, inf); z in (0, inf)",
                          "w >= (17/100)*z; y <= 2*x; alpha <= (17/(12800*C))*z/(V*x)", "alpha <= w/(64*C*V*y)",
                          ("have alpha*(V*x)*(12800*C) <= 17*z", "have alpha*V*C*64*y <= alpha*V*C*64*(2*x)",
                           "have alpha*(64*C*V*y) <= w")),
                    Claim("n in Z[2, inf)", "", "5^(n - 1) <= 2^(7*n/3)",
                          ("have (n - 1)*log(5) <= n*log(5)", "have log(5) <= (7/3)*log(2)"))),
            uses=("chaudhuri2011:thm-10", "chaudhuri2011:lem-24", "chaudhuri2011:lem-25", "chaudhuri2011:thm-9"),
            against=(Claim("a in [0, 1]", "", "min(a, 1 - a) <= 1/2", ("case a - 1/2",)),
                     Claim("n in Z[4, inf)", "", "log(2)/log(2) < n - 2"),
                     Claim("", "", "log(2)/log(2) <= 2"),
                     Claim("", "", "31*(2/(3*pi))*(53/100)^3 < 1"),
                     Claim("", "", "53/100 - (53/100)^3/6 > 101/200"),
                     Claim("", "", "1 - (pi/40)^2/2 > 100/101"),
                     Claim("", "", "32 + 1 > 2^5")),
            witness=instances.halves_of_the_sphere,
            erratum=Erratum(
                "By Lemma 25 (see Appendix D), the doubling dimension of (H, rho_D) at any scale r is at least n - 2. "
                "Therefore Theorem 10 implies that ... requires at least Omega(n/(eps alpha)) examples. ... as the "
                "doubling dimension of D is at most n",
                "At scale 1 two half-spheres cover the class, so ddim_1 = 1. The d' of theorem 10 is an infimum over "
                "scales 12 r up to 2 Delta = 2: it is at most 1 here, not above 2, for every n and eps, and theorem 10 "
                "says nothing of this class. And the doubling dimension is above n for n = 5: at r = 1/20 the points "
                "at distance r from a centre are a 3-sphere, of which a ball of radius r/2 contains a cap of an angle "
                "whose sine is at most 1/(2 cos(pi/40)), so below 0.53, less than a 31st; 32 such balls are needed, "
                "and one more for the centre: 33 > 2^5.",
                "gap", "reading",
                "Under none. The scales 12 eps and 12 r of theorem 10 are those of its proof (D.4); where the theorem "
                "is printed, they are garbled in the text we have."),
            repaired_statement="for n >= 5, eps <= 1/24, alpha <= 17/(12800 C log(C/eps)) every m < 17n/(6400 alpha "
                               "eps) is too small, C of lem-23; ddim_r >= n/2 for r <= 1/2; the doubling dimension is "
                               "at most 7n/3",
            checks=(_METRIC,)),
    Theorem("chaudhuri2011:lem-22", "Group privacy", assumptions="alpha in (0, 1), and all alpha > 0; any real k >= 0",
            steps=("L22.chain", "L22.tele", "L22.end"), proved_by="repaired"),
    Theorem("chaudhuri2011:lem-23", "Packings stay packings on a sample",
            assumptions="C = 52; X of size m drawn from D; V >= 1",
            steps=("L23.1", "L23.2a", "L23.2b"), uses=("chaudhuri2011:lem-17",),
            claims=(Claim("V in Z[1, inf); r in (0, 1); m in (0, inf)", "m >= (52*V/r)*log(52/r)",
                          "(8*V*log(2*e*m/V) + 4*log(16))/m <= r/3",
                          ("have log(52/r) >= 395/100",)),
                    Claim("V in Z[1, inf); r in (0, 1); m in (0, inf)", "m >= (52*V/r)*log(52/r)", "m >= V/2",
                          ("have log(52/r) >= 1", "have m*r >= 52*V")),
                    Claim("both in [0, 1]; first in [0, 1]; second in [0, 1]; none in [0, 1]",
                          "both + first + second + none = 1; second + none <= 1/4; first + none <= 1/4",
                          "both >= 1/2")),
            checks=("properties/test_classes_metric.py",)),
    Theorem("chaudhuri2011:lem-24", "A label-private learner fails on a packing",
            assumptions="C of lem-23; r in (0, Delta/6)",
            steps=("L24.pack", "L24.s", "L24.e", "L24.(10)", "L24.(11)", "L24.avg"),
            uses=("chaudhuri2011:lem-23", "chaudhuri2011:lem-11"), proved_by="repaired"),
    Theorem("chaudhuri2011:lem-25", "Packings of caps",
            assumptions="linear separators of R^n through the origin, D uniform on the sphere",
            steps=("L25.p1", "L25.p2", "L25.ratio", "L25.M", "L25.N", "L25.ddim"),
            against=(Claim("n in Z[5, inf)", "", "n + 1 < 2^(n - 2)"),), witness=instances.obtuse_directions,
            erratum=Erratum(
                "For any u in S^{n-1} and any r > 0, there exists an (r/2)-packing of (B_D(h_u, r), rho_D) of size at "
                "least 2^{n-2}.",
                "At r = 1, the diameter, members of a packing have pairwise angles above pi/2, so pairwise negative "
                "inner products, and at most n + 1 vectors of R^n have (of n + 2, two disjoint sets have positive "
                "combinations that are equal, whose inner product is negative): fewer than 2^{n-2} for n >= 5. From r "
                "= 2 on packings have one member.",
                "constant"),
            repaired_statement="size at least 2^(n-2) for r <= 2/(pi sqrt(n)), at least 2^(n/2) for r <= 1/2",
            checks=(_METRIC,)),
)

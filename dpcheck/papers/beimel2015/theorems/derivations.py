"""How printed lines follow, from laws, events and private algorithms up."""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems.subsets import EXTRA, ONE_MORE, SETS, SETS_ARE, counted
from dpcheck.proof.derivation.lines import Derivation, Given, Line

# Observation 3.2 and theorem 3.3

_TEN = ("lemma log_tangent x = e*l/V; c = 10*e", "have log(10) <= 231/100", "have log(2) >= 69/100")
_ERRORS = "type C; N in Z[1, inf); set H of N; con(H): C; alpha in (0, 1); ES(C) in [0, 1]"
_ERRORS_ARE = (("N", "#H"), ("con", "a member of H as a concept of C"), ("ES", "error_S"))
_E1 = "for f: C: abs(ES(f) - ET(f)) <= 3*alpha/5"
_SMALL = "not es(h, w) <= 4*alpha/5 or emu(h) <= alpha"
_TWO_THREE = "abs(es(h, w) - emu(h)) <= alpha/5 and abs(ed(h, w) - emu(h)) <= alpha/5"
_FOUR = "abs(ed(h, w) - et(h, w)) <= alpha/5"
_TOGETHER = "(v(h, b) and not v(f, b) or v(f, b) and not v(h, b))"
_GENERIC: dict[str, Derivation] = {
    "O32.proj": Derivation(
        "N in Z[1, inf); l in Z[1, inf); set C of N; set B of l; v(C, B) in Z[0, 1]; both(C, C, B) in Z[0, 1]",
        (
            Line(
                "each",
                "for p(B) in Z[0, 1], h: C, f: C, b: B: "
                "[p(b) and both(h, f, b) or not p(b) and not both(h, f, b)] "
                f"= [p(b) and {_TOGETHER} or not p(b) and not {_TOGETHER}]",
                using=("xor",),
            ),
            Line(
                "same",
                "for p(B) in Z[0, 1]: "
                "[some(h: C, f: C, every(b: B, p(b) and both(h, f, b) or not p(b) and not both(h, f, b)))] "
                f"= [some(h: C, f: C, every(b: B, p(b) and {_TOGETHER} or not p(b) and not {_TOGETHER}))]",
                using=("largest of largest of smallest of each over b over f over h",),
            ),
        ),
        given=(Given("xor", f"for h: C, f: C, b: B: both(h, f, b) = [{_TOGETHER}]", "result: beimel2015:def-3.1"),),
        notation=(
            ("N", "#C"),
            ("l", "#B"),
            ("v", "v(h, b): the label h(b)"),
            ("both", "both(h, f, b): (h xor f)(b); C^xor has h xor f for all h, f of C"),
        ),
        says=("`Pi_{C^xor}(B) = Pi_C(B) xor Pi_C(B)` (set of pairwise XORs)",),
    ),
    "O32.sq": Derivation(
        "N in Z[1, inf); set L of N; xo(L, L): L; same(L, L) in Z[0, 1]; of_C(L) in Z[0, 1]; of_xor(L) in Z[0, 1]",
        (
            Line(
                "inner",
                "for p: L, u: L: largest(w: L, of_C(u)*of_C(w)*same(p, xo(u, w))) "
                "<= total(w: L, of_C(u)*of_C(w)*same(p, xo(u, w)))",
                "sum",
            ),
            Line(
                "outer",
                "for p: L: largest(u: L, total(w: L, of_C(u)*of_C(w)*same(p, xo(u, w)))) "
                "<= total(u: L, w: L, of_C(u)*of_C(w)*same(p, xo(u, w)))",
                "sum",
            ),
            Line(
                "each",
                "for p: L: of_xor(p) <= total(u: L, w: L, of_C(u)*of_C(w)*same(p, xo(u, w)))",
                using=("proj", "largest of inner over u", "outer"),
            ),
            Line(
                "pair",
                "for u: L, w: L: of_C(u)*of_C(w)*total(p: L, same(p, xo(u, w))) = of_C(u)*of_C(w)",
                using=("one at q = xo(u, w)",),
            ),
            Line(
                "count",
                "total(p: L, of_xor(p)) <= total(p: L, of_C(p))^2",
                using=("total of each over p", "total of total of pair over w over u"),
            ),
        ),
        given=(
            Given(
                "proj",
                "for p: L: of_xor(p) = [some(u: L, w: L, of_C(u) and of_C(w) and same(p, xo(u, w)))]",
                "line: O32.proj",
            ),
            Given("one", "for q: L: total(p: L, same(p, q)) = 1", "definition: one labelling is q, and no other"),
        ),
        notation=(
            ("N", "2^(#B)"),
            ("L", "all labellings of B"),
            ("xo", "the XOR of two of them"),
            ("same", "whether two labellings are one"),
            ("of_C", "whether a labelling is in Pi_C(B)"),
            ("of_xor", "whether it is in Pi_{C^xor}(B)"),
        ),
        says=("`#Pi_{C^xor}(B) <= #Pi_C(B)^2`",),
    ),
    "O32.ten": Derivation(
        "V in Z[1, inf); l in Z[1, inf)",
        (Line("ten", "if l >= 10*V: (e*l/V)^(2*V) < 2^l", hints=_TEN),),
        says=("`(e l/V)^(2V) < 2^l`",),
    ),
    "O32.end": Derivation(
        "V in Z[1, inf); W in Z[1, inf)",
        (
            Line(
                "taken",
                "if V < W: W*log(2) <= 2*V*log(e*W/V)",
                using=("need",),
                hints=(
                    "have (e*W/V)^(2*V) <= exp(2*V*log(e*W/V))",
                    "lemma log_increases x = 2^W; y = exp(2*V*log(e*W/V))",
                ),
            ),
            Line(
                "more",
                "if V < W: W <= 10*V",
                using=("taken",),
                hints=("lemma log_tangent x = e*W/V; c = 10*e", "have log(10) <= 231/100", "have log(2) >= 69/100"),
            ),
            Line("no_more", "if W <= V: W <= 10*V"),
            Line("end", "W <= 10*V", "cases", using=("more", "no_more")),
        ),
        given=(Given("need", "if V < W: 2^W <= (e*W/V)^(2*V)", "line: O32.need"),),
        notation=(
            ("V", "VC(C), at least 1: a class that shatters no point is one concept, and so is C^xor"),
            ("W", "VC(C^xor), at least 1: two concepts that differ at a point; l = W points are shattered"),
        ),
        says=("`VC(C^xor) <= 10 VC(C)`",),
    ),
    "T33.priv": Derivation(
        "eps in (0, inf); type IN; near(IN, IN) in Z[0, 1]; nearS(IN, IN) in Z[0, 1]; nearD(IN, IN) in Z[0, 1]; "
        "sameS(IN, IN) in Z[0, 1]; sameD(IN, IN) in Z[0, 1]; law A; law R; law E; type SAN; type HYP; type OUT; "
        "san(IN, A): SAN; cover(SAN, R): HYP; em(IN, HYP, E): OUT",
        (
            Line(
                "choice",
                "for F(OUT) in Z[0, 1], x: IN, xx: IN, a: A, r: R: "
                "nearS(x, xx)*sameD(x, xx)*mean(c: E, F(em(x, cover(san(x, a), r), c))) "
                "<= exp(eps)*mean(c: E, F(em(xx, cover(san(x, a), r), c)))",
                using=("em at k = cover(san(x, a), r)",),
            ),
            Line(
                "sanitised",
                "for F(OUT) in Z[0, 1], x: IN, xx: IN: "
                "sameD(x, xx)*mean(a: A, r: R, c: E, F(em(xx, cover(san(x, a), r), c))) "
                "= sameD(x, xx)*mean(a: A, r: R, c: E, F(em(xx, cover(san(xx, a), r), c)))",
                using=("mean of blindD at G(z) = mean(r: R, c: E, F(em(xx, cover(z, r), c))) over a",),
            ),
            Line(
                "inS",
                "for F(OUT) in Z[0, 1], x: IN, xx: IN: "
                "nearS(x, xx)*sameD(x, xx)*mean(a: A, r: R, c: E, F(em(x, cover(san(x, a), r), c))) "
                "<= exp(eps)*mean(a: A, r: R, c: E, F(em(xx, cover(san(xx, a), r), c)))",
                using=("mean of mean of choice over r over a", "sanitised"),
            ),
            Line(
                "moved",
                "for F(OUT) in Z[0, 1], x: IN, xx: IN: "
                "nearD(x, xx)*mean(a: A, r: R, c: E, F(em(xx, cover(san(x, a), r), c))) "
                "<= exp(eps)*mean(a: A, r: R, c: E, F(em(xx, cover(san(xx, a), r), c)))",
                using=("functions G of san at G(z) = mean(r: R, c: E, F(em(xx, cover(z, r), c)))",),
            ),
            Line(
                "sameS",
                "for F(OUT) in Z[0, 1], x: IN, xx: IN, a: A, r: R, c: E: "
                "sameS(x, xx)*F(em(x, cover(san(x, a), r), c)) = sameS(x, xx)*F(em(xx, cover(san(x, a), r), c))",
                using=("blindS at k = cover(san(x, a), r)",),
            ),
            Line(
                "inD",
                "for F(OUT) in Z[0, 1], x: IN, xx: IN: "
                "nearD(x, xx)*sameS(x, xx)*mean(a: A, r: R, c: E, F(em(x, cover(san(x, a), r), c))) "
                "<= exp(eps)*mean(a: A, r: R, c: E, F(em(xx, cover(san(xx, a), r), c)))",
                using=(
                    "mean of mean of mean of sameS over c over r over a",
                    "moved",
                ),
            ),
            Line(
                "private",
                "for F(OUT) in Z[0, 1], x: IN, xx: IN if near(x, xx) = 1: "
                "mean(a: A, r: R, c: E, F(em(x, cover(san(x, a), r), c))) "
                "<= exp(eps)*mean(a: A, r: R, c: E, F(em(xx, cover(san(xx, a), r), c)))",
                using=("disjoint", "inS", "inD"),
            ),
        ),
        given=(
            Given(
                "san",
                "for G(SAN) in Z[0, 1], x: IN, xx: IN: "
                "nearD(x, xx)*mean(a: A, G(san(x, a))) <= exp(eps)*mean(a: A, G(san(xx, a)))",
                "printed: sanitiser eps-DP on D",
            ),
            Given(
                "em",
                "for F(OUT) in Z[0, 1], k: HYP, x: IN, xx: IN: "
                "nearS(x, xx)*mean(c: E, F(em(x, k, c))) <= exp(eps)*mean(c: E, F(em(xx, k, c)))",
                "printed: EM eps-DP on S",
            ),
            Given(
                "blindD",
                "for G(SAN) in [0, 1], x: IN, xx: IN, a: A: sameD(x, xx)*G(san(x, a)) = sameD(x, xx)*G(san(xx, a))",
                "printed: D is only accessed via a sanitiser",
            ),
            Given(
                "blindS",
                "for F(OUT) in Z[0, 1], k: HYP, x: IN, xx: IN, c: E: "
                "sameS(x, xx)*F(em(x, k, c)) = sameS(x, xx)*F(em(xx, k, c))",
                "printed: S only by the choice",
            ),
            Given(
                "disjoint",
                "for x: IN, xx: IN: near(x, xx) <= [nearS(x, xx) and sameD(x, xx) or nearD(x, xx) and sameS(x, xx)]",
                "printed: D and S disjoint",
            ),
        ),
        notation=(
            ("IN", "inputs: S and D"),
            ("near", "whether two inputs differ in one entry"),
            ("nearS", "whether their S do"),
            ("nearD", "whether their D do"),
            ("sameS", "whether their S are the same"),
            ("sameD", "whether their D are the same"),
            ("A", "the sanitiser's coins"),
            ("R", "public coins, for the concepts of step 4"),
            ("E", "the coins of the exponential mechanism"),
            ("SAN", "values of D~"),
            ("HYP", "values of H"),
            ("OUT", "hypotheses"),
            ("san", "the sanitiser"),
            ("cover", "H for D~"),
            ("em", "the exponential mechanism's choice from H by S"),
        ),
        says=("sanitiser eps-DP on D, EM eps-DP on S, D and S disjoint => alg-1 eps-DP",),
    ),
    "T33.k": Derivation(
        "k in Z[1, inf); V in Z[1, inf); W in Z[1, inf); alpha in (0, 1); K in [1, inf)",
        (
            Line(
                "sizes",
                "(W/alpha^2)*log(1/alpha) <= 10*((V/alpha^2)*log(1/alpha))",
                using=("xor",),
                hints=("have log(1/alpha) > 0", "have W/alpha^2 <= 10*V/alpha^2"),
            ),
            Line(
                "grown",
                "for x in [0, inf), y in [0, inf) if x <= 10*y: ceil(K*x) <= ceil(10*K*y)",
                hints=("have K*x <= 10*K*y", "integer ceil(10*K*y) >= ceil(K*x)"),
            ),
            Line("positive", "0 <= (W/alpha^2)*log(1/alpha)", hints=("have log(1/alpha) > 0",)),
            Line("positive_V", "0 <= (V/alpha^2)*log(1/alpha)", hints=("have log(1/alpha) > 0",)),
            Line(
                "k",
                "k = ceil(K*((W/alpha^2)*log(1/alpha))) <= ceil(10*K*((V/alpha^2)*log(1/alpha)))",
                using=(
                    "size",
                    "sizes",
                    "positive",
                    "positive_V",
                    "grown at x = (W/alpha^2)*log(1/alpha), y = (V/alpha^2)*log(1/alpha)",
                ),
            ),
        ),
        given=(
            Given("size", "k = ceil(K*((W/alpha^2)*log(1/alpha)))", "definition: step 2 of alg-1"),
            Given("xor", "W <= 10*V", "result: beimel2015:obs-3.2"),
        ),
        notation=(
            ("k", "#D~"),
            ("W", "VC(C^xor), at least 1: two concepts that differ at a point"),
            ("K", "the constant of the first O, rounded up; that of the second is 10 K"),
        ),
        says=("`#D~ = O((VC(C^xor)/alpha^2) log(1/alpha)) = O((V/alpha^2) log(1/alpha))`",),
    ),
    "T33.hstar": Derivation(
        "N in Z[1, inf); l in Z[1, inf); k in Z[1, inf); set H of N; set B of l; set D of k; at(D): B; "
        "v(H, B) in Z[0, 1]; c(B) in Z[0, 1]",
        (
            Line(
                "star",
                "smallest(b: B, [v(star, b) = c(b)]) = largest(h: H, smallest(b: B, [v(h, b) = c(b)]))",
                "point star: H",
            ),
            Line("each", "for b: B: smallest(y: B, [v(star, y) = c(y)]) <= [v(star, b) = c(b)]", "largest"),
            Line(
                "right", "for i: D: [not (v(star, at(i)) = c(at(i)))] = 0", using=("each at b = at(i)", "star", "all")
            ),
            Line(
                "zero",
                "total(i: D, [not (v(star, at(i)) = c(at(i)))])/k = 0",
                using=("total of right over i",),
            ),
        ),
        given=(
            Given(
                "all",
                "[some(h: H, every(b: B, v(h, b) = c(b)))] = 1",
                "definition: for each dichotomy of B by C, H has a concept with it (step 4); c is in C",
            ),
        ),
        notation=(
            ("N", "#H"),
            ("l", "#B"),
            ("k", "#D~"),
            ("B", "the points that D~ has"),
            ("D", "the entries of D~"),
            ("at", "the point of an entry"),
            ("v", "v(h, b): the label h(b)"),
        ),
        says=("exists h* in H with `error_{D~}(h*,c) = 0`",),
    ),
    "T33.a": Derivation(
        "type C; point star: C; alpha in (0, 1); ES(C) in [0, 1]; ET(C) in [0, 1]",
        (Line("a", "ES(star) <= 3*alpha/5", using=("E1 at f = star", "zero")),),
        given=(
            Given("E1", _E1, "printed: E1: for all h in C, abs(error_S(h)-error_{D~}(h,c)) <= 3alpha/5"),
            Given("zero", "ET(star) = 0", "line: T33.hstar"),
        ),
        notation=(("star", "h*"), ("ES", "error_S"), ("ET", "error_{D~}")),
        says=("E1 => `error_S(h*) <= 3 alpha/5`",),
    ),
    "T33.b": Derivation(
        _ERRORS + "; ET(C) in [0, 1]; point star: H; point h: H",
        (
            Line("a", "ES(con(star)) <= 3*alpha/5", using=("E1 at f = con(star)", "zero")),
            Line("least", "smallest(f: H, ES(con(f))) <= ES(con(star))", "largest"),
            Line("b", "ES(con(h)) <= alpha/5 + 3*alpha/5 = 4*alpha/5", using=("E2", "least", "a")),
        ),
        given=(
            Given("E1", _E1, "line: T33.a"),
            Given("zero", "ET(con(star)) = 0", "line: T33.hstar"),
            Given(
                "E2",
                "ES(con(h)) <= alpha/5 + smallest(f: H, ES(con(f)))",
                "printed: E2: EM output within alpha/5 of the best in H on S",
            ),
        ),
        notation=(*_ERRORS_ARE, ("ET", "error_{D~}"), ("star", "h*")),
        says=("E1 and E2 => `error_S(h) <= alpha/5 + 3alpha/5 = 4 alpha/5`",),
    ),
    "T33.c": Derivation(
        _ERRORS + "; law mu; v(C, mu) in Z[0, 1]; c(mu) in Z[0, 1]; point h: H",
        (Line("c", "mean(x: mu, abs(v(con(h), x) - c(x))) <= alpha", using=("b", "E3 at f = h")),),
        given=(
            Given(
                "E3",
                "for f: H if ES(con(f)) <= 4*alpha/5: mean(x: mu, abs(v(con(f), x) - c(x))) <= alpha",
                "printed: E3: h in H with error_S(h) <= 4alpha/5 has `error_mu(c,h) <= alpha`",
            ),
            Given("b", "ES(con(h)) <= 4*alpha/5", "line: T33.b"),
        ),
        notation=(*_ERRORS_ARE, ("mu", "mu"), ("v", "v(h, x): the label h(x)")),
        says=("`error_mu(c,h) <= alpha`",),
    ),
    "T33.const": Derivation(
        "alpha in (0, 1); beta in (0, 1)",
        (Line("both", "[1250 = 50*25 and 25/(alpha*beta) = 1/((alpha/5)*(beta/5))] = 1"),),
        says=("`1250 = 50*25`, `25/(alpha beta) = 1/((alpha/5)(beta/5))`",),
    ),
    "T33.E3": Derivation(
        _ERRORS + "; EMU(C) in [0, 1]",
        (
            Line(
                "E3",
                "for h: H if ES(con(h)) <= 4*alpha/5: EMU(con(h)) <= alpha",
                using=("two at f = con(h)",),
            ),
        ),
        given=(Given("two", "for f: C: abs(ES(f) - EMU(f)) <= alpha/5", "line: T33.B6"),),
        notation=(*_ERRORS_ARE, ("EMU", "error_mu(h, c)")),
        says=("(2) => E3",),
    ),
    "T33.n1": Derivation(
        "rest in Z[1, inf); d in Z[1, inf); X in Z[2, inf); V in Z[1, inf); W in Z[1, inf); alpha in (0, 1); "
        "beta in (0, 1); eps in (0, inf); K in [1, inf)",
        (
            Line("domain", "0 <= log(X) <= d", using=("X",), hints=("have log(2) <= 1", "have d*log(2) <= d")),
            Line("logs", "log(1/alpha) > 0"),
            Line("logs_beta", "log(1/beta) > 0"),
            Line(
                "numbers",
                "for L in (0, inf), G in (0, inf), x in [0, inf) if x <= d: "
                "K*(x*W*L/(alpha^3*eps) + G/(eps*alpha)) <= K*(d*W*L/(alpha^3*eps) + G/(eps*alpha)) "
                "<= 10*K*(d*V*L/(alpha^3*eps) + G/(eps*alpha))",
                using=("xor",),
                hints=(
                    "link 0: have x*W <= d*W",
                    "link 0: have x*W*L <= d*W*L",
                    "link 0: have x*W*L/(alpha^3*eps) <= d*W*L/(alpha^3*eps)",
                    "link 1: have d*W <= 10*d*V",
                    "link 1: have d*W*L <= 10*d*V*L",
                    "link 1: have d*W*L/(alpha^3*eps) <= 10*d*V*L/(alpha^3*eps)",
                    "link 1: have d*W*L/(alpha^3*eps) + G/(eps*alpha) <= 10*(d*V*L/(alpha^3*eps) + G/(eps*alpha))",
                ),
            ),
            Line(
                "n1",
                "rest >= 10*K*(d*V*log(1/alpha)/(alpha^3*eps) + log(1/beta)/(eps*alpha)) "
                ">= K*(d*W*log(1/alpha)/(alpha^3*eps) + log(1/beta)/(eps*alpha)) "
                ">= K*(log(X)*W*log(1/alpha)/(alpha^3*eps) + log(1/beta)/(eps*alpha))",
                using=(
                    "size",
                    "domain",
                    "logs",
                    "logs_beta",
                    "numbers at L = log(1/alpha), G = log(1/beta), x = log(X)",
                ),
            ),
        ),
        given=(
            Given(
                "size",
                "rest >= 10*K*(d*V*log(1/alpha)/(alpha^3*eps) + log(1/beta)/(eps*alpha))",
                "definition: to this the size of D is set",
            ),
            Given("xor", "W <= 10*V", "result: beimel2015:obs-3.2"),
            Given("X", "X = 2^d", "definition: the points of X_d have d bits"),
        ),
        notation=(
            ("rest", "n - m, the number of entries of D"),
            ("X", "#X_d"),
            ("W", "VC(C^xor), at least 1: two concepts that differ at a point"),
            ("K", "the constant of the first O, as thm-A.3 asks for; that of the second is 10 K"),
        ),
        says=(
            (
                "`n-m >= O(d VC(C^xor) log(1/alpha)/(alpha^3 eps) + log(1/beta)/(eps alpha)) "
                "= O(d V log(1/alpha)/(alpha^3 eps)+log(1/beta)/(eps alpha))`"
            ),
        ),
    ),
    "T33.(4)": Derivation(
        "type C; point c: C; alpha in (0, 1); ED(C, C) in [0, 1]; ET(C, C) in [0, 1]",
        (Line("four", "for h: C: abs(ED(h, c) - ET(h, c)) <= alpha/5", using=("san at f = c",)),),
        given=(Given("san", "for h: C, f: C: abs(ED(h, f) - ET(h, f)) <= alpha/5", "line: T33.san"),),
        notation=(("ED", "error_D"), ("ET", "error_{D~}")),
        says=("(4) `abs(error_D(h,c)-error_{D~}(h,c)) <= alpha/5` for all h in C",),
    ),
    "T33.tri": Derivation(
        "N in Z[1, inf); set C of N; law P; alpha in (0, 1); beta in (0, 1); emu(C) in [0, 1]; "
        "es(C, P) in [0, 1]; ed(C, P) in [0, 1]; et(C, P) in [0, 1]",
        (
            Line("one", "for A(C) in Z[0, 1], h: C: smallest(f: C, A(f)) <= A(h)", "largest"),
            Line(
                "two",
                "for A(C) in Z[0, 1], B(C) in Z[0, 1], h: C: "
                "smallest(f: C, A(f)) + smallest(f: C, B(f)) - 1 <= A(h)*B(h)",
                using=("one", "one at A(f) = B(f)"),
            ),
            Line(
                "each",
                f"for w: P, h: C: [{_TWO_THREE} and {_FOUR}] <= [abs(es(h, w) - et(h, w)) <= 3*alpha/5 and ({_SMALL})]",
            ),
            Line(
                "every",
                f"for w: P: smallest(h: C, [{_TWO_THREE}]) + smallest(h: C, [{_FOUR}]) - 1 "
                f"<= smallest(h: C, [abs(es(h, w) - et(h, w)) <= 3*alpha/5 and ({_SMALL})])",
                using=(
                    f"smallest of two over h at A(h) = [{_TWO_THREE}], B(h) = [{_FOUR}]",
                    "smallest of each over h",
                ),
            ),
            Line(
                "tri",
                f"Pr(w: P, every(h: C, abs(es(h, w) - et(h, w)) <= 3*alpha/5 and ({_SMALL}))) >= 1 - 3*beta/5",
                using=("mean of every over w", "B6", "san"),
            ),
        ),
        given=(
            Given(
                "B6",
                f"Pr(w: P, every(h: C, {_TWO_THREE})) >= 1 - (2/5)*beta",
                "line: T33.B6",
            ),
            Given("san", f"Pr(w: P, every(h: C, {_FOUR})) >= 1 - beta/5", "line: T33.(4)"),
        ),
        notation=(
            ("N", "#C"),
            ("P", "samples and the sanitiser's coins"),
            ("emu", "error_mu(h, c)"),
            ("es", "error_S"),
            ("ed", "error_D"),
            ("et", "error_{D~}"),
        ),
        says=("(2)+(3)+(4): E1 and E3 with probability `>= 1-3 beta/5`",),
    ),
    "T33.em": Derivation(
        "N in Z[1, inf); set H of N; law E; out(E): H; es(H) in [0, 1]; "
        "eps in (0, inf); alpha in (0, 1); m in Z[1, inf)",
        (
            Line(
                "each",
                "for w: E: [es(out(w)) <= alpha/5 + smallest(f: H, es(f))] "
                "= 1 - [es(out(w)) > smallest(f: H, es(f)) + alpha/5]",
            ),
            Line("same", "exp(-eps*(alpha/5)*m/2) = exp(-eps*alpha*m/10)"),
            Line(
                "em",
                "Pr(w: E, es(out(w)) <= alpha/5 + smallest(f: H, es(f))) >= 1 - N*exp(-eps*alpha*m/10)",
                using=("mean of each over w", "tail at Delta = alpha/5", "same"),
            ),
        ),
        given=(
            Given(
                "tail",
                "for Delta in (0, inf): Pr(w: E, es(out(w)) > smallest(f: H, es(f)) + Delta) <= N*exp(-eps*Delta*m/2)",
                "result: beimel2015:prop-A.1",
            ),
        ),
        notation=(("N", "#H"), ("E", "the mechanism's coins"), ("out", "its choice"), ("es", "error_S")),
        says=("`Pr[E2] >= 1-#H exp(-eps alpha m/10)`",),
    ),
    "T33.H": Derivation(
        "N in Z[1, inf); b in Z[0, inf); M in Z[1, inf); X in Z[1, inf); k in Z[1, inf); K in [1, inf); "
        "V in Z[1, inf); alpha in (0, 1); set H of N; set L of M; set D of k; set U of X; "
        "at(D, U) in Z[0, 1]; has(H, L) in Z[0, 1]",
        (
            Line("one", "for x: U: largest(i: D, at(i, x)) <= total(i: D, at(i, x))", "sum"),
            Line("points", "b <= k", using=("B", "total of one over x", "total of entry over i")),
            Line("dichotomies", "N <= M", using=("total of own over h", "total of once over z")),
            Line(
                "logs",
                "log(N) <= b",
                using=("dichotomies", "all"),
                hints=("lemma log_increases x = N; y = 2^b", "have log(2) <= 1"),
            ),
            Line("H", "log(N) <= b <= k <= ceil(10*K*((V/alpha^2)*log(1/alpha)))", using=("logs", "points", "size")),
        ),
        given=(
            Given("B", "b = total(x: U, [some(i: D, at(i, x))])", "definition: B has the points that are in D~"),
            Given("entry", "for i: D: total(x: U, at(i, x)) = 1", "definition: an entry of D~ is at one point"),
            Given("all", "M = 2^b", "definition: there are 2^(#B) labellings of B"),
            Given("own", "for h: H: total(z: L, has(h, z)) = 1", "definition: a concept labels B in one way"),
            Given(
                "once", "for z: L: total(h: H, has(h, z)) <= 1", "definition: H has one concept for a dichotomy of B"
            ),
            Given("size", "k <= ceil(10*K*((V/alpha^2)*log(1/alpha)))", "line: T33.k"),
        ),
        notation=(
            ("N", "#H"),
            ("b", "#B"),
            ("k", "#D~"),
            ("K", "the constant of T33.k; O is rounded up"),
            ("X", "#X_d"),
            ("U", "X_d"),
            ("M", "the number of labellings of B"),
            ("L", "the labellings of B"),
            ("D", "the entries of D~"),
            ("at", "at(i, x): whether the entry i is at x"),
            ("has", "has(h, z): whether h labels B by z"),
        ),
        says=("`log #H <= #B <= #D~ = O((V/alpha^2) log(1/alpha))`",),
    ),
    "T33.sum": Derivation(
        "law P; beta in (0, 1); E13(P) in Z[0, 1]; E2(P) in Z[0, 1]",
        (
            Line("each", "for w: P: [not E13(w) or not E2(w)] <= (1 - E13(w)) + (1 - E2(w))"),
            Line(
                "sum",
                "Pr(w: P, not E13(w) or not E2(w)) <= 3*beta/5 + beta/5 <= beta",
                using=("mean of each over w", "tri", "em"),
            ),
        ),
        given=(
            Given("tri", "Pr(w: P, E13(w)) >= 1 - 3*beta/5", "line: T33.tri"),
            Given("em", "Pr(w: P, E2(w)) >= 1 - beta/5", "line: T33.m"),
        ),
        notation=(("P", "samples and coins"), ("E13", "E1 and E3"), ("E2", "E2")),
        says=("total failure `3beta/5+beta/5 <= beta`",),
    ),
}

# Lemma 4.1 and claim 4.2

_POINTS = "X in Z[1, inf); set U of X; others(U) in Z[0, inf); first(U) in Z[0, 1]; second(U) in Z[0, 1]"
_LEFT = "others(x) + first(x) >= 1 and others(x) + second(x) <= 0"
_LEFT_Y = _LEFT.replace("(x)", "(y)")
_ENTRY = "m in Z[1, inf); set S of m; type ZK; type C; "
_EM = "N in Z[1, inf); M in Z[1, inf); P in Z[1, inf); set H1 of N; set H2 of M; set ZK of P; "
_W1 = "total(f: H1, [is1(f, h1(z)) or is1(f, k1(z))]*exp(q1(f)/2))"
_F1 = "total(f: H1, exp(q1(f)/2))"
_F2 = "total(f: H2, exp(q2(f)/2))"
_W2 = "total(f: H2, [is2(f, h2(z)) or is2(f, k2(z))]*exp(q2(f)/2))"
_TOP1 = "(exp(q1(h1(z))/2) + exp(q1(k1(z))/2))"
_TOP2 = "(exp(q2(h2(z))/2) + exp(q2(k2(z))/2))"
_TOP2_UP = "(exp((q2(h2(z)) + 1)/2) + exp((q2(k2(z)) + 1)/2))"
_LOW2 = "((1/2)*total(r: ZK, exp((q2(h2(r)) - 1)/2) + exp((q2(k2(r)) - 1)/2)))"
_CHAIN_NAMES = (
    ("N", "#H_1"),
    ("M", "#H_2"),
    ("P", "#Pi_C(K)"),
    ("ZK", "Pi_C(K)"),
)
_ONE = (
    ("H1", "H_1"),
    ("h1", "h_{1,z}"),
    ("k1", "h'_{1,z}"),
    ("q1", "q(S_1, .)"),
    ("is1", "whether two hypotheses of H_1 are one"),
)
_TWO = (
    ("H2", "H_2"),
    ("h2", "h_{2,z}"),
    ("k2", "h'_{2,z}"),
    ("q2", "q(S_2, .)"),
    ("is2", "whether two hypotheses of H_2 are one"),
)
_ONE_OBJECTS = "h1(ZK): H1; k1(ZK): H1; q1(H1) in Z[0, inf); is1(H1, H1) in Z[0, 1]"
_TWO_OBJECTS = "h2(ZK): H2; k2(ZK): H2; q2(H2) in Z[0, inf); is2(H2, H2) in Z[0, 1]"
_SIFT1 = Given(
    "sift",
    "for G(H1) in [0, inf), g: H1: total(f: H1, is1(f, g)*G(f)) = G(g)",
    "definition: of the members of H_1 one is g",
)
_SIFT2 = Given(
    "sift",
    "for G(H2) in [0, inf), g: H2: total(f: H2, is2(f, g)*G(f)) = G(g)",
    "definition: of the members of H_2 one is g",
)
_SIZES_OF_4 = "S in Z[1, inf); T in Z[0, inf); V in Z[1, inf); alpha in (0, 1); beta in (0, 1)"
_RIGHT_H = "[v(h(z), j) and y(j) or not v(h(z), j) and not y(j)]"
_RIGHT_K = _RIGHT_H.replace("h(z)", "k(z)")
_RIGHT = "[v(f, x(g)) and y(g) or not v(f, x(g)) and not y(g)]"
_Q_NAMES = (
    ("m", "#S_i"),
    ("S", "the entries of S_i"),
    ("ZK", "Pi_C(K)"),
    ("C", "C"),
)
_PROCEDURE: dict[str, Derivation] = {
    "L41.P": Derivation(
        _POINTS,
        (
            Line("each", f"for x: U: [{_LEFT}] <= first(x)"),
            Line("once", f"for x: U: [{_LEFT}]*(others(x) + first(x)) = [{_LEFT}]"),
            Line("size", f"total(x: U, [{_LEFT}]) <= 1", using=("total of each over x", "one")),
            Line("member", f"for x: U: [{_LEFT}] <= total(y: U, [{_LEFT_Y}])", "sum"),
            Line(
                "all",
                f"for x: U: [{_LEFT}]*(others(x) + first(x)) = [{_LEFT}] <= total(y: U, [{_LEFT_Y}]) <= 1",
                using=("once", "member", "size"),
            ),
        ),
        given=(Given("one", "total(x: U, first(x)) = 1", "definition: the replaced entry is at one point"),),
        notation=(
            ("X", "#X"),
            ("U", "X"),
            ("others", "how often a point occurs in the entries that S_1 o T_1 and S_2 o T_2 have both"),
            ("first", "whether the replaced entry is at x in S_1 o T_1; so others + first is how often x occurs there"),
            ("second", "whether it is at x in S_2 o T_2"),
        ),
        says=("`#(P_1\\P_2) in {0,1}`, an element of it appears exactly once in S_1 o T_1",),
    ),
    "L41.H": Derivation(
        "P in Z[1, inf); set ZK of P; new1 in Z[0, 1]; new2 in Z[0, 1]; H1 in Z[1, inf); H2 in Z[1, inf); "
        "zero1(ZK) in Z[0, 1]; one1(ZK) in Z[0, 1]; zero2(ZK) in Z[0, 1]; one2(ZK) in Z[0, 1]",
        (
            Line(
                "each1",
                "for z: ZK: 1 <= new1*(zero1(z) + one1(z)) + 1 - new1 <= 2",
                using=("some1",),
            ),
            Line(
                "each2",
                "for z: ZK: 1 <= new2*(zero2(z) + one2(z)) + 1 - new2 <= 2",
                using=("some2",),
            ),
            Line("H1", "P <= H1 <= 2*P", using=("size1", "total of each1 over z")),
            Line("H2", "P <= H2 <= 2*P", using=("size2", "total of each2 over z")),
            Line(
                "H",
                "H2/2 <= P <= H1 <= 2*P <= 2*H2",
                using=("H1", "H2"),
            ),
        ),
        given=(
            Given(
                "size1",
                "H1 = total(z: ZK, new1*(zero1(z) + one1(z)) + 1 - new1)",
                "line: L41.P",
            ),
            Given(
                "size2",
                "H2 = total(z: ZK, new2*(zero2(z) + one2(z)) + 1 - new2)",
                "line: L41.P",
            ),
            Given("some1", "for z: ZK: zero1(z) + one1(z) >= 1", "definition: z is the restriction of a concept"),
            Given("some2", "for z: ZK: zero2(z) + one2(z) >= 1", "definition: z is the restriction of a concept"),
        ),
        notation=(
            ("P", "#Pi_C(K)"),
            ("ZK", "Pi_C(K)"),
            ("H1", "#H_1 = #Pi_C(P_1)"),
            ("H2", "#H_2 = #Pi_C(P_2)"),
            (
                "new1",
                "whether P_1 has a point that K has not (one at most); without one a dichotomy of K is one of P_1",
            ),
            ("new2", "whether P_2 has one"),
            ("zero1", "whether z and the label 0 of that point are a dichotomy of P_1"),
            ("one1", "whether z and the label 1 are"),
            ("zero2", "the same for P_2"),
            ("one2", "the same for P_2"),
        ),
        says=("`#Pi_C(K) <= #Pi_C(P_i) <= 2 #Pi_C(K)`; `#H_1 <= 2 #H_2`, `#H_2 <= 2 #H_1`",),
    ),
    "L41.q1": Derivation(
        _ENTRY + "out(S) in Z[0, 1]; y(S) in Z[0, 1]; v(C, S) in Z[0, 1]; h(ZK): C; k(ZK): C",
        (
            Line(
                "each",
                f"for z: ZK, j: S: -out(j) <= {_RIGHT_H} - {_RIGHT_K} <= out(j)",
                using=("agree",),
            ),
            Line(
                "q",
                f"for z: ZK: abs(total(j: S, {_RIGHT_H}) - total(j: S, {_RIGHT_K})) <= 1",
                using=("total of each over j", "once"),
            ),
        ),
        given=(
            Given("once", "total(j: S, out(j)) <= 1", "line: L41.P"),
            Given(
                "agree",
                "for z: ZK, j: S: (1 - out(j))*v(h(z), j) = (1 - out(j))*v(k(z), j)",
                "definition: h_{i,z} and h'_{i,z} are z on K",
            ),
        ),
        notation=(
            *_Q_NAMES,
            ("out", "whether an entry's point is not in K"),
            ("y", "an entry's label"),
            ("v", "v(f, j): the label that f gives to the point of entry j"),
            ("h", "h_{i,z}"),
            ("k", "h'_{i,z}"),
        ),
        says=("`abs(q(S_i,h_{i,z})-q(S_i,h'_{i,z})) <= 1`",),
    ),
    "L41.q2": Derivation(
        _ENTRY + "type U; type B; type ENT; place(S): ENT; x(ENT): U; y(ENT) in Z[0, 1]; v(C, U) in Z[0, 1]; "
        "in_K(U) in Z[0, 1]; lab(ZK, U) in Z[0, 1]; h1(ZK, B): C; h2(ZK, B): C; replaced(ENT) in Z[0, 1]; "
        "right1(C, ENT) in Z[0, 1]; right2(C, ENT) in Z[0, 1]",
        (
            Line(
                "kept",
                "for z: ZK, a: B, b: B, g: ENT: "
                "(1 - replaced(g))*v(h1(z, a), x(g)) = (1 - replaced(g))*v(h2(z, b), x(g))",
                using=("K", "is1 at u = x(g)", "is2 at u = x(g)"),
            ),
            Line(
                "same",
                "for z: ZK, a: B, b: B, g: ENT: "
                "(1 - replaced(g))*right1(h1(z, a), g) = (1 - replaced(g))*right2(h2(z, b), g)",
                using=("kept", "r1 at f = h1(z, a)", "r2 at f = h2(z, b)"),
            ),
            Line(
                "each",
                "for z: ZK, a: B, b: B, g: ENT: "
                "-replaced(g) <= right1(h1(z, a), g) - right2(h2(z, b), g) <= replaced(g)",
                using=("same",),
            ),
            Line(
                "at_j",
                "for z: ZK, a: B, b: B, j: S: "
                "-replaced(place(j)) <= right1(h1(z, a), place(j)) - right2(h2(z, b), place(j)) <= replaced(place(j))",
                using=("each at g = place(j)",),
            ),
            Line(
                "q",
                "for z: ZK, a: B, b: B: "
                "abs(total(j: S, right1(h1(z, a), place(j))) - total(j: S, right2(h2(z, b), place(j)))) <= 1",
                using=("total of at_j over j", "once"),
            ),
        ),
        given=(
            Given(
                "once", "total(j: S, replaced(place(j))) <= 1", "definition: the inputs differ in one entry of S o T"
            ),
            Given("K", "for g: ENT: 1 - replaced(g) <= in_K(x(g))", "definition: K = P_1 and P_2"),
            Given(
                "is1",
                "for z: ZK, a: B, u: U: in_K(u)*v(h1(z, a), u) = in_K(u)*lab(z, u)",
                "definition: h_{1,z} and h'_{1,z} are z on K",
            ),
            Given(
                "is2",
                "for z: ZK, b: B, u: U: in_K(u)*v(h2(z, b), u) = in_K(u)*lab(z, u)",
                "definition: h_{2,z} and h'_{2,z} are z on K",
            ),
            Given(
                "r1",
                f"for f: C, g: ENT: (1 - replaced(g))*right1(f, g) = (1 - replaced(g))*{_RIGHT}",
                "definition: q counts the entries that f gets right",
            ),
            Given(
                "r2",
                f"for f: C, g: ENT: (1 - replaced(g))*right2(f, g) = (1 - replaced(g))*{_RIGHT}",
                "definition: q counts the entries that f gets right",
            ),
        ),
        notation=(
            ("m", "#S_1 = #S_2"),
            ("S", "the places of S_1 and S_2"),
            ("ZK", "Pi_C(K)"),
            ("C", "C"),
            ("U", "X"),
            ("ENT", "entries, as S_1 and S_2 have them at a place"),
            ("place", "what is at a place"),
            ("B", "without and with a prime"),
            ("x", "the point of an entry that is not replaced"),
            ("y", "its label"),
            ("v", "v(f, x): the label f(x)"),
            ("in_K", "whether a point is in K"),
            ("lab", "lab(z, x): the label of x in z"),
            ("h1", "h_{1,z} or h'_{1,z}"),
            ("h2", "h_{2,z} or h'_{2,z}"),
            ("replaced", "whether the entry is the one in which the inputs differ"),
            ("right1", "right1(f, g): whether f is right on entry j of S_1; their number is q(S_1, f)"),
            ("right2", "the same for S_2"),
        ),
        says=("`abs(q(S_1,h_{1,z})-q(S_2,h_{2,z})) <= 1` (same for all four pairs with primes)",),
    ),
    "L41.c1": Derivation(
        "N in Z[1, inf); P in Z[1, inf); set H1 of N; set ZK of P; " + _ONE_OBJECTS + "; w1(ZK) in [0, 1]",
        (
            Line(
                "each",
                "for z: ZK, f: H1: [is1(f, h1(z)) or is1(f, k1(z))]*exp(q1(f)/2) "
                "<= is1(f, h1(z))*exp(q1(f)/2) + is1(f, k1(z))*exp(q1(f)/2)",
            ),
            Line(
                "top",
                f"for z: ZK: {_W1} <= {_TOP1}",
                using=(
                    "total of each over f",
                    "sift at g = h1(z), G(f) = exp(q1(f)/2)",
                    "sift at g = k1(z), G(f) = exp(q1(f)/2)",
                ),
            ),
            Line("c1", f"for z: ZK: w1(z) <= {_TOP1}/{_F1}", using=("top", "w")),
        ),
        given=(
            _SIFT1,
            Given(
                "w",
                f"for z: ZK: w1(z) = {_W1}/{_F1}",
                "definition: w_{1,z} is the probability that h_{1,z} or h'_{1,z} is chosen",
            ),
        ),
        notation=(*_CHAIN_NAMES[:1], *_CHAIN_NAMES[2:], *_ONE, ("w1", "w_{1,z}")),
        says=("`w_{1,z} <= (exp(q(S_1,h_{1,z})/2)+exp(q(S_1,h'_{1,z})/2)) / sum_{f in H_1} exp(q(S_1,f)/2)`",),
    ),
    "L41.c2": Derivation(
        "N in Z[1, inf); P in Z[1, inf); set H1 of N; set ZK of P; " + _ONE_OBJECTS + "; num in (0, inf)",
        (
            Line(
                "each",
                "for f: H1: total(r: ZK, is1(f, h1(r)))*exp(q1(f)/2) <= exp(q1(f)/2)",
                using=("apart",),
            ),
            Line(
                "sifted",
                "for r: ZK: total(f: H1, is1(f, h1(r))*exp(q1(f)/2)) = exp(q1(h1(r))/2)",
                using=("sift at g = h1(r), G(f) = exp(q1(f)/2)",),
            ),
            Line(
                "low",
                f"total(r: ZK, exp(q1(h1(r))/2)) <= {_F1}",
                using=("total of each over f", "total of sifted over r"),
            ),
            Line("c2", f"num/{_F1} <= num/total(r: ZK, exp(q1(h1(r))/2))", using=("low",)),
        ),
        given=(
            _SIFT1,
            Given(
                "apart",
                "for f: H1: total(r: ZK, is1(f, h1(r))) <= 1",
                "definition: h_{1,r} is r on K, so one concept is h_{1,r} for one r at most",
            ),
        ),
        notation=(*_CHAIN_NAMES[:1], *_CHAIN_NAMES[2:], *_ONE, ("num", "the numerator of the line before")),
        says=("`<= (same numerator) / sum_{r in Pi_C(K)} exp(q(S_1,h_{1,r})/2)`",),
    ),
    "L41.c3": Derivation(
        _EM + _ONE_OBJECTS + "; " + _TWO_OBJECTS,
        (
            Line("up", "for a in [0, inf), b in [0, inf) if a - b <= 1: exp(a/2) <= exp((b + 1)/2)"),
            Line("down", "for a in [0, inf), b in [0, inf) if b - a <= 1: exp((b - 1)/2) <= exp(a/2)"),
            Line(
                "num",
                f"for z: ZK: {_TOP1} <= {_TOP2_UP}",
                using=(
                    "hh",
                    "kk",
                    "up at a = q1(h1(z)), b = q2(h2(z))",
                    "up at a = q1(k1(z)), b = q2(k2(z))",
                ),
            ),
            Line(
                "each",
                "for z: ZK: (1/2)*(exp((q2(h2(z)) - 1)/2) + exp((q2(k2(z)) - 1)/2)) <= exp(q1(h1(z))/2)",
                using=(
                    "hh",
                    "hk",
                    "down at a = q1(h1(z)), b = q2(h2(z))",
                    "down at a = q1(h1(z)), b = q2(k2(z))",
                ),
            ),
            Line("low", f"{_LOW2} <= total(r: ZK, exp(q1(h1(r))/2))", using=("total of each over z",)),
            Line(
                "c3",
                f"for z: ZK: {_TOP1}/total(r: ZK, exp(q1(h1(r))/2)) <= {_TOP2_UP}/{_LOW2}",
                using=("num", "low"),
            ),
        ),
        given=(
            Given("hh", "for z: ZK: abs(q1(h1(z)) - q2(h2(z))) <= 1", "line: L41.q2"),
            Given("kk", "for z: ZK: abs(q1(k1(z)) - q2(k2(z))) <= 1", "line: L41.q2"),
            Given("hk", "for z: ZK: abs(q1(h1(z)) - q2(k2(z))) <= 1", "line: L41.q2"),
        ),
        notation=(*_CHAIN_NAMES, *_ONE, *_TWO),
        says=(
            (
                "`<= (exp((q(S_2,h_{2,z})+1)/2)+exp((q(S_2,h'_{2,z})+1)/2)) / "
                "((1/2) sum_r (exp((q(S_2,h_{2,r})-1)/2)+exp((q(S_2,h'_{2,r})-1)/2)))`"
            ),
        ),
    ),
    "L41.c4": Derivation(
        "M in Z[1, inf); P in Z[1, inf); set H2 of M; set ZK of P; " + _TWO_OBJECTS,
        (
            Line(
                "each",
                "for f: H2: exp(q2(f)/2) <= total(r: ZK, is2(f, h2(r)) + is2(f, k2(r)))*exp(q2(f)/2)",
                using=("cover",),
            ),
            Line(
                "sifted",
                "for r: ZK: total(f: H2, is2(f, h2(r))*exp(q2(f)/2)) + total(f: H2, is2(f, k2(r))*exp(q2(f)/2)) "
                "= exp(q2(h2(r))/2) + exp(q2(k2(r))/2)",
                using=(
                    "sift at g = h2(r), G(f) = exp(q2(f)/2)",
                    "sift at g = k2(r), G(f) = exp(q2(f)/2)",
                ),
            ),
            Line(
                "sum",
                f"{_F2} <= total(r: ZK, exp(q2(h2(r))/2) + exp(q2(k2(r))/2))",
                using=("total of each over f", "total of sifted over r"),
            ),
            Line(
                "halves",
                "for r: ZK: exp((q2(h2(r)) - 1)/2) + exp((q2(k2(r)) - 1)/2) "
                ">= exp(-1/2)*(exp(q2(h2(r))/2) + exp(q2(k2(r))/2))",
            ),
            Line("low", f"(1/2)*exp(-1/2)*{_F2} <= {_LOW2}", using=("total of halves over r", "sum")),
            Line(
                "quotient",
                "for u in (0, inf), D in (0, inf), F in (0, inf) if (1/2)*exp(-1/2)*F <= D: exp(1/2)*u/D <= 2*e*(u/F)",
                hints=(
                    "have exp(1/2)*u/D <= exp(1/2)*u/((1/2)*exp(-1/2)*F)",
                    "have exp(1/2)*u/((1/2)*exp(-1/2)*F) = 2*e*(u/F)",
                ),
            ),
            Line(
                "above",
                f"for z: ZK: exp(1/2)*{_TOP2}/{_LOW2} <= 2*e*({_TOP2}/{_F2})",
                using=("low", f"quotient at u = {_TOP2}, D = {_LOW2}, F = {_F2}"),
            ),
            Line(
                "c4",
                f"for z: ZK: {_TOP2_UP}/{_LOW2} <= 2*e*({_TOP2}/{_F2})",
                using=("above",),
                hints=(
                    "have exp((q2 + 1)/2) = exp(1/2)*exp(q2/2)",
                    "have exp((q22 + 1)/2) = exp(1/2)*exp(q22/2)",
                ),
            ),
        ),
        given=(
            _SIFT2,
            Given(
                "cover",
                "for f: H2: total(r: ZK, is2(f, h2(r)) + is2(f, k2(r))) >= 1",
                "definition: f in H_2 is h_{2,r} or h'_{2,r} for its restriction r to K",
            ),
        ),
        notation=(*_CHAIN_NAMES[1:], *_TWO),
        says=("`<= 2e (exp(q(S_2,h_{2,z})/2)+exp(q(S_2,h'_{2,z})/2)) / sum_{f in H_2} exp(q(S_2,f)/2)`",),
    ),
    "L41.c5": Derivation(
        "M in Z[1, inf); P in Z[1, inf); set H2 of M; set ZK of P; " + _TWO_OBJECTS + "; w2(ZK) in [0, 1]",
        (
            Line(
                "each",
                "for z: ZK, f: H2: is2(f, h2(z))*exp(q2(f)/2) + is2(f, k2(z))*exp(q2(f)/2) "
                "<= 2*[is2(f, h2(z)) or is2(f, k2(z))]*exp(q2(f)/2)",
            ),
            Line(
                "top",
                f"for z: ZK: {_TOP2} <= 2*{_W2}",
                using=(
                    "total of each over f",
                    "sift at g = h2(z), G(f) = exp(q2(f)/2)",
                    "sift at g = k2(z), G(f) = exp(q2(f)/2)",
                ),
            ),
            Line("c5", f"for z: ZK: 2*e*({_TOP2}/{_F2}) <= 4*e*w2(z)", using=("top", "w")),
        ),
        given=(
            _SIFT2,
            Given(
                "w",
                f"for z: ZK: w2(z) = {_W2}/{_F2}",
                "definition: w_{2,z} is the probability that h_{2,z} or h'_{2,z} is chosen",
            ),
        ),
        notation=(*_CHAIN_NAMES[1:], *_TWO, ("w2", "w_{2,z}")),
        says=("`<= 4e w_{2,z}`",),
    ),
    "L41.mix": Derivation(
        "eps in (0, inf); delta in [0, 1]; N in Z[1, inf); M in Z[1, inf); P in Z[1, inf); set H1 of N; set H2 of M; "
        "set ZK of P; type DB; type OUT; law coins; A(DB, coins): OUT; near(DB, DB) in Z[0, 1]; db1(H1): DB; "
        "db2(H2): DB; p1(H1) in (0, 1]; p2(H2) in (0, 1]; r1(H1, ZK) in Z[0, 1]; r2(H2, ZK) in Z[0, 1]; "
        "w1(ZK) in (0, 1]; w2(ZK) in (0, 1]",
        (
            Line(
                "split",
                "for F(OUT) in Z[0, 1], f: H1: p1(f)*mean(c: coins, F(A(db1(f), c))) "
                "= total(z: ZK, r1(f, z))*p1(f)*mean(c: coins, F(A(db1(f), c)))",
                using=("own",),
            ),
            Line(
                "pair",
                "for F(OUT) in Z[0, 1], z: ZK, f: H1, g: H2: "
                "r1(f, z)*r2(g, z)*p1(f)*p2(g)*mean(c: coins, F(A(db1(f), c))) "
                "<= r1(f, z)*r2(g, z)*p1(f)*p2(g)*(exp(eps)*mean(c: coins, F(A(db2(g), c))) + delta)",
                using=("private at d = db1(f), dd = db2(g)", "neighbours"),
            ),
            Line(
                "product",
                "for F(OUT) in Z[0, 1], z: ZK: "
                "w2(z)*total(f: H1, r1(f, z)*p1(f)*mean(c: coins, F(A(db1(f), c)))) "
                "<= w1(z)*(exp(eps)*total(g: H2, r2(g, z)*p2(g)*mean(c: coins, F(A(db2(g), c)))) + delta*w2(z))",
                using=("total of total of pair over g over f", "is1", "is2"),
            ),
            Line(
                "each",
                "for F(OUT) in Z[0, 1], z: ZK: "
                "w1(z)*(total(f: H1, r1(f, z)*p1(f)*mean(c: coins, F(A(db1(f), c))))/w1(z)) "
                "<= 4*exp(1)*w2(z)*"
                "(exp(eps)*(total(g: H2, r2(g, z)*p2(g)*mean(c: coins, F(A(db2(g), c))))/w2(z)) + delta)",
                using=("product", "ratio"),
            ),
            Line(
                "mix",
                "for F(OUT) in Z[0, 1]: total(f: H1, p1(f)*mean(c: coins, F(A(db1(f), c)))) "
                "= total(z: ZK, w1(z)*(total(f: H1, r1(f, z)*p1(f)*mean(c: coins, F(A(db1(f), c))))/w1(z))) "
                "<= total(z: ZK, 4*exp(1)*w2(z)*"
                "(exp(eps)*(total(g: H2, r2(g, z)*p2(g)*mean(c: coins, F(A(db2(g), c))))/w2(z)) + delta))",
                using=("total of split over f", "total of each over z"),
            ),
        ),
        given=(
            Given(
                "private",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB: near(d, dd)*mean(c: coins, F(A(d, c))) "
                "<= near(d, dd)*(exp(eps)*mean(c: coins, F(A(dd, c))) + delta)",
                "printed: A is (eps, delta)-DP",
            ),
            Given(
                "neighbours",
                "for z: ZK, f: H1, g: H2: r1(f, z)*r2(g, z) <= near(db1(f), db2(g))",
                "line: L41.nb",
            ),
            Given("own", "for f: H1: total(z: ZK, r1(f, z)) = 1", "definition: f has one restriction to K"),
            Given("is1", "for z: ZK: w1(z) = total(f: H1, r1(f, z)*p1(f))", "definition: w_{1,z}"),
            Given("is2", "for z: ZK: w2(z) = total(g: H2, r2(g, z)*p2(g))", "definition: w_{2,z}"),
            Given("ratio", "for z: ZK: w1(z) <= 4*exp(1)*w2(z)", "line: L41.c5"),
        ),
        notation=(
            *_CHAIN_NAMES,
            ("H1", "H_1"),
            ("H2", "H_2"),
            ("DB", "databases"),
            ("OUT", "outputs of A"),
            ("coins", "A's"),
            ("near", "whether two databases differ in one entry at most"),
            ("db1", "(S_1 o T_1)^f o D for the chosen f"),
            ("db2", "(S_2 o T_2)^g o D"),
            ("p1", "the probability that f is chosen from H_1"),
            ("p2", "the probability that g is chosen from H_2"),
            ("r1", "r1(f, z): whether f is z on K; total of r1 p1 A, over w1, is the probability given that"),
            ("r2", "the same for H_2"),
            ("w1", "w_{1,z}"),
            ("w2", "w_{2,z}"),
        ),
        says=(
            (
                "Pr[B(S_1 o T_1 o D) in F] = sum_z w_{1,z} Pr[A((S_1 o T_1)^{h_{1,z}} o D) in F | h_{1,z}] "
                "<= sum_z 4e w_{2,z}(e^eps Pr[A((S_2 o T_2)^{h_{2,z}} o D) in F | h_{2,z}]+delta)"
            ),
        ),
    ),
    "L41.end": Derivation(
        "eps in (0, inf); delta in [0, 1]; P in Z[1, inf); set ZK of P; w2(ZK) in (0, 1]; "
        "type OUT; law run1; law run2; law coins; b1(run1): OUT; b2(run2): OUT; a2(ZK, coins): OUT",
        (
            Line("four", "4*e <= e^3"),
            Line(
                "grown",
                "for q in [0, 1]: 4*exp(1)*exp(eps)*q <= exp(eps + 3)*q",
                hints=("have 4*exp(1)*exp(eps) <= exp(3)*exp(eps)",),
            ),
            Line(
                "end",
                "for F(OUT) in Z[0, 1]: mean(c: run1, F(b1(c))) "
                "<= total(z: ZK, 4*exp(1)*w2(z)*(exp(eps)*mean(c: coins, F(a2(z, c))) + delta)) "
                "<= exp(eps + 3)*mean(c: run2, F(b2(c))) + 4*exp(1)*delta",
                using=("mix", "weights", "law2", "grown at q = mean(c: run2, F(b2(c)))"),
            ),
        ),
        given=(
            Given(
                "mix",
                "for F(OUT) in Z[0, 1]: mean(c: run1, F(b1(c))) "
                "<= total(z: ZK, 4*exp(1)*w2(z)*(exp(eps)*mean(c: coins, F(a2(z, c))) + delta))",
                "line: L41.mix",
            ),
            Given("weights", "total(z: ZK, w2(z)) = 1", "definition: the probabilities of the restrictions to K"),
            Given(
                "law2",
                "for F(OUT) in Z[0, 1]: mean(c: run2, F(b2(c))) = total(z: ZK, w2(z)*mean(c: coins, F(a2(z, c))))",
                "line: L41.mix",
            ),
        ),
        notation=(
            ("P", "#Pi_C(K)"),
            ("ZK", "Pi_C(K)"),
            ("w2", "w_{2,z}"),
            ("OUT", "outputs of A"),
            ("run1", "coins of B on S_1 o T_1 o D"),
            ("run2", "coins of B on S_2 o T_2 o D"),
            ("coins", "those that are left when z is known"),
            ("b1", "B(S_1 o T_1 o D)"),
            ("b2", "B(S_2 o T_2 o D)"),
            ("a2", "A((S_2 o T_2)^{h_{2,z}} o D), given z"),
        ),
        says=("`<= e^(eps+3) Pr[B(S_2 o T_2 o D) in F]+4e delta` (uses `4e <= e^3`)",),
    ),
    "C42.b": Derivation(
        "P in Z[1, inf); T in Z[0, inf); S in Z[1, inf); V in Z[1, inf); set ENTRY of T + S; set POINT of P; "
        "at(POINT, ENTRY) in Z[0, 1]",
        (
            Line("distinct", "P <= T + S", using=("total of occurs over x", "total of one over i")),
            Line(
                "b",
                "(e*P/V)^V <= (e*(T + S)/V)^V",
                using=("distinct",),
                hints=("lemma log_increases x = e*P/V; y = e*(T + S)/V",),
            ),
        ),
        given=(
            Given(
                "occurs", "for x: POINT: total(i: ENTRY, at(x, i)) >= 1", "definition: P is the set of points in S o T"
            ),
            Given("one", "for i: ENTRY: total(x: POINT, at(x, i)) <= 1", "definition: an entry is at one point"),
        ),
        notation=(
            ("P", "#P, the distinct points of S o T"),
            ("S", "#S"),
            ("T", "#T"),
            ("ENTRY", "the entries of S o T"),
            ("POINT", "the points of P"),
            ("at", "whether an entry is at a point"),
        ),
        says=("`(e #P/V)^V <= (e(#T+#S)/V)^V`",),
    ),
    "C42.c": Derivation(
        _SIZES_OF_4,
        (
            Line(
                "c",
                "(e*(T + S)/V)^V <= (beta*exp(alpha*S/(2*V)))^V",
                using=("few",),
                hints=(
                    "have T + S <= beta/e*V*exp(alpha*S/(2*V))",
                    "have e*(T + S)/V <= beta*exp(alpha*S/(2*V))",
                    "lemma log_increases x = e*(T + S)/V; y = beta*exp(alpha*S/(2*V))",
                    "have V*log(e*(T + S)/V) <= V*log(beta*exp(alpha*S/(2*V)))",
                    "have (e*(T + S)/V)^V = exp(V*log(e*(T + S)/V))",
                    "have (beta*exp(alpha*S/(2*V)))^V = exp(V*log(beta*exp(alpha*S/(2*V))))",
                    "lemma exp_increases x = V*log(e*(T + S)/V); y = V*log(beta*exp(alpha*S/(2*V)))",
                ),
            ),
        ),
        given=(Given("few", "T <= beta/e*V*exp(alpha*S/(2*V)) - S", "printed: hypothesis on #T"),),
        notation=(("S", "#S"), ("T", "#T")),
        says=("`(e(#T+#S)/V)^V <= (beta exp(alpha #S/(2V)))^V`",),
    ),
    "C42.d": Derivation(
        "S in Z[1, inf); V in Z[1, inf); alpha in (0, 1); beta in (0, 1)",
        (
            Line(
                "d",
                "(beta*exp(alpha*S/(2*V)))^V <= beta*exp(alpha*S/2)",
                hints=("have log(beta) <= 0", "have V*log(beta) <= log(beta)"),
            ),
        ),
        notation=(("S", "#S"),),
        says=("`(beta exp(alpha #S/(2V)))^V <= beta exp(alpha #S/2)`",),
    ),
}

# LabelBoost: subsampling, sizes, learning

_SUB = (
    "type IDX; type DB; type PICK; type PART; type OUT; law J; law R; law coins; pick(J): PICK; within(IDX, R): PICK; "
    "without(IDX, R): PICK; part(DB, PICK): PART; A(PART, coins): OUT; adj(IDX, DB, DB) in Z[0, 1]; "
    "near(PART, PART) in Z[0, 1]; delta in [0, 1]"
)
_SUB_NAMES = (
    ("IDX", "places of the database"),
    ("DB", "databases"),
    ("PICK", "subsets of the places"),
    ("PART", "parts of a database"),
    ("OUT", "outputs"),
    ("J", "the uniform law of subsets of the wanted size"),
    ("R", "a uniform subset of the other places, one place smaller, and one more place outside of it"),
    ("coins", "coins of the algorithm on the part"),
    ("pick", "the subset"),
    ("within", "within(i, w): the smaller subset and i"),
    ("without", "without(i, w): the smaller subset and the one more place"),
    ("part", "the part of a database that is kept"),
    ("A", "the algorithm on the part"),
    ("adj", "whether two databases differ at the place i only"),
    ("near", "whether two parts, as multisets, differ in one entry at most"),
)
_EVENT = "for F(OUT) in Z[0, 1], i: IDX, d: DB, dd: DB if adj(i, d, dd) = 1: "
_EACH = "for F(OUT) in Z[0, 1], i: IDX, d: DB, dd: DB, w: R if adj(i, d, dd) = 1: "
_RUN = "mean(j: J, c: coins, F(A(part({}, pick(j)), c)))"
_P = "mean(c: coins, F(A(part({}, {}(i, w)), c)))"
_M = "mean(w: R, c: coins, F(A(part({}, {}(i, w)), c)))"


def _sampling(rate: str) -> tuple[Given, ...]:
    """What a uniform subset is, and which parts are neighbours."""
    return (
        Given(
            "law",
            "for G(PICK) in [0, 1], i: IDX: mean(j: J, G(pick(j))) "
            f"= ({rate})*mean(w: R, G(within(i, w))) + (1 - ({rate}))*mean(w: R, G(without(i, w)))",
            "definition: a uniform subset has i with the sampling rate; else one more of the others",
        ),
        Given(
            "moved",
            "for i: IDX, d: DB, dd: DB, w: R: adj(i, d, dd) <= near(part(d, within(i, w)), part(dd, within(i, w)))",
            "definition: the two parts differ where the databases do",
        ),
        Given(
            "swapped",
            "for i: IDX, d: DB, w: R: near(part(d, within(i, w)), part(d, without(i, w))) = 1",
            "definition: one entry is exchanged for another",
        ),
        Given(
            "apart",
            "for G(PART) in [0, 1], i: IDX, d: DB, dd: DB, w: R: "
            "adj(i, d, dd)*G(part(d, without(i, w))) <= adj(i, d, dd)*G(part(dd, without(i, w)))",
            "definition: without the place where they differ the databases are the same",
        ),
    )


def _inner(ratio: str, delta: str, source: str) -> Given:
    """The privacy of the algorithm on the part."""
    return Given(
        "private",
        "for F(OUT) in Z[0, 1], s: PART, ss: PART: near(s, ss)*mean(c: coins, F(A(s, c))) "
        f"<= near(s, ss)*({ratio}*mean(c: coins, F(A(ss, c))) + {delta})",
        source,
    )


def _amplified(ratio: str, delta: str, rate: str) -> tuple[Line, ...]:
    """From the privacy on the part to that of the whole: the last line is called ``amplified``."""
    return (
        Line(
            "moves",
            _EACH + f"{_P.format('d', 'within')} <= {ratio}*{_P.format('dd', 'within')} + {delta}",
            using=("private at s = part(d, within(i, w)), ss = part(dd, within(i, w))", "moved"),
        ),
        Line(
            "swaps",
            _EACH + f"{_P.format('d', 'within')} <= {ratio}*{_P.format('d', 'without')} + {delta}",
            using=("private at s = part(d, within(i, w)), ss = part(d, without(i, w))", "swapped"),
        ),
        Line(
            "same",
            _EACH + f"{_P.format('d', 'without')} <= {_P.format('dd', 'without')}",
            using=("apart at G(s) = mean(c: coins, F(A(s, c)))",),
        ),
        Line(
            "numbers",
            "for G in [1, inf), k in [0, 1], D in [0, inf), p in [0, 1], q in [0, 1], o in [0, 1] "
            "if p <= G*q + D, p <= G*o + D: k*p + (1 - k)*o <= (1 + k*(G - 1))*(k*q + (1 - k)*o) + k*D",
            hints=(
                "have k*(1 + k*(G - 1))*(G*q + D - p) >= 0",
                "have k*(G - 1)*(1 - k)*(G*o + D - p) >= 0",
                "have G*((1 + k*(G - 1))*(k*q + (1 - k)*o) + k*D - (k*p + (1 - k)*o)) >= 0",
            ),
        ),
        Line(
            "parts",
            _EVENT + f"{_M.format('d', 'within')} <= {ratio}*{_M.format('dd', 'within')} + {delta}",
            using=("mean of moves over w",),
        ),
        Line(
            "outside",
            _EVENT + f"{_M.format('d', 'within')} <= {ratio}*{_M.format('dd', 'without')} + {delta}",
            using=("mean of swaps over w", "mean of same over w"),
        ),
        Line(
            "split",
            _EVENT
            + f"{_RUN.format('d')} "
            + f"<= ({rate})*{_M.format('d', 'within')} + (1 - ({rate}))*{_M.format('dd', 'without')}",
            using=("law at G(p) = mean(c: coins, F(A(part(d, p), c)))", "mean of same over w"),
        ),
        Line(
            "split2",
            _EVENT
            + f"{_RUN.format('dd')} "
            + f"= ({rate})*{_M.format('dd', 'within')} + (1 - ({rate}))*{_M.format('dd', 'without')}",
            using=("law at G(p) = mean(c: coins, F(A(part(dd, p), c)))",),
        ),
        Line(
            "amplified",
            _EVENT + f"{_RUN.format('d')} <= (1 + ({rate})*({ratio} - 1))*{_RUN.format('dd')} + ({rate})*({delta})",
            using=(
                "parts",
                "outside",
                "split",
                "split2",
                (
                    f"numbers at G = {ratio}, k = {rate}, D = {delta}, p = {_M.format('d', 'within')}, "
                    f"q = {_M.format('dd', 'within')}, o = {_M.format('dd', 'without')}"
                ),
            ),
        ),
    )


_PAIR = "for r: RUN, rr: RUN"
_NEIGHBOURS = "near(input(r), input(rr)) = 1"
_INSIDE = "for i in Z[2, inf) if i < N: "
#: C48.b where the loop ends, which the printed line does not say.
LENGTHS_DOUBLE = Derivation(
    "n in Z[1, inf); N in Z[0, inf); V in [1, inf); S(Z) in (0, inf); T(Z) in (-inf, inf); "
    "a(Z) in (0, 1]; b(Z) in (0, 1]; x(Z) in (0, inf); F(Z) in (0, inf)",
    (
        Line(
            "uncut",
            "for j in Z[1, inf) if S(j + 1) < 300*n: F(j)/100 = S(j + 1)",
            using=("v at i = j", "next at i = j"),
        ),
        Line("above", "for j in Z[1, inf): S(j + 1) <= F(j)/100", using=("v at i = j", "next at i = j")),
        Line(
            "halved",
            "for j in Z[1, inf) if S(j + 1) <= S(j): F(j + 1) <= F(j)/2",
            using=(
                "F at i = j",
                "F at i = j + 1",
                "x at i = j",
                "x at i = j + 1",
                "halfa at i = j",
                "halfb at i = j",
            ),
        ),
        Line(
            "first",
            "for j in Z[1, inf) if S(j + 1) <= S(j), S(j) < 300*n: F(j)/100 = S(j + 1) <= S(j) < 300*n",
            using=("uncut",),
        ),
        Line(
            "again",
            "for j in Z[1, inf), k in Z[0, inf) if S(j + 1) <= S(j), S(j) < 300*n, "
            "F(j + k)/100 = S(j + k + 1), S(j + k + 1) <= S(j + k), S(j + k) < 300*n: "
            "F(j + k + 1)/100 = S(j + k + 2) <= S(j + k + 1) < 300*n",
            using=("halved at j = j + k", "above at j = j + k + 1", "uncut at j = j + k + 1"),
        ),
        Line(
            "stuck",
            "for j in Z[1, inf), k in Z[0, inf) if S(j + 1) <= S(j), S(j) < 300*n: "
            "F(j + k)/100 = S(j + k + 1) <= S(j + k) < 300*n",
            "induction k",
            ("first", "again"),
        ),
        Line(
            "never_down",
            "for j in Z[1, inf), k in Z[0, inf) if S(j) < 300*n, S(j + 1) <= S(j): "
            "[S(j + 1) <= S(j) and S(j + k) >= 300*n] = 0",
            using=("stuck",),
        ),
        Line(
            "never_up",
            "for j in Z[1, inf), k in Z[0, inf) if S(j) < 300*n, S(j) < S(j + 1): "
            "[S(j + 1) <= S(j) and S(j + k) >= 300*n] = 0",
        ),
        Line(
            "never",
            "for j in Z[1, inf), k in Z[0, inf) if S(j) < 300*n: [S(j + 1) <= S(j) and S(j + k) >= 300*n] = 0",
            "cases",
            using=("never_down", "never_up"),
        ),
        Line(
            "grows",
            "for j in Z[1, inf) if j <= N: S(j) < S(j + 1)",
            using=("goes at i = j", "never at k = N + 1 - j", "ends"),
        ),
        Line("whole", _INSIDE + "i + 1 <= N", hints=("integer N >= i + 1",)),
        Line("at_i", _INSIDE + "S(i) = F(i - 1)/100", using=("goes at i = i", "uncut at j = i - 1")),
        Line("at_next", _INSIDE + "S(i + 1) = F(i)/100", using=("whole", "goes at i = i + 1", "uncut at j = i")),
        Line(
            "beyond",
            _INSIDE + "F(i) < F(i + 1)",
            using=("whole", "grows at j = i + 1", "at_next", "above at j = i + 1"),
        ),
        Line(
            "logs",
            "for j in Z[1, inf): x(j) = log(F(j)) - log(b(j)) - log(V)",
            using=("F at i = j",),
        ),
        Line(
            "last",
            _INSIDE + "x(i - 1) = x(i) - log(2*S(i + 1)/S(i))",
            using=("logs at j = i - 1", "logs at j = i", "halfb at i = i - 1", "at_i", "at_next"),
        ),
        Line(
            "following",
            _INSIDE + "x(i + 1) >= x(i) + log(2)",
            using=("beyond", "logs at j = i", "logs at j = i + 1", "halfb at i = i"),
            hints=("lemma log_increases x = F; y = F2",),
        ),
        Line(
            "quotient",
            _INSIDE + "2*S(i + 1)/S(i) = 4*x(i + 1)/x(i)",
            using=("x at i = i", "x at i = i + 1", "halfa at i = i"),
        ),
        Line(
            "numbers",
            "for y in (0, inf), w in (0, inf) if w*y/4 >= y + log(2), y >= log(w): "
            "40000*(w*y/4) - 200*y >= 2*(20000*y - 100*(y - log(w)))",
            hints=(
                "have log(2) >= 69/100",
                "have y*(w - 4) >= 276/100",
                "have w >= 4",
                "split w at 5",
                "have log(w) <= 50*y*(w - 4)",
            ),
        ),
        Line(
            "previous",
            _INSIDE + "x(i - 1) = x(i) - log(4*x(i + 1)/x(i))",
            using=("last", "quotient"),
        ),
        Line(
            "scaled",
            _INSIDE + "40000*x(i + 1) - 200*x(i) >= 2*(20000*x(i) - 100*x(i - 1))",
            using=("following", "previous", "numbers at y = x(i), w = 4*x(i + 1)/x(i)"),
        ),
        Line(
            "b",
            _INSIDE + "T(i) >= 2*T(i - 1)",
            using=(
                "scaled",
                "x at i = i - 1",
                "x at i = i",
                "x at i = i + 1",
                "halfa at i = i - 1",
                "halfa at i = i",
                "next at i = i - 1",
                "next at i = i",
            ),
        ),
    ),
    given=(
        Given("v", "for i in Z[1, inf): T(i) = min(30000*n, F(i) - S(i))", "definition: step 2b of alg-3"),
        Given(
            "F",
            "for i in Z[1, inf): F(i) = b(i)*V*exp(x(i))",
            "definition: what is in step 2b of alg-3",
        ),
        Given(
            "x",
            "for i in Z[1, inf): x(i) = a(i)*S(i)/(200*V)",
            "definition: its exponent",
        ),
        Given("next", "for i in Z[1, inf): S(i + 1) = (S(i) + T(i))/100", "definition: steps 2c and 2e of alg-3"),
        Given("halfa", "for i in Z[1, inf): a(i + 1) = a(i)/2", "definition: step 2a of alg-3"),
        Given("halfb", "for i in Z[1, inf): b(i + 1) = b(i)/2", "definition: step 2a of alg-3"),
        Given("goes", "for i in Z[1, inf) if i <= N: S(i) < 300*n", "definition: step 2 of alg-3"),
        Given("ends", "S(N + 1) >= 300*n", "definition: step 2 of alg-3, the loop ends after N iterations"),
    ),
    notation=(
        ("N", "the number of iterations"),
        ("S", "S(i): #S_i^b; after the last iteration what the same steps would give; S(1) is m >= 1"),
        ("T", "T(i): #T_i^b"),
        ("a", "alpha_i"),
        ("b", "beta_i"),
        ("V", "VC(C)"),
        ("x", "x(i): alpha_i #S_i^b/(200 V)"),
        ("F", "F(i): beta_i V exp(alpha_i #S_i^b/(200 V))"),
    ),
    says=("where the loop ends, #T_i^b >= 2 #T_{i-1}^b for 1 < i < N",),
)
_BOOST: dict[str, Derivation] = {
    "CMP.b": Derivation(
        "K in Z[2, inf); V in Z[1, inf); N in Z[1, inf)",
        (
            Line(
                "by_sauer",
                "if V < K: log(N) <= V*log(e*K/V)",
                using=("sauer",),
                hints=(
                    "have (e*K/V)^V <= exp(V*log(e*K/V))",
                    "lemma log_increases x = N; y = exp(V*log(e*K/V))",
                ),
            ),
            Line(
                "small_dimension",
                "if V < K: log(N) <= 3*(log(K)*V)",
                using=("by_sauer",),
                hints=(
                    "have log(K) >= 69/100",
                    "have log(V) >= 0",
                    "lemma log_quotient_above x = e*K; y = V",
                    "have log(e*K/V) <= 1 + log(K)",
                    "have 1 + log(K) <= 3*log(K)",
                ),
            ),
            Line("by_labels", "log(N) <= K*log(2)", using=("labels",), hints=("lemma log_increases x = N; y = 2^K",)),
            Line(
                "large_dimension",
                "if K <= V: log(N) <= 3*(log(K)*V)",
                using=("by_labels",),
                hints=(
                    "have log(2) >= 1/2",
                    "have log(K) >= log(2)",
                    "have K*log(2) <= V*log(2)",
                    "have V*log(2) <= V*log(K)",
                    "have V*log(K) >= 0",
                ),
            ),
            Line("all", "log(N) <= 3*(log(K)*V)", "cases", using=("small_dimension", "large_dimension")),
        ),
        given=(
            Given("sauer", "if V < K: N <= (e*K/V)^V", "result: beimel2015:thm-B.2"),
            Given("labels", "N <= 2^K", "definition: concepts are functions from X to two labels"),
        ),
        notation=(
            ("K", "#X"),
            ("N", "#C"),
            ("V", "VC(C), at least 1: a class that shatters no point is one concept"),
        ),
        says=("`ln #C <= O(ln #X * VC(C))`",),
    ),
    "C43": Derivation(
        "eps in (0, 1]; r in (0, 1]; E in [1, inf); " + _SUB,
        (
            *_amplified("E", "delta", "r"),
            Line("rate", "r <= eps/(3 + E)", using=("size",)),
            Line(
                "ratio",
                "1 + r*(E - 1) <= exp(eps)",
                using=("rate",),
                hints=("have r*(E - 1) <= eps/(3 + E)*(E - 1)", "have 1 + eps/(3 + E)*(E - 1) <= exp(eps)"),
            ),
            Line("grown", "for q in [0, 1]: (1 + r*(E - 1))*q <= exp(eps)*q", using=("ratio",)),
            Line(
                "shift",
                "r*delta <= 4*eps*delta/(3 + E)",
                using=("rate",),
                hints=("have r*delta <= eps/(3 + E)*delta",),
            ),
            Line(
                "private_B",
                _EVENT + f"{_RUN.format('d')} <= exp(eps)*{_RUN.format('dd')} + 4*eps*delta/(3 + E)",
                using=("amplified", f"grown at q = {_RUN.format('dd')}", "shift"),
            ),
        ),
        given=(
            _inner("E", "delta", "printed: A (eps*,delta)-DP on size n"),
            Given("size", "r*(3 + E) <= eps", "printed: t=(n/eps)(3+exp(eps*))"),
            *_sampling("r"),
        ),
        notation=(*_SUB_NAMES, ("r", "n/t"), ("E", "exp(eps*)")),
        says=("B is `(eps, 4 eps delta/(3+exp(eps*)))`-DP",),
    ),
    "L46.N": Derivation(
        "n in Z[1, inf); M in Z[1, inf); V in [1, inf); a(Z) in (0, 1]; b(Z) in (0, 1]; set B of M; type DB; type RUN; "
        "input(RUN): DB; near(DB, DB) in Z[0, 1]; lab(DB, B) in Z[0, 1]; S(RUN, Z) in [0, inf); "
        "T(RUN, Z) in (-inf, inf); D(RUN, Z) in (-inf, inf); Sc(RUN, Z) in [0, inf); Tc(RUN, Z) in (-inf, inf); "
        "begins(RUN, Z) in Z[0, 1]; times(RUN, Z) in Z[0, 1]; S_3(RUN) in [0, inf); S_4(RUN) in [0, inf)",
        (
            Line(
                "labels",
                f"{_PAIR} if {_NEIGHBOURS}: total(j: B, lab(input(r), j)) = total(j: B, lab(input(rr), j))",
                using=("total of public over j at d = input(r), dd = input(rr)",),
            ),
            Line("S_first", f"{_PAIR} if {_NEIGHBOURS}: S(r, 1) = S(rr, 1)", using=("labels", "S1", "S1 at r = rr")),
            Line("D_first", f"{_PAIR} if {_NEIGHBOURS}: D(r, 1) = D(rr, 1)", using=("labels", "D1", "D1 at r = rr")),
            Line(
                "T_equal",
                f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}, S(r, i) = S(rr, i): T(r, i) = T(rr, i)",
                using=("v", "v at r = rr"),
            ),
            Line(
                "S_next",
                f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}, S(r, i) = S(rr, i): S(r, i + 1) = S(rr, i + 1)",
                using=("T_equal", "kept_S", "kept_S at r = rr", "kept_T", "kept_T at r = rr", "next", "next at r = rr"),
            ),
            Line(
                "S",
                f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}: S(r, i) = S(rr, i)",
                "induction i",
                ("S_first", "S_next"),
            ),
            Line("T", f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}: T(r, i) = T(rr, i)", using=("S", "T_equal")),
            Line(
                "D_next",
                f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}, D(r, i) = D(rr, i): D(r, i + 1) = D(rr, i + 1)",
                using=("T", "taken", "taken at r = rr"),
            ),
            Line(
                "D",
                f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}: D(r, i) = D(rr, i)",
                "induction i",
                ("D_first", "D_next"),
            ),
            Line(
                "Sc",
                f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}: Sc(r, i) = Sc(rr, i)",
                using=("S", "kept_S", "kept_S at r = rr"),
            ),
            Line(
                "Tc",
                f"{_PAIR}, i in Z[1, inf) if {_NEIGHBOURS}: Tc(r, i) = Tc(rr, i)",
                using=("T", "kept_T", "kept_T at r = rr"),
            ),
            Line(
                "begins_0",
                f"{_PAIR} if {_NEIGHBOURS}: begins(r, 0) = begins(rr, 0)",
                using=("before", "before at r = rr"),
            ),
            Line(
                "begins_next",
                f"{_PAIR}, i in Z[0, inf) if {_NEIGHBOURS}, begins(r, i) = begins(rr, i): "
                "begins(r, i + 1) = begins(rr, i + 1)",
                using=("while", "while at r = rr", "S at i = i + 1"),
            ),
            Line(
                "begin",
                f"{_PAIR}, i in Z[0, inf) if {_NEIGHBOURS}: begins(r, i) = begins(rr, i)",
                "induction i",
                ("begins_0", "begins_next"),
            ),
            Line(
                "N",
                f"{_PAIR}, k in Z[0, inf) if {_NEIGHBOURS}: times(r, k) = times(rr, k)",
                using=("begin at i = k", "begin at i = k + 1", "times_k", "times_k at r = rr"),
            ),
            Line(
                "after",
                f"{_PAIR}, k in Z[0, inf) if {_NEIGHBOURS}, times(r, k) = 1: S_3(r) = S_3(rr)",
                using=("N", "S at i = k + 1", "step_3", "step_3 at r = rr"),
            ),
            Line(
                "at_last",
                f"{_PAIR}, k in Z[0, inf) if {_NEIGHBOURS}, times(r, k) = 1: S_4(r) = S_4(rr)",
                using=("after", "step_4", "step_4 at r = rr"),
            ),
        ),
        given=(
            Given(
                "public",
                "for d: DB, dd: DB, j: B: near(d, dd)*lab(d, j) = near(d, dd)*lab(dd, j)",
                "definition: neighbouring databases differ in one entry; which entries are labelled is public",
            ),
            Given("S1", "for r: RUN: S(r, 1) = total(j: B, lab(input(r), j))", "definition: the input S of alg-3"),
            Given("D1", "for r: RUN: D(r, 1) = total(j: B, 1 - lab(input(r), j))", "definition: the input D of alg-3"),
            Given(
                "v",
                "for r: RUN, i in Z[1, inf): T(r, i) = min(30000*n, b(i)*V*exp(a(i)*S(r, i)/(200*V)) - S(r, i))",
                "definition: step 2b of alg-3",
            ),
            Given(
                "taken", "for r: RUN, i in Z[1, inf): D(r, i + 1) = D(r, i) - T(r, i)", "definition: step 2b of alg-3"
            ),
            Given("kept_S", "for r: RUN, i in Z[1, inf): Sc(r, i) = S(r, i)/100", "definition: step 2c of alg-3"),
            Given("kept_T", "for r: RUN, i in Z[1, inf): Tc(r, i) = T(r, i)/100", "definition: step 2c of alg-3"),
            Given(
                "next",
                "for r: RUN, i in Z[1, inf): S(r, i + 1) = Sc(r, i) + Tc(r, i)",
                "definition: steps 2d and 2e of alg-3",
            ),
            Given("before", "for r: RUN: begins(r, 0) = 1", "definition: as the loop is reached"),
            Given(
                "while",
                "for r: RUN, i in Z[0, inf): begins(r, i + 1) = [begins(r, i) and S(r, i + 1) < 300*n]",
                "definition: step 2 of alg-3",
            ),
            Given(
                "times_k",
                "for r: RUN, k in Z[0, inf): times(r, k) = [begins(r, k) and not begins(r, k + 1)]",
                "definition: N is the number of iterations",
            ),
            Given(
                "step_3",
                "for r: RUN, k in Z[0, inf) if times(r, k) = 1: S_3(r) = S(r, k + 1)/300",
                "definition: step 3 of alg-3",
            ),
            Given("step_4", "for r: RUN: S_4(r) = S_3(r)", "definition: step 4 of alg-3"),
        ),
        notation=(
            ("n", "the sample complexity of the base learner"),
            ("M", "the number of entries"),
            ("V", "VC(C)"),
            ("a", "alpha_i"),
            ("b", "beta_i"),
            ("B", "the entries of the input"),
            ("DB", "inputs, S and D as one database"),
            ("RUN", "runs of LabelBoost: an input and coins"),
            ("input", "the input of a run"),
            ("near", "whether two inputs differ in one entry"),
            ("lab", "lab(d, j): whether entry j is labelled"),
            ("S", "S(r, i): #S at the beginning of iteration i; where there is none, what the same steps would give"),
            ("T", "T(r, i): #T_i^b"),
            ("D", "D(r, i): #D at the beginning of iteration i, below 0 where step 2b has failed"),
            ("Sc", "Sc(r, i): #S_i^c"),
            ("Tc", "Tc(r, i): #T_i^c"),
            ("begins", "begins(r, i): whether there is an iteration i; for i = 0: 1"),
            ("times", "times(r, k): whether N is k, in the run r; of no k where the loop does not end"),
            ("S_3", "#S after step 3, where the loop ends"),
            ("S_4", "#S', of as many draws"),
        ),
        says=("N and all sizes are the same on neighbouring databases",),
        shows=("S", "T", "D", "Sc", "Tc", "N", "after", "at_last"),
    ),
    "L46.iid": Derivation(
        "type DB; type SAMPLE; type OUT; type ALG; type ALPHA; leak(ALG, ALPHA) in [0, 1]; eps(ALPHA) in [0, inf); "
        "point one: ALPHA; law draws; drawn(DB, draws): SAMPLE; law coins; run(ALG, SAMPLE, coins): OUT; point A: ALG; "
        "near(DB, DB) in Z[0, 1]; delta in [0, 1]",
        (
            Line(
                "private",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB if near(d, dd) = 1: "
                "mean(w: draws, c: coins, F(run(A, drawn(d, w), c))) "
                "<= exp(log(244))*mean(w: draws, c: coins, F(run(A, drawn(dd, w), c))) + 2476*delta",
                using=("value", "base", "clm at B = A, k = one"),
            ),
        ),
        given=(
            Given("base", "leak(A, one) <= delta", "printed: A is (1,delta)-DP"),
            Given("value", "eps(one) = 1", "printed: A is (1,delta)-DP"),
            Given(
                "clm",
                "for B: ALG, k: ALPHA, F(OUT) in Z[0, 1], d: DB, dd: DB if eps(k) <= 1, near(d, dd) = 1: "
                "mean(w: draws, c: coins, F(run(B, drawn(d, w), c))) "
                "<= exp(log(244))*mean(w: draws, c: coins, F(run(B, drawn(dd, w), c))) + 2467*leak(B, k)",
                "result: beimel2015:clm-4.5",
            ),
        ),
        notation=(
            ("DB", "databases S, of one size"),
            ("SAMPLE", "samples of as many examples as S has"),
            ("OUT", "outputs"),
            ("ALG", "algorithms whose input are such samples"),
            ("ALPHA", "values of the first parameter of privacy"),
            ("eps", "the value, as a number"),
            ("one", "the value 1"),
            ("leak", "leak(B, k): the least delta with which B is (eps(k), delta)-DP"),
            ("draws", "the places of S that step 4 draws, independently, uniformly and with replacement"),
            ("drawn", "S', the entries of S at these places"),
            ("coins", "those of an algorithm"),
            ("run", "what an algorithm puts out on a sample; run(A, ...) is step 5"),
            ("A", "the base learner, run on all of S'"),
            ("near", "whether two databases differ in one entry"),
        ),
        says=("steps 4-5 preserve `(ln(244), 2476 delta)`-DP (by clm-4.5)",),
    ),
    "L46.L0": Derivation(
        _SUB,
        (
            *_amplified("244", "2476*delta", "1/300"),
            Line("enough", "300 >= 3 + 244"),
            Line("ratio", "1 + (1/300)*(244 - 1) <= exp(1)"),
            Line("grown", "for q in [0, 1]: (1 + (1/300)*(244 - 1))*q <= exp(1)*q", using=("ratio",)),
            Line(
                "private_L0",
                _EVENT + f"{_RUN.format('d')} <= exp(1)*{_RUN.format('dd')} + (4/(3 + 244))*2476*delta "
                f"<= exp(1)*{_RUN.format('dd')} + 41*delta",
                using=("amplified", f"grown at q = {_RUN.format('dd')}"),
            ),
        ),
        given=(_inner("244", "2476*delta", "line: L46.iid"), *_sampling("1/300")),
        notation=_SUB_NAMES,
        says=("L_0 is (1, 41 delta)-DP: `(4/(3+244)) * 2476 <= 41`, sampling ratio `300 >= 3+244`",),
    ),
    "L46.proc": Derivation(
        "type DB; type OUT; law coins; B(DB, coins): OUT; near(DB, DB) in Z[0, 1]; delta in [0, 1]",
        (
            Line("four", "1 + 3 = 4"),
            Line(
                "private",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB if near(d, dd) = 1: mean(c: coins, F(B(d, c))) "
                "<= exp(4)*mean(c: coins, F(B(dd, c))) + 4*e*(41*delta) "
                "<= exp(4)*mean(c: coins, F(B(dd, c))) + 446*delta",
                using=("lem",),
            ),
        ),
        given=(
            Given(
                "lem",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB if near(d, dd) = 1: mean(c: coins, F(B(d, c))) "
                "<= exp(1 + 3)*mean(c: coins, F(B(dd, c))) + 4*e*(41*delta)",
                "result: beimel2015:lem-4.1",
            ),
        ),
        notation=(
            ("DB", "databases S o T o D"),
            ("OUT", "outputs"),
            ("coins", "those of the procedure and of L_{t-1}"),
            ("B", "L_{t-1} on LabelBoostProcedure; lem-4.1 for L_{t-1}, which is (1, 41 delta)-DP"),
            ("near", "whether two databases differ in one entry"),
        ),
        says=("L_{t-1} on LabelBoostProcedure is `(4, 446 delta)`-DP: `1+3=4`, `4e*41 <= 446`",),
    ),
    "O47": Derivation(
        "S in [0, inf); T in [0, inf); Sc in [0, inf); Tc in [0, inf); V in [1, inf); alpha_i in (0, 1]; "
        "beta_i in (0, 1]",
        (
            Line(
                "part",
                "T/100 + S/100 <= (beta_i/e)*V*exp(alpha_i*(S/100)/(2*V))",
                using=("v",),
                hints=(
                    "have exp(alpha_i*(S/100)/(2*V)) = exp(alpha_i*S/(200*V))",
                    "have beta_i*V*exp(alpha_i*S/(200*V)) > 0",
                    "have beta_i*V*exp(alpha_i*S/(200*V))/100 <= beta_i*V*exp(alpha_i*S/(200*V))/e",
                ),
            ),
            Line("all", "Tc + Sc <= (beta_i/e)*V*exp(alpha_i*Sc/(2*V))", using=("Sc", "Tc", "part")),
        ),
        given=(
            Given("v", "T <= beta_i*V*exp(alpha_i*S/(200*V)) - S", "definition: step 2b of alg-3"),
            Given("Sc", "Sc = S/100", "printed: `#S_i^c = #S_i^b/100`, `#T_i^c = #T_i^b/100`"),
            Given("Tc", "Tc = T/100", "printed: `#S_i^c = #S_i^b/100`, `#T_i^c = #T_i^b/100`"),
        ),
        notation=(("S", "#S_i^b"), ("T", "#T_i^b"), ("Sc", "#S_i^c"), ("Tc", "#T_i^c")),
        says=(
            "`#T_i^c+#S_i^c <= (beta_i/e) V exp(alpha_i #S_i^c/(2V))`",
            "`#S_i^c = #S_i^b/100`, `#T_i^c = #T_i^b/100`",
        ),
    ),
    "C48.a": Derivation(
        "n in Z[1, inf); N in Z[2, inf); V in [1, inf); T(Z) in Z[0, inf); S(Z) in Z[0, inf); a(Z) in (0, 1]; "
        "b(Z) in (0, 1]",
        (
            Line("each", "for i in Z[1, inf): T(i) <= 30000*n", using=("v",)),
            Line("last", "max(T(N), T(N - 1)) <= 30000*n", using=("each at i = N", "each at i = N - 1")),
        ),
        given=(
            Given(
                "v",
                "for i in Z[1, inf): T(i) <= max(0, min(30000*n, b(i)*V*exp(a(i)*S(i)/(200*V)) - S(i)))",
                "definition: step 2b of alg-3: the first v elements are at most v, and none where v is below 0",
            ),
        ),
        notation=(
            ("T", "T(i): #T_i^b"),
            ("S", "S(i): #S_i^b"),
            ("a", "alpha_i"),
            ("b", "beta_i"),
            ("V", "VC(C)"),
        ),
        says=("`#T_N^b, #T_{N-1}^b <= 30000 n`",),
    ),
    "C48.c": Derivation(
        "n in Z[1, inf); N in Z[0, inf); T(Z) in [0, inf); A(Z) in [0, inf); P(Z) in [0, inf); at(Z) in Z[0, inf); "
        "series in [0, inf)",
        (
            Line("half_0", "P(0) = 2 - 2^(-0)", using=("P0",)),
            Line(
                "half_1",
                "for k in Z[0, inf) if P(k) = 2 - 2^(-k): P(k + 1) = 2 - 2^(-(k + 1))",
                using=("P",),
            ),
            Line("partial", "for k in Z[0, inf): P(k) = 2 - 2^(-k)", "induction k", ("half_0", "half_1")),
            Line("small_1", "1 <= 2^1"),
            Line("small_2", "for j in Z[1, inf) if j <= 2^j: j + 1 <= 2^(j + 1)"),
            Line("small", "for j in Z[1, inf): j <= 2^j", "induction j", ("small_1", "small_2")),
            Line(
                "power",
                "for i in Z[0, inf), j in Z[1, inf): 2^(-(i + j)) <= 1/j",
                using=("small",),
                hints=("have 2^(-(i + j)) <= 2^(-j)", "have 2^(-j)*2^j = 1", "have 2^(-j)*j <= 1"),
            ),
            Line(
                "close",
                "for j in Z[1, inf): abs(series - 2) <= 2/j",
                using=("limit at k = at(j) + j", "partial at k = at(j) + j", "power at i = at(j)"),
            ),
            Line(
                "closer",
                "for g in (0, inf): abs(series - 2) <= g",
                using=("close at j = max(1, ceil(2/g))",),
                hints=("have max(1, ceil(2/g)) >= 2/g", "have 2/max(1, ceil(2/g)) <= g"),
            ),
            Line("above_0", "for g in [0, inf) if g > 0: [g > 0]*abs(series - 2) <= g", using=("closer at g = g",)),
            Line("at_0", "for g in [0, inf) if g <= 0: [g > 0]*abs(series - 2) <= g"),
            Line("within", "for g in [0, inf): [g > 0]*abs(series - 2) <= g", "cases", using=("above_0", "at_0")),
            Line("two", "series = 2", using=("within at g = abs(series - 2)/2",)),
            Line("before_0", "[0 + 2 <= N]*(A(0) - T(0 + 1)) <= 0", using=("A0",)),
            Line(
                "before_in",
                "for i in Z[0, inf) if [i + 2 <= N]*(A(i) - T(i + 1)) <= 0, i + 3 <= N: "
                "[i + 3 <= N]*(A(i + 1) - T(i + 2)) <= 0",
                using=("A at i = i + 1", "b at i = i + 2"),
            ),
            Line(
                "before_out",
                "for i in Z[0, inf) if [i + 2 <= N]*(A(i) - T(i + 1)) <= 0, i + 3 > N: "
                "[i + 3 <= N]*(A(i + 1) - T(i + 2)) <= 0",
            ),
            Line(
                "before_1",
                "for i in Z[0, inf) if [i + 2 <= N]*(A(i) - T(i + 1)) <= 0: [i + 3 <= N]*(A(i + 1) - T(i + 2)) <= 0",
                "cases",
                using=("before_in", "before_out"),
            ),
            Line(
                "before",
                "for i in Z[0, inf): [i + 2 <= N]*(A(i) - T(i + 1)) <= 0",
                "induction i",
                ("before_0", "before_1"),
            ),
            Line("most_0", "[0 + 1 <= N]*A(0) <= 60000*n", using=("A0",)),
            Line(
                "most_1",
                "for i in Z[0, inf) if [i + 1 <= N]*A(i) <= 60000*n: [i + 2 <= N]*A(i + 1) <= 60000*n",
                using=("before", "A at i = i + 1", "each at i = i + 1"),
            ),
            Line("most", "for i in Z[0, inf): [i + 1 <= N]*A(i) <= 60000*n", "induction i", ("most_0", "most_1")),
            Line("all_0", "[0 <= N]*A(0) <= 90000*n", using=("A0",)),
            Line(
                "all_1",
                "for i in Z[0, inf) if [i <= N]*A(i) <= 90000*n: [i + 1 <= N]*A(i + 1) <= 90000*n",
                using=("most", "A at i = i + 1", "each at i = i + 1"),
            ),
            Line("all", "for i in Z[0, inf): [i <= N]*A(i) <= 90000*n", "induction i", ("all_0", "all_1")),
            Line("c", "A(N) <= 30000*n + 30000*n*series = 90000*n", using=("all at i = N", "two")),
        ),
        given=(
            Given("each", "for i in Z[1, inf): T(i) <= 30000*n", "definition: step 2b of alg-3"),
            Given("b", "for i in Z[2, inf) if i < N: T(i) >= 2*T(i - 1)", "line: C48.b"),
            Given("A0", "A(0) = 0", "definition: an empty sum"),
            Given("A", "for i in Z[1, inf): A(i) = A(i - 1) + T(i)", "definition: a sum"),
            Given("P0", "P(0) = 1", "definition: the first term, 2^-0"),
            Given("P", "for k in Z[0, inf): P(k + 1) = P(k) + 2^(-(k + 1))", "definition: a sum"),
            Given(
                "limit",
                "for j in Z[1, inf), k in Z[0, inf) if at(j) <= k: abs(series - P(k)) <= 1/j",
                "definition: the sum of a series is the limit of its partial sums",
            ),
        ),
        notation=(
            ("N", "the number of iterations"),
            ("T", "T(i): #T_i^b, 0 after the last iteration"),
            ("A", "A(i): #T_1^b + ... + #T_i^b"),
            ("P", "P(k): the sum of 2^-i up to i = k"),
            ("series", "sum_{i>=0} 2^-i"),
            ("at", "at(j): from where on the partial sums are within 1/j of the limit"),
        ),
        says=("`sum_i #T_i^b <= 30000n+30000n sum_{i>=0} 2^-i = 90000 n`",),
    ),
    "C49.base": Derivation(
        "alpha in (0, 1); beta in (0, 1); V in Z[1, inf)",
        (
            Line(
                "base",
                "(96000/alpha)*V*log(2240/(alpha*beta)) = (4800/(alpha/20))*V*log(14/((alpha/20)*(beta/8)))",
            ),
        ),
        says=("`(96000/alpha) V log(2240/(alpha beta)) = (4800/alpha_1) V log(14/(alpha_1 beta_1))`",),
    ),
    "C49.a": Derivation(
        "S in [0, inf); T in [0, inf); Sc in [0, inf); Tc in [0, inf); next in [0, inf)",
        (Line("a", "next = Sc + Tc = (1/100)*(S + T)", using=("step", "Sc", "Tc")),),
        given=(
            Given("step", "next = Sc + Tc", "definition: step 2e of alg-3, S is what the procedure labelled"),
            Given("Sc", "Sc = S/100", "definition: step 2c of alg-3"),
            Given("Tc", "Tc = T/100", "definition: step 2c of alg-3"),
        ),
        notation=(
            ("S", "#S_{i-1}^b"),
            ("T", "#T_{i-1}^b"),
            ("Sc", "#S_{i-1}^c"),
            ("Tc", "#T_{i-1}^c"),
            ("next", "#S_i^b"),
        ),
        says=("`#S_i^b = #S_{i-1}^c+#T_{i-1}^c = (1/100)(#S_{i-1}^b+#T_{i-1}^b)`",),
    ),
    "C49.b": Derivation(
        "n in Z[1, inf); V in Z[1, inf); S in [0, inf); T in [0, inf); a in (0, 1]; b in (0, 1]",
        (
            Line(
                "sizes",
                "for x in [0, inf), B in (0, inf) if (x + min(30000*n, B - x))/100 < 300*n: "
                "(1/100)*(x + min(30000*n, B - x)) = (1/100)*B",
            ),
            Line(
                "b",
                "(1/100)*(S + T) = (1/100)*(b*V*exp(a*S/(200*V)))",
                using=("v", "goes", "sizes at x = S, B = b*V*exp(a*S/(200*V))"),
            ),
        ),
        given=(
            Given("v", "T = min(30000*n, b*V*exp(a*S/(200*V)) - S)", "definition: step 2b of alg-3"),
            Given("goes", "(1/100)*(S + T) < 300*n", "printed: iteration i exists (i<=N)"),
        ),
        notation=(("S", "#S_{i-1}^b"), ("T", "#T_{i-1}^b"), ("a", "alpha_{i-1}"), ("b", "beta_{i-1}")),
        says=("`(1/100)(#S_{i-1}^b+#T_{i-1}^b) = (1/100) beta_{i-1} V exp(alpha_{i-1} #S_{i-1}^b/(200 V))`",),
    ),
    "C49.c": Derivation(
        "V in Z[1, inf); S in [0, inf); a in (0, 1]; b in (0, 1]",
        (
            Line("const", "4800/200 = 24"),
            Line(
                "exponent",
                "for L in (0, inf) if S >= (4800/a)*V*L: a*S/(200*V) >= 24*L",
                hints=("have a*S >= 4800*V*L",),
            ),
            Line("positive", "log(14/(a*b)) > 0"),
            Line(
                "u",
                "a*S/(200*V) >= 24*log(14/(a*b))",
                using=("positive", "hypothesis", "exponent at L = log(14/(a*b))"),
            ),
            Line(
                "grows",
                "for x in (-inf, inf), y in (-inf, inf) if x >= y: (1/100)*b*V*exp(x) >= (1/100)*b*V*exp(y)",
                hints=("lemma exp_increases x = y; y = x",),
            ),
            Line(
                "c",
                "(1/100)*b*V*exp(a*S/(200*V)) >= (1/100)*b*V*exp(24*log(14/(a*b)))",
                using=("u", "grows at x = a*S/(200*V), y = 24*log(14/(a*b))"),
            ),
        ),
        given=(Given("hypothesis", "S >= (4800/a)*V*log(14/(a*b))", "printed: induction hypothesis; 4800/200=24"),),
        notation=(("S", "#S_{i-1}^b"), ("a", "alpha_{i-1}"), ("b", "beta_{i-1}")),
        says=("`>= (1/100) beta_{i-1} V exp(24 log(14/(alpha_{i-1} beta_{i-1})))`",),
    ),
    "C49.d": Derivation(
        "V in Z[1, inf); a in (0, 1]; b in (0, 1]",
        (
            Line(
                "d",
                "(1/100)*b*V*exp(24*log(14/(a*b))) >= (1/100)*b*V*(14/(a*b))^24",
                hints=("have exp(24*log(14/(a*b))) >= (14/(a*b))^24",),
            ),
        ),
        notation=(("a", "alpha_{i-1}"), ("b", "beta_{i-1}")),
        says=("`>= (1/100) beta_{i-1} V (14/(alpha_{i-1} beta_{i-1}))^24`",),
    ),
    "C49.e": Derivation(
        "V in Z[1, inf); a in (0, 1]; b in (0, 1]",
        (
            Line(
                "numbers",
                "for x in (0, 1], q in [14, inf): (1/100)*(14/(x*q))*q^24 >= (4800/(x/2))*log(4*q)",
                hints=("lemma log_below x = 4*q", "have (1/100)*14*q^23 >= 9600*4*q"),
            ),
            Line("large", "14/(a*b) >= 14"),
            Line(
                "e",
                "(1/100)*b*V*(14/(a*b))^24 >= (4800/(a/2))*V*log(14/((a/2)*(b/2)))",
                using=("numbers at x = a, q = 14/(a*b)", "large"),
            ),
        ),
        notation=(("a", "alpha_{i-1}"), ("b", "beta_{i-1}")),
        says=("`>= (4800/alpha_i) V log(14/(alpha_i beta_i))`",),
    ),
}

# LabelBoost: learning; section 5; appendix

_ABOVE = "[size(q) = n and not has(q, i) and sub(r, q)]"
_BELOW = "[size(r) = n - 1 and not has(r, i) and sub(r, q)]"
_OLD = "mean(x: mu, abs(h(w, 0, x) - h(w, i, x)))"
_NEXT = "mean(x: mu, abs(h(w, 0, x) - h(w, i + 1, x)))"
_STEP = "mean(x: mu, abs(h(w, i, x) - h(w, i + 1, x)))"
_LEARN: dict[str, Derivation] = {
    "L46.Lt": Derivation(
        _SUB + "; law C; law L; type DATA; inner(PART, C): DATA; last(DATA, L): OUT; nearD(DB, DB) in Z[0, 1]; "
        "near_data(DATA, DATA) in Z[0, 1]",
        (
            *_amplified("exp(4)", "446*delta", "1/100"),
            Line("enough", "100 >= 3 + exp(4)"),
            Line("ratio", "1 + (1/100)*(exp(4) - 1) <= exp(1)"),
            Line("grown", "for q in [0, 1]: (1 + (1/100)*(exp(4) - 1))*q <= exp(1)*q", using=("ratio",)),
            Line("shift", "(1/100)*(446*delta) <= (4/(3 + exp(4)))*446*delta <= 41*delta"),
            Line(
                "labelled",
                _EVENT + f"{_RUN.format('d')} <= exp(1)*{_RUN.format('dd')} + (4/(3 + exp(4)))*446*delta "
                f"<= exp(1)*{_RUN.format('dd')} + 41*delta",
                using=("amplified", f"grown at q = {_RUN.format('dd')}", "shift"),
            ),
            Line(
                "passed",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB, p: PICK, c: C if nearD(d, dd) = 1: "
                "mean(y: L, F(last(inner(part(d, p), c), y))) "
                "<= exp(1)*mean(y: L, F(last(inner(part(dd, p), c), y))) + 41*delta",
                using=("base at x = inner(part(d, p), c), xx = inner(part(dd, p), c)", "kept"),
            ),
            Line(
                "at_j",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB, j: J, c: C if nearD(d, dd) = 1: "
                "mean(y: L, F(last(inner(part(d, pick(j)), c), y))) "
                "<= exp(1)*mean(y: L, F(last(inner(part(dd, pick(j)), c), y))) + 41*delta",
                using=("passed at p = pick(j)",),
            ),
            Line(
                "unlabelled",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB if nearD(d, dd) = 1: "
                "mean(j: J, c: C, y: L, F(last(inner(part(d, pick(j)), c), y))) "
                "<= exp(1)*mean(j: J, c: C, y: L, F(last(inner(part(dd, pick(j)), c), y))) + 41*delta",
                using=("mean of mean of at_j over c over j",),
            ),
        ),
        given=(
            _inner("exp(4)", "446*delta", "line: L46.proc"),
            *_sampling("1/100"),
            Given(
                "base",
                "for F(OUT) in Z[0, 1], x: DATA, xx: DATA: near_data(x, xx)*mean(y: L, F(last(x, y))) "
                "<= near_data(x, xx)*(exp(1)*mean(y: L, F(last(xx, y))) + 41*delta)",
                "line: L46.L0",
            ),
            Given(
                "kept",
                "for d: DB, dd: DB, p: PICK, c: C: "
                "nearD(d, dd) <= near_data(inner(part(d, p), c), inner(part(dd, p), c))",
                "definition: LabelBoostProcedure leaves D as it is",
            ),
        ),
        notation=(
            *_SUB_NAMES,
            ("C", "coins of the sampling of the other part, if any, and of LabelBoostProcedure"),
            ("L", "coins of L_{t-1}"),
            ("DATA", "databases of L_{t-1}"),
            ("inner", "LabelBoostProcedure on the sampled parts and D"),
            ("last", "L_{t-1}; A is last of inner"),
            ("nearD", "whether two databases differ in one entry of D"),
            ("near_data", "whether two databases of L_{t-1} differ in one entry at most"),
        ),
        says=("L_t is (1,41 delta)-DP: `(4/(3+e^4)) * 446 <= 41`, sampling ratio `100 >= 3+e^4`",),
        shows=("enough", "labelled", "unlabelled"),
    ),
    "C411.a": Derivation(
        "V in Z[1, inf); alpha_1 in (0, 1]; beta_1 in (0, 1]; Sb in [0, inf); Sc in [0, inf)",
        (
            Line(
                "a",
                "Sc >= (48/alpha_1)*V*log(14/(alpha_1*beta_1))",
                using=("step", "size"),
            ),
        ),
        given=(
            Given("step", "Sc = Sb/100", "definition: step 2c of alg-3"),
            Given("size", "Sb >= (4800/alpha_1)*V*log(14/(alpha_1*beta_1))", "result: beimel2015:clm-4.9"),
        ),
        notation=(("Sb", "#S_1^b"), ("Sc", "#S_1^c")),
        says=("`#S_1^c >= (48/alpha_1) V log(14/(alpha_1 beta_1))`",),
    ),
    "C411.b": Derivation(
        "a in (0, 1/20]; b in (0, 1/8]; V in Z[1, inf)",
        (
            Line(
                "b",
                "(48/(10*a))*(10*V*log(48*e/(10*a)) + log(5/b)) <= (48/a)*V*log(14/(a*b))",
                hints=(
                    "have log(1/a) >= 2",
                    "have log(1/b) >= 2",
                    "have V*log(1/b) >= log(1/b)",
                    "have log(5) <= 17/10",
                    "have log(48/10) + 1 <= log(14)",
                    "have 10*V*log(48*e/(10*a)) + log(5/b) <= 10*V*log(14/(a*b))",
                ),
            ),
        ),
        says=("`(48/(10 a))(10 V log(48e/(10 a))+log(5/b)) <= (48/a) V log(14/(a b))`",),
    ),
    "C411.c": Derivation(
        "N in Z[1, inf); set C of N; law P; out(P): C; es(C, P) in [0, 1]; emu(C) in [0, 1]; alpha_1 in (0, 1]; "
        "beta_1 in (0, 1]",
        (
            Line(
                "some",
                "for w: P, g: C: [emu(g) > 10*alpha_1 and es(g, w) <= alpha_1] "
                "<= largest(h: C, [emu(h) > 10*alpha_1 and es(h, w) <= alpha_1])",
                "largest",
            ),
            Line(
                "case",
                "for w: P, g: C: [emu(g) > 10*alpha_1] <= [es(g, w) > alpha_1] "
                "+ [emu(g) > 10*alpha_1 and es(g, w) <= alpha_1]",
            ),
            Line(
                "each",
                "for w: P: [emu(out(w)) > 10*alpha_1] <= [es(out(w), w) > alpha_1] "
                "+ largest(h: C, [emu(h) > 10*alpha_1 and es(h, w) <= alpha_1])",
                using=("case at g = out(w)", "some at g = out(w)"),
            ),
            Line(
                "c",
                "Pr(w: P, emu(out(w)) > 10*alpha_1) <= 2*beta_1",
                using=("mean of each over w", "obs", "thm"),
            ),
        ),
        given=(
            Given("obs", "Pr(w: P, es(out(w), w) > alpha_1) <= beta_1", "result: beimel2015:obs-4.7"),
            Given(
                "thm",
                "Pr(w: P, some(h: C, emu(h) > 10*alpha_1 and es(h, w) <= alpha_1)) <= beta_1",
                "result: beimel2015:thm-B.5",
            ),
        ),
        notation=(
            ("N", "#C"),
            ("P", "samples and coins"),
            ("out", "h_1"),
            ("es", "error on S_1^c, which c labels"),
            ("emu", "error_mu(c, h)"),
        ),
        says=("`Pr[error_mu(c,h_1) > 10 alpha_1] <= 2 beta_1`",),
    ),
    "C411.e": Derivation(
        "law P; law mu; h(P, Z, mu) in Z[0, 1]; alpha(Z) in (0, 1]; beta(Z) in (0, 1]; "
        "A(Z) in [0, inf); B(Z) in [0, inf)",
        (
            Line(
                "points",
                "for w: P, i in Z[1, inf), x: mu: abs(h(w, 0, x) - h(w, i + 1, x)) "
                "<= abs(h(w, 0, x) - h(w, i, x)) + abs(h(w, i, x) - h(w, i + 1, x))",
            ),
            Line(
                "triangle",
                f"for w: P, i in Z[1, inf): {_NEXT} <= {_OLD} + {_STEP}",
                using=("mean of points over x",),
            ),
            Line(
                "each",
                f"for w: P, i in Z[1, inf): [{_NEXT} > 10*A(i + 1)] "
                f"<= [{_OLD} > 10*A(i)] + [{_STEP} > 10*alpha(i + 1)]",
                using=("triangle", "A"),
            ),
            Line(
                "begin",
                "for w: P: [mean(x: mu, abs(h(w, 0, x) - h(w, 1, x))) > 10*A(1)] "
                "<= [mean(x: mu, abs(h(w, 0, x) - h(w, 1, x))) > 10*alpha(1)]",
                using=("A1",),
            ),
            Line(
                "start",
                "Pr(w: P, mean(x: mu, abs(h(w, 0, x) - h(w, 1, x))) > 10*A(1)) <= 2*B(1)",
                using=("one", "mean of begin over w", "B1"),
            ),
            Line(
                "next",
                f"for i in Z[1, inf) if Pr(w: P, {_OLD} > 10*A(i)) <= 2*B(i): "
                f"Pr(w: P, {_NEXT} > 10*A(i + 1)) <= 2*B(i + 1)",
                using=("mean of each over w", "loop", "B"),
            ),
            Line(
                "bound",
                f"for i in Z[1, inf): Pr(w: P, {_OLD} > 10*A(i)) <= 2*B(i)",
                "induction i",
                ("start", "next"),
            ),
            Line(
                "good",
                f"for w: P, i in Z[1, inf): 1 - [{_OLD} > 10*A(i)] - [{_STEP} > 10*alpha(i + 1)] "
                f"<= [{_OLD} + {_STEP} <= 10*A(i + 1)]",
                using=("A",),
            ),
            Line(
                "e",
                f"for i in Z[1, inf): Pr(w: P, {_OLD} + {_STEP} <= 10*A(i + 1)) >= 1 - 2*B(i + 1)",
                using=("mean of good over w", "bound", "loop", "B"),
            ),
        ),
        given=(
            Given(
                "one",
                "Pr(w: P, mean(x: mu, abs(h(w, 0, x) - h(w, 1, x))) > 10*alpha(1)) <= 2*beta(1)",
                "line: C411.c",
            ),
            Given(
                "loop",
                f"for i in Z[1, inf): Pr(w: P, {_STEP} > 10*alpha(i + 1)) <= 2*beta(i + 1)",
                "line: C411.c",
            ),
            Given("A1", "A(1) = alpha(1)", "definition: sums"),
            Given("B1", "B(1) = beta(1)", "definition: sums"),
            Given("A", "for i in Z[1, inf): A(i + 1) = A(i) + alpha(i + 1)", "definition: sums"),
            Given("B", "for i in Z[1, inf): B(i + 1) = B(i) + beta(i + 1)", "definition: sums"),
        ),
        notation=(
            ("P", "samples and coins"),
            ("mu", "mu"),
            ("h", "h(w, i, x): the label h_i(x), h_0 = c; h_N after the last iteration"),
            ("alpha", "alpha_i"),
            ("beta", "beta_i"),
            ("A", "A(i): the sum of alpha_j for j <= i"),
            ("B", "B(i): the sum of beta_j for j <= i"),
        ),
        says=(
            (
                "`error_mu(c,h_i) <= error_mu(c,h_{i-1})+error_mu(h_{i-1},h_i) <= 10 sum_{j<=i} alpha_j` "
                "with probability `>= 1-2 sum_{j<=i} beta_j`"
            ),
        ),
        shows=("triangle", "bound", "e"),
    ),
    "L412.a": Derivation(
        "n in Z[1, inf); S in Z[0, inf); S3 in Z[0, inf)",
        (
            Line("floor", "S3 >= floor(S/300) > n - 1", using=("size", "step")),
            Line("a", "S3 >= n", using=("floor",), hints=("integer S3 >= n",)),
        ),
        given=(
            Given("size", "S >= 300*n", "printed: #S >= 300n before step 3"),
            Given("step", "S3 >= floor(S/300)", "definition: step 3 of alg-3 keeps a part of 1/300, rounded or not"),
        ),
        notation=(("S", "#S"), ("S3", "#S^3")),
        says=("`#S^3 >= n`",),
    ),
    "L412.b": Derivation(
        "law P; law U; law coins; type LAW; type C; type S; alpha in (0, 1); beta in (0, 1); uniform(P): LAW; "
        "before(P): C; n in Z[1, inf); S3 in Z[0, inf); type LONG; drawn(LAW, C, U): LONG; first_n(LONG): S; "
        "type HYP; A(S, coins): HYP; err(LAW, C, HYP) in [0, 1]",
        (
            Line(
                "each",
                "for w: P: Pr(u: U, r: coins, "
                "err(uniform(w), before(w), A(first_n(drawn(uniform(w), before(w), u)), r)) > alpha) <= beta",
                using=("size", "ssl at mu = uniform(w), c = before(w)"),
            ),
            Line(
                "good",
                "for w: P, u: U, r: coins: "
                "[err(uniform(w), before(w), A(first_n(drawn(uniform(w), before(w), u)), r)) <= alpha] = "
                "1 - [err(uniform(w), before(w), A(first_n(drawn(uniform(w), before(w), u)), r)) > alpha]",
            ),
            Line(
                "b",
                "Pr(w: P, u: U, r: coins, "
                "err(uniform(w), before(w), A(first_n(drawn(uniform(w), before(w), u)), r)) <= alpha) >= 1 - beta",
                using=("mean of each over w", "mean of mean of mean of good over r over u over w"),
            ),
        ),
        given=(
            Given("size", "S3 >= n", "line: L412.a"),
            Given(
                "ssl",
                "for mu: LAW, c: C if S3 >= n: "
                "Pr(u: U, r: coins, err(mu, c, A(first_n(drawn(mu, c, u)), r)) > alpha) <= beta",
                "printed: A is an (alpha,beta,n,n)-SSL",
            ),
        ),
        notation=(
            ("S3", "#S^3"),
            ("LONG", "samples of #S^3 examples"),
            ("first_n", "n examples of a sample that has so many: A is run on them (alg-3)"),
            ("P", "what happens up to S^3 and h_N"),
            ("U", "the randomness of i.i.d. draws"),
            ("coins", "A's coins"),
            ("LAW", "laws of points"),
            ("uniform", "the uniform law on S^3"),
            ("before", "the concept h_N of C, by which S^3 is labelled"),
            ("drawn", "#S^3 i.i.d. draws from a law, labelled by a concept: S'"),
            ("C", "C"),
            ("HYP", "hypotheses"),
            ("err", "the error under a law, for a concept; under the uniform law on S^3 it is error_{S^3}"),
        ),
        says=("A(S') has `error_{S^3}(h_fin) <= alpha` with probability >= 1-beta",),
    ),
    "L412.e": Derivation(
        "alpha in (0, 1); beta in (0, 1); A(Z) in [0, inf); B(Z) in [0, inf)",
        (
            Line("a0", "A(0) = (alpha/10)*(1 - 2^(-0))", using=("A0",)),
            Line(
                "a1",
                "for k in Z[0, inf) if A(k) = (alpha/10)*(1 - 2^(-k)): A(k + 1) = (alpha/10)*(1 - 2^(-(k + 1)))",
                using=("A1",),
            ),
            Line("a", "for k in Z[0, inf): A(k) = (alpha/10)*(1 - 2^(-k))", "induction k", ("a0", "a1")),
            Line("b0", "B(0) = (beta/4)*(1 - 2^(-0))", using=("B0",)),
            Line(
                "b1",
                "for k in Z[0, inf) if B(k) = (beta/4)*(1 - 2^(-k)): B(k + 1) = (beta/4)*(1 - 2^(-(k + 1)))",
                using=("B1",),
            ),
            Line("b", "for k in Z[0, inf): B(k) = (beta/4)*(1 - 2^(-k))", "induction k", ("b0", "b1")),
            Line("betas", "for k in Z[0, inf): 2*B(k) <= beta/2", using=("b",)),
            Line("alphas", "for k in Z[0, inf): 10*A(k) <= alpha", using=("a",)),
        ),
        given=(
            Given("A0", "A(0) = 0", "definition: sums"),
            Given(
                "A1",
                "for k in Z[0, inf): A(k + 1) = A(k) + alpha/(10*2^(k + 1))",
                "printed: alpha_i=alpha/(10*2^i), beta_i=beta/(4*2^i)",
            ),
            Given("B0", "B(0) = 0", "definition: sums"),
            Given(
                "B1",
                "for k in Z[0, inf): B(k + 1) = B(k) + beta/(4*2^(k + 1))",
                "printed: alpha_i=alpha/(10*2^i), beta_i=beta/(4*2^i)",
            ),
        ),
        notation=(("A", "A(k): the sum of alpha_i for i <= k"), ("B", "B(k): the sum of beta_i for i <= k")),
        says=("`2 sum_i beta_i <= beta/2`, `10 sum_j alpha_j <= alpha`",),
        shows=("betas", "alphas"),
    ),
    "L412.f": Derivation(
        "law P; law mu; alpha in (0, 1); beta in (0, 1); c(mu) in Z[0, 1]; h(P, mu) in Z[0, 1]; f(P, mu) in Z[0, 1]; "
        "emp(P) in [0, 1]",
        (
            Line("points", "for w: P, x: mu: abs(c(x) - f(w, x)) <= abs(c(x) - h(w, x)) + abs(h(w, x) - f(w, x))"),
            Line(
                "triangle",
                "for w: P: mean(x: mu, abs(c(x) - f(w, x))) "
                "<= mean(x: mu, abs(c(x) - h(w, x))) + mean(x: mu, abs(h(w, x) - f(w, x)))",
                using=("mean of points over x",),
            ),
            Line(
                "numbers",
                "for d in [0, inf), u in [0, inf), v in [0, inf), g in [0, 1] if d <= u + v: "
                "[d > 10*alpha + alpha] <= [g > alpha] + [u > alpha] + [g <= alpha and v > 10*alpha]",
            ),
            Line(
                "each",
                "for w: P: [mean(x: mu, abs(c(x) - f(w, x))) > 10*alpha + alpha] "
                "<= [emp(w) > alpha] + [mean(x: mu, abs(c(x) - h(w, x))) > alpha] "
                "+ [emp(w) <= alpha and mean(x: mu, abs(h(w, x) - f(w, x))) > 10*alpha]",
                using=(
                    "triangle",
                    (
                        "numbers at d = mean(x: mu, abs(c(x) - f(w, x))), u = mean(x: mu, abs(c(x) - h(w, x))), "
                        "v = mean(x: mu, abs(h(w, x) - f(w, x))), g = emp(w)"
                    ),
                ),
            ),
            Line(
                "f",
                "Pr(w: P, mean(x: mu, abs(c(x) - f(w, x))) > 11*alpha) "
                "= Pr(w: P, mean(x: mu, abs(c(x) - f(w, x))) > 10*alpha + alpha) "
                "<= beta + beta/2 + beta/2 = 2*beta",
                using=("mean of each over w", "base", "before", "thm"),
            ),
        ),
        given=(
            Given("base", "Pr(w: P, emp(w) > alpha) <= beta", "line: L412.b"),
            Given("before", "Pr(w: P, mean(x: mu, abs(c(x) - h(w, x))) > alpha) <= beta/2", "line: L412.e"),
            Given(
                "thm",
                "Pr(w: P, emp(w) <= alpha and mean(x: mu, abs(h(w, x) - f(w, x))) > 10*alpha) <= beta/2",
                "line: L412.d",
            ),
        ),
        notation=(
            ("P", "samples and coins"),
            ("mu", "mu"),
            ("c", "the target"),
            ("h", "h_N"),
            ("f", "h_fin"),
            ("emp", "error_{S^3}(h_fin)"),
        ),
        says=("total error `10 alpha+alpha = 11 alpha`, total failure `beta+beta/2+beta/2 = 2 beta`",),
    ),
    "T414.priv": Derivation(
        "eps in (0, inf); r in (0, 1]; " + _SUB,
        (
            *_amplified("exp(1)", "41*delta", "r"),
            Line(
                "ratio",
                "1 + r*(exp(1) - 1) <= exp(eps)",
                using=("rate",),
                hints=("have r*(exp(1) - 1) <= min(eps, 1)", "have 1 + eps <= exp(eps)"),
            ),
            Line("grown", "for q in [0, 1]: (1 + r*(exp(1) - 1))*q <= exp(eps)*q", using=("ratio",)),
            Line(
                "shift",
                "r*(41*delta) <= 4*(min(eps, 1)/29)*(41*delta)/(3 + exp(1)) <= delta",
                using=("rate",),
                hints=("link 0: have r*(41*delta) <= (min(eps, 1)/29)/(3 + exp(1))*(41*delta)",),
            ),
            Line(
                "private_B",
                _EVENT + f"{_RUN.format('d')} <= exp(eps)*{_RUN.format('dd')} + delta",
                using=("amplified", f"grown at q = {_RUN.format('dd')}", "shift"),
            ),
        ),
        given=(
            _inner("exp(1)", "41*delta", "result: beimel2015:thm-4.13"),
            Given(
                "rate",
                "r <= (min(eps, 1)/29)/(3 + exp(1))",
                "printed: clm-4.3 may be applied with a smaller eps",
            ),
            *_sampling("r"),
        ),
        notation=(*_SUB_NAMES, ("r", "the rate n/t of clm-4.3 at min(eps, 1)/29 and eps* = 1")),
        says=("clm-4.3 (eps*=1) applied to thm-4.13 gives (eps,delta)-DP with the same delta",),
    ),
}

# Section 5 and the appendix

_FEW = "b(w) <= 9*alpha*n"
_RUNS = (
    "law W; q(W) in Z[0, 1]; b(W) in Z[0, inf); fails(W) in Z[0, 1]; "
    "alpha in (0, 1/9]; beta in (0, 1/4]; n in Z[1, inf)"
)
_RUN_NAMES = (
    ("W", "targets, samples and coins"),
    ("q", "whether A asks for a label of B"),
    ("fails", "whether A fails to be alpha-good"),
)
_ASKS = "n in Z[1, inf); set I of n; law S; law R; pick(S, I) in [0, 1]; "
_ASK_NAMES = (
    ("I", "the indices"),
    ("S", "samples, with their targets"),
    ("R", "A's coins"),
    ("ask", "ask(s, r, i): whether A asks for the label of index i"),
    ("pick", "pick(s, i): the probability that x* is entry i, 1/b for each of the b entries in B"),
)
_FEW_S = "total(k: I, inB(s, k)) <= 9*alpha*n"
_XSTAR = "mean(s: S, r: R, total(i: I, pick(s, i)*ask(s, r, i)))"
_XHAT = "mean(s: S, r: R, total(j: I, k: I, pick(s, k)*ask(swap(s, j, k), r, k))/n)"
_SWAPPED = Given("pick", "for s: S: total(k: I, pick(s, k)) = 1", "printed: given b >= 1")
_TWICE = "delta + delta*exp(es)"
_OUTSIDE = "mean(w: R, c: coins, F(A(part(dd, without(i, w)), c)))"
_PA_SETS = "eps in (0, inf); N in Z[1, inf); m in Z[1, inf); set H of N; set J of m; type DB; "
_LAST: dict[str, Derivation] = {
    "C411.d": Derivation(
        "V in Z[1, inf); a in (0, 1]; b in (0, 1]; Sb in [0, inf); Sc in [0, inf); law P; law J; law Q; type PTS; "
        "kept(P, J): PTS; row(Q): PTS; type ENT; type X; at(ENT): X; y(ENT) in Z[0, 1]; h(X) in Z[0, 1]; type PLACE; "
        "entry(PLACE): ENT",
        (
            Line(
                "iid",
                "for G(PTS) in [0, 1]: mean(w: P, j: J, G(kept(w, j))) = mean(v: Q, G(row(v)))",
                using=("mean of law over j",),
            ),
            Line("labels", "for k: PLACE: y(entry(k)) = h(at(entry(k)))", using=("relabelled at u = entry(k)",)),
            Line("size", "Sc = Sb/100 >= (48/a)*V*log(14/(a*b))", using=("step", "clm")),
        ),
        given=(
            Given(
                "law",
                "for G(PTS) in [0, 1], j: J: mean(w: P, G(kept(w, j))) = mean(v: Q, G(row(v)))",
                "definition: of i.i.d. points those at any given places are i.i.d.; J does not look at them",
            ),
            Given("relabelled", "for u: ENT: y(u) = h(at(u))", "definition: step 5 of alg-2, S is relabelled by h"),
            Given("step", "Sc = Sb/100", "definition: step 2c of alg-3"),
            Given("clm", "Sb >= (4800/a)*V*log(14/(a*b))", "result: beimel2015:clm-4.9"),
        ),
        notation=(
            ("Sb", "#S_i^b"),
            ("Sc", "#S_i^c"),
            ("a", "alpha_i"),
            ("b", "beta_i"),
            ("P", "i.i.d. points from mu"),
            ("J", "which places are kept"),
            ("Q", "as many points as are kept, i.i.d. from mu"),
            ("row", "these points, in a row"),
            ("PTS", "rows of points"),
            ("kept", "the points that are kept"),
            ("ENT", "entries of S"),
            ("X", "X"),
            ("at", "the point of an entry"),
            ("y", "the label of an entry"),
            ("h", "h_{i-1}"),
            ("PLACE", "places of S_i^c"),
            ("entry", "the entry of S at a place of S_i^c"),
        ),
        says=(
            (
                "S_i^c: i.i.d. from mu, labelled by h_{i-1}; "
                "`#S_i^c = #S_i^b/100 >= (48/alpha_i) V log(14/(alpha_i beta_i))`"
            ),
        ),
        shows=("iid", "labels", "size"),
    ),
    "T56.n": Derivation(
        "law S; law L; law coins; type DB; type BIG; type OUT; A(DB, coins): OUT; near(DB, DB) in Z[0, 1]; "
        "near_big(BIG, BIG) in Z[0, 1]; cut(BIG): DB; long(L): BIG; short(S): DB; bad(OUT) in Z[0, 1]; "
        "eps in (0, inf); delta in [0, 1]; alpha in (0, 1); beta in (0, 1); n in Z[1, inf); big in Z[1, inf)",
        (
            Line(
                "private",
                "for F(OUT) in Z[0, 1], d: BIG, dd: BIG if near_big(d, dd) = 1: "
                "mean(c: coins, F(A(cut(d), c))) <= exp(eps)*mean(c: coins, F(A(cut(dd), c))) + delta",
                using=("tpal at d = cut(d), dd = cut(dd)", "first"),
            ),
            Line(
                "useful",
                "mean(w: L, c: coins, bad(A(cut(long(w)), c))) <= beta",
                using=("law at G(d) = mean(c: coins, bad(A(d, c)))", "good"),
            ),
            Line("size", "big >= (100/alpha^2)*log(1/(alpha*beta))", using=("large",)),
        ),
        given=(
            Given(
                "tpal",
                "for F(OUT) in Z[0, 1], d: DB, dd: DB: near(d, dd)*mean(c: coins, F(A(d, c))) "
                "<= near(d, dd)*(exp(eps)*mean(c: coins, F(A(dd, c))) + delta)",
                "result: beimel2015:def-5.4",
            ),
            Given("good", "mean(w: S, c: coins, bad(A(short(w), c))) <= beta", "result: beimel2015:def-5.4"),
            Given(
                "first",
                "for d: BIG, dd: BIG: near_big(d, dd) <= near(cut(d), cut(dd))",
                "definition: the first entries differ in one at most",
            ),
            Given(
                "law",
                "for G(DB) in [0, 1]: mean(w: L, G(cut(long(w)))) = mean(w: S, G(short(w)))",
                "definition: the first entries of a longer i.i.d. sample are an i.i.d. sample",
            ),
            Given(
                "large", "big >= max(n, (100/alpha^2)*log(1/(alpha*beta)))", "definition: as many entries as one likes"
            ),
        ),
        notation=(
            ("S", "i.i.d. samples of n entries"),
            ("L", "longer ones"),
            ("coins", "A's coins"),
            ("DB", "samples of n entries"),
            ("BIG", "longer samples"),
            ("OUT", "outputs with transcripts"),
            ("near", "whether samples differ in one entry at most"),
            ("near_big", "whether longer samples differ in one entry"),
            ("cut", "the first n entries: the longer learner runs A on them, with the same m"),
            ("long", "the longer sample"),
            ("short", "the sample"),
            ("bad", "whether the hypothesis is not alpha-good"),
            ("A", "A"),
            ("big", "the longer learner's number of entries"),
        ),
        says=("wlog `n >= (100/alpha^2) ln(1/(alpha beta))`",),
        shows=("private", "useful", "size"),
    ),
    "T56.c1": Derivation(
        _RUNS + "; silent in (0, 1]",
        (
            Line("each", "for w: W: [not q(w) and fails(w)] <= fails(w)"),
            Line(
                "c1",
                "beta >= Pr(w: W, fails(w)) >= Pr(w: W, not q(w) and fails(w)) "
                "= silent*(Pr(w: W, not q(w) and fails(w))/silent) >= (3/4)*silent",
                using=("mean of each over w", "learner", "given"),
            ),
        ),
        given=(
            Given("silent", "silent = Pr(w: W, not q(w))", "definition: the probability that is conditioned on"),
            Given("learner", "Pr(w: W, fails(w)) <= beta", "result: beimel2015:def-5.4"),
            Given("given", "Pr(w: W, not q(w) and fails(w))/silent >= 3/4", "line: T56.34"),
        ),
        notation=(*_RUN_NAMES, ("silent", "Pr[no query in B]; where it is 0 there is nothing to show")),
        says=(
            (
                "`beta >= Pr[A fails] >= Pr[no query in B and fails] = Pr[no query in B] Pr[fails | no query in B] "
                ">= (3/4) Pr[no query in B]`"
            ),
        ),
    ),
    "T56.c2": Derivation(
        _RUNS + "; few in (0, 1]",
        (
            Line("each", f"for w: W: [not q(w) and {_FEW}] <= [not q(w)]"),
            Line("less", f"for w: W: [not q(w) and {_FEW}] <= [{_FEW}]"),
            Line("positive", f"for w: W: 0 <= [not q(w) and {_FEW}]"),
            Line(
                "c2",
                f"(3/4)*Pr(w: W, not q(w)) >= few*(Pr(w: W, not q(w) and {_FEW})/few)*(3/4) "
                f">= (9/16)*(Pr(w: W, not q(w) and {_FEW})/few)",
                using=("mean of each over w", "few", "size", "mean of positive over w"),
                hints=(),
            ),
        ),
        given=(
            Given("few", f"few = Pr(w: W, {_FEW})", "definition: the probability that is conditioned on"),
            Given("size", "few >= 1 - beta", "line: T56.b"),
        ),
        notation=(*_RUN_NAMES, ("few", "Pr[b<=9 alpha n]")),
        says=(
            "`>= Pr[b<=9 alpha n] Pr[no query in B | b<=9 alpha n] (3/4) >= (9/16) Pr[no query in B | b<=9 alpha n]`",
        ),
    ),
    "T56.c3": Derivation(
        _RUNS + "; few in (0, 1]",
        (
            Line("each", f"for w: W: [q(w) and {_FEW}] = [{_FEW}] - [not q(w) and {_FEW}]"),
            Line(
                "rest",
                f"Pr(w: W, q(w) and {_FEW}) = few - Pr(w: W, not q(w) and {_FEW})",
                using=("mean of each over w", "few"),
            ),
            Line(
                "c3",
                f"Pr(w: W, q(w) and {_FEW})/few >= 1 - (16/9)*beta",
                using=("rest", "before"),
            ),
        ),
        given=(
            Given("few", f"few = Pr(w: W, {_FEW})", "definition: the probability that is conditioned on"),
            Given("before", f"beta >= (9/16)*(Pr(w: W, not q(w) and {_FEW})/few)", "line: T56.c2"),
        ),
        notation=(*_RUN_NAMES, ("few", "Pr[b<=9 alpha n]")),
        says=("`Pr[query in B | b<=9 alpha n] >= 1-(16/9) beta`",),
    ),
    "T56.star": Derivation(
        _ASKS + "ask(S, R, I) in Z[0, 1]; alpha in (0, 1/9]; beta in (0, 1/4]; few in (0, 1]; inB(S, I) in Z[0, 1]",
        (
            Line(
                "each",
                f"for s: S, r: R, i: I: [{_FEW_S}]*inB(s, i)*ask(s, r, i) "
                f"<= 9*alpha*n*[{_FEW_S}]*pick(s, i)*ask(s, r, i)",
                using=("uniform",),
            ),
            Line(
                "some",
                "for s: S, r: R: largest(i: I, inB(s, i)*ask(s, r, i)) <= total(i: I, inB(s, i)*ask(s, r, i))",
                "sum",
            ),
            Line(
                "both",
                f"for s: S, r: R: [{_FEW_S}]*largest(i: I, inB(s, i)*ask(s, r, i)) "
                f"<= [{_FEW_S}]*total(i: I, inB(s, i)*ask(s, r, i))",
                using=("some",),
            ),
            Line(
                "joint",
                f"Pr(s: S, r: R, {_FEW_S} and some(i: I, inB(s, i) and ask(s, r, i))) "
                f"<= 9*alpha*n*mean(s: S, r: R, [{_FEW_S}]*total(i: I, pick(s, i)*ask(s, r, i)))",
                using=("mean of mean of both over r over s", "mean of mean of total of each over i over r over s"),
            ),
            Line(
                "less",
                f"for s: S, r: R: [{_FEW_S}]*total(i: I, pick(s, i)*ask(s, r, i)) "
                "<= total(i: I, pick(s, i)*ask(s, r, i))",
            ),
            Line(
                "numbers",
                "for f in (0, 1], j in [0, 1], x in [0, inf) "
                "if j <= 9*alpha*n*x, j/f >= 1 - (16/9)*beta, f >= 1 - beta: "
                "f*(x/f) >= (1 - beta)*(1 - (16/9)*beta)/(9*alpha*n) >= (1 - (25/9)*beta)/(9*alpha*n)",
                hints=(
                    "have j >= f*(1 - (16/9)*beta)",
                    "have f*(1 - (16/9)*beta) >= (1 - beta)*(1 - (16/9)*beta)",
                    "have 9*alpha*n*x >= (1 - beta)*(1 - (16/9)*beta)",
                ),
            ),
            Line(
                "star",
                f"{_XSTAR} >= few*(mean(s: S, r: R, [{_FEW_S}]*total(i: I, pick(s, i)*ask(s, r, i)))/few) "
                ">= (1 - beta)*(1 - (16/9)*beta)/(9*alpha*n) >= (1 - (25/9)*beta)/(9*alpha*n)",
                using=(
                    "mean of mean of less over r over s",
                    "joint",
                    "c3",
                    "size",
                    (
                        f"numbers at f = few, j = Pr(s: S, r: R, {_FEW_S} and some(i: I, inB(s, i) and ask(s, r, i))), "
                        f"x = mean(s: S, r: R, [{_FEW_S}]*total(i: I, pick(s, i)*ask(s, r, i)))"
                    ),
                ),
            ),
        ),
        given=(
            Given(
                "uniform", "for s: S, i: I: pick(s, i)*total(k: I, inB(s, k)) = inB(s, i)", "definition: x* is uniform"
            ),
            Given("size", "few >= 1 - beta", "line: T56.b"),
            Given(
                "c3",
                f"Pr(s: S, r: R, {_FEW_S} and some(i: I, inB(s, i) and ask(s, r, i)))/few >= 1 - (16/9)*beta",
                "line: T56.c3",
            ),
        ),
        notation=(*_ASK_NAMES, ("few", "Pr[b<=9 alpha n]"), ("inB", "whether entry i is in B; their number is b")),
        says=(
            (
                "`Pr[A(S) asks x*] >= Pr[b<=9 alpha n] Pr[A(S) asks x* | b<=9 alpha n] "
                ">= (1-beta)(1-(16/9)beta)/(9 alpha n) >= (1-(25/9)beta)/(9 alpha n)`"
            ),
        ),
    ),
    "T56.swap": Derivation(
        _ASKS + "ask(S, R, I) in Z[0, 1]; m in Z[0, inf); swap(S, I, I): S",
        (
            Line(
                "moved",
                "for G(S, I) in [0, 1], s: S, j: I, k: I: pick(s, k)*G(swap(s, j, k), k) "
                "= pick(swap(s, j, k), j)*G(swap(s, j, k), k)",
                using=("follows",),
            ),
            Line(
                "at",
                "for G(S, I) in [0, 1], j: I, k: I: mean(s: S, pick(swap(s, j, k), j)*G(swap(s, j, k), k)) "
                "= mean(s: S, pick(s, j)*G(s, k))",
                using=("exchangeable at g(s) = pick(s, j)*G(s, k)",),
            ),
            Line(
                "one",
                "for G(S, I) in [0, 1], s: S, k: I: total(j: I, pick(s, j))*G(s, k) = G(s, k)",
                using=("pick",),
            ),
            Line(
                "law",
                "for G(S, I) in [0, 1]: mean(s: S, total(j: I, k: I, pick(s, k)*G(swap(s, j, k), k))/n) "
                "= mean(s: S, total(k: I, G(s, k))/n)",
                using=(
                    "total of total of mean of moved over s over j over k",
                    "total of total of at over j over k",
                    "mean of total of one over k over s",
                ),
            ),
            Line(
                "asked",
                f"{_XHAT} <= m/n",
                using=("law at G(s, k) = mean(r: R, ask(s, r, k))", "mean of mean of rounds over r over s"),
            ),
        ),
        given=(
            Given(
                "exchangeable",
                "for g(S) in [0, 1], j: I, k: I: mean(s: S, g(swap(s, j, k))) = mean(s: S, g(s))",
                "definition: i.i.d. entries may be exchanged",
            ),
            Given(
                "follows",
                "for s: S, j: I, k: I: pick(s, k) = pick(swap(s, j, k), j)",
                "definition: 1/b for the entries in B, wherever they are",
            ),
            _SWAPPED,
            Given("rounds", "for s: S, r: R: total(k: I, ask(s, r, k)) <= m", "result: beimel2015:def-5.1"),
        ),
        notation=(*_ASK_NAMES, ("m", "m"), ("swap", "the sample with the entries j and k exchanged: x^ is at k then")),
        says=("swapping x* with a uniformly random x^: S' ~ P, x^ uniform in S'; `Pr[A(S') asks x^] <= m/n`",),
        shows=("law", "asked"),
    ),
    "T56.dp": Derivation(
        _ASKS + "eps in [0, inf); delta in [0, 1]; swap(S, I, I): S; mid(S, I, I): S; near(S, S) in Z[0, 1]; "
        "type OUT; A(S, R): OUT; asks(OUT, I) in Z[0, 1]",
        (
            Line(
                "one",
                "for s: S, j: I, k: I: mean(r: R, asks(A(s, r), k)) "
                "<= exp(eps)*mean(r: R, asks(A(mid(s, j, k), r), k)) + delta",
                using=("two", "private at d = s, dd = mid(s, j, k), F(o) = asks(o, k)"),
            ),
            Line(
                "other",
                "for s: S, j: I, k: I: mean(r: R, asks(A(mid(s, j, k), r), k)) "
                "<= exp(eps)*mean(r: R, asks(A(swap(s, j, k), r), k)) + delta",
                using=("two", "private at d = mid(s, j, k), dd = swap(s, j, k), F(o) = asks(o, k)"),
            ),
            Line(
                "numbers",
                "for p in [0, 1], u in [0, 1], q in [0, 1] if p <= exp(eps)*u + delta, u <= exp(eps)*q + delta: "
                "q >= exp(-2*eps)*p - delta*(1 + exp(-eps))",
                hints=(
                    "have exp(-eps)*(exp(eps)*u + delta - p) >= 0",
                    "have u >= exp(-eps)*p - exp(-eps)*delta",
                    "have exp(-eps)*(exp(eps)*q + delta - u) >= 0",
                    "have q >= exp(-eps)*u - exp(-eps)*delta",
                    "have exp(-eps)*(u - exp(-eps)*p + exp(-eps)*delta) >= 0",
                    "have exp(-2*eps)*delta <= delta",
                ),
            ),
            Line(
                "each",
                "for s: S, j: I, k: I: mean(r: R, asks(A(swap(s, j, k), r), k)) "
                ">= exp(-2*eps)*mean(r: R, asks(A(s, r), k)) - delta*(1 + exp(-eps))",
                using=(
                    "one",
                    "other",
                    (
                        "numbers at p = mean(r: R, asks(A(s, r), k)), u = mean(r: R, asks(A(mid(s, j, k), r), k)), "
                        "q = mean(r: R, asks(A(swap(s, j, k), r), k))"
                    ),
                ),
            ),
            Line(
                "weighted",
                "for s: S, j: I, k: I: pick(s, k)*mean(r: R, asks(A(swap(s, j, k), r), k)) "
                ">= exp(-2*eps)*pick(s, k)*mean(r: R, asks(A(s, r), k)) - delta*(1 + exp(-eps))*pick(s, k)",
                using=("each",),
            ),
            Line(
                "dp",
                "mean(s: S, r: R, total(j: I, k: I, pick(s, k)*asks(A(swap(s, j, k), r), k))/n) "
                ">= exp(-2*eps)*mean(s: S, r: R, total(k: I, pick(s, k)*asks(A(s, r), k))) - delta*(1 + exp(-eps))",
                using=("mean of total of total of weighted over k over j over s", "mean of pick over s"),
            ),
        ),
        given=(
            Given(
                "private",
                "for F(OUT) in Z[0, 1], d: S, dd: S: near(d, dd)*mean(r: R, F(A(d, r))) "
                "<= near(d, dd)*(exp(eps)*mean(r: R, F(A(dd, r))) + delta)",
                "result: beimel2015:def-5.4",
            ),
            Given(
                "two",
                "for s: S, j: I, k: I: near(s, mid(s, j, k))*near(mid(s, j, k), swap(s, j, k)) = 1",
                "printed: S,S' differ in <= 2 entries, same index",
            ),
            Given("pick", "for s: S: total(k: I, pick(s, k)) = 1", "line: T56.swap"),
        ),
        notation=(
            *(name for name in _ASK_NAMES if name[0] != "ask"),
            ("swap", "S': the sample with the entries j and k exchanged"),
            ("mid", "the sample with the first of the two entries exchanged"),
            ("near", "whether two samples differ in one entry at most"),
            ("OUT", "outputs with transcripts"),
            ("asks", "asks(o, k): whether the transcript asks for index k, that of x* in S and of x^ in S'"),
        ),
        says=("`Pr[A(S') asks x^] >= e^{-2 eps} Pr[A(S) asks x*] - delta(1+e^{-eps})`",),
    ),
    "T56.fin": Derivation(
        "n in Z[1, inf); m in Z[0, inf); eps in [0, inf); delta in [0, 1]; alpha in (0, 1/9]; beta in (0, 1/4]; law W; "
        "star(W) in Z[0, 1]; hat(W) in Z[0, 1]",
        (
            Line(
                "grown",
                "exp(-2*eps)*Pr(w: W, star(w)) >= exp(-2*eps)*((1 - (25/9)*beta)/(9*alpha*n))",
                using=("star",),
            ),
            Line(
                "fin",
                "m/n >= exp(-2*eps)*((1 - (25/9)*beta)/(9*alpha*n)) - delta*(1 + exp(-eps))",
                using=("swap", "dp", "grown"),
            ),
        ),
        given=(
            Given("swap", "Pr(w: W, hat(w)) <= m/n", "line: T56.swap"),
            Given(
                "dp",
                "Pr(w: W, hat(w)) >= exp(-2*eps)*Pr(w: W, star(w)) - delta*(1 + exp(-eps))",
                "line: T56.dp",
            ),
            Given("star", "Pr(w: W, star(w)) >= (1 - (25/9)*beta)/(9*alpha*n)", "line: T56.star"),
        ),
        notation=(
            ("W", "targets, samples, exchanges and coins"),
            ("star", "whether A(S) asks x*"),
            ("hat", "whether A(S') asks x^"),
        ),
        says=("`m/n >= e^{-2 eps} (1-(25/9)beta)/(9 alpha n) - delta(1+e^{-eps})`",),
    ),
    "C57.util": Derivation(
        "law P; law J; law Q; law coins; type DATA; type HYP; kept(P, J): DATA; fresh(Q): DATA; A(DATA, coins): HYP; "
        "err(HYP) in [0, 1]; alpha in (0, 1); beta in (0, 1)",
        (
            Line(
                "iid",
                "for G(DATA) in [0, 1]: mean(s: P, j: J, G(kept(s, j))) = mean(v: Q, G(fresh(v)))",
                using=("mean of law over j",),
            ),
            Line(
                "useful",
                "Pr(s: P, j: J, c: coins, err(A(kept(s, j), c)) > alpha) <= beta",
                using=("iid at G(y) = mean(c: coins, [err(A(y, c)) > alpha])", "ssl"),
            ),
        ),
        given=(
            Given(
                "law",
                "for G(DATA) in [0, 1], j: J: mean(s: P, G(kept(s, j))) = mean(v: Q, G(fresh(v)))",
                "definition: of i.i.d. entries those at any n given places are i.i.d.; J, K are chosen before",
            ),
            Given(
                "ssl",
                "Pr(v: Q, c: coins, err(A(fresh(v), c)) > alpha) <= beta",
                "result: beimel2015:def-2.3",
            ),
        ),
        notation=(
            ("P", "t i.i.d. points from mu"),
            ("J", "the choice of J, K"),
            ("Q", "n i.i.d. points from mu"),
            ("coins", "A's coins"),
            ("DATA", "n points, m of them labelled by the target"),
            ("HYP", "hypotheses"),
            ("kept", "D_J"),
            ("fresh", "n points, m of them labelled"),
            ("err", "the error of a hypothesis"),
        ),
        says=("D_J: n i.i.d. from mu, m of them labelled; utility (alpha,beta)",),
        shows=("iid", "useful"),
    ),
    "C57.eq": Derivation(
        "type IDX; type DB; type PART; type OUT; law J; law coins; part(DB, J): PART; A(PART, coins): OUT; "
        "adj(IDX, DB, DB) in Z[0, 1]; has(IDX, J) in Z[0, 1]; out in (0, 1]",
        (
            Line(
                "each",
                "for F(OUT) in Z[0, 1], i: IDX, d: DB, dd: DB, j: J, c: coins if adj(i, d, dd) = 1: "
                "[F(A(part(d, j), c)) and not has(i, j)] = [F(A(part(dd, j), c)) and not has(i, j)]",
                using=("same",),
            ),
            Line(
                "eq",
                "for F(OUT) in Z[0, 1], i: IDX, d: DB, dd: DB if adj(i, d, dd) = 1: "
                "Pr(j: J, c: coins, F(A(part(d, j), c)) and not has(i, j))/out "
                "= Pr(j: J, c: coins, F(A(part(dd, j), c)) and not has(i, j))/out",
                using=("mean of mean of each over c over j",),
            ),
        ),
        given=(
            Given(
                "same",
                "for F(OUT) in Z[0, 1], i: IDX, d: DB, dd: DB, j: J, c: coins: "
                "adj(i, d, dd)*(1 - has(i, j))*F(A(part(d, j), c)) "
                "= adj(i, d, dd)*(1 - has(i, j))*F(A(part(dd, j), c))",
                "definition: without i, D_J and D'_J are the same",
            ),
            Given("out", "for i: IDX: out = Pr(j: J, not has(i, j))", "definition: the probability conditioned on"),
        ),
        notation=(
            ("IDX", "indices"),
            ("DB", "databases"),
            ("PART", "databases of n entries"),
            ("OUT", "outputs"),
            ("coins", "A's coins"),
            ("part", "D_J"),
            ("adj", "whether two databases differ in entry i only"),
            ("has", "whether i is in J"),
            ("out", "Pr[i notin J]"),
        ),
        says=("`Pr[A(D_J) in F | i notin J] = Pr[A(D'_J) in F | i notin J]`",),
    ),
    "C57.count": Derivation(
        "t in Z[2, inf); n in Z[1, inf); M in Z[1, inf); set I of t; " + SETS,
        (
            *ONE_MORE,
            *counted("t", ", i: I"),
            Line(
                "is_above",
                f"for r: P, q: P, i: I if size(r) = n - 1, has(r, i) = 0: "
                f"{_ABOVE} = total(j: I, {EXTRA}*(1 - same(j, i)))",
                using=("added",),
            ),
            Line(
                "above",
                f"for r: P, i: I if size(r) = n - 1, has(r, i) = 0: total(q: P, {_ABOVE}) = t - n",
                using=("total of is_above over q", "all_above"),
            ),
            Line(
                "is_below",
                f"for r: P, q: P, i: I if size(q) = n, has(q, i) = 0: {_BELOW} = total(j: I, {EXTRA})",
                using=("removed", "without"),
            ),
            Line(
                "below",
                f"for q: P, i: I if size(q) = n, has(q, i) = 0: total(r: P, {_BELOW}) = n",
                using=("total of is_below over r", "all_below"),
            ),
        ),
        given=SETS_ARE,
        notation=(
            ("M", "the number of sets of indices"),
            ("I", "the indices 1, ..., t"),
            ("P", "the sets of indices"),
            ("has", "has(s, l): whether l is in s"),
            ("same", "whether two indices are one"),
            ("is", "whether two sets are one"),
            ("sub", "sub(r, q): whether r is a subset of q"),
            ("size", "the number of members"),
            ("plus", "plus(r, j): r with j"),
            ("minus", "minus(q, j): q without j"),
        ),
        says=(
            "for each R (#R=n-1, i notin R) exactly t-n sets Q with R subset Q, #Q=n, i notin Q",
            "each Q arises from exactly n sets R",
        ),
        shows=("above", "below"),
    ),
    "C57.two": Derivation(
        "t in Z[2, inf); set I of t; in_R(I) in Z[0, 1]; first(I) in Z[0, 1]; edge(I) in Z[0, 1]; "
        "before_i(I) in Z[0, 1]; before_j(I) in Z[0, 1]; lab_i(I) in Z[0, 1]; lab_j(I) in Z[0, 1]; es in [0, inf); "
        "delta in [0, 1]; type DATA; point x: DATA; point y: DATA; point mid: DATA; law coins; type OUT; "
        "A(DATA, coins): OUT; near(DATA, DATA) in Z[0, 1]",
        (
            Line("each", "for l: I: in_R(l)*abs(lab_i(l) - lab_j(l)) <= in_R(l)*edge(l)", using=("i", "j")),
            Line(
                "differ",
                "total(l: I, in_R(l)*abs(lab_i(l) - lab_j(l))) + 1 <= 2",
                using=("total of each over l", "one"),
            ),
            Line("steps", "near(x, mid)*near(mid, y) = 1", using=("differ", "between")),
            Line(
                "out",
                "for F(OUT) in Z[0, 1]: mean(c: coins, F(A(x, c))) <= exp(es)*mean(c: coins, F(A(mid, c))) + delta",
                using=("steps", "private at d = x, dd = mid"),
            ),
            Line(
                "back",
                "for F(OUT) in Z[0, 1]: mean(c: coins, F(A(mid, c))) <= exp(es)*mean(c: coins, F(A(y, c))) + delta",
                using=("steps", "private at d = mid, dd = y"),
            ),
            Line(
                "numbers",
                "for p in [0, 1], u in [0, 1], q in [0, 1] if p <= exp(es)*u + delta, u <= exp(es)*q + delta: "
                "p <= exp(2*es)*q + delta + delta*exp(es)",
                hints=("have exp(es)*u <= exp(es)*(exp(es)*q + delta)",),
            ),
            Line(
                "two",
                "for F(OUT) in Z[0, 1]: mean(c: coins, F(A(x, c))) "
                "<= exp(2*es)*mean(c: coins, F(A(y, c))) + delta + delta*exp(es)",
                using=(
                    "out",
                    "back",
                    (
                        "numbers at p = mean(c: coins, F(A(x, c))), u = mean(c: coins, F(A(mid, c))), "
                        "q = mean(c: coins, F(A(y, c)))"
                    ),
                ),
            ),
        ),
        given=(
            Given(
                "i",
                "for l: I: in_R(l)*lab_i(l) = in_R(l)*(first(l) + (1 - first(l))*edge(l)*(1 - before_i(l)))",
                "definition: the m smallest of R u {i}",
            ),
            Given(
                "j",
                "for l: I: in_R(l)*lab_j(l) = in_R(l)*(first(l) + (1 - first(l))*edge(l)*(1 - before_j(l)))",
                "definition: the m smallest of Q = R u {j}",
            ),
            Given("one", "total(l: I, in_R(l)*edge(l)) <= 1", "definition: one index is the m-th of R"),
            Given(
                "between",
                "if total(l: I, in_R(l)*abs(lab_i(l) - lab_j(l))) + 1 <= 2: near(x, mid)*near(mid, y) = 1",
                "definition: one entry is exchanged at a time",
            ),
            Given(
                "private",
                "for F(OUT) in Z[0, 1], d: DATA, dd: DATA: near(d, dd)*mean(c: coins, F(A(d, c))) "
                "<= near(d, dd)*(exp(es)*mean(c: coins, F(A(dd, c))) + delta)",
                "definition: A is (eps*, delta)-DP",
            ),
        ),
        notation=(
            ("t", "the number of indices"),
            ("I", "the indices"),
            ("in_R", "whether an index is in R"),
            ("first", "whether it is one of the first m - 1 of R"),
            ("edge", "whether it is the m-th of R"),
            ("before_i", "whether i is before it"),
            ("before_j", "whether j is before it"),
            ("lab_i", "whether its label is in D_{R u {i}}"),
            (
                "lab_j",
                "whether its label is in D_Q, Q = R u {j}; the total and 1, for i and j, is how many entries differ",
            ),
            ("es", "eps*; E = exp(2 eps*)"),
            ("DATA", "databases of n entries"),
            ("x", "D_{R u {i}}"),
            ("y", "D_Q"),
            ("mid", "the database with the first of the two entries exchanged"),
            ("coins", "A's coins"),
            ("OUT", "outputs"),
            ("near", "whether two databases, as multisets, differ in one entry at most"),
        ),
        says=(
            (
                "D_Q and D_{R u {i}} differ in at most two entries; "
                "`Pr[A(D_{R u i}) in F] <= E Pr[A(D_Q) in F]+delta+delta e^{eps*}`"
            ),
        ),
        shows=("differ", "two"),
    ),
    "C57.sum": Derivation(
        "t in Z[2, inf); n in Z[1, inf); E in [1, inf); p in [0, 1]; delta in [0, 1]; es in [0, inf); out in [0, 1]",
        (
            Line(
                "numbers",
                "if n < t: (n/(t - n))*((t - n)/t)*(E*p + delta + delta*exp(es)) "
                "= (n/t)*E*p + (n/t)*(1 + exp(es))*delta",
            ),
            Line(
                "sum",
                "(n/(t - n))*out*(E*p + delta + delta*exp(es)) = (n/t)*E*p + (n/t)*(1 + exp(es))*delta",
                using=("large", "numbers", "out"),
            ),
        ),
        given=(
            Given("large", "n < t", "printed: t > n"),
            Given("out", "out = (t - n)/t", "printed: Pr[i notin J]=(t-n)/t"),
        ),
        notation=(("es", "eps*"), ("out", "Pr[i notin J]")),
        says=("`(n/(t-n)) Pr[i notin J] (E p+delta+delta e^{eps*}) = (n/t) E p + (n/t)(1+e^{eps*}) delta`",),
    ),
    "C57.up": Derivation(
        "t in Z[2, inf); n in Z[1, inf); E in [1, inf); es in [0, inf); " + _SUB,
        (
            Line(
                "parts",
                _EVENT + f"{_M.format('d', 'within')} <= E*{_OUTSIDE} + {_TWICE}",
                using=("mean of two over w",),
            ),
            Line(
                "same",
                _EACH + f"{_P.format('d', 'without')} <= {_P.format('dd', 'without')}",
                using=("apart at G(s) = mean(c: coins, F(A(s, c)))",),
            ),
            Line("rate", "n/t + (t - n)/t = 1"),
            Line("between", "0 <= n/t <= 1", using=("large",)),
            Line(
                "split",
                _EVENT + f"{_RUN.format('d')} <= (n/t)*{_M.format('d', 'within')} + (1 - n/t)*{_OUTSIDE}",
                using=("law at G(p) = mean(c: coins, F(A(part(d, p), c)))", "mean of same over w", "between"),
            ),
            Line(
                "up",
                _EVENT + f"{_RUN.format('d')} <= ((n/t)*E + (t - n)/t)*{_OUTSIDE} + (n/t)*(1 + exp(es))*delta",
                using=("split", "parts", "rate", "between"),
            ),
        ),
        given=(
            Given("large", "n < t", "line: C57.sum"),
            Given(
                "two",
                _EACH + f"{_P.format('d', 'within')} <= E*{_P.format('dd', 'without')} + {_TWICE}",
                "line: C57.two",
            ),
            *(given for given in _sampling("n/t") if given.name in ("law", "apart")),
        ),
        notation=(*_SUB_NAMES, ("es", "eps*")),
        says=("`Pr[SubSampling(D) in F] <= ((n/t)E+(t-n)/t) p+(n/t)(1+e^{eps*})delta`",),
    ),
    "C57.lo": Derivation(
        "t in Z[2, inf); n in Z[1, inf); es in [0, inf); " + _SUB,
        (
            Line(
                "numbers",
                "for x in [1, inf), p in [0, 1], q in [0, 1] if p <= x^2*q + (1 + x)*delta: q >= p/x^2 - 2*delta",
                hints=("have (1 + x)*delta <= 2*x^2*delta", "have p/x^2 <= q + 2*delta"),
            ),
            Line(
                "parts",
                "for F(OUT) in Z[0, 1], i: IDX, dd: DB: "
                f"{_OUTSIDE} <= exp(es)^2*{_M.format('dd', 'within')} + (1 + exp(es))*delta",
                using=("mean of two over w",),
            ),
            Line("grown", "exp(es) >= 1"),
            Line(
                "low",
                f"for F(OUT) in Z[0, 1], i: IDX, dd: DB: {_M.format('dd', 'within')} >= {_OUTSIDE}/exp(es)^2 - 2*delta",
                using=(
                    "parts",
                    "grown",
                    f"numbers at x = exp(es), p = {_OUTSIDE}, q = {_M.format('dd', 'within')}",
                ),
            ),
            Line("rate", "n/t + (t - n)/t = 1"),
            Line("square", "exp(es)^2 = exp(2*es)"),
            Line(
                "lo",
                "for F(OUT) in Z[0, 1], i: IDX, dd: DB: "
                f"{_RUN.format('dd')} >= ((n/t)/exp(es)^2 + (t - n)/t)*{_OUTSIDE} - (n/t)*2*delta",
                using=("law at G(p) = mean(c: coins, F(A(part(dd, p), c)))", "low", "rate"),
            ),
        ),
        given=(
            Given(
                "two",
                "for F(OUT) in Z[0, 1], i: IDX, dd: DB, w: R: "
                f"{_P.format('dd', 'without')} <= exp(es)^2*{_P.format('dd', 'within')} + (1 + exp(es))*delta",
                "line: C57.two",
            ),
            _sampling("n/t")[0],
        ),
        notation=(*(name for name in _SUB_NAMES), ("es", "eps*; E = exp(2 eps*) = exp(es)^2")),
        says=("`Pr[SubSampling(D') in F] >= ((n/t)/E+(t-n)/t) p-(n/t) 2 delta`",),
    ),
    "PA1.i": Derivation(
        _PA_SETS + "near(DB, DB) in Z[0, 1]; replaced(DB, DB, J) in Z[0, 1]; right(DB, H, J) in Z[0, 1]; "
        "q(DB, H) in [0, inf)",
        (
            Line(
                "each",
                "for d: DB, dd: DB, h: H, j: J: "
                "-replaced(d, dd, j) <= right(d, h, j) - right(dd, h, j) <= replaced(d, dd, j)",
                using=("same",),
            ),
            Line(
                "by_one",
                "for d: DB, dd: DB, h: H if near(d, dd) = 1: abs(q(d, h) - q(dd, h)) <= 1",
                using=("total of each over j", "one", "q", "q at d = dd"),
            ),
            Line("numbers", "for a in [0, inf), b in [0, inf) if a - b <= 1: exp(eps*a/2) <= exp(eps/2)*exp(eps*b/2)"),
            Line(
                "up",
                "for d: DB, dd: DB, h: H if near(d, dd) = 1: exp(eps*q(d, h)/2) <= exp(eps/2)*exp(eps*q(dd, h)/2)",
                using=("by_one", "numbers at a = q(d, h), b = q(dd, h)"),
            ),
            Line(
                "down",
                "for d: DB, dd: DB, h: H if near(d, dd) = 1: exp(eps*q(dd, h)/2) <= exp(eps/2)*exp(eps*q(d, h)/2)",
                using=("by_one", "numbers at a = q(dd, h), b = q(d, h)"),
            ),
            Line(
                "event",
                "for F(H) in Z[0, 1], d: DB, dd: DB, h: H if near(d, dd) = 1: "
                "F(h)*exp(eps*q(d, h)/2) <= exp(eps/2)*(F(h)*exp(eps*q(dd, h)/2))",
                using=("up",),
            ),
            Line(
                "quotient",
                "for a in [0, inf), b in [0, inf), v in (0, inf), u in (0, inf) "
                "if a <= exp(eps/2)*b, u <= exp(eps/2)*v: a/v <= exp(eps)*(b/u)",
                hints=(
                    "have exp(eps) = exp(eps/2)*exp(eps/2)",
                    "have a*u <= exp(eps/2)*b*u",
                    "have exp(eps/2)*b*u <= exp(eps/2)*b*(exp(eps/2)*v)",
                    "have a*u <= exp(eps)*b*v",
                ),
            ),
            Line(
                "top",
                "for F(H) in Z[0, 1], d: DB, dd: DB if near(d, dd) = 1: "
                "total(h: H, F(h)*exp(eps*q(d, h)/2)) <= exp(eps/2)*total(h: H, F(h)*exp(eps*q(dd, h)/2))",
                using=("total of event over h",),
            ),
            Line(
                "whole",
                "for d: DB, dd: DB if near(d, dd) = 1: "
                "total(h: H, exp(eps*q(dd, h)/2)) <= exp(eps/2)*total(h: H, exp(eps*q(d, h)/2))",
                using=("total of down over h",),
            ),
            Line(
                "private",
                "for F(H) in Z[0, 1], d: DB, dd: DB if near(d, dd) = 1: "
                "total(h: H, F(h)*exp(eps*q(d, h)/2))/total(h: H, exp(eps*q(d, h)/2)) "
                "<= exp(eps)*(total(h: H, F(h)*exp(eps*q(dd, h)/2))/total(h: H, exp(eps*q(dd, h)/2)))",
                using=(
                    "top",
                    "whole",
                    (
                        "quotient at a = total(h: H, F(h)*exp(eps*q(d, h)/2)), "
                        "b = total(h: H, F(h)*exp(eps*q(dd, h)/2)), v = total(h: H, exp(eps*q(d, h)/2)), "
                        "u = total(h: H, exp(eps*q(dd, h)/2))"
                    ),
                ),
            ),
        ),
        given=(
            Given("q", "for d: DB, h: H: q(d, h) = total(j: J, right(d, h, j))", "definition: q counts right labels"),
            Given(
                "same",
                "for d: DB, dd: DB, h: H, j: J: "
                "(1 - replaced(d, dd, j))*right(d, h, j) = (1 - replaced(d, dd, j))*right(dd, h, j)",
                "definition: an entry that both samples have",
            ),
            Given(
                "one",
                "for d: DB, dd: DB if near(d, dd) = 1: total(j: J, replaced(d, dd, j)) <= 1",
                "result: beimel2015:def-2.1",
            ),
        ),
        notation=(
            ("N", "#H"),
            ("H", "H"),
            ("m", "the size of a sample"),
            ("J", "the places of a sample"),
            ("DB", "samples"),
            ("near", "whether two samples differ in one entry"),
            ("replaced", "whether they differ at a place"),
            ("right", "whether h is right on the entry at a place"),
        ),
        says=("`exp(eps q(S,h)/2)/sum` is eps-DP (q changes by at most 1)",),
        shows=("by_one", "private"),
    ),
    "PA1.ii": Derivation(
        "eps in (0, inf); N in Z[1, inf); m in Z[1, inf); set H of N; err(H) in [0, 1]; Delta in (0, inf)",
        (
            Line("best", "err(star) = smallest(h: H, err(h))", "point star: H"),
            Line(
                "numbers",
                "for a in [0, 1], b in [0, 1]: [a > b + Delta]*exp(eps*(m*(1 - a))/2) "
                "<= exp(-eps*Delta*m/2)*exp(eps*(m*(1 - b))/2)",
            ),
            Line(
                "each",
                "for h: H: [err(h) > smallest(f: H, err(f)) + Delta]*exp(eps*(m*(1 - err(h)))/2) "
                "<= exp(-eps*Delta*m/2)*exp(eps*(m*(1 - smallest(f: H, err(f))))/2)",
                using=("numbers at a = err(h), b = smallest(f: H, err(f))",),
            ),
            Line(
                "bad",
                "total(h: H, [err(h) > smallest(f: H, err(f)) + Delta]*exp(eps*(m*(1 - err(h)))/2)) "
                "<= N*(exp(-eps*Delta*m/2)*exp(eps*(m*(1 - smallest(f: H, err(f))))/2))",
                using=("total of each over h",),
            ),
            Line(
                "positive",
                "for h: H: 0 <= [err(h) > smallest(f: H, err(f)) + Delta]*exp(eps*(m*(1 - err(h)))/2)",
            ),
            Line(
                "sum",
                "0 <= total(h: H, [err(h) > smallest(f: H, err(f)) + Delta]*exp(eps*(m*(1 - err(h)))/2))",
                using=("total of positive over h",),
            ),
            Line("whole", "exp(eps*(m*(1 - err(star)))/2) <= total(h: H, exp(eps*(m*(1 - err(h)))/2))", "sum"),
            Line(
                "top",
                "exp(eps*(m*(1 - smallest(f: H, err(f))))/2) <= total(h: H, exp(eps*(m*(1 - err(h)))/2))",
                using=("whole", "best"),
            ),
            Line(
                "quotient",
                "for u in [0, inf), top in (0, inf), v in (0, inf) if u <= N*(exp(-eps*Delta*m/2)*top), top <= v: "
                "u/v <= N*exp(-eps*Delta*m/2)",
                hints=(
                    "have N*exp(-eps*Delta*m/2)*(v - top) >= 0",
                    "have u <= N*exp(-eps*Delta*m/2)*v",
                ),
            ),
            Line(
                "tail",
                "total(h: H, [err(h) > smallest(f: H, err(f)) + Delta]*exp(eps*(m*(1 - err(h)))/2))"
                "/total(h: H, exp(eps*(m*(1 - err(h)))/2)) <= N*exp(-eps*Delta*m/2)",
                using=(
                    "bad",
                    "sum",
                    "top",
                    (
                        "quotient at "
                        "u = total(h: H, [err(h) > smallest(f: H, err(f)) + Delta]*exp(eps*(m*(1 - err(h)))/2)), "
                        "top = exp(eps*(m*(1 - smallest(f: H, err(f))))/2), "
                        "v = total(h: H, exp(eps*(m*(1 - err(h)))/2))"
                    ),
                ),
            ),
        ),
        notation=(
            ("N", "#H"),
            ("err", "error_S(h); q(S, h) = m (1 - error_S(h)), and h is chosen with probability exp(eps q/2)/sum"),
            ("H", "H"),
        ),
        says=("`Pr[error_S(h)>e^+Delta] <= #H exp(-eps Delta m/2)`",),
    ),
    "R410": Derivation(
        "n in Z[1, inf); V in [1, inf); N in Z[1, inf); a(Z) in (0, 1/20]; b(Z) in (0, 1/8]; x(Z) in [0, inf); "
        "tower(Z) in [1, inf); stars in Z[0, inf)",
        (
            Line(
                "numbers",
                "for q in [2240, inf), y in [0, inf) if y >= 24*log(q): (14/(40000*q))*exp(y) >= 24*log(4*q)",
                hints=(
                    "have exp(y) >= q^24",
                    "have (14/(40000*q))*q^24 >= 24*(4*q)",
                    "lemma log_below x = 4*q",
                    "have (14/(40000*q))*(exp(y) - q^24) >= 0",
                ),
            ),
            Line(
                "next",
                "for i in Z[1, inf) if x(i) >= 24*log(14/(a(i)*b(i))): x(i + 1) >= 24*log(14/(a(i + 1)*b(i + 1)))",
                using=("loop", "halfa", "halfb", "numbers at q = 14/(a(i)*b(i)), y = x(i)"),
            ),
            Line("size", "for i in Z[1, inf): x(i) >= 24*log(14/(a(i)*b(i)))", "induction i", ("clm", "next")),
            Line(
                "large",
                "for i in Z[1, inf): x(i) >= 160",
                using=("size",),
                hints=("have log(14/(a*b)) >= log(2240)",),
            ),
            Line(
                "grows",
                "for c in (0, 1/20], d in (0, 1/8], y in [160, inf) if y >= 24*log(14/(c*d)): "
                "c*d/40000*exp(y) >= 2*2^(y/2)",
                hints=(
                    "have exp(y/24) >= 14/(c*d)",
                    "have c*d*exp(y/24) >= 14",
                    "have c*d*exp(y) >= 14*exp(23*y/24)",
                    "have 14*exp(23*y/24) >= 80000*exp(y*log(2)/2)",
                ),
            ),
            Line(
                "doubled",
                "for i in Z[1, inf): x(i + 1)/2 >= 2^(x(i)/2)",
                using=("size", "large", "loop", "grows at c = a(i), d = b(i), y = x(i)"),
            ),
            Line("t1", "tower(1) = 2", using=("tower0", "tower at k = 0")),
            Line("t2", "tower(2) = 4", using=("t1", "tower at k = 1")),
            Line("t3", "tower(1 + 2) = 16", using=("t2", "tower at k = 2")),
            Line("start", "tower(1 + 2) <= x(1)/2", using=("t3", "large at i = 1")),
            Line(
                "step",
                "for i in Z[1, inf) if tower(i + 2) <= x(i)/2: tower(i + 1 + 2) <= x(i + 1)/2",
                using=("tower at k = i + 2", "doubled"),
            ),
            Line("towers", "for i in Z[1, inf): tower(i + 2) <= x(i)/2", "induction i", ("start", "step")),
            Line("small", "x(N)/2 <= n", using=("goes",), hints=("have 200*x <= 200*V*x/a",)),
            Line("below", "tower(N + 2) <= n", using=("towers at i = N", "small")),
            Line("N", "N <= 1*stars", using=("below", "log at k = N + 2")),
        ),
        given=(
            Given("clm", "x(1) >= 24*log(14/(a(1)*b(1)))", "result: beimel2015:clm-4.9"),
            Given("loop", "for i in Z[1, inf): x(i + 1) = a(i)*b(i)/40000*exp(x(i))", "line: C49.b"),
            Given("halfa", "for i in Z[1, inf): a(i + 1) = a(i)/2", "line: C49.e"),
            Given("halfb", "for i in Z[1, inf): b(i + 1) = b(i)/2", "line: C49.e"),
            Given("goes", "200*V*x(N)/a(N) < 300*n", "definition: step 2 of alg-3, iteration N begins"),
            Given("tower0", "tower(0) = 1", "definition: towers of twos"),
            Given("tower", "for k in Z[0, inf): tower(k + 1) = 2^tower(k)", "definition: towers of twos"),
            Given("log", "for k in Z[0, inf) if tower(k) <= n: k <= stars", "printed: log* counts base 2"),
        ),
        notation=(
            ("V", "VC(C)"),
            ("a", "alpha_i"),
            ("b", "beta_i"),
            ("x", "alpha_i #S_i^b/(200 V); after the last iteration what the same formula gives"),
            ("tower", "tower(k): a tower of k twos"),
            ("stars", "log* n; the constant of O is 1"),
        ),
        says=("N = O(log* n)",),
    ),
}


# Claim 4.5


def _at(j: str) -> str:
    return f"mean(c: coins, F(A(chain(d, k, o, {j}), c)))"


def _base(d: str) -> str:
    return f"mean(o: O, c: coins, F(A(base({d}, o), c)))"


def _all(d: str) -> str:
    return f"mean(k: K, o: O, c: coins, F(A(chain({d}, k, o, copies(k)), c)))"


_UP = "mean(k: K, exp(copies(k)))"
_DOWN = "mean(k: K, exp(-copies(k)))"
_FOR_K = "for F(OUT) in Z[0, 1], d: IN, k: K, o: O"
_FOR_J = "for F(OUT) in Z[0, 1], d: IN, k: K, o: O, j in Z[0, inf)"
_DRAWS: dict[str, Derivation] = {
    "C45": Derivation(
        "n in Z[1, inf); eps in (0, 1]; delta in [0, 1]; type IN; type DB; type OUT; law K; law O; law coins; "
        "copies(K) in Z[0, inf); "
        "chain(IN, K, O, Z): DB; base(IN, O): DB; A(DB, coins): OUT; near(DB, DB) in Z[0, 1]; adj(IN, IN) in Z[0, 1]",
        (
            Line("small", "for x in [0, 1]: exp(eps)*x <= exp(1)*x"),
            Line(
                "one",
                "for F(OUT) in Z[0, 1], s: DB, ss: DB: near(s, ss)*mean(c: coins, F(A(s, c))) "
                "<= near(s, ss)*(exp(1)*mean(c: coins, F(A(ss, c))) + delta)",
                using=("private", "small at x = mean(c: coins, F(A(ss, c)))"),
            ),
            Line(
                "grow",
                "for j in Z[0, inf), u in [0, 1], v in [0, 1], w in [0, 1] "
                "if u <= exp(1)*v + delta, v <= exp(j)*w + (582/1000)*delta*(exp(j) - 1): "
                "u <= exp(j + 1)*w + (582/1000)*delta*(exp(j + 1) - 1)",
                hints=("have exp(1)*v <= exp(1)*(exp(j)*w + (582/1000)*delta*(exp(j) - 1))",),
            ),
            Line(
                "shrink",
                "for j in Z[0, inf), u in [0, 1], v in [0, 1], w in [0, 1] "
                "if v <= exp(1)*u + delta, w <= exp(j)*v + (582/1000)*delta*(exp(j) - 1): "
                "w <= exp(j + 1)*u + (582/1000)*delta*(exp(j + 1) - 1)",
                hints=("have exp(j)*v <= exp(j)*(exp(1)*u + delta)",),
            ),
            Line("up0", f"{_FOR_K}: {_at('0')} <= exp(0)*{_at('0')} + (582/1000)*delta*(exp(0) - 1)"),
            Line(
                "up1",
                f"{_FOR_J} if {_at('j')} <= exp(j)*{_at('0')} + (582/1000)*delta*(exp(j) - 1): "
                f"{_at('j + 1')} <= exp(j + 1)*{_at('0')} + (582/1000)*delta*(exp(j + 1) - 1)",
                using=(
                    "steps",
                    "one at s = chain(d, k, o, j + 1), ss = chain(d, k, o, j)",
                    f"grow at u = {_at('j + 1')}, v = {_at('j')}, w = {_at('0')}",
                ),
            ),
            Line(
                "up",
                f"{_FOR_J}: {_at('j')} <= exp(j)*{_at('0')} + (582/1000)*delta*(exp(j) - 1)",
                "induction j",
                ("up0", "up1"),
            ),
            Line("down0", f"{_FOR_K}: {_at('0')} <= exp(0)*{_at('0')} + (582/1000)*delta*(exp(0) - 1)"),
            Line(
                "down1",
                f"{_FOR_J} if {_at('0')} <= exp(j)*{_at('j')} + (582/1000)*delta*(exp(j) - 1): "
                f"{_at('0')} <= exp(j + 1)*{_at('j + 1')} + (582/1000)*delta*(exp(j + 1) - 1)",
                using=(
                    "steps",
                    "one at s = chain(d, k, o, j), ss = chain(d, k, o, j + 1)",
                    f"shrink at u = {_at('j + 1')}, v = {_at('j')}, w = {_at('0')}",
                ),
            ),
            Line(
                "down",
                f"{_FOR_J}: {_at('0')} <= exp(j)*{_at('j')} + (582/1000)*delta*(exp(j) - 1)",
                "induction j",
                ("down0", "down1"),
            ),
            Line(
                "turned",
                "for j in Z[0, inf), u in [0, 1], w in [0, 1] if w <= exp(j)*u + (582/1000)*delta*(exp(j) - 1): "
                "u >= exp(-j)*w - (582/1000)*delta*(1 - exp(-j))",
                hints=("have exp(-j)*(exp(j)*u + (582/1000)*delta*(exp(j) - 1) - w) >= 0",),
            ),
            Line(
                "high",
                f"{_FOR_K}: {_at('copies(k)')} <= exp(copies(k))*{_at('0')} + (582/1000)*delta*(exp(copies(k)) - 1)",
                using=("up at j = copies(k)",),
            ),
            Line(
                "low",
                f"{_FOR_K}: {_at('copies(k)')} >= exp(-copies(k))*{_at('0')} - (582/1000)*delta*(1 - exp(-copies(k)))",
                using=("down at j = copies(k)", f"turned at j = copies(k), u = {_at('copies(k)')}, w = {_at('0')}"),
            ),
            Line(
                "high_k",
                f"for F(OUT) in Z[0, 1], d: IN, k: K: mean(o: O, {_at('copies(k)')}) "
                f"<= exp(copies(k))*{_base('d')} + (582/1000)*delta*(exp(copies(k)) - 1)",
                using=("mean of high over o", "start at G(s) = mean(c: coins, F(A(s, c)))"),
            ),
            Line(
                "low_k",
                f"for F(OUT) in Z[0, 1], d: IN, k: K: mean(o: O, {_at('copies(k)')}) "
                f">= exp(-copies(k))*{_base('d')} - (582/1000)*delta*(1 - exp(-copies(k)))",
                using=("mean of low over o", "start at G(s) = mean(c: coins, F(A(s, c)))"),
            ),
            Line(
                "above",
                f"for F(OUT) in Z[0, 1], d: IN: {_all('d')} <= {_UP}*{_base('d')} + (582/1000)*delta*({_UP} - 1)",
                using=("mean of high_k over k",),
            ),
            Line(
                "below",
                f"for F(OUT) in Z[0, 1], d: IN: {_all('d')} >= {_DOWN}*{_base('d')} - (582/1000)*delta*(1 - {_DOWN})",
                using=("mean of low_k over k",),
            ),
            Line(
                "log_M",
                "n*log(1 + (exp(1) - 1)/n) <= exp(1) - 1",
                hints=("lemma log_below x = 1 + (exp(1) - 1)/n",),
            ),
            Line(
                "exp_M",
                "exp(n*log(1 + (exp(1) - 1)/n)) <= 56/10",
                using=("log_M",),
                hints=(
                    "lemma exp_increases x = n*log(1 + (exp(1) - 1)/n); y = exp(1) - 1",
                    "have exp(exp(1) - 1) <= 56/10",
                ),
            ),
            Line(
                "M",
                "(1 + (exp(1) - 1)/n)^n <= 56/10",
                using=("exp_M",),
                hints=("have (1 + (exp(1) - 1)/n)^n <= exp(n*log(1 + (exp(1) - 1)/n))",),
            ),
            Line(
                "log_L",
                "n*log(1 - (1 - exp(-1))/n) >= log(36/100)",
                hints=(
                    "split n at 2",
                    "second: have log(36/100) <= -1",
                    "second: have 1 - (1 - exp(-1))/n >= 2/3",
                    "second: lemma log_below x = 1/(1 - (1 - exp(-1))/n)",
                    "second: lemma log_quotient_below x = 1; y = 1 - (1 - exp(-1))/n",
                    "second: have n*(1/(1 - (1 - exp(-1))/n) - 1) <= 1",
                ),
            ),
            Line(
                "L",
                "(1 - (1 - exp(-1))/n)^n >= 36/100",
                using=("log_L",),
                hints=(
                    "lemma exp_increases x = log(36/100); y = n*log(1 - (1 - exp(-1))/n)",
                    "have (1 - (1 - exp(-1))/n)^n >= exp(n*log(1 - (1 - exp(-1))/n))",
                ),
            ),
            Line("moments", f"{_UP} <= 56/10", using=("up_moment", "M")),
            Line("moments2", f"{_DOWN} >= 36/100", using=("down_moment", "L")),
            Line(
                "numbers",
                "for M in [0, 56/10], L in [36/100, inf), x in [0, 1], p in [0, 1], q in [0, 1] "
                "if p <= M*x + (582/1000)*delta*(M - 1), q >= L*x - (582/1000)*delta*(1 - L): "
                "p <= 244*q + 2467*delta",
                hints=(
                    "have M - 1 <= 46/10",
                    "have 1 - L <= 64/100",
                    "have M*x <= 56/10*x",
                    "have L*x >= 36/100*x",
                    "have (582/1000)*delta*(M - 1) <= 28/10*delta",
                    "have (582/1000)*delta*(1 - L) <= 38/100*delta",
                ),
            ),
            Line(
                "moved",
                f"for F(OUT) in Z[0, 1], d: IN, dd: IN if adj(d, dd) = 1: {_base('d')} <= {_base('dd')}",
                using=("same at G(s) = mean(c: coins, F(A(s, c)))",),
            ),
            Line(
                "over",
                f"for F(OUT) in Z[0, 1], d: IN, dd: IN if adj(d, dd) = 1: {_all('d')} <= {_UP}*{_base('dd')} "
                f"+ (582/1000)*delta*({_UP} - 1)",
                using=("above", "moved"),
            ),
            Line(
                "bounded",
                f"for F(OUT) in Z[0, 1], d: IN, dd: IN if adj(d, dd) = 1: {_all('d')} <= 244*{_all('dd')} + 2467*delta",
                using=(
                    "over",
                    "below at d = dd",
                    "moments",
                    "moments2",
                    f"numbers at M = {_UP}, L = {_DOWN}, x = {_base('dd')}, p = {_all('d')}, q = {_all('dd')}",
                ),
            ),
            Line(
                "private_B",
                f"for F(OUT) in Z[0, 1], d: IN, dd: IN if adj(d, dd) = 1: "
                f"{_all('d')} <= exp(log(244))*{_all('dd')} + 2467*delta",
                using=("bounded",),
            ),
        ),
        given=(
            Given(
                "private",
                "for F(OUT) in Z[0, 1], s: DB, ss: DB: near(s, ss)*mean(c: coins, F(A(s, c))) "
                "<= near(s, ss)*(exp(eps)*mean(c: coins, F(A(ss, c))) + delta)",
                "printed: A (eps,delta)-DP on size n",
            ),
            Given(
                "steps",
                "for d: IN, k: K, o: O, j in Z[0, inf): "
                "near(chain(d, k, o, j + 1), chain(d, k, o, j))*near(chain(d, k, o, j), chain(d, k, o, j + 1)) = 1",
                "definition: one more copy of i is put in its place",
            ),
            Given(
                "start",
                "for G(DB) in [0, 1], d: IN, k: K: mean(o: O, G(chain(d, k, o, 0))) = mean(o: O, G(base(d, o)))",
                "definition: with draws of the others in place of the copies of i all n are draws of the others",
            ),
            Given(
                "same",
                "for G(DB) in [0, 1], d: IN, dd: IN: "
                "adj(d, dd)*mean(o: O, G(base(d, o))) <= adj(d, dd)*mean(o: O, G(base(dd, o)))",
                "definition: the others are the same in both databases",
            ),
            Given("up_moment", f"{_UP} <= (1 + (exp(1) - 1)/n)^n", "definition: K is Bin(n, 1/n), a sum of n draws"),
            Given(
                "down_moment", f"{_DOWN} >= (1 - (1 - exp(-1))/n)^n", "definition: K is Bin(n, 1/n), a sum of n draws"
            ),
        ),
        notation=(
            ("IN", "databases of B"),
            ("DB", "databases of A"),
            ("OUT", "outputs"),
            ("K", "which of the n draws are i, the place in which the databases differ"),
            ("O", "draws of the other entries"),
            ("coins", "A's coins"),
            ("copies", "how many draws are i, Bin(n, 1/n)"),
            (
                "chain",
                "chain(d, k, o, j): the draws, with j of the copies of i, and draws of others for the other copies",
            ),
            ("base", "n draws of the others"),
            ("near", "whether two databases differ in one entry at most"),
            ("adj", "whether two databases of B differ at i only"),
        ),
        says=("B is `(ln 244, 2467 delta)`-DP",),
    ),
}


DERIVATIONS: dict[str, Derivation] = {**_GENERIC, **_PROCEDURE, **_BOOST, **_LEARN, **_LAST, **_DRAWS}

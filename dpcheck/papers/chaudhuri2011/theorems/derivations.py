"""How printed lines follow, from laws, events and private algorithms up."""

from __future__ import annotations

from dpcheck.proof.derivation.lines import Derivation, Given, Line

_ETA = Given("eta_is", "eta = 1/(6 + 4*exp(alpha*M))", "line: T5.eta")
_SMALL_ETA = Line("small", "eta < 1/10", using=("eta_is",), hints=("have exp(alpha*M) > 1",))
_CENTRES = (
    "K in Z[1, inf); set centres of K; point z: centres; other(centres) in Z[0, 1]; type H; GG(H, centres) in Z[0, 1]; "
    "law coins"
)
_CENTRES_ARE = (
    ("K", "the size of Z"),
    ("centres", "Z = {eta, ..., K eta}, of K members"),
    ("other", "whether a member of Z is not z: sums over Z without z have this factor"),
    ("coins", "A's coins"),
    ("S", "samples"),
    ("S_z", "the sample of each z"),
    ("GG", "whether h is in GG_z'"),
)

_SAMPLE = (
    "eps in (0, 1); N in Z[1, inf); set G of N; law S; law coins; h_A(S, coins): G; point g_0: G; err(G) in [0, 1]; "
    "errS(G, S) in [0, 1]"
)
_SAMPLE_NAMES = (
    ("N", "#G"),
    ("S", "the samples"),
    ("coins", "the coins of step 3"),
    ("g_0", "a member of G near h*"),
    ("errS", "err(g,S)"),
)
_E_IS = Given(
    "E_is",
    "for s: S: E(s) = [some(f: G, abs(err(f) - errS(f, s)) > eps/4)]",
    "definition: E is the event that max_g |err(g) - err(g,S)| > eps/4",
)
_PACKED = (
    "d_U in (0, inf); khat in [1, inf); N in Z[1, inf); set G of N; rho_U(G, G) in [0, 1]; other(G, G) in Z[0, 1]; "
    "far(G) in [0, 1]"
)
#: The size of the packing in step 2, by lemma 14 at r = 1.
_SIZE = (
    Line("within", "largest(g: G, far(g)) <= 1"),
    Line(
        "lemma",
        "N <= (4*1/(eps/(4*khat)))^d_U",
        using=("within", "packing", "lem_14 at r = 1, q = eps/(4*khat)"),
    ),
    Line("size", "N <= (16*khat/eps)^d_U", using=("lemma",)),
)
_SIZE_GIVEN = (
    Given(
        "lem_14",
        "for r in (0, inf), q in (0, inf) if q <= 4*r, [every(f: G, g: G, not other(f, g) or rho_U(f, g) > q)] = 1, "
        "largest(g: G, far(g)) <= r: N <= (4*r/q)^d_U",
        "result: chaudhuri2011:lem-14",
    ),
    Given(
        "packing",
        "[every(f: G, g: G, not other(f, g) or rho_U(f, g) > eps/(4*khat))] = 1",
        "definition: G is an (eps/(4 khat))-packing of (H, rho_U)",
    ),
)
_SIZE_NAMES = (
    ("N", "#G"),
    ("rho_U", "the distance of two members of G"),
    ("other", "whether two members are different"),
    ("far", "the distance of a member from the centre of a ball of radius 1, which holds all of H"),
)

#: E exp(-X/10) for the number X of mistakes of one hypothesis.
_MOMENT = (
    Line("tenth", "exp(-1/10) <= 1 - 19/200"),
    Line("one", "for z: P: exp(-wrong(z)/10) <= 1 - (19/200)*wrong(z)", using=("tenth",)),
    Line(
        "power",
        "for b in (0, inf), p in [0, 1] if b <= 1 - (19/200)*p: b^m <= exp(-(19/200)*m*p)",
        hints=("lemma exp_above x = -(19/200)*p", "lemma log_increases x = b; y = exp(-(19/200)*p)"),
    ),
    Line(
        "moments",
        "mean(s: S, exp(-m*errS(s)/10)) <= exp(-(19/200)*m*mean(z: P, wrong(z)))",
        using=(
            "independent",
            "mean of one over z",
            "power at b = mean(z: P, exp(-wrong(z)/10)), p = mean(z: P, wrong(z))",
        ),
    ),
)
_FROM_P = "type H; N in Z[1, inf); set P of N; point h: P; other(P) in Z[0, 1]; B_D(H, P) in Z[0, 1]; law coins"
_FROM_P_NAMES = (
    ("N", "#P"),
    ("P", "the packing"),
    ("other", "whether a member of P is not h: sums over h' != h have this factor"),
    ("B_D", "whether a hypothesis is in the ball around a member of P"),
    ("coins", "A's coins"),
)
_FROM_P_X = "type H; N in Z[1, inf); set P of N; B_X(H, P) in Z[0, 1]; law coins; A(P, coins): H"
_FROM_P_X_NAMES = (
    ("H", "hypotheses"),
    ("N", "#P"),
    ("B_X", "whether a hypothesis is in the ball around a member of P"),
    ("coins", "A's coins"),
    ("A", "A(S_{X,h}) for each h of P"),
)
_FIRST = "definition: the points of X' are numbered from 1 to m, and the first j are taken"
_DRAWN = (
    "N in Z[1, inf); set P of N; type H; at(P): H; law X; law coins; A(P, X, coins): H; rho_X(H, H, X) in [0, 1]; "
    "rho_D(H, H) in [0, 1]; phi(X) in Z[0, 1]"
)
_MANY_DRAWN = _DRAWN.replace("N in Z[1, inf)", "N in Z[3, inf)")
_DRAWN_NAMES = (
    ("N", "#P"),
    ("P", "the packing"),
    ("H", "hypotheses"),
    ("at", "a member of P, as a hypothesis"),
    ("coins", "A's coins"),
    ("A", "A(S_{X,h}) for each h of P"),
)

#: u log u grows where log u is above 0.
_GROWS = (
    Line(
        "tangent",
        "for u in (0, inf), v in (0, inf): u*log(u) - v*log(v) >= (u - v)*(1 + log(v))",
        hints=(
            "lemma log_below x = v/u",
            "lemma log_quotient_below x = v; y = u",
            "have u*(log(v) - log(u)) <= v - u",
        ),
    ),
    Line("cancel", "for a in (-inf, inf), b in (1, inf) if a*b > 0: a > 0"),
    Line(
        "grows",
        "for u in (0, inf), v in (0, inf) if u*log(u) < v*log(v), log(v) > 0: u < v",
        using=("tangent", "cancel at a = v - u, b = 1 + log(v)"),
    ),
)

#: Section 3.
_THRESHOLDS = {
    "T5.disjoint": Derivation(
        "eta in (0, inf); type R; x(R) in (-inf, inf); G(Z, R) in Z[0, 1]",
        (
            Line("G_j", "for j in Z[1, inf), v: R: G(j, v) = [abs(x(v) - j*eta) <= eta/3]", using=("G_z at k = j",)),
            Line(
                "gap",
                "for k in Z[1, inf), j in Z[1, inf), u in (-inf, inf) "
                "if j + 1 <= k, k*eta - u <= eta/3: u - j*eta > eta/3",
                hints=("have eta*(k - j - 1) >= 0",),
            ),
            Line(
                "apart",
                "for k in Z[1, inf), j in Z[1, inf), v: R if j + 1 <= k, G(k, v) = 1: G(j, v) = 0",
                using=("G_z", "G_j", "gap at u = x(v)"),
            ),
            Line(
                "inside",
                "for k in Z[1, inf), v: R if k <= floor(1/eta) - 1, G(k, v) = 1: 0 <= x(v) <= 1",
                using=("G_z",),
                hints=("have k <= 1/eta - 1", "have k*eta <= 1 - eta", "have eta*(k - 1) >= 0"),
            ),
        ),
        given=(
            Given(
                "G_z",
                "for k in Z[1, inf), v: R: G(k, v) = [abs(x(v) - k*eta) <= eta/3]",
                "definition: G_z is the interval [z - eta/3, z + eta/3]; here z = k eta",
            ),
        ),
        notation=(
            ("R", "the points of the line"),
            ("x", "the place of a point"),
            ("G", "whether a point is in G_z, z = k eta"),
        ),
        shows=("inside", "apart"),
        says=("`G_z subset [0,1]` for z in {eta,...,K eta}, K=floor(1/eta)-1; G_z pairwise disjoint",),
    ),
    "T5.K": Derivation(
        "alpha in (0, inf); M in (2, inf); eta in (0, inf)",
        (
            _SMALL_ETA,
            Line("any", "for z in (0, 1/10): floor(1/z) - 1 >= 5"),
            Line("here", "floor(1/eta) - 1 >= 5", using=("small", "any at z = eta")),
        ),
        given=(_ETA,),
        says=("`floor(1/eta)-1 >= 5`",),
    ),
    "T5.real": Derivation(
        "z in (0, 1); law D; law U; law G; x(D) in [0, 1]; u(U) in [0, 1]; g(G) in [0, 1]; h_z(D) in Z[0, 1]; "
        "y(D) in Z[0, 1]",
        (
            Line("right", "for p: D: [not (h_z(p) = y(p))] = 0", using=("label", "h_z")),
            Line("error", "Pr(p: D, not (h_z(p) = y(p))) = 0", using=("mean of right over p",)),
            Line(
                "support",
                "for a in [0, 1], b in [0, 1] if a < b: Pr(p: D, a <= x(p) and x(p) <= b) > 0",
                using=("mixture", "uniform"),
            ),
        ),
        given=(
            Given("label", "for p: D: y(p) = [x(p) >= z]", "definition: P_z labels x positive if x >= z"),
            Given("h_z", "for p: D: h_z(p) = [x(p) >= z]", "result: chaudhuri2011:def-4"),
            Given(
                "mixture",
                "for a in [0, 1], b in [0, 1]: Pr(p: D, a <= x(p) and x(p) <= b) "
                "= Pr(q: U, a <= u(q) and u(q) <= b)/2 + Pr(q: G, a <= g(q) and g(q) <= b)/2",
                "definition: D_z is U or uniform on G_z, each with probability 1/2",
            ),
            Given(
                "uniform",
                "for a in [0, 1], b in [0, 1] if a <= b: Pr(q: U, a <= u(q) and u(q) <= b) = b - a",
                "definition: U is uniform on [0, 1]",
            ),
        ),
        shows=("error", "support"),
        notation=(
            ("D", "the examples of P_z, its support is that of D_z"),
            ("z", "a member of Z"),
            ("U", "the uniform law on [0, 1]"),
            ("G", "the uniform law on G_z"),
            ("x", "the point of an example"),
            ("u", "the place of a point"),
            ("g", "the place of a point"),
            ("y", "the label of an example"),
        ),
        says=("h_z has error 0 on P_z; support [0,1]",),
    ),
    "T5.(1)": Derivation(
        f"{_CENTRES}; type S; S_z(centres): S; A(S, coins): H",
        (
            Line(
                "once",
                "for c: coins: GG(A(S_z(z), c), z) + total(v: centres, other(v)*GG(A(S_z(z), c), v)) <= 1",
                using=("disjoint at h = A(S_z(z), c)",),
            ),
            Line(
                "all",
                "Pr(c: coins, not GG(A(S_z(z), c), z)) "
                ">= total(v: centres, other(v)*Pr(c: coins, GG(A(S_z(z), c), v)))",
                using=("mean of once over c",),
            ),
        ),
        given=(
            Given(
                "disjoint",
                "for h: H: GG(h, z) + total(v: centres, other(v)*GG(h, v)) <= 1",
                "printed: sets of thresholds GG_z disjoint",
            ),
        ),
        notation=_CENTRES_ARE,
        says=("`Pr[A(S_z) notin GG_z] >= sum_{z' in Z\\{z}} Pr[A(S_z) in GG_z']`",),
    ),
    "T5.quarter": Derivation(
        "eta in (0, 1/10); z in [0, 1]; type R; x(R) in [0, 1]; type H; at(H) in [0, 1]; h(H, R) in Z[0, 1]; "
        "GG(H) in Z[0, 1]; y(R) in Z[0, 1]; law D; law U; law G; p(D): R; u(U): R; g(G): R",
        (
            Line(
                "right",
                "for f: H, v: R: [at(f) > z + eta/3]*[z <= x(v) and x(v) < z + eta/3] <= [not (h(f, v) = y(v))]",
                using=("threshold", "label"),
            ),
            Line(
                "left",
                "for f: H, v: R: [at(f) < z - eta/3]*[z - eta/3 <= x(v) and x(v) < z] <= [not (h(f, v) = y(v))]",
                using=("threshold", "label"),
            ),
            Line(
                "above",
                "Pr(q: G, z <= x(g(q)) and x(g(q)) < z + eta/3) >= 1/2",
                using=(
                    "subset",
                    "G_z at a = z, b = z + eta/3",
                ),
            ),
            Line(
                "below",
                "Pr(q: G, z - eta/3 <= x(g(q)) and x(g(q)) < z) >= 1/2",
                using=(
                    "subset",
                    "G_z at a = z - eta/3, b = z",
                ),
            ),
            Line(
                "right_drawn",
                "for f: H, q: G: [at(f) > z + eta/3]*[z <= x(g(q)) and x(g(q)) < z + eta/3] "
                "<= [not (h(f, g(q)) = y(g(q)))]",
                using=("right at v = g(q)",),
            ),
            Line(
                "left_drawn",
                "for f: H, q: G: [at(f) < z - eta/3]*[z - eta/3 <= x(g(q)) and x(g(q)) < z] "
                "<= [not (h(f, g(q)) = y(g(q)))]",
                using=("left at v = g(q)",),
            ),
            Line(
                "half",
                "for f: H: [not GG(f)]*(1/2) <= Pr(q: G, not (h(f, g(q)) = y(g(q))))",
                using=(
                    "mean of right_drawn over q",
                    "mean of left_drawn over q",
                    "above",
                    "below",
                    "outside",
                ),
            ),
            Line(
                "all",
                "for f: H if GG(f) = 0: Pr(q: D, not (h(f, p(q)) = y(p(q)))) >= 1/4 > 1/5",
                using=("half", "mixture at F(v) = [not (h(f, v) = y(v))]"),
            ),
        ),
        given=(
            Given("threshold", "for f: H, v: R: h(f, v) = [at(f) <= x(v)]", "result: chaudhuri2011:def-4"),
            Given("label", "for v: R: y(v) = [z <= x(v)]", "definition: P_z' labels x positive if x >= z'"),
            Given(
                "outside",
                "for f: H: GG(f) = [z - eta/3 <= at(f) and at(f) <= z + eta/3]",
                "definition: GG_z' has the thresholds in G_z'",
            ),
            Given(
                "mixture",
                "for F(R) in Z[0, 1]: mean(q: D, F(p(q))) = mean(q: U, F(u(q)))/2 + mean(q: G, F(g(q)))/2",
                "definition: D_z is U or uniform on G_z, each with probability 1/2",
            ),
            Given(
                "G_z",
                "for a in [0, 1], b in [0, 1] if z - eta/3 <= a <= b <= z + eta/3: "
                "Pr(q: G, a <= x(g(q)) and x(g(q)) < b) >= (b - a)/(2*eta/3)",
                "definition: uniform on G_z'; at least is enough",
            ),
            Given("subset", "eta/3 <= z <= 1 - eta/3", "line: T5.disjoint"),
        ),
        notation=(
            ("eta", "the grid of thm-5, below 1/10"),
            ("z", "z'"),
            ("R", "the points of [0, 1]"),
            ("x", "the place of a point"),
            ("H", "thresholds"),
            ("at", "where a threshold is"),
            ("GG", "GG_z'"),
            ("y", "the label of a point under P_z'"),
            ("D", "the points of P_z'"),
            ("U", "the uniform law"),
            ("G", "the uniform law on G_z'"),
            ("p", "a point that is drawn"),
            ("u", "a point that is drawn"),
            ("g", "a point that is drawn"),
        ),
        says=("h outside GG_z' => error under P_z' `>= 1/4` (and `1/4 > 1/5`)",),
    ),
    "T5.(3)": Derivation(
        "type H; err(H) in [0, 1]; GG(H) in Z[0, 1]; law coins; A(coins): H",
        (
            Line("each", "for c: coins: [err(A(c)) < 1/5] <= GG(A(c))", using=("outside at h = A(c)",)),
            Line("often", "Pr(c: coins, GG(A(c))) >= 1/2", using=("mean of each over c", "success")),
        ),
        given=(
            Given("outside", "for h: H: [not GG(h)] <= [err(h) >= 1/4]", "line: T5.quarter"),
            Given(
                "success",
                "Pr(c: coins, err(A(c)) < 1/5) >= 1/2",
                'printed: success: with probability at least 1/2 (printed: "with probability 1/2") '
                "the error is below 1/5",
            ),
        ),
        notation=(
            ("err", "the error under P_z'"),
            ("GG", "GG_z'"),
            ("coins", "A's coins"),
            ("A", "A(S_z')"),
        ),
        says=("`Pr[A(S_z') in GG_z'] >= 1/2`",),
    ),
    "T5.comb": Derivation(
        f"alpha in (0, inf); m in Z[0, inf); {_CENTRES}; type S; S_z(centres): S; A(S, coins): H",
        (
            Line(
                "each",
                "for v: centres: other(v)*Pr(c: coins, GG(A(S_z(z), c), v)) >= other(v)*exp(-alpha*m)*(1/2)",
                using=("two", "three"),
            ),
            Line(
                "all",
                "Pr(c: coins, not GG(A(S_z(z), c), z)) >= exp(-alpha*m)*total(v: centres, other(v)*(1/2))",
                using=("one", "total of each over v"),
            ),
        ),
        given=(
            Given(
                "one",
                "Pr(c: coins, not GG(A(S_z(z), c), z)) "
                ">= total(v: centres, other(v)*Pr(c: coins, GG(A(S_z(z), c), v)))",
                "line: T5.(1)",
            ),
            Given(
                "two",
                "for v: centres: Pr(c: coins, GG(A(S_z(z), c), v)) >= exp(-alpha*m)*Pr(c: coins, GG(A(S_z(v), c), v))",
                "line: T5.(2)",
            ),
            Given("three", "for v: centres: Pr(c: coins, GG(A(S_z(v), c), v)) >= 1/2", "line: T5.(3)"),
        ),
        notation=_CENTRES_ARE,
        says=("`Pr[A(S_z) notin GG_z] >= exp(-alpha m) sum_{z'!=z} 1/2`",),
    ),
    "T5.final": Derivation(
        "alpha in (0, inf); M in (2, inf); m in Z[0, inf); eta in (0, inf)",
        (
            Line("inverse", "1/eta >= 6 + 4*exp(alpha*M)", using=("eta_is",)),
            Line("less", "exp(-alpha*m)*exp(alpha*M) >= 1", using=("most",), hints=("have alpha*(M - m) >= 0",)),
            Line(
                "sure",
                "exp(-alpha*m)*(1/eta - 2)*(1/2) > 1/2",
                using=("inverse", "less"),
                hints=("have exp(-alpha*m)*(1/eta - 6 - 4*exp(alpha*M)) >= 0",),
            ),
        ),
        given=(_ETA, Given("most", "m <= M", "printed: m<=M")),
        says=("`exp(-alpha m)(1/eta-2)(1/2) > 1/2`",),
    ),
}

#: Lemmas 17 to 19 and examples 1 and 3.
_LEMMAS = {
    "X1.kappa": Derivation(
        "alpha in (0, 1); M in (0, inf); eta in (0, inf); law U; G(U) in Z[0, 1]; density(U) in [0, inf)",
        (
            Line("most", "for x: U, A(U) in Z[0, 1]: density(x)*A(x) <= (1/2 + 3/(4*eta))*A(x)", using=("two_values",)),
            Line("order", "1/2 + 3/(4*eta) <= 8*exp(alpha*M)", using=("eta_is",), hints=("have exp(alpha*M) > 1",)),
            Line(
                "smooth",
                "for A(U) in Z[0, 1]: mean(x: U, density(x)*A(x)) <= (1/2 + 3/(4*eta))*mean(x: U, A(x)) "
                "<= 8*exp(alpha*M)*mean(x: U, A(x))",
                using=("mean of most over x", "order"),
            ),
        ),
        given=(
            Given("eta_is", "eta = 1/(6 + 4*exp(alpha*M))", "line: T5.eta"),
            Given(
                "two_values",
                "for x: U: density(x) = (1/2 + 3/(4*eta))*G(x) + (1/2)*(1 - G(x))",
                "printed: D_z density `1/2+3/(4eta)` on [z-eta/3,z+eta/3], 1/2 elsewhere",
            ),
        ),
        notation=(
            ("G", "[z-eta/3,z+eta/3]"),
            ("density", "that of D_z; D_z is kappa-smooth where its mass of A is at most kappa times that of U"),
        ),
        says=("`kappa = 1/2+3/(4 eta) = O(exp(alpha M))`",),
    ),
    "X3.rate": Derivation(
        "n in Z[1, inf); gamma in (0, 1)",
        (
            Line(
                "order",
                "n*((n-1)/2)*log(2/(1-gamma)) <= 1*n^2*log(2/(1-gamma))",
                hints=("have log(2/(1-gamma)) >= 0",),
            ),
        ),
        says=("`n * ((n-1)/2) log(2/(1-gamma)) = O(n^2 log(2/(1-gamma)))`",),
    ),
    "L17.eps": Derivation(
        "m in Z[1, inf); V in Z[1, inf); delta in (0, 1)",
        (Line("same", "(4/m)*(2*V*log(2*e*m/V) + log(4/delta)) = (8*V*log(2*e*m/V) + 4*log(4/delta))/m"),),
        says=("`(4/m)(2V log(2em/V)+log(4/delta)) = (8V log(2em/V)+4log(4/delta))/m`",),
    ),
    "L18.1": Derivation(
        "N in Z[1, inf); set I of N; a(I) in (-inf, inf); point i: I; point i0: I; t in (-inf, inf)",
        (
            Line("one_term", "exp(-a(i0)) <= total(j: I, exp(-a(j)))", "sum"),
            Line(
                "all",
                "exp(-a(i))/total(j: I, exp(-a(j))) <= exp(-t)/exp(-a(i0)) = exp(-(t - a(i0)))",
                using=("one_term", "far"),
            ),
        ),
        given=(Given("far", "a(i) >= t", "printed: a_i >= t"),),
        notation=(("N", "#I"), ("a", "a_i for each i of I"), ("i0", "i_0")),
        says=("`exp(-a_i)/sum exp(-a_i') <= exp(-t)/exp(-a_{i0}) = exp(-(t-a_{i0}))`",),
    ),
    "L18.2": Derivation(
        "N in Z[1, inf); set I of N; a(I) in (-inf, inf); point i0: I; t in (-inf, inf); p(I) in [0, 1]",
        (
            Line("one_term", "exp(-a(i0)) <= total(j: I, exp(-a(j)))", "sum"),
            Line(
                "each",
                "for i: I: [a(i) >= a(i0) + t]*p(i) <= [a(i) >= a(i0) + t]*exp(-t)",
                using=("law", "one_term"),
            ),
            Line("one", "for i: I: [a(i) >= a(i0) + t]*exp(-t) <= exp(-t)"),
            Line(
                "all",
                "total(i: I, [a(i) >= a(i0) + t]*p(i)) <= total(i: I, [a(i) >= a(i0) + t]*exp(-t)) <= N*exp(-t)",
                using=("total of each over i", "total of one over i"),
            ),
        ),
        given=(
            Given(
                "law",
                "for i: I: p(i) = exp(-a(i))/total(j: I, exp(-a(j)))",
                "definition: p_i is proportional to exp(-a_i)",
            ),
        ),
        notation=(("N", "#I"), ("a", "a_i for each i of I"), ("i0", "i_0"), ("p", "Pr[j=i] = p_i")),
        says=("`sum I[a_i>=a_{i0}+t] Pr[j=i] <= sum I[..] exp(-t) <= #I exp(-t)`",),
    ),
    "L19": Derivation(
        "kappa in [1, inf); eps in (0, inf); type X; law D; law U; x(D): X; u(U): X; h(X) in Z[0, 1]; g(X) in Z[0, 1]; "
        "A(X) in Z[0, 1]",
        (
            Line(
                "drawn_D",
                "for p: D: A(x(p)) = [h(x(p)) and not g(x(p)) or g(x(p)) and not h(x(p))]",
                using=("A_is at y = x(p)",),
            ),
            Line(
                "drawn_U",
                "for p: U: A(u(p)) = [h(u(p)) and not g(u(p)) or g(u(p)) and not h(u(p))]",
                using=("A_is at y = u(p)",),
            ),
            Line(
                "all",
                "Pr(p: D, h(x(p)) and not g(x(p)) or g(x(p)) and not h(x(p))) = Pr(p: D, A(x(p))) "
                "<= kappa*Pr(p: U, A(u(p))) = kappa*Pr(p: U, h(u(p)) and not g(u(p)) or g(u(p)) and not h(u(p))) "
                "<= kappa*eps",
                using=("mean of drawn_D over p", "mean of drawn_U over p", "smooth at F(y) = A(y)", "near"),
            ),
        ),
        given=(
            Given(
                "A_is",
                "for y: X: A(y) = [h(y) and not g(y) or g(y) and not h(y)]",
                "definition: A is where h and h' disagree",
            ),
            Given(
                "smooth",
                "for F(X) in Z[0, 1]: mean(p: D, F(x(p))) <= kappa*mean(p: U, F(u(p)))",
                "printed: D kappa-smooth w.r.t. U",
            ),
            Given(
                "near",
                "Pr(p: U, h(u(p)) and not g(u(p)) or g(u(p)) and not h(u(p))) <= eps",
                "printed: every eps-cover of (H,rho_U)",
            ),
        ),
        notation=(
            ("X", "the points"),
            ("x", "the point drawn from D"),
            ("u", "the point drawn from U"),
            ("h", "h"),
            ("g", "h', the member of the cover that is near h; rho is the probability that they disagree"),
        ),
        says=("`rho_D(h,h') = D(A) <= kappa U(A) = kappa rho_U(h,h') <= kappa eps`",),
    ),
    "L21.div": Derivation(
        "n in Z[2, inf); gamma in (0, 1); law U; law D; x(D): U; A(U) in Z[0, 1]; W(U) in Z[0, 1]",
        (
            Line(
                "some_mass",
                "((1-gamma)/2)^((n-1)/2) > 0",
                hints=("substitute gamma = 1 - 2*exp(-s) with s in (0, inf) as -log((1 - gamma)/2)",),
            ),
            Line("part", "for y: U: [A(y) and not W(y)] <= A(y)"),
            Line(
                "all",
                "Pr(p: D, A(x(p))) = Pr(y: U, A(y) and not W(y))/Pr(y: U, not W(y)) "
                "<= Pr(y: U, A(y))/((1-gamma)/2)^((n-1)/2)",
                using=("some_mass", "mean of part over y", "outside at F(y) = A(y)", "measure"),
            ),
        ),
        given=(
            Given(
                "outside",
                "for F(U) in Z[0, 1]: Pr(p: D, F(x(p)))*Pr(y: U, not W(y)) = Pr(y: U, F(y) and not W(y))",
                "definition: D is uniform on the sphere without W, U on the sphere",
            ),
            Given("measure", "Pr(y: U, not W(y)) >= ((1-gamma)/2)^((n-1)/2)", "line: L21.measure"),
        ),
        notation=(("x", "the point of the sphere that is drawn"),),
        says=("`D(A) = U(A\\W)/U(S\\W) <= U(A)/((1-gamma)/2)^((n-1)/2)`",),
    ),
    "L22.chain": Derivation(
        "m in Z[1, inf); k in [0, inf); l in Z[0, inf); set places of m; differs(places) in Z[0, 1]; "
        "rank(places) in Z[1, inf); taken(Z, places) in Z[0, 1]",
        (
            Line("most", "l <= k", using=("l_is", "agree")),
            Line("start", "for i: places: taken(0, i) = 0", using=("taken_is at j = 0",)),
            Line("up_to_l", "for i: places: differs(i) <= [rank(i) <= l]", using=("ranks",)),
            Line("end", "for i: places: differs(i) <= taken(l, i)", using=("taken_is at j = l", "up_to_l")),
            Line(
                "one_place",
                "for j in Z[0, inf), i: places: "
                "[differs(i) and (taken(j, i) and not taken(j + 1, i) or taken(j + 1, i) and not taken(j, i))] "
                "= [differs(i) and rank(i) <= j + 1 and not (rank(i) <= j)]",
                using=("taken_is", "taken_is at j = j + 1"),
            ),
            Line(
                "steps",
                "for j in Z[0, inf) if j + 1 <= l: total(i: places, "
                "[differs(i) and (taken(j, i) and not taken(j + 1, i) or taken(j + 1, i) and not taken(j, i))]) = 1",
                using=("total of one_place over i", "numbered"),
            ),
        ),
        given=(
            Given(
                "agree",
                "total(i: places, [not differs(i)]) >= m - k",
                "printed: S' agreeing with S in at least #S-k examples",
            ),
            Given(
                "l_is", "l = total(i: places, differs(i))", "definition: l is the number of places where they differ"
            ),
            Given(
                "numbered",
                "for j in Z[0, inf) if j + 1 <= l: "
                "total(i: places, [differs(i) and rank(i) <= j + 1 and not (rank(i) <= j)]) = 1",
                "definition: the places where they differ are numbered from 1 to l: one of them has rank j + 1",
            ),
            Given(
                "ranks",
                "for i: places: differs(i)*rank(i) <= l",
                "definition: the places where they differ have ranks up to l",
            ),
            Given(
                "taken_is",
                "for j in Z[0, inf), i: places: taken(j, i) = [rank(i) <= j]",
                "definition: S^(j) has S's entries at the places of rank up to j, and those of S' elsewhere",
            ),
        ),
        shows=("most", "start", "end", "steps"),
        notation=(
            ("m", "the size of S"),
            ("places", "the places of S and S'"),
            ("differs", "whether S and S' differ at a place"),
            ("rank", "the number of a place, among those where they differ"),
            (
                "taken",
                (
                    "whether S^(j) has S's entry at a place; S^(j) and S^(j+1) differ there where one has S's entry, "
                    "the other that of S', and these differ; S^(0) has none of S's, S^(l) all that differ"
                ),
            ),
        ),
        says=("chain S^(0)=S',...,S^(l)=S, l<=k", "S^(j), S^(j+1) differ in exactly one example"),
    ),
    "L22.end": Derivation(
        "alpha in (0, inf); k in [0, inf); l in Z[0, inf); type D; type OUT; law coins; A(D, coins): OUT; "
        "G(OUT) in Z[0, 1]; point S: D; point S0: D",
        (
            Line(
                "factors",
                "for p in [0, 1], q in [0, 1] if p <= exp(l*alpha)*q: q >= p*exp(-l*alpha)",
                hints=("have p*exp(-l*alpha) <= exp(l*alpha)*q*exp(-l*alpha)",),
            ),
            Line(
                "fewer",
                "for p in [0, 1]: p*exp(-l*alpha) >= p*exp(-k*alpha)",
                using=("most",),
                hints=("have l*alpha <= k*alpha", "have exp(-k*alpha) <= exp(-l*alpha)"),
            ),
            Line(
                "all",
                "Pr(c: coins, G(A(S, c))) >= Pr(c: coins, G(A(S0, c)))*exp(-l*alpha) "
                ">= Pr(c: coins, G(A(S0, c)))*exp(-k*alpha)",
                using=(
                    "chain",
                    "factors at p = Pr(c: coins, G(A(S0, c))), q = Pr(c: coins, G(A(S, c)))",
                    "fewer at p = Pr(c: coins, G(A(S0, c)))",
                ),
            ),
        ),
        given=(
            Given("chain", "Pr(c: coins, G(A(S0, c))) <= exp(l*alpha)*Pr(c: coins, G(A(S, c)))", "line: L22.tele"),
            Given("most", "l <= k", "printed: l<=k"),
        ),
        notation=(
            ("D", "datasets"),
            ("OUT", "what A puts out"),
            ("coins", "A's coins"),
            ("S0", "S'"),
        ),
        says=("`Pr[A(S) in G] >= Pr[A(S') in G] e^(-l alpha) >= Pr[A(S') in G] e^(-k alpha)`",),
    ),
}


#: Theorem 8.
_AGNOSTIC = {
    "T8.khat": Derivation(
        "C in (0, inf); alpha in (0, 1); eps in (0, 1); delta in (0, 1); d_U in (0, inf); kappa in [1, inf); "
        "khat in (0, inf); m in Z[1, inf)",
        (
            Line(
                "cancel",
                "for q in (0, inf), d in (0, inf), L in (0, inf), T in (-inf, inf), u in (-inf, inf) "
                "if q*(d*u + L) <= q*(d*T + L): u <= T",
                hints=("have d*u <= d*T",),
            ),
            Line(
                "logs",
                "log(kappa/eps) <= log(khat/eps)",
                using=(
                    "step_1",
                    "size_4",
                    (
                        "cancel at q = C*(1/(alpha*eps) + 1/eps^2), d = d_U, L = log(1/delta), T = log(khat/eps), "
                        "u = log(kappa/eps)"
                    ),
                ),
            ),
            Line(
                "all",
                "khat >= kappa",
                using=("logs",),
                hints=("lemma exp_increases x = log(kappa/eps); y = log(khat/eps)",),
            ),
        ),
        given=(
            Given(
                "step_1",
                "m = C*(1/(alpha*eps) + 1/eps^2)*(d_U*log(khat/eps) + log(1/delta))",
                "definition: step 1 of A_1 solves this equation for khat",
            ),
            Given(
                "size_4",
                "m >= C*(1/(alpha*eps) + 1/eps^2)*(d_U*log(kappa/eps) + log(1/delta))",
                "printed: m >= C*(1/(alpha*eps)+1/eps^2)*(d_U*log(kappa/eps)+log(1/delta))",
            ),
        ),
        says=("(4) => `khat >= kappa`",),
    ),
    "T8.size": Derivation(
        f"eps in (0, 1); {_PACKED}",
        _SIZE,
        given=_SIZE_GIVEN,
        notation=_SIZE_NAMES,
        says=("`#G <= (16 khat/eps)^{d_U}` via lem-14 with packing scale eps/(4 khat)",),
    ),
    "T8.unif": Derivation(
        f"{_SAMPLE}; E(S) in Z[0, 1]",
        (
            Line(
                "one_of_them",
                "for s: S, g: G: [abs(err(g) - errS(g, s)) > eps/4] "
                "<= largest(f: G, [abs(err(f) - errS(f, s)) > eps/4])",
                "largest",
            ),
            Line(
                "close",
                "for s: S, g: G if E(s) = 0: abs(err(g) - errS(g, s)) <= eps/4",
                using=("E_is", "one_of_them"),
            ),
            Line("h", "for s: S, g: G if E(s) = 0: err(g) <= errS(g, s) + eps/4", using=("close",)),
            Line("g", "for s: S, g: G if E(s) = 0: err(g) >= errS(g, s) - eps/4", using=("close",)),
            Line(
                "h_A",
                "for s: S, c: coins if E(s) = 0: err(h_A(s, c)) <= errS(h_A(s, c), s) + eps/4",
                using=("h at g = h_A(s, c)",),
            ),
            Line("g_0", "for s: S if E(s) = 0: err(g_0) >= errS(g_0, s) - eps/4", using=("g at g = g_0",)),
        ),
        given=(_E_IS,),
        shows=("h_A", "g_0"),
        notation=_SAMPLE_NAMES,
        says=("on not-E: `err(h_A) <= err(h_A,S)+eps/4`, `err(g_0) >= err(g_0,S)-eps/4`",),
    ),
    "T8.c1": Derivation(
        f"{_SAMPLE}; star in [0, 1]",
        (
            Line(
                "each",
                "for s: S, c: coins: [err(h_A(s, c)) > star + eps] <= [err(h_A(s, c)) > err(g_0) + 3*eps/4]",
                using=("line_6",),
            ),
            Line(
                "all",
                "Pr(s: S, c: coins, err(h_A(s, c)) > star + eps) "
                "<= Pr(s: S, c: coins, err(h_A(s, c)) > err(g_0) + 3*eps/4)",
                using=("mean of mean of each over s over c",),
            ),
        ),
        given=(Given("line_6", "err(g_0) <= star + eps/4", "line: T8.(6)"),),
        notation=(*_SAMPLE_NAMES, ("star", "err(h*)")),
        says=("`Pr[err(h_A)>err(h*)+eps] <= Pr[err(h_A)>err(g_0)+3eps/4]`",),
    ),
    "T8.c2": Derivation(
        f"{_SAMPLE}; E(S) in Z[0, 1]",
        (
            Line(
                "split",
                "for s: S, c: coins: [err(h_A(s, c)) > err(g_0) + 3*eps/4] "
                "<= E(s) + [err(h_A(s, c)) > err(g_0) + 3*eps/4 and not E(s)]",
            ),
            Line("inside", "for s: S, c: coins: [err(h_A(s, c)) > err(g_0) + 3*eps/4 and not E(s)] >= 0"),
            Line(
                "all",
                "Pr(s: S, c: coins, err(h_A(s, c)) > err(g_0) + 3*eps/4) "
                "<= Pr(s: S, E(s)) + Pr(s: S, c: coins, err(h_A(s, c)) > err(g_0) + 3*eps/4 given not E(s))",
                using=("mean of mean of split over s over c", "mean of mean of inside over s over c", "possible"),
            ),
        ),
        given=(Given("possible", "Pr(s: S, E(s)) < 1", "printed: Pr[E] < 1, so that the condition can be asked for"),),
        notation=_SAMPLE_NAMES,
        says=("`<= Pr[E] + Pr[err(h_A)>err(g_0)+3eps/4 | not E]`",),
    ),
    "T8.c3": Derivation(
        f"delta in (0, 1); {_SAMPLE}; E(S) in Z[0, 1]",
        (
            Line(
                "each",
                "for s: S, c: coins: [err(h_A(s, c)) > err(g_0) + 3*eps/4 and not E(s)] "
                "<= [errS(h_A(s, c), s) > errS(g_0, s) + eps/4 and not E(s)]",
                using=("close_h", "close_g"),
            ),
            Line(
                "divided",
                "for p in (-inf, inf), q in (-inf, inf), w in (0, 1] if p <= q: p/w <= q/w",
                hints=("have (q - p)/w >= 0",),
            ),
            Line(
                "all",
                "Pr(s: S, E(s)) + Pr(s: S, c: coins, err(h_A(s, c)) > err(g_0) + 3*eps/4 given not E(s)) "
                "<= delta/2 + Pr(s: S, c: coins, errS(h_A(s, c), s) > errS(g_0, s) + eps/4 given not E(s))",
                using=(
                    "hoeffding",
                    "mean of mean of each over s over c",
                    (
                        "divided at p = Pr(s: S, c: coins, err(h_A(s, c)) > err(g_0) + 3*eps/4 and not E(s)), "
                        "q = Pr(s: S, c: coins, errS(h_A(s, c), s) > errS(g_0, s) + eps/4 and not E(s)), "
                        "w = Pr(s: S, not E(s))"
                    ),
                ),
            ),
        ),
        given=(
            Given(
                "close_h",
                "for s: S, c: coins: (1 - E(s))*err(h_A(s, c)) <= (1 - E(s))*(errS(h_A(s, c), s) + eps/4)",
                "line: T8.unif",
            ),
            Given("close_g", "for s: S: (1 - E(s))*err(g_0) >= (1 - E(s))*(errS(g_0, s) - eps/4)", "line: T8.unif"),
            Given("hoeffding", "Pr(s: S, E(s)) <= delta/2", "printed: with Pr[E] <= delta/2 from T8.hoeff"),
        ),
        notation=_SAMPLE_NAMES,
        says=("`<= delta/2 + Pr[err(h_A,S)>err(g_0,S)+eps/4 | not E]`",),
    ),
    "T8.c4": Derivation(
        f"alpha in (0, 1); delta in (0, 1); m in Z[1, inf); {_SAMPLE}; E(S) in Z[0, 1]",
        (
            Line(
                "same_event",
                "for s: S, g: G: [errS(g, s) > errS(g_0, s) + eps/4] "
                "<= [alpha*m*errS(g, s)/2 >= alpha*m*errS(g_0, s)/2 + alpha*m*eps/8]",
                hints=("have m*(errS_g0_s + eps/4 - errS_g_s) > 0", "have errS_g0_s + eps/4 - errS_g_s > 0"),
            ),
            Line(
                "weighted",
                "for s: S, g: G: [errS(g, s) > errS(g_0, s) + eps/4]*exp(-alpha*m*errS(g, s)/2) "
                "<= [alpha*m*errS(g, s)/2 >= alpha*m*errS(g_0, s)/2 + alpha*m*eps/8]*exp(-alpha*m*errS(g, s)/2)",
                using=("same_event",),
            ),
            Line(
                "divided",
                "for p in (-inf, inf), q in (-inf, inf), w in (0, inf), y in (-inf, inf) if p <= q, q/w <= y: p/w <= y",
                hints=("have (q - p)/w >= 0",),
            ),
            Line(
                "tail",
                "for s: S: Pr(c: coins, errS(h_A(s, c), s) > errS(g_0, s) + eps/4) <= N*exp(-alpha*m*eps/8)",
                using=(
                    "step_3 at F(g) = [errS(g, s) > errS(g_0, s) + eps/4]",
                    "total of weighted over g",
                    "lem_18 at a(g) = alpha*m*errS(g, s)/2, i0 = g_0, t = alpha*m*eps/8",
                    (
                        "divided at p = total(g: G, [errS(g, s) > errS(g_0, s) + eps/4]*exp(-alpha*m*errS(g, s)/2)), "
                        "q = total(g: G, [alpha*m*errS(g, s)/2 >= alpha*m*errS(g_0, s)/2 + alpha*m*eps/8]"
                        "*exp(-alpha*m*errS(g, s)/2)), "
                        "w = total(g: G, exp(-alpha*m*errS(g, s)/2)), y = N*exp(-alpha*m*eps/8)"
                    ),
                ),
            ),
            Line(
                "joint",
                "for s: S: Pr(c: coins, errS(h_A(s, c), s) > errS(g_0, s) + eps/4 and not E(s)) "
                "<= (1 - E(s))*(N*exp(-alpha*m*eps/8))",
                using=("tail",),
            ),
            Line(
                "all",
                "delta/2 + Pr(s: S, c: coins, errS(h_A(s, c), s) > errS(g_0, s) + eps/4 given not E(s)) "
                "<= delta/2 + N*exp(-alpha*m*eps/8)",
                using=("mean of joint over s", "possible"),
            ),
        ),
        given=(
            Given(
                "step_3",
                "for s: S, F(G) in Z[0, 1]: mean(c: coins, F(h_A(s, c))) "
                "= total(g: G, F(g)*exp(-alpha*m*errS(g, s)/2))/total(g: G, exp(-alpha*m*errS(g, s)/2))",
                "definition: step 3 of A_1 chooses g with probability proportional to exp(-alpha m err(g, S)/2)",
            ),
            Given(
                "lem_18",
                "for a(G) in (-inf, inf), i0: G, t in (-inf, inf): "
                "total(g: G, [a(g) >= a(i0) + t]*exp(-a(g)))/total(g: G, exp(-a(g))) <= N*exp(-t)",
                "result: chaudhuri2011:lem-18",
            ),
            Given("possible", "Pr(s: S, E(s)) < 1", "definition: there is a condition to ask for, as in T8.c2"),
        ),
        notation=(*_SAMPLE_NAMES, ("E", "the event that some err(g,S) is off by more than eps/4")),
        says=("`<= delta/2 + #G exp(-alpha m eps/8)` (lem-18, a_g=alpha m err(g,S)/2)",),
    ),
    "T8.c5": Derivation(
        "alpha in (0, 1); delta in (0, 1); eps in (0, 1); d_U in (0, inf); khat in [1, inf); m in Z[1, inf); "
        "N in Z[1, inf)",
        (
            Line(
                "all",
                "delta/2 + N*exp(-alpha*m*eps/8) <= delta/2 + (16*khat/eps)^d_U*exp(-alpha*m*eps/8)",
                using=("size",),
            ),
        ),
        given=(Given("size", "N <= (16*khat/eps)^d_U", "line: T8.size"),),
        notation=(("N", "#G"),),
        says=("`<= delta/2 + (16 khat/eps)^{d_U} exp(-alpha m eps/8)`",),
    ),
}

#: Theorem 9.
_REALISABLE = {
    "T9.(7)": Derivation(
        "eps in (0, 1); kappa in [1, inf); khat in [1, inf); law P; g_0(P) in Z[0, 1]; h(P) in Z[0, 1]; "
        "y(P) in Z[0, 1]",
        (
            Line(
                "each",
                "for z: P: [g_0(z) and not y(z) or y(z) and not g_0(z)] "
                "<= [h(z) and not y(z) or y(z) and not h(z)] + [h(z) and not g_0(z) or g_0(z) and not h(z)]",
            ),
            Line("close", "kappa*(eps/(4*khat)) <= eps/4", using=("large",), hints=("have kappa/khat <= 1",)),
            Line(
                "all",
                "Pr(z: P, g_0(z) and not y(z) or y(z) and not g_0(z)) "
                "<= Pr(z: P, h(z) and not y(z) or y(z) and not h(z)) "
                "+ Pr(z: P, h(z) and not g_0(z) or g_0(z) and not h(z)) <= eps/4",
                using=("mean of each over z", "realisable", "cover", "close"),
            ),
        ),
        given=(
            Given("realisable", "Pr(z: P, h(z) and not y(z) or y(z) and not h(z)) = 0", "printed: err(h*)=0"),
            Given(
                "cover",
                "Pr(z: P, h(z) and not g_0(z) or g_0(z) and not h(z)) <= kappa*(eps/(4*khat))",
                "result: chaudhuri2011:lem-19",
            ),
            Given("large", "kappa <= khat", "line: T8.khat"),
        ),
        notation=(
            ("khat", "khat, which the line before bounds"),
            ("kappa", "the smoothness of D"),
            ("P", "examples; rho_D and err are probabilities that two of g_0, h* and the label are different"),
            ("h", "h* at the point of an example"),
            ("y", "the label of an example"),
        ),
        says=("(7) `err(g_0) <= err(h*)+rho_D(h*,g_0) <= eps/4`",),
    ),
    "T9.chern1": Derivation(
        "m in Z[1, inf); eps in (0, 1); law P; wrong(P) in Z[0, 1]; law S; errS(S) in [0, 1]",
        (
            *_MOMENT,
            Line(
                "markov",
                "for s: S, p in [0, 1]: [errS(s) < (9/10)*p]*exp(-(9/100)*m*p) <= exp(-m*errS(s)/10)",
            ),
            Line(
                "bound",
                "for p in [0, 1], q in [0, 1] if q*exp(-(9/100)*m*p) <= exp(-(19/200)*m*p): q <= exp(-m*p/400)",
                hints=("have q <= exp((9/100)*m*p)*exp(-(19/200)*m*p)",),
            ),
            Line(
                "all",
                "Pr(s: S, errS(s) < (9/10)*mean(z: P, wrong(z))) "
                "<= exp(-m*mean(z: P, wrong(z))/400) <= exp(-m*eps/400)",
                using=(
                    "large",
                    "moments",
                    "mean of (markov at p = mean(z: P, wrong(z))) over s",
                    "bound at p = mean(z: P, wrong(z)), q = Pr(s: S, errS(s) < (9/10)*mean(z: P, wrong(z)))",
                ),
            ),
        ),
        given=(
            Given(
                "independent",
                "mean(s: S, exp(-m*errS(s)/10)) = mean(z: P, exp(-wrong(z)/10))^m",
                "definition: m err(g,S) adds up the mistakes on m independent records, and the mean of a product of "
                "functions of independent records is the product of the means",
            ),
            Given("large", "mean(z: P, wrong(z)) >= eps", "printed: g in G_1={err(g)>=eps}"),
        ),
        notation=(
            ("P", "the law of a record"),
            ("wrong", "whether g errs on a record: err(g) is its mean"),
            ("errS", "err(g,S)"),
        ),
        says=("`Pr[err(g,S) < (9/10) err(g)] <= exp(-m err(g)/400) <= exp(-m eps/400)`",),
    ),
    "T9.(8)": Derivation(
        "m in Z[1, inf); eps in (0, 1); delta in (0, 1); N in Z[1, inf); set G_1 of N; law P; "
        "wrong(G_1, P) in Z[0, 1]; law S; errS(G_1, S) in [0, 1]",
        (
            Line("tenth", "exp(-1/10) <= 1 - 19/200"),
            Line("one", "for g: G_1, z: P: exp(-wrong(g, z)/10) <= 1 - (19/200)*wrong(g, z)", using=("tenth",)),
            Line(
                "power",
                "for b in (0, inf), p in [0, 1] if b <= 1 - (19/200)*p: b^m <= exp(-(19/200)*m*p)",
                hints=("lemma exp_above x = -(19/200)*p", "lemma log_increases x = b; y = exp(-(19/200)*p)"),
            ),
            Line(
                "moments",
                "for g: G_1: mean(s: S, exp(-m*errS(g, s)/10)) <= exp(-(19/200)*m*mean(z: P, wrong(g, z)))",
                using=(
                    "independent",
                    "mean of one over z",
                    "power at b = mean(z: P, exp(-wrong(g, z)/10)), p = mean(z: P, wrong(g, z))",
                ),
            ),
            Line(
                "markov",
                "for g: G_1, s: S: [errS(g, s) <= 9*eps/10]*exp(-(9/100)*m*eps) <= exp(-m*errS(g, s)/10)",
            ),
            Line(
                "bound",
                "for p in [0, 1], q in [0, 1] if p >= eps, q*exp(-(9/100)*m*eps) <= exp(-(19/200)*m*p): "
                "q <= exp(-m*eps/400)",
                hints=(
                    "have exp(-(19/200)*m*p) <= exp(-(19/200)*m*eps)",
                    "have q <= exp((9/100)*m*eps)*exp(-(19/200)*m*eps)",
                ),
            ),
            Line(
                "tail_m",
                "for g: G_1: Pr(s: S, errS(g, s) <= 9*eps/10) <= exp(-m*eps/400)",
                using=(
                    "G_1_is",
                    "moments",
                    "mean of markov over s",
                    "bound at p = mean(z: P, wrong(g, z)), q = Pr(s: S, errS(g, s) <= 9*eps/10)",
                ),
            ),
            Line(
                "tail",
                "for g: G_1: Pr(s: S, errS(g, s) <= 9*eps/10) <= delta/(4*N)",
                using=("tail_m", "size"),
            ),
            Line(
                "union",
                "for s: S: largest(g: G_1, [errS(g, s) <= 9*eps/10]) <= total(g: G_1, [errS(g, s) <= 9*eps/10])",
                "sum",
            ),
            Line(
                "all",
                "Pr(s: S, not every(g: G_1, errS(g, s) > 9*eps/10)) <= delta/4",
                using=("mean of union over s", "total of tail over g"),
            ),
        ),
        given=(
            Given(
                "independent",
                "for g: G_1: mean(s: S, exp(-m*errS(g, s)/10)) = mean(z: P, exp(-wrong(g, z)/10))^m",
                "definition: m err(g,S) adds up the mistakes on m independent records, and the mean of a product of "
                "functions of independent records is the product of the means",
            ),
            Given("G_1_is", "for g: G_1: mean(z: P, wrong(g, z)) >= eps", "definition: G_1={err(g)>=eps}"),
            Given(
                "size",
                "exp(-m*eps/400) <= delta/(4*N)",
                "printed: with T9.union's bound exp(-m eps/400) <= delta/(4 #G_1)",
            ),
        ),
        notation=(
            ("N", "#G_1"),
            ("P", "the law of a record"),
            ("wrong", "whether g errs on a record: err(g) is its mean"),
            ("errS", "err(g,S)"),
        ),
        says=("(8) `Pr[not E_1] <= delta/4`, E_1 = {min_{g in G_1} err(g,S) > 9eps/10}",),
    ),
    "T9.c2a": Derivation(
        "err in [0, 1]; eps in (0, 1); delta in (0, 1); m in Z[1, inf)",
        (
            Line(
                "all",
                "err + sqrt(3*err*log(4/delta)/m) <= eps/4 + sqrt((3*eps/4)*log(4/delta)/m)",
                using=("small",),
                hints=("have log(4/delta) > 0", "have 3*err*log(4/delta)/m <= (3*eps/4)*log(4/delta)/m"),
            ),
        ),
        given=(Given("small", "err <= eps/4", "printed: err(g_0)<=eps/4"),),
        says=("`err(g_0)+sqrt(3 err(g_0) ln(4/delta)/m) <= eps/4+sqrt((3eps/4) ln(4/delta)/m)`",),
    ),
    "T9.c2b": Derivation(
        "eps in (0, 1); delta in (0, 1); m in Z[1, inf)",
        (
            Line("ratio", "(3*eps/4)*log(4/delta)/m <= (3*eps/4)*(eps/3)", using=("large",)),
            Line("root", "sqrt((3*eps/4)*(eps/3)) = eps/2"),
            Line(
                "less",
                "sqrt((3*eps/4)*log(4/delta)/m) <= sqrt((3*eps/4)*(eps/3))",
                using=("ratio",),
                hints=("lemma sqrt_increases x = (3*eps/4)*log(4/delta)/m; y = (3*eps/4)*(eps/3)",),
            ),
            Line(
                "all",
                "eps/4 + sqrt((3*eps/4)*log(4/delta)/m) <= eps/4 + sqrt((3*eps/4)*(eps/3)) = 3*eps/4",
                using=("less", "root"),
            ),
        ),
        given=(Given("large", "m >= (3/eps)*log(4/delta)", "printed: m>=(3/eps)log(4/delta)"),),
        says=("`eps/4+sqrt((3eps/4) ln(4/delta)/m) <= eps/4+sqrt((3eps/4)(eps/3)) = 3eps/4`",),
    ),
    "T9.d1": Derivation(
        f"{_SAMPLE}; E_1(S) in Z[0, 1]; E_2(S) in Z[0, 1]",
        (
            Line(
                "split",
                "for s: S, c: coins: [err(h_A(s, c)) > eps] "
                "<= [err(h_A(s, c)) > eps and E_1(s) and E_2(s)] + [not E_1(s)] + [not E_2(s)]",
            ),
            Line("inside", "for s: S, c: coins: [err(h_A(s, c)) > eps and E_1(s) and E_2(s)] >= 0"),
            Line("at_most_1", "for p in [0, inf), w in (0, 1]: p <= p/w", hints=("have p/w*(1 - w) >= 0",)),
            Line(
                "all",
                "Pr(s: S, c: coins, err(h_A(s, c)) > eps) "
                "<= Pr(s: S, c: coins, err(h_A(s, c)) > eps given E_1(s) and E_2(s)) "
                "+ Pr(s: S, not E_1(s)) + Pr(s: S, not E_2(s))",
                using=(
                    "mean of mean of split over s over c",
                    "mean of mean of inside over s over c",
                    "possible",
                    (
                        "at_most_1 at p = Pr(s: S, c: coins, err(h_A(s, c)) > eps and E_1(s) and E_2(s)), "
                        "w = Pr(s: S, E_1(s) and E_2(s))"
                    ),
                ),
            ),
        ),
        given=(
            Given(
                "possible",
                "Pr(s: S, E_1(s) and E_2(s)) > 0",
                "printed: Pr[E_1 and E_2] > 0, so that the condition can be asked for",
            ),
        ),
        notation=_SAMPLE_NAMES,
        says=("`Pr[err(h_A)>eps] <= Pr[err(h_A)>eps | E_1 and E_2]+Pr[not E_1]+Pr[not E_2]`",),
    ),
    "T9.d2": Derivation(
        f"delta in (0, 1); {_SAMPLE}; E_1(S) in Z[0, 1]; E_2(S) in Z[0, 1]",
        (
            Line(
                "one_of_them",
                "for s: S, g: G: [err(g) >= eps and errS(g, s) <= 9*eps/10] "
                "<= largest(f: G, [err(f) >= eps and errS(f, s) <= 9*eps/10])",
                "largest",
            ),
            Line(
                "bad",
                "for s: S, g: G: E_1(s)*[err(g) > eps] <= [errS(g, s) > 9*eps/10]",
                using=("E_1_is", "one_of_them"),
            ),
            Line(
                "bad_h",
                "for s: S, c: coins: E_1(s)*[err(h_A(s, c)) > eps] <= [errS(h_A(s, c), s) > 9*eps/10]",
                using=("bad at g = h_A(s, c)",),
            ),
            Line(
                "gap",
                "for s: S, c: coins: [errS(h_A(s, c), s) > 9*eps/10]*E_2(s) "
                "<= [errS(h_A(s, c), s) > errS(g_0, s) + (9/10-3/4)*eps]",
                using=("E_2_is",),
            ),
            Line(
                "each",
                "for s: S, c: coins: [err(h_A(s, c)) > eps and E_1(s) and E_2(s)] "
                "<= [errS(h_A(s, c), s) > errS(g_0, s) + (9/10-3/4)*eps and E_1(s) and E_2(s)]",
                using=("bad_h", "gap"),
            ),
            Line(
                "divided",
                "for p in (-inf, inf), q in (-inf, inf), w in (0, 1] if p <= q: p/w <= q/w",
                hints=("have (q - p)/w >= 0",),
            ),
            Line(
                "all",
                "Pr(s: S, c: coins, err(h_A(s, c)) > eps given E_1(s) and E_2(s)) "
                "+ Pr(s: S, not E_1(s)) + Pr(s: S, not E_2(s)) "
                "<= Pr(s: S, c: coins, errS(h_A(s, c), s) > errS(g_0, s) + (9/10-3/4)*eps given E_1(s) and E_2(s)) "
                "+ delta/4 + delta/4",
                using=(
                    "line_8",
                    "line_9",
                    "possible",
                    "mean of mean of each over s over c",
                    (
                        "divided at p = Pr(s: S, c: coins, err(h_A(s, c)) > eps and E_1(s) and E_2(s)), q = Pr(s: S, "
                        "c: coins, errS(h_A(s, c), s) > errS(g_0, s) + (9/10-3/4)*eps and E_1(s) and E_2(s)), "
                        "w = Pr(s: S, E_1(s) and E_2(s))"
                    ),
                ),
            ),
        ),
        given=(
            Given(
                "E_1_is",
                "for s: S: E_1(s) = 1 - [some(f: G, err(f) >= eps and errS(f, s) <= 9*eps/10)]",
                "definition: E_1 is the event that all g of G_1 have err(g,S) > 9 eps/10; G_1 has the g of G with "
                "err(g) >= eps",
            ),
            Given("E_2_is", "for s: S: E_2(s) = [errS(g_0, s) <= 3*eps/4]", "definition: E_2={err(g_0,S)<=3eps/4}"),
            Given("line_8", "Pr(s: S, not E_1(s)) <= delta/4", "line: T9.(8)"),
            Given("line_9", "Pr(s: S, not E_2(s)) <= delta/4", "line: T9.(9)"),
            Given(
                "possible",
                "Pr(s: S, E_1(s) and E_2(s)) > 0",
                "definition: there is a condition to ask for, as in T9.d1",
            ),
        ),
        notation=_SAMPLE_NAMES,
        says=("`<= Pr[err(h_A,S)>err(g_0,S)+(9/10-3/4)eps | E_1 and E_2]+delta/4+delta/4`",),
    ),
    "T9.d3": Derivation(
        "eps in (0, 1); delta in (0, 1)",
        (
            Line("gap", "(9/10-3/4)*eps = 3*eps/20"),
            Line("halves", "delta/4+delta/4 = delta/2"),
        ),
        shows=("gap", "halves"),
        says=("`(9/10-3/4)eps = 3eps/20`; `delta/4+delta/4 = delta/2`",),
    ),
    "T9.d5": Derivation(
        f"eps in (0, 1); delta in (0, 1); m in Z[1, inf); {_PACKED}",
        (
            *_SIZE,
            Line(
                "all",
                "N*exp(-3*eps*m/20) + delta/2 <= (16*khat/eps)^d_U*exp(-3*eps*m/20) + delta/2",
                using=("size",),
            ),
        ),
        given=_SIZE_GIVEN,
        notation=_SIZE_NAMES,
        says=("`<= (16 khat/eps)^{d_U} exp(-3 eps m/20)+delta/2`",),
    ),
}

#: Lemmas 23 and 24, theorem 12, lemma 11.
_LABELS = {
    "L23.1": Derivation(
        "r in (0, 1); eps_m in [0, inf); type H; rho_D(H, H) in [0, 1]; rho_X(H, H) in [0, 1]",
        (
            Line(
                "root",
                "for x in [0, 1]: sqrt(x*eps_m) <= sqrt(x*r/2)",
                using=("size",),
                hints=("have x*eps_m <= x*r/2", "lemma sqrt_increases x = x*eps_m; y = x*r/2"),
            ),
            Line(
                "above",
                "for x in (0, 1] if x > 2*r: x - sqrt(x*r/2) > r",
                hints=("have x*r/2 <= (x/2)^2", "lemma sqrt_below x = x*r/2; y = x/2"),
            ),
            Line(
                "all",
                "for h: H, g: H if rho_X(h, g) > 2*r: rho_D(h, g) >= rho_X(h, g) - sqrt(rho_X(h, g)*r/2) > r",
                using=("lem_17", "root at x = rho_X(h, g)", "above at x = rho_X(h, g)"),
            ),
        ),
        given=(
            Given("size", "eps_m <= r/2", "printed: eps_m=r/2"),
            Given(
                "lem_17",
                "for h: H, g: H: rho_D(h, g) >= rho_X(h, g) "
                "- min(sqrt(rho_X(h, g)*eps_m), sqrt(rho_D(h, g)*eps_m) + eps_m)",
                "result: chaudhuri2011:lem-17",
            ),
        ),
        notation=(("H", "hypotheses"),),
        says=("`rho_X>2r => rho_D >= rho_X - sqrt(rho_X r/2) > r`",),
    ),
    "L23.2a": Derivation(
        "r in (0, 1); eps_m in [0, inf); type H; rho_D(H, H) in [0, 1]; rho_X(H, H) in [0, 1]",
        (
            Line(
                "root",
                "for x in [0, 1]: sqrt(x*eps_m) <= sqrt(x*r/3)",
                using=("size",),
                hints=("have x*eps_m <= x*r/3", "lemma sqrt_increases x = x*eps_m; y = x*r/3"),
            ),
            Line(
                "above",
                "for x in (0, 1] if x > 6*r: x - sqrt(x*r/3) > 4*r",
                hints=("have x*r/3 <= (x/4)^2", "lemma sqrt_below x = x*r/3; y = x/4"),
            ),
            Line(
                "all",
                "for h: H, g: H if rho_D(h, g) > 6*r: rho_X(h, g) >= rho_D(h, g) - sqrt(rho_D(h, g)*r/3) > 4*r",
                using=("lem_17", "root at x = rho_D(h, g)", "above at x = rho_D(h, g)"),
            ),
        ),
        given=(
            Given("size", "eps_m <= r/3", "printed: eps_m=r/3"),
            Given(
                "lem_17",
                "for h: H, g: H: rho_X(h, g) >= rho_D(h, g) - sqrt(rho_D(h, g)*eps_m)",
                "result: chaudhuri2011:lem-17",
            ),
        ),
        notation=(("H", "hypotheses"),),
        says=("`rho_D>6r => rho_X >= rho_D-sqrt(rho_D r/3) > 4r`",),
    ),
    "L23.2b": Derivation(
        "r in (0, 1); eps_m in [0, inf); type H; rho_D(H, H) in [0, 1]; rho_X(H, H) in [0, 1]",
        (
            Line(
                "root",
                "for x in [0, 1]: sqrt(x*eps_m) <= sqrt(x*r/3)",
                using=("size",),
                hints=("have x*eps_m <= x*r/3", "lemma sqrt_increases x = x*eps_m; y = x*r/3"),
            ),
            Line(
                "below",
                "for x in [0, 1] if x <= 12*r: x + sqrt(x*r/3) + r/3 <= 16*r",
                hints=("have x*r/3 <= (2*r)^2", "lemma sqrt_below x = x*r/3; y = 2*r"),
            ),
            Line(
                "all",
                "for h: H, g: H if rho_D(h, g) <= 12*r: "
                "rho_X(h, g) <= rho_D(h, g) + sqrt(rho_D(h, g)*r/3) + r/3 <= 16*r",
                using=("size", "lem_17", "root at x = rho_D(h, g)", "below at x = rho_D(h, g)"),
            ),
        ),
        given=(
            Given("size", "eps_m <= r/3", "printed: eps_m=r/3"),
            Given(
                "lem_17",
                "for h: H, g: H: rho_D(h, g) >= rho_X(h, g) "
                "- min(sqrt(rho_X(h, g)*eps_m), sqrt(rho_D(h, g)*eps_m) + eps_m)",
                "result: chaudhuri2011:lem-17",
            ),
        ),
        notation=(("H", "hypotheses"),),
        says=("`rho_D<=12r => rho_X <= rho_D+sqrt(rho_D r/3)+r/3 <= 16r`",),
    ),
    "T12.disj": Derivation(
        "eps in (0, inf); type H; law D; value(H, D) in Z[0, 1]; N in Z[1, inf); set P of N; h(P): H; "
        "other(P, P) in Z[0, 1]",
        (
            Line(
                "each",
                "for f: H, g: H, k: H, x: D: [value(f, x) and not value(g, x) or value(g, x) and not value(f, x)] "
                "<= [value(f, x) and not value(k, x) or value(k, x) and not value(f, x)] "
                "+ [value(g, x) and not value(k, x) or value(k, x) and not value(g, x)]",
            ),
            Line(
                "triangle",
                "for f: H, g: H, k: H: Pr(x: D, value(f, x) and not value(g, x) or value(g, x) and not value(f, x)) "
                "<= Pr(x: D, value(f, x) and not value(k, x) or value(k, x) and not value(f, x)) "
                "+ Pr(x: D, value(g, x) and not value(k, x) or value(k, x) and not value(g, x))",
                using=("mean of each over x",),
            ),
            Line(
                "disjoint",
                "for p: P, q: P, k: H if other(p, q) = 1: "
                "[Pr(x: D, value(h(p), x) and not value(k, x) or value(k, x) and not value(h(p), x)) <= eps "
                "and Pr(x: D, value(h(q), x) and not value(k, x) or value(k, x) and not value(h(q), x)) <= eps] = 0",
                using=("packing", "triangle at f = h(p), g = h(q)"),
            ),
        ),
        given=(
            Given(
                "packing",
                "for p: P, q: P if other(p, q) = 1: Pr(x: D, value(h(p), x) and not value(h(q), x) "
                "or value(h(q), x) and not value(h(p), x)) > 2*eps",
                "line: T12.pack",
            ),
        ),
        notation=(
            ("D", "the law of the points"),
            ("value", "h(x): rho_D is the probability that two hypotheses differ at x"),
            ("N", "#P"),
            ("h", "a member of P, as a hypothesis"),
            ("other", "whether two members of P are distinct"),
        ),
        says=("`B_D(h,eps)` disjoint for distinct h in P",),
    ),
    "T12.group": Derivation(
        "alpha in (0, inf); m in Z[1, inf); set X of m; type H; N in Z[1, inf); set P of N; point h: P; "
        "value(P, X) in Z[0, 1]; same(P, P) in Z[0, 1]; B_D(H, P) in Z[0, 1]; type D; label(D, X) in Z[0, 1]; "
        "S(P): D; law coins; A(D, coins): H; taken(Z, X) in Z[0, 1]; mixed(Z, P): D",
        (
            Line(
                "apart",
                "for j in Z[0, inf), g: P, x: X: [label(mixed(j, g), x) and not label(mixed(j + 1, g), x) "
                "or label(mixed(j + 1, g), x) and not label(mixed(j, g), x)] <= [taken(j + 1, x) and not taken(j, x)]",
                using=("mixed_is", "mixed_is at j = j + 1", "grows"),
            ),
            Line(
                "once",
                "for j in Z[0, inf), g: P: Pr(c: coins, B_D(A(mixed(j, g), c), g)) "
                "<= exp(alpha)*Pr(c: coins, B_D(A(mixed(j + 1, g), c), g))",
                using=(
                    "total of apart over x",
                    "one_more",
                    "private at F(k) = B_D(k, g), d = mixed(j, g), dd = mixed(j + 1, g)",
                ),
            ),
            Line(
                "factor",
                "for j in Z[0, inf), p in [0, 1], q in [0, 1], r in [0, 1] "
                "if q >= p*exp(-alpha*j), q <= exp(alpha)*r: r >= p*exp(-alpha*(j + 1))",
                hints=(
                    "have exp(-alpha)*q <= exp(-alpha)*(exp(alpha)*r)",
                    "have exp(-alpha)*q >= exp(-alpha)*(p*exp(-alpha*j))",
                ),
            ),
            Line(
                "first",
                "for g: P: Pr(c: coins, B_D(A(mixed(0, g), c), g)) "
                ">= Pr(c: coins, B_D(A(mixed(0, g), c), g))*exp(-alpha*0)",
            ),
            Line(
                "next",
                "for j in Z[0, inf), g: P if Pr(c: coins, B_D(A(mixed(j, g), c), g)) "
                ">= Pr(c: coins, B_D(A(mixed(0, g), c), g))*exp(-alpha*j): "
                "Pr(c: coins, B_D(A(mixed(j + 1, g), c), g)) "
                ">= Pr(c: coins, B_D(A(mixed(0, g), c), g))*exp(-alpha*(j + 1))",
                using=(
                    "once",
                    (
                        "factor at p = Pr(c: coins, B_D(A(mixed(0, g), c), g)), "
                        "q = Pr(c: coins, B_D(A(mixed(j, g), c), g)), r = Pr(c: coins, B_D(A(mixed(j + 1, g), c), g))"
                    ),
                ),
            ),
            Line(
                "chain",
                "for j in Z[0, inf), g: P: Pr(c: coins, B_D(A(mixed(j, g), c), g)) "
                ">= Pr(c: coins, B_D(A(mixed(0, g), c), g))*exp(-alpha*j)",
                "induction j",
                ("first", "next"),
            ),
            Line(
                "start",
                "for g: P, x: X: [label(S(g), x) and not label(mixed(0, g), x) "
                "or label(mixed(0, g), x) and not label(S(g), x)] = 0",
                using=("S_is", "mixed_is at j = 0", "none"),
            ),
            Line(
                "end",
                "for g: P, x: X: [label(mixed(m, g), x) and not label(S(h), x) "
                "or label(S(h), x) and not label(mixed(m, g), x)] = 0",
                using=("S_is at g = h", "mixed_is at j = m", "every"),
            ),
            Line(
                "lem_22",
                "for g: P: Pr(c: coins, B_D(A(S(h), c), g)) >= Pr(c: coins, B_D(A(S(g), c), g))*exp(-alpha*m)",
                using=(
                    "total of start over x",
                    "total of end over x",
                    "same at F(k) = B_D(k, g), d = S(g), dd = mixed(0, g)",
                    "same at F(k) = B_D(k, g), d = mixed(m, g), dd = S(h)",
                    "chain at j = m",
                ),
            ),
            Line(
                "two",
                "for f: P, g: P, k: H: B_D(k, f)*B_D(k, g) <= B_D(k, f)*same(f, g)",
                using=("disjoint",),
            ),
            Line(
                "ball",
                "for f: P, k: H: B_D(k, f)*total(g: P, B_D(k, g)) <= B_D(k, f)",
                using=("total of two over g", "one_same"),
            ),
            Line(
                "square",
                "for k: H: total(f: P, B_D(k, f))^2 <= total(f: P, B_D(k, f))",
                using=("total of ball over f",),
            ),
            Line("at_most_one", "for k: H: total(f: P, B_D(k, f)) <= 1", using=("square",)),
            Line("fewer", "for g: P, k: H: [not same(h, g)]*B_D(k, g) <= B_D(k, g)"),
            Line("not_both", "for g: P, k: H: B_D(k, h)*[not same(h, g)]*B_D(k, g) = 0", using=("disjoint at f = h",)),
            Line(
                "outside",
                "for k: H: B_D(k, h) + total(g: P, [not same(h, g)]*B_D(k, g)) <= 1",
                using=("at_most_one", "total of fewer over g", "total of not_both over g"),
            ),
            Line(
                "drawn",
                "for c: coins: B_D(A(S(h), c), h) + total(g: P, [not same(h, g)]*B_D(A(S(h), c), g)) <= 1",
                using=("outside at k = A(S(h), c)",),
            ),
            Line(
                "each",
                "for g: P: [not same(h, g)]*Pr(c: coins, B_D(A(S(h), c), g)) "
                ">= [not same(h, g)]*Pr(c: coins, B_D(A(S(g), c), g))*exp(-alpha*m)",
                using=("lem_22",),
            ),
            Line(
                "all",
                "Pr(c: coins, not B_D(A(S(h), c), h)) >= total(g: P, [not same(h, g)]*Pr(c: coins, "
                "B_D(A(S(h), c), g))) "
                ">= total(g: P, [not same(h, g)]*Pr(c: coins, B_D(A(S(g), c), g))*exp(-alpha*m))",
                using=("mean of drawn over c", "total of each over g"),
            ),
        ),
        given=(
            Given(
                "private",
                "for F(H) in Z[0, 1], d: D, dd: D if total(x: X, "
                "[label(d, x) and not label(dd, x) or label(dd, x) and not label(d, x)]) <= 1: "
                "mean(c: coins, F(A(d, c))) <= exp(alpha)*mean(c: coins, F(A(dd, c)))",
                "result: chaudhuri2011:def-2",
            ),
            Given(
                "same",
                "for F(H) in Z[0, 1], d: D, dd: D if total(x: X, "
                "[label(d, x) and not label(dd, x) or label(dd, x) and not label(d, x)]) <= 0: "
                "mean(c: coins, F(A(d, c))) = mean(c: coins, F(A(dd, c)))",
                "definition: a dataset is the points of X' with labels: without a difference it is the same",
            ),
            Given(
                "S_is",
                "for g: P, x: X: label(S(g), x) = value(g, x)",
                "definition: S_{X',h'} has the points of X', labelled by h'",
            ),
            Given(
                "mixed_is",
                "for j in Z[0, inf), g: P, x: X: "
                "label(mixed(j, g), x) = taken(j, x)*value(h, x) + (1 - taken(j, x))*value(g, x)",
                "definition: the points of X', the first j labelled by h, the others by h'",
            ),
            Given("none", "for x: X: taken(0, x) = 0", _FIRST),
            Given("grows", "for j in Z[0, inf), x: X: taken(j, x) <= taken(j + 1, x)", _FIRST),
            Given(
                "one_more",
                "for j in Z[0, inf): total(x: X, [taken(j + 1, x) and not taken(j, x)]) <= 1",
                _FIRST,
            ),
            Given("every", "for x: X: taken(m, x) = 1", _FIRST),
            Given(
                "disjoint",
                "for f: P, g: P, k: H: [not same(f, g) and B_D(k, f) and B_D(k, g)] = 0",
                "line: T12.disj",
            ),
            Given("one_same", "for f: P: total(g: P, same(f, g)) = 1", "definition: same is 1 where h' is f, else 0"),
        ),
        notation=(
            ("X", "the points of X', with their places: a point may be there more than once"),
            ("H", "hypotheses"),
            ("N", "#P"),
            ("P", "the packing"),
            ("h", "any member of P"),
            ("value", "the label that a member of P gives a point"),
            ("same", "whether two members of P are one: sums over h' != h have the factor [not same(h, h')]"),
            ("B_D", "whether a hypothesis is in B_D(h',eps) for a member h' of P"),
            ("D", "the points of X' with any labels"),
            ("label", "the label of a point in a dataset"),
            ("S", "S_{X',h'} for each h' of P"),
            ("coins", "A's coins"),
            ("taken", "whether a point is one of the first j of X'"),
            ("mixed", "the datasets between S_{X',h'} and S_{X',h}, one label after the other"),
        ),
        says=("`>= sum_{h'!=h} Pr[A(S_{X',h'}) in B_D(h',eps)] exp(-alpha m)`",),
    ),
    "T12.int": Derivation(
        f"alpha in (0, inf); m in Z[1, inf); d in [1, inf); {_FROM_P}; law X; A(P, X, coins): H",
        (
            Line("two", "2^d >= 2", hints=("have d*log(2) >= log(2)",)),
            Line("others", "N - 1 >= 1", using=("two", "size")),
            Line(
                "least",
                "for g: P: smallest(f: P, Pr(x: X, c: coins, B_D(A(f, x, c), f))) "
                "<= Pr(x: X, c: coins, B_D(A(g, x, c), g))",
                "largest",
            ),
            Line(
                "weighted",
                "for g: P: other(g)*smallest(f: P, Pr(x: X, c: coins, B_D(A(f, x, c), f))) "
                "<= other(g)*Pr(x: X, c: coins, B_D(A(g, x, c), g))",
                using=("least",),
            ),
            Line(
                "many",
                "total(g: P, other(g)*Pr(x: X, c: coins, B_D(A(g, x, c), g))) > (N - 1)*(1/2)",
                using=("others", "all_but_h", "total of weighted over g", "smallest of success over g"),
            ),
            Line(
                "all",
                "1/2 > Pr(x: X, c: coins, not B_D(A(h, x, c), h)) "
                ">= total(g: P, other(g)*Pr(x: X, c: coins, B_D(A(g, x, c), g))*exp(-alpha*m)) "
                "> (N - 1)*(1/2)*exp(-alpha*m)",
                using=("success at g = h", "mean of group over x", "many"),
            ),
        ),
        given=(
            Given(
                "success",
                "for g: P: Pr(x: X, c: coins, B_D(A(g, x, c), g)) > 1/2",
                "printed: success > 1/2 for all h*",
            ),
            Given(
                "group",
                "for x: X: Pr(c: coins, not B_D(A(h, x, c), h)) "
                ">= total(g: P, other(g)*Pr(c: coins, B_D(A(g, x, c), g))*exp(-alpha*m))",
                "line: T12.group",
            ),
            Given("all_but_h", "total(g: P, other(g)) = N - 1", "definition: other is 1 but at h"),
            Given("size", "N >= 2^d", "line: T12.pack"),
        ),
        notation=(*_FROM_P_NAMES, ("d", "d''"), ("A", "A(S_{X,h}) for each h of P")),
        says=(
            (
                "`1/2 > Pr_{X,A}[A(S_{X,h}) notin B_D(h,eps)] >= sum Pr_{X,A}[A(S_{X,h'}) in B_D(h',eps)] "
                "exp(-alpha m) > (#P-1)(1/2)exp(-alpha m)`"
            ),
        ),
    ),
    "T12.end": Derivation(
        "alpha in (0, inf); m in Z[1, inf); d in [1, inf); N in Z[1, inf)",
        (
            Line("two", "2^d >= 2", hints=("have d*log(2) >= log(2)",)),
            Line(
                "powers",
                "2^d = 2*2^(d - 1)",
            ),
            Line("one", "2^(d - 1) >= 1", using=("two", "powers")),
            Line("many", "N - 1 >= 2^d - 1", using=("size",)),
            Line(
                "first",
                "m > log(N - 1)/alpha",
                using=("two", "many", "line_int"),
                hints=(
                    "have (N - 1)*exp(-alpha*m) < 1",
                    "lemma log_below x = (N - 1)*exp(-alpha*m)",
                    "have log(N - 1) < alpha*m",
                ),
            ),
            Line(
                "second",
                "log(N - 1)/alpha >= log(2^d - 1)/alpha",
                using=("two", "many"),
                hints=("lemma log_increases x = 2^d - 1; y = N - 1",),
            ),
            Line(
                "third",
                "log(2^d - 1)/alpha >= log(2^(d - 1))/alpha",
                using=("one", "powers"),
                hints=("lemma log_increases x = 2^(d - 1); y = 2^d - 1",),
            ),
        ),
        given=(
            Given("line_int", "1/2 > (N - 1)*(1/2)*exp(-alpha*m)", "line: T12.int"),
            Given("size", "N >= 2^d", "line: T12.pack"),
        ),
        shows=("first", "second", "third"),
        notation=(("d", "d''"), ("N", "#P")),
        says=("`m > log(#P-1)/alpha >= log(2^(d'')-1)/alpha >= log(2^(d''-1))/alpha`",),
    ),
    "L11.good": Derivation(
        "alpha in (0, inf); s in (0, inf); m in Z[1, inf); type H; N in Z[3, inf); set P of N; B_X(H, P) in Z[0, 1]; "
        "law coins; A(P, coins): H; good(P) in Z[0, 1]",
        (
            Line(
                "iff",
                "for h: P: [not (good(h) >= 1)] = [Pr(c: coins, not B_X(A(h, c), h)) > 1/2]",
                using=("good_is",),
            ),
            Line("few", "total(h: P, good(h)) < N/2", using=("size", "suffices")),
            Line("bad", "for h: P: 1 - good(h) <= [Pr(c: coins, not B_X(A(h, c), h)) > 1/2]", using=("good_is",)),
            Line(
                "half",
                "total(h: P, [Pr(c: coins, not B_X(A(h, c), h)) > 1/2]) >= N/2",
                using=("few", "total of bad over h"),
            ),
        ),
        given=(
            Given(
                "good_is",
                "for h: P: good(h) = [Pr(c: coins, B_X(A(h, c), h)) >= 1/2]",
                "printed: good: `Pr[in] >= 1/2`",
            ),
            Given(
                "suffices",
                "if m < log(N/2 - 1)/(8*alpha*s): total(h: P, good(h)) < N/2",
                "printed: A good for at least #P/2 members of P gives `m >= log(#P/2-1)/(8 alpha s)`",
            ),
            Given("size", "m < log(N/2 - 1)/(8*alpha*s)", "printed: `m < log(#P/2 - 1)/(8 alpha s)`"),
        ),
        shows=("iff", "half"),
        notation=_FROM_P_X_NAMES,
        says=(
            "A not good for h iff `Pr[A(S_{X,h}) notin B_X(h,s/2)] > 1/2` (good: `Pr[in] >= 1/2`)",
            "it suffices that A good for at least #P/2 members of P gives `m >= log(#P/2-1)/(8 alpha s)`",
        ),
    ),
    "L11.tri": Derivation(
        "s in (0, inf); m in Z[1, inf); set X of m; type H; value(H, X) in Z[0, 1]; point h_0: H; "
        "rho_X(H, H) in [0, 1]",
        (
            Line(
                "each",
                "for h: H, g: H, x: X: [value(h, x) and not value(g, x) or value(g, x) and not value(h, x)] "
                "<= [value(h_0, x) and not value(h, x) or value(h, x) and not value(h_0, x)] "
                "+ [value(h_0, x) and not value(g, x) or value(g, x) and not value(h_0, x)]",
            ),
            Line(
                "triangle",
                "for h: H, g: H: rho_X(h, g) <= rho_X(h_0, h) + rho_X(h_0, g)",
                using=(
                    "rho_X_is at f = h, g = g",
                    "rho_X_is at f = h_0, g = h",
                    "rho_X_is at f = h_0, g = g",
                    "total of each over x",
                ),
            ),
            Line(
                "close",
                "for h: H, g: H if rho_X(h_0, h) <= 4*s, rho_X(h_0, g) <= 4*s: "
                "rho_X(h, g) <= rho_X(h_0, h) + rho_X(h_0, g) <= 8*s",
                using=("triangle",),
            ),
            Line(
                "labels",
                "for h: H, g: H if rho_X(h_0, h) <= 4*s, rho_X(h_0, g) <= 4*s: "
                "total(x: X, [value(h, x) and not value(g, x) or value(g, x) and not value(h, x)]) <= 8*s*m",
                using=("close", "rho_X_is at f = h, g = g"),
            ),
        ),
        given=(
            Given(
                "rho_X_is",
                "for f: H, g: H: rho_X(f, g) "
                "= total(x: X, [value(f, x) and not value(g, x) or value(g, x) and not value(f, x)])/m",
                "result: chaudhuri2011:def-rho",
            ),
        ),
        shows=("close", "labels"),
        notation=(
            ("H", "hypotheses"),
            ("value", "h(x)"),
        ),
        says=("`rho_X(h,h') <= rho_X(h_0,h)+rho_X(h_0,h') <= 8s`; labels differing `<= 8sm`",),
    ),
    "L11.c2": Derivation(
        f"s in (0, inf); m in Z[1, inf); {_FROM_P_X}; good(P) in Z[0, 1]; other(P) in Z[0, 1]",
        (
            Line(
                "each",
                "for g: P: other(g)*good(g)*(1/2)*exp(-8*s*m) "
                "<= other(g)*good(g)*Pr(c: coins, B_X(A(g, c), g))*exp(-8*s*m)",
                using=("good_is",),
            ),
            Line("but_one", "for g: P: good(g) - (1 - other(g)) <= other(g)*good(g)"),
            Line(
                "some",
                "total(g: P, other(g)*good(g)) >= N/2 - 1",
                using=("total of but_one over g", "all_but_h", "many"),
            ),
            Line(
                "factor",
                "for a in (-inf, inf), b in (-inf, inf) if a >= b: a*(1/2)*exp(-8*s*m) >= b*(1/2)*exp(-8*s*m)",
                hints=("have (a - b)*exp(-8*s*m) >= 0",),
            ),
            Line(
                "first",
                "total(g: P, other(g)*good(g)*Pr(c: coins, B_X(A(g, c), g))*exp(-8*s*m)) "
                ">= total(g: P, other(g)*good(g)*(1/2)*exp(-8*s*m))",
                using=("total of each over g",),
            ),
            Line(
                "second",
                "total(g: P, other(g)*good(g)*(1/2)*exp(-8*s*m)) >= (N/2 - 1)*(1/2)*exp(-8*s*m)",
                using=("some", "factor at a = total(g: P, other(g)*good(g)), b = N/2 - 1"),
            ),
        ),
        given=(
            Given("good_is", "for g: P: good(g) = [Pr(c: coins, B_X(A(g, c), g)) >= 1/2]", "line: L11.good"),
            Given("many", "total(g: P, good(g)) >= N/2", "printed: at least #P/2 good"),
            Given("all_but_h", "total(g: P, other(g)) = N - 1", "definition: other is 1 but at h"),
        ),
        shows=("first", "second"),
        notation=(*_FROM_P_X_NAMES, ("other", "whether a member of P is not h: sums over h' != h have this factor")),
        says=("`>= sum I[good h'] (1/2) exp(-8sm) >= (#P/2-1)(1/2)exp(-8sm)`",),
    ),
    "L24.s": Derivation(
        "alpha in (0, inf); r in (0, 1); d in (1, inf); m in Z[1, inf); N in Z[1, inf)",
        (
            Line("powers", "2^d = 2*2^(d - 1)"),
            Line("above", "2^(d - 1) > 1", hints=("have (d - 1)*log(2) > 0",)),
            Line("half", "N/2 - 1 >= 2^(d - 1) - 1", using=("powers", "size")),
            Line(
                "all",
                "m < log(2^(d - 1) - 1)/(32*alpha*r) <= log(N/2 - 1)/(8*alpha*(4*r))",
                using=("above", "half", "few"),
                hints=("lemma log_increases x = 2^(d - 1) - 1; y = N/2 - 1",),
            ),
        ),
        given=(
            Given("size", "N >= 2^d", "line: L24.pack"),
            Given("few", "m < log(2^(d - 1) - 1)/(32*alpha*r)", "printed: m < log(2^(d-1)-1)/(32 alpha r)"),
        ),
        notation=(("N", "#P"),),
        says=("`m < log(2^(d-1)-1)/(32 alpha r) <= log(#P/2-1)/(8 alpha (4r))`",),
    ),
    "L24.e": Derivation(
        "r in (0, 1); law X; law coins; type H; A(H, X, coins): H; rho_X(H, H, X) in [0, 1]; rho_D(H, H) in [0, 1]; "
        "phi(X) in Z[0, 1]",
        (
            Line(
                "each",
                "for h: H, x: X, c: coins: [rho_X(h, A(h, x, c), x) > 2*r and phi(x)] <= [rho_D(h, A(h, x, c)) > r]",
                using=("first_part at f = h, g = A(h, x, c)",),
            ),
            Line(
                "all",
                "for h: H: Pr(x: X, c: coins, rho_X(h, A(h, x, c), x) > 2*r and phi(x)) "
                "<= Pr(x: X, c: coins, rho_D(h, A(h, x, c)) > r)",
                using=("mean of mean of each over x over c",),
            ),
        ),
        given=(
            Given(
                "first_part",
                "for x: X, f: H, g: H: phi(x)*[rho_X(f, g, x) > 2*r] <= [rho_D(f, g) > r]",
                "definition: phi is 1 where the conclusion of lem-23 holds for X",
            ),
        ),
        notation=(("coins", "A's coins"), ("H", "hypotheses"), ("A", "h_A for the sample X with h's labels")),
        says=("E_1(h,X): rho_X(h,A)>2r; `Pr[E_1, phi=1] <= Pr[rho_D(h,A)>r]`",),
    ),
    "L24.(10)": Derivation(
        "C in (1, inf); V in Z[1, inf); Delta in (0, 1]; r in (0, inf); m in Z[1, inf); law X; phi(X) in Z[0, 1]",
        (
            Line("below_1", "r < 1", using=("small",)),
            Line("all", "Pr(x: X, phi(x)) >= 1/2", using=("below_1", "large", "lem_23")),
        ),
        notation=(("V", "the VC dimension"), ("X", "the points that are drawn"), ("phi", "phi")),
        given=(
            Given("small", "r < Delta/6", "printed: r in (0,Delta/6)"),
            Given("large", "m >= (C*V/r)*log(C/r)", "printed: m>=(CV/r)log(C/r)"),
            Given(
                "lem_23",
                "if r < 1, m >= (C*V/r)*log(C/r): Pr(x: X, phi(x)) >= 1/2",
                "result: chaudhuri2011:lem-23",
            ),
        ),
        says=("(10) `Pr[phi(X)=1] >= 1/2`",),
    ),
    "L24.(11)": Derivation(
        f"r in (0, 1); alpha in (0, inf); m in Z[1, inf); {_MANY_DRAWN}; other(P, P) in Z[0, 1]; point h_0: H; "
        "Q(P, X) in Z[0, 1]",
        (
            Line(
                "enough",
                "for x: X: phi(x)*N/2 <= total(h: P, Q(h, x))",
                using=("small", "second_part", "lem_11_size"),
            ),
            Line(
                "each",
                "for h: P, x: X: phi(x)*Q(h, x)*(1/2) <= phi(x)*Pr(c: coins, rho_X(at(h), A(h, x, c), x) > 2*r)",
                using=("small", "second_part", "lem_11_miss"),
            ),
            Line(
                "sample",
                "for x: X: phi(x)*N/4 <= total(h: P, phi(x)*Pr(c: coins, rho_X(at(h), A(h, x, c), x) > 2*r))",
                using=("enough", "total of each over h"),
            ),
            Line(
                "all",
                "total(h: P, Pr(x: X, c: coins, rho_X(at(h), A(h, x, c), x) > 2*r and phi(x)))/Pr(x: X, phi(x)) >= N/4",
                using=("mean of sample over x", "likely"),
            ),
        ),
        given=(
            Given(
                "second_part",
                "for x: X: phi(x) <= [every(f: P, g: P, not other(f, g) or rho_X(at(f), at(g), x) > 4*r) "
                "and every(f: P, rho_X(h_0, at(f), x) <= 16*r)]",
                "definition: phi is 1 where the conclusions of lem-23 hold for P and X",
            ),
            Given(
                "lem_11_size",
                "for x: X if m < log(N/2 - 1)/(8*alpha*(4*r)): "
                "[every(f: P, g: P, not other(f, g) or rho_X(at(f), at(g), x) > 4*r) "
                "and every(f: P, rho_X(h_0, at(f), x) <= 4*(4*r))]*(N/2) <= total(h: P, Q(h, x))",
                "result: chaudhuri2011:lem-11",
            ),
            Given(
                "lem_11_miss",
                "for x: X, h: P if m < log(N/2 - 1)/(8*alpha*(4*r)): "
                "[every(f: P, g: P, not other(f, g) or rho_X(at(f), at(g), x) > 4*r) "
                "and every(f: P, rho_X(h_0, at(f), x) <= 4*(4*r))]*Q(h, x)*(1/2) "
                "<= Pr(c: coins, rho_X(at(h), A(h, x, c), x) > (4*r)/2)",
                "result: chaudhuri2011:lem-11",
            ),
            Given("small", "m < log(N/2 - 1)/(8*alpha*(4*r))", "line: L24.s"),
            Given("likely", "Pr(x: X, phi(x)) >= 1/2", "line: L24.(10)"),
        ),
        notation=(
            *_DRAWN_NAMES,
            ("rho_X", "rho_X for each X; E_1 is that it is above 2r"),
            ("rho_D", "rho_D"),
            ("other", "whether two members of P are distinct"),
            ("h_0", "the centre of the ball that P is a packing of"),
            ("Q", "whether a member of P is in the subset of lem-11, with s = 4r, which may depend on X"),
        ),
        says=("(11) `sum_{h in P} Pr[E_1 | phi=1] >= #P/4`",),
        shows=("sample", "all"),
    ),
    "L24.avg": Derivation(
        "N in Z[1, inf); set P of N; law X; law coins; E_1(P, X, coins) in Z[0, 1]; phi(X) in Z[0, 1]",
        (
            Line(
                "first",
                "total(h: P, Pr(x: X, c: coins, E_1(h, x, c) and phi(x))) "
                "= mean(x: X, c: coins, total(h: P, E_1(h, x, c))*phi(x))/Pr(x: X, phi(x))*Pr(x: X, phi(x))",
                using=("line_10",),
            ),
            Line(
                "second",
                "mean(x: X, c: coins, total(h: P, E_1(h, x, c))*phi(x))/Pr(x: X, phi(x))*Pr(x: X, phi(x)) "
                ">= (N/4)*Pr(x: X, phi(x))",
                using=("line_10", "line_11"),
            ),
            Line("third", "(N/4)*Pr(x: X, phi(x)) >= N/8", using=("line_10",)),
        ),
        given=(
            Given("line_10", "Pr(x: X, phi(x)) >= 1/2", "line: L24.(10)"),
            Given(
                "line_11",
                "total(h: P, Pr(x: X, c: coins, E_1(h, x, c) and phi(x)))/Pr(x: X, phi(x)) >= N/4",
                "line: L24.(11)",
            ),
        ),
        shows=("first", "second", "third"),
        notation=(
            ("N", "#P"),
            ("P", "the packing"),
            ("X", "the points that are drawn"),
            ("coins", "A's coins"),
        ),
        says=("`sum_h Pr[E_1, phi=1] = E[sum_h .. | phi=1] Pr[phi=1] >= (#P/4) Pr[phi=1] >= #P/8`",),
    ),
}

#: Theorem 10, lemma 25.
_LOWER = {
    "T10.assume": Derivation(
        "C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1); alpha in (0, inf); m in Z[1, inf); "
        "k in Z[5, inf); j in Z[5, inf); c in (0, inf)",
        (
            Line(
                "log_Delta",
                "log(6*C/Delta) <= log(6*C)*(1 + log(1/Delta))",
                hints=("have log(6*C) >= 1", "have log(1/Delta) >= 0", "lemma log_quotient_above x = 6*C; y = Delta"),
            ),
            Line("above_1", "log(6*C/Delta) >= 1"),
            Line("one", "log(6*C) >= 1"),
            Line("zero", "log(1/Delta) >= 0"),
            Line("c_1", "c <= 1/(24*C*log(6*C))", using=("constant",)),
            Line("c_2", "c <= 17/(6400*C)", using=("constant",)),
            Line(
                "scaled",
                "for z in [0, inf), y in (0, inf) if c <= y: c*Delta/(V*(1 + z)) <= y*Delta/(V*(1 + z))",
                hints=("have (y - c)*Delta/(V*(1 + z)) >= 0",),
            ),
            Line(
                "small",
                "for a in [1, inf), b in [0, inf), x in [1, inf) "
                "if x <= a*(1 + b), eps < (1/(24*C*a))*Delta/(V*(1 + b)): eps < Delta/(24*C*V*x)",
                hints=(
                    "have eps*(24*C*a*V*(1 + b)) < Delta",
                    "have eps*(24*C*V)*x <= eps*(24*C*V)*(a*(1 + b))",
                    "have eps*(24*C*V*x) < Delta",
                ),
            ),
            Line(
                "first",
                "eps < Delta/(24*C*V*log(6*C/Delta))",
                using=(
                    "one",
                    "zero",
                    "above_1",
                    "log_Delta",
                    "c_1",
                    "eps_small",
                    "scaled at z = log(1/Delta), y = 1/(24*C*log(6*C))",
                    "small at a = log(6*C), b = log(1/Delta), x = log(6*C/Delta)",
                ),
            ),
            Line(
                "below_C",
                "eps < 1/C",
                using=("first", "above_1"),
                hints=(
                    "have 24*C*V*log(6*C/Delta) >= C",
                    "have Delta/(24*C*V*log(6*C/Delta)) <= 1/C",
                ),
            ),
            Line("logs", "for n in Z[5, inf): log(n/2 - 1) >= (17/100)*(log(n)/log(2))"),
            Line(
                "twice",
                "log(C/eps) <= 2*log(1/eps)",
                using=("below_C",),
                hints=(
                    "have C*eps < 1",
                    "lemma log_below x = C*eps",
                    "lemma log_product_below x = C; y = eps",
                    "lemma log_quotient_above x = C; y = eps",
                ),
            ),
            Line("log_C", "log(C/eps) > 0"),
            Line("log_eps", "log(1/eps) > 0"),
            Line(
                "alphas",
                "for w in (0, inf), x in (0, inf), y in (0, inf), z in (0, inf) "
                "if w >= (17/100)*z, y <= 2*x, alpha <= c*z/(V*x): alpha <= w/(32*C*V*y)",
                using=("c_2",),
                hints=(
                    "have c*z/(V*x) <= (17/(6400*C))*z/(V*x)",
                    "have alpha*(V*x)*(6400*C) <= 17*z",
                    "have alpha*V*C*32*y <= alpha*V*C*32*(2*x)",
                    "have alpha*(32*C*V*y) <= w",
                ),
            ),
            Line("many", "for n in Z[5, inf): log(n)/log(2) > 0"),
            Line("many_top", "for n in Z[5, inf): log(n/2 - 1) > 0"),
            Line(
                "second",
                "alpha <= log(j/2 - 1)/(32*C*V*log(C/eps))",
                using=(
                    "twice",
                    "log_C",
                    "log_eps",
                    "many at n = j",
                    "many_top at n = j",
                    "logs at n = j",
                    "alpha_small",
                    "alphas at w = log(j/2 - 1), x = log(1/eps), y = log(C/eps), z = log(j)/log(2)",
                ),
            ),
            Line("c_3", "c <= 17/3200", using=("c_2",)),
            Line(
                "sizes",
                "for w in (0, inf), z in (0, inf) if w >= (17/100)*z, m < c*z/(alpha*eps): m < w/(32*alpha*eps)",
                using=("c_3",),
                hints=("have m*(alpha*eps) < c*z", "have c*z <= (17/3200)*z", "have m*(32*alpha*eps) < w"),
            ),
            Line(
                "third",
                "m < log(k/2 - 1)/(32*alpha*eps)",
                using=(
                    "many at n = k",
                    "many_top at n = k",
                    "logs at n = k",
                    "m_small",
                    "sizes at w = log(k/2 - 1), z = log(k)/log(2)",
                ),
            ),
        ),
        given=(
            Given(
                "constant", "c = min(1/(24*C*log(6*C)), 17/(6400*C))", "definition: the universal c, for C of lem-24"
            ),
            Given("eps_small", "eps < c*Delta/(V*(1 + log(1/Delta)))", "printed: eps < c*Delta/(V(1+log(1/Delta)))"),
            Given("alpha_small", "alpha <= c*(log(j)/log(2))/(V*log(1/eps))", "printed: alpha <= c*d'/(V log(1/eps))"),
            Given("m_small", "m < c*(log(k)/log(2))/(alpha*eps)", "printed: m < c*d/(alpha eps)"),
        ),
        shows=("first", "second", "third"),
        notation=(
            ("C", "that of lem-23"),
            ("k", "2^d, a whole number of balls, so at least 5 for d > 2; 2^(d-1) - 1 is k/2 - 1"),
            ("j", "2^d', likewise"),
        ),
        says=(
            (
                "assumed: `eps < Delta/(24 C V log(6C/Delta))`, `alpha <= log(2^(d'-1)-1)/(32 C V log(C/eps))`, "
                "`m < log(2^(d-1)-1)/(32 alpha eps)`; implied by the statement's conditions for some universal c"
            ),
        ),
    ),
    "T10.coll": Derivation(
        "Delta in (0, 1]; eps in (0, inf); m in Z[0, inf); law D; equal(D) in Z[0, 1]; law X; rho_X(X) in [0, 1]",
        (
            Line("fifth", "eps <= 1/5", using=("small",)),
            Line("same", "Pr(x: D, equal(x)) >= 1 - 4*eps", using=("pair",)),
            Line(
                "powers",
                "for p in [0, 1], q in (0, 1] if q <= p: q^m <= p^m",
                hints=("lemma log_increases x = q; y = p",),
            ),
            Line(
                "fewer",
                "for y in (0, 1/5] if m < 1/(4*y): (1 - 4*y)^m >= (1 - 4*y)^(1/(4*y))",
                hints=(
                    "have 4*y*m < 1",
                    "have log(1 - 4*y) <= 0",
                    "have m*log(1 - 4*y) >= 1/(4*y)*log(1 - 4*y)",
                ),
            ),
            Line("eighth", "for y in (0, 1/5]: (1 - 4*y)^(1/(4*y)) > 1/8"),
            Line(
                "all",
                "Pr(s: X, rho_X(s) = 0) >= (1 - 4*eps)^m >= (1 - 4*eps)^(1/(4*eps)) > 1/8",
                using=(
                    "fifth",
                    "same",
                    "few",
                    "independent",
                    "powers at p = Pr(x: D, equal(x)), q = 1 - 4*eps",
                    "fewer at y = eps",
                    "eighth at y = eps",
                ),
            ),
        ),
        given=(
            Given("small", "eps <= Delta/5", "printed: eps<=Delta/5"),
            Given("few", "m < 1/(4*eps)", "line: T10.pair"),
            Given("pair", "Pr(x: D, not equal(x)) <= 4*eps", "line: T10.pair"),
            Given(
                "independent",
                "Pr(s: X, rho_X(s) = 0) = Pr(x: D, equal(x))^m",
                "definition: rho_X(h,h')=0 where h and h' are equal at all m points, which are independent",
            ),
        ),
        notation=(
            ("D", "the law of a point"),
            ("equal", "whether h and h' are equal at a point: rho_D is the probability that they are not"),
            ("X", "the points that are drawn"),
            ("rho_X", "rho_X(h,h')"),
        ),
        says=("`Pr_X[rho_X(h,h')=0] >= (1-4eps)^m >= (1-4eps)^(1/(4eps)) > 1/8`",),
    ),
    "T10.r": Derivation(
        "C in (1, inf); V in Z[1, inf); eps in (0, 1); m in Z[1, inf); r in (0, inf)",
        (
            *_GROWS,
            Line("positive", "log(C/eps) > 0"),
            Line(
                "less",
                "(C/r)*log(C/r) < (C/eps)*log(C/eps)",
                using=("solves", "case_2"),
                hints=("have V*((C/r)*log(C/r)) < V*((C/eps)*log(C/eps))",),
            ),
            Line("inverse", "C/r < C/eps", using=("positive", "less", "grows at u = C/r, v = C/eps")),
            Line("all", "r > eps", using=("inverse",), hints=("have 1/r < 1/eps",)),
        ),
        given=(
            Given("solves", "m = (C*V/r)*log(C/r)", "printed: r solves (CV/r)log(C/r)=m"),
            Given("case_2", "m < (C*V/eps)*log(C/eps)", "printed: 1/(4eps)<=m<(CV/eps)log(C/eps)"),
        ),
        notation=(("C", "that of lem-23"), ("V", "the VC dimension")),
        says=("`r > eps`",),
    ),
    "T10.rmax": Derivation(
        "C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1); m in Z[1, inf); r in (0, inf)",
        (
            *_GROWS,
            Line(
                "chain",
                "m >= 1/(4*eps) > (C*V/(Delta/6))*log(C/(Delta/6))",
                using=("case_2", "assumed"),
                hints=(
                    "have log(6*C/Delta) > 0",
                    "have eps*(24*C*V*log(6*C/Delta)) < Delta",
                    "have 24*C*V*log(6*C/Delta)/Delta < 1/eps",
                ),
            ),
            Line(
                "positive",
                "log(C/r) > 0",
                using=("solves",),
                hints=("have (V/r)*log(C/r) > 0", "have (1/r)*log(C/r) > 0"),
            ),
            Line(
                "less",
                "(C/(Delta/6))*log(C/(Delta/6)) < (C/r)*log(C/r)",
                using=("solves", "chain"),
                hints=("have V*((C/(Delta/6))*log(C/(Delta/6))) < V*((C/r)*log(C/r))",),
            ),
            Line("inverse", "C/(Delta/6) < C/r", using=("positive", "less", "grows at u = C/(Delta/6), v = C/r")),
            Line("all", "r < Delta/6", using=("inverse",), hints=("have 1/(Delta/6) < 1/r",)),
        ),
        given=(
            Given("case_2", "m >= 1/(4*eps)", "line: T10.r"),
            Given("assumed", "eps < Delta/(24*C*V*log(6*C/Delta))", "line: T10.assume"),
            Given("solves", "m = (C*V/r)*log(C/r)", "line: T10.r"),
        ),
        shows=("chain", "all"),
        notation=(("C", "that of lem-23"), ("V", "the VC dimension")),
        says=("`m >= 1/(4eps) > (CV/(Delta/6)) log(C/(Delta/6))` => r<Delta/6",),
    ),
    "T10.alpha": Derivation(
        "C in (1, inf); V in Z[1, inf); eps in (0, 1); r in (0, 1); alpha in (0, inf); d in (2, inf); dd in (2, inf)",
        (
            Line("positive", "log(C/r) > 0"),
            Line(
                "logs", "log(C/r) < log(C/eps)", using=("above",), hints=("lemma log_below x = eps/r", "have eps/r < 1")
            ),
            Line("two", "2^(d - 1) > 2", hints=("have (d - 1)*log(2) > log(2)",)),
            Line("balls", "2^(d - 1) <= 2^(dd - 1)", using=("infimum",)),
            Line("top", "log(2^(d - 1) - 1) > 0", using=("two",)),
            Line(
                "tops",
                "log(2^(d - 1) - 1) <= log(2^(dd - 1) - 1)",
                using=("two", "balls"),
                hints=("lemma log_increases x = 2^(d - 1) - 1; y = 2^(dd - 1) - 1",),
            ),
            Line(
                "quotient",
                "for a in (0, inf), b in (0, inf), x in (0, inf), y in (0, inf) if a <= b, y < x: "
                "a/(32*C*V*x) < b/(32*C*V*y)",
                hints=("have a*y < b*x",),
            ),
            Line(
                "all",
                "alpha <= log(2^(d - 1) - 1)/(32*C*V*log(C/eps)) < log(2^(dd - 1) - 1)/(32*C*V*log(C/r))",
                using=(
                    "assumed",
                    "positive",
                    "logs",
                    "top",
                    "tops",
                    "quotient at a = log(2^(d - 1) - 1), b = log(2^(dd - 1) - 1), x = log(C/eps), y = log(C/r)",
                ),
            ),
        ),
        given=(
            Given("assumed", "alpha <= log(2^(d - 1) - 1)/(32*C*V*log(C/eps))", "line: T10.assume"),
            Given("above", "r > eps", "printed: r>eps"),
            Given("infimum", "d <= dd", "printed: d':=inf{ddim_{12 r}(H,rho_D): eps<=r<Delta/6}>2"),
        ),
        notation=(("C", "that of lem-23"), ("V", "the VC dimension"), ("d", "d'"), ("dd", "d''")),
        says=("`alpha <= log(2^(d'-1)-1)/(32CV log(C/eps)) < log(2^(d''-1)-1)/(32CV log(C/r))`",),
    ),
    "T10.m": Derivation(
        "C in (1, inf); V in Z[1, inf); r in (0, 1); alpha in (0, inf); d in (2, inf); m in Z[1, inf)",
        (
            Line("positive", "log(C/r) > 0"),
            Line(
                "times",
                "for w in (-inf, inf), y in (0, inf) if alpha < w/(32*C*V*y): (C*V/r)*y <= w/(32*alpha*r)",
                hints=("have alpha*(32*C*V*y) < w",),
            ),
            Line(
                "all",
                "m = (C*V/r)*log(C/r) <= log(2^(d - 1) - 1)/(32*alpha*r)",
                using=("solves", "positive", "small", "times at w = log(2^(d - 1) - 1), y = log(C/r)"),
            ),
        ),
        given=(
            Given("solves", "m = (C*V/r)*log(C/r)", "line: T10.r"),
            Given("small", "alpha < log(2^(d - 1) - 1)/(32*C*V*log(C/r))", "line: T10.alpha"),
        ),
        notation=(("C", "that of lem-23"), ("V", "the VC dimension"), ("d", "d''")),
        says=("`m = (CV/r)log(C/r) <= log(2^(d''-1)-1)/(32 alpha r)`",),
    ),
    "T10.case3": Derivation(
        "C in (1, inf); V in Z[1, inf); Delta in (0, 1]; eps in (0, 1); alpha in (0, inf); d in (2, inf); "
        "m in Z[1, inf); type H; point star: H; law X; law coins; A(X, coins): H; rho_D(H, H) in [0, 1]",
        (
            Line(
                "scale",
                "eps < Delta/6",
                using=("assumed",),
                hints=(
                    "have log(6*C/Delta) >= 1",
                    "have 24*C*V*log(6*C/Delta) >= 24",
                    "have Delta/(24*C*V*log(6*C/Delta)) <= Delta/24",
                ),
            ),
            Line(
                "all",
                "if (C*V/eps)*log(C/eps) <= m < log(2^(d - 1) - 1)/(32*alpha*eps): "
                "Pr(x: X, c: coins, rho_D(A(x, c), star) > eps) >= 1/8",
                using=("scale", "lem_24"),
            ),
        ),
        given=(
            Given("assumed", "eps < Delta/(24*C*V*log(6*C/Delta))", "line: T10.assume"),
            Given(
                "lem_24",
                "if eps < Delta/6, (C*V/eps)*log(C/eps) <= m < log(2^(d - 1) - 1)/(32*alpha*eps): "
                "Pr(x: X, c: coins, rho_D(A(x, c), star) > eps) >= 1/8",
                "result: chaudhuri2011:lem-24",
            ),
        ),
        shows=("scale", "all"),
        notation=(
            ("C", "that of lem-23"),
            ("V", "the VC dimension"),
            ("star", "the h* of lem-24 at r = eps"),
            ("X", "the points that are drawn"),
            ("coins", "A's coins"),
            ("A", "A(S_{X,h*})"),
        ),
        says=("Case 3: lem-24 with r:=eps<Delta/6",),
    ),
    "L25.p1": Derivation(
        "law mu; B(mu) in Z[0, 1]; close(mu, mu) in Z[0, 1]",
        (
            Line(
                "all",
                "Pr(v: mu, w: mu, close(v, w) given B(v) and B(w)) "
                "= Pr(v: mu, w: mu, close(v, w) and B(v) given B(w))/Pr(v: mu, B(v))",
                using=("possible",),
            ),
        ),
        given=(Given("possible", "Pr(v: mu, B(v)) > 0", "definition: there is a condition to ask for"),),
        notation=(
            ("B", "whether h_v is in B(h_u,r)"),
            ("close", "rho<=r/2; p is the probability of this for h_v, h_w in B(h_u,r), drawn independently"),
        ),
        says=("`p = Pr[rho<=r/2 and h_v in B(h_u,r) | h_w in B(h_u,r)]/Pr[h_v in B(h_u,r)]`",),
    ),
    "L25.p2": Derivation(
        "law mu; B(mu) in Z[0, 1]; half(mu) in Z[0, 1]; close(mu, mu) in Z[0, 1]",
        (
            Line("fewer", "for v: mu, w: mu: [close(v, w) and B(v) and B(w)] <= [close(v, w) and B(w)]"),
            Line("each", "for w: mu: Pr(v: mu, close(v, w) and B(w)) = Pr(v: mu, half(v))*B(w)", using=("symmetry",)),
            Line(
                "divided",
                "for p in [0, 1], q in [0, 1], w in (0, 1] if p <= q: p/w/w <= q/w/w",
                hints=("have (q - p)/w >= 0", "have (q - p)/w/w >= 0"),
            ),
            Line(
                "first",
                "Pr(v: mu, w: mu, close(v, w) and B(v) given B(w))/Pr(v: mu, B(v)) "
                "<= Pr(v: mu, w: mu, close(v, w) given B(w))/Pr(v: mu, B(v))",
                using=(
                    "possible",
                    "mean of mean of fewer over v over w",
                    (
                        "divided at p = Pr(v: mu, w: mu, close(v, w) and B(v) and B(w)), "
                        "q = Pr(v: mu, w: mu, close(v, w) and B(w)), w = Pr(v: mu, B(v))"
                    ),
                ),
            ),
            Line(
                "second",
                "Pr(v: mu, w: mu, close(v, w) given B(w))/Pr(v: mu, B(v)) = Pr(v: mu, half(v))/Pr(v: mu, B(v))",
                using=("possible", "mean of each over w"),
            ),
        ),
        given=(
            Given("possible", "Pr(v: mu, B(v)) > 0", "definition: there is a condition to ask for"),
            Given(
                "symmetry",
                "for w: mu: Pr(v: mu, close(v, w)) = Pr(v: mu, half(v))",
                "definition: mu is invariant under rotations, so balls of one radius have one measure",
            ),
        ),
        shows=("first", "second"),
        notation=(
            ("mu", "the uniform law of hypotheses"),
            ("B", "whether h_v is in B(h_u,r)"),
            ("half", "whether h_v is in B(h_u,r/2)"),
            ("close", "whether h_v is in B(h_w,r/2)"),
        ),
        says=(
            (
                "`<= Pr[h_v in B(h_w,r/2) | h_w in B(h_u,r)]/Pr[h_v in B(h_u,r)] "
                "= Pr[h_v in B(h_u,r/2)]/Pr[h_v in B(h_u,r)]`"
            ),
        ),
    ),
}

#: Theorem 27.
_LEARNER = {
    "T27.cover": Derivation(
        "eps in (0, 1); m in Z[1, inf); set S of m; type H; value(H, S) in Z[0, 1]; y(S) in Z[0, 1]; N in Z[1, inf); "
        "set G of N; at(G): H; cover(H): G; point g_0: G; errS(H) in [0, 1]; rho_X(H, H) in [0, 1]",
        (
            Line(
                "each",
                "for h: H, g: H, z: S: [value(g, z) and not y(z) or y(z) and not value(g, z)] "
                "<= [value(h, z) and not y(z) or y(z) and not value(h, z)] "
                "+ [value(g, z) and not value(h, z) or value(h, z) and not value(g, z)]",
            ),
            Line(
                "triangle",
                "for h: H, g: H: errS(g) <= errS(h) + rho_X(g, h)",
                using=("total of each over z", "errS_is at f = g", "errS_is at f = h", "rho_X_is"),
            ),
            Line(
                "all",
                "for h: H: errS(at(g_0)) <= errS(h) + eps/4",
                using=("best at g = cover(h)", "triangle at g = at(cover(h))", "near"),
            ),
        ),
        given=(
            Given(
                "errS_is",
                "for f: H: errS(f) = total(z: S, [value(f, z) and not y(z) or y(z) and not value(f, z)])/m",
                "definition: err(h,S) is the share of the records of S that h gets wrong",
            ),
            Given(
                "rho_X_is",
                "for h: H, g: H: rho_X(g, h) "
                "= total(z: S, [value(g, z) and not value(h, z) or value(h, z) and not value(g, z)])/m",
                "definition: rho_X is the share of the points of S at which two hypotheses differ",
            ),
            Given("best", "for g: G: errS(at(g_0)) <= errS(at(g))", "definition: g_0 minimizes err(g,S) over G"),
            Given("near", "for h: H: rho_X(at(cover(h)), h) <= eps/4", "printed: G an eps/4-cover of (H,rho_X)"),
        ),
        notation=(
            ("m", "the size of S"),
            ("value", "h(x) for the point x of a record"),
            ("y", "the label of a record"),
            ("N", "#G"),
            ("at", "a member of G, as a hypothesis"),
            ("cover", "a member of G that is near h"),
            ("errS", "err(h,S)"),
        ),
        says=("`err(g_0,S) <= inf_h err(h,S)+eps/4`",),
    ),
    "T27.pack": Derivation(
        "eps in (0, 1); type H; rho_X(H, H) in [0, 1]; N in Z[1, inf); set G of N; at(G): H; same(G, G) in Z[0, 1]; "
        "K in Z[1, inf); set centres of K; centre(centres): H; within(G, centres) in Z[0, 1]",
        (
            Line(
                "within_f",
                "for f: G, c: centres: within(f, c) = [rho_X(at(f), centre(c)) <= eps/8]",
                using=("within_is at g = f",),
            ),
            Line(
                "two",
                "for f: G, g: G, c: centres: within(g, c)*within(f, c) <= within(g, c)*same(g, f)",
                using=(
                    "within_is",
                    "within_f",
                    "packing",
                    "triangle at h = at(g), k = at(f), l = centre(c)",
                ),
            ),
            Line(
                "sum_f",
                "for g: G, c: centres: within(g, c)*total(f: G, within(f, c)) <= within(g, c)",
                using=("total of two over f", "one_same"),
            ),
            Line(
                "square",
                "for c: centres: total(f: G, within(f, c))^2 <= total(f: G, within(f, c))",
                using=("total of sum_f over g",),
            ),
            Line(
                "at_most_one",
                "for c: centres: total(f: G, within(f, c)) <= 1",
                using=("square",),
            ),
            Line(
                "all",
                "N <= K",
                using=("total of covered over g", "total of at_most_one over c"),
            ),
        ),
        given=(
            Given(
                "triangle",
                "for h: H, k: H, l: H: rho_X(h, k) <= rho_X(h, l) + rho_X(k, l)",
                "definition: rho_X is a metric",
            ),
            Given(
                "packing",
                "for f: G, g: G: 1 - same(g, f) <= [rho_X(at(g), at(f)) > eps/4]",
                "printed: G an eps/4-packing",
            ),
            Given("one_same", "for g: G: total(f: G, same(g, f)) = 1", "definition: same is 1 where f is g, else 0"),
            Given(
                "within_is",
                "for g: G, c: centres: within(g, c) = [rho_X(at(g), centre(c)) <= eps/8]",
                "definition: the ball of radius eps/8 around a centre",
            ),
            Given(
                "covered",
                "for g: G: total(c: centres, within(g, c)) >= 1",
                "definition: N_{eps/8} is the size of a smallest eps/8-cover: each g of G is within eps/8 of one of it",
            ),
        ),
        notation=(
            ("N", "#G"),
            ("at", "a member of G, as a hypothesis"),
            ("same", "whether two members of G are one"),
            ("K", "N_{eps/8}(H,rho_X)"),
            ("centres", "a smallest eps/8-cover"),
            ("centre", "a member of it, as a hypothesis"),
            ("within", "whether a member of G is in the ball around a centre"),
        ),
        says=("`#G <= N_{eps/8}(H,rho_X)`",),
    ),
    "T27.E'": Derivation(
        "alpha in (0, 1); delta in (0, 1); m in Z[1, inf); law S; law coins; errS(S, coins) in [0, 1]; "
        "best(S) in [0, 1]; size(S) in Z[1, inf); t_m in (-inf, inf)",
        (
            Line(
                "each",
                "for s: S, c: coins: [errS(s, c) > best(s) + t_m] "
                "<= [alpha*m*errS(s, c)/2 >= alpha*m*best(s)/2 + alpha*m*t_m/2]",
                hints=("have m*(best_s + t_m - errS_s_c) > 0", "have best_s + t_m - errS_s_c > 0"),
            ),
            Line(
                "tail",
                "for s: S: Pr(c: coins, errS(s, c) > best(s) + t_m) <= size(s)*exp(-alpha*m*t_m/2)",
                using=("mean of each over c", "lem_18 at t = alpha*m*t_m/2"),
            ),
            Line(
                "first",
                "Pr(s: S, c: coins, errS(s, c) <= best(s) + t_m) "
                ">= 1 - mean(s: S, size(s)*exp(-alpha*m*t_m/2)) = 1 - mean(s: S, size(s))*exp(-alpha*m*t_m/2)",
                using=("mean of tail over s",),
            ),
            Line("some", "mean(s: S, size(s)) >= 1"),
            Line(
                "second",
                "1 - mean(s: S, size(s))*exp(-alpha*m*t_m/2) >= 1 - delta/2",
                using=("some", "t_m_is"),
            ),
        ),
        given=(
            Given(
                "lem_18",
                "for s: S, t in (-inf, inf): Pr(c: coins, alpha*m*errS(s, c)/2 >= alpha*m*best(s)/2 + t) "
                "<= size(s)*exp(-t)",
                "result: chaudhuri2011:lem-18",
            ),
            Given(
                "t_m_is",
                "t_m = 2*log(2*mean(s: S, size(s))/delta)/(alpha*m)",
                "printed: t_m=2log(2 E#G/delta)/(alpha m)",
            ),
        ),
        shows=("first", "second"),
        notation=(
            ("S", "the samples"),
            ("coins", "A's coins"),
            ("errS", "err(h_A,S)"),
            ("best", "err(g_0,S)"),
            ("size", "#G, which depends on the points of S"),
        ),
        says=("`Pr[E'] >= 1-E[#G exp(-alpha m t_m/2)] = 1-E[#G] exp(-alpha m t_m/2) >= 1-delta/2`",),
    ),
    "T27.a": Derivation(
        "type H; point h_A: H; point star: H; err(H) in [0, 1]; errS(H) in [0, 1]",
        (
            Line(
                "all",
                "err(h_A) - err(star) <= (err(h_A) - errS(h_A)) + (errS(star) - err(star)) + (errS(h_A) - errS(star))",
            ),
        ),
        notation=(("star", "h*, any member of H"), ("errS", "err(.,S)")),
        says=("`err(h_A)-err(h*) <= (err(h_A)-err(h_A,S))+(err(h*,S)-err(h*))+(err(h_A,S)-err(h*,S))`",),
    ),
    "T27.b": Derivation(
        "eps_m in [0, inf); t_m in (-inf, inf); type H; point h_A: H; point star: H; point g_0: H; err(H) in [0, 1]; "
        "errS(H) in [0, 1]",
        (
            Line(
                "all",
                "(err(h_A) - errS(h_A)) + (errS(star) - err(star)) + (errS(h_A) - errS(star)) "
                "<= sqrt(err(h_A)*eps_m) + sqrt(err(star)*eps_m) + eps_m + errS(g_0) - errS(star) + t_m",
                using=("seen at h = star", "true at h = h_A", "chosen"),
            ),
        ),
        given=(
            Given(
                "seen",
                "for h: H: errS(h) <= err(h) + sqrt(err(h)*eps_m) + eps_m",
                "definition: the first half of E",
            ),
            Given("true", "for h: H: err(h) <= errS(h) + sqrt(err(h)*eps_m)", "definition: the second half of E"),
            Given("chosen", "errS(h_A) <= errS(g_0) + t_m", "definition: E'"),
        ),
        notation=(("star", "h*"), ("errS", "err(.,S)"), ("H", "hypotheses")),
        says=("`<= sqrt(err(h_A)eps_m)+sqrt(err(h*)eps_m)+eps_m+err(g_0,S)-err(h*,S)+t_m`",),
    ),
    "T27.c": Derivation(
        "eps in (0, 1); eps_m in [0, inf); t_m in (-inf, inf); type H; point h_A: H; point star: H; point g_0: H; "
        "err(H) in [0, 1]; errS(H) in [0, 1]",
        (
            Line(
                "all",
                "sqrt(err(h_A)*eps_m) + sqrt(err(star)*eps_m) + eps_m + errS(g_0) - errS(star) + t_m "
                "<= sqrt(err(h_A)*eps_m) + sqrt(err(star)*eps_m) + eps_m + eps/4 + t_m",
                using=("cover at h = star",),
            ),
        ),
        given=(Given("cover", "for h: H: errS(g_0) <= errS(h) + eps/4", "line: T27.cover"),),
        notation=(("star", "h*"), ("errS", "err(.,S)"), ("H", "hypotheses"), ("g_0", "that of T27.cover")),
        says=("`<= sqrt(err(h_A)eps_m)+sqrt(err(h*)eps_m)+eps_m+eps/4+t_m`",),
    ),
    "T27.alg": Derivation(
        "eps in (0, 1); eps_m in [0, inf); t_m in (0, inf); type H; point h_A: H; point star: H; err(H) in [0, 1]",
        (
            Line(
                "square",
                "for a in [0, inf), u in [0, inf), h in [0, inf), v in (0, inf) "
                "if a^2 <= h^2 + a*u + h*u + u^2 + v^2: (a - u/2)^2 <= ((9/8)*u + h + v)^2",
            ),
            Line(
                "root",
                "for p in (-inf, inf), q in (0, inf) if p^2 <= q^2: p <= q",
                hints=("case p", "case q - p"),
            ),
            Line(
                "linear",
                "for a in [0, inf), u in [0, inf), h in [0, inf), v in (0, inf) "
                "if a^2 <= h^2 + a*u + h*u + u^2 + v^2: a <= (13/8)*u + h + v",
                using=("square", "root at p = a - u/2, q = (9/8)*u + h + v"),
            ),
            Line(
                "last",
                "for a in [0, inf), u in [0, inf), h in [0, inf), v in (0, inf) "
                "if a <= (13/8)*u + h + v, a^2 <= h^2 + a*u + h*u + u^2 + v^2: "
                "a^2 <= h^2 + 4*(h*u + u^2) + 2*v^2",
                hints=("have a*u <= (13/8)*u^2 + h*u + u*v", "have u*v <= u^2 + v^2/4"),
            ),
            Line(
                "end",
                "for a in [0, inf), u in [0, inf), h in [0, inf), v in (0, inf) "
                "if a^2 <= h^2 + a*u + h*u + u^2 + v^2: a^2 <= h^2 + 4*(h*u + u^2) + 2*v^2",
                using=("linear", "last"),
            ),
            Line("products", "for x in [0, inf), y in [0, inf): sqrt(x*y) = sqrt(x)*sqrt(y)"),
            Line("squares", "for x in [0, inf): sqrt(x)^2 = x"),
            Line("positive", "sqrt(eps/4 + t_m) > 0"),
            Line(
                "chain",
                "sqrt(err(h_A))^2 <= sqrt(err(star))^2 + sqrt(err(h_A))*sqrt(eps_m) + sqrt(err(star))*sqrt(eps_m) "
                "+ sqrt(eps_m)^2 + sqrt(eps/4 + t_m)^2",
                using=(
                    "line_c",
                    "products at x = err(h_A), y = eps_m",
                    "products at x = err(star), y = eps_m",
                    "squares at x = err(h_A)",
                    "squares at x = err(star)",
                    "squares at x = eps_m",
                    "squares at x = eps/4 + t_m",
                ),
            ),
            Line(
                "ended",
                "sqrt(err(h_A))^2 <= sqrt(err(star))^2 + 4*(sqrt(err(star))*sqrt(eps_m) + sqrt(eps_m)^2) "
                "+ 2*sqrt(eps/4 + t_m)^2",
                using=(
                    "positive",
                    "chain",
                    "end at a = sqrt(err(h_A)), u = sqrt(eps_m), h = sqrt(err(star)), v = sqrt(eps/4 + t_m)",
                ),
            ),
            Line(
                "all",
                "err(h_A) <= err(star) + 4*(sqrt(err(star)*eps_m) + eps_m + t_m) + eps/2",
                using=("ended",),
            ),
        ),
        given=(
            Given(
                "line_c",
                "err(h_A) - err(star) <= sqrt(err(h_A)*eps_m) + sqrt(err(star)*eps_m) + eps_m + eps/4 + t_m",
                "line: T27.c",
            ),
        ),
        notation=(("H", "hypotheses"), ("star", "h*")),
        says=("`err(h_A) <= err(h*)+C'(sqrt(err(h*)eps_m)+eps_m+t_m)+eps/2` for some constant C'",),
    ),
}

DERIVATIONS: dict[str, Derivation] = {
    **_THRESHOLDS,
    **_LEMMAS,
    **_AGNOSTIC,
    **_REALISABLE,
    **_LABELS,
    **_LOWER,
    **_LEARNER,
}

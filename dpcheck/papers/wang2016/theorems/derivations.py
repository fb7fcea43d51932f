"""How printed lines follow, from laws, events and private algorithms up."""

from __future__ import annotations

from dpcheck.papers.beimel2015.theorems.subsets import EXTRA, ONE_MORE, SETS, SETS_ARE, counted
from dpcheck.proof.derivation.lines import Derivation, Given, Line

#: A random subset of n records, handed to a private algorithm A.
_SUBSAMPLE = (
    "n in Z[1, inf); gamma in (0, 1]; eps in (0, inf); set INDEX of n; law S; has(S, INDEX) in Z[0, 1]; "
    "type D; alike(D, D, INDEX) in Z[0, 1]; type SUB; sub(D, S): SUB; type OUT; law coins; A(SUB, coins): OUT"
)
_SUBSAMPLE_NOTATION = (
    ("INDEX", "the places 1, ..., n"),
    ("has", "whether a place is in the random subset"),
    ("D", "datasets of n records"),
    ("alike", "whether two datasets differ at most in the record at a place"),
    ("SUB", "samples"),
    ("sub", "the records of a dataset at the places of a subset"),
    ("OUT", "outputs"),
    ("coins", "the coins of A"),
    ("A", "the algorithm"),
)
#: Each place is in the subset with probability gamma.
_EACH_PLACE = (
    Given("size", "for s: S: total(i: INDEX, has(s, i)) = gamma*n", "definition: S has gamma n places"),
    Given(
        "uniform",
        "for i: INDEX, j: INDEX: Pr(s: S, has(s, i)) = Pr(s: S, has(s, j))",
        "definition: all subsets of this size are equally likely, so all places are alike",
    ),
)
_PLACE = (
    Line(
        "chance",
        "for i: INDEX: Pr(s: S, has(s, i)) = gamma",
        using=("total of uniform over j", "mean of size over s"),
    ),
)
_RATIO = "mean(s: S, c: coins, F(A(sub(d, s), c)))/mean(s: S, c: coins, F(A(sub(dd, s), c)))"
_ON = "mean(s: S, c: coins, F(A(sub({d}, s), c)))"
_PARTS = (
    "gamma*Pr(s: S, c: coins, F(A(sub({d}, s), c)) given has(s, i)) "
    "+ (1 - gamma)*Pr(s: S, c: coins, F(A(sub({d}, s), c)) given not has(s, i))"
)
_UP, _DOWN = "(1 + gamma*(e^eps - 1))", "(1 + gamma*(e^(-eps) - 1))"
_LOSS = "eps in (0, inf); gamma in (0, 1]; type D; near(D, D) in Z[0, 1]; type OUT; law coins; B(D, coins): OUT"
_LOSS_NOTATION = (
    ("D", "datasets"),
    ("near", "whether two datasets are neighbours, in either order"),
    ("OUT", "outputs"),
    ("coins", "the subset and the coins of A"),
    ("B", "A'"),
)
_LOSS_FOR = (
    "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1, mean(c: coins, F(B(d, c))) > 0, "
    "mean(c: coins, F(B(dd, c))) > 0: "
)
_LOSS_RATIO = "mean(c: coins, F(B(d, c)))/mean(c: coins, F(B(dd, c)))"

#: Two densities with respect to one law.
_DENSITIES = "law mu; p(mu) in [0, inf); q(mu) in (0, inf); l(mu) in [0, 1]; top in [0, 1]"
_DENSITIES_NOTATION = (
    (
        "mu",
        (
            "a law of hypotheses for which A(Z) and A(Z') have densities, such as that of A(Z'), as A(Z) gives nothing "
            "to what A(Z') gives nothing to"
        ),
    ),
    ("q", "p'"),
    ("top", "sup |l|"),
)

_TOWER_MIX = (
    "gamma*Pr(s: S, c: coins, F(A(sub({d}, at(s)), c)) given has(s)) "
    "+ (1 - gamma)*Pr(s: S, c: coins, F(A(sub({d}, at(s)), c)) given not has(s))"
)
_TOWER = (
    "total(r: R, (1/N)*(gamma*mean(c: coins, F(A(sub({d}, add(r)), c))) "
    "+ (1 - gamma)*total(t: REST, inside(r, t)*mean(c: coins, F(A(sub({d}, other(t)), c))))/m))"
)

#: Samples of n examples, and an algorithm on them.
_SAMPLES = (
    "n in Z[1, inf); set INDEX of n; law D; law S; z(S, INDEX): D; type H; law coins; A(S, coins): H; l(H, D) in [0, 1]"
)
_SAMPLES_NOTATION = (
    ("INDEX", "the places 1, ..., n"),
    ("D", "the law of an example"),
    ("S", "samples Z of n examples"),
    ("z", "z_i, an example of Z"),
    ("H", "hypotheses"),
    ("coins", "the coins of A"),
    ("A", "the algorithm"),
    ("l", "the loss"),
)
_PUT = ("put", "Z^(i): Z with z_i replaced")
_IID = (
    Given(
        "alike",
        "for i: INDEX, f(D) in [0, 1]: mean(s: S, f(z(s, i))) = mean(x: D, f(x))",
        "definition: each example of Z has the law D",
    ),
    Given(
        "exchange",
        "for i: INDEX, f(S, D) in [0, 1]: mean(s: S, x: D, f(put(s, i, x), x)) = mean(s: S, f(s, z(s, i)))",
        "definition: the examples of Z are independent, so with another one in place i it has the same law",
    ),
)

#: Datasets that differ in one record after the other, and a private algorithm on them.
_PATH = (
    "n in Z[1, inf); eps in (0, inf); type D; near(D, D) in Z[0, 1]; path(Z): D; type OUT; law coins; A(D, coins): OUT"
)
_PATH_NOTATION = (
    ("D", "datasets of n records"),
    ("near", "whether two datasets differ in at most one record"),
    ("OUT", "outputs"),
    ("coins", "the coins of A"),
    ("A", "the algorithm"),
)
_STEPS = (
    Given(
        "there",
        "for m in Z[0, inf): near(path(m), path(m + 1)) = 1",
        "definition: datasets of n records differ in at most n of them; replace one after the other",
    ),
    Given("back", "for m in Z[0, inf): near(path(m + 1), path(m)) = 1", "definition: near is symmetric"),
)
_PURE = Given(
    "private",
    "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
    "mean(c: coins, F(A(d, c))) <= exp(eps)*mean(c: coins, F(A(dd, c)))",
    "definition: A is eps-DP",
)

#: Scores of the exponential mechanism, and what is averaged by its base measure.
_WEIGHT = "base(h)*exp(eps/(2*Dq)*q({d}, h))"
_GIBBS = "mean(h: mu, F(h)*" + _WEIGHT + ")/mean(h: mu, " + _WEIGHT + ")"
#: What is at most 1/m for all m is at most 0.
_SCALED = (
    Line(
        "scaled", "for r in [0, inf), x in (-inf, inf), m in Z[1, inf) if r <= m, x <= 1/m: r*x <= 1", hints=("case x",)
    ),
)
_T = "4*((rho + 2)*log(n) + log(K))/(eps*n)"

_RATE22 = "eps/(2*(2*(a + 1)/n))"
_GAP22 = "8*(eta*log(n) + log(a))/(eps*(n/(a + 1)))"

#: The subsampled algorithm on Z', given whether record i is drawn.
_TWO = (
    "gamma in (0, 1); eps in [0, inf); delta in [0, 1]; law I; has(I) in Z[0, 1]; type OUT; law coins; B(I, coins): OUT"
)
_TWO_NOTATION = (
    ("I", "the random subset I"),
    ("has", "whether i is in I"),
    ("OUT", "outputs"),
    ("coins", "the coins of A"),
    ("B", "A(Z'_I)"),
)
_IN = "Pr(s: I, c: coins, F(B(s, c)) given has(s))"
_OUT = "Pr(s: I, c: coins, F(B(s, c)) given not has(s))"
_WHOLE = "mean(s: I, c: coins, F(B(s, c)))"
_END = "mean(s: I, c: coins, F(A(sub({d}, s), c)))"
_END_IN = "Pr(s: I, c: coins, F(A(sub(dd, s), c)) given has(s))"

#: Sets without i; how many there are; J is R and i, and is one index off I.
_S_WITHOUT = "[size(s) = {0} and not has(s, i)]"
_R_WITHOUT = "[size(r) = m and not has(r, i)]"
_Q_WITHOUT = "[size(q) = m + 1 and not has(q, i)]"
_HOW_MANY = "total(s: P, [size(s) = {0} and not has(s, i)])"
_LARGER = "total(q: P, [size(q) = m + 1 and not has(q, i) and sub(r, q)])"
_SMALLER = "total(r: P, [size(r) = m and not has(r, i) and sub(r, q)])"
_AND_I = "(1 - has(r, i))*is(s, plus(r, i))"
_J_NEAR = "[size(s) = K and has(s, i) and dist(q, s) = 1]"
_I_NEAR = "[size(q) = K and not has(q, i) and dist(q, s) = 1]"
_OF_I2 = "if size(q) = K, has(q, i) = 0"
DERIVATIONS = {
    # Lemma 4
    "L4.gamma": Derivation(
        "n in Z[1, inf); gamma in [0, 1]",
        (Line("all", "gamma <= 1/sqrt(n)", using=("size",)),),
        given=(Given("size", "gamma = floor(sqrt(n))/n", "printed: gamma = floor(sqrt n)/n"),),
        says=("gamma = floor(sqrt n)/n `<= 1/sqrt n`",),
    ),
    "L4.priv": Derivation(
        "n in Z[1, inf); gamma in (0, 1]; b in (0, inf); type D; near(D, D) in Z[0, 1]; type OUT; law coins; "
        "B(D, coins): OUT",
        (
            Line("loss", "2*gamma*b <= 2/sqrt(n)*b", using=("size",)),
            Line(
                "private",
                "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                "mean(c: coins, F(B(d, c))) <= exp(2/sqrt(n)*b)*mean(c: coins, F(B(dd, c)))",
                using=("lemma", "loss"),
            ),
        ),
        given=(
            Given("size", "gamma <= 1/sqrt(n)", "line: L4.gamma"),
            Given(
                "lemma",
                "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                "mean(c: coins, F(B(d, c))) <= exp(2*gamma*b)*mean(c: coins, F(B(dd, c)))",
                "result: wang2016:lem-34",
            ),
        ),
        notation=(("b", "b(eps) = e^eps - e^-eps"), *_LOSS_NOTATION),
        shows=("loss", "private"),
        says=(
            "privacy of A'",
            "`2 gamma b(eps) <= (2/sqrt n) b(eps)`",
        ),
    ),
    "L4.rate": Derivation(
        "n in Z[1, inf); law S; law places; law sample; at(S, places): sample; law coins; type H; A(sample, coins): H; "
        "R(H) in [0, 1]; star in [0, 1]; xi(Z) in [0, inf)",
        (
            Line(
                "subsample",
                "for f(sample) in [0, 1]: mean(w: places, s: S, f(at(s, w))) = mean(t: sample, f(t))",
                using=("mean of iid over w",),
            ),
            Line(
                "moved",
                "for w: places: mean(s: S, c: coins, R(A(at(s, w), c))) = mean(t: sample, c: coins, R(A(t, c)))",
                using=("iid at f(t) = mean(c: coins, R(A(t, c)))",),
            ),
            Line(
                "all",
                "mean(w: places, s: S, c: coins, R(A(at(s, w), c))) - star <= xi(floor(sqrt(n)))",
                using=("mean of moved over w", "rate"),
            ),
        ),
        given=(
            Given(
                "iid",
                "for w: places, f(sample) in [0, 1]: mean(s: S, f(at(s, w))) = mean(t: sample, f(t))",
                "definition: the records of an iid sample at any distinct places are an iid sample",
            ),
            Given(
                "rate",
                "mean(t: sample, c: coins, R(A(t, c))) - star <= xi(floor(sqrt(n)))",
                "printed: consistent with rate xi(n)",
            ),
        ),
        notation=(
            ("S", "samples of n records"),
            ("places", "the floor(sqrt n) distinct places that are drawn, without a look at the records"),
            ("sample", "iid samples of floor(sqrt n) records"),
            ("at", "the records at these places"),
            ("coins", "the coins of A"),
            ("H", "hypotheses"),
            ("R", "the risk"),
            ("star", "R*"),
        ),
        shows=("subsample", "all"),
        says=("the subsample is an iid sample of size sqrt n, so rate `xi(sqrt n)`",),
    ),
    # Lemma 34
    "L34.mix": Derivation(
        _SUBSAMPLE.replace("gamma in (0, 1]", "gamma in (0, 1)"),
        (
            *_PLACE,
            Line(
                "mix",
                "for F(OUT) in Z[0, 1], d: D, dd: D, i: INDEX if alike(d, dd, i) = 1, "
                + _ON.format(d="dd")
                + " > 0: "
                + _RATIO
                + " = ("
                + _PARTS.format(d="d")
                + ")/("
                + _PARTS.format(d="dd")
                + ")",
                using=("chance",),
            ),
        ),
        given=_EACH_PLACE,
        notation=_SUBSAMPLE_NOTATION,
        says=("`P_A'(Z)(E)/P_A'(Z')(E) = [gamma P(ZS;E|i in S)+(1-gamma)P(ZS;E|i notin S)] / [same with Z']`",),
    ),
    "L34.ratio": Derivation(
        "gamma in (0, 1]; eps in (0, inf); X in (0, 1]",
        (
            Line(
                "all",
                "((gamma*exp(eps) + 1 - gamma)*X)/((gamma*exp(-eps) + 1 - gamma)*X) "
                "= (gamma*exp(eps) + 1 - gamma)/(gamma*exp(-eps) + 1 - gamma) "
                "= (1 + gamma*(exp(eps) - 1))/(1 + gamma*(exp(-eps) - 1))",
            ),
        ),
        notation=(("X", "X of the line before: an average of probabilities, above 0"),),
        says=("`= (gamma e^eps+1-gamma)/(gamma e^-eps+1-gamma) = (1+gamma(e^eps-1))/(1+gamma(e^-eps-1))`",),
    ),
    "L34.loss": Derivation(
        _LOSS,
        (
            Line(
                "logs",
                "for r in (0, inf), u in (0, inf), v in (0, inf) if r <= u/v: log(r) <= log(u) - log(v)",
                hints=("lemma log_quotient_above x = u; y = v", "lemma log_increases x = r; y = u/v"),
            ),
            Line("positive", f"{_DOWN} > 0"),
            Line(
                "all",
                _LOSS_FOR + f"log({_LOSS_RATIO}) <= log({_UP}) - log({_DOWN})",
                using=("ratio", "positive", f"logs at r = {_LOSS_RATIO}, u = {_UP}, v = {_DOWN}"),
            ),
        ),
        given=(Given("ratio", _LOSS_FOR + f"{_LOSS_RATIO} <= {_UP}/{_DOWN}", "line: L34.ratio"),),
        notation=_LOSS_NOTATION,
        says=("`eps' <= log(1+gamma[e^eps-1]) - log(1+gamma[e^-eps-1])`",),
    ),
    "L34.rng": Derivation(
        "eps in (0, inf)",
        (Line("all", "-1 <= exp(-eps) - 1 < 0 < exp(eps) - 1"),),
        says=("eps>0 => `-1 <= e^-eps - 1 < 0`, `0 < e^eps - 1 < inf`",),
    ),
    "L34.logup": Derivation(
        "x in [0, inf)",
        (Line("all", "log(1 + x) <= (x/2)*(2 + x)/(1 + x) <= x"),),
        says=("`log(1+x) <= (x/2)(2+x)/(1+x) <= x`",),
    ),
    "L34.end": Derivation(
        _LOSS,
        (
            Line(
                "bound",
                f"log({_UP}) - log({_DOWN}) <= 2*gamma*(exp(eps) - exp(-eps))",
                hints=("substitute eps = log(E) with E in (1, inf) as exp(eps)",),
            ),
            Line(
                "all",
                _LOSS_FOR + f"log({_LOSS_RATIO}) <= 2*gamma*(exp(eps) - exp(-eps))",
                using=("loss", "bound"),
            ),
        ),
        given=(Given("loss", _LOSS_FOR + f"log({_LOSS_RATIO}) <= log({_UP}) - log({_DOWN})", "line: L34.loss"),),
        notation=_LOSS_NOTATION,
        says=("hence `eps' <= 2 gamma (e^eps - e^-eps)`",),
    ),
    # Lemma 8
    "L8.1": Derivation(
        _DENSITIES.replace("q(mu) in (0, inf)", "q(mu) in [0, inf)"),
        (
            Line("above", "for h: mu: l(h)*(p(h) - q(h)) <= top*[p(h) >= q(h)]*(p(h) - q(h))", using=("sup",)),
            Line("below", "for h: mu: l(h)*(q(h) - p(h)) <= top*(1 - [p(h) >= q(h)])*(q(h) - p(h))", using=("sup",)),
            Line(
                "all",
                "abs(mean(h: mu, l(h)*p(h)) - mean(h: mu, l(h)*q(h))) = abs(mean(h: mu, l(h)*(p(h) - q(h)))) "
                "<= top*mean(h: mu, [p(h) >= q(h)]*(p(h) - q(h)))",
                using=("mean of above over h", "mean of below over h", "one", "other"),
            ),
        ),
        given=(
            Given("sup", "for h: mu: l(h) <= top", "printed: sup|l|"),
            Given("one", "mean(h: mu, p(h)) = 1", "definition: p is a density"),
            Given("other", "mean(h: mu, q(h)) = 1", "definition: p' is a density"),
        ),
        notation=(
            ("mu", "a law of hypotheses for which A(Z) and A(Z') have densities, such as the mean of the two"),
            *_DENSITIES_NOTATION[1:],
        ),
        says=("`|E_p l - E_p' l| = |int l (p-p')| <= sup|l| int_{p>=p'} (p-p')`",),
    ),
    "L8.2": Derivation(
        _DENSITIES + "; eps in (0, inf)",
        (
            Line("gain", "for h: mu: 0 <= [p(h) >= q(h)]*(p(h) - q(h))"),
            Line("part", "for h: mu: [p(h) >= q(h)]*q(h) <= q(h)"),
            Line("factor", "for x in [0, 1], y in [0, inf): x*y <= 1*y"),
            Line(
                "all",
                "top*mean(h: mu, [p(h) >= q(h)]*(p(h) - q(h))) <= 1*mean(h: mu, [p(h) >= q(h)]*q(h)*(p(h)/q(h) - 1)) "
                "<= (exp(eps) - 1)*mean(h: mu, [p(h) >= q(h)]*q(h)) <= exp(eps) - 1",
                using=(
                    "mean of gain over h",
                    "mean of part over h",
                    "private at F(h) = [p(h) >= q(h)]",
                    "other",
                ),
            ),
        ),
        given=(
            Given(
                "private",
                "for F(mu) in Z[0, 1]: mean(h: mu, F(h)*p(h)) <= exp(eps)*mean(h: mu, F(h)*q(h))",
                "printed: A eps-DP",
            ),
            Given("other", "mean(h: mu, q(h)) = 1", "definition: p' is a density"),
        ),
        notation=_DENSITIES_NOTATION,
        says=("`<= 1 * int_{p>=p'} p'(p/p' - 1) <= (e^eps-1) int_{p>=p'} p' <= e^eps-1`",),
    ),
    "L34.tower": Derivation(
        "n in Z[2, inf); k in Z[1, inf); m in Z[1, inf); N in Z[1, inf); M in Z[1, inf); gamma in (0, 1); "
        "set R of N; set REST of M; inside(R, REST) in Z[0, 1]; type SET; add(R): SET; other(REST): SET; "
        "law S; has(S) in Z[0, 1]; at(S): SET; type D; type SUB; sub(D, SET): SUB; type OUT; law coins; "
        "A(SUB, coins): OUT",
        (
            Line(
                "each",
                "for f(SET) in [0, 1], t: REST: total(r: R, inside(r, t))*f(other(t)) = k*f(other(t))",
                using=("contained",),
            ),
            Line("pairs", "N*m = M*k", using=("total of contained over t", "total of extended over r")),
            Line(
                "last",
                "for f(SET) in [0, 1]: total(r: R, (1/N)*total(t: REST, inside(r, t)*f(other(t)))/m) "
                "= total(t: REST, f(other(t)))/M",
                using=("total of each over t", "pairs"),
            ),
            Line(
                "tower",
                "for F(OUT) in Z[0, 1], d: D: " + _TOWER_MIX.format(d="d") + " = " + _TOWER.format(d="d"),
                using=(
                    "chance",
                    "in_S at f(x) = mean(c: coins, F(A(sub(d, x), c)))",
                    "notin_S at f(x) = mean(c: coins, F(A(sub(d, x), c)))",
                    "last at f(x) = mean(c: coins, F(A(sub(d, x), c)))",
                ),
            ),
            Line(
                "quotient",
                "for a in [0, inf), b in [0, inf), x in [0, inf), y in [0, inf) if a = x, b = y, b > 0: a/b = x/y",
            ),
            Line(
                "all",
                "for F(OUT) in Z[0, 1], d: D, dd: D if " + _TOWER_MIX.format(d="dd") + " > 0: "
                "("
                + _TOWER_MIX.format(d="d")
                + ")/("
                + _TOWER_MIX.format(d="dd")
                + ") = "
                + _TOWER.format(d="d")
                + "/"
                + _TOWER.format(d="dd"),
                using=(
                    "chance",
                    "tower",
                    "tower at d = dd",
                    "quotient at a = "
                    + _TOWER_MIX.format(d="d")
                    + ", b = "
                    + _TOWER_MIX.format(d="dd")
                    + ", x = "
                    + _TOWER.format(d="d")
                    + ", y = "
                    + _TOWER.format(d="dd"),
                ),
            ),
        ),
        given=(
            Given("chance", "Pr(s: S, has(s)) = gamma", "line: L34.mix"),
            Given(
                "in_S",
                "for f(SET) in [0, 1]: mean(s: S, has(s)*f(at(s))) = Pr(s: S, has(s))*total(r: R, f(add(r)))/N",
                "definition: S is uniform, and the sets with i are R u {i}, R of gamma n - 1 other places",
            ),
            Given(
                "notin_S",
                "for f(SET) in [0, 1]: mean(s: S, (1 - has(s))*f(at(s))) "
                "= (1 - Pr(s: S, has(s)))*total(t: REST, f(other(t)))/M",
                "definition: S is uniform, also among the sets without i",
            ),
            Given(
                "contained",
                "for t: REST: total(r: R, inside(r, t)) = k",
                "definition: a set of gamma n places is R u {j} for each of its places j",
            ),
            Given(
                "extended",
                "for r: R: total(t: REST, inside(r, t)) = m",
                "definition: R leaves n - 1 - (gamma n - 1) places j != i",
            ),
        ),
        notation=(
            ("k", "gamma n"),
            ("m", "n - gamma n, above 0 for gamma < 1"),
            ("N", "the number of sets R"),
            ("M", "the number of sets of gamma n places without i"),
            ("REST", "the sets of gamma n places without i"),
            ("inside", "whether a set of REST is R u {j} for some j"),
            ("SET", "sets of gamma n places"),
            ("add", "R u {i}"),
            ("other", "a set of REST, as a set of places"),
            ("has", "whether i is in S"),
            ("at", "S, as a set of places"),
            ("D", "datasets"),
            ("SUB", "samples"),
            ("sub", "the records at the places of a set"),
            ("OUT", "outputs"),
            ("coins", "the coins of A"),
            ("A", "the algorithm"),
        ),
        says=(
            (
                "`= sum_R P(R)[gamma P(E|S=R u {i}) + (1-gamma) P(E|S=R u {j}, j!=i)] / [same with Z']`, R subset of "
                "[n]\\{i} of size gamma n - 1"
            ),
        ),
    ),
    # Theorem 35
    "T35.a": Derivation(
        _SAMPLES + "; R(H) in [0, 1]; Rhat(H, S) in [0, 1]",
        (
            Line("risk", "for s: S, c: coins: R(A(s, c)) = mean(x: D, l(A(s, c), x))", using=("R at h = A(s, c)",)),
            Line(
                "seen",
                "for s: S, c: coins: Rhat(A(s, c), s) = (1/n)*total(i: INDEX, l(A(s, c), z(s, i)))",
                using=("Rhat at h = A(s, c)",),
            ),
            Line(
                "all",
                "abs(mean(s: S, mean(c: coins, R(A(s, c))) - mean(c: coins, Rhat(A(s, c), s)))) "
                "= abs(mean(s: S, mean(x: D, mean(c: coins, l(A(s, c), x))) "
                "- (1/n)*mean(c: coins, total(i: INDEX, l(A(s, c), z(s, i))))))",
                using=("mean of mean of risk over s over c", "mean of mean of seen over s over c"),
            ),
        ),
        given=(
            Given("R", "for h: H: R(h) = mean(x: D, l(h, x))", "definition: the risk"),
            Given(
                "Rhat",
                "for h: H, s: S: Rhat(h, s) = (1/n)*total(i: INDEX, l(h, z(s, i)))",
                "definition: the empirical risk",
            ),
        ),
        notation=(*_SAMPLES_NOTATION, ("R", "the risk"), ("Rhat", "the empirical risk")),
        says=("`|E_Z(E_h R - E_h Rhat)| = |E_Z( E_z E_h l(h,z) - (1/n) E_h sum_i l(h,z_i))|`",),
    ),
    "T35.b": Derivation(
        _SAMPLES + "; put(S, INDEX, D): S",
        (
            Line(
                "fresh",
                "for i: INDEX: mean(s: S, t: S, mean(c: coins, l(A(s, c), z(t, i)))) "
                "= mean(s: S, x: D, c: coins, l(A(s, c), x))",
                using=("alike at f(x) = mean(s: S, c: coins, l(A(s, c), x))",),
            ),
            Line(
                "swapped",
                "for i: INDEX: mean(s: S, t: S, mean(c: coins, l(A(put(s, i, z(t, i)), c), z(t, i)))) "
                "= mean(s: S, c: coins, l(A(s, c), z(s, i)))",
                using=(
                    "alike at f(x) = mean(s: S, c: coins, l(A(put(s, i, x), c), x))",
                    "exchange at f(s, x) = mean(c: coins, l(A(s, c), x))",
                ),
            ),
            Line(
                "all",
                "abs(mean(s: S, mean(x: D, mean(c: coins, l(A(s, c), x))) "
                "- (1/n)*mean(c: coins, total(i: INDEX, l(A(s, c), z(s, i)))))) "
                "= abs(mean(s: S, t: S, (1/n)*total(i: INDEX, mean(c: coins, l(A(s, c), z(t, i)))) "
                "- (1/n)*total(i: INDEX, mean(c: coins, l(A(put(s, i, z(t, i)), c), z(t, i))))))",
                using=("total of fresh over i", "total of swapped over i"),
            ),
        ),
        given=_IID,
        notation=(*_SAMPLES_NOTATION, _PUT),
        says=("`= |E_{Z,z'}( (1/n) sum_i E_{A(Z)} l(h,z'_i) - (1/n) sum_i E_{A(Z^(i))} l(h,z'_i) )|`",),
    ),
    "T35.c": Derivation(
        _SAMPLES + "; put(S, INDEX, D): S; sup in [0, 1]; xi1 in [0, inf)",
        (
            Line(
                "each",
                "for s: S, t: S, i: INDEX: -sup <= mean(c: coins, l(A(s, c), z(t, i))) "
                "- mean(c: coins, l(A(put(s, i, z(t, i)), c), z(t, i))) <= sup",
                using=("sup at x = z(t, i)",),
            ),
            Line(
                "all",
                "abs(mean(s: S, t: S, (1/n)*total(i: INDEX, mean(c: coins, l(A(s, c), z(t, i)))) "
                "- (1/n)*total(i: INDEX, mean(c: coins, l(A(put(s, i, z(t, i)), c), z(t, i)))))) <= sup <= xi1",
                using=("mean of mean of total of each over i over s over t", "stable"),
            ),
        ),
        given=(
            Given(
                "sup",
                "for s: S, i: INDEX, x: D: "
                "abs(mean(c: coins, l(A(s, c), x)) - mean(c: coins, l(A(put(s, i, x), c), x))) <= sup",
                "printed: sup |E_{A(Z)} l(h,z') - E_{A(Z^(i))} l(h,z')|",
            ),
            Given("stable", "sup <= xi1", "printed: xi1(n)-stable"),
        ),
        notation=(*_SAMPLES_NOTATION, _PUT),
        says=("`<= sup |E_{A(Z)} l(h,z') - E_{A(Z^(i))} l(h,z')| <= xi1(n)`",),
    ),
    "T35.d": Derivation(
        "n in Z[1, inf); set INDEX of n; law D; law S; z(S, INDEX): D; type H; point best: H; l(H, D) in [0, 1]; "
        "Rhat(H, S) in [0, 1]; star in [0, 1]",
        (
            Line(
                "record",
                "for i: INDEX: mean(s: S, l(best, z(s, i))) = star",
                using=("alike at f(x) = l(best, x)", "best"),
            ),
            Line(
                "each", "for s: S: Rhat(best, s) = (1/n)*total(i: INDEX, l(best, z(s, i)))", using=("Rhat at h = best",)
            ),
            Line("all", "mean(s: S, Rhat(best, s)) = star", using=("mean of each over s", "total of record over i")),
        ),
        given=(
            _IID[0],
            Given(
                "Rhat",
                "for h: H, s: S: Rhat(h, s) = (1/n)*total(i: INDEX, l(h, z(s, i)))",
                "definition: the empirical risk",
            ),
            Given("best", "mean(x: D, l(best, x)) = star", "definition: h* has the least risk, R*"),
        ),
        notation=(
            ("INDEX", "the places 1, ..., n"),
            ("D", "the law of an example"),
            ("S", "samples Z of n examples"),
            ("z", "z_i, an example of Z"),
            ("H", "hypotheses"),
            ("best", "h*"),
            ("l", "the loss"),
            ("Rhat", "the empirical risk"),
            ("star", "R*"),
        ),
        says=("`E_Z Rhat(h*,Z) = R*`",),
    ),
    "T35.e": Derivation(
        "law S; law coins; type H; A(S, coins): H; point best: H; R(H) in [0, 1]; Rhat(H, S) in [0, 1]; "
        "least(S) in [0, 1]; star in [0, 1]; xi1 in [0, inf); xi2 in [0, inf)",
        (
            Line(
                "split",
                "mean(s: S, c: coins, R(A(s, c)) - star) = mean(s: S, c: coins, R(A(s, c)) - Rhat(A(s, c), s)) "
                "+ mean(s: S, c: coins, Rhat(A(s, c), s) - Rhat(best, s))",
                using=("unbiased",),
            ),
            Line("lower", "for s: S: least(s) <= Rhat(best, s)", using=("least at h = best",)),
            Line(
                "all",
                "mean(s: S, c: coins, R(A(s, c)) - star) = mean(s: S, c: coins, R(A(s, c)) - Rhat(A(s, c), s)) "
                "+ mean(s: S, c: coins, Rhat(A(s, c), s) - Rhat(best, s)) "
                "<= mean(s: S, c: coins, R(A(s, c)) - Rhat(A(s, c), s)) "
                "+ mean(s: S, c: coins, Rhat(A(s, c), s) - least(s)) <= xi1 + xi2",
                using=("split", "mean of lower over s", "stable", "aerm"),
            ),
        ),
        given=(
            Given("unbiased", "mean(s: S, Rhat(best, s)) = star", "line: T35.d"),
            Given("least", "for h: H, s: S: least(s) <= Rhat(h, s)", "definition: Rhat*(Z) is the least"),
            Given(
                "stable",
                "abs(mean(s: S, mean(c: coins, R(A(s, c))) - mean(c: coins, Rhat(A(s, c), s)))) <= xi1",
                "line: T35.c",
            ),
            Given("aerm", "mean(s: S, c: coins, Rhat(A(s, c), s) - least(s)) <= xi2", "printed: xi2(n)-AERM"),
        ),
        notation=(
            ("S", "samples Z"),
            ("coins", "the coins of A"),
            ("H", "hypotheses"),
            ("A", "the algorithm"),
            ("best", "h*"),
            ("least", "Rhat*"),
            ("star", "R*"),
        ),
        says=("`E[R(h)-R*] = E[R - Rhat(h,Z)] + E[Rhat(h,Z)-Rhat(h*,Z)] <= E[R-Rhat] + E[Rhat-Rhat*(Z)] <= xi1+xi2`",),
    ),
    # Lemma 10
    "L10.a": Derivation(
        "type DATA; point d: DATA; law places; type SUB; sub(DATA, places): SUB; law coins; type H; A(SUB, coins): H; "
        "B(DATA, places, coins): H; Rhat(H, DATA) in [0, 1]; least(DATA) in [0, 1]",
        (
            Line(
                "each",
                "for w: places, c: coins: Rhat(B(d, w, c), d) = Rhat(A(sub(d, w), c), d)",
                using=("runs at f(h) = Rhat(h, d), data = d",),
            ),
            Line(
                "all",
                "mean(w: places, c: coins, Rhat(B(d, w, c), d)) - least(d) "
                "= mean(w: places, mean(c: coins, Rhat(A(sub(d, w), c), d)) - least(d))",
                using=("mean of mean of each over w over c",),
            ),
        ),
        given=(
            Given(
                "runs",
                "for f(H) in [0, 1], data: DATA, w: places, c: coins: f(B(data, w, c)) = f(A(sub(data, w), c))",
                "definition: A' runs A on the records at random places",
            ),
        ),
        notation=(
            ("DATA", "datasets"),
            ("d", "Z"),
            ("places", "the random subset of k places"),
            ("SUB", "samples of k records"),
            ("sub", "the records at these places"),
            ("coins", "the coins of A"),
            ("H", "hypotheses"),
            ("B", "A'"),
            ("least", "Rhat*"),
        ),
        says=("`Rhat(A'(Z),Z)-Rhat*(Z) = E_{Z' subset Z, |Z'|=k}[Rhat(A(Z'),Z)-Rhat*(Z)]`",),
    ),
    "L10.b": Derivation(
        "N in Z[1, inf); set SEQ of N; none(SEQ) in Z[0, 1]; excess(SEQ) in [0, 1]; law subset; drawn(subset): SEQ; "
        "law unif; seq(unif): SEQ",
        (
            Line(
                "given",
                "mean(u: unif, none(seq(u))*excess(seq(u))) = total(q: SEQ, none(q)*excess(q))/N",
                using=("uniform at f(q) = none(q)*excess(q)",),
            ),
            Line(
                "chance", "Pr(u: unif, none(seq(u))) = total(q: SEQ, none(q))/N", using=("uniform at f(q) = none(q)",)
            ),
            Line(
                "all",
                "mean(w: subset, excess(drawn(w))) "
                "= mean(u: unif, none(seq(u))*excess(seq(u)))/Pr(u: unif, none(seq(u)))",
                using=("subset at f(q) = excess(q)", "given", "chance", "some"),
            ),
        ),
        given=(
            Given(
                "uniform",
                "for f(SEQ) in [0, 1]: mean(u: unif, f(seq(u))) = total(q: SEQ, f(q))/N",
                "printed: Unif(Z)^k",
            ),
            Given(
                "subset",
                "for f(SEQ) in [0, 1]: total(q: SEQ, none(q))*mean(w: subset, f(drawn(w))) "
                "= total(q: SEQ, none(q)*f(q))",
                "definition: a subsample without replacement, its records in random order",
            ),
            Given(
                "some",
                "total(q: SEQ, none(q)) >= 1",
                "definition: k <= n, so 1, ..., k is a sequence without duplicates",
            ),
        ),
        notation=(
            ("N", "n^k"),
            ("SEQ", "the sequences of k indices of [n]"),
            ("none", "whether a sequence has no index twice"),
            ("excess", "what is averaged: Rhat(A(Z'),Z) - Rhat*(Z) of the records with these indices"),
            ("subset", "a random subset of k indices in random order"),
            ("drawn", "its sequence"),
            ("unif", "k independent uniform indices"),
            ("seq", "their sequence"),
        ),
        says=("`= E_{Z'~Unif(Z)^k}[ . | no duplicates]` (no index of [n] drawn twice)",),
    ),
    "L10.c": Derivation(
        "law unif; none(unif) in Z[0, 1]; excess(unif) in [0, 1]",
        (
            Line("each", "for u: unif: none(u)*excess(u) <= excess(u)"),
            Line(
                "all",
                "mean(u: unif, none(u)*excess(u))/Pr(u: unif, none(u)) "
                "<= mean(u: unif, excess(u))/Pr(u: unif, none(u))",
                using=("mean of each over u", "some"),
            ),
        ),
        given=(Given("some", "Pr(u: unif, none(u)) > 0", "printed: /Pr(no duplicates)"),),
        notation=(
            ("unif", "k independent uniform indices, Unif(Z)^k"),
            ("none", "whether no index comes twice"),
            ("excess", "what is averaged, at least 0"),
        ),
        says=("`<= E_{Z'~Unif(Z)^k}[ . ]/Pr(no duplicates)`",),
    ),
    "L10.d": Derivation(
        "n in Z[1, inf); k in Z[1, inf); set INDEX of n; law unif; none(unif, Z) in Z[0, 1]; "
        "seen(unif, Z, INDEX) in Z[0, 1]; next(unif, Z): INDEX; prod(Z) in (-inf, inf); sum(Z) in (-inf, inf)",
        (
            Line(
                "left",
                "for i in Z[0, inf), u: unif: none(u, i)*total(j: INDEX, 1 - seen(u, i, j))/n = none(u, i)*(1 - i/n)",
                using=("count",),
            ),
            Line(
                "grow",
                "for i in Z[0, inf), u: unif: none(u, i + 1) = none(u, i)*(1 - seen(u, i, next(u, i)))",
                using=("new",),
            ),
            Line(
                "ratio",
                "for i in Z[0, inf): Pr(u: unif, none(u, i + 1)) = Pr(u: unif, none(u, i))*(1 - i/n)",
                using=("mean of left over u", "mean of grow over u", "draw"),
            ),
            Line("first", "Pr(u: unif, none(u, 0)) = prod(0)", using=("mean of empty over u", "prod0")),
            Line(
                "more",
                "for i in Z[0, inf) if Pr(u: unif, none(u, i)) = prod(i): Pr(u: unif, none(u, i + 1)) = prod(i + 1)",
                using=("ratio", "prod"),
            ),
            Line("product", "for i in Z[0, inf): Pr(u: unif, none(u, i)) = prod(i)", "induction i", ("first", "more")),
            Line("low", "prod(0) >= 1 - sum(0)", using=("prod0", "sum0")),
            Line(
                "lower",
                "for i in Z[0, inf) if prod(i) >= 1 - sum(i): prod(i + 1) >= 1 - sum(i + 1)",
                using=("prod", "sum", "product"),
            ),
            Line("weierstrass", "for i in Z[0, inf): prod(i) >= 1 - sum(i)", "induction i", ("low", "lower")),
            Line("zero", "sum(0) = 0*(0 - 1)/(2*n)", using=("sum0",)),
            Line(
                "next",
                "for i in Z[0, inf) if sum(i) = i*(i - 1)/(2*n): sum(i + 1) = (i + 1)*(i + 1 - 1)/(2*n)",
                using=("sum",),
            ),
            Line("gauss", "for i in Z[0, inf): sum(i) = i*(i - 1)/(2*n)", "induction i", ("zero", "next")),
            Line("size", "k*(k - 1)/(2*n) <= 1/2", using=("k",)),
            Line(
                "all",
                "Pr(u: unif, none(u, k)) = prod(k) >= 1 - sum(k) >= 1/2",
                using=("product at i = k", "weierstrass at i = k", "gauss at i = k", "size"),
            ),
        ),
        given=(
            Given("empty", "for u: unif: none(u, 0) = 1", "definition: nothing is drawn"),
            Given(
                "new",
                "for i in Z[0, inf), u: unif: none(u, i + 1) = none(u, i)*(1 - seen(u, i, next(u, i)))",
                "definition: no index twice among i + 1: none among i, and the next one is new",
            ),
            Given(
                "count",
                "for i in Z[0, inf), u: unif: none(u, i)*total(j: INDEX, seen(u, i, j)) = none(u, i)*i",
                "definition: i indices without duplicates are i indices",
            ),
            Given(
                "draw",
                "for i in Z[0, inf): mean(u: unif, none(u, i)*(1 - seen(u, i, next(u, i)))) "
                "= mean(u: unif, total(j: INDEX, none(u, i)*(1 - seen(u, i, j)))/n)",
                "definition: the next index is uniform and independent of those before",
            ),
            Given("prod0", "prod(0) = 1", "printed: prod_{i=0}^{k-1}(1-i/n)"),
            Given("prod", "for i in Z[0, inf): prod(i + 1) = prod(i)*(1 - i/n)", "printed: prod_{i=0}^{k-1}(1-i/n)"),
            Given("sum0", "sum(0) = 0", "printed: sum_{i=0}^{k-1} i/n"),
            Given("sum", "for i in Z[0, inf): sum(i + 1) = sum(i) + i/n", "printed: sum_{i=0}^{k-1} i/n"),
            Given("k", "k <= sqrt(n)", "definition: k = floor(sqrt n)"),
        ),
        notation=(
            ("INDEX", "[n]"),
            ("unif", "independent uniform indices"),
            ("none", "whether the first i of them have no duplicates"),
            ("seen", "whether an index is among the first i"),
            ("next", "the index that is drawn after the first i"),
            ("prod", "the product of 1 - j/n over the j below i"),
            ("sum", "the sum of j/n over the j below i"),
        ),
        says=("`Pr(no duplicates) = prod_{i=0}^{k-1}(1-i/n) >= 1 - sum_{i=0}^{k-1} i/n >= 1/2`",),
    ),
    # Proposition 11
    "P11.supp": Derivation(
        _PATH + "; is(OUT, OUT) in Z[0, 1]",
        (
            Line(
                "start",
                "for F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(0), c))) "
                "<= exp(0*eps)*mean(c: coins, F(A(path(0), c)))",
            ),
            Line(
                "step",
                "for m in Z[0, inf), F(OUT) in Z[0, 1] if mean(c: coins, F(A(path(0), c))) "
                "<= exp(m*eps)*mean(c: coins, F(A(path(m), c))): mean(c: coins, F(A(path(0), c))) "
                "<= exp((m + 1)*eps)*mean(c: coins, F(A(path(m + 1), c)))",
                using=("there", "private at d = path(m), dd = path(m + 1)"),
            ),
            Line(
                "group",
                "for m in Z[0, inf), F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(0), c))) "
                "<= exp(m*eps)*mean(c: coins, F(A(path(m), c)))",
                "induction m",
                ("start", "step"),
            ),
            Line(
                "start2",
                "for F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(0), c))) "
                "<= exp(0*eps)*mean(c: coins, F(A(path(0), c)))",
            ),
            Line(
                "step2",
                "for m in Z[0, inf), F(OUT) in Z[0, 1] if mean(c: coins, F(A(path(m), c))) "
                "<= exp(m*eps)*mean(c: coins, F(A(path(0), c))): mean(c: coins, F(A(path(m + 1), c))) "
                "<= exp((m + 1)*eps)*mean(c: coins, F(A(path(0), c)))",
                using=("back", "private at d = path(m + 1), dd = path(m)"),
            ),
            Line(
                "group2",
                "for m in Z[0, inf), F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(m), c))) "
                "<= exp(m*eps)*mean(c: coins, F(A(path(0), c)))",
                "induction m",
                ("start2", "step2"),
            ),
            Line(
                "same",
                "for h: OUT if Pr(c: coins, is(A(path(0), c), h)) > 0: Pr(c: coins, is(A(path(n), c), h)) > 0",
                using=("group at m = n, F(y) = is(y, h)",),
            ),
            Line(
                "converse",
                "for h: OUT if Pr(c: coins, is(A(path(n), c), h)) > 0: Pr(c: coins, is(A(path(0), c), h)) > 0",
                using=("group2 at m = n, F(y) = is(y, h)",),
            ),
            Line(
                "ratio",
                "for h: OUT if Pr(c: coins, is(A(path(n), c), h)) > 0: "
                "Pr(c: coins, is(A(path(0), c), h))/Pr(c: coins, is(A(path(n), c), h)) <= exp(n*eps)",
                using=("group at m = n, F(y) = is(y, h)",),
            ),
        ),
        given=(*_STEPS, _PURE),
        notation=(
            *_PATH_NOTATION,
            ("path", "from Z (path(0)) to Z' (path(n)), any two datasets, one record after the other"),
            ("is", "whether two hypotheses are the same"),
        ),
        shows=("same", "converse", "ratio"),
        says=(
            "discrete/mixed A(Z): point-mass support is the same for all Z, since `P_A(Z)(h)/P_A(Z')(h) <= exp(n eps)`",
        ),
    ),
    "P11.pigeon": Derivation(
        "n in Z[1, inf); N in Z[1, inf); set H of N; type DATA; type OUT; law coins; A(DATA, coins): OUT; "
        "is(OUT, H) in Z[0, 1]; M in Z[1, inf); set G of M; set INDEX of n; same(INDEX, INDEX) in Z[0, 1]; law D; "
        "law S; z(S, INDEX): D; l(G, D) in [0, 1]; R(G) in [0, 1]; Rhat(G, S) in [0, 1]; erm(S): G",
        (
            Line(
                "below",
                "for d: DATA, h: H: smallest(g: H, Pr(c: coins, is(A(d, c), g))) <= Pr(c: coins, is(A(d, c), h))",
                "largest",
            ),
            Line("one", "for d: DATA, c: coins: total(h: H, is(A(d, c), h)) <= 1", using=("once at y = A(d, c)",)),
            Line(
                "sum",
                "for d: DATA: N*smallest(g: H, Pr(c: coins, is(A(d, c), g))) <= 1",
                using=("total of below over h", "mean of one over c"),
            ),
            Line(
                "pigeon",
                "for d: DATA: smallest(h: H, Pr(c: coins, is(A(d, c), h))) < 1/n",
                using=("sum", "more"),
            ),
            Line(
                "square",
                "for g: G: mean(s: S, total(i: INDEX, l(g, z(s, i)))^2) "
                "= n*mean(x: D, l(g, x)^2) + (n^2 - n)*mean(x: D, l(g, x))^2",
                using=(
                    "total of total of pairs at f1(x) = l(g, x), f2(x) = l(g, x) over i over j",
                    "total of diagonal over i",
                ),
            ),
            Line(
                "first",
                "for g: G: mean(s: S, total(i: INDEX, l(g, z(s, i)))) = n*mean(x: D, l(g, x))",
                using=("total of alike at f(x) = l(g, x) over i",),
            ),
            Line("small", "for g: G, x: D: l(g, x)^2 <= l(g, x)"),
            Line(
                "variance",
                "for g: G: mean(s: S, (total(i: INDEX, l(g, z(s, i)))/n - mean(x: D, l(g, x)))^2) <= 1/(4*n)",
                using=("square", "first", "mean of small over x"),
            ),
            Line(
                "deviation",
                "for g: G, s: S: abs(Rhat(g, s) - R(g)) "
                "<= sqrt(n)*(total(i: INDEX, l(g, z(s, i)))/n - mean(x: D, l(g, x)))^2 + 1/(4*sqrt(n))",
                using=("R", "Rhat"),
            ),
            Line(
                "gap",
                "for g: G: mean(s: S, abs(Rhat(g, s) - R(g))) <= 1/(2*sqrt(n))",
                using=("mean of deviation over s", "variance"),
            ),
            Line("best", "R(star) = smallest(g: G, R(g))", "point star: G"),
            Line("part", "for s: S, g: G: abs(Rhat(g, s) - R(g)) <= total(f: G, abs(Rhat(f, s) - R(f)))", "sum"),
            Line(
                "excess",
                "for s: S: R(erm(s)) - R(star) <= 2*total(f: G, abs(Rhat(f, s) - R(f)))",
                using=("part at g = erm(s)", "part at g = star", "erm at g = star"),
            ),
            Line(
                "learns",
                "mean(s: S, R(erm(s))) - smallest(g: G, R(g)) <= M/sqrt(n)",
                using=("best", "mean of excess over s", "total of gap over g"),
            ),
        ),
        given=(
            Given("more", "N > n", "printed: #H>n"),
            Given("once", "for y: OUT: total(h: H, is(y, h)) <= 1", "definition: an output is at most one hypothesis"),
            Given("R", "for g: G: R(g) = mean(x: D, l(g, x))", "definition: the risk"),
            Given(
                "Rhat",
                "for g: G, s: S: Rhat(g, s) = total(i: INDEX, l(g, z(s, i)))/n",
                "definition: the empirical risk",
            ),
            Given("erm", "for s: S, g: G: Rhat(erm(s), s) <= Rhat(g, s)", "definition: ERM"),
            Given(
                "alike",
                "for i: INDEX, f(D) in [0, 1]: mean(s: S, f(z(s, i))) = mean(x: D, f(x))",
                "definition: each example has the law D",
            ),
            Given(
                "pairs",
                "for i: INDEX, j: INDEX, f1(D) in [0, 1], f2(D) in [0, 1]: mean(s: S, f1(z(s, i))*f2(z(s, j))) "
                "= same(i, j)*mean(x: D, f1(x)*f2(x)) "
                "+ (1 - same(i, j))*mean(x: D, f1(x))*mean(x: D, f2(x))",
                "definition: different examples are independent",
            ),
            Given(
                "diagonal",
                "for i: INDEX: total(j: INDEX, same(i, j)) = 1",
                "definition: one place is the same as a place",
            ),
        ),
        notation=(
            ("N", "how many hypotheses H holds, or n + 1 of infinitely many"),
            ("DATA", "datasets"),
            ("OUT", "outputs"),
            ("coins", "the coins of A"),
            ("A", "the algorithm"),
            ("is", "whether an output is a hypothesis"),
            ("M", "#H for a finite H"),
            ("G", "H where it is finite"),
            ("INDEX", "the places 1, ..., n"),
            ("same", "whether two places are the same"),
            ("D", "the law of an example"),
            ("S", "samples"),
            ("z", "an example of a sample"),
            ("l", "the loss"),
            ("R", "the risk"),
            ("Rhat", "the empirical risk"),
            ("erm", "ERM"),
        ),
        shows=("pigeon", "learns"),
        says=("#H>n => for any Z some h has `P_A(Z)(h) < 1/n`; #H<n => ERM learns",),
    ),
    "P11.risk": Derivation(
        "n in Z[1, inf); law S; law coins; law coin; toss(coin) in Z[0, 1]; has(S) in Z[0, 1]; type H; point h0: H; "
        "A(S, coins): H; mixed(S, coins, coin): H; is(S, H) in Z[0, 1]; other(S) in [0, 1]; R(H) in [0, 1]",
        (
            Line(
                "each",
                "for s: S, c: coins, b: coin: R(mixed(s, c, b)) <= R(A(s, c)) + toss(b)",
                using=("mixture at f(h) = R(h)",),
            ),
            Line(
                "mixture_risk",
                "mean(s: S, c: coins, b: coin, R(mixed(s, c, b))) <= mean(s: S, c: coins, R(A(s, c))) + 1/n",
                using=("mean of mean of mean of each over s over c over b", "toss"),
            ),
            Line("part", "for s: S, c: coins: (1 - is(s, A(s, c)))*R(A(s, c)) <= R(A(s, c))"),
            Line(
                "without",
                "for s: S: other(s) <= mean(c: coins, R(A(s, c))) + 1/n",
                using=("mean of part over c", "rare", "given_not"),
            ),
            Line(
                "either",
                "for s: S: (1 - has(s))*mean(c: coins, R(A(s, c))) + has(s)*other(s) "
                "<= mean(c: coins, R(A(s, c))) + 1/n",
                using=("without",),
            ),
            Line(
                "given_risk",
                "mean(s: S, (1 - has(s))*mean(c: coins, R(A(s, c))) + has(s)*other(s)) "
                "<= mean(s: S, c: coins, R(A(s, c))) + 1/n",
                using=("mean of either over s",),
            ),
        ),
        given=(
            Given("toss", "Pr(b: coin, toss(b)) = 1/n", "definition: A' answers h_0 with probability 1/n"),
            Given(
                "mixture",
                "for f(H) in [0, 1], s: S, c: coins, b: coin: f(mixed(s, c, b)) "
                "= has(s)*toss(b)*f(h0) + (1 - has(s)*toss(b))*f(A(s, c))",
                "definition: A' answers h_0 where z is observed and the coin says so, else as A",
            ),
            Given("rare", "for s: S: Pr(c: coins, is(s, A(s, c))) < 1/n", "line: P11.pigeon"),
            Given(
                "given_not",
                "for s: S: (1 - Pr(c: coins, is(s, A(s, c))))*other(s) "
                "= mean(c: coins, (1 - is(s, A(s, c)))*R(A(s, c)))",
                "definition: A(Z) given that it is not h, where z is observed",
            ),
        ),
        notation=(
            ("S", "samples"),
            ("coins", "the coins of A"),
            ("coin", "a coin of A'"),
            ("toss", "how it falls, 1 with probability 1/n"),
            ("has", "whether z is observed"),
            ("H", "hypotheses"),
            ("h0", "the hypothesis that A' adds"),
            ("mixed", "A' of the first kind: h_0 with probability 1/n where z is observed, else A"),
            ("is", "whether a hypothesis is the h of the sample, which A answers with probability below 1/n"),
            ("other", "the risk of A given that it does not answer h: A' of the second kind where z is observed"),
            ("R", "the risk"),
        ),
        shows=("mixture_risk", "given_risk"),
        says=("risk of A' at most 1/n larger than that of A",),
    ),
    # Proposition 12
    "P12.pack": Derivation(
        "eps in (0, inf); n in Z[1, inf); eta in (0, 1); K in Z[1, inf); h(Z) in (-inf, inf)",
        (
            Line("size", "K = ceil(exp(eps*n)) = ceil(1/eta)", using=("eta", "K")),
            Line("fits", "(K - 1)*eta < 1", using=("size",)),
            Line(
                "apart",
                "for i in Z[1, inf), j in Z[1, inf) if i + 1 <= j: h(i) + eta <= h(j)",
                using=("thresholds", "thresholds at i = j"),
            ),
            Line(
                "disjoint",
                "for i in Z[1, inf), j in Z[1, inf) if i + 1 <= j: h(i) + eta/3 < h(j) - eta/3",
                using=("apart",),
            ),
            Line(
                "within",
                "for i in Z[1, inf) if i <= K: 0 < h(i) < 1",
                using=("thresholds", "fits"),
            ),
            Line(
                "points",
                "for i in Z[1, inf) if i <= K: 0 <= max(0, h(i) - eta/3) < h(i) < min(1, h(i) + eta/3) <= 1",
                using=("within",),
            ),
        ),
        given=(
            Given("K", "K = ceil(exp(eps*n))", "printed: K = ceil(exp(eps n))"),
            Given("eta", "eta = exp(-eps*n)", "definition: ceil(exp(eps n)) = ceil(1/eta), as in the paper"),
            Given(
                "thresholds",
                "for i in Z[1, inf): h(i) = (1 - (K - 1)*eta)/2 + (i - 1)*eta",
                "definition: which thresholds are taken",
            ),
        ),
        notation=(
            (
                "h",
                (
                    "the thresholds h_i, i = 1, ..., K; the points of Z_i lie on both sides of h_i between "
                    "max(0, h_i - eta/3) and min(1, h_i + eta/3)"
                ),
            ),
        ),
        shows=("size", "apart", "disjoint", "within", "points"),
        says=(
            (
                "`K = ceil(exp(eps n)) = ceil(1/eta)`, K thresholds in [0,1], pairwise `>= eta` apart, "
                "`[h_i-eta/3,h_i+eta/3]` disjoint, Z_i inside [0,1]"
            ),
        ),
    ),
    "P12.zero": Derivation(
        "n in Z[1, inf); set INDEX of n; h in (0, 1); z(INDEX) in [0, 1]; y(INDEX) in Z[0, 1]",
        (
            Line("each", "for k: INDEX: [not (y(k) = [z(k) > h])] = 0", using=("labels",)),
            Line("all", "(1/n)*total(k: INDEX, [not (y(k) = [z(k) > h])]) = 0", using=("total of each over k",)),
        ),
        given=(Given("labels", "for k: INDEX: y(k) = [z(k) > h]", "definition: the points are labelled by h_i"),),
        notation=(
            ("INDEX", "the points of Z_i"),
            ("h", "h_i, which answers 1 for points above it"),
            ("z", "a point"),
            ("y", "its label"),
        ),
        says=("`Rhat(h_i,Z_i)=0`",),
    ),
    "P12.disj": Derivation(
        "K in Z[1, inf); set I of K; same(I, I) in Z[0, 1]; point one: I; h(I) in [0, 1]; eta in (0, 1); law coins; "
        "A(coins) in [0, 1]",
        (
            Line(
                "both",
                "for c: coins, i: I, j: I: [h(i) - eta/3 <= A(c) <= h(i) + eta/3]"
                "*[h(j) - eta/3 <= A(c) <= h(j) + eta/3] <= same(i, j)*[h(i) - eta/3 <= A(c) <= h(i) + eta/3]",
                using=("apart",),
            ),
            Line(
                "alone",
                "for c: coins, i: I: total(j: I, same(i, j))*[h(i) - eta/3 <= A(c) <= h(i) + eta/3] "
                "= [h(i) - eta/3 <= A(c) <= h(i) + eta/3]",
                using=("same at f(j) = 1",),
            ),
            Line(
                "square",
                "for c: coins: total(i: I, [h(i) - eta/3 <= A(c) <= h(i) + eta/3])^2 "
                "<= total(i: I, [h(i) - eta/3 <= A(c) <= h(i) + eta/3])",
                using=("total of total of both over i over j", "total of alone over i"),
            ),
            Line(
                "each",
                "for c: coins: 1 - [h(one) - eta/3 <= A(c) <= h(one) + eta/3] "
                ">= total(i: I, (1 - same(one, i))*[h(i) - eta/3 <= A(c) <= h(i) + eta/3])",
                using=("square", "same at i = one, f(j) = [h(j) - eta/3 <= A(c) <= h(j) + eta/3]"),
            ),
            Line(
                "all",
                "Pr(c: coins, not (h(one) - eta/3 <= A(c) <= h(one) + eta/3)) "
                ">= total(i: I, (1 - same(one, i))*Pr(c: coins, h(i) - eta/3 <= A(c) <= h(i) + eta/3))",
                using=("mean of each over c",),
            ),
        ),
        given=(
            Given("apart", "for i: I, j: I: (1 - same(i, j))*eta <= abs(h(i) - h(j))", "line: P12.pack"),
            Given(
                "same",
                "for i: I, f(I) in [0, 1]: total(j: I, same(i, j)*f(j)) = f(i)",
                "definition: whether two are the same",
            ),
        ),
        notation=(
            ("I", "1, ..., K"),
            ("same", "whether i = j; the sum over i = 2, ..., K is that over all i that are not 1"),
            ("one", "1"),
            ("h", "h_i"),
            ("coins", "the coins of A"),
            ("A", "the threshold that A answers on Z_1"),
        ),
        says=("`P_A(Z1)(notin J_1) >= sum_{i=2}^K P_A(Z1)(J_i)`",),
    ),
    "P12.(4)": Derivation(
        _PATH + "; J(OUT) in Z[0, 1]",
        (
            Line(
                "start",
                "for F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(0), c))) "
                ">= exp(-eps*0)*mean(c: coins, F(A(path(0), c)))",
            ),
            Line(
                "inverse",
                "for m in Z[0, inf), F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(m + 1), c))) "
                ">= exp(-eps)*mean(c: coins, F(A(path(m), c)))",
                using=("there", "private at d = path(m), dd = path(m + 1)"),
            ),
            Line(
                "step",
                "for m in Z[0, inf), F(OUT) in Z[0, 1] if mean(c: coins, F(A(path(m), c))) "
                ">= exp(-eps*m)*mean(c: coins, F(A(path(0), c))): mean(c: coins, F(A(path(m + 1), c))) "
                ">= exp(-eps*(m + 1))*mean(c: coins, F(A(path(0), c)))",
                using=("inverse",),
            ),
            Line(
                "group",
                "for m in Z[0, inf), F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(m), c))) "
                ">= exp(-eps*m)*mean(c: coins, F(A(path(0), c)))",
                "induction m",
                ("start", "step"),
            ),
            Line(
                "all",
                "Pr(c: coins, J(A(path(n), c))) >= exp(-eps*n)*Pr(c: coins, J(A(path(0), c)))",
                using=("group at m = n, F(y) = J(y)",),
            ),
        ),
        given=(_STEPS[0], _PURE),
        notation=(
            *_PATH_NOTATION,
            ("path", "from Z_i (path(0)) to Z_1 (path(n)), one record after the other"),
            ("J", "J_i"),
        ),
        says=("`P_A(Z1)(J_i) >= exp(-eps n) P_A(Zi)(J_i)`",),
    ),
    # Example 16
    "X16.lb": Derivation(
        "n in Z[1, inf); set INDEX of 3*n; law elements; type X; at(elements, INDEX): X; law W; "
        "seen(W, INDEX) in Z[0, 1]; type SAMPLE; sample(elements, W): SAMPLE; type H; law coins; "
        "A(SAMPLE, coins): H; has(H, X) in Z[0, 1]",
        (
            Line(
                "each",
                "for u: elements, w: W, c: coins, i: INDEX: 1 - has(A(sample(u, w), c), at(u, i)) "
                ">= 1 - seen(w, i) - (1 - seen(w, i))*has(A(sample(u, w), c), at(u, i))",
            ),
            Line(
                "missed",
                "for w: W, i: INDEX: mean(u: elements, c: coins, 1 - has(A(sample(u, w), c), at(u, i))) "
                ">= 1 - seen(w, i)",
                using=("mean of mean of each over u over c", "unseen"),
            ),
            Line(
                "sum",
                "for w: W: mean(u: elements, c: coins, total(i: INDEX, 1 - has(A(sample(u, w), c), at(u, i)))) "
                ">= 3*n - n",
                using=("total of missed over i", "draws"),
            ),
            Line(
                "average",
                "mean(u: elements, mean(w: W, c: coins, "
                "total(i: INDEX, 1 - has(A(sample(u, w), c), at(u, i)))/(3*n))) >= (3*n - n)/(3*n) = 2/3",
                using=("mean of sum over w",),
            ),
            Line(
                "some",
                "mean(w: W, c: coins, total(i: INDEX, 1 - has(A(sample(those, w), c), at(those, i)))/(3*n)) "
                ">= mean(u: elements, mean(w: W, c: coins, "
                "total(i: INDEX, 1 - has(A(sample(u, w), c), at(u, i)))/(3*n)))",
                "point those: elements",
            ),
            Line(
                "all",
                "mean(w: W, c: coins, (1/(3*n))*total(i: INDEX, [not has(A(sample(those, w), c), at(those, i))])) "
                ">= 2/3",
                using=("average", "some"),
            ),
        ),
        given=(
            Given("draws", "for w: W: total(i: INDEX, seen(w, i)) <= n", "printed: n-sample estimators"),
            Given(
                "unseen",
                "for w: W, i: INDEX: mean(u: elements, c: coins, "
                "(1 - seen(w, i))*has(A(sample(u, w), c), at(u, i))) = 0",
                "definition: for independent uniform elements of [0, 1], one that is not in the sample is independent "
                "of the finite set that A answers, and in it with probability 0",
            ),
        ),
        notation=(
            ("INDEX", "the 3n elements, numbered"),
            ("elements", "3n independent uniform elements of [0, 1]: some such elements are those of the line"),
            ("X", "[0, 1]"),
            ("at", "an element"),
            ("W", "n draws of a uniform index"),
            ("seen", "whether an element is drawn"),
            ("SAMPLE", "samples"),
            ("sample", "the sample of the elements that are drawn"),
            ("H", "finite subsets of [0, 1]"),
            ("coins", "the coins of A"),
            ("A", "the estimator"),
            ("has", "whether a finite set holds an element; the loss is 1 where it does not"),
        ),
        says=("n-sample estimators have risk >= 2/3 on uniform over 3n elements",),
    ),
    "X16.ub": Derivation(
        "N in Z[1, inf); n in Z[1, inf); set ATOMS of N; p(ATOMS) in [0, 1]; law S; missed(S, ATOMS, Z) in Z[0, 1]",
        (
            Line("start", "for j: ATOMS: Pr(s: S, missed(s, j, 0))*(1 + 0*p(j)) <= 1"),
            Line(
                "step",
                "for m in Z[0, inf), j: ATOMS if Pr(s: S, missed(s, j, m))*(1 + m*p(j)) <= 1: "
                "Pr(s: S, missed(s, j, m + 1))*(1 + (m + 1)*p(j)) <= 1",
                using=("iid",),
            ),
            Line(
                "bound",
                "for m in Z[0, inf), j: ATOMS: Pr(s: S, missed(s, j, m))*(1 + m*p(j)) <= 1",
                "induction m",
                ("start", "step"),
            ),
            Line("atom", "for j: ATOMS: p(j)*Pr(s: S, missed(s, j, n)) <= 1/n", using=("bound at m = n",)),
            Line(
                "all",
                "mean(s: S, total(j: ATOMS, p(j)*missed(s, j, n))) <= N/n",
                using=("total of atom over j",),
            ),
        ),
        given=(
            Given(
                "iid",
                "for m in Z[0, inf), j: ATOMS: Pr(s: S, missed(s, j, m + 1)) = Pr(s: S, missed(s, j, m))*(1 - p(j))",
                "definition: the next example is independent of those before, and j with probability p(j)",
            ),
        ),
        notation=(
            ("ATOMS", "the values of D"),
            ("p", "their probabilities"),
            ("S", "samples"),
            (
                "missed",
                (
                    "whether a value is not among the first m examples; the risk of the set of what was seen is the "
                    "probability of what was not"
                ),
            ),
        ),
        says=("ERM (support) has rate N/n",),
    ),
    # Lemma 14
    "L14.(14)": Derivation(
        "n in Z[1, inf); k in Z[1, inf); set INDEX of n; law D; law S; z(S, INDEX): D; law places; "
        "has(places, INDEX) in Z[0, 1]; type SUB; sub(S, places): SUB; law coins; type H; A(SUB, coins): H; "
        "l(H, D) in [0, 1]; R(H) in [0, 1]; star in [0, 1]; xi(Z) in [0, inf)",
        (
            Line(
                "fresh",
                "for w: places, i: INDEX: (1 - has(w, i))*mean(s: S, c: coins, l(A(sub(s, w), c), z(s, i))) "
                "= (1 - has(w, i))*mean(s: S, c: coins, mean(x: D, l(A(sub(s, w), c), x)))",
                using=("rest at f(t, x) = mean(c: coins, l(A(t, c), x))",),
            ),
            Line(
                "number",
                "for w: places: total(i: INDEX, 1 - has(w, i))*mean(s: S, c: coins, mean(x: D, l(A(sub(s, w), c), x))) "
                "= (n - k)*mean(s: S, c: coins, mean(x: D, l(A(sub(s, w), c), x)))",
                using=("size",),
            ),
            Line(
                "risk",
                "for s: S, w: places, c: coins: R(A(sub(s, w), c)) = mean(x: D, l(A(sub(s, w), c), x))",
                using=("R at h = A(sub(s, w), c)",),
            ),
            Line(
                "parts",
                "mean(s: S, w: places, c: coins, (1/n)*total(i: INDEX, l(A(sub(s, w), c), z(s, i)))) "
                "= mean(s: S, w: places, c: coins, (k/n)*(total(i: INDEX, has(w, i)*l(A(sub(s, w), c), z(s, i)))/k) "
                "+ ((n - k)/n)*R(A(sub(s, w), c)))",
                using=(
                    "mean of total of fresh over i over w",
                    "mean of number over w",
                    "mean of mean of mean of risk over s over w over c",
                ),
            ),
            Line(
                "has_loss",
                "for s: S, w: places, c: coins, i: INDEX: has(w, i)*l(A(sub(s, w), c), z(s, i)) <= has(w, i)",
            ),
            Line(
                "drawn",
                "for s: S, w: places, c: coins: total(i: INDEX, has(w, i)*l(A(sub(s, w), c), z(s, i))) <= k",
                using=("total of has_loss over i", "size"),
            ),
            Line(
                "bound",
                "for t in [0, inf), p in [0, 1] if t <= k: t/n + p - p*k/n <= 1/sqrt(n) + p",
                using=("k",),
                hints=("have k/n <= 1/sqrt(n)", "have t/n <= k/n", "have p*k/n >= 0"),
            ),
            Line(
                "all",
                "mean(s: S, w: places, c: coins, (1/n)*total(i: INDEX, l(A(sub(s, w), c), z(s, i)))) "
                "= mean(s: S, w: places, c: coins, (k/n)*(total(i: INDEX, has(w, i)*l(A(sub(s, w), c), z(s, i)))/k) "
                "+ ((n - k)/n)*R(A(sub(s, w), c))) <= 1/sqrt(n) + star + xi(k)",
                using=(
                    "parts",
                    "mean of mean of mean of drawn over s over w over c",
                    "rate",
                    (
                        "bound at p = mean(s: S, w: places, c: coins, R(A(sub(s, w), c))), "
                        "t = mean(s: S, w: places, c: coins, total(i: INDEX, has(w, i)*l(A(sub(s, w), c), z(s, i))))"
                    ),
                ),
            ),
        ),
        given=(
            Given("k", "k <= sqrt(n)", "definition: k = floor(sqrt n)"),
            Given("size", "for w: places: total(i: INDEX, has(w, i)) = k", "definition: k places are drawn"),
            Given(
                "rest",
                "for w: places, i: INDEX, f(SUB, D) in [0, 1]: (1 - has(w, i))*mean(s: S, f(sub(s, w), z(s, i))) "
                "= (1 - has(w, i))*mean(s: S, x: D, f(sub(s, w), x))",
                "definition: an example at a place that is not drawn is independent of those at the places drawn",
            ),
            Given("R", "for h: H: R(h) = mean(x: D, l(h, x))", "definition: the risk"),
            Given(
                "rate",
                "mean(s: S, w: places, c: coins, R(A(sub(s, w), c))) - star <= xi(k)",
                "line: L4.rate",
            ),
        ),
        notation=(
            ("INDEX", "the places 1, ..., n"),
            ("D", "the law of an example"),
            ("S", "samples Z of n examples"),
            ("z", "an example of Z"),
            ("places", "the k = floor(sqrt n) places that are drawn"),
            ("has", "whether a place is drawn"),
            ("SUB", "samples of k examples"),
            ("sub", "Z', the examples at the places drawn"),
            ("coins", "the coins of A"),
            ("H", "hypotheses"),
            ("l", "the loss"),
            ("star", "R*"),
        ),
        says=("`E Rhat(A'(Z),Z) = E[(k/n) Rhat(A(Z'),Z') + ((n-k)/n) R(A(Z'))] <= 1/sqrt n + R* + xi(sqrt n)`",),
    ),
    "L14.sum": Derivation(
        "n in Z[1, inf); law S; law coins; seen(S, coins) in [0, 1]; least(S) in [0, 1]; star in [0, 1]; "
        "x in [0, inf); y in [0, inf)",
        (
            Line(
                "all",
                "mean(s: S, c: coins, seen(s, c) - least(s)) <= 12*y + 37/sqrt(n) + x",
                using=("fourteen", "fifteen"),
            ),
        ),
        given=(
            Given("fourteen", "mean(s: S, c: coins, seen(s, c)) <= 1/sqrt(n) + star + x", "line: L14.(14)"),
            Given("fifteen", "abs(mean(s: S, least(s)) - star) <= 12*y + 36/sqrt(n)", "line: L14.(15)"),
        ),
        notation=(
            ("S", "samples Z"),
            ("coins", "the coins of A', with the places that are drawn"),
            ("seen", "Rhat(A'(Z),Z)"),
            ("least", "Rhat*(Z)"),
            ("star", "R*"),
            ("x", "xi(sqrt n)"),
            ("y", "xi'(n^{1/4})"),
        ),
        says=("`12 xi'(n^{1/4}) + 37/sqrt n + xi(sqrt n)`",),
    ),
    # Theorem 19
    "T19.(16)": Derivation(
        "n in Z[1, inf); set INDEX of n; same(INDEX, INDEX) in Z[0, 1]; type D; near(D, D) in Z[0, 1]; "
        "place(D, D): INDEX; type H; l(H, D, INDEX) in [0, 1]; g(H) in (-inf, inf); q(D, H) in (-inf, inf); "
        "Dq in [0, inf); Z1(Z): D; Z2(Z): D; h(Z): H",
        (
            Line(
                "one",
                "for d: D, dd: D, f: H, i: INDEX if near(d, dd) = 1: "
                "-same(place(d, dd), i) <= l(f, d, i) - l(f, dd, i) <= same(place(d, dd), i)",
                using=("neighbours",),
            ),
            Line(
                "sums",
                "for d: D, dd: D, f: H if near(d, dd) = 1: "
                "-1 <= total(i: INDEX, l(f, d, i)) - total(i: INDEX, l(f, dd, i)) <= 1",
                using=("total of one over i", "places at i = place(d, dd)"),
            ),
            Line(
                "pair",
                "for d: D, dd: D, f: H if near(d, dd) = 1: abs(q(d, f) - q(dd, f)) <= 2/n",
                using=("sums", "score at f = f", "score at d = dd, f = f"),
            ),
            Line(
                "close",
                "for m in Z[1, inf): Dq <= 2/n + 1/m",
                using=("sup", "changed", "pair at d = Z1(m), dd = Z2(m), f = h(m)"),
            ),
            *_SCALED,
            Line(
                "closer",
                "for r in [0, inf): r*(Dq - 2/n) <= 1",
                using=("close at m = max(1, ceil(r))", "scaled at x = Dq - 2/n, m = max(1, ceil(r))"),
            ),
            Line(
                "all",
                "Dq <= 2/n",
                using=("closer at r = 2*[Dq > 2/n]/([Dq > 2/n]*(Dq - 2/n) + [Dq <= 2/n])",),
            ),
        ),
        given=(
            Given(
                "score",
                "for d: D, f: H: q(d, f) = -(1/n)*total(i: INDEX, l(f, d, i)) - g(f)",
                "definition: q = -F, F the empirical risk and the regulariser",
            ),
            Given(
                "neighbours",
                "for d: D, dd: D, f: H, i: INDEX if near(d, dd) = 1: "
                "(1 - same(place(d, dd), i))*(l(f, d, i) - l(f, dd, i)) = 0",
                "definition: neighbours differ in the record at one place",
            ),
            Given(
                "places",
                "for i: INDEX: total(j: INDEX, same(i, j)) = 1",
                "definition: one place is the same as a place",
            ),
            Given(
                "sup",
                "for m in Z[1, inf): Dq <= abs(q(Z1(m), h(m)) - q(Z2(m), h(m))) + 1/m",
                "definition: the supremum, which values at neighbours come close to",
            ),
            Given(
                "changed",
                "for m in Z[1, inf): near(Z1(m), Z2(m)) = 1",
                "definition: the supremum, which values at neighbours come close to",
            ),
        ),
        notation=(
            ("INDEX", "the places 1, ..., n"),
            ("same", "whether two places are the same"),
            ("D", "datasets"),
            ("near", "whether two datasets are neighbours"),
            ("place", "where they differ"),
            ("H", "hypotheses"),
            ("l", "the loss at a record of a dataset"),
            ("g", "the regulariser"),
            ("Z1", "datasets whose scores differ by nearly Dq from those of Z2"),
            ("Z2", "their neighbours"),
        ),
        says=("`Dq = sup|q(Z,h)-q(Z',h)| <= 2/n` (16)",),
    ),
    "T19.priv": Derivation(
        "eps in (0, inf); Dq in (0, inf); law mu; base(mu) in (0, inf); type D; near(D, D) in Z[0, 1]; "
        "q(D, mu) in (-inf, inf)",
        (
            Line(
                "factor",
                "for h: mu, d: D, dd: D if near(d, dd) = 1: "
                "exp(eps/(2*Dq)*q(d, h)) <= exp(eps/2)*exp(eps/(2*Dq)*q(dd, h))",
                using=("sensitivity",),
                hints=(
                    "have q_d_h - q_dd_h <= Dq",
                    "have eps/(2*Dq)*(q_d_h - q_dd_h) <= eps/2",
                    "have exp(eps/(2*Dq)*q_d_h) <= exp(eps/2 + eps/(2*Dq)*q_dd_h)",
                ),
            ),
            Line(
                "times",
                "for b in (0, inf), f in [0, 1], x in (0, inf), y in (0, inf) if x <= exp(eps/2)*y: "
                "f*b*x <= exp(eps/2)*f*b*y",
            ),
            Line(
                "weight",
                "for F(mu) in Z[0, 1], h: mu, d: D, dd: D if near(d, dd) = 1: "
                "F(h)*" + _WEIGHT.format(d="d") + " <= exp(eps/2)*F(h)*" + _WEIGHT.format(d="dd"),
                using=(
                    "factor",
                    "times at b = base(h), f = F(h), x = exp(eps/(2*Dq)*q(d, h)), y = exp(eps/(2*Dq)*q(dd, h))",
                ),
            ),
            Line(
                "quotient",
                "for w in [0, inf), v in [0, inf), W in (0, inf), V in (0, inf) "
                "if w <= exp(eps/2)*v, V <= exp(eps/2)*W: w/W <= exp(eps)*(v/V)",
                hints=(
                    "have w*V <= exp(eps/2)*v*V",
                    "have exp(eps/2)*v*V <= exp(eps/2)*v*exp(eps/2)*W",
                    "have w*V <= exp(eps)*v*W",
                ),
            ),
            Line(
                "parts",
                "for F(mu) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: mean(h: mu, F(h)*"
                + _WEIGHT.format(d="d")
                + ") <= exp(eps/2)*mean(h: mu, F(h)*"
                + _WEIGHT.format(d="dd")
                + ")",
                using=("mean of weight over h",),
            ),
            Line(
                "wholes",
                "for d: D, dd: D if near(d, dd) = 1: mean(h: mu, "
                + _WEIGHT.format(d="dd")
                + ") <= exp(eps/2)*mean(h: mu, "
                + _WEIGHT.format(d="d")
                + ")",
                using=("symmetric", "parts at F(h) = 1, d = dd, dd = d"),
            ),
            Line(
                "all",
                "for F(mu) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                + _GIBBS.format(d="d")
                + " <= exp(eps)*("
                + _GIBBS.format(d="dd")
                + ")",
                using=(
                    "parts",
                    "wholes",
                    "quotient at w = mean(h: mu, F(h)*"
                    + _WEIGHT.format(d="d")
                    + "), v = mean(h: mu, F(h)*"
                    + _WEIGHT.format(d="dd")
                    + "), W = mean(h: mu, "
                    + _WEIGHT.format(d="d")
                    + "), V = mean(h: mu, "
                    + _WEIGHT.format(d="dd")
                    + ")",
                ),
            ),
        ),
        given=(
            Given(
                "sensitivity",
                "for h: mu, d: D, dd: D if near(d, dd) = 1: abs(q(d, h) - q(dd, h)) <= Dq",
                "line: T19.(16)",
            ),
            Given(
                "symmetric",
                "for d: D, dd: D if near(d, dd) = 1: near(dd, d) = 1",
                "definition: neighbours are neighbours in both orders",
            ),
        ),
        notation=(
            ("mu", "a law of hypotheses for which the base measure of alg-1 has a density"),
            ("base", "that density; an event F has the probability under alg-1 that stands in the last line"),
            ("D", "datasets"),
            ("near", "whether two datasets are neighbours"),
            ("q", "the score, minus the regularised empirical risk"),
        ),
        says=("alg-1 is eps-DP",),
    ),
    # Lemma 36
    "L36.low": Derivation(
        "n in Z[1, inf); set INDEX of n; type D; type H; l(H, D, INDEX) in [0, 1]; g(H) in (-inf, inf); "
        "q(D, H) in (-inf, inf); zeta in [0, inf)",
        (
            Line("loss", "for h: H, d: D, i: INDEX: l(h, d, i) <= 1"),
            Line(
                "all",
                "for h: H, d: D: q(d, h) >= -(1 + zeta)",
                using=("score", "regular", "total of loss over i"),
            ),
        ),
        given=(
            Given(
                "score",
                "for h: H, d: D: q(d, h) = -(1/n)*total(i: INDEX, l(h, d, i)) - g(h)",
                "definition: q = -F, F the empirical risk and the regulariser",
            ),
            Given("regular", "for h: H: abs(g(h)) <= zeta", "definition: zeta(n) bounds sup |g_n|"),
        ),
        notation=(
            ("INDEX", "the places 1, ..., n"),
            ("D", "datasets"),
            ("H", "hypotheses"),
            ("l", "the loss at a record of a dataset"),
            ("g", "g_n"),
        ),
        says=("`q(Z,h) >= -(1+zeta(n))`",),
    ),
    "L36.(18)": Derivation(
        "c in (0, inf); t in (0, inf); law mu; whole in (0, inf); q(mu) in (-inf, inf); star in (-inf, inf)",
        (
            Line("least", "for h: mu: 0 <= [q(h) < -star - 2*t]*exp(c*q(h))"),
            Line("bad", "for h: mu: [q(h) < -star - 2*t]*exp(c*q(h)) <= exp(-c*(star + 2*t))", hints=("case c",)),
            Line("good", "for h: mu: [-q(h) <= star + t]*exp(-c*(star + t)) <= exp(c*q(h))"),
            Line(
                "quotient",
                "for b in [0, inf), w in (0, inf), s in (0, 1] "
                "if b <= exp(-c*(star + 2*t)), s*exp(-c*(star + t)) <= w: b/w <= (whole/(whole*s))*exp(-c*t)",
                hints=(
                    "have b*s <= exp(-c*(star + 2*t))*s",
                    "have exp(-c*t)*w >= exp(-c*t)*(s*exp(-c*(star + t)))",
                    "have b*s <= exp(-c*t)*w",
                ),
            ),
            Line(
                "all",
                "mean(h: mu, [q(h) < -star - 2*t]*exp(c*q(h)))/mean(h: mu, exp(c*q(h))) "
                "<= (whole/(whole*Pr(h: mu, -q(h) <= star + t)))*exp(-c*t)",
                using=(
                    "mean of least over h",
                    "mean of bad over h",
                    "mean of good over h",
                    "some",
                    (
                        "quotient at b = mean(h: mu, [q(h) < -star - 2*t]*exp(c*q(h))), w = mean(h: mu, exp(c*q(h))), "
                        "s = Pr(h: mu, -q(h) <= star + t)"
                    ),
                ),
            ),
        ),
        given=(Given("some", "Pr(h: mu, -q(h) <= star + t) > 0", "printed: mu(S_t) > 0"),),
        notation=(
            ("c", "eps/(2 Dq)"),
            ("mu", "the base measure mu of alg-1, divided by mu(H)"),
            ("whole", "mu(H); mu(S_t) is whole times the probability of S_t, where F = -q is at most F* + t"),
            ("star", "F*"),
        ),
        says=("`Pr[q < -F*-2t] <= (mu(H)/mu(S_t)) e^{-(eps/(2Dq)) t}`",),
    ),
    "L36.(19)": Derivation(
        "n in Z[1, inf); eps in (0, inf); Dq in (0, inf); t in (0, inf); K in (0, inf); rho in [0, inf); "
        "gamma in (-inf, inf); law S; law coins; q(S, coins) in (-inf, inf); star(S) in (-inf, inf); "
        "ratio(S) in (0, inf)",
        (
            Line(
                "rate",
                "exp(-(eps/(2*Dq))*t) <= exp(-eps*n*t/4)",
                using=("sixteen",),
                hints=("have n*Dq <= 2", "have eps/(2*Dq) >= eps*n/4", "have eps/(2*Dq)*t >= eps*n*t/4"),
            ),
            Line(
                "each",
                "for z: S: Pr(h: coins, q(z, h) < -star(z) - 2*t) <= ratio(z)*exp(-eps*n*t/4)",
                using=("eighteen", "rate"),
            ),
            Line("logs", "K*t^(-rho)*exp(-eps*n*t/4) = exp(-eps*n*t/4 + log(K) - rho*log(t))"),
            Line(
                "times",
                "for x in (0, inf), y in (0, inf), P in [0, 1] if x <= y, P <= x*exp(-eps*n*t/4): "
                "P <= y*exp(-eps*n*t/4)",
            ),
            Line(
                "bound",
                "mean(z: S, Pr(h: coins, q(z, h) < -star(z) - 2*t)) <= K*t^(-rho)*exp(-eps*n*t/4)",
                using=(
                    "mean of each over z",
                    "a2",
                    (
                        "times at x = mean(z: S, ratio(z)), y = K*t^(-rho), "
                        "P = mean(z: S, Pr(h: coins, q(z, h) < -star(z) - 2*t))"
                    ),
                ),
            ),
            Line("end", "exp(-eps*n*t/4 + log(K) - rho*log(t)) = exp(-gamma)", using=("gamma",)),
        ),
        given=(
            Given("sixteen", "Dq <= 2/n", "line: T19.(16)"),
            Given(
                "eighteen",
                "for z: S: Pr(h: coins, q(z, h) < -star(z) - 2*t) <= ratio(z)*exp(-(eps/(2*Dq))*t)",
                "result: wang2016:eq-18",
            ),
            Given("a2", "mean(z: S, ratio(z)) <= K*t^(-rho)", "printed: A2"),
            Given("gamma", "gamma = eps*n*t/4 - log(K) + rho*log(t)", "definition: e^-gamma is what stands before"),
        ),
        notation=(
            ("S", "samples Z"),
            ("coins", "the coins of alg-1"),
            ("q", "the score of the hypothesis that alg-1 answers"),
            ("star", "F*"),
            ("ratio", "mu(H)/mu(S_t)"),
            ("Dq", "the sensitivity of the score"),
        ),
        shows=("bound", "logs", "end"),
        says=("`E_Z Pr[q < -F*-2t] <= K t^-rho e^{-eps n t/4} = e^{-eps n t/4 + log K - rho log t} = e^-gamma`",),
    ),
    "L36.gamma": Derivation(
        "n in Z[2, inf); eps in (0, inf); K in (0, inf); rho in [0, inf); t in (0, inf)",
        (
            Line(
                "value",
                "(eps*n/4)*t - log(K) + rho*log(t) = 2*log(n) + rho*log(n*t)",
                using=("t",),
                hints=(
                    f"lemma log_product_above x = n; y = {_T}",
                    f"lemma log_product_below x = n; y = {_T}",
                    f"have (eps*n/4)*({_T}) = (rho + 2)*log(n) + log(K)",
                ),
            ),
            Line("grows", "2*log(n) + rho*log(n*t) >= 2*log(n)", using=("positive",)),
        ),
        given=(
            Given("t", "t = 4*((rho + 2)*log(n) + log(K))/(eps*n)", "line: L36.t"),
            Given("positive", "log(n*t) > 0", "line: L36.t"),
        ),
        shows=("value", "grows"),
        says=("`gamma = (eps n/4) t - log K + rho log t = 2 log n + rho log(nt) >= 2 log n`",),
    ),
    "L36.e1": Derivation(
        "t in (-inf, inf); law S; law coins; q(S, coins) in (-inf, inf); star(S) in (-inf, inf); low in (-inf, inf)",
        (
            Line(
                "each",
                "for z: S, h: coins: q(z, h) >= (-star(z) - 2*t)*(1 - [q(z, h) < -star(z) - 2*t]) "
                "+ low*[q(z, h) < -star(z) - 2*t]",
                using=("least",),
            ),
            Line(
                "all",
                "mean(z: S, h: coins, q(z, h)) "
                ">= mean(z: S, (-star(z) - 2*t)*(1 - Pr(h: coins, q(z, h) < -star(z) - 2*t))) "
                "+ low*mean(z: S, Pr(h: coins, q(z, h) < -star(z) - 2*t))",
                using=("mean of mean of each over z over h",),
            ),
        ),
        given=(Given("least", "for z: S, h: coins: q(z, h) >= low", "printed: min q"),),
        notation=(
            ("S", "samples Z"),
            ("coins", "the coins of alg-1"),
            ("star", "F*"),
            ("low", "min q"),
        ),
        says=("`E E q >= E(-F*-2t)(1-p) + min q E p`",),
    ),
    "L36.e3": Derivation(
        "n in Z[2, inf); eps in (0, inf); K in (0, inf); rho in [0, inf); t in (-inf, inf); zeta in [0, inf); law S; "
        "star(S) in (-inf, inf)",
        (
            Line(
                "all",
                "mean(z: S, -star(z) - 2*t) + (-1 - zeta)*n^(-2) "
                ">= -mean(z: S, star(z)) - 8*((rho + 2)*log(n) + log(K))/(eps*n) - (1 + zeta)*n^(-2)",
                using=("t",),
            ),
        ),
        given=(Given("t", "t = 4*((rho + 2)*log(n) + log(K))/(eps*n)", "line: L36.t"),),
        notation=(("t", "t of the lines before"), ("S", "samples Z"), ("star", "F*")),
        says=("`>= -E F* - 8[(rho+2) log n+log K]/(eps n) - (1+zeta(n)) n^-2`",),
    ),
    # Lemma 37
    "L37.a": Derivation(
        "law S; law coins; type H; A(S, coins): H; Rhat(H, S) in [0, 1]; least(S) in [0, 1]; g(H) in (-inf, inf); "
        "sup in (-inf, inf); inf_F(S) in (-inf, inf); h(S, Z): H",
        (
            Line(
                "close",
                "for s: S, m in Z[1, inf): inf_F(s) <= least(s) + sup + 1/m",
                using=("below at f = h(s, m)", "infimum", "above at f = h(s, m)"),
            ),
            *_SCALED,
            Line(
                "closer",
                "for s: S, r in [0, inf): r*(inf_F(s) - least(s) - sup) <= 1",
                using=("close at m = max(1, ceil(r))", "scaled at x = inf_F(s) - least(s) - sup, m = max(1, ceil(r))"),
            ),
            Line(
                "each",
                "for s: S: inf_F(s) <= least(s) + sup",
                using=(
                    (
                        "closer at r = 2*[inf_F(s) > least(s) + sup]/([inf_F(s) > least(s) + sup]"
                        "*(inf_F(s) - least(s) - sup) + [inf_F(s) <= least(s) + sup])"
                    ),
                ),
            ),
            Line(
                "all",
                "mean(s: S, mean(c: coins, Rhat(A(s, c), s)) - least(s)) "
                "<= mean(s: S, mean(c: coins, Rhat(A(s, c), s) + g(A(s, c)))) - mean(s: S, c: coins, g(A(s, c))) "
                "- mean(s: S, inf_F(s)) + sup",
                using=("mean of each over s",),
            ),
        ),
        given=(
            Given("below", "for s: S, f: H: inf_F(s) <= Rhat(f, s) + g(f)", "printed: inf[Rhat+g_n]"),
            Given("above", "for f: H: g(f) <= sup", "printed: sup g_n"),
            Given(
                "infimum",
                "for s: S, m in Z[1, inf): Rhat(h(s, m), s) <= least(s) + 1/m",
                "definition: Rhat*(Z) is an infimum, which values come close to",
            ),
        ),
        notation=(
            ("S", "samples Z"),
            ("coins", "the coins of alg-1"),
            ("H", "hypotheses"),
            ("A", "alg-1"),
            ("least", "Rhat*"),
            ("g", "g_n"),
            ("inf_F", "inf[Rhat+g_n]"),
        ),
        says=("`E[E Rhat - Rhat*] <= E E[Rhat+g_n] - E g_n(h) - E inf[Rhat+g_n] + sup g_n`",),
    ),
    "L37.c": Derivation(
        "law out; type H; h(out): H; g(H) in (-inf, inf); sup in (-inf, inf); zeta in [0, inf); most(Z): H",
        (
            Line("close", "for m in Z[1, inf): sup <= zeta + 1/m", using=("supremum", "bound at f = most(m)")),
            *_SCALED,
            Line(
                "closer",
                "for r in [0, inf): r*(sup - zeta) <= 1",
                using=("close at m = max(1, ceil(r))", "scaled at x = sup - zeta, m = max(1, ceil(r))"),
            ),
            Line(
                "above",
                "sup <= zeta",
                using=("closer at r = 2*[sup > zeta]/([sup > zeta]*(sup - zeta) + [sup <= zeta])",),
            ),
            Line("below", "for w: out: -g(h(w)) <= zeta", using=("bound at f = h(w)",)),
            Line("all", "sup - mean(w: out, g(h(w))) <= 2*zeta", using=("above", "mean of below over w")),
        ),
        given=(
            Given(
                "supremum",
                "for m in Z[1, inf): sup <= g(most(m)) + 1/m",
                "definition: sup g_n, which values come close to",
            ),
            Given("bound", "for f: H: abs(g(f)) <= zeta", "printed: sup|g_n|"),
        ),
        notation=(
            ("out", "any law of h"),
            ("H", "hypotheses"),
            ("h", "the hypothesis"),
            ("g", "g_n"),
            ("zeta", "sup|g_n|"),
            ("most", "hypotheses with g_n close to its supremum"),
        ),
        says=("`sup g_n - E g_n <= 2 sup|g_n|`",),
    ),
    # Examples
    "X20.rate": Derivation(
        "M in Z[1, inf); n in Z[1, inf); K in (0, inf); rho in [0, inf); eps in (0, inf); zeta in [0, inf)",
        (
            Line(
                "constant",
                "for L in [0, inf): 9*(M*log(2) + 2*L)/sqrt(M + L) + 2*sqrt(M + L) <= 20*(M + L)",
                hints=(
                    "have sqrt(M + L) >= 1",
                    "have log(2) <= 1",
                    "have 9*(M*log(2) + 2*L) <= 18*(M + L)",
                    "have 9*(M*log(2) + 2*L)/sqrt(M + L) <= 18*sqrt(M + L)",
                    "have sqrt(M + L) <= M + L",
                ),
            ),
            Line(
                "scale",
                "for s in (0, inf), X in [0, inf), w in [0, inf) if 9*X/s + 2*s <= 20*w: "
                "9*X/(n*(s/sqrt(n))) + 2*(s/sqrt(n)) <= 20*(w/sqrt(n))",
                hints=("have 9*X/(n*(s/sqrt(n))) + 2*(s/sqrt(n)) = (9*X/s + 2*s)/sqrt(n)",),
            ),
            Line(
                "rate",
                "for L in [0, inf): 9*(M*log(2) + 2*L)/(n*(sqrt(M + L)/sqrt(n))) + 2*(sqrt(M + L)/sqrt(n)) "
                "<= 20*((M + L)/sqrt(n))",
                using=("constant", "scale at s = sqrt(M + L), X = M*log(2) + 2*L, w = M + L"),
            ),
            Line(
                "all",
                "9*(log(K) + (rho + 2)*log(n))/(n*eps) + 2*eps + zeta <= 20*((M + log(n))/sqrt(n))",
                using=("K", "rho", "g", "eps", "rate at L = log(n)/1"),
                hints=("have sqrt((M + log(n))/n) = sqrt(M + log(n))/sqrt(n)",),
            ),
        ),
        given=(
            Given("K", "K = 2^M", "printed: K=2^M"),
            Given("rho", "rho = 0", "printed: rho=0"),
            Given("g", "zeta = 0", "printed: g=0"),
            Given("eps", "eps = sqrt((M + log(n))/n)", "printed: eps=sqrt((M+log n)/n)"),
        ),
        notation=(("zeta", "sup |g_n|, the last term of (11)"),),
        says=("(11) at K=2^M, rho=0, `eps=sqrt((M+log n)/n)` is `O((M+log n)/sqrt n)`",),
    ),
    "X22.rate": Derivation(
        "s in Z[1, inf); d in Z[1, inf); n in Z[1, inf); L in (0, inf); mu in (0, inf); beta in (0, 1]; "
        "eps in (0, inf); C1 in [1, inf); C2 in [1, inf); one in [0, inf); two in [0, inf)",
        (
            Line(
                "logs",
                "for u in (-inf, inf), y in (0, inf) if exp(u) <= y: u <= log(y)",
                hints=("lemma log_increases x = exp(u); y = y",),
            ),
            Line(
                "volume",
                "log(mu/beta) >= s*log(2) - s*log(d)",
                using=("ball", "logs at u = s*log(2) - s*log(d), y = mu/beta"),
                hints=("have mu <= mu/beta",),
            ),
            Line(
                "sum",
                "for D in [0, inf), N in [0, inf), m in (-inf, inf) if m >= s*log(2) - s*D: "
                "(s*D + N) + (s*log(L) + s*N + m) <= 2*(s*(D + N + L) + m)",
                hints=(
                    "lemma log_below x = L",
                    "have s*log(L) <= s*L - s",
                    "have N <= s*N",
                    "have s*log(2) >= 0",
                    "have s*L >= 0",
                    "have s*(D + N + L) + m >= s*N + s*L",
                ),
            ),
            Line(
                "larger",
                "for C in [1, inf), y in (-inf, inf), r in [0, inf), a in [0, inf) if C <= a, r <= C*y: r <= a*y",
                hints=("case y",),
            ),
            Line("known", "0 <= log(d)"),
            Line("known2", "0 <= log(n)"),
            Line(
                "both",
                "for C in [1, inf), X in (-inf, inf), Y in (-inf, inf), Z0 in (-inf, inf), w in (0, inf), "
                "a in [0, inf), b in [0, inf) if a <= C*(X/w), b <= C*(Y/w), X + Y <= 2*Z0: a + b <= 2*C*(Z0/w)",
                hints=("have C*(X/w) + C*(Y/w) = (C/w)*(X + Y)", "have (C/w)*(X + Y) <= (C/w)*(2*Z0)"),
            ),
            Line(
                "size",
                "for C in [1, inf), z in (-inf, inf), a in [0, inf) if a <= 2*C*(z/(n*eps)): a <= 2*C*(z/sqrt(n))",
                using=("eps",),
                hints=("have n*(1/sqrt(n)) = sqrt(n)",),
            ),
            Line(
                "one_bound",
                "one <= max(C1, C2)*((s*log(d) + log(n))/(n*eps))",
                using=("first", "larger at C = C1, y = (s*log(d) + log(n))/(n*eps), r = one, a = max(C1, C2)"),
            ),
            Line(
                "two_bound",
                "two <= max(C1, C2)*((s*log(L) + s*log(n) + log(mu/beta))/(n*eps))",
                using=(
                    "second",
                    "larger at C = C2, y = (s*log(L) + s*log(n) + log(mu/beta))/(n*eps), r = two, a = max(C1, C2)",
                ),
            ),
            Line(
                "together",
                "s*log(d) + log(n) + (s*log(L) + s*log(n) + log(mu/beta)) "
                "<= 2*(s*(log(d) + log(n) + L) + log(mu/beta))",
                using=("volume", "known", "known2", "sum at D = log(d)/1, N = log(n)/1, m = log(mu/beta)"),
            ),
            Line(
                "rate",
                "one + two <= 2*max(C1, C2)*((s*(log(d) + log(n) + L) + log(mu/beta))/(n*eps))",
                using=(
                    "one_bound",
                    "two_bound",
                    "together",
                    (
                        "both at C = max(C1, C2), X = (s*log(d) + log(n))/1, "
                        "Y = (s*log(L) + s*log(n) + log(mu/beta))/1, "
                        "Z0 = (s*(log(d) + log(n) + L) + log(mu/beta))/1, w = n*eps, a = one, b = two"
                    ),
                ),
            ),
            Line(
                "all",
                "one + two <= 2*max(C1, C2)*((s*(log(d) + log(n) + L) + log(mu/beta))/sqrt(n))",
                using=(
                    "rate",
                    "size at C = max(C1, C2), z = (s*(log(d) + log(n) + L) + log(mu/beta))/1, a = one + two",
                ),
            ),
        ),
        given=(
            Given("eps", "eps = 1/sqrt(n)", "printed: at eps=1/sqrt n"),
            Given("first", "one <= C1*((s*log(d) + log(n))/(n*eps))", "printed: O((s log d+log n)/(n eps))"),
            Given(
                "second",
                "two <= C2*((s*log(L) + s*log(n) + log(mu/beta))/(n*eps))",
                "printed: O((s log L+s log n+log(mu(H_S)/beta_p))/(n eps))",
            ),
            Given(
                "ball",
                "mu >= 2^s/d^s",
                "definition: H_S, the unit ball of s <= d dimensions, holds that of l_1, of volume 2^s/s!",
            ),
        ),
        notation=(
            ("beta", "beta_p"),
            ("mu", "mu(H_S)"),
            ("C1", "the constant of the first stage's O"),
            ("C2", "that of the second stage's"),
            ("one", "the error of the first stage"),
            ("two", "that of the second stage"),
        ),
        says=("sum of the two stage errors at eps=1/sqrt n is `O((s(log d+log n+L)+log(mu(H_S)/beta_p))/sqrt n)`",),
    ),
    # Theorem 25
    "T25.markov": Derivation(
        "xi in [0, inf); law S; R(S) in [0, 1]; star in [0, 1]",
        (
            Line("each", "for s: S, x in (0, inf): exp(1)*x*[R(s) - star > exp(1)*x] <= R(s) - star", using=("best",)),
            Line(
                "divide",
                "for x in (0, inf), p in [0, 1] if exp(1)*x*p <= x: p <= 1/exp(1)",
                hints=("have exp(1)*p <= 1",),
            ),
            Line(
                "chance",
                "for x in (0, inf) if xi <= x: Pr(s: S, R(s) - star > exp(1)*x) <= 1/exp(1)",
                using=("mean of each over s", "rate", "divide at p = Pr(s: S, R(s) - star > exp(1)*x)"),
            ),
            Line(
                "some",
                "Pr(s: S, R(s) - star > exp(1)*(xi + [xi <= 0])) <= 1/exp(1)",
                using=("chance at x = xi + [xi <= 0]",),
            ),
            Line("same", "for s: S: [R(s) - star > exp(1)*xi]*[xi > 0] <= [R(s) - star > exp(1)*(xi + [xi <= 0])]"),
            Line(
                "above", "Pr(s: S, R(s) - star > exp(1)*xi)*[xi > 0] <= 1/exp(1)", using=("some", "mean of same over s")
            ),
            Line("zero", "mean(s: S, [xi <= 0]*(R(s) - star)) <= 0", using=("rate",)),
            Line("none", "Pr(s: S, [xi <= 0]*(R(s) - star) > 0) <= 0", using=("zero", "null")),
            Line(
                "either",
                "for s: S: [R(s) - star > exp(1)*xi]*[xi <= 0] <= [[xi <= 0]*(R(s) - star) > 0]",
            ),
            Line("rest", "[xi <= 0]*Pr(s: S, R(s) - star > exp(1)*xi) <= 0", using=("none", "mean of either over s")),
            Line("all", "Pr(s: S, R(s) - star <= exp(1)*xi) >= 1 - 1/exp(1)", using=("above", "rest")),
        ),
        given=(
            Given("best", "for s: S: star <= R(s)", "definition: R* is the least risk"),
            Given("rate", "mean(s: S, R(s)) - star <= xi", "printed: privately learns with rate xi(n)"),
            Given(
                "null",
                "if mean(s: S, [xi <= 0]*(R(s) - star)) <= 0: Pr(s: S, [xi <= 0]*(R(s) - star) > 0) <= 0",
                "definition: what is at least 0 and has the mean 0 is 0 with probability 1",
            ),
        ),
        notation=(("S", "samples and coins"), ("R", "the risk of what A answers"), ("star", "R*")),
        says=("Markov: `Pr[R(h)-R* <= e xi(n)] >= 1-1/e`",),
    ),
    "T25.(20)": Derivation(
        "a in Z[1, inf); xi in [0, inf); law parts; R(parts, Z) in [0, 1]; least(parts, Z) in [0, 1]; star in [0, 1]",
        (
            Line("bad", "for j in Z[1, inf): Pr(w: parts, R(w, j) - star > exp(1)*xi) <= 1/exp(1)", using=("markov",)),
            Line(
                "event",
                "for w: parts, j in Z[1, inf): [least(w, j + 1) - star > exp(1)*xi] "
                "= [least(w, j) - star > exp(1)*xi]*[R(w, j + 1) - star > exp(1)*xi]",
                using=("more",),
            ),
            Line(
                "first_event",
                "for w: parts: [least(w, 1) - star > exp(1)*xi] = [R(w, 1) - star > exp(1)*xi]",
                using=("one",),
            ),
            Line("times", "for x in [0, 1], y in [0, 1], p in (0, 1] if x <= p, y <= 1/exp(1): x*y <= p*(1/exp(1))"),
            Line("power", "for j in Z[1, inf): 0 < (1/exp(1))^j <= 1"),
            Line(
                "start",
                "Pr(w: parts, least(w, 1) - star > exp(1)*xi) <= (1/exp(1))^1",
                using=("bad at j = 1", "mean of first_event over w"),
            ),
            Line(
                "step",
                "for j in Z[1, inf) if Pr(w: parts, least(w, j) - star > exp(1)*xi) <= (1/exp(1))^j: "
                "Pr(w: parts, least(w, j + 1) - star > exp(1)*xi) <= (1/exp(1))^(j + 1)",
                using=(
                    "mean of event over w",
                    "independent",
                    "bad at j = j + 1",
                    (
                        "times at x = Pr(w: parts, least(w, j) - star > exp(1)*xi), "
                        "y = Pr(w: parts, R(w, j + 1) - star > exp(1)*xi), p = (1/exp(1))^j"
                    ),
                ),
            ),
            Line(
                "all_bad",
                "for j in Z[1, inf): Pr(w: parts, least(w, j) - star > exp(1)*xi) <= (1/exp(1))^j",
                "induction j",
                ("start", "step"),
            ),
            Line(
                "all", "Pr(w: parts, least(w, a) - star <= exp(1)*xi) >= 1 - (1/exp(1))^a", using=("all_bad at j = a",)
            ),
        ),
        given=(
            Given(
                "markov",
                "for j in Z[1, inf): Pr(w: parts, R(w, j) - star <= exp(1)*xi) >= 1 - 1/exp(1)",
                "line: T25.markov",
            ),
            Given("one", "for w: parts: least(w, 1) = R(w, 1)", "printed: min_{j<=a} R(h_j)"),
            Given(
                "more",
                "for w: parts, j in Z[1, inf): least(w, j + 1) = min(least(w, j), R(w, j + 1))",
                "printed: min_{j<=a} R(h_j)",
            ),
            Given(
                "independent",
                "for j in Z[1, inf): Pr(w: parts, least(w, j) - star > exp(1)*xi and R(w, j + 1) - star > exp(1)*xi) "
                "= Pr(w: parts, least(w, j) - star > exp(1)*xi)*Pr(w: parts, R(w, j + 1) - star > exp(1)*xi)",
                "definition: disjoint parts of an iid sample are independent, and so are the coins",
            ),
        ),
        notation=(
            ("xi", "xi(n/(a+1))"),
            ("parts", "the parts of the sample and the coins for them"),
            ("R", "R(h_j)"),
            ("least", "the least risk of the first j candidates"),
            ("star", "R*"),
        ),
        says=("`Pr[min_{j<=a} R(h_j)-R* <= e xi(n/(a+1))] >= 1-(1/e)^a`",),
    ),
    "T25.(22)": Derivation(
        "a in Z[1, inf); n in Z[1, inf); eps in (0, inf); eta in [0, inf); set J of a; point first: J; "
        "Rhat(J) in [0, 1]; x in [0, inf); r in (0, inf)",
        (
            Line("bad", "for j: J: [Rhat(j) > Rhat(first) + x]*exp(-r*Rhat(j)) <= exp(-r*x)*exp(-r*Rhat(first))"),
            Line("best", "exp(-r*Rhat(first)) <= total(j: J, exp(-r*Rhat(j)))", "sum"),
            Line(
                "ratio",
                "for b in (-inf, inf), w in (0, inf), v in (0, inf) if b <= a*(exp(-r*x)*v), v <= w: "
                "b/w <= a*exp(-r*x)",
                hints=("have a*exp(-r*x)*v <= a*exp(-r*x)*w",),
            ),
            Line(
                "softmax",
                "total(j: J, [Rhat(j) > Rhat(first) + x]*exp(-r*Rhat(j)))/total(j: J, exp(-r*Rhat(j))) <= a*exp(-r*x)",
                using=(
                    "total of bad over j",
                    "best",
                    (
                        "ratio at b = total(j: J, [Rhat(j) > Rhat(first) + x]*exp(-r*Rhat(j))), "
                        "w = total(j: J, exp(-r*Rhat(j))), v = exp(-r*Rhat(first))"
                    ),
                ),
            ),
            Line("gap", "r*x = 2*(eta*log(n) + log(a))", using=("rate", "x")),
            Line(
                "small",
                "a*exp(-r*x) <= n^(-eta)",
                using=("rate", "x"),
                hints=(
                    "have log(n) >= 0",
                    "have log(a) >= 0",
                    f"have ({_RATE22})*({_GAP22}) = 2*(eta*log(n) + log(a))",
                    f"have exp(-({_RATE22})*({_GAP22})) <= exp(-eta*log(n) - log(a))",
                ),
            ),
            Line(
                "all",
                "total(j: J, [Rhat(j) > Rhat(first) + x]*exp(-r*Rhat(j)))/total(j: J, exp(-r*Rhat(j))) <= n^(-eta)",
                using=("softmax", "small"),
            ),
        ),
        given=(
            Given("rate", "r = eps/(2*(2*(a + 1)/n))", "printed: softmax with sensitivity 2(a+1)/n"),
            Given("x", f"x = {_GAP22}", "printed: 8(eta log n+log a)/(eps n/(a+1))"),
        ),
        notation=(
            ("J", "the candidates h_1, ..., h_a"),
            ("first", "h_1"),
            ("x", "8(eta log n+log a)/(eps n/(a+1))"),
            (
                "r",
                "eps over twice the sensitivity: a candidate is chosen with a probability proportional to exp(-r Rhat)",
            ),
        ),
        says=("`Pr[Rhat(h) > Rhat(h_1) + 8(eta log n+log a)/(eps n/(a+1))] <= n^-eta`",),
    ),
    # Section 6
    "L30": Derivation(
        _DENSITIES.replace("q(mu) in (0, inf)", "q(mu) in [0, inf)") + "; eps in [0, inf); delta in [0, 1]",
        (
            Line("above", "for h: mu: l(h)*(p(h) - q(h)) <= top*[p(h) >= q(h)]*(p(h) - q(h))", using=("sup",)),
            Line("below", "for h: mu: l(h)*(q(h) - p(h)) <= top*(1 - [p(h) >= q(h)])*(q(h) - p(h))", using=("sup",)),
            Line("gain", "for h: mu: 0 <= [p(h) >= q(h)]*(p(h) - q(h))"),
            Line("part", "for h: mu: [p(h) >= q(h)]*q(h) <= q(h)"),
            Line(
                "all",
                "abs(mean(h: mu, l(h)*p(h)) - mean(h: mu, l(h)*q(h))) "
                "<= top*mean(h: mu, [p(h) >= q(h)]*(p(h) - q(h))) "
                "<= mean(h: mu, [p(h) >= q(h)]*p(h)) - mean(h: mu, [p(h) >= q(h)]*q(h)) "
                "<= (exp(eps) - 1)*mean(h: mu, [p(h) >= q(h)]*q(h)) + delta <= exp(eps) - 1 + delta",
                using=(
                    "mean of above over h",
                    "mean of below over h",
                    "mean of gain over h",
                    "mean of part over h",
                    "private at F(h) = [p(h) >= q(h)]",
                    "one",
                    "other",
                ),
            ),
        ),
        given=(
            Given("sup", "for h: mu: l(h) <= top", "printed: sup l"),
            Given("one", "mean(h: mu, p(h)) = 1", "definition: p is a density"),
            Given("other", "mean(h: mu, q(h)) = 1", "definition: p' is a density"),
            Given(
                "private",
                "for F(mu) in Z[0, 1]: mean(h: mu, F(h)*p(h)) <= exp(eps)*mean(h: mu, F(h)*q(h)) + delta",
                "printed: (eps,delta)-DP",
            ),
        ),
        notation=(
            ("mu", "a law of hypotheses for which A(Z) and A(Z') have densities, such as the mean of the two"),
            ("q", "p'"),
            ("top", "sup l"),
        ),
        says=(
            "`|E l - E' l| <= sup l int_E (p-p') <= P(E)-P'(E) <= (e^eps-1)P'(E)+delta <= e^eps-1+delta`, E={p>=p'}",
        ),
    ),
    "L31.(12)": Derivation(
        _SUBSAMPLE.replace("eps in (0, inf)", "eps in [0, inf)") + "; delta in [0, 1]; near(SUB, SUB) in Z[0, 1]",
        (
            *_PLACE,
            Line(
                "one",
                "for F(OUT) in Z[0, 1], d: D, dd: D, i: INDEX, s: S if alike(d, dd, i) = 1: "
                "mean(c: coins, F(A(sub(d, s), c))) <= exp(eps)*mean(c: coins, F(A(sub(dd, s), c))) + delta",
                using=("neighbours", "private at x = sub(d, s), y = sub(dd, s)"),
            ),
            Line(
                "each",
                "for F(OUT) in Z[0, 1], d: D, dd: D, i: INDEX, s: S if alike(d, dd, i) = 1: "
                "mean(c: coins, F(A(sub(d, s), c))) <= mean(c: coins, F(A(sub(dd, s), c))) "
                "+ (exp(eps) - 1)*mean(c: coins, F(A(sub(dd, s), c))*has(s, i)) + delta*has(s, i)",
                using=("one", "mean of same over c"),
            ),
            Line(
                "all",
                "for F(OUT) in Z[0, 1], d: D, dd: D, i: INDEX if alike(d, dd, i) = 1: "
                + _ON.format(d="d")
                + " <= "
                + _ON.format(d="dd")
                + " + gamma*(exp(eps) - 1)*Pr(s: S, c: coins, F(A(sub(dd, s), c)) given has(s, i)) + gamma*delta",
                using=("mean of each over s", "chance"),
            ),
        ),
        given=(
            *_EACH_PLACE,
            Given(
                "private",
                "for F(OUT) in Z[0, 1], x: SUB, y: SUB if near(x, y) = 1: "
                "mean(c: coins, F(A(x, c))) <= exp(eps)*mean(c: coins, F(A(y, c))) + delta",
                "printed: A (eps,delta)-DP",
            ),
            Given(
                "neighbours",
                "for d: D, dd: D, i: INDEX, s: S if alike(d, dd, i) = 1: near(sub(d, s), sub(dd, s)) = 1",
                "definition: at the same places of the two there are at most in one place different records",
            ),
            Given(
                "same",
                "for F(OUT) in Z[0, 1], d: D, dd: D, i: INDEX, s: S, c: coins if alike(d, dd, i) = 1: "
                "(1 - has(s, i))*F(A(sub(d, s), c)) = (1 - has(s, i))*F(A(sub(dd, s), c))",
                "definition: samples without record i are the same",
            ),
        ),
        notation=(
            *_SUBSAMPLE_NOTATION,
            ("S", "the random subset I"),
            ("near", "whether two samples differ in at most one record"),
        ),
        says=("`P_A'(Z)(E) <= P_A'(Z')(E) + gamma(e^eps-1) P(Z'_I;E|i in I) + gamma delta`",),
    ),
    "L31.(13)": Derivation(
        _SUBSAMPLE.replace("gamma in (0, 1]", "gamma in (0, 1)").replace("eps in (0, inf); ", ""),
        (
            *_PLACE,
            Line(
                "all",
                "for F(OUT) in Z[0, 1], d: D, i: INDEX: " + _ON.format(d="d") + " = " + _PARTS.format(d="d"),
                using=("chance",),
            ),
        ),
        given=_EACH_PLACE,
        notation=(*_SUBSAMPLE_NOTATION, ("S", "the random subset I")),
        says=("`P_A'(Z')(E) = gamma P(E|i in I)+(1-gamma)P(E|i notin I)`",),
    ),
    "L31.count": Derivation(
        "n in Z[1, inf); K in Z[1, inf); M in Z[1, inf); set I of n; " + SETS + "; point i: I; point empty: P; "
        "dist(P, P) in Z[0, inf); choose(Z) in [0, inf)",
        (
            *ONE_MORE,
            *counted("n"),
            Line(
                "is_above",
                "for r: P, q: P, m in Z[0, inf) if size(r) = m, has(r, i) = 0: "
                f"[size(q) = m + 1 and not has(q, i) and sub(r, q)] = total(j: I, {EXTRA}*(1 - same(j, i)))",
                using=("added",),
            ),
            Line(
                "above",
                f"for r: P, m in Z[0, inf) if size(r) = m, has(r, i) = 0: {_LARGER} = n - 1 - m",
                using=("total of is_above over q", "all_above"),
            ),
            Line(
                "is_below",
                "for r: P, q: P, m in Z[0, inf) if size(q) = m + 1, has(q, i) = 0: "
                f"[size(r) = m and not has(r, i) and sub(r, q)] = total(j: I, {EXTRA})",
                using=("removed", "without"),
            ),
            Line(
                "below",
                f"for q: P, m in Z[0, inf) if size(q) = m + 1, has(q, i) = 0: {_SMALLER} = m + 1",
                using=("total of is_below over r", "all_below"),
            ),
            Line(
                "above_1",
                f"for r: P, m in Z[0, inf) if {_R_WITHOUT} >= 1: {_R_WITHOUT}*{_LARGER} = {_R_WITHOUT}*(n - 1 - m)",
                using=("above",),
            ),
            Line(
                "above_0",
                f"for r: P, m in Z[0, inf) if {_R_WITHOUT} < 1: {_R_WITHOUT}*{_LARGER} = {_R_WITHOUT}*(n - 1 - m)",
            ),
            Line(
                "above_all",
                f"for r: P, m in Z[0, inf): {_R_WITHOUT}*{_LARGER} = {_R_WITHOUT}*(n - 1 - m)",
                "cases",
                ("above_1", "above_0"),
            ),
            Line(
                "below_1",
                f"for q: P, m in Z[0, inf) if {_Q_WITHOUT} >= 1: {_Q_WITHOUT}*{_SMALLER} = {_Q_WITHOUT}*(m + 1)",
                using=("below",),
            ),
            Line(
                "below_0",
                f"for q: P, m in Z[0, inf) if {_Q_WITHOUT} < 1: {_Q_WITHOUT}*{_SMALLER} = {_Q_WITHOUT}*(m + 1)",
            ),
            Line(
                "below_all",
                f"for q: P, m in Z[0, inf): {_Q_WITHOUT}*{_SMALLER} = {_Q_WITHOUT}*(m + 1)",
                "cases",
                ("below_1", "below_0"),
            ),
            Line(
                "twice",
                f"for m in Z[0, inf): (n - 1 - m)*{_HOW_MANY.format('m')} = (m + 1)*{_HOW_MANY.format('m + 1')}",
                using=("total of above_all over r", "total of below_all over q"),
            ),
            Line("member", "for s: P, l: I: has(s, l) <= total(k_: I, has(s, k_))".replace("k_", "y"), "sum"),
            Line(
                "no_member",
                "for s: P, l: I if size(s) = 0: [has(s, l) = has(empty, l)] = 1",
                using=("member", "size", "empty"),
            ),
            Line(
                "is_empty",
                "for s: P if size(s) = 0: is(s, empty) = 1",
                using=("smallest of no_member over l", "is at z = empty"),
            ),
            Line(
                "empty_at",
                "for s: P, l: I: smallest(y: I, [has(s, y) = has(empty, y)]) <= [has(s, l) = has(empty, l)]",
                "largest",
            ),
            Line(
                "empty_has",
                "for s: P, l: I: is(s, empty)*has(s, l) = 0",
                using=("empty_at", "is at z = empty", "empty"),
            ),
            Line("empty_size", "for s: P: is(s, empty)*size(s) = 0", using=("total of empty_has over l", "size")),
            Line(
                "none_1",
                f"for s: P if size(s) <= 0: {_S_WITHOUT.format(0)} = is(s, empty)",
                using=("is_empty", "empty_has at l = i"),
            ),
            Line("none_0", f"for s: P if size(s) > 0: {_S_WITHOUT.format(0)} = is(s, empty)", using=("empty_size",)),
            Line("none", f"for s: P: {_S_WITHOUT.format(0)} = is(s, empty)", "cases", ("none_1", "none_0")),
            Line(
                "count_0",
                f"{_HOW_MANY.format(0)} = choose(0)",
                using=("total of none over s", "set at G(y) = 1, z = empty", "binom_0"),
            ),
            Line(
                "count_1",
                f"for m in Z[0, inf) if {_HOW_MANY.format('m')} = choose(m): "
                f"{_HOW_MANY.format('m + 1')} = choose(m + 1)",
                using=("twice", "binom"),
            ),
            Line(
                "count",
                f"for m in Z[0, inf): {_HOW_MANY.format('m')} = choose(m)",
                "induction m",
                ("count_0", "count_1"),
            ),
            Line("some_0", "[0 <= n - 1 and choose(0) <= 0] = 0", using=("binom_0",)),
            Line(
                "some_more",
                "for m in Z[0, inf) if [m <= n - 1 and choose(m) <= 0] = 0, m + 1 <= n - 1: choose(m + 1) > 0",
                using=("binom",),
            ),
            Line(
                "some_in",
                "for m in Z[0, inf) if [m <= n - 1 and choose(m) <= 0] = 0, m + 1 <= n - 1: "
                "[m + 1 <= n - 1 and choose(m + 1) <= 0] = 0",
                using=("some_more",),
            ),
            Line(
                "some_out",
                "for m in Z[0, inf) if [m <= n - 1 and choose(m) <= 0] = 0, m + 1 > n - 1: "
                "[m + 1 <= n - 1 and choose(m + 1) <= 0] = 0",
            ),
            Line(
                "some_1",
                "for m in Z[0, inf) if [m <= n - 1 and choose(m) <= 0] = 0: "
                "[m + 1 <= n - 1 and choose(m + 1) <= 0] = 0",
                "cases",
                ("some_in", "some_out"),
            ),
            Line(
                "some", "for m in Z[0, inf): [m <= n - 1 and choose(m) <= 0] = 0", "induction m", ("some_0", "some_1")
            ),
            Line("room", "K <= n - 1", using=("part",), hints=("integer n >= K + 1",)),
            Line("positive", "choose(K) > 0", using=("room", "some at m = K")),
            Line("I2", f"{_HOW_MANY.format('K')} = choose(K)", using=("count at m = K",)),
            Line(
                "shift",
                f"for r: P, s: P: {_AND_I}*[size(s) = K] = {_AND_I}*[size(r) = K - 1]",
                using=("plus_size at q = s, j = i",),
            ),
            Line(
                "there_and_back",
                f"for r: P, s: P: {_AND_I} = has(s, i)*is(r, minus(s, i))",
                using=("by_plus at q = s, j = i", "by_minus at q = s, j = i"),
            ),
            Line(
                "turned",
                f"for r: P, s: P: {_AND_I}*[size(s) = K] = has(s, i)*is(r, minus(s, i))*[size(s) = K]",
                using=("there_and_back",),
            ),
            Line(
                "each_s",
                "for s: P: total(r: P, has(s, i)*is(r, minus(s, i))*[size(s) = K]) = has(s, i)*[size(s) = K]",
                using=("set at G(y) = 1, z = minus(s, i)",),
            ),
            Line(
                "each_r",
                f"for r: P: total(s: P, {_AND_I}*[size(r) = K - 1]) = (1 - has(r, i))*[size(r) = K - 1]",
                using=("set at G(y) = 1, z = plus(r, i)",),
            ),
            Line(
                "I1",
                "total(s: P, [size(s) = K and has(s, i)]) = choose(K - 1)",
                using=(
                    "total of total of turned over s over r",
                    "total of total of shift over s over r",
                    "total of each_s over s",
                    "total of each_r over r",
                    "count at m = K - 1",
                ),
            ),
            Line(
                "ratio",
                f"total(s: P, [size(s) = K and has(s, i)])/{_HOW_MANY.format('K')} = K/(n - K)",
                using=("room", "positive", "I1", "I2", "binom at m = K - 1"),
            ),
            # d(I, J) = 1, where J is R and i
            Line(
                "missing",
                "for r: P, q: P, l: I: has(r, l)*(1 - has(q, l)) <= total(y: I, has(r, y)*(1 - has(q, y)))",
                "sum",
            ),
            Line(
                "all_in",
                "for r: P, q: P, l: I: [total(y: I, has(r, y)*has(q, y)) = size(r)] <= [has(r, l) <= has(q, l)]",
                using=("missing", "size at s = r"),
            ),
            Line(
                "met",
                "for r: P, q: P: [total(y: I, has(r, y)*has(q, y)) = size(r)] = sub(r, q)",
                using=("smallest of all_in over l", "sub", "total of common over l", "size at s = r"),
            ),
            Line(
                "met_plus",
                "for r: P, s: P, q: P, l: I: is(s, plus(r, i))*has(q, l)*has(s, l) "
                "= is(s, plus(r, i))*has(q, l)*(has(r, l) + (1 - has(r, l))*same(l, i))",
                using=("plus_has at q = s, j = i",),
            ),
            Line(
                "dist_at",
                f"for r: P, s: P, q: P {_OF_I2}: is(s, plus(r, i))*dist(q, s) "
                "= is(s, plus(r, i))*(K - total(y: I, has(r, y)*has(q, y)))",
                using=(
                    "dist",
                    "total of met_plus over l",
                    "size at s = q",
                    "index at G(y) = has(q, y), j = i",
                    "index at G(y) = has(q, y)*has(r, y), j = i",
                ),
            ),
            Line(
                "dist_one",
                f"for r: P, s: P, q: P {_OF_I2}, size(r) = K - 1: {_AND_I}*[dist(q, s) = 1] = {_AND_I}*sub(r, q)",
                using=("dist_at", "met"),
            ),
            Line(
                "sized_1",
                f"for r: P, s: P, q: P {_OF_I2}, [size(r) = K - 1] >= 1: "
                f"{_AND_I}*[size(r) = K - 1]*[dist(q, s) = 1] = {_AND_I}*[size(r) = K - 1]*sub(r, q)",
                using=("dist_one",),
            ),
            Line(
                "sized_0",
                f"for r: P, s: P, q: P {_OF_I2}, [size(r) = K - 1] < 1: "
                f"{_AND_I}*[size(r) = K - 1]*[dist(q, s) = 1] = {_AND_I}*[size(r) = K - 1]*sub(r, q)",
            ),
            Line(
                "sized",
                f"for r: P, s: P, q: P {_OF_I2}: "
                f"{_AND_I}*[size(r) = K - 1]*[dist(q, s) = 1] = {_AND_I}*[size(r) = K - 1]*sub(r, q)",
                "cases",
                ("sized_1", "sized_0"),
            ),
            Line(
                "shift_near",
                f"for r: P, s: P, q: P: {_AND_I}*[size(s) = K]*[dist(q, s) = 1] "
                f"= {_AND_I}*[size(r) = K - 1]*[dist(q, s) = 1]",
                using=("shift",),
            ),
            Line(
                "turned_near",
                f"for r: P, s: P, q: P: {_AND_I}*[size(s) = K]*[dist(q, s) = 1] "
                "= has(s, i)*is(r, minus(s, i))*[size(s) = K]*[dist(q, s) = 1]",
                using=("turned",),
            ),
            Line(
                "each_s_near",
                f"for s: P, q: P: total(r: P, has(s, i)*is(r, minus(s, i))*[size(s) = K]*[dist(q, s) = 1]) = {_J_NEAR}",
                using=("set at G(y) = 1, z = minus(s, i)",),
            ),
            Line(
                "each_r_near",
                f"for r: P, q: P: total(s: P, {_AND_I}*[size(r) = K - 1]*sub(r, q)) "
                "= [size(r) = K - 1 and not has(r, i) and sub(r, q)]",
                using=("set at G(y) = 1, z = plus(r, i)",),
            ),
            Line(
                "near_I",
                f"for q: P {_OF_I2}: total(s: P, {_J_NEAR}) = K",
                using=(
                    "total of total of turned_near over s over r",
                    "total of total of shift_near over s over r",
                    "total of total of sized over s over r",
                    "total of each_s_near over s",
                    "total of each_r_near over r",
                    "below at m = K - 1",
                ),
            ),
            Line(
                "itself",
                "for s: P: is(minus(s, i), minus(s, i)) = 1",
                using=("is at s = minus(s, i), z = minus(s, i)",),
            ),
            Line(
                "back",
                "for s: P if has(s, i) = 1: (1 - has(minus(s, i), i))*is(s, plus(minus(s, i), i)) = 1",
                using=(
                    "itself",
                    "by_minus at r = minus(s, i), q = s, j = i",
                    "by_plus at r = minus(s, i), q = s, j = i",
                ),
            ),
            Line("no_i", "for s: P: has(minus(s, i), i) = 0", using=("minus at q = s, j = i, l = i", "self at l = i")),
            Line(
                "one_less",
                "for s: P if size(s) = K, has(s, i) = 1: size(minus(s, i)) = K - 1",
                using=("back", "no_i", "plus_size at r = minus(s, i), q = s, j = i"),
            ),
            Line(
                "far_each",
                "for s: P, q: P if size(s) = K, has(s, i) = 1, size(q) = K, has(q, i) = 0: "
                "[dist(q, s) = 1] = sub(minus(s, i), q)",
                using=("one_less", "back", "no_i", "dist_one at r = minus(s, i)"),
            ),
            Line(
                "far_1",
                "for s: P, q: P if size(s) = K, has(s, i) = 1, [size(q) = K and not has(q, i)] >= 1: "
                f"{_I_NEAR} = [size(q) = K and not has(q, i) and sub(minus(s, i), q)]",
                using=("far_each",),
            ),
            Line(
                "far_0",
                "for s: P, q: P if size(s) = K, has(s, i) = 1, [size(q) = K and not has(q, i)] < 1: "
                f"{_I_NEAR} = [size(q) = K and not has(q, i) and sub(minus(s, i), q)]",
            ),
            Line(
                "far",
                "for s: P, q: P if size(s) = K, has(s, i) = 1: "
                f"{_I_NEAR} = [size(q) = K and not has(q, i) and sub(minus(s, i), q)]",
                "cases",
                ("far_1", "far_0"),
            ),
            Line(
                "near_J",
                f"for s: P if size(s) = K, has(s, i) = 1: total(q: P, {_I_NEAR}) = n - K",
                using=("one_less", "no_i", "total of far over q", "above at r = minus(s, i), m = K - 1"),
            ),
        ),
        given=(
            *SETS_ARE,
            Given("empty", "for l: I: has(empty, l) = 0", "definition: the empty set"),
            Given("binom_0", "choose(0) = 1", "definition: of binomial coefficients"),
            Given(
                "binom",
                "for m in Z[0, inf): choose(m + 1) = (n - 1 - m)*choose(m)/(m + 1)",
                "definition: of binomial coefficients, (n-1)(n-2)...(n-m)/m!",
            ),
            Given("part", "K < n", "definition: the sample is a part of the data, gamma < 1"),
            Given(
                "dist",
                "for q: P, s: P: dist(q, s) = total(l: I, has(q, l)*(1 - has(s, l)))",
                "definition: how many elements of one set are replaced in the other, for sets of one size",
            ),
        ),
        notation=(
            ("K", "gamma n, a whole number"),
            ("i", "the index i, any one"),
            ("M", "the number of sets of indices"),
            ("I", "the indices 1, ..., n"),
            ("P", "the sets of indices; those of size K with i are I1, those without i are I2"),
            ("empty", "the empty set"),
            ("has", "has(s, l): whether l is in s"),
            ("same", "whether two indices are one"),
            ("is", "whether two sets are one"),
            ("sub", "sub(r, q): whether r is a subset of q"),
            ("size", "the number of members"),
            ("plus", "plus(r, j): r with j"),
            ("minus", "minus(q, j): q without j"),
            ("dist", "dist(I, J): d(I, J)"),
            ("choose", "choose(m): binom(n-1, m)"),
        ),
        says=(
            "`#I1 = binom(n-1,gamma n-1)`, `#I2 = binom(n-1,gamma n)`, `#I1/#I2 = gamma n/(n-gamma n)`",
            "each I in I2 has gamma n elements J in I1 at distance 1, each J has n-gamma n",
        ),
        shows=("I1", "I2", "ratio", "near_I", "near_J"),
    ),
    "L31.solve": Derivation(
        _TWO,
        (
            Line(
                "solve",
                "for p in (-inf, inf), q in (-inf, inf), whole in (-inf, inf), x in (0, 1] "
                "if whole = gamma*p + (1 - gamma)*q, q >= x*p - x*delta: "
                "p <= whole/(gamma + (1 - gamma)*x) + ((1 - gamma)*x/(gamma + (1 - gamma)*x))*delta",
                hints=("have gamma + (1 - gamma)*x > 0", "have (1 - gamma)*q >= (1 - gamma)*(x*p - x*delta)"),
            ),
            Line(
                "all",
                f"for F(OUT) in Z[0, 1]: {_IN} <= {_WHOLE}/(gamma + (1 - gamma)*exp(-eps)) "
                "+ ((1 - gamma)*exp(-eps)/(gamma + (1 - gamma)*exp(-eps)))*delta",
                using=("chance", "thirteen", "low", f"solve at p = {_IN}, q = {_OUT}, whole = {_WHOLE}, x = exp(-eps)"),
            ),
        ),
        given=(
            Given("chance", "Pr(s: I, has(s)) = gamma", "definition: gamma n of the n places are drawn"),
            Given("thirteen", f"for F(OUT) in Z[0, 1]: {_WHOLE} = gamma*{_IN} + (1 - gamma)*{_OUT}", "line: L31.(13)"),
            Given("low", f"for F(OUT) in Z[0, 1]: {_OUT} >= exp(-eps)*{_IN} - exp(-eps)*delta", "line: L31.low"),
        ),
        notation=_TWO_NOTATION,
        says=(
            "`P(E|i in I) <= P_A'(Z')(E)/(gamma+(1-gamma)e^-eps) + ((1-gamma)e^-eps/(gamma+(1-gamma)e^-eps)) delta`",
        ),
    ),
    "L31.relax": Derivation(
        _TWO.replace("gamma in (0, 1)", "gamma in (0, 1]"),
        (
            Line(
                "relax",
                "for whole in [0, 1]: whole/(gamma + (1 - gamma)*exp(-eps)) "
                "+ ((1 - gamma)*exp(-eps)/(gamma + (1 - gamma)*exp(-eps)))*delta <= exp(eps)*whole + delta",
                hints=(
                    "have exp(-eps) <= 1",
                    "have gamma + (1 - gamma)*exp(-eps) >= exp(-eps)",
                    "have whole/(gamma + (1 - gamma)*exp(-eps)) <= exp(eps)*whole",
                    "have (1 - gamma)*exp(-eps)/(gamma + (1 - gamma)*exp(-eps)) <= 1",
                ),
            ),
            Line(
                "all",
                f"for F(OUT) in Z[0, 1]: {_WHOLE}/(gamma + (1 - gamma)*exp(-eps)) "
                "+ ((1 - gamma)*exp(-eps)/(gamma + (1 - gamma)*exp(-eps)))*delta "
                f"<= exp(eps)*{_WHOLE} + delta",
                using=("relax at whole = " + _WHOLE,),
            ),
        ),
        notation=_TWO_NOTATION,
        says=("`<= e^eps P_A'(Z')(E) + delta`",),
    ),
    "L31.end": Derivation(
        "gamma in (0, 1]; eps in [0, inf); delta in [0, 1]; law I; has(I) in Z[0, 1]; type D; type SUB; "
        "sub(D, I): SUB; type OUT; law coins; A(SUB, coins): OUT; near(D, D) in Z[0, 1]",
        (
            Line(
                "times",
                "for x in [0, 1], y in [0, 1], z in (-inf, inf) if x <= y + gamma*(exp(eps) - 1)*z + gamma*delta, "
                "z <= exp(eps)*y + delta: "
                "x <= (1 + gamma*exp(eps)*(exp(eps) - 1))*y + gamma*delta + gamma*(exp(eps) - 1)*delta",
                hints=("have gamma*(exp(eps) - 1)*z <= gamma*(exp(eps) - 1)*(exp(eps)*y + delta)",),
            ),
            Line(
                "bound",
                "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                + _END.format(d="d")
                + " <= (1 + gamma*exp(eps)*(exp(eps) - 1))*"
                + _END.format(d="dd")
                + " + gamma*delta + gamma*(exp(eps) - 1)*delta",
                using=(
                    "chance",
                    "twelve",
                    "relaxed at d = dd",
                    "times at x = " + _END.format(d="d") + ", y = " + _END.format(d="dd") + ", z = " + _END_IN,
                ),
            ),
            Line(
                "factor",
                "exp(log(1 + gamma*e^eps*(e^eps - 1))) = 1 + gamma*e^eps*(e^eps - 1)",
                hints=("have gamma*exp(eps)*(exp(eps) - 1) >= 0",),
            ),
            Line(
                "private",
                "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                + _END.format(d="d")
                + " <= exp(log(1 + gamma*e^eps*(e^eps - 1)))*"
                + _END.format(d="dd")
                + " + gamma*exp(eps)*delta",
                using=("bound",),
                hints=("have gamma*exp(eps)*(exp(eps) - 1) >= 0",),
            ),
        ),
        given=(
            Given("chance", "Pr(s: I, has(s)) = gamma", "definition: gamma n of the n places are drawn"),
            Given(
                "twelve",
                "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                + _END.format(d="d")
                + " <= "
                + _END.format(d="dd")
                + " + gamma*(exp(eps) - 1)*"
                + _END_IN
                + " + gamma*delta",
                "line: L31.(12)",
            ),
            Given(
                "relaxed",
                "for F(OUT) in Z[0, 1], d: D: "
                + _END_IN.replace("dd", "d")
                + " <= exp(eps)*"
                + _END.format(d="d")
                + " + delta",
                "line: L31.relax",
            ),
        ),
        notation=(
            *(pair for pair in _TWO_NOTATION if pair[0] != "B"),
            ("D", "datasets"),
            ("SUB", "samples"),
            ("sub", "the records at the places of I"),
            ("A", "the algorithm on samples"),
            ("near", "whether two datasets differ in the record i only"),
        ),
        shows=("bound", "private"),
        says=(
            (
                "`P_A'(Z)(E) <= (1+gamma e^eps(e^eps-1)) P_A'(Z')(E) + gamma delta + gamma(e^eps-1) delta`; so "
                "delta'=gamma e^eps delta"
            ),
        ),
    ),
    "T32.if": Derivation(
        "law S; law coins; type H; A(S, coins): H; R(H) in [0, 1]; Rhat(H, S) in [0, 1]; least(S) in [0, 1]; "
        "star in [0, 1]; n in Z[1, inf); eps(Z) in [0, inf); delta(Z) in [0, 1]; xi_erm(Z) in [0, inf); "
        "stable in [0, inf); after(Z) in Z[1, inf)",
        (
            Line(
                "bound",
                "mean(s: S, c: coins, R(A(s, c))) - star <= xi_erm(n) + exp(eps(n)) - 1 + delta(n)",
                using=("lem30", "aerm", "thm35 at x = exp(eps(n)) - 1 + delta(n), y = xi_erm(n)"),
            ),
            Line("twice", "for x in [0, 1]: exp(x) - 1 <= 2*x"),
            Line(
                "tends",
                "for m in Z[1, inf), j in Z[1, inf) if j >= after(4*m): xi_erm(j) + exp(eps(j)) - 1 + delta(j) <= 1/m",
                using=("erm_small at m = 4*m", "eps_small at m = 4*m", "delta_small at m = 4*m", "twice at x = eps(j)"),
            ),
        ),
        given=(
            Given("lem30", "stable <= exp(eps(n)) - 1 + delta(n)", "result: wang2016:lem-30"),
            Given("aerm", "mean(s: S, c: coins, Rhat(A(s, c), s) - least(s)) <= xi_erm(n)", "printed: AERM"),
            Given(
                "thm35",
                "for x in [0, inf), y in [0, inf) if stable <= x, "
                "mean(s: S, c: coins, Rhat(A(s, c), s) - least(s)) <= y: "
                "mean(s: S, c: coins, R(A(s, c))) - star <= x + y",
                "result: wang2016:thm-35",
            ),
            Given(
                "erm_small",
                "for m in Z[1, inf), j in Z[1, inf) if j >= after(m): xi_erm(j) <= 1/m",
                "definition: a rate tends to 0",
            ),
            Given(
                "eps_small", "for m in Z[1, inf), j in Z[1, inf) if j >= after(m): eps(j) <= 1/m", "printed: eps(n)->0"
            ),
            Given(
                "delta_small",
                "for m in Z[1, inf), j in Z[1, inf) if j >= after(m): delta(j) <= 1/m",
                "printed: the members of Delta(n) tend to 0",
            ),
        ),
        notation=(
            ("S", "samples Z"),
            ("coins", "the coins of A"),
            ("H", "hypotheses"),
            ("A", "the algorithm"),
            ("R", "the risk"),
            ("Rhat", "the empirical risk"),
            ("least", "Rhat*"),
            ("star", "R*"),
            ("after", "from where on they are at most 1/m"),
            ("stable", "the largest change of A's expected loss when one record is replaced"),
        ),
        shows=("bound", "tends"),
        says=("AERM + (eps(n),delta(n))-DP => consistent with `xi_erm + e^{eps(n)}-1+delta(n)`",),
    ),
    "T32.delta": Derivation(
        "n in Z[1, inf); k in Z[1, inf); eps in [0, inf); delta(Z) in [0, 1]; poly(Z) in [0, 1]; "
        "after(Z) in Z[1, inf); later(Z, Z) in Z[1, inf)",
        (
            Line("root", "sqrt(n) <= 2*k", using=("k",), hints=("have sqrt(n) < floor(sqrt(n)) + 1",)),
            Line(
                "whole", "for j in Z[1, inf) if n >= (j + 1)^2: k >= j", using=("k",), hints=("have sqrt(n) >= j + 1",)
            ),
            Line(
                "near_root",
                "for m in Z[1, inf) if n >= (after(2*m*ceil(exp(eps))) + 1)^2: k*delta(k) <= 1/(2*m*ceil(exp(eps)))",
                using=("whole at j = after(2*m*ceil(exp(eps)))", "small at m = 2*m*ceil(exp(eps)), j = k"),
            ),
            Line(
                "scale",
                "for m in Z[1, inf), x in [0, inf), d in [0, 1], E in [1, inf), c in [1, inf) "
                "if x <= 2*k, k*d <= 1/(2*m*c), E <= c: x*(E*d) <= 1/m",
                hints=(
                    "have x*d <= 2*(k*d)",
                    "have 2*(k*d) <= 1/(m*c)",
                    "have x*d <= 1/(m*c)",
                    "have E*(x*d) <= E/(m*c)",
                    "have E/(m*c) <= 1/m",
                ),
            ),
            Line(
                "one_over_n",
                "for m in Z[1, inf) if n >= (after(2*m*ceil(exp(eps))) + 1)^2: n*(n^(-1/2)*exp(eps)*delta(k)) <= 1/m",
                using=("near_root", "root", "scale at x = n*n^(-1/2), d = delta(k), E = exp(eps), c = ceil(exp(eps))"),
                hints=("have n*n^(-1/2) = sqrt(n)",),
            ),
            Line("power0", "n^0 <= 4^0*k^(2*0)"),
            Line("square", "n <= 4*k^2", using=("root",), hints=("have sqrt(n)*sqrt(n) <= (2*k)*(2*k)",)),
            Line(
                "power1",
                "for r in Z[0, inf) if n^r <= 4^r*k^(2*r): n^(r + 1) <= 4^(r + 1)*k^(2*(r + 1))",
                using=("square",),
                hints=("have n^r*n <= (4^r*k^(2*r))*(4*k^2)",),
            ),
            Line("power", "for r in Z[0, inf): n^r <= 4^r*k^(2*r)", "induction r", ("power0", "power1")),
            Line(
                "near_poly",
                "for r in Z[1, inf), m in Z[1, inf) if k >= later(2*r, m*ceil(exp(eps))*ceil(4^r)): "
                "k^(2*r)*poly(k) <= 1/(m*ceil(exp(eps))*ceil(4^r))",
                using=("tiny at r = 2*r, m = m*ceil(exp(eps))*ceil(4^r), j = k",),
            ),
            Line(
                "product",
                "for m in Z[1, inf), x in [0, inf), b in [1, inf), w in [0, inf), d in [0, 1], E in [1, inf), "
                "c in [1, inf), u in [1, inf), v in [0, 1] "
                "if x <= b*w, w*d <= 1/(m*c*u), E <= c, b <= u: x*(v*E*d) <= 1/m",
                hints=(
                    "have x*d <= b*(w*d)",
                    "have b*(w*d) <= b/(m*c*u)",
                    "have b/(m*c*u) <= 1/(m*c)",
                    "have x*d <= 1/(m*c)",
                    "have E*(x*d) <= E/(m*c)",
                    "have E/(m*c) <= 1/m",
                    "have v*(E*(x*d)) <= E*(x*d)",
                ),
            ),
            Line(
                "step",
                "for r in Z[1, inf), m in Z[1, inf) if k^(2*r)*poly(k) <= 1/(m*ceil(exp(eps))*ceil(4^r)): "
                "n^r*(n^(-1/2)*exp(eps)*poly(k)) <= 1/m",
                using=(
                    "power at r = r",
                    (
                        "product at x = n^r, b = 4^r, w = k^(2*r), d = poly(k), E = exp(eps), c = ceil(exp(eps)), "
                        "u = ceil(4^r), v = n^(-1/2)"
                    ),
                ),
            ),
            Line(
                "far",
                "for r in Z[1, inf), m in Z[1, inf) if k >= later(2*r, m*ceil(exp(eps))*ceil(4^r)): "
                "n^r*(n^(-1/2)*exp(eps)*poly(k)) <= 1/m",
                using=("near_poly", "step"),
            ),
            Line(
                "one_over_poly",
                "for r in Z[1, inf), m in Z[1, inf) if n >= (later(2*r, m*ceil(exp(eps))*ceil(4^r)) + 1)^2: "
                "n^r*(n^(-1/2)*exp(eps)*poly(k)) <= 1/m",
                using=("whole at j = later(2*r, m*ceil(exp(eps))*ceil(4^r))", "far"),
            ),
        ),
        given=(
            Given("k", "k = floor(sqrt(n))", "definition: the size sqrt n of the sample, rounded down"),
            Given(
                "small",
                "for m in Z[1, inf), j in Z[1, inf) if j >= after(m): j*delta(j) <= 1/m",
                "printed: Delta(n)=o(1/n)",
            ),
            Given(
                "tiny",
                "for r in Z[1, inf), m in Z[1, inf), j in Z[1, inf) if j >= later(r, m): j^r*poly(j) <= 1/m",
                "printed: o(1/poly(n))",
            ),
        ),
        notation=(
            ("k", "sqrt n, rounded down"),
            ("poly", "delta where Delta(n) is o(1/poly(n))"),
            ("after", "from where on delta(j) is at most 1/(m j)"),
            ("later", "from where on poly(j) is at most j^(-r)/m"),
        ),
        shows=("one_over_n", "one_over_poly"),
        says=("`n^{-1/2}e^eps delta(sqrt n) in Delta(n)` holds for Delta(n)=o(1/n) and o(1/poly(n))",),
    ),
    # Proposition 33
    "P33.1": Derivation(
        "n in Z[1, inf); dt(Z) in (0, 1]; after(Z) in Z[1, inf); set INDEX of n; law I; has(I, INDEX) in Z[0, 1]; "
        "type D; alike(D, D, INDEX) in Z[0, 1]; type SUB; sub(D, I): SUB; type H; law coins; A(SUB, coins): H; "
        "law S; data(S): D; law sample; fresh(sample): SUB; R(H) in [0, 1]; star in [0, 1]; xi(Z) in [0, inf)",
        (
            Line(
                "chance",
                "for i: INDEX: n*Pr(s: I, has(s, i)) = floor(n*dt(n))",
                using=("total of uniform over j", "mean of size over s"),
            ),
            Line("floor", "floor(n*dt(n)) <= n*dt(n)"),
            Line("fraction", "for i: INDEX: Pr(s: I, has(s, i)) <= dt(n)", using=("chance", "floor")),
            Line(
                "each",
                "for F(H) in Z[0, 1], d: D, dd: D, i: INDEX, s: I, c: coins if alike(d, dd, i) = 1: "
                "F(A(sub(d, s), c)) <= F(A(sub(dd, s), c)) + has(s, i)",
                using=("same",),
            ),
            Line(
                "private",
                "for F(H) in Z[0, 1], d: D, dd: D, i: INDEX if alike(d, dd, i) = 1: "
                "mean(s: I, c: coins, F(A(sub(d, s), c))) <= exp(0)*mean(s: I, c: coins, F(A(sub(dd, s), c))) + dt(n)",
                using=("mean of mean of each over s over c", "fraction"),
            ),
            Line(
                "moved",
                "for s: I: mean(z: S, c: coins, R(A(sub(data(z), s), c))) "
                "= mean(t: sample, c: coins, R(A(fresh(t), c)))",
                using=("iid at f(t) = mean(c: coins, R(A(t, c)))",),
            ),
            Line(
                "rate",
                "if floor(n*dt(n)) >= 1: mean(s: I, z: S, c: coins, R(A(sub(data(z), s), c))) - star "
                "<= xi(floor(n*dt(n)))",
                using=("mean of moved over s", "consistent"),
            ),
            Line("integer", "for x in [0, inf), m in Z[1, inf) if x >= m + 1: floor(x) >= m"),
            Line(
                "grows",
                "for m in Z[1, inf), j in Z[1, inf) if j >= after(m + 1): floor(j*dt(j)) >= m",
                using=("omega at m = m + 1", "integer at x = j*dt(j)"),
            ),
        ),
        given=(
            Given(
                "size", "for s: I: total(i: INDEX, has(s, i)) = floor(n*dt(n))", "printed: delta~(n)-fraction subsample"
            ),
            Given(
                "uniform",
                "for i: INDEX, j: INDEX: Pr(s: I, has(s, i)) = Pr(s: I, has(s, j))",
                "definition: all subsets of this size are equally likely, so all places are alike",
            ),
            Given(
                "same",
                "for F(H) in Z[0, 1], d: D, dd: D, i: INDEX, s: I, c: coins if alike(d, dd, i) = 1: "
                "(1 - has(s, i))*F(A(sub(d, s), c)) = (1 - has(s, i))*F(A(sub(dd, s), c))",
                "definition: samples without record i are the same",
            ),
            Given(
                "iid",
                "for s: I, f(SUB) in [0, 1]: mean(z: S, f(sub(data(z), s))) = mean(t: sample, f(fresh(t)))",
                "definition: the records of an iid sample at some places are an iid sample",
            ),
            Given(
                "consistent",
                "if floor(n*dt(n)) >= 1: mean(t: sample, c: coins, R(A(fresh(t), c))) - star <= xi(floor(n*dt(n)))",
                "definition: A is consistent with rate xi",
            ),
            Given(
                "omega",
                "for m in Z[1, inf), j in Z[1, inf) if j >= after(m): j*dt(j) >= m",
                "printed: delta~=omega(1/n)",
            ),
        ),
        notation=(
            ("dt", "delta~"),
            ("after", "from where on j delta~(j) is at least m"),
            ("INDEX", "the places 1, ..., n"),
            ("I", "the random subset"),
            ("has", "whether a place is in it"),
            ("D", "datasets"),
            ("alike", "whether two datasets differ at most in the record at a place"),
            ("SUB", "samples of floor(n delta~(n)) records"),
            ("sub", "the records at the places of the subset"),
            ("H", "hypotheses"),
            ("coins", "the coins of A"),
            ("A", "the learner, and any answer that does not depend on the data for samples of no record"),
            ("S", "iid samples of n records"),
            ("data", "such a sample as a dataset"),
            ("sample", "iid samples of floor(n delta~(n)) records"),
            ("fresh", "such a sample"),
            ("R", "the risk"),
            ("star", "R*"),
        ),
        shows=("private", "rate", "grows"),
        says=("delta~(n)-fraction subsample is (0,delta~(n))-DP, rate `xi(n delta~(n))`, `n delta~(n) -> inf`",),
    ),
    "P33.(4')": Derivation(
        _PATH + "; delta in [0, 1]; J(OUT) in Z[0, 1]",
        (
            Line(
                "start",
                "for F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(0), c))) "
                ">= exp(-eps*0)*mean(c: coins, F(A(path(0), c))) - 0*delta",
            ),
            Line(
                "inverse",
                "for m in Z[0, inf), F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(m + 1), c))) "
                ">= exp(-eps)*mean(c: coins, F(A(path(m), c))) - exp(-eps)*delta",
                using=("there", "private at d = path(m), dd = path(m + 1)"),
            ),
            Line(
                "numbers",
                "for m in Z[0, inf), p in [0, 1], q in [0, 1], r in [0, 1] "
                "if q >= exp(-eps*m)*p - m*delta, r >= exp(-eps)*q - exp(-eps)*delta: "
                "r >= exp(-eps*(m + 1))*p - (m + 1)*delta",
                hints=(
                    "have exp(-eps) <= 1",
                    "have exp(-eps)*q >= exp(-eps)*(exp(-eps*m)*p - m*delta)",
                    "have exp(-eps)*((m + 1)*delta) <= (m + 1)*delta",
                ),
            ),
            Line(
                "step",
                "for m in Z[0, inf), F(OUT) in Z[0, 1] if mean(c: coins, F(A(path(m), c))) "
                ">= exp(-eps*m)*mean(c: coins, F(A(path(0), c))) - m*delta: mean(c: coins, F(A(path(m + 1), c))) "
                ">= exp(-eps*(m + 1))*mean(c: coins, F(A(path(0), c))) - (m + 1)*delta",
                using=(
                    "inverse",
                    (
                        "numbers at p = mean(c: coins, F(A(path(0), c))), q = mean(c: coins, F(A(path(m), c))), "
                        "r = mean(c: coins, F(A(path(m + 1), c)))"
                    ),
                ),
            ),
            Line(
                "group",
                "for m in Z[0, inf), F(OUT) in Z[0, 1]: mean(c: coins, F(A(path(m), c))) "
                ">= exp(-eps*m)*mean(c: coins, F(A(path(0), c))) - m*delta",
                "induction m",
                ("start", "step"),
            ),
            Line(
                "all",
                "Pr(c: coins, J(A(path(n), c))) >= exp(-eps*n)*Pr(c: coins, J(A(path(0), c))) - n*delta",
                using=("group at m = n, F(y) = J(y)",),
            ),
        ),
        given=(
            _STEPS[0],
            Given(
                "private",
                "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                "mean(c: coins, F(A(d, c))) <= exp(eps)*mean(c: coins, F(A(dd, c))) + delta",
                "definition: A is (eps, delta(n))-DP",
            ),
        ),
        notation=(
            *_PATH_NOTATION,
            ("path", "from Z_i (path(0)) to Z_1 (path(n)), one record after the other"),
            ("J", "J_i"),
        ),
        says=("`P_A(Z1)(J_i) >= e^{-eps n}P_A(Zi)(J_i) - n delta(n)`",),
    ),
    # Appendix B
    "B.rate": Derivation(
        "n in Z[2, inf); eps in (0, inf); law S; risk(S) in [0, 1]; seen(S) in [0, 1]",
        (
            Line(
                "size",
                "n >= 12*log(4/(1/n))/(8*log(n)/sqrt(n))^2",
                hints=(
                    "have log(n) >= 69/100",
                    "have 12*log(4*n) = 12*log(4) + 12*log(n)",
                    "have log(4) <= 2*log(n)",
                    "have log(n)^2 >= (69/100)*log(n)",
                    "have 12*log(4*n) <= 64*log(n)^2",
                ),
            ),
            Line("positive", "8*log(n)/sqrt(n) > 0"),
            Line(
                "tail",
                "Pr(s: S, abs(risk(s) - seen(s)) >= 8*log(n)/sqrt(n)) <= 1/n",
                using=("size", "positive", "small", "lem38 at tau = 8*log(n)/sqrt(n), beta = 1/n"),
            ),
            Line("each", "for s: S, t in (0, inf): abs(risk(s) - seen(s)) <= t + [abs(risk(s) - seen(s)) >= t]"),
            Line(
                "sum",
                "8*log(n)/sqrt(n) + 1/n <= 10*(log(n)/sqrt(n))",
                hints=(
                    "have log(n) >= 69/100",
                    "have sqrt(n) >= 1",
                    "have 1/n <= 1/sqrt(n)",
                    "have 1/sqrt(n) <= 2*log(n)/sqrt(n)",
                ),
            ),
            Line(
                "all",
                "mean(s: S, abs(risk(s) - seen(s))) <= 10*(log(n)/sqrt(n))",
                using=("positive", "tail", "mean of each over s at t = 8*log(n)/sqrt(n)", "sum"),
            ),
        ),
        given=(
            Given(
                "lem38",
                "for tau in (0, inf), beta in (0, 1) if n >= 12*log(4/beta)/tau^2, eps < tau/2: "
                "Pr(s: S, abs(risk(s) - seen(s)) >= tau) <= beta",
                "result: wang2016:lem-38",
            ),
            Given("small", "eps < (8*log(n)/sqrt(n))/2", "printed: eps < tau/2"),
        ),
        notation=(
            ("S", "samples and coins"),
            ("risk", "E phi, of what B answers"),
            ("seen", "(1/n)sum phi"),
        ),
        says=("`E phi - (1/n)sum phi` within tau w.p. 1-beta => expectation bound `O(log n/sqrt n)` when eps small",),
    ),
    "B.chain": Derivation(
        "n in Z[1, inf); set INDEX of n; law D; law S; z(S, INDEX): D; law coins; type PHI; A(S, coins): PHI; "
        "phi(PHI, D) in [0, 1]; point best: PHI; star in [0, 1]; xi in [0, inf); least(S) in [0, 1]",
        (
            Line(
                "record",
                "for i: INDEX: mean(s: S, phi(best, z(s, i))) = star",
                using=("alike at f(x) = phi(best, x)", "best"),
            ),
            Line(
                "mean_best",
                "mean(s: S, (1/n)*total(i: INDEX, phi(best, z(s, i)))) = star",
                using=("total of record over i",),
            ),
            Line(
                "lower", "for s: S: least(s) <= (1/n)*total(i: INDEX, phi(best, z(s, i)))", using=("least at f = best",)
            ),
            Line(
                "above",
                "for s: S, c: coins: least(s) <= (1/n)*total(i: INDEX, phi(A(s, c), z(s, i)))",
                using=("least at f = A(s, c)",),
            ),
            Line(
                "goes",
                "0 <= mean(s: S, c: coins, (1/n)*total(i: INDEX, phi(A(s, c), z(s, i)))) - mean(s: S, least(s)) <= xi",
                using=("mean of mean of above over s over c", "aerm"),
            ),
            Line(
                "all",
                "mean(s: S, least(s)) <= mean(s: S, (1/n)*total(i: INDEX, phi(best, z(s, i)))) = star",
                using=("mean of lower over s", "mean_best"),
            ),
        ),
        given=(
            Given(
                "alike",
                "for i: INDEX, f(D) in [0, 1]: mean(s: S, f(z(s, i))) = mean(x: D, f(x))",
                "definition: each example of the sample has the law D",
            ),
            Given("best", "mean(x: D, phi(best, x)) = star", "printed: R*"),
            Given(
                "least",
                "for s: S, f: PHI: least(s) <= (1/n)*total(i: INDEX, phi(f, z(s, i)))",
                "printed: min_phi (1/n) sum phi(z)",
            ),
            Given(
                "aerm",
                "mean(s: S, c: coins, (1/n)*total(i: INDEX, phi(A(s, c), z(s, i)))) - mean(s: S, least(s)) <= xi",
                "definition: AERM with rate xi",
            ),
        ),
        notation=(
            ("INDEX", "the places 1, ..., n"),
            ("D", "the law of an example"),
            ("S", "samples"),
            ("coins", "the coins of the algorithm"),
            ("PHI", "the functions phi, losses of hypotheses"),
            ("A", "the algorithm"),
            ("best", "phi*"),
            ("star", "R*"),
            ("least", "min_phi (1/n) sum phi(z)"),
            ("xi", "xi(n)"),
        ),
        shows=("goes", "all"),
        says=("`E (1/n) sum phi(z) -> E min_phi (1/n) sum phi(z) <= E (1/n) sum phi*(z) = R*`",),
    ),
}

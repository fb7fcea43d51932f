"""Named lemmas that proofs may use, each with a certificate of its own."""

from __future__ import annotations

from dpcheck.proof.statement import Claim

LEMMAS: dict[str, Claim] = {
    "exp_above": Claim("x in (-inf, inf)", "", "1 + x <= exp(x)"),
    "log_below": Claim("x in (0, inf)", "", "log(x) <= x - 1"),
    "log_product_above": Claim("x in (0, inf); y in (0, inf)", "", "log(x*y) <= log(x) + log(y)"),
    "log_product_below": Claim("x in (0, inf); y in (0, inf)", "", "log(x) + log(y) <= log(x*y)"),
    "log_quotient_above": Claim("x in (0, inf); y in (0, inf)", "", "log(x/y) <= log(x) - log(y)"),
    "log_quotient_below": Claim("x in (0, inf); y in (0, inf)", "", "log(x) - log(y) <= log(x/y)"),
    "log_tangent": Claim(
        "x in (0, inf); c in (0, inf)",
        "",
        "log(x) <= x/c - 1 + log(c)",
        ("lemma log_quotient_below x = x; y = c", "lemma log_below x = x/c"),
    ),
    "log_increases": Claim(
        "x in (0, inf); y in (0, inf)",
        "x <= y",
        "log(x) <= log(y)",
        ("lemma log_quotient_below x = x; y = y", "lemma log_below x = x/y", "have x/y <= 1"),
    ),
    "exp_increases": Claim("x in (-inf, inf); y in (-inf, inf)", "x <= y", "exp(x) <= exp(y)"),
    "pinsker_below": Claim(
        "p in (0, 1); q in (0, 1)",
        "p <= q",
        "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2*(p - q)^2",
        ("substitute q = p + s*(1 - p) with s in [0, 1) as (q - p)/(1 - p)",),
    ),
    "binary_pinsker": Claim(
        "p in (0, 1); q in (0, 1)",
        "",
        "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2*(p - q)^2",
        ("case q - p", "first: lemma pinsker_below p = p; q = q", "second: lemma pinsker_below p = 1 - p; q = 1 - q"),
    ),
    "squares": Claim("p in [0, inf); q in (0, inf)", "p^2 <= q^2", "p <= q", ("case q - p", "have p + q > 0")),
    "sqrt_increases": Claim(
        "x in [0, inf); y in [0, inf)",
        "x <= y",
        "sqrt(x) <= sqrt(y)",
        ("substitute y = x + s with s in [0, inf) as y - x",),
    ),
    "factorial_above": Claim("n in Z[0, inf)", "", "fact(n) >= 1", ("induct n",)),
    "power_step": Claim("k in Z[0, inf); x in [1, inf)", "", "x*(x - 1)^k >= (x - k)*x^k", ("induct k",)),
    "factorials_above": Claim(
        "k in Z[1, inf); m in Z[0, inf)",
        "",
        "fact(k + m)*k^k >= fact(k)*fact(m)*(k + m)^k",
        (
            "have fact(0) = 1",
            "lemma factorial_above n = k",
            "have k^k > 0",
            "have fact(k)*k^k >= 0",
            "induct m",
            "lemma factorial_above n = m",
            "lemma power_step k = k; x = k + m + 1",
            "have fact(m)*fact(k) > 0",
            "have fact(m)*fact(k)*((k + m + 1)*(k + m)^k - (m + 1)*(k + m + 1)^k) >= 0",
            "have (k + m + 1)*(fact(k + m)*k^k - fact(k)*fact(m)*(k + m)^k) >= 0",
        ),
    ),
    "binomial_above": Claim(
        "n in Z[1, inf); k in Z[1, inf)",
        "k <= n",
        "binom(n, k) >= (n/k)^k",
        (
            "lemma factorials_above k = k; m = n - k",
            "lemma factorial_above n = k",
            "lemma factorial_above n = n - k",
            "have fact(k)*fact(n - k) > 0",
            "have k^k > 0",
            "have fact(k)*fact(n - k)*(binom(n, k)*k^k - n^k) >= 0",
            "have binom(n, k)*k^k >= n^k",
            "have (n/k)^k = n^k/k^k",
        ),
    ),
    "sqrt_below": Claim(
        "x in [0, inf); y in (0, inf)", "x <= y^2", "sqrt(x) <= y", ("lemma squares p = sqrt(x); q = y",)
    ),
}

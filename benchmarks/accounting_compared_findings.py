"""Why accountants are below the truth: the lines of their source, what their documents and trackers say, the change.

Read in the sources of the versions that are asked; a row below the truth that no finding explains breaks a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One cause: which rows it explains, and what is known of it.

    ``status``: error, documented (their documents say so), numerics.
    """

    name: str
    accountants: tuple[str, ...]
    kinds: tuple[str, ...]
    relations: tuple[str, ...]
    status: str
    said: str
    source: str
    tracker: str
    change: str
    hair_only: bool = False
    composed_only: bool = False

    def explains(self, row: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
        """Whether it is the cause of a row."""
        return (
            row["accountant"] in self.accountants
            and event["relation"] in self.relations
            and ("any" in self.kinds or event["kind"] in self.kinds)
            and (not self.hair_only or row["verdict"] == "below by a hair")
            and (not self.composed_only or any(part["count"] > 1 for part in event["parts"]))
        )


FINDINGS = (
    Finding(
        name="randomised response is counted once",
        accountants=("dp-accounting PLD",),
        kinds=("randomised response",),
        relations=("replace-one",),
        status="error",
        said=(
            "`SelfComposedDpEvent(RandomizedResponseDpEvent(0.5, 2), n)`, and `compose(event, n)`, have the same "
            "epsilon "
            "for every n: the count is multiplied through and not used. `ComposedDpEvent([event] * n)` is right, and "
            "so is the RDP accountant, up to its looseness"
        ),
        source=(
            "`dp_accounting/pld/pld_privacy_accountant.py:82`: `self._pld = self._pld.compose(rr_pld)`; every other "
            "kind "
            "has `.self_compose(count)`, or `sqrt(count)` for the Gaussian"
        ),
        tracker=("no issue found; commit 0c0e3fd of the repository, newer than 0.6.0, has the same line"),
        change="`self._pld = self._pld.compose(rr_pld.self_compose(count))`",
        composed_only=True,
    ),
    Finding(
        name="under replace-one noise is taken to be over how far the sum moves",
        accountants=("dp-accounting RDP",),
        kinds=("gaussian", "laplace", "without replacement Gaussian"),
        relations=("replace-one",),
        status="error",
        said=(
            "the event's noise multiplier is over the norm of one record (`GaussianDpEvent`: \"If the norms of the "
            "values "
            'are bounded ||v_i|| <= C, the noise_multiplier is defined as s / C"; `LaplaceDpEvent` alike), so a '
            "replacement moves the sum by 2C. `RdpAccountant(neighboring_relation=REPLACE_ONE)` computes a shift of C. "
            '`PLDAccountant` computes 2C: right for what the event says ("for REPLACE adjacency corresponds to '
            "the same "
            "privacy loss distribution with twice the sensitivity\", `pld/privacy_loss_mechanism.py:282`). RDP's is "
            "right "
            'where noise is over the sensitivity of the sum, which its private functions say ("the ratio of the '
            "standard "
            'deviation of the Gaussian noise to the l2-sensitivity of the function", '
            "`rdp/rdp_privacy_accountant.py:367`, `:417`) and no public document does. A user of events gets, of "
            "one event, "
            "two answers that are a factor of 2 apart in the shift. PLD takes no Laplace under replace-one"
        ),
        source=(
            "`dp_accounting/rdp/rdp_privacy_accountant.py:1021` (Gaussian), `:1086` (sampled without replacement), "
            "`:1109` (Laplace: `eps = 1 / event.noise_multiplier`): the relation is not looked at; "
            "`dp_accounting/pld/privacy_loss_distribution.py:939`, `pld/privacy_loss_mechanism.py:252`: it is"
        ),
        tracker="google/differential-privacy issue 378 (open since December 2025), pull request 464 (open, July 2026)",
        change="half the noise multiplier where the relation is REPLACE_ONE, in these three places",
    ),
    Finding(
        name="the search for epsilon is held to epsilon <= 0",
        accountants=("autodp AFA",),
        kinds=("any",),
        relations=("add-remove", "replace-one"),
        status="error",
        said=(
            "`get_approxDP` of mechanisms by characteristic functions is about 0, or negative, whatever the mechanism. "
            "`minimize_scalar` is given `bounds=[0, 1]` for e^epsilon: scipy 1.9.3 ignores them without a method that "
            "asks for them, 1.17.1 takes them for the range to search (both tried). The package asks for "
            "`scipy>=1.2.1` and so gets the latter. "
            "`get_approx_delta` is not concerned; nor is epsilon with scipy 1.9.3, where one Gaussian step was tried"
        ),
        source="`autodp/converter.py:1096`, called from `cdf_to_approxdp` with `[0, 1]`",
        tracker="no issue found that names it (issue 34 is about a failure of sampled Laplace)",
        change="`method='Brent'` and no bounds there, or `root_scalar` over epsilon >= 0",
    ),
    Finding(
        name="quadrature and a search to 1e-2",
        accountants=("autodp AFA",),
        kinds=("any",),
        relations=("add-remove", "replace-one"),
        status="numerics",
        said=(
            "a fixed quadrature of 700 points inverts the characteristic function, and delta is a difference of "
            "numbers "
            "near 1: small deltas, and laws of few losses, are not resolved, and no error is computed. The source says "
            '"setting it to be >700 is usually very accurate" of the points, and warns of instability elsewhere'
        ),
        source="`autodp/converter.py:phi_to_cdf` (`fixed_quad`), `cdf_to_approxdp` (`tol=1e-2`)",
        tracker="issue 34 (breaks down for sampled Laplace)",
        change="an error bound with the answer, or none below what the quadrature resolves",
    ),
    Finding(
        name="the central limit theorem",
        accountants=("opacus GDP",),
        kinds=("any",),
        relations=("add-remove",),
        status="documented",
        said=(
            'an approximation for many steps at small rates. It warns when it is made: "GDP accounting is experimental '
            'and can underestimate privacy expenditure"'
        ),
        source="`opacus/accountants/analysis/gdp.py` (`compute_mu_poisson`), warning in `accountants/gdp.py:24`",
        tracker="meta-pytorch/opacus issue 384, pull request 400 (the warning)",
        change="none asked: another accountant is offered",
    ),
    Finding(
        name="rounding of a transform at small deltas",
        accountants=("opacus PRV", "prv-accountant"),
        kinds=("any",),
        relations=("add-remove", "replace-one"),
        status="numerics",
        said=(
            "at delta = 1e-12 the upper bound, with 0.01 in it for errors, is below the truth by up to 0.1%: the "
            "sum of "
            "rounding errors of an FFT in doubles is larger than the delta_error of 1e-15 that is asked. A guard is "
            "there "
            '("Floating point errors will dominate for such small values of delta"), for the unit of a long '
            "double, which "
            "the transform does not have"
        ),
        source=(
            "`prv_accountant/discrete_privacy_random_variable.py` and `opacus/accountants/analysis/prv/prvs.py:151`: "
            "`np.finfo(np.longdouble).eps * size`, after `irfft` in doubles"
        ),
        tracker="microsoft/prv_accountant issue 17 (open: small deltas)",
        change="the unit of a double in the guard",
        hair_only=True,
    ),
    Finding(
        name="a power of a transform in doubles",
        accountants=("dp-accounting PLD",),
        kinds=("any",),
        relations=("add-remove", "replace-one"),
        status="numerics",
        said=(
            "losses are rounded up, and are so an upper bound; at delta = 1e-12 the rounding errors of the transform "
            "whose power composes them, which nothing bounds, are larger than what this adds: below by less than 0.1%"
        ),
        source="`dp_accounting/pld/common.py:288`, `self_convolve`: `fft.ifft(fft.fft(input_list, ...)**num_times)`",
        tracker="no issue found that names it",
        change="an error bound for the transform, added to delta",
        hair_only=True,
    ),
)


def finding_of(row: Mapping[str, Any], event: Mapping[str, Any]) -> str:
    """The name of the first finding that explains a row below the truth; empty where there is none."""
    for finding in FINDINGS:
        held = finding.name == "the search for epsilon is held to epsilon <= 0" and row["question"] == "delta"
        if finding.explains(row, event) and not held:
            return finding.name
    return ""

"""The views of a finished run, and the exit status that no view can change."""

from __future__ import annotations

import itertools
import json
import math
import xml.etree.ElementTree as ElementTree

import pytest

from dpcheck.model.harmless import one_line, printable
from dpcheck.model.verdict import Status, Stop, Verdict, plots
from dpcheck.report import github, junit, markdown, run_json, text
from dpcheck.report import measurement as measurement_view
from dpcheck.report.exit_status import FIRST_THAT_APPLIES, Exit, exit_of, exit_status
from dpcheck.report.finished import Audited, NotAudited, Run, Trouble
from dpcheck.report.formats import FORMATS, formats_of
from tests.handmade import measurement, verdict

VIEWS = {name: FORMATS[name].views["run"] for name in formats_of("run")}
HOSTILE = "a\x1b[31m<script>|`</details>``` & \x00 ::error::x%\r\n]]> \ud800 \u202e"

AS_CONTRACT_SAYS = [
    (Status.VIOLATED, Status.NO_VIOLATION_FOUND, False, Exit.NOT_AS_EXPECTED),
    (Status.VIOLATED, Status.VIOLATED, False, Exit.AS_EXPECTED),
    (Status.NO_VIOLATION_FOUND, Status.NO_VIOLATION_FOUND, False, Exit.AS_EXPECTED),
    (Status.NO_VIOLATION_FOUND, Status.VIOLATED, False, Exit.NOT_AS_EXPECTED),
    (Status.INCONCLUSIVE, Status.NO_VIOLATION_FOUND, False, Exit.INCONCLUSIVE),
    (Status.INCONCLUSIVE, Status.VIOLATED, False, Exit.INCONCLUSIVE),
    (Status.INCONCLUSIVE, Status.NO_VIOLATION_FOUND, True, Exit.AS_EXPECTED),
    (Status.LEARNER_FAILED, Status.NO_VIOLATION_FOUND, True, Exit.LEARNER_FAILED),
    (Status.LEARNER_FAILED, Status.VIOLATED, False, Exit.LEARNER_FAILED),
    (Status.LEARNER_FAILED, Status.LEARNER_FAILED, False, Exit.AS_EXPECTED),
    (Status.NO_VIOLATION_FOUND, Status.LEARNER_FAILED, False, Exit.NOT_AS_EXPECTED),
    (Status.INCONCLUSIVE, Status.INCONCLUSIVE, False, Exit.AS_EXPECTED),
]
OF_EACH_EXIT = {
    Exit.AS_EXPECTED: Audited(verdict()),
    Exit.NOT_AS_EXPECTED: Audited(verdict(Status.VIOLATED)),
    Exit.USAGE: NotAudited("missing:learner", Trouble.USAGE, "there is no module"),
    Exit.INCONCLUSIVE: Audited(verdict(Status.INCONCLUSIVE)),
    Exit.LEARNER_FAILED: Audited(verdict(Status.LEARNER_FAILED)),
    Exit.INTERNAL_ERROR: NotAudited("a:b", Trouble.INTERNAL, "internal error: ZeroDivisionError"),
    Exit.INTERRUPTED: NotAudited("a:b", Trouble.INTERRUPTED, "not run"),
}


@pytest.mark.parametrize(("status", "expected", "allowed", "exit"), AS_CONTRACT_SAYS)
def test_exit_status_of_one_target_is_the_contracts(
    status: Status, expected: Status, allowed: bool, exit: Exit
) -> None:
    run = Run((Audited(verdict(status), expected, allowed),))
    assert exit_status(run) is exit


def test_exit_statuses_have_the_contracts_numbers() -> None:
    assert [int(exit) for exit in FIRST_THAT_APPLIES] == [130, 70, 4, 1, 2, 3, 5, 0]
    assert set(FIRST_THAT_APPLIES) == set(Exit)


@pytest.mark.parametrize("exits", list(itertools.combinations(OF_EACH_EXIT, 2)), ids=str)
def test_of_two_targets_the_first_exit_status_that_applies_wins_in_either_order(
    exits: tuple[Exit, Exit],
) -> None:
    first = next(exit for exit in FIRST_THAT_APPLIES if exit in exits)
    for order in (exits, exits[::-1]):
        assert exit_status(Run(tuple(OF_EACH_EXIT[exit] for exit in order))) is first


def test_an_interrupted_audit_counts_as_interrupted_whatever_it_found() -> None:
    assert exit_status(Run((Audited(verdict(stop=Stop.INTERRUPTED)),))) is Exit.INTERRUPTED


def test_an_empty_run_is_not_green() -> None:
    assert exit_status(Run(())) is Exit.NOTHING_TO_CHECK


@pytest.mark.parametrize(("exit", "result"), list(OF_EACH_EXIT.items()), ids=str)
@pytest.mark.parametrize("view", VIEWS)
def test_views_neither_change_nor_hide_a_result(exit: Exit, result: Audited | NotAudited, view: str) -> None:
    run = Run((result,))
    shown = VIEWS[view](run)
    assert exit_status(run) is exit is exit_of(result)
    if not (view in ("github", "sarif") and exit is Exit.AS_EXPECTED):  # these tell of what needs attention
        assert result.target in shown.replace("%3A", ":").replace("\\", "")


@pytest.mark.parametrize("view", VIEWS)
def test_a_run_with_every_kind_of_result_is_shown_whole(view: str) -> None:
    shown = VIEWS[view](Run(tuple(OF_EACH_EXIT.values()), ("dpcheck", "audit"), 7))
    assert "missing" in shown
    assert "130" in shown


def test_the_run_document_holds_every_record_and_says_which_target_it_belongs_to() -> None:
    run = Run(tuple(OF_EACH_EXIT.values()), ("dpcheck", "audit", "\udcff"), 7)
    document = json.loads(run_json.render(run))
    assert document["schema"] == "dpcheck-run/1"
    assert document["seed"] == 7
    assert document["argv"][:2] == ["dpcheck", "audit"]
    assert document["environment"]["python"] == "3.11.7"
    assert document["exit_status"] == 130
    assert document["level"] == pytest.approx(4e-6)
    assert len(document["records"]) == 4
    for result in document["results"]:
        if result["record"] is None:
            assert result["problem"]
        else:
            assert document["records"][result["record"]]["verdict"]["status"] == result["status"]


def test_the_run_document_refuses_a_record_with_a_bare_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Verdict, "to_json", lambda self: '{"evidence": NaN}')
    with pytest.raises(ValueError, match="NaN"):
        run_json.render(Run((Audited(verdict()),)))


def test_junit_tells_failures_from_errors() -> None:
    suite = ElementTree.fromstring(junit.render(Run(tuple(OF_EACH_EXIT.values())))).find("testsuite")
    assert suite is not None
    kinds = {}
    for exit, case in zip(OF_EACH_EXIT, suite.iter("testcase"), strict=True):
        kinds[exit] = next((mark for mark in ("failure", "error") if case.find(mark) is not None), None)
    assert kinds == {
        Exit.AS_EXPECTED: None,
        Exit.NOT_AS_EXPECTED: "failure",
        Exit.USAGE: "error",
        Exit.INCONCLUSIVE: "failure",
        Exit.LEARNER_FAILED: "error",
        Exit.INTERNAL_ERROR: "error",
        Exit.INTERRUPTED: "error",
    }
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("7", "2", "4")


def test_junit_has_the_seconds_and_passes_what_is_allowed() -> None:
    run = Run((Audited(verdict(Status.INCONCLUSIVE), allow_inconclusive=True),))
    case = next(ElementTree.fromstring(junit.render(run)).iter("testcase"))
    assert case.get("time") == "1.25"
    assert case.find("failure") is None
    output = case.find("system-out")
    assert output is not None
    assert "INCONCLUSIVE" in (output.text or "")


def test_junit_of_hostile_names_is_still_xml() -> None:
    results = (Audited(verdict(Status.VIOLATED, target=HOSTILE)), NotAudited(HOSTILE, Trouble.USAGE, HOSTILE))
    run = Run(results)
    cases = list(ElementTree.fromstring(junit.render(run)).iter("testcase"))
    assert len(cases) == 2
    assert "<script>" in (cases[0].get("name") or "")


def test_github_annotations_are_one_escaped_command_per_line() -> None:
    results = (Audited(verdict(Status.VIOLATED, target=HOSTILE)), NotAudited(HOSTILE, Trouble.USAGE, HOSTILE))
    *commands, summary, empty = github.render(Run(results)).split("\n")
    assert empty == ""
    assert len(commands) == 2
    for command in commands:
        head, _, message = command.removeprefix("::").partition("::")
        assert head.startswith("error title=dpcheck%3A")
        assert not set(head.removeprefix("error title=")) & set(",:\r\n")
        assert "%25" in message
        assert "%0A" in message
    assert not summary.startswith("::")


def test_github_warns_of_what_is_only_allowed_and_keeps_quiet_about_the_rest() -> None:
    allowed = Audited(verdict(Status.INCONCLUSIVE), allow_inconclusive=True)
    assert github.render(Run((allowed,))).startswith("::warning ")
    assert "::" not in github.render(Run((Audited(verdict()),)))


def test_githubs_step_summary_fits_githubs_limit() -> None:
    long = Audited(verdict(target="x" * 3 * github.STEP_SUMMARY_BYTES))
    summary = github.step_summary(Run((long,)))
    assert len(summary.encode()) <= github.STEP_SUMMARY_BYTES
    assert summary.endswith("1 MiB)\n")
    assert github.step_summary(Run((Audited(verdict()),))) == markdown.render(Run((Audited(verdict()),)))


def test_markdown_keeps_its_table_and_fences_whatever_the_names_are() -> None:
    shown = markdown.render(Run((Audited(verdict(target=HOSTILE)),)))
    (row,) = (line for line in shown.splitlines() if line.startswith("| a"))
    assert row.replace("\\|", "").count("|") == 8
    assert "<script" not in row.replace("\\<", "")
    assert "````text" in shown


def test_markdown_unfolds_what_needs_attention() -> None:
    assert "<details open>" in markdown.render(Run((OF_EACH_EXIT[Exit.NOT_AS_EXPECTED],)))
    assert "<details open>" not in markdown.render(Run((OF_EACH_EXIT[Exit.AS_EXPECTED],)))


def test_text_says_what_was_expected_and_never_the_word_private() -> None:
    results = (Audited(verdict(), Status.VIOLATED), Audited(verdict(Status.VIOLATED), Status.VIOLATED))
    shown = text.render(Run(results))
    assert "no violation found, but expected: violated" in shown
    assert "violated, as expected" in shown
    assert "at most 2e-06" in shown
    assert " is private" not in shown


def test_text_of_hostile_names_drives_no_terminal() -> None:
    shown = text.render(Run((Audited(verdict(target=HOSTILE)),)))
    assert "\x1b" not in shown
    assert "\\x1b[31m" in shown


def test_printable_text_stays_as_it_is() -> None:
    plain = "ε ≤ 1, naïve\n\t日本"
    assert printable(plain) == plain
    assert one_line(" a\n\tb ") == "a b"


def test_a_measurement_is_a_paragraph_and_a_table_up_to_where_nothing_is_certified() -> None:
    shown = measurement_view.render(measurement())
    assert "above 0.9" in shown
    rows = [line.split() for line in shown.partition("delta at least\n")[2].splitlines()]
    assert rows[0] == ["0.000", "0.36"]
    assert rows[-1] == ["0.900", "0"]
    assert len(rows) == 10
    assert "Privacy profile" not in measurement_view.render(measurement(profile=(), failure="It hung."))


@pytest.mark.turns(6)
def test_a_figure_is_the_same_text_every_time_and_names_are_text() -> None:
    made = measurement(target="$x^2$ <script>\x1b")
    first, second = (plots.as_svg(made.plot()) for _ in range(2))
    assert first == second
    root = ElementTree.fromstring(first)
    words = " ".join("".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "$x^2$ <script>" in words
    assert "epsilon above 0.9" in words


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (verdict(), "1.2"),
        (verdict(Status.INCONCLUSIVE), "1.2"),
        (verdict(Status.VIOLATED), ""),
        (verdict(Status.LEARNER_FAILED), ""),
        (verdict(detectable_epsilon=math.inf), ""),
    ],
)
def test_what_would_have_been_caught_is_shown_where_nothing_was(given: Verdict, shown: str) -> None:
    run = Run((Audited(given),))
    (row,) = (line for line in markdown.render(run).splitlines() if line.startswith("| mylearner"))
    assert row.split("|")[5].strip() == shown
    (result,) = json.loads(run_json.render(run))["results"]
    assert result["would_have_caught"] == (float(shown) if shown else None)


def test_a_figure_says_what_its_axes_are_and_where_the_certified_epsilon_is() -> None:
    profile, tradeoff = measurement(delta=0.01).plot().axes
    assert (profile.get_xlabel(), profile.get_ylabel()) == ("epsilon (nats)", "delta (probability)")
    assert profile.get_title() == "privacy profile: delta is at least this"
    rates = ("false positive rate (probability)", "false negative rate (probability)")
    assert (tradeoff.get_xlabel(), tradeoff.get_ylabel()) == rates
    assert tradeoff.get_title() == "trade-off: telling neighbours apart is this easy"
    # Rates are from 0 to 1; epsilon (nats) and delta start at 0.
    assert (tradeoff.get_xlim(), tradeoff.get_ylim()) == ((0.0, 1.0), (0.0, 1.0))
    assert profile.get_xlim()[0] == profile.get_ylim()[0] == 0.0
    made = measurement(delta=0.01)
    certified, bound = "certified delta, at all points together", "certified: epsilon above 0.9 at delta = 0.01"
    series = {str(line.get_label()): line for line in profile.get_lines() if line.get_label()[0] != "_"}
    assert list(series) == [certified, bound]  # one curve, and the point of the bound
    assert list(series[certified].get_xdata()) == [point.x for point in made.profile]
    assert list(series[certified].get_ydata()) == [point.y for point in made.profile]
    assert (list(series[bound].get_xdata()), list(series[bound].get_ydata())) == ([0.9], [0.01])
    rates_shown = {str(line.get_label()): line for line in tradeoff.get_lines()}
    assert list(rates_shown) == ["certified, at all points together", "guessing blindly"]
    curve = rates_shown["certified, at all points together"]
    assert list(curve.get_xdata())[1:-1] == [point.x for point in made.tradeoff]
    assert list(curve.get_ydata())[1:-1] == [point.y for point in made.tradeoff]
    assert [text.get_text() for axes in (profile, tradeoff) for text in axes.texts] == []
    for axes, names in ((profile, list(series)), (tradeoff, list(rates_shown))):
        legend = axes.get_legend()
        assert legend is not None
        assert [text.get_text() for text in legend.get_texts()] == names


def test_an_empty_panel_says_that_nothing_is_certified() -> None:
    for axes in measurement(profile=(), tradeoff=(), epsilon_lower=0.0).plot().axes:
        assert [text.get_text() for text in axes.texts] == ["nothing certified"]
        assert axes.get_legend() is None
    assert not measurement(epsilon_lower=0.0).plot().axes[0].texts


def test_a_figure_of_a_measurement_that_found_nothing_can_be_drawn() -> None:
    assert "<svg" in plots.as_svg(measurement(profile=(), tradeoff=(), epsilon_lower=0.0, delta=0.01).plot())

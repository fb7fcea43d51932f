"""The record: it alone restores the state, goes on, and is refused in one line when it is not one."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import math
import zlib
from bisect import bisect
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dpcheck
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument, RecordCorrupt
from dpcheck.model.verdict import ClaimRecord, Record, Status, Stop, Verdict
from dpcheck.model.verdict.record import (
    MAX_CHARACTERS,
    SCHEMA,
    claim_record,
    pack,
    plain,
    recorded_claim,
    unpack,
    verdict_document,
)
from dpcheck.privacy.run.allocation import FEW_CALLS, FIRST_INTERIM, interim_size
from dpcheck.privacy.statistics.game import Game, certify, learn, new_game, tally
from dpcheck.privacy.statistics.judge import judge
from dpcheck.privacy.statistics.state import PairState, State, completed, restored
from tests.handmade import verdict as handmade
from tests.playing import play
from tests.privacy.statistics.test_game import CASES, counts, interims_of, opened, same_game

EVERY_CASE = pytest.mark.parametrize("case", CASES)


def laplace(dataset: Any, rng: Any) -> float:
    return float(dataset[0] + rng.laplace())


def leaky(dataset: Any, rng: Any) -> float:
    return float(dataset[0] + rng.laplace(scale=0.25))


def pairwise_sums(dataset: Any, rng: Any) -> Any:
    return np.array([dataset[0] + rng.laplace(scale=2.0), rng.laplace()])


def codes_and_numbers(dataset: Any, rng: Any) -> Any:
    """One of two numbers, and -1 for the one that was not asked."""
    return np.array([dataset[0] + rng.laplace(scale=2.0), -1.0] if rng.random() < 0.5 else [-1.0, rng.laplace()])


def words(dataset: Any, rng: Any) -> str:
    return "yes" if rng.random() < 0.4 + 0.2 * dataset[0] else "no"


LEARNERS = pytest.mark.parametrize(
    "learner", [laplace, pairwise_sums, codes_and_numbers, words], ids=lambda f: f.__name__
)
ONE_PAIR = [([0], [1])]
TWO_PAIRS = [([0, 5], [1, 5]), ([0, 5], [0, 4])]


def audited(learner: Any, max_samples: int, claim: Any = 1.0, **options: Any) -> Verdict:
    options = {"pairs": ONE_PAIR, "isolation": "none", "max_seconds": math.inf} | options
    return dpcheck.audit(learner, claim, max_samples=max_samples, **options)


def record_of(verdict: Verdict) -> Record:
    assert verdict.record is not None
    return verdict.record


def timeless(verdict: Verdict) -> dict[str, Any]:
    document = verdict_document(verdict)
    for part in (document["verdict"], document["record"]):
        part["seconds"] = part["seconds_per_call"] = 0.0
    return document


# --- round trips -------------------------------------------------------------------------------------------------


@pytest.mark.some(4)
@EVERY_CASE
@pytest.mark.parametrize("calls", [0, 20, 700])
def test_the_state_of_a_game_survives_its_record(case: str, calls: int, rng: np.random.Generator) -> None:
    game, _ = play(opened(case), interims_of(case, calls, rng))
    again = recorded(game, CASES[case][2])
    assert same_game(again, game)


def recorded(game: Game, claim: tuple[float, float]) -> Game:
    """The game after a trip through JSON."""
    record = record_of(audited(laplace, 60))
    kind = "pure" if claim[1] == 0 else "approximate"
    state = State(
        replace(record, claim=ClaimRecord(kind, *claim), pairs=()), (PairState("c", "l", "r", "", "", 1.0, game),)
    )
    verdict = judge(state)
    assert same_game(record_of(verdict), completed(state))
    found = restored(record_of(Verdict.from_json(verdict.to_json()))).pairs[0].game
    assert found is not None
    return found


@pytest.mark.some(2)
@EVERY_CASE
def test_a_restored_game_goes_on_as_if_nothing_had_happened(case: str, rng: np.random.Generator) -> None:
    *past, last = interims_of(case, 700, rng)
    game, _ = play(opened(case), past)
    again = recorded(game, CASES[case][2])
    one, two = learn(certify(game, last), last), learn(certify(again, last), last)
    assert counts(one) == counts(two)
    assert same_game(one, two)


@pytest.mark.some(2)
@LEARNERS
@pytest.mark.parametrize("claim", [PureDP(0.5), ApproxDP(0.5, 1e-3)], ids=str)
def test_a_verdict_survives_json(learner: Any, claim: Any) -> None:
    verdict = audited(learner, 700, claim)
    again = Verdict.from_json(verdict.to_json())
    assert again == verdict
    assert str(again) == str(verdict)
    assert again.to_json() == verdict.to_json()
    assert judge(restored(record_of(again))) == verdict  # every number in it is computed from the record alone


@pytest.mark.parametrize("status", list(Status))
def test_handmade_verdicts_survive_json(status: Status) -> None:
    for changes in (
        {},
        {"detectable_epsilon": math.inf, "log_evidence": -math.inf},
        {"claim": ApproxDP(0.1, 1e-9), "target": "naïve “quotes” \u2028 \\ \n"},
    ):
        verdict = handmade(status, **changes)
        assert Verdict.from_json(verdict.to_json()) == verdict
        json.loads(verdict.to_json(), parse_constant=pytest.fail)  # no Infinity, no NaN: JSON for everyone


def test_not_a_number_survives_json() -> None:
    verdict = Verdict.from_json(handmade(log_evidence=math.nan).to_json())
    assert math.isnan(verdict.log_evidence)


def test_plain_data() -> None:
    assert plain((1, [math.inf, -math.inf], Status.VIOLATED, None, "x")) == [1, ["inf", "-inf"], "violated", None, "x"]
    assert plain(math.nan) == "nan"
    nothing = {"parameter": None, "order": None, "ratio": "", "epsilon_fraction": "", "delta_fraction": ""}
    nothing |= {"points": [], "source": ""}
    assert plain(ClaimRecord("pure", 1.0, 0.0)) == {"kind": "pure", "epsilon": 1.0, "delta": 0.0, **nothing}


def test_claims_survive_their_record() -> None:
    for claim in (PureDP(0.0), PureDP(2.5), ApproxDP(1.0, 1e-5), ApproxDP(0.0, 1.0)):
        assert recorded_claim(claim_record(claim)) == claim
    with pytest.raises(RecordCorrupt, match=r"claim kind must be 'pure', 'approximate', .* got 'gdp'"):
        recorded_claim(ClaimRecord("gdp", 1.0, 0.0))
    with pytest.raises(InvalidArgument, match=r"claim must be PureDP, ApproxDP, .* to be recorded"):
        claim_record(object())  # type: ignore[arg-type]


def test_arrays_survive_packing(rng: np.random.Generator) -> None:
    arrays = {
        "a.b": rng.normal(size=(3, 4)),
        "empty": np.zeros((0, 3)),
        "tokens": rng.integers(0, 2**63, 5).astype(np.uint64),
        "odd": np.array([np.nan, np.inf, -0.0]),
        "flags": np.array([True]),
    }
    again = unpack(pack(arrays))
    assert again.keys() == arrays.keys()
    for name, array in arrays.items():
        assert again[name].dtype == array.dtype
        assert again[name].tobytes() == array.tobytes()


# --- what is not a record ----------------------------------------------------------------------------------------


def refused(text: str) -> str:
    with pytest.raises(RecordCorrupt) as caught:
        Verdict.from_json(text)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    assert message.startswith(("record", "state", "claim"))
    return message


GOOD = handmade(Status.VIOLATED).to_json()


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_record_is_refused(part: float) -> None:
    assert "record must be JSON written by dpcheck" in refused(GOOD[: int(part * (len(GOOD) - 3))])


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "[]",
        "3",
        '"text"',
        "{}",
        '{"schema": 3}',
        '{"verdict": {}}',
        "NaN",
        "{'schema': 1}",
        "\x00",
        "\ufeff{}",
        "[" * 100_000,
        '{"schema": "dpcheck-record/1", "verdict": ' + "[" * 900 + "]" * 900 + "}",
        "1" * 10_000,
    ],
    ids=[
        "null",
        "list",
        "number",
        "text",
        "empty",
        "schema number",
        "no schema",
        "nan",
        "python",
        "null byte",
        "bom",
        "unbalanced",
        "deep",
        "huge number",
    ],
)
def test_what_was_never_a_record_is_refused(text: str) -> None:
    refused(text)


def test_another_schema_is_refused_by_its_name() -> None:
    assert "record schema must be 'dpcheck-record/1', got 'dpcheck-record/2'" in refused(
        GOOD.replace(SCHEMA, "dpcheck-record/2")
    )


def test_too_long_a_text_is_refused_before_it_is_read() -> None:
    class Long(str):
        def __len__(self) -> int:
            return MAX_CHARACTERS + 1

    assert f"at most {MAX_CHARACTERS:,} characters" in refused(Long("{}"))


def altered(change: Any) -> str:
    document = json.loads(audited(laplace, 200).to_json())
    change(document)
    return json.dumps(document)


@pytest.mark.turns(4)
@pytest.mark.parametrize("where", ["verdict", "record"])
def test_a_record_without_a_field_is_refused(where: str) -> None:
    document = json.loads(audited(laplace, 60).to_json())
    for field in document[where]:
        if where == "verdict" and field == "record":
            continue
        broken = json.loads(json.dumps(document))
        del broken[where][field]
        if field in ("seconds_per_call", "divergence") or (
            where == "record" and field in ("warnings", "looked", "among", "learner")
        ):
            assert Verdict.from_json(json.dumps(broken)).record is not None  # those of before had none
        else:
            refused(json.dumps(broken))


@pytest.mark.some(1)
@pytest.mark.parametrize("value", [None, "x", [], {}, [1, 2], {"kind": "pure"}])
def test_a_field_of_another_type_is_refused(value: Any) -> None:
    for where, field in (
        ("verdict", "log_evidence"),
        ("verdict", "claim"),
        ("record", "phases"),
        ("record", "environment"),
    ):
        if (field, value) == ("phases", []):
            continue

        def put(document: dict[str, Any], where: str = where, field: str = field) -> None:
            document[where][field] = value

        refused(altered(put))


@pytest.mark.turns(4)
@pytest.mark.parametrize("epsilon", [-1.0, "nan", "inf"])
@pytest.mark.parametrize("where", ["verdict", "record"])
def test_an_impossible_claim_is_refused(where: str, epsilon: Any) -> None:
    def put(document: dict[str, Any]) -> None:
        document[where]["claim"]["epsilon"] = epsilon

    text = altered(put)
    with pytest.raises(RecordCorrupt) as caught:
        restored(record_of(Verdict.from_json(text)))
    assert "\n" not in str(caught.value)


def state_refused(state: str, **changes: Any) -> None:
    record = record_of(audited(laplace, 200))
    broken = replace(record, pairs=(replace(record.pairs[0], state=state),), **changes)
    with pytest.raises(RecordCorrupt, match=r"^state of a pair must") as caught:
        restored(broken)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def good_arrays() -> dict[str, np.ndarray]:
    return unpack(record_of(audited(laplace, 200)).pairs[0].state)


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "state",
    [
        "x",
        "not base64!",
        "\u20ac",
        "AAAA",
        base64.b64encode(zlib.compress(b"no zip")).decode(),
        base64.b64encode(b"PK\x03\x04").decode(),
    ],
)
def test_a_state_that_cannot_be_read_is_refused(state: str) -> None:
    state_refused(state)


@pytest.mark.turns(4)
def test_a_truncated_state_is_refused() -> None:
    good = record_of(audited(laplace, 200)).pairs[0].state
    for part in (0.25, 0.5, 0.9):
        state_refused(good[: 4 * int(part * len(good) / 4)])


def test_a_pickle_in_a_state_is_refused_unread() -> None:
    class Bomb:
        def __reduce__(self) -> Any:
            return pytest.fail, ("a pickle was read",)

    stream = io.BytesIO()
    np.savez(stream, game=np.array([Bomb()], dtype=object))
    state_refused(base64.b64encode(zlib.compress(stream.getvalue())).decode())


@pytest.mark.extra
def test_a_state_without_one_of_its_arrays_is_refused() -> None:
    for name in good_arrays():
        if name.startswith("memory") and name != "memory.coins":
            continue
        arrays = good_arrays()
        del arrays[name]
        if name != "memory.coins":  # without a memory it is the state of a long run
            state_refused(pack(arrays))


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("game", np.frombuffer(b"{", np.uint8)),
        ("game", np.frombuffer(b"[]", np.uint8)),
        ("game", np.frombuffer(b"null", np.uint8)),
        ("feature0.guesses", np.zeros((1, 1), np.int8)),
        ("feature0.counts", np.zeros((2, 2, 2), np.int64)),
        ("feature0.histogram", np.zeros((1, 2), np.int64)),
        ("feature0.edges", np.zeros((2, 2))),
        ("feature0.binned", np.zeros(0, bool)),
        ("feature0.watched", np.zeros(0)),
        ("feature0.counts", np.full((2, 66, 8), np.nan)),
        ("atoms.counts", np.zeros(5, np.int64)),
        ("atoms.tokens", np.zeros(3, np.uint64)),
        ("memory.coins", np.zeros(1, np.int8)),
        ("memory.columns", np.zeros((0, 7))),
    ],
)
def test_a_state_that_does_not_fit_is_refused(name: str, value: np.ndarray) -> None:
    arrays = good_arrays()
    assert name in arrays
    arrays[name] = value
    state_refused(pack(arrays))


def test_the_state_of_another_claim_is_refused() -> None:
    """With delta there are more rules: counts must not be taken for those of others."""
    record = record_of(audited(laplace, 200))
    with pytest.raises(RecordCorrupt, match="state of a pair must fit the record's claim"):
        restored(replace(record, claim=ClaimRecord("approximate", 1.0, 0.01)))


def test_a_state_of_an_earlier_version_is_refused_in_plain_words() -> None:
    """Before there were wagers rules had all of the weight: what they won cannot be gone on with."""
    record = record_of(audited(laplace, 200))
    arrays = {name: array for name, array in good_arrays().items() if ".wager." not in name}
    [pair] = record.pairs
    with pytest.raises(RecordCorrupt, match="written by an earlier dpcheck, whose audits bet by other rules"):
        restored(replace(record, pairs=(replace(pair, state=pack(arrays)),)))


@pytest.mark.turns(4)
@given(st.data())
def test_a_flipped_character_is_refused_or_harmless(data: st.DataObject) -> None:
    """Whatever is altered: a verdict comes out, or RecordCorrupt; nothing else escapes."""
    text = TINY
    place = data.draw(st.integers(0, len(text) - 1))
    broken = text[:place] + data.draw(st.characters()) + text[place + 1 :]
    with contextlib.suppress(RecordCorrupt):
        verdict = Verdict.from_json(broken)
        if verdict.record is not None:
            restored(verdict.record)


TINY = audited(laplace, 60).to_json()


# --- going on ----------------------------------------------------------------------------------------------------


def interim_ends(calls: int) -> list[int]:
    """Budgets at which an audit of one pair ends with a whole interim analysis: the opening calls, then those."""
    from dpcheck.privacy.run.events import Progress

    seen: list[int] = []
    audited(laplace, calls, on_event=lambda event: seen.append(event.calls) if isinstance(event, Progress) else None)
    return seen


@pytest.mark.turns(4)
def test_which_columns_hold_codes_is_fixed_by_the_opening_and_kept() -> None:
    for learner, coded in ((codes_and_numbers, 2), (pairwise_sums, 0)):
        game = restored(record_of(audited(learner, 300, 0.5))).pairs[0].game
        assert game is not None
        assert game.shape.coded == coded
        assert [score.log_odds(np.zeros((1, 2))).shape for score in game.scores] == [(1,)] * (5 if coded else 3)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("learner", "columns"),
    [(codes_and_numbers, {"coded": value}) for value in (-1, 8, "2", None)]
    + [(pairwise_sums, {"measured": value}) for value in (-1, 99, "2", None)],
)
def test_columns_that_cannot_be_are_refused(learner: Any, columns: dict[str, Any]) -> None:
    """So many of them hold codes, and so many are measured."""
    record = record_of(audited(learner, 200, 0.5))
    arrays = unpack(record.pairs[0].state)
    shape = json.loads(bytes(arrays["game"])) | columns
    arrays["game"] = np.frombuffer(json.dumps(shape).encode(), np.uint8)
    with pytest.raises(RecordCorrupt, match=r"^state of a pair must"):
        restored(replace(record, pairs=(replace(record.pairs[0], state=pack(arrays)),)))


@pytest.mark.turns(4)
def test_a_record_of_before_there_were_scores_of_codes_goes_on_without_them() -> None:
    record = record_of(audited(pairwise_sums, 300, 0.5))
    arrays = unpack(record.pairs[0].state)
    shape = json.loads(bytes(arrays["game"]))
    assert shape.pop("coded") == 0
    arrays["game"] = np.frombuffer(json.dumps(shape).encode(), np.uint8)
    text = record.shape.replace(',"coded":false', "")
    assert text != record.shape
    older = replace(record, shape=text, pairs=(replace(record.pairs[0], state=pack(arrays)),))
    assert same_game(restored(older).pairs[0].game, restored(record).pairs[0].game)
    now, then = (audited(pairwise_sums, 600, 0.5, resume=some) for some in (record, older))
    assert now.log_evidence == then.log_evidence


@pytest.mark.some(1)
@LEARNERS
def test_going_on_is_the_same_as_never_having_stopped(learner: Any) -> None:
    """When the first run ended at an analysis anyway; the opening calls, made twice, are in the number of calls."""
    boundaries = interim_ends(3000)
    place = bisect(boundaries, FEW_CALLS)  # smaller budgets have smaller analyses
    part, whole = boundaries[place], boundaries[place + 4]
    opening = boundaries[0] - FIRST_INTERIM
    through = audited(learner, whole, 0.5)
    first = audited(learner, part, 0.5)
    assert first.stop is Stop.MAX_SAMPLES
    second = audited(learner, whole + opening, 0.5, resume=first)
    third = audited(learner, whole + opening, 0.5, resume=record_of(Verdict.from_json(first.to_json())))
    assert second.log_evidence == third.log_evidence == through.log_evidence
    assert record_of(second).pairs == record_of(third).pairs == record_of(through).pairs
    assert second.samples == through.samples + opening
    assert second.epsilon_lower == through.epsilon_lower
    assert second.witness == through.witness


def watched(verdict: Verdict) -> list[tuple[int, int]]:
    """Per pair: the most calls a rule counted, and the calls that were made on the pair."""
    state = restored(record_of(verdict))
    return [(int(tally(p.game).calls.max(initial=0)), p.game.calls) for p in state.pairs if p.game is not None]


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("learner", "options"),
    [(laplace, {"detect": 4.0}), (laplace, {"max_samples": 400})],
    ids=["power", "budget"],
)
def test_no_call_is_counted_twice_when_an_audit_goes_on(learner: Any, options: dict[str, Any]) -> None:
    """The last interim data are certified before the audit stops: going on must not play it again."""
    first = audited(learner, **({"max_samples": 5000} | options))
    assert first.stop in (Stop.VIOLATION, Stop.POWER, Stop.MAX_SAMPLES)
    second = audited(learner, first.samples + 3000, resume=first, **{k: v for k, v in options.items() if k == "detect"})
    for verdict in (first, second):
        [(counted, learned)] = watched(verdict)
        # the first are only learned from, and at most those of one analysis are counted and not yet learned from
        assert counted <= learned - FIRST_INTERIM + interim_size(learned, learned)


def test_a_violation_is_not_gone_on_with() -> None:
    first = audited(leaky, 5000)
    assert first.status is Status.VIOLATED
    with pytest.raises(InvalidArgument, match="resume must be of an audit that is not decided, got one that found"):
        audited(leaky, 10_000, resume=first)


@pytest.mark.turns(4)
def test_interrupted_right_after_a_look_goes_on_without_counting_it_twice() -> None:
    from dpcheck.privacy.run.events import Progress

    boundaries = interim_ends(1000)
    place = bisect(boundaries, FEW_CALLS)

    def interrupt(event: object) -> None:
        if isinstance(event, Progress) and event.calls >= boundaries[place]:
            raise KeyboardInterrupt

    first = audited(laplace, 1000, on_event=interrupt)
    assert first.stop is Stop.INTERRUPTED
    assert first.status is Status.INCONCLUSIVE
    through = audited(laplace, boundaries[place + 4])
    second = audited(laplace, boundaries[place + 4] + boundaries[0] - FIRST_INTERIM, resume=first)
    assert second.log_evidence == pytest.approx(through.log_evidence, rel=1e-12)


@pytest.mark.turns(6)
def test_an_audit_of_two_pairs_goes_on() -> None:
    first = audited(laplace, 2000, pairs=TWO_PAIRS)
    second = audited(laplace, 4000, pairs=TWO_PAIRS, resume=first)
    assert second.samples == 4000
    assert [p.weight for p in record_of(second).pairs] == [p.weight for p in record_of(first).pairs]
    assert all(b.calls >= a.calls for a, b in zip(record_of(first).pairs, record_of(second).pairs, strict=True))


#: What a table holds is no part of which learner it is.
LOUD: dict[str, bool] = {}


def test_findings_of_the_first_part_are_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    def chatty(dataset: Any, rng: Any) -> float:
        if LOUD:
            print("hello")
        return laplace(dataset, rng)

    monkeypatch.setitem(LOUD, "loud", True)
    first = audited(chatty, 300)
    assert any(finding.kind == "prints" for finding in first.findings)
    monkeypatch.delitem(LOUD, "loud")
    second = audited(chatty, 600, resume=first)
    assert {f.kind for f in first.findings} <= {f.kind for f in second.findings}


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"claim": 2.0}, "claim"),
        ({"alpha": 1e-3}, "alpha"),
        ({"pairs": [([0], [2])]}, "pairs"),
        ({"pairs": TWO_PAIRS}, "pairs"),
        ({"numerics": "exact"}, "numerics"),
        ({"name": "another"}, "target"),
        ({"neighbours": dpcheck.ReplaceOne((0, 1))}, "relation"),
    ],
)
def test_going_on_with_another_question_is_refused(changes: dict[str, Any], what: str) -> None:
    first = audited(laplace, 300)
    with pytest.raises(InvalidArgument, match=f"resume must be of an audit with the same {what}, got"):
        audited(laplace, 600, **({"resume": first} | changes))


def test_a_verdict_without_a_record_cannot_be_gone_on_with() -> None:
    with pytest.raises(
        InvalidArgument, match="resume must be a verdict with a record, or a record, got a verdict without"
    ):
        audited(laplace, 600, resume=handmade())
    with pytest.raises(InvalidArgument, match="resume must be"):
        audited(laplace, 600, resume="verdict.json")


def test_a_new_game_is_packed_small() -> None:
    game = new_game(CASES["several"][1], 0.5, 0.0)
    state = State(record_of(audited(laplace, 60)), (PairState("c", "l", "r", "", "", 1.0, game),))
    assert len(completed(state).pairs[0].state) < 20_000

"""Labelled data: the form a learner is handed, small datasets of a dataset's schema, and an end by calls."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

import dpcheck
from dpcheck import AddRemove, LabelsOnly, Records, ReplaceOne, Status
from dpcheck.cli.asked import asked_of
from dpcheck.cli.datasets import header_of
from dpcheck.cli.options import Given
from dpcheck.model.data import Labelled, SemiPrivate, same_dataset, size_of
from dpcheck.model.data.conversion import alike
from dpcheck.model.data.forms import FORMS, Form, form_of, whole_columns
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.schema import of_its_size, schema_of
from dpcheck.model.verdict.next_steps import next_steps
from dpcheck.privacy.run import certification
from dpcheck.privacy.run.data_form import find_form, telling_datasets
from dpcheck.privacy.run.limits import Limits
from dpcheck.privacy.run.question import OWN_EVERY, Question, ask
from dpcheck.trial.privacy import PrivacyCheck
from dpcheck.utility.distributions import UniformGrid

LEARNERS = Path(__file__).resolve().parents[3] / "benchmarks" / "labelled_learners.py"
X = np.array([[0.5, 20.0], [0.25, 44.0], [0.0, 31.0]])
Y = np.array([0, 1, 1])
BOX = Records.labelled(features=Records.bounded([0, 18], [1, 99]), labels=[0, 1])


class TestForms:
    def test_a_labelled_dataset_takes_each_form(self) -> None:
        pair = (X, Y)
        x, y = Form("pair").of(pair)
        assert x.shape == (3, 2)
        assert y.tolist() == [0, 1, 1]
        one = Form("labelled").of(pair)
        assert one.X is one.x
        assert one.y.tolist() == [0, 1, 1]
        rows = Form("rows").of(pair)
        assert [(row.tolist(), label) for row, label in rows] == [([0.5, 20], 0), ([0.25, 44], 1), ([0, 31], 1)]
        assert Form("table").of(pair).tolist() == [[0.5, 20, 0], [0.25, 44, 1], [0, 31, 1]]
        assert Form("lists").of(pair) == ([(0.5, 20.0), (0.25, 44.0), (0.0, 31.0)], [0, 1, 1])

    def test_a_data_frame_has_the_names_and_the_whole_numbers(self) -> None:
        pytest.importorskip("pandas")
        frame = Form("frame", ["rate", "age"], "ill", whole_columns((X, Y))).of((X, Y))
        assert list(frame.columns) == ["rate", "age", "ill"]
        assert [kind.kind for kind in frame.dtypes] == ["f", "i", "i"]
        # a neighbour in which every number happens to be whole has the same types: they are the schema's
        other = Form("frame", ["rate", "age"], "ill", whole_columns((X, Y))).of((np.ones((3, 2)), Y))
        assert list(other.dtypes) == list(frame.dtypes)

    def test_numbers_alone_are_one_column(self) -> None:
        assert Form("pair").of(([0.5, 1], [0, 1]))[0].tolist() == [[0.5], [1.0]]
        assert Form("lists").of((np.array([[0.5], [1.0]]), Y[:2])) == ([0.5, 1.0], [0, 1])

    def test_text_labels_and_public_parts(self) -> None:
        table = Form("table").of((X, np.array(["no", "yes", "yes"])))
        assert table[0].tolist() == [0.5, 20.0, "no"]
        made = Form("table").of(SemiPrivate((X, Y), X))
        assert made.public.shape == (3, 2)
        assert made.private.shape == (3, 3)

    def test_data_without_labels(self) -> None:
        assert Form("rows").of(X)[0] == (0.5, 20.0)
        assert Form("table").of([1, 2]).tolist() == [1, 2]
        with pytest.raises(InvalidArgument, match="wants records with labels"):
            Form("pair").of(X)

    def test_empty_datasets_take_each_form(self) -> None:
        for kind in FORMS:
            if kind != "frame":
                Form(kind).of((X[:0], Y[:0]))

    def test_an_unknown_form_is_refused(self) -> None:
        with pytest.raises(InvalidArgument, match="did you mean 'frame'"):
            form_of("fram")


class TestAlike:
    @pytest.mark.parametrize(
        "template",
        [(X, Y), Labelled(X, Y), (X.tolist(), Y.tolist()), (X.astype(np.float32), Y.astype(np.int8))],
        ids=["pair", "labelled", "lists", "small types"],
    )
    def test_records_come_in_the_containers_of_the_template(self, template: Any) -> None:
        made = alike(template, ([[0.5, 20], [0.25, 44], [0, 31]], [0, 1, 1]))
        assert same_dataset(made, template)
        assert type(made) is type(template)

    def test_data_frames_keep_their_types(self) -> None:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame({"rate": [0.5, 0.25], "age": [20, 44]})
        labels = pandas.Series([0, 1], name="ill")
        made = alike((frame, labels), ([[0, 18]], [1]))
        assert list(made[0].dtypes) == list(frame.dtypes)
        assert made[1].name == "ill"
        towns = pandas.DataFrame({"town": pandas.Categorical(["Ulm", "Jena", "Bonn"]), "age": [20, 44, 30]})
        one = alike(towns, [["Ulm", 20]])
        assert one["town"].dtype == towns["town"].dtype  # all categories are known, whichever are there
        assert alike(towns["town"], ["Jena"]).dtype == towns["town"].dtype
        texts = np.array(["Ulm", "Jena"])
        assert alike(texts, ["Ulm"]).dtype == texts.dtype
        assert alike(texts, ["Freiburg"]).tolist() == ["Freiburg"]
        assert size_of(alike((frame, labels), ([], []))) == 0


class TestSchema:
    def test_columns_bounds_and_labels(self) -> None:
        found = schema_of((X, Y), ReplaceOne(Records.labelled(features=Records.bounded([0, 18], [1, 99]))))
        assert found is not None
        assert str(found.relation.records) == "features (0 to 1, 18 to 99 in whole numbers), labels one of (0, 1)"
        assert found.own_labels
        assert not found.own_rows
        assert found.relation.size == range(1, 7)

    def test_one_pair_of_bounds_is_for_every_column(self) -> None:
        found = schema_of((X / 100, Y), ReplaceOne(Records.bounded(0, 1)))
        assert found is not None
        assert str(found.relation.records) == "features (0 to 1, 0 to 1), labels one of (0, 1)"

    def test_without_bounds_records_are_rows_of_the_dataset(self) -> None:
        found = schema_of((X, Y), ReplaceOne())
        assert found is not None
        assert found.own_rows
        known = {tuple(row) for row in X.tolist()}
        question = asked(lambda d, rng: 0, dataset=(X, Y), neighbours=ReplaceOne())
        small = [pair for pair in question.pairs if size_of(pair.left) != 3]
        assert small
        assert all(
            tuple(row) in known for pair in small for side in (pair.left, pair.right) for row in side[0].tolist()
        )

    @pytest.mark.parametrize("shape", ["frame", "rows", "frame and labels"])
    def test_tables_with_texts_have_small_datasets_too(self, shape: str) -> None:
        """They had none: what shows in two rows of them was clean on sixty."""
        pandas = pytest.importorskip("pandas")
        rows = [(30, "Jena", 1.5), (41, "Bonn", None), (70, "Ulm", 0.5), (22, "Bonn", 2.5)] * 15
        frame = pandas.DataFrame(rows, columns=["age", "city", "income"])
        data = {"frame": frame, "rows": rows, "frame and labels": (frame, np.arange(60) % 2)}[shape]
        question = asked(lambda d, rng: 0, dataset=data, neighbours=ReplaceOne())
        small = [pair.left for pair in question.pairs if size_of(pair.left) < 60]
        assert small
        if shape != "rows":
            made = [dataset[0] if shape == "frame and labels" else dataset for dataset in small]
            assert all(list(one.columns) == list(frame.columns) for one in made)
            assert {text for one in made for text in one["city"]} <= {"Jena", "Bonn", "Ulm"}
            assert all(one["age"].dtype == frame["age"].dtype for one in made)

    @pytest.mark.turns(3)
    @pytest.mark.parametrize("broken", [True, False])
    def test_categories_taken_from_a_table_are_found(self, broken: bool, rng: np.random.Generator) -> None:
        pandas = pytest.importorskip("pandas")
        cities = ["Bonn", "Jena", "Ulm"]
        frame = pandas.DataFrame({"age": rng.integers(18, 90, 60), "city": rng.permutation(cities * 20)})

        def by_city(data: Any, rng: Any) -> dict[str, float]:
            counts = data["city"].value_counts()
            known = sorted(counts.index) if broken else cities
            return {city: float(counts.get(city, 0) + rng.laplace(scale=2.0)) for city in known}

        verdict = dpcheck.audit(
            by_city, 1.0, dataset=frame, max_samples=6_000, isolation="none", seed=int(rng.integers(2**32))
        )
        assert (verdict.status is Status.VIOLATED) is broken, str(verdict)

    @pytest.mark.parametrize("relation", [ReplaceOne(size=3), LabelsOnly(size=3), AddRemove(size=range(3, 5))])
    def test_a_relation_of_the_datasets_size_has_no_small_ones(self, relation: Any) -> None:
        assert schema_of((X, Y), relation) is None
        assert of_its_size(type(relation)(), (X, Y)).size == relation.size

    def test_small_datasets_keep_to_the_schema_and_come_first(self) -> None:
        question = asked(lambda d, rng: 0, dataset=(X, Y), neighbours=ReplaceOne(BOX))
        pairs = list(islice(question.candidates(), 200))
        own = [place for place, pair in enumerate(pairs) if size_of(pair.left) == 3 and pair.left[0] is X]
        assert own[0] == OWN_EVERY - 1
        assert {size_of(pair.left) for pair in pairs} == {1, 2, 3, 4, 5, 6}
        for pair in pairs:
            assert ReplaceOne(BOX).distance_problem(pair.left, pair.right) is None
            for side in (pair.left, pair.right):
                assert side[0].dtype == X.dtype
                assert side[1].dtype == Y.dtype
                assert (side[0][:, 1] == np.round(side[0][:, 1])).all()
                assert ((side[0] >= [0, 18]) & (side[0] <= [1, 99])).all()
        assert {tuple(sorted(set(pair.left[1].tolist()))) for pair in pairs} == {(0,), (1,), (0, 1)}

    @pytest.mark.turns(6)
    def test_a_claim_of_one_size_alone_is_not_refuted_on_another_unless_nobody_says_so(self) -> None:
        """At 1e-9: at the size of the dataset the noise is right; in small ones the mean of a record is too much."""

        def of_three(data: Any, rng: np.random.Generator) -> float:
            return float(np.mean(data[0][:, 0])) + rng.laplace(scale=1 / 3)

        def audited(**size: Any) -> dpcheck.Verdict:
            relation = ReplaceOne(BOX, **size)
            return dpcheck.audit(
                of_three, 1.0, dataset=(X, Y), neighbours=relation, isolation="none", max_samples=20_000, alpha=1e-9
            )

        loose, told = audited(), audited(size=3)
        assert loose.status is Status.VIOLATED
        assert "where it is of 3 records alone" in str(loose)
        assert told.status is not Status.VIOLATED
        assert not any(finding.kind == "sizes" for finding in told.findings)

    def test_a_size_that_is_not_the_datasets_leaves_its_own_pairs_out(self) -> None:
        question = asked(lambda d, rng: 0, dataset=(X, Y), neighbours=ReplaceOne(BOX, size=range(1, 3)))
        assert {size_of(pair.left) for pair in question.pairs} == {1, 2}
        assert not question.own
        assert "not of the declared size" in question.findings[0].detail
        assert "datasets of 1 or 2 records made like the dataset of 3 rows of 2 columns" in str(question.looked)


def asked(learner: Any, **changes: Any) -> Question:
    limited = {name: changes.pop(name) for name in list(changes) if name in Limits.__annotations__}
    limits = Limits(**{"alpha": 1e-6, "isolation": "none", **limited})
    return ask(learner, 1.0, measuring=False, small=True, limits=limits, **changes)


def wants_pair(dataset: Any, rng: Any) -> float:
    x, y = dataset
    return float(x[y == 1].sum() + rng.laplace())


def wants_attributes(dataset: Any, rng: Any) -> float:
    return float(dataset.X[dataset.y == 1].sum() + rng.laplace())


def wants_rows(dataset: Any, rng: Any) -> float:
    return float(sum(sum(x) for x, label in dataset if label == 1) + rng.laplace())


def wants_table(dataset: Any, rng: Any) -> float:
    return float(dataset[dataset[:, -1] == 1][:, :-1].sum() + rng.laplace())


def wants_frame(dataset: Any, rng: Any) -> float:
    return float(dataset.loc[dataset["ill"] == 1, ["rate", "age"]].to_numpy().sum() + rng.laplace())


class TestWhichForm:
    @pytest.mark.turns(6)
    @pytest.mark.parametrize(
        ("learner", "kind"),
        [
            (wants_pair, "pair"),
            (wants_attributes, "labelled"),
            (wants_rows, "rows"),
            (wants_table, "table"),
            (wants_frame, "frame"),
        ],
    )
    @pytest.mark.parametrize("seed", range(5))
    def test_the_form_in_which_it_answers_is_found(self, learner: Callable[..., float], kind: str, seed: int) -> None:
        if kind == "frame":
            pytest.importorskip("pandas")
        form = Form("auto", ["rate", "age"], "ill")
        for data in ({"dataset": (X, Y)}, {}):
            found = find_form(asked(learner, neighbours=ReplaceOne(BOX), form=form, seed=seed, **data))
            assert found.question.form is not None
            assert found.question.form.kind == kind
            assert not found.trouble
            (finding,) = [one for one in found.question.findings if one.kind == "form"]
            assert f"form {kind!r}" in finding.detail

    def test_a_learner_that_refuses_some_datasets_keeps_its_form(self) -> None:
        def both_classes(dataset: Any, rng: Any) -> float:
            if len(set(dataset.y.tolist())) < 2:
                raise ValueError("two classes wanted")
            return float(dataset.y.sum())

        found = find_form(asked(both_classes, neighbours=ReplaceOne(BOX), form="auto"))
        assert found.question.form is not None
        assert found.question.form.kind == "labelled"

    @pytest.mark.parametrize(("learner", "kind"), [(wants_pair, "pair"), (wants_rows, "rows")])
    def test_one_that_raises_now_and_then_keeps_its_form(
        self, learner: Callable[..., float], kind: str, seed: int
    ) -> None:
        """One call a form took the next one for it, in which what it leaks need not show."""

        def sometimes(dataset: Any, rng: np.random.Generator) -> float:
            if rng.random() < 0.3:
                raise RuntimeError("it did not converge")
            return learner(dataset, rng)

        found = find_form(asked(sometimes, neighbours=ReplaceOne(BOX), form="auto", seed=seed))
        assert found.question.form is not None
        assert found.question.form.kind == kind
        assert found.calls <= 3 * 4 * 3 + 3 * 16

    def test_records_of_several_columns_come_as_a_frame_where_nothing_else_is_answered(self) -> None:
        pytest.importorskip("pandas")

        def by_name(frame: Any, rng: Any) -> float:
            return float(frame["age"].sum() + rng.laplace())

        def by_place(frame: Any, rng: Any) -> float:
            return float(frame.iloc[:, 0].sum() + rng.laplace())

        form = asked_of(None, Given(columns="age,income", bounds=["0,1"])).form
        assert form == Form("auto", ["age", "income"])
        for relation in (ReplaceOne, AddRemove):
            columns = relation(Records.bounded([0, 0], [1, 1]))
            for learner, wanted in ((by_name, form), (by_place, None)):
                found = find_form(asked(learner, neighbours=columns, form=wanted))
                assert found.question.form is not None
                assert found.question.form.kind == "frame"
                assert "does not answer to table, rows" in found.question.findings[-1].detail

    def test_an_array_of_several_columns_is_told_since_a_learner_of_frames_may_take_it_for_one(self) -> None:
        def total(data: Any, rng: Any) -> Any:
            return data.sum() + rng.laplace(scale=2.0, size=2)

        found = find_form(asked(total, neighbours=ReplaceOne(Records.bounded([0, 0], [1, 1]))))
        assert "handed one array (form 'table'" in found.question.findings[-1].detail
        (data,) = found.question.handed([np.ones((3, 2))])
        assert data.shape == (3, 2)
        numbers = find_form(asked(total, neighbours=ReplaceOne(Records.bounded(0, 1))))
        assert (numbers.question.form, numbers.question.findings, numbers.calls) == (None, (), 0)

    def test_data_that_are_given_are_handed_over_as_they_are(self) -> None:
        assert find_form(asked(wants_pair, dataset=(X, Y), neighbours=ReplaceOne(BOX))).question.form is None
        assert find_form(asked(wants_pair, pairs=[((X, Y), (X, 1 - Y))])).calls == 0

    def test_datasets_that_tell_forms_apart(self) -> None:
        few, same, many = (X[:2], Y[:2]), (np.zeros((5, 2)), np.zeros(5)), (np.ones((100, 2)), np.ones(100))
        good = (np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1]))
        assert telling_datasets([few, many, same, good])[0] is good
        assert telling_datasets([few, many, same, good])[-1] is many

    def test_one_that_answers_in_none_is_told_in_one_line(self) -> None:
        def neither(dataset: Any, rng: Any) -> float:
            return float(dataset["no such"] + 0 * dataset.nothing)

        verdict = dpcheck.audit(
            neither, 1.0, neighbours=ReplaceOne(BOX), form="auto", isolation="none", max_samples=1000
        )
        assert verdict.status is Status.LEARNER_FAILED
        for words in ("answers in no form", "(X, y), two arrays: raises", ".X and .y", "rows", "one array"):
            assert words in verdict.failure or words == "rows"
        assert "\n" not in verdict.failure

    @pytest.mark.turns(6)
    def test_one_that_misses_a_column_is_told_which_there_are_and_how_to_name_them(self) -> None:
        def by_name(frame: Any, rng: Any) -> float:
            return float(frame["age"].sum() + rng.laplace(scale=9.0))

        def audited(form: Any) -> Any:
            return dpcheck.audit(
                by_name, 1.0, neighbours=ReplaceOne(BOX), form=form, isolation="none", max_samples=1000
            )

        verdict = audited("auto")
        assert verdict.status is Status.LEARNER_FAILED
        assert "a DataFrame, the label in its last column (columns x0, x1, label): raises KeyError" in verdict.failure
        (step,) = next_steps(verdict)
        assert "form=dpcheck.Form('frame', ['age', 'income'], 'outcome')" in step
        assert audited(dpcheck.Form("frame", ["age", "income"], "outcome")).status is not Status.LEARNER_FAILED


class Majority:
    """A noisy majority of labels, in one form of data, that declares its law; ``ratio`` is what the noise promises."""

    def __init__(self, labels: Callable[[Any], Any], ratio: int = 3, lying: bool = False) -> None:
        self.labels, self.ratio, self.lying = labels, ratio, lying

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(rng.random() < float(self.law(dataset)[1]) + (0.3 if self.lying else 0))

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        return self.law(dataset)

    def law(self, dataset: Any) -> dict[int, Fraction]:
        y = [int(label) for label in self.labels(dataset)]
        ahead = 2 * sum(y) - len(y)
        weight = Fraction(self.ratio) ** abs(ahead)
        likely = weight / (1 + weight)
        one = likely if ahead > 0 else 1 - likely
        return {0: 1 - one, 1: one}


class TestDeclaredLaws:
    """A law is asked for, and compared with calls, in the form in which the learner answers."""

    NEIGHBOURS = ReplaceOne(Records.labelled(features=[0, 1], labels=[0, 1]), size=3)
    FORMS: ClassVar[dict[str, Callable[[Any], Any]]] = {
        "pair": lambda data: np.asarray(data[1])[:, None].ravel(),
        "labelled": lambda data: data.y.tolist(),
        "rows": lambda data: [label for _, label in data],
        "table": lambda data: data[:, -1].tolist(),
        "frame": lambda data: data.iloc[:, -1].tolist(),
    }

    @pytest.mark.turns(6)
    @pytest.mark.parametrize("form", FORMS)
    def test_the_form_is_found(self, form: str) -> None:
        if form == "frame":
            pytest.importorskip("pandas")
        learner = Majority(self.FORMS[form])
        verdict = dpcheck.audit(learner, dpcheck.PureDP(ratio=9), neighbours=self.NEIGHBOURS, max_samples=9000)
        assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
        assert verdict.exact is not None
        # one label moves ahead from -1 to 1: the probability of 1 goes from 1/4 to 3/4
        broken = dpcheck.audit(
            learner, dpcheck.PureDP(ratio=Fraction(5, 2)), neighbours=self.NEIGHBOURS, max_samples=9000
        )
        assert broken.status is Status.VIOLATED, str(broken)

    @pytest.mark.turns(4)
    def test_every_pair_of_a_finite_domain(self) -> None:
        learner = Majority(self.FORMS["labelled"])
        verdict = dpcheck.audit(learner, dpcheck.PureDP(ratio=9), neighbours=self.NEIGHBOURS, exhaustive=True)
        assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
        assert any(finding.kind == "form" and ".y" in finding.detail for finding in verdict.findings)

    def test_a_form_that_is_asked_for_is_used(self) -> None:
        options: dict[str, Any] = {"neighbours": self.NEIGHBOURS, "max_samples": 9000}
        taken = dpcheck.audit(Majority(self.FORMS["table"]), dpcheck.PureDP(ratio=9), form="table", **options)
        assert taken.status is Status.NO_VIOLATION_FOUND, str(taken)
        refused = dpcheck.audit(Majority(self.FORMS["labelled"]), dpcheck.PureDP(ratio=9), form="table", **options)
        assert refused.status is Status.LEARNER_FAILED

    @pytest.mark.turns(4)
    def test_a_law_that_is_not_that_of_the_calls_is_found_in_its_form(self) -> None:
        learner = Majority(self.FORMS["labelled"], lying=True)
        verdict = dpcheck.audit(learner, dpcheck.PureDP(ratio=9), neighbours=self.NEIGHBOURS, max_samples=20_000)
        assert verdict.status is not Status.NO_VIOLATION_FOUND, str(verdict)
        assert "not the law of its calls" in str(verdict)

    def test_what_takes_no_form_fails_with_its_own_words(self) -> None:
        verdict = dpcheck.audit(
            Majority(lambda data: data.no_such_name), dpcheck.PureDP(1.0), neighbours=self.NEIGHBOURS, max_samples=2000
        )
        assert verdict.status is Status.LEARNER_FAILED
        assert "no_such_name" in verdict.failure


class TestPlanned:
    def test_labelled_searches_and_datasets_end_by_calls(self) -> None:
        assert asked(wants_pair, neighbours=ReplaceOne(BOX)).planned
        assert asked(wants_pair, dataset=(X, Y), neighbours=ReplaceOne(BOX)).max_samples == 150_000
        given = asked(wants_pair, dataset=(X, Y), neighbours=ReplaceOne(BOX), max_samples=500, max_seconds=7.0)
        assert (given.planned, given.max_samples, given.max_seconds) == (False, 500, 7.0)
        plain = asked(lambda d, rng: 0, neighbours=ReplaceOne(records=(0, 1)))
        assert (plain.planned, plain.max_samples, plain.max_seconds) == (False, 1_000_000, 60.0)

    @pytest.mark.parametrize(
        ("calls", "detectable", "had"),
        [(7_999, 1.5, False), (8_100, 2.01, False), (8_100, 2.0, True), (16_000, 9.0, True)],
    )
    def test_no_pair_leads_before_each_has_what_its_own_outputs_take(
        self, calls: int, detectable: float, had: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A correct mean had 8,197 calls on one pair, a leak of 2.009 there, and 94,646 on the one that led."""
        monkeypatch.setattr(certification, "detectable_on", lambda state, place: SimpleNamespace(epsilon=detectable))
        pair = SimpleNamespace(game=SimpleNamespace(calls=calls, shape=None))
        run = SimpleNamespace(
            state=SimpleNamespace(pairs=[pair]), question=SimpleNamespace(detect=2.0), reached={},
            needed_calls=lambda place, shape: 8_000,
        )  # fmt: skip
        assert certification._has_had_its_calls(run, 0) is had


class TestPapersClaims:
    """What is promised of a learner is run on data in its form, too."""

    @pytest.mark.parametrize("form", [None, "auto"])
    def test_failure_rates(self, form: str | None) -> None:
        def from_pair(dataset: Any, rng: Any) -> Any:
            x, y = dataset[0], dataset[1]  # no Labelled: it has no items
            return x[y == 1].min() if y.any() else 100

        found = dpcheck.failure_rate(
            from_pair, UniformGrid(100), sizes={"private": 100}, accuracy=0.1, failure=0.05, isolation="none", form=form
        )
        assert found.verdict == "holds"
        assert found.errors == 0

    def test_a_form_that_is_asked_for(self) -> None:
        with pytest.raises(InvalidArgument, match=r"has no attribute 'x'"):
            dpcheck.failure_rate(
                lambda dataset, rng: dataset.x[0], UniformGrid(100), sizes={"private": 9}, accuracy=0.1,
                failure=0.05, isolation="none", form="table",
            )  # fmt: skip

    @pytest.mark.turns(6)
    def test_privacy_checks(self) -> None:
        broken = PrivacyCheck(
            "mine:thm", "it is 1-private", wants_attributes, 0.2, neighbours=ReplaceOne(BOX, size=range(1, 3))
        )
        assert broken.check(0).word == "contradicted"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    rows = [f"{a:.2f},{b:.2f},{c:.2f},{int(a > b)}" for a, b, c in rng.random((60, 3))]
    (tmp_path / "data.csv").write_text("\n".join(["age,income,score,outcome", *rows]) + "\n")
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, dict[str, Any], str]:
    command = [sys.executable, "-m", "dpcheck", "audit", *arguments, "--quiet", "--json", "out.json"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    out = folder / "out.json"
    records = json.loads(out.read_text()).get("records", []) if out.exists() else []
    return ran.returncode, records[0]["verdict"] if records else {}, ran.stdout + ran.stderr


class TestCommandLine:
    """Through the door, with learners that a stranger wrote: nothing says in which form they want their data."""

    @pytest.mark.turns(6)
    def test_a_stump_on_rows_is_refuted_and_shrunk_to_one_record(self, folder: Path) -> None:
        target = f"{LEARNERS}:StumpWithAQuarterOfTheNoise"
        file = ("--dataset", "data.csv", "--label", "outcome", "--bounds", "0,1")
        status, verdict, text = run(folder, target, "--epsilon", "1", *file, "--size", "1..4")
        assert (status, verdict["status"]) == (1, "violated"), text
        assert "Looked at: records with features 0 to 1 in each of 3 columns, labels" in text
        assert "the labels as in the dataset: none were declared" in text
        assert "form 'rows'" in text
        assert verdict["witness"]["left"].count("(0") <= 2

    @pytest.mark.turns(4)
    def test_a_data_frame_needs_no_file(self, folder: Path) -> None:
        pytest.importorskip("pandas")
        (folder / "mine.py").write_text(
            "def leaks(dataset, rng):\n"
            "    return float(dataset['age'][dataset['outcome'] == 1].sum() + rng.laplace(scale=0.2))\n"
        )
        schema = ("--columns", "age,income", "--label", "outcome", "--labels", "0,1", "--bounds", "0,1")
        calls = ("--size", "1..3", "--no-shrink", "--max-samples", "8000")
        status, _, text = run(folder, "mine.py:leaks", "--epsilon", "1", *schema, *calls)
        assert status == 1, text
        assert "form 'frame'" in text

    @pytest.mark.turns(6)
    def test_one_column_and_one_pair_of_bounds_is_enough(self, folder: Path) -> None:
        (folder / "mine.py").write_text(
            "def leaks(dataset, rng):\n    return float(dataset.X[dataset.y == 1].sum() + rng.laplace(scale=0.2))\n"
        )
        status, verdict, text = run(folder, "mine.py:leaks", "--epsilon", "1", "--labels", "0,1", "--bounds", "0,1")
        assert (status, verdict["status"]) == (1, "violated"), text

    @pytest.mark.turns(4)
    def test_dry_runs_and_forms_that_are_asked_for(self, folder: Path) -> None:
        (folder / "mine.py").write_text(
            "def table(dataset, rng):\n    return float(dataset[:, -1].sum() + rng.laplace())\n"
        )
        file = ("--dataset", "data.csv", "--label", "outcome", "--bounds", "0,1", "--form", "table", "--dry-run")
        status, _, text = run(folder, "mine.py:table", "--epsilon", "1", *file)
        assert status == 0, text

    def test_what_cannot_be(self, folder: Path) -> None:
        refused: list[tuple[dict[str, Any], str]] = [
            ({"columns": "3", "dataset": str(folder / "data.csv"), "bounds": ["0,1"]}, "a dataset has its own"),
            ({"columns": "3"}, "give --bounds too"),
            ({"columns": "0", "bounds": ["0,1"]}, "--columns must be from 1"),
            ({"columns": "a,a", "bounds": ["0,1"]}, "each once"),
            ({"columns": "3", "bounds": ["0,1", "0,2"]}, r"once per column \(3\), got 2"),
        ]
        for changes, words in refused:
            with pytest.raises(InvalidArgument, match=words):
                asked_of(None, Given(**changes))

    def test_headers_give_names(self, folder: Path) -> None:
        file = str(folder / "data.csv")
        assert header_of(file, "outcome") == (("age", "income", "score"), "outcome")
        assert header_of(file, "1") == (("age", "score", "outcome"), "income")


def by_place(rows: Any, rng: np.random.Generator) -> float:
    return float(sum(row[1] for row in rows) + rng.laplace())


def both(data: Any, rng: np.random.Generator) -> float:
    x, y = data
    return float(sum(y) + 0.0 * sum(x) + rng.laplace())


@pytest.mark.some(2)
@pytest.mark.parametrize("isolation", ["none", "process"])
@pytest.mark.parametrize(("learner", "words"), [
    (by_place, "the learner is handed a list of (x, label) (form 'rows'; it does not answer to as made"),
    (both, "the learner is handed (X, y) as made, a list and a list (which is tried first"),
])  # fmt: skip
def test_rows_that_are_picked_by_place_are_rows(learner: Any, words: str, isolation: str, seed: int) -> None:
    """A pair of two records answers to ``row[1]`` too, and would be its labels: a correct learner was violated."""
    relation = ReplaceOne(Records.labelled(features=(0.0, 1.0), labels=[0, 1]))
    verdict = dpcheck.audit(learner, 1.0, neighbours=relation, max_samples=20_000, isolation=isolation, seed=seed)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert words in str(verdict)


@pytest.mark.parametrize("kind", ["pair", "rows", "frame", "table"])
def test_a_learner_that_refuses_one_record_keeps_its_form_after_few_calls(kind: str, seed: int) -> None:
    def refuses(data: Any, rng: np.random.Generator) -> float:
        if kind == "pair":
            x, y = data
            total, size = float(np.sum(x) + np.sum(y)), len(y)
        elif kind == "rows":
            total, size = sum(float(x[0]) + y for x, y in data), len(data)
        elif kind == "frame":
            total, size = float(data["x0"].sum()), len(data)
        else:
            total, size = float(data[:, -1].sum()), len(data)
        if size < 2:
            raise ValueError("two records or more")
        return total + float(rng.laplace(scale=9.0))

    records = Records.labelled(features=Records.bounded([0.0] * 3, [1.0] * 3), labels=[0, 1])
    found = find_form(asked(refuses, neighbours=ReplaceOne(records), seed=seed))
    assert not found.trouble
    assert found.question.form is None if kind == "pair" else found.question.form == Form(kind), found
    assert found.calls < 130
    if kind == "pair":
        records = Records.labelled(features=(0.0, 1.0), labels=[0, 1])
        assert find_form(asked(refuses, neighbours=ReplaceOne(records), seed=seed)).calls <= 10


MIXED = """
import numpy as np

def ranked(data, rng):
    x, y = np.asarray(data[0], float)[:, 0], np.asarray(data[1])
    return float(np.sum(x[y == 1][:, None] < x[y == 0][None, :]) + rng.laplace())

def peaked(data, rng):
    x = np.asarray(data[0], float)[:, 0]
    return float(np.exp(-((x - 0.5) ** 2) / 0.02).sum() + rng.laplace(scale=0.25))
"""


@pytest.mark.turns(6)
@pytest.mark.parametrize("learner", ["ranked", "peaked"])
def test_what_leaks_on_mixed_data_alone_is_found_by_the_command_line(tmp_path: Path, learner: str, seed: int) -> None:
    """With all left to defaults, which tried extreme pairs alone."""
    (tmp_path / "mine.py").write_text(MIXED)
    command = [sys.executable, "-m", "dpcheck", "audit", f"mine.py:{learner}", "--epsilon", "1", "--columns", "1"]
    ran = subprocess.run(
        [*command, "--labels", "0,1", "--bounds", "0.0,1.0", "--no-shrink", "--seed", str(seed)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr


def says_of_sixty(dataset: Any, rng: Any) -> float:
    _, labels = dataset
    return float(np.sum(labels) >= 60)


def noisy_share_of_labels(dataset: Any, rng: Any) -> int:
    labels = dataset[1]
    return int(np.mean(labels) + rng.laplace(scale=1.0 / len(labels)) > 2.5)


@pytest.mark.parametrize("learner", [says_of_sixty, noisy_share_of_labels])
@pytest.mark.parametrize("size", [None, 2, 30])
def test_a_learner_of_pairs_that_answers_alike_keeps_its_form(learner: Any, size: int | None, seed: int) -> None:
    """In another form junk may vary, and be taken for a leak."""
    relation = ReplaceOne(
        records=Records.labelled(features=Records.bounded([0, 18], [1, 99]), labels=[0, 1]), size=size
    )
    found = find_form(asked(learner, neighbours=relation, seed=seed))
    assert found.question.form is None, found

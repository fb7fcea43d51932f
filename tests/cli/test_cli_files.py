"""Datasets, pairs, settings and values of the command line: what is read, and what is refused."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcheck.cli import arrays, datasets
from dpcheck.cli.app import run
from dpcheck.cli.asked import asked_of, claim_of
from dpcheck.cli.audit_command import audit
from dpcheck.cli.datasets import load_dataset
from dpcheck.cli.options import Claimed, Given, Setting, settings_of
from dpcheck.cli.pairs_file import load_pairs
from dpcheck.cli.settings import defaults_for, read_settings
from dpcheck.cli.values import declared_records, parse_bounds, parse_options, parse_value, parse_values
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument


def refused(act: Callable[[], Any], *words: str) -> None:
    """The act raises InvalidArgument, in one line that holds the words."""
    with pytest.raises(InvalidArgument) as caught:
        act()
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def csv_file(folder: Path, text: str | bytes) -> str:
    path = folder / "data.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def no_question(**changes: Any) -> Any:
    return asked_of(None, Given(**changes))


class TestCsv:
    @pytest.mark.parametrize(
        "text", ["a,b\n1,2\n3,4\n", "1,2\n3,4\n", "a;b\r\n1;2\r\n3;4\r\n", "\ufeffa,b\n1,2\n\n3,4"]
    )
    def test_a_table_is_read_with_or_without_header(self, tmp_path: Path, text: str) -> None:
        assert load_dataset(csv_file(tmp_path, text), None).tolist() == [[1, 2], [3, 4]]

    def test_one_column_is_a_flat_array(self, tmp_path: Path) -> None:
        assert load_dataset(csv_file(tmp_path, "age\n1\n2\n"), None).tolist() == [1, 2]

    @pytest.mark.parametrize("label", ["ill", "1", "-2"])
    def test_the_label_column_is_found_by_name_or_number(self, tmp_path: Path, label: str) -> None:
        x, y = load_dataset(csv_file(tmp_path, "age,ill,dose\n40,1,0.5\n50,0,0.7\n"), label)
        assert x.tolist() == [[40, 0.5], [50, 0.7]]
        assert y.tolist() == [1, 0]
        assert y.dtype == np.int64

    def test_labels_that_are_no_whole_numbers_stay_as_they_are(self, tmp_path: Path) -> None:
        _, y = load_dataset(csv_file(tmp_path, "x,y\n1,0.5\n2,1\n"), "y")
        assert y.tolist() == [0.5, 1.0]

    @pytest.mark.parametrize(
        ("text", "label"),
        [("age,ill\n40,yes\n50,no\n", "ill"), ("40,yes\n50,no\n", "1"), ("40; yes\n50;no\n", "-1")],
    )
    def test_labels_may_be_text(self, tmp_path: Path, text: str, label: str) -> None:
        x, y = load_dataset(csv_file(tmp_path, text), label)
        assert x.tolist() == [[40], [50]]
        assert y.tolist() == ["yes", "no"]

    def test_labels_are_text_where_one_of_them_is(self, tmp_path: Path) -> None:
        assert load_dataset(csv_file(tmp_path, "x,y\n1,2\n2,b\n"), "y")[1].tolist() == ["2", "b"]

    @pytest.mark.parametrize("missing", ["", "nan", "NA"])
    def test_a_label_that_is_missing_is_refused(self, tmp_path: Path, missing: str) -> None:
        for other in ("yes", "1"):
            path = csv_file(tmp_path, f"x,y\n1,{other}\n2,{missing}\n")
            refused(lambda path=path: load_dataset(path, "y"), "line 3", "column 'y'", "must be a label")

    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    def test_a_table_with_texts_is_a_data_frame(self, tmp_path: Path, separator: str) -> None:
        pandas = pytest.importorskip("pandas")
        rows = (("x", " job", "y"), ("1", "nurse", "no"), ("2", "", "yes"), ("", "cook", "no"))
        path = csv_file(tmp_path, "\n".join(separator.join(row) for row in rows))
        read = pandas.read_csv(path, sep=separator).rename(columns=str.strip)
        pandas.testing.assert_frame_equal(load_dataset(path, None), read)
        for label, name in (("y", "y"), ("-1", "y"), ("job", "job")):
            if name == "job":
                refused(lambda: load_dataset(path, "job"), "line 3", "must be a label")
                continue
            x, y = load_dataset(path, label)
            pandas.testing.assert_frame_equal(x, read.drop(columns=name))
            assert y.tolist() == ["no", "yes", "no"]

    def test_texts_without_pandas_are_refused_with_what_to_do(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(datasets, "has_pandas", lambda: False)
        path = csv_file(tmp_path, "x,y\n1,yes\n")
        refused(
            lambda: load_dataset(path, None), "column 'y'", "give --label y if it is the label", "dpcheck[dataframe]"
        )
        refused(lambda: load_dataset(path, "x"), "column 'y'", "'yes'")

    def test_a_table_with_texts_needs_names(self, tmp_path: Path) -> None:
        for text in ("30,nurse\n40,cook\n", "30,\n40,cook\n", "1,2\n3,x\n"):
            refused(lambda text=text: load_dataset(csv_file(tmp_path, text), None), "line 1", "name the columns")

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("1,2\n3,inf\n", ["line 2", "column 1", "or empty where it is missing", "'inf'"]),
            ("a\n1\n-inf\n", ["line 3", "finite number", "'-inf'"]),
            ("a,b\n1,\n2,NA\n", ["a number in each column", "column 'b'"]),
            ("1,2,\n3,4,\n", ["a number in each column", "column 2"]),
            ("1,2\n3,4\n,NA\n", ["line 3", "2 cells that are missing"]),
            ("a,b\n1,2\n3\n", ["line 3", "2 cells", "got 1"]),
            ("a,b\n", ["nothing below its header"]),
            ("", ["empty file"]),
            (b"a\n\xff\n", ["UTF-8", "byte 2"]),
            ("a\n" + "1" * 200_000 + "\n", ["CSV"]),
        ],
    )
    def test_what_is_no_table_of_numbers_is_refused_with_its_place(
        self, tmp_path: Path, text: str | bytes, words: list[str]
    ) -> None:
        refused(lambda: load_dataset(csv_file(tmp_path, text), None), *words)

    @pytest.mark.parametrize("missing", ["", "nan", "NA", " null "])
    def test_a_cell_may_be_missing(self, tmp_path: Path, missing: str) -> None:
        table = load_dataset(csv_file(tmp_path, f"a,b\n1,2\n3,{missing}\n"), None)
        assert np.array_equal(table, [[1, 2], [3, np.nan]], equal_nan=True)
        headless = load_dataset(csv_file(tmp_path, f"1,{missing}\n3,4\n"), None)
        assert np.array_equal(headless, [[1, np.nan], [3, 4]], equal_nan=True)

    def test_a_column_without_numbers_is_named_beside_the_label(self, tmp_path: Path) -> None:
        for label, named in ((0, 1), (1, 0), (2, 1)):
            row = ["5,,7", ",5,7", "5,,7"][label]
            path = csv_file(tmp_path, f"{row}\n{row}\n")
            refused(lambda path=path, label=label: load_dataset(path, str(label)), f"column {named}")

    def test_a_label_that_is_no_column_is_refused_with_the_nearest(self, tmp_path: Path) -> None:
        path = csv_file(tmp_path, "age,diagnosis\n1,0\n")
        refused(lambda: load_dataset(path, "diagnosys"), "--label", "did you mean 'diagnosis'")
        refused(lambda: load_dataset(path, "2"), "--label", "from 0 to 1")
        refused(lambda: load_dataset(csv_file(tmp_path, "1,2\n"), "age"), "no header")
        refused(lambda: load_dataset(csv_file(tmp_path, "a\n1\n"), "a"), "at least two columns")


class TestArrays:
    def test_npy_and_npz_are_read(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", [[1.0, 0.0], [2.0, 1.0]])
        np.savez(tmp_path / "one.npz", only=[1, 2])
        np.savez(tmp_path / "two.npz", X=[[1.0], [2.0]], y=[0, 1])
        np.savez(tmp_path / "named.npz", features=[[1.0], [2.0]], ill=[0, 1])
        assert load_dataset(str(tmp_path / "a.npy"), None).shape == (2, 2)
        assert load_dataset(str(tmp_path / "a.npy"), "1")[1].tolist() == [0, 1]
        assert load_dataset(str(tmp_path / "one.npz"), None).tolist() == [1, 2]
        assert load_dataset(str(tmp_path / "two.npz"), None)[1].tolist() == [0, 1]
        assert load_dataset(str(tmp_path / "named.npz"), "ill")[1].tolist() == [0, 1]
        refused(lambda: load_dataset(str(tmp_path / "named.npz"), None), "features, ill")
        refused(lambda: load_dataset(str(tmp_path / "named.npz"), "il"), "did you mean 'ill'")

    def test_python_objects_are_never_unpickled(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", np.array([{}], dtype=object), allow_pickle=True)
        np.savez(tmp_path / "a.npz", a=np.array([{}], dtype=object))
        refused(lambda: load_dataset(str(tmp_path / "a.npy"), None), "--dataset", "Python objects")
        refused(lambda: load_dataset(str(tmp_path / "a.npz"), None), "--dataset", "Python objects")

    @pytest.mark.parametrize("name", ["a.npy", "a.npz"])
    @pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04", b"\x93NUMPY\x01\x00\xff\xff"])
    def test_files_that_are_none_of_numpys_are_refused(self, tmp_path: Path, name: str, content: bytes) -> None:
        (tmp_path / name).write_bytes(content)
        refused(lambda: load_dataset(str(tmp_path / name), None), "--dataset", name)

    def test_text_infinities_and_single_numbers_are_refused(self, tmp_path: Path) -> None:
        for content, word in ((["a"], "dtype"), ([1.0, np.inf], "at (1,)"), (1.0, "first axis")):
            np.save(tmp_path / "a.npy", content)
            refused(lambda: load_dataset(str(tmp_path / "a.npy"), None), word)
        np.save(tmp_path / "a.npy", [np.inf])
        with pytest.raises(InvalidArgument) as told:
            load_dataset(str(tmp_path / "a.npy"), None)
        assert str(told.value).count("a.npy") == 1

    def test_numbers_may_be_missing_and_labels_may_not(self, tmp_path: Path) -> None:
        np.save(tmp_path / "a.npy", [[1.0, np.nan], [np.nan, 0.0]])
        assert np.isnan(load_dataset(str(tmp_path / "a.npy"), None)).sum() == 2
        refused(lambda: load_dataset(str(tmp_path / "a.npy"), "1"), "label per record", "record 0")
        np.save(tmp_path / "b.npy", [[1.0, np.nan], [2.0, np.nan]])
        refused(lambda: load_dataset(str(tmp_path / "b.npy"), None), "a number in each column", "column 1")
        np.savez(tmp_path / "b.npz", X=np.zeros((0, 2)), y=np.zeros(0))
        assert len(load_dataset(str(tmp_path / "b.npz"), None)[1]) == 0
        np.savez(tmp_path / "a.npz", X=[[np.nan], [2.0]], y=[1.0, np.nan])
        refused(lambda: load_dataset(str(tmp_path / "a.npz"), None), "label per record", "record 1")

    def test_labels_are_one_per_record(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "a.npz", X=[1.0, 2.0], y=[1])
        refused(lambda: load_dataset(str(tmp_path / "a.npz"), None), "label per record")

    def test_a_file_that_unfolds_to_too_much_is_refused_unread(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        np.savez_compressed(tmp_path / "a.npz", a=np.zeros(10_000))
        monkeypatch.setattr(arrays, "MAX_UNFOLDED_BYTES", 10_000)
        refused(lambda: arrays.arrays_from_npz("--pairs", tmp_path / "a.npz"), "unfold")
        monkeypatch.setattr(arrays, "MAX_FILE_BYTES", 10)
        refused(lambda: load_pairs(tmp_path / "a.npz"), "at most 10 bytes")

    @pytest.mark.parametrize("name", ["t.csv", "t.npy"])
    def test_a_table_of_too_many_columns_is_refused(self, tmp_path: Path, name: str) -> None:
        table = np.full((2, 20_001), 0.5)
        if name == "t.npy":
            np.save(tmp_path / name, table)
        else:
            np.savetxt(tmp_path / name, table, delimiter=",")
        with pytest.raises(InvalidArgument, match=r"--dataset must have at most 20,000 columns, got .* of 20,001"):
            load_dataset(str(tmp_path / name), None)

    def test_files_that_are_not_there_are_refused_with_the_nearest(self, tmp_path: Path) -> None:
        csv_file(tmp_path, "1\n")
        refused(lambda: load_dataset(str(tmp_path / "dara.csv"), None), "did you mean 'data.csv'")
        refused(lambda: load_dataset(str(tmp_path / "none" / "a.npy"), None), "must be a file that exists")
        refused(lambda: load_dataset(str(tmp_path), None), "file.csv, file.npz")
        refused(lambda: load_dataset("data.xlsx", None), "file.csv, file.npz")


class TestSklearn:
    def test_a_dataset_by_name(self) -> None:
        x, y = load_dataset("sklearn:iris", None)
        assert x.shape == (150, 4)
        assert len(y) == 150

    def test_other_names_and_labels_are_refused(self) -> None:
        refused(lambda: load_dataset("sklearn:breast_canser", None), "did you mean 'breast_cancer'")
        refused(lambda: load_dataset("sklearn:iris", "target"), "--label")


class TestPairs:
    def pairs(self, folder: Path, **named: Any) -> list[tuple[Any, Any]]:
        np.savez(folder / "p.npz", **named)
        return load_pairs(folder / "p.npz")

    def test_stacked(self, tmp_path: Path) -> None:
        first, second = self.pairs(tmp_path, left=[[1, 2], [3, 4]], right=[[0, 2], [3, 0]])
        assert [side.tolist() for side in first] == [[1, 2], [0, 2]]
        assert [side.tolist() for side in second] == [[3, 4], [3, 0]]

    def test_numbered_in_the_order_of_their_numbers(self, tmp_path: Path) -> None:
        made = self.pairs(tmp_path, left_10=[3], right_10=[4], left_2=[1, 2], right_2=[1])
        assert [left.tolist() for left, _ in made] == [[1, 2], [3]]

    def test_labelled(self, tmp_path: Path) -> None:
        ((left, right),) = self.pairs(
            tmp_path, left_x=[[[1.0], [2.0]]], left_y=[[0, 1]], right_x=[[[1.0], [3.0]]], right_y=[[0, 1]]
        )
        assert isinstance(left, tuple)
        assert right[0].tolist() == [[1.0], [3.0]]
        ((left, _),) = self.pairs(tmp_path, left_0_x=[[1.0]], left_0_y=[0], right_0_x=[[1.0]], right_0_y=[1])
        assert left[1].tolist() == [0]

    @pytest.mark.parametrize(
        ("arrays", "word"),
        [
            ({"left": [[1]]}, "both sides of pair 1 (left_0, right_0)"),
            ({"left": [[1], [2]], "right": [[1]]}, "both sides of pair 2"),
            ({"left": [1], "right": [2]}, "left[None]"),
            ({"lefts": [[1]], "right": [[1]]}, "'lefts'"),
            ({"left": [[1]], "right": [[1]], "left_0": [1]}, "twice"),
            ({"left_0_x": [[1]], "right_0": [1]}, "got x on the left"),
            (
                {"left_0_x": [[1]], "left_0_y": [1, 2], "right_0_x": [[1]], "right_0_y": [1]},
                "label per record",
            ),
            ({}, "got none"),
        ],
    )
    def test_what_is_not_pairs_is_refused(self, tmp_path: Path, arrays: dict[str, Any], word: str) -> None:
        refused(lambda: self.pairs(tmp_path, **arrays), "--pairs", word)


class TestSettings:
    KNOWN = {  # noqa: RUF012
        "audit": {"alpha": Setting(), "bounds": Setting(commas=True, several=True), "max_samples": Setting()},
        "zoo": {"alpha": Setting()},
    }

    def test_no_file_and_no_table_are_no_settings(self, tmp_path: Path) -> None:
        assert read_settings(tmp_path, self.KNOWN) == {}
        (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
        assert read_settings(tmp_path, self.KNOWN) == {}

    def test_settings_go_to_the_commands_that_have_them(self, tmp_path: Path) -> None:
        (tmp_path / "pyproject.toml").write_text("[tool.dpcheck]\nalpha = 1e-9\nmax-samples = 5\nbounds = ['0,1']\n")
        assert defaults_for(read_settings(tmp_path, self.KNOWN), self.KNOWN) == {
            "audit": {"alpha": 1e-9, "max_samples": 5, "bounds": ["0,1"]},
            "zoo": {"alpha": 1e-9},
        }

    def test_the_nearest_file_upwards_is_read_and_none_beyond_the_repository(self, tmp_path: Path) -> None:
        below = tmp_path / "repository" / "package" / "deep"
        below.mkdir(parents=True)
        (tmp_path / "pyproject.toml").write_text("[tool.dpcheck]\nalpha = 0.5\n")
        assert read_settings(below, self.KNOWN) == {"alpha": 0.5}
        (tmp_path / "repository" / ".git").mkdir()
        assert read_settings(below, self.KNOWN) == {}
        (tmp_path / "repository" / "pyproject.toml").write_text("[tool.dpcheck]\nalpha = 0.25\n")
        assert read_settings(below, self.KNOWN) == {"alpha": 0.25}
        (below.parent / "pyproject.toml").write_text("[project]\nname = 'x'\n")
        assert read_settings(below, self.KNOWN) == {}

    def test_paths_start_at_the_folder_of_the_file(self, tmp_path: Path) -> None:
        known = {"audit": settings_of(audit)}
        (tmp_path / "pyproject.toml").write_text(
            "[tool.dpcheck]\ntargets = ['mine.py:f', 'zoo:laplace']\ndataset = 'data.csv'\nseed = 3\n"
        )
        (tmp_path / "below").mkdir()
        assert read_settings(tmp_path / "below", known) == {
            "targets": ["../mine.py:f", "zoo:laplace"],
            "dataset": "../data.csv",
            "seed": 3,
        }
        assert read_settings(tmp_path, known)["dataset"] == "data.csv"
        (tmp_path / "pyproject.toml").write_text("[tool.dpcheck]\ndataset = 'sklearn:iris'\n")
        assert read_settings(tmp_path / "below", known) == {"dataset": "sklearn:iris"}

    @pytest.mark.parametrize(
        ("written", "given"),
        [
            ("[0, 1]", ["0,1"]),
            ("[[0, 1], [0, 5.5]]", ["0,1", "0,5.5"]),
            ("['0,1', '0,5']", ["0,1", "0,5"]),
            ("['0,1']", ["0,1"]),
            ("'-1,1'", ["-1,1"]),
        ],
    )
    def test_bounds_are_text_or_numbers(self, tmp_path: Path, written: str, given: list[str]) -> None:
        (tmp_path / "pyproject.toml").write_text(f"[tool.dpcheck]\nbounds = {written}\n")
        assert defaults_for(read_settings(tmp_path, self.KNOWN), self.KNOWN)["audit"] == {"bounds": given}

    def test_records_and_labels_may_be_lists(self) -> None:
        known = {"audit": settings_of(Given)}
        settings = {"records": [0, 1], "labels": ["yes", "no"]}
        assert defaults_for(settings, known)["audit"] == {"records": "0,1", "labels": "yes,no"}
        refused(lambda: defaults_for({"records": [[0, 1]]}, known), "records must be a list of values")

    @pytest.mark.parametrize(
        ("table", "word"),
        [
            ("[tool.dpcheck]\nalhpa = 1\n", "did you mean 'alpha'"),
            ("[tool.dpcheck]\nalpha = [1]\n", "one value"),
            ("[tool.dpcheck]\nalpha = {a = 1}\n", "must be a string"),
            ("[tool.dpcheck]\nmax-samples = 1\nmax_samples = 2\n", "twice"),
            ("[tool]\ndpcheck = 3\n", "must be a table"),
            ("[tool.dpcheck\n", "must be TOML"),
            ("[tool.dpcheck]\nalpha = 1e-400\n", "alpha must be what a double holds, got 1e-400 is too small"),
            ("[tool.dpcheck]\nbounds = [[0, 1], [0, 1e400]]\n", "bounds must be what a double holds"),
        ],
    )
    def test_what_no_command_can_use_is_refused(self, tmp_path: Path, table: str, word: str) -> None:
        (tmp_path / "pyproject.toml").write_text(table)
        refused(lambda: defaults_for(read_settings(tmp_path, self.KNOWN), self.KNOWN), word)


class TestValues:
    def test_literals_are_read_and_nothing_is_evaluated(self) -> None:
        assert parse_value("__import__('os').getcwd()") == "__import__('os').getcwd()"
        assert parse_value("None") is None
        assert parse_value("(" * 5_000) == "(" * 5_000
        refused(lambda: parse_value("1" * 20_000), "10000 characters")

    def test_options_are_key_value(self) -> None:
        assert parse_options(["a=1", "b=x=y"]) == {"a": 1, "b": "x=y"}
        refused(lambda: parse_options(["a"]), "KEY=VALUE", "'a'")
        refused(lambda: parse_options(["1a=2"]), "KEY=VALUE")
        refused(lambda: parse_options(["a=1", "a=2"]), "twice")

    def test_values_and_bounds(self) -> None:
        assert parse_values("--records", "0, 1,x") == [0, 1, "x"]
        refused(lambda: parse_values("--records", "0,,1"), "--records")
        for text in ("1", "1,0", "a,b", "0,inf", "0,1,2"):
            refused(lambda text=text: parse_bounds("--bounds", text), "--bounds", "LOW,HIGH", repr(text))

    def test_records_are_declared_by_values_or_bounds(self) -> None:
        nothing: dict[str, Any] = {
            "records": None, "bounds": [], "labels": None, "labelled": False, "labels_only": False
        }  # fmt: skip

        def declared(**changes: Any) -> Any:
            return declared_records(**{**nothing, **changes})

        assert declared() is None
        assert declared(labelled=True) is None
        assert declared(records="0,1").contains(1)
        assert not declared(bounds=["0,1", "0,5"]).contains(np.array([2.0, 2.0]))
        assert declared(bounds=["0,1"], labelled=True).contains((np.array([0.5]), 1))
        assert not declared(labels="0,1", labelled=True).contains((np.array([0.5]), 2))
        assert declared(labels="0..10", labelled=True).contains((np.array([0.5]), 2.5))
        assert declared(records="0,1", labelled=True, labels_only=True).contains((np.array([0.5]), 1))
        refused(lambda: declared(records="0,1", bounds=["0,1"]), "--records", "--bounds")
        refused(lambda: declared(labels="0,1"), "--labels", "--dataset")
        refused(lambda: declared(bounds=["0,1"], labelled=True, labels_only=True), "--bounds", "--labels")
        refused(lambda: declared(records="0", labels="1", labelled=True, labels_only=True), "--records")


class TestQuestion:
    def test_claims(self) -> None:
        assert claim_of(Claimed(1.0)) == PureDP(1.0)
        assert claim_of(Claimed(1.0, 1e-5)) == ApproxDP(1.0, 1e-5)
        assert claim_of(Claimed()) is None
        refused(lambda: claim_of(Claimed(None, 0.1)), "--delta", "--epsilon")
        refused(lambda: claim_of(Claimed(-1.0)), "epsilon must be")

    def test_data_are_given_once(self, tmp_path: Path) -> None:
        path = csv_file(tmp_path, "1\n2\n")
        refused(lambda: no_question(dataset=path, pairs=tmp_path / "p.npz"), "--dataset", "--pairs")
        refused(lambda: no_question(label="a"), "--label", "--dataset")
        assert no_question(dataset=path, bounds=["0,5"]).records.contains(3.0)

    def test_lines_name_no_path_but_the_users(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidArgument) as caught:
            no_question(dataset=str(tmp_path / "missing.csv"))
        assert re.findall(r"/\S*site-packages\S*", str(caught.value)) == []


# --- values of no characters, numbers that no double is near, names that no file can have


LONG = "f" * 5000
OPTIONS_OF_TEXT = ("records", "bounds", "labels", "columns", "size", "dataset", "label", "pairs", "public", "option")


@pytest.mark.parametrize("spelling", [("--{}", ""), ("--{}=",)])
@pytest.mark.parametrize("option", OPTIONS_OF_TEXT)
def test_an_empty_value_is_refused_where_nothing_else_would_read_it(
    option: str, spelling: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", "--epsilon", "1", *(part.format(option) for part in spelling)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"dpcheck: --{option} must not be empty, got ''\n"


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["plan", "--epsilon", "1", "--bounds", "0,1"], "--bounds is read only with a TARGET"),
        (["zoo", "--json", "zoo.json"], "--json is read only with --audit"),
        (["zoo", "--jobs", "2"], "--jobs is read only with --audit: give it too, or leave it out"),
        (["zoo", "laplace", "--max-samples", "100"], "--max-samples is read only with --audit"),
        (["learners", "--jobs", "2"], "--jobs is read only with --audit"),
        (["survey", "--list", "--jobs", "2"], "--list runs nothing: leave out --jobs"),
        (["report", "--from", "reports", "--jobs", "2"], "--from runs nothing: leave out --jobs"),
        (["zoo", "--output", ""], "--output must not be empty"),
        (["survey", "--list", "--output", "folder"], "--list runs nothing: leave out --output"),
        (["glossary", ""], "an argument must not be empty"),
        (["audit", "--", ""], "an argument must not be empty"),
        (["audit", "zoo:laplace", "--renyi", "2", ""], "--renyi must not be empty"),
        (["audit", "mine.py:f", "--epsilon", "1", "--bounds", "1e-400,1"], "--bounds must be numbers that"),
        (["audit", "zoo:laplace", "--renyi", "2", "1e-400"], "--renyi wants a number such as 0.5, got '1e-400'"),
        (["plan", "--ratio", "1e999999999"], "--ratio wants a whole number or a fraction"),
        (["theorems", "alon2019:thm-3.1", "--evaluate", "vc=1e999999999"], "vc must be a number"),
        (["theorems", LONG], f"no theorem '{'f' * 60}'... of 5,000 characters; `dpcheck theorems`"),
        (["check", "mine.py:f", "--only", "purety"], "--only must name checks"),
        (["check", "mine.py:f", "--expected-failure", "purety=x"], "--expected-failure must name checks"),
        (["audit", "mine.py:f", "--epsilon", "1", "--records", "0,1e400"], "--records must be a number that a double"),
        (["audit", "mine.py:f", "--epsilon", "1", "--bounds", "0,1", "--option", "a=1e-400"], "--option a must be a"),
        (["audit", f"{LONG}.py:f", "--epsilon", "1", "--bounds", "0,1"], "target 'fff"),
        (["audit", "zoo:laplace", "--json", LONG], "--json must be a name that a file can have"),
        (["record", "zoo:laplace", "--baseline", LONG], "--baseline must be a name that a file can have"),
        (["record", "zoo:laplace", "--history", LONG], "--history must be a name that a file can have"),
        (["compare", "zoo:laplace", "--history", LONG], "--history must be a name that a file can have"),
        (["history", "--history", LONG], "--history must be a name that a file can have"),
        (["report", "--from", LONG], "--from must be a name that a file can have"),
        (["theorems", "--from", f"{LONG}.py"], "--from must be a name that a file can have"),
        (["audit", "mine.py:f", "--epsilon", "1", "--dataset", f"{LONG}.csv"], "5,004 characters: File name too long"),
        (["audit", "zoo:laplace", "--seed", LONG], "--seed wants a whole number"),
    ],
)
def test_what_means_nothing_is_one_short_line_and_status_2(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def f(dataset, rng):\n    return 0\n")
    assert run(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert says in printed.err
    assert len(printed.err) < 400


def test_an_empty_setting_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.dpcheck]\ncolumns = ""\n')
    assert run(["plan", "--epsilon", "1"]) == 2
    assert capsys.readouterr().err == "dpcheck: [tool.dpcheck] in pyproject.toml: columns must not be empty, got ''\n"


def test_a_number_of_another_tool_that_no_double_holds_is_none_of_ours(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.other]\ntol = 1e-400\n[tool.dpcheck]\nalpha = 0.1\n")
    assert read_settings(tmp_path, {}) == {"alpha": 0.1}


CLAIM = ("--epsilon", "1", "--bounds", "0,1")


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("table", "arguments", "places"),
    [
        ('format = "fram"', ["audit", "zoo:laplace"], "format stands"),
        ('format = "fram"', ["audit", "zoo:laplace", "--format=sarf"], ""),
        ("size = -1", ["audit", "mine.py:f", "--epsilon", "1", "--bounds", "0,1"], "size stands"),
        ("call-timeout = -1", ["audit", "zoo:laplace"], "call-timeout stands"),
        ("records = [1]", ["plan", "mine.py:f", "--epsilon", "1", "--bounds", "0,1"], "records stands"),
        ("records = [1]\nbounds = [0, 1]", ["plan", "mine.py:f", "--epsilon", "1"], "records and bounds stand"),
        ("alhpa = 1", ["plan", "--epsilon", "1"], ""),
        # what is found wrong with a target, after the command line was read
        ("detect = 0.5", ["audit", "mine.py:f", *CLAIM], "detect stands"),
        ("detect = 0.5", ["audit", "mine.py:f", "--dry-run", *CLAIM], "detect stands"),
        ("detect = 3", ["audit", "mine.py:f", "--detect", "0.5", *CLAIM], ""),
        ("option = 'a=1'", ["audit", "mine.py:Learner", *CLAIM], "option stands"),
        ("option = 'a=1'", ["measure", "mine.py:Learner", *CLAIM[2:]], "option stands"),
        ("alpha = 2", ["check", "mine.py:f", *CLAIM], "alpha stands"),
        ("max-samples = 3", ["check", "mine.py:f", *CLAIM], "max-samples stands"),
        ("renyi = [1, 2]", ["audit", "mine.py:f", *CLAIM[2:]], "renyi stands"),
        ("targets = ['mine.py:f', 'mine.py:g']", ["audit", "--dry-run", *CLAIM], "targets stands"),
        ("targets = ['zoo:laplace']", ["audit", "mine.py:g", *CLAIM], ""),
        ("target = 'mine.py:g'", ["measure", *CLAIM[2:]], "target stands"),
        # record and compare have no such options: the lines named options that they lack
        ("epsilon = 1\nbounds = [1, 0]", ["record", "mine.py:f"], "bounds stands"),
        ("epsilon = 1\nlabel = 'x'\nbounds = [0, 1]", ["compare", "mine.py:f"], "label stands"),
        ("epsilon = 1\nbounds = [0, 1]\nalpha = 2", ["record", "mine.py:f"], "alpha stands"),
        ("epsilon = 1\nbounds = [0, 1]\ncall-timeout = -1", ["compare", "mine.py:f"], "call-timeout stands"),
    ],
)
def test_what_nobody_typed_is_told_with_the_file_it_stands_in(
    table: str,
    arguments: list[str],
    places: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    learner = "class Learner:\n    def __call__(self, dataset, rng):\n        return 0\n"
    (tmp_path / "mine.py").write_text(f"def f(dataset, rng):\n    return 0\n\n{learner}")
    (tmp_path / "pyproject.toml").write_text(f"[tool.dpcheck]\nisolation = 'none'\nquiet = true\n{table}\n")
    assert run(arguments) == 2
    said = capsys.readouterr().err
    if arguments[0] in ("record", "compare"):
        assert "--" not in said
    assert said.endswith(f" ({places} in [tool.dpcheck] of pyproject.toml)\n") if places else "stand" not in said


@pytest.mark.parametrize(
    ("entry", "key"),
    [
        ("bounds = [1, 0]", "bounds"),
        ("options = {a = 1}, bounds = [0, 1]", "options"),
        ("max-seconds = -1, bounds = [0, 1]", "max-seconds"),
        ("name = 'g'", "target"),
    ],
)
def test_what_an_entry_of_learners_says_is_told_with_its_number(
    entry: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("class Learner:\n    def __call__(self, dataset, rng):\n        return 0\n")
    target = "mine.py:Learner" if key != "target" else "mine.py:Lerner"
    (tmp_path / "pyproject.toml").write_text(
        "[tool.dpcheck]\nepsilon = 1\nisolation = 'none'\nquiet = true\nmax-seconds = 5\n"
        f"learners = ['zoo:laplace', {{target = '{target}', {entry}}}]\n"
    )
    for command in ("record", "compare"):
        assert run([command, "--only", "mine*" if key != "target" else "g", "--no-history"]) == 2
        said = capsys.readouterr().err
        assert said.endswith(f" ({key} stands in entry 2 of [tool.dpcheck] learners in pyproject.toml)\n"), said


@pytest.mark.turns(4)
def test_a_learner_that_asks_for_columns_by_name_is_handed_the_frame_with_its_label(tmp_path: Path) -> None:
    """It was handed the two parts alone, and failed: "tuple indices must be integers"."""
    pytest.importorskip("pandas")
    csv_file(tmp_path, "age,job,ill\n30,nurse,0\n41,cook,1\n70,nurse,0\n41,,1\n55,clerk,0\n62,cook,1\n")
    (tmp_path / "own.py").write_text(
        "def ill_by_job(data, rng):\n"
        "    return {job: rows['ill'].sum() + rng.laplace() for job, rows in data.groupby('job')}\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "dpcheck", "audit", "own.py:ill_by_job", "--epsilon", "1", "--dataset", "data.csv"]
    ran = subprocess.run([*command, "--label", "ill"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "the learner is handed a DataFrame, the label in its last column" in ran.stdout


@pytest.mark.turns(4)
@pytest.mark.parametrize("label", [[], ["--label", "ill"]])
def test_a_learner_of_data_frames_is_audited_on_a_file_with_texts(label: list[str], tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    csv_file(tmp_path, "age,job,ill\n30,nurse,no\n41,cook,yes\n70,nurse,no\n41,,yes\n55,clerk,no\n62,cook,yes\n")
    (tmp_path / "own.py").write_text(
        "import pandas as pd\n\n\n"
        "def by_job(data, rng):\n"
        "    frame = data if isinstance(data, pd.DataFrame) else data[0]\n"
        "    return {job: len(rows) + rng.laplace() for job, rows in frame.groupby('job')}\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "dpcheck", "audit", "own.py:by_job", "--epsilon", "1", "--dataset", "data.csv"]
    ran = subprocess.run([*command, *label], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "VIOLATED" in ran.stdout
    assert "'clerk'" in ran.stdout


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("cell", "kind"), [("3", "i"), ("9007199254740992", "i"), ("1e300", "f"), ("0.5", "f")])
def test_labels_are_whole_where_an_integer_holds_them(tmp_path: Path, cell: str, kind: str) -> None:
    (tmp_path / "data.csv").write_text(f"a,b\n0.5,{cell}\n0.2,1\n")
    labels = load_dataset(str(tmp_path / "data.csv"), "b")[1]
    assert labels.dtype.kind == kind
    assert labels.tolist() == [float(cell), 1.0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["theorems", "alon2019:obs-1.b", "--export", "coq", "--to", "a-circle"],
        ["report", "beimel2015", "--quick", "--out", "a-circle"],
        ["audit", "mine.py:learn", "--bounds", "0,1", "--epsilon", "1", "--journal", "a-circle"],
        ["audit", "a-circle.py:learn", "--bounds", "0,1", "--epsilon", "1"],
        ["audit", "mine.py:learn", "--bounds", "0,1", "--epsilon", "1", "--dataset", "a-circle.csv"],
        ["history", "--history", "a-circle"],
        ["survey", "--output", "a-circle", "diffprivlib-linear-regression"],
        ["learners", "alon2019.cover", "--json", "a-circle"],
    ],
)
def test_a_link_to_itself_is_one_line(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending in ("", ".py", ".csv"):
        (tmp_path / f"a-circle{ending}").symlink_to(f"a-circle{ending}")
    (tmp_path / "mine.py").write_text("def learn(dataset, rng):\n    return 0.0\n")
    monkeypatch.chdir(tmp_path)
    assert run(arguments) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("dpcheck: ")
    assert "a-circle" in line

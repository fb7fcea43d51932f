"""The script that dp-wizard writes, run as it is on a small table, and with the names of the bins given to it."""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl
from dp_wizard.types import ColumnName, Product, StatisticName
from dp_wizard.utils.code_generators import AnalysisPlan, AnalysisPlanColumn
from dp_wizard.utils.code_generators.script_generator import ScriptGenerator

EPSILON = 1.0
BINS = ("(-inf, 0]", "(0, 5]", "(5, 10]", "(10, inf]")
ABSENT = -1e9


def _script(statistic):
    """What the script defines, before its main part; a table of one column from 0 to 10, a row a person."""
    column = ColumnName("value")
    plan = AnalysisPlan(
        product=Product.STATISTICS,
        path="table.csv",
        contributions=1,
        contributions_entity="Person",
        epsilon=EPSILON,
        max_rows=1000,
        groups={},
        analysis_columns={column: [AnalysisPlanColumn(StatisticName(statistic), 0, 10, 2, 1)]},
        schema_columns={column: pl.Float64()},
    )
    made = {"__name__": "script"}
    exec(ScriptGenerator(plan, "").make_py(), made)
    return made


def _table(folder, dataset):
    path = Path(folder) / "table.csv"
    values = np.ravel(np.asarray(dataset, dtype=np.float64))
    path.write_text("value\n" + "".join(f"{value:.6f}\n" for value in values))
    return str(path)


def _histogram(finish):
    script = _script("Histogram")

    def learner(dataset, rng):
        with tempfile.TemporaryDirectory() as folder:
            context, _ = script["get_stats_context_contributions"](path=_table(folder, dataset))
            query = context.query().group_by(["value_bin"]).agg(pl.len().dp.noise().alias("count"))
            found = finish(query).release().collect()
        counts = dict(zip(found["value_bin"], found["count"], strict=True))
        return np.array([float(counts.get(name, ABSENT)) for name in BINS])

    return learner


def histogram():
    """The counts of the bins that are there."""
    return _histogram(lambda query: query)


def histogram_mended():
    """The counts of all bins, whose names are public."""
    return _histogram(lambda query: query.with_keys(pl.LazyFrame({"value_bin": list(BINS)})))


def mean():
    """The mean of the column."""
    script = _script("Mean")

    def learner(dataset, rng):
        with tempfile.TemporaryDirectory() as folder:
            context, _ = script["get_stats_context_contributions"](path=_table(folder, dataset))
            return float(context.query().select(script["value_expr"]).release().collect().item())

    return learner

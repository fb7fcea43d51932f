"""How verdicts and measurements are shown: in words, as JSON, as a figure."""

from dpcheck.model.verdict.descriptions import describe, describe_measurement
from dpcheck.model.verdict.plots import measurement_figure
from dpcheck.model.verdict.record import measurement_to_json, verdict_from_json, verdict_to_json
from dpcheck.model.verdict.values import Views

VIEWS = Views(
    text=describe,
    json=verdict_to_json,
    from_json=verdict_from_json,
    text_of_measurement=describe_measurement,
    json_of_measurement=measurement_to_json,
    figure_of_measurement=measurement_figure,
)

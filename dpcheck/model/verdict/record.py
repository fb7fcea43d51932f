"""The record of a run: plain data that outlives the process; every report is a view of it.

Written as JSON with a schema version. Floats that JSON cannot hold are the strings "inf", "-inf" and "nan"; the state
of a pair (counts, bins, memory) is a base64 text of compressed arrays, read back without pickle.
"""

from __future__ import annotations

import base64
import dataclasses
import io
import json
import math
import platform
import sys
import zlib
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from dpcheck.model.claims import (
    ApproxDP,
    Claim,
    GaussianDP,
    ProfileDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    claim_point,
)
from dpcheck.model.errors import InvalidArgument, RecordCorrupt
from dpcheck.model.verdict.parts import Environment
from dpcheck.model.verdict.recorded import ClaimRecord, Record
from dpcheck.model.verdict.values import Measurement, Verdict
from dpcheck.model.written_json import check_types, read_json

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Raised whenever a field changes its meaning; older records are then migrated by a tested step.
SCHEMA = "dpcheck-record/1"
#: A record larger than this is not read: far beyond any that dpcheck writes.
MAX_CHARACTERS = 256 * 1024 * 1024


def claim_record(claim: Claim) -> ClaimRecord:
    """A claim as plain data.

    >>> claim_record(PureDP(1.0)).kind
    'pure'
    >>> recorded_claim(claim_record(PureDP(1.0)))
    PureDP(epsilon=1.0)
    """
    if isinstance(claim, PureDP):
        ratio, epsilon = map(_text, (claim.ratio, claim.epsilon_fraction))
        return ClaimRecord("pure", claim.epsilon_value, 0.0, ratio=ratio, epsilon_fraction=epsilon)
    if isinstance(claim, ApproxDP):
        ratio, epsilon, delta = map(_text, (claim.ratio, claim.epsilon_fraction, claim.delta_fraction))
        return ClaimRecord(
            "approximate",
            claim.epsilon_value,
            claim.delta_value,
            ratio=ratio,
            epsilon_fraction=epsilon,
            delta_fraction=delta,
        )
    if isinstance(claim, ZeroConcentratedDP):
        return ClaimRecord("zero-concentrated", *claim_point(claim), claim.rho)
    if isinstance(claim, RenyiDP):
        return ClaimRecord("renyi", *claim_point(claim), claim.epsilon_value, claim.order)
    if isinstance(claim, GaussianDP):
        return ClaimRecord("gaussian", *claim_point(claim), claim.mu)
    if isinstance(claim, ProfileDP):
        return ClaimRecord("profile", *claim_point(claim), points=claim.points, source=claim.source)
    raise InvalidArgument(
        f"claim must be PureDP, ApproxDP, ZeroConcentratedDP, RenyiDP, GaussianDP or ProfileDP to be recorded, got "
        f"{claim!r}"
    )


def _text(fraction: Fraction | None) -> str:
    # hexadecimal, since the interpreter limits decimal digits
    return "" if fraction is None else f"{fraction.numerator:#x}/{fraction.denominator:#x}"


def _fraction(text: str) -> Fraction:
    try:
        top, bottom = (int(part, 16) for part in text.split("/"))
        return Fraction(top, bottom)
    except (ValueError, ZeroDivisionError) as error:
        raise RecordCorrupt(f"fraction of a record must be like '0x1/0x3', got {text[:40]!r}") from error


def recorded_claim(record: ClaimRecord) -> Claim:
    """The claim of a record.

    Raises
    ------
    RecordCorrupt
        When its kind is unknown.
    """
    try:
        if record.kind == "pure":
            return PureDP(*_stated(record), ratio=_fraction(record.ratio) if record.ratio else None)
        if record.kind == "approximate":
            delta = _fraction(record.delta_fraction) if record.delta_fraction else record.delta
            return ApproxDP(*_stated(record), delta, ratio=_fraction(record.ratio) if record.ratio else None)
        if record.kind == "zero-concentrated" and record.parameter is not None:
            return ZeroConcentratedDP(record.parameter)
        if record.kind == "renyi" and record.parameter is not None and record.order is not None:
            return RenyiDP(record.order, record.parameter)
        if record.kind == "gaussian" and record.parameter is not None:
            return GaussianDP(record.parameter)
        if record.kind == "profile" and record.points:
            return ProfileDP(record.points, record.source)
    except InvalidArgument as error:
        raise RecordCorrupt(f"claim of a record must be one that can be made: {error}") from error
    raise RecordCorrupt(
        "claim kind must be 'pure', 'approximate', 'zero-concentrated', 'renyi' or 'gaussian', with its parameter, or "
        f"'profile' with its points, got {record.kind!r}"
    )


def _stated(record: ClaimRecord) -> tuple[float | Fraction | None]:
    """The epsilon as it was stated: None where it was a ratio."""
    if record.ratio:
        return (None,)
    return (_fraction(record.epsilon_fraction) if record.epsilon_fraction else record.epsilon,)


@cache
def environment() -> Environment:
    """Versions of what this process runs on."""
    from importlib.metadata import PackageNotFoundError, version

    def installed(name: str) -> str:
        try:
            return version(name)
        except PackageNotFoundError:
            return "not installed"

    return Environment(
        installed("dpcheck"),
        platform.python_version(),
        installed("numpy"),
        installed("scipy"),
        f"{platform.system()} {platform.machine()}",
    )


def argv() -> tuple[str, ...]:
    """The command line of this process, its program by name only."""
    return (sys.argv[0].rsplit("/", 1)[-1], *sys.argv[1:]) if sys.argv else ()


def pack(arrays: dict[str, NDArray[Any]]) -> str:
    """Arrays as a text: base64 of a compressed ``.npz`` without pickles."""
    import numpy as np

    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]  # its stub takes the names for its own options
    return base64.b64encode(zlib.compress(stream.getvalue(), 1)).decode("ascii")


def unpack(text: str) -> dict[str, NDArray[Any]]:
    """Read what :func:`pack` wrote.

    Raises
    ------
    RecordCorrupt
        When the text is not that.

    Examples
    --------
    >>> import numpy as np
    >>> unpack(pack({"a": np.arange(3)}))["a"].tolist()
    [0, 1, 2]
    """
    import numpy as np

    try:
        limited = zlib.decompressobj()
        data = limited.decompress(base64.b64decode(text, validate=True), MAX_CHARACTERS)
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except Exception as error:
        raise RecordCorrupt(f"state of a pair must be packed arrays, got unreadable text: {error}") from error


def plain(value: Any) -> Any:
    """A dataclass as nested dictionaries and lists that JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """The verdict and its record as nested dictionaries and lists."""
    fields = {f.name: getattr(verdict, f.name) for f in dataclasses.fields(verdict)}
    fields["claim"] = claim_record(verdict.claim)
    record = fields.pop("record")
    document = {name: plain(value) for name, value in fields.items()}
    return {"schema": SCHEMA, "verdict": document, "record": plain(record) if record is not None else None}


def verdict_to_json(verdict: Verdict) -> str:
    """The verdict and its record as JSON."""
    return json.dumps(verdict_document(verdict), indent=1, allow_nan=False, ensure_ascii=False) + "\n"


#: The schema of a measurement.
MEASUREMENT_SCHEMA = "dpcheck-measurement/1"


def measurement_to_json(measurement: Measurement) -> str:
    """A measurement as JSON."""
    document = {"schema": MEASUREMENT_SCHEMA, "measurement": plain(measurement)}
    return json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def verdict_from_json(text: str) -> Verdict:
    """Read what :func:`verdict_to_json` wrote.

    Raises
    ------
    RecordCorrupt
        When it is truncated, altered beyond recognition, or of an unknown schema.
    """
    if len(text) > MAX_CHARACTERS:
        raise RecordCorrupt(f"record must have at most {MAX_CHARACTERS:,} characters, got {len(text):,}")
    try:
        document = read_json(text)
    except ValueError as error:
        raise RecordCorrupt(f"record must be JSON written by dpcheck, got unreadable text: {error}") from error
    return verdict_from_document(document)


def verdict_from_document(document: Any) -> Verdict:
    """The verdict in a document made by :func:`verdict_document`."""
    if not isinstance(document, dict) or not isinstance(document.get("schema"), str):
        raise RecordCorrupt("record must be a JSON object with a 'schema' field written by dpcheck, got neither")
    if document["schema"] != SCHEMA:
        raise RecordCorrupt(
            f"record schema must be {SCHEMA!r}, got {document['schema']!r}: read it with the dpcheck that wrote it"
        )
    from pydantic import TypeAdapter

    try:
        body = TypeAdapter(_body_type()).validate_python(document.get("verdict"))
        found = document.get("record")
        record = TypeAdapter(Record).validate_python(found) if found is not None else None
        check_types(document["verdict"], body)
        check_types(found, record)
    except (ValueError, RecursionError) as error:
        first = str(error).replace("\n", " ")[:300]
        raise RecordCorrupt(f"record does not have the fields of schema {SCHEMA}: {first}") from error
    fields = {f.name: getattr(body, f.name) for f in dataclasses.fields(body)}
    fields["claim"] = recorded_claim(fields["claim"])
    return Verdict(**fields, record=record)


#: Fields of verdicts that documents of before lack, and what is read then.
_LATER: dict[str, Any] = {"seconds_per_call": 0.0, "divergence": None}


@cache
def _body_type() -> type[Any]:
    """The fields of a verdict with the claim as plain data and without the record."""
    import typing

    hints = typing.get_type_hints(Verdict)
    fields = [
        (f.name, ClaimRecord if f.name == "claim" else hints[f.name])
        for f in dataclasses.fields(Verdict)
        if f.name != "record" and f.name not in _LATER
    ]
    later = [(name, hints[name], dataclasses.field(default=default)) for name, default in _LATER.items()]
    return dataclasses.make_dataclass("VerdictBody", [*fields, *later], frozen=True)

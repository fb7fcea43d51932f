"""Arrays from numpy's files, read without pickle and within limits of size."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.cli.file_names import no_file, shown_name
from dpcheck.model.errors import InvalidArgument

# Larger data than this would not be audited in any budget here, and a file may be hostile or a mistake.
MAX_FILE_BYTES = 256 * 1024 * 1024
# A compressed file may hold more than it weighs: this is what it may unfold to.
MAX_UNFOLDED_BYTES = 1024 * 1024 * 1024


def check_size(option: str, path: Path) -> None:
    """Refuse what is no file, cannot be read, or is too large to be meant.

    Raises
    ------
    InvalidArgument
        In each of these cases, naming the option.
    """
    try:
        other = no_file(path)
        if other:
            raise InvalidArgument(f"{option} must be a file, got {other}")
        if not path.is_file():
            raise InvalidArgument(f"{option} must be a file that exists, got {str(path)!r}{_nearest_file(path)}")
        size = path.stat().st_size
        with path.open("rb"):
            pass
    except OSError as error:
        raise InvalidArgument(
            f"{option} must be a file that can be read, got {shown_name(str(path))}: {error.strerror}"
        ) from error
    if size > MAX_FILE_BYTES:
        raise InvalidArgument(f"{option} must be at most {MAX_FILE_BYTES} bytes, got {size} in {path}")


def _nearest_file(path: Path) -> str:
    from dpcheck.model.errors import nearest

    folder = path.parent
    try:
        return nearest(path.name, [other.name for other in folder.iterdir()]) if folder.is_dir() else ""
    except OSError:
        return ""


def array_from_npy(option: str, path: Path) -> NDArray[Any]:
    """The one array of a .npy file.

    Raises
    ------
    InvalidArgument
        When it is no such file, or holds Python objects.
    """
    try:
        with path.open("rb") as file:
            array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    except Exception as error:  # numpy's own parser raises whatever a damaged header makes it stumble over
        raise _not_numbers(option, path, error) from error
    return _checked(option, path, "", array)


def arrays_from_npz(option: str, path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a .npz file by name.

    Raises
    ------
    InvalidArgument
        When it is no such file, holds Python objects, or unfolds to more than the limit.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            unfolded = sum(member.file_size for member in archive.infolist())
        if unfolded > MAX_UNFOLDED_BYTES:
            raise InvalidArgument(
                f"{option} must unfold to at most {MAX_UNFOLDED_BYTES} bytes, got {unfolded} in {path}"
            )
        with np.load(path, allow_pickle=False) as archive_of_arrays:
            return {
                name: _checked(option, path, name, np.asarray(archive_of_arrays[name]))
                for name in archive_of_arrays.files
            }
    except InvalidArgument:
        raise
    except Exception as error:  # what zlib, zipfile and numpy's parser stumble over in a damaged file
        raise _not_numbers(option, path, error) from error


def _checked(option: str, path: Path, name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Numbers, or NaN where one is missing; no infinities, which files hold by mistake."""
    place = f"{path}: {name}" if name else str(path)
    if array.dtype.kind not in "biuf":
        raise InvalidArgument(f"{option} must hold numbers, got dtype {array.dtype} in {place}")
    if array.dtype.kind == "f" and bool(np.isinf(array).any()):
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise InvalidArgument(
            f"{option} must hold finite numbers, or NaN where one is missing, got {array[where]} at {where} in {place}"
        )
    return array


def _not_numbers(option: str, path: Path, error: Exception) -> InvalidArgument:
    reason = "it holds Python objects" if "allow_pickle" in str(error) else f"{type(error).__name__}: {error}"
    return InvalidArgument(f"{option} must be a file of numbers written by numpy, got {path}: {reason}")

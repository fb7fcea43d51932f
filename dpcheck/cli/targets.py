"""Targets of the command line: ``package.module:name``, ``path/file.py:name``, ``zoo:name``, ``learner:paper.name``."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from dpcheck.cli.child_process import under_way
from dpcheck.cli.failures import in_words
from dpcheck.cli.file_names import check_name, no_file, shown_name
from dpcheck.cli.learner_targets import LEARNER, learner_names, resolve_learner
from dpcheck.cli.resolved import Resolved
from dpcheck.cli.time_limit import limited
from dpcheck.cli.zoo_targets import ZOO, resolve_zoo, zoo_names
from dpcheck.execution.introspection import CLAIM, NEIGHBOURS, OF_AUDITS, described, said_of
from dpcheck.execution.resources import UNLIMITED, Resources
from dpcheck.model.claims import Claim
from dpcheck.model.disk import real_path
from dpcheck.model.errors import DpcheckError, InvalidArgument, TargetNotFound, nearest
from dpcheck.model.learner import declares_law

_FORMS = "package.module:name, path/file.py:name, zoo:name or learner:paper.name"
# Of an object's module every public name is a candidate for "did you mean"; private ones are not.
_PRIVATE = "_"
# Hundreds of modules are installed: one that is like a name by chance is no help. One letter of five may differ.
_CLOSE = 0.8


def resolve(
    text: str,
    options: Mapping[str, Any],
    claim: Claim | float | None = None,
    *,
    isolation: str = "process",
    resources: Resources = UNLIMITED,
) -> Resolved:
    """Find what a target names, and make a target of it: in a worker process, where its learner is looked at too.

    Parameters
    ----------
    text : str
        ``package.module:name``, ``path/file.py:name``, ``zoo:name`` or ``learner:paper.name``; the name may have dots.
    options : mapping
        Arguments for its factory; epsilon and delta are filled from the claim where the factory has them.
    claim : Claim or number, optional
        The claim made on the command line, which wins over the target's own.
    isolation : "auto", "process", "container" or "none"
        With "none" the learner is made and looked at in this process.
    resources : Resources, optional
        What the process in which it is made may have at most.

    Raises
    ------
    TargetNotFound
        When there is no such module, file or name; the message names the nearest one.
    InvalidArgument
        When it is found, but is neither a learner nor a factory of learners.
    LearnerDied
        When it ends or hangs its process before it says what it claims, and nothing is claimed on the command line.
    """
    place, colon, name = text.rpartition(":")
    if not colon or not place or not name:
        raise TargetNotFound(f"target must be {_FORMS}, got {text!r}{_meant_by(text)}")
    if place == ZOO:
        return resolve_zoo(name, options, claim)
    if place == LEARNER:
        return resolve_learner(name, options, claim)
    with limited(f"target {text} was being imported"):
        module = _module_of_file(Path(place), text) if place.endswith(".py") else _module_named(place, text)
        named = _attribute(module, name, text)
    # What is made here after all may print; standard output belongs to the results.
    with under_way(f"target {text} was being made and looked at"), contextlib.redirect_stdout(sys.stderr):
        try:
            with limited(f"target {text} was being looked at"):
                adapted = _adapted(named)
            target = described(
                adapted,
                isolation=isolation,
                resources=resources,
                wanted=OF_AUDITS,
                name=text,
                options=options,
                claim=claim,
            )
            # Where it could not be made in a worker process: if one of these never comes back, there is a limit here.
            with limited(f"target {text} was being made and looked at"):
                own_claim = said_of(target, CLAIM) if claim is None else None
                # Of one that died the run itself says so, where the data are given.
                relation = None if target.died else said_of(target, NEIGHBOURS)
                declares_law(target)
        except (DpcheckError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise InvalidArgument(f"target {text} could not be made: {in_words(error)}") from error
    return Resolved(target, claim if claim is not None else own_claim, relation)


def find_object(text: str, what: str) -> Any:
    """What a text such as ``path/file.py:name`` names, whatever it is; ``what`` is what the message calls it.

    Raises
    ------
    TargetNotFound
        When there is no such module, file or name; the message names the nearest one.
    """
    place, colon, name = text.rpartition(":")
    if not colon or not place or not name:
        raise TargetNotFound(f"{what} must be package.module:name or path/file.py:name, got {text!r}")
    with limited(f"{what} {text} was being imported"):
        module = _module_of_file(Path(place), text) if place.endswith(".py") else _module_named(place, text)
        return _attribute(module, name, text)


def _adapted(found: Any) -> Any:
    """Other libraries' objects as learners; the adapters load numpy, so what is plainly none of theirs passes by."""
    if inspect.isclass(found) or inspect.isroutine(found):
        return found
    from dpcheck.adapters.recognition import adapted

    return adapted(found)


def _meant_by(text: str) -> str:
    if text.endswith(".py"):
        return f": the name of the learner is missing, as in {text}:Learner"
    learners = [f"{LEARNER}:{name}" for name in learner_names()]
    return nearest(f"{LEARNER}:{text}", learners) or nearest(f"{ZOO}:{text}", [f"{ZOO}:{name}" for name in zoo_names()])


@contextlib.contextmanager
def _importing(text: str) -> Iterator[None]:
    """What a stranger's module does while it is imported becomes one line; what it prints goes to stderr."""
    from dpcheck.execution.replaced import Originals, words_of_replaced

    originals = Originals()
    replaced: tuple[str, ...] = ()
    try:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                yield
        finally:
            replaced = originals.put_back()
    except SystemExit as error:
        raise TargetNotFound(
            f"target {text} could not be imported: it ended the process with sys.exit({error.code!r}); "
            'put such code under if __name__ == "__main__":'
        ) from error
    except (TargetNotFound, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise TargetNotFound(f"target {text} could not be imported: {in_words(error)}") from error
    if replaced:
        raise TargetNotFound(f"target {text} could not be audited: importing it {words_of_replaced(replaced)}")


def _module_named(name: str, text: str) -> ModuleType:
    if not all(part.isidentifier() for part in name.split(".")):
        raise TargetNotFound(f"target must be {_FORMS}, got {text!r}: {name!r} is no module's name")
    folder = str(Path.cwd())
    # python -m does this; a console script does not, and people audit what stands in their directory.
    if folder not in sys.path:
        sys.path.insert(0, folder)
    _check_exists(name, text)
    with _importing(text):
        return importlib.import_module(name)


def _check_exists(name: str, text: str) -> None:
    """Tell a module that is missing from one that fails to import: only the first gets a suggestion."""
    package: ModuleType | None = None
    parts = name.split(".")
    for depth, part in enumerate(parts):
        parent = ".".join(parts[:depth])
        if package is not None and not hasattr(package, "__path__"):
            raise TargetNotFound(f"target {text}: {parent} is a module, not a package, so it has no {part!r}")
        path = None if package is None else list(package.__path__)
        full = ".".join(parts[: depth + 1])
        with _importing(text):
            missing = full not in sys.modules and importlib.util.find_spec(full) is None
        if missing:
            siblings = [module.name for module in pkgutil.iter_modules(path) if _close(part, module.name)]
            where = f" in {parent}" if parent else ""
            raise TargetNotFound(f"target {text}: there is no module {part!r}{where}{nearest(part, siblings)}")
        if depth < len(parts) - 1:
            with _importing(text):
                package = importlib.import_module(full)


def _close(name: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, name, other).ratio() >= _CLOSE


def _module_of_file(path: Path, text: str) -> ModuleType:
    check_name(f"target {shown_name(text)}", path)
    with contextlib.suppress(OSError):  # what cannot be looked at is said to be not there
        if no_file(path):
            raise TargetNotFound(f"target {text}: it must be in a file, got {no_file(path)}")
    if not path.is_file():
        folder = path.parent
        others = [other.name for other in folder.glob("*.py")] if folder.is_dir() else []
        raise TargetNotFound(f"target {text}: there is no file {str(path)!r}{nearest(path.name, others)}")
    resolved = real_path(path)
    name = _name_of_file(resolved)
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise TargetNotFound(f"target {text}: {str(path)!r} cannot be imported as Python")
    module = importlib.util.module_from_spec(spec)
    # What stands beside the file can be imported by it, as when Python runs the file.
    if str(resolved.parent) not in sys.path:
        sys.path.insert(0, str(resolved.parent))
    sys.modules[name] = module
    try:
        with _importing(text):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    # A worker process cannot import this module by name, so what it defines is sent along with the learner.
    import cloudpickle

    cloudpickle.register_pickle_by_value(module)
    return module


def _name_of_file(resolved: Path) -> str:
    # The same file is the same module, whatever the way it is spelt; two files of one name are two modules.
    digest = hashlib.sha256(str(resolved).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return f"dpcheck_target_{digest}"


def module_of(place: str) -> ModuleType | None:
    """The module that stands before the colon of a target, where it has been imported.

    >>> module_of("dpcheck.model.errors").__name__
    'dpcheck.model.errors'
    """
    return sys.modules.get(_name_of_file(real_path(place)) if place.endswith(".py") else place)


def _attribute(module: ModuleType, name: str, text: str) -> Any:
    found: Any = module
    for depth, part in enumerate(name.split(".")):
        try:
            found = getattr(found, part)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if not isinstance(error, AttributeError):
                raise TargetNotFound(f"target {text} could not be read: {in_words(error)}") from error
            where = text.rpartition(":")[0] if depth == 0 else ".".join(name.split(".")[:depth])
            suggestion = nearest(part, _public(dir(found)))
            raise TargetNotFound(f"target {text}: {where} has no {part!r}{suggestion}") from None
    return found


def _public(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith(_PRIVATE)]

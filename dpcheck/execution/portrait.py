"""Portraits: what a learner's own objects hold, drawn as plain data in the process where the learner runs.

Whatever must be asked of an object (its attributes, its ``__array__``, ``to_numpy``, ``__getstate__``, ``__repr__``,
``predict_proba``) is asked here, within the call's time limit and at the risk of that process only. The audit gets
numbers, arrays, texts, containers of them, and portraits.
"""

from __future__ import annotations

import _thread
import array
import copyreg
import dataclasses
import datetime
import functools
import gc
import hashlib
import pickle
import random
import sys
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import NOT_RUN, READ_LATER, READ_ONCE, Form, Portrait
from dpcheck.execution.handover import (
    DEEPEST_NESTING,
    PICKLE_PROTOCOL,
    PLAIN_TYPES,
    Passing,
    addresses_in,
    between_fields,
    built_in_parts,
    copied,
    is_plain,
    is_unmarked,
    plain_copy,
    without_address,
    without_places,
)
from dpcheck.execution.made_classes import (
    at_home,
    holds_memory,
    parts_of_class,
    said_of_class,
)
from dpcheck.execution.made_code import digest_of, names_read, parts_of_code, stands_in
from dpcheck.execution.tables import beside_cells, hung_on, roots_of, said_of_axes
from dpcheck.execution.tensors import beside_tensor

#: At most this many objects of one answer are drawn: a fitted forest has some thousands.
MOST_OBJECTS = 20_000
#: Objects within objects are drawn this far.
DEEPEST_PORTRAIT = 32
#: Of a longer text only the beginning, its length and a digest are kept.
LONGEST_TEXT = 1000
#: Places in memory are taken out of the first so many characters.
_MASKED_TEXT = 1 << 20
#: Of a larger array that stands for an object only the beginning is kept.
MOST_ARRAY_BYTES = 1 << 26
#: Sparse matrices of more cells than this are drawn by what they store.
MOST_DENSE_CELLS = 1 << 22

#: What a model predicts on inputs fixed before the first call; None for answers that are no model.
Probe = Callable[[Any], NDArray[np.float64] | None]


def cut_off(answer: Any) -> bool:
    """Whether something of an answer was not looked at when it was drawn.

    >>> cut_off([1.0, Portrait("generator", "unread", cut=True)]), cut_off([1.0])
    (True, False)
    """
    kind = type(answer)
    if kind is Portrait:
        return bool(answer.cut)
    if kind in (list, tuple):
        return any(map(cut_off, answer))
    return kind is dict and any(map(cut_off, answer.values()))


def portray(value: Any, probe: Probe | None = None, passing: Passing = ()) -> Any:
    """A value as plain data; MemoryError and ``passing`` exceptions go through, any other becomes part of it.

    Parameters
    ----------
    value : any
    probe : optional
        What models are asked (:func:`predictor`).
    passing : tuple of exception types
        What is never taken for a property of the value.

    Examples
    --------
    >>> portray(types.SimpleNamespace(slope=0.5, inner={"steps": 3}))
    SimpleNamespace(inner={'steps': 3}, slope=0.5)
    >>> portray(1.5), portray([1, "a"])
    (1.5, [1, 'a'])
    """
    return _Drawing(probe, passing).draw(value, DEEPEST_PORTRAIT)


def portrayer(inputs: Any, passing: Passing) -> Callable[[Any], Any]:
    """:func:`portray` for the answers of one learner; models are asked about ``inputs`` unless those are None."""
    return functools.partial(portray, probe=None if inputs is None else predictor(inputs), passing=passing)


def predictor(inputs: Sequence[Any] | NDArray[Any]) -> Probe:
    """A probe that asks a model for its probabilities on fixed ``inputs`` (rows of features).

    Examples
    --------
    >>> class Model:
    ...     def predict_proba(self, x): return np.full((len(x), 2), 0.5)
    >>> predictor(np.zeros((3, 1)))(Model()).shape, predictor([[0.0]])(1.0)
    ((3, 1), None)
    """

    def ask(model: Any) -> NDArray[np.float64] | None:
        try:
            if isinstance(model, type) or not callable(getattr(model, "predict_proba", None)):
                return None
            given = np.asarray(model.predict_proba(inputs), dtype=np.float64)
        except MemoryError:
            raise
        except Exception:  # a model of other features, not fitted, or broken: then its attributes must do
            return None
        if given.ndim == 2 and given.shape[1] > 1:
            given = given[:, 1:]  # they sum to 1
        return np.array(given) if 0 < given.nbytes <= MOST_ARRAY_BYTES else None

    return ask


def own_state(value: Any) -> dict[Any, Any] | None:
    """The attributes of an object: its ``__dict__`` and slots, and what its own ``__getstate__`` adds to them; or None.

    Read past ``__getattribute__`` and ``__getattr__``: what is there, not what the object says of itself.
    """
    state = _stored(value)
    kind = type(value)
    for base in type.__dict__["__mro__"].__get__(kind):
        own = type.__dict__["__dict__"].__get__(base)
        if "__slots__" not in own:
            continue
        for name, member in own.items():
            if type(member) is types.MemberDescriptorType:
                try:
                    part = member.__get__(value)
                except AttributeError:
                    continue
                state[name if name not in state else f"{name} (slot of {_name(base)})"] = part
    if getattr(kind, "__getstate__", None) is not getattr(object, "__getstate__", None):
        given = value.__getstate__()
        if given is not None and type(given) is not dict:  # what no attribute says, of a generator of random numbers
            state.setdefault("(state)", given)
        elif given is not None and not state:
            state = given
    return state or None


def _reduced(value: Any, kind: type) -> list[tuple[Any, Any]] | None:
    """What an object of a compiled type would be made of again, by that type's ``__reduce__``; None where it has none.

    A ``__reduce__`` in Python takes what it gives from attributes, and is not asked.
    """
    owns = [type.__dict__["__dict__"].__get__(base) for base in kind.__mro__[:-1]]
    methods = ((own[name], arguments) for own in owns for name, arguments in _REDUCING if name in own)
    found = next((one for one in methods if type(one[0]) is not types.FunctionType), None)
    registered = copyreg.dispatch_table.get(kind)
    if found is None and registered is None:
        return None
    try:
        given = found[0].__get__(value, kind)(*found[1]) if found is not None else registered(value)  # type: ignore[misc]
    except MemoryError:
        raise
    except Exception:  # it says that it cannot be taken apart
        return None
    if type(given) is not tuple:
        return [] if _stands_in_a_module(value, given) else None
    parts = zip(("(made from)", "(state)", "(items)", "(pairs)"), given[1:5], strict=False)
    return [(name, part) for name, part in parts if part is not None]


def _stands_in_a_module(value: Any, name: Any) -> bool:
    """Whether an object is what a module has under this name: then it is code, and the same for all."""
    module = pickle.whichmodule(value, name) if type(name) is str else ""  # type: ignore[attr-defined]
    found: Any = sys.modules.get(module)
    for part in str(name).split("."):
        found = getattr(found, part, None)
    return found is value


def _says_little(kind: type, text: str) -> bool:
    """Whether compiled code may hold anything for such objects while their text names them and does not spell them."""
    named = any("__repr__" in type.__dict__["__dict__"].__get__(base) for base in kind.__mro__[:-1])
    if named and kind in _TOLD_BY_TEXT:
        return False
    return holds_memory(kind) and (not named or text.startswith("<"))


def _name(kind: type) -> str:
    """The name of a type, past its metaclass."""
    return str.__str__(type.__dict__["__name__"].__get__(kind))


def _bounded(text: str, of: Any = None) -> tuple[str, bool]:
    """A text of bounded length without places in memory, and whether something of it is left out.

    A place is known to be one where it is that of the object ``of`` itself, or of one that it refers to.
    """
    text = str.__str__(text)
    known = {id(of), *map(id, gc.get_referents(of))} if "0x" in text and of is not None else set()
    unknown = any(place not in known for place in addresses_in(text[:_MASKED_TEXT]))
    if len(text) <= LONGEST_TEXT:
        return without_places(without_address(text))[0], unknown
    masked = without_places(without_address(text[:_MASKED_TEXT]))[0] + text[_MASKED_TEXT:]
    digest = hashlib.blake2b(masked.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{masked[:LONGEST_TEXT]}... ({len(text)} characters, digest {digest})", True


class _Drawing:
    """One answer on its way to plain data."""

    def __init__(self, probe: Probe | None, passing: Passing) -> None:
        self._probe = probe
        self._passing = passing
        self._objects = 0
        self._around: set[int] = set()

    @property
    def _spent(self) -> bool:
        return self._objects >= MOST_OBJECTS

    def draw(self, value: Any, depth: int) -> Any:
        """The value as plain data, at most ``depth`` objects deep."""
        kind = type(value)
        try:
            if kind in PLAIN_TYPES:
                return value
            if is_plain(value, DEEPEST_NESTING):
                return plain_copy(value)
            if depth <= 0 or self._spent:
                return Portrait(_name(kind), "unread", cut=True)
            if id(value) in self._around:
                return Portrait(_name(kind), "text", text="(one that it is part of)")
            self._objects += 1
            self._around.add(id(value))
            try:
                return self._drawn(value, kind, depth - 1)
            finally:
                self._around.discard(id(value))
        except self._passing:
            raise
        except MemoryError:
            raise
        except BaseException as error:
            return _unread(kind, error)

    # --- what kind of thing it is ------------------------------------------------------------------------------------

    def _drawn(self, value: Any, kind: type, depth: int) -> Any:
        if kind is list or kind is tuple:
            return self._elements(value, kind, len(value), depth)
        if kind is dict:
            return self._mapping(value, kind, depth)
        if kind is set or kind is frozenset:
            return self._members(list(value), kind, depth)
        if kind is np.ndarray:
            return self._object_array(value, kind, depth)
        content = _content(value, kind)
        if content is not None:
            return self._is(value, kind, content, depth)
        known = self._known(value, kind, depth)
        if known is not None:
            return known
        predicted, probe = (self._probe(value) if self._probe is not None else None), self._probe
        if predicted is None:
            return self._object(value, kind, depth)
        self._probe = None  # the models that a model is made of are not asked
        try:
            return dataclasses.replace(self._object(value, kind, depth), predicted=predicted)
        finally:
            self._probe = probe

    def _known(self, value: Any, kind: type, depth: int) -> Portrait | None:
        """Types of the standard library whose content is not in their attributes."""
        if issubclass(kind, type):
            return self._type(value, kind, depth)
        if kind is types.FunctionType:
            return self._function(value, depth)
        if kind is types.MethodType:
            parts = [("self", value.__self__), ("function", value.__func__)]
            return self._fields(kind, parts, depth)
        if kind is types.BuiltinMethodType and not isinstance(value.__self__, types.ModuleType | type | None):
            return self._fields(kind, [("self", value.__self__), ("name", value.__name__)], depth)
        if issubclass(kind, functools.partial):
            parts = [("function", value.func), ("args", value.args), ("keywords", value.keywords)]
            return self._fields(kind, parts + self._attributes(value), depth)
        if issubclass(kind, _VIEWS):  # whoever has the keys of a dictionary has all of it
            return self._fields(kind, [("mapping", dict(value.mapping))], depth)
        if issubclass(kind, BaseException):
            return self._exception(value, kind, depth)
        if value is np.random.mtrand._rand or value is getattr(random, "_inst", None):
            return Portrait(_name(kind), "text", text="the generator that its module's own functions draw from")
        if issubclass(kind, random.SystemRandom):
            return self._fields(kind, _sorted(_stored(value)), depth)  # it has no state
        if issubclass(kind, np.random.Generator | np.random.BitGenerator | np.random.RandomState):
            # its state goes on from call to call and tells what was drawn: no part of it can be compared with another's
            return Portrait(_name(kind), "unread", text="a generator of random numbers", cut=True)
        if issubclass(kind, types.CoroutineType | types.AsyncGeneratorType):
            said = NOT_RUN if kind is types.CoroutineType else READ_LATER
            return Portrait(_name(kind), "unread", text=said, cut=True)
        if kind is types.CodeType:
            return self._fields(kind, parts_of_code(value), depth)
        if kind is types.ModuleType:
            held = vars(value)
            name = held.get("__name__")
            if type(name) is str and sys.modules.get(name) is value:
                return Portrait("module", "text", text=name)
            parts = [(name, part) for name, part in _sorted(held) if part is not None and name != "__builtins__"]
            return self._fields(kind, parts, depth, _in_order(held))
        return None

    def _exception(self, value: BaseException, kind: type, depth: int) -> Portrait:
        """What an exception holds; in what it says, a place in memory cannot be told from a number."""
        own = BaseException.__dict__
        behind = [(name, own[name].__get__(value)) for name in ("__cause__", "__context__")]
        behind = [(name, part) for name, part in behind if part is not None]
        alone = own["__suppress_context__"].__get__(value)
        if behind or alone:
            behind.append(("shown alone", alone))
        parts = [("args", own["args"].__get__(value)), *built_in_parts(value), *self._attributes(value), *behind]
        told = [(name, _without_places(part)) for name, part in parts]
        drawn = self._fields(kind, [*told, *parts_of_class(kind)], depth, said_of_class(kind))
        cut = any(part is not before for (_, part), (_, before) in zip(told, parts, strict=True))
        return dataclasses.replace(drawn, cut=True) if cut else drawn

    def _object(self, value: Any, kind: type, depth: int) -> Portrait:
        of_its_class, said = parts_of_class(kind), said_of_class(kind)
        declared = getattr(kind, "__dataclass_fields__", None)
        if type(declared) is dict and dataclasses.is_dataclass(kind):
            state: dict[Any, Any] = own_state(value) or {}
            kept, readable = self._kept_in_memory(value, kind, state)
            order = _in_order(state)
            fields = [(field.name, state.pop(field.name, _MISSING)) for field in dataclasses.fields(kind)]
            read = [(name, _read(value, name) if part is _MISSING else part) for name, part in fields]
            found = self._fields(kind, read + _sorted(state) + kept + of_its_class, depth, said + order)
            return found if readable else dataclasses.replace(found, cut=True)
        for draw in (self._sparse, self._frame, self._series, self._array_like):
            drawn = draw(value, kind, depth)
            if drawn is not None:
                beside = self._beside_table(value, kind) if draw != self._array_like else []
                return self._with_parts(drawn, kind, beside + of_its_class, depth, said)
        own = own_state(value)
        if own is not None:
            kept, readable = self._kept_in_memory(value, kind, own)
            found = self._fields(kind, _sorted(own) + kept + of_its_class, depth, said + _in_order(own))
            return found if readable else dataclasses.replace(found, cut=True)
        if any("__next__" in type.__dict__["__dict__"].__get__(base) for base in kind.__mro__):
            return Portrait(_name(kind), "unread", text=READ_ONCE, cut=True)
        reduced = _reduced(value, kind)
        if reduced:
            return self._fields(kind, reduced + of_its_class, depth, said)
        text, cut = _bounded(repr(value), value)
        cut = cut or (reduced is None and _says_little(kind, text))
        if of_its_class:
            found = self._fields(kind, [("(text)", text), *of_its_class], depth, said)
            return dataclasses.replace(found, cut=found.cut or cut)
        return Portrait(_name(kind), "text", text=text, cut=cut)

    def _kept_in_memory(self, value: Any, kind: type, own: dict[Any, Any]) -> tuple[list[tuple[Any, Any]], bool]:
        """What compiled code holds for an object beside its attributes, and whether it can be read."""
        stateless = getattr(kind, "__getstate__", None) is getattr(object, "__getstate__", None)
        if not holds_memory(kind) or type(value) in _OF_ATTRIBUTES:
            return [], True
        reduced = _reduced(value, kind)
        if not stateless:  # its state is there already; what it is made from again need not be in that
            return [pair for pair in reduced or [] if pair[0] == "(made from)" and pair[1] != ()], True
        said = (_stored(value), own)
        return [pair for pair in reduced or [] if pair[1] not in ((), *said)], reduced is not None

    # --- containers --------------------------------------------------------------------------------------------------

    def _several(self, values: Any, depth: int) -> tuple[list[Any], bool]:
        """Values drawn one after the other, and whether there were too many."""
        found: list[Any] = []
        for value in values:
            if type(value) in PLAIN_TYPES:
                found.append(value)
            elif self._spent:
                return found, True
            else:
                found.append(self.draw(value, depth))
        return found, False

    def _elements(self, values: Any, kind: type, length: int, depth: int) -> Any:
        found, cut = self._several(values, depth)
        drawn = found if kind is list else tuple(found)
        return Portrait(_name(kind), "is", (("", drawn),), f"{length} elements", cut=True) if cut else drawn

    def _members(self, values: Any, kind: type, depth: int) -> Portrait:
        found, cut = self._several(values, depth)
        return Portrait(_name(kind), "members", tuple(("", part) for part in found), cut=cut or _any_cut(found))

    def _mapping(self, value: Any, kind: type, depth: int) -> Any:
        pairs = list(dict.items(value))
        parts, cut = self._several((part for _, part in pairs), depth)
        if not cut and all(is_plain(key, DEEPEST_NESTING) for key, _ in pairs):
            return {plain_copy(key): part for (key, _), part in zip(pairs, parts, strict=True)}
        names = [self.draw(key, depth) for key, _ in pairs[: len(parts)]]
        cut = cut or _any_cut(names) or _any_cut(parts)
        return Portrait(_name(kind), "items", tuple(zip(names, parts, strict=True)), f"{len(pairs)} keys", cut=cut)

    def _object_array(self, value: NDArray[Any], kind: type, depth: int) -> Portrait:
        shape = f"shape {value.shape}"
        if not is_unmarked(value.dtype):
            bare = _unmarked(value.dtype)
            plain = value.astype(bare) if value.dtype.hasobject else value.view(bare)
            return self._parts_of(kind, "is", [("", plain), ("dtype", value.dtype)], depth, shape)
        if value.dtype.names is not None:
            parts = [self.draw(np.asarray(value[name]), depth) for name in value.dtype.names]
            named = tuple(zip(value.dtype.names, parts, strict=True))
            return Portrait(_name(kind), "items", named, shape, cut=_any_cut(parts))
        found, cut = self._several(value.reshape(-1).tolist(), depth)
        kinds = () if value.dtype == object else (("dtype", self.draw(value.dtype, depth)),)
        return Portrait(_name(kind), "is", (("", found), *kinds), shape, cut=cut or _any_cut([found, *kinds]))

    # --- objects -----------------------------------------------------------------------------------------------------

    def _is(self, value: Any, kind: type, content: _Content, depth: int) -> Portrait:
        more = _sorted(_stored(value)) if content.derived else self._attributes(value)
        for base, name in _BESIDE:
            if issubclass(kind, base):
                part = base.__dict__[name].__get__(value)
                more = more if part is None and name in _SELDOM else [(name, part), *more]
        if content.name:
            others = [] if at_home(kind) else [("(class)", _members_of(kind)), *parts_of_class(kind)]
            own = [(name, part) for name, part in _sorted(_stored(value)) if name not in _OF_MEMBERS]
            return self._parts_of(kind, "is", [("", content.held), *own, *others], depth, content.name)
        if issubclass(kind, np.void):
            more += [] if is_unmarked(value.dtype) else [("dtype", value.dtype)]
        reduced = _beyond_content(value, kind)
        parts = [("", content.held), *more, *(reduced or []), *parts_of_class(kind)]
        drawn = self._parts_of(kind, "is", parts, depth, said_of_class(kind))
        unread = reduced is None or (issubclass(kind, np.void) and between_fields(np.asarray(value)))
        return dataclasses.replace(drawn, cut=True) if unread else drawn

    def _fields(self, kind: type, parts: list[tuple[Any, Any]], depth: int, text: str = "") -> Portrait:
        return self._parts_of(kind, "fields", parts, depth, text)

    def _parts_of(self, kind: type, form: Form, parts: list[tuple[Any, Any]], depth: int, text: str = "") -> Portrait:
        drawn, cut = self._several((part for _, part in parts), depth)
        named = [_part_name(name) for name, _ in parts[: len(drawn)]]
        cut = cut or _any_cut(drawn) or any(unread for _, unread in named)
        return Portrait(_name(kind), form, tuple(zip((name for name, _ in named), drawn, strict=True)), text, cut=cut)

    def _attributes(self, value: Any) -> list[tuple[Any, Any]]:
        try:
            return _sorted(_beside_content(value))
        except Exception:
            return []

    def _array(self, array: NDArray[Any]) -> tuple[Any, bool]:
        """A copy of an array, or of its beginning."""
        if array.nbytes <= MOST_ARRAY_BYTES or array.dtype.hasobject:
            return copied(array), False
        return copied(array.reshape(-1)[: MOST_ARRAY_BYTES // max(1, array.itemsize)]), True

    def _held(self, kind: type, array: Any, more: list[tuple[Any, Any]], depth: int) -> Portrait | None:
        array = np.asarray(array)
        if array.dtype.kind == "O" and array.ndim == 0:
            return None  # NumPy did not know what to make of it
        first, cut = self._array(np.ndarray.view(array, np.ndarray))
        drawn = self._parts_of(kind, "is", [("", first), *more], depth)
        return dataclasses.replace(drawn, cut=True, text=f"shape {array.shape}") if cut else drawn

    def _sparse(self, value: Any, kind: type, depth: int) -> Portrait | None:
        if not _has(value, "toarray"):
            return None
        shape = getattr(value, "shape", None)
        if type(shape) is not tuple or not all(type(size) is int for size in shape):
            return None
        cells = 1
        for size in shape:
            cells *= size
        if cells > MOST_DENSE_CELLS:
            return None
        return self._tried(lambda: self._held(kind, value.toarray(), [], depth))

    def _frame(self, value: Any, kind: type, depth: int) -> Portrait | None:
        if not (_has(value, "columns") and _has(value, "to_numpy") and _has(value, "index")):
            return None

        def drawn() -> Portrait:
            names = list(islice(iter(value.columns), MOST_OBJECTS))
            if _has(value, "iloc"):
                columns = [np.asarray(value.iloc[:, place].to_numpy()) for place in range(len(names))]
            else:
                columns = [np.asarray(value[name].to_numpy()) for name in names]
            arrays = [*columns, np.asarray(value.index.to_numpy())]
            parts, cut = self._several(arrays, depth)
            shown = [name if type(name) in PLAIN_TYPES else self.draw(name, depth) for name in [*names, "index"]]
            pairs = tuple(zip(shown[: len(parts)], parts, strict=True))
            cut = cut or len(names) == MOST_OBJECTS
            return Portrait(_name(kind), "frame", pairs, said_of_axes(value), cut=cut or _any_cut(parts))

        return self._tried(drawn)

    def _series(self, value: Any, kind: type, depth: int) -> Portrait | None:
        if not _has(value, "to_numpy"):
            return None

        def drawn() -> Portrait | None:
            more = []
            if _has(value, "index") and _has(value.index, "to_numpy"):
                more = [("index", np.asarray(value.index.to_numpy())), ("name", getattr(value, "name", None))]
                more.append(("labels", said_of_axes(value)))
            if _has(value, "dtype") and not isinstance(value.dtype, np.dtype):
                more.append(("dtype", repr(value.dtype)))
            return self._held(kind, value.to_numpy(), more, depth)

        return self._tried(drawn)

    def _array_like(self, value: Any, kind: type, depth: int) -> Portrait | None:
        """What speaks NumPy's protocol, tensors of torch and jax among them: its numbers, and what it holds beside."""
        if not hasattr(kind, "__array__"):
            return None
        tensor = _has(value, "untyped_storage") and _has(value, "requires_grad")
        try:
            array = np.asarray(value)
        except MemoryError:
            raise
        except Exception:
            if not _has(value, "detach"):
                return None
            return self._tried(lambda: self._held(kind, np.asarray(value.detach().cpu()), beside_tensor(value), depth))
        if tensor:
            return self._tried(lambda: self._held(kind, array, beside_tensor(value), depth))
        own = self._tried_state(value)
        beside = [(name, part) for name, part in own if part is not array]
        return self._tried(lambda: self._held(kind, array, beside, depth))

    def _beside_table(self, value: Any, kind: type) -> list[tuple[Any, Any]]:
        """What a table or matrix holds beside its cells, and the attributes that somebody gave it."""
        beside = hung_on(kind, self._tried_state(value))
        if "pandas" in roots_of(kind):
            try:
                beside += beside_cells(value)
            except MemoryError:
                raise
            except Exception:
                beside.append(("what stands behind cells", Portrait(_name(type(value)), "unread", cut=True)))
        return beside

    def _with_parts(self, found: Portrait, kind: type, more: list[tuple[Any, Any]], depth: int, said: str) -> Portrait:
        """What was drawn of an object by what it gives when it is asked, and its other parts."""
        if not more:
            return found
        drawn = self._parts_of(kind, "is", more, depth, said)
        first = found.parts if found.form == "is" and not (found.text and said) else (("", found),)
        text = found.text or said if first is found.parts else said
        return dataclasses.replace(drawn, parts=(*first, *drawn.parts), text=text, cut=drawn.cut or found.cut)

    def _tried_state(self, value: Any) -> list[tuple[Any, Any]]:
        """What an object of NumPy's protocol holds in its attributes."""
        try:
            return _sorted(own_state(value) or {})
        except MemoryError:
            raise
        except Exception:
            return [("attributes", Portrait("attributes that cannot be read", "unread", cut=True))]

    def _tried(self, draw: Callable[[], Portrait | None]) -> Portrait | None:
        """What an object gives when it is asked; None when that raises, and its attributes must do."""
        try:
            return draw()
        except MemoryError:
            raise
        except Exception:
            return None

    def _type(self, value: type, kind: type, depth: int) -> Portrait:
        module = type.__dict__["__module__"].__get__(value)
        qualified = str.__str__(type.__dict__["__qualname__"].__get__(value))
        text = f"class {module}.{qualified}" if type(module) is str else f"class {qualified}"
        if at_home(value):
            return Portrait("type", "text", text=text)
        return self._fields(kind, parts_of_class(value), depth, f"{text}, {said_of_class(value)}")

    def _function(self, value: types.FunctionType, depth: int) -> Portrait:
        parts: list[tuple[Any, Any]] = []
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
            try:
                parts.append((name, cell.cell_contents))
            except ValueError:  # not bound yet
                continue
        if value.__defaults__:
            parts.append(("__defaults__", value.__defaults__))
        if value.__kwdefaults__:
            parts.append(("__kwdefaults__", value.__kwdefaults__))
        parts += _said_of(value)
        code, home = value.__code__, value.__globals__.get("__name__")
        own = parts + _sorted(dict(vars(value)))
        if stands_in(home, code):
            return self._fields(types.FunctionType, own, depth, f"{code.co_qualname} with code {digest_of(code)}")
        return self._fields(types.FunctionType, [*own, ("code", code)], depth)


def _said_of(value: types.FunctionType) -> list[tuple[Any, Any]]:
    """What a function says of itself, and the data that it takes from where it was made, if that is no module."""
    parts: list[tuple[Any, Any]] = []
    code = value.__code__
    for said, name, of_code in (
        ("__name__", value.__name__, code.co_name),
        ("__qualname__", value.__qualname__, code.co_qualname),
    ):
        if name != of_code:
            parts.append((said, name))
    if value.__doc__ is not None:
        parts.append(("__doc__", value.__doc__))
    if value.__annotations__:
        parts.append(("__annotations__", dict(value.__annotations__)))
    # by its globals: what a function says of its module may be one that is loaded later, or never
    module = value.__globals__.get("__name__")
    home = sys.modules.get(module) if type(module) is str else None
    if type(module) is not str or value.__module__ != module:
        parts.append(("__module__", value.__module__))
    if home is None or vars(home) is not value.__globals__:
        used = {name: value.__globals__[name] for name in names_read(code) if name in value.__globals__}
        data = {name: part for name, part in used.items() if type(part) is not types.ModuleType}
        parts += [(f"(global) {name}", part) for name, part in _sorted(data)]
    return parts


_MISSING = object()
#: Views of dictionaries: those of ordered dictionaries come of them.
_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
#: Compiled types whose text says all about them.
_TOLD_BY_TEXT = frozenset((type(_thread.allocate_lock()), _thread.RLock))
#: Compiled types whose memory is their attributes.
_OF_ATTRIBUTES = frozenset((types.SimpleNamespace,))
#: Methods that take an object apart, and their arguments.
_REDUCING: tuple[tuple[str, tuple[int, ...]], ...] = (("__reduce_ex__", (PICKLE_PROTOCOL,)), ("__reduce__", ()))
#: What members of enumerations hold for ``enum``.
_OF_MEMBERS = frozenset(("_value_", "_name_", "_sort_order_", "__objclass__", "__dict__", "_hashable_values_"))


@dataclass(frozen=True)
class _Content:
    """What an object holds as a plain type; ``name`` of a member of an enumeration.

    ``derived``: made from the slots of the type, which say the same again.
    """

    held: Any
    name: str = ""
    derived: bool = False


def _stored(value: Any) -> dict[Any, Any]:
    """The ``__dict__`` of an object."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return dict.copy(held) if issubclass(type(held), dict) else {}


def _beside_content(value: Any) -> dict[Any, Any]:
    """The attributes that an object has besides its content: ``__dict__`` and slots."""
    stateless = getattr(type(value), "__getstate__", None) is getattr(object, "__getstate__", None)
    return (own_state(value) or {}) if stateless else _stored(value)


def _read(value: Any, name: str) -> Any:
    """An attribute that is not stored under its own name (a property, a descriptor), or what is wrong with it."""
    try:
        return getattr(value, name)
    except MemoryError:
        raise
    except Exception as error:
        return _unread(type(value), error)


def _has(value: Any, name: str) -> bool:
    try:
        return hasattr(value, name)
    except MemoryError:
        raise
    except Exception:
        return False


def _sorted(state: dict[Any, Any]) -> list[tuple[Any, Any]]:
    return sorted(state.items(), key=lambda part: part[0] if type(part[0]) is str else repr(part[0]))


def _unmarked(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A type of arrays with the same bytes in the same fields, and nothing that is only written on it."""
    if dtype.subdtype is not None:
        return np.dtype((_unmarked(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is None:
        return np.dtype(dtype.str)
    fields = [dtype.fields[name] for name in dtype.names]  # type: ignore[index]
    formats, offsets = [_unmarked(field[0]) for field in fields], [field[1] for field in fields]
    spread = {"names": dtype.names, "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize}
    return np.dtype(spread)  # type: ignore[call-overload, no-any-return]


def _part_name(name: Any) -> tuple[Any, bool]:
    """The name of a part, and whether something of it is left out."""
    if type(name) in PLAIN_TYPES:
        return name, False
    if issubclass(type(name), str):
        return str.__str__(name), False
    return _bounded(repr(name), name)


def _any_cut(parts: list[Any]) -> bool:
    return any(cut_off(part) for part in parts if type(part) in _HOLDING)


#: What can hold something that was cut off.
_HOLDING = frozenset({Portrait, list, tuple, dict})


def _unread(kind: type, error: BaseException) -> Portrait:
    text = f"an object of type {_name(kind)} that raises {_name(type(error))} when it is read"
    return Portrait(_name(kind), "unread", text=text, cut=True)


def _members_of(kind: type) -> dict[str, Any]:
    """The names and values of an enumeration."""
    members = type.__dict__["__dict__"].__get__(kind)["_member_map_"]
    return {str(name): _stored(member).get("_value_") for name, member in members.items()}


def _enumerated(kind: type) -> bool:
    enum = sys.modules.get("enum")
    return enum is not None and issubclass(kind, enum.Enum)


def _content(value: Any, kind: type) -> _Content | None:
    """What an object of a subclass of a plain type, or of a type of the standard library, holds, as that plain type.

    By the methods of the plain type itself: what the subclass says of itself is not asked.
    """
    reader = _readers.get(kind)
    if reader is None:
        if len(_readers) >= _MOST_READERS:
            _readers.clear()
        reader = _readers[kind] = _reader(kind)
    return reader(value)


def _reader(kind: type) -> Callable[[Any], _Content | None]:
    if _enumerated(kind):
        return lambda value: _Content(_stored(value).get("_value_"), str(_stored(value).get("_name_")))
    for base, plainly in _PLAINLY:
        if issubclass(kind, base):
            return functools.partial(_held_by, plainly)
    for module, name, shown in _SHOWN_AS_TEXT:
        home = sys.modules.get(module)
        if home is not None and issubclass(kind, getattr(home, name)):
            return functools.partial(_shown_by, shown, getattr(home, name))
    return _nothing


def _held_by(plainly: Callable[[Any], Any], value: Any) -> _Content:
    return _Content(plainly(value))


def _shown_by(shown: Callable[[Any, Any], Any], kind: type, value: Any) -> _Content:
    return _Content(shown(value, kind), derived=True)


def _nothing(value: Any) -> None:
    return None


#: How each type met is read: forests hold thousands of objects of few types.
_readers: dict[type, Callable[[Any], _Content | None]] = {}
_MOST_READERS = 1024


def _beyond_content(value: Any, kind: type) -> list[tuple[Any, Any]] | None:
    """What compiled code holds for an object beside its content of a plain type; None where it cannot be read."""
    shown = {module for module, _, _ in _SHOWN_AS_TEXT}
    for base in kind.__mro__:
        if base in _WHOLE or base.__module__ in shown or issubclass(base, np.generic):
            return []
        own = type.__dict__["__dict__"].__get__(base)
        if any(name in own and type(own[name]) is not types.FunctionType for name, _ in _REDUCING):
            return _reduced(value, kind)
    return []


def _without_places(part: Any) -> Any:
    """A text, or each one of a tuple, without places in memory; the same object where there are none."""
    if type(part) is str:
        masked, any_places = without_places(part)
        return masked if any_places else part
    if type(part) is tuple:
        told = tuple(map(_without_places, part))
        return part if all(one is before for one, before in zip(told, part, strict=True)) else told
    return part


def _in_order(state: dict[Any, Any]) -> str:
    """In which order attributes were set, as a digest; nothing where it is that of their names."""
    names = [repr(name) for name in state]
    if names == sorted(names):
        return ""
    return f" in order {hashlib.blake2b(repr(names).encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


def _void(value: Any) -> Any:
    if value.dtype.names is None:
        return bytes(value.tobytes())
    return {name: value[name] for name in value.dtype.names}


def _folded(value: Any) -> str:
    """Which of two equal times of a day it is, where clocks are put back: no text of a time says it."""
    return " (the later one)" if getattr(value, "fold", 0) else ""


def _safety(value: Any) -> str:
    """How safely an identifier was made, where that is known: no text of it says so."""
    said = getattr(value, "is_safe", None)
    return "" if said is None or said.value is None else f" ({said.name})"


def _items(values: Iterator[Any]) -> list[Any]:
    return list(values)


#: What types of the standard library keep beside their items.
_BESIDE: tuple[tuple[type, str], ...] = (
    (deque, "maxlen"),
    (defaultdict, "default_factory"),
    (datetime.datetime, "tzinfo"),
    (datetime.time, "tzinfo"),
    (array.array, "typecode"),
    (memoryview, "readonly"),
    (memoryview, "format"),
    (memoryview, "shape"),
)

#: Of these only what is there is drawn.
_SELDOM = frozenset(("tzinfo",))

_PLAINLY: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (str, lambda value: str.__str__(value)),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
    (int, lambda value: int.__index__(value)),
    (float, lambda value: float.__float__(value)),
    (complex, lambda value: complex.__complex__(value)),
    (list, lambda value: list.__getitem__(value, slice(None))),
    (tuple, lambda value: tuple.__getitem__(value, slice(None))),
    (OrderedDict, lambda value: dict(OrderedDict.items(value))),
    (dict, lambda value: dict.copy(value)),
    (set, lambda value: set(value)),
    (frozenset, lambda value: set(value)),
    (np.ndarray, lambda value: copied(np.ndarray.view(value, np.ndarray))),
    (np.void, _void),
    (np.generic, lambda value: np.asarray(value)),
    (range, lambda value: (value.start, value.stop, value.step)),
    (slice, lambda value: (value.start, value.stop, value.step)),
    (deque, lambda value: _items(deque.__iter__(value))),
    (bytearray, lambda value: bytes(memoryview(value))),
    (memoryview, lambda value: value.tobytes()),
    (types.MappingProxyType, lambda value: dict(value.items())),
)

#: Types of whose objects what is read says all; what comes of them may hold more.
_WHOLE = frozenset([*(base for base, _ in _PLAINLY), *(base for base, _ in _BESIDE), np.generic])

#: Types told by their text, found only when something has imported their module.
_SHOWN_AS_TEXT: tuple[tuple[str, str, Callable[[Any, Any], Any]], ...] = (
    ("datetime", "date", lambda value, kind: str(value) + _folded(value)),
    ("datetime", "time", lambda value, kind: str(value) + _folded(value)),
    ("datetime", "timedelta", lambda value, kind: str(value)),
    ("pathlib", "PurePath", lambda value, kind: kind.__str__(value)),
    ("uuid", "UUID", lambda value, kind: kind.__str__(value) + _safety(value)),
    ("array", "array", lambda value, kind: np.frombuffer(value, dtype=value.typecode) if len(value) else ()),
    ("fractions", "Fraction", lambda value, kind: kind(value.numerator, value.denominator)),
    (
        "decimal",
        "Decimal",
        lambda value, kind: kind.__copy__(value) if type(value) is kind else kind(kind.__str__(value)),
    ),
)

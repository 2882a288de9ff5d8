"""A strategy that somebody else wrote: found by name, made from what it asks for, and watched closely."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any, Self

import msgspec

from stressfield.errors import InputError, StressfieldError
from stressfield.plugins import STRATEGIES, find_object, is_file
from stressfield.search.strategy import Candidate, Evaluated, Setting

ANSWER_S = 300.0
"""A strategy that thinks longer than this about its next candidates is taken to hang."""
SCALARS = (bool, int, float, str)
"""What an option of a strategy may be: what a TOML file can hold."""


class OwnStrategy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="own", tag_field="kind"):
    """A class or function of the user's that makes something with ``ask(n)``, or that yields candidates.

    ``source`` says where it is: ``FILE.py:NAME``, ``MODULE:NAME``, or the name of an installed entry point of the group
    ``stressfield.strategies``. Its arguments are handed over by name: any of ``study``, ``model``, ``seed``,
    ``template``, ``size``, ``space``, and its own ``options``.
    """

    source: str
    options: dict[str, bool | int | float | str] = {}

    @classmethod
    def of(cls, given: str | Callable[..., object], **options: bool | int | float | str) -> Self:
        """From a reference, or from the class or function itself, with values for arguments of its own."""
        for name, value in options.items():
            if not isinstance(value, SCALARS):
                raise InputError(f"Option {name!r} of a strategy is {value!r:.60}. Wanted a number, a text or a bool.")
        return cls(source=_absolute(given) if isinstance(given, str) else _place_of(given), options=options)

    @property
    def file(self) -> Path | None:
        """The file it is in, if the source says so."""
        place = self.source.rpartition(":")[0]
        return Path(place) if is_file(place) else None

    def make(self, setting: Setting) -> _Own:
        """The strategy; InputError if it cannot be found or made."""
        found = find_object(self.source, group=STRATEGIES, kind="strategy")
        if not callable(found):
            raise InputError(f"The strategy {self.source!r} is a {type(found).__name__}. Wanted a class or a function.")
        made = self._guarded("could not be made", lambda: found(**self._arguments(found, setting)))
        if callable(getattr(made, "ask", None)):
            return _Learner(self, made) if callable(getattr(made, "tell", None)) else _Own(self, made)
        if isinstance(made, Iterator | Sequence) and not isinstance(made, str):
            return _Own(self, _Yielded(made))
        raise InputError(
            f"The strategy {self.source!r} made a {type(made).__name__}, which has no ask(n). Wanted a class with "
            "'def ask(self, n)', or a function that yields candidates."
        )

    def _arguments(self, found: Callable[..., object], setting: Setting) -> dict[str, object]:
        known: dict[str, object] = {
            "study": setting.study, "model": setting.model, "seed": setting.seed, "template": setting.template,
            "size": setting.size, "space": setting.space, **self.options,
        }  # fmt: skip
        try:
            wanted = dict(inspect.signature(found).parameters)
        except (TypeError, ValueError):
            wanted = {}  # a class written in C without a signature: it takes nothing
        unknown = [name for name in self.options if name not in wanted]
        required = [name for name, parameter in wanted.items() if name not in known and _needed(parameter)]
        if unknown or required:
            what = f"has no argument {unknown[0]!r}" if unknown else f"wants an argument {required[0]!r}"
            raise InputError(
                f"The strategy {self.source!r} {what}. There are: study, model, seed, template, size, space, and its "
                "own options."
            )
        return {name: known[name] for name in wanted if name in known}

    def _guarded(self, what: str, call: Callable[[], Any]) -> Any:
        """Call it in a thread of its own: one that hangs must not hang the campaign, nor Ctrl-C."""
        answer: list[Any] = []
        trouble: list[BaseException] = []

        def run() -> None:
            try:
                answer.append(call())
            except BaseException as error:
                trouble.append(error)

        thread = Thread(target=run, daemon=True)
        thread.start()
        thread.join(ANSWER_S)
        if trouble and isinstance(trouble[0], StressfieldError):
            raise trouble[0]
        if trouble:
            raise InputError(
                f"The strategy {self.source!r} {what}: {type(trouble[0]).__name__}: {trouble[0]}"
            ) from trouble[0]
        if not answer:
            _end(thread)
            raise InputError(f"The strategy {self.source!r} gave no answer within {ANSWER_S:g} s. Does it end?")
        return answer[0]


def _end(thread: Thread) -> None:
    """Have its next line of Python raise SystemExit: else it takes a processor for as long as this process lives."""
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))


class _Own:
    """Asks a strategy that nobody has checked. Plain descriptors become candidates, and everything is looked at."""

    def __init__(self, kind: OwnStrategy, made: Any) -> None:
        self._kind, self._made = kind, made
        self._next = 0

    @property
    def reason(self) -> str | None:
        """Why it has ended, if it says so."""
        found = getattr(self._made, "reason", None)
        return found if isinstance(found, str) else None

    def ask(self, n: int) -> list[Candidate]:
        """What it proposes, numbered."""
        if n <= 0:
            return []
        # One more than asked for shows that it gives too many, even where it would go on for ever.
        given = self._kind._guarded("failed in ask", lambda: _listed(self._made.ask(n), n + 1))
        source = self._kind.source
        if given is None:
            raise InputError(f"The strategy {source!r}: ask({n}) did not give a list. Wanted candidates.")
        if len(given) > n:
            raise InputError(f"The strategy {source!r}: ask({n}) gave more than {n} candidates. Wanted at most {n}.")
        made = [self._candidate(proposal, self._next + at) for at, proposal in enumerate(given)]
        self._next += len(made)
        return made

    def _candidate(self, given: object, index: int) -> Candidate:
        if isinstance(given, str):
            return Candidate(index, given)
        if not (isinstance(given, Candidate) and isinstance(given.template, str)):
            raise InputError(
                f"The strategy {self._kind.source!r} proposed {given!r:.80}, a {type(given).__name__}. Wanted a "
                "descriptor or a Candidate."
            )
        if given.index != index:
            raise InputError(
                f"The strategy {self._kind.source!r} proposed a candidate with index {given.index}, wanted {index}: "
                "they are counted from 0, in the order of proposal."
            )
        return given


class _Learner(_Own):
    def tell(self, results: Sequence[Evaluated]) -> None:
        """What came of its candidates."""
        self._kind._guarded("failed in tell", lambda: self._made.tell(results) or True)


class _Yielded:
    """What a function yields, as something that can be asked."""

    def __init__(self, made: Iterator[object] | Sequence[object]) -> None:
        self._left = iter(made)

    def ask(self, n: int) -> list[object]:
        return list(islice(self._left, n))


def _needed(parameter: inspect.Parameter) -> bool:
    several = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not several


def _listed(given: object, most: int) -> list[object] | None:
    if isinstance(given, str | bytes | Mapping):
        return None
    try:
        return list(islice(iter(given), most))  # type: ignore[call-overload]
    except TypeError:
        return None


def _absolute(reference: str) -> str:
    """The text by which any process finds it, in whatever folder it runs."""
    place, colon, name = reference.rpartition(":")
    return f"{Path(place).expanduser().resolve()}{colon}{name}" if is_file(place) else reference


def _place_of(given: Callable[..., object]) -> str:
    """Where a class or function is, so that it can be found again when the campaign is resumed."""
    name = getattr(given, "__qualname__", "")
    if not name:
        raise InputError(
            f"A strategy was given as a {type(given).__name__}. Wanted its class, or a function, so that the campaign "
            "can be resumed; values of arguments go with OwnStrategy.of(Class, name=value)."
        )
    if "." in name or name == "<lambda>":
        raise InputError(
            f"The strategy {name!r} is defined inside a class or a function. Wanted one at the top of its file."
        )
    module = given.__module__
    if "." in module:  # a part of a package: it may import its neighbours, so it is found by name
        return f"{module}:{name}"
    try:
        return f"{Path(inspect.getfile(given)).resolve()}:{name}"
    except (TypeError, OSError):
        raise InputError(f"The strategy {name!r} is not in a file. Wanted one in a .py file, to be resumed.") from None

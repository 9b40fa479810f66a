"""What all renders of a run have in common, and how a failed one is told."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

from qoslint.render.checkout import Checkout
from qoslint.render.engines import Engines
from qoslint.render.failure import RenderError
from qoslint.render.plain import Why
from qoslint.render.target import Missing, Outcome, Target
from qoslint.source.allowance import Allowance
from qoslint.source.document import Broken, Source
from qoslint.source.text import NotTextError, decode
from qoslint.source.tree import UnreadableError, WorkTree
from qoslint.span import Position, Span


class Bench(NamedTuple):
    """What all renders of a run have in common."""

    tree: WorkTree
    checkout: Checkout
    engines: Engines
    kinds: Container[str]
    allowance: Allowance

    def failed(self, target: Target, *errors: RenderError) -> Outcome:
        """The outcome of a target that is not rendered."""
        return Outcome(target, failures=tuple(self._failures(target, errors)))

    def no_engine(self, target: Target, reason: str) -> Outcome:
        """The outcome of a target that nothing at hand renders."""
        return self.failed(target, RenderError(reason, target.file, target.line))

    def too_much(self, target: Target) -> Outcome:
        """The outcome of a target whose files are more than may be copied."""
        reason = "its files are more than may be copied"
        return self.failed(target, RenderError(reason, target.file, target.line))

    def missing(self, missing: Missing) -> Broken:
        """What an object asks for and does not get, as something that cannot be read."""
        reason = Why.REMOTE if missing.remote else Why.UNSUPPORTED
        return self._broken(missing.name, missing.message, missing.file, missing.line, reason)

    def _failures(self, target: Target, errors: Iterable[RenderError]) -> Iterable[Broken]:
        for error in errors:
            reason = Why.REMOTE if error.remote else Why.UNRENDERED
            yield self._broken(target.name, error.message, error.file, error.line, reason)

    def _broken(self, name: str, message: str, file: str, line: int, reason: Why) -> Broken:
        try:
            text = decode(self.tree.read(file))
        except (UnreadableError, NotTextError):
            text = ""
        start = Position(line, 1)
        source = Source(f"{name}, not rendered: {file}:{line}: {message}", file, text)
        span = Span(start, start._replace(column=2))
        return Broken(source, 0, span, f"{name} is not rendered: {message}", reason=reason)

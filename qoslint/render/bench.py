"""What all renders of a run have in common, and how a failed one is told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from qoslint.finding import OBJECT
from qoslint.render.checkout import Checkout
from qoslint.render.engines import Engines
from qoslint.render.failure import RenderError, Spot
from qoslint.render.fileorigin import FileOrigin
from qoslint.render.plain import Sought, Why
from qoslint.render.target import Missing, Outcome, Target
from qoslint.source.allowance import Allowance
from qoslint.source.document import Broken, Origin, Rendered, Source
from qoslint.source.tree import WorkTree
from qoslint.span import Lines, Position, Span


class Bench(NamedTuple):
    """What all renders of a run have in common."""

    tree: WorkTree
    checkout: Checkout
    engines: Engines
    sought: Sought
    allowance: Allowance
    places: Origin
    """What is asked for the places in all that is rendered."""

    def failed(self, target: Target, *errors: RenderError) -> Outcome:
        """The outcome of a target that is not rendered."""
        return Outcome(target, failures=tuple(self._failures(target, errors)), errors=errors)

    def no_engine(self, target: Target, reason: str) -> Outcome:
        """The outcome of a target that nothing at hand renders."""
        return self.failed(target, RenderError(reason, target.file, target.line))

    def too_much(self, target: Target) -> Outcome:
        """The outcome of a target whose files are more than may be copied."""
        reason = "its files are more than may be copied"
        return self.failed(target, RenderError(reason, target.file, target.line))

    def missing(self, missing: Missing) -> Broken:
        """What an object asks for and does not get, as something that cannot be read."""
        message = missing.message
        if missing.layers:
            message += ". Of its values only quantities and names of PriorityClasses are checked"
        where = Spot(missing.file, missing.line)
        broken = self._broken(missing, message, where, missing.why, missing.files)
        return broken._replace(remote=missing.remote)

    def _failures(self, target: Target, errors: Iterable[RenderError]) -> Iterable[Broken]:
        for error in errors:
            known = Why.UNSUPPORTED if target.doubt else Why.UNRENDERED
            reason = Why.REMOTE if error.remote else known
            message = f"{error.message}. {target.doubt or 'Nothing of it was checked'}"
            where = Spot(error.file, error.line)
            broken = self._broken(target, message, where, reason, (error.file,))
            yield broken._replace(remote=error.remote)

    def _broken(
        self,
        target: Target | Missing,
        message: str,
        where: Spot,
        reason: Why,
        concerned: tuple[str, ...],
    ) -> Broken:
        file, line = where
        text = self.checkout.text(file) or ""
        key = f"{target.name}, {target.file}, not rendered: {file}:{line}: {message}"
        how = Rendered(target.name, FileOrigin({key: file}), concerned)
        source = Source(key, target.file, text, how)
        whole = f"{OBJECT} is not rendered: {message}"
        return Broken(source, 0, whole_line(text, line), whole, reason=reason)


def whole_line(text: str, number: int) -> Span:
    """What a line says, without what is blank around it."""
    said = Lines(text).line(number)
    start = len(said) - len(said.lstrip()) + 1
    end = max(len(said.rstrip()) + 1, start + 1)
    return Span(Position(number, start), Position(number, end))

"""The authored line of each rendered one, by a marked render, else by likeness."""

from __future__ import annotations

from collections.abc import Sequence

from qoslint.finding import Location, Part
from qoslint.render.helm import markers
from qoslint.render.helm.copies import copied
from qoslint.render.helm.markers import Sources, Written
from qoslint.render.helm.prepare import Prepared
from qoslint.render.helm.records import Rendered
from qoslint.render.helm.rerender import Budget, Texts, Trial, Trying, rerender
from qoslint.source.document import Document
from qoslint.source.locate import locate_all
from qoslint.span import START, Path, Position, Span


class Lines:
    """Where the lines of each template of a render were written."""

    def __init__(self, rendered: Rendered, sources: Sources) -> None:
        """No line is known yet."""
        self._templates = {template.name: template for template in rendered.templates}
        self._sources = sources
        self._texts = dict(zip(*sources, strict=True))
        self._found: dict[str, Sequence[Written | None]] = {}

    def find(self, prepared: Prepared, answer: Texts, budget: Budget) -> Trying[None]:
        """Take them from the marked render; where it differs, a more careful one is made."""
        self._take(answer)
        if self._found.keys() == self._templates.keys():
            return
        marked = markers.marked(self._sources, careful=True)
        with copied(prepared, marked, schema=False) as folder:
            [answer] = yield from rerender(budget, prepared, [Trial(folder, prepared.values)])
        self._take(answer)

    def _take(self, answer: Texts) -> None:
        for template in self._templates.values():
            if template.name in self._found:
                continue
            text = answer.get(template.name)
            lines = None if text is None else markers.lines(template.text, text, self._sources)
            if lines is not None:
                self._found[template.name] = lines

    def of_field(self, name: str, document: Document, path: Path, part: Part) -> Location:
        """The line that writes a field of a template's document, or its nearest parent."""
        [(span, exact)] = locate_all(document, [(path, part)])
        location = self.of_line(name, span.start.line)
        return location._replace(exact=location.exact and exact)

    def of_line(self, name: str, line: int) -> Location:
        """The authored line of a rendered one, which counts from 1."""
        template = self._templates[name]
        place = (template.file, template.inside)
        if name not in self._found:
            text = self._texts.get(place, template.text)
            self._found[name] = markers.by_likeness(template.text, text, place)
        lines = self._found[name]
        written = lines[line - 1] if line <= len(lines) else None
        if written is None or written.inside:
            return Location(template.file, START, exact=False)
        text = self._texts[written.file, written.inside].split("\n")[written.line - 1]
        return Location(written.file, _span(written.line, text))


def _span(number: int, text: str) -> Span:
    """The text of a line without what is around it."""
    start = len(text) - len(text.lstrip()) + 1
    return Span(Position(number, start), Position(number, start + len(text.strip())))

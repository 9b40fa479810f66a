"""The origin of what was read from files as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qoslint.finding import Location
from qoslint.source.document import Broken, Wanted
from qoslint.source.locate import locate


@dataclass(frozen=True, slots=True, eq=False)
class FileOrigin:
    """Where what was read from files stands: there."""

    files: Mapping[str, str]
    """By the id of a source the file that it is the text of."""

    def locate(self, wanted: Sequence[Wanted]) -> Sequence[Location]:
        """The line of each field, or of its nearest parent that exists."""
        return [self.likely(each) for each in wanted]

    def likely(self, wanted: Wanted) -> Location:
        """The line of a field."""
        document, path, part = wanted
        file = self.files[document.source.id]
        if isinstance(document, Broken):
            return Location(file, document.span)
        return Location(file, *locate(document, path, part))

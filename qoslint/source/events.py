"""The events of one YAML document, from ruamel's C parser, or from its Python parser without it.

The parsers' own quirks end here: a failure is a YamlError with a position, and plain scalars with
a colon inside a flow collection (`{image: nginx:1.25}`), which the C library refuses and
Kubernetes accepts, are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import Event, ScalarEvent

from qoslint.source.loading import YamlError
from qoslint.span import Lines, Position

try:
    from _ruamel_yaml import CParser
except ImportError:
    CParser = None

NextEvent: TypeAlias = Callable[[], Event]
_Result = TypeVar("_Result")

_FLOW_COLON = "found unexpected ':'"
_NOT_PRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Tags, anchors, aliases and directives keep their colons; so does what may be an indicator.
_PLAIN_COLON = re.compile(r"[!&*]\S*|^%.*$|(?<=[^\s,\[\]{}\"'?:]):(?=\S)", re.MULTILINE)
_COLON_ROUNDS = 20
MAX_DIRECTIVES = 100
# A line that only starts like one, in a quoted text, is as rare as an honest directive.
_DIRECTIVE = "(?:^|[\n\r\x85\u2028\u2029])%"
_MERGE_TAG = "tag:yaml.org,2002:merge"


def read_events(text: str, reader: Callable[[NextEvent], _Result]) -> _Result:
    """What `reader` makes of the events of `text`; raise YamlError.

    `reader` runs anew, from the first event, if the text has colons that the C library refuses.
    """
    if text.count("%") > MAX_DIRECTIVES and len(re.findall(_DIRECTIVE, text)) > MAX_DIRECTIVES:
        # The C library compares each with all before it.
        raise YamlError(f"more than {MAX_DIRECTIVES} directives in one document", Position(1, 1))
    stand_in = ""
    patched = text
    for _ in range(_COLON_ROUNDS):
        try:
            return reader(_next_event(patched, stand_in))
        except MarkedYAMLError as error:
            stand_in = stand_in or _unused_character(text)
            if error.problem != _FLOW_COLON or not stand_in:
                raise _refused(error, text) from error
            patched = _without_colon(patched, error.problem_mark.index, stand_in)
        except (YAMLError, UnicodeEncodeError) as error:
            raise _not_printable(error, text) from error
    raise YamlError("a flow collection with this many colons cannot be read", Position(1, 1))


def python_events(text: str) -> NextEvent:
    """The events of ruamel's slow parser, for platforms without the C library."""
    events: Iterable[Event] = YAML(typ="safe", pure=True).parse(text)
    return iter(events).__next__


def is_merge(key: ScalarEvent) -> bool:
    """Whether a key merges its value into the mapping (goyaml.v2/decode.go: isMerge)."""
    return key.value == "<<" and (key.implicit[0] or key.tag == _MERGE_TAG)


def _next_event(text: str, stand_in: str) -> NextEvent:
    if CParser is None:
        return python_events(text)
    next_event: NextEvent = CParser(text).get_event
    if not stand_in:
        return next_event
    return lambda: _with_colons(next_event(), stand_in)


def _with_colons(event: Event, stand_in: str) -> Event:
    if isinstance(event, ScalarEvent):
        event.value = event.value.replace(stand_in, ":")
    return event


def _unused_character(text: str) -> str:
    """A private-use character that the text does not hold; empty if it holds many."""
    return next((chr(code) for code in range(0xE000, 0xE100) if chr(code) not in text), "")


def _without_colon(text: str, index: int, stand_in: str) -> str:
    """The text with the colon at `index`, and at once all that are surely alike, replaced."""
    if stand_in not in text:
        text = _PLAIN_COLON.sub(lambda found: stand_in if found[0] == ":" else found[0], text)
    return text[:index] + stand_in + text[index + 1 :]


def _refused(error: MarkedYAMLError, text: str) -> YamlError:
    index = min(error.problem_mark.index, len(text))
    if text[index : index + 1] == "\t" and "cannot start any token" in error.problem:
        return YamlError("a tab cannot indent YAML", Lines(text).position(index))
    message = f"{error.context}: {error.problem}" if error.context else error.problem
    if not text[index:].strip() and error.context_mark is not None:
        # What is missing at the end of the text was opened here.
        index = error.context_mark.index
    last = len(text.rstrip()) - 1
    return YamlError(message, Lines(text).position(max(min(index, last), 0)))


def _not_printable(error: Exception, text: str) -> YamlError:
    """The C library names only the byte offset of a character that YAML does not allow."""
    found = _NOT_PRINTABLE.search(text)
    if found is None:
        return YamlError(str(error).partition("\n")[0], Position(1, 1))
    message = f"the character U+{ord(found[0]):04X} is not allowed in YAML"
    return YamlError(message, Lines(text).position(found.start()))

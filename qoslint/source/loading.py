"""One document's text to the JSON value that the API server would receive.

By its lines where they are plain, else as JSON, else by the events of a YAML parser: the faster
readers give up wherever they could differ from the events.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from qoslint.source import jsontext, plain_block, plain_flow
from qoslint.span import Position

MAX_DEPTH = 200
MAX_NODES = 2_500_000
"""Nodes of one document, each alias counted with all that it stands for."""


class YamlError(Exception):
    """A document that Kubernetes' YAML reader refuses, or that exceeds one of our bounds."""

    def __init__(self, message: str, position: Position) -> None:
        """`position` counts within the document's own text."""
        super().__init__(message)
        self.message = message
        self.position = position


class Complaint(NamedTuple):
    """What a strict reader refuses in a document that is accepted all the same."""

    position: Position
    message: str


class Loaded(NamedTuple):
    """The JSON value of a document, and what a strict reader says of it."""

    value: object
    complaints: tuple[Complaint, ...]
    aliased: int = 0
    """How many values aliases added."""
    plain_block: bool = False
    """Whether `plain_block` read it, so that its lines also tell the positions."""


def load(text: str, most_aliased: int | None = None) -> Loaded:
    """Read the first document of `text`; raise YamlError.

    Aliases may add `most_aliased` values, by default what the text alone allows.
    """
    text = text.removeprefix("\ufeff")
    value = plain_block.read(text, load_flow)
    if value is not None:
        return Loaded(value, (), plain_block=True)
    from_json = jsontext.load(text)
    if from_json is None or not jsontext.is_bounded(from_json.value, MAX_DEPTH, MAX_NODES):
        return _load_events(text, most_aliased)
    if not from_json.duplicates:
        return Loaded(from_json.value, ())
    return Loaded(from_json.value, _load_events(jsontext.without_surrogates(text), 0).complaints)


def load_flow(text: str) -> object:
    """A flow collection that is whole in itself; raise ValueError if it is anything else."""
    # Short ones repeat, such as labels; a cache of long ones would keep their memory.
    return _load_flow_cached(text) if len(text) < 200 else _load_flow_once(text)


def _load_flow_once(text: str) -> object:
    value = plain_flow.read(text)
    if value is not None:
        return value
    try:
        # What aliases add must be counted with the rest of the document.
        loaded = _load_events(text, 0)
    except YamlError as error:
        raise ValueError(text) from error
    if loaded.complaints:
        raise ValueError(text)
    return loaded.value


def _load_events(text: str, most_aliased: int | None) -> Loaded:
    # Imported here: many runs need no parser, and its import costs more than they do.
    from qoslint.source.event_values import load_events

    return load_events(text, most_aliased)


_load_flow_cached = lru_cache(maxsize=1024)(_load_flow_once)

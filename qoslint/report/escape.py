"""Text as Markdown that shows it and does not act on it."""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>|#~$&!])")
# GitHub and GitLab look for these in what is left when the Markdown is gone: a person would be
# called, or an issue told that it is spoken of.
_CALLS = re.compile(r"(?:@|\\#)(?=\w)")
_LINKS = re.compile(r"(?i):(?=//)|(?<=\bwww)\.")


def markdown(text: str) -> str:
    """The visible text, on one line, with what Markdown or HTML would act upon spelled out."""
    plain = _ACTIVE.sub(r"\\\1", text)
    unlinked = _LINKS.sub(r"\\\g<0>", plain)
    return _CALLS.sub(lambda match: f"<span>{match[0]}</span>", unlinked)

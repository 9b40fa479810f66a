"""The templates of ApplicationSets, as far as they can be filled in here exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from qoslint.render.argo.expressions import UnevaluatedError, evaluated
from qoslint.render.fields import Fields

_DEEPEST = 100
_LONGEST = 1_000_000
_FAST = re.compile(r"\{\{.*\}\}")
_ACTION = re.compile(r"\{\{(-\s)?(.*?)(\s-)?\}\}", re.DOTALL)


class Filling(NamedTuple):
    """How an ApplicationSet fills in its templates."""

    go: bool
    """`goTemplate`; else only whole names are replaced."""
    strict: bool = False
    """`missingkey=error`: a name that is not known is an error."""

    def text(self, template: str, parameters: Fields) -> str:
        """The template filled in; raise UnevaluatedError."""
        if "{{" not in template:
            return template
        found = _go(template, parameters, self.strict) if self.go else _fast(template, parameters)
        if len(found) > _LONGEST:
            raise UnevaluatedError("a template grows beyond a million characters")
        return found

    def value(self, template: object, parameters: Fields, depth: int = 0) -> object:
        """All texts in a value filled in, keys too; raise UnevaluatedError."""
        if depth > _DEEPEST:
            raise UnevaluatedError("a template is nested more than 100 levels deep")
        if isinstance(template, str):
            return self.text(template, parameters)
        if isinstance(template, Mapping):
            return {
                self.text(key, parameters): self.value(item, parameters, depth + 1)
                for key, item in template.items()
            }
        if isinstance(template, list):
            return [self.value(item, parameters, depth + 1) for item in template]
        return template


def _fast(template: str, parameters: Fields) -> str:
    """`{{name}}` replaced; what is no parameter stays (applicationset/utils Render.Replace)."""
    if not _FAST.search(template):
        return template
    parts = []
    at = 0
    while (start := template.find("{{", at)) >= 0:
        end = template.find("}}", start + 2)
        if end < 0:
            raise UnevaluatedError("a template lacks its closing '}}'")
        name = template[start + 2 : end].strip()
        value = parameters.get(name) if name else None
        whole = template[start : end + 2]
        parts += [template[at:start], value if isinstance(value, str) else whole]
        at = end + 2
    return "".join([*parts, template[at:]])


def _go(template: str, parameters: Fields, strict: bool) -> str:
    parts = []
    at = 0
    trim = False
    for action in _ACTION.finditer(template):
        before = template[at : action.start()]
        before = before.lstrip() if trim else before
        parts.append(before.rstrip() if action[1] else before)
        inner = action[2].strip()
        if not (inner.startswith("/*") and inner.endswith("*/")):
            parts.append(evaluated(inner, parameters, strict=strict))
        trim = action[3] is not None
        at = action.end()
    rest = template[at:]
    if "{{" in rest:
        raise UnevaluatedError("a template lacks its closing '}}'")
    return "".join([*parts, rest.lstrip() if trim else rest])

"""Names and label syntax: what a text must look like to be one.

Mirrors `staging/src/k8s.io/apimachinery/pkg/util/validation/validation.go` and
`staging/src/k8s.io/apimachinery/pkg/api/validate/content`. Each function tells what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_QUALIFIED_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE = f"({_QUALIFIED_NAME})?"

# The regular expressions to match with cannot backtrack: the printed ones would on hostile names.
_IS_LABEL = re.compile(r"[a-z0-9]+(-+[a-z0-9]+)*")
_IS_QUALIFIED_NAME = re.compile(r"[A-Za-z0-9]+([-_.]+[A-Za-z0-9]+)*")

_LABEL_LENGTH = 63
_SUBDOMAIN_LENGTH = 253


def _remembering(complain: Callable[[str], Iterator[str]]) -> Callable[[str], tuple[str, ...]]:
    """Keep what is said of names: the same few come again and again.

    Long ones are not worth the memory.
    """
    remembered = lru_cache(maxsize=4096)(lambda value: tuple(complain(value)))

    @wraps(complain)
    def complaints(value: str) -> tuple[str, ...]:
        return remembered(value) if len(value) <= _SUBDOMAIN_LENGTH else tuple(complain(value))

    return complaints


@_remembering
def is_dns1123_label(value: str) -> Iterator[str]:
    """A container's name, for one."""
    if utf8_length(value) > _LABEL_LENGTH:
        yield _too_long(_LABEL_LENGTH)
    if not _IS_LABEL.fullmatch(value):
        if _is_subdomain(value):
            yield "must not contain dots"
        else:
            yield (
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters "
                "or '-', and must start and end with an alphanumeric character "
                f"(e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
            )


@_remembering
def is_dns1123_subdomain(value: str) -> Iterator[str]:
    """Most objects' names."""
    if utf8_length(value) > _SUBDOMAIN_LENGTH:
        yield _too_long(_SUBDOMAIN_LENGTH)
    if not _is_subdomain(value):
        yield (
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
            "'-' or '.', and must start and end with an alphanumeric character "
            f"(e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
        )


def _is_subdomain(value: str) -> bool:
    return all(_IS_LABEL.fullmatch(part) for part in value.split("."))


@_remembering
def is_qualified_name(value: str) -> Iterator[str]:
    """A label's key or a resource's name: `example.com/name` or `name`."""
    prefix, slash, name = value.rpartition("/")
    if "/" in prefix:
        yield (
            f"a valid label key {_charset_error(_QUALIFIED_NAME)} with an optional DNS subdomain "
            "prefix and '/' (e.g. 'example.com/MyName')"
        )
        return
    if slash and not prefix:
        yield "prefix part must be non-empty"
    elif slash:
        for message in is_dns1123_subdomain(prefix):
            yield f"prefix part {message}"
    if not name:
        yield "name part must be non-empty"
    elif utf8_length(name) > _LABEL_LENGTH:
        yield f"name part {_too_long(_LABEL_LENGTH)}"
    if not _IS_QUALIFIED_NAME.fullmatch(name):
        yield f"name part {_charset_error(_QUALIFIED_NAME)}"


@_remembering
def is_valid_label_value(value: str) -> Iterator[str]:
    """A label's value; it may be empty."""
    if utf8_length(value) > _LABEL_LENGTH:
        yield _too_long(_LABEL_LENGTH)
    if value and not _IS_QUALIFIED_NAME.fullmatch(value):
        yield (
            "a valid label must be an empty string or consist of alphanumeric characters, "
            "'-', '_' or '.', and must start and end with an alphanumeric character "
            "(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
            f"'{_LABEL_VALUE}')"
        )


def utf8_length(text: str) -> int:
    """The length in bytes, which is what Kubernetes limits."""
    return len(text.encode(errors="surrogatepass"))


def _charset_error(pattern: str) -> str:
    return (
        "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
        f"alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
        f"validation is '{pattern}')"
    )


def _too_long(limit: int) -> str:
    return f"must be no more than {limit} bytes"

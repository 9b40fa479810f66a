"""From bytes to text, and which texts are not plain YAML at all."""

from __future__ import annotations

import codecs
import re

from qoslint.source.tree import Skip

_UTF16_MARKS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_UTF32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_GIT_CRYPT_HEADER = b"\0GITCRYPT\0"
_SOPS_SECTION = re.compile(r'^(?:sops|[ \t]*"sops")[ \t]*:', re.MULTILINE)


class NotTextError(Exception):
    """Bytes that hold no readable text; `reason` says why."""

    def __init__(self, reason: Skip) -> None:
        """Keep the reason for the count of files that were not understood."""
        super().__init__(reason)
        self.reason = reason


def decode(content: bytes) -> str:
    """The text of a file without its byte order mark; raise NotTextError.

    UTF-8, or UTF-16 with a byte order mark, as Kubernetes' YAML reader takes them
    (yaml_parser_determine_encoding).
    """
    if content.startswith(_GIT_CRYPT_HEADER):
        raise NotTextError(Skip.GIT_CRYPT)
    if content.startswith(_UTF32_MARKS):
        # One of them starts like a mark of UTF-16.
        raise NotTextError(Skip.UTF32)
    encoding = _UTF16_MARKS.get(content[:2])
    if encoding is None and b"\0" in content:
        raise NotTextError(Skip.BINARY)
    try:
        return content.decode(encoding or "utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise NotTextError(Skip.NOT_UTF8) from error


def encode(text: str, like: bytes) -> bytes:
    """The bytes of a text in the encoding, and with the byte order mark, of a file's content."""
    encoding = _UTF16_MARKS.get(like[:2])
    if encoding is not None:
        return like[:2] + text.encode(encoding)
    mark = codecs.BOM_UTF8 if like.startswith(codecs.BOM_UTF8) else b""
    return mark + text.encode("utf-8")


def is_sops(text: str) -> bool:
    """Whether SOPS encrypted the values of this text, so that they say nothing."""
    return "ENC[AES256_GCM," in text and _SOPS_SECTION.search(text) is not None

"""Bytes to text."""

import pytest

from qoslint.source.text import NotTextError, decode, is_sops
from qoslint.source.tree import Skip


@pytest.mark.parametrize(
    "content",
    [
        "é: 1".encode(),
        b"\xef\xbb\xbf" + "é: 1".encode(),
        b"\xff\xfe" + "é: 1".encode("utf-16-le"),
        b"\xfe\xff" + "é: 1".encode("utf-16-be"),
    ],
)
def test_every_encoding_that_kubernetes_reads_is_read(content):
    assert decode(content) == "é: 1"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\0GITCRYPT\0abc", Skip.GIT_CRYPT),
        (b"a: \0", Skip.BINARY),
        (b"a: \xff", Skip.NOT_UTF8),
        (b"\xff\xfea", Skip.NOT_UTF8),
        ("a: b".encode("utf-32"), Skip.UTF32),
        (b"\xff\xfe\0\0" + "a: b".encode("utf-32-le"), Skip.UTF32),
        (b"\0\0\xfe\xff" + "a: b".encode("utf-32-be"), Skip.UTF32),
    ],
)
def test_what_is_no_text_is_named(content, reason):
    with pytest.raises(NotTextError) as caught:
        decode(content)
    assert caught.value.reason is reason


SOPS = "data: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\nsops:\n  mac: ENC[AES256_GCM,data:x]\n"


def test_sops_is_recognised_in_yaml_and_json():
    assert is_sops(SOPS)
    assert is_sops('{\n  "a": "ENC[AES256_GCM,data:x]",\n  "sops": {}\n}\n')


def test_a_field_named_sops_is_not_enough():
    assert not is_sops("sops:\n  enabled: true\n")
    assert not is_sops("data:\n  note: 'ENC[AES256_GCM,data:x]'\n  sops: x\n")

"""Addresses of repositories, paths, globs, and tools that are only recognised."""

from __future__ import annotations

import pytest

from qoslint.render.fields import clamped, under_root
from qoslint.render.globs import doublestar, go_path, gobwas, pathspec, shell
from qoslint.render.others import unsupported
from qoslint.render.sources import address, origin_urls


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/Acme/deploy",
        "https://github.com/acme/deploy.git",
        "https://user:token@github.com/acme/deploy/",
        "http://github.com/acme/deploy",
        "git@github.com:acme/deploy.git",
        "git@github.com/acme/deploy",
        "ssh://git@github.com/acme/deploy.git",
        "ssh://git@github.com:22/acme/deploy",
        "  https://github.com/acme/deploy  ",
    ],
)
def test_all_ways_to_write_an_address_are_one(url):
    assert address(url) == "github.com/acme/deploy"


@pytest.mark.parametrize("url", ["", ":", "@", "://", "a://b:c", "///", ".git", "a@b@c:d:e"])
def test_no_address_breaks_the_reading(url):
    assert isinstance(address(url), str)


def test_remotes_are_read_from_the_text_of_a_git_config():
    text = """\
[core]
    url = https://example.com/no
[remote "origin"]
    url = git@github.com:acme/deploy.git
    fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
    remote = origin
[remote "upstream"]
    url=https://github.com/up/deploy
"""
    assert origin_urls(text) == ("git@github.com:acme/deploy.git", "https://github.com/up/deploy")
    assert origin_urls("[remote\nurl =") == ()


@pytest.mark.parametrize(
    ("parts", "inside", "kept"),
    [
        (("a", "../b"), "b", "b"),
        (("a", "../../b"), None, "b"),
        (("", "./"), "", ""),
        (("a//b", "/c"), "a/b/c", "a/b/c"),
    ],
)
def test_paths_are_joined_and_leave_the_root_only_to_be_told(parts, inside, kept):
    assert under_root(*parts) == inside
    assert clamped(*parts) == kept


@pytest.mark.parametrize(
    ("matches", "pattern", "path", "expected"),
    [
        (go_path, "apps/*", "apps/a", True),
        (go_path, "apps/*", "apps/a/b", False),
        (go_path, "*/{a,b}", "apps/a", False),
        (go_path, "apps/[a-c]?", "apps/bz", True),
        (go_path, "apps/[^a-c]", "apps/b", False),
        (go_path, "apps[^a]x", "apps/x", False),
        (go_path, "apps\\*", "apps*", True),
        (go_path, "[", "[", False),
        (go_path, "\\", "\\", False),
        (gobwas, "*.yaml", "a/b/c.yaml", True),
        (gobwas, "{a,b}/*", "b/c/d", True),
        (gobwas, "{a,b/{c,d}}", "b/d", True),
        (gobwas, "[!a]", "b", True),
        (pathspec, "envs/*.json", "envs/a/b.json", True),
        (pathspec, "**/a.json", "a.json", False),
        (pathspec, "envs", "envs/a.json", True),
        (pathspec, "./envs/a.json", "envs/a.json", True),
        (doublestar, "**/a.json", "a.json", True),
        (doublestar, "x/**/y/*.yaml", "x/1/2/y/a.yaml", True),
        (doublestar, "x/**/y/*.yaml", "x/y/y/y/a.yaml", True),
        (doublestar, "x/**/y/*.yaml", "x/y/a/b.yaml", False),
        (doublestar, "x/**", "x/a/b", True),
        (doublestar, "*.{yaml,yml}", "a.yml", True),
        (doublestar, "a**b", "a/b", False),
        (shell, "*.", "a/b.", True),
        (shell, "a*b*c", "a1b2b3c", True),
        (shell, "a*b*c", "a1c2b", False),
    ],
)
def test_globs_match_as_in_go(matches, pattern, path, expected):
    assert matches(pattern)(path) is expected


@pytest.mark.parametrize("matches", [go_path, gobwas, pathspec, doublestar, shell])
def test_no_pattern_takes_long(matches):
    path = "a" * 4000
    assert not matches("*a" * 400 + "b")(path)
    assert not matches("**/" * 300 + "b")("a/" * 1000)
    assert matches("{a,b}" * 100)("c" * 100) in (True, False)
    assert matches("[" * 2000)(path) is False


def test_other_tools_are_recognised_by_their_files():
    found = unsupported(
        [
            "helmfile.yaml",
            "x/helmfile.d/10-a.yaml.gotmpl",
            "k/.kluctl.yaml",
            "environments/prod/main.jsonnet",
            "environments/prod/spec.json",
            "lib/a.jsonnet",
            "lib/b.jsonnet",
            "vendor/github.com/a/a.jsonnet",
            "deployment.yaml",
            "my-helmfile.yaml",
        ]
    )
    assert [(each.file, each.message) for each in found] == [
        (
            "helmfile.yaml",
            "qoslint does not run helmfile: what the root and 1 more folder deploy is not checked. "
            "Pipe it in: `helmfile template ... | qoslint check -`.",
        ),
        (
            "k/.kluctl.yaml",
            "qoslint does not run kluctl: what k deploys is not checked. "
            "Pipe it in: `kluctl render --print-all ... | qoslint check -`.",
        ),
        (
            "environments/prod/main.jsonnet",
            "qoslint does not run Tanka: what environments/prod deploys is not checked. "
            "Pipe it in: `tk show ... | qoslint check -`.",
        ),
        (
            "lib/a.jsonnet",
            "qoslint does not run Jsonnet: what lib deploys is not checked. "
            "Pipe it in: `jsonnet -y ... | qoslint check -`.",
        ),
    ]

"""What Flux is asked to deploy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice

from qoslint.finding import Notice
from qoslint.render.fields import at, text
from qoslint.render.flux import artifacts, helmrelease, instance, kustomization
from qoslint.render.flux.context import Context
from qoslint.render.objects import Nearby, Object, key, objects
from qoslint.render.places import Places
from qoslint.render.sources import (
    MAX_TARGETS,
    Effort,
    Named,
    NotRenderedError,
    Repository,
    TooManyError,
    other_revision,
    sources,
)
from qoslint.render.target import Missing, Target
from qoslint.source.document import Document

_Resolve = Callable[[Object, Context], Iterator[Target | Notice]]
_Name = Callable[[Object, Context], Iterator[Named]]

_KINDS: Mapping[tuple[str, str], tuple[_Name, _Resolve]] = {
    (kustomization.GROUP, "Kustomization"): (kustomization.named, kustomization.resolved),
    (helmrelease.GROUP, "HelmRelease"): (helmrelease.named, helmrelease.resolved),
}


def asked(
    documents: Sequence[Document], repository: Repository
) -> Iterator[Target | Missing | Notice]:
    """What the Kustomizations and HelmReleases among the documents deploy.

    Nothing is rendered: what a target yields may hold more of them. Sources, ConfigMaps and Secrets
    that they refer to are looked for among the documents.
    """
    places = Places()
    stated = list(objects(documents, places))
    found = [*stated, *chain.from_iterable(map(instance.synced, stated))]
    context = Context(
        # Many objects may name one file.
        repository._replace(read=lru_cache(maxsize=1024)(repository.read)),
        Nearby((key(each.kind, each.name), each, each) for each in found),
        artifacts.makers(found),
        Effort(),
        {},
    )
    deploying = [each for each in found if (each.group, each.kind) in _KINDS]
    paths = chain.from_iterable(
        _KINDS[each.group, each.kind][0](each, context) for each in deploying
    )
    known = sources(repository, paths)
    yield from known.notices
    answers = chain(
        _revisions(found, context._replace(sources=known)),
        _all(deploying, context._replace(sources=known)),
    )
    yield from places.told(islice(answers, MAX_TARGETS))


def _revisions(found: Sequence[Object], context: Context) -> Iterator[Notice]:
    for each in found:
        if (
            each.kind == "GitRepository"
            and context.sources.root(text(each.data, "spec", "url")) == ""
        ):
            ref = at(each.data, "spec", "ref")
            stated = (text(ref, field) for field in ("commit", "name", "semver", "tag", "branch"))
            revision = next(filter(None, stated), "")
            line = each.line("spec", "ref")
            yield from other_revision(each.title, revision, each.file, line, context.repository)


def _all(deploying: Sequence[Object], context: Context) -> Iterator[Target | Missing | Notice]:
    for each in deploying:
        try:
            yield from _KINDS[each.group, each.kind][1](each, context)
        except NotRenderedError as error:
            yield error.missing
        except TooManyError:
            message = (
                "the objects together name more files than qoslint looks through, so what this "
                "one deploys is not checked"
            )
            yield Missing(each.title, each.file, each.line("spec"), message)

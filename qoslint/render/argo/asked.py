"""What Argo CD is asked to deploy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from qoslint.finding import Notice
from qoslint.render.argo import applicationset
from qoslint.render.argo.application import GROUP, Application, Context, named
from qoslint.render.argo.resolve import resolved
from qoslint.render.objects import Object, objects
from qoslint.render.places import Places
from qoslint.render.sources import MAX_TARGETS, Effort, Repository, sources
from qoslint.render.target import Missing, Target
from qoslint.source.document import Document


def asked(
    documents: Sequence[Document], repository: Repository
) -> Iterator[Target | Missing | Notice]:
    """What the Applications and ApplicationSets among the documents deploy.

    Nothing is rendered: what a target yields may hold more Applications.
    """
    places = Places()
    found = [each for each in objects(documents, places) if each.group == GROUP]
    single = [Application(each, each.data) for each in found if each.kind == "Application"]
    several = [each for each in found if each.kind == "ApplicationSet"]
    paths = chain(
        chain.from_iterable(map(named, single)),
        chain.from_iterable(map(applicationset.named_paths, several)),
    )
    known = sources(repository, paths)
    yield from known.notices
    # Many objects may name one file.
    cached = repository._replace(read=lru_cache(maxsize=1024)(repository.read))
    answers = _all(single, several, Context(cached, known, Effort()))
    yield from places.told(islice(answers, MAX_TARGETS))


def _all(
    single: Sequence[Application], several: Sequence[Object], context: Context
) -> Iterator[Target | Missing | Notice]:
    for application in single:
        yield from resolved(application, context)
    for object_ in several:
        for each in applicationset.applications(object_, context):
            if isinstance(each, Missing):
                yield each
            else:
                yield from resolved(each, context)

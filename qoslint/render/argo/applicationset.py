"""ApplicationSets: the Applications that they yield."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from qoslint.render.argo.application import Application, Context, named
from qoslint.render.argo.expressions import UnevaluatedError
from qoslint.render.argo.generators import LOCAL, kind, parameters
from qoslint.render.argo.gitgenerator import Generating, Parameters, RemoteError
from qoslint.render.argo.overrides import merge_patch
from qoslint.render.argo.templates import Filling
from qoslint.render.fields import Fields, at, is_set, mapping, mappings, text, texts
from qoslint.render.globs import has_wildcard
from qoslint.render.objects import Object
from qoslint.render.reach import items
from qoslint.render.sources import Named, TooManyError, address
from qoslint.render.target import Missing
from qoslint.source.document import Remote, YamlError, load
from qoslint.span import Path

_BELOW: Path = ("spec", "template")
_MOST_CHARACTERS = 50_000_000
_PLAIN_ADVICE = (
    "; write its Applications out, or pipe what they deploy rendered into `qoslint check -`"
)


def applications(object_: Object, context: Context) -> Iterator[Application | Missing]:
    """The Applications that the generators yield; those that cannot be told are missing."""
    spec = mapping(at(object_.data, "spec"))
    options = set(texts(spec.get("goTemplateOptions")))
    filling = Filling(is_set(spec, "goTemplate"), "missingkey=error" in options)
    generating = Generating(context, filling)
    left = _MOST_CHARACTERS
    for number, generator in enumerate(items(spec.get("generators"))):
        where: Path = ("spec", "generators", number)
        try:
            base = _template(spec, mapping(generator))
            for each in parameters(mapping(generator), generating):
                application = _filled(object_, base, each, filling)
                left = _spend(left, application)
                yield application
        except UnevaluatedError as error:
            message = f"{error}, so what it deploys is not checked{_PLAIN_ADVICE}"
            line = object_.line(*where)
            yield Missing(object_.title, object_.file, line, message)
        except TooManyError:
            message = (
                "the generators together name more files than qoslint looks through, so what they "
                "deploy is not checked"
            )
            yield Missing(object_.title, object_.file, object_.line(*where), message)
        except RemoteError as error:
            message = (
                f"its git generator reads the repository {error.url}, which is not this one, so "
                "what it deploys is not checked; if it is this one or a copy is here, say so under "
                "`remotes`"
            )
            line = object_.line(*where)
            yield Missing(object_.title, object_.file, line, message, Remote(address(error.url)))


def _spend(left: int, application: Application) -> int:
    left -= len(json.dumps(application.data))
    if left < 0:
        raise UnevaluatedError("its Applications come to more than 50 MB")
    return left


def _filled(object_: Object, base: Fields, each: Parameters, filling: Filling) -> Application:
    data = mapping(filling.value(base, each) if each else base)
    patch = at(object_.data, "spec", "templatePatch")
    if isinstance(patch, str):
        data = _patched(data, filling.text(patch, each))
    return Application(object_, data, _BELOW)


def _patched(data: Fields, patch: str) -> Fields:
    """The Application with `templatePatch` applied, which has no lists that are merged."""
    try:
        change = load(patch)
    except YamlError as error:
        raise UnevaluatedError(f"its templatePatch cannot be read: {error.message}") from error
    if "$patch" in patch or "$retainKeys" in patch or "$setElementOrder" in patch:
        raise UnevaluatedError("its templatePatch has directives of a strategic merge")
    return merge_patch(data, mapping(change))


def _template(spec: Fields, generator: Fields) -> Fields:
    """The template, below what the generator has of its own (mergeGeneratorTemplate)."""
    own = at(generator, kind(generator), "template")
    return _completed(mapping(own), mapping(spec.get("template")))


def _completed(own: Fields, base: Fields, depth: int = 0) -> Fields:
    merged = dict(own)
    for key, value in base.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping) and depth < 100:
            merged[key] = _completed(old, value, depth + 1)
        elif not old:
            merged[key] = value
    return merged


def named_paths(object_: Object) -> Iterator[Named]:
    """The paths that it names in sources, as far as they stand there."""
    yield from named(Application(object_, mapping(at(object_.data, *map(str, _BELOW))), _BELOW))
    yield from _of_generators(at(object_.data, "spec", "generators"), 0)


def _of_generators(generators: object, depth: int) -> Iterator[Named]:
    for generator in mappings(generators):
        for key in LOCAL:
            options = generator.get(key)
            if key == "git":
                yield from _of_git(mapping(options))
            elif depth < 3:
                yield from _of_generators(at(options, "generators"), depth + 1)


def _of_git(options: Fields) -> Iterator[Named]:
    url = text(options, "repoURL")
    for key in ("directories", "files"):
        for each in mappings(options.get(key)):
            path = text(each, "path")
            if not url or "{{" in url + path or is_set(each, "exclude"):
                continue
            fixed = []
            for name in path.split("/"):
                if has_wildcard(name):
                    break
                fixed.append(name)
            yield Named(url, "/".join(fixed))

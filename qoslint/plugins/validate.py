"""Whether what a plugin gives can be used: told before a run, and not in the middle of it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from qoslint import schema
from qoslint.engine.options import option_errors
from qoslint.engine.page import BUILT_IN_CHECKS, Page, RulePack, divided, read_page
from qoslint.engine.registry import check_of
from qoslint.errors import PluginError
from qoslint.finding import ObjectId, Part, Place
from qoslint.kernel.features import DEFAULT
from qoslint.model.injector import InjectorError, read_injector
from qoslint.model.node import ProfileError, node_profile
from qoslint.plugins.given import Given
from qoslint.schema import Json
from qoslint.source.document import Document, Source, YamlError, load
from qoslint.source.locate import locate
from qoslint.span import field_path

_FORMAT = re.compile(r"[a-z][a-z0-9-]*")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_NOWHERE = Place(ObjectId("", 0, ()), ())


def validated(given: Given) -> Given:
    """What the plugin gives, its data as plain JSON. Raises PluginError for what cannot be used."""
    for pack in given.rule_packs:
        if not isinstance(pack, RulePack):
            raise PluginError(f"qoslint_rule_packs returns {pack!r}, which is no RulePack")
        validate_pack(pack)
    _check_reporters(given.reporters)
    return given._replace(
        workload_kinds=tuple(_tables(given.workload_kinds)),
        node_profiles=tuple(_profiles(given.node_profiles)),
        injectors=tuple(_injectors(given.injectors)),
    )


def validate_pack(pack: RulePack) -> None:
    """Raise PluginError, which names page and line, for the first thing that is wrong in a pack."""
    files = list(pack.files())
    if not files:
        raise PluginError(f"the rule pack {pack.name!r} has no page in {pack.pages}")
    for file in files:
        _check_front_matter(file.name, divided(file)["front"])
        page = read_page(file, pack.package)
        _check_origin(page, pack)
        _check_options(page, check_of(page)[1])


def _check_front_matter(name: str, front: str) -> None:
    # It stands behind a first line of ---.
    text = f"\n{front}"
    try:
        document = Document(Source(name, name, text), 0, 1, text, load(text))
    except YamlError as error:
        raise PluginError(f"{name}:{error.position.line}: {error.message}") from error
    for problem in schema.check(document.data, "rule"):
        span, _ = locate(document, problem.path, Part.ENTRY)
        raise PluginError(f"{name}:{span.start.line}: {problem.message}")


def _check_origin(page: Page, pack: RulePack) -> None:
    own = tuple(f"{package}." for package in (BUILT_IN_CHECKS, pack.package) if package)
    if page.check and not (pack.installed or page.check.startswith(own)):
        raise PluginError(
            f"{page.file}: its check {page.check} is not imported, for the pack is not installed: "
            "--package must name the package that holds it"
        )


def _check_options(page: Page, check: Callable[..., object]) -> None:
    takes, states = "options" in inspect.signature(check).parameters, bool(page.options)
    if takes and not states:
        raise PluginError(f"{page.file}: its check {page.check} has options; the page states none")
    if states and not takes:
        raise PluginError(f"{page.file}: states options, but its check {page.check} has none")
    defaults = {
        name: option.default for name, option in page.options.items() if option.default is not None
    }
    for error in option_errors(page.options, defaults):
        raise PluginError(f"{page.file}: the default of options.{error.name} {error.message}")


def _check_reporters(reporters: Mapping[str, str]) -> None:
    if not isinstance(reporters, Mapping):
        raise PluginError(f"qoslint_reporters must return a mapping, not {reporters!r}")
    for name, function in reporters.items():
        if not isinstance(name, str) or not _FORMAT.fullmatch(name):
            raise PluginError(f"qoslint_reporters: a format cannot be named {name!r}")
        if not isinstance(function, str) or not _DOTTED.fullmatch(function):
            raise PluginError(
                f"qoslint_reporters: {name!r} must be the dotted name of a function, "
                f"not {function!r}"
            )


def _tables(given: Iterable[object]) -> Iterator[Json]:
    return (table for _, table in _valid("qoslint_workload_kinds", "kinds", given))


def _profiles(given: Iterable[object]) -> Iterator[Json]:
    for label, profile in _valid("qoslint_node_profiles", "node-profile", given):
        try:
            node_profile(profile, DEFAULT, _NOWHERE)
        except ProfileError as error:
            raise PluginError(f"{label}: {field_path(error.path)} {error.message}") from error
        if "kubeletConfig" in profile:
            raise PluginError(f"{label}: no file of a plugin can be its kubeletConfig; use kubelet")
        yield profile


def _injectors(given: Iterable[object]) -> Iterator[Json]:
    for label, profile in _valid("qoslint_injectors", "injector", given):
        try:
            read_injector(profile)
        except InjectorError as error:
            raise PluginError(f"{label}: {field_path(error.path)} {error.message}") from error
        yield profile


def _valid(hook: str, schema_name: str, given: Iterable[object]) -> Iterator[tuple[str, Json]]:
    """Each item as JSON of its own, which no plugin can change any more, and how to name it."""
    for index, item in enumerate(given):
        label = f"{hook}: item {index}"
        try:
            data = json.loads(json.dumps(item))
        except (TypeError, ValueError, RecursionError) as error:
            raise PluginError(f"{label} is no JSON data: {error}") from error
        for problem in schema.check(data, schema_name):
            raise PluginError(f"{label}: {problem.message}")
        yield label, data

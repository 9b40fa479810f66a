"""Kubernetes versions and the feature gates that are on in them.

Mirrors `staging/src/k8s.io/component-base/featuregate/feature_gate.go` SetFromMap.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from qoslint.kernel.featuregates import (
    DEPENDENCIES,
    DEPENDENCIES_SINCE,
    GATES,
    WITHOUT_EFFECT,
    Stage,
)

_VERSION = re.compile(r"v?(\d{1,4})\.(\d{1,4})(?:[.+-].*)?")
# Gates that switch all gates of one maturity, unless those are set themselves.
_GROUPS = {"AllAlpha": "alpha", "AllBeta": "beta"}


class Version(NamedTuple):
    """A minor version of Kubernetes; compares as versions do."""

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> Version:
        """The version in `1.36`, and in what nodes report: `v1.36.2-eks-113cf36`.

        ValueError for any other text.
        """
        match = _VERSION.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a Kubernetes version such as '1.36'")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        """The version as people write it: `1.36`."""
        return f"{self.major}.{self.minor}"


SUPPORTED = tuple(Version(1, minor) for minor in range(31, 38))
CHECKED = tuple(Version(1, minor) for minor in range(31, 37))
"""The versions whose answers are tested against Kubernetes' own code."""
DEFAULT = Version(1, 36)


class FeatureError(ValueError):
    """Gates that this version of Kubernetes would not start with; the message is its own."""

    def __init__(self, gate: str, message: str) -> None:
        """`gate` is the name at fault; empty if the version is."""
        super().__init__(message)
        self.gate = gate


@dataclass(frozen=True, slots=True)
class Features:
    """A version and its enabled gates. Functions of the kernel ask it what to compute."""

    version: Version
    enabled: frozenset[str]

    def on(self, gate: str) -> bool:
        """Whether a gate that has an effect is enabled; one that does not exist yet is not."""
        return gate in self.enabled

    def since(self, minor: int) -> bool:
        """Whether the version is 1.`minor` or later."""
        return self.version >= (1, minor)


def features(
    version: Version | str, overrides: Mapping[str, bool] = MappingProxyType({})
) -> Features:
    """The gates of a version, with some set otherwise.

    Whoever turns a gate off and says nothing of those that depend on it gets them off too; a
    component would not start otherwise. FeatureError for a version that is not supported, and as
    `feature_errors` finds them in what is left.
    """
    return _features(_supported(version), tuple(sorted(overrides.items())))


@lru_cache(maxsize=256)
def _features(version: Version, overrides: tuple[tuple[str, bool], ...]) -> Features:
    defaults = _defaults(version)
    values = _with_dependents(version, dict(overrides))
    for error in feature_errors(defaults, values):
        raise error
    return with_overrides(defaults, values)


def _defaults(version: Version) -> Features:
    """The gates that are on if nothing is set."""
    stages = {gate: _stage(version, gate) for gate in GATES}
    enabled = frozenset(gate for gate, stage in stages.items() if stage and stage.default)
    return Features(version, enabled)


def _with_dependents(version: Version, overrides: Mapping[str, bool]) -> dict[str, bool]:
    """The overrides, and off what depends on a gate that they turn off."""
    off = {gate for gate, value in overrides.items() if not value}
    dependents = {
        gate: False
        for gate, needed in DEPENDENCIES.items()
        if off & set(needed) and _stage(version, gate)
    }
    return {**dependents, **overrides}


def with_overrides(base: Features, overrides: Mapping[str, bool]) -> Features:
    """The gates of a component that sets some otherwise, such as a kubelet in its configuration.

    What `feature_errors` refuses is not looked at; a gate that the version lacks stays off.
    """
    groups = {
        maturity: overrides[group] for group, maturity in _GROUPS.items() if group in overrides
    }
    on = set()
    for gate in GATES:
        stage = _stage(base.version, gate)
        if stage and overrides.get(gate, groups.get(stage.maturity, gate in base.enabled)):
            on.add(gate)
    return Features(base.version, frozenset(on))


def feature_errors(base: Features, overrides: Mapping[str, bool]) -> Iterator[FeatureError]:
    """Everything wrong with overrides of some gates, in Kubernetes' words.

    A gate is unknown to the version, locked to its default, or (since v1.35) on while a gate it
    depends on is off. Dependencies are only looked at when nothing else is wrong.
    """
    setting_errors = [
        FeatureError(gate, message)
        for gate, value in sorted(overrides.items())
        if (message := _setting_error(base.version, gate, value))
    ]
    yield from setting_errors or _dependency_errors(with_overrides(base, overrides))


def gate_names(version: Version) -> tuple[str, ...]:
    """The gates that can be named for a version, sorted; for hints after a FeatureError."""
    known = {gate for gate in GATES if _stage(version, gate)}
    return tuple(sorted(known | WITHOUT_EFFECT | _GROUPS.keys()))


def _supported(version: Version | str) -> Version:
    try:
        parsed = Version.parse(version) if isinstance(version, str) else version
    except ValueError as error:
        raise FeatureError("", str(error)) from None
    if parsed not in SUPPORTED:
        range_text = f"{SUPPORTED[0]} to {SUPPORTED[-1]}"
        raise FeatureError("", f"Kubernetes {parsed} is not supported, only {range_text}")
    return parsed


def _stage(version: Version, gate: str) -> Stage | None:
    reached = [stage for stage in GATES.get(gate, ()) if stage.since <= version.minor]
    return reached[-1] if reached else None


def _setting_error(version: Version, gate: str, value: bool) -> str | None:
    if gate in WITHOUT_EFFECT or gate in _GROUPS:
        return None
    stage = _stage(version, gate)
    if stage is None:
        return f"unrecognized feature gate: {gate}"
    if stage.locked and value != stage.default:
        wanted, default = str(value).lower(), str(stage.default).lower()
        return f"cannot set feature gate {gate} to {wanted}, feature is locked to {default}"
    return None


def _dependency_errors(features: Features) -> Iterator[FeatureError]:
    if not features.since(DEPENDENCIES_SINCE):
        return
    for gate, needed in DEPENDENCIES.items():
        off = [name for name in needed if not features.on(name)]
        if features.on(gate) and off:
            names = " ".join(off)
            yield FeatureError(
                gate, f"{gate} is enabled, but depends on features that are disabled: [{names}]"
            )

"""Flags of the kubelet's command line as the fields of the KubeletConfiguration that they set.

`cmd/kubelet/app/options/options.go AddKubeletConfigFlags`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from qoslint.finding import Place
from qoslint.model.setting import Setting

Read: TypeAlias = Callable[[str], object]
"""From the text of a flag to the JSON value of its field; ValueError for what is none."""


class _Flag(NamedTuple):
    field: str
    read: Read


def _text(value: str) -> object:
    return value


def _bool(value: str) -> object:
    """As `strconv.ParseBool` reads it."""
    if value in ("1", "t", "T", "true", "TRUE", "True"):
        return True
    if value in ("0", "f", "F", "false", "FALSE", "False"):
        return False
    raise ValueError(value)


def _int(value: str) -> object:
    """As `strconv.ParseInt` reads it in base 10: digits of ASCII, and nothing else, behind a sign.

    The kubelet also takes other bases, which nobody writes here; they stay text.
    """
    digits = value[1:] if value[:1] in ("-", "+") else value
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise ValueError(value)
    return int(value)


def _list(value: str) -> object:
    return tuple(value.split(",")) if value else ()


def _pairs(sign: str, read: Read = _text) -> Read:
    """Pairs with a comma between them, as `component-base/cli/flag` reads them."""

    def read_pairs(value: str) -> object:
        pairs: dict[str, object] = {}
        for pair in value.split(","):
            key, found, text = pair.partition(sign)
            if found:
                pairs[key.strip()] = read(text.strip())
            elif pair:
                raise ValueError(pair)
        return MappingProxyType(pairs)

    return read_pairs


FLAGS: Mapping[str, _Flag] = MappingProxyType(
    {
        "cgroup-driver": _Flag("cgroupDriver", _text),
        "cgroup-root": _Flag("cgroupRoot", _text),
        "cgroups-per-qos": _Flag("cgroupsPerQOS", _bool),
        "cpu-cfs-quota": _Flag("cpuCFSQuota", _bool),
        "cpu-cfs-quota-period": _Flag("cpuCFSQuotaPeriod", _text),
        "cpu-manager-policy": _Flag("cpuManagerPolicy", _text),
        "cpu-manager-policy-options": _Flag("cpuManagerPolicyOptions", _pairs("=")),
        "enforce-node-allocatable": _Flag("enforceNodeAllocatable", _list),
        "eviction-hard": _Flag("evictionHard", _pairs("<")),
        "eviction-max-pod-grace-period": _Flag("evictionMaxPodGracePeriod", _int),
        "eviction-minimum-reclaim": _Flag("evictionMinimumReclaim", _pairs("=")),
        "eviction-pressure-transition-period": _Flag("evictionPressureTransitionPeriod", _text),
        "eviction-soft": _Flag("evictionSoft", _pairs("<")),
        "eviction-soft-grace-period": _Flag("evictionSoftGracePeriod", _pairs("=")),
        "fail-swap-on": _Flag("failSwapOn", _bool),
        "feature-gates": _Flag("featureGates", _pairs("=", _bool)),
        "image-gc-high-threshold": _Flag("imageGCHighThresholdPercent", _int),
        "image-gc-low-threshold": _Flag("imageGCLowThresholdPercent", _int),
        "kernel-memcg-notification": _Flag("kernelMemcgNotification", _bool),
        "kube-reserved": _Flag("kubeReserved", _pairs("=")),
        "kube-reserved-cgroup": _Flag("kubeReservedCgroup", _text),
        "local-storage-capacity-isolation": _Flag("localStorageCapacityIsolation", _bool),
        "max-pods": _Flag("maxPods", _int),
        "memory-manager-policy": _Flag("memoryManagerPolicy", _text),
        "pod-max-pids": _Flag("podPidsLimit", _int),
        "pods-per-core": _Flag("podsPerCore", _int),
        "qos-reserved": _Flag("qosReserved", _pairs("=")),
        "reserved-cpus": _Flag("reservedSystemCPUs", _text),
        "system-reserved": _Flag("systemReserved", _pairs("=")),
        "system-reserved-cgroup": _Flag("systemReservedCgroup", _text),
        "topology-manager-policy": _Flag("topologyManagerPolicy", _text),
        "topology-manager-scope": _Flag("topologyManagerScope", _text),
    }
)
"""What bears on classes, eviction and reservation; other flags set nothing that is asked here."""


def flag_settings(given: Iterable[tuple[str, object, Place]]) -> dict[str, Setting]:
    """The fields that flags set, by the place of each; flags are without their dashes.

    What the kubelet cannot read stays as it is written, and is then no value of its field. Of a
    flag that is given twice the pairs count together, else the last counts.
    """
    fields: dict[str, Setting] = {}
    for name, value, place in given:
        if name in FLAGS and (text := _as_text(value)) is not None:
            flag = FLAGS[name]
            fields[flag.field] = _added(fields.get(flag.field), _read(flag, text), place)
    return fields


def flag_of(argument: str) -> tuple[str, str]:
    """Name and value of an argument such as `--max-pods=110`; a switch alone is true."""
    name, found, value = argument.partition("=")
    return name.strip().removeprefix("--"), value.strip() if found else "true"


def _added(before: Setting | None, value: object, place: Place) -> Setting:
    earlier = before.value if before else None
    if isinstance(earlier, Mapping) and isinstance(value, Mapping):
        value = MappingProxyType({**earlier, **value})
    return Setting(value, place)


def _read(flag: _Flag, value: str) -> object:
    try:
        return flag.read(value)
    except ValueError:
        return value


def _as_text(value: object) -> str | None:
    """What a tool that writes the command line makes of a scalar."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int) else None

"""What a kubelet refuses of the resources that it is told to keep from pods.

Mirrors `pkg/kubelet/apis/config/validation/validation.go ValidateKubeletConfiguration` and
`validation_reserved_memory.go validateReservedMemoryConfiguration`.
"""

from __future__ import annotations

from collections.abc import Iterator

from qoslint.kernel.cpuset import CPUSetError, parse_cpu_set
from qoslint.kernel.features import Features
from qoslint.kernel.kubeletconfig import KubeletConfiguration
from qoslint.kernel.pod import MEMORY, is_hugepage
from qoslint.kernel.validation.field import printed

FLAG = "enforceNodeAllocatable (--enforce-node-allocatable)"
_PODS = "pods"
_NONE = "none"
_SYSTEM_RESERVED = "system-reserved"
_KUBE_RESERVED = "kube-reserved"
_COMPRESSIBLE = "-compressible"


def validate_enforce_node_allocatable(kc: KubeletConfiguration, gates: Features) -> Iterator[str]:
    """What is wrong with `enforceNodeAllocatable`; compressible values since v1.32."""
    enforced = kc.enforce_node_allocatable
    compressible = gates.since(32)
    for reserved in (_SYSTEM_RESERVED, _KUBE_RESERVED) if compressible else ():
        both = (reserved, reserved + _COMPRESSIBLE)
        if set(both) <= set(enforced):
            yield (
                f"both {printed(both[0])} and {printed(both[1])} cannot be specified together in "
                f"{FLAG}"
            )
    seen = set()
    for value in enforced:
        if value in seen:
            yield f"duplicated enforcements {printed(value)} in {FLAG}"
        else:
            yield from _validate_enforcement(value, kc, compressible=compressible)
        seen.add(value)


def _validate_enforcement(
    value: str, kc: KubeletConfiguration, *, compressible: bool
) -> Iterator[str]:
    reserved = value.removesuffix(_COMPRESSIBLE) if compressible else value
    if value == _NONE:
        if len(kc.enforce_node_allocatable) > 1:
            yield f'{FLAG} may not contain additional enforcements when "none" is specified'
        return
    if reserved == _SYSTEM_RESERVED:
        if not kc.system_reserved_cgroup:
            what = "systemReservedCgroup (--system-reserved-cgroup)"
            yield _cgroup_required(what, reserved, compressible=compressible)
    elif reserved == _KUBE_RESERVED:
        if not kc.kube_reserved_cgroup:
            what = "kubeReservedCgroup (--kube-reserved-cgroup)"
            yield _cgroup_required(what, reserved, compressible=compressible)
    elif value != _PODS:
        options = (
            '"system-reserved-compressible", "kube-reserved", "kube-reserved-compressible" or'
            if compressible
            else '"kube-reserved", or'
        )
        yield (
            f"option {printed(value)} specified for {FLAG}. Valid options are "
            f'"pods", "system-reserved", {options} "none"'
        )
        return
    if compressible and not kc.cgroups_per_qos:
        yield (
            "cgroupsPerQOS (--cgroups-per-qos) must be set to true when "
            f"{printed(value)} contained in {FLAG}"
        )


def _cgroup_required(what: str, reserved: str, *, compressible: bool) -> str:
    values = f'"{reserved}" contained'
    if compressible:
        values = f'"{reserved}" or "{reserved}{_COMPRESSIBLE}" included'
    return f"{what} must be specified when {values} in {FLAG}"


def validate_reserved_system_cpus(kc: KubeletConfiguration) -> Iterator[str]:
    """What is wrong with `reservedSystemCPUs`."""
    if not kc.reserved_system_cpus:
        return
    if kc.system_reserved_cgroup or kc.kube_reserved_cgroup:
        yield (
            "can't use reservedSystemCPUs (--reserved-cpus) with systemReservedCgroup "
            "(--system-reserved-cgroup) or kubeReservedCgroup (--kube-reserved-cgroup)"
        )
    try:
        parse_cpu_set(kc.reserved_system_cpus)
    except CPUSetError as error:
        cpus = kc.reserved_system_cpus
        yield f"unable to parse reservedSystemCPUs (--reserved-cpus) {cpus}, error: {error}"


def validate_reserved_memory(kc: KubeletConfiguration) -> Iterator[str]:
    """What is wrong with `reservedMemory`, resource by resource of each NUMA node."""
    seen = set()
    for node, limits in kc.reserved_memory:
        for name, quantity in limits.items():
            where = f"for NUMA node {node}"
            if name != MEMORY and not is_hugepage(name):
                yield (
                    f"the limit type {printed(name)} {where} is not supported, only "
                    "[memory hugepages-<HugePageSize>] is accepted"
                )
            if quantity.sign == 0:
                yield f"reserved memory may not be zero {where} and resource {printed(name)}"
            if (node, name) in seen:
                yield (
                    f"the reserved memory has a duplicate value {where} and resource "
                    f"{printed(name)}"
                )
            seen.add((node, name))

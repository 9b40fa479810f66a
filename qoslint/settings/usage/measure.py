"""Files of measured usage, joined to the workloads of clusters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from qoslint.finding import Notice
from qoslint.model.judged import JudgedCluster
from qoslint.model.measured.join import NOT_MEASURED, Joined, above_node, join
from qoslint.model.measured.podnames import pod_owner
from qoslint.settings.usage.read import read_usage


class Measurement(NamedTuple):
    """What was measured, by the name of the cluster, and what of it is of no use."""

    by_cluster: Mapping[str, Joined]
    notices: tuple[Notice, ...]

    def of(self, cluster: JudgedCluster) -> Joined:
        """What was measured of the pods of a cluster."""
        return self.by_cluster.get(cluster.cluster.name, NOT_MEASURED)


def measure(files: Iterable[str], clusters: Sequence[JudgedCluster]) -> Measurement:
    """The usage that the files state of the pods of each cluster. Raises SettingsError."""
    read = {name: read_usage(Path(name), name) for name in files}
    usages = [usage for file in read.values() for usage in file.usages]
    unused = [each for file in read.values() for each in file.unused]
    by_cluster: dict[str, Joined] = {}
    for cluster in clusters if read else ():
        joined = join(usages, map(pod_owner, cluster.admitted))
        by_cluster[cluster.cluster.name] = joined
        unused += joined.unused
        for kubelet in cluster.kubelets:
            unused += above_node(joined, kubelet.node)
    told = (read[each.place.object.source].notice(each) for each in dict.fromkeys(unused))
    return Measurement(by_cluster, tuple(told))

"""The file that a node profile names for the configuration of its kubelet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from qoslint.errors import SettingsError
from qoslint.finding import Part, Place
from qoslint.model.nodesources.readers import kubelet_sources
from qoslint.model.objects import mapping, text
from qoslint.model.setting import Setting
from qoslint.settings.file import read_documents
from qoslint.source.document import Document
from qoslint.source.locate import locate

_WANTED = (
    "it needs a KubeletConfiguration, or a file of Karpenter, eksctl, kubeadm, k3s, OpenShift, "
    "Talos or Cluster API that configures kubelets"
)


def kubelet_file(path: Path, name: str) -> Mapping[str, Setting]:
    """The settings of the one kind of kubelet that a YAML file configures, by field.

    Flags count before a configuration beside them. Raises SettingsError, at its line, if the file
    cannot be read, configures no kubelet, or more than one kind of them.
    """
    found = list(read_documents(path, name))
    sources = [source for document in found for source in kubelet_sources(document)]
    if not sources:
        raise SettingsError(f"{name}:{_line_of_kind(found)}: {_what_is_there(found)}; {_WANTED}")
    fields: dict[str, Setting] = {}
    for flags in (False, True):
        stated = [source for source in sources if source.fields and source.by_flags is flags]
        if len(stated) > 1:
            first, second, *_ = stated
            raise SettingsError(
                f"{name}:{_line(second.place, found)}: the file configures kubelets a second time, "
                f"by {second.name} after {first.name}; name a file that holds one of them"
            )
        fields.update(*(source.fields for source in stated))
    return fields


def _what_is_there(found: list[Document]) -> str:
    if not found:
        return "the file is empty"
    kind = text(mapping(found[0].data).get("kind"))
    return f"the kind {kind!r} configures no kubelet" if kind else "no kubelet is configured here"


def _line_of_kind(found: list[Document]) -> int:
    return locate(found[0], ("kind",), Part.ENTRY)[0].start.line if found else 1


def _line(place: Place, found: list[Document]) -> int:
    document = found[place.object.document]
    return locate(document, (*place.object.root, *place.path))[0].start.line

"""Which distributions are found to hold plugins."""

import sys

from qoslint.plugins.load import installed, shipped
from qoslint.plugins.scan import plugin_folders

GROUP = "[qoslint]\nacme = acme\n"


def found(*installations):
    return list(plugin_folders([str(each.folder) for each in installations]))


def test_only_distributions_with_entry_points_of_the_group_are_found(installation):
    mine = installation.distribution("mine", f"[console_scripts]\na = b:c\n\n{GROUP}")
    installation.distribution("other", "[console_scripts]\nqoslint = a:b\n[qoslint.more]\na = b\n")
    installation.write({"none-1.0.dist-info/METADATA": "Name: none\n", "acme.py": GROUP})
    assert found(installation) == [mine]


def test_they_are_found_by_the_order_of_their_names(installation):
    names = ("b-plugin", "c.plugin", "A_plugin")
    folders = {name: installation.distribution(name, GROUP) for name in names}
    assert found(installation) == [folders[name] for name in ("A_plugin", "b-plugin", "c.plugin")]


def test_of_two_distributions_of_one_name_the_first_on_the_path_counts(installation, tmp_path):
    second = type(installation)(tmp_path / "second")
    installation.distribution("acme-plugin", "[other]\n", version="1.0")
    second.distribution("Acme.Plugin", GROUP, version="2.0")
    assert found(installation, second) == []
    assert len(found(second, installation)) == 1


def test_places_that_are_no_folders_are_passed_by(installation, tmp_path):
    mine = installation.distribution("mine", GROUP)
    (tmp_path / "some.zip").write_bytes(b"")
    places = [str(tmp_path / "some.zip"), str(tmp_path / "nowhere"), str(installation.folder)]
    assert list(plugin_folders(places)) == [mine]


def test_metadata_in_the_current_folder_brings_no_code_into_the_run(installation, monkeypatch):
    installation.plugin("raise SystemExit('loaded')")
    monkeypatch.chdir(installation.folder)
    monkeypatch.setattr(sys, "path", [str(installation.folder), *sys.path[2:]])
    assert installed() == shipped()
    monkeypatch.setattr(sys, "path", ["", *sys.path[1:]])
    assert installed() == shipped()

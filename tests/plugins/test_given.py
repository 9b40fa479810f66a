"""What plugins give is used as what is shipped is."""

import inspect
from pathlib import Path

import pytest

from qoslint import api
from qoslint.model.kinds import known_kinds, shipped_kinds
from qoslint.plugins import builtin, hooks
from qoslint.plugins.ask import ask
from qoslint.plugins.given import HOOKS
from qoslint.plugins.load import installed, shipped
from qoslint.plugins.validate import validated
from qoslint.settings.load import find, load


def test_the_hooks_are_the_fields_of_what_is_given():
    specified = [name for name in vars(hooks) if name.startswith("qoslint_")]
    assert specified == [f"qoslint_{field}" for field in HOOKS]


def test_the_built_in_plugin_is_valid_and_gives_through_the_hooks_what_every_run_has():
    """It skips pluggy and validation for speed; with them nothing would be different."""
    implementations = {
        name: hooks.hookimpl(function)
        for name, function in vars(builtin).items()
        if name.startswith("qoslint_")
    }
    assert len(implementations) > 2
    plugin = type("Plugin", (), {name: staticmethod(f) for name, f in implementations.items()})
    assert validated(ask(plugin, "qoslint")) == builtin.given()


def test_a_hook_takes_nothing_and_says_what_it_returns():
    for name, hook in vars(hooks).items():
        if name.startswith("qoslint_"):
            assert not inspect.signature(hook).parameters
            assert inspect.getdoc(hook)


def test_a_kind_of_a_plugin_counts_instead_of_the_shipped_one(installation):
    installation.plugin(
        """
        @hookimpl
        def qoslint_workload_kinds():
            mine = {"groups": ["argoproj.io"], "kinds": ["Rollout"], "builtBy": "Acme"}
            return ({"source": "https://acme.example", "kinds": (mine,)},)
        """
    )
    kinds = installed().kinds
    assert kinds.find("argoproj.io", "Rollout").built_by == "Acme"
    assert len(kinds.table) == len(known_kinds(shipped_kinds()).table)


def test_a_node_profile_of_a_plugin_is_known_by_its_name(installation, repository):
    installation.plugin(
        """
        @hookimpl
        def qoslint_node_profiles():
            return [{"name": "acme/large", "capacity": {"memory": "64Gi"}, "version": "1.35"}]
        """
    )
    repository.write({".qoslint.yaml": "nodes:\n- acme/large\n"})
    (node,) = load(find([str(repository.root)]), installed()).clusters[0].nodes
    assert (node.name, str(node.version), node.memory_bytes) == ("acme/large", "1.35", 64 * 2**30)
    assert node.place.path == ("nodes", 0)


def test_injectors_of_a_plugin_can_be_named(installation, repository):
    installation.plugin(
        """
        @hookimpl
        def qoslint_injectors():
            containers = ({"name": "acme", "in": "containers"},)
            selection = [{"inject": True, "labels": ["acme=yes"]}]
            yield {"name": "acme", "selection": selection, "containers": containers}
        """
    )
    repository.write({".qoslint.yaml": "injectors:\n- acme\n- istio\n"})
    injectors = load(find([str(repository.root)]), installed()).clusters[0].injectors
    assert [injector.name for injector in injectors] == ["acme", "istio"]
    assert [container.name for container in injectors[0].containers] == ["acme"]


def test_what_a_plugin_gives_cannot_be_changed_by_it_later(installation):
    module = installation.plugin(
        """
        PROFILE = {"name": "a", "capacity": {"memory": "1Gi"}}
        @hookimpl
        def qoslint_node_profiles():
            return [PROFILE]
        """
    )
    plugins = installed()
    __import__(module).PROFILE["capacity"]["memory"] = "2Gi"
    assert plugins.node_profiles["a"]["capacity"] == {"memory": "1Gi"}


def test_a_page_may_reuse_a_check_with_another_option(installation, repository):
    installation.plugin(
        """
        @hookimpl
        def qoslint_rule_packs():
            return [RulePack("acme", Path(__file__).parent / "pages")]
        """
    )
    installation.write(
        {
            "pages/ACME102-small-memory.md": """\
            ---
            summary: Memory is below 1 MiB.
            severity: error
            confidence: likely
            in: default
            since: 1.0.0
            check: tiny_memory
            options:
              floor: {description: The least, type: quantity, default: 1Mi}
            ---
            # Small memory
            """
        }
    )
    memory = "{requests: {memory: 1Ki}}"
    repository.write(
        {
            "app.yaml": f"""\
            apiVersion: v1
            kind: Pod
            metadata: {{name: app}}
            spec: {{containers: [{{name: app, image: x, resources: {memory}}}]}}
            """
        }
    )
    found = find([str(repository.root)])
    report, _ = api.check(found.paths, load(found, installed()))
    assert [finding.rule for finding in report.findings] == ["ACME102"]


@pytest.mark.parametrize("field", ["formats", "node_profiles"])
def test_the_names_of_a_run_are_read_only(field):
    with pytest.raises(TypeError):
        getattr(shipped(), field)["a"] = "b"


def test_every_hook_is_in_the_guide():
    guide = (Path(__file__).parent.parent.parent / "CONTRIBUTING.md").read_text("utf-8")
    assert [field for field in HOOKS if f"| `qoslint_{field}` |" not in guide] == []

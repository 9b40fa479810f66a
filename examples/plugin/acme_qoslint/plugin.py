"""What qoslint is given."""

from importlib.resources import files

from qoslint.plugins.hooks import RulePack, hookimpl


@hookimpl
def qoslint_rule_packs():
    yield RulePack("acme", files("acme_qoslint") / "rules", "acme_qoslint.checks")


@hookimpl
def qoslint_workload_kinds():
    web_app = {
        "groups": ["acme.example"],
        "kinds": ["WebApp"],
        "pods": [{"spec": "spec.pod.spec", "replicas": "spec.size", "default": 1}],
    }
    yield {"source": "https://acme.example/web-app", "kinds": [web_app]}


@hookimpl
def qoslint_node_profiles():
    yield {"name": "acme/large", "capacity": {"cpu": "16", "memory": "64Gi", "pods": "110"}}


@hookimpl
def qoslint_injectors():
    yield {
        "name": "acme-audit",
        "selection": [{"inject": True, "labels": ["acme.example/audit=true"]}],
        "containers": [
            {
                "name": "audit",
                "in": "containers",
                "resources": {"requests": {"cpu": "10m", "memory": "32Mi"}},
            }
        ],
    }


@hookimpl
def qoslint_reporters():
    return {"csv": "acme_qoslint.table.render"}

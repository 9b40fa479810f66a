"""Which kinds count, and which are parsed beside those."""

from qoslint.model.clusterspec import ClusterSpec
from qoslint.model.injector import known_injectors
from qoslint.model.kinds import known_kinds, shipped_kinds
from qoslint.model.policies import POLICY_KINDS
from qoslint.model.sought import sought
from qoslint.render.discovery import DEPLOYING_KINDS

KINDS = known_kinds(shipped_kinds())


def test_what_decides_about_pods_is_parsed_though_it_does_not_count():
    found = sought(KINDS, ())
    assert found.counting == KINDS.names
    beside = {*DEPLOYING_KINDS, "MutatingWebhookConfiguration"}
    assert beside <= found.parsed - found.counting
    assert {kind for _, kind in POLICY_KINDS} <= found.parsed


def test_so_is_what_holds_the_sizes_of_declared_injectors():
    declared = ClusterSpec(injectors=(known_injectors()["opentelemetry"],))
    assert "Instrumentation" not in sought(KINDS, [ClusterSpec()]).parsed
    found = sought(KINDS, [ClusterSpec(), declared])
    assert "Instrumentation" in found.parsed - found.counting

"""Proposals for real repositories: each loads, and nothing is lost with it."""

from pathlib import Path

import pytest

from qoslint import api
from qoslint.plugins.load import shipped
from qoslint.settings.file import parsed
from qoslint.settings.find import Found
from qoslint.settings.load import load
from qoslint.settings.proposal.propose import propose

CORPUS = next(
    filter(Path.is_dir, (each / "shared/corpus/repos" for each in Path(__file__).parents)), None
)
REPOSITORIES = sorted(filter(Path.is_dir, CORPUS.iterdir())) if CORPUS else [None]
SHIPPED = shipped()


@pytest.mark.parametrize("root", REPOSITORIES, ids=lambda root: root.name if root else "none")
def test_the_proposal_for_a_real_repository_loses_nothing(root, tmp_path):
    if root is None:
        pytest.skip("no real repositories on this machine")

    def settings(file):
        loaded = load(Found(root.resolve(), (".",), file), SHIPPED)
        return loaded._replace(rendering=loaded.rendering._replace(cache=tmp_path))

    bare = settings(None)
    text = propose(bare)
    proposed = settings(parsed(text, root.resolve(), ".qoslint.yaml", ""))
    assert found(bare) <= found(proposed)


def found(settings):
    """The findings, but for those of targets that a busy machine may give up on."""
    report, _ = api.check((".",), settings)
    assert not report.failed_checks
    return {
        (each.rule, each.location.file, each.location.span)
        for each in report.findings
        if each.rule != "QOS901"
    }

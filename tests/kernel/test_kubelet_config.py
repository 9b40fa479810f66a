"""KubeletConfigurations are defaulted and refused as the kubelet of each version does."""

from __future__ import annotations

import pytest

from .kubelet_answer import kubelet_answer


@pytest.mark.vectors("kubelet_config")
def test_configurations_are_defaulted_and_refused_as_by_the_kubelet(vectors):
    vectors.check(lambda row: kubelet_answer(row, vectors.features))

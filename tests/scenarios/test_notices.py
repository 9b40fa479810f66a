"""What the settings say and this version does not act upon is told, never silent."""

from __future__ import annotations


def messages(repository, settings):
    repository.write({".qoslint.yaml": settings, "a/a.yaml": "kind: ConfigMap\n"})
    return [notice.message for notice in repository.check().notices]


def test_a_version_that_was_not_compared_is_told(repository):
    (message,) = messages(repository, 'kubernetes: "1.37"')
    assert message.startswith("Kubernetes 1.37 is computed as its source says;")
    assert messages(repository, 'kubernetes: "1.36"') == []


def test_settings_in_another_folder_are_told(repository):
    repository.write({"a/.qoslint.yaml": 'kubernetes: "1.31"', "a/b.yaml": "kind: ConfigMap\n"})
    (notice,) = repository.check().notices
    assert notice.file == "a/.qoslint.yaml"
    assert notice.message == "These settings are not used; those of the run: none."

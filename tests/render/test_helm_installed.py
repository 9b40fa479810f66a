"""What tells one installed Helm from another."""

from importlib.machinery import ModuleSpec

from qoslint.render.helm import installed


def test_a_library_that_is_gone_or_another_is_another_helm(tmp_path, monkeypatch):
    package = tmp_path / "helm_python"
    library = package / "lib" / "libhelm_c.so"
    library.parent.mkdir(parents=True)
    (package / "__init__.py").touch()
    (tmp_path / "helm_python_sdk-0.2.2.dist-info").mkdir()
    spec = ModuleSpec("helm_python", None, origin=str(package / "__init__.py"))
    monkeypatch.setattr(installed, "find_spec", lambda _: spec)

    def identity(content=None):
        if content is None:
            library.unlink()
        else:
            library.write_bytes(content)
        return installed.identity("embedded", tmp_path)

    first = identity(b"one")
    assert "helm_python_sdk-0.2.2" in first
    assert identity(b"another") != first
    assert identity() != first
    assert identity(b"one") == first

"""Bytes and YAML: files to documents, and field paths back to lines. Knows no Kubernetes."""

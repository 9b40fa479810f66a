"""XML documents as text. Whatever is put into them must be visible text: XML has no other."""

from __future__ import annotations

from xml.etree import ElementTree as ET


def document(root: ET.Element) -> str:
    """The indented document, ending with a line end."""
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'

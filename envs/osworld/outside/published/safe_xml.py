"""Parses XML from documents: no entity is resolved, no DTD or network address is followed."""

from __future__ import annotations

from typing import Any

from lxml import etree


def parse_xml(content: bytes) -> Any:
    """The root element. Raises lxml's XMLSyntaxError."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    return etree.fromstring(content, parser)

"""Metric of the accessibility tree, as XML with one namespace a kind of attribute.

Guarantees: the tree's XML has no entities and nothing is fetched for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lxml import etree
from lxml.cssselect import CSSSelector, SelectorError
from rapidfuzz import fuzz

from envs.osworld.outside.published.error_policy import scores_0_on

Rule = Mapping[str, Any]
_COMMON = {
    "st": "state",
    "attr": "attributes",
    "cp": "component",
    "doc": "document",
    "txt": "text",
    "val": "value",
    "act": "action",
}
_SYSTEMS = {
    "ubuntu": _COMMON | {"docattr": "document/attributes"},
    "windows": _COMMON | {"docattr": "document/attributes", "class": "class"},
    "macos": _COMMON | {"role": "role"},
}


@scores_0_on(etree.XMLSyntaxError)
def check_accessibility_tree(result: str, rules: Sequence[Rule], osname: str = "ubuntu") -> float:
    """The product of what the rules give. A rule finds elements by `xpath` or by CSS `selectors`
    (one of them is enough); none scores 0. With `text`, the best of them counts: equal to it, or,
    where `exact` is false, as alike as it is."""
    return _score(result, [{"exact": True, **rule} for rule in rules], osname)


def check_accessibility_tree_compat(
    result: str, rules: Sequence[Rule], osname: str = "ubuntu"
) -> float:
    """A rule with `text` must say `exact`: raises KeyError."""
    return _score(result, rules, osname)


def _score(tree: str, rules: Sequence[Rule], system: str) -> float:
    if system not in _SYSTEMS:
        raise ValueError(f"there is no system {system!r}")
    names = {
        short: f"https://accessibility.{system}.example.org/ns/{path}"
        for short, path in _SYSTEMS[system].items()
    }
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.fromstring(tree.encode(), parser)
    score = 1.0
    for rule in rules:
        elements = _select(root, rule, names)
        if not elements:
            return 0.0
        if "text" in rule:
            score *= max(_alike(element.text or "", rule) for element in elements)
    return score


def _select(root: Any, rule: Rule, names: Mapping[str, str]) -> list[Any]:
    try:
        if "xpath" in rule:
            return list(root.xpath(rule["xpath"], namespaces=names))
        if "selectors" in rule:
            return list(CSSSelector(", ".join(rule["selectors"]), namespaces=names)(root))
    except (etree.XPathError, SelectorError) as error:
        raise ValueError(f"the rule selects nothing: {error}") from error
    raise ValueError("a rule needs 'xpath' or 'selectors'")


def _alike(text: str, rule: Rule) -> float:
    if rule["exact"]:
        return float(bool(text) and text == rule["text"])
    return fuzz.ratio(rule["text"], text) / 100 if text else 0.0

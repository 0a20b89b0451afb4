"""The formats that hold for text of a .docx file: its own, its styles', the document's defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TWIPS_PER_CM, TWIPS_PER_PT = 567.0, 20.0
_OFF = {"0", "false", "off", "none"}
_TOGGLES = {
    "b": "bold", "i": "italic", "strike": "strike", "dstrike": "strike", "caps": "caps",
    "smallCaps": "small caps", "vanish": "hidden", "outline": "outline", "shadow": "shadow",
}  # fmt: skip
_NAMED = {
    "yellow": "FFFF00", "green": "00FF00", "cyan": "00FFFF", "magenta": "FF00FF", "red": "FF0000",
    "blue": "0000FF", "darkYellow": "808000", "darkGreen": "008000", "darkCyan": "008080",
    "darkMagenta": "800080", "darkRed": "800000", "darkBlue": "000080", "lightGray": "C0C0C0",
    "darkGray": "808080", "black": "000000", "white": "FFFFFF",
}  # fmt: skip
_ALIGN = {"start": "left", "end": "right", "both": "justify"}


class Styles:
    """`part`: the document's main part; `root`: its styles."""

    def __init__(self, part: Any, root: Any) -> None:
        self._styles = {found.get(f"{W}styleId"): found for found in root.iter(f"{W}style")}
        defaults = root.find(f"{W}docDefaults")
        self._defaults = {
            kind: defaults.find(f"{W}{kind}Default/{W}{kind}") if defaults is not None else None
            for kind in ("rPr", "pPr")
        }
        self.normal = next(
            (key for key, one in self._styles.items()
             if one.get(f"{W}type") == "paragraph" and one.get(f"{W}default") == "1"), None,
        )  # fmt: skip
        numbered = any("numbering" in r.reltype for r in part.rels.values())
        self._numbering: Any = part.numbering_part.element if numbered else None

    def spaces(self, chain: list[Any], in_list: bool) -> dict[str, Any]:
        """Points and centimetres. An item's indents are its list's affair."""

        def space(key: str, otherwise: str = "0") -> str:
            return attribute(chain, "spacing", key) or otherwise

        rule = space("lineRule", "auto")
        line = int(space("line", "240"))
        spaces: dict[str, Any] = {
            "line": [rule, line / (240.0 if rule == "auto" else TWIPS_PER_PT)],
            "before": int(space("before")) / TWIPS_PER_PT,
            "after": int(space("after")) / TWIPS_PER_PT,
        }
        if not in_list:
            for name, keys in (("left", ("left", "start")), ("right", ("right", "end"))):
                length = next((v for k in keys if (v := attribute(chain, "ind", k))), "0")
                spaces[f"indent {name}"] = int(length) / TWIPS_PER_CM
            forwards = int(attribute(chain, "ind", "firstLine") or "0")
            hanging = int(attribute(chain, "ind", "hanging") or "0")
            spaces["indent first"] = (forwards - hanging) / TWIPS_PER_CM
        return spaces

    def list_kind(self, chain: list[Any]) -> list[Any] | None:
        """[kind, level] of an item."""
        numbering = first(chain, "numPr")
        if numbering is None or self._numbering is None:
            return None
        number, level = (value(numbering.find(f"{W}{tag}")) for tag in ("numId", "ilvl"))
        for found in self._numbering.iter(f"{W}num"):
            if found.get(f"{W}numId") == number:
                abstract = value(found.find(f"{W}abstractNumId"))
                return self._level(abstract, level or "0")
        return None

    def _level(self, abstract: str | None, level: str) -> list[Any] | None:
        for found in self._numbering.iter(f"{W}abstractNum"):
            if found.get(f"{W}abstractNumId") == abstract:
                for one in found.iter(f"{W}lvl"):
                    if one.get(f"{W}ilvl") == level:
                        form = value(one.find(f"{W}numFmt"))
                        return None if form == "none" else [form, int(level)]
        return None

    def paragraph_chain(self, own: Any, style: str | None) -> list[Any]:
        """Where to look for a paragraph's properties, in order."""
        return [own, *self.chain(style, "pPr"), self._defaults["pPr"]]

    def looks(self, own: Any, style: str | None, link: str | None) -> dict[str, Any]:
        """Only what is not plain, but font and size always."""
        character = self.style_of(own, "rStyle")
        chain = [
            own, *(self.chain(character, "rPr") if character else ()),
            *self.chain(style, "rPr"), self._defaults["rPr"],
        ]  # fmt: skip
        looks: dict[str, Any] = {
            name: True for tag, name in _TOGGLES.items() if self.toggled(first(chain, tag))
        }
        color = (value(first(chain, "color")) or "auto").upper()
        underlined = (value(first(chain, "u")) or "none") not in _OFF
        script = value(first(chain, "vertAlign"))
        looks |= {
            "font": attribute(chain, "rFonts", "ascii"),
            "size": int(value(first(chain, "sz")) or "20") / 2,
            "color": None if color in ("AUTO", "000000") or link else color,
            "underline": underlined and link is None,
            "highlight": _highlight(chain),
            "script": None if script in (None, "baseline") else script,
            "link": link,
        }
        return {name: value for name, value in looks.items() if value not in (None, False)}

    def style_of(self, properties: Any, tag: str) -> str | None:
        return value(properties.find(f"{W}{tag}")) if properties is not None else None

    def chain(self, style: str | None, kind: str) -> Iterator[Any]:
        seen = set()
        while style in self._styles and style not in seen:
            seen.add(style)
            yield self._styles[style].find(f"{W}{kind}")
            style = value(self._styles[style].find(f"{W}basedOn"))

    def name(self, style: str | None) -> str:
        found = self._styles.get(style)
        return (value(found.find(f"{W}name")) or "").lower() if found is not None else "normal"

    def toggled(self, element: Any) -> bool:
        return element is not None and (value(element) or "1") not in _OFF


def first(chain: list[Any], tag: str) -> Any:
    for properties in chain:
        found = properties.find(f"{W}{tag}") if properties is not None else None
        if found is not None:
            return found
    return None


def attribute(chain: list[Any], tag: str, key: str) -> str | None:
    for properties in chain:
        found = properties.find(f"{W}{tag}") if properties is not None else None
        if found is not None and found.get(f"{W}{key}") is not None:
            return str(found.get(f"{W}{key}"))
    return None


def value(element: Any) -> str | None:
    return element.get(f"{W}val") if element is not None else None


def align(element: Any) -> str:
    side = value(element) or "left"
    return _ALIGN.get(side, side)


def _highlight(chain: list[Any]) -> str | None:
    named = value(first(chain, "highlight"))
    if named not in (None, "none"):
        return _NAMED.get(str(named), named)
    fill = attribute(chain, "shd", "fill")
    return None if fill in (None, "auto") else str(fill).upper()

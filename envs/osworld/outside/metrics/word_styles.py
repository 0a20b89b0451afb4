"""The formats that hold for text of a .docx file: its own, its styles', the document's defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
TWIPS_PER_CM, TWIPS_PER_PT = 567.0, 20.0
_OFF = {"0", "false", "off", "none"}
_TOGGLES = {
    "b": "bold",
    "i": "italic",
    "strike": "strike",
    "dstrike": "strike",
    "caps": "caps",
    "smallCaps": "small caps",
    "vanish": "hidden",
    "outline": "outline",
    "shadow": "shadow",
}
_NAMED = {
    "yellow": "FFFF00",
    "green": "00FF00",
    "cyan": "00FFFF",
    "magenta": "FF00FF",
    "red": "FF0000",
    "blue": "0000FF",
    "darkYellow": "808000",
    "darkGreen": "008000",
    "darkCyan": "008080",
    "darkMagenta": "800080",
    "darkRed": "800000",
    "darkBlue": "000080",
    "lightGray": "C0C0C0",
    "darkGray": "808080",
    "black": "000000",
    "white": "FFFFFF",
}
_ALIGN = {"start": "left", "end": "right", "both": "justify"}


class Styles:
    """`part`: the document's main part; `root`: its styles."""

    def __init__(self, part: Any, root: Any) -> None:
        self._styles = {style.get(f"{W}styleId"): style for style in root.iter(f"{W}style")}
        defaults = root.find(f"{W}docDefaults")
        self._defaults = {
            kind: defaults.find(f"{W}{kind}Default/{W}{kind}") if defaults is not None else None
            for kind in ("rPr", "pPr")
        }
        self.normal = next(
            (
                key
                for key, style in self._styles.items()
                if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") == "1"
            ),
            None,
        )
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
        for instance in self._numbering.iter(f"{W}num"):
            if instance.get(f"{W}numId") == number:
                abstract = value(instance.find(f"{W}abstractNumId"))
                return self._level(abstract, level or "0")
        return None

    def _level(self, abstract: str | None, level: str) -> list[Any] | None:
        for definition in self._numbering.iter(f"{W}abstractNum"):
            if definition.get(f"{W}abstractNumId") == abstract:
                for element in definition.iter(f"{W}lvl"):
                    if element.get(f"{W}ilvl") == level:
                        form = value(element.find(f"{W}numFmt"))
                        return None if form == "none" else [form, int(level)]
        return None

    def paragraph_chain(self, own: Any, style: str | None) -> list[Any]:
        """Where to look for a paragraph's properties, in order."""
        return [own, *self.chain(style, "pPr"), self._defaults["pPr"]]

    def formatting(self, own: Any, style: str | None, link: str | None) -> dict[str, Any]:
        """Only what is not plain, but font and size always."""
        character = self.style_of(own, "rStyle")
        chain = [
            own,
            *(self.chain(character, "rPr") if character else ()),
            *self.chain(style, "rPr"),
            self._defaults["rPr"],
        ]
        formatting: dict[str, Any] = {
            name: True for tag, name in _TOGGLES.items() if self.is_on(first(chain, tag))
        }
        color = (value(first(chain, "color")) or "auto").upper()
        underlined = (value(first(chain, "u")) or "none") not in _OFF
        script = value(first(chain, "vertAlign"))
        formatting |= {
            "font": attribute(chain, "rFonts", "ascii"),
            "size": int(value(first(chain, "sz")) or "20") / 2,
            "color": None if color in ("AUTO", "000000") or link else color,
            "underline": underlined and link is None,
            "highlight": _highlight(chain),
            "script": None if script in (None, "baseline") else script,
            "link": link,
        }
        return {name: value for name, value in formatting.items() if value not in (None, False)}

    def style_of(self, properties: Any, tag: str) -> str | None:
        """The style that the properties name."""
        return value(properties.find(f"{W}{tag}")) if properties is not None else None

    def chain(self, style: str | None, kind: str) -> Iterator[Any]:
        """Properties of a style and of those it is based on."""
        seen = set()
        while style in self._styles and style not in seen:
            seen.add(style)
            yield self._styles[style].find(f"{W}{kind}")
            style = value(self._styles[style].find(f"{W}basedOn"))

    def name(self, style: str | None) -> str:
        """The style's name in lower case."""
        element = self._styles.get(style)
        return (value(element.find(f"{W}name")) or "").lower() if element is not None else "normal"

    def is_on(self, element: Any) -> bool:
        """Whether a toggle such as bold is set."""
        return element is not None and (value(element) or "1") not in _OFF


def first(chain: list[Any], tag: str) -> Any:
    """The first element of this tag in a chain of properties."""
    for properties in chain:
        element = properties.find(f"{W}{tag}") if properties is not None else None
        if element is not None:
            return element
    return None


def attribute(chain: list[Any], tag: str, key: str) -> str | None:
    """The first value of an attribute in a chain of properties."""
    for properties in chain:
        element = properties.find(f"{W}{tag}") if properties is not None else None
        if element is not None and element.get(f"{W}{key}") is not None:
            return str(element.get(f"{W}{key}"))
    return None


def value(element: Any) -> str | None:
    """The element's `w:val`."""
    return element.get(f"{W}val") if element is not None else None


def align(element: Any) -> str:
    """left, center, right or justify."""
    side = value(element) or "left"
    return _ALIGN.get(side, side)


def _highlight(chain: list[Any]) -> str | None:
    named = value(first(chain, "highlight"))
    if named not in (None, "none"):
        return _NAMED.get(str(named), named)
    fill = attribute(chain, "shd", "fill")
    return None if fill in (None, "auto") else str(fill).upper()

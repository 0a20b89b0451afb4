"""The options of `compare_pptx_files`, by the names that task files use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from envs.osworld.outside.published.error_policy import BadRules


@dataclass(frozen=True, slots=True)
class ComparedAspects:
    """What two presentations must have in common. `examine_run_count` and `enable_debug` change
    nothing."""

    approximately_tolerance: float = 0.005
    examine_number_of_slides: bool = True
    examine_shape: bool = True
    examine_shape_lenient_height: bool = False
    examine_text: bool = True
    examine_indent: bool = True
    examine_font_name: bool = True
    examine_font_size: bool = True
    examine_font_bold: bool = True
    examine_font_italic: bool = True
    examine_color_rgb: bool = True
    examine_font_underline: bool = True
    examine_strike_through: bool = True
    examine_alignment: bool = True
    examine_title_bottom_position: bool = False
    examine_table_bottom_position: bool = False
    examine_right_position: bool = False
    examine_top_position: bool = False
    examine_shape_for_shift_size: bool = False
    examine_image_size: bool = False
    examine_modify_height: bool = False
    examine_bullets: bool = True
    examine_background_color: bool = True
    examine_note: bool = True
    examine_run_count: bool = True
    enable_debug: bool = True

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> ComparedAspects:
        """Names that begin with "_" are remarks. Raises BadRules."""
        known = {name: value for name, value in options.items() if not name.startswith("_")}
        for name, value in known.items():
            if name not in _KINDS:
                raise BadRules(f"compare_pptx_files has no option {name!r}")
            if not isinstance(value, _KINDS[name]):
                raise BadRules(f"the option {name!r} cannot be {value!r}")
        return cls(**known)

    @classmethod
    def from_known(cls, options: Mapping[str, Any]) -> ComparedAspects:
        """Leaves out what there is not, and the options that the published package has not."""
        supported = _KINDS.keys() - {"examine_shape_lenient_height"}
        return cls(**{name: value for name, value in options.items() if name in supported})


_KINDS = {
    field.name: (int, float) if isinstance(field.default, float) else bool
    for field in fields(ComparedAspects)
}

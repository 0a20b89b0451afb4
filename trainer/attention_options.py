"""What transformers may ask of an attention function and ours do not compute."""

from __future__ import annotations

from collections.abc import Mapping

_UNSUPPORTED = ("softcap", "s_aux", "position_bias")


def check_options(options: Mapping[str, object], attention: str) -> None:
    """Raises ValueError where an option is set that `attention`, so called, would leave out."""
    unsupported = [name for name in _UNSUPPORTED if options.get(name) is not None]
    if unsupported:
        raise ValueError(f"{attention} cannot compute {unsupported}")

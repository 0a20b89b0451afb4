"""How a folder with a model of others is read: as data.

Guarantees: no code of the folder runs, whatever its config.json names (and nobody is asked whether
it may); weights come from safetensors, never from pickles; nothing is fetched from the internet.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from transformers import AutoConfig, PretrainedConfig

AS_DATA: dict[str, Any] = {"trust_remote_code": False, "local_files_only": True}
"""For everything that `from_pretrained` makes."""
WEIGHTS_AS_DATA: dict[str, Any] = {**AS_DATA, "use_safetensors": True}
"""The same for models."""


def load_config(folder: Path) -> PretrainedConfig:
    """The configuration of a model. Raises ValueError for a family that only code of the folder
    knows, OSError without config.json."""
    config: PretrainedConfig = AutoConfig.from_pretrained(folder, **AS_DATA)
    return config

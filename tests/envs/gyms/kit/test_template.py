"""Tasks are sampled until one fits."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import Resample, Template, Unsatisfiable, sample_task
from envs.gyms.server.registry import get_web_gym


def test_a_seed_without_a_task_is_refused_with_the_constraint() -> None:
    def never(*_: Any) -> Any:
        raise Resample("no invoice is red")

    spec = get_web_gym("billing").spec("pay_invoice")  # type: ignore[attr-defined]
    fields = {name: getattr(spec, name) for name in Template.__slots__}
    with pytest.raises(Unsatisfiable, match=r"pay_invoice .* seed 5: no invoice is red"):
        sample_task(Template(**fields | {"sample_params": never}), get_company(5), {})

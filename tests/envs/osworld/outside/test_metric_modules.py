"""The tables of metrics name exactly the metrics that the modules define."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

from envs.osworld.outside.metric_modules import (
    PARENT,
    import_all_metrics,
    import_metric,
    modules_of,
)
from envs.osworld.outside.metric_names import PACKAGES
from envs.osworld.outside.registry import COMPAT, METRICS


def test_every_registered_metric_is_in_the_table_with_its_modules() -> None:
    assert import_all_metrics() == ()
    for name in METRICS | COMPAT:
        homes = {table[name].__module__ for table in (METRICS, COMPAT) if name in table}
        assert set(modules_of(name)) == homes, name


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_of_a_table_is_registered_by_its_module(package: str) -> None:
    import_all_metrics()
    for module, names in PACKAGES[package].items():
        full_name = f"{PARENT}.{package}.{module}"
        for name in names:
            tables = [table for table in (METRICS, COMPAT) if name in table]
            assert full_name in {table[name].__module__ for table in tables}, (full_name, name)


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_outside_the_tables_define_no_metric(package: str) -> None:
    import_all_metrics()
    before = {**METRICS}, {**COMPAT}
    folder = import_module(f"{PARENT}.{package}")
    for module in iter_modules(folder.__path__):
        if module.name not in PACKAGES[package]:
            import_module(f"{folder.__name__}.{module.name}")
    assert before == (METRICS, COMPAT)


def test_one_metric_imports_no_other_module_of_metrics() -> None:
    code = (
        "import sys; from envs.osworld.outside.metric_modules import import_metric;"
        "print(import_metric('text_is'), *(m for m in sys.modules if '.outside.p' in m))"
    )
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output.split() == ["()"]


def test_an_unknown_name_has_no_module() -> None:
    assert modules_of("no_such_metric") == ()
    assert import_metric("no_such_metric") == ()

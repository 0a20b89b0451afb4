"""The tables of metrics name exactly the metrics that the modules define."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import pytest

from envs.osworld.outside.metric_modules import (
    PARENT,
    available_metrics,
    load_compat_metric,
    load_metric,
    modules_of,
)
from envs.osworld.outside.metric_names import COMPAT, METRICS, PACKAGES, PUBLISHED

COMPAT_END = "_compat"


def functions_of(module_name: str) -> Iterator[str]:
    """Public functions that a module defines and that score a `result`."""
    module = import_module(module_name)
    for name, function in inspect.getmembers(module, inspect.isfunction):
        signature = inspect.signature(function)
        scores = next(iter(signature.parameters), "") == "result"
        scores = scores and signature.return_annotation == "float"
        if scores and function.__module__ == module_name and not name.startswith("_"):
            yield name


def test_every_name_of_a_table_is_a_metric_of_its_module() -> None:
    for package, modules in {"metrics": METRICS, "published": PUBLISHED}.items():
        for module, names in modules.items():
            for name in names:
                assert modules_of(name)[0] == f"{PARENT}.{package}.{module}"
                assert load_metric(name) is getattr(import_module(modules_of(name)[0]), name)
    for module, names in COMPAT.items():
        for name in names:
            compat = load_compat_metric(name)
            assert compat is not None
            assert compat.__module__ == f"{PARENT}.compat.{module}"


def test_all_metrics_are_available_here() -> None:
    names = [name for table in (METRICS, PUBLISHED) for names in table.values() for name in names]
    assert list(available_metrics()) == names


@pytest.mark.parametrize("package", PACKAGES)
def test_every_metric_of_a_module_is_in_the_table(package: str) -> None:
    folder = import_module(f"{PARENT}.{package}")
    for module in iter_modules(folder.__path__):
        names = set(PACKAGES[package].get(module.name, ()))
        for name in functions_of(f"{folder.__name__}.{module.name}"):
            assert name.removesuffix(COMPAT_END) in names, f"{module.name}.{name}"


def test_a_compat_version_lies_beside_its_metric() -> None:
    compat, metric = load_compat_metric("is_utc_0"), load_metric("is_utc_0")
    assert compat is not None
    assert (compat.__name__, compat.__module__) == ("is_utc_0_compat", metric.__module__)
    assert load_compat_metric("text_is") is None


def test_one_metric_imports_no_other_module_of_metrics() -> None:
    code = (
        "import sys; from envs.osworld.outside.metric_modules import load_metric;"
        "load_metric('text_is'); print(*(m for m in sys.modules if '.outside.p' in m))"
    )
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output.split() == []


def test_an_unknown_name_is_no_metric() -> None:
    assert modules_of("no_such_metric") == ()
    assert load_compat_metric("no_such_metric") is None
    with pytest.raises(LookupError, match="there is no such metric"):
        load_metric("no_such_metric")


def test_a_library_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (name,) = modules_of("run_sqlite3")
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    with pytest.raises(LookupError, match="not installed: sqlite3"):
        load_metric("run_sqlite3")

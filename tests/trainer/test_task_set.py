"""What is trained on and what is only measured."""

from __future__ import annotations

import pytest

from trainer.config import ConfigError, TrainConfig
from trainer.task_set import check_oracles, resolve_tasks


def config(tasks: list[str], **unseen: list[str]) -> TrainConfig:
    return TrainConfig.model_validate({"env": {"tasks": tasks}, "eval": {"unseen": unseen}})


def test_a_gym_stands_for_all_its_templates() -> None:
    tasks = resolve_tasks(config(["billing", "shop/checkout"]))
    assert "billing/pay_invoice" in tasks.trained
    assert tasks.trained[-1] == "shop/checkout"
    assert [gym.name for gym in tasks.gyms] == ["billing", "shop"]
    assert not tasks.needs_desktops


def test_what_is_named_twice_is_trained_on_once() -> None:
    tasks = resolve_tasks(config(["shop/checkout", "shop", "shop/checkout"]))
    assert tasks.trained.count("shop/checkout") == 1


def test_a_template_of_an_unseen_set_is_never_trained_on() -> None:
    tasks = resolve_tasks(
        config(["billing", "mail"], templates=["mail/star"], app=["mail/reply", "desk"])
    )
    assert "mail/star" not in tasks.trained
    assert "mail/reply" not in tasks.trained
    assert tasks.unseen["templates"] == ("mail/star",)
    assert len(tasks.unseen["app"]) == 22
    assert [gym.name for gym in tasks.gyms] == ["billing", "mail"]


def test_a_suite_may_be_trained_on() -> None:
    sections = {"env": {"tasks": ["mail"]}, "eval": {"suites": {"mine": ["mail/star"]}}}
    tasks = resolve_tasks(TrainConfig.model_validate(sections))
    assert "mail/star" in tasks.trained
    assert tasks.suites == {"mine": ("mail/star",)}


def test_a_run_needs_desktops_when_only_an_unseen_set_does() -> None:
    assert resolve_tasks(config(["shop"], desks=["desktop/calc_total"])).needs_desktops


@pytest.mark.parametrize(
    ("tasks", "unseen", "message"),
    [
        (["shopp"], [], "env.tasks: there is no gym 'shopp'"),
        (
            ["shop/prize"],
            [],
            "env.tasks: shop has no template 'prize' .did you mean price.*there are: ",
        ),
        (["shop"], ["desk/closed"], "eval.unseen.more: desk has no template 'closed'"),
        (["shop/checkout"], ["shop"], "nothing is left to train on"),
    ],
)
def test_what_does_not_exist_is_named(tasks: list[str], unseen: list[str], message: str) -> None:
    more = {"more": unseen} if unseen else {}
    with pytest.raises(ConfigError, match=message.replace("'", ".")):
        resolve_tasks(config(tasks, **more))


def test_what_is_to_be_led_needs_an_oracle() -> None:
    def check(tasks: str, led: float, tools: str = "gui") -> None:
        sections = {"env": {"tasks": [tasks], "tools": tools}, "reinforce": {"led": led}}
        config = TrainConfig.model_validate(sections)
        check_oracles(config, resolve_tasks(config))

    check("desktop", 0.0)
    check("shop", 0.5)
    with pytest.raises(ConfigError, match=r"reinforce\.led lets .*desktop/\w+ has none \(.*gui"):
        check("desktop", 0.5)
    with pytest.raises(ConfigError, match=r"its oracle uses pages, and env\.tools is 'api'"):
        check("shop/checkout", 0.5, tools="api")


def test_an_empty_set_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"eval\.unseen\.app: name a gym"):
        resolve_tasks(config(["shop"], app=[]))


def test_a_set_of_generated_gyms_stands_for_their_templates_in_turn() -> None:
    tasks = resolve_tasks(config(["gen-train:3"], worlds=["gen-test:2", "gen-0001"]))
    assert [name.partition("/")[0] for name in tasks.trained[:4]] == [
        "gen-0000",
        "gen-0002",
        "gen-0000",
        "gen-0002",
    ]
    assert len(tasks.trained) == 26
    assert len(tasks.unseen["worlds"]) == 39
    with pytest.raises(ConfigError, match="gen-nothing"):
        resolve_tasks(config(["gen-nothing"]))

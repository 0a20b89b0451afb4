"""Settings of verbal feedback that cannot be are refused in a sentence."""

from __future__ import annotations

import pytest

from trainer.config_file import ConfigError, load_config


def test_by_default_there_are_no_retries() -> None:
    assert load_config(None).feedback.retries == 0


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("feedback.writer=endpoint", "set feedback.endpoint.base_url and"),
        ("feedback.writer=oracle", "'none', 'rules', 'policy' or 'endpoint'"),
        ("feedback.critic=rules", "unknown key feedback.critic"),
        ('feedback.endpoint={base_url="x", model="m"}', "http"),
    ],
)
def test_what_cannot_be_is_refused(override: str, words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(None, [override])
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_endpoint_is_set_by_its_keys() -> None:
    keys = ["base_url=http://127.0.0.1:1/v1", "model=m"]
    overrides = [f"feedback.endpoint.{key}" for key in keys]
    config = load_config(None, ["feedback.writer=endpoint", *overrides])
    assert config.feedback.endpoint is not None
    assert config.feedback.endpoint.model == "m"

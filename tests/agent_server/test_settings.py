from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.settings import ClientSettings, CommandSettings, Settings
from envs.io.settings import EnvSettings, SettingsError


def test_nothing_set_means_embedded_parts_in_the_run_folder(tmp_path: Path) -> None:
    settings = Settings.from_env({"DESKHAND_RUN_DIR": str(tmp_path)})
    assert settings.database == f"sqlite:///{tmp_path}/deskhand.db"
    assert settings.broker_dir == tmp_path / "broker"
    assert settings.artifacts == str(tmp_path)
    assert (settings.lease_s, settings.heartbeat_s, settings.concurrency) == (20, 5, 32)


def test_urls_replace_the_embedded_parts() -> None:
    settings = Settings.from_env(
        {
            "DESKHAND_DATABASE_URL": "postgresql://db/deskhand",
            "DESKHAND_BROKER_URL": "redis://broker/0",
            "DESKHAND_ARTIFACTS_URL": "s3://bucket/runs",
            "DESKHAND_HOST_URLS": "http://a:1, http://b:2,",
        }
    )
    assert settings.database == "postgresql://db/deskhand"
    assert settings.broker_dir is None
    assert settings.artifacts == "s3://bucket/runs"
    assert settings.host_urls == ("http://a:1", "http://b:2")


def test_a_child_process_gets_the_same_settings(tmp_path: Path) -> None:
    settings = Settings(
        run_dir=tmp_path, host_urls=("http://a:1", "http://b:2"), host_token="s", concurrency=3,
        policy_tokenizer=tmp_path / "tokenizer.json", assets=tmp_path / "assets",
    )  # fmt: skip
    assert Settings.from_env(settings.to_env()) == settings
    assert Settings.from_env(Settings(run_dir=tmp_path).to_env()) == Settings(run_dir=tmp_path)


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("CONCURRENCY", "many", "DESKHAND_CONCURRENCY='many': Input should be a valid integer"),
        ("CONCURRENCY", "0", "greater than or equal to 1"),
        ("LEASE_S", "-1", "DESKHAND_LEASE_S='-1'"),
        ("HOST_URLS", "localhost:80", "'localhost:80' is not an http:// or https:// URL"),
        ("POLICY_URLS", "ftp://x", "DESKHAND_POLICY_URLS='ftp://x'"),
        ("LOG_LEVEL", "LOUD", "DESKHAND_LOG_LEVEL='LOUD'"),
        ("LEASE_S", "6", "at most half of DESKHAND_LEASE_S"),
    ],
)
def test_a_bad_value_is_refused_in_one_sentence_that_names_it(
    variable: str, value: str, says: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({f"DESKHAND_{variable}": value})
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_secrets_stay_out_of_what_is_printed() -> None:
    secret = dict.fromkeys(("host_token", "api_key", "policy_key", "policy_control_key"), "s3cret")
    settings = Settings(**secret)
    assert "s3cret" not in repr(settings)


def test_every_setting_has_its_line_of_help() -> None:
    for model in (Settings, CommandSettings, ClientSettings, EnvSettings):
        assert all(field.description for field in model.model_fields.values())

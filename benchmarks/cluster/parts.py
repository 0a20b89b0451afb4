"""What runs on the machines of a test cluster: the parts of docker-compose.yml, with the start-up
of their images, without images.

Guarantees: each machine has the secrets of its part alone, made anew each time; machines share the
runs and nothing else: the policy server reads them, worker, API and trainer write them; browsers,
gyms, database and broker see none of them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from agent_server.policy.engine import INSIDE_FOLDER, engine_python
from agent_server.provenance import ROOT
from agent_server.settings import Settings
from benchmarks.cluster.machine import Access, Part
from benchmarks.faults.services import POSTGRES_FOLDERS
from trainer.config import TrainConfig

RUN = "cluster"
ALONE = "alone"
"""The machine that has all parts, and its run."""
TRAINER = "trainer"
BROWSERS = ("browser-1", "browser-2")
WORKERS = ("worker-1", "worker-2")
GYM_PORT, HOST_PORT, API_PORT, POLICY_PORT = 8100, 8200, 8000, 8000
IMAGES = ROOT / "vm_images"
ENTRY = ("sh", str(IMAGES / "entry.sh"))
SECRETS_S = 30
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def make_secrets(folder: Path) -> dict[str, bytes]:
    """Those of docker-compose.yml by name, made by its script in `folder`."""
    script = folder / "vm_images" / "secrets.sh"
    script.parent.mkdir(parents=True)
    shutil.copy(IMAGES / "secrets.sh", script)
    subprocess.run([script], check=True, timeout=SECRETS_S)
    return {
        path.name: path.read_bytes()
        for path in (folder / "secrets").iterdir()
        if not path.name.startswith(".")
    }


def make_services(secrets: Mapping[str, bytes], config: TrainConfig) -> list[Part]:
    """All parts but the trainer, in the order of their start."""
    worker = _worker_environment(config)
    return [
        _postgres(secrets),
        Part(
            name="redis",
            command=(
                *("redis-server", "/tmp/redis_config", "--bind", "0.0.0.0"),
                *("--appendonly", "yes", "--dir", "/tmp"),
            ),
            environment={"PATH": PATH},
            files={"redis_config": secrets["redis_config"]},
        ),
        _python(
            "gym",
            ["envs.gyms.server", "--port", str(GYM_PORT + 1)],
            secrets,
            ["gym_token:gym_admin_token"],
            {"DESKHAND_FORWARDS": f"0.0.0.0:{GYM_PORT}=127.0.0.1:{GYM_PORT + 1}"},
        ),
        *(_browser(name, secrets) for name in BROWSERS),
        _policy(secrets, config),
        *(
            _python(
                name,
                ["agent_server.worker"],
                secrets,
                ["database_url", "broker_url", "host_signing_key", "policy_key"],
                worker | {"DESKHAND_CONCURRENCY": str(config.serve.concurrency // len(WORKERS))},
                runs="write",
            )
            for name in WORKERS
        ),
        _python(
            "api",
            ["agent_server.api", "--port", str(API_PORT + 1)],
            secrets,
            ["database_url", "broker_url", "host_signing_key", "api_key"],
            worker | {"DESKHAND_FORWARDS": f"0.0.0.0:{API_PORT}=127.0.0.1:{API_PORT + 1}"},
            runs="write",
        ),
    ]


def make_trainer(secrets: Mapping[str, bytes], config: TrainConfig, options: Sequence[str]) -> Part:
    """`options`: of `deskhand train`, what makes `config`."""
    return _python(
        TRAINER,
        ["agent_server", "train", "--services", *options],
        secrets,
        ["database_url", "broker_url", "policy_key", "policy_control_key"],
        _worker_environment(config),
        runs="write",
        ends=True,
    )


def make_alone(options: Sequence[str]) -> Part:
    """The same run by `deskhand train` on one machine."""
    command = ["agent_server", "train", "--runs", "/tmp", "--name", ALONE, *options]
    return _python(ALONE, command, {}, [], {}, ends=True)


def settings_of_operator(
    secrets: Mapping[str, bytes], addresses: Mapping[str, str], runs: Path
) -> Settings:
    """For queries from outside, where machines have addresses and no names."""
    url = secrets["database_url"].decode().replace("@postgres/", f"@{addresses['postgres']}/")
    return Settings(run_dir=runs / RUN, database_url=url)


def _postgres(secrets: Mapping[str, bytes]) -> Part:
    folder = next((path for path in POSTGRES_FOLDERS if Path(path, "initdb").exists()), "")
    rights = ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--")
    return Part(
        name="postgres",
        command=(*rights, "sh", "/tmp/start"),
        environment={
            "PATH": f"{folder}:{PATH}",
            "POSTGRES_USER": "deskhand",
            "POSTGRES_DB": "deskhand",
            "POSTGRES_PASSWORD_FILE": "/tmp/postgres_password",
            "PGDATA": "/tmp/pgdata",
        },
        files={
            "postgres_password": secrets["postgres_password"],
            "start": (IMAGES / "services" / "postgres.sh").read_bytes(),
        },
    )


def _browser(name: str, secrets: Mapping[str, bytes]) -> Part:
    command = ["envs.host", "--env", "browser", "--port", str(HOST_PORT), "--bind", "0.0.0.0"]
    return _python(
        name,
        [*command, "--gym-url", f"http://127.0.0.1:{GYM_PORT}"],
        secrets,
        ["host_public_key", "gym_token:gym_admin_token"],
        {"DESKHAND_FORWARDS": f"127.0.0.1:{GYM_PORT}=gym:{GYM_PORT}"},
    )


def _policy(secrets: Mapping[str, bytes], config: TrainConfig) -> Part:
    options = ("--enforce-eager", "--max-num-seqs", "64", "--no-enable-chunked-prefill")
    files, variables = _secret_files(secrets, ["policy_key", "policy_control_key"])
    return Part(
        name="policy",
        command=(*ENTRY, "sh", str(IMAGES / "policy" / "start.sh"), *options),
        environment={
            **variables,
            "PATH": f"{engine_python().parent}:{PATH}",
            "PYTHONPATH": str(INSIDE_FOLDER),
            "DESKHAND_RUN_DIR": f"/tmp/runs/{RUN}",
            "DESKHAND_POLICY_MAX_MODEL_LEN": str(config.model.max_model_len),
            "HF_HUB_OFFLINE": "1",
            "VLLM_NO_USAGE_STATS": "1",
            "DO_NOT_TRACK": "1",
            "VLLM_SERVER_DEV_MODE": "1",
            "VLLM_CPU_KVCACHE_SPACE": "1",
            "VLLM_CPU_OMP_THREADS_BIND": "nobind",
            "VLLM_LOGGING_LEVEL": "WARNING",
            "OMP_NUM_THREADS": "2",
            "OMP_WAIT_POLICY": "PASSIVE",
        },
        files=files,
        runs="read",
    )


def _worker_environment(config: TrainConfig) -> dict[str, str]:
    """What worker, API and trainer know of the others."""
    hosts = ",".join(f"http://{name}:{HOST_PORT}" for name in BROWSERS)
    return {
        "DESKHAND_RUN_DIR": f"/tmp/runs/{RUN}",
        "DESKHAND_HOST_URLS": hosts,
        "DESKHAND_POLICY_URLS": f"http://policy:{POLICY_PORT}",
        "DESKHAND_POLICY_TOKENIZER": "policy/live/tokenizer.json",
        "DESKHAND_POLICY_MAX_MODEL_LEN": str(config.model.max_model_len),
        "DESKHAND_TREE_CHARS": str(config.env.tree_chars),
        "DESKHAND_TREE_OPTIONS": str(config.env.tree_options),
    }


def _python(
    name: str,
    module: Sequence[str],
    secrets: Mapping[str, bytes],
    secret_names: Sequence[str],
    environment: Mapping[str, str],
    *,
    runs: Access = "none",
    ends: bool = False,
) -> Part:
    files, variables = _secret_files(secrets, secret_names)
    return Part(
        name=name,
        command=(*ENTRY, "python", "-m", *module),
        environment={
            "PATH": f"{Path(sys.executable).parent}:{PATH}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONUNBUFFERED": "1",
            # A trainer chooses the threads of its learner itself.
            **({} if ends else {"OMP_NUM_THREADS": "1"}),
            **variables,
            **environment,
        },
        files=files,
        runs=runs,
        ends=ends,
    )


def _secret_files(
    secrets: Mapping[str, bytes], names: Sequence[str]
) -> tuple[dict[str, bytes], dict[str, str]]:
    """Files of a machine, and the variables that name them. "FILE:SETTING" where they differ."""
    pairs = [(name.partition(":")[0], name.partition(":")[2] or name) for name in names]
    files = {file: secrets[file] for file, _ in pairs}
    return files, {f"DESKHAND_{name.upper()}_FILE": f"/tmp/{file}" for file, name in pairs}

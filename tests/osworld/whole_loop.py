"""Runs in the environment of OSWorld's published package: its `DesktopEnv`, `SetupController` and
`PythonController`, unmodified, in the loop of its run.py, on a box that our provider starts.

argv: folder of examples/, interpreter of Deskhand, scratch folder. Prints JSON. Packages that the
loop does not use and that are not installed here are empty.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import types
import urllib.request
from pathlib import Path
from typing import Any

ABSENT = ("gymnasium", "dotenv", "playwright", "playwright.sync_api", "pydrive", "pydrive.auth",
          "pydrive.drive", "requests_toolbelt", "requests_toolbelt.multipart",
          "requests_toolbelt.multipart.encoder")  # fmt: skip
TASK = {
    "id": "t",
    "instruction": "Write solved into the file note.txt and save it.",
    "config": [
        {"type": "execute", "parameters": {"command": ["no-such-program"],
                                           "until": {"returncode": 0}}},
        {"type": "launch", "parameters": {"command": ["google-chrome",
                                                      "--remote-debugging-port=1337"]}},
        {"type": "launch", "parameters": {"command": ["socat", "tcp-listen:9222,fork",
                                                      "tcp:localhost:1337"]}},
        {"type": "execute_with_verification",
         "parameters": {"command": ["true"], "max_wait_time": 60,
                        "verification": {"window_exists": "Chromium"}}},
        {"type": "execute", "parameters": {"command": "echo > ~/Documents/note.txt",
                                           "shell": True}},
        {"type": "open", "parameters": {"path": "/home/user/Documents/note.txt"}},
        {"type": "activate_window", "parameters": {"window_name": "note.txt"}},
    ],
    "evaluator": {
        "postconfig": [{"type": "close_window",
                        "parameters": {"window_name": "No such window"}}],
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": ["cat", "/home/user/Documents/note.txt"]},
        "expected": {"type": "rule", "rules": {"expected": "solved\n"}},
    },
}  # fmt: skip


class Empty(types.ModuleType):
    """A module from which any name can be imported: a class."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def main() -> None:
    examples, python, scratch = sys.argv[1:]
    os.chdir(scratch)
    for name in ABSENT:
        sys.modules[name] = Empty(name)
    sys.modules["dotenv"].load_dotenv = lambda: None  # type: ignore[attr-defined]
    for name in ("evaluators", "evaluators.metrics", "evaluators.metrics.utils",
                 "evaluators.getters", "providers.aws", "providers.aws.proxy_pool"):  # fmt: skip
        sys.modules[f"desktop_env.{name}"] = Empty(name)
    pool = sys.modules["desktop_env.providers.aws.proxy_pool"]
    pool.init_proxy_pool = lambda path: None  # type: ignore[attr-defined]
    spec = importlib.util.find_spec("desktop_env")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    getters = importlib.util.spec_from_file_location(
        "getters_general",
        Path(spec.submodule_search_locations[0], "evaluators", "getters", "general.py"),
    )
    assert getters is not None
    assert getters.loader is not None
    general = importlib.util.module_from_spec(getters)
    getters.loader.exec_module(general)
    package = sys.modules["desktop_env.evaluators"]
    package.getters = types.SimpleNamespace(  # type: ignore[attr-defined]
        get_vm_command_line=general.get_vm_command_line,
        get_rule=lambda env, config: config["rules"],
    )
    package.metrics = types.SimpleNamespace(  # type: ignore[attr-defined]
        exact_match=lambda result, rules: float(result == rules["expected"])
    )
    sys.path.insert(0, examples)
    import osworld_provider
    from desktop_env.desktop_env import DesktopEnv

    osworld_provider.install(python)
    env = DesktopEnv(provider_name="docker", action_space="pyautogui", screen_size=(1920, 1080))
    try:
        observation = env.reset(task_config=TASK)
        assert "note.txt" in observation["accessibility_tree"]
        scores = [float(env.evaluate())]
        scores.append(run_single_example(env, observation))
        with urllib.request.urlopen(
            f"http://127.0.0.1:{env.chromium_port}/json/version", timeout=20
        ) as reply:
            browser = json.load(reply)["Browser"]
        report = {"scores": scores, "browser": browser, "screen": env.vm_screen_size,
                 "platform": env.vm_platform}  # fmt: skip
        env.reset(task_config={**TASK, "config": []})
        tree = env.controller.get_vm_directory_tree("/home/user/Documents")
        report["of another box"] = tree["children"]
    finally:
        env.close()
    print(json.dumps(report))


def run_single_example(env: Any, observation: Any) -> float:
    """The loop of OSWorld's lib_run_single.py, without its sleeps and its files."""
    for action in ("pyautogui.write('solved'); pyautogui.hotkey('ctrl', 's')", "DONE"):
        assert observation["screenshot"]
        observation, _, done, _ = env.step(action, 1)
        if done:
            break
    return float(env.evaluate())


if __name__ == "__main__":
    main()

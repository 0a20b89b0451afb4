"""Runs in the environment of OSWorld's published package: every public method of its
`PythonController` against the host at port argv[1], scratch files in argv[2]; results as JSON."""

from __future__ import annotations

import base64
import inspect
import json
import sys
from pathlib import Path
from typing import Any

from desktop_env.controllers.python import PythonController

ACTIONS: tuple[Any, ...] = (
    "WAIT",
    {"action_type": "MOVE_TO", "parameters": {"x": 300, "y": 200}},
    {"action_type": "CLICK", "parameters": {"x": 400, "y": 300}},
    {"action_type": "TYPING", "parameters": {"text": "Hello, 'World' (42)!"}},
    {"action_type": "PRESS", "parameters": {"key": "enter"}},
    {"action_type": "KEY_DOWN", "parameters": {"key": "shift"}},
    {"action_type": "PRESS", "parameters": {"key": "b"}},
    {"action_type": "KEY_UP", "parameters": {"key": "shift"}},
    {"action_type": "SCROLL", "parameters": {"dx": 0, "dy": -2}},
    {"action_type": "DRAG_TO", "parameters": {"x": 420, "y": 310}},
    {"action_type": "DOUBLE_CLICK", "parameters": {"x": 400, "y": 400}},
    {"action_type": "MOUSE_DOWN", "parameters": {"button": "left"}},
    {"action_type": "MOUSE_UP", "parameters": {"button": "left"}},
    {"action_type": "RIGHT_CLICK", "parameters": {"x": 400, "y": 500}},
    {"action_type": "PRESS", "parameters": {"key": "esc"}},
    {"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "s"]}},
)


def main() -> None:
    port, scratch = int(sys.argv[1]), Path(sys.argv[2])
    controller = PythonController("127.0.0.1", port)
    answers: dict[str, Any] = {}

    def call(name: str, *arguments: Any) -> None:
        value = getattr(controller, name)(*arguments)
        answers[name] = base64.b64encode(value).decode() if isinstance(value, bytes) else value

    call("start_recording")
    call("get_vm_platform")
    call("get_vm_screen_size")
    call("get_vm_desktop_path")
    call("get_vm_directory_tree", "/home/user/Documents")
    call("get_file", "/home/user/Documents/note.txt")
    call("get_vm_window_size", "mousepad")
    call("get_vm_wallpaper")
    for action in ACTIONS:
        controller.execute_action(action)
    answers["execute_action"] = None
    call("execute_python_command", "print(pyautogui.position())")
    call("run_python_script", "import sys\nprint('out')\nsys.exit(4)")
    call("run_bash_script", "echo ran >> ~/runs; echo out; echo err >&2; exit 3")
    call("get_screenshot")
    call("get_accessibility_tree")
    controller.execute_python_command("import subprocess; subprocess.Popen(['lxterminal'])")
    controller.execute_python_command("time.sleep(2); pyautogui.write('echo $((6*7))\\n')")
    call("get_terminal_output")
    film = scratch / "film.mp4"
    controller.end_recording(str(film))
    answers["end_recording"] = film.exists() and film.stat().st_size

    methods = inspect.getmembers(PythonController, inspect.isfunction)
    missing = [name for name, _ in methods if not name.startswith("_") and name not in answers]
    print(json.dumps({"found": answers, "missing": missing}))


if __name__ == "__main__":
    main()

"""The web gyms as the verifiers taskset `deskhand_web`: verifiers finds it by this module's name.

pip install examples/verifiers && vf-eval deskhand_web --env.taskset.gym shop
"""

from agent_server.adapters.verifiers_taskset import WebGymTaskset

__all__ = ["WebGymTaskset"]

"""What getters give is tried on the metrics that take it."""

from __future__ import annotations

from envs.verify import osworld

osworld.register()

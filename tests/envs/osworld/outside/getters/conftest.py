"""What getters give is tried on the metrics that take it."""

from __future__ import annotations

from envs.osworld.outside.metric_modules import import_all_metrics

import_all_metrics()

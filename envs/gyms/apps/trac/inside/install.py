"""Makes Trac's data in the folder that is named: by Trac's own functions, inside the box."""

from __future__ import annotations

import sys

sys.path.insert(0, "/app")

from trac.env import Environment

OPTIONS = (
    # A session's database is gone with the machine: nothing waits for the disk.
    ("trac", "database", "sqlite:db/trac.db?synchronous=off"),
    # Dates as such: "3 days ago" would be counted by the clock of the page.
    ("trac", "default_dateinfo_format", "absolute"),
    ("trac", "default_date_format", "iso8601"),
    ("trac", "default_timezone", "GMT"),
    ("trac", "default_language", "en"),
    # Previews while somebody types come when they come: what is on the page would be chance.
    ("trac", "auto_preview_timeout", "0"),
    ("logging", "log_type", "none"),
    # A plugin is code that would run beside the data of all sessions; a log is a file of any name.
    ("components", "trac.admin.web_ui.pluginadminpanel", "disabled"),
    ("components", "trac.admin.web_ui.loggingadminpanel", "disabled"),
    ("ticket", "restrict_owner", "true"),
    ("ticket", "default_milestone", ""),
    ("ticket", "default_version", ""),
    ("ticket", "default_component", ""),
    ("timeline", "default_daysback", "90"),
    ("wiki", "max_size", "65536"),
)

if __name__ == "__main__":
    env = Environment(sys.argv[1], create=True, options=OPTIONS)
    with env.db_transaction as db:
        # The manual: pages that no world is about.
        db("DELETE FROM wiki")
    env.shutdown()

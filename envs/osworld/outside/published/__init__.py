"""OSWorld's metrics, a module for each format or program.

All of them together import a hundred megabytes of libraries (`pip install "deskhand[osworld]"`), so
a module is imported only when a metric of it is needed. A module also holds the `compat` versions
of its metrics, unless they are in `envs.osworld.outside.compat`.
"""

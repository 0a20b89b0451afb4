"""HTML reports: one jinja2 environment with a shared base template, and plots as SVG."""

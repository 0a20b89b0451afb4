"""Oracle scripts for MiniWoB++ tasks, by what a task is solved with. Each module has a table
SCRIPTS of template names."""

"""`python -m agent_server`: the same as `deskhand`."""

from agent_server.cli.main import main

main()

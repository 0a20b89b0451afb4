"""A process of a run that torchrun starts: the first is `deskhand`, the others follow it.

torchrun --nnodes 2 --nproc-per-node 8 --rdzv-backend c10d --rdzv-endpoint HOST:PORT
    -m trainer train --config FILE --set model.path=FOLDER --set learner.processes=16
"""

from __future__ import annotations

import sys

from trainer.learner_processes import launch_problem, launched_place

if __name__ == "__main__":
    place = launched_place()
    if place is not None and place[1] > 1:
        # The others would wait for a leader that never calls them.
        command = sys.argv[1] if len(sys.argv) > 1 else "deskhand"
        problem = (
            launch_problem(place[1])
            if command == "train"
            else f"`train` alone runs in several processes: run `{command}` without torchrun"
        )
        if problem:
            sys.exit(f"deskhand: {problem}")
    if place is not None and place[0] > 0:
        from trainer.learner_follower import follow

        follow(*place, None)
    else:
        from agent_server.cli.main import main

        main()

"""A process of a run that torchrun starts: the first is `deskhand`, the others follow it.

torchrun --nnodes 2 --nproc-per-node 8 --rdzv-backend c10d --rdzv-endpoint HOST:PORT
    -m trainer train --config FILE --set model.path=FOLDER --set learner.processes=16
"""

from __future__ import annotations

from trainer.learner_processes import launched_place

if __name__ == "__main__":
    place = launched_place()
    if place is not None and place[0] > 0:
        from trainer.learner_follower import follow

        follow(*place, None)
    else:
        from agent_server.cli.main import main

        main()

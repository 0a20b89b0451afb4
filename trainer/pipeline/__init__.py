"""How episodes flow to the learner: rules, buffer, rollout controller, publisher."""

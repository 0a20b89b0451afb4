"""The phases of a run: imitate, reinforce, pulse; all of them data routing over one learner."""

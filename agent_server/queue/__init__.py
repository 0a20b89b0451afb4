"""The queue of episodes: broker, dispatch, spool."""

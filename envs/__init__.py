"""What an agent acts on: actions, observations, tasks, sessions, hosts, gyms. Knows no policy."""

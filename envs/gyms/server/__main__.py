"""`python -m envs.gyms.server --port P`: serves the web gyms on 127.0.0.1."""

from envs.gyms.server.app import main

if __name__ == "__main__":
    main()

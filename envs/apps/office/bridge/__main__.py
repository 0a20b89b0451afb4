from envs.apps.office.bridge.process import main

if __name__ == "__main__":
    main()

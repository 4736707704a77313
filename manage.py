#!/usr/bin/env python
"""Run a command of econweb: serve, migrate, load_catalogue, api_key and Django's own."""

from econweb.command_line import main

if __name__ == "__main__":
    main()

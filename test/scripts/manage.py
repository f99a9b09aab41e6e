#!/usr/bin/env python3
"""Django's command-line utility for administrative tasks."""
import os
import sys


def main():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "app.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise ImportError("Is Django installed?") from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

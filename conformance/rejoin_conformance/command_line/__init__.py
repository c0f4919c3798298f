"""The command `rejoin`: one module a subcommand. Nothing here knows a particular system."""

"""What every verb shares with the terminal: pages, messages, exit codes."""

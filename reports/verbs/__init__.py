"""One file per verb of the command line. Each is imported only when it is called."""

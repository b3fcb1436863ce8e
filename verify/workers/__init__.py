"""Where many independent tasks are carried out: in processes here, or on a cluster."""

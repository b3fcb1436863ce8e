"""Which plan is fastest on this machine, and where single precision is enough."""

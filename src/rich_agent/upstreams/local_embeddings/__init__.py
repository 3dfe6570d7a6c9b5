"""An embedding model on this machine, in a process that can do nothing else."""

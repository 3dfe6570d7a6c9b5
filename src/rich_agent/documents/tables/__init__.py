"""Reads the tables of files and computes over all their rows, apart from everything else."""

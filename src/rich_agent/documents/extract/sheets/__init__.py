"""Reads the sheets of workbooks and CSV files as grids, and finds the tables on them."""

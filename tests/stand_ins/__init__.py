"""Services that documents are read from, over real HTTP, as the tests and benches meet them."""

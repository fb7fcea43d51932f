"""Other libraries' learners: each is imported only when asked for."""

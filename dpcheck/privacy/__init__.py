"""Is it private? The statistics, and the order in which they are asked."""

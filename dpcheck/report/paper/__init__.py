"""A paper's report: what is known of each result and step, and what its learners do, as a page, Markdown and JSON."""

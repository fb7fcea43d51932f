"""What a run of checks looks like: as text, JSON, JUnit XML and Markdown; and its exit status."""

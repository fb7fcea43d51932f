"""What everything speaks of: claims, data, neighbours, learners, laws, records, verdicts, errors."""

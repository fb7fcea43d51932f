"""The engine: a learner in, verdicts and measurements out, events for those who watch."""

"""Utility: how often a learner misses its accuracy, on which distributions, and with how much data.

``failure`` runs a learner on fresh samples and says how often its excess risk is too large; ``distributions`` holds
what the samples come from, with exact risks; ``covers`` and ``reduction`` compute the probabilities that need no
learner at all; ``curves`` runs ``failure`` over sizes and accuracies. ``sizes`` finds how many records a learner needs,
``size_curves`` and ``frontier`` along something, and ``slopes`` holds what was found against a theorem's formula.
``stability`` has the stability, the generalisation gap and the AERM rate of learners on finite problems exactly,
``measured_stability`` by trials. It may use the model, the running of learners, and parts.
"""

"""Is it private? The statistics, and the order in which they are asked.

In come a target, a claim and pairs (``run.question``). Out go verdicts, measurements and plans. ``run`` orders the
work: what is asked, of which pairs, with how many calls. ``statistics`` turns outputs into observations and evidence,
and knows no learner; ``pairs`` makes the datasets that a search tries; ``exact`` compares declared laws. It may use the
model, what runs a stranger's code, and no paper.
"""

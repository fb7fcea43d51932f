"""The five papers, a folder each, found by the entry points ``dpcheck.papers`` as any installed package's are.

A folder reads: ``theorems`` (what is claimed, and the proofs line by line), ``learners`` (its algorithms), ``trials``
(its claims, run), ``mutants`` (broken versions that must be caught), ``hard_instances``; ``inventory.json`` is what the
paper prints, ``certificates.json`` what the prover found. A paper may use every room but the command line, and another
paper's learners; no room names a paper.
"""

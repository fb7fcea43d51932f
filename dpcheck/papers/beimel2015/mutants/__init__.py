"""Broken versions of the learners of beimel2015, one defect each."""

from dpcheck.papers.beimel2015.mutants.active import MUTANTS as MUTANTS_OF_ACTIVE
from dpcheck.papers.beimel2015.mutants.boost import MUTANTS as MUTANTS_OF_BOOST
from dpcheck.papers.beimel2015.mutants.labelled import MUTANTS as MUTANTS_OF_LABELLED
from dpcheck.papers.beimel2015.mutants.sanitisers import MUTANTS as MUTANTS_OF_SANITISING

MUTANTS = (*MUTANTS_OF_LABELLED, *MUTANTS_OF_BOOST, *MUTANTS_OF_ACTIVE, *MUTANTS_OF_SANITISING)

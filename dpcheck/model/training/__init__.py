"""Trainings in steps of noise: what each step releases, and what is accounted for it."""

from dpcheck.model.training.gaussian_steps import GaussianSteps as GaussianSteps
from dpcheck.model.training.transcript import UNRECORDED as UNRECORDED
from dpcheck.model.training.transcript import Transcript as Transcript

"""Trainings in steps of noise, with a transcript: correct ones, and known mistakes, each with where it was seen."""

from dpcheck.parts.trained.entry import TrainedEntry as TrainedEntry
from dpcheck.parts.trained.listed import entries as entries

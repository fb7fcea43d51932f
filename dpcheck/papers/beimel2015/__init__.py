"""Beimel, Nissim & Stemmer 2015, "Learning Privately with Labeled and Unlabeled Examples"."""

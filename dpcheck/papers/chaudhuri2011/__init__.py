"""chaudhuri2011"""

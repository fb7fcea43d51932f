"""beimel2015"""

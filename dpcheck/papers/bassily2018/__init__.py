"""bassily2018"""

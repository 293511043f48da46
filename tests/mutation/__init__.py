"""Mutation testing: does some test fail when the code is made wrong on purpose?"""

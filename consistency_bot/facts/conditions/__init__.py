"""Conditions of code as formulas: what holds where, what a value may be there, and whether two conditions are one."""

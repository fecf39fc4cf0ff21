"""Monkey-patches with a life: whether they are still needed, who calls them, and whether they tell when they fail."""

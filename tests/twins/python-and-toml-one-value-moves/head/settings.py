rate = 0.001
steps = 2000
keep = 3
name = "small"

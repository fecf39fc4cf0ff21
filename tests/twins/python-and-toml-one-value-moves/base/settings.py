rate = 0.001
steps = 1000
keep = 3
name = "small"

def spread(rate=0., bound=1e-8, scale=2.50):
    return 0.5 * rate + bound * scale

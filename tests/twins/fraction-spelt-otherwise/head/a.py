def spread(rate=0.0, bound=1.0E-08, scale=2.5):
    return 0.5 * rate + bound * scale

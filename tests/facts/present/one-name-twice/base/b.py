def run(x, y):
    copy(y, x)

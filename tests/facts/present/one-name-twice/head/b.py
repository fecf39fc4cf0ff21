def run(x, y):
    copy(x.data, x . data)

def run(x, y):
    copy(x, y)

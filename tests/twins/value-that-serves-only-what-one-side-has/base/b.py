def moor(boat, quay):
    rope = boat.chain
    if quay.is_crowded:
        rope.double()
    while not quay.is_free:
        boat.wait()
    with quay.lock:
        boat.tie(rope, pressure=quay.depth, clamp=boat.clamp)
    boat.report(quay)

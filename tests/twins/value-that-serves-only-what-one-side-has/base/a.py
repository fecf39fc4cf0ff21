def moor(boat, quay):
    rope = boat.rope
    if quay.is_crowded:
        rope.lengthen(quay.width)
        boat.fenders.lower()
    with quay.lock:
        boat.tie(rope, side=quay.side, knots=2, winch=boat.winch, crew=boat.crew)
    boat.engine.stop()

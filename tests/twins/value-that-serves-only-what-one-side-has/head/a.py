def moor(boat, quay):
    rope = boat.rope
    if quay.is_crowded:
        rope.lengthen(quay.width)
        boat.fenders.lower()
    with quay.lock:
        if quay.is_wet:
            grip = boat.resin
        else:
            grip = None
        boat.tie(rope, side=quay.side, knots=2, winch=boat.winch, crew=boat.crew, grip=grip)
    boat.engine.stop()

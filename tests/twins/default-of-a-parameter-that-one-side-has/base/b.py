class Gate:
    def __init__(self, lock, width, height=3, bell=None):
        self.lock = lock
        self.width = width
        self.height = height
        self.oil()

    def swing(self, angle):
        self.hinge.turn(angle, speed=self.speed)

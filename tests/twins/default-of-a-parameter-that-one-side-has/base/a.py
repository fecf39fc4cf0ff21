class Gate:
    def __init__(self, lock, width, colour="red", height=3, bell=None, sign="stop"):
        self.lock = lock
        self.width = width
        self.height = height
        self.paint(colour, sign=sign)

    def swing(self, angle):
        self.hinge.turn(angle, speed=self.speed, bell=self.bell)

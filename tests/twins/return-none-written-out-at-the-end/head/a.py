class Gate:
    def open(self, badge):
        if badge in self.lost:
            self.alarm.ring(badge)
            return
        self.motor.turn(self.angle)
        self.log.append(badge)
        return None

    def visitors(self, day):
        seen = self.book.get(day)
        if seen is None:
            return 0
        return len(seen)

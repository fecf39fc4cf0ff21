class Boat:
    def sail(self, wind, crew):
        chart = self.open_chart(wind)
        for leg in chart.legs:
            self.trim(leg.angle)
            speed = wind.speed * self.hull.factor
            self.log.append(speed)
            self.covered += 1
            if crew.wants_to_stop():
                break
            self.heel = speed / self.keel
        return self.covered

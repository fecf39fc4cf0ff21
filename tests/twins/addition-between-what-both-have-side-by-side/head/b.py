class Ferry:
    def sail(self, wind, crew):
        timetable = self.read_timetable()
        while timetable.has_next():
            quay = timetable.next_quay()
            for engine in self.engines:
                engine.start(quay.distance)
                engine.wait()
            self.covered += 1
            if crew.wants_to_stop():
                break
            self.unload(quay)
            self.load(quay)
        self.moor()
        return self.covered

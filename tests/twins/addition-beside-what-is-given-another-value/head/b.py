def set_out(settings, fleet):
    winds = read_winds(settings["station"])
    winds.smooth(3)
    for ship in fleet.ships:
        ship.rig(winds)
    crew = Crew(fleet.sailors, pilot=fleet.pilot)
    route = route_by(winds)
    fleet.follow(route, until=settings["dusk"])
    return route, crew

def set_out(settings, fleet):
    charts = settings["charts"]
    if charts.are_old():
        raise ValueError("buy new charts")
    crew = Crew(fleet.sailors, watch=4, cook=fleet.cook)
    route = ShortestRoute(charts, settings["harbours"])
    route.avoid(settings["reefs"])
    return crew, route

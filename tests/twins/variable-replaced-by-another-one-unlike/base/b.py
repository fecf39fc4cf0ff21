def spread_second(model, plan, converters):
    if plan.tensor or plan.expert:
        two_ways = two_ways_of(plan=plan, converters=converters)
        spread_experts(
            model,
            mesh=plan.mesh("tensor"),
            two_ways=two_ways,
        )
    return model

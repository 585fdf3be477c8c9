"""What runs beside a mutant: decode candidates, rebuild pre-states, oracles, step budget; standard library only."""

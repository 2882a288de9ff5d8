"""How far the simulation is from the field, told: findings one rung up, and the twin."""

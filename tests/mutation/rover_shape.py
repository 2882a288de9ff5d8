"""What robot and oracle share."""


def apart(a_m: float, b_m: float) -> float:
    """How far two places are apart."""
    return abs(a_m - b_m)

"""Compiled kernels of worlds: ground, placement, images."""

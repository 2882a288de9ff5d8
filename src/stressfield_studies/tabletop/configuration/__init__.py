"""Configurations of property tests: a TOML file, the scenarios it asks for, and the published algorithm on them."""

from stressfield_studies.tabletop.configuration.file import Configuration, configuration_from_toml, read_configuration

__all__ = ["Configuration", "configuration_from_toml", "read_configuration"]

"""The rosbridge protocol, both ways: our server for robots, our client of another, and what versions differ in."""

"""Where things are: furniture and objects, rooms, and how they are placed without overlap."""

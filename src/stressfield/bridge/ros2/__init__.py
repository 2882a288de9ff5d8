"""ROS 2 over zenoh, without ROS: the wire, who is there, a node of ours, actions, and traffic of all types."""

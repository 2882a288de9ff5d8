"""Recordings of others: rosbag2 (MCAP and SQLite, compressed, split), ROS 1 bags, plain MCAP files."""

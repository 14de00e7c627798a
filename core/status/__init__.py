"""What an installation does and holds: the jobs, memory and visitors of each server, and the disk."""

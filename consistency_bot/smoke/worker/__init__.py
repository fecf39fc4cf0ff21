"""What runs in each rank of a smoke job: the only code of this program that loads torch and the code under check."""

"""An experiment is written as a job array of SLURM."""

from harness import api


def test_the_script_says_where_the_environment_is_activated():
    *_, remark, command, folders = api.slurm_script("demo", 3).splitlines()
    assert remark == "# Activate the environment that has mutascope here."
    assert command.startswith("mutascope shard demo ")
    assert folders.startswith("    --out ")

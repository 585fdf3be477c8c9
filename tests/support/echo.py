"""A process that reports its input and its surroundings, and sleeps or forks on request."""

import json
import os
import sys
import time


def main(arguments):
    orders = os.fdopen(int(arguments[-2]), encoding="utf-8")
    facts = os.fdopen(int(arguments[-1]), "w", encoding="utf-8")
    for line in orders:
        order = json.loads(line)
        if "sleep" in order:
            time.sleep(order["sleep"])
        if "fork" in order:
            order["child"] = os.fork()
            if order["child"] == 0:
                time.sleep(100)
        if "busy below" in order:
            if os.fork() == 0:
                while True:
                    pass
            time.sleep(100)
        order |= {"umask": os.umask(0o777), "hour": time.localtime(0).tm_hour}
        order |= {"address": id(None), "folder": os.getcwd(), "variables": dict(os.environ), "stdin": sys.stdin.read()}
        facts.write(json.dumps(order) + "\n")
        facts.flush()

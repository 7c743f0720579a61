"""Carries out one job after the other in one application of Spark, so that a test starts Spark once.

Each line of standard input is a job: {"job_file": …, "results": …, "command": …}. `ended EXIT` follows its output.
"""

import json
import sys
import traceback

import verify_spark
from pyspark import SparkContext

context = SparkContext(conf=verify_spark.conf("cdcctl verify, several jobs"))
print("web %s %s" % (context.uiWebUrl, context.applicationId), flush=True)
for line in sys.stdin:
    exit_code = 0
    try:
        verify_spark.carry_out(context, **json.loads(line))
    except SystemExit as ended:
        exit_code = ended.code
    except Exception:
        traceback.print_exc(file=sys.stdout)
        exit_code = 2
    print("ended %d" % exit_code, flush=True)
context.stop()

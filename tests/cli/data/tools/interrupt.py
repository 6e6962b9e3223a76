"""Interrupts a run that has finished one of two tests: interrupt.py default|ignored, as SIGINT is to be
for the run. Prints its status."""
import os
import signal
import subprocess
import sys
import time

ignored = sys.argv[1] == "ignored"
signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)
command = [os.environ["PROGRAM"], "-q", "-model", "own.cat", "-resume", "run.jsonl", "-j", "2", "mp.litmus",
           "waits.litmus"]
run = subprocess.Popen(command, stdout=subprocess.DEVNULL, restore_signals=False)
while not (os.path.exists("run.jsonl") and os.path.getsize("run.jsonl") > 0):
    time.sleep(0.05)
run.send_signal(signal.SIGINT)
if ignored:
    open("waits.litmus", "w").write(open("mp.litmus").read())
print(run.wait())

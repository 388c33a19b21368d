"""A judge that does the tasks of a campaign as a machine, over the platform's API.

client      requests to a platform: addresses, certificates, trying again, refusals as sentences
machine     what a machine does there by its token: its tasks, and what it says about itself
tasks       what a judge answers to a task, from what the API shows of it
run         a run: claim, ask the judge, submit, until nothing is left

All of it runs on any machine: it needs neither the platform's database nor its packages.
"""

#!/usr/bin/env python3
"""Drives the agent from Python, without dependencies.

    python3 agent_client.py "why does make fail?" [flags of agent...]

prints the answer as it comes, and what "git status" says in the agent's shell.
"""

import json
import os
import subprocess
import sys


class Agent:
    """An agent that runs. Use it in a "with" statement."""

    def __init__(self, *flags):
        self.process = subprocess.Popen(
            [os.environ.get("AGENT", "agent"), "--mode", "rpc", *flags],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
        )
        self.last_id = 0
        self.ready = self.next()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        for _ in self.process.stdout:  # what still comes
            pass
        self.process.wait()

    def send(self, kind, **fields):
        """Sends a command and returns its id."""
        self.last_id += 1
        json.dump({"type": kind, "id": self.last_id, **fields}, self.process.stdin)
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.last_id

    def next(self):
        """Waits for the next line of the agent."""
        line = self.process.stdout.readline()
        if not line:
            raise EOFError("the agent has ended")
        return json.loads(line)

    def call(self, kind, **fields):
        """Sends a command, waits for its response and returns its data."""
        wanted = self.send(kind, **fields)
        while True:
            line = self.next()
            if line["type"] == "response" and line.get("id") == wanted:
                if not line["success"]:
                    raise RuntimeError(line["error"])
                return line.get("data")

    def say(self, message, allow=lambda question: False):
        """Sends a prompt and yields the pieces of the answer."""
        self.send("prompt", message=message)
        seen = 0  # of the message that comes in; the rest comes with its end
        while True:
            line = self.next()
            if line["type"] == "message_update" and line["kind"] == "text":
                seen += len(line["text"])
                yield line["text"]
            elif line["type"] == "message_end" and line["message"]["role"] == "assistant":
                parts = line["message"].get("parts", [])
                text = "".join(p.get("text", "") for p in parts if p["kind"] == "text")
                yield text[seen:]
                seen = 0
            elif line["type"] == "permission":
                decision = "once" if allow(line) else "no"
                self.send("answer_permission", permissionId=line["id"], decision=decision)
            elif line["type"] == "agent_end":
                if line["reason"] == "error":
                    raise RuntimeError(line["error"])
                return


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: agent_client.py PROMPT [flags of agent...]")
    with Agent(*sys.argv[2:]) as agent:
        for piece in agent.say(sys.argv[1]):
            print(piece, end="", flush=True)
        print()
        run = agent.call("bash", command="git status --short --branch 2>&1 | head -3")
        print(run["output"], end="")


if __name__ == "__main__":
    main()

"""A program that runs a network when it is told to: session_bench, a peer's driver, or machine_limits."""
import json
import subprocess


class Contestant:
    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env=environment)
        self.command = command
        self.first = self._read()

    def turn(self, runs):
        self.process.stdin.write(f'{runs}\n')
        self.process.stdin.flush()
        return self._read()

    def close(self):
        """Ends it; `peak_rss_bytes` is what it took of memory."""
        self.peak_rss_bytes = self._peak_rss_bytes()
        self.process.stdin.close()
        self.process.wait()

    def _peak_rss_bytes(self):
        with open(f'/proc/{self.process.pid}/status', encoding='ascii') as status:
            for line in status:
                if line.startswith('VmHWM:'):
                    return int(line.split()[1]) * 1024
        return 0

    def _read(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f'{" ".join(self.command)} ended with exit code {self.process.wait()}')
        return json.loads(line)

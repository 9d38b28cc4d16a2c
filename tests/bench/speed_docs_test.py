"""speed_docs_test.py SOURCE: the figures of `./dev bench --docs` get into README and into the page of speed, and nowhere else."""

import contextlib
import io
import os
import sys
import tempfile
import unittest

SOURCE = sys.argv[1]
sys.path.insert(0, os.path.join(SOURCE, 'bench', 'networks'))
import write_docs  # noqa: E402


def record(network, threads, ratio, gain=2.0):
    ours = {'median_ms': 4.0, 'best_ms': 3.9, 'cpu_ms': 4.0, 'load_ms': 14.0, 'first_run_ms': 5.0, 'peak_rss_bytes': 26e6,
            'arena_bytes': 1e6, 'turns_ms': [4.0]}
    peer = {**ours, 'load_ms': 290.0, 'peak_rss_bytes': 129e6}
    spread = {'median': ratio, 'low': ratio, 'high': ratio}
    limit = {'fma_gflops': 200.0, 'read_gb_per_s': 20.0, 'effective_gflops': 1.0, 'executed_gflops': 1.0, 'share_of_peak': 0.5,
             'weights_gb_per_s': 1.0, 'share_of_bandwidth': 0.1}
    return {'network': network, 'threads': threads, 'isa': 'avx2', 'ours': ours, 'peers': {'Other': peer}, 'best_peer': 'Other',
            'ratio': spread, 'best_ratio': ratio, 'limit': limit, 'int8': ours, 'int8_gain': {'median': gain, 'low': gain, 'high': gain}}


def result():
    return {'made': {'date': '2030-01-02', 'cpu': 'A CPU', 'cores': 2, 'commit': 'abcdef'}, 'layers': [],
            'networks': [record('mobilenet_v2', 1, 0.8), record('unet', 1, 0.5, 4.0), record('lstm', 1, 0.9), record('unet', 2, 0.4)]}


class Docs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        os.makedirs(os.path.join(self.root, 'docs', 'measurements'))

    def readme(self, text=None):
        path = os.path.join(self.root, 'README.md')
        if text is not None:
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
        with open(path, encoding='utf-8') as file:
            return file.read()

    def test_have_the_table_between_the_marks(self):
        self.readme('before\n' + write_docs.BEGIN + 'old\n' + write_docs.END + 'after\n')
        write_docs.write(result(), self.root)
        text = self.readme()
        self.assertTrue(text.startswith('before\n' + write_docs.BEGIN + 'Measured on 2030-01-02, A CPU, 2 cores, avx2, commit abcdef.'))
        self.assertTrue(text.endswith(write_docs.END + 'after\n'))
        self.assertIn('| 1 thread, 3 networks | 0.80 | 0.50 (unet, 4.0 ms) | 0.90 (lstm, 4.0 ms) |', text)
        self.assertIn('| 2 threads, 1 network | 0.40 |', text)
        self.assertIn('mobilenet_v2 loads in 14 ms (Other: 290) and needs at most 26 MB (129).', text)
        self.assertIn('int8 networks take 0.25 (unet) to 0.50 (mobilenet_v2) of the time of float.', text)
        self.assertNotIn('old', text)
        write_docs.write(result(), self.root)
        self.assertEqual(self.readme(), text)
        with open(os.path.join(self.root, 'docs', 'measurements', 'speed.md'), encoding='utf-8') as file:
            self.assertIn('| lstm | 1 |', file.read())

    def test_are_left_alone_without_marks(self):
        self.readme('no marks\n')
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
            write_docs.write(result(), self.root)
        self.assertEqual(self.readme(), 'no marks\n')
        self.assertEqual(os.listdir(os.path.join(self.root, 'docs', 'measurements')), [])

    def test_readme_has_the_marks(self):
        with open(os.path.join(SOURCE, 'README.md'), encoding='utf-8') as file:
            text = file.read()
        self.assertEqual((text.count(write_docs.BEGIN), text.count(write_docs.END)), (1, 1))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])

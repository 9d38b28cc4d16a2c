"""The page of converted networks is written of the networks that are there, and says what each column holds."""

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE, DATA, PROGRAMS, PYTHON = sys.argv[1:5]
ZOO = os.path.join(SOURCE, 'bench', 'zoo')
sys.path.insert(0, ZOO)
import networks  # noqa: E402
import zoo  # noqa: E402

SMALL = ['micro_speech', 'ad']


def in_small():
    return [network for network in networks.NETWORKS if network.name in SMALL]


def page(data):
    done = subprocess.run([sys.executable, os.path.join(ZOO, 'zoo.py'), data, '--programs', PROGRAMS, '--python', PYTHON,
                           '--seconds', '0.001'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout, done.stderr


def tables(text):
    """Rows of cells, a list a table."""
    blocks = re.findall(r'(?:^\|.*\|\n)+', text, re.MULTILINE)
    return [[[cell.strip() for cell in line.strip('|\n').split('|')] for line in block.splitlines()] for block in blocks]


class Page(unittest.TestCase):
    def test_networks_that_are_there_have_rows_and_commands(self):
        with tempfile.TemporaryDirectory() as data:
            for network in in_small():
                path = os.path.join(data, 'models', network.source)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                os.symlink(os.path.join(DATA, 'models', network.source), path)
            code, text, messages = page(data)
        self.assertEqual(code, 0, messages)
        self.assertTrue(text.startswith('# Converted networks\n'))
        results, commands = tables(text)
        self.assertEqual([row[0] for row in results[2:]], SMALL)
        self.assertEqual([row[0] for row in commands[2:]], SMALL)
        for name, _, numbers, file, ram, board, median, counted, accuracy in results[2:]:
            self.assertEqual((numbers, counted, accuracy), ('as in the file', '', ''), name)
            for cell in (file, ram, board):
                self.assertRegex(cell, r'^[1-9][0-9,]*$', name)
            self.assertGreater(float(median), 0, name)
        self.assertIn('`mnnconvert micro_speech_int8.tflite -o micro_speech.fb`', text)
        left_out = [n.source for n in networks.NETWORKS if n.name not in SMALL]
        self.assertEqual([line.split()[2].rstrip(';') for line in messages.splitlines()], left_out)

    def test_a_file_that_cannot_be_converted_is_an_error_that_names_the_command(self):
        with tempfile.TemporaryDirectory() as data:
            path = os.path.join(data, 'models', in_small()[0].source)
            os.makedirs(os.path.dirname(path))
            with open(path, 'w') as file:
                file.write('no model')
            code, _, messages = page(data)
        self.assertNotEqual(code, 0)
        self.assertIn('mnnconvert ' + path, messages)

    def test_tables_are_those_of_markdown(self):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            zoo.table([['a', 'b'], ['1', '2']])
        self.assertEqual(text.getvalue(), '| a | b |\n| --- | --- |\n| 1 | 2 |\n')

    def test_names_are_those_of_one_network_each_and_on_the_page(self):
        names = [network.name for network in networks.NETWORKS]
        self.assertEqual(len(names), len(set(names)))
        with open(os.path.join(SOURCE, 'docs', 'zoo.md')) as written:
            results = tables(written.read())[0]
        self.assertEqual(list(dict.fromkeys(row[0] for row in results[2:])), names)


if __name__ == '__main__':
    if not all(os.path.exists(os.path.join(DATA, 'models', network.source)) for network in in_small()):
        print('skipped: no model data')
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])

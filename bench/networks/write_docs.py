#!/usr/bin/python3
"""write_docs.py SPEED.json ROOT: puts the figures of compare.py into ROOT: its page docs/measurements/speed.md and the table of its README,
between the lines that name this program. `./dev bench --docs` calls it."""
import json
import os
import re
import statistics
import sys

from report import made_text, markdown, table

BEGIN, END = '<!-- speed: ./dev bench --docs -->\n', '<!-- /speed -->\n'
# Of which README names time to load and memory.
EXAMPLE = 'mobilenet_v2'


def extreme(networks, choose):
    found = choose(networks, key=lambda record: record['ratio']['median'])
    return f'{found["ratio"]["median"]:.2f} ({found["network"]}, {found["ours"]["median_ms"]:.1f} ms)'


def row(networks, threads):
    of_threads = [record for record in networks if record['threads'] == threads and record.get('ratio')]
    name = f'{threads} thread{"s" * (threads > 1)}, {len(of_threads)} network{"s" * (len(of_threads) > 1)}'
    return [name, f'{statistics.median(record["ratio"]["median"] for record in of_threads):.2f}', extreme(of_threads, min),
            extreme(of_threads, max)]


def example(networks):
    for record in networks:
        if record['network'] != EXAMPLE or record['threads'] != 1:
            continue
        ours, peer = record['ours'], record['peers'][record['best_peer']]
        return (f'{EXAMPLE} loads in {ours["load_ms"]:.0f} ms ({record["best_peer"]}: {peer["load_ms"]:.0f}) and needs at most '
                f'{ours["peak_rss_bytes"] * 1e-6:.0f} MB ({peer["peak_rss_bytes"] * 1e-6:.0f}). ')
    return ''


def int8(networks):
    shares = {record['network']: 1 / record['int8_gain']['median'] for record in networks if 'int8' in record and record['threads'] == 1}
    if not shares:
        return ''
    least, most = min(shares, key=shares.get), max(shares, key=shares.get)
    return f'int8 networks take {shares[least]:.2f} ({least}) to {shares[most]:.2f} ({most}) of the time of float.'


def readme_block(result):
    networks = [record for record in result['networks'] if record['peers']]
    if not networks:
        sys.exit('write_docs.py: error: no network was measured beside another runtime')
    text = f'Measured on {made_text(result)}.\n\n'
    text += table(['', 'median', 'best', 'worst'], [row(networks, threads) for threads in sorted({record['threads'] for record in networks})])
    facts = (example(networks) + int8(networks)).strip()
    return text + ('\n' + facts + '\n' if facts else '')


def write(result, root):
    readme = os.path.join(root, 'README.md')
    with open(readme, encoding='utf-8') as file:
        old = file.read()
    new, count = re.subn(re.escape(BEGIN) + '.*?' + re.escape(END), lambda _: BEGIN + readme_block(result) + END, old, flags=re.DOTALL)
    if count != 1:
        sys.exit(f'write_docs.py: error: {readme}: expected one place between {BEGIN.strip()} and {END.strip()}, found {count}')
    with open(os.path.join(root, 'docs', 'measurements', 'speed.md'), 'w', encoding='utf-8') as file:
        file.write(markdown(result))
    with open(readme, 'w', encoding='utf-8') as file:
        file.write(new)


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        write(json.load(file), sys.argv[2])


if __name__ == '__main__':
    main()

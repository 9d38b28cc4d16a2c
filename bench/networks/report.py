"""The figures of compare.py as Markdown."""
import datetime
import os
import platform
import statistics
import subprocess

GOAL = 0.90  # of the best peer's time

INTRODUCTION = """# Speed

Written by `bench/networks/compare.py`, which `./dev bench` calls. Runtimes take turns on the same networks, each turn in a process of its own. Times are medians over
the turns; the ratio is that of the two turns of a round, and beside it that of the best turn of each. Where there is more than one peer, its time is
that of the fastest. Effective GFLOP/s count the multiply-adds of a layer's definition, executed ones those that
its algorithm does (Winograd and Strassen do fewer); the share of the peak is of the executed ones. Networks have random
weights; `bench/networks/export.py` says what they are.

"""


def table(titles, rows):
    lines = ['| ' + ' | '.join(titles) + ' |', '|' + ' --- |' * len(titles)]
    return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rows]) + '\n'


def ratio_text(ratio):
    return f'{ratio["median"]:.2f} ({ratio["low"]:.2f}–{ratio["high"]:.2f})' if ratio else '–'


def best_peer(record):
    return record['peers'][record['best_peer']] if record['peers'] else None


def peer_text(record, key, scale=1.0, digits=1):
    peer = best_peer(record)
    return f'{peer[key] * scale:.{digits}f}' if peer else '–'


def network_row(record):
    ours, limit = record['ours'], record['limit']
    peer = f'{peer_text(record, "median_ms", 1, 2)} ({record["best_peer"]})' if record['peers'] else '–'
    best = f'{record["best_ratio"]:.2f}' if record['peers'] else '–'
    return [record['network'], str(record['threads']), f'{ours["median_ms"]:.2f}', peer,
            ratio_text(record.get('ratio')), best,
            f'{limit["effective_gflops"]:.1f} / {limit["executed_gflops"]:.1f}',
            f'{100 * limit["share_of_peak"]:.0f} %', f'{100 * limit["share_of_bandwidth"]:.0f} %']


def cost_row(record):
    ours = record['ours']
    return [record['network'], str(record['threads']), f'{ours["cpu_ms"]:.1f} / {peer_text(record, "cpu_ms")}',
            f'{ours["load_ms"]:.1f} / {peer_text(record, "load_ms")}',
            f'{ours["first_run_ms"]:.1f} / {peer_text(record, "first_run_ms")}',
            f'{ours["peak_rss_bytes"] * 1e-6:.0f} / {peer_text(record, "peak_rss_bytes", 1e-6, 0)}',
            f'{ours["arena_bytes"] * 1e-6:.2f}']


def summary(networks):
    """The geometric mean of the best turns' ratios, the worst network, and every network beyond the goal."""
    lines = []
    for threads in sorted({record['threads'] for record in networks}):
        ratios = {r['network']: r['best_ratio'] for r in networks if r['threads'] == threads and r['peers']}
        if not ratios:
            continue
        worst = max(ratios, key=ratios.get)
        beyond = sorted((name for name, ratio in ratios.items() if ratio > GOAL), key=ratios.get, reverse=True)
        named = ', '.join(f'{name} {ratios[name]:.2f}' for name in beyond) or 'none'
        lines.append(f'- {threads} thread{"s" * (threads > 1)}: {statistics.geometric_mean(ratios.values()):.2f} in the '
                     f'geometric mean of {len(ratios)} networks; the worst is {worst} with {ratios[worst]:.2f}. '
                     f'Above {GOAL:.2f}: {named}.')
    return 'Ours / best peer, of the best turns:\n\n' + '\n'.join(lines) + '\n\n' if lines else ''


def int8_row(record):
    ours, int8 = record['ours'], record['int8']
    return [record['network'], str(record['threads']), f'{ours["median_ms"]:.2f}', f'{int8["median_ms"]:.2f}',
            ratio_text(record['int8_gain']), f'{ours["cpu_ms"]:.1f} / {int8["cpu_ms"]:.1f}']


def layer_row(layer):
    return [layer['layer'], layer['algorithm'], f'{1e3 * statistics.median(layer["ours_ms"]):.0f}',
            f'{1e3 * statistics.median(layer["peer_ms"]):.0f}', ratio_text(layer['ratio'])]


def cpu_name():
    try:
        with open('/proc/cpuinfo', encoding='utf-8') as info:
            return next(line.split(':', 1)[1].strip() for line in info if line.startswith('model name'))
    except (OSError, StopIteration):
        return platform.machine()


def commit():
    """The commit that was measured; `+` where files differ from it."""
    told = subprocess.run(['git', 'describe', '--always', '--dirty=+', '--exclude=*'], stdout=subprocess.PIPE, text=True)
    return told.stdout.strip() or 'unknown'


def made():
    """When, where and with what figures are measured."""
    return {'date': str(datetime.date.today()), 'cpu': cpu_name(), 'cores': os.cpu_count(), 'commit': commit()}


def made_text(result):
    how = result['made']
    return f'{how["date"]}, {how["cpu"]}, {how["cores"]} cores, {result["networks"][0]["isa"]}, commit {how["commit"]}'


def markdown(result):
    networks, layers = result['networks'], result['layers']
    text = INTRODUCTION
    if networks:
        fma = statistics.median(record['limit']['fma_gflops'] for record in networks)
        read = statistics.median(record['limit']['read_gb_per_s'] for record in networks)
        text += f'{made_text(result)}. '
        text += f'One core: {fma:.1f} GFLOP/s of fused multiply-adds, '
        text += f'{read:.1f} GB/s read from memory.\n\n'
        text += summary(networks)
        text += table(['network', 'threads', 'ours, ms', 'peer, ms', 'ratio (half of the rounds)', 'best turns',
                       'GFLOP/s effective / executed', 'of FMA peak', 'of bandwidth, weights'],
                      [network_row(record) for record in networks])
        text += '\nOurs / peer:\n\n'
        text += table(['network', 'threads', 'CPU ms a run', 'load, ms', 'first run, ms', 'peak memory, MB',
                       'arena, MB'], [cost_row(record) for record in networks])
    quantized = [record for record in networks if 'int8' in record]
    if quantized:
        text += '\nStatic int8 beside float, both ours:\n\n'
        text += table(['network', 'threads', 'float, ms', 'int8, ms', 'float / int8 (half of the rounds)',
                       'CPU ms a run'], [int8_row(record) for record in quantized])
    if layers:
        text += '\nLayers beside XNNPACK, in one process, one thread:\n\n'
        text += table(['layer', 'our algorithm', 'ours, µs', 'XNNPACK, µs', 'ratio (half of the rounds)'],
                      [layer_row(layer) for layer in layers])
        mean = statistics.geometric_mean(layer['ratio']['median'] for layer in layers)
        text += f'\nGeometric mean of the ratios: {mean:.2f}.\n'
    return text

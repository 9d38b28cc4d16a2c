"""The figures of compare.py as Markdown."""
import datetime
import os
import platform
import statistics

INTRODUCTION = """# Speed

Written by `bench/networks/compare.py`, which `./dev bench` calls. Runtimes take turns on the same networks; figures are medians over the rounds, ratios those of
the two turns of one round. Effective GFLOP/s count the multiply-adds of a layer's definition, executed ones those that
its algorithm does (Winograd and Strassen do fewer); the share of the peak is of the executed ones. Networks have random
weights and an input of 1x3x224x224, unless they are models of their own.

"""


def table(titles, rows):
    lines = ['| ' + ' | '.join(titles) + ' |', '|' + ' --- |' * len(titles)]
    return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rows]) + '\n'


def ratio_text(ratio):
    return f'{ratio["median"]:.2f} ({ratio["low"]:.2f}–{ratio["high"]:.2f})' if ratio else '–'


def peer_text(record, key, scale=1.0, digits=1):
    return f'{record["peer"][key] * scale:.{digits}f}' if 'peer' in record else '–'


def network_row(record):
    ours, limit = record['ours'], record['limit']
    return [record['network'], str(record['threads']), f'{ours["median_ms"]:.2f}', peer_text(record, 'median_ms', 1, 2),
            ratio_text(record.get('ratio')),
            f'{limit["effective_gflops"]:.1f} / {limit["executed_gflops"]:.1f}',
            f'{100 * limit["share_of_peak"]:.0f} %', f'{100 * limit["share_of_bandwidth"]:.0f} %']


def cost_row(record):
    ours = record['ours']
    return [record['network'], str(record['threads']), f'{ours["cpu_ms"]:.1f} / {peer_text(record, "cpu_ms")}',
            f'{ours["load_ms"]:.1f} / {peer_text(record, "load_ms")}',
            f'{ours["first_run_ms"]:.1f} / {peer_text(record, "first_run_ms")}',
            f'{ours["peak_rss_bytes"] * 1e-6:.0f} / {peer_text(record, "peak_rss_bytes", 1e-6, 0)}',
            f'{ours["arena_bytes"] * 1e-6:.2f}']


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


def markdown(result):
    networks, layers = result['networks'], result['layers']
    text = INTRODUCTION
    if networks:
        fma = statistics.median(record['limit']['fma_gflops'] for record in networks)
        read = statistics.median(record['limit']['read_gb_per_s'] for record in networks)
        text += f'{datetime.date.today()}, {cpu_name()}, {os.cpu_count()} cores, {networks[0]["isa"]}. '
        text += f'One core: {fma:.1f} GFLOP/s of fused multiply-adds, '
        text += f'{read:.1f} GB/s read from memory.\n\n'
        text += table(['network', 'threads', 'ours, ms', 'ONNX Runtime, ms', 'ratio (half of the rounds)',
                       'GFLOP/s effective / executed', 'of FMA peak', 'of bandwidth, weights'],
                      [network_row(record) for record in networks])
        text += '\nOurs / ONNX Runtime:\n\n'
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

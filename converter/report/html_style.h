#pragma once

namespace micrort::report {

// Inline, because the page must show without any other file.
constexpr const char* kStyle = R"css(
:root { --ink: #1d2430; --soft: #667085; --line: #e3e7ee; --card: #fff; --page: #f6f7f9; --accent: #2f6fdf;
  --good: #1b8a4b; --fair: #b7791f; --bad: #c62f2f; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 28px 24px 60px; }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 18px; margin: 36px 0 4px; }
p { margin: 4px 0 12px; } .soft { color: var(--soft); }
.verdict { font-size: 17px; margin: 6px 0 18px; }
.finding, p { overflow-wrap: anywhere; }
.finding { border-left: 5px solid var(--fair); background: #fff8e8; padding: 12px 16px; margin: 10px 0; border-radius: 4px; }
.finding.cause { border-color: var(--bad); background: #fdeeee; }
.finding.advice { border-color: var(--accent); background: #eef4fe; }
.finding b { display: block; } .finding .kind { float: right; color: var(--soft); font-size: 13px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 14px; margin-top: 18px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; }
.card .name { color: var(--soft); font-size: 13px; } .card .value { font-size: 24px; font-weight: 600; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 14px 16px; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--card); font-size: 13px; }
th { text-align: left; font-weight: 600; color: var(--soft); border-bottom: 2px solid var(--line); vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); vertical-align: middle; }
th, td { padding: 5px 8px; } td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.name { max-width: 240px; overflow-wrap: anywhere; } td.why { max-width: 170px; }
tr.jump td { background: #fdeeee; }
.good { color: var(--good); font-weight: 600; } .fair { color: var(--fair); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.worst { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); gap: 14px; }
.worst h3 { font-size: 15px; margin: 0; overflow-wrap: anywhere; }
dt { font-weight: 600; float: left; clear: left; width: 150px; } dd { margin: 0 0 6px 160px; }
svg { display: block; max-width: 100%; } .panel > svg { width: 100%; height: auto; } svg text { font-size: 11px; fill: var(--soft); }
.wide { overflow-x: auto; } code { overflow-wrap: anywhere; }
code.flags { display: block; background: var(--page); border-radius: 4px; padding: 6px 10px; margin-top: 4px; user-select: all; }
@media (max-width: 640px) { main { padding: 16px 12px 40px; } .finding .kind { float: none; } dt { float: none; width: auto; } dd { margin-left: 0; }
  code { font-size: 13px; } .panel { padding: 12px 10px; } svg.large { display: none; }
  .layers, .layers tbody { display: block; } .layers tr { display: grid; grid-template-columns: 1fr 1fr 1fr; padding: 8px 0; border-bottom: 1px solid var(--line); }
  .layers tr:first-child, .layers td:empty { display: none; } .layers td, .layers td.n { border: 0; padding: 2px 6px; text-align: left; min-width: 0; }
  .layers td.name { grid-column: 2 / 4; max-width: none; font-weight: 600; } .layers td.why { grid-column: 1 / 4; max-width: none; }
  .layers td::before { color: var(--soft); font-weight: 400; }
  .layers td:nth-child(1)::before { content: "# "; } .layers td:nth-child(5)::before { content: "SNR "; } .layers td:nth-child(6)::before { content: "cosine "; }
  .layers td:nth-child(7)::before { content: "clipped "; } .layers td:nth-child(8)::before { content: "weights"; } .layers td:nth-child(9)::before { content: "values"; }
  .layers td:nth-child(10)::before { content: "float "; } .layers td:nth-child(11)::before { content: "now "; } .layers td.why::before { content: "not quantized: "; } }
@media (min-width: 641px) { svg.narrow { display: none; } }
.bar { fill: #7c8ba3; } .range { fill: #d7e7ff; } .grid { stroke: var(--line); } .limit { stroke: var(--fair); stroke-dasharray: 4 3; }
.snr { fill: none; stroke: var(--accent); stroke-width: 1.5; } .dot { fill: var(--accent); } .jump { fill: var(--bad); }
)css";

}  // namespace micrort::report

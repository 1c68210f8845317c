/**
 * When to look: the same jobs through this scheduler (virtual time, learning as it goes), looks every 5 s, other
 * clients at their defaults (real time, real HTTP) and the exact optimum. Prints tables, draws docs/polling.svg.
 */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { aims } from './polling/aims.ts';
import type { Others } from './polling/others.worker.ts';
import { ours, outageRun, resultRow } from './polling/ours.ts';
import { panels } from './polling/panels.ts';
import { plot } from './polling/plot.ts';
import { clientRow, table } from './polling/report.ts';
import { traces } from './polling/traces.ts';

const PLOT = new URL('../../docs/polling.svg', import.meta.url);
const started = performance.now();
const note = (line: string): void =>
  console.error(`${((performance.now() - started) / 1000).toFixed(0)} s: ${line}`);

const answered = once(new Worker(new URL('./polling/others.worker.ts', import.meta.url)), 'message');
const mine = traces.map((trace) => {
  note(`simulating ${trace.name}`);
  return ours(trace);
});
const outages = [5, 20, 45].map(outageRun);
note('waiting for the other clients, which take their real time: three minutes');
const others: Others = (await answered)[0];

for (const [index, { trace, limit, free, seeing, floored, every5, everyHalf }] of mine.entries()) {
  const clients = (others.byTrace.get(index) ?? []).map(clientRow);
  console.log(table(trace.name, [...free, ...seeing, ...floored, every5, everyHalf, ...clients], limit));
}
for (const { seconds, ideal, results } of outages) {
  const clients = (others.byOutage.get(seconds) ?? []).map(clientRow);
  const rows = [...results.map(({ who, result }) => resultRow(who, result)), ...clients];
  const title = `${seconds} s outage, which alone costs ${(ideal / 1000).toFixed(1)} s`;
  console.log(table(title, rows, undefined));
  for (const { who, result } of results) {
    const after = (result.longestAfterOutage / 1000).toFixed(1);
    console.log(
      `${who}: all seen ${after} s after its end; busiest second ${result.peakCallsPerSecond} calls`,
    );
  }
  console.log();
}
const late = others.lateMs.toFixed(0);
console.log(`The other clients' event loop was late by ${late} ms at the 99th percentile.\n`);
console.log(['### Aims, once learned from 200 jobs', '', ...aims(mine, outages)].join('\n'));
await writeFile(PLOT, plot('From completion to detection: delay against status calls', panels(mine, others)));
note('docs/polling.svg written');

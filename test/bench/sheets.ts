/**
 * A page of 25 filters as one picture beside its list of names, which needs nothing but memory. A server of its own
 * process answers each preview (JPEG, 400 x 600) after 100 ms. Cold: nothing is known, and no decoder process runs.
 * New: the tiles are known, the sheet is not, as after a search. Warm: the same page again.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createDownloads } from '../../src/base/network/download.ts';
import { createDecoder, type Decoder } from '../../src/picture/decoder.ts';
import { createPreviews, type Previews, type SheetEntry } from '../../src/previews/previews.ts';

const answerMs = 100;
const tiles = 25;
const rounds = Number(process.argv[2] ?? 7);

async function serve(): Promise<void> {
  // Soft shapes with some grain, about as large as the previews of the embedded service.
  const pictures = await Promise.all(
    Array.from({ length: tiles }, (_, index) => {
      const hue = (index * 360) / tiles;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="600"><rect width="400" height="600" fill="hsl(${hue},60%,55%)"/><circle cx="200" cy="230" r="130" fill="hsl(${hue + 90},50%,40%)"/><circle cx="160" cy="200" r="22" fill="#fff"/><circle cx="240" cy="200" r="22" fill="#fff"/></svg>`;
      const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
      const grain = {
        create: { width: 400, height: 600, channels: 3, background: '#808080', noise },
      } as const;
      return sharp(grain)
        .composite([{ input: Buffer.from(svg), blend: 'overlay' }])
        .jpeg({ quality: 75 })
        .toBuffer();
    }),
  );
  const server = createServer((request, response) => {
    const index = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    setTimeout(() => response.end(pictures[index % tiles]), answerMs);
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

interface Measured {
  readonly ms: number;
  /** Of this process and those of the decoder. */
  readonly cpuMs: number;
}

const ticksPerSecond = 100;
/** CPU time of another process, as Linux counts it. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
};

const measured = async (decoder: Decoder, work: () => Promise<unknown>): Promise<Measured> => {
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000 + decoder.pids().reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  };
  const [began, cpu] = [performance.now(), cpuMs()];
  await work();
  return { ms: performance.now() - began, cpuMs: cpuMs() - cpu };
};

async function measure(origin: string): Promise<void> {
  const downloads = createDownloads(origin, clock);
  const log = { debug: () => undefined, warn: () => undefined };
  const page = (from: number): SheetEntry[] =>
    Array.from({ length: tiles }, (_, index) => ({
      label: String(index + 1),
      name: `Filter number ${index + 1}`,
      preview: `${origin}/${(index + from) % tiles}.jpg`,
    }));
  const names = async () => page(0).map(({ label, name }) => [{ code: label }, ` ${name}`]);

  const results = new Map<string, Measured[]>();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  let bytes = 0;
  let missing = 0;
  for (let round = 0; round < rounds; round += 1) {
    const decoder = createDecoder({ clock });
    const open = () => createPreviews({ downloads, decoder, clock, log });
    const [first, second] = [open(), open()];
    const sheet = (previews: Previews, from: number) => async () => {
      const made = await previews.sheet(page(from), { person: 'ann' });
      if (made === undefined) missing += 1;
      else bytes = made.bytes.byteLength;
    };
    const variants: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['the list of names', names],
      ['cold', sheet(first, 0)],
      ['cold, decoder processes running', sheet(second, 0)],
      ['new sheet of known tiles', sheet(second, 1)],
      ['warm', sheet(second, 1)],
    ];
    delay.enable();
    for (const [what, work] of variants)
      results.set(what, [...(results.get(what) ?? []), await measured(decoder, work)]);
    delay.disable();
    first.close();
    second.close();
    decoder.close();
  }
  await downloads.close();

  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(`${tiles} tiles, median of ${rounds} rounds; each preview is answered after ${answerMs} ms`);
  for (const [what, values] of results) {
    const [ms, cpuMs] = [median(values.map((each) => each.ms)), median(values.map((each) => each.cpuMs))];
    say(`${what.padEnd(34)}${ms.toFixed(1).padStart(8)} ms${cpuMs.toFixed(0).padStart(8)} ms of CPU`);
  }
  say(`sheet: ${(bytes / 1000).toFixed(0)} KB; not drawn in time: ${missing}`);
  say(`event loop late by ${(delay.percentile(99) / 1e6).toFixed(0)} ms at the 99th percentile`);
  say(`load of the machine: ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
}

if (process.argv[2] === 'serve') await serve();
else {
  const server = fork(fileURLToPath(import.meta.url), ['serve']);
  const port = await new Promise<unknown>((done) => server.once('message', done));
  await measure(`http://127.0.0.1:${port}`);
  server.kill();
}

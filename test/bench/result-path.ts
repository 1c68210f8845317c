/**
 * Fifty finished pictures of 6 MB arriving at once: the client's result path against the obvious way,
 * `await response.json()` and `Buffer.from(text, 'base64')`. The service runs in a process of its own, and so
 * does each way, so that neither sees the other's memory.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGenerationClient } from '../../src/generation-client/client.ts';

const results = 50;
const pictureBytes = 6 * 1024 * 1024;
const rounds = 3;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Measured = {
  way: string;
  peakRss: number;
  /** Peak above what the idle process takes. */
  taken: number;
  peakHeld: number;
  cpuMs: number;
  bytes: number;
};

type Figure = 'peakRss' | 'taken' | 'peakHeld' | 'cpuMs';
const ways = { obvious, streamed };

let peakHeld = 0;

function sample(): void {
  const { heapUsed, external } = process.memoryUsage();
  peakHeld = Math.max(peakHeld, heapUsed + external);
}

async function obvious(url: string): Promise<Buffer> {
  const response = await fetch(`${url}/v6/status/job`, { method: 'POST', body: '{}' });
  const answer = (await response.json()) as { output: { images: [string] } };
  sample();
  return Buffer.from(answer.output.images[0], 'base64');
}

let client: ReturnType<typeof createGenerationClient> | undefined;

async function streamed(url: string): Promise<Buffer> {
  client ??= createGenerationClient({ baseUrl: url, apiKey: 'key' });
  const report = await client.status({ endpoint: 'face-swap-v6', id: 'job' });
  if (report.state !== 'completed' || report.output.kind !== 'image') throw new Error('not completed');
  return report.output.bytes;
}

/** Answers nobody before everybody has asked, then everybody in turns: that is what "at once" means here. */
async function serve(): Promise<void> {
  const picture = Buffer.concat([signature, randomFillSync(Buffer.alloc(pictureBytes - signature.length))]);
  const body = Buffer.from(
    JSON.stringify({ id: 'job', status: 'COMPLETED', output: { images: [picture.toString('base64')] } }),
  );
  let waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      waiting.push(response);
      if (waiting.length < results) return;
      void answerInTurns(waiting, body);
      waiting = [];
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

async function answerInTurns(responses: ServerResponse[], body: Buffer): Promise<void> {
  const slice = 256 * 1024;
  for (let from = 0; from < body.length; from += slice) {
    const part = body.subarray(from, from + slice);
    await Promise.all(responses.map((response) => response.write(part) || once(response, 'drain')));
  }
  for (const response of responses) response.end();
}

async function measure(way: keyof typeof ways, url: string): Promise<void> {
  const idle = process.memoryUsage.rss();
  const sampler = setInterval(sample, 5);
  const before = process.cpuUsage();
  const pictures = await Promise.all(
    Array.from({ length: results }, async () => {
      const picture = await ways[way](url);
      sample();
      return picture;
    }),
  );
  const { user, system } = process.cpuUsage(before);
  clearInterval(sampler);
  const bytes = pictures.reduce((sum, picture) => sum + picture.length, 0);
  const peakRss = process.resourceUsage().maxRSS * 1024;
  const cpuMs = (user + system) / 1000;
  const measured: Measured = { way, peakRss, taken: peakRss - idle, peakHeld, cpuMs, bytes };
  process.send?.(measured);
  await client?.close();
  process.disconnect();
}

/** The compile cache is warm, so that no process loads the compiler for TypeScript, whose memory is not in question. */
function start(cache: string, ...args: string[]): ChildProcess {
  return fork(fileURLToPath(import.meta.url), args, { env: { ...process.env, NODE_COMPILE_CACHE: cache } });
}

async function message<T>(child: ChildProcess): Promise<T> {
  const [value] = await once(child, 'message');
  return value as T;
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function compare(): Promise<void> {
  const cache = mkdtempSync(join(tmpdir(), 'result-path-'));
  const server = start(cache, 'serve');
  try {
    const url = `http://127.0.0.1:${await message<number>(server)}`;
    const measured: Measured[] = [];
    // The first round only warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const way of ['obvious', 'streamed']) {
        const child = start(cache, way, url);
        const [result] = await Promise.all([message<Measured>(child), once(child, 'exit')]);
        if (result.bytes !== results * pictureBytes) throw new Error(`${way}: wrong number of bytes`);
        if (round > 0) measured.push(result);
      }
    }
    print(measured);
  } finally {
    server.kill();
    rmSync(cache, { recursive: true, force: true });
  }
}

function print(measured: Measured[]): void {
  const of = (way: string, field: Figure) =>
    median(measured.filter((each) => each.way === way).map((each) => each[field]));
  const line = (name: string, field: Figure, scale: number, unit: string) => {
    const a = of('obvious', field);
    const b = of('streamed', field);
    const cells = [a, b].map((value) => `${(value / scale).toFixed(0)} ${unit}`.padStart(10));
    process.stdout.write(`${name.padEnd(26)}${cells.join('')}${(b / a).toFixed(2).padStart(8)}\n`);
  };
  const mebibyte = 1024 * 1024;
  process.stdout.write(
    `${results} results of ${pictureBytes / mebibyte} MB at once, median of ${rounds} rounds\n`,
  );
  process.stdout.write(
    `${''.padEnd(26)}${'obvious'.padStart(10)}${'streamed'.padStart(10)}${'ratio'.padStart(8)}\n`,
  );
  line('peak RSS', 'peakRss', mebibyte, 'MB');
  line('  above the idle process', 'taken', mebibyte, 'MB');
  line('peak heap + external', 'peakHeld', mebibyte, 'MB');
  line('CPU', 'cpuMs', 1, 'ms');
}

const [role, url] = process.argv.slice(2);

if (role === 'serve') await serve();
else if ((role === 'obvious' || role === 'streamed') && url !== undefined) await measure(role, url);
else await compare();

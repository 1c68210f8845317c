/**
 * Photos cleaned in the child process (inspected, killed when they take too long) beside the same work inside the process
 * that asks, as it was before. Both run in one process, in turns; each photo is cleaned once before it counts.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { systemClock } from '../../src/base/clock.ts';
import { cleanPhoto } from '../../src/media/photo.ts';
import { createDecoder } from '../../src/picture/decoder.ts';
import { inspectPicture } from '../../src/picture/inspect.ts';

const rounds = Number(process.argv[2] ?? 5);
const maxPixels = 40_000_000;
sharp.concurrency(1);
sharp.cache(false);

const inProcess = (bytes: Buffer): Promise<Buffer> =>
  sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .resize({ width: 4096, height: 4096, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    .toBuffer();

/** Noise, in qualities that make files as large as those of cameras. */
const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });

const ticksPerSecond = 100;
/** CPU time of another process, as Linux counts it. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
};
const peakMb = (pid: number | 'self'): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const decoder = createDecoder({ clock: systemClock });
const inChild = async (bytes: Buffer): Promise<Buffer> => (await cleanPhoto(bytes, decoder, 'ann')).bytes;
const allCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + decoder.pids().reduce((sum, pid) => sum + cpuMsOf(pid), 0);
};

const measured = async (clean: (bytes: Buffer) => Promise<Buffer>, bytes: Buffer) => {
  const [began, cpu] = [performance.now(), allCpuMs()];
  await clean(bytes);
  return { ms: performance.now() - began, cpuMs: allCpuMs() - cpu };
};

const cases: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['JPEG 2 MP', () => photo(1600, 1200).jpeg({ quality: 50 }).toBuffer()],
  ['JPEG 12 MP', () => photo(4000, 3000).jpeg({ quality: 50 }).toBuffer()],
  ['progressive JPEG 12 MP', () => photo(4000, 3000).jpeg({ quality: 50, progressive: true }).toBuffer()],
  ['PNG 4 MP', () => photo(2400, 1800).png().toBuffer()],
  ['WebP 12 MP', () => photo(4000, 3000).webp({ quality: 40, effort: 0 }).toBuffer()],
  ['JPEG 40 MP', () => photo(8000, 5000).jpeg({ quality: 50 }).toBuffer()],
  ['WebP 40 MP', () => photo(8000, 5000).webp({ quality: 40, effort: 0 }).toBuffer()],
];

const cell = (value: number, digits = 0): string => value.toFixed(digits).padStart(9);
process.stdout.write(
  `${'median of'.padEnd(12)}${rounds} rounds${' '.repeat(11)}MB  inside ms  child ms    ratio inside CPU child CPU    ratio inspect ms\n`,
);
for (const [name, make] of cases) {
  const bytes = await make();
  await inProcess(bytes);
  await inChild(bytes);
  const inside: Awaited<ReturnType<typeof measured>>[] = [];
  const child: typeof inside = [];
  const inspecting: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    inside.push(await measured(inProcess, bytes));
    child.push(await measured(inChild, bytes));
    const began = performance.now();
    inspectPicture(bytes, maxPixels);
    inspecting.push(performance.now() - began);
    await pause(20);
  }
  const of = (from: typeof inside, key: 'ms' | 'cpuMs') => median(from.map((each) => each[key]));
  const row = [
    cell(bytes.length / 1e6, 1),
    cell(of(inside, 'ms')),
    cell(of(child, 'ms')),
    cell(of(child, 'ms') / of(inside, 'ms'), 2),
    cell(of(inside, 'cpuMs')),
    cell(of(child, 'cpuMs')),
    cell(of(child, 'cpuMs') / of(inside, 'cpuMs'), 2),
    cell(median(inspecting), 2),
  ];
  process.stdout.write(`${name.padEnd(24)}${row.join(' ')}\n`);
}
const peaks = decoder.pids().map((pid) => peakMb(pid).toFixed(0));
process.stdout.write(`peak memory of the child: ${peaks.join(', ')} MB\n`);
decoder.close();

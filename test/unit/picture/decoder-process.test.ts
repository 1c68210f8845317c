import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { startWorkerProcess } from '../../../src/base/worker-pool.ts';
import type { DecodeAnswer, DecodeTask } from '../../../src/picture/conversion.ts';
import { decoderProgram } from '../../../src/picture/decoder.ts';
import { eventually } from '../../eventually.ts';
import { plainJpeg, plainPng } from '../../fakes/hostile-pictures.ts';

const conversion = { maxPixels: 40_000_000, failOn: 'error', to: { format: 'png' } } as const;
const never = new AbortController().signal;
const start = () => startWorkerProcess<DecodeTask, DecodeAnswer>(decoderProgram(), systemClock, never);

it('reports that a picture has used its CPU time while it is still being decoded', async () => {
  const decoder = await start();
  const bytes = plainPng({ width: 8000, height: 5000, channels: 3 });
  const answer = await decoder.ask({ bytes, conversion, cpuMs: 0 }, 60_000);
  expect(answer).toMatchObject({ state: 'refused', reason: 'too-complex' });
  decoder.kill();
});

it('decodes only JPEG, PNG and WebP', async () => {
  const decoder = await start();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  for (const bytes of [svg, Buffer.from('GIF89a\x01\0\x01\0', 'latin1'), Buffer.alloc(0)])
    expect(await decoder.ask({ bytes, conversion, cpuMs: 5_000 }, 60_000)).toMatchObject({
      state: 'refused',
      reason: 'broken',
    });
  const photo = plainJpeg({ width: 9, height: 9 });
  expect(await decoder.ask({ bytes: photo, conversion, cpuMs: 5_000 }, 60_000)).toMatchObject({
    state: 'done',
  });
  decoder.kill();
});

it('ends with its parent process, however that ended', async () => {
  const source = `
    import { systemClock } from ${JSON.stringify(new URL('../../../src/base/clock.ts', import.meta.url).href)};
    import { startWorkerProcess } from ${JSON.stringify(new URL('../../../src/base/worker-pool.ts', import.meta.url).href)};
    import { decoderProgram } from ${JSON.stringify(new URL('../../../src/picture/decoder.ts', import.meta.url).href)};
    const decoder = await startWorkerProcess(decoderProgram(), systemClock, new AbortController().signal);
    process.stdout.write(String(decoder.pid));
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await once(parent.stdout, 'data');
  const pid = Number(String(printed));
  expect(process.kill(pid, 0)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await eventually(() => !isAlive(), 'its end');
});

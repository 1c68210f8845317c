// @module-tag slow
import { fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { createRenderPool } from '../../../../src/generation-service/render/render-pool.ts';
import type { Task } from '../../../../src/generation-service/render/task.ts';
import { resultOf } from '../../../e2e/stage/pictures.ts';

const pool = createRenderPool();
afterAll(() => pool.close());

const classic = (filter: string): Task => {
  return { kind: 'group', filter, look: 'classic', outpaint: false, seed: 1 };
};

const photo = await resultOf('#888', 64, 64);

describe('the render pool', () => {
  it('the render pool rejects when a render fails, and continues with the next', async () => {
    const broken: Task = { kind: 'face', filter: 'face/1', ratio: 'square', engine: 'v6', seed: 1 };
    const failures = await Promise.allSettled([
      pool.render('picture', { task: classic('nothing/1'), inputs: [photo], faces: [] }),
      pool.render('picture', { task: broken, inputs: [Buffer.from('no picture')], faces: [] }),
      pool.render('picture', { task: classic('classic/2'), inputs: [photo], faces: [] }),
    ]);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(failures[0]).toMatchObject({ reason: { message: 'there is no filter nothing/1' } });

    const made = failures[2]?.status === 'fulfilled' ? failures[2].value : new Uint8Array();
    expect(made[0]).toEqual(0x89);
    expect(made[1]).toEqual(0x50);
  });

  it('a renderer whose host ended during a video exits without output', async () => {
    const file = new URL('../../../../src/generation-service/render/render.worker.ts', import.meta.url);
    const stdio: StdioOptions = ['ignore', 'ignore', 'pipe', 'ipc'];
    const worker = fork(file, { serialization: 'advanced', execArgv: [], env: {}, stdio });
    let said = '';

    worker.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const task: Task = {
      kind: 'motion',
      prompt: 'zoom',
      model: 'simple',
      seconds: 4,
      aspect: 'auto',
      seed: 1,
    };
    const ended = once(worker, 'exit');
    await once(worker, 'message');
    worker.send({ id: 1, task: classic('classic/2'), inputs: [photo], faces: [] });
    worker.send({ id: 2, task, inputs: [photo], faces: [] });
    await once(worker, 'message');
    worker.disconnect();
    await ended;

    expect(said).toBe('');
  });
});

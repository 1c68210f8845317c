// @module-tag slow
// @module-tag longest
import { openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FaceFinder } from '../../../../src/faces/finder.ts';
import { createJobs } from '../../../../src/generation-service/jobs/jobs.ts';
import { catalogs } from '../../../../src/generation-service/render/filters/all.ts';
import { openAccount } from '../../../../src/generation-service/storage/account.ts';
import { openServiceDatabase } from '../../../../src/generation-service/storage/database.ts';
import { photoOf } from '../../../e2e/stage/pictures.ts';
import { holds } from '../../../eventually.ts';
import {
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
} from '../../../fakes/service/service.ts';
import { folderForEach } from '../../../temp-folder.ts';

const hour = 3_600_000;
let time = 0;
const inFolder = folderForEach();
let service: GenerationService | undefined;

beforeEach(() => {
  time = Date.UTC(2026, 0, 1);
});

afterEach(() => service?.close());

async function start(options: GenerationServiceOptions = {}): Promise<GenerationService> {
  await service?.close();
  service = await createGenerationService({ dataDir: inFolder(), clock: { now: () => time }, ...options });
  return service;
}

const atOnce = (job: { result?: Uint8Array; failure?: string } = {}) => ({
  script: { jobs: { queuedMs: 0, runningMs: 0, ...job } },
});

const result = new Uint8Array([1, 2, 3, 4]);
const velvetNoir = 'b233920d-b5e5-5f69-9948-43e1369f75bf';
const photo = async () => (await photoOf('#a52', 64, 96)).toString('base64');

async function post({ url, apiKey, token }: GenerationService, path: string, body: unknown) {
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: z.record(z.string(), z.unknown()).parse(await answer.json()) };
}

async function submit(running: GenerationService, filter_id = 2): Promise<string> {
  const { body } = await post(running, '/v6/run/face_swap', { base64: await photo(), gender: 1, filter_id });
  return z.string().parse(body.id);
}

/** A video, and what its status says of it. */
async function film(running: GenerationService) {
  const wanted = { prompt_image: await photo(), prompt: 'zoom', model: 'simple', duration: '4s' };
  const { id } = (await post(running, '/v1/run/single_frame_video', wanted)).body;
  return { id, output: (await post(running, `/v1/status/single_frame_video/${id}`, {})).body.output };
}

const poll = (running: GenerationService, id: string) => post(running, `/v6/status/${id}`, {});

/** Jobs whose render is this result. */
function jobsIn(
  db: DatabaseSync,
  render: () => Promise<Uint8Array>,
  onError = (_: unknown): void => undefined,
) {
  const jobs = createJobs({
    db,
    account: openAccount(db, {}),
    pool: { render: render as () => Promise<Buffer>, close: async () => undefined },
    finder: { find: async () => [] } as Partial<FaceFinder> as FaceFinder,
    overrideJob: () => ({ queuedMs: 0, runningMs: 1000 }),
    now: () => time,
    keep: { forMs: hour, results: 10, bytes: 1e9 },
    onError,
  });
  const task = { kind: 'face', ratio: 'square', engine: 'v6', seed: 1, prompt: 'blue' } as const;
  const accept = () => jobs.accept({ family: 'face-v6', run: '', task, inputs: [], cost: 1 });
  return { ...jobs, accept };
}

it('rendered results stay in memory while the disk is full, and are stored later', async () => {
  const problem = Promise.withResolvers<unknown>();
  using db = openServiceDatabase(inFolder(), false, () => undefined);
  const jobs = jobsIn(db, async () => Buffer.alloc(100_000), problem.resolve);
  const { id } = jobs.accept();

  db.exec('PRAGMA max_page_count = 1');
  expect(await problem.promise).toMatchObject({ message: 'database or disk is full' });
  expect(jobs.view(id, 'face-v6')).toMatchObject({ phase: 'running' });

  db.exec('PRAGMA max_page_count = 1000');
  await jobs.rendered();
  time += 1000;
  expect(jobs.view(id, 'face-v6')).toMatchObject({ phase: 'completed' });
});

describe('jobs', () => {
  it('jobs of the service take 4 to 9 s (pictures) or 15 to 25 s (videos) unless scripted', async () => {
    const running = await start();

    for (let n = 0; n < 4; n += 1) await submit(running);
    await film(running);
    const totals = running.jobs().map(({ queuedMs, runningMs }) => queuedMs + runningMs);

    const pictures = totals.slice(0, 4);
    for (const total of pictures) {
      expect(total).toBeGreaterThanOrEqual(4_000);
      expect(total).toBeLessThanOrEqual(9_000);
    }
    // The times are random, so two of four may be equal by chance, but not all.
    expect(new Set(pictures).size).toBeGreaterThan(1);
    expect(totals[4]).toBeGreaterThanOrEqual(15_000);
    expect(totals[4]).toBeLessThanOrEqual(25_000);
  });

  it('jobs of the service are limited, and the oldest results are deleted first', async () => {
    const keep = { results: 2, bytes: 1000 };
    const running = await start({ keep, ...atOnce({ result }) });
    const ids: string[] = [];

    for (let n = 0; n < 4; n += 1) {
      time += 1;
      ids.push(await submit(running));
    }
    const statuses = await Promise.all(ids.map(async (id) => (await poll(running, id)).status));

    expect(statuses).toEqual([404, 404, 200, 200]);
    expect(running.accepted()).toBe(4);
  });

  it('jobs of the service survive a restart, as do credits, aliases and credentials', async () => {
    const before = await start(atOnce({ result }));

    const id = await submit(before);
    const { apiKey, token } = before;
    const credits = before.credits();
    const alias = await post(before, '/api/alias/', { ai_filter: velvetNoir, project: 'kept' });
    const after = await start();
    const answer = await fetch(`${after.url}/api/alias/`, { headers: { authorization: `Bearer ${token}` } });

    expect(await answer.json()).toEqual([alias.body]);
    expect(after.apiKey).toEqual(apiKey);
    expect(after.token).toEqual(token);
    expect(after.credits()).toBe(credits);
    expect((await poll(after, id)).body.status).toBe('COMPLETED');
  });

  it('jobs of the service that a stop interrupted fail and are refunded, because photos are never stored', async () => {
    const before = await start(atOnce());
    const credits = before.credits();

    const id = await submit(before);
    expect((await poll(before, id)).body.status).not.toBe('COMPLETED');

    const after = await start(atOnce());
    expect((await poll(after, id)).body.status).toBe('FAILED');
    expect(after.credits()).toBe(credits);
  });

  it('jobs of the service that need a face fail without one, with what to do, and are refunded', async () => {
    const running = await start(atOnce());
    const credits = running.credits();
    const scene = catalogs.face.find((filter) => filter.scene !== undefined);

    const id = await submit(running, scene?.id);
    await running.rendered();
    const error = 'There is no face in the photo. Send one that shows a face from the front.';
    const output = { error_code: 'INVALID_IMAGE', error };

    expect((await poll(running, id)).body).toEqual({ id, status: 'FAILED', output });
    expect(running.credits()).toBe(credits);
  });

  it('jobs of the service tell the code of a failure in a field of its own, for videos too', async () => {
    const video_error = 'There is no face in the photo.';
    const { output } = await film(await start(atOnce({ failure: `INVALID_IMAGE: ${video_error}` })));
    expect(output).toEqual({ video_status: 'failed', video_error, error_code: 'INVALID_IMAGE' });
  });

  it('jobs of the service leave no photo and no prompt on disk', async () => {
    const running = await start(atOnce());

    const id = await submit(running);
    await post(running, '/v2/run/self-prompt', { image: await photo(), prompt: 'a secret wish' });
    const files = readdirSync(inFolder()).map((name) => readFileSync(inFolder(name)));
    const sent = Buffer.from(await photo(), 'base64').subarray(-64);

    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(file.includes(sent)).toBe(false);
      expect(file.includes('a secret wish')).toBe(false);
    }
    expect((await poll(running, id)).status).toBe(200);

    await running.rendered();
  });

  it('jobs of the service are refused while results that cannot be written fill the memory', async () => {
    // SQLite cannot write it.
    const jobs = jobsIn(
      openServiceDatabase(':memory:', true, () => undefined),
      async () => ({ length: 512 * 1024 ** 2 }) as Buffer,
    );
    jobs.accept();
    await holds(() => expect(jobs.accept).toThrow('Too many jobs are in the queue.'));

    jobs.close();
  });

  it('jobs of the service do not block other calls while they are rendered', async () => {
    const running = await start(atOnce());

    const ids = [await submit(running), await submit(running), await submit(running)];
    let answers = 0;
    let pending = true;
    const rendered = running.rendered().then(() => {
      pending = false;
    });
    while (pending) {
      await poll(running, ids[2] ?? '');
      answers += 1;
    }
    await rendered;

    // Three renders of two megapixels block a thread for over a second; the answers came meanwhile.
    expect(answers).toBeGreaterThan(10);
  });
});

const path = () => inFolder('generation-service.sqlite');

const overwrite = (where: number) =>
  writeSync(openSync(path(), 'r+'), Buffer.alloc(4096, 0x5a), 0, 4096, where);

it.each([
  { what: 'an inner page', spoil: () => overwrite(statSync(path()).size - 4096) },
  { what: 'the first page', spoil: () => overwrite(0) },
])(
  'a file of the service of which $what is damaged is set aside with one message, and a new one begun',
  async ({ spoil }) => {
    const errors: unknown[] = [];
    const before = await start(atOnce({ result }));

    await submit(before);
    await before.close();
    spoil();
    const spoiled = readFileSync(path());
    const after = await start({ ...atOnce({ result }), onError: (error) => void errors.push(error) });

    expect((await poll(after, await submit(after))).body.status).toBe('COMPLETED');
    expect(errors.map(String)).toEqual([
      `Error: ${path()} cannot be read: it is now ${path()}-unreadable, which may contain pictures of people, and a new one was begun`,
    ]);
    expect(readFileSync(`${path()}-unreadable`)).toEqual(spoiled);
  },
);

it('jobs of another version are given up, and nothing of them stays on disk', async () => {
  const before = await start(atOnce({ result: Buffer.alloc(20_000, 'somebody') }));

  const id = await submit(before);
  await before.close();
  const db = new DatabaseSync(path());
  db.exec('ALTER TABLE jobs ADD COLUMN words TEXT');
  db.close();
  const after = await start(atOnce({ result }));

  expect((await poll(after, id)).status).toBe(404);
  expect(readFileSync(path()).includes('somebody')).toBe(false);
  expect((await poll(after, await submit(after))).body.status).toBe('COMPLETED');
});

it('results are kept for an hour after they finished, and nothing of them stays on disk', async () => {
  using db = openServiceDatabase(inFolder(), false, () => undefined);
  const jobs = jobsIn(db, async () => Buffer.alloc(20_000, 'somebody'));
  const { id } = jobs.accept();

  await jobs.rendered();
  time += hour + 1000;
  jobs.forget();

  expect(jobs.view(id, 'face-v6')).toMatchObject({ phase: 'completed' });

  time += 1;
  jobs.forget();
  expect(() => jobs.view(id, 'face-v6')).toThrow('There is no such job');
  for (const file of [path(), `${path()}-wal`]) expect(readFileSync(file).includes('somebody')).toBe(false);
});

it('a second service does not get the file of a running one', async () => {
  const running = await start();
  const id = await submit(running);
  await expect(createGenerationService({ dataDir: inFolder() })).rejects.toThrow(
    `cannot open its file ${path()}: another process uses it. Stop that, or `,
  );
  expect((await poll(running, id)).body.status).not.toBe('FAILED');
});

it('finished videos are served in ranges, under a secret name', async () => {
  const running = await start(atOnce({ result: Buffer.from('0123456789') }));

  const { id, output } = await film(running);
  const { video_url: url } = z.object({ video_url: z.string() }).parse(output);

  expect(url).toMatch(new RegExp(`^${running.url}/files/[\\w-]{32}\\.mp4$`));
  expect(url).not.toContain(String(id));

  const whole = await fetch(url);
  const found = [whole.status, whole.headers.get('content-type'), await whole.text()];
  expect(found).toEqual([200, 'video/mp4', '0123456789']);

  const range = async (value: string) => {
    const answer = await fetch(url, { headers: { range: value } });
    return [answer.status, answer.headers.get('content-range'), await answer.text()];
  };

  expect(await range('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await range('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await range('bytes=-2')).toEqual([206, 'bytes 8-9/10', '89']);
  expect(await range('bytes=5-99')).toEqual([206, 'bytes 5-9/10', '56789']);
  expect(await range('bytes=10-')).toEqual([416, 'bytes */10', '']);
  expect(await range('bytes=0-1,3-4')).toEqual([200, null, '0123456789']);
  expect((await fetch(`${running.url}/files/${'a'.repeat(32)}.mp4`)).status).toBe(404);
});

import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createGenerationService,
  type GenerationService,
  type GenerationServiceOptions,
} from '../../../../src/generation-service/service.ts';

const hour = 3_600_000;
let time = 0;
let folder = '';
let service: GenerationService | undefined;

beforeEach(async () => {
  time = Date.UTC(2026, 0, 1);
  folder = await mkdtemp(join(tmpdir(), 'generation-service-'));
});
afterEach(async () => {
  await service?.close();
  await rm(folder, { recursive: true });
});

async function start(options: GenerationServiceOptions = {}): Promise<GenerationService> {
  await service?.close();
  service = await createGenerationService({ dataDir: folder, clock: { now: () => time }, ...options });
  return service;
}

const result = new Uint8Array([1, 2, 3, 4]);
const velvetNoir = 'b233920d-b5e5-5f69-9948-43e1369f75bf';
const photo = async () =>
  (
    await sharp({ create: { width: 64, height: 96, channels: 3, background: '#a52' } })
      .jpeg()
      .toBuffer()
  ).toString('base64');

async function post({ url, apiKey, token }: GenerationService, path: string, body: unknown) {
  const headers = { 'x-api-key': apiKey, authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: z.record(z.string(), z.unknown()).parse(await answer.json()) };
}

async function submit(running: GenerationService): Promise<string> {
  const { body } = await post(running, '/v6/run/face_swap', {
    base64: await photo(),
    gender: 1,
    filter_id: 2,
  });
  return z.string().parse(body.id);
}

const look = (running: GenerationService, id: string) => post(running, `/v6/status/${id}`, {});

describe('while the database is locked', () => {
  it('keeps rendered results in memory and stores them later', async () => {
    const problem = Promise.withResolvers<unknown>();
    const running = await start({
      script: { jobs: { queuedMs: 0, runningMs: 0 } },
      onError: (error) => problem.resolve(error),
    });
    const id = await submit(running);
    time += 60_000;
    const other = new DatabaseSync(join(folder, 'generation-service.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    expect(await problem.promise).toMatchObject({ message: 'database is locked' });
    expect((await look(running, id)).body).not.toMatchObject({ status: 'COMPLETED' });
    other.exec('ROLLBACK');
    other.close();
    await running.rendered();
    expect((await look(running, id)).body).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('jobs', () => {
  it('are reported queued and running for their planned time, although the result is ready', async () => {
    const running = await start({ script: { jobs: { queuedMs: 100, runningMs: 100, result } } });
    const id = await submit(running);
    time += 199;
    expect((await look(running, id)).body).toEqual({ id, status: 'IN_QUEUE', output: {} });
    time += 1;
    const { body } = await look(running, id);
    expect(body).toEqual({ id, status: 'COMPLETED', output: { images: ['AQIDBA=='] } });
  });

  it('take 4 to 9 s (pictures) or 15 to 25 s (videos) unless scripted', async () => {
    const running = await start();
    const image = await photo();
    for (let n = 0; n < 4; n += 1) await submit(running);
    const film = { prompt_image: image, prompt: 'zoom', model: 'simple', duration: '4s' };
    await post(running, '/v1/run/single_frame_video', film);
    const totals = running.jobs().map(({ queuedMs, runningMs }) => queuedMs + runningMs);
    for (const total of totals.slice(0, 4)) expect(total >= 4_000 && total <= 9_000).toBe(true);
    expect(new Set(totals).size).toBe(totals.length);
    expect(totals[4]).toBeGreaterThanOrEqual(15_000);
    expect(totals[4]).toBeLessThanOrEqual(25_000);
  });

  it('use scripted status words', async () => {
    const words = { queued: 'SLEEPING', running: 'COOKING', completed: 'COMPLETED' };
    const running = await start({ script: { jobs: { queuedMs: 10, runningMs: 10, result, words } } });
    const id = await submit(running);
    const seen = [(await look(running, id)).body.status];
    time += 15;
    seen.push((await look(running, id)).body.status);
    expect(seen).toEqual(['SLEEPING', 'COOKING']);
  });

  it('are kept for an hour after they finished', async () => {
    const running = await start({ script: { jobs: { queuedMs: 0, runningMs: 1000, result } } });
    const id = await submit(running);
    time += hour + 999;
    await submit(running);
    expect((await look(running, id)).status).toBe(200);
    time += 2;
    await submit(running);
    expect((await look(running, id)).status).toBe(404);
  });

  it('are limited: the oldest results are deleted first', async () => {
    const keep = { results: 2, bytes: 1000 };
    const running = await start({ keep, script: { jobs: { queuedMs: 0, runningMs: 0, result } } });
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      time += 1;
      ids.push(await submit(running));
    }
    const statuses = await Promise.all(ids.map(async (id) => (await look(running, id)).status));
    expect(statuses).toEqual([404, 404, 200, 200]);
    expect(running.accepted()).toBe(4);
  });

  it('survive a restart, as do credits, aliases and credentials', async () => {
    const script = { jobs: { queuedMs: 0, runningMs: 0, result } };
    const before = await start({ script });
    const id = await submit(before);
    const { apiKey, token } = before;
    const credits = before.credits('you@darkroom.example');
    const alias = await post(before, '/api/alias/', { ai_filter: velvetNoir, project: 'kept' });
    const after = await start({ script });
    const answer = await fetch(`${after.url}/api/alias/`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toEqual([alias.body]);
    expect([after.apiKey, after.token]).toEqual([apiKey, token]);
    expect(after.credits('you@darkroom.example')).toBe(credits);
    expect((await look(after, id)).body.status).toBe('COMPLETED');
  });

  it('that a stop interrupted fail and are refunded, because photos are never stored', async () => {
    const quick = { script: { jobs: { queuedMs: 0, runningMs: 0 } } };
    const before = await start(quick);
    const credits = before.credits('you@darkroom.example');
    const id = await submit(before);
    expect((await look(before, id)).body.status).not.toBe('COMPLETED');
    const after = await start(quick);
    expect((await look(after, id)).body.status).toBe('FAILED');
    expect(after.credits('you@darkroom.example')).toBe(credits);
  });

  it('leave no photo on disk', async () => {
    const running = await start({ script: { jobs: { queuedMs: 0, runningMs: 0 } } });
    const id = await submit(running);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    const sent = Buffer.from(await photo(), 'base64').subarray(-64);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(file.includes(sent)).toBe(false);
    expect((await look(running, id)).status).toBe(200);
    await running.rendered();
  });

  it('and aliases are encrypted on disk with a cipher, and readable for their owner', async () => {
    const cipher = {
      seal: (text: string) => Buffer.from(text).toString('hex'),
      open: (stored: string) => Buffer.from(stored, 'hex').toString(),
    };
    const picture = Buffer.from('a picture that somebody was made into');
    const script = { jobs: { queuedMs: 0, runningMs: 0, result: picture } };
    const before = await start({ cipher, script });
    const wanted = { image: await photo(), prompt: 'my secret wish' };
    const { body } = await post(before, '/v2/run/self-prompt', wanted);
    await post(before, '/api/alias/', { ai_filter: velvetNoir, project: 'secret club' });
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    for (const secret of [wanted.prompt, 'secret club', picture])
      for (const file of files) expect(file.includes(secret)).toBe(false);

    const after = await start({ cipher, script });
    const report = await post(after, `/v2/status/${body.id}`, {});
    expect(report.body.output).toEqual({ images: [picture.toString('base64')] });
    const { token, url } = after;
    const aliases = await fetch(`${url}/api/alias/`, { headers: { authorization: `Bearer ${token}` } });
    expect(await aliases.json()).toMatchObject([{ project: 'secret club' }]);

    const turned = {
      seal: (text: string) => `b64 ${Buffer.from(text).toString('base64')}`,
      open: (stored: string) =>
        stored.startsWith('b64 ') ? Buffer.from(stored.slice(4), 'base64').toString() : cipher.open(stored),
      isOutdated: (stored: string) => !stored.startsWith('b64 '),
    };
    await start({ cipher: turned, script });
    const alone = { ...turned, open: (stored: string) => turned.open(stored.replace(/^(?!b64 )/, 'lost')) };
    const last = await start({ cipher: alone, script });
    const again = await post(last, `/v2/status/${body.id}`, {});
    expect(again.body.output).toEqual({ images: [picture.toString('base64')] });
  });

  it('do not block other calls while they are rendered', async () => {
    const running = await start({ script: { jobs: { queuedMs: 0, runningMs: 0 } } });
    const ids = [await submit(running), await submit(running), await submit(running)];
    let answers = 0;
    let pending = true;
    const rendered = running.rendered().then(() => {
      pending = false;
    });
    while (pending) {
      await look(running, ids[2] ?? '');
      answers += 1;
    }
    await rendered;
    // Three renders of two megapixels block a thread for over a second; the answers came meanwhile.
    expect(answers).toBeGreaterThan(10);
  });
});

describe('a file of an earlier version, whose tasks name a `recipe`', () => {
  const cipher = {
    seal: (text: string) => `b64 ${Buffer.from(text).toString('base64')}`,
    open: (stored: string) =>
      stored.startsWith('b64 ') ? Buffer.from(stored.slice(4), 'base64').toString() : stored,
    isOutdated: (stored: string) => !stored.startsWith('b64 '),
  };
  const task = '{"kind":"face","recipe":"face/2","ratio":"portrait","engine":"v6.1","seed":1}';

  it.each([
    ['plain', {}, task],
    ['sealed', { cipher }, cipher.seal(task)],
    ['plain, and is sealed now', { cipher }, task],
  ])('that is %s: finished jobs keep their results, unfinished ones fail', async (_, options, stored) => {
    const errors: unknown[] = [];
    const script = { jobs: { queuedMs: 0, runningMs: 0, result } };
    const running = await start({ script });
    const [finished, unfinished] = [await submit(running), await submit(running)];
    const credits = running.credits('you@darkroom.example');
    await running.close();
    const db = new DatabaseSync(join(folder, 'generation-service.sqlite'));
    db.prepare('UPDATE jobs SET task = ?').run(stored);
    db.prepare("UPDATE jobs SET state = 'rendering', finished_at = NULL, result = NULL WHERE id = ?").run(
      unfinished,
    );
    db.close();

    const after = await start({ ...options, onError: (error) => void errors.push(error) });
    expect((await look(after, finished)).body).toMatchObject({
      status: 'COMPLETED',
      output: { images: ['AQIDBA=='] },
    });
    expect((await look(after, unfinished)).body).toMatchObject({ status: 'FAILED' });
    expect(after.credits('you@darkroom.example')).toBe(credits + 2);
    expect(errors).toEqual([]);
  });
});

describe('finished videos', () => {
  it('are served in ranges, under a secret name', async () => {
    const running = await start({
      script: { jobs: { queuedMs: 0, runningMs: 0, result: Buffer.from('0123456789') } },
    });
    const film = { prompt_image: await photo(), prompt: 'zoom', model: 'advanced', duration: '6s' };
    const { body } = await post(running, '/v1/run/single_frame_video', film);
    const report = await post(running, `/v1/status/single_frame_video/${body.id}`, {});
    const { video_url: url } = z.object({ video_url: z.string() }).parse(report.body.output);
    expect(url).toMatch(new RegExp(`^${running.url}/files/[\\w-]{32}\\.mp4$`));
    expect(url).not.toContain(String(body.id));

    const whole = await fetch(url);
    expect([whole.status, whole.headers.get('content-type'), await whole.text()]).toEqual([
      200,
      'video/mp4',
      '0123456789',
    ]);
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
});

describe('a damaged record', () => {
  const damage = async (statement: string): Promise<void> => {
    await service?.close();
    service = undefined;
    const db = new DatabaseSync(join(folder, 'generation-service.sqlite'));
    db.exec(statement);
    db.close();
  };

  it.each([
    ['words', "'{'"],
    ['words', "'null'"],
    ['words', "'{}'"],
    ['task', "'x'"],
    ['task', "'7'"],
    ['family', "'x'"],
  ])('of a job (%s: %s) is skipped, finished or not; all others work', async (column, value) => {
    const errors: unknown[] = [];
    const options: GenerationServiceOptions = {
      script: { jobs: { queuedMs: 0, runningMs: 0, result } },
      onError: (error) => void errors.push(error),
    };
    const running = await start(options);
    const [damaged, unfinished, sound] = [
      await submit(running),
      await submit(running),
      await submit(running),
    ];
    await damage(`UPDATE jobs SET ${column} = ${value} WHERE id <> '${sound}';
      UPDATE jobs SET state = 'rendering', finished_at = NULL WHERE id = '${unfinished}'`);
    const again = await start(options);
    for (const id of [damaged, unfinished]) expect((await look(again, id)).status).toBe(404);
    expect((await look(again, sound)).body.status).toBe('COMPLETED');
    expect(again.jobs().map(({ id }) => id)).toEqual([sound]);
    expect(errors.map(String).join()).toContain(`the record of job ${damaged} cannot be read`);
    // Told once, however often it is asked for.
    expect(errors).toHaveLength(2);
  });

  it.each(["''", "'a' || char(10) || 'bbbbbbbbbbbb'"])('of a secret (%s) is replaced', async (value) => {
    await start();
    await damage(`UPDATE secrets SET value = ${value}`);
    const id = await submit(await start({ script: { jobs: { queuedMs: 0, runningMs: 0, result } } }));
    expect(id).toMatch(/-/);
  });
});

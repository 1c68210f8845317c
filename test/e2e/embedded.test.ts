// @module-tag slow
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSeal } from '../../src/store/records/seal.ts';
import { readDriverOf } from '../../src/store/sqlite/driver.ts';
import { openToRead } from '../../src/store/sqlite/file/store-file.ts';
import { createFigureRecords } from '../../src/store/tables/figures.ts';
import { holds } from '../eventually.ts';
import { createFakeTelegram, type FakeTelegram } from '../fakes/telegram/telegram.ts';
import { freePort } from '../free-port.ts';
import { createDataFolder, type Program, startProgram } from './program.ts';
import { teachQuickness } from './stage/experience.ts';
import { photoOf } from './stage/pictures.ts';

const photo = await photoOf('#c84020');
const folder = createDataFolder();
const secret = 'webhook-secret-1';
let telegram: FakeTelegram;
let program: Program;
let hook: string;

beforeAll(async () => {
  await teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`);
  telegram = await createFakeTelegram({ flood: 'off' });
  const port = await freePort();
  hook = `http://127.0.0.1:${port}/telegram`;
  program = await startProgram(folder.path, {
    HTTP_PORT: String(port),
    TELEGRAM_TOKEN: telegram.token,
    TELEGRAM_API_URL: telegram.url,
    TELEGRAM_WEBHOOK_URL: hook,
    TELEGRAM_WEBHOOK_SECRET: secret,
    CONSENT: 'off',
  });
});
afterAll(async () => {
  expect(await program.stop()).toBe(0);
  expect(program.output()).not.toContain(secret);
  expect(program.output()).not.toContain(telegram.token);
  expect(telegram.complaints).toEqual([]);
  await telegram.stop();
  folder.remove();
});

// The service takes its time for a video, as in earnest.
it('a program with a webhook and the embedded service makes a picture and a video', async () => {
  const ann = telegram.person('Ann');
  ann.types(ann.chat, '/faceswap 3 female square', { photo });
  const picture = await telegram.until(
    () => telegram.fromBot(ann.chat).find((message) => message.photo),
    'a picture',
  );
  const sizes = picture.photo as { file_id: string }[];
  const { width, height } = await sharp(telegram.file(sizes.at(-1)?.file_id ?? '')).metadata();

  expect(width).toBe(1280);
  expect(height).toBe(1280);

  ann.types(ann.chat, '/animate the camera drifts left model=simple', { photo });
  const video = await telegram.until(
    () => telegram.fromBot(ann.chat).find((message) => message.video),
    'a video',
  );
  const bytes = Buffer.from(telegram.file((video.video as { file_id: string }).file_id));

  expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
  expect(bytes.includes('compositeWithTrainedAlgorithmicMedia')).toBe(true);
});

it('a program reports health, readiness and metrics', async () => {
  const text = async (path: string) => (await fetch(`${program.url}${path}`)).text();
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  expect(await text('/metrics')).toMatch(
    /darkroom_jobs_finished_total\{kind="face-swap-v6",state="done",failure=""\} [1-9]/,
  );

  const measured = [...(await text('/metrics')).matchAll(/^darkroom_(\w+)_count(?:\{.*\})? [1-9]\d*$/gm)];
  expect(new Set(measured.map(([, name]) => name))).toEqual(
    new Set([
      'job_duration_seconds',
      'job_submission_seconds',
      'result_unseen_seconds',
      'job_status_calls',
      'poll_lateness_seconds',
      'first_answer_seconds',
      'service_call_duration_seconds',
      'store_transaction_duration_seconds',
    ]),
  );
});

it('a program keeps its figures in the store, within ten seconds', async () => {
  const sql = openToRead(join(folder.path, 'data', 'darkroom.sqlite'));
  const figures = createFigureRecords({ driver: readDriverOf(sql), seal: createSeal([]) });
  const rows = await holds(async () => {
    const found = await figures.read('day', 0, Date.now());
    expect(found.at(-1)?.sums.done).toEqual({ 'face-swap-v6': 1, 'single-frame-video': 1 });
    return found;
  });

  expect(rows.at(-1)?.sums.credits?.['']).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('dm:');

  sql.close();
});

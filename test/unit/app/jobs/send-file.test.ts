import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSendFile, sentFileRecordRules } from '../../../../src/app/jobs/send-file.ts';
import { MINUTE_MS } from '../../../../src/base/clock.ts';
import type { Records } from '../../../../src/base/keyv/records.ts';
import { createFairBudget } from '../../../../src/base/limits/fair-budget.ts';
import { DownloadMissing, type Downloads } from '../../../../src/base/network/download.ts';
import type { Incoming } from '../../../../src/command/desk.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import type { GenerationOutput } from '../../../../src/generation-client/result/status-report.ts';
import type { DoneJob } from '../../../../src/orchestrator/job/job.ts';
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { textOf } from '../../../fakes/call.ts';
import { animatedPng, animatedWebp } from '../../../fakes/hostile-pictures.ts';
import { orderOf } from '../../../fakes/orchestrator-world.ts';
import { createRecords } from '../../../fakes/records.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

const words = wordsFor('en');
const MB = 1024 ** 2;
const URL = 'https://service.test/result.mp4';
/** The beginning of an MP4 file, and zeros. */
const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(64)]);

let output: GenerationOutput | 'away' | undefined;
let fileBytes: number;
let get: Downloads['get'];
/** The records of sent files, which all processes share. */
let records: Records;

const tealJpeg = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();

beforeEach(async () => {
  output = { kind: 'image', bytes: await tealJpeg() } as GenerationOutput;
  fileBytes = 10 * MB;
  get = async () => ({ bytes: video, type: 'video/mp4' });
  records = createRecords();
});

const done = (more: Partial<DoneJob> = {}): DoneJob =>
  ({ ...sampleJob({ ...orderOf('ann'), state: 'done' }), ...more }) as DoneJob;

/** A press of **As a file** on this job, in a process of its own. */
const press = (job: DoneJob, by = 'ann', more: Partial<Incoming> = {}): Promise<Reply> =>
  createSendFile(
    {
      platforms: {
        of: () => ({
          ...idleAdapter,
          limits: () => ({ imageBytes: 1, fileBytes, videoBytes: 1 }),
        }),
      },
      downloads: { get: (...given) => get(...given), mayLink: () => true },
      sentFiles: records,
    },
    createFairBudget({ total: 4, perPerson: 1 }),
    async () => output,
  )(job, { ...orderOf(by), event: 'press', ...more }, words);

const mediaOf = (reply: Reply) => ('view' in reply ? reply.view.media : undefined);

describe('as a file', () => {
  it('a picture as a file has the pixels and the type that the service gave, and says inside that it is AI-generated', async () => {
    const bytes = await tealJpeg();
    output = { kind: 'image', bytes } as GenerationOutput;

    const reply = await press(done());

    expect(reply).toMatchObject({ kind: 'result', audience: 'everyone' });
    const media = mediaOf(reply);
    expect(media).toMatchObject({ kind: 'image', as: 'file', type: 'image/jpeg', width: 8, height: 8 });
    if (media?.kind !== 'image') return expect.fail('no picture was sent');
    expect(media.name).toMatch(/\.jpg$/);
    expect(Buffer.from(media.bytes).includes('compositeWithTrainedAlgorithmicMedia')).toBe(true);
    const pixelsOf = (file: Uint8Array) => sharp(file).raw().toBuffer();
    expect((await pixelsOf(media.bytes)).equals(await pixelsOf(bytes))).toBe(true);
  });

  it('a video as a file is the service’s own', async () => {
    output = { kind: 'video', url: URL } as GenerationOutput;
    const media = mediaOf(await press(done()));

    expect(media).toMatchObject({ kind: 'video', as: 'file', type: 'video/mp4' });
    expect(media?.kind === 'video' && Buffer.from(media.bytes).includes(video.subarray(24))).toBe(true);
  });

  it('a file is private where the result is, and a private one is for its requester alone', async () => {
    expect(await press(done({ private: true }))).toMatchObject({ kind: 'result', audience: 'caller' });
    expect(textOf(await press(done({ private: true }), 'mod'))).toBe(words.press.noResult);
    expect(await press(done(), 'mod')).toMatchObject({ kind: 'result', audience: 'everyone' });

    const elsewhere = { place: { ...done().place, community: 'web:elsewhere' } };
    expect(await press(done(), 'cat', elsewhere)).toMatchObject({ audience: 'caller' });
  });

  it('a file is sent once a minute, by whichever process', async () => {
    const job = done();
    const replies = await Promise.all([press(job), press(job)]);

    expect(replies.map(({ kind }) => kind).toSorted()).toEqual(['note', 'result']);
    expect(textOf(await press(job))).toBe(words.file.justSent);
    expect((await press(job, 'mod')).kind).toBe('result');
  });

  it('a file is not sent again within the minute after the process was started again, and is after it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'darkroom-sent-'));
    let now = Date.UTC(2026, 0, 5);
    const open = async () => {
      const store = await openSqliteStore({ path: join(folder, 'store.sqlite'), keys: [], now: () => now });
      records = store.keyv('sent-files', sentFileRecordRules);
      return store;
    };
    const job = done();
    const before = await open();
    expect((await press(job)).kind).toBe('result');
    await before.close();
    const after = await open();

    now += MINUTE_MS - 1;
    expect(textOf(await press(job))).toBe(words.file.justSent);
    now += 2;
    expect((await press(job)).kind).toBe('result');

    await after.close();
    rmSync(folder, { recursive: true });
  });

  it('a file is sent at once after a press that found nothing', async () => {
    const job = done();
    const kept = output;

    output = undefined;
    expect(textOf(await press(job))).toBe(words.press.noResult);

    output = 'away';
    expect(textOf(await press(job))).toBe(words.communityErrors['service-unavailable']);

    output = kept;
    expect((await press(job)).kind).toBe('result');
  });

  it.each([
    { type: 'PNG', bytes: animatedPng({ width: 8, height: 8 }) },
    { type: 'WebP', bytes: animatedWebp({ width: 8, height: 8 }, 2) },
  ])(
    'a file is never sent of an animated $type, of which only the first frame was looked at',
    async ({ bytes }) => {
      output = { kind: 'image', bytes } as GenerationOutput;

      expect(textOf(await press(done()))).toBe(words.press.noResult);
    },
  );

  it.each(['held', 'failed', 'running'] as const)(
    'a file is never sent of a result that is %s',
    async (state) => {
      const job = sampleJob({ ...orderOf('ann'), state }) as unknown as DoneJob;

      expect(textOf(await press(job))).toBe(words.press.noResult);
    },
  );

  it('a file is never sent of a video whose link is dead', async () => {
    output = { kind: 'video', url: URL } as GenerationOutput;
    get = () => Promise.reject(new DownloadMissing());

    expect(textOf(await press(done()))).toBe(words.press.noResult);
  });

  it('a picture that is too large as a file is not sent: the presser is told its size', async () => {
    fileBytes = 200;

    expect(textOf(await press(done()))).toMatch(/This file has .* MB, more than the .* MB that fit here/);
  });

  it('a video that is too large as a file is not sent: the presser alone is told its size, and gets its link', async () => {
    fileBytes = 25 * MB;
    output = { kind: 'video', url: URL } as GenerationOutput;
    get = async (_url, { tooLarge }) => {
      tooLarge?.(120 * MB);
      return 'too-large';
    };

    const reply = await press(done());

    expect(textOf(reply)).toContain('This file has 120 MB, more than the 25 MB that fit here.');
    expect(reply).toMatchObject({ kind: 'result', audience: 'caller' });
    expect(mediaOf(reply)).toMatchObject({ kind: 'link', url: URL });
  });
});

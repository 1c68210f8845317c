import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createBot } from '../../../../src/adapters/telegram/api/create-bot.ts';
import { createFetchPhoto } from '../../../../src/adapters/telegram/api/photos.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { UserError } from '../../../../src/command/errors.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import { serving } from '../../../fakes/serving.ts';
import { passUntil, setStage, setTimedStage, stage } from '../../../fakes/telegram/stage.ts';

const megabyte = 1024 * 1024;
const signal = (): AbortSignal => AbortSignal.timeout(20_000);

/** A photo as the desk got it. */
const send = async (bytes: Uint8Array) => {
  const ann = stage.fake.person('Ann');
  ann.types(ann.chat, '/faceswap 12', { photo: bytes });
  const heard = await stage.fake.until(() => stage.desk.heard.at(-1), 'the command');
  const [photo] = heard.photos;
  if (photo === undefined || !('ref' in photo)) throw new Error('no photo');
  return photo;
};

const sent = async () => {
  await setStage();
  return send(await jpeg());
};

/** The error of a fetch that must fail, and everything that can be seen of it. */
const failure = async (fetching: Promise<unknown>): Promise<string> => {
  const error = await fetching.catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error('it did not fail');
  return `${inspect(error, { depth: 10, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
};

describe('photos', () => {
  test.each(['hang', 'reset', 500, 404, 302] as const)(
    'a photo download that ends with a %s does not show the URL',
    async (kind) => {
      const { clock } = await setTimedStage();

      const photo = await send(await jpeg());
      stage.fake.fault({ method: 'file', kind, times: 9 });
      let seen: string | undefined;
      void failure(stage.adapter.photo(photo, 20 * megabyte, signal())).then((words) => (seen = words));
      await passUntil(clock, 61_000, () => seen !== undefined);

      expect(seen).not.toContain(stage.fake.token);
      expect(seen).not.toContain('file_');
      expect(stage.logged.join()).not.toContain(stage.fake.token);
    },
  );

  test('a photo that Telegram finds too large is refused immediately', async () => {
    const photo = await sent();
    stage.fake.fault({ method: 'getFile', kind: 400, description: 'Bad Request: file is too big' });
    await expect(stage.adapter.photo(photo, 20 * megabyte, signal())).rejects.toThrow(UserError);
  });

  test('a truncated photo is not used', async () => {
    const { clock } = await setTimedStage();

    const bytes = await jpeg();
    const photo = await send(bytes);
    stage.fake.fault({ method: 'file', kind: 'short' });
    let fetched: Uint8Array | undefined;
    void stage.adapter.photo(photo, 20 * megabyte, signal()).then((whole) => (fetched = whole));
    await passUntil(clock, 500, () => fetched !== undefined);

    expect(fetched).toEqual(bytes);
  });

  test('an abort ends the wait for a photo', async () => {
    const photo = await sent();
    stage.fake.fault({ method: 'file', kind: 'hang' });
    const abort = new AbortController();
    const failing = failure(stage.adapter.photo(photo, 20 * megabyte, abort.signal));
    await stage.fake.until(() => stage.fake.calls.at(-1)?.method === 'getFile' || undefined);
    abort.abort();

    expect(await failing).not.toContain(stage.fake.token);
  });

  test('a photo that is too large is refused before it is fetched, and while it is fetched', async () => {
    const photo = await sent();
    const before = stage.fake.calls.length;
    await expect(stage.adapter.photo(photo, 10, signal())).rejects.toThrow('too large');
    expect(stage.fake.calls.length).toBe(before);

    const unsized = { ...photo, ref: JSON.stringify({ file_id: JSON.parse(photo.ref).file_id }) };
    await expect(stage.adapter.photo(unsized, 10, signal())).rejects.toThrow('too large');
  });

  test('a photo’s response that is longer than announced is aborted', async () => {
    const photo = await sent();
    const apiUrl = await serving((request, response) => {
      if (request.url?.includes('/getFile')) {
        response.end(JSON.stringify({ ok: true, result: { file_id: 'x', file_path: 'photos/endless.jpg' } }));
        return;
      }
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    const { api } = createBot({ token: '1:x', apiUrl, clock: systemClock });
    const fetchPhoto = createFetchPhoto({ token: '1:x', apiUrl, api, clock: systemClock });

    await expect(fetchPhoto(photo, megabyte, signal())).rejects.toThrow('too large');
  });

  test('a self-hosted server in local mode names a photo’s file on its disk', async () => {
    const photo = await sent();
    const folder = await mkdtemp(join(tmpdir(), 'telegram-'));
    const path = join(folder, 'photo.jpg');
    await writeFile(path, 'bytes on disk');
    const { api } = createBot({ token: '1:x', clock: systemClock });
    const file = { file_id: 'x', file_unique_id: 'y', file_path: path };
    api.config.use(async () => ({ ok: true, result: file }) as never);
    const local = createFetchPhoto({ token: '1:x', apiUrl: 'http://localhost:1', api, clock: systemClock });

    expect(Buffer.from(await local(photo, megabyte, signal())).toString()).toBe('bytes on disk');
    await expect(local(photo, 5, signal())).rejects.toThrow('too large');

    // Telegram's own server has no business with paths of this machine.
    const official = createFetchPhoto({ token: '1:x', api, clock: systemClock });
    await expect(official(photo, megabyte, AbortSignal.abort())).rejects.toThrow();

    await rm(folder, { recursive: true });
  });
});

test('a picture that Telegram does not provide is refused with a message before anything else happens', async () => {
  const { ann } = await setStage();
  const document = { bytes: new Uint8Array(10), name: 'big.png', mime: 'image/png' };

  ann.types(ann.chat, '/faceswap 12', { document, size: 21 * megabyte });
  const answer = await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0], 'the words');

  expect(answer.text).toContain('20 MB');
  expect(stage.desk.heard).toEqual([]);
});

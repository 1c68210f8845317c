import { beforeEach, describe, expect, test } from 'vitest';
import { createAlbums } from '../../../../src/adapters/telegram/handlers/albums.ts';
import type { AlbumContext } from '../../../../src/adapters/telegram/handlers/context.ts';
import type { FakeClock } from '../../../fakes/clock.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import { createRecords } from '../../../fakes/records.ts';
import { passUntil, publicReply, type Stage, setTimedStage, stage } from '../../../fakes/telegram/stage.ts';
import type { StoredMessage } from '../../../fakes/telegram/world.ts';

let clock: FakeClock;
let ann: Stage['ann'];

beforeEach(async () => {
  ({ ann, clock } = await setTimedStage());
});

const fileOf = (message: StoredMessage | undefined): string =>
  (message?.photo as { file_id: string }[] | undefined)?.at(-1)?.file_id ?? '';

const heardFiles = (index: number): string[] =>
  (stage.desk.heard[index]?.photos ?? []).map((photo) =>
    'ref' in photo ? JSON.parse(photo.ref).file_id : JSON.stringify(photo),
  );

/** Whatever was said has been taken. That takes far less of the test's own time than an album is waited for. */
const taken = (): Promise<void> =>
  passUntil(clock, 10, () => stage.fake.delivery.pending.length === 0, 1_000);

describe('an album', () => {
  test('an album that cannot be read is given up, not waited for', async () => {
    const parts = { clock, state: createRecords(), commands: [], inbox: stage.store.inbox };
    const nothing = async () => undefined;
    const doing = { imagesNeeded: () => 1, look: nothing, read: () => JSON.parse('?'), handle: nothing };
    const received = { chat: { id: 5 }, message: { chat: { id: 5 }, media_group_id: 'a' } };
    const added = createAlbums({ ...parts, ...doing }).add(received as AlbumContext);
    let isOver = false;

    void expect(added)
      .rejects.toThrow(SyntaxError)
      .then(() => (isOver = true));
    await passUntil(clock, 500, () => isOver);
  });

  test('an album with other files waits until the pictures have arrived', async () => {
    const file = { document: { bytes: Buffer.from('%PDF-1.4'), name: 'notes.pdf', mime: 'application/pdf' } };

    ann.types(ann.chat, '', { ...file, album: 'mixed' });
    const first = ann.types(ann.chat, '/transition slowly', { photo: await jpeg(), album: 'mixed' });
    await taken();
    const last = ann.types(ann.chat, '', { photo: await jpeg(), album: 'mixed' });
    await taken();
    await stage.fake.until(() => stage.desk.heard.length > 0);

    expect(heardFiles(0)).toEqual([fileOf(first), fileOf(last)]);
    expect(stage.desk.heard).toHaveLength(1);
  });

  test('an album with a command for one photo starts with the first, and the others are ignored', async () => {
    const sent = ann.sendsAlbum(ann.chat, [await jpeg(), await jpeg(), await jpeg()], '/faceswap 12');
    await stage.fake.until(() => stage.desk.heard.length > 0);
    await passUntil(clock, 300, () => stage.unhandled() === 0);
    await clock.advance(20_000);

    expect(heardFiles(0)).toEqual([fileOf(sent[0])]);
    expect(stage.desk.heard).toHaveLength(1);
  });

  test('an album with a command that makes a job of each is complete after a pause, and a late part is ignored', async () => {
    const sent = ann.sendsAlbum(ann.chat, [await jpeg(), await jpeg(), await jpeg()], '/groupswap 3');
    await taken();
    await clock.advance(1_000);

    expect(stage.desk.heard).toEqual([]);

    await passUntil(clock, 300, () => stage.desk.heard.length > 0 && stage.unhandled() === 0);
    expect(heardFiles(0)).toEqual(sent.map(fileOf));

    const album = String(sent[0]?.media_group_id);
    ann.types(ann.chat, '', { photo: await jpeg(), album });
    await passUntil(clock, 300, () => stage.fake.delivery.pending.length === 0 && stage.unhandled() === 0);
    expect(stage.desk.heard).toHaveLength(1);
  });

  test('an album of ten photos with a command that makes a job of each starts at once', async () => {
    const ten = await Promise.all(Array.from({ length: 10 }, () => jpeg()));
    ann.sendsAlbum(ann.chat, ten, '/groupswap 3');
    await taken();
    await stage.fake.until(() => stage.desk.heard.length > 0);

    expect(heardFiles(0)).toHaveLength(10);
  });

  test('an album with a slow answer stays one album, to which later parts belong', async () => {
    stage.fake.fault({ method: 'sendMessage', kind: 429, retryAfter: 20 });
    stage.desk.replies(publicReply('here you are'));

    ann.sendsAlbum(ann.chat, [await jpeg(), await jpeg(), await jpeg()], '/faceswap 12');
    await passUntil(clock, 500, () => stage.fake.fromBot(ann.chat).length > 0);
    await passUntil(clock, 500, () => stage.unhandled() === 0);

    expect(stage.desk.heard.map((each) => each.line)).toEqual(['/faceswap 12']);
  });

  test('an album without a command is complete after a pause, and asked about once', async () => {
    stage.desk.replies(publicReply('What shall I do with these?'));

    const sent = ann.sendsAlbum(ann.chat, [await jpeg(), await jpeg(), await jpeg()]);
    await taken();
    await clock.advance(1_000);

    expect(stage.desk.heard).toEqual([]);
    expect(stage.unhandled()).toBe(3);

    await passUntil(clock, 500, () => stage.fake.fromBot(ann.chat).length > 0);
    expect(stage.desk.heard).toHaveLength(1);
    expect(heardFiles(0)).toEqual(sent.map(fileOf));

    await passUntil(clock, 100, () => stage.unhandled() === 0);
  });

  test('an album with parts that keep arriving slowly is handled after a limited time', async () => {
    for (let part = 0; part < 8; part += 1) {
      const next = clock.now() + 2_000;
      ann.types(ann.chat, '', { photo: await jpeg(), album: 'slow' });
      await taken();
      await clock.advance(next - clock.now());
    }
    await stage.fake.until(() => stage.desk.heard.length > 0);
  });

  test('an album’s late part is used as the missing photo, also in a group', async () => {
    const group = stage.fake.group('Club', { botHearsAll: true });
    stage.desk.replies(publicReply('And the last photo?'));

    ann.types(group, '/transition slowly', { photo: await jpeg(), album: 'a' });
    await passUntil(clock, 300, () => stage.fake.fromBot(group).length > 0 && stage.unhandled() === 0);
    const late = ann.types(group, '', { photo: await jpeg(), album: 'a' });
    ann.types(group, '', { photo: await jpeg(), album: 'somebody else’s' });
    await passUntil(clock, 300, () => stage.desk.heard.length > 1 && stage.unhandled() === 0);
    const heard = stage.desk.heard.map((each) => `${each.via} ${each.photos.length}`);

    expect(heard).toEqual(['command 1', 'answer 1']);
    expect(heardFiles(1)).toEqual([fileOf(late)]);
    expect(stage.desk.heard[1]?.place).toEqual(stage.desk.heard[0]?.place);
  });

  test('an album that is unfinished at the stop is handled by the next process', async () => {
    ann.sendsAlbum(ann.chat, [await jpeg(), await jpeg()]);
    await taken();
    await stage.adapter.stop();

    expect(stage.desk.heard).toEqual([]);
    expect(stage.unhandled()).toBe(2);

    await stage.another().start();
    await passUntil(clock, 300, () => stage.desk.heard[0]?.photos.length === 2);
  });
});

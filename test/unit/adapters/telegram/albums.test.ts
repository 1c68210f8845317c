import { afterEach, describe, expect, test } from 'vitest';
import { jpeg } from '../../../contract/adapter/pictures.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import type { StoredMessage } from '../../../fakes/telegram/world.ts';
import { line, type Stage, setStage } from './stage.ts';

let stage: Stage;
let clock: FakeClock;
afterEach(async () => {
  await stage.stop();
  expect(stage.fake.complaints).toEqual([]);
});

const open = async (): Promise<void> => {
  clock = createFakeClock();
  stage = await setStage({ clock });
};

const fileOf = (message: StoredMessage | undefined): string =>
  (message?.photo as { file_id: string }[] | undefined)?.at(-1)?.file_id ?? '';
const heardFiles = (index: number): string[] =>
  (stage.desk.heard[index]?.photos ?? []).map((photo) =>
    photo.from === 'link' ? photo.url : JSON.parse(photo.ref).file_id,
  );
/** Lets real sockets do their part between two moments of the test's own time. */
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
const pass = async (ms: number): Promise<void> => {
  await breathe();
  await clock.advance(ms);
  await breathe();
};

describe('an album', () => {
  test('with a command for two photos starts as soon as both are there', async () => {
    await open();
    const ann = stage.fake.person('Ann');
    const sent = ann.album(ann.chat, [await jpeg(), await jpeg()], '/transition slowly');
    // Time for the second poll, far less than an album is waited for.
    await pass(100);
    await stage.fake.until(() => stage.desk.heard.length > 0);
    expect(stage.desk.heard[0]?.line).toBe('/transition slowly');
    expect(heardFiles(0)).toEqual(sent.map(fileOf));
  });

  test('with a command for one photo starts with the first; its siblings are no photos of their own', async () => {
    await open();
    const ann = stage.fake.person('Ann');
    const sent = ann.album(ann.chat, [await jpeg(), await jpeg(), await jpeg()], '/faceswap 12');
    await stage.fake.until(() => stage.desk.heard.length > 0);
    await pass(20_000);
    expect(heardFiles(0)).toEqual([fileOf(sent[0])]);
    expect(stage.desk.heard).toHaveLength(1);
  });

  test('without a command is complete when nothing more came for a while, and asked about once', async () => {
    await open();
    const ann = stage.fake.person('Ann');
    stage.desk.replies({ kind: 'message', view: line('What shall I do with these?') });
    const sent = ann.album(ann.chat, [await jpeg(), await jpeg(), await jpeg()]);
    await pass(1_000);
    expect(stage.desk.heard).toEqual([]);
    expect(stage.fake.delivery.pending).toHaveLength(3);
    await pass(3_000);
    await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0]);
    expect(stage.desk.heard).toHaveLength(1);
    expect(heardFiles(0)).toEqual(sent.map(fileOf));
    await pass(1_000);
    await stage.fake.until(() => stage.fake.delivery.pending.length === 0, 'the confirmation');
  });

  test('whose parts dribble in is not waited for for ever', async () => {
    await open();
    const ann = stage.fake.person('Ann');
    for (let part = 0; part < 8; part += 1) {
      ann.says(ann.chat, '', { photo: await jpeg(), album: 'slow' });
      await pass(2_000);
    }
    expect(stage.desk.heard.length).toBeGreaterThan(0);
  });

  test('takes a late sibling as the photo that is still wanted', async () => {
    await open();
    const ann = stage.fake.person('Ann');
    stage.desk.replies({ kind: 'message', view: line('And the last photo?') });
    ann.says(ann.chat, '/transition slowly', { photo: await jpeg(), album: 'a' });
    await pass(3_000);
    await stage.fake.until(() => stage.desk.heard.length === 1);
    await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0]);
    await breathe();
    const late = ann.says(ann.chat, '', { photo: await jpeg(), album: 'a' });
    for (let round = 0; round < 20 && stage.desk.heard.length < 2; round += 1) await pass(300);
    expect(stage.desk.heard[1]).toMatchObject({ via: 'answer', line: '' });
    expect(heardFiles(1)).toEqual([fileOf(late)]);
  });

  test('a late sibling in a group counts as said to us', async () => {
    await open();
    const ann = stage.fake.person('Ann');
    const group = stage.fake.group('Club', { botHearsAll: true });
    stage.desk.replies({ kind: 'message', view: line('And the last photo?') });
    ann.says(group, '/transition slowly', { photo: await jpeg(), album: 'a' });
    await pass(3_000);
    await stage.fake.until(() => stage.fake.fromBot(group)[0]);
    await breathe();
    ann.says(group, '', { photo: await jpeg(), album: 'a' });
    ann.says(group, '', { photo: await jpeg(), album: 'somebody else’s' });
    for (let round = 0; round < 20; round += 1) await pass(300);
    expect(stage.desk.heard.map((each) => [each.via, each.photos.length])).toEqual([
      ['command', 1],
      ['answer', 1],
    ]);
    expect(stage.desk.heard[1]?.place).toEqual(stage.desk.heard[0]?.place);
  });

  test('that is unfinished at the stop is not confirmed: the next process gathers it', async () => {
    await open();
    const ann = stage.fake.person('Ann');
    ann.album(ann.chat, [await jpeg(), await jpeg()]);
    await pass(500);
    await stage.adapter.stop();
    expect(stage.desk.heard).toEqual([]);
    expect(stage.fake.delivery.pending).toHaveLength(2);
    await stage.another().start();
    await pass(3_000);
    await stage.fake.until(() => stage.desk.heard[0]?.photos.length === 2);
  });
});

import { describe, expect, test } from 'vitest';
import type { Inbox } from '../../../src/base/members/inbox.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { createScriptedDesk } from '../../fakes/scripted-desk.ts';
import {
  card,
  count,
  passUntil,
  publicReply,
  setStage,
  setTimedStage,
  stage,
} from '../../fakes/telegram/stage.ts';

const pending = (): number => stage.fake.delivery.pending.length;

const offsets = (): number[] =>
  stage.fake.calls
    .filter(({ method }) => method === 'getUpdates')
    .flatMap(({ values }) => (typeof values.offset === 'number' ? [values.offset] : []));

/** A reply that the test gives later. */
const laterReply = () => Promise.withResolvers<Reply>();

describe('updates by long polling', () => {
  test.each(['put', 'onDisk'] as const)(
    'updates by long polling are confirmed only once they are stored (%s)',
    async (step) => {
      const written = Promise.withResolvers<never>();

      written.promise.catch(() => undefined);
      const { ann } = await setStage({ inbox: { [step]: () => written.promise } });
      stage.desk.replies(publicReply('hello'));
      ann.types(ann.chat, '/help');
      const [update] = stage.fake.delivery.pending;
      const isBegun = (): boolean => stage.fake.calls.some(({ method }) => method === 'getUpdates');
      await stage.fake.until(
        () => (step === 'put' ? isBegun() : stage.fake.fromBot(ann.chat)[0]),
        'an update',
      );

      expect(Math.max(0, ...offsets())).toBeLessThanOrEqual(update?.update_id ?? 0);
      expect(pending()).toBe(1);

      written.reject(new Error('the disk is full'));
      expect(stage.desk.heard).toHaveLength(step === 'put' ? 0 : 1);
    },
  );

  test('updates by long polling are answered once, although the store failed at first', async () => {
    let failures = 2;
    const onDisk = async (): Promise<void> => {
      failures -= 1;
      if (failures >= 0) throw new Error('the disk is full');
    };

    const { clock, ann } = await setTimedStage({ inbox: { onDisk } });
    stage.desk.replies(publicReply('hello'));

    ann.types(ann.chat, '/help');
    await passUntil(clock, 100, () => pending() === 0);

    expect(failures).toBeLessThan(0);

    await stage.fake.until(() => stage.unhandled() === 0 && stage.fake.fromBot(ann.chat).length === 1);
    expect(stage.desk.heard.map(({ event }) => event)).toHaveLength(1);
  });

  test.each([50_000, 900_000])(
    'updates whose numbers jump to %i are handled once and confirmed',
    async (to) => {
      const { ann } = await setStage();

      ann.types(ann.chat, '/help before');
      await stage.fake.until(() => stage.desk.heard.length === 1 && pending() === 0);
      stage.fake.delivery.jump(to);
      for (const word of ['one', 'two']) ann.types(ann.chat, `/help ${word}`);
      await stage.fake.until(() => stage.desk.heard.length === 3 && pending() === 0, 'the confirmation');

      expect(stage.desk.heard.map((heard) => heard.line)).toEqual(['/help before', '/help one', '/help two']);
      expect(offsets().at(-1)).toBeGreaterThan(to);
      expect(offsets().at(-1)).toBeLessThan(to + 10);
    },
  );

  test('updates of one person in one chat keep their order', async () => {
    const { ann } = await setStage({ flood: 'off' });
    const first = laterReply();
    stage.desk.replies(first.promise, publicReply('second'));

    ann.types(ann.chat, '/faceswap 12');
    ann.types(ann.chat, '/help');
    await stage.fake.until(() => stage.desk.heard.length === 1);
    first.resolve(publicReply('first'));
    await stage.fake.until(() => stage.fake.fromBot(ann.chat).length === 2);

    expect(stage.fake.fromBot(ann.chat).map(({ text }) => text)).toEqual(['first', 'second']);
  });

  test('updates are asked for again while there is no room for them', async () => {
    let isFull = true;
    const put: Inbox['put'] = async (entries, member) =>
      isFull
        ? { full: new Set(entries.map(({ id }) => id)), claimed: [] }
        : stage.store.inbox.put(entries, member);

    const { clock, ann } = await setTimedStage({ inbox: { put } });

    ann.types(ann.chat, '/help');
    const before = count('getUpdates');
    await passUntil(clock, 100, () => count('getUpdates') > before + 3);

    expect(pending()).toBe(1);

    isFull = false;
    await passUntil(clock, 100, () => pending() === 0 && stage.desk.heard.length > 0);
    expect(stage.desk.heard).toHaveLength(1);
  });

  test('an answer to an update is retried for some minutes without Telegram', async () => {
    const { clock, ann } = await setTimedStage();
    stage.fake.fault({ method: 'sendMessage', kind: 502, times: 8 });
    stage.desk.replies(card());

    ann.types(ann.chat, '/faceswap 12');
    await passUntil(clock, 10_000, () => stage.desk.cards.length > 0);

    expect(stage.desk.heard).toHaveLength(1);
    expect(stage.fake.fromBot(ann.chat)).toHaveLength(1);
  });

  test('an answer that can never be sent is given up after a few tries, and the next update is handled', async () => {
    const { clock, ann } = await setTimedStage({ flood: 'off' });
    stage.fake.fault({ method: 'sendMessage', kind: 400, times: 5 });
    stage.desk.replies(publicReply('never'), publicReply('next'));

    ann.types(ann.chat, '/help');
    ann.types(ann.chat, '/help');
    const tries = () => count('sendMessage');
    for (let known = 0; known < 5; known += 1) {
      await stage.fake.until(() => tries() > known, 'another try');
      await clock.advance(40_000);
    }

    await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0]?.text === 'next', 'the next answer');
    await clock.advance(1_000);
    await stage.fake.until(() => pending() === 0);
    const told = stage.logged.find((each) => each.includes('giving up'));

    // grammY's own error has the context, from which the token can be reached.
    expect(told).toContain('TelegramFault');
    expect(told).not.toContain('BotError');
    expect(tries()).toBe(6);
  });

  test('a visible card that could not be confirmed is confirmed again, not shown again', async () => {
    const { clock, ann } = await setTimedStage();
    const { cardShown: shown } = stage.desk;
    let failures = 1;

    stage.desk.cardShown = async (job, ref) => {
      failures -= 1;
      if (failures === 0) throw new Error('the store is busy');
      await shown(job, ref);
    };
    stage.desk.replies(card());
    ann.types(ann.chat, '/faceswap 12');
    await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0]);
    await clock.advance(1_000);
    await stage.fake.until(() => stage.desk.cards[0], 'the report');

    expect(stage.fake.fromBot(ann.chat)).toHaveLength(1);
  });

  test('a hundred updates that wait for one are stored, so that others can arrive', async () => {
    const { clock } = await setTimedStage({ flood: 'off' });
    const slow = laterReply();
    stage.desk.replies(slow.promise);
    const ann = stage.fake.person('Ann');

    ann.types(ann.chat, '/faceswap 12');
    await stage.fake.until(() => stage.desk.heard.length === 1);
    const people = Array.from({ length: 130 }, (_, index) => stage.fake.person(`P${index}`));
    for (const person of people) person.types(person.chat, '/help');
    await passUntil(clock, 300, () => stage.desk.heard.length >= 131);

    expect(stage.desk.heard).toHaveLength(131);

    await stage.fake.until(() => people.every(({ chat }) => stage.fake.fromBot(chat).length === 1));
    await clock.advance(100);
    // Confirmed, but not forgotten: a process that starts now still knows of Ann.
    const desk = createScriptedDesk();
    desk.replies(publicReply('for Ann'));
    await stage.another(desk).start();
    await stage.fake.until(() => stage.fake.fromBot(ann.chat)[0], 'the answer to Ann');

    expect(desk.heard.map(({ caller }) => caller.name)).toEqual(['Ann']);

    slow.resolve({ kind: 'note', text: 'too late' });
  });
});

test('a message that is edited is not run again, whether it was a command or becomes one', async () => {
  const { ann } = await setStage({ flood: 'off' });
  const typed = ann.types(ann.chat, '/faceswap 12');
  await stage.fake.until(() => stage.desk.heard.length === 1);

  ann.edits(typed, '/faceswap 13');
  const photo = ann.types(ann.chat, '/animate waves', { photo: new Uint8Array(100) });
  await stage.fake.until(() => stage.desk.heard.length === 2);
  ann.edits(photo, '/animate storms');
  ann.types(ann.chat, '/help');
  await stage.fake.until(() => pending() === 0 && stage.desk.heard.length > 2);

  expect(stage.desk.heard.map((each) => each.line)).toEqual(['/faceswap 12', '/animate waves', '/help']);
});

test.each(['reset', 'hang'] as const)(
  'an unconfirmed card is shown once when Telegram is back after hours (%s)',
  async (kind) => {
    const { clock, ann } = await setTimedStage({ flood: 'off' });
    stage.desk.replies(card());
    const sends = (): number => count('sendMessage');
    stage.fake.fault({ method: 'sendMessage', kind: 'lost' });
    stage.fake.onCall(({ method }) => {
      if (method === 'sendMessage' && sends() === 1) stage.fake.fault({ method: '*', kind, times: 100_000 });
    });

    ann.types(ann.chat, '/faceswap 12');
    await stage.fake.until(() => sends() === 1);
    const hours = clock.now() + 3 * 3_600_000;
    await passUntil(clock, 300_000, () => clock.now() >= hours);

    // Whatever is repeated while nothing is heard may show one more card each time.
    expect(sends()).toBe(1);

    stage.fake.clearFaults();
    await passUntil(clock, 1_000, () => stage.desk.cards.length === 1, 120_000);
    const shown = stage.fake.fromBot(ann.chat);
    expect(shown).toHaveLength(2);
    expect(shown[1]?.text).toContain('Sent again after an interruption.');
    expect(stage.desk.heard).toHaveLength(1);
  },
);

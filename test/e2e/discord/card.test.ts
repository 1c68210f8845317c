import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { de } from '../../../src/words/de/words.ts';
import { en } from '../../../src/words/en/words.ts';
import { holds } from '../../eventually.ts';
import { buttonsOf as buttons, menuOf } from '../../fakes/discord/components.ts';
import type { Person, Sent } from '../../fakes/discord/people.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { formOf } from './form-of.ts';
import { colourOf, flat, found, hasFile, openSetting, photo, type Setting, says } from './setting.ts';

/** Jobs and their cards. Interactions come by HTTP; other end-to-end tests have them from the gateway. */
let setting: Setting;
let result: Buffer;
beforeAll(async () => {
  result = await flat('#2060a0');
  setting = await openSetting({ queuedMs: 0, runningMs: 100, result }, 'HTTP');
});
afterAll(() => setting.close());
beforeEach(() => setting.plan(() => ({ queuedMs: 0, runningMs: 100, result })));
afterEach(() => {
  setting.discord.clearFaults();
  setting.hang(false);
  // Made once: what a first try gave reason for is not held against a second.
  expect(setting.discord.world.complaints.splice(0)).toEqual([]);
});

const swap = async (person: Person, more: Readonly<Record<string, string | boolean>> = {}) => {
  const sent = person.slash('/faceswap', { photo: await photo(), filter: '3', gender: 'female', ...more });
  await sent.answered();
  return sent;
};
const isUnderWay = (message: Message): boolean => buttons(message).includes(en.buttons.cancel);

describe('buttons', () => {
  test('Again makes another card; Animate continues from the result with one form; Delete removes it', async () => {
    const ann = setting.discord.newcomer('ann1');
    const first = await swap(ann);
    const made = await found(() => first.message(), hasFile);
    expect(buttons(made)).toEqual([
      en.buttons.again,
      en.buttons.other,
      en.buttons.animate,
      en.buttons.compare,
      en.buttons.delete,
      en.buttons.report,
    ]);

    const again = ann.press(made, en.buttons.again);
    await found(() => again.messages().find(({ id }) => id !== made.id), hasFile);

    const animate = ann.press(made, en.buttons.animate);
    expect((await animate.answered()).type).toBe(9);
    const before = setting.recorder.runs().length;
    const form = ann.submit(animate, { prompt: 'a slow zoom' });
    await form.answered();
    await holds(() => expect(setting.recorder.runs().length).toBe(before + 1));
    const run = setting.recorder.runs().at(-1);
    expect(run?.path).toBe('/v1/run/single_frame_video');
    expect(run?.body).toMatchObject({ prompt: 'a slow zoom' });

    ann.press(made, en.buttons.delete);
    await holds(() => expect(setting.discord.world.messages.has(made.id)).toBe(false));
  });
});

describe('filters are chosen from a menu under their pictures', () => {
  const entries = (message: Message): readonly string[] =>
    menuOf(message)?.options.map(({ label }) => label) ?? [];
  const bytesOf = (message: Message): Uint8Array => message.attachments[0]?.bytes ?? new Uint8Array();
  const lastRun = () => setting.recorder.runs().at(-1)?.body;
  const hasMenu = (message: Message): boolean => menuOf(message) !== undefined;
  /** Asks again until the pictures are there in time. */
  const withSheet = (send: () => Sent): Promise<Message> =>
    holds(async () => {
      const message = await found(send().message, hasMenu);
      if (message.attachments.length !== 1) throw new Error('no sheet yet');
      return message;
    });

  test('/filters: the next page replaces sheet and menu; the one chosen starts with a photo', async () => {
    const ann = setting.discord.newcomer('sheet1');
    const list = await withSheet(() => ann.slash('/filters'));
    expect(list.onlyFor).toBe(ann.user.id);
    const first = { entries: entries(list), bytes: bytesOf(list) };
    expect(first.entries).toHaveLength(25);
    expect(menuOf(list)?.placeholder).toBe(en.ask.menu);
    ann.press(list, '▶');
    await found(
      () => list,
      (message) => entries(message)[0] !== first.entries[0],
    );
    expect(list.attachments.length).toBeLessThanOrEqual(1);
    expect(bytesOf(list)).not.toEqual(first.bytes);
    const [chosen = ''] = entries(list);
    const press = ann.choose(list, chosen);
    expect((await press.answered()).type).toBe(9);
    const form = ann.submit(press, { photo: await photo() });
    const answer = () => form.messages().find(({ id }) => id !== list.id);
    const gender = await found(answer, (message) => buttons(message).includes('female'));
    ann.press(gender, 'female');
    await found(() => gender, hasFile);
    expect(lastRun()).toMatchObject({ filter_id: Number.parseInt(chosen, 10) });
    expect(entries(list)).toContain(chosen);
  });

  test.each([false, true])(
    'a question becomes the card, also after a restart (private: %s)',
    async (isPrivate) => {
      const ann = setting.discord.newcomer(`sheet2 ${isPrivate}`);
      const given = { photo: await photo(), gender: 'female', private: isPrivate };
      const question = await withSheet(() => ann.slash('/faceswap', given));
      expect(question.onlyFor).toBe(isPrivate ? ann.user.id : undefined);
      expect(buttons(question)).toContain(en.ask.open);
      await setting.crash();
      const chosen = entries(question)[4] ?? '';
      ann.choose(question, chosen);
      await found(() => question, hasFile);
      expect(await colourOf(bytesOf(question))).toBe(await colourOf(result));
      expect(lastRun()).toMatchObject({ filter_id: Number.parseInt(chosen, 10) });
    },
  );

  test('somebody else cannot choose, and a forged choice does nothing', async () => {
    const { discord } = setting;
    const ann = discord.newcomer('sheet3');
    const given = { photo: await photo(), gender: 'female' };
    const question = await found(ann.slash('/faceswap', given).message, hasMenu);
    const runs = setting.recorder.runs().length;
    const [chosen = ''] = entries(question);
    const told = (text: string, sent: Sent) =>
      found(() => sent.messages().find(({ id }) => id !== question.id), says(text));
    await told(en.press.notYours, discord.newcomer('stranger2').choose(question, chosen));
    for (const value of ['x'.repeat(100), 'nonsense', 'use:nothing:f:1']) {
      const menu = { type: 3, custom_id: 'tiles', options: [{ label: 'forged', value }] };
      const sent = ann.choose({ ...question, components: [{ components: [menu] }] }, 'forged');
      await told(en.press.stale, sent);
    }
    expect(entries(question)).toContain(chosen);
    expect(setting.recorder.runs().length).toBe(runs);
  });
});

describe('the result arrives after failures', () => {
  test('the service hangs: the first answer is immediate, and the result comes later', async () => {
    setting.hang(true);
    const sent = await swap(setting.discord.newcomer('bob2'));
    expect([4, 5]).toContain(sent.interaction.ack?.type);
    await found(sent.message, (message) => message.content !== '');
    setting.hang(false);
    await found(sent.message, (message) => hasFile(message) || buttons(message).includes(en.buttons.retry));
  });

  test('the card was deleted: it comes by direct message', async () => {
    setting.plan(() => ({ queuedMs: 0, runningMs: 1_500, result }));
    const bob = setting.discord.newcomer('bob3');
    const card = await found((await swap(bob)).message, isUnderWay);
    setting.discord.world.messages.delete(card.id);
    const made = await found(() => setting.discord.direct(bob)[0], hasFile);
    expect(says(en.notes.elsewhere)(made)).toBe(true);
  });
});

test('a result deleted before its edit is confirmed is not delivered elsewhere', async () => {
  const { discord } = setting;
  setting.plan(() => ({ queuedMs: 0, runningMs: 1_000, result }));
  const cat = discord.newcomer('cat1');
  const sent = await swap(cat);
  await found(sent.message, isUnderWay);
  // Every edit takes effect, and we hear of none.
  discord.fault({ method: 'PATCH', path: /messages/, kind: 'reset', after: true });
  const made = await found(sent.message, hasFile);
  cat.press(made, en.buttons.delete);
  await holds(() => expect(discord.world.messages.has(made.id)).toBe(false));
  discord.clearFaults();
  // The record goes right after the card.
  await holds(async () => {
    const list = await found(cat.slash('/jobs').message, ({ content }) => content !== '');
    expect(says(en.jobs.none)(list)).toBe(true);
  });
  // Long enough for an edit that was to be repeated: another job of the same person has come and gone.
  await found((await swap(cat)).message, hasFile);
  expect(discord.direct(cat)).toEqual([]);
});

test('the menu of a message: Swap face, with one form for filter and gender', async () => {
  const ann = setting.discord.newcomer('ann6');
  const post = setting.discord.newcomer('poster').post('look', [await photo('#a02020')]);
  const opened = await formOf(ann, ann.menu('Swap face', post));
  const form = ann.submit(opened, { 'filter~': 'Pop Art', gender: 'male' });
  await form.answered();
  await found(form.message, hasFile);
});

test('each person reads their own language', async () => {
  const anna = setting.discord.newcomer('anna');
  anna.locale = 'de';
  const made = await found((await swap(anna)).message, hasFile);
  expect(says(de.card.aiGenerated)(made)).toBe(true);
  expect(buttons(made)).toContain(de.buttons.again);
});

test('the commands that make no picture answer their caller', async () => {
  const ann = setting.discord.newcomer('ann8');
  for (const command of ['/help', '/jobs', '/usage', '/filters', '/privacy']) {
    const sent = ann.slash(command);
    await sent.answered();
    await found(sent.message, (message) => message.content !== '');
  }
});

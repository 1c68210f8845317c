import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { en } from '../../../src/words/en/words.ts';
import { holds } from '../../eventually.ts';
import { buttonsOf as buttons, menuOf } from '../../fakes/discord/components.ts';
import type { Sent } from '../../fakes/discord/people.ts';
import type { Message } from '../../fakes/discord/world.ts';
import { colourOf, flat, found, hasFile, openSetting, photo, type Setting } from './setting.ts';

/** Jobs and their cards. Interactions come by HTTP; other end-to-end tests have them from the gateway. */
let setting: Setting;
let result: Buffer;
beforeAll(async () => {
  result = await flat('#2060a0');
  setting = await openSetting({ queuedMs: 0, runningMs: 100, result }, 'HTTP');
});
afterAll(() => setting.close());
afterEach(() => {
  // Made once: what a first try gave reason for is not held against a second.
  expect(setting.discord.world.complaints.splice(0)).toEqual([]);
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
});

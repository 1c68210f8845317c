import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CardRef } from '../../../src/command/place.ts';
import type { View } from '../../../src/command/view.ts';
import type { AdapterDriver, Person, Seen, Stage } from './driver.ts';
import { jpeg, mp4 } from './pictures.ts';
import { createScriptedDesk, type ScriptedDesk } from './scripted-desk.ts';

const line = (text: string): View => ({ tone: 'info', lines: [text] });
const busy = (text: string, bar: number): View => ({
  tone: 'busy',
  title: 'Face swap',
  lines: [text],
  bar,
  buttons: [[{ action: 'cancel:1', label: 'Cancel', style: 'danger' }]],
});
const done = (bytes: Uint8Array, kind: 'image' | 'video' = 'image', spoiler = false): View => ({
  tone: 'done',
  lines: ['Took 3 s', 'AI-generated'],
  media: {
    kind,
    bytes,
    type: kind === 'image' ? 'image/jpeg' : 'video/mp4',
    name: kind === 'image' ? 'result.jpg' : 'result.mp4',
    as: 'inline',
    alt: 'A portrait',
    ...(spoiler ? { spoiler } : {}),
  },
  buttons: [
    [
      { action: 'again:1', label: 'Again' },
      { action: 'delete:1', label: 'Delete', style: 'danger' },
    ],
  ],
});

const soon = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

/** Text that tries everything: markup, links, mentions, headings, lists, code, emoji, direction marks. */
const hostile = [
  '@everyone <@123456789012345678> *b* _i_ ~~s~~ ||x|| `c` [a](https://evil.example) https://evil.example',
  '# big',
  '- item',
  '<b>bold</b> &amp; <a href="https://evil.example">x</a> \\ /start@other_bot #tag t.me/x',
].join(' ');

/** What every chat platform must do, seen from the people in front of it. */
export const adapterSuite = (driver: AdapterDriver): void => {
  describe(`adapter: ${driver.name}`, () => {
    let desk: ScriptedDesk;
    let stage: Stage;

    beforeEach(async () => {
      desk = createScriptedDesk();
      stage = await driver.start(desk);
    });
    afterEach(async () => {
      await stage.stop();
      expect(stage.complaints()).toEqual([]);
    });

    const last = async (person: Person, count: number): Promise<Seen> =>
      soon(async () => {
        const seen = await person.room();
        expect(seen).toHaveLength(count);
        return seen.at(-1) as Seen;
      });

    /** A job's card on the screen, and where the adapter says it is. */
    const openCard = async (isPrivate = false): Promise<{ card: CardRef; seen: Seen }> => {
      desk.replies({ kind: 'card', job: 'job-1', view: busy('Place in line: 2', 0), private: isPrivate });
      await stage.ann.type(
        '/faceswap',
        { filter: '12', ...(isPrivate ? { private: 'yes' } : {}) },
        await jpeg(),
      );
      const shown = await soon(() => {
        expect(desk.cards).toHaveLength(1);
        return desk.cards[0];
      });
      expect(shown?.job).toBe('job-1');
      if (shown === undefined) throw new Error('no card was reported');
      const seen = (
        isPrivate ? [...(await stage.ann.room()), ...(await stage.ann.inbox())] : await stage.ann.room()
      ).at(-1);
      return { card: shown.card, seen: seen as Seen };
    };

    test('a command is heard with its caller and place, and answered where it was typed', async () => {
      desk.replies({ kind: 'message', view: line('Hello there') });
      await stage.ann.type('/help');
      expect((await last(stage.ann, 1)).text).toContain('Hello there');
      const [heard] = desk.heard;
      expect(heard).toMatchObject({ via: 'command', what: 'help', place: stage.place });
      expect(heard?.caller).toMatchObject({ platform: stage.adapter.platform, id: stage.ann.caller.id });
      expect(await stage.bob.room()).toHaveLength(1);
    });

    test('two events never share their id', async () => {
      await stage.ann.type('/help');
      await stage.ann.type('/help');
      await soon(() => expect(desk.heard).toHaveLength(2));
      expect(desk.heard[0]?.event).not.toBe(desk.heard[1]?.event);
    });

    test('the card of a job is reported once it is visible, and becomes the result in place', async () => {
      const { card, seen } = await openCard();
      expect(seen.text).toContain('Place in line: 2');
      expect(seen.buttons).toEqual(['Cancel']);
      expect((await stage.adapter.draw(card, busy('About 5 s left', 0.5), 'cosmetic')).state).toBe('drawn');

      const bytes = await jpeg();
      const drawn = await stage.adapter.draw(card, done(bytes), 'final');
      const result = await last(stage.bob, 1);
      expect(result.id).toBe(seen.id);
      expect(result.text).toContain('AI-generated');
      expect(result.buttons).toEqual(['Again', 'Delete']);
      expect(result.media).toEqual({ kind: 'image', bytes, spoiler: false });
      expect(drawn.state).toBe('drawn');
    });

    test('a result can be had again as the photo of the next job', async () => {
      const { card } = await openCard();
      const bytes = await jpeg();
      const drawn = await stage.adapter.draw(card, done(bytes), 'final');
      const result = drawn.state === 'drawn' ? drawn.result : undefined;
      if (result === undefined || result.from === 'link') throw new Error('no result');
      expect(await stage.adapter.photo(result, 20_000_000, AbortSignal.timeout(20_000))).toEqual(bytes);
    });

    test('a final edit may be repeated: still one message with one picture', async () => {
      const { card } = await openCard();
      const bytes = await jpeg();
      await stage.adapter.draw(card, done(bytes), 'final');
      expect((await stage.adapter.draw(card, done(bytes), 'final')).state).toBe('drawn');
      expect((await last(stage.ann, 1)).media?.bytes).toEqual(bytes);
    });

    test('a video is shown as a video, a spoiler as a spoiler', async () => {
      const { card } = await openCard();
      await stage.adapter.draw(card, done(mp4(), 'video', true), 'final');
      expect((await last(stage.ann, 1)).media).toEqual({ kind: 'video', bytes: mp4(), spoiler: true });
    });

    test('the photo of a command can be fetched, and is refused when it is larger than allowed', async () => {
      const bytes = await jpeg();
      await stage.ann.type('/faceswap', { filter: '12' }, bytes);
      const heard = await soon(() => {
        expect(desk.heard).toHaveLength(1);
        return desk.heard[0];
      });
      const photo = heard?.photos[0];
      if (photo === undefined || photo.from === 'link') throw new Error('no photo');
      expect(await stage.adapter.photo(photo, bytes.byteLength, AbortSignal.timeout(20_000))).toEqual(bytes);
      await expect(
        stage.adapter.photo(photo, bytes.byteLength - 1, AbortSignal.timeout(20_000)),
      ).rejects.toThrow();
    });

    test('text can never act: no mention, no markup, no link', async () => {
      desk.replies({
        kind: 'message',
        view: { tone: 'info', title: hostile, lines: [hostile, [{ bold: hostile }], [{ quote: hostile }]] },
      });
      await stage.ann.type('/help');
      const seen = await last(stage.ann, 1);
      expect(seen.links).toEqual([]);
      expect(seen.mentions).toEqual([]);
      expect(seen.text.split(hostile).length - 1).toBe(4);
    });

    test('a button is heard from whoever pressed it; a note goes to them and changes nothing', async () => {
      const { seen } = await openCard();
      desk.replies({ kind: 'note', text: 'This button belongs to someone else.' });
      await stage.bob.press(seen, 'Cancel');
      const heard = await soon(() => {
        expect(desk.heard).toHaveLength(2);
        return desk.heard[1];
      });
      expect(heard).toMatchObject({ via: 'press', what: 'cancel:1', place: stage.place });
      expect(heard?.caller.id).toBe(stage.bob.caller.id);
      await soon(async () =>
        expect((await stage.bob.room()).map((each) => each.text).join()).toContain('someone else'),
      );
      const [card, ...rest] = await stage.ann.room();
      expect(card?.text).toContain('Place in line: 2');
      expect(rest).toEqual([]);
    });

    test('a button can replace its message, remove it, or lead to a new card', async () => {
      const { card, seen } = await openCard();
      desk.replies({
        kind: 'replace',
        view: { ...line('Sure?'), buttons: [[{ action: 'yes', label: 'Yes' }]] },
      });
      await stage.ann.press(seen, 'Cancel');
      const asked = await soon(async () => {
        const shown = await last(stage.ann, 1);
        expect(shown.text).toContain('Sure?');
        return shown;
      });
      expect(asked.id).toBe(seen.id);

      await stage.adapter.draw(card, done(await jpeg()), 'final');
      desk.replies({ kind: 'card', job: 'job-2', view: busy('Once more', 0), private: false });
      await stage.ann.press(await last(stage.ann, 1), 'Again');
      await soon(() => expect(desk.cards.map((each) => each.job)).toEqual(['job-1', 'job-2']));
      expect((await last(stage.ann, 2)).text).toContain('Once more');

      desk.replies({ kind: 'remove', note: 'Deleted.' });
      await stage.ann.press((await stage.ann.room())[0] as Seen, 'Delete');
      await soon(async () =>
        expect((await stage.bob.room()).map((each) => each.text).join()).not.toContain('Took 3 s'),
      );
    });

    test('what is missing is asked for, and the written answer comes back', async () => {
      desk.replies(
        {
          kind: 'ask',
          draft: 'draft1',
          questions: [{ option: 'prompt', label: 'What should happen', kind: 'text', max: 100 }],
          view: { tone: 'ask', title: 'Animate', lines: ['What should happen?'] },
          private: false,
        },
        { kind: 'card', job: 'job-9', view: busy('Place in line: 1', 0), private: false },
      );
      await stage.ann.type('/animate', {}, await jpeg());
      const question = await last(stage.ann, 1);
      expect(question.text).toContain('What should happen');
      await stage.ann.write(question, 'a slow zoom');
      const heard = await soon(() => {
        expect(desk.heard).toHaveLength(2);
        return desk.heard[1];
      });
      expect(heard?.via).toBe('answer');
      expect(heard?.line ?? heard?.given.prompt).toBe('a slow zoom');
      await soon(() => expect(desk.cards.map((each) => each.job)).toEqual(['job-9']));
    });

    test('a private card is for its caller alone', async () => {
      const { card, seen } = await openCard(true);
      expect(seen.text).toContain('Place in line: 2');
      expect((await stage.bob.room()).filter((each) => each.text.includes('Place in line'))).toEqual([]);
      await stage.adapter.draw(card, done(await jpeg()), 'final');
      expect((await stage.bob.room()).filter((each) => each.media !== undefined)).toEqual([]);
      const mine = [...(await stage.ann.room()), ...(await stage.ann.inbox())];
      expect(mine.filter((each) => each.media !== undefined)).toHaveLength(1);
    });

    test('a desk that takes its time is waited for', async () => {
      let answer: (reply: { kind: 'message'; view: View }) => void = () => {};
      desk.replies(
        new Promise((resolve) => {
          answer = resolve;
        }),
      );
      await stage.ann.type('/help');
      await soon(() => expect(desk.heard).toHaveLength(1));
      answer({ kind: 'message', view: line('At last') });
      expect((await last(stage.ann, 1)).text).toContain('At last');
    });

    test('a desk that breaks is answered for in words', async () => {
      desk.replies(new Error('secret detail'));
      await stage.ann.type('/help');
      const seen = await soon(async () => {
        const all = await stage.ann.room();
        expect(all.length).toBeGreaterThan(0);
        return all.at(-1);
      });
      expect(seen?.text).toContain('Something went wrong');
      expect(seen?.text).not.toContain('secret detail');
    });

    test('a card that was taken down is gone; erasing is harmless and may be repeated', async () => {
      const { card, seen } = await openCard();
      await stage.mod.takeDown(seen);
      expect((await stage.adapter.draw(card, busy('still', 0.6), 'final')).state).toBe('gone');
      await stage.adapter.erase(card);
      expect(await stage.ann.room()).toEqual([]);
    });

    test('erasing takes the message out of the room', async () => {
      const { card } = await openCard();
      await stage.adapter.erase(card);
      await stage.adapter.erase(card);
      expect(await stage.bob.room()).toEqual([]);
    });

    test('the bot can speak by itself: in the room, and to one person', async () => {
      expect((await stage.adapter.say({ place: stage.place }, line('For the log'))).state).toBe('drawn');
      expect((await last(stage.bob, 1)).text).toContain('For the log');
      await stage.ann.type('/help');
      await soon(() => expect(desk.heard).toHaveLength(1));
      await stage.adapter.say({ caller: stage.ann.caller }, line('Just for you'));
      expect((await stage.ann.inbox()).map((each) => each.text).join()).toContain('Just for you');
      expect(await stage.bob.inbox()).toEqual([]);
    });

    test('moderators are asked of the platform', async () => {
      expect(await stage.adapter.isModerator(stage.mod.caller, stage.place)).toBe(true);
      expect(await stage.adapter.isModerator(stage.ann.caller, stage.place)).toBe(false);
      const alone = {
        ...stage.place,
        community: `${stage.place.platform}:dm:${stage.ann.caller.id}`,
        direct: true,
      };
      expect(await stage.adapter.isModerator(stage.ann.caller, alone)).toBe(false);
    });

    test('connected and well; after the stop nothing is taken any more', async () => {
      expect(stage.adapter.trouble()).toBeUndefined();
      const { card } = await openCard();
      expect(stage.adapter.limits(card).imageBytes).toBeGreaterThan(1_000_000);
      await stage.adapter.stop();
      await stage.ann.type('/help').catch(() => undefined);
      expect(desk.heard).toHaveLength(1);
    });
  });
};

import { expect, test } from 'vitest';
import type { View } from '../../../src/command/view.ts';
import { holds } from '../../eventually.ts';
import type { Seen } from './driver.ts';
import { jpeg } from './pictures.ts';
import type { Scene } from './scene.ts';
import { busy, done, hostile, line } from './views.ts';

/** What people say and press, and what they get to see. */
export const conversationTests = (scene: Scene): void => {
  test('a command is received with caller and place, and answered where it was typed', async () => {
    scene.desk.replies({ kind: 'message', view: line('Hello there') });
    await scene.stage.ann.type('/help');
    expect((await scene.last(scene.stage.ann, 1)).text).toContain('Hello there');
    const [heard] = scene.desk.heard;
    expect(heard).toMatchObject({ via: 'command', what: 'help', place: scene.stage.place });
    expect(heard?.caller).toMatchObject({
      platform: scene.stage.adapter.platform,
      id: scene.stage.ann.caller.id,
    });
    expect(await scene.stage.bob.room()).toHaveLength(1);
  });

  test('every event has a unique id', async () => {
    await scene.stage.ann.type('/help');
    await scene.stage.ann.type('/help');
    await holds(() => expect(scene.desk.heard).toHaveLength(2));
    expect(scene.desk.heard[0]?.event).not.toBe(scene.desk.heard[1]?.event);
  });

  test('the photo of a command can be fetched, and is refused when it is larger than allowed', async () => {
    const bytes = await jpeg();
    await scene.stage.ann.type('/faceswap', { filter: '12' }, bytes);
    const heard = await holds(() => {
      expect(scene.desk.heard).toHaveLength(1);
      return scene.desk.heard[0];
    });
    const photo = heard?.photos[0];
    if (photo === undefined || !('ref' in photo)) throw new Error('no photo');
    expect(await scene.stage.adapter.photo(photo, bytes.byteLength, AbortSignal.timeout(20_000))).toEqual(
      bytes,
    );
    await expect(
      scene.stage.adapter.photo(photo, bytes.byteLength - 1, AbortSignal.timeout(20_000)),
    ).rejects.toThrow();
  });

  test('text has no effect: no mention, no markup, no link', async () => {
    scene.desk.replies({
      kind: 'message',
      view: { tone: 'info', title: hostile, lines: [hostile, [{ bold: hostile }], [{ quote: hostile }]] },
    });
    await scene.stage.ann.type('/help');
    const seen = await scene.last(scene.stage.ann, 1);
    expect(seen.links).toEqual([]);
    expect(seen.mentions).toEqual([]);
    expect(seen.text.split(hostile).length - 1).toBe(4);
  });

  test('a press is received with its person; a note goes to them and changes nothing', async () => {
    const { seen } = await scene.openCard();
    scene.desk.replies({ kind: 'note', text: 'This button belongs to someone else.' });
    await scene.stage.bob.press(seen, 'Cancel');
    const heard = await holds(() => {
      expect(scene.desk.heard).toHaveLength(2);
      return scene.desk.heard[1];
    });
    expect(heard).toMatchObject({ via: 'press', what: 'cancel:1', place: scene.stage.place });
    expect(heard?.caller.id).toBe(scene.stage.bob.caller.id);
    await holds(async () =>
      expect((await scene.stage.bob.room()).map((each) => each.text).join()).toContain('someone else'),
    );
    const [card, ...rest] = await scene.stage.ann.room();
    expect(card?.text).toContain('Place in line: 2');
    expect(rest).toEqual([]);
  });

  test('a button can replace its message, remove it, or lead to a new card', async () => {
    const { card, seen } = await scene.openCard();
    scene.desk.replies({
      kind: 'replace',
      view: { ...line('Sure?'), buttons: [[{ action: 'yes', label: 'Yes' }]] },
    });
    await scene.stage.ann.press(seen, 'Cancel');
    const asked = await holds(async () => {
      const shown = await scene.last(scene.stage.ann, 1);
      expect(shown.text).toContain('Sure?');
      return shown;
    });
    expect(asked.id).toBe(seen.id);

    await scene.stage.adapter.draw(card, done(await jpeg()), 'final');
    scene.desk.replies({ kind: 'card', job: 'job-2', view: busy('Once more', 0), private: false });
    await scene.stage.ann.press(await scene.last(scene.stage.ann, 1), 'Again');
    await holds(() => expect(scene.desk.cards.map((each) => each.job)).toEqual(['job-1', 'job-2']));
    expect((await scene.last(scene.stage.ann, 2)).text).toContain('Once more');

    scene.desk.replies({ kind: 'remove', note: 'Deleted.' });
    await scene.stage.ann.press((await scene.stage.ann.room())[0] as Seen, 'Delete');
    await holds(async () =>
      expect((await scene.stage.bob.room()).map((each) => each.text).join()).not.toContain('Took 3 s'),
    );
  });

  test('a missing option is asked for, and the written answer is received', async () => {
    scene.desk.replies(
      {
        kind: 'ask',
        draft: 'draft1',
        questions: [{ option: 'prompt', label: 'What should happen', kind: 'text', max: 100 }],
        view: { tone: 'ask', title: 'Animate', lines: ['What should happen?'] },
        private: false,
      },
      { kind: 'card', job: 'job-9', view: busy('Place in line: 1', 0), private: false },
    );
    await scene.stage.ann.type('/animate', {}, await jpeg());
    const question = await scene.last(scene.stage.ann, 1);
    expect(question.text).toContain('What should happen');
    await scene.stage.ann.write(question, 'a slow zoom');
    const heard = await holds(() => {
      expect(scene.desk.heard).toHaveLength(2);
      return scene.desk.heard[1];
    });
    expect(heard?.via).toBe('answer');
    expect(heard?.line ?? heard?.given.prompt).toBe('a slow zoom');
    await holds(() => expect(scene.desk.cards.map((each) => each.job)).toEqual(['job-9']));
  });

  test('a slow desk is waited for', async () => {
    let answer: (reply: { kind: 'message'; view: View }) => void = () => {};
    scene.desk.replies(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    await scene.stage.ann.type('/help');
    await holds(() => expect(scene.desk.heard).toHaveLength(1));
    answer({ kind: 'message', view: line('At last') });
    expect((await scene.last(scene.stage.ann, 1)).text).toContain('At last');
  });

  test('an error of the desk is answered with a message', async () => {
    scene.desk.replies(new Error('secret detail'));
    await scene.stage.ann.type('/help');
    const seen = await holds(async () => {
      const all = await scene.stage.ann.room();
      expect(all.length).toBeGreaterThan(0);
      return all.at(-1);
    });
    expect(seen?.text).toContain('Something went wrong');
    expect(seen?.text).not.toContain('secret detail');
  });

  test('the bot can send messages by itself: in the room, and to one person', async () => {
    expect((await scene.stage.adapter.say({ place: scene.stage.place }, line('For the log'))).state).toBe(
      'drawn',
    );
    expect((await scene.last(scene.stage.bob, 1)).text).toContain('For the log');
    await scene.stage.ann.type('/help');
    await holds(() => expect(scene.desk.heard).toHaveLength(1));
    await scene.stage.adapter.say({ caller: scene.stage.ann.caller }, line('Just for you'));
    expect((await scene.stage.ann.inbox()).map((each) => each.text).join()).toContain('Just for you');
    expect(await scene.stage.bob.inbox()).toEqual([]);
  });

  test('moderators are those of the platform', async () => {
    expect(await scene.stage.adapter.isModerator(scene.stage.mod.caller, scene.stage.place)).toBe(true);
    expect(await scene.stage.adapter.isModerator(scene.stage.ann.caller, scene.stage.place)).toBe(false);
    const alone = {
      ...scene.stage.place,
      community: `${scene.stage.place.platform}:dm:${scene.stage.ann.caller.id}`,
      direct: true,
    };
    expect(await scene.stage.adapter.isModerator(scene.stage.ann.caller, alone)).toBe(false);
  });

  test('is connected; after the stop nothing is accepted', async () => {
    expect(scene.stage.adapter.trouble()).toBeUndefined();
    const { card } = await scene.openCard();
    expect(scene.stage.adapter.limits(card).imageBytes).toBeGreaterThan(1_000_000);
    await scene.stage.adapter.stop();
    await scene.stage.ann.type('/help').catch(() => undefined);
    expect(scene.desk.heard).toHaveLength(1);
  });
};

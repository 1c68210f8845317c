import { expect } from 'vitest';
import { jpeg } from '../../../fakes/pictures.ts';
import type { Scene } from '../scene.ts';
import { busy, done, line } from '../views.ts';
import { type Cases, needing } from './cases.ts';

/** Messages that the rest of the program draws and sends: everything is asked twice, and by a process that took over. */

const textsOf = async (scene: Scene): Promise<readonly string[]> =>
  (await scene.bob.sees()).map(({ text }) => text);

export const drawCases: Cases = {
  'a card becomes the result in place': async (scene) => {
    const { card, seen } = await scene.openCard();
    const { adapter } = scene.stage;
    expect((await adapter.draw(card, busy('About 5 s left', 0.5), 'cosmetic')).state).toBe('drawn');
    expect((await scene.last(scene.bob, 1)).text).toContain('About 5 s left');

    const bytes = await jpeg();
    expect((await adapter.draw(card, done(bytes), 'final')).state).toBe('drawn');

    const result = await scene.last(scene.bob, 1);
    expect(result.id).toBe(seen.id);
    expect(result.text).toContain('AI-generated');
    expect(result.buttons).toEqual(['Again', 'Delete']);
    expect(result.media).toMatchObject({ kind: 'image', bytes, spoiler: false });
  },
  'a final edit that is repeated, also by another process, leaves one message with one picture': async (
    scene,
  ) => {
    const { card } = await scene.openCard();
    const bytes = await jpeg();
    for (const draw of [1, 2, 3]) {
      expect((await scene.stage.adapter.draw(card, done(bytes), 'final')).state).toBe('drawn');
      const seen = await scene.last(scene.ann, 1);
      expect(seen.media?.bytes).toEqual(bytes);
      expect(seen.buttons).toEqual(['Again', 'Delete']);
      if (draw === 2) await scene.stage.crash();
    }
  },
  'a card that a moderator took away is gone, for every edit': async (scene) => {
    const { card, seen } = await scene.openCard();
    await scene.mod.takesDown(seen);
    for (const importance of ['final', 'cosmetic', 'final'] as const)
      expect((await scene.stage.adapter.draw(card, busy('still', 0.6), importance)).state).toBe('gone');
    expect(await scene.ann.sees()).toEqual([]);
  },
  'while the platform is away an edit is for later, and then takes effect': needing(
    ['outages'],
    async (scene) => {
      const { card } = await scene.openCard();
      const { adapter } = scene.stage;
      const drawn = await scene.stage.outage(() => adapter.draw(card, busy('Unseen', 0.3), 'cosmetic'));

      expect(drawn.state).toBe('later');
      await scene.holds(async () => {
        const state = (await adapter.draw(card, busy('Back again', 0.5), 'final')).state;
        expect(state).toBe('drawn');
      });
      expect((await scene.last(scene.bob, 1)).text).toContain('Back again');
    },
  ),
};

export const sayCases: Cases = {
  'the bot can send messages by itself: in the room, and to one person': async (scene) => {
    const { adapter, place } = scene.stage;
    expect((await adapter.say({ place }, line('For the log'))).state).toBe('drawn');
    expect((await scene.last(scene.bob, 1)).text).toContain('For the log');

    await adapter.say({ caller: scene.ann.caller }, line('Just for you'));
    expect((await scene.ann.at('direct').sees()).map((each) => each.text).join()).toContain('Just for you');
    expect(await scene.bob.at('direct').sees()).toEqual([]);
    expect(await scene.bob.sees()).toHaveLength(1);
  },
  'the bot can send messages into a thread': needing(['threads'], async (scene) => {
    await scene.ann.at('thread').types({ command: 'help' });
    const { place } = await scene.heard(1);
    await scene.stage.adapter.say({ place }, line('For the thread'));

    expect((await scene.bob.at('thread').sees()).map(({ text }) => text).join()).toContain('For the thread');
    expect((await textsOf(scene)).join()).not.toContain('For the thread');
  }),
  'a message that the bot sent by itself can be edited and removed': async (scene) => {
    const { adapter, place } = scene.stage;
    const said = await adapter.say({ place }, line('Draft'));
    if (said.state !== 'drawn' || said.card === undefined) throw new Error('no card');
    await scene.stage.crash();
    await scene.stage.adapter.draw(said.card, line('Fair copy'), 'final');
    expect((await scene.last(scene.bob, 1)).text).toContain('Fair copy');

    await scene.stage.adapter.removeMessage(said.card);
    expect(await scene.bob.sees()).toEqual([]);
  },
  'a room that is gone, or somebody who cannot be reached, is no error': async (scene) => {
    const { adapter, nowhere, stranger, ann } = scene.stage;
    const share = { caller: ann.caller, job: `${scene.job}-nowhere` };
    for (const attempt of [1, 2]) {
      expect((await adapter.say({ place: nowhere }, line(`Attempt ${attempt}`))).state).toBe('gone');
      expect((await adapter.say({ place: nowhere }, line('Shared'), share)).state).toBe('gone');
      expect((await adapter.say({ caller: stranger }, line(`Attempt ${attempt}`))).state).toBe('gone');
    }
  },
  'a result that is shared again is the same message': needing(
    ['one message when shared again'],
    async (scene) => {
      const share = { caller: scene.ann.caller, job: `${scene.job}-shared` };
      const view = done(await jpeg());
      for (const attempt of [1, 2, 3]) {
        const said = await scene.stage.adapter.say({ place: scene.stage.place }, view, share);
        expect(said.state).toBe('drawn');
        expect(await scene.bob.sees()).toHaveLength(1);
        if (attempt === 2) await scene.stage.crash();
      }

      const other = { ...share, job: `${scene.job}-other` };
      await scene.stage.adapter.say({ place: scene.stage.place }, view, other);
      expect(await scene.bob.sees()).toHaveLength(2);
    },
  ),
};

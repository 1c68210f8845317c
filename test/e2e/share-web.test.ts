import { expect, it } from 'vitest';
import type { Message } from '../../src/adapters/web/outgoing/message.ts';
import { eventually } from '../eventually.ts';
import type { Browser } from '../fakes/web/browser.ts';
import { photo } from './stage/lines.ts';
import { colourOf } from './stage/pictures.ts';
import { describePlaygrounds, made } from './stage/playgrounds.ts';

const isShared = ({ view }: Message): boolean => JSON.stringify(view?.lines ?? []).includes('Shared by');
const labelsOf = ({ view }: Message): readonly string[] =>
  view?.buttons?.flat().map(({ label }) => label) ?? [];

describePlaygrounds('Share', ({ skipped, browserOf }) => {
  const sharedFor = async (browser: Browser): Promise<readonly Message[]> =>
    (await browser.messages('studio')).filter(isShared);
  const hidden = async (browser: Browser, room = 'studio'): Promise<Message> => {
    const before = (await browser.messages(room)).map(({ id }) => id);
    await browser.say(room, '/faceswap 3 female private=yes', [photo]);
    return eventually(
      async () =>
        (await browser.messages(room)).find(
          ({ id, view }) => !before.includes(id) && view?.media !== undefined,
        ),
      'the private result',
    );
  };
  const again = async (browser: Browser, { room, id }: Message): Promise<Message | undefined> =>
    (await browser.messages(room)).find((each) => each.id === id);

  it.skipIf(skipped)('shows it to the room once, whoever presses how often', async () => {
    const [ann, twin, bob, max] = await Promise.all([
      browserOf('ann'),
      browserOf('ann', 1),
      browserOf('bob', 1),
      browserOf('max', 1),
    ]);
    const result = await hidden(ann);
    expect(labelsOf(result)).toContain('Share');
    expect(labelsOf(await hidden(ann, 'dm-ann'))).not.toContain('Share');
    expect(await again(bob, result)).toBeUndefined();
    await eventually(
      async () => (await again(twin, result))?.view?.media !== undefined,
      'the twin to see it',
    );
    await Promise.all([ann, twin, ann, twin].map((browser) => browser.press(result, 'Share')));
    const [seen, ...more] = await sharedFor(bob);
    expect(more).toEqual([]);
    if (seen?.view?.media === undefined || seen.view.media.kind === 'link')
      throw new Error('It has no media.');
    const shown = await bob.ask(`/media/${seen.view.media.id}`);
    expect(await colourOf(Buffer.from(await shown.arrayBuffer()))).toEqual(await colourOf(made));
    expect(labelsOf(seen)).toEqual(['Delete', 'Report']);
    const after = await eventually(async () => {
      const card = await again(ann, result);
      return card !== undefined && !labelsOf(card).includes('Share') && card;
    }, 'the button to go');
    expect(after.view?.media?.kind).toBe('image');
    expect(await bob.press(seen, 'Delete')).toBe('This button belongs to someone else.');
    expect(await bob.press(seen, 'Report')).toContain('Thank you');
    await max.press(seen, 'Delete');
    await eventually(async () => (await sharedFor(ann)).length === 0, 'it to go');
    expect(await again(ann, result)).toBeDefined();
  });

  it.skipIf(skipped)('goes with everything else of its person', async () => {
    const [ann, bob] = await Promise.all([browserOf('ann'), browserOf('bob', 1)]);
    await ann.press(await hidden(ann), 'Share');
    await eventually(async () => (await sharedFor(bob)).length === 1, 'it to be shared');
    await ann.say('dm-ann', '/privacy');
    const press = async (label: string): Promise<void> => {
      const message = await eventually(
        async () => (await ann.messages('dm-ann')).find((each) => labelsOf(each).includes(label)),
        label,
      );
      await ann.press(message, label);
    };
    await press('Delete all my data');
    await press('Yes, delete everything');
    await eventually(async () => (await sharedFor(bob)).length === 0, 'it to go');
  });
});

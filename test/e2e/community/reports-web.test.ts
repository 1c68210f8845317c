import { expect, it } from 'vitest';
import type { Message } from '../../../src/adapters/web/outgoing/message.ts';
import { eventually } from '../../eventually.ts';
import type { Browser } from '../../fakes/web/browser.ts';
import { photo } from '../stage/lines.ts';
import { describePlaygrounds } from '../stage/playgrounds.ts';

const textOf = ({ view }: Message): string => JSON.stringify([view?.title, view?.lines]);
const labelsOf = ({ view }: Message): readonly string[] =>
  view?.buttons?.flat().map(({ label }) => label) ?? [];

describePlaygrounds('reports', ({ skipped, browserOf }) => {
  const find = async (browser: Browser, fits: (message: Message) => boolean, what: string) =>
    eventually(async () => (await browser.messages('studio')).find(fits), what);
  const isReport = (message: Message): boolean => textOf(message).includes('A result was reported');

  it.skipIf(skipped)('are decided once, whoever presses what at the same time', async () => {
    const [ann, bob, max, twin] = await Promise.all([
      browserOf('ann'),
      browserOf('bob', 1),
      browserOf('max'),
      browserOf('max', 1),
    ]);
    await max.say('studio', '/settings log here');
    await find(max, (message) => textOf(message).includes('go to this channel'), 'the log channel');
    await ann.say('studio', '/faceswap 3 female', [photo]);
    const card = await find(bob, ({ view }) => view?.media !== undefined, 'the result');
    expect(await bob.press(card, 'Report')).toContain('Thank you');
    const report = await find(max, isReport, 'the report');
    await find(twin, isReport, 'the report in the other tab');
    const labels = ['Remove result', 'Block person', 'Dismiss'];
    expect(labelsOf(report)).toEqual(labels);
    expect(await bob.press(report, 'Dismiss')).toContain('Only moderators');
    await Promise.all(labels.flatMap((label) => [max, twin].map((browser) => browser.press(report, label))));
    const after = await find(
      bob,
      (message) => isReport(message) && labelsOf(message).length === 0,
      'the decision',
    );
    const done = ['Result removed', 'Person blocked', 'Dismissed'].map((words) =>
      textOf(after).includes(`${words} by Max.`),
    );
    expect(done.filter((each) => each)).toHaveLength(1);
    // Exactly that was done, and nothing else.
    await max.say('studio', '/settings log');
    const trail = await find(max, (message) => textOf(message).includes('Latest entries'), 'the trail');
    const count = (what: string): number => textOf(trail).split(what).length - 1;
    expect(['moderator.delete', 'settings.block', 'moderator.dismiss'].map(count)).toEqual(done.map(Number));
    await eventually(
      async () =>
        (await bob.messages('studio')).some(({ id, view }) => id === card.id && view !== undefined) !==
        done[0],
      'the result to be as decided',
    );
  });
});

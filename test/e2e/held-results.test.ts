// @module-tag slow
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { suspiciousStripes } from '../fakes/content-pictures.ts';
import type { Person, Seen } from './stage/chat.ts';
import { swap } from './stage/lines.ts';
import { names, peopleOn, stage, useStage } from './stage/stage.ts';

/** Results that the model takes for nudity: every result of this service is a pattern of stripes. */

const stripes = await suspiciousStripes();

useStage({
  env: { FACE_CHECK: 'off', CONTENT_CHECK: 'on' },
  jobs: () => ({ queuedMs: 0, runningMs: 40, result: stripes }),
});

const picturesIn = (person: Person): number =>
  person.seenByAll().filter(({ media }) => media !== undefined).length;
const heldCard = (person: Person): Promise<Seen> => person.types(swap).says('a moderator looks at it first');
const isSeen = ({ media }: Seen): boolean => media !== undefined;

describe.each(names)('on %s', (name) => {
  it('a held result is seen by nobody but the moderator who looks, and shown once when they say so, across kills', async () => {
    const { ann, mod } = peopleOn(name, 'shown');
    const card = await heldCard(ann);
    expect(card.media).toBeUndefined();
    expect(card.buttons).toEqual(['Look', 'Delete']);
    const id = ann.actionOf(card, 'Look').split(':').at(-1) ?? '';

    await ann.presses(card, 'Look').says('moderators');
    await ann.forges(card, `held-show:${id}`).says('moderators');
    await stage.restart('kill');

    const seen = await mod.presses(card, 'Look').until(isSeen, 'the held result');
    expect(seen.private).toBe(true);
    expect(seen.buttons).toEqual(['Show', 'Remove']);
    expect(picturesIn(ann)).toBe(0);

    await mod.presses(seen, 'Show').says('on its card');
    await stage.restart('kill');
    const shown = await eventually(() => {
      const now = ann.again(card);
      return now !== undefined && isSeen(now) && now;
    }, 'the result on its card');
    expect(shown.text).toContain('AI-generated');
    expect(picturesIn(ann)).toBe(1);
    await mod.forges(shown, `held-remove:${id}`).says('decided before');
    expect(ann.again(card)?.media).toBeDefined();
  });

  it('a held result that is removed is shown to nobody, and the card says why', async () => {
    const { ann, mod } = peopleOn(name, 'removed');
    const card = await heldCard(ann);

    const seen = await mod.presses(card, 'Look').until(isSeen, 'the held result');
    await mod.presses(seen, 'Remove').says('It was removed');
    await eventually(() => ann.again(card)?.text.includes('A moderator removed this result'), 'the end');

    await stage.restart('kill');
    expect(picturesIn(ann)).toBe(0);
    await mod.forges(card, `held-show:${card.id}`).says('no longer exists');
  });
});

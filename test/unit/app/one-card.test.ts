import { expect, it } from 'vitest';
import { createHouse } from '../../fakes/house.ts';

it('two answers to one question at the same moment make one job, and one card of it', async () => {
  const house = await createHouse([], async () => false);
  try {
    const from = {
      caller: { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' },
      place: { platform: 'web', community: 'web:room', channel: 'room', direct: false },
    } as const;
    const photo = { from: 'web', ref: 'photo' } as const;
    const question = await house.desk.command({
      ...from,
      event: 'event-1',
      command: 'faceswap',
      given: { photo, gender: 'female' },
    });
    const buttons = 'view' in question ? (question.view.buttons ?? []).flat() : [];
    const [first, second] = buttons.flatMap((each) => ('action' in each ? [each.action] : []));
    const press = (event: string, action = '') => house.desk.press({ ...from, event, action });
    const replies = await Promise.all([press('event-2', first), press('event-3', second)]);
    expect(replies.map(({ kind }) => kind).toSorted()).toEqual(['card', 'note']);
    expect(house.errors).toEqual([]);
  } finally {
    await house.close();
  }
});

import { expect, it } from 'vitest';
import { holds } from '../../eventually.ts';
import { createTestCore } from '../../fakes/core.ts';

it('a card is shown only when its job would survive a power cut', async () => {
  const disk = Promise.withResolvers<void>();
  const core = await createTestCore({ onDisk: () => disk.promise });
  try {
    const events: string[] = [];
    const reply = core.desk
      .command({
        event: 'event-1',
        caller: { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' },
        place: { platform: 'web', community: 'web:room', channel: 'room', direct: false },
        command: 'faceswap',
        given: { photo: { from: 'web', ref: 'photo' }, prompt: 'a red balloon', gender: 'female' },
      })
      .then(({ kind }) => events.push(kind));
    await holds(async () => expect(await core.state(['web:room'])).toContain('"action":"job"'));
    events.push('on the disk');
    disk.resolve();
    await reply;
    expect(events).toEqual(['on the disk', 'card']);
  } finally {
    await core.close();
  }
});

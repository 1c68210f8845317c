import { describe, expect, test } from 'vitest';
import settings from '../../../commands/settings.ts';
import { readCard } from '../../../src/adapters/discord/payloads/card-ref.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { en } from '../../../src/words/en/words.ts';
import { picture, show, shown, stage, texts, until, useStage, view } from '../../fakes/discord/stage.ts';
import type { Message } from '../../fakes/discord/world.ts';

/** The entry Remove result in the menu of a message. */

useStage({ commands: [settings] });
const mod = () => stage.fake.user('mod');
const heard = () => stage.desk.heard.at(-1);

const buttonsOf = (...jobs: readonly string[]) => [
  jobs.map((job) => ({ action: `delete:${job}`, label: `Delete ${job}` })),
];
const result = (...jobs: readonly string[]): Reply => ({
  kind: 'result',
  job: 'job-1',
  audience: 'everyone',
  view: picture(new Uint8Array([1, 2, 3]), { buttons: buttonsOf(...jobs) }),
});
const form = async (message: Message) => {
  const sent = mod().menu('Remove result', message);
  expect((await sent.answered()).type).toBe(9);
  return sent;
};

describe('Remove result', () => {
  test('asks for the reason, and names the job and the message to the desk', async () => {
    const message = await show(result('job-1'));
    const sent = await form(message);
    stage.desk.replies({ kind: 'note', text: 'Removed' });

    const submitted = mod().submit(sent, { reason: 'she asked' });

    expect(texts([await shown(submitted)])).toEqual(['Removed']);
    expect(heard()).toMatchObject({
      via: 'command',
      what: 'settings',
      given: { result: 'job-1', reason: 'she asked' },
    });
    const { pressed } = heard() ?? {};
    expect(pressed && readCard(pressed).message).toBe(message.id);
  });

  test.each<[string, () => Promise<Message>]>([
    [
      'of a person',
      async () => mod().post('a photo', [{ name: 'a.png', type: 'image/png', bytes: new Uint8Array([1]) }]),
    ],
    [
      'without a picture',
      () => show({ ...result('job-1'), view: view('No picture', { buttons: buttonsOf('job-1') }) } as Reply),
    ],
    ['about several jobs', () => show(result('job-1', 'job-2'))],
    ['about no job', () => show(result())],
  ])('is refused on a message %s, and asks nothing', async (_, made) => {
    const message = await made();
    const before = stage.desk.heard.length;

    const sent = mod().menu('Remove result', message);

    expect(texts([await shown(sent)])).toEqual([en.removal.unknown]);
    expect(stage.desk.heard).toHaveLength(before);
  });

  test('does not name a message of somebody else, which a forged form can', async () => {
    const message = await show(result('job-1'));
    const others = mod().post('not yours to delete');
    const sent = await form(message);
    const data = sent.interaction.ack?.data as { custom_id: string };
    data.custom_id = data.custom_id.replace(message.id, others.id);
    stage.desk.replies({ kind: 'note', text: 'Removed' });

    mod().submit(sent, { reason: 'she asked' });

    await until(() => expect(heard()).toMatchObject({ given: { result: 'job-1' } }));
    expect(heard()).not.toHaveProperty('pressed');
  });
});

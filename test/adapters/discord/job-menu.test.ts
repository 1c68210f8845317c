import { expect, test } from 'vitest';
import settings from '../../../commands/settings.ts';
import { readCard } from '../../../src/adapters/discord/payloads/card-ref.ts';
import type { Reply } from '../../../src/command/reply.ts';
import { en } from '../../../src/words/en/words.ts';
import { picture, show, shown, stage, texts, until, useStage, view } from '../../fakes/discord/stage.ts';
import type { Message } from '../../fakes/discord/world.ts';

useStage({ commands: [settings] });

const mod = () => stage.fake.user('mod');
const heard = () => stage.desk.heard.at(-1);

const deleteButtons = (...jobs: readonly string[]) => [
  jobs.map((job) => ({ action: `delete:${job}`, label: `Delete ${job}` })),
];

/** A message whose buttons name these jobs. */
const result = (...jobs: readonly string[]): Reply => ({
  kind: 'result',
  job: 'job-1',
  audience: 'everyone',
  view: picture(new Uint8Array([1, 2, 3]), { buttons: deleteButtons(...jobs) }),
});

/** A moderator chooses Remove result in the menu of the message. */
const openForm = async (message: Message) => {
  const sent = mod().usesMenu('Remove result', message);
  expect((await sent.answered()).type).toBe(9);
  return sent;
};

test('Remove result in the menu of a message asks for the reason, and names the job and the message to the desk', async () => {
  const message = await show(result('job-1'));
  const sent = await openForm(message);
  stage.desk.replies({ kind: 'note', text: 'Removed' });

  const submitted = mod().submits(sent, { reason: 'she asked' });

  expect(texts([await shown(submitted)])).toEqual(['Removed']);
  expect(heard()).toMatchObject({
    via: 'command',
    what: 'settings',
    given: { result: 'job-1', reason: 'she asked' },
  });
  const { pressed } = heard() ?? {};
  expect(pressed && readCard(pressed).message).toBe(message.id);
});

test.each<{ what: string; made: () => Promise<Message> }>([
  {
    what: 'of a person',
    made: async () =>
      mod().posts('a photo', [{ name: 'a.png', type: 'image/png', bytes: new Uint8Array([1]) }]),
  },
  {
    what: 'without a picture',
    made: () =>
      show({ ...result('job-1'), view: view('No picture', { buttons: deleteButtons('job-1') }) } as Reply),
  },
  { what: 'about several jobs', made: () => show(result('job-1', 'job-2')) },
  { what: 'about no job', made: () => show(result()) },
])('Remove result is refused on a message $what, and asks nothing', async ({ made }) => {
  const message = await made();
  const before = stage.desk.heard.length;

  const sent = mod().usesMenu('Remove result', message);

  expect(texts([await shown(sent)])).toEqual([en.removal.unknown]);
  expect(stage.desk.heard).toHaveLength(before);
});

test('Remove result does not name a message of somebody else, which a forged form can', async () => {
  const message = await show(result('job-1'));
  const others = mod().posts('not yours to delete');
  const sent = await openForm(message);
  const data = sent.interaction.ack?.data as { custom_id: string };
  data.custom_id = data.custom_id.replace(message.id, others.id);
  stage.desk.replies({ kind: 'note', text: 'Removed' });

  mod().submits(sent, { reason: 'she asked' });

  await until(() => expect(heard()).toMatchObject({ given: { result: 'job-1' } }));
  expect(heard()).not.toHaveProperty('pressed');
});

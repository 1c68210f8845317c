/** Who is told that a result is held for its content. */
import { expect, it } from 'vitest';
import { createHeldNotices } from '../../../../src/app/notices/held-notices.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import type { Caller } from '../../../../src/command/place.ts';
import type { DrawOutcome } from '../../../../src/command/reply.ts';
import type { View } from '../../../../src/command/view.ts';
import { languages } from '../../../../src/words/words.ts';
import { idleAdapter } from '../../../fakes/adapter.ts';
import { buttonsOf, viewText } from '../../../fakes/call.ts';
import type { JobFields } from '../../../fakes/job.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';

const owner = (platform: Caller['platform'], id: string): Caller => ({
  platform,
  id,
  name: id,
  locale: 'fr',
});
const near = owner('discord', 'near');
const far = owner('telegram', 'far');

const opened = ({
  post = async () => true,
  say = () => ({ state: 'drawn' }),
}: {
  readonly post?: () => Promise<boolean>;
  readonly say?: (to: Caller) => DrawOutcome;
} = {}) => {
  const posted: View[] = [];
  const told: string[] = [];
  const tell = createHeldNotices({
    platforms: {
      ...createPlatformRegistry([
        { ...idleAdapter, platform: 'discord', link: () => 'https://chat.example/1' },
      ]),
      async say(to) {
        if (!('caller' in to)) return { state: 'gone' };
        told.push(to.caller.id);
        return say(to.caller);
      },
    },
    owners: { people: [far, near], words: languages.fr },
    wordsIn: async () => languages.de,
    channel: {
      async post(_, view) {
        posted.push(view);
        return post();
      },
    },
  });
  return { posted, told, tell };
};
const held = (more: JobFields = {}) =>
  sampleJob({ ...more, state: 'held', card: { platform: 'discord', ref: 'card' } });

it('the log channel is told of a held result in its language, with a link and Look, and without the prompt', async () => {
  const { posted, told, tell } = opened();

  await tell(held());

  const [view] = posted;
  expect(view && viewText(view)).toContain(languages.de.held.notice);
  expect(view && viewText(view)).not.toContain('a secret wish');
  expect(JSON.stringify(view)).toContain('https://chat.example/1');
  expect(view?.media).toBeUndefined();
  const buttons = view && buttonsOf({ kind: 'message', audience: 'everyone', view });
  expect(buttons?.map(({ action }) => action.split(':')[0])).toEqual(['held-look']);
  expect(told).toEqual([]);
});

it('the notice of a held result says whether it is another picture than the one that a moderator has shown', async () => {
  const { posted, tell } = opened();

  await tell(held());
  await tell(held({ cleared: 1 }));

  const [first = '', second = ''] = posted.map(viewText);
  expect(first).not.toContain(languages.de.held.changed);
  expect(second).toContain(languages.de.held.changed);
});

it.each([
  { what: 'there is none', post: async () => false },
  { what: 'it takes no message', post: () => Promise.reject(new Error('no permission')) },
])(
  'without the log channel, because $what, the owners on that platform are told of a held result',
  async ({ post }) => {
    const { told, tell } = opened({ post });

    await tell(held());

    expect(told).toEqual(['near']);
  },
);

it('owners elsewhere are told of a held result where those on its platform cannot be', async () => {
  const { told, tell } = opened({
    post: async () => false,
    say: ({ id }) => (id === 'near' ? { state: 'gone' } : { state: 'drawn' }),
  });

  await tell(held());

  expect(told).toEqual(['near', 'far']);
});

it('the notice rejects, so that it is sent again, where an owner can be told later', async () => {
  const { tell } = opened({ post: async () => false, say: () => ({ state: 'later', afterMs: 1_000 }) });

  await expect(tell(held())).rejects.toThrow('later');
});

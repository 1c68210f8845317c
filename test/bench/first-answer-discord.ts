/**
 * How soon does a person get the first answer when a hundred commands a second arrive? The whole program, its jobs
 * written down and a generation service that never finishes any, beside a bare discord.js bot that only acknowledges.
 * They take turns, so that a busy moment of this machine hits both alike.
 *
 *   npm run bench -- first-answer-discord [commands a second] [seconds]
 */
import { jpeg } from '../contract/adapter/pictures.ts';
import { createFakeDiscord, type FakeDiscord } from '../fakes/discord/discord.ts';
import { people, runContest } from './first-answer/contest.ts';
import type { Crowd } from './first-answer/load.ts';

const photo = { name: 'me.jpg', type: 'image/jpeg', bytes: await jpeg() };
const bare = await createFakeDiscord();
const ours = await createFakeDiscord();

/** Where "thinking…" was the first answer, the card takes its place. */
const cardsOf = (fake: FakeDiscord): Pick<Crowd, 'onCard'> => ({
  onCard(tell) {
    fake.world.thought = ({ id }) => tell(id);
  },
});

const crowdAt = (fake: FakeDiscord): Crowd => {
  let next = 0;
  return {
    say() {
      const person = fake.user(`p${next++ % people}`);
      return person.slash('/faceswap', { photo, filter: '12', gender: 'female' }).interaction.id;
    },
    onAnswer(tell) {
      fake.world.answered = ({ id }) => tell(id);
    },
  };
};

await runContest({
  platform: 'Discord',
  bare: { name: 'bare discord.js', file: 'bare-discord.ts', args: [bare.token, bare.api] },
  settings: {
    DISCORD_TOKEN: ours.token,
    DISCORD_API_URL: ours.api,
    DISCORD_CDN_HOSTS: ours.cdnHost,
  },
  crowds: { bare: crowdAt(bare), ours: { ...crowdAt(ours), ...cardsOf(ours) } },
});
for (const complaint of new Set(ours.world.complaints)) process.stdout.write(`complaint: ${complaint}\n`);
await Promise.all([bare.stop(), ours.stop()]);

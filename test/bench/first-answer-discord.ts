/**
 * How soon does a person get the first answer when a hundred commands a second arrive? The whole program, its jobs
 * written down and a generation service that never finishes any, beside a bare discord.js bot that only acknowledges.
 * They take turns, so that a busy moment of this machine hits both alike.
 *
 *   npm run bench -- first-answer-discord [commands a second] [seconds]
 */

import { createFakeDiscord, type FakeDiscord } from '../fakes/discord/discord.ts';
import { jpeg } from '../fakes/pictures.ts';
import { people, runContest, spawnBeside, startDarkroom } from './first-answer/contest.ts';
import type { Crowd } from './first-answer/load.ts';

const photo = { name: 'me.jpg', type: 'image/jpeg', bytes: await jpeg() };
await using opened = new AsyncDisposableStack();
const bare = await createFakeDiscord();
opened.defer(bare.stop);
const ours = await createFakeDiscord();
opened.defer(ours.stop);

/** Tells when the card has taken the place of "thinking…", which is the first answer to some commands. */
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
      return person.types('/faceswap', { photo, filter: '12', gender: 'female' }).interaction.id;
    },
    onAnswer(tell) {
      fake.world.answered = ({ id }) => tell(id);
    },
  };
};

await spawnBeside(opened, 'bare-discord.ts', [bare.token, bare.api]);

const program = await startDarkroom(opened, {
  DISCORD_TOKEN: ours.token,
  DISCORD_API_URL: ours.api,
  DISCORD_CDN_HOSTS: ours.cdnHost,
});

await runContest('Discord', [
  { name: 'bare discord.js', crowd: crowdAt(bare) },
  { name: 'Darkroom', crowd: { ...crowdAt(ours), ...cardsOf(ours) }, programs: [program] },
]);

for (const complaint of new Set(ours.world.complaints)) process.stdout.write(`complaint: ${complaint}\n`);

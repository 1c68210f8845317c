/**
 * How soon does a person get the first answer when a hundred commands a second arrive? The whole program, its jobs
 * written down and a generation service that never finishes any, beside a bare grammY bot that only answers with a
 * word. They take turns, so that a busy moment of this machine hits both alike.
 *
 *   npm run bench -- first-answer-telegram [commands a second] [seconds]
 */
import { jpeg } from '../contract/adapter/pictures.ts';
import { createFakeTelegram, type FakeTelegram } from '../fakes/telegram/telegram.ts';
import { people, runContest } from './first-answer/contest.ts';
import type { Crowd } from './first-answer/load.ts';

const photo = await jpeg();
const bare = await createFakeTelegram({ flood: 'off' });
const ours = await createFakeTelegram({ flood: 'off' });

const crowdAt = (fake: FakeTelegram): Crowd => {
  const crowd = Array.from({ length: people }, (_, index) => fake.person(`P${index}`));
  let next = 0;
  return {
    say() {
      const person = crowd[next++ % crowd.length];
      person?.says(person.chat, '/faceswap 12 female', { photo });
      return String(person?.user.id);
    },
    onAnswer(tell) {
      fake.onCall(({ method, values }) => {
        if (method === 'sendMessage') tell(String(values.chat_id));
      });
    },
  };
};

await runContest({
  platform: 'Telegram',
  bare: { name: 'bare grammY', file: 'bare-grammy.ts', args: [bare.token, bare.url] },
  settings: { TELEGRAM_TOKEN: ours.token, TELEGRAM_API_URL: ours.url },
  crowds: { bare: crowdAt(bare), ours: crowdAt(ours) },
});
await Promise.all([bare.stop(), ours.stop()]);

/**
 * How soon does a person get the first answer when a hundred commands a second arrive? The whole program, its jobs
 * written down and a generation service that never finishes any, beside a bare grammY bot that only answers with a
 * word. They take turns, so that a busy moment of this machine hits both alike.
 *
 *   npm run bench -- first-answer-telegram [commands a second] [seconds]
 */
import { createFakeTelegram } from '../fakes/telegram/telegram.ts';
import { runContest } from './first-answer/contest.ts';
import { crowdAt } from './first-answer/telegram-crowd.ts';

const bare = await createFakeTelegram({ flood: 'off' });
const ours = await createFakeTelegram({ flood: 'off' });

await runContest({
  platform: 'Telegram',
  bare: { name: 'bare grammY', file: 'bare-grammy.ts', args: [bare.token, bare.url] },
  settings: { TELEGRAM_TOKEN: ours.token, TELEGRAM_API_URL: ours.url },
  crowds: { bare: crowdAt(bare), ours: crowdAt(ours) },
});
await Promise.all([bare.stop(), ours.stop()]);

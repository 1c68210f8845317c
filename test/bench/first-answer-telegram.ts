/**
 * How soon does a person get the first answer when a hundred commands a second arrive? The whole program, its jobs
 * written down and a generation service that never finishes any, beside a bare grammY bot that only answers with a
 * word. They take turns, so that a busy moment of this machine hits both alike.
 *
 *   npm run bench -- first-answer-telegram [commands a second] [seconds]
 */
import { createFakeTelegram } from '../fakes/telegram/telegram.ts';
import { runContest, spawnBeside, startDarkroom } from './first-answer/contest.ts';
import { crowdAt } from './first-answer/telegram-crowd.ts';

await using opened = new AsyncDisposableStack();
const bare = await createFakeTelegram({ flood: 'off' });
opened.defer(bare.stop);
const ours = await createFakeTelegram({ flood: 'off' });
opened.defer(ours.stop);
await spawnBeside(opened, 'bare-grammy.ts', [bare.token, bare.url]);
const program = await startDarkroom(opened, { TELEGRAM_TOKEN: ours.token, TELEGRAM_API_URL: ours.url });

await runContest('Telegram', [
  { name: 'bare grammY', crowd: crowdAt(bare) },
  { name: 'Darkroom', crowd: crowdAt(ours), programs: [program] },
]);

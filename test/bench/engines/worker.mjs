import { setTimeout } from 'node:timers/promises';

/** One process of an engine under test: `node worker.mjs ENGINE OPTIONS`, told what to do by its parent. */
const [engine, options] = [process.argv[2], JSON.parse(process.argv[3])];
const { seed, work } = await import(`./${engine}.mjs`);

const BODY_BYTES = 700;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

const body = () => `${Math.random()}`.padEnd(BODY_BYTES, 'x');
const pause = () => FIRST_PAUSE_MS + Math.random() * (LONGEST_PAUSE_MS - FIRST_PAUSE_MS);
let steps;

/** Notes how late the step is; returns, `holdMs` later, when the next one is due, and what is to be written. */
const step = async (due, id) => {
  const now = Date.now();
  steps?.push(now - due);
  if (options.holdMs !== undefined) {
    process.send({ began: id });
    await setTimeout(options.holdMs);
    process.send({ ended: id });
  }
  return { due: Math.round(Date.now() + pause()), body: body() };
};

process.on('message', (message) => {
  if (message === 'measure') steps = [];
  else if (message === 'report') process.send({ steps });
});
process.on('disconnect', () => process.exit());

if (options.seed !== undefined) {
  const now = Date.now();
  const jobs = Array.from({ length: options.seed }, (_, id) => ({
    id,
    due: Math.round(now + pause()),
    body: body(),
  }));
  await seed(options, jobs);
  process.exit();
}
await work(options, step);
process.send('ready');

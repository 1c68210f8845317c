/**
 * When do cards and results come in a group that Telegram pauses again and again? Twenty people begin twenty jobs a minute there, eight of
 * them at random moments and twelve at once. Telegram accepts twenty messages in any minute and four in any three seconds, and
 * twenty edits in any minute. A result comes five seconds after its card. Time is simulated in steps of a millisecond, for the
 * timers of Bottleneck, too. With the folder of another version of Darkroom, both get the same jobs.
 *
 *   npm run bench -- busy-group [FOLDER] [minutes]
 */
import { existsSync } from 'node:fs';
import { mock } from 'node:test';
import { pathToFileURL } from 'node:url';

const [folder, minutesGiven = '12'] = process.argv.slice(2);
const minutes = Number(minutesGiven);
const GROUP = -1005;
const MINUTE_MS = 60_000;
const PER_MINUTE = 20;
const PEOPLE = 20;
const BURST = 12;
const JOB_MS = 5_000;
/** How long a call takes there and back. */
const CALL_MS = { least: 40, most: 120 };
const SEEDS = [1, 2, 3, 4, 5];

interface Limit {
  readonly most: number;
  readonly withinMs: number;
}

const PER_MINUTE_LIMIT: Limit = { most: PER_MINUTE, withinMs: MINUTE_MS };
const MESSAGE_LIMITS: readonly Limit[] = [PER_MINUTE_LIMIT, { most: 4, withinMs: 3_000 }];

type Budgets = typeof import('../../src/adapters/telegram/rate-limits/budget.ts');
type ChatQueues = typeof import('../../src/adapters/telegram/rate-limits/chat-queue.ts');
type Faults = typeof import('../../src/adapters/telegram/api/fault.ts');
type Clocks = typeof import('../../src/base/clock.ts');

async function load(root: URL) {
  const from = (path: string): Promise<never> => import(new URL(`src/${path}`, root).href) as Promise<never>;
  // Older versions have them in another folder.
  const isNew = existsSync(new URL('src/adapters/telegram/rate-limits', root));
  const place = `adapters/telegram/${isNew ? 'rate-limits' : 'outgoing'}`;
  const { createBudget }: Budgets = await from(`${place}/budget.ts`);
  const { createChatQueue }: ChatQueues = await from(`${place}/chat-queue.ts`);
  const { TelegramFault }: Faults = await from('adapters/telegram/api/fault.ts');
  const { createSystemClock }: Clocks = await from('base/clock.ts');
  return { createBudget, createChatQueue, TelegramFault, createSystemClock };
}

type Version = Awaited<ReturnType<typeof load>>;

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const pass = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Resolves to undefined when a call was accepted, or else to how long Telegram asks to wait. */
function createFakeMethod(limits: readonly Limit[], seed: number) {
  const random = createRandom(seed);
  const accepted: number[] = [];
  const halfACall = (): Promise<void> =>
    pass((CALL_MS.least + random() * (CALL_MS.most - CALL_MS.least)) / 2);
  return async (): Promise<number | undefined> => {
    await halfACall();
    const now = Date.now();
    const waitMs = Math.max(
      ...limits.map(({ most, withinMs }) => (accepted.at(-most) ?? -withinMs) + withinMs - now),
    );
    if (waitMs <= 0) accepted.push(now);
    await halfACall();
    // Telegram says it in whole seconds.
    return waitMs > 0 ? Math.ceil(waitMs / 1_000) * 1_000 : undefined;
  };
}

/** When each job is begun, and by whom, in order. */
function jobsOf(seed: number) {
  const random = createRandom(seed);
  const ofMinute = (minute: number) => {
    const burst = random() * MINUTE_MS;
    return Array.from({ length: PER_MINUTE }, (_, index) => ({
      at: Math.floor(minute * MINUTE_MS + (index < BURST ? burst : random() * MINUTE_MS)),
      person: String(Math.floor(random() * PEOPLE)),
    }));
  };
  return Array.from({ length: minutes }, (_, minute) => ofMinute(minute))
    .flat()
    .toSorted((one, other) => one.at - other.at);
}

/** A group behind one version of the queue and the budget. Each delay is from the moment at which something could be shown until it is. */
function openGroup(
  { createBudget, createChatQueue, TelegramFault, createSystemClock }: Version,
  seed: number,
) {
  const clock = createSystemClock(Date.now, Date.now);
  const budget = createBudget(clock, () => 1);
  const send = createChatQueue({ budget, clock, stop: new AbortController().signal });
  const message = createFakeMethod(MESSAGE_LIMITS, seed);
  const edit = createFakeMethod([PER_MINUTE_LIMIT], seed);
  const cards: number[] = [];
  const results: number[] = [];
  let refused = 0;
  let open = 0;

  const showCard = async (): Promise<void> => {
    const retryAfterMs = await message();
    if (retryAfterMs === undefined) return;
    refused += 1;
    throw new TelegramFault('sendMessage', 'rate-limited', '429', { retryAfterMs });
  };
  const showResult = async (): Promise<void> => {
    for (;;) {
      const passage = await budget.pass(GROUP, 'final');
      if (typeof passage === 'object') await pass(passage.laterMs);
      if (passage !== 'go') continue;
      const retryAfterMs = await edit();
      if (retryAfterMs === undefined) return;
      refused += 1;
      budget.pause(GROUP, retryAfterMs);
    }
  };
  const run = async (person: string): Promise<void> => {
    const begun = Date.now();
    await send(GROUP, showCard, { person });
    cards.push(Date.now() - begun);
    await pass(JOB_MS);
    const done = Date.now();
    await showResult();
    results.push(Date.now() - done);
  };
  return {
    cards,
    results,
    refused: () => refused,
    isDone: () => open === 0,
    begin(person: string): void {
      open += 1;
      run(person).finally(() => {
        open -= 1;
      });
    },
  };
}

const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

async function simulate(seed: number, all: readonly Version[]) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 0, 5) });
  const groups = all.map((version) => openGroup(version, seed));
  const jobs = jobsOf(seed);
  const begun = Date.now();
  while (jobs.length > 0 || groups.some((group) => !group.isDone())) {
    for (let [job] = jobs; job !== undefined && job.at <= Date.now() - begun; [job] = jobs) {
      for (const group of groups) group.begin(job.person);
      jobs.shift();
    }
    await settle();
    mock.timers.tick(1);
  }
  mock.timers.reset();
  return groups;
}

const versions: { readonly name: string; readonly version: Version }[] = [];
if (folder !== undefined)
  versions.push({ name: 'the other', version: await load(pathToFileURL(`${folder}/`)) });
versions.push({ name: 'this version', version: await load(new URL('../../', import.meta.url)) });

const rounds: Awaited<ReturnType<typeof simulate>>[] = [];

for (const seed of SEEDS) {
  rounds.push(
    await simulate(
      seed,
      versions.map(({ version }) => version),
    ),
  );
}

const write = (line: string): void => void process.stdout.write(`${line}\n`);
write('| | refused calls | | p50 s | p90 s | p99 s | mean s |');
write('|---|---:|---|---:|---:|---:|---:|');

for (const [index, { name }] of versions.entries()) {
  const groups = rounds.flatMap((round) => round[index] ?? []);
  const refused = groups.reduce((sum, group) => sum + group.refused(), 0);
  for (const what of ['cards', 'results'] as const) {
    const delays = groups.flatMap((group) => group[what]).toSorted((one, other) => one - other);
    const seconds = (ms = Number.NaN): string => (ms / 1_000).toFixed(2);
    const part = (share: number): string => seconds(delays[Math.ceil(delays.length * share) - 1]);
    const mean = seconds(delays.reduce((sum, each) => sum + each, 0) / delays.length);
    write(`| ${name} | ${refused} | ${what} | ${part(0.5)} | ${part(0.9)} | ${part(0.99)} | ${mean} |`);
  }
}

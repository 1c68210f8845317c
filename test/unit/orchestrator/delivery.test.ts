/** The end of a job on its card. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createByteBudgets, createResultsInMemory } from '../../../src/orchestrator/engine/memory.ts';
import { platformGoesAway } from '../../fakes/away-platform.ts';
import {
  crowd,
  DAY,
  failedFor,
  failing,
  HOUR,
  MINUTE,
  never,
  openWorld,
  png,
  video,
  world,
} from '../../fakes/orchestrator-world.ts';

beforeEach(() => openWorld({ sweep: async () => false }));

const shown = { state: 'done', settled: true, charge: 'spent' };
const drawn = { state: 'drawn' } as const;
const elsewhere = ({ id }: { readonly id: string }) => ({ platform: 'web', ref: `elsewhere-${id}` });

describe('a photo that is blocked while the result is made', () => {
  const blocked = { state: 'failed', failure: { code: 'photo-blocked' }, charge: 'returned' };

  it('the result is shown nowhere, and costs nothing', async () => {
    const job = await world.submitAndPass(1_000);
    expect(await world.stateOf(job)).toBe('running');

    world.script.isBlocked = async () => true;
    await world.pass(2 * MINUTE);

    expect(await world.jobOf(job)).toMatchObject(blocked);
    expect(world.drawings.filter(({ withResult }) => withResult)).toEqual([]);
    expect(await world.credits()).toEqual({ reserved: 0, spent: 0 });
  });

  it('a result that waits for its card is not shown any more', async () => {
    world.onFinalEdit(() => ({ state: 'later', afterMs: 20_000 }));
    const job = await world.submitAndPass(30_000);
    expect(await world.stateOf(job)).toBe('delivering');

    world.script.isBlocked = async () => true;
    world.onFinalEdit(() => drawn);
    await world.pass(2 * MINUTE);

    expect(await world.jobOf(job)).toMatchObject(blocked);
    expect(world.endsShown(job)).toEqual(['failed']);
  });
});

describe('the card', () => {
  it('the card says that the result is on its way while it cannot be fetched', async () => {
    world.onFinalEdit(() => ({ state: 'unfetched', slow: false }));
    const job = await world.submitAndPass(2 * MINUTE);

    expect(await world.stateOf(job)).toBe('delivering');

    const last = world.drawings.filter(({ id }) => id === job.id).at(-1);
    expect(last).toMatchObject({ state: 'delivering', importance: 'cosmetic', withResult: false });
  });

  it('the card is tried again when the platform asks to wait or the edit fails', async () => {
    let tries = 0;
    world.onFinalEdit(() => {
      tries += 1;
      if (tries === 1) return { state: 'later', afterMs: 20_000 };
      if (tries < 4) throw new Error('socket hang up');
      return drawn;
    });
    const job = await world.submitAndPass(2 * MINUTE);

    expect(world.endsShown(job)).toEqual(['done']);
    expect(world.runs).toHaveLength(1);
  });

  it.each([
    { what: 'with a result', prepare: () => undefined },
    { what: 'with a failure', prepare: () => (world.script.onRun = failing('refused', false)) },
  ])('the card $what is not edited before the time that the platform asks for', async ({ prepare }) => {
    const tries: number[] = [];
    prepare();
    world.onFinalEdit(() => {
      tries.push(world.clock.now());
      return tries.length === 1 ? { state: 'later', afterMs: 10 * MINUTE } : drawn;
    });
    const job = await world.submitAndPass(9 * MINUTE);

    expect(tries).toHaveLength(1);

    await world.pass(6 * MINUTE);

    const [first = 0, second = 0] = tries;
    expect(second - first).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(await world.jobOf(job)).toMatchObject({ settled: true });
  });

  it('the card that was deleted, as its replacement was or without one, ends the job silently', async () => {
    world.script.draw = () => ({ state: 'gone' });
    const job = await world.submit('ann');
    world.script.newCard = ({ id }) => (id === job.id ? { platform: 'web', ref: 'other' } : undefined);
    const other = await world.submitAndPass(HOUR, 'ben');

    for (const each of [job, other])
      expect(await world.jobOf(each)).toMatchObject({ state: 'done', settled: true });
    expect(world.newCards.toSorted()).toEqual([job.id, other.id].toSorted());
  });

  it('the card that was deleted is replaced once, despite kills and lost responses', async () => {
    let lost = 2;
    world.onFinalEdit(({ card }) => {
      if (!card?.ref.startsWith('elsewhere')) return { state: 'gone' };
      lost -= 1;
      return lost >= 0 ? never() : drawn;
    });
    const job = await world.submitAndPass(30_000);
    await world.restart();
    await world.pass(HOUR);

    expect(world.newCards).toEqual([job.id]);
    expect(world.endsShown(job)).toHaveLength(1);
    expect(await world.jobOf(job)).toMatchObject({ ...shown, card: elsewhere(job) });
  });

  it('the card that could not be edited for hours says later that the result is elsewhere', async () => {
    let refuses = true;
    const isTheFormerCard: boolean[] = [];

    world.onFinalEdit(({ card, formerCard }) => {
      if (card?.ref.startsWith('elsewhere')) return drawn;
      if (refuses) return { state: 'later', afterMs: 0 };
      isTheFormerCard.push(formerCard?.ref === card?.ref);
      return drawn;
    });
    const job = await world.submit('ann');
    const card = elsewhere(job);
    await world.pass(8 * HOUR);

    expect(await world.jobOf(job)).toMatchObject({ state: 'done', settled: false, card });

    refuses = false;
    await world.restart();
    await world.pass(2 * HOUR);

    expect(await world.jobOf(job)).toMatchObject({ ...shown, card });
    expect(await world.jobOf(job)).not.toHaveProperty('formerCard');
    expect(isTheFormerCard).toEqual([true]);
    expect(world.newCards).toEqual([job.id]);
  });

  it('the card stores where the result can be fetched again, and where the card is now', async () => {
    const card = { platform: 'web', ref: 'moved' } as const;
    const result = { from: 'web', ref: 'result' } as const;

    world.onFinalEdit(() => ({ ...drawn, card, result }));
    const job = await world.submitAndPass(MINUTE);

    expect(await world.jobOf(job)).toMatchObject({ state: 'done', card, result });
  });
});

it.each([
  { what: 'that the service no longer has', lose: () => (world.script.onLook = failing('not-found', false)) },
  {
    what: 'that can no longer be read',
    lose: () => (world.script.outcome = failing('unusable-result', true)),
  },
])('a result $what fails the job, and the credits are returned', async ({ lose }) => {
  world.onFinalEdit(() => {
    throw new Error('down');
  });
  const job = await world.submitAndPass(30_000);

  expect(await world.stateOf(job)).toBe('delivering');

  world.onFinalEdit(() => drawn);
  lose();
  await world.pass(HOUR);

  expect(await world.jobOf(job)).toMatchObject(failedFor('result-gone'));
});

it('a result that is to be fetched again while the service is away for an hour is kept, and shown when the service is back', async () => {
  world.onFinalEdit(() => {
    throw new Error('down');
  });
  const job = await world.submitAndPass(30_000);

  expect(await world.stateOf(job)).toBe('delivering');

  world.onFinalEdit(() => drawn);
  world.script.onLook = failing('unavailable', true);
  await world.pass(HOUR);

  expect(await world.stateOf(job)).toBe('delivering');

  world.script.onLook = () => undefined;
  await world.pass(10 * MINUTE);

  expect(await world.jobOf(job)).toMatchObject(shown);
});

describe('a result that the platform refuses for good', () => {
  const forms: (string | undefined)[] = [];
  /** Refuses results where it says so; `forms`: where each was tried, and in which form. */
  const refuseIf = (isRefused: (place: 'here' | 'elsewhere', refusals: number) => boolean): void => {
    forms.length = 0;
    world.script.draw = ({ card, refusals = 0 }, _, output) => {
      if (output === undefined) return drawn;
      const place = card?.ref.startsWith('elsewhere') ? 'elsewhere' : 'here';
      forms.push(`${place} ${refusals === 0 ? 'as it is' : 'plain'}`);
      return isRefused(place, refusals) ? { state: 'refused', reason: 'bad file' } : drawn;
    };
  };
  const refused = { ...failedFor('result-refused'), settled: true };

  const tried = ['here as it is', 'here plain', 'elsewhere plain'];

  it.each([
    {
      what: 'in a plainer form at once',
      isRefused: (_: unknown, refusals: number) => refusals === 0,
      expected: tried.slice(0, 2),
      more: {},
    },
    {
      what: 'then in direct messages',
      isRefused: (place: string) => place === 'here',
      expected: tried,
      more: { moved: true },
    },
  ])('a result that the platform refuses for good is shown $what', async ({ isRefused, expected, more }) => {
    refuseIf(isRefused);
    const job = await world.submitAndPass(30_000);

    expect(await world.jobOf(job)).toMatchObject({ ...shown, ...more });
    expect(forms).toEqual(expected);
  });

  it('a result that the platform refuses in direct messages, too, fails the job, which says so and is not charged', async () => {
    refuseIf(() => true);
    const job = await world.submitAndPass(HOUR);

    expect(await world.jobOf(job)).toMatchObject(refused);
    expect(forms).toEqual(tried);

    // On the first card and on the second.
    const told = world.finalDrawings(job.id);
    expect(told.map((one) => [one.state, one.job.card?.ref])).toEqual([
      ['failed', `card-${job.id}`],
      ['failed', `elsewhere-${job.id}`],
    ]);
  });

  it('a result that the platform refuses for good is not uploaded again while the direct message has to wait, and fails where there is none', async () => {
    refuseIf(() => true);
    let tries = 0;
    world.script.newCard = () => {
      tries += 1;
      if (tries < 5) throw new Error('wait');
      return undefined;
    };
    const job = await world.submitAndPass(30_000);
    await world.restart();
    await world.pass(HOUR);

    expect(await world.jobOf(job)).toMatchObject(refused);
    expect(tries).toBe(5);
    expect(forms).toEqual(['here as it is', 'here plain']);
  });

  it('a result that the platform refuses for good in a direct chat has no other place', async () => {
    refuseIf(() => true);
    const place = { platform: 'web', community: 'web:dm:ann', channel: 'ann', direct: true } as const;
    const job = await world.submitAndPass(HOUR, 'ann', { place });

    expect(await world.jobOf(job)).toMatchObject(refused);
    expect(forms).toEqual(['here as it is', 'here plain']);
    expect(world.newCards).toEqual([]);
  });
});

it('an end without a result that the platform refuses is tried again, less and less often', async () => {
  world.script.onRun = failing('refused', false);
  let tries = 0;
  world.onFinalEdit(() => {
    tries += 1;
    return { state: 'refused', reason: 'bad button' };
  });
  const job = await world.submitAndPass(HOUR);

  expect(await world.jobOf(job)).toMatchObject({ state: 'failed', settled: false });
  expect(tries).toBeGreaterThan(3);
  expect(tries).toBeLessThan(200);
});

it('a photo that cannot be fetched is tried a few times; then the job fails without cost', async () => {
  let tries = 0;
  world.script.photo = async () => {
    tries += 1;
    throw new Error('timeout');
  };
  const job = await world.submitAndPass(HOUR);

  expect(await world.jobOf(job)).toMatchObject(failedFor('photo-unavailable'));
  expect(tries).toBe(6);
  expect(world.runs).toEqual([]);
});

describe('while the platform is away', () => {
  it('while the platform is away, an end is shown by the one try after a start a week later', async () => {
    const platform = platformGoesAway();
    world.script.onRun = failing('refused', false);
    const job = await world.submitAndPass(MINUTE);
    const stopped = world.orchestrator.stop();
    await world.pass(8 * DAY);
    await stopped;

    platform.isAway = false;
    await world.restart();
    await world.pass(10_000);

    expect(world.endsShown(job)).toHaveLength(1);
  });

  it('while the platform is away, a deleted result stays in the chat, and is removed when it is back', async () => {
    const job = await world.submitAndPass(MINUTE);
    const platform = platformGoesAway();

    await world.orchestrator.withdraw(job.id);
    await world.pass(5 * HOUR);

    expect(world.discarded).toEqual([]);

    platform.isAway = false;
    await world.pass(HOUR);

    expect(world.discarded).toEqual([`card-${job.id}`]);
    expect(await world.jobOf(job)).toBeUndefined();
  });
});

describe('memory for results', () => {
  const MB = 1024 * 1024;
  const people = crowd(6);
  beforeEach(() => {
    const output = { kind: 'video', url: 'https://example.com/a.mp4' } as const;
    world.script.outcome = () => ({ state: 'completed', output });
  });

  it('memory for results is not waited for by whoever holds some: large videos with deleted cards are all shown elsewhere', async () => {
    world.script.draw = async (job, _, output, reserve) => {
      if (output === undefined) return drawn;
      await reserve?.(49 * MB);
      return { state: job.moved ? 'drawn' : 'gone' };
    };
    const jobs = await world.submitAll(people, { request: video });
    await world.pass(5 * MINUTE);

    expect(await world.statesOf(jobs)).toEqual(jobs.map(() => 'done'));
    expect(world.newCards).toHaveLength(jobs.length);
  });

  it('memory for results that large videos have used up does not delay pictures or ordinary videos', async () => {
    world.script.draw = async ({ caller }, _, output, reserve) => {
      if (output?.kind !== 'video') return drawn;
      await reserve?.(caller.id === 'calm' ? 3 * MB : 49 * MB);
      return caller.id === 'calm' ? drawn : never();
    };
    await world.submitAll(people, { request: video });
    await world.pass(2 * MINUTE);
    const film = await world.submitAndPass(2 * MINUTE, 'calm', { request: video });

    expect(await world.stateOf(film)).toBe('done');

    const output = { kind: 'image', bytes: Buffer.from('picture') } as const;
    world.script.outcome = () => ({ state: 'completed', output });
    world.script.onLook = (_, reserve) => reserve(12 * MB);
    const picture = await world.submitAndPass(2 * MINUTE, 'calm');

    expect(await world.stateOf(picture)).toBe('done');
  });

  it('memory for results is given back by results that another process delivers', async () => {
    const begin = createResultsInMemory(createByteBudgets(), world.clock);
    let polled = 0;

    for (const person of people) {
      const { reserve, keep, end } = begin(person, person);
      const kept = reserve(16 * MB).then(() => keep(png));
      void kept.then(() => end(async () => true)).then(() => (polled += 1));
    }
    await world.pass(MINUTE);

    expect(polled).toBe(people.length);
  });
});

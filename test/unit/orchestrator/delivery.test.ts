import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, serviceError, world } from './world.ts';

beforeEach(() => openWorld());

const HOUR = 3_600_000;

describe('the card', () => {
  it('says that the result is on its way while it cannot be fetched', async () => {
    world.script.draw = (_, importance) => {
      return importance === 'final' ? { state: 'unfetched', slow: false } : { state: 'drawn' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(120_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('delivering');
    const last = world.drawings.filter(({ id }) => id === job.id).at(-1);
    expect(last).toMatchObject({ state: 'delivering', importance: 'cosmetic', withResult: false });
  });

  it('is tried again when the platform asks to wait or the edit fails', async () => {
    let tries = 0;
    world.script.draw = (_, importance) => {
      if (importance === 'cosmetic') return { state: 'drawn' };
      tries += 1;
      if (tries === 1) return { state: 'later', afterMs: 20_000 };
      if (tries < 4) throw new Error('socket hang up');
      return { state: 'drawn' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(120_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('done');
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });

  it('that was deleted, as its replacement was or without one, ends the job silently', async () => {
    world.script.draw = () => ({ state: 'gone' });
    const job = await world.submit('ann');
    world.script.newCard = ({ id }) => (id === job.id ? { platform: 'web', ref: 'other' } : undefined);
    const other = await world.submit('ben');
    await world.clock.advance(HOUR);
    for (const { id } of [job, other])
      expect(await world.orchestrator.get(id)).toMatchObject({ state: 'done', settled: true });
    expect(world.newCards.toSorted()).toEqual([job.id, other.id].toSorted());
  });

  it('that was deleted is replaced once, despite kills and lost responses', async () => {
    let lost = 2;
    world.script.draw = ({ card }, importance) => {
      if (importance === 'cosmetic') return { state: 'drawn' };
      if (!card?.ref.startsWith('elsewhere')) return { state: 'gone' };
      if (lost-- > 0) return new Promise(() => undefined);
      return { state: 'drawn' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    await world.restart();
    await world.clock.advance(HOUR);
    expect(world.newCards).toEqual([job.id]);
    const card = { platform: 'web', ref: `elsewhere-${job.id}` };
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true, card });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
  });

  it('that could not be edited for hours says later that the result is elsewhere', async () => {
    let refuses = true;
    const told: unknown[] = [];
    world.script.draw = ({ card, formerCard }, importance) => {
      if (importance === 'cosmetic' || card?.ref.startsWith('elsewhere')) return { state: 'drawn' };
      if (refuses) return { state: 'later', afterMs: 0 };
      told.push(formerCard?.ref === card?.ref);
      return { state: 'drawn' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(8 * HOUR);
    const card = { platform: 'web', ref: `elsewhere-${job.id}` };
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: false, card });
    refuses = false;
    await world.restart();
    await world.clock.advance(2 * HOUR);
    const end = await world.orchestrator.get(job.id);
    expect(end).toMatchObject({ state: 'done', settled: true, card });
    expect(end).not.toHaveProperty('formerCard');
    expect(told).toEqual([true]);
    expect(world.newCards).toEqual([job.id]);
  });

  it('stores where the result can be fetched again, and where the card is now', async () => {
    const card = { platform: 'web', ref: 'moved' } as const;
    const result = { from: 'web', ref: 'result' } as const;
    world.script.draw = (_, importance) =>
      importance === 'final' ? { state: 'drawn', card, result } : { state: 'drawn' };
    const job = await world.submit('ann');
    await world.clock.advance(60_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', card, result });
  });
});

describe('a result', () => {
  it('that the service no longer has fails the job, and the credits are returned', async () => {
    let broken = true;
    world.script.draw = (_, importance) => {
      if (broken && importance === 'final') throw new Error('down');
      return { state: 'drawn' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    expect((await world.orchestrator.get(job.id))?.state).toBe('delivering');
    broken = false;
    world.script.onLook = () => {
      throw serviceError('not-found', false);
    };
    await world.clock.advance(HOUR);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'result-gone' },
      charge: 'returned',
    });
  });
});

describe('a result that the platform refuses for good', () => {
  const forms: (string | undefined)[] = [];
  /** Refuses results where it says so; `forms`: where each was tried, and in which form. */
  const refuseIf = (isRefused: (place: 'here' | 'elsewhere', refusals: number) => boolean): void => {
    forms.length = 0;
    world.script.draw = ({ card, refusals = 0 }, _, output) => {
      if (output === undefined) return { state: 'drawn' };
      const place = card?.ref.startsWith('elsewhere') ? 'elsewhere' : 'here';
      forms.push(`${place} ${refusals === 0 ? 'as it is' : 'plain'}`);
      return isRefused(place, refusals) ? { state: 'refused', reason: 'bad file' } : { state: 'drawn' };
    };
  };

  it('is shown in a plainer form at once', async () => {
    refuseIf((_, refusals) => refusals === 0);
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', charge: 'spent' });
    expect(forms).toEqual(['here as it is', 'here plain']);
  });

  it('then in direct messages', async () => {
    refuseIf((place) => place === 'here');
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    const card = { platform: 'web', ref: `elsewhere-${job.id}` };
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'done', settled: true, card });
    expect(forms).toEqual(['here as it is', 'here plain', 'elsewhere plain']);
  });

  it('and if it is refused there, too, the job fails, says so and is not charged', async () => {
    refuseIf(() => true);
    const job = await world.submit('ann');
    await world.clock.advance(HOUR);
    const end = { state: 'failed', failure: { code: 'result-refused' }, charge: 'returned', settled: true };
    expect(await world.orchestrator.get(job.id)).toMatchObject(end);
    expect(forms).toHaveLength(3);
    // On the first card and on the second.
    const told = world.finalDrawings(job.id);
    expect(told.map(({ state }) => state)).toEqual(['failed', 'failed']);
    expect(told.map((one) => one.job.card?.ref.startsWith('elsewhere'))).toEqual([false, true]);
  });

  it('is not uploaded again while the direct message has to wait, and fails where there is none', async () => {
    refuseIf(() => true);
    let tries = 0;
    world.script.newCard = () => {
      tries += 1;
      if (tries < 5) throw new Error('wait');
      return undefined;
    };
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    await world.restart();
    await world.clock.advance(HOUR);
    const end = { state: 'failed', failure: { code: 'result-refused' }, settled: true };
    expect(await world.orchestrator.get(job.id)).toMatchObject(end);
    expect(tries).toBe(5);
    expect(forms).toEqual(['here as it is', 'here plain']);
  });

  it('in a direct chat has no other place', async () => {
    refuseIf(() => true);
    const place = { platform: 'web', community: 'web:dm:ann', channel: 'ann', direct: true } as const;
    const job = await world.submit('ann', { place });
    await world.clock.advance(HOUR);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'failed', settled: true });
    expect(forms).toEqual(['here as it is', 'here plain']);
    expect(world.newCards).toEqual([]);
  });
});

describe('an end without a result that the platform refuses', () => {
  it('is tried again, less and less often', async () => {
    world.script.onRun = () => {
      throw serviceError('refused', false);
    };
    let tries = 0;
    world.script.draw = (_, importance) => {
      if (importance === 'final') tries += 1;
      return importance === 'final' ? { state: 'refused', reason: 'bad button' } : { state: 'drawn' };
    };
    const job = await world.submit('ann');
    await world.clock.advance(HOUR);
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'failed', settled: false });
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(200);
  });
});

describe('the photo', () => {
  it('is fetched a few times; then the job fails without cost', async () => {
    let tries = 0;
    world.script.photo = async () => {
      tries += 1;
      throw new Error('timeout');
    };
    const job = await world.submit('ann');
    await world.clock.advance(HOUR);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'photo-unavailable' },
      charge: 'returned',
    });
    expect(tries).toBe(6);
    expect(world.runs).toHaveLength(0);
  });
});

describe('stop', () => {
  it('finishes the current step, starts no more, and leaves the rest for the next start', async () => {
    let release = (): void => undefined;
    world.script.onRun = () =>
      new Promise((resolve) => {
        release = resolve;
      });
    const inHand = await world.submit('ann');
    await world.clock.advance(1_000);
    const stopped = world.orchestrator.stop();
    const later = await world.submit('ben');
    await world.clock.advance(2_000);
    release();
    await world.clock.advance(100);
    await stopped;
    expect((await world.orchestrator.get(inHand.id))?.state).toBe('running');
    expect((await world.orchestrator.get(later.id))?.state).toBe('waiting');
    world.script.onRun = () => undefined;
    await world.restart();
    await world.clock.advance(60_000);
    expect((await world.orchestrator.get(inHand.id))?.state).toBe('done');
    expect((await world.orchestrator.get(later.id))?.state).toBe('done');
  });

  it('does not wait longer than ten seconds for what hangs', async () => {
    world.script.onRun = () => new Promise(() => undefined);
    await world.submit('ann');
    await world.clock.advance(1_000);
    let ended = false;
    const stopped = world.orchestrator.stop().then(() => {
      ended = true;
    });
    await world.clock.advance(9_999);
    await stopped;
    expect(ended).toBe(true);
  });
});

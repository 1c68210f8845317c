import { beforeEach, describe, expect, it } from 'vitest';
import { openWorld, orderOf, serviceError, world } from './world.ts';

beforeEach(() => openWorld());

const stateOf = async (id: string) => (await world.orchestrator.get(id))?.state;

describe('a job from acceptance to its result', () => {
  it('is submitted once and polled, and its card becomes the result', async () => {
    const job = await world.submit('ann');
    await world.clock.advance(60_000);
    expect(await stateOf(job.id)).toBe('done');
    expect(world.runs).toHaveLength(1);
    expect(world.runs[0]?.request).toEqual({
      endpoint: 'face-swap-v6',
      input: {
        image: { bytes: new Uint8Array(Buffer.from('jpeg')), type: 'image/jpeg' },
        gender: 'female',
        filter: 12,
        ratio: undefined,
        quality: undefined,
      },
    });
    const drawn = world.finalDrawings(job.id);
    expect(drawn.map(({ state, withResult }) => ({ state, withResult }))).toEqual([
      { state: 'done', withResult: true },
    ]);
    expect(world.looks.filter(({ answered }) => answered === 'completed')).toHaveLength(1);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({
      reserved: 0,
      spent: 2,
      jobs: 1,
    });
  });

  it('calls the service only when `submitting` is on disk, and shows the end only when the end is', async () => {
    const disk = Promise.withResolvers<void>();
    world.script.disk = () => disk.promise;
    const job = await world.submit('ann');
    await world.submit('ben');
    await world.clock.advance(5_000);
    expect(await stateOf(job.id)).toBe('submitting');
    expect(world.runs).toHaveLength(0);
    await world.orchestrator.cancel(job.id);
    await world.clock.advance(5_000);
    expect(await stateOf(job.id)).toBe('cancelled');
    expect(world.finalDrawings(job.id)).toHaveLength(0);
    disk.resolve();
    await world.clock.advance(5_000);
    // The other one's: what was cancelled before anything of it left is not sent.
    expect(world.runs).toHaveLength(1);
    expect(world.finalDrawings(job.id).at(-1)?.job).toMatchObject({ state: 'cancelled', charge: 'returned' });
  });

  it('shows progress that never runs backwards and never claims to be finished', async () => {
    world.script.durationMs = () => 40_000;
    const job = await world.submit('ann');
    await world.clock.advance(39_000);
    const shown = world.drawings.filter(({ id, importance }) => id === job.id && importance === 'cosmetic');
    const bars = shown.flatMap(({ jobStatus }) => jobStatus.progress ?? []);
    expect(bars.length).toBeGreaterThan(2);
    expect(bars).toEqual([...bars].sort((a, b) => a - b));
    expect(Math.max(...bars)).toBeLessThan(1);
    expect(new Set(shown.map(({ jobStatus }) => JSON.stringify(jobStatus))).size).toBe(shown.length);
  });
});

describe('its card', () => {
  it('shows the progress bar within a second of the start, also after waiting', async () => {
    world.script.durationMs = () => 10_000;
    const [first, , third] = await Promise.all([
      world.submit('ann'),
      world.submit('ann'),
      world.submit('ann'),
    ]);
    await world.clock.advance(1_000);
    const drawn = (id: string) => world.drawings.filter((one) => one.id === id).map(({ state }) => state);
    expect(drawn(first?.id ?? '')).toEqual(['running']);
    for (let tries = 0; tries < 60 && (await stateOf(third?.id ?? '')) === 'waiting'; tries += 1)
      await world.clock.advance(500);
    await world.clock.advance(1_000);
    expect(drawn(third?.id ?? '').at(-1)).toBe('running');
  });
});

describe('while it waits', () => {
  it('shows its position on the first card', async () => {
    world.script.durationMs = () => 300_000;
    await world.submit('ann');
    await world.submit('ann');
    await world.clock.advance(1_000);
    for (const position of [1, 2]) {
      const { job } = await world.orchestrator.accept(orderOf('ann'));
      expect(await world.orchestrator.jobStatus(job)).toMatchObject({ position });
      await world.orchestrator.shown(job.id, { platform: 'web', ref: job.id });
      expect(await world.orchestrator.jobStatus((await world.orchestrator.get(job.id)) ?? job)).toMatchObject(
        {
          position,
        },
      );
    }
    const { job: another } = await world.orchestrator.accept(orderOf('ben'));
    expect(await world.orchestrator.jobStatus(another)).toEqual({});
  });

  it('shows its position as soon as the platform allows it', async () => {
    world.script.durationMs = () => 300_000;
    await world.submit('ann');
    await world.submit('ann');
    const waiting = await world.submit('ann');
    let room = false;
    world.script.draw = () => (room ? { state: 'drawn' } : { state: 'later', afterMs: 0 });
    await world.clock.advance(10_000);
    expect(world.drawings.filter(({ id }) => id === waiting.id)).toEqual([]);
    room = true;
    await world.clock.advance(10_000);
    const shown = world.drawings.filter(({ id }) => id === waiting.id);
    expect(shown.map(({ jobStatus }) => jobStatus.position)).toEqual([1]);
  });
});

describe('when the service does not accept it', () => {
  it('is not sent again when it may have arrived: uncertain, and the credits stay spent', async () => {
    world.script.onRun = () => {
      throw serviceError('unknown-outcome', true);
    };
    const job = await world.submit('ann');
    await world.clock.advance(30 * 60_000);
    expect(await stateOf(job.id)).toBe('uncertain');
    expect(world.runs).toHaveLength(0);
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ reserved: 0, spent: 2 });
  });

  it('fails when it is refused, and returns the credits', async () => {
    world.script.onRun = () => {
      throw serviceError('refused', false, { detail: 'no such filter' });
    };
    const job = await world.submit('ann');
    await world.clock.advance(10_000);
    const failure = { code: 'refused', detail: 'no such filter' };
    expect(await world.orchestrator.get(job.id)).toMatchObject({ state: 'failed', failure });
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(world.notices).toEqual([]);
    expect(await world.orchestrator.usage('web:room', 'web:ann')).toMatchObject({ reserved: 0, spent: 0 });
  });

  it('fails with the reason of the service’s code, without showing the code', async () => {
    world.script.onRun = () => {
      throw serviceError('refused', false, { code: 'FILTER_NOT_FOUND' });
    };
    const job = await world.submit('ann');
    await world.clock.advance(10_000);
    expect((await world.orchestrator.get(job.id))?.failure).toEqual({ code: 'filter-unknown' });
  });
});

describe('while it runs', () => {
  it('fails with the service’s message when generation failed, and returns the credits', async () => {
    world.script.outcome = () => ({ state: 'failed', reason: 'no face found' });
    const job = await world.submit('ann');
    await world.clock.advance(60_000);
    expect((await world.orchestrator.get(job.id))?.failure).toEqual({
      code: 'generation-failed',
      detail: 'no face found',
    });
    expect((await world.orchestrator.usage('web:room', 'web:ann')).spent).toBe(0);
  });

  it('fails at a deadline before the first poll', async () => {
    await openWorld({ deadlines: { imageMs: 1_500 } });
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    const job = await world.submit('ann');
    await world.clock.advance(1_800);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'deadline' },
    });
  });

  it('fails at the deadline of its kind, and returns the credits', async () => {
    world.script.durationMs = () => Number.POSITIVE_INFINITY;
    const job = await world.submit('ann');
    await world.clock.advance(9.9 * 60_000);
    expect(await stateOf(job.id)).toBe('running');
    await world.clock.advance(30_000);
    expect(await world.orchestrator.get(job.id)).toMatchObject({
      state: 'failed',
      failure: { code: 'deadline' },
    });
    const looks = world.looks.length;
    await world.clock.advance(60 * 60_000);
    expect(world.looks).toHaveLength(looks);
    expect((await world.orchestrator.usage('web:room', 'web:ann')).spent).toBe(0);
  });
});

describe('restart', () => {
  it('a job that only waited for its call is sent once', async () => {
    world.script.turn = () => new Promise(() => undefined);
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    world.script.turn = async () => undefined;
    await world.restart();
    await world.clock.advance(60_000);
    expect(await stateOf(job.id)).toBe('done');
    expect(world.runs).toHaveLength(1);
  });

  it('a job whose run call was in progress is uncertain', async () => {
    world.script.onRun = () => new Promise(() => undefined);
    const job = await world.submit('ann');
    await world.clock.advance(1_000);
    expect(await stateOf(job.id)).toBe('submitting');
    await world.restart();
    await world.clock.advance(1_000);
    expect(await stateOf(job.id)).toBe('uncertain');
    expect(world.finalDrawings(job.id).map(({ state }) => state)).toEqual(['uncertain']);
  });

  it('a result that was being drawn is fetched again', async () => {
    let hang = true;
    world.script.draw = (_, importance) =>
      hang && importance === 'final' ? new Promise(() => undefined) : { state: 'drawn' };
    const job = await world.submit('ann');
    await world.clock.advance(30_000);
    expect(await stateOf(job.id)).toBe('delivering');
    hang = false;
    await world.restart();
    await world.clock.advance(5_000);
    expect(await stateOf(job.id)).toBe('done');
    expect(world.finalDrawings(job.id)).toHaveLength(1);
    expect(world.runs).toHaveLength(1);
  });
});

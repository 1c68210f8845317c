import { expect, it } from 'vitest';
import { createLogChannel } from '../../../../src/app/notices/log-channel.ts';
import type { Place } from '../../../../src/command/place.ts';
import type { View } from '../../../../src/command/view.ts';
import { createLog } from '../../../../src/log/log.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const place: Place = { platform: 'web', community: 'web:room', channel: 'log', direct: false };
const line = (at: number) => ({ at, community: 'web:room', actor: 'web:ann', action: 'job', detail: { at } });

type Said = { state: 'drawn' } | { state: 'gone' } | { state: 'later'; afterMs: number };
/** `say`: what the platform answers; `said`: what was shown, and where. */
const open = (
  say: (view: View) => Said | Promise<Said> = () => ({ state: 'drawn' }),
  logPlace: () => Promise<Place | undefined> = async () => place,
) => {
  const clock = createFakeClock();
  const warnings: string[] = [];
  const said: (View & { readonly channel: string })[] = [];
  const log = createLog({ level: 'warn', secrets: [], stream: { write: (text) => warnings.push(text) } });
  const outgoing = {
    async say(to: object, view: View) {
      const answer = await say(view);
      if (answer.state === 'drawn')
        said.push({ ...view, channel: 'place' in to ? (to.place as Place).channel : '' });
      return answer;
    },
  };
  const channel = createLogChannel({ logPlace }, outgoing, clock, log);
  return { channel, clock, warnings, said };
};

it('combines a burst into one message', async () => {
  const { channel, clock, said } = open();
  for (let at = 0; at < 10_000; at += 1) channel.tell(line(at));
  await clock.advance(3_000);
  expect(said).toHaveLength(1);
  expect(said[0]?.lines).toHaveLength(16);
  expect(said[0]?.lines.at(-1)).toBe('… +9985');
});

it('continues after a channel is deleted or fails, and tries again with the next line', async () => {
  let tries = 0;
  const { channel, clock, warnings } = open(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no such channel');
    return { state: 'gone' };
  });
  channel.tell(line(1));
  await clock.advance(3_000);
  expect(warnings).toHaveLength(1);
  channel.tell(line(2));
  await clock.advance(60_000);
  expect(tries).toBe(2);
  expect(clock.pending).toBe(0);
  channel.tell(line(3));
  await clock.advance(60_000);
  // That it has gone is told once an hour.
  expect(warnings).toHaveLength(2);
  expect(warnings[1]).toContain('no longer accepts messages');
});

it.each([
  ['is taken away', place, undefined, ['log']],
  ['is moved', place, { ...place, channel: 'elsewhere' }, ['elsewhere', 'log']],
  ['is made', undefined, place, ['log']],
  ['stays', place, { ...place }, ['log']],
])('when it %s, the channels of before and after are told', async (_, before, after, told) => {
  let now: Place | undefined = before;
  const { channel, clock, said } = open(undefined, async () => now);
  channel.tell(line(1));
  await clock.advance(1_000);
  now = after;
  await clock.advance(3_000);
  expect(said.map((view) => view.channel).sort()).toEqual(told);
});

it('a slow channel gets one message at a time, and later lines are combined', async () => {
  const slow = Promise.withResolvers<void>();
  const { channel, clock, said } = open(async () => {
    await slow.promise;
    return { state: 'drawn' };
  });
  for (let minute = 0; minute < 100; minute += 1) {
    for (let at = 0; at < 100; at += 1) channel.tell(line(at));
    await clock.advance(60_000);
  }
  slow.resolve();
  await clock.advance(3_000);
  expect(said).toHaveLength(2);
  expect(said[1]?.lines).toHaveLength(16);
  expect(said[1]?.lines.at(-1)).toBe('… +9885');
  expect(clock.pending).toBe(0);
});

it('lines that a channel cannot accept now are sent later, with a count of the dropped ones', async () => {
  let full = true;
  const { channel, clock, said } = open(() =>
    full ? { state: 'later', afterMs: 20_000 } : { state: 'drawn' },
  );
  channel.tell(line(1));
  await clock.advance(5_000);
  for (let at = 2; at <= 30; at += 1) channel.tell(line(at));
  await clock.advance(30_000);
  full = false;
  await clock.advance(60_000);
  expect(said).toHaveLength(1);
  expect(said[0]?.lines[0]).toEqual([{ person: 'ann' }, ' job at=1']);
  expect(said[0]?.lines.at(-1)).toBe('… +15');
  expect(clock.pending).toBe(0);
});

it('after many failures the lines are dropped, and the next line tries again', async () => {
  let tries = 0;
  const { channel, clock } = open(async () => {
    tries += 1;
    return { state: 'later', afterMs: 1_000 };
  });
  channel.tell(line(1));
  await clock.advance(24 * 3_600_000);
  expect(tries).toBe(8);
  expect(clock.pending).toBe(0);
  channel.tell(line(2));
  await clock.advance(3_000);
  expect(tries).toBe(9);
});

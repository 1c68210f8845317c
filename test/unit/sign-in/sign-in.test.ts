import { Hono } from 'hono';
import { expect, it } from 'vitest';
import type { Records } from '../../../src/base/keyv/records.ts';
import { createSignIn } from '../../../src/sign-in/sign-in.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createRecords } from '../../fakes/records.ts';

interface Browser {
  readonly cookie?: string;
  /** The address of the visitor, as a proxy names it. */
  readonly forwardedFor?: string;
  /** The address of the machine that connects. */
  readonly remoteAddress?: string;
}

/** A page that answers each password with the verdict of the sign-in. */
const pageWith = (state: Records, clock = createFakeClock()) => {
  const signIn = createSignIn('open-sesame', state, clock);
  const app = new Hono().get('/:typed', async (context) =>
    context.text(await signIn.try(context.req.param('typed'), context)),
  );
  return async (typed: string, { cookie = '', forwardedFor, remoteAddress = '172.17.0.1' }: Browser = {}) => {
    const headers = {
      cookie,
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
    };
    const answer = await app.request(`/${typed}`, { headers }, { incoming: { socket: { remoteAddress } } });
    return { verdict: await answer.text(), cookie: answer.headers.get('set-cookie') };
  };
};

/** Whether the right password with this cookie is let in within a second while fifty strangers wait. */
const passesStrangers = async (state: Records, cookie: string) => {
  const clock = createFakeClock();
  const enter = pageWith(state, clock);

  const strangers = Array.from({ length: 50 }, (_, index) =>
    enter('guess', { remoteAddress: `10.0.0.${index}` }),
  );
  await clock.advance(0);
  let isIn = false;
  const entered = enter('open-sesame', { cookie }).finally(() => (isIn = true));

  await clock.advance(1_000);
  const wasFast = isIn;
  await clock.advance(10_000);
  await Promise.all(strangers);

  return { wasFast, ...(await entered) };
};

it('a browser that signed in once is recognised, also after a restart, and passes the line of strangers', async () => {
  const state = createRecords();

  const { cookie } = await pageWith(state)('open-sesame');

  expect(cookie).toMatch(/^darkroom-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/);

  const device = cookie?.split(';')[0] ?? '';
  expect(await passesStrangers(state, device)).toEqual({ wasFast: true, verdict: 'right', cookie: null });
  expect(await pageWith(state)('guess', { cookie: device })).toEqual({ verdict: 'wrong', cookie: null });
});

it('a forged or foreign cookie is not recognised', async () => {
  const { cookie } = await pageWith(createRecords())('open-sesame');
  const [foreign = ''] = cookie?.split(';') ?? [];
  for (const device of [foreign, `darkroom-device=${'a'.repeat(43)}`, 'darkroom-device=', `${foreign}A`]) {
    const entered = await passesStrangers(createRecords(), device);
    expect(entered.wasFast, device).toBe(false);
    expect(entered.verdict, device).toBe('right');
  }
});

it('sign-in works when the store fails; later browsers are recognised again', async () => {
  const state = createRecords();
  const { get } = state;

  state.get = () => Promise.reject(new Error('the disk is full'));
  const enter = pageWith(state);

  expect((await enter('open-sesame')).verdict).toBe('right');

  state.get = get;
  const device = (await enter('open-sesame')).cookie?.split(';')[0] ?? '';
  expect(await pageWith(state)('open-sesame', { cookie: device })).toEqual({
    verdict: 'right',
    cookie: null,
  });
});

it.each([
  { what: 'a proxy of this network names', verdict: 'right', proxy: '::ffff:172.17.0.1' },
  { what: 'another machine names', verdict: 'wait', proxy: '::ffff:8.8.4.4' },
])('while one visitor fills the line, another whom $what gets: $verdict', async ({ verdict, proxy }) => {
  const clock = createFakeClock();
  const enter = pageWith(createRecords(), clock);

  await enter('guess');
  const waiting = Array.from({ length: 200 }, () =>
    enter('guess', { forwardedFor: '203.0.113.66', remoteAddress: proxy }),
  );

  // No time passes, so no password is checked: the first answer is that of a visitor who was turned away.
  expect((await Promise.race(waiting)).verdict).toBe('wait');

  const entered = enter('open-sesame', { forwardedFor: '203.0.113.1', remoteAddress: proxy });
  await clock.advance(20_000);
  expect((await entered).verdict).toBe(verdict);
});

import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createSignIn } from '../../../../src/adapters/web/visitors/sign-in.ts';
import type { KeyValue } from '../../../../src/base/key-value.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createRecords } from '../../../fakes/records.ts';

const pageWith = (state: KeyValue, clock = createFakeClock()) => {
  const signIn = createSignIn('open-sesame', state, clock);
  const app = new Hono().get('/:typed', async (context) =>
    context.text(await signIn.try(context.req.param('typed'), context)),
  );
  return async (typed: string, cookie = '', named = '', remoteAddress = '172.17.0.1') => {
    const headers = { cookie, ...(named === '' ? {} : { 'x-forwarded-for': named }) };
    const answer = await app.request(`/${typed}`, { headers }, { incoming: { socket: { remoteAddress } } });
    return { verdict: await answer.text(), cookie: answer.headers.get('set-cookie') };
  };
};

it('a signed-in browser is recognised, also after a restart, and is not delayed', async () => {
  const state = createRecords();
  const { cookie } = await pageWith(state)('open-sesame');
  expect(cookie).toMatch(/^darkroom-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/);
  const device = cookie?.split(';')[0] ?? '';
  const enter = pageWith(state);
  await enter('guess');
  // The next one from this address would wait.
  expect(await enter('open-sesame', device)).toEqual({ verdict: 'right', cookie: null });
  expect(await enter('guess', device)).toEqual({ verdict: 'wrong', cookie: null });
});

it('a forged or foreign cookie is not recognised', async () => {
  const { cookie } = await pageWith(createRecords())('open-sesame');
  const [foreign = ''] = cookie?.split(';') ?? [];
  for (const device of [foreign, `darkroom-device=${'a'.repeat(43)}`, 'darkroom-device=', `${foreign}A`]) {
    const clock = createFakeClock();
    const enter = pageWith(createRecords(), clock);
    await enter('guess');
    let ended = false;
    const late = enter('open-sesame', device).finally(() => (ended = true));
    await clock.advance(249);
    expect(ended, device).toBe(false);
    await clock.advance(1);
    expect((await late).verdict).toBe('right');
  }
});

it('sign-in works when the store fails, slowly; later browsers are recognised again', async () => {
  const state = createRecords();
  const { get } = state;
  state.get = () => Promise.reject(new Error('the disk is full'));
  const clock = createFakeClock();
  const enter = pageWith(state, clock);
  const entered = enter('open-sesame');
  await clock.advance(1_000);
  expect((await entered).verdict).toBe('right');
  state.get = get;
  const device = (await enter('open-sesame')).cookie?.split(';')[0] ?? '';
  expect(await pageWith(state)('open-sesame', device)).toEqual({ verdict: 'right', cookie: null });
});

it('somebody whom a proxy of this network distinguishes does not wait for another’s attempts', async () => {
  const clock = createFakeClock();
  const page = pageWith(createRecords(), clock);
  const enter = async (typed: string, named: string, remoteAddress: string): Promise<string> =>
    (await page(typed, '', named, remoteAddress)).verdict;
  for (let wrong = 0; wrong < 20; wrong += 1) void enter('guess', '203.0.113.66', '::ffff:172.17.0.1');
  await clock.advance(5_000);
  expect(await enter('open-sesame', '203.0.113.1', '::ffff:172.17.0.1')).toBe('right');
  // Nobody else can say so: this one waits with the others of its address.
  for (let wrong = 0; wrong < 20; wrong += 1) void enter('guess', `10.0.0.${wrong}`, '::ffff:8.8.4.4');
  await clock.advance(5_000);
  let ended = false;
  void enter('open-sesame', '10.0.0.99', '::ffff:8.8.4.4').then(() => (ended = true));
  await clock.advance(5_000);
  expect(ended).toBe(false);
});

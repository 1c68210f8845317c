import { describe, expect, it } from 'vitest';
import { browserName } from '../../../src/console/sign-in/guard.ts';
import { createOwnerSessions } from '../../../src/console/sign-in/sessions.ts';
import { PASSWORD, present, stageConsole } from '../../fakes/console.ts';
import { createRecords } from '../../fakes/records.ts';

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

const tokenIn = ({ text }: { readonly text: string }): string =>
  /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';

const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

describe('signing in to the console', () => {
  it('the console shows nothing before the sign-in, the requested page after it, and nothing after signing out', async () => {
    const { arrive, clock } = stageConsole();
    const browser = arrive();

    const before = await browser.get('/owner?every=10');

    expect(before.status).toBe(401);
    expect(before.headers.get('www-authenticate')).toBeNull();
    expect(before.text).not.toContain('running');

    const wrong = await browser.press(before, 'Sign in', { password: 'guess' });

    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('not the password');

    await clock.advance(1_000);
    const elsewhere = arrive('10.0.0.2');
    const inside = await elsewhere.press(wrong, 'Sign in', { password: PASSWORD });

    expect(inside.status).toBe(200);
    expect(inside.path).toBe('/owner?every=10');
    expect(inside.text).toContain('<b>3</b><span>running</span>');
    expect((await elsewhere.press(inside, 'Sign out')).status).toBe(401);
    expect((await elsewhere.get('/owner')).status).toBe(401);
  });

  it('the console’s sign-in leads to no other site', async () => {
    const { arrive } = stageConsole();
    const enter = async (next: string) =>
      (await arrive().post('/owner/sign-in', form({ password: PASSWORD, next }))).headers.get('location');

    for (const next of [
      'https://evil.test',
      '//evil.test',
      '/ownerx',
      '/owner/../x',
      '/owner/sign-in',
      '/owner\\x',
      '/owner?\n',
      `/owner?${'x'.repeat(4_000)}`,
    ])
      expect(await enter(next), next).toBe('/owner');
  });

  it('the console’s cookie cannot be used by scripts and other sites, and goes over https only where there is https', async () => {
    const { arrive } = stageConsole();
    const cookieOf = async (headers: Record<string, string>) =>
      (await arrive().post('/owner/sign-in', form({ password: PASSWORD }), headers)).headers
        .getSetCookie()
        .find((line) => line.startsWith('darkroom-owner=')) ?? '';

    const plain = await cookieOf({});

    expect(plain).toMatch(
      /^darkroom-owner=[\w-]{43}; Max-Age=1209600; Path=\/owner; HttpOnly; SameSite=Strict$/,
    );
    expect(await cookieOf({ 'x-forwarded-proto': 'https' })).toContain('; Secure');
    expect(await cookieOf({ forwarded: 'for=10.0.0.7;proto=https' })).toContain('; Secure');
    expect(await cookieOf({ forwarded: 'for=10.0.0.7;proto=http' })).not.toContain('; Secure');
  });

  it('the console says that the store is away, and why, to sessions, scripts and strangers', async () => {
    const state = createRecords();
    let isAway = false;
    const refuse = () => Promise.reject(new Error('ECONNREFUSED 10.1.2.3'));
    const stage = stageConsole({
      state,
      storeTrouble: async () => (isAway ? 'nothing listens there.' : undefined),
      present: () => (isAway ? refuse() : present()),
    });
    const browser = await stage.signedIn();

    expect((await browser.get('/owner')).status).toBe(200);

    isAway = true;
    Object.assign(state, { get: refuse, update: refuse });
    const answers = [
      await browser.get('/owner'),
      await browser.get('/owner/figures'),
      await stage.arrive('10.0.0.3').get('/owner', basic(`x:${PASSWORD}`)),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(503);
      expect(text).toContain('The store cannot be used: <span lang="en">nothing listens there.</span>');
      expect(text).not.toMatch(/running|10\.1\.2\.3/);
    }
  });

  it('the console stores no cookie and no password', async () => {
    const { signedIn, state } = stageConsole();

    const browser = await signedIn();
    const stored = JSON.stringify(await state.get('sessions'));

    expect(stored).toContain('"network":"10.0.0.1"');
    expect(stored).not.toContain(browser.cookies.get('darkroom-owner'));
    expect(stored).not.toContain(PASSWORD);
  });

  it.each(['', 'x', '../../etc', 'A'.repeat(43), '%00'.repeat(20), '🦊'.repeat(22)])(
    'the console does not take a forged cookie: %s',
    async (cookie) => {
      const browser = stageConsole().arrive();
      const answer = await browser.get('/owner', { cookie: `darkroom-owner=${encodeURIComponent(cookie)}` });

      expect(answer.status).toBe(401);
    },
  );

  it('a session of the console goes on through another process and after a restart, and ends with the password', async () => {
    const { signedIn, state } = stageConsole();

    const browser = await signedIn();
    const askAt = async (other: ReturnType<typeof stageConsole>) => {
      const elsewhere = other.arrive();
      for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
      return (await elsewhere.get('/owner')).status;
    };

    expect(await askAt(stageConsole({ state }))).toBe(200);

    const changed = stageConsole({ state, password: { text: 'another', try: async () => 'right' } });

    expect(await askAt(changed)).toBe(401);

    const list = await (await changed.signedIn()).get('/owner/sessions');

    expect(list.text.match(/name="session"/g)).toHaveLength(1);

    // Sessions of the former password are gone for good.
    expect(await askAt(stageConsole({ state }))).toBe(401);
  });

  it('the console checks wrong passwords of forms and scripts one after the other', async () => {
    const { arrive, clock } = stageConsole();
    const enter = (password: string) => arrive().post('/owner/sign-in', form({ password }));

    expect((await enter('guess')).status).toBe(401);

    const script = arrive('10.0.0.2').get('/owner', basic('anyone:guess'));
    const late = enter(PASSWORD);
    let isIn = false;
    void late.then(() => (isIn = true));

    // Without a password nothing is tried, however often the browser asks.
    for (let tries = 0; tries < 9; tries += 1) expect((await arrive().get('/owner')).status).toBe(401);

    await clock.advance(200);

    expect((await script).status).toBe(401);
    expect(isIn).toBe(false);

    await clock.advance(100);

    expect((await late).headers.get('location')).toBe('/owner');
  });

  it('a sign-in that finds the line full is answered with 429, and when to come again', async () => {
    const { arrive, clock } = stageConsole();
    const enter = (password: string) => arrive().post('/owner/sign-in', form({ password }));

    await enter('guess');
    const waiting = Array.from({ length: 150 }, () => enter('guess'));
    // No time passes, so no password is checked: the first answer is that of a browser that was turned away.
    const refused = await Promise.race(waiting);

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.text).toContain('Too many attempts');

    await clock.advance(20_000);
    await Promise.all(waiting);
  });

  it('scripts read the console with the password in each request, and change nothing', async () => {
    const { arrive, clock } = stageConsole();
    const browser = arrive();

    expect((await browser.get('/owner', basic(`anyone:${PASSWORD}`))).status).toBe(200);
    expect((await browser.get('/owner', basic('anyone:wrong'))).status).toBe(401);

    await clock.advance(1_000);

    expect((await browser.get('/owner', { authorization: 'Basic ###' })).status).toBe(401);

    const answer = await browser.post('/owner/sessions/end-all', 'sure=yes', basic(`anyone:${PASSWORD}`));

    expect(answer.status).toBe(401);
  });

  it('the console needs no password where there is none, but a page of its own for every form', async () => {
    const { arrive, audited } = stageConsole({ password: undefined });
    const browser = arrive();

    const page = await browser.get('/owner/sessions');

    expect(page.status).toBe(200);
    expect(page.text).not.toContain('Sign out');

    const [cookie] = browser.cookies.keys();

    expect(cookie).toBe('darkroom-owner');
    expect((await browser.post('/owner/sessions/end-all', 'sure=yes')).status).toBe(403);
    expect(audited).toEqual([]);
  });
});

describe('forms of the console', () => {
  it.each([
    { name: 'no token', token: {}, headers: {} },
    { name: 'a wrong token', token: { token: 'x' }, headers: {} },
    { name: 'the token of another session', token: 'other', headers: {} },
    { name: 'another site', token: 'own', headers: { 'sec-fetch-site': 'cross-site' } },
    { name: 'another subdomain', token: 'own', headers: { 'sec-fetch-site': 'same-site' } },
    { name: 'another origin', token: 'own', headers: { origin: 'https://evil.test' } },
    { name: 'no origin', token: 'own', headers: { origin: 'null' } },
  ])('forms of the console are refused with $name', async ({ token, headers }) => {
    const { signedIn, audited } = stageConsole();

    const browser = await signedIn();
    const other = await signedIn('10.0.0.2');
    const tokenOf = async (of: typeof browser) => tokenIn(await of.get('/owner/sessions'));
    const sent =
      typeof token === 'object' ? token : { token: await tokenOf(token === 'own' ? browser : other) };
    const answer = await browser.post('/owner/sessions/end-all', form({ ...sent, sure: 'yes' }), headers);

    expect(answer.status).toBe(403);
    expect(audited).toEqual([]);
    expect((await browser.get('/owner')).status).toBe(200);
  });

  it('forms of the console that one process showed are accepted by another', async () => {
    const { signedIn, state } = stageConsole();

    const browser = await signedIn();
    const other = await signedIn('10.0.0.2');
    const elsewhere = stageConsole({ state }).arrive();
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const asked = await elsewhere.press(await browser.get('/owner/sessions'), 'End all sessions');

    expect((await elsewhere.press(asked, 'End all')).status).toBe(401);

    for (const each of [browser, other]) expect((await each.get('/owner')).status).toBe(401);
  });

  it('the console’s pages refuse to be embedded, and other sites can only link to them', async () => {
    const { arrive } = stageConsole();
    const from = (mode: string) =>
      arrive().get('/owner', {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': mode,
        ...basic(`x:${PASSWORD}`),
      });

    expect((await from('no-cors')).status).toBe(403);
    expect((await from('navigate')).status).toBe(200);
  });
});

describe('sessions', () => {
  it('sessions of the console are listed, ended one by one or all at once after one question, and audited', async () => {
    const { signedIn, audited } = stageConsole();

    const first = await signedIn('10.0.0.1');
    const second = await signedIn('10.0.0.2');
    const list = await first.get('/owner/sessions');

    expect(list.text).toContain('(this one)');

    const key = /<bdi>10\.0\.0\.2<\/bdi>[\s\S]*?name="session" value="([^"]+)"/.exec(list.text)?.[1] ?? '';
    const token = tokenIn(list);
    const sent = await first.post('/owner/sessions/end', form({ session: key, token }));
    const asked = await first.get(sent.headers.get('location') ?? '');

    expect(asked.text).toContain('End this session?');
    expect(asked.path).not.toContain(key);
    expect((await second.get('/owner')).status).toBe(200);

    const done = await first.press(asked, 'End it');

    expect(done.text).toContain('The session was ended.');

    // A page says only once that the session was ended.
    expect((await first.get(done.path)).text).not.toContain('The session was ended.');

    // Whoever goes back to the question is told that there is no such session.
    expect((await first.get(asked.path)).status).toBe(404);
    expect((await second.get('/owner')).status).toBe(401);

    const all = await first.press(await first.press(done, 'End all sessions'), 'End all');

    expect(all.status).toBe(401);
    expect(all.text).toContain('All sessions were ended.');

    const back = await first.press(all, 'Sign in', { password: PASSWORD });

    expect(back.status).toBe(200);
    expect(back.path).toBe('/owner/sessions');
    expect(audited).toEqual(['console.session.end  10.0.0.2', 'console.session.end-all']);
  });

  it('sessions of the console end after 14 days, and a late form does nothing, says so, and leads back to its page', async () => {
    const { signedIn, audited, clock } = stageConsole();

    const browser = await signedIn();
    const list = await browser.get('/owner/sessions');
    const token = tokenIn(list);
    await clock.advance(14 * 86_400_000 - 1);

    expect((await browser.get('/owner')).status).toBe(200);

    await clock.advance(1);
    const referer = 'http://console.test/owner/sessions?x=1';
    const page = await browser.post('/owner/sessions/end-all', form({ token, sure: 'yes' }), { referer });

    expect(page.status).toBe(401);
    expect(page.text).toContain('Your session has ended, so nothing was done.');

    const inside = await browser.press(page, 'Sign in', { password: PASSWORD });

    expect(inside.status).toBe(200);
    expect(inside.path).toBe('/owner/sessions?x=1');
    expect(audited).toEqual([]);
  });

  it('there are at most 20 sessions of the console, and the one not used for longest ends', async () => {
    const time = { now: 1_000 };
    const sessions = createOwnerSessions(createRecords(), PASSWORD, () => time.now);
    const from = { browser: 'b', network: 'n' };
    const cookies: string[] = [];

    for (let count = 0; count < 21; count += 1) {
      time.now += 100_000;
      // The first session is used all the time, and the others never.
      await sessions.find(cookies[0], from);
      cookies.push(await sessions.open(from));
    }
    expect((await sessions.list()).length).toBe(20);
    expect(await sessions.find(cookies[1], from)).toBeUndefined();
    expect(await sessions.find(cookies[0], from)).toBeDefined();
  });

  it('sessions of the console are not lost by processes that open them at the same time', async () => {
    const records = createRecords();
    const processes = [1, 2, 3].map(() => createOwnerSessions(records, PASSWORD, () => 5));

    const cookies = await Promise.all(processes.map((each) => each.open({ browser: 'b', network: 'n' })));
    for (const cookie of cookies)
      for (const each of processes)
        expect(await each.find(cookie, { browser: 'b', network: 'n' })).toBeDefined();
  });
});

it.each([
  {
    header: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0',
    name: 'Firefox, Windows',
  },
  {
    header:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    name: 'Safari, iPhone',
  },
  {
    header: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0',
    name: 'Edge, Linux',
  },
  { header: 'curl/8.5', name: '' },
  { header: undefined, name: '' },
  { header: '<script>', name: '' },
])('a session names its browser and its system: $header', ({ header, name }) =>
  expect(browserName(header)).toBe(name),
);

describe('every answer', () => {
  it('every answer of the console forbids caching, embedding and scripts of others', async () => {
    const { signedIn } = stageConsole();

    const browser = await signedIn();
    const figures = await browser.get('/owner/figures');
    const answers = [
      { answer: await browser.get('/owner'), expected: 200 },
      { answer: await browser.get('/owner/sessions'), expected: 200 },
      { answer: await browser.get('/owner/none'), expected: 404 },
      { answer: await browser.get('/owner/style.css'), expected: 200 },
      { answer: await browser.get('/owner/icon.svg'), expected: 200 },
      { answer: figures, expected: 500 },
      { answer: await browser.post('/owner/sessions/end-all', ''), expected: 403 },
      { answer: await browser.post('/owner/sign-in', 'x'.repeat(9_000)), expected: 401 },
      { answer: await browser.post('/owner/sessions/end', 'x'.repeat(9_000)), expected: 413 },
      { answer: await stageConsole().arrive().get('/owner'), expected: 401 },
    ];

    // The figures of this console cannot be read, and nobody is told why.
    expect(figures.text).toContain('<h1>This cannot be shown now</h1>');
    expect(figures.text).not.toContain('no figures');

    for (const { answer, expected } of answers) {
      const { status, headers, text } = answer;
      expect(status, answer.path).toBe(expected);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(text).not.toMatch(/<script(?! src="\/owner\/)|\sstyle="|\son\w+="/);
    }
  });

  it('the console shows untrusted text as it is, without markup and without marks that turn it around', async () => {
    const { signedIn } = stageConsole();
    const { text } = await (await signedIn()).get('/owner');

    expect(text).toContain('<bdi>&lt;i&gt;old&lt;/i&gt;</bdi>');
    expect(text).toContain('<bdi>face-swap-v6: &lt;b&gt;unavailable\ufffd</bdi>');
    expect(text).toContain('suspended: the service is not answering');
  });

  it('a page of the console is loaded again by itself only when that was asked for', async () => {
    const browser = await stageConsole().signedIn();

    expect((await browser.get('/owner')).text).not.toContain('http-equiv="refresh"');
    expect((await browser.get('/owner?every=10')).text).toContain('http-equiv="refresh" content="10"');
    expect((await browser.get('/owner?every=0')).text).not.toContain('http-equiv="refresh"');
  });
});

import { once } from 'node:events';
import { request } from 'node:http';
import { json as readJson } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { type Browser, openBrowser } from '../../fakes/web/browser.ts';
import { openWeb, studio } from '../../fakes/web/open-web.ts';

const json = { 'content-type': 'application/json' };

describe('the playground refuses requests of other sites', () => {
  it('the playground has a strict content security policy, and a cookie that scripts and other sites cannot read', async () => {
    const { url } = await openWeb();

    const page = await fetch(`${url}/`);
    const policy = page.headers.get('content-security-policy');

    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('set-cookie')).toMatch(/^darkroom=[\w-]{43}; .*HttpOnly; SameSite=Strict$/);

    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(html).not.toMatch(/\son\w+=|\sstyle=|https?:/);
  });

  it.each([
    { what: 'without the header that only our page can set', headers: { 'sec-fetch-site': 'same-origin' } },
    { what: 'from another site', headers: { 'x-darkroom': '1', 'sec-fetch-site': 'cross-site' } },
    {
      what: 'from another port of this machine',
      headers: { 'x-darkroom': '1', 'sec-fetch-site': 'same-site' },
    },
    { what: 'with a foreign origin', headers: { 'x-darkroom': '1', origin: 'https://evil.example' } },
    { what: 'with no origin at all to show', headers: { 'x-darkroom': '1', origin: 'null' } },
  ])('the playground refuses a change $what', async ({ headers }) => {
    const { url, desk } = await openWeb();

    const cookie = (await fetch(`${url}/`)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const form = new FormData();
    for (const [name, value] of Object.entries({ id: 'abcdefgh', room: 'studio', text: '/help' }))
      form.set(name, value);
    const init = { method: 'POST', body: form, headers: { cookie, ...headers } };

    expect((await fetch(`${url}/api/messages`, init)).status).toBe(403);
    expect(desk.heard).toEqual([]);
  });

  it('the playground refuses requests without a session, and unknown sessions', async () => {
    const { url } = await openWeb();
    const room = '/api/messages?room=studio';
    for (const path of ['/api/session', '/api/events', room, '/media/x', '/samples/portrait'])
      expect((await fetch(`${url}${path}`)).status, path).toBe(401);

    const cookie = `darkroom=${'a'.repeat(43)}`;
    expect((await fetch(`${url}/api/session`, { headers: { cookie } })).status).toBe(401);
  });

  it('the playground shows a room only to its members', async () => {
    const { url, desk } = await openWeb();
    const kim = await openBrowser(url, 'kim');
    expect((await kim.ask('/api/messages?room=studio')).status).toBe(404);
    expect((await kim.ask('/api/messages?room=dm-ann')).status).toBe(404);
    expect((await kim.say('studio', '/help')).status).toBe(404);

    const press = { id: 'abcdefgh', room: 'studio', message: 'bot.ann.x', action: 'cancel:1' };
    expect((await kim.post('/api/press', press)).status).toBe(400);
    expect((await kim.post('/api/session', { person: 'root' })).status).toBe(400);
    expect(desk.heard).toEqual([]);
  });
});

describe('the owner of the playground', () => {
  const sessionOf = async (browser: Browser) =>
    (await (await browser.ask('/api/session')).json()) as {
      person: { id: string };
      people: { id: string }[];
      rooms: { id: string; moderator: boolean }[];
    };

  const ranksIn = (rooms: readonly { id: string; moderator: boolean }[]): readonly string[] =>
    rooms.map(({ id, moderator }) => `${id} ${moderator}`);

  const owner = { platform: 'web', id: 'ida', name: 'Ida', locale: 'en' } as const;

  /** A playground that strangers can reach, and the cookie that its owner had before they could. */
  const openToStrangers = async () => {
    const safe = await openWeb();
    const ida = await openBrowser(safe.url, 'ida');
    expect((await sessionOf(ida)).person.id).toBe('ida');
    await safe.stop();

    const open = await openWeb({ hasOwner: false }, safe.folder);
    return { ...open, formerCookie: ida.cookie };
  };

  it.each(['a stranger', 'the former owner'])(
    'where strangers can reach the playground nobody becomes its owner, not even %s',
    async (who) => {
      const { url, desk, formerCookie } = await openToStrangers();
      const browser = await openBrowser(url, undefined, who === 'a stranger' ? '' : formerCookie);

      expect((await browser.post('/api/session', { person: 'ida' })).status).toBe(400);
      await browser.post('/api/session', { person: 'ida', locale: 'en', role: 'owner' });

      const { person, people, rooms } = await sessionOf(browser);
      expect(person.id).toBe('ann');
      expect(people.map(({ id }) => id)).not.toContain('ida');
      expect(ranksIn(rooms)).toEqual(['studio false', 'dm-ann false']);
      expect((await browser.ask('/api/messages?room=dm-ida')).status).toBe(404);
      expect((await browser.ask('/api/messages?room=garden')).status).toBe(404);
      expect((await browser.say('dm-ida', '/settings approve')).status).toBe(404);
      expect((await browser.say('garden', '/settings approve')).status).toBe(404);
      expect(desk.heard).toEqual([]);
    },
  );

  it('where strangers can reach the playground neither an address nor a cookie makes an owner', async () => {
    const { url, adapter, formerCookie } = await openToStrangers();
    const personWith = async (cookie: string): Promise<unknown> => {
      const answer = await fetch(`${url}/api/session?person=ida`, { headers: { cookie } });
      return answer.json();
    };

    expect(await personWith(formerCookie)).toMatchObject({ person: { id: 'ann' } });
    expect(await personWith(`${formerCookie}; person=ida`)).toMatchObject({ person: { id: 'ann' } });
    expect(await adapter.isModerator(owner, studio)).toBe(false);
  });

  it('the playground’s owner is in every community, and may remove what others wrote', async () => {
    const { url, desk } = await openWeb();
    const ida = await openBrowser(url, 'ida');
    const ann = await openBrowser(url, 'ann');
    const { rooms } = await sessionOf(ida);
    expect(ranksIn(rooms)).toEqual(['studio true', 'garden true', 'dm-ida false']);

    desk.replies({ kind: 'message', audience: 'everyone', view: { tone: 'info', lines: ['for all'] } });
    await ann.say('studio', '/help');
    const spoken = await eventually(async () => (await ida.messages('studio'))[0], 'what Ann said');

    expect((await ida.post('/api/remove', { room: 'studio', message: spoken.id })).status).toBe(200);
  });

  it.each(['ann', 'max'])(
    'nobody but the playground’s owner reads, presses or removes a message to the owner: %s',
    async (id) => {
      const { url, desk, adapter } = await openWeb();
      const ida = await openBrowser(url, 'ida');
      const other = await openBrowser(url, id);
      const buttons = [[{ action: 'approve:1', label: 'Approve' }]];
      await adapter.say({ caller: owner }, { tone: 'ask', lines: ['A request'], buttons });
      const notice = (await ida.messages('dm-ida'))[0] ?? expect.fail('there is no notice');
      const pressIn = async (room: string): Promise<unknown> => {
        const press = { id: `press-${room}`, room, message: notice.id, action: 'approve:1', person: 'ida' };
        const answer = await other.post('/api/press', press);
        // A press that is not malformed is answered with a note that its message is gone.
        return answer.status === 400 ? { note: 'malformed' } : answer.json();
      };

      expect((await other.ask('/api/messages?room=dm-ida')).status).toBe(404);
      expect(await pressIn('dm-ida')).toHaveProperty('note');
      expect(await pressIn('studio')).toHaveProperty('note');
      expect(await pressIn(`dm-${id}`)).toHaveProperty('note');
      expect((await other.post('/api/remove', { room: 'dm-ida', message: notice.id })).status).toBe(404);
      expect(desk.heard).toEqual([]);
    },
  );
});

describe('the password', () => {
  type Body = NonNullable<RequestInit['body']>;

  const post = (url: string, body: Body, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers, redirect: 'manual', duplex: 'half' });

  const enter = (url: string, password: string, headers = {}): Promise<Response> =>
    post(`${url}/login`, new URLSearchParams({ password }), headers);

  /** A body as a proxy sends it that omits the length. */
  const streamed = (...parts: readonly string[]): Body => new Blob([...parts]).stream();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('the playground’s password opens a session only when it is right', async () => {
    const { url } = await openWeb({ password: 'open-sesame' });
    const signIn = await fetch(`${url}/`);
    expect(signIn.headers.get('set-cookie')).toBeNull();
    expect(await signIn.text()).toContain('type="password"');

    const wrong = await enter(url, 'open-sesam');
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('set-cookie')).toBeNull();

    const right = await enter(url, 'open-sesame');
    const cookie = right.headers.getSetCookie().join('; ');
    expect(right.status).toBe(303);
    expect((await fetch(`${url}/api/session`, { headers: { cookie } })).status).toBe(200);
    expect((await enter(url, 'open-sesame', { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('the playground’s cookie is marked as secure behind an https proxy', async () => {
    const { url } = await openWeb({ password: 'open-sesame' });
    const right = await enter(url, 'open-sesame', { 'x-forwarded-proto': 'https' });
    expect(right.headers.get('set-cookie')).toContain('; Secure');
  });

  it('a password for the playground that is too long is refused with a message, however it is sent', async () => {
    const { url } = await openWeb({ password: 'open-sesame' });
    const whole = await enter(url, 'a'.repeat(10_000));
    expect(whole.status).toBe(413);
    expect(whole.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(await whole.text()).toContain('too long for a password');

    const long = await post(`${url}/login`, streamed('password=', 'a'.repeat(10_000)), form);
    expect(long.status).toBe(413);

    await long.body?.cancel();
  });

  it('the playground’s password opens a session also when a proxy omits the length', async () => {
    const { url } = await openWeb({ password: 'open-sesame' });
    const right = await post(`${url}/login`, streamed('password=', 'open-sesame'), form);
    expect(right.status).toBe(303);

    const headers = { cookie: right.headers.getSetCookie().join('; '), 'x-darkroom': '1' };
    const chosen = await post(`${url}/api/session`, streamed('{"person":', '"max"}'), headers);
    expect(chosen.status).toBe(200);

    const large = await post(`${url}/api/session`, streamed('x'.repeat(70_000)), headers);
    expect(large.status).toBe(413);

    await large.body?.cancel();
  });
});

describe('malformed requests', () => {
  const type = 'multipart/form-data; boundary=x';

  const message = Object.entries({ id: 'abcdefgh', room: 'studio', text: '/help' })
    .map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('');

  it.each([
    { path: '/api/press', body: { id: 'short' } },
    { path: '/api/press', body: { id: 'abcdefgh', room: 'studio', message: 'x', action: 'a'.repeat(65) } },
    {
      path: '/api/answer',
      body: { id: 'abcdefgh', room: 'studio', draft: 'd', answers: { 'not a name': 'x' } },
    },
    { path: '/api/session', body: {} },
    { path: '/api/session', body: [] },
  ])('malformed requests to the playground are refused at $path', async ({ path, body }) => {
    const { url, desk } = await openWeb();
    const ann = await openBrowser(url);
    expect((await ann.post(path, body)).status).toBe(400);
    expect((await ann.ask(path, { method: 'POST', body: '{', headers: json })).status).toBe(400);
    expect(desk.heard).toEqual([]);
  });

  it('the playground refuses long texts, many photos and large photos', async () => {
    const { url, desk } = await openWeb();
    const ann = await openBrowser(url);
    expect((await ann.say('studio', 'a'.repeat(4001))).status).toBe(400);
    expect((await ann.say('studio', '')).status).toBe(400);

    const many = Array.from({ length: 11 }, () => new Uint8Array(10));
    expect((await ann.say('studio', '/faceswap', many)).status).toBe(413);
    expect((await ann.say('studio', '/faceswap', [new Uint8Array(20 * 1024 * 1024 + 1)])).status).toBe(413);

    // Each photo would fit, and all of them together do not; the refusal says so in the person's language.
    await ann.post('/api/session', { locale: 'de' });
    const asked = request(`${url}/api/messages`, {
      method: 'POST',
      headers: {
        cookie: ann.cookie,
        'x-darkroom': '1',
        'sec-fetch-site': 'same-origin',
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': 76 * 1024 * 1024,
      },
    });
    // A body that is announced as too large is refused before it is sent, and then the connection is cut.
    asked.flushHeaders();
    const [refused] = await once(asked, 'response');
    asked.on('error', () => undefined);

    expect(refused.statusCode).toBe(413);
    expect(await readJson(refused)).toEqual({
      error: expect.stringMatching(/^Zusammen sind diese Fotos zu groß/),
    });
    expect((await ann.say('studio', '/help', [], '../../etc')).status).toBe(400);
    expect(desk.heard).toEqual([]);
  });

  it.each([
    {
      what: 'a great many fields',
      status: 413,
      as: type,
      body: `${message}${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1_000)}--x--`,
    },
    {
      what: 'another encoding',
      status: 400,
      as: 'application/x-www-form-urlencoded',
      body: 'id=abcdefgh&room=studio&text=/help',
    },
  ])('the playground refuses unread a message with $what', async ({ status, as, body }) => {
    const { url, desk } = await openWeb();
    const ann = await openBrowser(url);
    const init = { method: 'POST', body, headers: { 'content-type': as } };

    expect((await ann.ask('/api/messages', init)).status).toBe(status);
    expect(desk.heard).toEqual([]);
  });
});

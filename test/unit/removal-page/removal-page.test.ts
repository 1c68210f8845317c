import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ANSWERED_WITHIN_MS } from '../../../src/safety/requests/request-list.ts';
import { newRequestNumber, requestIdOf } from '../../../src/safety/requests/request-number.ts';
import { LANGUAGES } from '../../../src/words/language.ts';
import { languages } from '../../../src/words/words.ts';
import { FILLED, stageRemovalPage } from '../../fakes/removal-page.ts';

const said = languages.en.removalPage;
const NUMBER = /^\/removal\/((?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4})$/;

/** What a browser shows of a page. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');

const numberIn = (location: string): string => NUMBER.exec(location)?.[1] ?? expect.fail(location);

describe('the page', () => {
  it('the page for removals loads nothing from elsewhere, is stored nowhere, and works without a script', async () => {
    const { get } = await stageRemovalPage();
    const page = await get();

    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.text).not.toMatch(/<script|style=|\son\w+=/);
    const loaded = [...page.text.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address);
    expect(loaded.filter((address) => !address?.startsWith('/removal') && address !== '#content')).toEqual(
      [],
    );
    for (const name of ['style.css', 'icon.svg']) expect((await get(`/removal/${name}`)).status).toBe(200);
  });

  it.each(LANGUAGES)(
    'the page for removals speaks %s where the address or the browser says so',
    async (language) => {
      const { get } = await stageRemovalPage();
      const words = languages[language].removalPage;

      const chosen = await get(`/removal?language=${language}`, { 'accept-language': 'ja' });
      const accepted = await get('/removal', { 'accept-language': `${language}-XX, en;q=0.5` });

      for (const page of [chosen, accepted]) {
        expect(page.text).toContain(`<html lang="${language}">`);
        for (const text of [words.title, words.intro, words.kept]) expect(textOf(page.text)).toContain(text);
        if (language !== 'en') expect(page.text).not.toContain(said.intro);
      }
      expect(chosen.text).toContain(`action="/removal?language=${language}"`);
    },
  );

  it.each(['xx', '"><script>', 'de'.repeat(1_000)])(
    'the page for removals is in the owner’s language for %j',
    async (language) => {
      const { get } = await stageRemovalPage({ ownerLanguage: 'fr' });
      const page = await get(`/removal?language=${encodeURIComponent(language)}`);
      expect(page.text).toContain('<html lang="fr">');
      expect(page.text).not.toContain('<script');
    },
  );
});

describe('a request', () => {
  it('a request for removal leads to a page with its state, which repeats nothing of what was sent', async () => {
    const { post, get, records, state } = await stageRemovalPage();

    const { status, location } = await post(FILLED);
    expect(status).toBe(303);
    const number = numberIn(location);
    const page = await get(location);

    expect(page.status).toBe(200);
    expect(textOf(page.text)).toContain(said.states.open.title);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    for (const text of Object.values(FILLED)) expect(page.text).not.toContain(text.slice(0, 12));
    expect(await records.find(requestIdOf(number))).toMatchObject(FILLED);
    for await (const [key, value] of state.iterator())
      expect(JSON.stringify([key, value])).not.toContain(number);
  });

  it('a request for removal keeps the language that was chosen', async () => {
    const { post, get } = await stageRemovalPage();
    const { location } = await post(FILLED, {}, '/removal?language=de');
    expect(location).toMatch(/\?language=de$/);
    expect((await get(location)).text).toContain(languages.de.removalPage.states.open.title);
  });

  it('the page of a request says what was decided, in the owner’s words', async () => {
    const { post, get, records } = await stageRemovalPage();
    const { location } = await post(FILLED);
    const by = 'Olga <i>';

    await records.decide(requestIdOf(numberIn(location)), { what: 'refused', by, reason: '<b>not</b> ours' });
    const page = await get(location);

    expect(page.text).toContain('&lt;b&gt;not&lt;/b&gt; ours');
    expect(page.text).not.toContain('Olga');
  });

  it.each(['removed', 'nothing'] as const)(
    'the page of a request says that it ended with: %s',
    async (what) => {
      const { post, get, records } = await stageRemovalPage();
      const { location } = await post(FILLED);
      await records.decide(requestIdOf(numberIn(location)), { what, by: 'Olga' });
      expect(textOf((await get(location)).text)).toContain(said.states[what].title);
    },
  );

  it('the page of a request says that it is late, and what else can be done', async () => {
    const { post, get, clock } = await stageRemovalPage();
    const { location } = await post(FILLED);
    await clock.advance(ANSWERED_WITHIN_MS + 1);
    expect(textOf((await get(location)).text)).toContain(said.states.late.title);
  });

  it('a request for removal is found by its number, however that is typed', async () => {
    const { post, url } = await stageRemovalPage();
    const number = numberIn((await post(FILLED)).location);
    const typed = number.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o');
    const body = new URLSearchParams({ number: typed });
    const found = await fetch(`${url}/removal/find`, { method: 'POST', body, redirect: 'manual' });
    expect(found.headers.get('location')).toBe(`/removal/${number}`);
  });

  it('a request for removal can be deleted with its number, after a question', async () => {
    const { post, get, records } = await stageRemovalPage();
    const { location } = await post(FILLED);

    const question = await get(`${location}/delete`);
    expect(question.text).toContain(said.deleteWhat);
    expect((await get(location)).status).toBe(200);

    await post({}, {}, `${location}/delete`);
    expect((await get(location)).status).toBe(404);
    expect(await records.all()).toEqual({ open: [], closed: [] });
  });

  it('a request for removal keeps fingerprints of a picture, and never the picture', async () => {
    const portrait = await readFile(
      new URL('../../../src/generation-service/samples/portrait.jpg', import.meta.url),
    );
    const seen: number[] = [];
    const { post, records } = await stageRemovalPage({
      async fingerprint(picture) {
        seen.push(picture.byteLength);
        return { file: 'a-file' };
      },
    });
    const { location } = await post({ ...FILLED, link: '', picture: new Blob([portrait]) });

    expect(seen).toEqual([portrait.byteLength]);
    const stored = await records.find(requestIdOf(numberIn(location)));
    expect(stored?.picture).toEqual({ file: 'a-file' });
    expect(stored).not.toHaveProperty('link');
  });
});

describe('a form that cannot be accepted', () => {
  it.each([
    { problem: 'nothing', fields: { ...FILLED, link: '' } },
    { problem: 'link', fields: { ...FILLED, link: 'javascript:alert(1)' } },
    { problem: 'link', fields: { ...FILLED, link: 'not a link' } },
    { problem: 'contact', fields: { ...FILLED, contact: ' ' } },
    { problem: 'about', fields: { ...FILLED, about: '' } },
    { problem: 'large', fields: { ...FILLED, picture: new Blob([new Uint8Array(20 * 1024 * 1024 + 1)]) } },
    { problem: 'picture', fields: { ...FILLED, picture: new Blob(['GIF89a']) } },
  ] as const)(
    'a form that cannot be accepted says what is wrong ($problem), and has what was typed',
    async ({ problem, fields }) => {
      const { post, records } = await stageRemovalPage({ fingerprint: async () => undefined });
      const page = await post(fields);
      expect(page.status).toBeGreaterThanOrEqual(400);
      expect(textOf(page.text)).toContain(said.problems[problem]);
      if (problem !== 'about') expect(page.text).toContain('&lt;b&gt;and&lt;/b&gt;');
      expect(page.text).not.toContain('<b>and');
      expect((await records.all()).open).toEqual([]);
    },
  );

  it('a form that cannot be accepted escapes everything in every field', async () => {
    const { post } = await stageRemovalPage();
    const attack = '"><script>alert(1)</script>\u0000';
    const page = await post({ link: attack, contact: attack, about: `</textarea>${attack}` });
    expect(page.text).not.toContain('<script');
    expect(page.text.match(/&lt;script&gt;/g)).toHaveLength(3);
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://elsewhere.test' }, { origin: 'null' }])(
    'a form is refused when it comes from another page: %j',
    async (headers) => {
      const { post, records } = await stageRemovalPage();
      expect((await post(FILLED, headers)).status).toBe(403);
      expect((await records.all()).open).toEqual([]);
    },
  );

  it.each([
    { type: 'text/plain', body: 'x' },
    { type: 'multipart/form-data; boundary=x', body: '--x\r\n' },
    {
      type: 'multipart/form-data; boundary=x',
      body: `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(100)}--x--`,
    },
    { type: 'application/x-www-form-urlencoded', body: 'link=https://a.test' },
  ])('a form is refused as $type', async ({ type, body }) => {
    const { url } = await stageRemovalPage();
    const answer = await fetch(`${url}/removal`, { method: 'POST', body, headers: { 'content-type': type } });
    expect(answer.status).toBe(400);
    expect(textOf(await answer.text())).toContain(said.problems.malformed);
  });

  it('a form is refused for its announced size before it is read', async () => {
    const { port } = await stageRemovalPage();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      'POST /removal HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 99999999\r\n\r\n',
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413/);
  });

  it('a form is given up when it stops to arrive', async () => {
    const { port, clock } = await stageRemovalPage();
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      'POST /removal HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n\r\n--x',
    );
    const answered = once(socket, 'data');
    while (clock.pending === 0) await new Promise(setImmediate);
    await clock.advance(10_000);
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe('numbers', () => {
  it.each([
    newRequestNumber(),
    '1',
    'x'.repeat(5_000),
    '%00',
    '..%2f..%2fowner',
    '<script>',
    'list',
    requestIdOf('x'),
  ])('a forged number of a request (%s) finds nothing, and is answered like any other', async (number) => {
    const { get } = await stageRemovalPage();
    const unknown = await get(`/removal/${newRequestNumber()}`);
    const page = await get(`/removal/${encodeURIComponent(number)}`);
    expect(page.status).toBe(404);
    expect(page.text).toBe(unknown.text);
  });

  it('numbers of requests do not repeat, and have 24 letters and digits', async () => {
    const numbers = new Set(Array.from({ length: 1_000 }, newRequestNumber));
    expect(numbers.size).toBe(1_000);
    for (const number of numbers) expect(`/removal/${number}`).toMatch(NUMBER);
  });

  it('nobody can try many numbers of requests', async () => {
    const { get, from } = await stageRemovalPage();
    const tries = Array.from({ length: 61 }, () =>
      get(`/removal/${newRequestNumber()}`, from('203.0.113.9')),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await get('/removal', from('203.0.113.10'))).status).toBe(200);
  });
});

describe('a flood', () => {
  it('a flood of requests from one address is stopped, whatever it claims to be, and others are not', async () => {
    const { post, from, records } = await stageRemovalPage();
    const forged = (count: number) => from(`198.51.100.${count}, 203.0.113.9`);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await post(FILLED, forged(count))).status);

    expect(statuses).toEqual([303, 303, 303, 429, 429]);
    expect((await post(FILLED, from('203.0.113.10'))).status).toBe(303);
    expect((await records.all()).open).toHaveLength(4);
  });

  it('one address cannot have more than twenty requests open, and the page says what to do instead', async () => {
    const { post, from, records, clock } = await stageRemovalPage();
    const flood = async (): Promise<{ status: number; text: string }> => {
      await clock.advance(61_000);
      return post(FILLED, from('203.0.113.9'));
    };
    for (let count = 0; count < 20; count += 1) expect((await flood()).status).toBe(303);

    const more = await flood();

    expect(more.status).toBe(429);
    expect(textOf(more.text)).toContain(said.problems['full-of-one']);
    expect((await records.all()).open).toHaveLength(20);
  });

  it('a flood of requests from the whole world is not even read beyond a hundred forms a minute, and is over after it', async () => {
    let asked = 0;
    const { post, from, clock } = await stageRemovalPage({
      requests: {
        admit: async () => {
          asked += 1;
          return 'busy';
        },
        add: async () => undefined,
        find: async () => undefined,
        delete: async () => undefined,
      },
    });
    for (let each = 0; each < 130; each += 1)
      expect((await post(FILLED, from(`192.0.2.${each}`))).status).toBe(429);
    expect(asked).toBe(100);

    await clock.advance(60_000);
    await post(FILLED, from('192.0.2.200'));
    expect(asked).toBe(101);
  });

  it('a flood of requests from the whole world fills the list, which says what to do instead', async () => {
    const { post, from, records, clock } = await stageRemovalPage();
    for (let count = 0; count < 200; count += 1) {
      const id = requestIdOf(`filled ${count}`);
      await records.add(id, { at: clock.now(), from: `${count}`, contact: 'a', about: 'b' });
    }
    const more = await post(FILLED, from('203.0.113.9'));
    expect(more.status).toBe(503);
    expect(textOf(more.text)).toContain(said.problems.full);
  });
});

it('a store that is away is an answer in plain words, and no number gets into the log', async () => {
  const away = () => Promise.reject(new Error('the store is away'));
  const { get, post, logged } = await stageRemovalPage({
    requests: { admit: away, add: away, find: away, delete: away },
  });
  const number = newRequestNumber();

  const page = await get(`/removal/${number}`);
  const form = await post(FILLED);

  for (const { status, text } of [page, form]) {
    expect(status).toBe(503);
    expect(textOf(text)).toContain(said.problems.failed);
  }
  expect(logged).toHaveLength(2);
  expect(logged.join()).not.toContain(number);
});

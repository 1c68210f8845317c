import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPage } from '../../../../src/adapters/web/incoming/page-routes.ts';
import { en } from '../../../../src/words/en/words.ts';
import { languages } from '../../../../src/words/words.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
import { openWeb } from '../../../fakes/web/open-web.ts';

const folder = new URL('../../../../src/adapters/web/page/', import.meta.url);
const page = readPage();

it('the playground serves every file of the page, and no other', () => {
  const there = readdirSync(folder).filter((name) => name !== 'tsconfig.json');
  expect([...page.keys()].sort()).toEqual(there.sort());
});

it('the page never parses text as HTML, and loads nothing external', () => {
  const scripts = [...page].filter(([name]) => name.endsWith('.js'));
  for (const [name, { text }] of scripts) {
    expect(text, name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/,
    );
    for (const [, from] of text.matchAll(/^import .* from '([^']+)';$/gm))
      expect(page.has(from?.slice(2) ?? '')).toBe(true);
  }
  for (const [name, { text }] of page)
    expect(text.replaceAll('http://www.w3.org/2000/svg', ''), name).not.toMatch(/https?:\/\/|url\(/);
});

const html = page.get('index.html')?.text ?? '';
const scripts = [...page].filter(([name]) => name.endsWith('.js')).map(([, { text }]) => text);

const adapter = readdirSync(new URL('..', folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(new URL(`../${name}`, folder), 'utf8'));

it('the page is translated completely', () => {
  const named = [...html.matchAll(/ data-(?:label|title|name|hint)="(\w+)"/g)].map(([, key]) => key ?? '');
  expect(named.length).toBeGreaterThan(20);
  for (const key of named) expect(en.page).toHaveProperty(key);

  // Text remains only where no label is needed, once everything with a label is removed.
  const rest = html
    .replace(/<title>.*<\/title>|<noscript>[\s\S]*?<\/noscript>/g, '')
    .replace(/<(\w+)[^>]* data-label="\w+"[^>]*>[^<]*<\/\1>/g, '')
    .replace(/<kbd>\w+<\/kbd>/g, '')
    .replace(/<[^>]*>/g, '');
  expect(rest.match(/\p{L}+/gu)).toEqual(['Darkroom']);

  const attributes = html.match(/<[^>]* (aria-label|title|placeholder)="[^>]*>/g) ?? [];
  for (const each of attributes) expect(each).toMatch(/ data-(title|name|hint)=/);
  // Sentences in scripts would be in English for everybody.
  for (const text of scripts)
    expect(text.replace(/\/\*[\s\S]*?\*\/|\/\/ .*$/gm, '')).not.toMatch(/['`][A-Z][a-z]+ [a-z]/);
});

it('the page has new messages read aloud', () =>
  expect(html).toMatch(/<div id="log"[^>]* role="log" aria-live="polite"/));

it('the page has no unused label', () => {
  const all = [html, ...scripts, ...adapter].join('\n');
  const unsaid = Object.keys(en.page).filter((key) => !new RegExp(`\\b${key}\\b`).test(all));
  expect(unsaid).toEqual([]);
});

const labelsIn = (text: string): unknown =>
  JSON.parse(/name="labels" content="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"') ?? 'null');

it.each([
  { accepted: 'de-AT,de;q=0.9', language: 'de' },
  { accepted: 'ja,pt;q=0.5', language: 'pt' },
  { accepted: '"><script>', language: 'en' },
] as const)(
  'the page comes in "$language" for a browser that asks for $accepted',
  async ({ accepted, language }) => {
    const { url } = await openWeb();

    const answer = await fetch(`${url}/`, { headers: { 'accept-language': accepted } });
    const text = await answer.text();

    expect(text).toContain(`<html lang="${language}">`);
    expect(labelsIn(text)).toEqual(languages[language].page);
  },
);

it('the page comes in the language that was chosen', async () => {
  const { url } = await openWeb();
  const ann = await openBrowser(url);
  await ann.post('/api/session', { locale: 'fr' });

  const text = await (await ann.ask('/')).text();
  expect(text).toContain('<html lang="fr">');

  const session = await (await ann.ask('/api/session')).json();
  expect(session).toMatchObject({ labels: languages.fr.page, samples: [{ label: 'Portrait d’exemple' }] });
});

it('the page asks for the password in the browser’s language', async () => {
  const { url } = await openWeb({ password: 'correct horse' });
  const headers = { 'accept-language': 'es', 'sec-fetch-site': 'same-origin' };
  expect(await (await fetch(`${url}/`, { headers })).text()).toContain('Contraseña');

  const body = new URLSearchParams({ password: 'wrong' });
  const refused = await fetch(`${url}/login`, { method: 'POST', headers, body });
  expect(refused.status).toBe(401);
  expect(await refused.text()).toContain('Contraseña incorrecta.');
});

/**
 * `node scripts/smoke.ts http://127.0.0.1:8080` checks whether a Darkroom that has just been started, with its playground,
 * its embedded service and CONSENT=off, answers, is ready, and makes a picture. Exit code 1: it does not.
 */
import { readFileSync } from 'node:fs';
import { openBrowser } from '../test/fakes/web/browser.ts';

const STARTS_MS = 60_000;
const WORKS_MS = 180_000;
const [base = ''] = process.argv.slice(2);
if (!URL.canParse(base)) throw new Error('Usage: node scripts/smoke.ts URL');

async function until<T>(what: string, mostMs: number, read: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + mostMs;
  for (;;) {
    const found = await read().catch(() => undefined);
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 250));
  }
}

for (const path of ['/healthz', '/readyz'])
  await until(path, STARTS_MS, async () => ((await fetch(`${base}${path}`)).ok ? true : undefined));

const browser = await openBrowser(base, 'ann');
const photo = readFileSync(new URL('../src/generation-service/samples/portrait.jpg', import.meta.url));

const mediaIn = async () =>
  (await browser.messages('studio')).flatMap(({ view }) => (view?.media === undefined ? [] : [view.media]));

const before = (await mediaIn()).length;
const sent = await browser.say('studio', '/faceswap 3 female', [photo]);
if (!sent.ok) throw new Error(`the command was refused: ${sent.status} ${await sent.text()}`);
const media = await until('a picture', WORKS_MS, async () => (await mediaIn())[before]);
console.log(`${base} works: ${JSON.stringify(media).slice(0, 100)}`);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { createWebAdapter } from '../../../src/adapters/web/adapter.ts';
import type { Message } from '../../../src/adapters/web/outgoing/message.ts';
import type { ShownSpan } from '../../../src/adapters/web/outgoing/render.ts';
import { webRecords } from '../../../src/adapters/web/records.ts';
import { type Person as Cast, directRoom, people } from '../../../src/adapters/web/visitors/people.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createHttp } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log/log.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { wordsFor } from '../../../src/words/words.ts';
import { interleaved } from '../../fakes/records.ts';
import { type Browser, openBrowser } from '../../fakes/web/browser.ts';
import type { AdapterDriver, Person, Seen } from './driver.ts';
import { adapterSuite } from './suite.ts';

const common = 'studio';

const textOf = (span: ShownSpan): string => {
  if (typeof span === 'string') return span;
  if ('bold' in span) return span.bold;
  if ('code' in span) return span.code;
  return 'quote' in span ? span.quote : span.link;
};

const linksIn = (lines: readonly (readonly ShownSpan[])[]): readonly string[] =>
  lines.flat().flatMap((span) => (typeof span === 'object' && 'link' in span ? [span.url] : []));

const see = async (message: Message, browser: Browser): Promise<Seen> => {
  const { view } = message;
  const lines = [...(view?.title === undefined ? [] : [view.title]), ...(view?.lines ?? [])];
  const media = view?.media?.kind === 'link' ? undefined : view?.media;
  return {
    id: message.id,
    text: lines.map((line) => line.map(textOf).join('')).join('\n'),
    buttons: (view?.buttons ?? []).flat().map(({ label }) => label),
    tiles: (view?.tiles ?? []).map(({ label }) => label),
    links: linksIn(lines),
    mentions: [],
    ...(media === undefined
      ? {}
      : {
          media: {
            kind: media.kind,
            spoiler: media.spoiler,
            bytes: new Uint8Array(await (await browser.ask(`/media/${media.id}`)).arrayBuffer()),
          },
        }),
  };
};

const sit = async (base: string, cast: Cast, complain: (text: string) => void): Promise<Person> => {
  const browser = await openBrowser(base, cast.id);
  const notes: Seen[] = [];
  const seen = async (room: string): Promise<readonly Seen[]> => {
    const messages = await browser.messages(room);
    const bots = messages.filter(({ from }) => from === 'bot');
    return Promise.all(bots.map((message) => see(message, browser)));
  };
  const must = async (response: Response): Promise<Response> => {
    if (!response.ok && response.status !== 503) complain(`${response.url}: ${response.status}`);
    return response;
  };
  const person: Person = {
    caller: { platform: 'web', id: cast.id, name: cast.name, locale: 'en' },
    async type(command, options = {}, photo = undefined) {
      const line = [command, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)].join(' ');
      await must(await browser.say(common, line, photo === undefined ? [] : [photo]));
    },
    async press(message, label) {
      const shown = (await browser.messages(common)).find(({ id }) => id === message.id);
      if (shown === undefined) throw new Error('that message is not there');
      const note = await browser.press(shown, label);
      if (note !== undefined)
        notes.push({
          id: `note-${notes.length}`,
          text: note,
          buttons: [],
          tiles: [],
          links: [],
          mentions: [],
        });
    },
    choose: (message, tile) => person.press(message, tile),
    write: async (_question, text) => void (await must(await browser.say(common, text))),
    takeDown: async ({ id }) =>
      void (await must(await browser.post('/api/remove', { room: common, message: id }))),
    room: async () => [...(await seen(common)), ...notes],
    inbox: () => seen(directRoom(cast).id),
  };
  return person;
};

const personIn = (id: string): Cast => {
  const found = people.find((person) => person.id === id);
  if (found === undefined) throw new Error(`nobody is called ${id}`);
  return found;
};

/** Of two processes, one has the browsers and the other draws. */
const driverOf = (processes: 1 | 2): AdapterDriver => ({
  name: processes === 1 ? 'web' : 'web, two processes on one store',
  async start(desk) {
    const folder = await mkdtemp(join(tmpdir(), 'darkroom-web-'));
    const store = openStore({ path: join(folder, 'store.sqlite'), keys: [] });
    const log = createLog({ level: 'silent', secrets: [] });
    const complaints: string[] = [];
    const records = store.keyv('web', webRecords);
    const create = (name: string) =>
      createWebAdapter({
        commands: [],
        desk,
        state: processes === 1 ? records : interleaved(records),
        process: processes === 1 ? undefined : name,
        clock: systemClock,
        log,
        words: wordsFor,
        samples: [],
        hasOwner: true,
        preview: async () => undefined,
      });
    const front = create('front');
    const adapter = processes === 1 ? front : create('back');
    const http = await createHttp({
      host: '127.0.0.1',
      port: 0,
      clock: systemClock,
      health: () => ({}),
      ready: async () => ({ ready: true, checks: {} }),
      metrics: new Registry(),
      log,
      mount: [{ path: '/', app: front.routes }],
    });
    for (const each of new Set([front, adapter])) await each.start();
    const stop = async (): Promise<void> => {
      for (const each of new Set([front, adapter])) await each.stop();
    };
    const sitting = (id: string): Promise<Person> =>
      sit(http.url, personIn(id), (text) => complaints.push(text));
    return {
      // A job is submitted by the process that has its photos.
      adapter: { ...adapter, photo: front.photo, stop },
      place: { platform: 'web', community: `web:${common}`, channel: common, direct: false },
      ann: await sitting('ann'),
      bob: await sitting('bob'),
      mod: await sitting('max'),
      complaints: () => complaints,
      async stop() {
        await stop();
        await http.close();
        store.close();
        await rm(folder, { recursive: true });
      },
    };
  },
});

adapterSuite(driverOf(1));
adapterSuite(driverOf(2));

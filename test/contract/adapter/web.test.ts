import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { AdapterDependencies } from '../../../src/adapters/adapter.ts';
import { createWebAdapter } from '../../../src/adapters/web/adapter.ts';
import type { Message } from '../../../src/adapters/web/outgoing/message.ts';
import type { ShownSpan } from '../../../src/adapters/web/outgoing/render.ts';
import { webRecordRules } from '../../../src/adapters/web/records.ts';
import { type Person as Cast, directRoom, personWith } from '../../../src/adapters/web/visitors/people.ts';
import { barText } from '../../../src/command/view.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { type Browser, openBrowser } from '../../fakes/web/browser.ts';
import { serveWeb } from '../../fakes/web/open-web.ts';
import type { AdapterDriver, Person, Seen, Spot } from './driver.ts';
import { createProcesses, noRules, patientClock } from './processes.ts';
import { adapterSuite } from './suite.ts';

const common = 'studio';

const textOf = (span: ShownSpan): string => {
  if (typeof span === 'string') return span;
  if ('bold' in span) return span.bold;
  if ('code' in span) return span.code;
  return 'quote' in span ? span.quote : span.link;
};

const see = async ({ id, view }: Message, browser: Browser): Promise<Seen> => {
  const link = view?.media?.kind === 'link' ? [[{ link: view.media.label, url: view.media.url }]] : [];
  const lines: readonly (readonly ShownSpan[])[] = [
    ...(view?.title === undefined ? [] : [view.title]),
    ...(view?.bar === undefined ? [] : [[barText(view.bar)]]),
    ...(view?.lines ?? []),
    ...link,
  ];
  const media = view?.media?.kind === 'link' ? undefined : view?.media;
  return {
    id,
    text: lines.map((line) => line.map(textOf).join('')).join('\n'),
    buttons: (view?.buttons ?? []).flat().map(({ label }) => label),
    tiles: (view?.tiles ?? []).map(({ label }) => label),
    links: lines.flat().flatMap((span) => (typeof span === 'object' && 'link' in span ? [span.url] : [])),
    mentions: [],
    ...(media === undefined
      ? {}
      : {
          media: {
            kind: media.kind,
            spoiler: media.spoiler,
            alt: media.alt,
            bytes: new Uint8Array(await (await browser.ask(`/media/${media.id}`)).arrayBuffer()),
          },
        }),
  };
};

interface Sitting {
  readonly url: string;
  readonly cast: Cast;
  readonly locale: string;
  /** Questions are answered in their form, and not by the next message. */
  readonly hasForms: boolean;
  readonly complain: (text: string) => void;
}

const sit = async ({ url, cast, locale, hasForms, complain }: Sitting): Promise<Person> => {
  const browser = await openBrowser(url);
  await browser.post('/api/session', { person: cast.id, locale });
  const direct = directRoom(cast).id;
  const notes: Seen[] = [];
  let repeat = async (): Promise<void> => undefined;

  /** Sent, and once more in the same way when it is repeated; a note in the answer appears beside the messages. */
  const send = (ask: () => Promise<Response>): void => {
    repeat = async () => {
      const response = await ask();
      if (!response.ok && response.status !== 503) complain(`${response.url}: ${response.status}`);
      const { note: text } = (await response.json()) as { readonly note?: string };
      if (text === undefined) return;
      notes.push({ id: `note-${notes.length}`, text, buttons: [], tiles: [], links: [], mentions: [] });
    };
    // The server may be gone before it has answered.
    repeat().catch(() => undefined);
  };
  const shown = async ({ id }: Seen): Promise<Message> => {
    const found = (await browser.messages(common)).find((message) => message.id === id);
    if (found === undefined) throw new Error('that message is not there');
    return found;
  };
  const press = (message: string, action: string): void => {
    const id = randomUUID();
    send(() => browser.post('/api/press', { id, room: common, message, action }));
  };
  const say = (room: string, text: string, photos: readonly Uint8Array[]): void => {
    const id = randomUUID();
    send(() => browser.say(room, text, photos, id));
  };

  const roomAt = (spot: Spot): string => (spot === 'direct' ? direct : common);
  const personAt = (spot: Spot): Person => ({
    caller: { platform: 'web', id: cast.id, name: cast.name, locale },
    async types({ command, given = {}, photos = {} }) {
      const words = Object.entries(given).map(([option, value]) => `${option}="${value}"`);
      say(roomAt(spot), [`/${command}`, ...words].join(' '), Object.values(photos));
    },
    async completes(command, option, typed) {
      const query = new URLSearchParams({ room: common, command, option, typed });
      const { suggestions } = (await (await browser.ask(`/api/complete?${query}`)).json()) as {
        readonly suggestions: readonly { readonly label: string }[];
      };
      return suggestions.map(({ label }) => label);
    },
    async presses(message, label) {
      const { id, view } = await shown(message);
      const button = [...(view?.buttons?.flat() ?? []), ...(view?.tiles ?? [])].find(
        (each) => each.label === label,
      );
      if (button === undefined) throw new Error(`no button "${label}"`);
      press(id, button.action);
    },
    forges: async ({ id }, action) => press(id, action),
    async answers(question, answer) {
      if (typeof answer !== 'string') return say(common, '', [answer]);
      const { ask } = await shown(question);
      if (!hasForms || ask === undefined) return say(common, answer, []);
      const { draft, question: asked } = ask;
      const id = randomUUID();
      const answers = { [asked.option]: answer };
      send(() => browser.post('/api/answer', { id, room: common, draft, answers }));
    },
    blunders: async () => undefined,
    repeats: () => repeat(),
    async takesDown({ id }) {
      await browser.post('/api/remove', { room: common, message: id });
    },
    async sees() {
      const messages = await browser.messages(roomAt(spot));
      const bots = messages.filter(({ from }) => from === 'bot');
      const seen = await Promise.all(bots.map((message) => see(message, browser)));
      return spot === 'room' ? [...seen, ...notes] : seen;
    },
    at: personAt,
  });
  return personAt('room');
};

/** Questions can be answered with the next message, or in a form. */
const driverOf = (answers: 'messages' | 'forms'): AdapterDriver => ({
  name: answers === 'messages' ? 'web' : 'web, answers in forms',
  lacks: {
    threads: 'the playground has none',
    'refusals beforehand': 'a late answer can be for one person, too',
    roles: 'the playground has none',
    outages: 'the adapter is the platform',
    'own answers': 'the desk is always asked first',
    'photos after a crash': 'photos are only in memory',
    forgetting:
      'a browser stays the person that it chose to be; the chat goes, which is tested with `keepsChat`',
    isMember: 'a button can be pressed only where it is',
    communities: 'the rooms are fixed',
    find: 'the id of an answer comes from the event',
    isSame: 'no card is sent twice',
    link: 'messages have no addresses',
    readLink: 'messages have no addresses',
    standsBy: 'every process serves its own visitors',
  },
  async open(desk) {
    const store = await openSqliteStore({ path: ':memory:', keys: [] });
    let routes = new Hono();
    const app = new Hono().all('*', ({ req, env }) => routes.fetch(req.raw, env));
    const http = await serveWeb(app, { clock: patientClock });
    const complaints: string[] = [];
    const create = async (parts: AdapterDependencies) => {
      const adapter = createWebAdapter({
        ...parts,
        state: parts.state(noRules),
        samples: [],
        hasOwner: true,
        preview: async () => undefined,
      });
      routes = adapter.routes;
      return { adapter };
    };
    const processes = await createProcesses(desk, create, store.keyv('web', webRecordRules));
    const sitting = (id: string, locale = 'en'): Promise<Person> => {
      const cast = personWith(id);
      if (cast === undefined) throw new Error(`nobody is called ${id}`);
      const complain = (text: string) => complaints.push(text);
      return sit({ url: http.url, cast, locale, hasForms: answers === 'forms', complain });
    };
    const place = { platform: 'web', community: `web:${common}`, channel: common, direct: false } as const;
    return {
      get adapter() {
        return processes.adapter;
      },
      place,
      nowhere: { ...place, community: 'web:cellar', channel: 'cellar' },
      stranger: { platform: 'web', id: 'stranger', name: 'Stranger', locale: 'en' },
      ann: await sitting('ann'),
      bob: await sitting('bob'),
      mod: await sitting('max'),
      eva: await sitting('ida', 'de'),
      crash: processes.crash,
      outage: (work) => work(),
      // Photos are in memory only.
      losePhotos: processes.crash,
      stored: processes.stored,
      complaints: () => complaints,
      async end() {
        await processes.stop();
        await http.close();
        store.close();
      },
    };
  },
});

adapterSuite(driverOf('messages'));
adapterSuite(driverOf('forms'), ['text', 'image inline']);

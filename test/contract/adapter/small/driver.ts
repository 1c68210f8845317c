import type { Adapter, AdapterDependencies } from '../../../../src/adapters/adapter.ts';
import type { Records } from '../../../../src/base/keyv/records.ts';
import type { Desk } from '../../../../src/command/desk.ts';
import type { Place } from '../../../../src/command/place.ts';
import type { AdapterDriver, Person, Seen, Spot } from '../driver.ts';
import { createProcesses, noRules } from '../processes.ts';
import { createSmallAdapter } from './adapter.ts';
import {
  type Api,
  createPlatform,
  display,
  type Event,
  type Listener,
  type Platform,
  type Post,
  type User,
} from './platform.ts';

/** A mistake of an adapter: methods of the platform, of the desk or of the adapter itself are replaced. */
export interface Fault {
  readonly api?: (api: Api) => Partial<Api>;
  readonly desk?: (desk: Desk, state: Records) => Partial<Desk>;
  readonly listener?: (listener: Listener) => Partial<Listener>;
  readonly adapter?: (adapter: Adapter) => Partial<Adapter>;
}

const see = ({ id, body }: Post): Seen => ({
  id,
  ...display(body.text),
  buttons: body.buttons.map(({ label }) => label),
  tiles: body.tiles.map(({ label }) => label),
  ...(body.media === undefined
    ? {}
    : {
        media: {
          kind: body.media.as === 'file' ? 'file' : body.media.kind,
          bytes: body.media.bytes,
          spoiler: body.media.spoiler === true,
          alt: body.media.alt,
        },
      }),
});

type Action = Event extends infer Each
  ? Each extends Event
    ? Omit<Each, 'id' | 'user' | 'room'>
    : never
  : never;

const createPerson = (platform: Platform, user: User, room: string): Person => {
  const { id, name, language: locale } = user;
  const direct = `dm-${id}`;
  const notes: Seen[] = [];
  platform.users.set(id, user);
  platform.members.set(direct, new Map([[id, 'member']]));

  const send = (action: Action, spot: Spot): void => {
    const where =
      spot === 'direct' ? { room: direct } : { room, ...(spot === 'thread' ? { thread: 't1' } : {}) };
    platform.send({ id: `e${platform.newId()}`, user, ...where, ...action }, (text) =>
      notes.push({ id: `note ${notes.length}`, text, buttons: [], tiles: [], links: [], mentions: [] }),
    );
  };
  const attach = (bytes: Uint8Array): string => {
    const file = `sent-${platform.newId()}`;
    platform.files.set(file, bytes);
    return file;
  };
  const personAt = (spot: Spot): Person => ({
    caller: { platform: 'web', id, name, locale },
    async types({ command, given = {}, photos = {} }) {
      const words = Object.entries(given).map(([option, value]) => `${option}="${value}"`);
      const text = [`/${command}`, ...words].join(' ');
      send({ kind: 'line', text, photos: Object.values(photos).map(attach) }, spot);
    },
    completes: (command, option, typed) => platform.complete({ user, room }, { command, option, typed }),
    async presses(message, label) {
      const post = platform.posts.get(message.id);
      const all = [...(post?.body.buttons ?? []), ...(post?.body.tiles ?? [])];
      const button = all.find((each) => each.label === label);
      if (button === undefined) throw new Error(`no button "${label}"`);
      send({ kind: 'press', post: message.id, action: button.action }, spot);
    },
    forges: async ({ id: post }, action) => send({ kind: 'press', post, action }, spot),
    async answers({ id: post }, answer) {
      const isText = typeof answer === 'string';
      send({ kind: 'form', post, value: isText ? answer : '', photos: isText ? [] : [attach(answer)] }, spot);
    },
    blunders: async () => send({ kind: 'line', text: '/faceswap', photos: ['unusable'] }, spot),
    repeats: async () => platform.repeat(id),
    takesDown: async ({ id: post }) => void platform.posts.delete(post),
    async sees() {
      const posts = [...platform.posts.values()].filter(
        (post) =>
          post.room === (spot === 'direct' ? direct : room) &&
          post.thread === (spot === 'thread' ? 't1' : undefined) &&
          (post.only === undefined || post.only === id),
      );
      return [...posts.map(see), ...(spot === 'room' ? notes : [])];
    },
    at: personAt,
  });
  return personAt('room');
};

export const smallDriver = (fault: Fault = {}): AdapterDriver => ({
  name: 'small',
  lacks: { readLink: 'links to messages name their chat by its number' },
  async open(desk) {
    const platform = createPlatform();
    const create = async (parts: AdapterDependencies) => {
      const api = { ...platform.api, ...fault.api?.(platform.api) };
      const state = parts.state(noRules);
      const hands = { ...parts.desk, ...fault.desk?.(parts.desk, state) };
      const adapter = createSmallAdapter(api, { desk: hands, state }, (listener) =>
        platform.listen(listener && { ...listener, ...fault.listener?.(listener) }),
      );
      return { adapter: { ...adapter, ...fault.adapter?.(adapter) } };
    };
    const processes = await createProcesses(desk, create);
    const room = 'corner';
    platform.members.set(room, new Map());
    const join = (id: string, rank: 'member' | 'moderator' = 'member', language = 'en'): Person => {
      const roles = rank === 'moderator' ? ['keeper'] : [];
      platform.members.get(room)?.set(id, rank);
      return createPerson(platform, { id, name: `${id} by name`, language, roles }, room);
    };
    const place: Place = { platform: 'web', community: `web:${room}`, channel: room, direct: false };
    return {
      get adapter() {
        return processes.adapter;
      },
      place,
      nowhere: { ...place, community: 'web:nowhere', channel: 'nowhere' },
      stranger: { platform: 'web', id: 'stranger', name: 'Stranger', locale: 'en' },
      ann: join('ann'),
      bob: join('bob'),
      mod: join('mod', 'moderator'),
      eva: join('eva', 'member', 'de'),
      crash: processes.crash,
      async outage(work) {
        platform.setAway(true);
        return work().finally(() => platform.setAway(false));
      },
      losePhotos: async () => platform.files.clear(),
      stored: processes.stored,
      complaints: () => platform.complaints,
      end: processes.stop,
    };
  },
});

import { filters, session as loadSession, post } from './api.js';
import { createChatLog } from './chat-log.js';
import { createComposer } from './composer.js';
import { byId, h } from './elements.js';
import { createForms } from './forms.js';
import { label, setLanguage } from './labels.js';
import { listen } from './live.js';
import { setConnected } from './notice.js';
import { drawTiles } from './parts.js';
import { toast } from './toast.js';

/** Starts the page and switches between people, rooms and languages. */

/** @typedef {import('./api.js').Session} Session */

/**
 * The example commands, with the samples that they need.
 * @type {readonly [import('./labels.js').Key, string, readonly string[]][]}
 */
const TRIES = [
  ['trySwap', '/faceswap filter=32 gender=female', ['portrait']],
  ['tryScene', '/faceswap prompt="an astronaut on the moon" gender=female', ['portrait']],
  ['tryGroup', '/groupswap style=22 look=realistic', ['group']],
  ['tryAlbum', '/faceswap filter=31 gender=female', ['portrait', 'group']],
  ['tryVideo', '/animate prompt="they smile and wink while the camera zooms in"', ['portrait']],
  ['tryMorph', '/transition a swirl of light carries one into the other', ['portrait', 'group']],
  ['tryFilters', '/filters', []],
];

const composer = createComposer();

/** Matches narrow screens, where the examples are in the empty room instead of the sidebar. */
const narrow = matchMedia('(max-width: 820px)');
function placeTries() {
  const tries = byId('try', HTMLElement);
  if (narrow.matches) byId('welcome', HTMLElement).append(tries);
  else byId('fine', HTMLElement).before(tries);
}
narrow.addEventListener('change', placeTries);
placeTries();

/** @type {() => void} */
let leave = () => {};

/** @param {Session} session */
function fillPeople({ person, people, rooms }) {
  const select = byId('person', HTMLSelectElement);
  const homes = [...new Set(people.flatMap(({ home }) => home ?? []))];
  const nameOf = (/** @type {string} */ home) =>
    rooms.find(({ id }) => id === home)?.name ?? home.replace(/^./, (letter) => letter.toUpperCase());
  const optionsFor = (/** @type {string | undefined} */ home) =>
    people
      .filter((each) => each.home === home)
      .map(({ id, name, role }) =>
        h('option', { value: id, selected: id === person.id }, `${name} · ${label(role)}`),
      );
  select.replaceChildren(
    ...homes.map((home) => h('optgroup', { label: nameOf(home) }, ...optionsFor(home))),
    ...optionsFor(undefined),
  );
}

/** @param {Session} session */
function fillLanguages({ languages, locale }) {
  byId('language-field', HTMLElement).hidden = languages.length < 2;
  byId('language', HTMLSelectElement).replaceChildren(
    ...languages.map(({ id, name }) => h('option', { value: id, selected: id === locale }, name)),
  );
}

/** @param {Session} session */
function fillSamples({ samples }) {
  byId('samples', HTMLElement).replaceChildren(
    ...samples.map((sample) =>
      h(
        'button',
        { type: 'button', class: 'chip', on: { click: () => void composer.addSample(sample.name) } },
        sample.label,
      ),
    ),
  );
  const offered = TRIES.filter(([, , needed]) =>
    needed.every((name) => samples.some((sample) => sample.name === name)),
  );
  byId('tries', HTMLElement).replaceChildren(
    ...offered.map(([name, line, needed]) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', on: { click: () => void composer.suggest(line, needed) } },
          h('strong', {}, label(name)),
          h('code', {}, line),
        ),
      ),
    ),
  );
}

/** Shows the offered filters in the empty room. @param {string} room */
async function offerFilters(room) {
  const offered = byId('offered', HTMLElement);
  offered.dataset.room = room;
  const all = await filters(room).catch(() => []);
  if (offered.dataset.room !== room) return;
  const grid = drawTiles(all, label('tryFilters'), async ({ action }) => composer.sendWithPhotos(action));
  offered.replaceChildren(...(all.length === 0 ? [] : [grid]));
}

/** Counts the starts of the page, because only the latest one goes on after its requests. */
let begun = 0;

async function begin() {
  leave();
  begun += 1;
  const mine = begun;
  const session = await loadSession().catch(() => toast(label('reload')));
  if (!session || mine !== begun) return;
  const roomKey = `room-of-${session.person.id}`;
  const remembered = sessionStorage.getItem(roomKey);
  let current = session.rooms.find(({ id }) => id === remembered) ?? session.rooms[0];
  if (current === undefined) return;
  setLanguage(session.locale, session.labels);
  fillPeople(session);
  fillLanguages(session);
  fillSamples(session);

  const rooms = byId('rooms', HTMLElement);
  /** @type {Map<string, { button: HTMLButtonElement, count: HTMLElement }>} */
  const tabs = new Map();
  const log = createChatLog(
    { ...session, moderates: (id) => session.rooms.some((room) => room.id === id && room.moderator) },
    (room, unread) => {
      const count = tabs.get(room)?.count;
      if (count) count.textContent = unread === 0 ? '' : label('unread', { count: unread });
    },
  );

  /** @param {(typeof session.rooms)[number]} room */
  const enter = (room) => {
    current = room;
    sessionStorage.setItem(roomKey, room.id);
    for (const [id, { button }] of tabs) button.ariaCurrent = id === room.id ? 'page' : null;
    document.title = `${room.name} · Darkroom`;
    composer.enter({ session, room: room.id });
    log.enter(room.id);
    void offerFilters(room.id);
  };
  rooms.replaceChildren(
    ...session.rooms.map((room) => {
      const count = h('span', { class: 'count' });
      const icon = h('span', { class: 'hash', 'aria-hidden': 'true' }, room.of === undefined ? '#' : '@');
      const button = h(
        'button',
        { type: 'button', on: { click: () => enter(room) } },
        icon,
        room.name,
        count,
      );
      tabs.set(room.id, { button, count });
      return button;
    }),
  );
  enter(current);

  const forms = createForms({
    session,
    room: () => current?.id ?? '',
    send: composer.send,
  });
  byId('commands', HTMLButtonElement).onclick = forms.open;

  const stop = listen({ ...log, session: () => void begin(), connected: setConnected });
  leave = () => {
    stop();
    log.end();
  };
}

/** @param {object} wanted */
async function change(wanted) {
  leave();
  await post('/api/session', wanted).catch(() => toast(label('noAnswer')));
  await begin();
}
const person = byId('person', HTMLSelectElement);
person.addEventListener('change', () => void change({ person: person.value }));
const language = byId('language', HTMLSelectElement);
language.addEventListener('change', () => void change({ locale: language.value }));

void begin();

import { newId, post } from './api.js';
import { byId, h } from './elements.js';
import { label } from './labels.js';
import * as parts from './parts.js';
import { createProgress } from './progress.js';
import { copyOf } from './sent-photos.js';
import { toast } from './toast.js';

/** Shows one message as an `article` that is updated in place. */

/** @typedef {import('../outgoing/message.ts').Message & { readonly lost?: readonly string[] }} Message */
/** @typedef {{ person: { id: string }, people: { id: string, name: string }[], moderates(room: string): boolean }} Viewer */

/** Writes a time in the page's language, with the reader's regional variant if the browser has one. @param {Date} at */
function timeOf(at) {
  const { lang } = document.documentElement;
  const locale = navigator.languages.find((each) => each.startsWith(lang)) ?? lang;
  return at.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
}

/** @param {unknown} error */
function explain(error) {
  return toast(error instanceof Error && error.message !== 'busy' ? error.message : label('noAnswer'));
}

/** @param {Message} message @param {Viewer} viewer */
function nameOf({ from }, { people }) {
  return from === 'bot' ? 'Darkroom' : (people.find(({ id }) => id === from)?.name ?? '');
}

/** @param {Message} message */
function removeButton({ room, id }) {
  const title = label('removeMessage');
  const click = () => post('/api/remove', { room, message: id }).catch(explain);
  return h('button', { type: 'button', class: 'remove', title, 'aria-label': title, on: { click } }, '×');
}

/** @param {Message} message @param {Viewer} viewer */
function heading(message, viewer) {
  const { person, moderates } = viewer;
  const at = new Date(message.at);
  const mayRemove = message.from === person.id || message.only === person.id || moderates(message.room);
  return h(
    'header',
    {},
    h('span', { class: 'name' }, nameOf(message, viewer)),
    h('time', { dateTime: at.toISOString() }, timeOf(at)),
    // The badge waits for the answer, because until then it is unknown who will see the message.
    message.only === undefined || message.pending
      ? undefined
      : h('span', { class: 'badge' }, label('onlyYou')),
    mayRemove ? removeButton(message) : undefined,
  );
}

/** @param {Message} message */
function photosOf({ photos = [], lost = [] }) {
  return h(
    'div',
    { class: 'sent' },
    ...photos.map((id, index) => {
      const copy = copyOf(id);
      if (copy === undefined && lost.includes(id)) return parts.lost();
      const image = h('img', {
        src: copy ?? parts.mediaAddress(id),
        alt: label('photo', { number: index + 1 }),
        decoding: 'async',
      });
      image.addEventListener('error', () => image.replaceWith(parts.lost()));
      return image;
    }),
  );
}

/** @param {Message} message */
function answering(message) {
  /** @param {string} text */
  const answer = async (text) => {
    const { room, ask } = message;
    if (ask === undefined) return;
    const answers = { [ask.question.option]: text };
    await post('/api/answer', { id: newId(), room, draft: ask.draft, answers }).catch(explain);
  };
  return /** @type {const} */ ([answer, () => byId('photos', HTMLInputElement).click()]);
}

/** @param {Message} message */
function pressing(message) {
  return async (/** @type {{ action: string }} */ { action }) => {
    const { room, id } = message;
    try {
      const { note } = await post('/api/press', { id: newId(), room, message: id, action });
      if (note !== undefined) toast(note);
    } catch (error) {
      explain(error);
    }
  };
}

/**
 * Lists the pieces of a message with their source data. A piece is rebuilt only if its data has changed, so that
 * pictures do not flicker and videos keep playing.
 * @param {Message} message
 * @param {Viewer} viewer
 * @param {boolean} fresh
 * @param {{ element: HTMLElement } | undefined} progress
 * @returns {[name: string, from: unknown, make: () => HTMLElement][]}
 */
function piecesOf(message, viewer, fresh, progress) {
  const { view, text, photos = [], ask, lost = [] } = message;
  /** @type {[string, unknown, () => HTMLElement][]} */
  const pieces = [['heading', [message.only, message.from, message.pending], () => heading(message, viewer)]];
  if (text) pieces.push(['text', text, () => h('p', { class: 'text' }, text)]);
  if (photos.length > 0) pieces.push(['photos', [photos, lost], () => photosOf(message)]);
  if (view === undefined) return pieces;
  const { title, lines, media, tiles, buttons } = view;
  if (media !== undefined) {
    const isLost = 'id' in media && lost.includes(media.id);
    const spots = (buttons ?? []).flat().filter(({ spot }) => spot !== undefined);
    const make = () => parts.withSpots(parts.media(media, isLost, fresh), spots, pressing(message));
    pieces.push(['media', [media, isLost, spots], make]);
  }
  if (title !== undefined) pieces.push(['title', title, () => parts.title(title)]);
  if (lines.length > 0) pieces.push(['lines', lines, () => parts.lines(lines)]);
  if (progress !== undefined) pieces.push(['bar', 'bar', () => progress.element]);
  if (tiles?.length)
    pieces.push([
      'tiles',
      [tiles, title],
      () => parts.drawTiles(tiles, parts.plain(title), pressing(message)),
    ]);
  if (buttons?.length) pieces.push(['buttons', buttons, () => parts.drawButtons(buttons, pressing(message))]);
  // Other people may see the question, but only the person asked gets a field to answer.
  const isMine = message.id.startsWith(`bot.${viewer.person.id}.`);
  if (ask !== undefined && isMine && ask.question.kind !== 'choice')
    pieces.push(['ask', ask, () => parts.answerField(ask, ...answering(message))]);
  return pieces;
}

/**
 * Finds the button that gets the focus after a focused one was replaced: the same one, or the one that turns pages in
 * the same direction, or back from the last page.
 * @param {HTMLElement} article
 * @param {HTMLElement} before
 */
function sameButton(article, before) {
  const all = [...article.querySelectorAll('button')];
  const { action } = before.dataset;
  const turning = all.filter((each) => each.dataset.action?.startsWith('page:'));
  return (
    all.find((each) => each.dataset.action === action) ??
    (action?.startsWith('page:')
      ? (turning.find(({ ariaLabel }) => ariaLabel === before.ariaLabel) ?? turning[0])
      : undefined)
  );
}

/** @param {Viewer} viewer */
export function createArticle(viewer) {
  const article = h('article', { tabIndex: -1 });
  /** @type {Map<string, { from: string, element: HTMLElement }>} */
  let shown = new Map();
  /** The progress bar, one for each run of the job. @type {ReturnType<typeof createProgress> | undefined} */
  let progress;

  /** @param {Message} message */
  const setAttributes = (message) => {
    const { view, from } = message;
    const person = from === viewer.person.id ? 'own' : 'other';
    const side = from === 'bot' ? 'bot' : person;
    const only = message.only === undefined || message.pending ? '' : ' only';
    article.className = `message ${side} ${view?.tone ?? ''}${only}`;
    article.dataset.id = message.id;
    article.ariaLabel = nameOf(message, viewer);
    const busy = view?.tone === 'busy';
    // Screen readers must not announce progress every second.
    article.setAttribute('aria-live', busy ? 'off' : 'polite');
    article.setAttribute('aria-busy', String(busy));
  };

  return {
    element: article,
    /** @param {Message} message @param {boolean} fresh */
    show(message, fresh) {
      setAttributes(message);
      const focused = article.contains(document.activeElement) ? document.activeElement : null;
      /** @type {typeof shown} */
      const next = new Map();
      const bar = message.view?.bar;
      progress = bar === undefined ? undefined : (progress ?? createProgress());
      for (const [name, from, make] of piecesOf(message, viewer, fresh, progress)) {
        const key = JSON.stringify(from);
        const before = shown.get(name);
        next.set(name, before?.from === key ? before : { from: key, element: make() });
      }
      progress?.update(bar ?? 0);
      for (const [name, { element }] of shown)
        if (next.get(name)?.element !== element) {
          parts.stopPreviews(element);
          element.remove();
        }
      [...next.values()].forEach(({ element }, index) => {
        if (article.children[index] !== element)
          article.insertBefore(element, article.children[index] ?? null);
      });
      shown = next;
      if (focused === null || article.contains(focused)) return;
      const same = focused instanceof HTMLElement ? sameButton(article, focused) : undefined;
      (same ?? article).focus({ preventScroll: true });
    },
  };
}

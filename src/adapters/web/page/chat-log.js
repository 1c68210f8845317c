import { byId } from './elements.js';
import { createArticle } from './message.js';

/** Keeps the messages of all rooms, and shows those of the current one. */

/** @typedef {import('./message.js').Message} Message */

/**
 * @param {import('./message.js').Viewer} viewer
 * @param {(room: string, unread: number) => void} counted
 */
export function createChatLog(viewer, counted) {
  const list = byId('log', HTMLElement);
  const scroll = byId('scroll', HTMLElement);
  const welcome = byId('welcome', HTMLElement);
  /** @type {Map<string, Map<string, Message>>} */
  const rooms = new Map();
  /** @type {Map<string, ReturnType<typeof createArticle>>} */
  let articles = new Map();
  /** @type {Map<string, number>} */
  const unread = new Map();
  let current = '';
  let atEnd = true;

  /**
   * Scrolls to the end; an empty room shows the start of its welcome text, and a message higher than the window its own
   * start.
   */
  const toEnd = () => {
    const last = list.lastElementChild;
    const start = last instanceof HTMLElement && welcome.hidden ? last.offsetTop - list.offsetTop : 0;
    // The list is never scrolled back, because a person may have scrolled on in a high message.
    const top = Math.max(scroll.scrollTop, Math.min(start, scroll.scrollHeight));
    scroll.scrollTo({ top, behavior: 'instant' });
  };
  // Only scrolling up counts as leaving the end, because a picture may have grown between our own scrolling and its event.
  let top = 0;
  scroll.addEventListener('scroll', () => {
    const near = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 120;
    atEnd = near || (atEnd && scroll.scrollTop >= top);
    top = scroll.scrollTop;
  });
  // The list stays at the end when pictures load late.
  const watch = new ResizeObserver(() => {
    if (atEnd) toEnd();
  });
  watch.observe(list);
  watch.observe(scroll);

  /** @param {string} room */
  const inRoom = (room) => {
    const messages = rooms.get(room) ?? new Map();
    rooms.set(room, messages);
    return messages;
  };

  /** @param {Message} message @param {boolean} fresh */
  const show = (message, fresh) => {
    const known = articles.get(message.id);
    const article = known ?? createArticle(viewer);
    article.show(message, fresh);
    welcome.hidden = true;
    if (known !== undefined) return;
    articles.set(message.id, article);
    const next = [...articles.keys()]
      .map((id) => inRoom(current).get(id))
      .filter((each) => each !== undefined && each.order > message.order)
      .sort((one, other) => (one?.order ?? 0) - (other?.order ?? 0))[0];
    list.insertBefore(article.element, (next && articles.get(next.id)?.element) ?? null);
  };

  const showAll = () => {
    const messages = [...inRoom(current).values()].sort((one, other) => one.order - other.order);
    for (const [id, { element }] of articles)
      if (!inRoom(current).has(id)) {
        element.remove();
        articles.delete(id);
      }
    for (const message of messages) show(message, false);
    welcome.hidden = messages.length > 0;
  };

  return {
    /** @param {string} room */
    enter(room) {
      current = room;
      articles = new Map();
      list.replaceChildren();
      scroll.scrollTop = 0;
      unread.set(room, 0);
      counted(room, 0);
      showAll();
      atEnd = true;
      toEnd();
    },
    /** @param {Record<string, Message[]>} all */
    state(all) {
      rooms.clear();
      for (const [room, messages] of Object.entries(all))
        rooms.set(room, new Map(messages.map((message) => [message.id, message])));
      showAll();
    },
    /** @param {Message} message */
    message(message) {
      const isNew = !inRoom(message.room).has(message.id);
      inRoom(message.room).set(message.id, message);
      if (message.room === current) {
        const isMine = message.from === viewer.person.id || message.id.startsWith(`bot.${viewer.person.id}.`);
        if (isNew && isMine) atEnd = true;
        show(message, true);
        if (atEnd) toEnd();
      } else if (isNew) {
        const count = (unread.get(message.room) ?? 0) + 1;
        unread.set(message.room, count);
        counted(message.room, count);
      }
    },
    /** @param {{ room: string, id: string }} spot */
    gone({ room, id }) {
      inRoom(room).delete(id);
      if (room !== current) return;
      const article = articles.get(id);
      const had = article?.element.contains(document.activeElement);
      article?.element.remove();
      articles.delete(id);
      if (had) byId('message', HTMLTextAreaElement).focus();
      welcome.hidden = inRoom(current).size > 0;
    },
    end() {
      watch.disconnect();
      list.replaceChildren();
    },
  };
}

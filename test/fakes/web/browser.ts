/**
 * Somebody's browser without a screen: it holds the cookie, keeps the event stream open as the page does and sees
 * what the page would show.
 */
import { randomUUID } from 'node:crypto';
import type { Message } from '../../../src/adapters/web/outgoing/message.ts';

const headers = { 'x-darkroom': '1', 'sec-fetch-site': 'same-origin' };

const openStream = async (response: Response, abort: AbortController) => {
  if (response.body === null || !response.ok) throw new Error(`no stream: ${response.status}`);
  const rooms = new Map<string, Map<string, Message>>();
  const events: { event: string; id: string }[] = [];
  const inRoom = (room: string): Map<string, Message> => {
    const messages = rooms.get(room) ?? new Map<string, Message>();
    rooms.set(room, messages);
    return messages;
  };
  const first = Promise.withResolvers<void>();

  const take = (block: string): void => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
    const event = field('event');
    first.resolve();
    if (event === '') return;
    const data = JSON.parse(field('data'));
    events.push({ event, id: field('id') });
    if (event === 'state')
      for (const [room, messages] of Object.entries<Message[]>(data.rooms))
        rooms.set(room, new Map(messages.map((message) => [message.id, message])));
    if (event === 'message') inRoom(data.room).set(data.id, data);
    if (event === 'gone') inRoom(data.room).delete(data.id);
  };

  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of body) {
      rest += decoder.decode(bytes, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    }
  };
  const ended = read(response.body).catch(() => undefined);
  await Promise.race([first.promise, ended]);
  return {
    /** The messages of a room that the page shows, oldest first. */
    seen: (room: string): readonly Message[] =>
      [...inRoom(room).values()].sort((one, other) => one.order - other.order),
    /** The kinds of events that came, in order. */
    events,
    ended,
    close: () => abort.abort(),
  };
};

/** `kept`: the cookie of before. */
export const openBrowser = async (base: string, person?: string, kept = '') => {
  const hello = await fetch(`${base}/`, { headers: { cookie: kept } });
  await hello.body?.cancel();
  const cookie = hello.headers.get('set-cookie')?.split(';', 1)[0] ?? kept;
  /** Any request with this browser's cookie, as its own page would send it. */
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${base}${path}`, { ...init, headers: { cookie, ...headers, ...init.headers } });
  const post = (path: string, body: unknown): Promise<Response> =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  if (person !== undefined) await post('/api/session', { person });
  return {
    base,
    cookie,
    ask,
    post,
    say(
      room: string,
      text: string,
      photos: readonly Uint8Array[] = [],
      id: string = randomUUID(),
    ): Promise<Response> {
      const form = new FormData();
      form.set('id', id);
      form.set('room', room);
      form.set('text', text);
      for (const photo of photos) form.append('photos', new Blob([Buffer.from(photo)]), 'photo.jpg');
      return ask('/api/messages', { method: 'POST', body: form });
    },
    /** The messages of a room, as a page that was just loaded gets them. */
    async messages(room: string): Promise<readonly Message[]> {
      const answer = await ask(`/api/messages?room=${room}`);
      return ((await answer.json()) as { messages: Message[] }).messages;
    },
    /** Presses a button; resolves to the note that it is answered with, if any. */
    async press({ room, id, view }: Message, label: string): Promise<string | undefined> {
      const buttons = [...(view?.buttons?.flat() ?? []), ...(view?.tiles ?? [])];
      const button = buttons.find((each) => each.label === label);
      if (button === undefined) throw new Error(`no button ${label}`);
      const pressed = { id: randomUUID(), room, message: id, action: button.action };
      const answer = await post('/api/press', pressed);
      if (!answer.ok) throw new Error(`the press was refused: ${answer.status}`);
      return ((await answer.json()) as { note?: string }).note;
    },
    /** Opens the event stream; what it tells shows up in `seen`. */
    async listen(last?: string) {
      const abort = new AbortController();
      const query = last === undefined ? '' : `?last=${encodeURIComponent(last)}`;
      return openStream(await ask(`/api/events${query}`, { signal: abort.signal }), abort);
    },
  };
};

/** The playground’s page without a screen. */
export type Browser = Awaited<ReturnType<typeof openBrowser>>;

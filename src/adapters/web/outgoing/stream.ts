import { createRepeat } from '../../../base/clock.ts';
import { itemsOfHeaviestOwner } from '../../../base/limits/heaviest.ts';
import { roomsOf } from '../visitors/people.ts';
import type { Session } from '../visitors/sessions.ts';
import type { Change } from './changes.ts';
import type { WebDependencies } from './dependencies.ts';
import { canSee, forPage, seenBy } from './message.ts';

const MOST_STREAMS = 300;
const MOST_OF_ONE = 12;
const HEARTBEAT_MS = 20_000;
/** Backpressure: a page with this many unread bytes is disconnected; it gets the missed changes when it reconnects. */
const MOST_UNREAD = 1024 * 1024;

/** An open event stream. */
interface Open {
  readonly session: Session;
  readonly address: string;
  end(event?: string): void;
}

/** Makes the event streams (SSE) to open pages, with all messages that their person may see. */
export function createStreams({ chat, clock, isKept }: Pick<WebDependencies, 'chat' | 'clock' | 'isKept'>) {
  const { changes } = chat;
  const opened = new Set<Open>();
  const encoder = new TextEncoder();

  const line = (event: string, data: unknown, seq = changes.last()): Uint8Array =>
    encoder.encode(`id: ${changes.boot}.${seq}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

  const everything = (session: Session): Uint8Array =>
    line('state', {
      rooms: Object.fromEntries(
        roomsOf(session.person).map(({ id }) => [id, seenBy(session.person, chat.all(id), isKept)]),
      ),
    });

  const about = ({ seq, message, gone, before }: Change, { person }: Session): Uint8Array | undefined => {
    const { room, id } = message;
    if (canSee(person, message))
      return gone ? line('gone', { room, id }, seq) : line('message', forPage(message, isKept), seq);
    return before !== undefined && canSee(person, before) ? line('gone', { room, id }, seq) : undefined;
  };

  const missed = (last: string | undefined): readonly Change[] | undefined => {
    const [boot, seq] = last?.split('.') ?? [];
    return boot === changes.boot && /^\d{1,15}$/.test(seq ?? '') ? changes.since(Number(seq)) : undefined;
  };

  /** Chooses the stream to end: the oldest of the session with most streams, at the address with most. */
  const oldestOfMost = (): Open | undefined => {
    const most = itemsOfHeaviestOwner([...opened], ({ address }) => address);
    return itemsOfHeaviestOwner(most, ({ session }) => session.key)[0];
  };

  return {
    open(session: Session, last: string | undefined, address: string): Response {
      const own = [...opened].filter((each) => each.session.key === session.key);
      // The oldest stream is ended, because it may be that of a closed tab.
      if (own.length >= MOST_OF_ONE) own[0]?.end();
      if (opened.size >= MOST_STREAMS) oldestOfMost()?.end();

      let leave = (): void => undefined;
      /** The size of the initial state, which alone may exceed `MOST_UNREAD`. */
      let first = 0;
      const body = new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const send = (bytes: Uint8Array): void => {
              controller.enqueue(bytes);
              if ((controller.desiredSize ?? 0) + first <= 0) stream.end();
            };
            const stream: Open = {
              session,
              address,
              end(event) {
                if (!opened.has(stream)) return;
                leave();
                if (event !== undefined) controller.enqueue(line(event, {}));
                controller.close();
              },
            };
            const heartbeats = createRepeat(clock, HEARTBEAT_MS, () => send(encoder.encode(': here\n\n')));
            const tell = (change: Change): void => {
              const bytes = about(change, session);
              if (bytes !== undefined && opened.has(stream)) send(bytes);
            };
            const unsubscribe = changes.listen(tell);
            leave = () => {
              opened.delete(stream);
              unsubscribe();
              void heartbeats.stop();
            };
            opened.add(stream);
            heartbeats.start();
            controller.enqueue(encoder.encode('retry: 1000\n\n'));
            const later = missed(last);
            if (later === undefined) {
              const all = everything(session);
              first = all.byteLength;
              send(all);
            } else for (const change of later) tell(change);
          },
          cancel: () => leave(),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: MOST_UNREAD }),
      );
      return new Response(body, {
        headers: {
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
      });
    },
    /** Makes the pages of a session reload everything, because its person or language has changed. */
    restart(session: Session): void {
      for (const stream of [...opened]) if (stream.session.key === session.key) stream.end('session');
    },
    close(): void {
      for (const stream of [...opened]) stream.end();
    },
  };
}

export type Streams = ReturnType<typeof createStreams>;

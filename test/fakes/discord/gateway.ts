import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { userJson, type World } from './world.ts';

interface Session {
  readonly id: string;
  readonly shard: number;
  readonly count: number;
  sequence: number;
  readonly sent: { readonly sequence: number; readonly text: string }[];
  socket?: WebSocket;
}

/** A session that a program began, as it asked for it. */
export interface Identify {
  readonly intents: number;
  readonly shard: number;
  readonly count: number;
  /** The time of the world's clock. */
  readonly at: number;
}

/** The code with which Discord closes the connection of a client that sends what it cannot read. */
const DECODE_ERROR = 4002;

interface Packet {
  readonly op: number;
  readonly d: Record<string, unknown>;
}

/** What a client sent; undefined where it is no packet. */
const packetIn = (text: string): Packet | undefined => {
  try {
    const { op, d } = JSON.parse(text) as Partial<Packet>;
    return op === undefined ? undefined : { op, d: Object(d) };
  } catch {
    return undefined;
  }
};

/** The shard that hears of a server; events without a server go to the first shard. */
const shardOf = (data: unknown, count: number): number => {
  const guild = (data as { readonly guild_id?: unknown } | undefined)?.guild_id;
  return typeof guild === 'string' ? Number((BigInt(guild) >> 22n) % BigInt(count)) : 0;
};

/** The gateway's side of the conversation: hello, identify, ready, heartbeats, resume with replay. */
export const createGateway = (world: World, address: () => string) => {
  const sessions = new Map<string, Session>();
  const open = new Map<WebSocket, number>();
  const identifies: Identify[] = [];
  const last = new Map<string, unknown>();
  let begun = 0;
  let resumes = 0;
  let refusedResumes = 0;
  let ended = 0;
  const sockets = new WebSocketServer({ noServer: true });

  const dispatchTo = (session: Session, event: string, data: unknown): void => {
    session.sequence += 1;
    const text = JSON.stringify({ op: 0, s: session.sequence, t: event, d: data });
    // RESUMED is the end of a replay, and never part of a later one.
    if (event !== 'RESUMED') session.sent.push({ sequence: session.sequence, text });
    session.socket?.send(text);
  };

  const identify = (socket: WebSocket, data: Record<string, unknown>): Session => {
    const [shard = 0, count = 1] = (data.shard ?? []) as readonly number[];
    identifies.push({ intents: Number(data.intents), shard, count, at: world.clock.now() });
    world.sessions.remaining -= 1;
    begun += 1;
    const session: Session = { id: `session-${begun}`, shard, count, sequence: 0, sent: [], socket };
    sessions.set(session.id, session);
    open.set(socket, shard);
    const own = [...world.guilds.keys()].filter((id) => shardOf({ guild_id: id }, count) === shard);
    dispatchTo(session, 'READY', {
      v: 10,
      user: { ...userJson(world.bot), bot: true },
      guilds: own.map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: address(),
      shard: [shard, count],
      application: { id: world.application, flags: 0 },
    });
    return session;
  };

  const resume = (socket: WebSocket, id: string, sequence: number): Session | undefined => {
    const session = sessions.get(id);
    if (session === undefined || sequence > session.sequence) {
      refusedResumes += 1;
      socket.send(JSON.stringify({ op: 9, d: false }));
      return undefined;
    }
    resumes += 1;
    session.socket = socket;
    open.set(socket, session.shard);
    for (const each of session.sent) if (each.sequence > sequence) socket.send(each.text);
    dispatchTo(session, 'RESUMED', {});
    return session;
  };

  const live = (): Session[] => [...sessions.values()].filter((session) => session.socket !== undefined);

  return {
    connect(request: IncomingMessage, stream: Duplex, head: Buffer): void {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        let session: Session | undefined;
        socket.on('message', (text) => {
          const packet = packetIn(String(text));
          if (packet === undefined) socket.close(DECODE_ERROR);
          else if (packet.op === 1) socket.send(JSON.stringify({ op: 11 }));
          else if (packet.op === 2 && !world.tokenAccepted) socket.close(4004);
          else if (packet.op === 2) session = identify(socket, packet.d);
          else if (packet.op === 6)
            session = resume(socket, String(packet.d.session_id), Number(packet.d.seq));
        });
        socket.on('error', () => socket.terminate());
        socket.on('close', (code) => {
          open.delete(socket);
          if (session?.socket !== socket) return;
          delete session.socket;
          if (code !== 1000 && code !== 1001) return;
          ended += 1;
          sessions.delete(session.id);
        });
        socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
      });
    },
    /** The latest event of each name. */
    last,
    /** Sends an event to every session of the server's shard, and keeps it for those that are not connected. */
    dispatch(event: string, data: unknown): void {
      last.set(event, data);
      for (const session of sessions.values())
        if (shardOf(data, session.count) === session.shard) dispatchTo(session, event, data);
    },
    /** Cuts every connection; sessions live on and can be resumed. */
    cut(): void {
      for (const session of live()) session.socket?.terminate();
    },
    /** Closes every connection with a code, e.g. 4004 for a token that is no longer good. */
    close(code: number): void {
      for (const session of live()) session.socket?.close(code);
    },
    /** How many connections are open for a shard, whether Discord still sends on them or not. */
    lines: (shard: number): number => [...open.values()].filter((each) => each === shard).length,
    identifies,
    get resumes() {
      return resumes;
    },
    /** How often a session that nobody knows any more was to be resumed. */
    get refusedResumes() {
      return refusedResumes;
    },
    /** Sessions that were ended by a close with 1000 or 1001. */
    get ended() {
      return ended;
    },
  };
};

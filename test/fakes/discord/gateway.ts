import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { acceptSocket, type ServerSocket } from './websocket.ts';
import { userJson, type World } from './world.ts';

interface Session {
  readonly id: string;
  sequence: number;
  readonly sent: { readonly sequence: number; readonly text: string }[];
  socket?: ServerSocket;
}

/** The gateway's side of the conversation: hello, identify, ready, heartbeats, resume with replay. */
export interface Gateway {
  connect(request: IncomingMessage, stream: Duplex): void;
  dispatch(event: string, data: unknown): void;
  /** Cuts every line; sessions live on and can be resumed. */
  cut(): void;
  /** Closes every line with a code, e.g. 4004 for a token that is no longer good. */
  close(code: number): void;
  /** Every session is closed with this code as soon as it was told that it is ready. */
  closeWhenReady(code: number | undefined): void;
  readonly connected: number;
  readonly identifies: readonly { readonly intents: number }[];
  readonly resumes: number;
  /** The latest event of each name. */
  readonly last: ReadonlyMap<string, unknown>;
}

export const createGateway = (world: World, address: () => string): Gateway => {
  const sessions = new Map<string, Session>();
  const identifies: { readonly intents: number }[] = [];
  const last = new Map<string, unknown>();
  let resumes = 0;
  let closing: number | undefined;

  const dispatchTo = (session: Session, event: string, data: unknown): void => {
    session.sequence += 1;
    const text = JSON.stringify({ op: 0, s: session.sequence, t: event, d: data });
    session.sent.push({ sequence: session.sequence, text });
    session.socket?.send(text);
  };

  const identify = (socket: ServerSocket, intents: number): Session => {
    identifies.push({ intents });
    world.sessions.remaining -= 1;
    const session: Session = { id: `session-${sessions.size + 1}`, sequence: 0, sent: [], socket };
    sessions.set(session.id, session);
    dispatchTo(session, 'READY', {
      v: 10,
      user: { ...userJson(world.bot), bot: true },
      guilds: [...world.guilds.keys()].map((id) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: address(),
      application: { id: world.application, flags: 0 },
    });
    if (closing !== undefined) socket.close(closing);
    return session;
  };

  const resume = (socket: ServerSocket, id: string, sequence: number): Session | undefined => {
    const session = sessions.get(id);
    if (session === undefined) {
      socket.send(JSON.stringify({ op: 9, d: false }));
      return undefined;
    }
    resumes += 1;
    session.socket = socket;
    for (const each of session.sent) if (each.sequence > sequence) socket.send(each.text);
    dispatchTo(session, 'RESUMED', {});
    return session;
  };

  const live = (): Session[] => [...sessions.values()].filter((session) => session.socket !== undefined);

  return {
    connect(request, stream) {
      let session: Session | undefined;
      const socket = acceptSocket(request, stream, {
        text(text) {
          const packet = JSON.parse(text) as { op: number; d: Record<string, unknown> };
          if (packet.op === 1) socket.send(JSON.stringify({ op: 11 }));
          else if (packet.op === 2 && !world.tokenAccepted) socket.close(4004);
          else if (packet.op === 2) session = identify(socket, Number(packet.d.intents));
          else if (packet.op === 6)
            session = resume(socket, String(packet.d.session_id), Number(packet.d.seq));
        },
        closed() {
          if (session?.socket === socket) delete session.socket;
        },
      });
      socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
    },
    last,
    dispatch(event, data) {
      last.set(event, data);
      for (const session of sessions.values()) dispatchTo(session, event, data);
    },
    cut() {
      for (const session of live()) session.socket?.cut();
    },
    close(code) {
      for (const session of live()) session.socket?.close(code);
    },
    closeWhenReady(code) {
      closing = code;
    },
    get connected() {
      return live().length;
    },
    identifies,
    get resumes() {
      return resumes;
    },
  };
};

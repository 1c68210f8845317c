import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  readonly address: string;
  /** What was asked last, until it is answered. */
  asked: IncomingMessage | undefined;
}

/** Its request is there as a whole and is being answered. */
const isServed = ({ asked }: Connection): boolean => asked?.complete ?? false;

/**
 * At most so many connections. A new one is always taken: the address that has most makes room, first with a connection
 * on which nothing is being answered (idle, or its request hangs), the one that was silent for longest.
 */
export const boundConnections = (server: Server, most: number): void => {
  /** The one that asked last is last. */
  const open = new Map<Socket, Connection>();

  const makeRoom = (): void => {
    const counts = new Map<string, number>();
    for (const { address } of open.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    const largest = Math.max(...counts.values());
    const candidates = [...open].filter(([, { address }]) => counts.get(address) === largest);
    const [socket] = candidates.find(([, each]) => !isServed(each)) ?? candidates[0] ?? [];
    if (socket === undefined) return;
    open.delete(socket);
    socket.destroy();
  };

  server.on('connection', (socket) => {
    if (open.size >= most) makeRoom();
    open.set(socket, { address: socket.remoteAddress ?? '', asked: undefined });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.asked = request;
    open.delete(request.socket);
    open.set(request.socket, connection);
    response.once('close', () => {
      connection.asked = undefined;
    });
  });
};

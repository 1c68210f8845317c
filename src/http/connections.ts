import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../base/network/public-address.ts';

interface Connection {
  readonly address: string;
  /** The current request, until it is answered. */
  asked: IncomingMessage | undefined;
}

/** Whether a request has arrived completely and is being answered. */
const isServed = ({ asked }: Connection): boolean => asked?.complete ?? false;

/**
 * Limits the number of connections. A new one is always accepted: the address with most connections loses one, preferably one
 * on which nothing is being answered (idle, or an incomplete request), the least recently used first.
 */
export function limitConnections(server: Server, most: number): void {
  /** Open connections, the least recently used first. */
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
    open.set(socket, { address: networkOf(socket.remoteAddress ?? ''), asked: undefined });
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
}

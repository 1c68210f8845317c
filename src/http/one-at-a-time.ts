import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Refuses HTTP pipelining, which browsers and proxies do not use: Node would start thousands of requests from one packet
 * at the same time.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const answering = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (answering.has(socket)) return void socket.destroy();
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    return listener(request, response);
  };
}

import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Browsers and proxies wait for an answer before they ask again. Node would begin on everything that one packet asks for,
 * thousands of answers side by side, so whoever asks again before the answer (pipelining) is cut off.
 */
export const oneAtATime = (listener: RequestListener): RequestListener => {
  const answering = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (answering.has(socket)) return void socket.destroy();
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    return listener(request, response);
  };
};

import { connect, type Socket } from 'node:net';
import type { Chance } from '../../e2e/faults/kill/chance.ts';

/** Requests that no browser sends, each on a socket of its own. Those that hang are held open until `close`. */
export interface HostileHttp {
  send(): void;
  close(): void;
}

const mostOpen = 300;

const requests = (host: string): readonly [string, ...string[]] => [
  // Hanging: a head without an end, a body without an end.
  'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  `POST /api/messages HTTP/1.1\r\nHost: ${host}\r\nX-Darkroom: 1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 20000000\r\n\r\n--x\r\n`,
  `POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\npassword=`,
  `GET /api/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  // Too large.
  `POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 70000\r\n\r\npassword=${'x'.repeat(69_991)}`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: ${'a=b; '.repeat(3_000)}\r\n\r\n`,
  // Malformed, or with another meaning for whoever stands in front.
  `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nffffffffff\r\n`,
  `GET http://other.example/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /../../etc/passwd HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /%00%ff%2e%2e%2f HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /media/${encodeURIComponent('../'.repeat(20))} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  // The request comes from another site.
  `GET / HTTP/1.1\r\nHost: ${host}\r\nSec-Fetch-Site: cross-site\r\n\r\n`,
  'GET / HTTP/1.1\r\nHost: attacker.example\r\n\r\n',
  `POST /api/messages HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://attacker.example\r\nX-Darkroom: 1\r\nContent-Length: 2\r\n\r\n{}`,
  `POST /login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 14\r\n\r\npassword=wrong`,
  `POST /telegram HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`,
];

export const createHostileHttp = (url: string, chance: Chance): HostileHttp => {
  const { hostname, port, host } = new URL(url);
  const open = new Set<Socket>();
  return {
    send() {
      if (open.size >= mostOpen) for (const oldest of [...open].slice(0, 1)) oldest.destroy();
      const socket = connect(Number(port), hostname);
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
      // Reads nothing back in one case of four: what was answered stays with the server.
      if (chance.next() < 0.75) socket.resume();
      socket.write(chance.pick(requests(host)));
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
};

import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { boundConnections } from '../../../src/http/connections.ts';

it('the many addresses of one IPv6 network count as one', () => {
  const server = createServer();
  boundConnections(server, 10);
  const connect = (remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return socket;
  };
  const ann = connect('2001:db8:a::1');
  const crowd = Array.from({ length: 30 }, (_, count) => connect(`2001:db8:b::${count}`));
  expect(ann.destroyed).toBe(false);
  expect(crowd.filter(({ destroyed }) => !destroyed)).toHaveLength(9);
  for (const socket of [ann, ...crowd]) socket.destroy();
});

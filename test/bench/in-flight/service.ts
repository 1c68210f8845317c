/** The fake service of the benchmark, in a process of its own: its work is not counted as ours. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answers have no id, because one with the id of another job would not be believed. */
const running = JSON.stringify({ status: 'RUNNING', output: {} });

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(running);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});

process.on('disconnect', () => process.exit());

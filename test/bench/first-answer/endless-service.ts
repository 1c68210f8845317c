/** A service that takes every job and is never done with it: what is measured is the first answer, not rendering. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPoll } from '../../fakes/service-calls.ts';

let jobs = 0;

const server = createServer((request, response) => {
  request.resume();
  const isStatus = isPoll(request.url ?? '');
  jobs += 1;
  const job = isStatus ? { status: 'IN_PROGRESS' } : { id: `job-${jobs}`, status: 'IN_QUEUE' };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(request.method === 'GET' ? [{ id: '12', name: 'Watercolour' }] : job));
});

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});

/**
 * A decoder's process that does what its picture tells it to, for tests of the code around the decoder: the picture has a line
 * such as `do hang` behind its end. Any other file comes back as it is.
 */
import { existsSync, writeFileSync } from 'node:fs';
import type { DecodeRequest } from '../../src/picture/conversion.ts';

const say = (message: object): void =>
  void process.send?.(message, undefined, undefined, (error) => error && process.exit());

process.on('message', (request: DecodeRequest) => {
  const { id } = request;
  const bytes = 'bytes' in request ? request.bytes : Buffer.alloc(0);
  const [, order = ''] = Buffer.from(bytes).toString('latin1').split('\ndo ');
  const [behaviour, path = ''] = order.split('\n');
  if (behaviour === 'hang') return;
  if (behaviour === 'crash') process.kill(process.pid, 'SIGKILL');
  // The process crashes the first time only: afterwards the file at that path is there.
  if (behaviour === 'crash-once' && !existsSync(path)) {
    writeFileSync(path, '');
    process.kill(process.pid, 'SIGKILL');
    return;
  }
  if (behaviour === 'lie') say({ state: 'done', id: id + 1, bytes });
  else if (behaviour === 'slow') say({ state: 'refused', id, reason: 'too-complex' });
  else if (behaviour === 'environment')
    say({ state: 'done', id, bytes: Buffer.from(JSON.stringify(process.env)) });
  else if (behaviour !== 'crash') say({ state: 'done', id, bytes });
});
process.on('disconnect', () => process.exit());
say({ state: 'ready' });

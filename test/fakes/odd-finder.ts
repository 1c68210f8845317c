/** A face finder's process that does what its photo says, for tests of the code around it: `hang`, `crash` or `lie`; any other photo shows nobody. */
import type { FindTask } from '../../src/faces/finder.ts';

const say = (message: object): void =>
  void process.send?.(message, undefined, undefined, (error) => error && process.exit());

process.on('message', ({ id, photo }: FindTask & { id: number }) => {
  const order = Buffer.from(photo).toString();
  if (order === 'hang') return;
  if (order === 'crash') process.kill(process.pid, 'SIGKILL');
  else if (order === 'lie') say({ id, faces: [{ points: new Float32Array(9) }] });
  else say({ id, faces: [] });
});
process.on('disconnect', () => process.exit());
say({ state: 'ready' });

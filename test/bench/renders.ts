/** What renders cost in the service's own processes, one at a time and four at once: CPU and time of each, memory of all. */
import { readFileSync } from 'node:fs';
import { createFaceFinder } from '../../src/faces/finder.ts';
import { createRenderPool } from '../../src/generation-service/render/render-pool.ts';
import type { Task } from '../../src/generation-service/render/task.ts';

const sample = (name: string): Buffer =>
  readFileSync(new URL(`../../src/generation-service/samples/${name}.jpg`, import.meta.url));
const inputs = { portrait: sample('portrait'), group: sample('group') };
const TASKS: readonly (readonly [name: string, input: keyof typeof inputs, task: Task])[] = [
  [
    'scene, 1200x1800',
    'portrait',
    { kind: 'face', filter: 'face/31', ratio: 'portrait', engine: 'v6.1', seed: 1 },
  ],
  [
    'group scene, 1800x1200',
    'group',
    { kind: 'group', filter: 'realistic/22', look: 'realistic', outpaint: false, seed: 1 },
  ],
  [
    'video, 4 s, performance',
    'portrait',
    { kind: 'motion', prompt: 'smile', model: 'performance', seconds: 4, aspect: 'auto', seed: 1 },
  ],
];

/** Of all children of this process: CPU so far in ms, and memory in MB. */
function children(): { readonly cpuMs: number; readonly megabytes: number } {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const [cpuMs, megabytes] = pids
    .map((pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [])
    .reduce<[number, number]>(
      ([ticks, pages], stat) => [
        ticks + ((stat[11] ?? 0) + (stat[12] ?? 0)) * 10,
        pages + (stat[21] ?? 0) * 0.004,
      ],
      [0, 0],
    );
  return { cpuMs, megabytes };
}

const finder = createFaceFinder();
const faces = { portrait: await finder.find(inputs.portrait), group: await finder.find(inputs.group) };
finder.close();

console.log('render                    at once   CPU each   time each   memory of the processes');
for (const [name, input, task] of TASKS)
  for (const atOnce of [1, 4]) {
    const pool = createRenderPool();
    const render = () =>
      pool.render(task.kind === 'motion' ? 'video' : 'picture', 'ann', () => ({
        task,
        inputs: [inputs[input]],
        faces: [faces[input]],
      }));
    // Starts the process, and draws the background that is kept.
    await render();
    const [before, began] = [children().cpuMs, performance.now()];
    await Promise.all(Array.from({ length: atOnce }, render));
    const { cpuMs, megabytes } = children();
    console.log(
      name.padEnd(25),
      String(atOnce).padStart(7),
      `${Math.round((cpuMs - before) / atOnce)} ms`.padStart(10),
      `${Math.round((performance.now() - began) / atOnce)} ms`.padStart(11),
      `${Math.round(megabytes)} MB`.padStart(10),
    );
    pool.close();
  }

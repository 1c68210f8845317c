/**
 * Videos of 4 s of drawn people, as the embedded service makes them: CPU and peak memory of the process that renders, each in a
 * process of its own. Nobody: the camera alone. The faces are found before and are not counted.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createFaceFinder } from '../../src/faces/finder.ts';
import type { RenderRequest } from '../../src/generation-service/render/render-pool.ts';
import { renderMotion, renderTransition } from '../../src/generation-service/render/video.ts';
import { photoOf } from '../people/people.ts';

const FRAMES = 4 * 24;

process.once('message', async ({ task, inputs, faces, cutOuts = [] }: RenderRequest) => {
  const before = process.cpuUsage();
  if (task.kind === 'motion') await renderMotion(task, inputs, faces);
  else if (task.kind === 'transition') await renderTransition(task, inputs, faces, cutOuts);
  const { user, system } = process.cpuUsage(before);
  const figures = { cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 };
  process.send?.(figures, () => process.exit());
});

interface Figures {
  readonly cpuMs: number;
  readonly peakMb: number;
}

async function measure(): Promise<void> {
  const finder = createFaceFinder();
  const photos = await Promise.all([photoOf('mara', 1080), photoOf('kofi', 1080)]);
  const faces = await Promise.all(photos.map((photo) => finder.find(photo)));
  const cutOuts = await Promise.all(photos.map((photo) => finder.cutOut(photo)));
  finder.close();
  const motion = {
    kind: 'motion',
    prompt: 'she laughs and turns',
    seconds: 4,
    aspect: 'auto',
    seed: 1,
  } as const;
  const transition = { kind: 'transition', prompt: 'she becomes him', seconds: 4, seed: 1 } as const;
  const cases: [string, RenderRequest][] = [
    ...(['simple', 'advanced', 'performance'] as const).flatMap((model): [string, RenderRequest][] => [
      [`${model}, nobody`, { task: { ...motion, model }, inputs: photos, faces: [] }],
      [`${model}, one person`, { task: { ...motion, model }, inputs: photos, faces }],
    ]),
    ['first-last, nobody', { task: transition, inputs: photos, faces: [] }],
    ['first-last, one becomes the other', { task: transition, inputs: photos, faces, cutOuts }],
  ];
  for (const [name, request] of cases) {
    const child = fork(fileURLToPath(import.meta.url), ['render'], { serialization: 'advanced' });
    const { cpuMs, peakMb } = await new Promise<Figures>((done) => {
      child.once('message', (figures) => done(figures as Figures));
      child.send(request);
    });
    const cells = [`${(cpuMs / 1000).toFixed(1)} s of CPU`, `${(cpuMs / FRAMES).toFixed(0)} ms a frame`];
    process.stdout.write(`${name.padEnd(36)}${cells.join('   ')}   ${peakMb.toFixed(0)} MB\n`);
  }
}

if (process.argv[2] !== 'render') await measure();

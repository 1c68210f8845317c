/** CPU of a picture of every scene at the documented size: the first (with its background) and the next. */
import { cpuUsage } from 'node:process';
import { asSharp } from '../../src/generation-service/render/canvas.ts';
import { scenes } from '../../src/generation-service/render/scenes/all.ts';
import { drawScene } from '../../src/generation-service/render/scenes/draw-scene.ts';
import { createSitters } from '../people/sitters.ts';

const sitters = await createSitters();
const [sitter] = sitters.all;
sitters.close();
if (sitter === undefined) throw new Error('nobody');

console.log('scene                  first ms   next ms   (CPU, 1200x1800 with PNG)');
for (const [key, scene] of Object.entries(scenes)) {
  const spent = [];
  for (let n = 0; n < 2; n += 1) {
    const before = cpuUsage();
    const setting = { scene, key, size: { width: 1200, height: 1800 }, dress: {}, seed: 1 };
    await asSharp(await drawScene(setting, sitter))
      .png({ compressionLevel: 4 })
      .toBuffer();
    const { user, system } = cpuUsage(before);
    spent.push(Math.round((user + system) / 1000));
  }
  console.log(key.padEnd(22), ...spent.map((ms) => String(ms).padStart(9)));
}

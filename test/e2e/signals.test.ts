import { afterEach, expect, it } from 'vitest';
import { createDataFolder, startProgram } from './program.ts';

const folders: ReturnType<typeof createDataFolder>[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
const folder = (): string => {
  const made = createDataFolder();
  folders.push(made);
  return made.path;
};

it('treats the same signal from a terminal and npm as one', async () => {
  const program = await startProgram(folder(), {});
  const [first, second] = await Promise.all([program.stop(), program.stop()]);
  expect([first, second]).toEqual([0, 0]);
});

it('continues when its output is closed', async () => {
  const program = await startProgram(folder(), { LOG_LEVEL: 'trace' });
  program.deafen();
  for (let times = 0; times < 5; times += 1) expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  expect(await program.stop()).toBe(0);
});

// @module-tag slow
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { eventually, holds } from '../eventually.ts';
import { createDataFolder, main, startProgram } from './program.ts';

const folders: ReturnType<typeof createDataFolder>[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
const folder = (): string => {
  const made = createDataFolder();
  folders.push(made);
  return made.path;
};

it('a program treats the same signal from a terminal and npm as one', async () => {
  const program = await startProgram(folder(), {});
  const [first, second] = await Promise.all([program.stop(), program.stop()]);
  expect(first).toBe(0);
  expect(second).toBe(0);
});

it('a program continues when its output is closed', async () => {
  const program = await startProgram(folder(), { LOG_LEVEL: 'trace' });
  program.deafen();

  for (let times = 0; times < 5; times += 1) expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
  expect(await program.stop()).toBe(0);
});

it('a program shows debug lines after SIGUSR2, and no more after the next one', async () => {
  const program = await startProgram(folder(), { LOG_LEVEL: 'info' });
  const levels = () => [...program.output().matchAll(/"logLevel":"(\w+)"/g)].map(([, level]) => level);

  process.kill(program.pid, 'SIGUSR2');

  await holds(() => expect(levels()).toEqual(['debug']));

  const calls = () => program.output().split('"a call to the service"').length - 1;
  await holds(async () => {
    await fetch(`${program.url}/readyz`);
    expect(calls()).toBeGreaterThan(0);
  });

  process.kill(program.pid, 'SIGUSR2');
  await holds(() => expect(levels()).toEqual(['debug', 'info']));
  expect((await fetch(`${program.url}/healthz`)).status).toBe(200);
  expect(await program.stop()).toBe(0);
});

it('a program takes SIGUSR2 before its settings are read', async () => {
  // The first handler is added by the program's first line; the signal comes as soon as that has run.
  const signalAtOnce =
    "process.once('newListener', () => queueMicrotask(() => process.kill(process.pid, 'SIGUSR2')))";
  const program = spawn(process.execPath, ['--import', `data:text/javascript,${signalAtOnce}`, main], {
    cwd: folder(),
    env: { PATH: process.env.PATH ?? '', HTTP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(program, 'exit');
  let printed = '';

  program.stdout.on('data', (chunk) => (printed += chunk));

  await holds(() => expect(printed).toContain('Darkroom is ready'));

  program.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it('a program that npm started takes SIGUSR2 at the process id that it logs', async () => {
  const path = folder();
  writeFileSync(join(path, 'package.json'), JSON.stringify({ scripts: { start: `node ${main}` } }));
  const npm = spawn('npm', ['start'], {
    cwd: path,
    env: { PATH: process.env.PATH ?? '', HOME: path, HTTP_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(npm, 'exit');
  let printed = '';
  npm.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  try {
    const pid = Number(await eventually(() => /"pid":(\d+).*Darkroom is ready/.exec(printed)?.[1]));
    expect(pid).not.toBe(npm.pid);
    process.kill(pid, 'SIGUSR2');
    await holds(() => expect(printed).toContain('"logLevel":"debug"'));
    process.kill(pid, 'SIGUSR2');
    await holds(() => expect(printed).toContain('"logLevel":"info"'));
  } finally {
    npm.kill('SIGTERM');
    await exited;
  }

  await holds(() => expect(printed).toContain('stopping: finishing current work'));
});

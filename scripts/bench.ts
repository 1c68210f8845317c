/** `npm run bench -- NAME` runs one benchmark of `test/bench`; without a name it lists them. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../test/bench/', import.meta.url);

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .sort();

const [name, ...rest] = process.argv.slice(2);

if (name === undefined || !names.includes(name)) {
  const complaint = name === undefined ? '' : `There is no benchmark "${name}".\n`;
  process.stdout.write(
    `${complaint}Usage: npm run bench -- NAME\n${names.map((each) => `  ${each}\n`).join('')}`,
  );
  process.exitCode = name === undefined ? 0 : 1;
} else {
  const file = fileURLToPath(new URL(`${name}.ts`, folder));
  const child = spawn(process.execPath, [file, ...rest], { stdio: 'inherit' });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

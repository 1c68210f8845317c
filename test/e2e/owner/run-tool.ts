import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { COMPILED } from '../program.ts';

/** A tool that has ended. */
export interface Ran {
  readonly code: number | null;
  /** Everything it printed. */
  readonly output: string;
  readonly stdout: string;
}

/** Matches the end of a tool by its exit code and by words that its output contains. */
export const ends = (code: number, words: RegExp | string) => ({
  code,
  output: typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words),
});

interface ToolOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The text that is typed. */
  readonly input?: string;
  /** The largest file that it can write, in blocks of 512 bytes. */
  readonly largest?: number | undefined;
}

/** Starts a program of `src` in a folder: `owner/doctor`, or `.` for Darkroom itself. */
export function startTool(tool: string, folder: string, options: ToolOptions = {}) {
  const { args = [], env = {}, input = '', largest } = options;
  const program = new URL(`../../../src/${tool}/main.ts`, import.meta.url).pathname;
  const limited = largest === undefined ? [] : ['sh', '-c', `ulimit -f ${largest}; exec "$@"`, 'sh'];
  const [command = '', ...rest] = [...limited, process.execPath, program, ...args];
  const child = spawn(command, rest, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
  });
  let output = '';
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => (output += chunk));
  child.stdin.end(input);
  const closed = new Promise<number | null>((done) => child.on('close', done));
  return {
    child,
    output: () => output,
    ended: closed.then((code): Ran => ({ code, output, stdout })),
  };
}

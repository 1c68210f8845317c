import { parseArgs } from 'node:util';

// Whoever reads the output may have seen enough: the work goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** Ends a tool that was called wrongly or cannot do its work. */
export function stop(line: string): never {
  console.error(line);
  return process.exit(2);
}

/** The one argument of a tool, or its usage. */
export function fileArgument(usage: string): string {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    const [file] = positionals;
    return positionals.length === 1 && file !== undefined && file !== '' ? file : stop(usage);
  } catch {
    return stop(usage);
  }
}

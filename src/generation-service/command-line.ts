import { parseArgs } from 'node:util';
import { defined } from '../base/defined.ts';

export interface ServiceArguments {
  port: number;
  apiKey?: string;
  token?: string;
  dataDir: string;
}

/** Parses `--port N --key K --token T --data DIR`; a mistake is returned as one clear line. */
export function readServiceArguments(args: string[]): ServiceArguments | { mistake: string } {
  const read = () =>
    parseArgs({
      args,
      options: {
        port: { type: 'string', default: '8090' },
        key: { type: 'string' },
        token: { type: 'string' },
        data: { type: 'string', default: './data/generation-service' },
      },
    });
  let values: ReturnType<typeof read>['values'];
  try {
    ({ values } = read());
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('. ');
    return { mistake: `${reason}. Options: --port N --key K --token T --data DIR` };
  }
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) return { mistake: `--port is ${values.port}, but must be a number from 0 to 65535` };
  for (const name of ['key', 'token'] as const) {
    const value = values[name];
    // Allowed are characters that a header can carry and that a shell leaves unchanged in double quotes.
    if (value !== undefined && !/^[\w.~+/=-]{8,200}$/.test(value)) {
      return { mistake: `--${name} must be 8 to 200 letters, digits or any of . _ ~ + / = -` };
    }
  }
  if (values.data === '') return { mistake: '--data is empty, but must name a folder' };
  return { port, dataDir: values.data, ...defined({ apiKey: values.key, token: values.token }) };
}

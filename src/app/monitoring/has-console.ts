import type { Config } from '../../config/config.ts';

const THIS_MACHINE = ['127.0.0.1', '::1', 'localhost'];

/** Without a password only where nobody else can reach it: on this machine, with no platform connected. */
export function hasConsole({
  playground: { on, password },
  http,
}: Pick<Config, 'playground' | 'http'>): boolean {
  return password !== undefined || (on && THIS_MACHINE.includes(http.host));
}

import type { Config } from '../../config/config.ts';
import { isLoopback } from '../../config/cross-check.ts';

type Settings = Pick<Config, 'playground' | 'http'>;

/** Without a password only where nothing else can reach it: on this machine, with no platform connected. */
export function hasConsole({ playground: { on, password }, http }: Settings): boolean {
  return password !== undefined || (on && isLoopback(http.host));
}

/** Only people who may use the console can act as the owner in the playground. */
export function hasPlaygroundOwner(settings: Settings): boolean {
  return settings.playground.on && hasConsole(settings);
}

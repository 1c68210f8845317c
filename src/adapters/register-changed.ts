import { createHash } from 'node:crypto';
import type { Records } from '../base/keyv/records.ts';

/**
 * Registers commands with a platform if they differ from those that were registered last. Returns whether it registered
 * them.
 */
export async function registerChanged(
  state: Records,
  key: string,
  commands: unknown,
  register: () => Promise<unknown>,
): Promise<boolean> {
  const hash = createHash('sha256').update(JSON.stringify(commands)).digest('hex');
  if ((await state.get(key)) === hash) return false;
  await register();
  await state.set(key, hash);
  return true;
}

import { createHash } from 'node:crypto';
import type { Query } from './driver.ts';

/**
 * Events of jobs that were removed, of grants, and ids at the service, for some days: a platform may deliver an event again, and no
 * other job can have the id, or it would show what was made for another.
 */
export async function remember(query: Query, origin: string, at: number): Promise<void> {
  await query(
    'INSERT INTO removed (origin, at) VALUES ($1, $2) ON CONFLICT (origin) DO UPDATE SET at = excluded.at',
    [origin, Math.floor(at)],
  );
}

export async function isRemembered(query: Query, origin: string): Promise<boolean> {
  return (await query('SELECT 1 FROM removed WHERE origin = $1', [origin])).length > 0;
}

/** As `origin`: of an id at the service, as stored, only a hash is kept. */
export const retired = (serviceId: string): string =>
  `id ${createHash('sha256').update(serviceId).digest('hex')}`;

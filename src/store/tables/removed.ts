import { createHash } from 'node:crypto';
import type { Transaction } from './driver.ts';

/** Notes for some days that an event was handled, which a platform may deliver again, or that an id at the service was used. */
export const rememberOrigin = ({ write }: Transaction, origin: string, at: number): void =>
  write(
    'INSERT INTO removed (origin, at) VALUES ($1, $2) ON CONFLICT (origin) DO UPDATE SET at = excluded.at',
    [origin, Math.floor(at)],
  );

/** How an id at the service is written in the column `origin`: only its hash is kept. */
export const originOfUsedId = (serviceId: string): string =>
  `id ${createHash('sha256').update(serviceId).digest('hex')}`;

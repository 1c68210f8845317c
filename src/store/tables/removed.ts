import { createHash } from 'node:crypto';
import type { Transaction } from './driver.ts';

/** Events, which a platform may deliver again, and ids at the service, which no other job can have; for some days. */
export const remember = ({ write }: Transaction, origin: string, at: number): void =>
  write(
    'INSERT INTO removed (origin, at) VALUES ($1, $2) ON CONFLICT (origin) DO UPDATE SET at = excluded.at',
    [origin, Math.floor(at)],
  );

/** An id at the service, stored as an `origin`: only its hash is kept. */
export const retired = (serviceId: string): string =>
  `id ${createHash('sha256').update(serviceId).digest('hex')}`;

import { z } from 'zod';
import type { Trouble } from '../../log/troubles.ts';

export type { Trouble };

/** The latest warnings and errors of all processes on a store, in one small record: for the support file. */
export const TROUBLES = { namespace: 'troubles', key: 'latest' } as const;

const MOST = 100;

const trouble = z.object({
  level: z.enum(['warn', 'error', 'fatal']),
  /** Missing in records from before it. */
  places: z.array(z.string().max(200)).max(10).default([]),
  error: z
    .object({
      name: z.string().max(40),
      code: z.string().max(40).optional(),
      kind: z.string().max(40).optional(),
      status: z.int().optional(),
      frames: z.array(z.string().max(200)).max(10),
    })
    .optional(),
  first: z.int(),
  last: z.int(),
  count: z.int().nonnegative(),
});
const troubles = z.array(trouble).max(MOST);

export const troubleRecords = {
  isValid: (_: string, value: unknown): boolean => troubles.safeParse(value).success,
};

export const troublesIn = (value: unknown): readonly Trouble[] => troubles.safeParse(value).data ?? [];

/** Those alike are counted together; the latest stay. */
export function withTroubles(before: readonly Trouble[], more: readonly Trouble[]): readonly Trouble[] {
  const all = new Map<string, Trouble>();
  for (const each of [...before, ...more]) {
    const key = JSON.stringify([each.level, each.places, each.error]);
    const known = all.get(key);
    all.set(key, {
      ...each,
      first: Math.min(each.first, known?.first ?? each.first),
      last: Math.max(each.last, known?.last ?? each.last),
      count: Math.min(each.count + (known?.count ?? 0), Number.MAX_SAFE_INTEGER),
    });
  }
  return [...all.values()].toSorted((one, other) => one.last - other.last).slice(-MOST);
}

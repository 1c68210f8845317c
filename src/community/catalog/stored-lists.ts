import { z } from 'zod';
import type { KeyValue } from '../../base/key-value.ts';
import type { CatalogEntry } from '../../command/ports.ts';
import type { ListName } from '../../command/request.ts';

export type StoredLists = ReturnType<typeof createStoredLists>;

const entry = z.object({
  reference: z.string(),
  name: z.string(),
  model: z.enum(['face', 'group', 'unknown']),
  preview: z.string().exactOptional(),
});

/** What the store must know about these records. */
export const listRecords = {
  isValid: (_: string, value: unknown): boolean =>
    z.looseObject({ service: z.string(), entries: z.array(entry) }).safeParse(value).success,
};

/**
 * The last known lists of filters, for a start while the service is down or slow. Those of another `service` are ignored.
 */
export function createStoredLists(records: KeyValue, service: string) {
  const record = z.object({ service: z.literal(service), entries: z.array(entry) });
  const written = new Map<ListName, string>();
  return {
    async load(name: ListName): Promise<readonly CatalogEntry[] | undefined> {
      return record.safeParse(await records.get(name)).data?.entries;
    },
    async save(name: ListName, entries: readonly CatalogEntry[]): Promise<void> {
      const text = JSON.stringify(entries);
      if (written.get(name) === text) return;
      await records.set(name, { service, entries });
      written.set(name, text);
    },
  };
}

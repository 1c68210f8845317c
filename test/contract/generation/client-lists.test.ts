import { describe, expect, it } from 'vitest';
import type { ServiceCatalogName } from '../../../src/generation-client/lists.ts';
import { withClient } from './client-calls.ts';
import { useTarget } from './target.ts';

const catalogs: ServiceCatalogName[] = ['face-v1', 'face-v5', 'face-v6', 'classic', 'realistic', 'stylized'];

describe('lists', () => {
  const target = useTarget();

  it.each(catalogs)('the catalog %s has numbers and names', async (name) => {
    const entries = await withClient(target(), (client) => client.catalog(name));
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(entries.every((entry) => Number.isInteger(entry.id) && entry.name !== '')).toBe(true);
  });

  it('the face catalogs of v5 and v6 share their numbers', async () => {
    await withClient(target(), async (client) => {
      const ids = async (name: ServiceCatalogName) => (await client.catalog(name)).map(({ id }) => id).sort();
      expect(await ids('face-v5')).toEqual(await ids('face-v6'));
    });
  });

  it('custom filters say which model they are for', async () => {
    const filters = await withClient(target(), (client) => client.customFilters());
    expect(filters.filter(({ model }) => model === 'unknown')).toEqual([]);
  });
});

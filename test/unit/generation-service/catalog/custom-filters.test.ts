import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { findOwnFilter, ownFilters } from '../../../../src/generation-service/catalog/custom-filters.ts';

it('custom filters are those in the documentation, and found by their UUID', async () => {
  const page = await readFile(new URL('../../../../docs/generation-service.md', import.meta.url), 'utf8');
  expect(ownFilters.length).toBeGreaterThanOrEqual(8);
  for (const filter of ownFilters) {
    expect(page).toContain(`| \`${filter.uuid}\` | ${filter.label} | \`${filter.filterType}\` |`);
    expect(findOwnFilter(filter.uuid.toUpperCase())).toBe(filter);
  }
});

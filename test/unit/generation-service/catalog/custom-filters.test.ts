import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  filtersWithUuid,
  findCustomFilter,
} from '../../../../src/generation-service/catalog/custom-filters.ts';

it('custom filters are those in the documentation, and found by their UUID', async () => {
  const page = await readFile(new URL('../../../../docs/generation-service.md', import.meta.url), 'utf8');
  expect(filtersWithUuid.length).toBeGreaterThanOrEqual(8);
  for (const filter of filtersWithUuid) {
    expect(page).toContain(`| \`${filter.uuid}\` | ${filter.label} | \`${filter.filterType}\` |`);
    expect(findCustomFilter(filter.uuid.toUpperCase())).toBe(filter);
  }
});

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createCustomFilters } from '../../../../src/generation-service/catalog/custom-filters.ts';
import { READY_MADE_USER } from '../../../../src/generation-service/storage/callers.ts';

const filters = createCustomFilters([READY_MADE_USER, 'other@darkroom.example']);

describe('custom filters', () => {
  it('of the default caller are those in the documentation', async () => {
    const page = await readFile(new URL('../../../../docs/generation-service.md', import.meta.url), 'utf8');
    const rows = filters
      .list(READY_MADE_USER)
      .map(({ uuid, label, filterType }) => `| \`${uuid}\` | ${label} | \`${filterType}\` |`);
    expect(rows.length).toBeGreaterThanOrEqual(8);
    for (const row of rows) expect(page).toContain(row);
  });

  it('have different UUIDs for each caller, and only that caller finds them', () => {
    const [own] = filters.list(READY_MADE_USER);
    const [other] = filters.list('other@darkroom.example');
    expect(own?.label).toBe(other?.label);
    expect(own?.uuid).not.toBe(other?.uuid);
    expect(filters.find('other@darkroom.example', own?.uuid ?? '')).toBeUndefined();
    expect(filters.find(READY_MADE_USER, own?.uuid.toUpperCase() ?? '')?.label).toBe(own?.label);
    expect(filters.list('stranger@darkroom.example')).toEqual([]);
  });
});

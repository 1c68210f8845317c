import { describe, expect, it } from 'vitest';
import { failureOf, makePhoto, withClient } from './client-calls.ts';
import { useTarget } from './target.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

describe('an alias', () => {
  const target = useTarget();

  it('is created, repointed and deleted, and keeps its history', async () => {
    await withClient(target(), async (client) => {
      const [before, after] = (await client.customFilters()).filter(({ model }) => model === 'face');
      if (before === undefined || after === undefined) throw new Error('two custom face filters are needed');
      const created = await client.aliases.create({ filter: before.id, project: 'contract' });
      try {
        expect(created).toMatchObject({ filter: before.id, project: 'contract', history: [] });
        expect(created.lastUsed).toBeUndefined();
        await client.aliases.update(created.id, { filter: after.id, project: 'contract' });
        const repointed = await client.aliases.resolve(created.id);
        expect(repointed).toMatchObject({ id: created.id, filter: after.id, project: 'contract' });
        expect(repointed.label).toBe(after.name);
        expect(repointed.history.map(({ filter }) => filter)).toEqual([before.id]);
        expect((await client.aliases.list()).map(({ id }) => id)).toContain(created.id);
        expect((await client.aliases.mine()).map(({ id }) => id)).toContain(created.id);
      } finally {
        await client.aliases.delete(created.id);
      }
      expect((await failureOf(client.aliases.resolve(created.id))).kind).toBe('not-found');
    });
  });

  it('that does not exist is not found', async () => {
    await withClient(target(), async (client) => {
      expect((await failureOf(client.aliases.resolve(nobody))).kind).toBe('not-found');
      expect((await failureOf(client.aliases.delete(nobody))).kind).toBe('not-found');
    });
  });

  it('of the other model type is refused where it does not fit', async () => {
    await withClient(target(), async (client) => {
      const group = (await client.customFilters()).find(({ model }) => model === 'group');
      if (group === undefined) throw new Error('a custom group filter is needed');
      const { id, filter = '' } = await client.aliases.create({ filter: group.id });
      try {
        for (const reference of [id, filter]) {
          const input = { image: await makePhoto(), gender: 'male', filter: reference } as const;
          const error = await failureOf(client.run({ endpoint: 'face-swap-v6', input }));
          expect(error).toMatchObject({ kind: 'refused', mayHaveArrived: false });
        }
      } finally {
        await client.aliases.delete(id);
      }
    });
  });
});

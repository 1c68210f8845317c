import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AliasRecords, createAliasRecords } from '../../../src/community/aliases/alias-records.ts';
import { type Aliases, createAliases } from '../../../src/community/aliases/aliases.ts';
import type { GenerationClient } from '../../../src/generation-client/client.ts';
import { createRecords } from '../../fakes/records.ts';
import { serviceError } from '../orchestrator/world.ts';
import { openService } from './campaigns/world.ts';

let service: Awaited<ReturnType<typeof openService>>;
let client: GenerationClient;
let filter: string;
beforeAll(async () => {
  service = await openService();
  client = service.client;
  [filter = ''] = service.filters;
});
afterAll(() => service.close());

let run = 0;
let group: string;
let supergroup: string;
let records: AliasRecords;
beforeEach(() => {
  run += 1;
  group = `telegram:-${run}`;
  supergroup = `telegram:-100${run}`;
  records = createAliasRecords(createRecords());
});

const start = (
  replaced: Partial<GenerationClient['aliases']> = {},
  changed: (community: string) => unknown = () => undefined,
): Aliases =>
  createAliases({
    records,
    service: { ...client.aliases, ...replaced },
    customFilters: () => client.customFilters(),
    knownFilters: async () => undefined,
    nearest: () => [],
    changed,
    now: () => 0,
  });

describe('a group that becomes a supergroup', () => {
  it('updates the project with all fields; a refusal delays nobody', async () => {
    await start().create(group, 'halloween', filter);
    const asked: unknown[] = [];
    const aliases = start({
      update: async (_, target) => {
        asked.push(target);
        throw serviceError('refused', false);
      },
    });
    await aliases.move(group, supergroup);
    expect(await aliases.list(supergroup)).toMatchObject([{ name: 'halloween', filter: { id: filter } }]);
    expect(asked).toContainEqual({ filter, project: supergroup });
  });

  it('while an alias is being created moves that one too', async () => {
    const answer = Promise.withResolvers<void>();
    const aliases = start({
      create: async (target) => {
        const made = await client.aliases.create(target);
        await answer.promise;
        return made;
      },
    });
    const creating = aliases.create(group, 'halloween', filter);
    const moving = aliases.move(group, supergroup);
    answer.resolve();
    await Promise.all([creating, moving]);
    expect(await aliases.list(supergroup)).toMatchObject([{ name: 'halloween' }]);
    expect(await records.all(group)).toEqual([]);
  });
});

describe('a group whose alias names exist under its new id', () => {
  it('keeps both under different names', async () => {
    const aliases = start();
    const long = 'a'.repeat(32);
    for (const name of ['halloween', long]) {
      await aliases.create(group, name, filter);
      await aliases.create(supergroup, name, filter);
    }
    await aliases.move(group, supergroup);
    const listed = await aliases.list(supergroup);
    expect(listed.map(({ name }) => name).toSorted()).toEqual(
      [long, `${'a'.repeat(30)}-2`, 'halloween', 'halloween-2'].toSorted(),
    );
    expect(new Set(listed.map(({ id }) => id)).size).toBe(4);
    const ours = (await client.aliases.list()).filter(({ project }) => project === supergroup);
    expect(ours).toHaveLength(4);
    expect((await client.aliases.list()).filter(({ project }) => project === group)).toEqual([]);
  });
});

describe('repair at the start', () => {
  it('repairs every community, also when one fails', async () => {
    for (const community of [group, supergroup]) await start().create(community, 'halloween', filter);
    const dying = start({ delete: () => Promise.reject(new Error('the process died here')) });
    for (const community of [group, supergroup])
      await expect(dying.delete(community, 'halloween')).rejects.toThrow();
    const known: string[] = [];
    let tries = 0;
    const again = start(
      {
        delete: async (id) => {
          tries += 1;
          if (tries === 1) throw new Error('not this one');
          return client.aliases.delete(id);
        },
      },
      (community) => known.push(community),
    );
    await expect(again.reconcile()).rejects.toThrow('not this one');
    expect(tries).toBe(2);
    expect(new Set(known)).toEqual(new Set([group, supergroup]));
    expect(await records.all(supergroup)).toEqual([]);
  });
});

describe('an alias whose deletion did not reach the service', () => {
  it('can be deleted again, and the name is free afterwards', async () => {
    await start().create(group, 'halloween', filter);
    const silent = serviceError('unavailable', true);
    let tries = 0;
    const aliases = start({
      delete: async (id) => {
        tries += 1;
        if (tries === 1) throw silent;
        return client.aliases.delete(id);
      },
    });
    const unavailable = { reason: { code: 'service-unavailable' } };
    await expect(aliases.delete(group, 'halloween')).rejects.toMatchObject(unavailable);
    expect(await aliases.named(group, 'halloween')).toBeUndefined();
    await aliases.delete(group, 'halloween');
    expect(await records.all(group)).toEqual([]);
  });
});

describe('an alias that the service refuses to delete', () => {
  const refusing = () => start({ delete: () => Promise.reject(serviceError('refused', false)) });

  it('stays as it was', async () => {
    const aliases = refusing();
    await aliases.create(group, 'halloween', filter);
    await expect(aliases.delete(group, 'halloween')).rejects.toThrow();
    expect(await aliases.named(group, 'halloween')).toMatchObject({ model: 'face' });
    expect(await aliases.list(group)).toMatchObject([{ name: 'halloween', filter: { id: filter } }]);
  });

  it('is restored, and can be listed, when that is known after a crash', async () => {
    const dying = start({ delete: () => Promise.reject(new Error('the process died here')) });
    await dying.create(group, 'halloween', filter);
    await expect(dying.delete(group, 'halloween')).rejects.toThrow('died');
    expect(await refusing().list(group)).toMatchObject([{ name: 'halloween' }]);
  });
});

it.each([
  ['unauthorized', 'service-credentials'],
  ['redirected', 'service-address'],
] as const)('problems for the owner are reported as such: %s', async (kind, code) => {
  await start().create(group, 'halloween', filter);
  const refused = serviceError(kind, false);
  const aliases = start({ update: () => Promise.reject(refused) });
  await expect(aliases.repoint(group, 'halloween', filter)).rejects.toMatchObject({ reason: { code } });
});

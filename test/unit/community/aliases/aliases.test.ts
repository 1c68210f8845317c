import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../../../src/command/catalog-port.ts';
import { type AliasRecords, createAliasRecords } from '../../../../src/community/aliases/alias-records.ts';
import { type Aliases, createAliases } from '../../../../src/community/aliases/aliases.ts';
import type { GenerationClient } from '../../../../src/generation-client/client.ts';
import type { CustomFilter } from '../../../../src/generation-client/lists.ts';
import { openService } from '../../../fakes/campaigns.ts';
import { serviceError } from '../../../fakes/orchestrator-world.ts';
import { createRecords } from '../../../fakes/records.ts';

const nothingKnown = {
  filter: undefined,
  label: undefined,
  project: undefined,
  createdAt: undefined,
  updatedAt: undefined,
  history: [],
};

const missing = '00000000-0000-4000-8000-000000000000';

let service: Awaited<ReturnType<typeof openService>>;
let client: GenerationClient;
let face: CustomFilter;
let otherFace: CustomFilter;
let group: CustomFilter;
let inMemory: readonly CatalogEntry[];
/** The entries that the catalog has in memory now, or undefined if it was never loaded. */
let known: readonly CatalogEntry[] | undefined;

beforeAll(async () => {
  service = await openService();
  client = service.client;
  const filters = await client.customFilters();
  const [first, second] = filters.filter(({ model }) => model === 'face');
  const third = filters.find(({ model }) => model === 'group');
  if (!first || !second || !third) throw new Error('the service has too few custom filters');
  face = first;
  otherFace = second;
  group = third;
  inMemory = filters.map(({ id, name, model }) => ({ reference: id, name, model }));
});

afterAll(() => service.close());

let now = 0;
let records: AliasRecords;
let resolved: number;
let listed: number;
let changes: string[];

/** The aliases as a process sees them; `client.aliases` with some calls replaced stands for a crash or an outage. */
const start = (
  replaced: Partial<GenerationClient['aliases']> = {},
  filters?: readonly CustomFilter[],
): Aliases => {
  const calls = { ...client.aliases, ...replaced };
  const resolve: typeof calls.resolve = (id, purpose) => {
    if (purpose?.lane === 'submit') resolved += 1;
    return calls.resolve(id, purpose);
  };
  return createAliases({
    records,
    service: { ...calls, resolve },
    customFilters: async () => {
      listed += 1;
      return filters ?? client.customFilters();
    },
    knownFilters: async () => known,
    changed: (community) => changes.push(community),
    now: () => now,
  });
};

let aliases: Aliases;

const halloween = async (by = aliases) => {
  const made = await by.create('discord:1', 'halloween', face.id);
  return made === 'model-needed' ? expect.fail('the model is known') : made;
};

/** An alias that was deleted at the service, not through us. */
const anAliasGoneAtService = async () => {
  const made = await halloween();
  await client.aliases.delete(made.id);
  return made;
};

const refused = (work: Promise<unknown>, code: string) =>
  expect(work).rejects.toMatchObject({ reason: { code } });

/** A service that says of every alias that it points to another filter. */
const pointing = (change: { readonly filter: string | undefined; readonly label?: string }) => ({
  resolve: async (id: string) => ({ ...(await client.aliases.resolve(id)), ...change }),
  list: async () => (await client.aliases.list()).map((each) => ({ ...each, ...change })),
});

const crash = new Error('the process died here');

/** A process dies at a creation, before or after the service has made the alias. */
const dieCreating = async (when: 'before' | 'after'): Promise<void> => {
  const dying = start({
    create: async (target) => {
      if (when === 'after') await client.aliases.create(target);
      throw crash;
    },
  });
  await expect(dying.create('discord:1', 'halloween', face.id)).rejects.toBe(crash);
};

beforeEach(async () => {
  for (const { id } of await client.aliases.list()) await client.aliases.delete(id);
  records = createAliasRecords(createRecords());
  now = Date.now();
  resolved = 0;
  listed = 0;
  known = inMemory;
  changes = [];
  aliases = start();
});

describe('an alias', () => {
  it('an alias is created from a filter’s name or UUID and belongs to its community', async () => {
    const made = await aliases.create('discord:1', 'halloween', face.name.toUpperCase());
    expect(made).toMatchObject({ name: 'halloween', model: 'face', filter: { id: face.id }, history: [] });

    await aliases.create('discord:1', 'crowd', group.id);
    await refused(aliases.create('discord:1', 'halloween', face.id), 'alias-exists');

    expect(await aliases.list('discord:1')).toMatchObject([
      { name: 'crowd', model: 'group' },
      { name: 'halloween', model: 'face' },
    ]);
    expect(await aliases.list('discord:2')).toEqual([]);

    const atService = await client.aliases.list();
    expect(atService.map(({ project }) => project)).toEqual(['discord:1', 'discord:1']);
    expect(changes).toEqual(['discord:1', 'discord:1']);
  });

  describe('the filter of a stored alias', () => {
    const stored = async () => (await records.all('discord:1'))[0];

    it('an alias is stored with the filter that it points to', async () => {
      await halloween();

      expect(await stored()).toMatchObject({ name: 'halloween', filter: face.id });
    });

    it('a repoint is stored, and told as a change of the community', async () => {
      await halloween();
      changes = [];

      await aliases.repoint('discord:1', 'halloween', otherFace.id);

      expect(await stored()).toMatchObject({ name: 'halloween', filter: otherFace.id });
      expect(changes).toEqual(['discord:1']);
    });

    it('a list of aliases stores what was changed at the service', async () => {
      const { id } = await halloween();
      await client.aliases.update(id, { filter: otherFace.id, project: 'discord:1' });

      await aliases.list('discord:1');

      expect(await stored()).toMatchObject({ name: 'halloween', filter: otherFace.id });
    });

    it('the start stores the filter of an alias that an earlier version has stored without one', async () => {
      const { id } = await halloween();
      const now = (await stored()) ?? expect.fail('nothing is stored');
      await records.swap('discord:1', now, { state: 'ready', name: 'halloween', model: 'face', id });
      expect(await stored()).not.toHaveProperty('filter');

      await aliases.reconcile();

      expect(await stored()).toMatchObject({ name: 'halloween', filter: face.id });
    });
  });

  describe('limits', () => {
    let made: number;

    beforeEach(() => {
      made = 0;
      aliases = start({
        create: async () => {
          made += 1;
          return { ...nothingKnown, id: randomUUID() };
        },
        delete: async () => undefined,
      });
    });

    const by = (id: string) => aliases.forPerson({ platform: 'telegram', id });

    /** Creates as many of `count` aliases as are accepted. */
    const createMany = (who: ReturnType<typeof by>, community: string, count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, (_, n) => who.create(community, `n-${made}-${n}`, face.id)),
      );

    it('a community has at most a hundred aliases', async () => {
      await createMany(by('5'), 'discord:1', 101);

      expect(made).toBe(100);
      await refused(by('6').create('discord:1', 'more', face.id), 'alias-limit');
    });

    it('a person makes at most two hundred aliases in all communities, and others more', async () => {
      for (const community of ['discord:1', 'discord:2', 'discord:3', 'discord:4', 'discord:5', 'discord:6'])
        await createMany(by('5'), community, 40);

      expect(made).toBe(200);
      await refused(by('5').create('discord:9', 'more', face.id), 'alias-limit-person');
      await by('6').create('discord:9', 'halloween', face.id);
      expect(made).toBe(201);
    });

    it('a person who has made two hundred aliases can make another when somebody deletes one of them', async () => {
      for (const community of ['discord:1', 'discord:2']) await createMany(by('5'), community, 100);
      const [first] = await records.all('discord:2');
      await by('6').delete('discord:2', first?.name ?? '');

      await by('5').create('discord:9', 'more', face.id);

      await refused(by('5').create('discord:9', 'again', face.id), 'alias-limit-person');
    });

    it('hidden administrators and channels of all groups make at most two hundred aliases together', async () => {
      for (const group of [1, 2, 3, 4]) await createMany(by(`anonymous:-${group}`), `telegram:-${group}`, 45);

      await createMany(by('channel:-5'), 'telegram:-5', 45);

      expect(made).toBe(200);
      await refused(by('anonymous:-6').create('telegram:-6', 'more', face.id), 'alias-limit-person');
    });
  });

  it('the aliases of all communities are listed in one call, for everybody who asks meanwhile', async () => {
    let lists = 0;

    aliases = start({
      list: async () => {
        lists += 1;
        return client.aliases.list();
      },
    });
    await halloween();
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        aliases.forPerson({ platform: 'discord', id: `${n}` }).list(`discord:${n}`),
      ),
    );

    expect(all[1]).toMatchObject([{ name: 'halloween' }]);
    expect(lists).toBe(1);

    const stored = { state: 'ready', name: 'x', model: 'face', id: randomUUID() } as const;
    await records.add('discord:2', stored);
    await aliases.reconcile();
    expect(lists).toBe(2);
  });

  it('an alias to a catalog number is refused, and one to an unknown name with the nearest names', async () => {
    await refused(aliases.create('discord:1', 'x', '12'), 'filter-is-number');
    await expect(aliases.create('discord:1', 'x', face.name.slice(0, -1))).rejects.toMatchObject({
      reason: { code: 'filter-unknown', near: expect.arrayContaining([face.name]) },
    });
    expect(await client.aliases.list()).toEqual([]);
  });

  it('the model of an alias is asked for only when it is not known, and a wrong one is refused', async () => {
    expect(await aliases.create('discord:1', 'x', missing)).toBe('model-needed');
    expect(await records.all('discord:1')).toEqual([]);
    await refused(aliases.create('discord:1', 'x', face.id, 'group'), 'wrong-model');
  });

  it('an alias shows its history after a repoint, and refuses a filter of the other type', async () => {
    await halloween();
    const moved = await aliases.repoint('discord:1', 'halloween', otherFace.name);
    expect(moved.filter?.id).toBe(otherFace.id);
    expect(moved.history.map(({ label }) => label)).toEqual([face.name]);

    await refused(aliases.repoint('discord:1', 'halloween', group.id), 'wrong-model');
    expect((await aliases.show('discord:1', 'halloween')).filter?.id).toBe(otherFace.id);
  });

  it('an alias is repointed also when it cannot be read at that moment', async () => {
    await halloween();
    const silent = serviceError('unavailable', true);
    aliases = start({ resolve: () => Promise.reject(silent) });
    const moved = await aliases.repoint('discord:1', 'halloween', otherFace.id);

    expect(moved).toMatchObject({ filter: { id: otherFace.id, label: otherFace.name } });
  });

  it('of two filters with the same name, an alias takes the one of its type', async () => {
    const twins = [group, face].map((filter) => ({ ...filter, name: 'Cafe\u0301 Noir' }));
    aliases = start({}, twins);
    expect(await aliases.create('discord:1', 'cafe', 'café  noir', 'face')).toMatchObject({ model: 'face' });

    await aliases.create('discord:1', 'other', otherFace.id, 'face');
    const moved = await aliases.repoint('discord:1', 'other', 'CAFÉ NOIR');
    expect(moved).toMatchObject({ filter: { id: face.id } });
  });

  it('an alias cannot be touched from another community', async () => {
    await halloween();
    await refused(aliases.show('discord:2', 'halloween'), 'alias-unknown');
    await refused(aliases.repoint('discord:2', 'halloween', otherFace.id), 'alias-unknown');
    await refused(aliases.delete('discord:2', 'halloween'), 'alias-unknown');

    expect(await aliases.named('discord:2', 'halloween')).toBeUndefined();
  });
});

describe('using an alias', () => {
  it('an alias is resolved once for many uses, again after five minutes, and at once after a repoint', async () => {
    const made = await halloween();
    const use = () => aliases.use(made.id, 'halloween', 'face');

    expect(await Promise.all([use(), use(), use()])).toEqual([face.id, face.id, face.id]);
    expect(resolved).toBe(1);

    now += 5 * 60_000 - 1;
    await use();
    expect(resolved).toBe(1);

    now += 2;
    await use();
    expect(resolved).toBe(2);

    await aliases.repoint('discord:1', 'halloween', otherFace.id);
    expect(await use()).toBe(otherFace.id);
  });

  it('the use of an alias that was deleted at the service is refused, and nothing wrong is cached', async () => {
    const made = await anAliasGoneAtService();
    await refused(aliases.use(made.id, 'halloween', 'face'), 'alias-gone');
    await refused(aliases.show('discord:1', 'halloween'), 'alias-gone');

    expect(await aliases.list('discord:1')).toEqual([{ name: 'halloween', id: made.id, model: 'face' }]);
  });

  it('the use of an alias resolves only the alias, because the model of its filter is known from the catalog', async () => {
    const made = await halloween();
    listed = 0;
    await aliases.use(made.id, 'halloween', 'face');

    expect(resolved).toBe(1);
    expect(listed).toBe(0);

    known = undefined;
    expect(await aliases.use(made.id, 'halloween', 'face')).toBe(face.id);
    expect(listed).toBe(0);
  });

  it('nothing is cached for an alias that is being deleted', async () => {
    const made = await halloween();
    aliases = start({
      delete: async (id) => {
        await aliases.use(id, 'halloween', 'face');
        return client.aliases.delete(id);
      },
    });
    await aliases.delete('discord:1', 'halloween');
    await refused(aliases.use(made.id, 'halloween', 'face'), 'alias-gone');
  });

  it('the use of an alias that was repointed to the other type at the service is refused', async () => {
    const { id } = await halloween();
    await refused(start(pointing({ filter: group.id })).use(id, 'halloween', 'face'), 'wrong-model');
  });
});

describe('what was deleted at the service', () => {
  it.each([
    { what: 'its filter', change: { filter: missing, label: '' } },
    { what: 'its filter, so that it has none', change: { filter: undefined } },
  ])('an alias is marked in list and show when the service deleted $what', async ({ change }) => {
    await halloween();
    aliases = start(pointing(change));

    const [listed] = await aliases.list('discord:1');

    expect(listed).toMatchObject({ name: 'halloween' });
    expect(listed).not.toHaveProperty('filter');
    expect(await aliases.show('discord:1', 'halloween')).not.toHaveProperty('filter');
  });

  it('the use of an alias without a filter is refused, and asks again each time, because it may be mended at the service', async () => {
    const { id } = await halloween();
    aliases = start(pointing({ filter: undefined }));
    known = undefined;

    await refused(aliases.use(id, 'halloween', 'face'), 'alias-gone');
    expect(resolved).toBe(1);

    await refused(aliases.use(id, 'halloween', 'face'), 'alias-gone');
    expect(resolved).toBe(2);
  });

  it('an alias is not marked while the list of filters is unknown', async () => {
    await halloween();
    known = undefined;
    aliases = start(pointing({ filter: missing, label: '' }));

    expect((await aliases.list('discord:1'))[0]?.filter).toEqual({ id: missing, label: missing });
  });

  it('a repoint creates an alias again that was deleted at the service', async () => {
    await anAliasGoneAtService();
    await refused(aliases.repoint('discord:1', 'halloween', group.id), 'wrong-model');
    const again = await aliases.repoint('discord:1', 'halloween', otherFace.id);

    expect(again).toMatchObject({ name: 'halloween', model: 'face', filter: { id: otherFace.id } });
    expect(await aliases.list('discord:1')).toMatchObject([{ name: 'halloween', id: again.id }]);
    expect(await client.aliases.list()).toHaveLength(1);
  });

  it('an alias that the service deleted and refuses to create again stays marked', async () => {
    const made = await anAliasGoneAtService();
    const refusal = serviceError('refused', false);
    aliases = start({ create: () => Promise.reject(refusal) });
    await refused(aliases.repoint('discord:1', 'halloween', otherFace.id), 'service-refused');

    expect(await aliases.list('discord:1')).toEqual([{ name: 'halloween', id: made.id, model: 'face' }]);
  });

  it('an alias that was deleted and created again at the service is listed twice, and both can be repaired', async () => {
    await anAliasGoneAtService();
    const stranger = await client.aliases.create({ filter: face.id, project: 'discord:1' });
    const found = `unnamed-${stranger.id.slice(0, 8)}`;

    const listed = await aliases.list('discord:1');
    expect(listed.map(({ name, filter }) => ({ name, filter: filter?.id }))).toEqual([
      { name: 'halloween', filter: undefined },
      { name: found, filter: face.id },
    ]);

    await aliases.delete('discord:1', 'halloween');
    await aliases.delete('discord:1', found);
    expect(await client.aliases.list()).toEqual([]);
  });
});

describe('a crash between service and store', () => {
  it('after a crash before the service created an alias its name is free at the next start', async () => {
    await dieCreating('before');

    const again = start();
    await again.reconcile();

    expect(await again.named('discord:1', 'halloween')).toBeUndefined();
    expect(await client.aliases.list()).toEqual([]);
    expect(await again.list('discord:1')).toEqual([]);
  });

  it('after a crash after the service created an alias it is adopted at the next start', async () => {
    await dieCreating('after');

    const again = start();
    await again.reconcile();

    expect(await again.named('discord:1', 'halloween')).toMatchObject({ model: 'face' });
    expect(await client.aliases.list()).toHaveLength(1);
    expect(await again.list('discord:1')).toMatchObject([{ name: 'halloween' }]);
  });

  it.each(['before', 'after'] as const)(
    'after a crash %s the service created an alias the repeated command creates it once and reports success',
    async (when) => {
      await dieCreating(when);

      const again = start();
      const made = await again.create('discord:1', 'halloween', face.name);

      expect(made).toMatchObject({ name: 'halloween', filter: { id: face.id } });
      expect(await client.aliases.list()).toHaveLength(1);
      expect(await again.named('discord:1', 'halloween')).toBeDefined();
    },
  );

  it('after a crash in a creation the command with another filter keeps the alias that exists, and reports it', async () => {
    await dieCreating('after');
    await refused(start().create('discord:1', 'halloween', otherFace.id), 'alias-exists');
    expect(await client.aliases.list()).toMatchObject([{ filter: face.id }]);
  });

  /** A process dies at a deletion, before or after the service has deleted the alias. */
  const dieDeleting = async (when: 'before' | 'after'): Promise<void> => {
    const dying = start({
      delete: async (id) => {
        if (when === 'after') await client.aliases.delete(id);
        throw crash;
      },
    });
    await halloween(dying);
    await expect(dying.delete('discord:1', 'halloween')).rejects.toBe(crash);
  };

  it('after a crash before the service deleted an alias its name can be reused immediately', async () => {
    await dieDeleting('before');
    const made = await start().create('discord:1', 'halloween', otherFace.id);
    expect(made).toMatchObject({ filter: { id: otherFace.id } });
    expect(await client.aliases.list()).toHaveLength(1);
  });

  it.each(['before', 'after'] as const)(
    'after a crash %s the service deleted an alias it is deleted for good',
    async (when) => {
      await dieDeleting(when);
      const again = start();
      await again.reconcile();

      expect(await again.list('discord:1')).toEqual([]);
      expect(await client.aliases.list()).toEqual([]);
    },
  );

  it('when the store is lost, an alias of this community is listed under a generated name', async () => {
    const { id } = await client.aliases.create({ filter: group.id, project: 'discord:1' });
    await client.aliases.create({ filter: group.id, project: 'discord:2' });
    expect(await start().list('discord:1')).toEqual([
      { name: `unnamed-${id.slice(0, 8)}`, id, model: 'group', filter: { id: group.id, label: group.name } },
    ]);
  });
});

describe('a service that does not answer', () => {
  const silence = (mayHaveArrived: boolean) => serviceError('unknown-outcome', mayHaveArrived);

  it('a creation that may have reached a silent service is uncertain, and the list finds the alias', async () => {
    aliases = start({
      create: async (target) => {
        await client.aliases.create(target);
        throw silence(true);
      },
    });
    await refused(aliases.create('discord:1', 'halloween', face.id), 'alias-uncertain');
    expect((await start().list('discord:1')).map(({ name }) => name)).toEqual(['halloween']);
  });

  it('a creation that cannot have reached the service changes nothing', async () => {
    aliases = start({ create: () => Promise.reject(silence(false)) });
    await refused(aliases.create('discord:1', 'halloween', face.id), 'service-unavailable');
    expect(await records.all('discord:1')).toEqual([]);
  });
});

describe('a group that becomes a supergroup', () => {
  const before = 'telegram:-5';
  const after = 'telegram:-1005';

  it('a group that becomes a supergroup updates its aliases at the service, and a refusal delays nobody', async () => {
    await start().create(before, 'halloween', face.id);
    const asked: unknown[] = [];

    aliases = start({
      update: async (_, target) => {
        asked.push(target);
        throw serviceError('refused', false);
      },
    });
    await aliases.move(before, after);

    expect(await aliases.list(after)).toMatchObject([{ name: 'halloween', filter: { id: face.id } }]);
    expect(asked).toContainEqual({ filter: face.id, project: after });
  });

  it('a group that becomes a supergroup takes an alias along that is being created', async () => {
    const answer = Promise.withResolvers<void>();

    aliases = start({
      create: async (target) => {
        const made = await client.aliases.create(target);
        await answer.promise;
        return made;
      },
    });
    const creating = aliases.create(before, 'halloween', face.id);
    const moving = aliases.move(before, after);
    answer.resolve();
    await Promise.all([creating, moving]);

    expect(await aliases.list(after)).toMatchObject([{ name: 'halloween' }]);
    expect(await records.all(before)).toEqual([]);
  });

  it('a group that becomes a supergroup keeps its aliases beside those of the same names at its new id', async () => {
    const long = 'a'.repeat(32);

    for (const name of ['halloween', long])
      for (const community of [before, after]) await aliases.create(community, name, face.id);
    await aliases.move(before, after);
    const listed = await aliases.list(after);

    expect(listed.map(({ name }) => name).toSorted()).toEqual(
      [long, `${'a'.repeat(30)}-2`, 'halloween', 'halloween-2'].toSorted(),
    );
    expect(new Set(listed.map(({ id }) => id)).size).toBe(4);
    expect((await client.aliases.list()).map(({ project }) => project)).toEqual([after, after, after, after]);
  });
});

describe('a deletion', () => {
  /** Aliases whose first deletion at the service fails with `error`. */
  const failingOnce = (error: Error) => {
    const tries: string[] = [];
    aliases = start({
      delete: async (id) => {
        tries.push(id);
        if (tries.length === 1) throw error;
        return client.aliases.delete(id);
      },
    });
    return tries;
  };

  const refusing = () => start({ delete: () => Promise.reject(serviceError('refused', false)) });

  it('deletions that were interrupted are finished at the start in every community, also when one fails', async () => {
    const communities = ['discord:1', 'discord:2'];
    const dying = start({ delete: () => Promise.reject(crash) });

    for (const community of communities) {
      await dying.create(community, 'halloween', face.id);
      await expect(dying.delete(community, 'halloween')).rejects.toBe(crash);
    }
    changes = [];
    const tries = failingOnce(new Error('not this one'));

    await expect(aliases.reconcile()).rejects.toThrow('not this one');
    expect(tries).toHaveLength(2);
    expect(changes.toSorted()).toEqual(communities);
    expect(await records.all('discord:2')).toEqual([]);
  });

  it('a deletion that did not reach the service can be repeated, and the name is free afterwards', async () => {
    await halloween();
    failingOnce(serviceError('unavailable', true));
    // Another process changes it meanwhile.
    const repoint = async () => void (await start().repoint('discord:1', 'halloween', otherFace.id));
    await refused(aliases.delete('discord:1', 'halloween', repoint), 'service-unavailable');

    expect(await aliases.named('discord:1', 'halloween')).toBeUndefined();

    await aliases.delete('discord:1', 'halloween');
    expect(await records.all('discord:1')).toEqual([]);
  });

  it('a deletion that the service refuses leaves the alias as it was, also when that is known only after a crash', async () => {
    await halloween();
    await refused(refusing().delete('discord:1', 'halloween'), 'service-refused');
    expect(await start().named('discord:1', 'halloween')).toMatchObject({ model: 'face' });

    const dying = start({ delete: () => Promise.reject(crash) });
    await expect(dying.delete('discord:1', 'halloween')).rejects.toBe(crash);
    expect(await refusing().list('discord:1')).toMatchObject([
      { name: 'halloween', filter: { id: face.id } },
    ]);
  });
});

it.each([
  { kind: 'unauthorized', code: 'service-credentials' },
  { kind: 'redirected', code: 'service-address' },
] as const)(
  'a trouble with the service that the owner must mend is reported as such: $kind',
  async ({ kind, code }) => {
    await halloween();
    aliases = start({ update: () => Promise.reject(serviceError(kind, false)) });
    await refused(aliases.repoint('discord:1', 'halloween', face.id), code);
  },
);

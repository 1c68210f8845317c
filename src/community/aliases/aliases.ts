import { Keyv } from 'keyv';
import { MINUTE_MS } from '../../base/clock.ts';
import { createKeyedQueue } from '../../base/limits/keyed-queue.ts';
import type { AliasDetails, AliasEntry } from '../../command/aliases-port.ts';
import type { CatalogEntry } from '../../command/catalog-port.ts';
import { type Caller, turnKey } from '../../command/place.ts';
import type { Alias, AliasCalls } from '../../generation-client/aliases.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import type { Purpose } from '../../generation-client/wire/call.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { FilterModel } from '../../kinds/choices.ts';
import { createCachedLoad } from '../cached-load.ts';
import { CommunityError, refuse } from '../community-error.ts';
import { createLruStore } from '../lru-store.ts';
import type { AliasRecords, NamedAlias } from './alias-records.ts';
import {
  aliasDetailsOf,
  aliasEntryOf,
  findTarget,
  isNotFound,
  nearestNames,
  withExplainedErrors,
} from './alias-service.ts';
import { reconcileAliases } from './reconcile-aliases.ts';

export type Aliases = ReturnType<typeof createAliases>;

/** A callback that is awaited after all checks, before the first change. */
type Begin = () => Promise<void>;

/** Limits for one community and one person, so that neither can use up the aliases that the service allows one account. */
const MOST_OF_COMMUNITY = 100;
const MOST_OF_PERSON = 200;
/** How long the filter of an alias is cached before the service is asked again. */
const RESOLVED_FOR_MS = 5 * MINUTE_MS;
const MOST_RESOLVED = 5000;

/** Makes, lists, repoints and deletes the aliases of communities. The caller checks permission. */
export function createAliases(parts: {
  readonly records: AliasRecords;
  readonly service: AliasCalls;
  /** Fetches custom filters from the service, before a change. */
  readonly customFilters: (purpose: Purpose) => Promise<readonly CustomFilter[]>;
  /** The custom filters in the cache; undefined if they are not loaded. */
  readonly knownFilters: () => Promise<readonly CatalogEntry[] | undefined>;
  /** Called when the names of a community have changed. */
  readonly changed: (community: string) => void;
  readonly now: () => number;
}) {
  const { records, service, customFilters, knownFilters, changed, now } = parts;
  const serially = createKeyedQueue();
  let nextList: Promise<readonly Alias[]> | undefined;
  /** Fetches the aliases of all communities, one fetch at a time; callers before a fetch has begun share its list. */
  const listAll = (): Promise<readonly Alias[]> => {
    nextList ??= serially('*', async () => {
      // Callers in the same turn of the event loop still share this fetch.
      await Promise.resolve();
      nextList = undefined;
      return service.list({ lane: 'read' });
    });
    return nextList;
  };
  /**
   * The cache of filters to which aliases point. The key contains the last change, so that a change by any process
   * invalidates it.
   */
  const resolved = new Keyv<string | undefined>({
    store: createLruStore({ most: MOST_RESOLVED, ttlMs: RESOLVED_FOR_MS, clock: { now } }),
    serialization: false,
  });
  const resolve = createCachedLoad(resolved, async (key) => {
    const [id = ''] = key.split(' ', 1);
    const { filter } = await service.resolve(id, { lane: 'submit' });
    return filter;
  });
  const noteChange = (id: string): Promise<unknown> => records.noteChange(id, 2 * RESOLVED_FOR_MS);

  const requireAlias = async (
    community: string,
    name: string,
    states: readonly NamedAlias['state'][] = ['ready'],
  ): Promise<NamedAlias> => {
    const all = await records.all(community);
    const alias = all.find((each) => each.name === name);
    if (alias !== undefined && 'id' in alias && states.includes(alias.state)) return alias;
    const names = all.map((each) => each.name);
    refuse({ code: 'alias-unknown', name, near: nearestNames(name, names) });
  };

  const gone =
    (name: string) =>
    (error: unknown): never => {
      throw isNotFound(error) ? new CommunityError({ code: 'alias-gone', name }) : error;
    };

  const requireModel = (name: string, needed: FilterModel, found: FilterModel | 'unknown'): void => {
    if (found !== 'unknown' && found !== needed) refuse({ code: 'wrong-model', name, needed, found });
  };

  /** Binds the operations to a purpose, which decides whose turn a call to the service takes. */
  const operationsFor = (purposeOf: (community: string) => Purpose, person?: string) => {
    const target = async (community: string, typed: string, model?: FilterModel): Promise<CustomFilter> =>
      findTarget(typed, () => customFilters(purposeOf(community)), model);
    const reconcile = (community: string, all = listAll()): Promise<readonly Alias[]> =>
      withExplainedErrors(
        all.then((list) =>
          reconcileAliases(community, list, records, service, customFilters, purposeOf(community)),
        ),
      );
    /** Creates an alias. The intention is stored first, so that an interrupted creation is found and finished. */
    const make = async (
      community: string,
      name: string,
      filter: string,
      model: FilterModel,
      before?: NamedAlias,
    ): Promise<AliasDetails> => {
      const making = { state: 'making', name, model, filter, since: now() } as const;
      const isNoted = await (before === undefined
        ? records.add(community, making)
        : records.swap(community, before, making));
      if (!isNoted) refuse({ code: 'alias-exists', name });
      try {
        const made = await service.create({ filter, project: community }, purposeOf(community));
        const alias: NamedAlias = { state: 'ready', name, model, id: made.id, filter, pointed: filter };
        const isNamed =
          (await records.swap(community, making, alias)) ||
          // If another process reconciled meanwhile, it has stored this alias, or removed a record that seemed never made.
          (await records.swap(community, alias, alias)) ||
          (await records.add(community, alias));
        changed(community);
        // The alias exists, but its name was taken meanwhile; the next list shows it under another one.
        if (!isNamed) refuse({ code: 'alias-exists', name });
        return aliasDetailsOf(alias, made, undefined);
      } catch (error) {
        if (!(error instanceof GenerationError)) throw error;
        // The alias may exist although no response came, so its record stays until it is reconciled.
        if (error.mayHaveArrived) refuse({ code: 'alias-uncertain', name });
        await records.swap(community, making, before);
        return withExplainedErrors(Promise.reject(error));
      }
    };
    const pointTo = async (
      community: string,
      alias: NamedAlias,
      { id, name: label, model }: CustomFilter,
    ): Promise<AliasDetails> => {
      let stored = alias;
      try {
        const purpose = purposeOf(community);
        await withExplainedErrors(service.update(alias.id, { filter: id, project: community }, purpose));
        const repointed = { ...alias, filter: id, pointed: id };
        if (await records.swap(community, alias, repointed)) stored = repointed;
        const found = await service.resolve(alias.id, purpose).catch((error: unknown) => {
          if (!(error instanceof GenerationError) || isNotFound(error)) throw error;
          // The change itself succeeded, so a failure to read the alias does not matter.
          return { filter: id };
        });
        return aliasDetailsOf(alias, found, [{ reference: id, name: label, model }]);
      } catch (error) {
        // If the alias was deleted at the service without us, its name gets a new alias.
        if (isNotFound(error)) return await make(community, alias.name, id, alias.model, stored);
        throw error;
      } finally {
        await noteChange(alias.id);
        changed(community);
      }
    };

    /** Finishes an interrupted change of an alias; returns the alias if it exists. */
    const finish = async (community: string, name: string): Promise<AliasDetails | undefined> => {
      const left = await records.find(community, name);
      if (left === undefined || left.state === 'ready') return undefined;
      const atService = await reconcile(community);
      const alias = await records.find(community, name);
      const found = alias?.state === 'ready' ? atService.find(({ id }) => id === alias.id) : undefined;
      changed(community);
      return alias?.state === 'ready' && found !== undefined
        ? aliasDetailsOf(alias, found, undefined)
        : undefined;
    };

    /** Finds the alias and the filter of a repoint, and throws if the models do not fit. */
    const check = async (community: string, name: string, typed: string) => {
      const alias = await requireAlias(community, name);
      const filter = await target(community, typed, alias.model);
      requireModel(filter.name, alias.model, filter.model);
      return { alias, filter };
    };

    const create = (community: string, name: string, typed: string, asked?: FilterModel, begin?: Begin) =>
      serially(community, async (): Promise<AliasDetails | 'model-needed'> => {
        const finished = await finish(community, name);
        const all = await records.all(community);
        const there = all.find((alias) => alias.name === name);
        if (there !== undefined) {
          if (finished && (await target(community, typed, asked)).id === finished.filter?.id) return finished;
          refuse({ code: 'alias-exists', name });
        }
        if (all.length >= MOST_OF_COMMUNITY) refuse({ code: 'alias-limit', limit: MOST_OF_COMMUNITY });
        const filter = await target(community, typed, asked);
        const model = filter.model === 'unknown' ? asked : filter.model;
        if (model === undefined) return 'model-needed';
        if (asked !== undefined) requireModel(filter.name, asked, filter.model);
        if (person !== undefined && !(await records.noteMaker(person, { community, name }, MOST_OF_PERSON)))
          refuse({ code: 'alias-limit-person', limit: MOST_OF_PERSON });
        await begin?.();
        return make(community, name, filter.id, model);
      });

    const remove = (community: string, name: string, begin?: Begin): Promise<void> =>
      serially(community, async () => {
        // An alias whose deletion failed can be deleted again.
        const read = () => requireAlias(community, name, ['ready', 'deleting']);
        let alias = await read();
        await begin?.();
        const deletingOf = (each: NamedAlias) => ({ ...each, state: 'deleting' }) as const;
        // Another process may change the record meanwhile, so the swap is repeated.
        while (!(await records.swap(community, alias, deletingOf(alias)))) alias = await read();
        const deleting = deletingOf(alias);
        const deletion = service.delete(alias.id, purposeOf(community)).catch(async (error: unknown) => {
          if (isNotFound(error)) return;
          const refused = error instanceof GenerationError && !error.mayHaveArrived;
          if (refused) await records.swap(community, deleting, alias);
          throw error;
        });
        await withExplainedErrors(deletion)
          // The change is noted after the deletion, because a use meanwhile would have been cached.
          .finally(() => noteChange(alias.id));
        await records.swap(community, deleting, undefined);
        changed(community);
      });

    return {
      create,
      list: (community: string) =>
        serially(community, async () => {
          const atService = await reconcile(community);
          const filters = await knownFilters();
          return (await records.all(community)).flatMap((alias): AliasEntry[] => {
            if (alias.state !== 'ready') return [];
            const found = atService.find((each) => each.id === alias.id);
            return [aliasEntryOf(alias, found, filters)];
          });
        }),
      async show(community: string, name: string): Promise<AliasDetails> {
        const alias = await requireAlias(community, name);
        const found = await withExplainedErrors(service.resolve(alias.id, purposeOf(community))).catch(
          gone(name),
        );
        return aliasDetailsOf(alias, found, await knownFilters());
      },
      /** Checks what a repoint would change; throws if it would be refused. */
      check,
      /** Repoints an alias. `after` is awaited before any other change of an alias of the community. */
      repoint: (community: string, name: string, typed: string, begin?: Begin, after?: Begin) =>
        serially(community, async () => {
          const { filter } = await check(community, name, typed);
          await begin?.();
          // The record is read again, because `begin` may wait for another process that changes it.
          const alias = await requireAlias(community, name);
          const repointed = await pointTo(community, alias, filter);
          await after?.();
          return repointed;
        }),
      /**
       * Repoints an alias to a filter, if it does not point there yet. `begin` gets the filter to which it points now and
       * the one to which we pointed it last, and decides whether to go on. A filter that was `listed` and no longer is
       * counts as deleted.
       */
      pointTo: (
        community: string,
        name: string,
        to: { readonly filter: string; readonly label: string; readonly listed: boolean },
        begin: (current: string | undefined, pointed: string | undefined) => Promise<boolean>,
      ) =>
        serially(community, async () => {
          await finish(community, name);
          const { alias, filter } = await check(community, name, to.filter);
          if (to.listed && filter.model === 'unknown')
            refuse({ code: 'filter-unknown', typed: to.label, near: [] });
          const found = await withExplainedErrors(service.resolve(alias.id, purposeOf(community))).catch(
            (error: unknown) => {
              if (!isNotFound(error)) throw error;
            },
          );
          if (!(await begin(found?.filter, alias.pointed))) return;
          if (found?.filter !== filter.id) await pointTo(community, alias, filter);
          else if (alias.pointed !== filter.id)
            await records.swap(community, alias, { ...alias, filter: filter.id, pointed: filter.id });
        }),
      delete: remove,
      /** Deletes all aliases of a community that is being forgotten. */
      async clear(community: string): Promise<void> {
        if ((await records.all(community)).length > 0) await serially(community, () => reconcile(community));
        for (const { name } of await records.all(community)) await remove(community, name);
        await records.clear(community);
      },
      /** Finishes changes that a crash interrupted, in all communities. */
      async reconcile(): Promise<void> {
        const failures: unknown[] = [];
        const communities = await records.communities();
        if (communities.length === 0) return;
        const all = listAll();
        // The promise may reject before the first community awaits it.
        all.catch(() => undefined);
        for (const community of communities) {
          await serially(community, () => reconcile(community, all)).catch((error: unknown) =>
            failures.push(error),
          );
          changed(community);
        }
        if (failures.length > 0) throw failures[0];
      },
    };
  };

  return {
    ...operationsFor(() => ({ lane: 'background' })),
    /** The operations for a moderator, whose calls take turns with those of other people. */
    forPerson(moderator: Pick<Caller, 'platform' | 'id'>) {
      const person = turnKey(moderator);
      return operationsFor((community) => ({ lane: 'moderator', askers: [person, community] }), person);
    },
    /** Finds an alias in our own records, without a call to the service. */
    async named(community: string, name: string) {
      const alias = await records.find(community, name);
      return alias?.state === 'ready' ? alias : undefined;
    },
    /** The name of the alias with this id of the service. */
    nameOf: async (community: string, id: string): Promise<string | undefined> =>
      (await records.all(community)).find((alias) => 'id' in alias && alias.id === id)?.name,
    /** The filter that an alias points to now; throws `alias-gone` or `wrong-model`. */
    async use(id: string, name: string, model: FilterModel): Promise<string> {
      const key = `${id} ${await records.lastChange(id)}`;
      const filter = await resolve(key).catch(gone(name));
      if (filter === undefined) refuse({ code: 'alias-gone', name });
      const known = (await knownFilters())?.find(({ reference }) => reference === filter);
      if (known !== undefined) requireModel(name, model, known.model);
      return filter;
    },
    /** Moves the aliases of a community to its new id, including unfinished ones. */
    move: (from: string, to: string) =>
      serially(from, () =>
        serially(to, async () => {
          await records.move(from, to);
          changed(from);
          changed(to);
        }),
      ),
  };
}

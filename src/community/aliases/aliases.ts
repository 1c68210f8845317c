import { createKeyedQueue } from '../../base/keyed-queue.ts';
import type { AliasDetails, AliasEntry, CatalogEntry } from '../../command/ports.ts';
import type { ModelType } from '../../command/request.ts';
import type { Alias } from '../../generation-client/alias-shapes.ts';
import type { AliasCalls } from '../../generation-client/aliases.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import { CommunityProblem } from '../problem.ts';
import { details, entryOf } from './alias-details.ts';
import { healAliases } from './alias-healing.ts';
import type { AliasRecords, NamedAlias } from './alias-records.ts';
import type { AliasResolver } from './alias-resolver.ts';
import { explain, isNotFound, readChanged } from './alias-service.ts';
import { createAliasTarget } from './alias-target.ts';

/** Called when everything has been checked and something is about to be changed. */
type Begin = () => void;
const unnoticed: Begin = () => undefined;

/** The names that moderators give to filters. Who may is checked by whoever calls these. */
export interface Aliases {
  create(
    community: string,
    name: string,
    filter: string,
    model?: ModelType,
    begin?: Begin,
  ): Promise<AliasDetails | 'model-needed'>;
  list(community: string): Promise<readonly AliasEntry[]>;
  show(community: string, name: string): Promise<AliasDetails>;
  repoint(community: string, name: string, filter: string, begin?: Begin): Promise<AliasDetails>;
  delete(community: string, name: string, begin?: Begin): Promise<void>;
  /** From our own records, without asking the service. */
  named(
    community: string,
    name: string,
  ): Promise<{ readonly id: string; readonly model: ModelType } | undefined>;
  /** The filter behind an alias at the moment of use; throws `alias-gone` or `wrong-model`. */
  use(id: string, name: string, model: ModelType): Promise<string>;
  /** A community goes on under another id: its names go along, also one that is being made. */
  move(from: string, to: string): Promise<void>;
  /** Finishes whatever a crash left half done, everywhere. */
  heal(): Promise<void>;
}

export interface AliasParts {
  readonly records: AliasRecords;
  readonly service: AliasCalls;
  readonly resolver: AliasResolver;
  /** Asked of the service, for what is about to be changed. */
  readonly customFilters: () => Promise<readonly CustomFilter[]>;
  /** The same from memory, for what happens often; undefined: not known. */
  readonly knownFilters: () => Promise<readonly CatalogEntry[] | undefined>;
  /** The nearest names to a misspelt one. */
  readonly nearest: (typed: string, names: readonly string[]) => readonly string[];
  /** The names of a community are no longer what they were. */
  readonly changed: (community: string) => void;
  readonly now: () => number;
}

const most = 500;

export const createAliases = ({
  records,
  service,
  resolver,
  customFilters,
  knownFilters,
  nearest,
  changed,
  now,
}: AliasParts): Aliases => {
  const serially = createKeyedQueue();
  const target = createAliasTarget(customFilters, nearest);
  const heal = (community: string): Promise<readonly Alias[]> =>
    explain(healAliases(community, records, service, customFilters));

  const demand = async (
    community: string,
    name: string,
    states: readonly NamedAlias['state'][] = ['ready'],
  ): Promise<NamedAlias> => {
    const all = await records.all(community);
    const alias = all.find((each) => each.name === name);
    if (alias !== undefined && 'id' in alias && states.includes(alias.state)) return alias;
    const near = nearest(
      name,
      all.map((each) => each.name),
    );
    throw new CommunityProblem({ code: 'alias-unknown', name, near });
  };

  const goneOr = (alias: { readonly name: string; readonly id: string }, error: unknown): never => {
    resolver.forget(alias.id);
    if (isNotFound(error)) throw new CommunityProblem({ code: 'alias-gone', name: alias.name });
    throw error;
  };

  const demandModel = (name: string, needed: ModelType, found: ModelType | 'unknown'): void => {
    if (found !== 'unknown' && found !== needed)
      throw new CommunityProblem({ code: 'wrong-model', name, needed, found });
  };

  /** The two writes, the intention before them: whatever is cut off between is found and finished. */
  const make = async (
    community: string,
    name: string,
    filter: string,
    model: ModelType,
    before?: NamedAlias,
  ): Promise<AliasDetails> => {
    await records.put(community, { state: 'making', name, model, filter, since: now() });
    try {
      const made = await service.create({ filter, project: community });
      const alias: NamedAlias = { state: 'ready', name, model, id: made.id };
      await records.put(community, alias);
      changed(community);
      return details(alias, made, undefined);
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      // It may exist although no answer came: the record stays, and healing finds out.
      if (error.mayHaveArrived) throw new CommunityProblem({ code: 'alias-uncertain', name });
      await (before === undefined ? records.remove(community, name) : records.put(community, before));
      return explain(Promise.reject(error));
    }
  };

  /** Whatever a crash left half done under this name. What turns out to have been made is what was asked for then. */
  const finish = async (community: string, name: string): Promise<AliasDetails | undefined> => {
    const left = await records.find(community, name);
    if (left === undefined || left.state === 'ready') return undefined;
    const atService = await heal(community);
    const alias = await records.find(community, name);
    const found = alias?.state === 'ready' ? atService.find(({ id }) => id === alias.id) : undefined;
    changed(community);
    return alias?.state === 'ready' && found !== undefined ? details(alias, found, undefined) : undefined;
  };

  const create: Aliases['create'] = (community, name, typed, asked, begin = unnoticed) =>
    serially(community, async () => {
      const finished = await finish(community, name);
      const all = await records.all(community);
      const there = all.find((alias) => alias.name === name);
      if (there !== undefined) {
        const same = finished !== undefined && (await target(typed, asked)).id === finished.filter?.id;
        if (same) return finished;
        throw new CommunityProblem({ code: 'alias-exists', name });
      }
      if (all.length >= most) throw new CommunityProblem({ code: 'alias-limit', limit: most });
      const filter = await target(typed, asked);
      const model = filter.model === 'unknown' ? asked : filter.model;
      if (model === undefined) return 'model-needed';
      if (asked !== undefined) demandModel(filter.name, asked, filter.model);
      begin();
      return make(community, name, filter.id, model);
    });

  return {
    create,
    list: (community) =>
      serially(community, async () => {
        const atService = await heal(community);
        const filters = await knownFilters();
        return (await records.all(community)).flatMap((alias): AliasEntry[] => {
          if (alias.state !== 'ready') return [];
          const found = atService.find((each) => each.id === alias.id);
          return [entryOf(alias, found, filters)];
        });
      }),
    async show(community, name) {
      const alias = await demand(community, name);
      const found = await explain(service.resolve(alias.id)).catch((error: unknown) => goneOr(alias, error));
      return details(alias, found, await knownFilters());
    },
    repoint: (community, name, typed, begin = unnoticed) =>
      serially(community, async () => {
        const alias = await demand(community, name);
        const filter = await target(typed, alias.model);
        demandModel(filter.name, alias.model, filter.model);
        begin();
        try {
          await explain(service.update(alias.id, { filter: filter.id, project: community }));
          const { id, name: label, model } = filter;
          return details(alias, await readChanged(service, alias.id, id), [
            { reference: id, name: label, model },
          ]);
        } catch (error) {
          // Lost behind our back: the name is ours all the same, and gets an alias again.
          if (isNotFound(error)) return await make(community, name, filter.id, alias.model, alias);
          throw error;
        } finally {
          resolver.forget(alias.id);
        }
      }),
    delete: (community, name, begin = unnoticed) =>
      serially(community, async () => {
        // One whose deletion got stuck can be deleted once more.
        const alias = await demand(community, name, ['ready', 'deleting']);
        begin();
        await records.put(community, { ...alias, state: 'deleting' });
        const deletion = service.delete(alias.id).catch(async (error: unknown) => {
          if (isNotFound(error)) return;
          const refused = error instanceof GenerationError && !error.mayHaveArrived;
          if (refused) await records.put(community, alias);
          throw error;
        });
        await explain(deletion)
          // Afterwards: a use in the meantime would have been remembered.
          .finally(() => resolver.forget(alias.id));
        await records.remove(community, name);
        changed(community);
      }),
    async named(community, name) {
      const alias = await records.find(community, name);
      return alias?.state === 'ready' ? alias : undefined;
    },
    async use(id, name, model) {
      const { filter } = await resolver.resolve(id).catch((error: unknown) => goneOr({ id, name }, error));
      if (filter === undefined) {
        resolver.forget(id);
        throw new CommunityProblem({ code: 'alias-gone', name });
      }
      const known = (await knownFilters())?.find(({ reference }) => reference === filter);
      if (known !== undefined) demandModel(name, model, known.model);
      return filter;
    },
    move: (from, to) =>
      serially(from, () =>
        serially(to, async () => {
          await records.move(from, to);
          changed(from);
          changed(to);
        }),
      ),
    async heal() {
      const failures: unknown[] = [];
      for (const community of await records.communities()) {
        await serially(community, () => heal(community)).catch((error: unknown) => failures.push(error));
        changed(community);
      }
      if (failures.length > 0) throw failures[0];
    },
  };
};

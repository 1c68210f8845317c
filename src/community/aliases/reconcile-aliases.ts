import { defined } from '../../base/defined.ts';
import type { Alias, AliasCalls } from '../../generation-client/aliases.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import type { Purpose } from '../../generation-client/wire/call.ts';
import type { AliasRecord, AliasRecords, NamedAlias } from './alias-records.ts';
import { isNotFound, isServiceRefusal } from './alias-service.ts';

/**
 * Reconciles store and service for one community after a crash between two writes:
 * - For a record in state `making`, an unknown alias at the service with the same filter is adopted; without one the
 *   alias was never created, and the record goes.
 * - An alias in state `deleting` is deleted at the service (again), then here; if the service refuses, the alias stays.
 * - An alias of this community without a name here gets one, so that it is visible.
 * - An alias that points to another filter than we knew keeps that one, for its preview.
 * - An alias of the community's former id is moved to the present id at the service.
 */
export async function reconcileAliases(
  community: string,
  /** The service's aliases of all communities. */
  all: readonly Alias[],
  records: AliasRecords,
  service: AliasCalls,
  customFilters: (purpose: Purpose) => Promise<readonly CustomFilter[]>,
  purpose: Purpose,
): Promise<readonly Alias[]> {
  const known = new Set((await records.all(community)).flatMap((alias) => ('id' in alias ? [alias.id] : [])));
  const atService = all.filter(({ id, project }) => project === community || known.has(id));
  for (const { id, filter, project } of atService) {
    if (project === undefined || project === community || filter === undefined) continue;
    // The alias works in either project, so a refusal is ignored.
    await service.update(id, { filter, project: community }, purpose).catch((error: unknown) => {
      if (!isServiceRefusal(error)) throw error;
    });
  }
  const orphans = atService.filter((alias) => !known.has(alias.id));

  const adopt = async (
    orphan: Alias,
    { name, model }: Pick<NamedAlias, 'name' | 'model'>,
    making?: AliasRecord,
  ): Promise<void> => {
    orphans.splice(orphans.indexOf(orphan), 1);
    const { id, filter } = orphan;
    const pointing = defined({ filter, pointed: making && filter });
    const adopted = { state: 'ready', name, model, id, ...pointing } as const;
    await (making ? records.swap(community, making, adopted) : records.add(community, adopted));
  };

  for (const alias of await records.all(community)) {
    if (alias.state === 'ready') {
      const filter = atService.find(({ id }) => id === alias.id)?.filter;
      // Records of earlier versions have no `pointed`.
      if (filter !== undefined && (filter !== alias.filter || alias.pointed === undefined))
        await records.swap(community, alias, { ...alias, filter, pointed: alias.pointed ?? filter });
    }
    if (alias.state === 'making') {
      const made = orphans.find((orphan) => orphan.filter === alias.filter);
      if (made) await adopt(made, alias, alias);
      else await records.swap(community, alias, undefined);
    }
    if (alias.state === 'deleting') {
      try {
        await service.delete(alias.id, purpose);
      } catch (error) {
        if (isServiceRefusal(error)) {
          await records.swap(community, alias, { ...alias, state: 'ready' });
          continue;
        }
        if (!isNotFound(error)) throw error;
      }
      await records.swap(community, alias, undefined);
    }
  }

  if (orphans.length > 0) {
    const filters = await customFilters(purpose);
    for (const orphan of [...orphans]) {
      const model = filters.find((filter) => filter.id === orphan.filter)?.model;
      const name = `unnamed-${orphan.id.slice(0, 8).toLowerCase()}`;
      await adopt(orphan, { name, model: model === 'group' ? 'group' : 'face' });
    }
  }
  const gone = new Set((await records.all(community)).flatMap((alias) => ('id' in alias ? [alias.id] : [])));
  return atService.filter((alias) => gone.has(alias.id));
}

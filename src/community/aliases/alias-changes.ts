import type { AliasDetails } from '../../command/ports.ts';
import type { ModelType } from '../../command/request.ts';
import type { AliasCalls } from '../../generation-client/aliases.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import type { Purpose } from '../../generation-client/wire/call.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import { CommunityError } from '../community-error.ts';
import type { AliasRecords, NamedAlias } from './alias-records.ts';
import type { AliasResolver } from './alias-resolver.ts';
import { details, explained, isNotFound, readChanged } from './alias-service.ts';

/** Makes and repoints aliases, here and at the service, after all checks. */
export function createAliasChanges(parts: {
  readonly records: AliasRecords;
  readonly service: AliasCalls;
  readonly resolver: AliasResolver;
  /** Called when the names of a community have changed. */
  readonly changed: (community: string) => void;
  readonly purposeOf: (community: string) => Purpose;
  readonly now: () => number;
}) {
  const { records, service, resolver, changed, purposeOf, now } = parts;

  /** Stores the intention first, so that an interrupted creation is found and finished. */
  const make = async (
    community: string,
    name: string,
    filter: string,
    model: ModelType,
    before?: NamedAlias,
  ): Promise<AliasDetails> => {
    const making = { state: 'making', name, model, filter, since: now() } as const;
    if (!(await records.swap(community, before, making)))
      throw new CommunityError({ code: 'alias-exists', name });
    try {
      const made = await service.create({ filter, project: community }, purposeOf(community));
      const alias: NamedAlias = { state: 'ready', name, model, id: made.id, filter, pointed: filter };
      const isNamed =
        (await records.swap(community, making, alias)) ||
        // Another process reconciled meanwhile: it gave the alias its name, or removed what seemed never made.
        (await records.swap(community, alias, alias)) ||
        (await records.swap(community, undefined, alias));
      changed(community);
      // Made with a name that is taken by now: the next list shows it under another one.
      if (!isNamed) throw new CommunityError({ code: 'alias-exists', name });
      return details(alias, made, undefined);
    } catch (error) {
      if (!(error instanceof GenerationError)) throw error;
      // It may exist although no response came: the record stays until it is reconciled.
      if (error.mayHaveArrived) throw new CommunityError({ code: 'alias-uncertain', name });
      await records.swap(community, making, before);
      return explained(Promise.reject(error));
    }
  };

  return {
    make,
    async repoint(community: string, alias: NamedAlias, filter: CustomFilter): Promise<AliasDetails> {
      let stored = alias;
      try {
        const purpose = purposeOf(community);
        await explained(service.update(alias.id, { filter: filter.id, project: community }, purpose));
        const repointed = { ...alias, filter: filter.id, pointed: filter.id };
        if (await records.swap(community, alias, repointed)) stored = repointed;
        const { id, name: label, model } = filter;
        return details(alias, await readChanged(service, alias.id, id, purpose), [
          { reference: id, name: label, model },
        ]);
      } catch (error) {
        // It was deleted at the service, not through us: the name gets a new alias.
        if (isNotFound(error)) return await make(community, alias.name, filter.id, alias.model, stored);
        throw error;
      } finally {
        await resolver.changed(alias.id);
        changed(community);
      }
    },
  };
}

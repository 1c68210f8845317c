import { defined } from '../../base/defined.ts';
import type { AliasEntry, AliasesPort } from '../../command/aliases-port.ts';
import type { Incoming } from '../../command/desk.ts';
import type { Aliases } from '../aliases/aliases.ts';
import { type Audit, createAuditedChange } from '../rules/audit.ts';
import type { Permission } from '../rules/moderators.ts';
import type { Campaigns } from './campaigns.ts';

function withCampaigns(all: Awaited<ReturnType<Campaigns['of']>>) {
  return <T extends AliasEntry>(alias: T): T => ({
    ...alias,
    ...defined({ campaigns: all.get(alias.name) }),
  });
}

/**
 * Makes the port of aliases and campaigns for moderators of the caller's community, which checks permission and writes audit
 * lines.
 */
export function createAliasesPort(
  aliasService: Pick<Aliases, 'forPerson'>,
  campaigns: Campaigns,
  audit: Pick<Audit, 'note'>,
) {
  return (incoming: Incoming, permission: Permission): AliasesPort => {
    const { caller, place } = incoming;
    const { community } = place;
    const aliases = aliasService.forPerson(caller);
    const change = createAuditedChange(permission, audit, incoming);
    const asModerator = async <T>(read: () => Promise<T>): Promise<T> => {
      await permission.demand();
      return read();
    };

    return {
      create: (name, filter, model) =>
        change('alias.create', { name, filter }, (begin) =>
          aliases.create(community, name, filter, model, async () => {
            await begin();
            // A deletion that was interrupted may have left campaigns of this name.
            await campaigns.forget(community, name);
          }),
        ),
      list: () =>
        asModerator(async () =>
          (await aliases.list(community)).map(withCampaigns(await campaigns.of(community))),
        ),
      show: (name) =>
        asModerator(async () =>
          withCampaigns(await campaigns.of(community))(await aliases.show(community, name)),
        ),
      repoint: (name, filter) =>
        change('alias.repoint', { name, filter }, (begin) => {
          const held = async (): Promise<void> => {
            await begin();
            await campaigns.hold(community, name);
          };
          return aliases.repoint(community, name, filter, held, () => campaigns.replaced(community, name));
        }),
      delete: (name) =>
        change('alias.delete', { name }, async (begin) => {
          await aliases.delete(community, name, begin);
          await campaigns.forget(community, name);
        }),
      schedule: (name, filter, from, until = '') =>
        change('alias.schedule', { name, filter, from, until }, (begin) =>
          campaigns.schedule(community, caller, { name, filter, from, until: until || undefined }, begin),
        ),
      unschedule: (name) =>
        change('alias.unschedule', { name }, (begin) => campaigns.unschedule(community, name, begin)),
    };
  };
}

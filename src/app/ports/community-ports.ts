import { profileOf } from '../../adapters/profiles.ts';
import { type Clock, waitAtMost } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { SIMPLE_SETTINGS } from '../../command/community-settings.ts';
import type { Incoming } from '../../command/desk.ts';
import { channelId, personKey, roleIn } from '../../command/place.ts';
import type { AliasEntry, AliasesPort, PrivacyPort, SettingsPort } from '../../command/ports.ts';
import type { Aliases } from '../../community/aliases/aliases.ts';
import type { Campaigns } from '../../community/campaigns/campaigns.ts';
import type { FilterOrders } from '../../community/catalog/filter-order.ts';
import { CommunityError } from '../../community/community-error.ts';
import type { SavedFaces } from '../../community/faces/saved-faces.ts';
import type { AllowanceOf } from '../../community/rules/allowance.ts';
import { ACTIONS, type Audit } from '../../community/rules/audit.ts';
import type { Consents } from '../../community/rules/consent.ts';
import type { Moderators } from '../../community/rules/moderators.ts';
import type { CommunityRules } from '../../community/rules/settings.ts';
import type { AuditLine } from '../../orchestrator/job/records.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { type GrantRecords, MOST_GRANTS } from '../../store/tables/grants.ts';
import { entryOf } from '../notices/log-channel.ts';
import type { Outgoing } from '../platforms/outgoing.ts';
import { createAuditedChange } from './audited-change.ts';

/** A deletion that takes longer continues in the background, and the reply says so. */
const LONGEST_ERASE_MS = 500;
/** What can be left of grants where an owner gives them. */
const OWNERS_MOST = 1_000_000_000;

export interface CommunityParts {
  readonly aliases: Aliases;
  readonly campaigns: Campaigns;
  readonly rules: CommunityRules;
  readonly moderators: Moderators;
  readonly audit: Audit;
  readonly consents: Consents;
  readonly filterOrders: FilterOrders;
  readonly orchestrator: Orchestrator;
  readonly outgoing: Outgoing;
  readonly allowances: AllowanceOf;
  readonly grants: GrantRecords;
  readonly faces: SavedFaces | undefined;
  readonly clock: Clock;
}

function withCampaigns(all: Awaited<ReturnType<Campaigns['of']>>) {
  return <T extends AliasEntry>(alias: T): T => ({
    ...alias,
    ...defined({ campaigns: all.get(alias.name) }),
  });
}

export function createAliasesPort(parts: CommunityParts, incoming: Incoming): AliasesPort {
  const { campaigns, moderators } = parts;
  const { caller, place } = incoming;
  const { community } = place;
  const aliases = parts.aliases.forPerson(caller);
  const change = createAuditedChange(parts, incoming);
  const asModerator = async <T>(read: () => Promise<T>): Promise<T> => {
    await moderators.demand(caller, place);
    return read();
  };

  return {
    create: (name, filter, model) =>
      change('alias.create', { name, filter }, (begin) =>
        aliases.create(community, name, filter, model, async () => {
          await begin();
          // What a deletion that was cut off left.
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
}

export function createSettingsPort(parts: CommunityParts, incoming: Incoming): SettingsPort {
  const { rules, moderators, audit } = parts;
  const { caller, place } = incoming;
  const { community } = place;
  const auditedChange = createAuditedChange(parts, incoming);
  let mayName: Promise<boolean> | undefined;
  /** Throws when a moderator gives too much; says whether the caller is an owner. */
  const requireGivable = (amount: number): boolean => {
    const byOwner = moderators.isOwner(caller);
    const limit = parts.allowances.most;
    if (!byOwner && amount > limit) throw new CommunityError({ code: 'credits-limit', limit });
    return byOwner;
  };
  const change = <T>(action: string, detail: AuditLine['detail'], work: () => Promise<T>): Promise<T> =>
    auditedChange(`settings.${action}`, detail, (begin) => begin().then(work));

  const placeOfGrant = async (user: string) => ({
    community: await rules.first(community),
    ids: [community, ...(await rules.otherIds(community))],
    person: personKey({ platform: place.platform, id: user }),
    at: parts.clock.now(),
  });
  const give = async (user: string, credits: number): Promise<number> => {
    const isByOwner = moderators.isOwner(caller);
    const all = await rules.show(community);
    const most = isByOwner ? OWNERS_MOST : parts.allowances.mostGranted(all);
    const { credits: daily, byOwner } = parts.allowances.of(all, user);
    const byModerator = byOwner ? { allowance: 0, fromOwner: daily } : { allowance: daily, fromOwner: 0 };
    const given = await parts.grants.add({
      ...(await placeOfGrant(user)),
      credits,
      most,
      // Once for each event: it may be handled again after a crash.
      event: incoming.event,
      ...(isByOwner ? {} : { byModerator }),
    });
    if (given.outcome === 'most')
      throw new CommunityError({ code: 'grant-most', limit: most, rest: given.rest });
    if (given.outcome === 'full') throw new CommunityError({ code: 'grants-limit', limit: MOST_GRANTS });
    return given.left;
  };

  return {
    async show() {
      await moderators.demand(caller, place);
      const all = await rules.show(community);
      const { credits, source } = parts.allowances.ofCommunity(all);
      const allowances = (all.allowances ?? []).map((each) => ({
        ...each,
        credits: parts.allowances.counted(each),
      }));
      const grants = (await parts.grants.list(await rules.first(community))).map((each) => ({
        user: each.person.slice(each.person.indexOf(':') + 1),
        credits: each.credits,
      }));
      return { ...all, allowances, grants, daily: credits, isDefault: source === 'default' };
    },
    setCredits: (amount) =>
      change('credits', { amount }, () => {
        const byOwner = requireGivable(amount);
        return rules.setCredits(community, amount, byOwner);
      }),
    setAllowance: (who, amount) =>
      change('allowance', { who, ...defined({ amount }) }, () => {
        const role = profileOf(place.platform).hasRoles ? roleIn(who) : undefined;
        if (role === undefined) moderators.requirePerson(who, place.platform);
        // Everybody has it, and no interaction names it.
        if (community === `${place.platform}:${role}`) throw new CommunityError({ code: 'everyone-role' });
        return rules.setAllowance(community, who, amount, requireGivable(amount ?? 0));
      }),
    grant: (user, amount, reason) =>
      change('grant', { user, amount, reason }, async () => {
        moderators.requirePerson(user, place.platform);
        const credits = await (amount === 0
          ? parts.grants.takeBack(await placeOfGrant(user))
          : give(user, amount));
        await parts.orchestrator.onDisk();
        return credits;
      }),
    block: (user, reason) =>
      change('block', { user, reason }, async () => {
        moderators.requireBlockable(user, caller);
        await rules.block(community, user, reason);
      }),
    unblock: (user) => change('unblock', { user }, () => rules.unblock(community, user)),
    pause: (reason) =>
      change('pause', { reason }, () => rules.pause(community, reason, moderators.isOwner(caller))),
    resume: () => change('resume', {}, () => rules.resume(community, moderators.isOwner(caller))),
    setLog: (on) => change('log', { on }, () => rules.setLog(community, on ? place : undefined)),
    setChannels: (where, channel) => {
      const { parent, ...rest } = place;
      // A Discord thread stands for its channel.
      const here = { ...rest, channel: parent ?? place.channel };
      return change('channels', { where, ...defined({ channel }) }, async () => {
        if (channel === undefined) return rules.setChannels(community, where, here);
        const named = (await rules.show(community)).channels?.find((each) => channelId(each) === channel);
        if (named === undefined) throw new CommunityError({ code: 'channel-unknown', typed: channel });
        return rules.setChannels(community, where, named);
      });
    },
    set(name, value) {
      const { command, option } = SIMPLE_SETTINGS[name];
      return change(command, { [option.name]: value }, () => rules.set(community, name, value));
    },
    banWord: (word) => change('banword', { word }, () => rules.banWord(community, word)),
    allowWord: (word) => change('allowword', { word }, () => rules.allowWord(community, word)),
    async nameOf(user) {
      // Without a name the id is shown. Permission is checked once for all names.
      mayName ??= moderators.is(caller, place).catch(() => false);
      if (!(await mayName)) return undefined;
      return parts.outgoing
        .adapter(place.platform)
        ?.personName?.(user, place)
        .catch(() => undefined);
    },
    async recent(limit, { user, kind } = {}) {
      await moderators.demand(caller, place);
      const ids = [community, ...(await rules.former(community))];
      const only = defined({
        actor: user === undefined ? undefined : personKey({ platform: place.platform, id: user }),
        actions: kind === undefined ? undefined : ACTIONS[kind],
      });
      const found = await Promise.all(ids.map((id) => audit.recent(id, limit, only)));
      const lines = found.flat().toSorted((a, b) => b.at - a.at);
      return lines.slice(0, limit).map(entryOf);
    },
  };
}

export function createPrivacyPort(parts: CommunityParts, { caller }: Incoming): PrivacyPort {
  const person = personKey(caller);
  const adapter = parts.outgoing.adapter(caller.platform);
  return {
    keepsChat: adapter?.keepsChat ?? false,
    keepsFaces: parts.faces !== undefined,
    async eraseMe() {
      const { finished } = await parts.orchestrator.erase(person);
      parts.filterOrders.forget(caller);
      await Promise.all([parts.orchestrator.onDisk(), adapter?.forget(caller) ?? Promise.resolve()]);
      const jobs = await waitAtMost(parts.clock, LONGEST_ERASE_MS, finished);
      return jobs === undefined ? { finished: false } : { finished: true, jobs };
    },
    consented: () => parts.consents.given(person),
    consent: () => parts.consents.give(person),
  };
}

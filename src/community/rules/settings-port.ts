import { defined } from '../../base/defined.ts';
import { SIMPLE_SETTINGS } from '../../command/community-settings.ts';
import type { Incoming } from '../../command/desk.ts';
import { channelId, type Place, personKey, roleIn } from '../../command/place.ts';
import { partsOf } from '../../command/setting-row.ts';
import type { SettingsPort } from '../../command/settings-port.ts';
import { factsOf } from '../../platforms/platforms.ts';
import type { AuditLine } from '../../store/tables/audit.ts';
import { type GrantRecords, MOST_GRANTS } from '../../store/tables/grants.ts';
import { refuse } from '../community-error.ts';
import type { AllowanceOf } from './allowance.ts';
import { ACTION_PREFIXES, type Audit, createAuditedChange, trailEntryOf } from './audit.ts';
import type { CommunityRules } from './community-rules.ts';
import type { Moderators } from './moderators.ts';

/** The most credits of grants that a person may have, if an owner gives them. */
const OWNERS_MOST = 1_000_000_000;

/** Makes the port of settings for moderators of the caller's community, which checks permission and writes audit lines. */
export function createSettingsPort(parts: {
  readonly rules: CommunityRules;
  readonly moderators: Moderators;
  readonly audit: Pick<Audit, 'note' | 'recent'>;
  readonly allowances: AllowanceOf;
  readonly grants: GrantRecords;
  /** Finds the person's name in that place, if the platform knows it. */
  readonly personName: (user: string, place: Place) => Promise<string | undefined>;
  /** Resolves when all writes so far would survive a power cut. */
  readonly onDisk: () => Promise<void>;
  readonly now: () => number;
}) {
  const { rules, moderators, audit } = parts;
  return (incoming: Incoming, permission = moderators.of(incoming)): SettingsPort => {
    const { caller, place } = incoming;
    const { community } = place;
    const auditedChange = createAuditedChange(permission, audit, incoming);
    /** Throws if a moderator gives too much; returns whether the caller is an owner. */
    const requireGivable = (amount: number): boolean => {
      const byOwner = moderators.isOwner(caller);
      const limit = parts.allowances.most;
      if (!byOwner && amount > limit) refuse({ code: 'credits-limit', limit });
      return byOwner;
    };
    const change = <T>(action: string, detail: AuditLine['detail'], work: () => Promise<T>): Promise<T> =>
      auditedChange(`settings.${action}`, detail, (begin) => begin().then(work));

    const placeOfGrant = async (user: string) => ({
      community: await rules.first(community),
      ids: await rules.idsOf(community),
      person: personKey({ platform: place.platform, id: user }),
      at: parts.now(),
    });
    const give = async (user: string, credits: number): Promise<number> => {
      const isByOwner = moderators.isOwner(caller);
      const all = await rules.show(community);
      const most = isByOwner ? OWNERS_MOST : parts.allowances.mostGiven(all);
      const { credits: daily, byOwner } = parts.allowances.of(all, user);
      const byModerator = byOwner ? { allowance: 0, fromOwner: daily } : { allowance: daily, fromOwner: 0 };
      const given = await parts.grants.add({
        ...(await placeOfGrant(user)),
        credits,
        most,
        // The event makes the grant idempotent, because it may be handled again after a crash.
        event: incoming.event,
        ...(isByOwner ? {} : { byModerator }),
      });
      if (given.outcome === 'most') refuse({ code: 'grant-most', limit: most, rest: given.rest });
      if (given.outcome === 'full') refuse({ code: 'grants-limit', limit: MOST_GRANTS });
      return given.left;
    };

    return {
      async show() {
        await permission.demand();
        const all = await rules.show(community);
        const { credits, source } = parts.allowances.ofCommunity(all);
        const allowances = (all.allowances ?? []).map((each) => ({
          ...each,
          credits: parts.allowances.counted(all, each),
        }));
        const grants = (await parts.grants.list(await rules.first(community))).map((each) => ({
          user: each.person.slice(each.person.indexOf(':') + 1),
          credits: each.credits,
        }));
        return { ...all, allowances, grants, daily: credits, isDefault: source === 'default' };
      },
      timeZone: () => rules.timeZone(community),
      setCredits: (amount) =>
        change('credits', { amount }, () => rules.setCredits(community, amount, requireGivable(amount))),
      setAllowance: (who, amount) =>
        change('allowance', { who, ...defined({ amount }) }, () => {
          const role = factsOf(place.platform).hasRoles ? roleIn(who) : undefined;
          if (role === undefined) moderators.requirePerson(who, place.platform);
          // Discord's role @everyone is refused, because all people have it and no interaction names it.
          if (community === `${place.platform}:${role}`) refuse({ code: 'everyone-role' });
          return rules.setAllowance(community, who, amount, requireGivable(amount ?? 0));
        }),
      grant: (user, amount, reason) =>
        change('grant', { user, amount, reason }, async () => {
          moderators.requirePerson(user, place.platform);
          const credits = await (amount === 0
            ? parts.grants.takeBack(await placeOfGrant(user))
            : give(user, amount));
          await parts.onDisk();
          return credits;
        }),
      block: (user, reason) =>
        change('block', { user, reason }, async () => {
          moderators.requireBlockable({ platform: place.platform, id: user }, caller);
          await rules.block(community, user, reason);
        }),
      unblock: (user) => change('unblock', { user }, () => rules.unblock(community, user)),
      pause: (reason) =>
        change('pause', { reason }, () => rules.pause(community, reason, moderators.isOwner(caller))),
      resume: () => change('resume', {}, () => rules.resume(community, moderators.isOwner(caller))),
      setLog: (on) => change('log', { on }, () => rules.setLog(community, on ? place : undefined)),
      setChannels: (where, channel) => {
        const { parent, ...rest } = place;
        // A thread of Discord counts as its channel.
        const here = { ...rest, channel: parent ?? place.channel };
        return change('channels', { where, ...defined({ channel }) }, async () => {
          if (channel === undefined) return rules.setChannels(community, where, here);
          const named = (await rules.show(community)).channels?.find((each) => channelId(each) === channel);
          if (named === undefined) refuse({ code: 'channel-unknown', typed: channel });
          return rules.setChannels(community, where, named);
        });
      },
      set(name, value) {
        const row = SIMPLE_SETTINGS[name];
        return change(row.command, partsOf(row, value), () => rules.set(community, name, value));
      },
      banWord: (word) => change('banword', { word }, () => rules.banWord(community, word)),
      allowWord: (word) => change('allowword', { word }, () => rules.allowWord(community, word)),
      async nameOf(user) {
        // If there is no name, the id is shown.
        if (!(await permission.is().catch(() => false))) return undefined;
        return parts.personName(user, place).catch(() => undefined);
      },
      async recent(limit, { user, kind } = {}) {
        await permission.demand();
        const only = defined({
          actor: user === undefined ? undefined : personKey({ platform: place.platform, id: user }),
          actions: kind === undefined ? undefined : ACTION_PREFIXES[kind],
        });
        const found = await Promise.all(
          (await rules.idsOf(community)).map((id) => audit.recent(id, limit, only)),
        );
        const lines = found.flat().toSorted((a, b) => b.at - a.at);
        return lines.slice(0, limit).map(trailEntryOf);
      },
    };
  };
}

/**
 * The rules of communities: settings, blocked people and words, pause, allowances. This room, `src/community`, has all that
 * the program knows about communities and the people in them; `src/app/community/open.ts` opens its parts. Begin here, with
 * `aliases/aliases.ts`, or with `catalog/references.ts`, which finds the filter that a person typed.
 */

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defined } from '../../base/defined.ts';
import type { Records } from '../../base/keyv/records.ts';
import type { CommunityGate } from '../../command/community-gate.ts';
import {
  type CommunitySettings,
  type SimpleSetting,
  settingIn,
  settingsShape,
} from '../../command/community-settings.ts';
import { isPersonal, isSameChannel, type Place, roleIn } from '../../command/place.ts';
import type { SettingValue } from '../../command/setting-row.ts';
import type { Language } from '../../words/language.ts';
import { languageOf } from '../../words/words.ts';
import { createBriefCache } from '../brief-cache.ts';
import { refuse } from '../community-error.ts';
import { createMovingRecord, isPointer, movedPlace } from '../moving-record.ts';
import { blockedForm, createBlockedWords } from './blocked-words.ts';

const MOST_BLOCKED = 2000;
const MOST_WORDS = 500;
const MOST_CHANNELS = 50;
/** The most allowances for people, and the most for roles. */
const MOST_ALLOWANCES = 200;

/** The stored settings; `formerly` has the ids that the community had before. */
const rulesShape = settingsShape.extend({ formerly: z.array(z.string()).exactOptional() });
type Rules = z.infer<typeof rulesShape>;
const NO_RULES: Rules = { blocked: [], bannedWords: [] };

/**
 * Tells the store how to validate these records, and what replaces a damaged one. The blocked people and words of a damaged
 * record are lost, so the community is paused until a moderator resumes it. A direct chat has neither moderators nor blocked
 * people.
 */
export const communityRecordRules = {
  insteadOf: (community: string): Rules | undefined =>
    isPersonal(community) ? undefined : { ...NO_RULES, paused: { reason: '', lost: true } },
  isValid: (_: string, value: unknown): boolean => isPointer(value) || rulesShape.safeParse(value).success,
};

/** Few communities are cached, because each can have thousands of people and hundreds of words. */
const MOST_CACHED = 100;
/** How long rules are cached, and thus how late a change by another process takes effect. */
const FRESH_MS = 1_000;

export type CommunityRules = ReturnType<typeof createCommunityRules>;

const rulesIn = (stored: unknown): Rules => rulesShape.safeParse(stored).data ?? NO_RULES;

function without<K extends keyof Rules>(rules: Rules, key: K): Omit<Rules, K> {
  const { [key]: _gone, ...rest } = rules;
  return rest;
}

/** The pause and daily credits that an owner has set. */
function ownersWord({ paused, credits, creditsByOwner }: Rules): Partial<Rules> {
  return {
    ...(paused?.byOwner ? { paused } : {}),
    ...(creditsByOwner ? { ...defined({ credits }), creditsByOwner } : {}),
  };
}

/**
 * Merges the rules under two ids of one community; of two values that exclude each other, the one under the newer id counts.
 */
function merged(older: Rules, newer: Rules): Rules {
  const united = <T>(one: readonly T[], other: readonly T[], nameOf: (each: T) => string): T[] => [
    ...new Map([...one, ...other].map((each) => [nameOf(each), each])).values(),
  ];
  const { allowances, channels, formerly } = older;
  return {
    ...older,
    ...newer,
    blocked: united(older.blocked, newer.blocked, ({ user }) => user),
    bannedWords: united(older.bannedWords, newer.bannedWords, blockedForm),
    ...defined({
      allowances: allowances && united(allowances, newer.allowances ?? [], ({ who }) => who),
      channels: channels && united(channels, newer.channels ?? [], JSON.stringify),
      formerly: formerly && united(formerly, newer.formerly ?? [], String),
    }),
    ...ownersWord(newer),
    ...ownersWord(older),
  };
}

/** The part of the rules that stays when the bot leaves the community: what an owner has set. */
function keptOf(stored: unknown): Rules | undefined {
  const kept = ownersWord(rulesIn(stored));
  return Object.keys(kept).length > 0 ? { ...NO_RULES, ...kept } : undefined;
}

/** Whether these settings are only what was kept when their community was forgotten. */
export const isForgotten = (stored: unknown): boolean => isDeepStrictEqual(stored, keptOf(stored));

function requireOwner(byOwner: boolean, isOwnersWord: boolean | undefined): void {
  if (isOwnersWord && !byOwner) refuse({ code: 'owners-word' });
}

const mark = (byOwner: boolean): { readonly byOwner?: true } => (byOwner ? { byOwner: true } : {});

/**
 * Reads and changes the rules of communities. The caller checks permission, and tells whether an owner acts, because only
 * owners change what an owner has set.
 */
export function createCommunityRules(records: Records, now: () => number) {
  const record = createMovingRecord(records, rulesIn);
  /** Reads rules with a short cache, because every command reads its community's rules several times. */
  const { get: find, clear } = createBriefCache(
    async (named) => {
      const { community, found: rules } = await record.find(named);
      let blockedWordIn: ReturnType<typeof createBlockedWords> | undefined;
      return {
        /** The present id of the community. */
        community,
        rules,
        // The words are prepared at the first use, because most commands have no text.
        blockedWordIn(text: string): string | undefined {
          blockedWordIn ??= createBlockedWords(rules.bannedWords);
          return blockedWordIn(text);
        },
      };
    },
    { now },
    { freshMs: FRESH_MS, most: MOST_CACHED },
  );
  const read = async (community: string): Promise<Rules> => (await find(community)).rules;
  /** The present id of a community. */
  const present = async (community: string): Promise<string> => (await find(community)).community;
  /** This id, and all others that the community has or has had. */
  const idsOf = async (named: string): Promise<readonly string[]> => {
    const { community, rules } = await find(named);
    return [...new Set([named, community, ...(rules.formerly ?? [])])];
  };
  /** Changes rules. The whole cache is cleared, because other entries may be of former ids, or older than the change. */
  const set = (named: string, change: (rules: Rules) => Rules): Promise<void> =>
    record.edit(named, change).finally(clear);
  /** Removes entries from a list; returns whether there were any. */
  const removeFrom = async <K extends 'blocked' | 'bannedWords'>(
    community: string,
    list: K,
    isKept: (each: Rules[K][number]) => boolean,
  ): Promise<boolean> => {
    let isChanged = false;
    await set(community, (rules) => {
      const all: readonly Rules[K][number][] = rules[list];
      const kept = all.filter(isKept);
      isChanged = kept.length < all.length;
      return { ...rules, [list]: kept };
    });
    return isChanged;
  };

  return {
    async show(community: string): Promise<CommunitySettings> {
      const { formerly: _, ...rules } = await read(community);
      return rules;
    },
    present,
    /** A place with the present id of its community. */
    presentPlace: async (place: Place): Promise<Place> =>
      movedPlace(place, place.community, await present(place.community)),
    /** Deletes all rules of a community under its ids, except for what an owner has set, which stays when the bot leaves. */
    async forget(community: string, otherIds: readonly string[]): Promise<void> {
      // The record of the present id is deleted last, because it names the others.
      for (const id of otherIds) await records.delete(id);
      if (keptOf(await records.get(community)) === undefined) await records.delete(community);
      else await records.update<unknown>(community, keptOf);
      clear();
    },
    idsOf,
    otherIds: async (named: string): Promise<readonly string[]> => (await idsOf(named)).slice(1),
    /** The first id of a community, under which its grants stay. */
    async first(named: string): Promise<string> {
      const { community, rules } = await find(named);
      return rules.formerly?.[0] ?? community;
    },
    /** The language that the community has chosen. */
    language: async (community: string): Promise<Language | undefined> =>
      languageOf(settingIn(await read(community), 'language')),
    timeZone: async (community: string): Promise<string> => settingIn(await read(community), 'timeZone'),
    logPlace: async (community: string): Promise<Place | undefined> => (await read(community)).log,
    blockedWordIn: async (community: string, text: string): Promise<string | undefined> =>
      (await find(community)).blockedWordIn(text),
    isBlocked: async (community: string, user: string): Promise<boolean> =>
      (await read(community)).blocked.some((each) => each.user === user),
    setCredits: (community: string, credits: number, byOwner = false): Promise<void> =>
      set(community, (rules) => {
        requireOwner(byOwner, rules.creditsByOwner);
        return { ...without(rules, 'creditsByOwner'), credits, ...(byOwner && { creditsByOwner: true }) };
      }),
    /** Sets an allowance, or removes it if there is no amount; returns whether there was one. */
    async setAllowance(
      community: string,
      who: string,
      credits: number | undefined,
      byOwner = false,
    ): Promise<boolean> {
      let was = false;
      await set(community, (rules) => {
        const { allowances = [] } = rules;
        const others = allowances.filter((each) => each.who !== who);
        was = others.length < allowances.length;
        requireOwner(byOwner, allowances.find((each) => each.who === who)?.byOwner);
        const most = !byOwner && rules.creditsByOwner ? rules.credits : undefined;
        if (credits !== undefined && most !== undefined && credits > most)
          refuse({ code: 'credits-limit', limit: most });
        if (credits === undefined) return { ...rules, allowances: others };
        const isRole = roleIn(who) !== undefined;
        const alike = others.filter((each) => (roleIn(each.who) !== undefined) === isRole);
        if (alike.length >= MOST_ALLOWANCES) refuse({ code: 'allowances-limit', limit: MOST_ALLOWANCES });
        return { ...rules, allowances: [...others, { who, credits, ...mark(byOwner) }] };
      });
      return was;
    },
    block: (community: string, user: string, reason: string): Promise<void> =>
      set(community, (rules) => {
        const others = rules.blocked.filter((each) => each.user !== user);
        if (others.length >= MOST_BLOCKED) refuse({ code: 'blocked-limit', limit: MOST_BLOCKED });
        return { ...rules, blocked: [...others, { user, reason }] };
      }),
    /** Returns whether the user was blocked. */
    unblock: (community: string, user: string): Promise<boolean> =>
      removeFrom(community, 'blocked', (each) => each.user !== user),
    pause: (community: string, reason: string, byOwner = false): Promise<void> =>
      set(community, (rules) => {
        requireOwner(byOwner, rules.paused?.byOwner);
        return { ...rules, paused: { reason, ...mark(byOwner) } };
      }),
    resume: (community: string, byOwner = false): Promise<void> =>
      set(community, (rules) => {
        requireOwner(byOwner, rules.paused?.byOwner);
        return without(rules, 'paused');
      }),
    setLog: (community: string, to: Place | undefined): Promise<void> =>
      set(community, (rules) => (to === undefined ? without(rules, 'log') : { ...rules, log: to })),
    set: (community: string, name: SimpleSetting, value: SettingValue): Promise<void> =>
      set(community, (rules) => rulesShape.parse({ ...rules, [name]: value })),
    /** Sets the channels in which jobs are accepted, and returns them; undefined means everywhere. */
    async setChannels(
      community: string,
      where: 'everywhere' | 'here' | 'not-here',
      here: Place,
    ): Promise<readonly Place[] | undefined> {
      let open: Place[] | undefined;
      await set(community, (rules) => {
        const { channels, ...rest } = rules;
        const others = channels?.filter((each) => !isSameChannel(each, here));
        open = where === 'here' ? [...(others ?? []), here] : others;
        if (where === 'everywhere') open = undefined;
        if (open !== undefined && open.length > MOST_CHANNELS)
          refuse({ code: 'channels-limit', limit: MOST_CHANNELS });
        return { ...rest, ...defined({ channels: open }) };
      });
      return open;
    },
    banWord: (community: string, word: string): Promise<void> =>
      set(community, (rules) => {
        const form = blockedForm(word);
        if (form === '') refuse({ code: 'word-empty', typed: word });
        const others = rules.bannedWords.filter((each) => blockedForm(each) !== form);
        if (others.length >= MOST_WORDS) refuse({ code: 'words-limit', limit: MOST_WORDS });
        return { ...rules, bannedWords: [...others, word.trim().toLowerCase()] };
      }),
    allowWord: (community: string, word: string): Promise<boolean> =>
      removeFrom(community, 'bannedWords', (each) => blockedForm(each) !== blockedForm(word)),
    /**
     * Moves the rules of a community to a new id, to which the old one then points. If the bot learns late that a group has
     * become a supergroup, moderators may have made settings under the new id; these stay.
     */
    async move(from: string, to: string): Promise<void> {
      /** The rules under the new id before the first `put`. */
      let before: Rules | undefined;
      const put = (moved: Rules | undefined, isRepeated: boolean): Promise<unknown> =>
        records.update<unknown>(to, (stored) => {
          const there = rulesIn(stored);
          // The rules were moved already, by another process or before a crash, and may have been changed since.
          if (!isRepeated && there.formerly?.includes(from)) return undefined;
          if (!isRepeated) before = there;
          const { log, channels, ...rest } = moved ?? NO_RULES;
          const following = {
            ...rest,
            ...defined({
              log: log && movedPlace(log, from, to),
              channels: channels?.map((each) => movedPlace(each, from, to)),
            }),
          };
          const rules = merged(following, before ?? there);
          return {
            ...rules,
            formerly: [...new Set([...(rules.formerly ?? []), from])].filter((each) => each !== to),
          };
        });
      await record.move(from, to, put).finally(clear);
    },
  };
}

/** Makes the gate that decides whether a person may use the bot in a place, by the rules at that moment. */
export function createCommunityGate(
  rules: Pick<CommunityRules, 'isBlocked' | 'show' | 'presentPlace' | 'blockedWordIn' | 'language'>,
  unapproved: CommunityGate['unapproved'] = async () => false,
): CommunityGate {
  const blocked: CommunityGate['blocked'] = (caller, place) => rules.isBlocked(place.community, caller.id);
  return {
    unapproved,
    blocked,
    async refusal(caller, asked, texts) {
      const place = await rules.presentPlace(asked);
      if (await unapproved(caller, place)) return { code: 'unapproved' };
      if (await blocked(caller, place)) return { code: 'blocked' };
      const { paused, channels } = await rules.show(place.community);
      if (paused !== undefined) return { code: 'paused', pause: paused };
      if (!place.direct && channels?.some((each) => isSameChannel(each, place)) === false)
        return { code: 'other-channel', channels };
      const word = texts.length > 0 && (await rules.blockedWordIn(place.community, texts.join('\n')));
      return word ? { code: 'banned-word' } : undefined;
    },
    language: ({ community }) => rules.language(community),
  };
}

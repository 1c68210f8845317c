import type { KeyValue } from '../../base/key-value.ts';
import { createKeyedQueue } from '../../base/keyed-queue.ts';
import type { Place } from '../../command/place.ts';
import type { CommunitySettings } from '../../command/ports.ts';
import { CommunityError } from '../community-error.ts';
import { blockedForm } from './blocked-words.ts';
import { createRuleStore, type Rules } from './rule-store.ts';

const MAX_BLOCKED = 2000;
const MAX_WORDS = 500;

export type CommunityRules = ReturnType<typeof createCommunityRules>;

function without<K extends keyof Rules>(rules: Rules, key: K): Omit<Rules, K> {
  const { [key]: _gone, ...rest } = rules;
  return rest;
}

/** The id of a community that is one chat contains the chat's id. */
function movedPlace(place: Place, from: string, to: string): Place {
  const isChat = from === `${place.platform}:${place.channel}`;
  return { ...place, community: to, ...(isChat ? { channel: to.slice(place.platform.length + 1) } : {}) };
}

/** The rules of communities. The caller checks permission. */
export function createCommunityRules(records: KeyValue) {
  const serially = createKeyedQueue();
  const { find, write } = createRuleStore(records);
  const read = async (community: string): Promise<Rules> => (await find(community)).rules;
  /** The present id of a community. */
  const present = async (community: string): Promise<string> => (await find(community)).community;
  const change = async <T>(
    named: string,
    edit: (rules: Rules) => { rules: Rules; answer: T },
  ): Promise<T> => {
    const community = await present(named);
    return serially(community, async () => {
      const { rules, answer } = edit(await read(community));
      await write(community, rules);
      return answer;
    });
  };
  const set = (community: string, edit: (rules: Rules) => Rules): Promise<void> =>
    change(community, (rules) => ({ rules: edit(rules), answer: undefined }));

  return {
    async show(community: string): Promise<CommunitySettings> {
      const { formerly: _, ...rules } = await read(community);
      return rules;
    },
    present,
    /** Its former ids. */
    former: async (community: string): Promise<readonly string[]> => (await read(community)).formerly ?? [],
    /** Its present and former ids except this one. */
    async otherIds(named: string): Promise<readonly string[]> {
      const { community, rules } = await find(named);
      return [community, ...(rules.formerly ?? [])].filter((id) => id !== named);
    },
    logPlace: async (community: string): Promise<Place | undefined> => (await read(community)).log,
    blockedWordIn: async (community: string, text: string): Promise<string | undefined> =>
      (await find(community)).blockedWordIn(text),
    isBlocked: async (community: string, user: string): Promise<boolean> =>
      (await find(community)).isBlocked(user),
    setCredits: (community: string, credits: number): Promise<void> =>
      set(community, (rules) => ({ ...rules, credits })),
    block: (community: string, user: string, reason: string): Promise<void> =>
      set(community, (rules) => {
        const others = rules.blocked.filter((each) => each.user !== user);
        if (others.length >= MAX_BLOCKED)
          throw new CommunityError({ code: 'blocked-limit', limit: MAX_BLOCKED });
        return { ...rules, blocked: [...others, { user, reason }] };
      }),
    /** Returns whether the user was blocked. */
    unblock: (community: string, user: string): Promise<boolean> =>
      change(community, (rules) => {
        const blocked = rules.blocked.filter((each) => each.user !== user);
        return { rules: { ...rules, blocked }, answer: blocked.length < rules.blocked.length };
      }),
    pause: (community: string, reason: string): Promise<void> =>
      set(community, (rules) => ({ ...rules, paused: { reason } })),
    resume: (community: string): Promise<void> => set(community, (rules) => without(rules, 'paused')),
    setLog: (community: string, to: Place | undefined): Promise<void> =>
      set(community, (rules) => (to === undefined ? without(rules, 'log') : { ...rules, log: to })),
    banWord: (community: string, word: string): Promise<void> =>
      set(community, (rules) => {
        const form = blockedForm(word);
        if (form === '') throw new CommunityError({ code: 'word-empty', typed: word });
        const others = rules.bannedWords.filter((each) => blockedForm(each) !== form);
        if (others.length >= MAX_WORDS) throw new CommunityError({ code: 'words-limit', limit: MAX_WORDS });
        return { ...rules, bannedWords: [...others, word.trim().toLowerCase()] };
      }),
    allowWord: (community: string, word: string): Promise<boolean> =>
      change(community, (rules) => {
        const bannedWords = rules.bannedWords.filter((each) => blockedForm(each) !== blockedForm(word));
        return { rules: { ...rules, bannedWords }, answer: bannedWords.length < rules.bannedWords.length };
      }),
    /** Telegram gives a group a new id when it becomes a supergroup: the old id then refers to the new one. */
    move: (from: string, to: string): Promise<void> =>
      serially(from, () =>
        serially(to, async () => {
          if ((await present(from)) !== from) return;
          const moved = await read((await records.get(from)) === undefined ? to : from);
          const formerly = [...(moved.formerly ?? []), from].filter((each) => each !== to);
          const log = moved.log === undefined ? {} : { log: movedPlace(moved.log, from, to) };
          await write(to, { ...moved, ...log, formerly });
          await write(from, { movedTo: to });
        }),
      ),
  };
}

import type { Draft, Drafts } from './draft.ts';
import { createOneAtATime } from './one-at-a-time.ts';
import { type Caller, type Place, personKey } from './place.ts';

/** The part of Keyv that is needed here. */
interface Store {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown, ttlMs: number): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

const keptMs = 24 * 60 * 60 * 1000;
/** So many drafts of one person are remembered for forgetting; older ones expire by themselves. */
const mostOfOne = 100;
/** Among others, what somebody says an hour later is hardly the answer any more; buttons stay valid. */
const listeningMs = 10 * 60 * 1000;

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' && value !== null && 'id' in value && 'command' in value && 'caller' in value;

const seat = (caller: Caller, place: Place): string =>
  `awaiting:${personKey(caller)}:${place.channel}:${place.thread ?? ''}`;

/** Drafts live a day. An unreadable one is as good as none: its buttons answer that they are stale. */
export const createDrafts = (store: Store): Drafts => {
  /** The list of a person's drafts is read and written back: two at once would lose one of them. */
  const inTurn = createOneAtATime();
  const load = async (id: string): Promise<Draft | undefined> => {
    const value = await store.get(`draft:${id}`);
    return isDraft(value) ? value : undefined;
  };
  const ofPerson = async (person: string): Promise<readonly string[]> => {
    const value = await store.get(`of:${person}`);
    return Array.isArray(value) ? value.map(String) : [];
  };
  return {
    load,
    save: (draft) =>
      inTurn(personKey(draft.caller), async () => {
        await store.set(`draft:${draft.id}`, draft, keptMs);
        const person = personKey(draft.caller);
        const chair = seat(draft.caller, draft.place);
        const known = (await ofPerson(person)).filter((key) => key !== draft.id && key !== chair);
        await store.set(`of:${person}`, [...known, draft.id, chair].slice(-2 * mostOfOne), keptMs);
        if (draft.awaits !== undefined)
          await store.set(chair, draft.id, draft.place.direct ? keptMs : listeningMs);
        else if ((await store.get(chair)) === draft.id) await store.delete(chair);
      }),
    async forget(draft) {
      await store.delete(`draft:${draft.id}`);
    },
    forgetAll: (person) =>
      inTurn(person, async () => {
        for (const key of await ofPerson(person)) {
          await store.delete(key.startsWith('awaiting:') ? key : `draft:${key}`);
        }
        await store.delete(`of:${person}`);
      }),
    async awaiting(caller, place) {
      const id = await store.get(seat(caller, place));
      if (typeof id !== 'string') return undefined;
      const draft = await load(id);
      // Somebody else may have gone on with what was asked for as a channel.
      const theirs = draft?.awaits !== undefined && personKey(draft.caller) === personKey(caller);
      return theirs ? draft : undefined;
    },
  };
};

import { createOneAtATime } from '../../command/one-at-a-time.ts';
import type { Caller, Place } from '../../command/place.ts';
import type { Memory } from './ledger.ts';
import type { Card } from './refs.ts';

/** What a person was asked and has not answered yet: what follows takes the question's place. */
export interface Questions {
  add(caller: Caller, card: Card): Promise<void>;
  has(caller: Caller, card: Card): Promise<boolean>;
  remove(caller: Caller, card: Card): Promise<void>;
  /** Where a question was asked that the person answers in private. */
  askedElsewhere(caller: Caller, place: Place): Promise<void>;
  elsewhere(caller: Caller): Promise<Place | undefined>;
  answeredElsewhere(caller: Caller): Promise<void>;
  forget(caller: Caller): Promise<void>;
}

const memoryMs = 7 * 24 * 3_600_000;
const mostOfOne = 50;

const askedKey = ({ id }: Caller): string => `telegram:asked:${id}`;
const elsewhereKey = ({ id }: Caller): string => `telegram:asked-elsewhere:${id}`;
const nameOf = ({ chat, message }: Card): string => `${chat}:${message}`;

export const createQuestions = (state: Memory): Questions => {
  const inTurn = createOneAtATime();

  const asked = async (caller: Caller): Promise<readonly string[]> =>
    (await state.get<string[]>(askedKey(caller))) ?? [];
  /** One after the other: a list that two write at once would lose what one of them wrote. */
  const change = (caller: Caller, to: (names: readonly string[]) => readonly string[]): Promise<void> =>
    inTurn(caller.id, async () => {
      const names = to(await asked(caller)).slice(-mostOfOne);
      if (names.length === 0) await state.delete(askedKey(caller));
      else await state.set(askedKey(caller), names, memoryMs);
    });

  return {
    add: (caller, card) =>
      change(caller, (names) => [...names.filter((each) => each !== nameOf(card)), nameOf(card)]),
    has: async (caller, card) => (await asked(caller)).includes(nameOf(card)),
    remove: (caller, card) => change(caller, (names) => names.filter((each) => each !== nameOf(card))),
    askedElsewhere: async (caller, place) => void (await state.set(elsewhereKey(caller), place, memoryMs)),
    elsewhere: (caller) => state.get<Place>(elsewhereKey(caller)),
    answeredElsewhere: async (caller) => void (await state.delete(elsewhereKey(caller))),
    async forget(caller) {
      await change(caller, () => []);
      await state.delete(elsewhereKey(caller));
    },
  };
};

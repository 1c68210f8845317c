import type { Caller, Place } from '../../command/place.ts';
import type { Memory } from './ledger.ts';

/** Questions from a group that their person answers in private: in which place they were asked. */
export interface Questions {
  asked(caller: Caller, place: Place): Promise<void>;
  place(caller: Caller): Promise<Place | undefined>;
  forget(caller: Caller): Promise<void>;
}

const memoryMs = 7 * 24 * 3_600_000;
const keyOf = ({ id }: Caller): string => `telegram:asked-elsewhere:${id}`;

export const createQuestions = (state: Memory): Questions => ({
  asked: async (caller, place) => void (await state.set(keyOf(caller), place, memoryMs)),
  place: (caller) => state.get<Place>(keyOf(caller)),
  forget: async (caller) => void (await state.delete(keyOf(caller))),
});

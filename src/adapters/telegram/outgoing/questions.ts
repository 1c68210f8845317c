import type { Records } from '../../../base/keyv/records.ts';
import type { Caller, Place } from '../../../command/place.ts';
import { type Card, isSameMessage } from '../api/refs.ts';

/** A question with buttons that was not answered yet. */
export interface OpenQuestion {
  readonly draft: string;
  readonly question: Card;
  /** The reply prompt that was sent with the question in a group, for a written answer. */
  readonly beside?: Card;
}

const PLACE_MS = 7 * 24 * 3_600_000;
/** How long questions are stored: as long as drafts. */
const OPEN_MS = 24 * 3_600_000;
const MOST_OPEN = 20;
const placeKey = ({ id }: Caller): string => `telegram:asked-elsewhere:${id}`;
const openKey = ({ id }: Caller): string => `telegram:questions:${id}`;

/** Remembers open questions, to remove their messages, and the group whose question a person answers in private. */
export function createQuestions(state: Records) {
  const openOf = async (caller: Caller): Promise<readonly OpenQuestion[]> =>
    (await state.get<OpenQuestion[]>(openKey(caller))) ?? [];
  const change = (caller: Caller, edit: (all: readonly OpenQuestion[]) => readonly OpenQuestion[]) =>
    state.update<readonly OpenQuestion[]>(
      openKey(caller),
      (before = []) => {
        const after = edit(before).slice(-MOST_OPEN);
        return after.length > 0 || before.length > 0 ? after : undefined;
      },
      OPEN_MS,
    );
  const forgetPlace = async (caller: Caller): Promise<void> => {
    await state.delete(placeKey(caller));
  };
  return {
    /** Stores the group whose question the person answers in private. */
    async asked(caller: Caller, place: Place): Promise<void> {
      await state.set(placeKey(caller), place, PLACE_MS);
    },
    /** The group whose question the person answers in private. */
    place: (caller: Caller) => state.get<Place>(placeKey(caller)),
    forgetPlace,
    /** Stores the message of a draft's question, which is removed when the answer is written. */
    open: (caller: Caller, question: OpenQuestion) =>
      change(caller, (all) => [...all.filter(({ draft }) => draft !== question.draft), question]),
    find: async (caller: Caller, match: (question: OpenQuestion) => boolean) =>
      (await openOf(caller)).find(match),
    close: (caller: Caller, closed: string) =>
      change(caller, (all) => all.filter(({ draft }) => draft !== closed)),
    /** Forgets a question whose id a new ephemeral message has got, because its own message no longer exists. */
    async replaced(caller: Caller, card: Card): Promise<void> {
      const isIt = ({ question }: OpenQuestion): boolean => isSameMessage(question, card);
      if ((await openOf(caller)).some(isIt)) await change(caller, (all) => all.filter((each) => !isIt(each)));
    },
    async forget(caller: Caller): Promise<void> {
      await forgetPlace(caller);
      await state.delete(openKey(caller));
    },
  };
}

export type Questions = ReturnType<typeof createQuestions>;

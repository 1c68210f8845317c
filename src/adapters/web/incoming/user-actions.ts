import { defined } from '../../../base/defined.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Incoming } from '../../../command/desk.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { completesQuestion, type Reply } from '../../../command/reply.ts';
import { shorten } from '../../../command/shorten.ts';
import { headOf } from '../../../command/text/grammar.ts';
import type { Line } from '../../../command/view.ts';
import type { Visitor } from '../../../sign-in/visitor.ts';
import { wordsFor } from '../../../words/words.ts';
import { createMeanwhile } from '../../meanwhile.ts';
import { type AnsweredAction, type Answers, isForOneAlone } from '../outgoing/answers.ts';
import type { WebDependencies } from '../outgoing/dependencies.ts';
import { cardAt, isAnswerTo, type Message, offersAction, type Spot } from '../outgoing/message.ts';
import { callerFor, personWith, placeIn, rooms } from '../visitors/people.ts';

/** A message, press or answer of a person. A retry with the same id is handled once. */
export interface UserAction extends AnsweredAction {
  readonly locale: string;
}

const MOST_UNDER_WAY = 200;
/** Limits per address and session; an idle session is always admitted for one action. */
const MOST_OF_ADDRESS = 60;
const MOST_OF_SESSION = 20;
const MOST_REMEMBERED = 500;
/** How often an answer that could not be shown is retried, with a pause that doubles each time. */
const MOST_RESUMED = 8;

/** The message of a question without its buttons and tiles, because the question was answered. */
function withoutChoices({ ask: _ask, view, previews: _previews, ...message }: Message): Message {
  if (view === undefined) return message;
  const { buttons: _buttons, tiles: _tiles, ...rest } = view;
  return { ...message, view: rest };
}

/**
 * Handles what people do in the playground: passes messages, presses and answers to the desk, each once, and shows its
 * replies.
 */
export function createUserActions({ desk, chat, log, clock }: WebDependencies, answers: Answers) {
  /** The actions in progress, by their event. */
  const underWay = new Map<string, Pick<UserAction, 'visitor'> & { outcome: Promise<string | undefined> }>();
  /** The outcomes of the latest actions, oldest first. */
  const finished = new Map<string, string | undefined>();
  /** How often the answer to a message was resumed, and when it may be again, by the id of the message. */
  const resumed = new Map<string, { readonly times: number; readonly dueAt: number }>();

  const eventOf = ({ person, id }: UserAction): string => `web:${person.id}.${id}`;
  const incomingOf = (userAction: UserAction): Incoming => ({
    event: eventOf(userAction),
    caller: callerFor(userAction.person, userAction.locale),
    place: placeIn(userAction.room),
  });
  const alone = (tone: 'info' | 'failed', line: Line): Reply => ({
    kind: 'message',
    view: { tone, lines: [line] },
    audience: 'caller',
  });

  /** Removes the buttons and tiles of a question that was answered in writing; a refused answer leaves it open. */
  const closeAnswered = async ({ person, room }: UserAction, reply: Reply, draft?: string): Promise<void> => {
    if (draft === undefined || !completesQuestion(reply)) return;
    for (const message of chat.all(room.id))
      if (message.ask?.draft === draft && isAnswerTo(person, message))
        await chat.change(message, withoutChoices);
  };

  /** Handles an action once. A page whose connection broke sends the action again, and gets the same outcome. */
  const once = async (
    userAction: UserAction,
    work: () => Promise<string | undefined>,
  ): Promise<string | undefined> => {
    const event = eventOf(userAction);
    if (finished.has(event)) return finished.get(event);
    const known = underWay.get(event);
    if (known !== undefined) return known.outcome;
    const handle = async (): Promise<string | undefined> => {
      try {
        const outcome = await work();
        finished.set(event, outcome);
        keepLatest(finished, MOST_REMEMBERED);
        return outcome;
      } finally {
        underWay.delete(event);
      }
    };
    const outcome = handle();
    underWay.set(event, { ...userAction, outcome });
    return outcome;
  };

  const respond = async (
    userAction: UserAction,
    ask: (meanwhile: NonNullable<Incoming['meanwhile']>) => Promise<Reply>,
  ): Promise<string | undefined> => {
    const meanwhile = createMeanwhile((shown) => answers.meanwhile(shown, userAction), log);
    try {
      return await answers.show(await meanwhile.followedBy(await ask(meanwhile.show)), userAction);
    } catch (error) {
      log.error({ err: error, person: userAction.person.id }, 'a message could not be answered');
      return await answers.show(alone('failed', wordsFor(userAction.locale).somethingBroke), userAction);
    }
  };

  /**
   * The reply to a message that the desk does not answer. The playground has no other bots, so an unknown command was meant
   * for this one.
   */
  const hint = (userAction: UserAction, text: string): Reply => {
    const { error, notes } = wordsFor(userAction.locale);
    const name = headOf(text)?.name;
    if (name === undefined) return alone('info', notes.hint);
    return alone('failed', error.unknownCommand(shorten(name, 32), []));
  };

  const photoRefs = (said: Message | undefined): PhotoRef[] =>
    (said?.photos ?? []).map((ref) => ({ from: 'web', ref }));

  /** Answers a message. The call is idempotent, because an event makes only one job, so it may be repeated after a crash. */
  const reply = (userAction: UserAction, spot: Spot): Promise<string | undefined> =>
    once(userAction, async () => {
      let isPublic = false;
      const note = await respond(userAction, async (meanwhile) => {
        const said = chat.get(spot);
        const text = said?.text ?? '';
        const known = await desk.text({
          ...incomingOf(userAction),
          meanwhile,
          text,
          photos: photoRefs(said),
        });
        if (known !== undefined && 'answers' in known) await closeAnswered(userAction, known, known.answers);
        isPublic = known === undefined ? !text.startsWith('/') : !isForOneAlone(known);
        return known ?? hint(userAction, text);
      });
      // The message becomes visible to the room if it was no command, or if its answer is public.
      await chat.change(spot, ({ pending: _pending, only, ...message }) => ({
        ...message,
        ...(isPublic ? {} : defined({ only })),
      }));
      return note;
    });
  const follow = (userAction: UserAction, spot: Spot): void => {
    reply(userAction, spot).catch((error: unknown) =>
      log.error({ err: error }, 'an answer could not be shown'),
    );
  };

  return {
    /** Puts a message into its room, and resolves when it is there; the answer follows. */
    async receive({
      text,
      photos: refs,
      ...userAction
    }: UserAction & { readonly text: string; readonly photos: readonly string[] }): Promise<void> {
      const spot = { room: userAction.room.id, id: `${userAction.person.id}.${userAction.id}` };
      // If a response was lost, the page sends the message again.
      if (chat.get(spot) === undefined) {
        const { person, locale } = userAction;
        // Only its author sees the message until it is known that the answer is public.
        await chat.put(
          { ...spot, from: person.id, text, photos: refs, only: person.id, pending: locale },
          userAction.visitor,
        );
      }
      if (chat.get(spot)?.pending !== undefined) follow(userAction, spot);
    },
    /**
     * Answers messages that have been unanswered for this long, because of a crash or because their answer could not be
     * shown.
     */
    resume(olderThanMs: number): void {
      for (const room of rooms) {
        for (const { id, from, at, pending } of chat.all(room.id)) {
          const person = personWith(from);
          const { times, dueAt } = resumed.get(id) ?? { times: 0, dueAt: at + olderThanMs };
          const isEarly = times === MOST_RESUMED || clock.now() < dueAt;
          if (pending === undefined || person === undefined || isEarly) continue;
          const userAction = { id: id.slice(from.length + 1), person, room, locale: pending };
          if (underWay.has(eventOf(userAction))) continue;
          resumed.delete(id);
          resumed.set(id, { times: times + 1, dueAt: clock.now() + olderThanMs * 2 ** times });
          keepLatest(resumed, MOST_REMEMBERED);
          follow(userAction, { room: room.id, id });
        }
      }
    },
    /** Handles the press of a button; resolves with a note for the presser, if there is one. */
    press: (userAction: UserAction & { readonly message: string; readonly action: string }) =>
      once(userAction, () => {
        const spot = { room: userAction.room.id, id: userAction.message };
        const message = chat.get(spot);
        // The message must have the button, because a forged press must not change another message.
        const isThere = message !== undefined && offersAction(message, userAction.action);
        const pressed = isThere ? spot : undefined;
        return respond({ ...userAction, isPress: true, pressed }, (meanwhile) =>
          desk.press({
            ...incomingOf(userAction),
            meanwhile,
            action: userAction.action,
            ...(isThere ? { pressed: cardAt(spot) } : {}),
          }),
        );
      }),
    async answer(
      userAction: UserAction & { readonly draft: string; readonly answers: Record<string, string> },
    ): Promise<void> {
      await once(userAction, () =>
        respond(userAction, async (meanwhile) => {
          const { draft, answers } = userAction;
          const reply = await desk.answer({ ...incomingOf(userAction), meanwhile, draft, answers });
          await closeAnswered(userAction, reply, draft);
          return reply;
        }),
      );
    },
    /** Whether the visitor has to wait because too much is in progress. */
    isBusy({ address, session }: Visitor): boolean {
      const near = [...underWay.values()].filter(({ visitor }) => visitor?.address === address);
      const own = near.filter(({ visitor }) => visitor?.session === session).length;
      return (
        underWay.size >= MOST_UNDER_WAY ||
        own >= MOST_OF_SESSION ||
        (own > 0 && near.length >= MOST_OF_ADDRESS)
      );
    },
    async idle(): Promise<void> {
      await Promise.allSettled([...underWay.values()].map(({ outcome }) => outcome));
    },
  };
}

export type UserActions = ReturnType<typeof createUserActions>;

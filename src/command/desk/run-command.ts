import { keepLatest } from '../../base/keep-latest.ts';
import { factsOf, PLATFORMS } from '../../platforms/platforms.ts';
import { type Words, wordsFor } from '../../words/words.ts';
import { type CommandContext, type DeskContext, requireAction } from '../command.ts';
import type { Incoming } from '../desk.ts';
import { albumIn, type Draft, furtherPhotosIn, withoutFurtherPhotos } from '../draft.ts';
import { UserError } from '../errors.ts';
import type { FaceCheckResult } from '../face-check-port.ts';
import type { Given, Options } from '../option.ts';
import { type CardRef, type Place, roleKey } from '../place.ts';
import type { DeskPorts, Ports } from '../ports.ts';
import { refuseTooLongTexts } from '../read-arguments.ts';
import { cardsOf, hasCards, isRepetition, type Reply } from '../reply.ts';
import { photosOf } from '../request.ts';
import { catalogOf } from '../search/complete.ts';
import { shorten } from '../shorten.ts';
import { nearestCommands } from '../text/grammar.ts';
import { consentQuestion, refusalOfPerson, refusalOfRequest } from './access/check-access.ts';
import { createKnownUsers } from './known-users.ts';
import { contextFor, type PendingCommand } from './parts/dependencies.ts';
import { namingCommand } from './parts/error-reply.ts';
import type { DeskWithRefusals } from './parts/turn-away.ts';
import { ask, saveDraft, wantsPrivate } from './questions/ask.ts';
import { albumQuestion, askWhoIsIt } from './questions/question-view.ts';

/** Refuses an unknown filter before asking for a photo. */
async function checkNames(options: Options, given: Given, { reference }: Ports): Promise<void> {
  for (const [name, option] of Object.entries(options)) {
    const typed = given[name];
    if (option.kind !== 'reference' || option.model === 'any' || typed === undefined) continue;
    await reference(String(typed), option.model, catalogOf(option, given, options));
  }
}

/** The values for options: the photos of an album that make jobs of their own are none, nor are those that are passed on. */
function ownValues({ command, given }: PendingCommand): Given {
  const own = withoutFurtherPhotos(given);
  if (!command.passesPhotosOn) return own;
  return Object.fromEntries(Object.entries(own).filter(([, value]) => typeof value !== 'object'));
}

function seenBy({ incoming, draft }: PendingCommand): CommandContext['seenBy'] {
  if (incoming.place.direct || draft?.alone) return 'caller';
  return draft === undefined ? undefined : 'everyone';
}

export type RunCommand = ReturnType<typeof createRunCommand>;

const WITH_ROLES = PLATFORMS.map(factsOf)
  .flatMap(({ hasRoles, title }) => (hasRoles ? title : []))
  .join(', ');
/** As Discord writes one, and as its adapter names it. */
const ROLE = /^(?:role:|<@&)(\d{1,20})>?$/;
/** A person is told that their photo is being checked once that takes longer. */
const MOMENT_MS = 1_000;
/** The most cards that are being shown at once, a number that is never reached in practice. */
const MOST_CARDS_IN_PROGRESS = 1_000;

/** Runs commands: checks who may, reads their values, asks for what is missing, and has jobs made. */
export function createRunCommand(desk: DeskWithRefusals) {
  const people = createKnownUsers();
  for (const { caller, place } of desk.knownUsers ?? []) people.noticed(caller, place);
  /** Drafts of jobs whose cards are being shown. They are kept so that the same answer works again after a crash. */
  const answered = new Map<string, Draft>();
  const forget = (draft: Draft): Promise<void> =>
    desk.drafts.forget(draft).catch((error: unknown) => desk.onError(error, 'drafts'));
  /** The command succeeded: a leftover draft is harmless, a lost reply is not. */
  const done = async (draft: Draft, reply: Reply): Promise<void> => {
    // A second press of the same button: the first card may still be on its way.
    if (isRepetition(reply)) return;
    const last = hasCards(reply) ? cardsOf(reply).at(-1) : undefined;
    if (last === undefined) return forget(draft);
    // The draft is kept until the last of the cards is shown.
    answered.set(last.job, draft);
    keepLatest(answered, MOST_CARDS_IN_PROGRESS);
  };

  /** The events whose photo is being checked. */
  const beingChecked = new Set<string>();
  /** Checks a photo, and tells its sender so when that takes longer than a moment. */
  const checkAndTell = async (
    { event, meanwhile }: Incoming,
    isPrivate: boolean,
    words: Words,
    check: () => Promise<FaceCheckResult | undefined>,
  ): Promise<FaceCheckResult | undefined> => {
    // The message of a second press of the same button could replace the card that the first press has got.
    if (meanwhile === undefined || beingChecked.has(event)) return check();
    beingChecked.add(event);
    const view = { tone: 'busy', title: words.faceCheck.looking, lines: [] } as const;
    const cancel = desk.clock.after(MOMENT_MS, () =>
      meanwhile({ kind: 'message', audience: isPrivate ? 'caller' : 'everyone', view }),
    );
    try {
      return await check();
    } finally {
      cancel();
      beingChecked.delete(event);
    }
  };

  const commandContext = (
    pending: PendingCommand,
  ): CommandContext & { readonly ports: DeskPorts; readonly isKept: () => boolean } => {
    const context = contextFor(desk, pending.incoming);
    const { ports, words } = context;
    let kept = false;
    const keep: CommandContext['keep'] = async (seenBy) => {
      kept = true;
      const alone = seenBy === undefined ? {} : { alone: seenBy === 'caller' };
      return (await saveDraft(desk, { ...pending, ...alone })).id;
    };
    const album = albumIn(pending.given)?.photos ?? [];
    const others = furtherPhotosIn(pending.given);
    const askConsent = async (): Promise<Reply | undefined> =>
      (await ports.privacy.consented()) ? undefined : consentQuestion(await keep(), words);
    const photoQuestion: CommandContext['photoQuestion'] = async (photo, check) => {
      // A photo that a person only keeps for themselves concerns nobody else.
      const isPrivate = !pending.command.generates || wantsPrivate(pending.given);
      const result = await checkAndTell(pending.incoming, isPrivate, words, () =>
        ports.faceCheck.check(photo, check.wanted),
      );
      if (result === undefined) return undefined;
      kept = true;
      // No other photo can be sent as an answer to a sheet, because the numbers are those of the photo that it shows.
      const another = result.wrong === 'several' ? {} : ({ asked: 'photo', awaits: 'image' } as const);
      const draft = await saveDraft(desk, pending, { people: result.people, ...another });
      return askWhoIsIt(draft.id, result, check.instead, isPrivate, words);
    };
    return {
      ...context,
      page: pending.page ?? 0,
      seenBy: seenBy(pending),
      consentQuestion: askConsent,
      photoQuestion,
      album,
      async generate(request, faceCheck) {
        const isPrivate = wantsPrivate(pending.given);
        const [photo, ...more] = photosOf(request);
        if (album.length > 1 + more.length) {
          const credits = album.length * ports.newJobs.cost(request);
          return albumQuestion(await keep(), album.length, credits, isPrivate, words);
        }
        const isOnePhoto = more.length + others.length === 0;
        const isChecked = faceCheck !== undefined && photo !== undefined && isOnePhoto;
        // These questions come last, so that a person does not confirm a command that would fail.
        const question =
          (await askConsent()) ?? (isChecked ? await photoQuestion(photo, faceCheck) : undefined);
        if (question !== undefined) return question;
        return ports.newJobs.make(request, { private: isPrivate, others }).catch((error: unknown) => {
          // For limits and allowances, showing the usage would not help.
          throw error instanceof UserError ? new UserError(error.message, 'limit') : error;
        });
      },
      ask(...names) {
        kept = true;
        return ask(desk, pending, names);
      },
      keep,
      isKept: () => kept,
    };
  };

  /** Resolves names of people to ids; an unknown name is refused. */
  const withPeople = (options: Options, given: Given, place: Place, words: Words): Given => {
    const found = { ...given };
    for (const [name, value] of Object.entries(given)) {
      const option = options[name];
      if (option?.kind !== 'user' || typeof value === 'object') continue;
      const role = option.roles ? ROLE.exec(String(value).trim())?.[1] : undefined;
      if (role !== undefined && !factsOf(place.platform).hasRoles)
        throw new UserError(words.error.noRoles(WITH_ROLES));
      const id = role === undefined ? people.find(String(value), place) : roleKey(role);
      if (id === undefined) throw new UserError(words.error.unknownPerson(shorten(String(value), 60)));
      found[name] = id;
    }
    return found;
  };

  /** Checks permission, length of texts and gate; undefined: the command may run. */
  const refuse = async (
    pending: PendingCommand,
    context: Pick<DeskContext, 'ports' | 'words'>,
  ): Promise<Reply | undefined> => {
    const { command, subcommand, given } = pending;
    const refusedPerson = await refusalOfPerson(desk, pending, context);
    if (refusedPerson !== undefined) return refusedPerson;
    const { options } = requireAction(command, subcommand, context.words);
    refuseTooLongTexts(options, given, context.words);
    return refusalOfRequest(pending, options, desk.gate, context.words);
  };

  const checkAndRun = async (pending: PendingCommand): Promise<Reply> => {
    const { command, subcommand, incoming, draft } = pending;
    const context = commandContext(pending);
    const { ports, words } = context;
    // The job exists and its card may be visible, so it is finished regardless of later changes.
    const mayHaveBegun = command.generates && !incoming.isNew;
    const begun = mayHaveBegun ? await ports.newJobs.begun() : undefined;
    if (begun !== undefined) {
      if (draft !== undefined) await done(draft, begun);
      return begun;
    }
    const refused = await refuse(pending, context);
    if (refused !== undefined) return refused;
    // The finder starts while the person answers questions.
    if (command.generates && command.checksFaces) ports.faceCheck.prepare();
    const action = requireAction(command, subcommand, words);
    const given = withPeople(action.options, ownValues(pending), incoming.place, words);
    const read = action.read(given, words);
    if ('missing' in read) {
      await checkNames(action.options, given, ports);
      return context.ask(...read.missing);
    }
    const reply = await read.run(context);
    if (draft !== undefined && !context.isKept()) await done(draft, reply);
    return reply;
  };

  /** Handles a command on every platform, in this order: permission, length, gate, values, missing options, run, consent. */
  const run = async (pending: PendingCommand): Promise<Reply> => {
    const { incoming, command, subcommand } = pending;
    people.noticed(incoming.caller, incoming.place);
    return namingCommand({ command, subcommand, admitted: true }, () => checkAndRun(pending));
  };

  return {
    run,
    refusal: (pending: PendingCommand): Promise<Reply | undefined> =>
      refuse(pending, contextFor(desk, pending.incoming)),
    /** Runs a command by its name, as if the caller had typed it. */
    async start(incoming: Incoming, name: string, given: Given): Promise<Reply> {
      const command = desk.commands.find((each) => each.name === name);
      if (command !== undefined) return run({ incoming, command, given });
      const { error } = wordsFor(incoming.caller.locale);
      const nearest = nearestCommands(name, desk.commands);
      throw new UserError(error.unknownCommand(shorten(name, 32), nearest), 'limit');
    },
    async cardShown(job: string, card: CardRef | undefined): Promise<void> {
      await desk.cardShown(job, card);
      // A failed answer may be repeated.
      if (card === undefined) return;
      const draft = answered.get(job);
      answered.delete(job);
      if (draft !== undefined) await forget(draft);
    },
  };
}

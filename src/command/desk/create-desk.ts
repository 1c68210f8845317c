import { afterAnswersAreSent, machineTime } from '../../base/clock.ts';
import { languageOf, wordsFor } from '../../words/words.ts';
import { type Command, requireAction } from '../command.ts';
import type { Desk, Incoming, TextMessage } from '../desk.ts';
import { loosePhotos } from '../draft.ts';
import { UserError } from '../errors.ts';
import type { Given } from '../option.ts';
import { channelId } from '../place.ts';
import type { Reply } from '../reply.ts';
import { complete } from '../search/complete.ts';
import { nearestCommands, readCommandLine, type TextLine } from '../text/grammar.ts';
import { createPress } from './handle-press.ts';
import type { DeskDependencies } from './parts/dependencies.ts';
import { namingCommand, withErrorReply } from './parts/error-reply.ts';
import { createTurnAway, isOpenToUnapproved } from './parts/turn-away.ts';
import { readLine } from './read-line.ts';
import { createResume } from './resume-draft.ts';
import { createRunCommand } from './run-command.ts';
import { createWrittenAnswer } from './written-answer.ts';

/** The desk of all platforms. No user input makes it throw. */
export function createDesk(parts: DeskDependencies): Desk {
  const desk = { ...parts, ...createTurnAway(parts) };
  const { unapprovedReply, turnAway } = desk;
  const { run, refusal, start, cardShown } = createRunCommand(desk);
  const resume = createResume(desk, run);
  const press = createPress(desk, start, resume);
  const writtenAnswer = createWrittenAnswer(desk, resume);

  const commandOf = (name: string): Command | undefined => parts.commands.find((each) => each.name === name);

  /** The photos that go along with a command that has no option for them. */
  const passedOn = async ({ command }: TextLine, { caller, place, photos }: TextMessage): Promise<Given> => {
    if (!command.passesPhotosOn) return {};
    const none = photos.length === 0 && place.direct;
    return loosePhotos(none ? await parts.drafts.latestPhotos(caller, place) : photos);
  };

  const inLanguage: Desk['inLanguage'] = async (incoming) => {
    const { caller, place } = incoming;
    if (languageOf(caller.locale) !== undefined) return incoming;
    const locale = (await parts.gate.language(place).catch(() => undefined)) ?? 'en';
    return { ...incoming, caller: { ...caller, locale } };
  };

  /** A message with a result is noted before anybody sees it. */
  const noted = async <Out extends Reply | undefined>(
    reply: Out,
    incoming: Incoming,
  ): Promise<Out | Reply> => {
    if (reply?.kind !== 'result' || reply.view.media === undefined) return reply;
    const words = wordsFor(incoming.caller.locale);
    const asked = { event: incoming.event, place: incoming.place };
    return parts.resultShows({ ...reply, asked }, words);
  };

  const received =
    <In extends Incoming, Out extends Reply | undefined>(
      work: (incoming: In) => Promise<Out>,
      noticed?: DeskDependencies['noticed'],
    ) =>
    async (incoming: In): Promise<Out | Reply> => {
      const begunAt = machineTime.passed();
      try {
        return await parts.underWay.handle(incoming, async (each) =>
          withErrorReply(desk, await inLanguage(each), async (event) => noted(await work(event), event)),
        );
      } finally {
        const tookMs = machineTime.passed() - begunAt;
        afterAnswersAreSent(() => {
          noticed?.(incoming.place);
          parts.answered?.(incoming.place.platform, tookMs);
        });
      }
    };

  return {
    inLanguage,
    command: received(async (incoming) => {
      const { subcommand, given } = incoming;
      const command = commandOf(incoming.command);
      if (command === undefined)
        return (await unapprovedReply(incoming)) ?? start(incoming, incoming.command, given);
      return run({ incoming, command, subcommand, given });
    }, parts.noticed),

    text: received(async (incoming) => {
      const { place, text, photos } = incoming;
      const line = readCommandLine(text, parts.commands);
      if (line === undefined) return writtenAnswer(incoming);
      const { name, bot, command, subcommand } = line;
      // In a group, a command unlike any of ours is for another bot, unless it names us.
      const forUs = place.direct || bot !== undefined || nearestCommands(name, parts.commands).length > 0;
      if (command === undefined && !forUs) return undefined;
      const readAndRun = async () => {
        // Before the line is read: names of filters are looked up for that.
        const turnedAway = isOpenToUnapproved(command, undefined)
          ? undefined
          : await unapprovedReply(incoming);
        if (turnedAway !== undefined) return turnedAway;
        const read = await readLine(desk, incoming, line, photos);
        return run({ incoming, ...read, given: { ...read.given, ...(await passedOn(read, incoming)) } });
      };
      return namingCommand({ command, subcommand }, readAndRun);
    }, parts.noticed),

    press: received(press),

    answer: received(async (incoming) => {
      const draft = await resume.own(incoming.draft, incoming);
      if (typeof draft === 'string')
        throw new UserError(wordsFor(incoming.caller.locale).press[draft], 'limit');
      return resume.withAnswers(incoming, draft, incoming.answers);
    }),

    async complete(asked, limit) {
      const { command: name, subcommand, option, typed, given = {}, ...incoming } = await inLanguage(asked);
      const { caller, place } = incoming;
      const command = commandOf(name);
      if (command === undefined) return [];
      try {
        if (await parts.gate.unapproved(caller, place)) return [];
        const words = wordsFor(caller.locale);
        const { options } = requireAction(command, subcommand, words);
        const kind = Object.hasOwn(options, option) ? options[option]?.kind : undefined;
        const ports = () => parts.portsFor({ ...incoming, event: '' });
        if (command.checksFaces) ports().faceCheck.prepare();
        const faces = kind === 'face' ? await parts.savedFaces(caller) : [];
        const open = kind === 'channel' ? ((await ports().settings.show()).channels ?? []) : [];
        const channels = open.map(channelId);
        const about = { options, option, typed, given, community: place.community, faces, channels, words };
        // Only the caller sees suggestions.
        const order = () => ports().catalog.order(true);
        return await complete(about, parts.knownNames, parts.commands, order, limit);
      } catch (thrown) {
        const error = parts.explain(thrown, wordsFor(caller.locale), caller);
        if (!(error instanceof UserError)) parts.onError(error, 'complete');
        return [];
      }
    },

    turnAway: async (incoming) => turnAway(await inLanguage(incoming)),
    async refusal(asked) {
      const { subcommand, given, ...incoming } = await inLanguage(asked);
      const command = commandOf(incoming.command);
      return command && refusal({ incoming, command, subcommand, given });
    },
    hasJob: parts.hasJob,
    cardShown,
    resultShown: parts.resultShown,
  };
}

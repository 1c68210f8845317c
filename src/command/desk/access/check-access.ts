import { defined } from '../../../base/defined.ts';
import type { Words } from '../../../words/words.ts';
import { actionIn, type CommandContext } from '../../command.ts';
import type { CommunityGate } from '../../community-gate.ts';
import type { Options } from '../../option.ts';
import type { Place } from '../../place.ts';
import type { Reply } from '../../reply.ts';
import type { Line } from '../../view.ts';
import type { PendingCommand } from '../parts/desk-parts.ts';
import { refusal } from '../parts/error-reply.ts';
import { isOpenToUnapproved, type TurnAway } from './turn-away.ts';

/** The refusal, or undefined. A draft of something that is open to blocked people continues. */
export async function refusePerson(
  { command, subcommand, incoming, draft }: PendingCommand,
  call: Pick<CommandContext, 'isModerator' | 'words'>,
  { blockedReply, unapprovedReply }: TurnAway,
): Promise<Reply | undefined> {
  const turnedAway = isOpenToUnapproved(command, subcommand) ? undefined : await unapprovedReply(incoming);
  if (turnedAway !== undefined) return turnedAway;
  if (command.access === 'moderator') {
    if (await call.isModerator()) return undefined;
    return (await blockedReply(incoming)) ?? refusal(call.words.gate.moderatorsOnly);
  }
  if (!actionIn(command, subcommand)?.openToBlocked) return blockedReply(incoming);
  return draft === undefined ? blockedReply(incoming, `${command.name} ${subcommand ?? ''}`) : undefined;
}

const MOST_CHANNELS = 5;

function goTo(channels: readonly Place[], { gate }: Words): readonly Line[] {
  if (channels.length === 0) return [];
  const spans = channels
    .slice(0, MOST_CHANNELS)
    .flatMap(({ channel, thread }) => [' ', { channel, ...defined({ thread }) }]);
  return [[gate.goTo, ...spans]];
}

/** Why nothing can be made of these texts there now: pause, channels, blocked words. Undefined: it can. */
export async function refusalOf(
  gate: Omit<CommunityGate, 'blocked'>,
  place: Place,
  texts: readonly string[],
  words: Words,
): Promise<readonly [string, ...Line[]] | undefined> {
  const paused = await gate.paused(place);
  if (paused !== undefined) return [paused.lost ? words.gate.settingsLost : words.gate.paused(paused.reason)];
  const channels = await gate.otherChannels(place);
  if (channels !== undefined) return [words.gate.notHere, ...goTo(channels, words)];
  return (await gate.banned(place, texts)) ? [words.gate.bannedWord] : undefined;
}

/** The refusal of a command that generates, or undefined. */
export async function refuseRequest(
  { command, incoming: { place }, given }: PendingCommand,
  options: Options,
  gate: CommunityGate,
  words: Words,
): Promise<Reply | undefined> {
  if (!command.generates) return undefined;
  const texts = Object.entries(options).flatMap(([name, { kind }]) =>
    kind === 'text' && given[name] !== undefined ? [String(given[name])] : [],
  );
  const lines = await refusalOf(gate, place, texts, words);
  return lines && refusal(...lines);
}

/** Asks each person once for consent, after all other checks; `draft` continues afterwards. */
export function consentQuestion(draft: string, { consent }: Words): Reply {
  return {
    kind: 'message',
    private: 'in-place',
    view: {
      tone: 'ask',
      title: consent.title,
      lines: [consent.people, consent.age, consent.sent],
      buttons: [[{ action: `consent:${draft}`, label: consent.button, style: 'primary' }]],
    },
  };
}

import { defined } from '../../base/defined.ts';
import type { Words } from '../../words/words.ts';
import { actionIn, type CommandContext } from '../command.ts';
import type { CommunityGate } from '../community-gate.ts';
import type { Options } from '../option.ts';
import type { Place } from '../place.ts';
import type { Reply } from '../reply.ts';
import type { Line } from '../view.ts';
import type { BlockedReply } from './blocked-reply.ts';
import { refusal } from './error-reply.ts';
import type { PendingCommand } from './pending-command.ts';

/** The refusal, or undefined. A draft of something that is open to blocked people continues. */
export async function refusePerson(
  { command, subcommand, incoming, draft }: PendingCommand,
  call: CommandContext,
  blockedReply: BlockedReply,
): Promise<Reply | undefined> {
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

/** Pause, channels and blocked words: the refusal, or undefined. */
export async function refuseRequest(
  { command, incoming: { place }, given }: PendingCommand,
  options: Options,
  gate: CommunityGate,
  words: Words,
): Promise<Reply | undefined> {
  if (!command.generates) return undefined;
  const paused = await gate.paused(place);
  if (paused !== undefined)
    return refusal(paused.lost ? words.gate.settingsLost : words.gate.paused(paused.reason));
  const channels = await gate.otherChannels(place);
  if (channels !== undefined) return refusal(words.gate.notHere, ...goTo(channels, words));
  const texts = Object.entries(options).flatMap(([name, { kind }]) =>
    kind === 'text' && given[name] !== undefined ? [String(given[name])] : [],
  );
  return (await gate.banned(place, texts)) ? refusal(words.gate.bannedWord) : undefined;
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

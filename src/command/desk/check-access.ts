import type { Words } from '../../words/words.ts';
import type { CommandContext } from '../command.ts';
import type { Given, Options } from '../option.ts';
import type { Reply } from '../reply.ts';
import type { BlockedReply } from './blocked-reply.ts';
import type { DeskParts } from './desk-parts.ts';
import type { PendingCommand } from './pending-command.ts';

export function refusal(text: string): Reply {
  return {
    kind: 'message',
    view: { tone: 'failed', lines: [text] },
    private: 'in-place',
  };
}

function textsOf(options: Options, given: Given): readonly string[] {
  return Object.keys(options)
    .filter((name) => options[name]?.kind === 'text' && given[name] !== undefined)
    .map((name) => String(given[name]));
}

/** Access check: the refusal, or undefined. A draft of a command that is open to blocked people continues. */
export async function admitPerson(
  { command, incoming, draft }: PendingCommand,
  call: CommandContext,
  blockedReply: BlockedReply,
): Promise<Reply | undefined> {
  if (command.access === 'moderator') {
    if (await call.isModerator()) return undefined;
    return (await blockedReply(incoming)) ?? refusal(call.words.gate.moderatorsOnly);
  }
  return draft !== undefined && command.openToBlocked ? undefined : blockedReply(incoming, command);
}

/** Pause and blocked words: the refusal, or undefined. */
export function createAdmit(parts: DeskParts) {
  return async (
    pending: PendingCommand,
    { words }: CommandContext,
    options: Options,
  ): Promise<Reply | undefined> => {
    const { command, incoming } = pending;
    if (!command.generates) return undefined;
    const paused = await parts.gate.paused(incoming.place);
    if (paused !== undefined)
      return refusal(paused.lost ? words.gate.settingsLost : words.gate.paused(paused.reason));
    if (await parts.gate.banned(incoming.place, textsOf(options, pending.given)))
      return refusal(words.gate.bannedWord);
    return undefined;
  };
}

/** Asks each person once for consent, after all other checks; `draft` continues afterwards. */
export function consentQuestion(draft: string, words: Words): Reply {
  return {
    kind: 'message',
    private: 'in-place',
    view: {
      tone: 'ask',
      title: words.consent.title,
      lines: [words.consent.people, words.consent.age, words.consent.sent],
      buttons: [[{ action: `consent:${draft}`, label: words.consent.button, style: 'primary' }]],
    },
  };
}

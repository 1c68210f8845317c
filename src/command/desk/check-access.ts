import type { Words } from '../../words/words.ts';
import type { Call } from '../call.ts';
import type { Given, Options } from '../option.ts';
import type { Reply } from '../reply.ts';
import type { DeskParts } from './desk-parts.ts';
import type { Occasion } from './pending-command.ts';

export const refusal = (text: string): Reply => ({
  kind: 'message',
  view: { tone: 'failed', lines: [text] },
  private: 'in-place',
});

const textsOf = (options: Options, given: Given): readonly string[] =>
  Object.keys(options)
    .filter((name) => options[name]?.kind === 'text' && given[name] !== undefined)
    .map((name) => String(given[name]));

/** Permission, then what the community decided: why this may not go on, if so. */
export const createAdmit =
  (parts: DeskParts) =>
  async (occasion: Occasion, call: Call, options: Options): Promise<Reply | undefined> => {
    const { command, incoming } = occasion;
    const { words } = call;
    if (command.access === 'moderator') {
      if (!(await call.isModerator())) return refusal(words.gate.moderatorsOnly);
    } else if (!command.evenBlocked && (await parts.gate.blocked(incoming.caller, incoming.place)))
      return refusal(words.gate.blocked);
    if (!command.generates) return undefined;
    const paused = await parts.gate.paused(incoming.place);
    if (paused !== undefined)
      return refusal(paused.lost ? words.gate.settingsLost : words.gate.paused(paused.reason));
    if (await parts.gate.banned(incoming.place, textsOf(options, occasion.given)))
      return refusal(words.gate.bannedWord);
    return undefined;
  };

/** Asked once of everybody, when nothing else stands in the way: `draft` holds what goes on then. */
export const consentQuestion = (draft: string, words: Words): Reply => ({
  kind: 'message',
  private: 'in-place',
  view: {
    tone: 'ask',
    title: words.consent.title,
    lines: [words.consent.people, words.consent.age, words.consent.sent],
    buttons: [[{ action: `consent:${draft}`, label: words.consent.button, style: 'primary' }]],
  },
});

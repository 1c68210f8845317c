import type { Message, User } from 'grammy/types';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Command } from '../../../command/command.ts';
import { anonymousId, speakerId } from './parse.ts';

const MOST_NAMES = 10_000;

/** The command's or subcommand's option for a person. */
function personOption(line: string, command: Command | undefined): string | undefined {
  const [, second = ''] = line.split(/\s+/, 2);
  const action = command?.action ?? command?.subcommands?.[second.toLowerCase()];
  return Object.entries(action?.options ?? {}).find(([, option]) => option.kind === 'user')?.[0];
}

/**
 * Every message in a topic is formally a reply to the one that opened it, and every comment a reply to the channel's post:
 * those do not count, nor do anonymous administrators.
 */
function personAnswered({ reply_to_message: answered, chat }: Message): string | undefined {
  if (answered === undefined || answered.is_automatic_forward || answered.forum_topic_created)
    return undefined;
  const id = speakerId(answered);
  if (answered.sender_chat !== undefined) return id === anonymousId(chat.id) ? undefined : id;
  return answered.from?.is_bot ? undefined : id;
}

/**
 * The Bot API cannot resolve an @name. Names of people who wrote recently are kept in memory, for `/settings block @ann`;
 * a mention of somebody without a username carries their id.
 */
export function createPeople() {
  const ids = new Map<string, number>();
  return {
    meet({ username, id, is_bot: isBot }: User): void {
      if (username === undefined || isBot) return;
      const name = username.toLowerCase();
      ids.delete(name);
      ids.set(name, id);
      keepLatest(ids, MOST_NAMES);
    },
    forget(id: number): void {
      for (const [name, known] of ids) if (known === id) ids.delete(name);
    },
    /** Replaces names by ids; adds the author of the message replied to where a person is missing. */
    resolve(line: string, message: Message, command: Command | undefined): string {
      const option = personOption(line, command);
      if (option === undefined) return line;
      // Line and message end alike, so offsets are counted from the end.
      const { length } = (message.text ?? message.caption ?? '').trimEnd();
      let resolved = line;
      for (const entity of (message.entities ?? message.caption_entities ?? []).toReversed()) {
        if (entity.type !== 'text_mention') continue;
        const start = line.length - (length - entity.offset);
        resolved = `${resolved.slice(0, start)}${entity.user.id}${resolved.slice(start + entity.length)}`;
      }
      resolved = resolved.replace(/(?<=[\s=])@(\w{4,32})/g, (whole, name: string) =>
        String(ids.get(name.toLowerCase()) ?? whole),
      );
      const answered = personAnswered(message);
      const named =
        resolved !== line || new RegExp(`(\\s${option}[=:])|(\\s(channel:-)?\\d{5,}(\\s|$))`).test(resolved);
      // The person follows the subcommand; the rest is the reason.
      if (named || answered === undefined) return resolved;
      return resolved.replace(/^(\S+\s+\S+)/, `$1 ${option}=${answered}`);
    },
  };
}

export type People = ReturnType<typeof createPeople>;

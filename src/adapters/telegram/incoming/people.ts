import type { Message, User } from 'grammy/types';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Command } from '../../../command/command.ts';
import { anonymousId, speakerId } from './parse.ts';

/**
 * The Bot API does not tell whose @name it is. Names of people who spoke here lately are remembered in memory, so
 * that a moderator can say `/settings block @ann`; a mention of somebody without a name carries the person itself.
 */
export interface People {
  meet(user: User): void;
  forget(id: number): void;
  /** The line with people's ids in place of their names, and the one whose message it answers where one is needed. */
  resolve(line: string, message: Message, command: Command | undefined): string;
}

const mostNames = 10_000;

/** The option for a person that this line's command, or subcommand, has. */
const personOption = (line: string, command: Command | undefined): string | undefined => {
  const [, second = ''] = line.split(/\s+/, 2);
  const action = command?.action ?? command?.subcommands?.[second.toLowerCase()];
  return Object.entries(action?.options ?? {}).find(([, option]) => option.kind === 'user')?.[0];
};

/**
 * Every message in a topic formally answers the note that opened it, and every comment the channel's post: nobody
 * meant those. One who hides among the administrators is nobody in particular.
 */
const personAnswered = ({ reply_to_message: answered, chat }: Message): string | undefined => {
  if (answered === undefined || answered.is_automatic_forward || answered.forum_topic_created)
    return undefined;
  const id = speakerId(answered);
  if (answered.sender_chat !== undefined) return id === anonymousId(chat.id) ? undefined : id;
  return answered.from?.is_bot ? undefined : id;
};

export const createPeople = (): People => {
  const ids = new Map<string, number>();
  return {
    meet({ username, id, is_bot: isBot }) {
      if (username === undefined || isBot) return;
      const name = username.toLowerCase();
      ids.delete(name);
      ids.set(name, id);
      keepLatest(ids, mostNames);
    },
    forget(id) {
      for (const [name, known] of ids) if (known === id) ids.delete(name);
    },
    resolve(line, message, command) {
      const option = personOption(line, command);
      if (option === undefined) return line;
      // The line ends as the message does; from its end each name is found where it stands, whatever else is called so.
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
      // The person comes right after the subcommand; what follows is the reason.
      if (named || answered === undefined) return resolved;
      return resolved.replace(/^(\S+\s+\S+)/, `$1 ${option}=${answered}`);
    },
  };
};

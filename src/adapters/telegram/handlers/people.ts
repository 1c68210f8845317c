import type { Message, User } from 'grammy/types';
import { type Clock, DAY_MS } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { createKeyedQueue } from '../../../base/limits/keyed-queue.ts';
import { actionIn, type Command } from '../../../command/command.ts';
import type { Options } from '../../../command/option.ts';
import { readCommandLine } from '../../../command/text/grammar.ts';
import { anonymousId, speakerId } from '../api/caller-and-place.ts';

/** Matches each @name in a line. */
const NAMED = /(?<=[\s=])@(\w{4,32})/g;
const MOST_IN_A_LINE = 5;
const MOST_NAMES = 10_000;
const STORED_MS = 30 * DAY_MS;

const nameKey = (name: string): string => `telegram:name:${name}`;
const namedKey = (id: number): string => `telegram:named:${id}`;

/** The options of the command or subcommand that the line calls. */
function optionsOf(line: string, command: Command | undefined): Options {
  if (command === undefined) return {};
  return actionIn(command, readCommandLine(line, [command])?.subcommand)?.options ?? {};
}

/** Whether a number in the line is a person's id; a single number may be the amount that the command takes. */
function namesById(line: string, options: Options): boolean {
  const ids = line.split(/\s+/).filter((word) => /^(channel:-)?\d{5,}$/.test(word));
  const numbers = line.split(/\s+/).filter((word) => /^\d+$/.test(word));
  const most = Object.values(options).find((option) => option.kind === 'integer')?.max ?? 0;
  return ids.some((id) => numbers.length > 1 || !(Number(id) <= most));
}

/**
 * The id of the person whose message is replied to. Every message in a topic is formally a reply to the message that opened
 * it, and every comment a reply to the channel's post: such replies do not count, and neither do replies to anonymous
 * administrators.
 */
function personAnswered({ reply_to_message: answered, chat }: Message): string | undefined {
  if (answered === undefined || answered.is_automatic_forward || answered.forum_topic_created)
    return undefined;
  const id = speakerId(answered);
  if (answered.sender_chat !== undefined) return id === anonymousId(chat.id) ? undefined : id;
  return answered.from?.is_bot ? undefined : id;
}

/**
 * Resolves @names to ids, e.g. for `/settings block @ann`. The Bot API cannot do that, so the names of people who wrote
 * recently are stored, for all processes. A mention of a person without a username contains their id.
 */
export function createPeople(clock: Pick<Clock, 'now'>, state: Records) {
  const met = new Map<number, { readonly name: string | undefined; readonly at: number }>();
  const inTurn = createKeyedQueue();
  /** Stores a person's current name, and deletes their former one, which may soon be another person's. */
  const store = async (id: number, name: string | undefined): Promise<void> => {
    const before = await state.get<string>(namedKey(id));
    if (before !== undefined && before !== name && (await state.get(nameKey(before))) === id)
      await state.delete(nameKey(before));
    if (name === undefined) {
      if (before !== undefined) await state.delete(namedKey(id));
      return;
    }
    await state.set(namedKey(id), name, STORED_MS);
    await state.set(nameKey(name), id, STORED_MS);
  };
  return {
    /** Stores the name of somebody who wrote; returns false if it was stored already. */
    async meet({ username, id, is_bot: isBot }: User): Promise<boolean> {
      if (isBot) return false;
      const name = username?.toLowerCase();
      const known = met.get(id);
      if (known !== undefined && known.name === name && clock.now() - known.at < DAY_MS) {
        met.delete(id);
        met.set(id, known);
        return false;
      }
      // Other people with this name are forgotten here, so that it is stored again if it returns to one of them.
      for (const [other, had] of met) if (other === id || had.name === (name ?? '')) met.delete(other);
      met.set(id, { name, at: clock.now() });
      keepLatest(met, MOST_NAMES);
      await inTurn('', () => store(id, name));
      return true;
    },
    async forget(id: number): Promise<void> {
      met.delete(id);
      await inTurn('', () => store(id, undefined));
    },
    /** Replaces names by ids in a command, and adds the author of the message replied to if the command names no person. */
    async resolve(line: string, message: Message, command: Command | undefined): Promise<string> {
      const options = optionsOf(line, command);
      const option = Object.entries(options).find(([, { kind }]) => kind === 'user')?.[0];
      if (option === undefined) return line;
      // Offsets are counted from the end, because only the beginning of the line differs from the message.
      const { length } = (message.text ?? message.caption ?? '').trimEnd();
      let resolved = line;
      for (const entity of (message.entities ?? message.caption_entities ?? []).toReversed()) {
        if (entity.type !== 'text_mention') continue;
        const start = line.length - (length - entity.offset);
        resolved = `${resolved.slice(0, start)}${entity.user.id}${resolved.slice(start + entity.length)}`;
      }
      const ids = new Map<string, number | undefined>();
      for (const [, name = ''] of [...resolved.matchAll(NAMED)].slice(0, MOST_IN_A_LINE))
        ids.set(name, await state.get<number>(nameKey(name.toLowerCase())));
      resolved = resolved.replace(NAMED, (whole, name: string) => String(ids.get(name) ?? whole));
      const answered = personAnswered(message);
      const named =
        resolved !== line || new RegExp(`\\s${option}[=:]`).test(resolved) || namesById(resolved, options);
      // The person is inserted after the subcommand, because the rest of the line is the reason.
      if (named || answered === undefined) return resolved;
      return resolved.replace(/^(\S+\s+\S+)/, `$1 ${option}=${answered}`);
    },
  };
}

export type People = ReturnType<typeof createPeople>;

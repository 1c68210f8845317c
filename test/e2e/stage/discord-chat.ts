import { filesOf, menuOf, partsOf } from '../../fakes/discord/components.ts';
import type { FakeDiscord } from '../../fakes/discord/discord.ts';
import type { Attached, DiscordPerson, Where } from '../../fakes/discord/people.ts';
import type { Message } from '../../fakes/discord/world.ts';
import {
  createOutcome,
  type Line,
  type Outcome,
  type Person,
  type Platform,
  type Room,
  type Seen,
} from './chat.ts';
import { typeOf } from './pictures.ts';

/** The prefix of the data behind the bot's buttons; an action follows. */
const ACTION_PREFIX = 'a:';

const manageServer = 0x20n;
/** A role of every server. */
const MODERATORS = '77';
const MODAL = 9;
const TEXT_INPUT = 4;

interface FormRow {
  readonly component: { readonly type: number; readonly custom_id: string };
}

interface Pressable {
  readonly label: string;
  readonly data: string;
}

const entriesOf = (message: Message): readonly Pressable[] =>
  menuOf(message)?.options.map(({ label, value: data }) => ({ label, data })) ?? [];

/** The entries of its menu, then its buttons. */
const pressableOf = (message: Message): readonly Pressable[] => {
  const buttons = partsOf(message).flatMap(({ label, custom_id: data }) =>
    label === undefined ? [] : [{ label: String(label), data: String(data) }],
  );
  return [...entriesOf(message), ...buttons];
};

const kindOf = (type: string): 'image' | 'video' | 'file' =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'file';

const see = (message: Message): Seen => {
  // The picture over a menu is no result.
  const [file] = menuOf(message) === undefined ? filesOf(message) : [];
  return {
    id: message.id,
    // Headings and bold are seen as such, and what escapes markdown is not seen.
    text: message.content
      .replaceAll(/^### /gm, '')
      .replaceAll('**', '')
      .replaceAll(/\\([^\w\s])/g, '$1')
      .replaceAll('\u2060', ''),
    buttons: pressableOf(message).map(({ label }) => label),
    ...(file === undefined ? {} : { media: { kind: kindOf(file.type), bytes: file.bytes } }),
    private: message.onlyFor !== undefined,
  };
};

const attach = (bytes: Uint8Array, name: string): Attached => {
  const type = typeOf(bytes);
  return { name: `${name}.${type.split('/')[1]}`, type, bytes };
};

const value = (text: string): string | number | boolean => {
  if (text === 'yes' || text === 'no') return text === 'yes';
  return text;
};

/** The direct chat between the bot and a person, which exists from the first time that a test asks for it. */
const directChatOf = ({ world }: FakeDiscord, { user }: DiscordPerson): Where => {
  const channel =
    [...world.channels.values()].find(({ recipient }) => recipient === user.id)?.id ?? world.id();
  if (!world.channels.has(channel)) world.channels.set(channel, { id: channel, recipient: user.id });
  return { channel, guildInstalled: true };
};

/** `room`: where the person belongs; `where`: where they are. */
const createPerson = (fake: FakeDiscord, person: DiscordPerson, room: Where, where = room): Person => {
  const { world } = fake;
  const known = (id: string): Message => {
    const message = world.messages.get(id);
    if (message === undefined) throw new Error('the message has gone');
    return message;
  };
  const visible = (message: Message | undefined): message is Message =>
    message !== undefined && (message.onlyFor === undefined || message.onlyFor === person.user.id);
  type Sent = ReturnType<DiscordPerson['types']>;
  const sentFor = new WeakMap<Outcome, Sent>();
  const outcomeOf = (sent: Sent): Outcome => {
    const outcome = createOutcome(() => sent.messages().filter(visible).map(see));
    sentFor.set(outcome, sent);
    return outcome;
  };

  /** The form that an interaction opened, or the one behind the button of its question. */
  const formOf = async (question: Outcome): Promise<Sent> => {
    const sent = sentFor.get(question);
    if (sent === undefined) throw new Error('that is no question of ours');
    if ((await sent.answered()).type === MODAL) return sent;
    const asked = await question.offers('Write…');
    const opening = person.presses(known(asked.id), 'Write…');
    await opening.answered();
    return opening;
  };

  const types = ({ command, given = {}, photos = {} }: Line): Outcome => {
    const numbers = new Set(['amount']);
    const values = Object.fromEntries([
      ...Object.entries(photos).map(([name, bytes]) => [name, attach(bytes, name)] as const),
      ...Object.entries(given).map(
        ([name, text]) => [name, numbers.has(name) ? Number(text) : value(text)] as const,
      ),
    ]);
    return outcomeOf(person.types(`/${command}`, values));
  };

  return {
    key: `discord:${person.user.id}`,
    types,
    presses(message, label) {
      const pressed = known(message.id);
      const isEntry = entriesOf(pressed).some((entry) => entry.label === label);
      return outcomeOf(isEntry ? person.chooses(pressed, label) : person.presses(pressed, label));
    },
    async answers(question, text) {
      const form = await formOf(question);
      const { components } = (await form.answered()).data as { components: readonly FormRow[] };
      const fields = components.map(({ component }) => component).filter(({ type }) => type === TEXT_INPUT);
      return outcomeOf(
        person.submits(form, Object.fromEntries(fields.map(({ custom_id }) => [custom_id, text]))),
      );
    },
    forges(message, action) {
      const forged = {
        ...known(message.id),
        components: [{ components: [{ label: 'forged', custom_id: `${ACTION_PREFIX}${action}` }] }],
      };
      return outcomeOf(person.presses(forged, 'forged'));
    },
    actionOf: (message, label) => {
      const data = pressableOf(known(message.id)).find((each) => each.label === label)?.data ?? '';
      return data.startsWith(ACTION_PREFIX) ? data.slice(ACTION_PREFIX.length) : data;
    },
    again: ({ id }) => {
      const message = world.messages.get(id);
      return visible(message) ? see(message) : undefined;
    },
    takesDown: ({ id }) => void world.messages.delete(id),
    seenByAll: () =>
      fake
        .messages(where.channel)
        .filter(({ author }) => author === world.bot.id)
        .map(see),
    sees: () =>
      fake
        .messages(where.channel, person)
        .filter(({ author }) => author === world.bot.id)
        .map(see),
    moderates(yes) {
      person.permissions = yes ? manageServer : 0n;
      // A role makes the person a moderator, because the program asks for roles when it cannot read the channel in time.
      const server = world.guilds.get(where.guild ?? '');
      const others = (server?.members.get(person.user.id) ?? []).filter((role) => role !== MODERATORS);
      server?.roles.set(MODERATORS, manageServer);
      server?.members.set(person.user.id, yes ? [...others, MODERATORS] : others);
    },
    at(spot) {
      const there = spot === 'room' ? room : directChatOf(fake, person);
      const { locale, permissions } = person;
      return createPerson(fake, Object.assign(person.at(there), { locale, permissions }), room, there);
    },
  };
};

const createRoom = (fake: FakeDiscord, where: Where): Room => {
  const people = new Map<string, DiscordPerson>();
  return {
    community: `discord:${where.guild}`,
    person(name, { language = 'en-US' } = {}) {
      const person = people.get(name) ?? fake.newcomer(name).at(where);
      people.set(name, person);
      person.locale = language;
      return createPerson(fake, person, where);
    },
  };
};

export const discordChat = (fake: FakeDiscord): Platform => ({
  name: 'discord',
  room({ foreign = false, name = 'Photo club' } = {}) {
    const { world } = fake;
    const guild = world.id();
    const channel = world.id();
    world.guilds.set(guild, {
      id: guild,
      name,
      owner: world.id(),
      roles: new Map([[guild, 0n]]),
      members: new Map(),
      botPresent: !foreign,
    });
    world.channels.set(channel, { id: channel, guild });
    return createRoom(fake, { channel, guild, guildInstalled: !foreign });
  },
});

import { menuOf, partsOf } from './components.ts';
import {
  emptyMessage,
  fileJson,
  type Interaction,
  type Message,
  messageJson,
  type StoredFile,
  type User,
  userJson,
  type World,
} from './world.ts';

/** A picture that a person attaches. */
export interface Attached {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

type Value = string | number | boolean | Attached;

/** The channel where a person acts. */
export interface Where {
  readonly channel: string;
  readonly guild?: string;
  /** Installed by the server, or only by this person for themselves. */
  readonly guildInstalled: boolean;
}

/** An interaction that a person sent, and what the bot made of it. */
export interface Sent {
  readonly interaction: Interaction;
  /** The bot's first answer, once it is there. */
  answered(): Promise<NonNullable<Interaction['ack']>>;
  /** The message that the answer made or, if it made none, changed. */
  message(): Message | undefined;
  /** All messages that the bot made or changed because of it. */
  messages(): readonly Message[];
}

/** A person with a Discord client: what they can do, and the interactions that this sends to the bot. */
export interface DiscordPerson {
  readonly user: User;
  locale: string;
  permissions: bigint;
  sizeLimit: number;
  types(line: string, values?: Readonly<Record<string, Value>>): Sent;
  /** Types into one option of a command without sending it. */
  completes(line: string, option: string, typed: string): Sent;
  usesMenu(title: string, message: Message): Sent;
  presses(message: Message, label: string): Sent;
  /** Chooses from the message's menu. */
  chooses(message: Message, ...labels: string[]): Sent;
  /** Fills in the form that the bot opened as an answer to `sent`. */
  submits(sent: Sent, values: Readonly<Record<string, string | Attached | readonly Attached[]>>): Sent;
  posts(content: string, files?: readonly Attached[], embeds?: readonly unknown[]): Message;
  at(where: Where): DiscordPerson;
}

const isAttached = (value: unknown): value is Attached => typeof value === 'object' && value !== null;

const optionType = (value: Value): number =>
  isAttached(value) ? 11 : typeof value === 'boolean' ? 5 : typeof value === 'number' ? 4 : 3;

/** A person with a Discord client at this place, whose interactions go to `deliver`. */
export const createDiscordPerson = (
  world: World,
  deliver: (interaction: Interaction, payload: object) => void,
  origin: () => string,
  user: User,
  where: Where,
): DiscordPerson => {
  const keep = (file: Attached): StoredFile => {
    const stored: StoredFile = { ...file, id: world.id(), expired: false };
    world.files.set(stored.id, stored);
    return stored;
  };

  const send = (
    person: DiscordPerson,
    type: number,
    data: object,
    extra: object = {},
    source?: Message,
  ): Sent => {
    const id = world.id();
    const { channel, guild, guildInstalled } = where;
    const interaction: Interaction = {
      id,
      token: `token-${id}`,
      at: world.clock.now(),
      type,
      user: user.id,
      channel,
      guildInstalled,
      sizeLimit: person.sizeLimit,
      ...(source === undefined ? {} : { source: source.id }),
      followUps: [],
    };
    world.interactions.set(interaction.token, interaction);
    const parent = world.channels.get(channel)?.parent;
    const owner = guildInstalled ? { 0: guild ?? '0' } : { 1: user.id };
    const who = userJson(user);
    deliver(interaction, {
      version: 1,
      id,
      token: interaction.token,
      application_id: world.application,
      type,
      data,
      channel_id: channel,
      channel: {
        id: channel,
        ...(parent === undefined
          ? { type: guild === undefined ? 1 : 0 }
          : { type: 11, parent_id: parent, thread_metadata: {} }),
      },
      context: guild === undefined ? (guildInstalled ? 1 : 2) : 0,
      authorizing_integration_owners: owner,
      attachment_size_limit: person.sizeLimit,
      app_permissions: '0',
      entitlements: [],
      locale: person.locale,
      ...(guild === undefined
        ? { user: who }
        : {
            guild_id: guild,
            guild_locale: 'en-US',
            guild: { id: guild, locale: 'en-US', features: [] },
            member: {
              user: who,
              permissions: String(person.permissions),
              roles: world.guilds.get(guild)?.members.get(user.id) ?? [],
              joined_at: '2020-01-01T00:00:00Z',
              deaf: false,
              mute: false,
              flags: 0,
            },
          }),
      // The message is the one that Discord knows, whatever the client says of it.
      ...(source === undefined
        ? {}
        : { message: messageJson(world, origin(), world.messages.get(source.id) ?? source) }),
      ...extra,
    });
    const messages = (): readonly Message[] => {
      const ids = [interaction.original ?? '', ...interaction.followUps];
      const own = ids.flatMap((each) => world.messages.get(each) ?? []);
      // A press that is not answered at once is acknowledged, and then answered by the bot in a reply of its own.
      const replies = [...world.messages.values()].filter(
        ({ repliesTo, id: made }) =>
          source !== undefined && repliesTo === source.id && BigInt(made) > BigInt(id),
      );
      return [...own, ...replies];
    };
    return {
      interaction,
      async answered() {
        while (interaction.ack === undefined) await new Promise((done) => setTimeout(done, 2));
        return interaction.ack;
      },
      message: () => messages().find((each) => each.id !== source?.id) ?? messages()[0],
      messages,
    };
  };

  const commandData = (line: string, options: readonly object[], resolved: object): object => {
    const [name = '', subcommand] = line.replace(/^\//, '').split(' ');
    return {
      id: '1',
      name,
      type: 1,
      resolved,
      options: subcommand === undefined ? options : [{ type: 1, name: subcommand, options }],
    };
  };

  const person: DiscordPerson = {
    user,
    locale: 'en-US',
    permissions: 0n,
    sizeLimit: 10 * 1024 * 1024,
    types(line, values = {}) {
      const attachments: Record<string, unknown> = {};
      const roles: Record<string, unknown> = {};
      const options = Object.entries(values).map(([name, value]) => {
        const role = typeof value === 'string' ? /^<@&(\d+)>$/.exec(value)?.[1] : undefined;
        if (role !== undefined) {
          roles[role] = { id: role, name: 'a role' };
          return { name, type: 9, value: role };
        }
        if (!isAttached(value)) return { name, type: optionType(value), value };
        const file = keep(value);
        attachments[file.id] = fileJson(world, origin(), file);
        return { name, type: 11, value: file.id };
      });
      return send(this, 2, commandData(line, options, { attachments, roles }));
    },
    completes(line, option, typed) {
      return send(this, 4, commandData(line, [{ name: option, type: 3, value: typed, focused: true }], {}));
    },
    usesMenu(title, message) {
      const messages = { [message.id]: messageJson(world, origin(), message) };
      return send(this, 2, { id: '2', name: title, type: 3, target_id: message.id, resolved: { messages } });
    },
    presses(message, label) {
      const buttons = partsOf(message);
      const button = buttons.find((each) => each.label === label);
      if (button === undefined)
        throw new Error(`no button "${label}" among ${buttons.map((each) => each.label)}`);
      return send(this, 3, { component_type: 2, custom_id: button.custom_id }, {}, message);
    },
    chooses(message, ...labels) {
      const menu = menuOf(message);
      const values = labels.map((label) => menu?.options.find((each) => each.label === label)?.value);
      if (menu === undefined || values.includes(undefined))
        throw new Error(`no entry "${labels}" among ${menu?.options.map(({ label }) => label)}`);
      return send(this, 3, { component_type: 3, custom_id: menu.custom_id, values }, {}, message);
    },
    submits(sent, values) {
      const form = sent.interaction.ack?.data as { custom_id: string; components: readonly FormRow[] };
      const attachments: Record<string, unknown> = {};
      const components = form.components.map(({ component }) => {
        const value = values[component.custom_id];
        if (typeof value === 'object') {
          const files = [value].flat().map(keep);
          if (files.length > (component.max_values ?? 1)) throw new Error('more files than the form takes');
          for (const file of files) attachments[file.id] = fileJson(world, origin(), file);
          return label({ ...component, values: files.map(({ id }) => id) });
        }
        return label(
          component.type === TEXT_INPUT || component.type === RADIO_GROUP
            ? { ...component, value: value ?? '' }
            : { ...component, values: value === undefined ? [] : [value] },
        );
      });
      const data = { custom_id: form.custom_id, components, resolved: { attachments } };
      return send(this, 5, data, {}, world.messages.get(sent.interaction.source ?? ''));
    },
    posts(content, files = [], embeds = []) {
      const own = emptyMessage(world, where.channel, user.id);
      const message: Message = { ...own, content, attachments: files.map(keep), embeds };
      world.messages.set(message.id, message);
      return message;
    },
    at: (elsewhere) => createDiscordPerson(world, deliver, origin, user, elsewhere),
  };
  return person;
};

const TEXT_INPUT = 4;
const RADIO_GROUP = 21;

interface FormRow {
  readonly component: { readonly type: number; readonly custom_id: string; readonly max_values?: number };
}

const label = (component: object): object => ({ type: 18, id: 1, component });

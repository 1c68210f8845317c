import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  Locale,
  type LocalizationMap,
  PermissionFlagsBits,
  type RESTPutAPIApplicationCommandsJSONBody,
} from 'discord.js';
import { sleep } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Action, Command } from '../../command/command.ts';
import { jobMenuEntries } from '../../command/describe.ts';
import { type Description, isAlwaysRequired, type Option, type Options } from '../../command/option.ts';
import { shorten } from '../../command/shorten.ts';
import { type InEveryLanguage, inEachLanguage, LANGUAGES } from '../../words/language.ts';
import { languages } from '../../words/words.ts';
import { registerChanged } from '../register-changed.ts';
import type { DiscordContext } from './rest/api.ts';

/**
 * Discord's locales of a language, e.g. `es-ES` and `es-419` for Spanish; none for a language that Discord does not have.
 */
const localesOf = (language: string): readonly Locale[] =>
  Object.values(Locale).filter((locale) => locale.split('-', 1)[0] === language);

const DESCRIPTION_LIMIT = 100;
const CHOICE_LIMIT = 25;
const TEXT_LIMIT = 6000;
const RETRY_MS = 5 * 60_000;

const short = (text: string): string => shorten(text, DESCRIPTION_LIMIT);

const everywhere = {
  contexts: [
    InteractionContextType.Guild,
    InteractionContextType.BotDM,
    InteractionContextType.PrivateChannel,
  ],
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
};

/** Translates command declarations into the body of Discord's request for their registration. */
export function registration(commands: readonly Command[]): RESTPutAPIApplicationCommandsJSONBody {
  /** The localizations of a text: those languages whose text differs from the English one. */
  const localized = (said: InEveryLanguage): LocalizationMap | undefined => {
    const others: LocalizationMap = {};
    for (const language of LANGUAGES)
      if (said[language] !== said.en)
        for (const locale of localesOf(language)) others[locale] = short(said[language]);
    return Object.keys(others).length > 0 ? others : undefined;
  };

  const described = ({ description }: { readonly description: Description }) => {
    if (typeof description === 'string') return { description: short(description) };
    const others = localized(description);
    return { description: short(description.en), ...defined({ description_localizations: others }) };
  };

  const choice = (value: string) => {
    const others = localized(inEachLanguage((language) => languages[language].choices[value] ?? value));
    return { name: value, value, ...defined({ name_localizations: others }) };
  };

  const options = (declared: Options): APIApplicationCommandBasicOption[] =>
    // Discord requires the required options to come first.
    Object.entries(declared)
      .sort(([, a], [, b]) => Number(isAlwaysRequired(b)) - Number(isAlwaysRequired(a)))
      .map(([name, option]) => ({
        name,
        required: isAlwaysRequired(option),
        ...described(option),
        ...kindOf(option, choice),
      }));

  const subcommands = (actions: Readonly<Record<string, Action>>) =>
    Object.entries(actions).map(([name, action]) => ({
      type: ApplicationCommandOptionType.Subcommand as const,
      name,
      ...described(action),
      options: options(action.options),
    }));

  const permissions = (command: Command) =>
    // Discord lets a server override this default, so the desk checks the permission at every call.
    command.access === 'moderator'
      ? { default_member_permissions: String(PermissionFlagsBits.ManageGuild) }
      : {};

  const typed = commands.map((command) => ({
    type: ApplicationCommandType.ChatInput as const,
    name: command.name,
    ...described(command),
    ...everywhere,
    ...permissions(command),
    options:
      command.subcommands === undefined
        ? options(command.action?.options ?? {})
        : subcommands(command.subcommands),
  }));
  const menu = (command: Command, title: InEveryLanguage) => ({
    type: ApplicationCommandType.Message as const,
    // An interaction names its command by this text, without localization.
    name: title.en,
    ...defined({ name_localizations: localized(title) }),
    ...everywhere,
    ...permissions(command),
  });
  const menus = commands.flatMap((each) => (each.menu === undefined ? [] : [menu(each, each.menu)]));
  const jobMenus = jobMenuEntries(commands).map(({ command, title }) => menu(command, title));
  return [...typed, ...menus, ...jobMenus];
}

const text = { type: ApplicationCommandOptionType.String as const };
const autocompleted = { ...text, autocomplete: true as const };

function kindOf(option: Option, choice: (value: string) => APIApplicationCommandOptionChoice<string>) {
  switch (option.kind) {
    case 'image':
      // `file_types` makes Discord's file picker offer images alone.
      return { type: ApplicationCommandOptionType.Attachment as const, file_types: ['image' as const] };
    case 'text':
      return { ...text, min_length: option.min ?? 1, max_length: Math.min(option.max, TEXT_LIMIT) };
    case 'choice':
      return option.choices.length > CHOICE_LIMIT
        ? autocompleted
        : { ...text, choices: option.choices.map(choice) };
    case 'flag':
      return { type: ApplicationCommandOptionType.Boolean as const };
    case 'integer':
      return {
        type: ApplicationCommandOptionType.Integer as const,
        min_value: option.min,
        max_value: option.max,
      };
    case 'time':
      return { ...text, max_length: 16 };
    case 'user':
      return option.roles
        ? { type: ApplicationCommandOptionType.Mentionable as const }
        : { type: ApplicationCommandOptionType.User as const };
    case 'alias':
    case 'face':
      return option.fresh === true ? { ...text, max_length: 32 } : autocompleted;
    case 'reference':
    case 'time-zone':
    case 'command':
      return autocompleted;
    case 'channel':
      // Discord's own type of option offers no deleted channels, which moderators must be able to remove from their settings.
      return autocompleted;
  }
}

/**
 * Overwrites the commands at Discord in one request if they have changed, because each new name counts against a limit of
 * 200 a day. Retries until that succeeds, or until another application is to be registered.
 */
export function createRegistration(
  { api, members, state, clock, log, stop }: DiscordContext,
  commands: readonly Command[],
) {
  const registered = registration(commands);
  let latest: string | undefined;
  return async (application: string): Promise<void> => {
    latest = application;
    const register = async (): Promise<void> => {
      const isNew = await registerChanged(state, `commands:${application}`, registered, () =>
        api.applicationCommands.bulkOverwriteGlobalCommands(application, registered),
      );
      if (isNew) log.info('commands registered with Discord');
    };
    while (latest === application && !stop.aborted)
      try {
        // The lock lets one process register the commands; the next one finds them registered.
        return await members.hold('discord-commands', register, stop);
      } catch (error) {
        log.warn({ err: error }, 'the commands could not be registered with Discord; retrying later');
        await sleep(clock, RETRY_MS, stop).catch(() => undefined);
      }
  };
}

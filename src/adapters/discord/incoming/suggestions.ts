import type { APIApplicationCommandAutocompleteInteraction } from 'discord.js';
import { defined } from '../../../base/defined.ts';
import type { Desk } from '../../../command/desk.ts';
import { readCaller, readFocused, readOptions, readPlace } from '../api/interaction.ts';

/** Discord's limits. */
const mostSuggestions = 25;
const longestSuggestion = 100;

/** Values for the option that is being typed. */
export const suggestionsFor = (
  interaction: APIApplicationCommandAutocompleteInteraction,
  desk: Desk,
): readonly { readonly name: string; readonly value: string }[] => {
  const { name, options } = interaction.data;
  const focused = readFocused(options);
  if (focused === undefined) return [];
  const { given, subcommand } = readOptions(options, undefined);
  const caller = readCaller(interaction);
  const place = readPlace(interaction);
  return desk
    .complete(
      { caller, place, command: name, given, ...focused, ...defined({ subcommand }) },
      mostSuggestions,
    )
    .filter(({ value }) => value !== '' && value.length <= longestSuggestion)
    .slice(0, mostSuggestions)
    .map(({ value, label }) => ({ name: [...label].slice(0, longestSuggestion).join('') || value, value }));
};

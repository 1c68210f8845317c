import type { APIApplicationCommandAutocompleteInteraction } from 'discord.js';
import { defined } from '../../../base/defined.ts';
import type { Desk } from '../../../command/desk.ts';
import { readCaller, readFocused, readOptions, readPlace } from '../api/interaction.ts';

/** Discord's limits. */
const MOST_SUGGESTIONS = 25;
const LONGEST_SUGGESTION = 100;

/** Values for the option that is being typed. */
export async function suggestionsFor(
  interaction: APIApplicationCommandAutocompleteInteraction,
  desk: Desk,
): Promise<readonly { readonly name: string; readonly value: string }[]> {
  const { name, options } = interaction.data;
  const focused = readFocused(options);
  if (focused === undefined) return [];
  const { given, subcommand } = readOptions(options, undefined);
  const caller = readCaller(interaction);
  const place = readPlace(interaction);
  const suggestions = await desk.complete(
    { caller, place, command: name, given, ...focused, ...defined({ subcommand }) },
    MOST_SUGGESTIONS,
  );
  return suggestions
    .filter(({ value }) => value !== '' && value.length <= LONGEST_SUGGESTION)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ value, label }) => ({ name: [...label].slice(0, LONGEST_SUGGESTION).join('') || value, value }));
}

import { type APIInteraction, ComponentType, InteractionType } from 'discord.js';
import { z } from 'zod';
import { draftOf } from './forms.ts';
import { chosenAction } from './menu.ts';

const pressable = z.object({
  custom_id: z.string(),
  options: z.array(z.object({ value: z.string() })).optional(),
});
const rows = z.array(z.object({ components: z.array(pressable) }));

/**
 * Whether the message still has the pressed button or chosen entry, or a button of the question whose form was submitted.
 * The answer changes no other message: a press can be forged, and a question may have been answered meanwhile.
 */
export function holdsButton(interaction: APIInteraction): boolean {
  const found = rows.safeParse(interaction.message?.components ?? []).data ?? [];
  const all = found.flatMap(({ components }) => components);
  const ids = all.map(({ custom_id }) => custom_id);
  if (interaction.type === InteractionType.MessageComponent) {
    if (interaction.data.component_type === ComponentType.Button)
      return ids.includes(interaction.data.custom_id);
    const chosen = chosenAction(interaction);
    return all.some(({ options = [] }) => options.some(({ value }) => value === chosen));
  }
  if (interaction.type !== InteractionType.ModalSubmit) return false;
  const draft = draftOf(interaction.data.custom_id);
  return ids.some((id) => id.split(':').includes(draft));
}

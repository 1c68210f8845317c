import { type APIInteraction, InteractionType } from 'discord.js';
import { z } from 'zod';
import { draftOf } from './forms.ts';

const rows = z.array(z.object({ components: z.array(z.object({ custom_id: z.string() })) }));

/**
 * Whether the message still has the pressed button, or a button of the question whose form was submitted. The answer changes
 * no other message: a press can be forged, and a question may have been answered meanwhile.
 */
export function holdsButton(interaction: APIInteraction): boolean {
  const found = rows.safeParse(interaction.message?.components ?? []).data ?? [];
  const ids = found.flatMap(({ components }) => components.map(({ custom_id }) => custom_id));
  if (interaction.type === InteractionType.MessageComponent) return ids.includes(interaction.data.custom_id);
  if (interaction.type !== InteractionType.ModalSubmit) return false;
  const draft = draftOf(interaction.data.custom_id);
  return ids.some((id) => id.split(':').includes(draft));
}

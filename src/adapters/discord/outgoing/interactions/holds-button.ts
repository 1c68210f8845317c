import { type APIInteraction, ComponentType, InteractionType } from 'discord.js';
import { pressablesIn } from '../../api/message-parts.ts';
import { draftOf } from '../render/forms.ts';
import { chosenAction } from '../render/menu.ts';

/**
 * Whether the message still has the pressed button or chosen entry, or a button or entry of the question whose form was submitted.
 * The answer changes no other message: a press can be forged, and a question may have been answered meanwhile.
 */
export function holdsButton(interaction: APIInteraction): boolean {
  const all = pressablesIn(interaction.message?.components);
  if (interaction.type === InteractionType.MessageComponent) {
    if (interaction.data.component_type === ComponentType.Button)
      return all.some(({ id }) => id === interaction.data.custom_id);
    const chosen = chosenAction(interaction);
    return all.some(({ values }) => values.some((value) => value === chosen));
  }
  if (interaction.type !== InteractionType.ModalSubmit) return false;
  const draft = draftOf(interaction.data.custom_id);
  return all.some(({ id, values }) => [id, ...values].some((each) => each.split(':').includes(draft)));
}

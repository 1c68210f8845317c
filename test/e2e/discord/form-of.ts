import { en } from '../../../src/words/en/words.ts';
import { eventually } from '../../eventually.ts';
import type { DiscordPerson, Sent } from '../../fakes/discord/people.ts';

const MODAL = 9;

/** The form that was opened or, where the pictures took too long for that, the one behind the question's button. */
export const formOf = async (
  person: DiscordPerson,
  sent: Sent,
  label: string = en.ask.open,
): Promise<Sent> => {
  if ((await sent.answered()).type === MODAL) return sent;
  const question = await eventually(
    () => sent.messages().find(({ components }) => JSON.stringify(components).includes(label)),
    'a question',
  );
  const opening = person.presses(question, label);
  await opening.answered();
  return opening;
};

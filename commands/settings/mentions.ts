import { defined } from '../../src/base/defined.ts';
import { roleIn } from '../../src/command/place.ts';
import type { SettingsPort } from '../../src/command/ports.ts';
import type { ChannelSpan, Line, PersonSpan } from '../../src/command/view.ts';

/** A person by id, or a role. */
export async function personSpan(who: string, { nameOf }: Pick<SettingsPort, 'nameOf'>): Promise<PersonSpan> {
  const role = roleIn(who);
  if (role !== undefined) return { person: role, isRole: true };
  const name = await nameOf(who);
  return { person: who, ...defined({ name }) };
}

/** A sentence with a person or channel mention in it. */
export function mention(sentence: (what: string) => string, what: PersonSpan | ChannelSpan): Line {
  const [before = '', after = ''] = sentence('\n').split('\n');
  return [before, what, after];
}

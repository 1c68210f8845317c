// @module-tag slow
import { it } from 'vitest';
import type { StoredMessage } from '../fakes/telegram/world.ts';
import { photo } from './stage/lines.ts';
import { stage, useStage } from './stage/stage.ts';

useStage({ jobs: ({ run }) => (run === '/v2/run/self-prompt' ? { runningMs: 1_500 } : {}) });

const picture = (messages: readonly StoredMessage[]): StoredMessage | undefined =>
  messages.find(({ photo, caption }) => photo !== undefined && caption?.includes('AI-generated'));

it('a program follows a group that becomes a supergroup, with its settings and its running jobs', async () => {
  const { telegram } = stage;
  const mod = telegram.person('Mod moves');
  const ann = telegram.person('Ann moves');
  telegram.openPrivate(mod, ann);
  const group = telegram.group('Small', { basic: true, administrators: [mod] });
  mod.types(group, '/settings banword grue');
  await telegram.says(group, 'grue');
  ann.types(group, '/faceswap prompt="slow"', { photo });
  await telegram.until(() => telegram.fromBot(group).length > 1, 'a card');
  const large = telegram.migrate(group);
  const result = await telegram.until(() => picture(telegram.fromBot(large)), 'the result in the new chat');
  // Asked for in the old one, it is the new one's moderators' to deal with.
  mod.types(large, '/settings log here');
  await telegram.says(large, 'go to this channel');
  mod.types(large, '/settings log');
  await telegram.until(
    () =>
      telegram.fromBot(large).some(({ text }) => text?.replaceAll('\u2060', '').includes('settings.banword')),
    'what was done in the old one',
  );
  ann.presses(result, 'Report');
  await telegram.says(large, 'A result was reported');
  mod.presses(result, 'Delete');
  await telegram.until(() => !telegram.messages(large).includes(result), 'it to go');
  ann.types(large, '/faceswap prompt="a grue"', { photo });
  await telegram.says(large, 'a word that this community does not allow');
});

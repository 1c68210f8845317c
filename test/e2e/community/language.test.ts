import { describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { hidden, settings, swap } from '../stage/lines.ts';
import { resultOf } from '../stage/pictures.ts';
import { stage, useStage } from '../stage/stage.ts';

const made = await resultOf('#e0a010');

useStage({ result: made });

/** Telegram does not tell everybody's language; Discord does, but we do not have all of them. */
const untold = { discord: 'ja', telegram: '' } as const;

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  it('a community’s language serves where a person’s own is not known, and for everybody', async () => {
    const room = stage.platforms[name].room();
    const mod = room.member('Mod language');
    mod.moderates(true);
    const ann = room.member('Ann language', { language: untold[name] });
    const fay = room.member('Fay language', { language: 'fr' });
    await ann.sends({ command: 'usage' }).says('Credits today');
    await mod
      .sends(settings('language', { language: 'de' }))
      .says('The language of this community: Deutsch.');
    await mod.sends(settings('show')).says('Language: Deutsch');
    await eventually(
      () =>
        ann
          .sends({ command: 'usage' })
          .until(({ text }) => text !== '', 'an answer')
          .then(({ text }) => text.includes('Credits heute')),
      'the chosen language',
    );
    const card = await ann.sends(swap).result();
    expect(card.buttons).toContain('Noch einmal');
    // Told by the platform: it stays first.
    await fay.sends({ command: 'usage' }).says('Crédits');
    const result = await hidden(fay);
    fay.press(result, 'Partager');
    await eventually(
      () => ann.room().some(({ text }) => text.includes('Geteilt von Fay language')),
      'what is shared, in the language of all',
    );
    await mod.sends(settings('language', { language: 'automatic' })).says('each person’s own');
    await eventually(
      () =>
        ann
          .sends({ command: 'usage' })
          .until(({ text }) => text !== '', 'an answer')
          .then(({ text }) => text.includes('Credits today')),
      'English',
    );
  });
});

it('anonymous administrators and channels on Telegram are answered in it', async () => {
  const { telegram } = stage;
  const mod = telegram.person('Mod hidden');
  const group = telegram.group('Hidden club', { administrators: [mod] });
  const said = (text: string): boolean =>
    telegram.fromBot(group).some((message) => message.text?.includes(text) === true);
  mod.says(group, '/usage', { anonymous: true });
  await telegram.until(() => said('Credits today'));
  mod.says(group, '/settings language de', { anonymous: true });
  await telegram.until(() => said('The language of this community: Deutsch.'));
  mod.says(group, '/usage', { anonymous: true });
  await telegram.until(() => said('Credits heute'));
  mod.says(group, '/alias list', { channel: -1_009 });
  await telegram.until(() => said('Das kann nur die Moderation dieser Community.'));
});

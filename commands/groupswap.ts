import { defineCommand } from '../src/command/command.ts';
import { UserError } from '../src/command/errors.ts';
import { YES_WORDS } from '../src/command/read-arguments.ts';
import { rules, translations } from './texts/groupswap.ts';

export default defineCommand({
  name: 'groupswap',
  description: 'Put everyone in a group photo into a style or a scene you describe',
  translations,
  checksFaces: true,
  examples: [
    '/groupswap 3',
    '/groupswap style="Travel Poster" look=stylized outpaint=yes',
    '/groupswap prompt="a rock band on stage"',
  ],
  options: {
    photo: { kind: 'image', album: true, description: 'The group photo', required: true },
    photo2: { kind: 'image', description: 'Another photo (classic look or prompt)' },
    photo3: { kind: 'image', description: 'A third photo (classic look or prompt)' },
    style: {
      kind: 'reference',
      model: 'group',
      catalog: {
        by: 'look',
        lists: { realistic: 'realistic', stylized: 'stylized', classic: 'classic' },
      },
      or: 'prompt',
      orUnless: { look: ['classic'], outpaint: YES_WORDS },
      description: 'Style: number, name, alias or UUID',
    },
    prompt: {
      kind: 'text',
      description: 'The scene in your own words, instead of a style',
      max: 1000,
      ideas: 'group',
    },
    look: {
      kind: 'choice',
      description: 'Look of the picture',
      choices: ['realistic', 'stylized', 'classic'],
      default: 'realistic',
    },
    outpaint: { kind: 'flag', description: 'Expand the picture beyond its frame', default: false },
  },
  rules({ photo2, photo3, style, prompt, look, outpaint }, words) {
    if (prompt !== undefined && style !== undefined) throw new UserError(words.rules.filterOrPrompt('style'));
    if (prompt !== undefined && look === 'classic')
      throw new UserError(rules.classicNoPrompt[words.language]);
    if (outpaint && (prompt !== undefined || look === 'classic'))
      throw new UserError(rules.outpaint[words.language]);
    const several = photo2 !== undefined || photo3 !== undefined;
    if (style !== undefined && several && look !== 'classic')
      throw new UserError(rules.onePhoto[words.language]);
  },
  async run({ args, album, words, ask, generate, ports: { reference } }) {
    const { photo, photo2, photo3, style: typed, prompt, look, outpaint } = args;
    const faceCheck = { wanted: 'several', instead: 'faceswap' } as const;
    const given = [photo, photo2, photo3];
    const isOnePicture = album.length > 1 && album.length <= given.length;
    const photos = isOnePicture ? album : given.filter((each) => each !== undefined);

    if (prompt !== undefined)
      return look === 'realistic'
        ? generate({ kind: 'multi-swap-realistic-prompt', photos, prompt }, faceCheck)
        : generate({ kind: 'multi-swap-stylized-prompt', photos, prompt }, faceCheck);

    // Styles of this look take one photo; a prompt takes several.
    if (typed === undefined) return photo2 !== undefined && look !== 'classic' ? ask('prompt') : ask('style');
    const style = await reference(typed, 'group', look);
    if (look === 'realistic')
      return generate({ kind: 'multi-swap-realistic', photo, style, outpaint }, faceCheck);
    if (look === 'stylized')
      return generate({ kind: 'multi-swap-stylized', photo, style, outpaint }, faceCheck);
    if (style.by !== 'number') throw new UserError(rules.classicNeedsNumber[words.language]);
    return generate({ kind: 'multi-swap-classic', photos, style }, faceCheck);
  },
});

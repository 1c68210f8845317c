import { defined } from '../src/base/defined.ts';
import { defineCommand } from '../src/command/command.ts';
import { UserError } from '../src/command/errors.ts';
import { GENDERS, PICTURE_RATIOS, QUALITIES } from '../src/kinds/choices.ts';
import { rules, translations } from './texts/faceswap.ts';

export default defineCommand({
  name: 'faceswap',
  description: 'Put the face in your photo into a filter or a scene you describe',
  translations,
  menu: 'Swap face',
  checksFaces: true,
  examples: [
    '/faceswap 12 female',
    '/faceswap filter="Pop Art" gender=male ratio=square',
    '/faceswap prompt="an astronaut on the moon"',
    '/faceswap face=me 12',
  ],
  options: {
    photo: { kind: 'image', album: true, description: 'The photo with the face', required: true, or: 'face' },
    face: { kind: 'face', description: 'One of your saved faces, instead of a photo' },
    filter: {
      kind: 'reference',
      model: 'face',
      catalog: { by: 'engine', lists: { v6: 'face', v5: 'face', v1: 'face-v1' } },
      or: 'prompt',
      orUnless: { engine: ['v5', 'v1'], quality: QUALITIES },
      description: 'Filter: number, name, alias or UUID',
    },
    prompt: {
      kind: 'text',
      description: 'The scene in your own words, instead of a filter',
      max: 1000,
      ideas: 'portrait',
    },
    gender: { kind: 'choice', description: 'Who is in the photo', choices: GENDERS },
    ratio: { kind: 'choice', description: 'Shape of the picture', choices: PICTURE_RATIOS },
    quality: { kind: 'choice', description: 'v6.1 is better, v6 is faster', choices: QUALITIES },
    engine: { kind: 'choice', description: 'Generation engine', choices: ['v6', 'v5', 'v1'], default: 'v6' },
  },
  rules({ photo, face, filter, prompt, quality, engine }, words) {
    if (photo !== undefined && face !== undefined) throw new UserError(rules.photoOrFace[words.language]);
    if (prompt !== undefined && filter !== undefined)
      throw new UserError(words.rules.filterOrPrompt('filter'));
    if (prompt !== undefined && (quality !== undefined || engine !== 'v6'))
      throw new UserError(rules.engineNeedsFilter[words.language]);
    if (quality !== undefined && engine !== 'v6') throw new UserError(rules.qualityNeedsV6[words.language]);
  },
  async run({ args, words, ask, generate, ports }) {
    const { filter: typed, prompt, ratio, quality, engine } = args;
    const face = args.photo?.from === 'face' ? args.photo.name : args.face;
    const saved = face === undefined ? undefined : await ports.faces.find({ name: face });
    const photo = saved === undefined ? args.photo : ({ from: 'face', name: saved.name } as const);
    const gender = args.gender ?? saved?.gender;
    if (photo === undefined) return ask('photo');
    const wanted = gender === 'group' ? 'some' : 'one';
    const faceCheck = { wanted, instead: 'groupswap' } as const;
    if (prompt !== undefined)
      return generate({ kind: 'self-prompt', photo, prompt, ...defined({ gender, ratio }) }, faceCheck);

    if (typed === undefined) return gender === undefined ? ask('filter', 'gender') : ask('filter');
    const filter = await ports.reference(typed, 'face', engine === 'v1' ? 'face-v1' : 'face');
    if (filter.by !== 'number') {
      if (gender === 'group') throw new UserError(rules.groupNeedsNumber[words.language]);
      if (quality !== undefined) throw new UserError(rules.qualityNeedsNumber[words.language]);
    }
    if (gender === undefined) return ask('gender');

    const swap = { photo, filter, gender, ...defined({ ratio }) };
    if (engine === 'v5') return generate({ kind: 'face-swap-v5', ...swap }, faceCheck);
    if (engine === 'v1') return generate({ kind: 'face-swap-v1', ...swap }, faceCheck);
    return generate({ kind: 'face-swap-v6', ...swap, ...defined({ quality }) }, faceCheck);
  },
});

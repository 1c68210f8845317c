import { defineCommand } from '../src/command/command.ts';
import { UserError } from '../src/command/errors.ts';
import { VIDEO_ASPECTS, VIDEO_DURATIONS, VIDEO_MODELS } from '../src/kinds/choices.ts';
import { rules, translations } from './texts/animate.ts';

export default defineCommand({
  name: 'animate',
  description: 'Turn a photo into a short video',
  translations,
  menu: 'Animate',
  examples: [
    '/animate the camera drifts left',
    '/animate prompt="a slow zoom" model=performance duration=8s aspect=16:9',
  ],
  options: {
    photo: { kind: 'image', description: 'The picture it starts from', required: true },
    prompt: { kind: 'text', description: 'What should happen', required: true, max: 1000, ideas: 'motion' },
    model: {
      kind: 'choice',
      description: 'simple is fastest, performance is best',
      choices: VIDEO_MODELS,
      default: 'advanced',
    },
    duration: { kind: 'choice', description: 'Length of the video', choices: VIDEO_DURATIONS, default: '4s' },
    aspect: {
      kind: 'choice',
      description: 'Shape of the video (other than auto: model performance)',
      choices: VIDEO_ASPECTS,
      default: 'auto',
    },
  },
  rules({ model, duration, aspect }, words) {
    if (aspect !== 'auto' && model !== 'performance') throw new UserError(rules.aspect[words.language]);
    if (model === 'simple' && duration !== '4s') throw new UserError(rules.simple[words.language]);
  },
  async run({ args, generate }) {
    const { photo, prompt, model, duration, aspect } = args;
    return generate({ kind: 'single-frame-video', photo, prompt, model, duration, aspect });
  },
});

import { defineCommand } from '../src/command/command.ts';
import { VIDEO_DURATIONS } from '../src/kinds/choices.ts';
import { translations } from './texts/transition.ts';

export default defineCommand({
  name: 'transition',
  description: 'Make a short video that goes from one photo to another',
  translations,
  examples: ['/transition a smooth morph', '/transition prompt="day turns into night" duration=8s'],
  options: {
    first: { kind: 'image', description: 'The picture it starts from', required: true },
    last: { kind: 'image', description: 'The picture it ends with', required: true },
    prompt: {
      kind: 'text',
      description: 'What happens in between',
      required: true,
      max: 1000,
      ideas: 'transition',
    },
    duration: { kind: 'choice', description: 'Length of the video', choices: VIDEO_DURATIONS, default: '4s' },
  },
  async run({ args, generate }) {
    const { first, last, prompt, duration } = args;
    return generate({ kind: 'first-last-frame-video', first, last, prompt, duration });
  },
});

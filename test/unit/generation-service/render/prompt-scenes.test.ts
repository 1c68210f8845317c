import { expect, it } from 'vitest';
import { filterOf } from '../../../../src/generation-service/render/filters/all.ts';
import { sceneForPrompt } from '../../../../src/generation-service/render/prompt.ts';

const nameFor = (prompt: string) => {
  const chosen = sceneForPrompt(prompt, undefined);
  return chosen && filterOf(chosen.key).name;
};

it.each([
  ['an astronaut on the moon', 'Astronaut'],
  ['ein Pirat auf hoher See', 'Pirate'],
  ['una reina en su castillo', 'Royal Portrait'],
  ['un chevalier sous la pluie', 'Knight'],
  ['uma sereia no mar', 'Under the Sea'],
  ['a detective at night', 'Thirties Detective'],
  ['a snow globe for grandma', 'Snow Globe'],
])('the scene for "%s" is %s', (prompt, name) => expect(nameFor(prompt)).toBe(name));

it.each([
  'as a watercolour',
  'a grey day',
  'in bright colours',
  'a polaroid',
  'by train to Hamburg',
  'I switch, you diversify',
])('words that fit no scene choose none: %s', (prompt) => expect(nameFor(prompt)).toBeUndefined());

it.each([
  ['a knight on a train under the rainbow', {}],
  ['a rotating knight', {}],
  ['ein Ritter zu Weihnachten', {}],
  ['ein Ritter um Mitternacht, in Weiß', { time: 'night', colour: '#e8e4ea' }],
  ['a knight at midnight in a thunderstorm', { time: 'night', weather: 'rain' }],
])('a word within a word does not dress a scene: %s', (prompt, dress) => {
  expect(sceneForPrompt(prompt, undefined)?.dress).toEqual(dress);
});

it('dresses the scene by time, weather and colour, and takes the gender from the request before the words', () => {
  expect(sceneForPrompt('a knight in blue at night in the rain', 'girl')).toMatchObject({
    dress: { time: 'night', weather: 'rain', colour: '#1f5ac4' },
    gender: 'girl',
  });
  expect(sceneForPrompt('a queen at sunset', undefined)).toMatchObject({
    dress: { time: 'dusk' },
    gender: 'female',
  });
});

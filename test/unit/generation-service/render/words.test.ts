import { describe, expect, it } from 'vitest';
import { cameraFor } from '../../../../src/generation-service/render/camera.ts';
import { actingFor } from '../../../../src/generation-service/render/faces/acting.ts';
import type { Expression } from '../../../../src/generation-service/render/faces/expression.ts';
import { filterNamed } from '../../../../src/generation-service/render/filters/all.ts';
import { filterForPrompt, sceneForPrompt } from '../../../../src/generation-service/render/prompt.ts';
import { transitionFor } from '../../../../src/generation-service/render/video.ts';

/** Words of a prompt lead to expressions, camera moves, transitions, scenes and filters. */

describe('people of a video', () => {
  const LENGTH = 4;

  const seen = (prompt: string, index = 0): Expression[] => {
    const act = actingFor(prompt).person(index, 1);
    return Array.from({ length: 97 }, (_, frame) => act(frame / 24, LENGTH));
  };

  const most = (prompt: string, value: (expression: Expression) => number) =>
    Math.max(...seen(prompt).map(value));

  interface Movement {
    readonly what: string;
    readonly prompts: readonly string[];
    readonly value: (expression: Expression) => number;
    readonly least: number;
  }

  it.each<Movement>([
    {
      what: 'smile',
      prompts: ['smiles at us', 'lächelt', 'sonríe', 'sourit', 'sorri para nós'],
      value: ({ smile }) => smile,
      least: 0.9,
    },
    {
      what: 'laugh',
      prompts: ['she laughs', 'lacht laut', 'se ríe', 'elle rit', 'está rindo'],
      value: ({ open }) => open,
      least: 0.6,
    },
    {
      what: 'wink',
      prompts: ['winks', 'zwinkert', 'guiña un ojo', "fait un clin d'œil", 'pisca o olho'],
      value: ({ lids }) => lids[1] - lids[0],
      least: 0.75,
    },
    {
      what: 'blink',
      prompts: ['blinks', 'blinzelt', 'parpadea', 'cligne des yeux', 'pisca'],
      value: ({ lids }) => Math.min(...lids),
      least: 0.95,
    },
    {
      what: 'are surprised',
      prompts: ['looks surprised', 'überrascht', 'sorprendida', 'étonné', 'espantado'],
      value: ({ brows }) => brows,
      least: 0.9,
    },
    {
      what: 'nod',
      prompts: ['nods', 'nickt', 'asiente', 'hoche la tête', 'acena'],
      value: ({ pitch }) => Math.abs(pitch),
      least: 0.08,
    },
    {
      what: 'turn left',
      prompts: ['turns her head to the left', 'gira a la izquierda'],
      value: ({ yaw }) => -yaw,
      least: 0.14,
    },
    {
      what: 'turn right',
      prompts: ['dreht den Kopf nach rechts', 'tourne la tête vers la droite'],
      value: ({ yaw }) => yaw,
      least: 0.14,
    },
  ])('people of a video $what in every language', ({ prompts, value, least }) => {
    for (const prompt of prompts) expect(most(prompt, value), prompt).toBeGreaterThan(least);
  });

  it('people of a video blink and smile a little where nothing is asked for, and leave the rest to the camera', () => {
    expect(most('a nice day', ({ smile }) => smile)).toBeCloseTo(0.45, 2);
    expect(most('a nice day', ({ open }) => open)).toBe(0);
    expect(seen('a girl with a bright side')).toEqual(seen('a nice day'));
    expect(actingFor('turns to the left while we zoom in').rest).toMatch(/^\s+while we zoom in$/);
    expect(seen('smile', 0)).not.toEqual(seen('smile', 1));
  });

  it.each(['smile', 'laugh', 'wink', 'surprised', 'nod', 'turn left', 'dance', 'shakes her head', 'xyz'])(
    'people of a video begin as in the photo, end calm and do not jump: %s',
    (prompt) => {
      const flat = seen(prompt).map(({ lids, ...rest }) => [...Object.values(rest), ...lids]);
      for (const value of flat[0] ?? []) expect(Math.abs(value)).toBeLessThan(0.01);

      const step = (frame: number) =>
        Math.max(...(flat[frame] ?? []).map((value, k) => Math.abs(value - (flat[frame - 1]?.[k] ?? 0))));

      expect(step(96)).toBeLessThan(0.01);
      // A lid takes an eighth of a second.
      for (let frame = 1; frame < 97; frame += 1) expect(step(frame)).toBeLessThan(0.6);
    },
  );
});

describe('the camera', () => {
  it.each([
    { prompt: 'slowly zoom in on her', what: 'zoom', way: 1 },
    { prompt: 'zoom out', what: 'zoom', way: -1 },
    { prompt: 'pan left', what: 'x', way: -1 },
    { prompt: 'the camera drifts to the right', what: 'x', way: 1 },
    { prompt: 'tilt up', what: 'y', way: -1 },
    { prompt: 'spin around', what: 'turn', way: 1 },
    { prompt: 'zoom in and pan left', what: 'x', way: -1 },
    { prompt: 'zoom in and pan left', what: 'zoom', way: 1 },
  ] as const)('the camera with the word $prompt moves $what', ({ prompt, what, way }) => {
    const camera = cameraFor(prompt);
    expect((camera(1)[what] - camera(0)[what]) * way).toBeGreaterThan(0);
  });

  it('the camera moves without a known word, and is not led by a part of one', () => {
    const ends = (prompt: string) => [0, 0.5, 1].map(cameraFor(prompt));
    expect(ends('xyz')[2]).not.toEqual(ends('xyz')[0]);
    expect(ends('a bright, browbeaten parakeet')).toEqual(ends('xyz'));
  });

  it.each(['zoom in', 'pan left', 'spin', 'shake', 'tilt', 'xyz', 'wave', 'zoom out and spin'])(
    'the camera stays inside the photo: %s',
    (prompt) => {
      const camera = cameraFor(prompt);
      for (let t = 0; t <= 1; t += 0.05) {
        const { x, y, zoom, turn } = camera(t);
        const half = (Math.cos(turn) + Math.abs(Math.sin(turn))) / 2 / zoom;
        for (const middle of [x, y]) {
          expect(middle - half).toBeGreaterThanOrEqual(-0.02);
          expect(middle + half).toBeLessThanOrEqual(1.02);
        }
      }
    },
  );
});

it.each(['fade', 'wipe', 'circle', 'blinds', 'spin', 'melt', 'dissolve', 'sunrise'])(
  'the transition %s begins with one picture and ends with the other',
  (prompt) => {
    const transition = transitionFor(prompt);
    for (const u of [0, 0.3, 0.99])
      for (const v of [0, 0.5, 0.99]) {
        expect(transition(u, v, 0)).toBeCloseTo(0, 1);
        expect(transition(u, v, 1)).toBeCloseTo(1, 1);
      }
  },
);

it('the transition for words of which only a part is known is a cross-fade', () => {
  const shares = (prompt: string) => [0.2, 0.5, 0.8].map((u) => transitionFor(prompt)(u, 0.1, 0.3));
  expect(shares('a couple in Japan, a thousand returns')).toEqual(shares('xyz'));
});

describe('the scene', () => {
  const nameFor = (prompt: string) => {
    const chosen = sceneForPrompt(prompt, undefined);
    return chosen && filterNamed(chosen.key).name;
  };

  it.each([
    { prompt: 'an astronaut on the moon', name: 'Astronaut' },
    { prompt: 'ein Pirat auf hoher See', name: 'Pirate' },
    { prompt: 'una reina en su castillo', name: 'Royal Portrait' },
    { prompt: 'un chevalier sous la pluie', name: 'Knight' },
    { prompt: 'uma sereia no mar', name: 'Under the Sea' },
    { prompt: 'a snow globe for grandma', name: 'Snow Globe' },
    { prompt: 'as a watercolour', name: undefined },
    { prompt: 'by train to Hamburg', name: undefined },
    { prompt: 'I switch, you diversify', name: undefined },
  ])('the scene for "$prompt" is $name', ({ prompt, name }) => expect(nameFor(prompt)).toBe(name));

  it.each([
    { prompt: 'a knight on a train under the rainbow', changes: {} },
    { prompt: 'a rotating knight', changes: {} },
    { prompt: 'a knight at sunset', changes: { time: 'dusk' } },
    { prompt: 'ein Ritter um Mitternacht, in Weiß', changes: { time: 'night', colour: '#e8e4ea' } },
    { prompt: 'a knight at midnight in a thunderstorm', changes: { time: 'night', weather: 'rain' } },
  ])('a scene is changed by whole words: $prompt', ({ prompt, changes }) => {
    expect(sceneForPrompt(prompt, undefined)?.changes).toEqual(changes);
  });

  it('the scene has the gender of the request, or else of the words', () => {
    expect(sceneForPrompt('a knight', 'girl')).toMatchObject({ gender: 'girl' });
    expect(sceneForPrompt('a queen at sunset', undefined)).toMatchObject({ gender: 'female' });
  });
});

it.each([
  { prompt: 'as a watercolor painting', filter: 'face/3' },
  { prompt: 'An astronaut on the moon', filter: 'realistic/19' },
  { prompt: 'golden light', filter: 'face/19' },
  { prompt: 'a romantic start', filter: 'face/12' },
])('the filter for "$prompt" is $filter', ({ prompt, filter }) => {
  expect(filterForPrompt(prompt)).toBe(filter);
});

it('a prompt without a known word always gets the same filter', () => {
  expect(filterForPrompt('qwertz')).toBe(filterForPrompt('qwertz'));
  expect(new Set(['aa', 'bb', 'cc', 'dd', 'ee', 'ff'].map(filterForPrompt)).size).toBeGreaterThan(1);
});

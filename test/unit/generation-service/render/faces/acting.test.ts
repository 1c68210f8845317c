import { describe, expect, it } from 'vitest';
import { actingFor } from '../../../../../src/generation-service/render/faces/acting.ts';
import type { Expression } from '../../../../../src/generation-service/render/faces/expression.ts';

const LENGTH = 4;
const times = Array.from({ length: 97 }, (_, frame) => frame / 24);

function seen(prompt: string, index = 0): Expression[] {
  const act = actingFor(prompt).person(index, 1);
  return times.map((seconds) => act(seconds, LENGTH));
}

const most = (prompt: string, value: (expression: Expression) => number) =>
  Math.max(...seen(prompt).map(value));

describe('a sentence', () => {
  it.each(['smiles at us', 'lächelt', 'sonríe', 'sourit', 'sorri para nós'])(
    'asks for a smile: %s',
    (prompt) => {
      expect(most(prompt, ({ smile }) => smile)).toBeGreaterThan(0.9);
      expect(most(prompt, ({ open }) => open)).toBe(0);
    },
  );

  it.each(['she laughs', 'er lacht laut', 'se ríe', 'elle rit', 'ele está rindo'])(
    'asks for a laugh: %s',
    (prompt) => {
      expect(most(prompt, ({ open }) => open)).toBeGreaterThan(0.6);
      expect(most(prompt, ({ smile }) => smile)).toBeGreaterThan(0.9);
    },
  );

  it.each(['winks', 'zwinkert', 'guiña un ojo', "fait un clin d'œil", 'pisca o olho'])(
    'asks for a wink, of one eye: %s',
    (prompt) => {
      expect(most(prompt, ({ lids }) => lids[1])).toBeGreaterThan(0.95);
      expect(most(prompt, ({ lids }) => lids[0])).toBeLessThan(0.2);
    },
  );

  it.each(['blinks', 'blinzelt', 'parpadea', 'cligne des yeux', 'pisca'])('asks for blinks: %s', (prompt) => {
    expect(most(prompt, ({ lids: [left, right] }) => Math.min(left, right))).toBeGreaterThan(0.95);
  });

  it.each(['looks surprised', 'ist überrascht', 'sorprendida', 'il est étonné', 'surpreso, espantado'])(
    'asks for surprise: %s',
    (prompt) => {
      expect(most(prompt, ({ brows }) => brows)).toBeGreaterThan(0.9);
    },
  );

  it.each(['nods', 'nickt', 'asiente', 'hoche la tête', 'acena'])('asks for a nod: %s', (prompt) => {
    const pitches = seen(prompt).map(({ pitch }) => pitch);
    expect(Math.max(...pitches) - Math.min(...pitches)).toBeGreaterThan(0.15);
  });

  it.each([
    ['turns her head to the left', -1],
    ['dreht den Kopf nach rechts', 1],
    ['gira la cabeza a la izquierda', -1],
    ['tourne la tête vers la droite', 1],
    ['vira a cabeça para a esquerda', -1],
  ])('asks for a turn: %s', (prompt, side) => {
    expect(most(prompt, ({ yaw }) => yaw * side)).toBeGreaterThan(0.14);
    expect(most(prompt, ({ yaw }) => -yaw * side)).toBeLessThan(0.06);
  });

  it('that asks for nothing gets a blink and a small smile', () => {
    expect(most('a nice day', ({ smile }) => smile)).toBeCloseTo(0.45, 2);
    expect(most('a nice day', ({ lids }) => lids[0])).toBeGreaterThan(0.95);
    expect(most('a nice day', ({ open }) => open)).toBe(0);
    expect(seen('a girl with a bright side')).toEqual(seen('a nice day'));
  });

  it('can ask for several things, and leaves the rest to the camera', () => {
    expect(most('smiles and nods', ({ smile }) => smile)).toBeGreaterThan(0.9);
    expect(most('smiles and nods', ({ pitch }) => pitch)).toBeGreaterThan(0.08);
    expect(actingFor('turns to the left while we zoom in').rest).toMatch(/^\s+while we zoom in$/);
    expect(actingFor('winks with the right eye, pan').rest).not.toMatch(/right/);
  });
});

describe('what a face does', () => {
  it.each([
    'smile',
    'laugh',
    'wink',
    'blink',
    'surprised',
    'nod',
    'turn left',
    'dance',
    'shakes her head',
    'xyz',
  ])('begins as in the photo, ends calm and does not jump: %s', (prompt) => {
    const flat = seen(prompt).map(({ lids: [left, right], ...rest }) => [
      ...Object.values(rest),
      left,
      right,
    ]);
    for (const value of flat[0] ?? []) expect(Math.abs(value)).toBeLessThan(0.01);
    const step = (frame: number) =>
      Math.max(...(flat[frame] ?? []).map((value, k) => Math.abs(value - (flat[frame - 1]?.[k] ?? 0))));
    expect(step(96)).toBeLessThan(0.01);
    // A lid takes an eighth of a second.
    for (let frame = 1; frame < 97; frame += 1) expect(step(frame)).toBeLessThan(0.6);
  });

  it('is not the same at the same time for two people', () => {
    expect(seen('smile', 0)).not.toEqual(seen('smile', 1));
    expect(seen('smile', 1)).toEqual(seen('smile', 1));
  });
});

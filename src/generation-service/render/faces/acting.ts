import { clamp, clamp01, createRandom, smoothstep } from '../canvas.ts';
import type { Expression } from './expression.ts';

/** An expression as a function of the time in seconds and the length of the video. */
type Act = (seconds: number, length: number, side: -1 | 0 | 1) => Partial<Expression>;

/** Rises from 0 to 1 between the times `start` and `end`. */
const rise = (seconds: number, start: number, end: number): number =>
  smoothstep((seconds - start) / (end - start));

/** Rises, stays and falls again; `from` and `to` are shares of the video. A video begins and ends calm. */
function hold(seconds: number, length: number, from = 0.12, to = 0.86): number {
  const ease = Math.min(0.8, length * 0.18);
  return rise(seconds, length * from, length * from + ease) - rise(seconds, length * to - ease, length * to);
}

/** A blink at a time, which takes a third of a second however long the video is. */
const blink = (seconds: number, at: number): number =>
  rise(seconds, at, at + 0.11) - rise(seconds, at + 0.16, at + 0.36);

const swing = (seconds: number, beats: number): number => Math.sin(seconds * Math.PI * 2 * beats);

const smile: Act = (seconds, length) => ({ smile: rise(seconds, length * 0.1, length * 0.1 + 0.9) * 0.95 });

const laugh: Act = (seconds, length) => {
  const much = hold(seconds, length);
  const shake = 0.5 + 0.5 * swing(seconds, 2.6);
  return {
    smile: much * 1.05,
    open: much * (0.5 + 0.35 * shake),
    lids: [much * 0.12, much * 0.12],
    pitch: much * (-0.07 + 0.025 * shake),
  };
};

const wink: Act = (seconds, length, side) => {
  const at = length * 0.38;
  const shut = rise(seconds, at, at + 0.16) - rise(seconds, at + 0.5, at + 0.8);
  const much = hold(seconds, length, 0.2, 0.8);
  // Left and right are meant from the person's point of view: their left eye is at the right of the picture.
  const isRight = side > 0;
  return {
    lids: isRight ? [shut, shut * 0.1] : [shut * 0.1, shut],
    smile: much * 0.7,
    roll: much * (isRight ? -0.05 : 0.05),
  };
};

const surprise: Act = (seconds, length) => {
  const much = hold(seconds, length, 0.15, 0.9);
  return { brows: much, open: much * 0.75, round: much * 0.8, pitch: much * -0.05 };
};

const nod: Act = (seconds, length) => {
  const much = hold(seconds, length, 0.08, 0.92);
  return { pitch: much * 0.1 * swing(seconds - length * 0.08, 1.1) + much * 0.03, smile: much * 0.3 };
};

const shakeHead: Act = (seconds, length) => ({
  yaw: hold(seconds, length, 0.08, 0.92) * 0.13 * swing(seconds - length * 0.08, 1.1),
});

const turn: Act = (seconds, length, side) => {
  const much = hold(seconds, length, 0.06, 0.94);
  return { yaw: 0.16 * much * (side === 0 ? Math.sin((seconds / length) * Math.PI * 2) : side) };
};

const dance: Act = (seconds, length) => ({
  roll: hold(seconds, length, 0.05, 0.95) * 0.09 * swing(seconds, 0.8),
  smile: hold(seconds, length) * 0.6,
});

const blinks: Act = (seconds, length) => {
  const shut = [0.2, 0.32, 0.62, 0.74].reduce((most, at) => Math.max(most, blink(seconds, length * at)), 0);
  return { lids: [shut, shut] };
};

/** The act for a sentence that asks for nothing in particular. */
const calm: Act = (seconds, length) => ({ smile: 0.45 * rise(seconds, length * 0.15, length * 0.15 + 1.2) });

/** Words of a sentence, in the bot's languages, and the acts that they ask for; several may be combined. */
const ACTS: [words: RegExp, act: Act][] = [
  [
    /\b(laugh|giggl|chuckl|lach[et]|lachen|kicher|carcaj|rigol|gargalh)\w*|\br(íen?|ie(ndo|nt)?|ire|it|ir|indo|iem)\b/iu,
    laugh,
  ],
  [/\b(smil|grin|lächel|sonr|souri|sorri|happ|glücklich|fröhlich|feliz|heureu|joyeu)[\p{L}]*/iu, smile],
  [/\b(wink|zwinker|guiñ)[\p{L}]*|clin d.?(œ|oe)il|pisc\p{L}* (o|um|d[eo]) olho/iu, wink],
  [/\b(blink|blinzel|parpade|clign|pisc)[\p{L}]*/iu, blinks],
  [
    /\b(surpris|amaz|astonish|shock|gasp|sorpre|asombr|étonn|espant)[\p{L}]*|(?<!\p{L})(überrasch|étonn|erstaun|staun)[\p{L}]*|\bwow\b/iu,
    surprise,
  ],
  [/\b(nod|nick(t|en)\b|asient|asent|hoch(e|er)\b|acquiesc|acen[ae]|assent)[\p{L}]*/iu, nod],
  [
    /\b(shak|schüttel|sacud|neg(a|ando)|niega|secou|balanç|aban)[\p{L}]* (\p{L}+ ){0,2}(head|kopf|cabeza|tête|cabeça)|kopfschütteln/iu,
    shakeHead,
  ],
  [/\b(danc|tanz|bail|dans)[\p{L}]*/iu, dance],
  [
    /\b(turn|look|glanc|dreh|schau|blick|gir(?!l)|mir(?!r)|tourn|regard|vir|olh)[\p{L}]*( \p{L}+){0,4} (left|right|side|around|away|links|rechts|seite|izquierda|derecha|lado|gauche|droite|côté|esquerda|direita)|\b(turn|dreh|gir(?!l)|tourn|vir)[\p{L}]* (\p{L}+ ){0,2}(head|face|kopf|gesicht|cabeza|cara|tête|visage|cabeça|rosto)/iu,
    turn,
  ],
];

const LEFT = /(?<!\p{L})(left|links|linke|izquierd|gauche|esquerd)/iu;
const RIGHT = /(?<!\p{L})(right|rechts|rechte|derech|droit|direit)/iu;

/** The side that a sentence names: -1 is left, 1 is right, 0 is neither. */
function sideIn(prompt: string): -1 | 0 | 1 {
  if (LEFT.test(prompt)) return -1;
  return RIGHT.test(prompt) ? 1 : 0;
}

/** Splits a sentence into the acts that it asks of faces and the remaining words, which are for the camera. */
export function actingFor(prompt: string) {
  const found: Act[] = [];
  let rest = prompt;
  for (const [words, act] of ACTS) {
    const left = rest.replace(words, ' ');
    if (left !== rest) found.push(act);
    rest = left;
  }
  const side = sideIn(prompt);
  const acts = found.length > 0 ? found : [calm];
  return {
    rest: found.includes(wink) ? rest.replace(LEFT, ' ').replace(RIGHT, ' ') : rest,
    /** The act of one person. People begin one after another, and each moves a little by themselves. */
    person(index: number, seed: number): (seconds: number, length: number) => Expression {
      const random = createRandom(seed + index * 7919);
      const delay = index === 0 ? 0 : 0.1 + (index % 4) * 0.13 + random() * 0.1;
      const first = 0.24 + random() * 0.08;
      const phase = random() * Math.PI * 2;
      return (seconds, length) => {
        const parts = acts.map((act) => act(Math.max(0, seconds - delay), length, side));
        const sum = (value: (part: Partial<Expression>) => number | undefined, most: number) => {
          const total = parts.reduce((all, part) => all + (value(part) ?? 0), 0);
          return clamp(total, -most, most);
        };
        const alive = hold(seconds, length, 0, 1);
        const shut = Math.max(
          blink(seconds, length * first + delay),
          blink(seconds, length * (first + 0.46) + delay),
        );
        // A person who winks does not blink at the same time.
        const calmLid = acts.includes(wink) ? 0 : shut;
        const lid = (side: 0 | 1) =>
          Math.max(
            calmLid,
            sum((part) => part.lids?.[side], 1),
          );
        return {
          smile: sum((part) => part.smile, 1.1),
          open: sum((part) => part.open, 1),
          round: sum((part) => part.round, 1),
          brows: sum((part) => part.brows, 1),
          lids: [clamp01(lid(0)), clamp01(lid(1))],
          yaw: sum((part) => part.yaw, 0.16) + alive * 0.022 * Math.sin(seconds * 1.1 + phase),
          pitch: sum((part) => part.pitch, 0.16) + alive * 0.014 * Math.sin(seconds * 1.7 + phase),
          roll: sum((part) => part.roll, 0.16) + alive * 0.012 * Math.sin(seconds * 0.9 + phase),
        };
      };
    },
  };
}

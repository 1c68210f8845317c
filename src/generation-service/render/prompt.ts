import { type TextStyle, textSvg, wrapText } from '../../picture/text.ts';
import type { Canvas, RenderContext } from './canvas.ts';
import { filterOf } from './filters/all.ts';
import type { Dress, Gender, Scene } from './scenes/scene.ts';
import { designSize, drawSvg, svgGradient } from './svg.ts';

/** Words in a prompt and the filter for them. The first match counts. */
const FILTERS_BY_WORD: [words: RegExp, filter: string][] = [
  [/water ?colou?r|aquarelle/i, 'face/3'],
  [/comic|cartoon|super ?hero/i, 'face/4'],
  [/manga|anime/i, 'stylized/22'],
  [/noir|black and white|detective/i, 'face/5'],
  [/neon|cyber|futur|robot/i, 'face/6'],
  [/blueprint|cyanotype/i, 'face/7'],
  [/pencil|sketch|drawing|charcoal/i, 'face/8'],
  [/vapor|synth|80s|retro/i, 'face/9'],
  [/mosaic|roman/i, 'face/11'],
  [/oil|painting|renaissance|\bking|queen|baroque/i, 'face/12'],
  [/stained|church|cathedral/i, 'face/14'],
  [/glitch|hack|matrix/i, 'face/18'],
  [/snow|winter|ice|christmas/i, 'realistic/5'],
  [/rain|storm/i, 'realistic/6'],
  [/autumn|leaves|forest/i, 'realistic/8'],
  [/party|birthday|confetti|celebrat/i, 'realistic/9'],
  [/aurora|northern/i, 'face/29'],
  [/sea|ocean|water|mermaid|beach/i, 'realistic/17'],
  [/night|star|space|moon|astronaut|galaxy/i, 'realistic/19'],
  [/love|heart|valentine/i, 'custom/candy-pop'],
  [/old|vintage|sepia|antique/i, 'face/23'],
  [/brick|toy/i, 'face/21'],
  [/knit|wool/i, 'stylized/9'],
  [/pixel|8-?bit|game/i, 'stylized/19'],
  [/gold|sun|summer|desert/i, 'face/19'],
  [/blossom|flower|spring|garden/i, 'face/25'],
  [/halloween|pumpkin|witch/i, 'custom/halloween-lantern'],
  [/pop ?art|warhol/i, 'face/1'],
];

/** Words in a prompt, in five languages, and the scene for them, for one person and for a group. The first match counts. */
const SCENES_BY_WORD: [words: RegExp, filter: string, group?: string][] = [
  [
    /astrona|kosmona|cosmona|space|weltraum|espac|espaço|planet|galax|rocket|rakete/i,
    'face/31',
    'realistic/21',
  ],
  [/pirat|corsair|corsario|buccane|treasure|schatzinsel/i, 'face/32', 'realistic/22'],
  [
    /royal|\bking|queen|könig|rey\b|reina|\broi\b|reine|\brei\b|rainha|prin[cz]|crown|baroque|throne/i,
    'face/33',
    'realistic/23',
  ],
  [/diver|diving|taucher|buzo|plongeu|mergulhador|submarin/i, 'face/34'],
  [
    /wizard|witch|magic|zauber|magier|hechicer|\bmag[oa]s?\b|sorci|magicien|feiticeir/i,
    'face/36',
    'stylized/25',
  ],
  [/viking|wiking|vikingo|norse|fjord/i, 'face/37', 'stylized/24'],
  [/mermaid|merman|meerjungfrau|sirena|sirène|sereia|neptun/i, 'face/38'],
  [/\bchef|cook|koch\b|köchin|cocin|cuisin|cozinh|kitchen|küche/i, 'face/39'],
  [/racing|race ?car|race ?driver|rennfahr|formula|piloto de carreras|pilote de course|corrida/i, 'face/40'],
  [
    /rock ?star|rock ?band|rockband|guitar|concert|konzert|concierto|rockero|estrela do rock/i,
    'face/41',
    'stylized/23',
  ],
  [/detective|detektiv|détective|sherlock|gangster|\bspy\b/i, 'face/42'],
  [/snow ?globe|schneekugel|bola de nieve|boule à neige|globo de neve/i, 'face/43'],
  [/\bpilot|aviator|biplane|flieger|aviador|aviateur|flugzeug/i, 'face/44'],
  [/samura|ninja|japan|japón|japon/i, 'face/45'],
  [/phara|cleopatra|kleopatra|cléopâtre|egypt|ägypt|egipt|égypt|pyramid/i, 'face/46'],
  [/sunflower|sonnenblume|girasol|tournesol|gardener|gärtner|jardiner|jardinier/i, 'face/47'],
  [/teddy|\bbear\b|\bbär\b|\boso\b|ours\b|ursinho|urso/i, 'face/48'],
  [/polar|arctic|arktis|ártico|arctique|penguin|pinguin|pingüin|pingouin|eskimo/i, 'face/49'],
  [
    /knight|ritter|caballero|chevalier|cavaleiro|castle|burg\b|castillo|château|castelo|medieval/i,
    'face/35',
    'realistic/24',
  ],
];

const COLOURS: [words: RegExp, colour: string][] = [
  [/\b(red|rot\w*|roj[oa]|rouge|vermelh[oa])\b/i, '#c4202e'],
  [/\b(blue|blau\w*|azul|bleue?)\b/i, '#1f5ac4'],
  [/\b(green|grün\w*|verde|verte?)\b/i, '#1f8a4a'],
  [/\b(yellow|gelb\w*|amarill[oa]|jaune|amarel[oa])\b/i, '#e0b020'],
  [/\b(pink|rosa|rose)\b/i, '#e85a9a'],
  [/\b(purple|violet\w*|lila|morad[oa]|rox[oa])\b/i, '#7a2ab0'],
  [/\b(black|schwarz\w*|negr[oa]|noire?|pret[oa])\b/i, '#2a2630'],
  [/\b(white|weiß\w*|blanc[oa]?|blanche|branc[oa])\b/i, '#e8e4ea'],
];

const FEMALE =
  /\b(woman|she|her|queen|princess|girl|lady|frau|königin|prinzessin|mujer|reina|princesa|femme|reine|princesse|mulher|rainha)\b/i;

interface ChosenScene {
  key: string;
  scene: Scene;
  dress: Dress;
}

/** The scene for one person that fits a prompt, dressed as it says. */
export function sceneForPrompt(
  prompt: string,
  gender: Gender | undefined,
): (ChosenScene & { gender: Gender }) | undefined {
  const chosen = sceneOf(wordsOf(prompt)?.[1], prompt);
  return chosen && { ...chosen, gender: gender ?? (FEMALE.test(prompt) ? 'female' : 'male') };
}

/** The scene for a group that fits a prompt, dressed as it says. */
export function groupSceneForPrompt(prompt: string): ChosenScene | undefined {
  return sceneOf(wordsOf(prompt)?.[2], prompt);
}

function wordsOf(prompt: string) {
  return SCENES_BY_WORD.find(([words]) => words.test(prompt));
}

function sceneOf(key: string | undefined, prompt: string): ChosenScene | undefined {
  const scene = key === undefined ? undefined : filterOf(key).scene;
  if (key === undefined || scene === undefined) return undefined;
  const colour = COLOURS.find(([words]) => words.test(prompt))?.[1];
  const night = /night|nacht|noche|\bnuit|noite|midnight|moonl/i.test(prompt);
  const dusk = /dusk|sunset|sundown|evening|abend|atardecer|crépuscule|pôr do sol|soir/i.test(prompt);
  const rain = /rain|storm|regen|lluvia|pluie|chuva/i.test(prompt);
  const snow = /snow|schnee|nieve|neige|neve\b|blizzard/i.test(prompt);
  const dress: Dress = {
    ...(night ? { time: 'night' } : dusk ? { time: 'dusk' } : {}),
    ...(rain ? { weather: 'rain' } : snow ? { weather: 'snow' } : {}),
    ...(colour !== undefined && { colour }),
  };
  return { key, scene, dress };
}

const OTHER_FILTERS = [
  'face/10',
  'face/12',
  'realistic/12',
  'face/3',
  'stylized/21',
  'face/19',
  'stylized/3',
];

/** A prompt without a known word always gets the same filter for the same words. */
export function filterForPrompt(prompt: string): string {
  const match = FILTERS_BY_WORD.find(([words]) => words.test(prompt));
  if (match !== undefined) return match[1];
  const letters = [...prompt.toLowerCase()];
  const hash = letters.reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
  return OTHER_FILTERS[hash % OTHER_FILTERS.length] ?? 'face/12';
}

/** Writes the prompt over the lower part of the picture. */
export function drawPrompt(canvas: Canvas, prompt: string, context: RenderContext): Promise<Canvas> {
  const { width, height } = designSize(canvas, context);
  const isLong = prompt.length > 60;
  const size = isLong ? 42 : 62;
  const style: TextStyle = { size, colour: '#ffffff', weight: 0.14, spacing: 0.28, align: 'middle' };
  const lines = wrapText(prompt, width - 160, isLong ? 5 : 3, style);
  const pitch = size * 1.65;
  const top = height - 80 - lines.length * pitch + pitch - size;
  const gradient = svgGradient('linear', 'id="shade" x2="0" y2="1"', [
    [0, '#000000', 0],
    [0.5, '#000000', 0.58],
    [1, '#000000', 0.8],
  ]);
  const shade = `<rect y="${top - 190}" width="${width}" height="${height - top + 190}" fill="url(#shade)"/>`;
  const rule = `<rect x="${width / 2 - 46}" y="${top - 52}" width="92" height="6" fill="#ffd166"/>`;
  const text = lines.map((line, index) => textSvg(line, width / 2, top + index * pitch, style));
  return drawSvg(canvas, context, gradient + shade + rule + text.join(''));
}

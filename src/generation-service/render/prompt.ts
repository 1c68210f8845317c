import { type TextStyle, textSvg, wrapText } from '../../picture/text.ts';
import type { Canvas, RenderContext } from './canvas.ts';
import { filterNamed } from './filters/all.ts';
import type { DrawnGender, Scene, SceneChanges } from './scenes/scene.ts';
import { designSize, drawSvg, gradient } from './svg.ts';
import { hasWordStartingWith } from './task.ts';

/** Words in a prompt and the filter for them; the first match counts. */
const FILTERS_BY_WORD: [words: RegExp, filter: string][] = [
  [/water ?colou?r|aquarelle/, 'face/3'],
  [/comic|cartoon|super ?hero/, 'face/4'],
  [/manga|anime/, 'stylized/22'],
  [/noir|black and white|detective/, 'face/5'],
  [/neon|cyber|futur|robot/, 'face/6'],
  [/blueprint|cyanotype/, 'face/7'],
  [/pencil|sketch|drawing|charcoal/, 'face/8'],
  [/vapor|synth|80s|retro/, 'face/9'],
  [/mosaic|roman(?!c|t)/, 'face/11'],
  [/oil|painting|renaissance|king|queen|baroque/, 'face/12'],
  [/stained|church|cathedral/, 'face/14'],
  [/glitch|hack|matrix/, 'face/18'],
  [/snow|winter|ice\b|icy|christmas/, 'realistic/5'],
  [/rain(?!bow)|storm|thunder/, 'realistic/6'],
  [/autumn|leaves|forest/, 'realistic/8'],
  [/party|birthday|confetti|celebrat/, 'realistic/9'],
  [/aurora|northern/, 'face/29'],
  [/sea\b|seaside|ocean|water|underwater|mermaid|beach/, 'realistic/17'],
  [/night|midnight|star(?!t|e)|space|moon|astronaut|galaxy/, 'realistic/19'],
  [/love|heart|valentine/, 'custom/candy-pop'],
  [/old\b|vintage|sepia|antique/, 'face/23'],
  [/brick|toy/, 'face/21'],
  [/knit|wool/, 'stylized/9'],
  [/pixel|8-?bit|game/, 'stylized/19'],
  [/gold|sun|summer|desert/, 'face/19'],
  [/blossom|flower|spring|garden/, 'face/25'],
  [/halloween|pumpkin|witch/, 'custom/halloween-lantern'],
  [/pop ?art|warhol/, 'face/1'],
];

/** Words in a prompt, in five languages, and the scenes for them, for one person and for a group; the first match counts. */
const SCENES_BY_WORD: [words: RegExp, filter: string, group?: string][] = [
  [
    /astrona|kosmona|cosmona|space|weltraum|espac|espaço|planet|galax|rocket|rakete/,
    'face/31',
    'realistic/21',
  ],
  [/pirat|corsair|corsario|buccane|treasure|schatzinsel/, 'face/32', 'realistic/22'],
  [
    /royal|king|queen|könig|eiskönig|rey\b|reina|roi\b|reine\b|rei\b|rainha|prin[cz]|crown|baroque|throne/,
    'face/33',
    'realistic/23',
  ],
  [/divers?\b|diving|taucher|buzo|plongeu|mergulhador|submarin/, 'face/34'],
  [
    /wizard|witch|magic|zauber|magier|hechicer|mag[oa]s?\b|sorci|magicien|feiticeir/,
    'face/36',
    'stylized/25',
  ],
  [/viking|wiking|vikingo|norse|fjord/, 'face/37', 'stylized/24'],
  [/mermaid|merman|meerjungfrau|sirena|sirène|sereia|neptun/, 'face/38'],
  [/chef|cook(?!ie)|koch\b|köchin|cocin|cuisin|cozinh|kitchen|küche/, 'face/39'],
  [/racing|race ?car|race ?driver|rennfahr|formula|piloto de carreras|pilote de course|corrida/, 'face/40'],
  [
    /rock ?star|rock ?band|rockband|guitar|concert|konzert|concierto|rockero|estrela do rock/,
    'face/41',
    'stylized/23',
  ],
  [/detective|detektiv|détective|sherlock|gangster|spy\b/, 'face/42'],
  [/snow ?globe|schneekugel|bola de nieve|boule à neige|globo de neve/, 'face/43'],
  [/pilot|aviator|biplane|flieger|aviador|aviateur|flugzeug/, 'face/44'],
  [/samura|ninja|japan|japón|japon/, 'face/45'],
  [/phara|cleopatra|kleopatra|cléopâtre|egypt|ägypt|egipt|égypt|pyramid/, 'face/46'],
  [/sunflower|sonnenblume|girasol|tournesol|gardener|gärtner|jardiner|jardinier/, 'face/47'],
  [/teddy|bear\b|bär\b|oso\b|ours\b|ursinho|urso/, 'face/48'],
  [/polar(?!oid)|arctic|arktis|ártico|arctique|penguin|pinguin|pingüin|pingouin|eskimo/, 'face/49'],
  [
    /knight|ritter|caballero|chevalier|cavaleiro|castle|burg\b|castillo|château|castelo|medieval/,
    'face/35',
    'realistic/24',
  ],
];

const COLOURS: [words: RegExp, colour: string][] = [
  [/red\b|rote?[mnrs]?\b|roj[oa]\b|rouge\b|vermelh[oa]\b/, '#c4202e'],
  [/blue\b|blau|azul\b|bleue?\b/, '#1f5ac4'],
  [/green\b|grün|verde\b|verte?\b/, '#1f8a4a'],
  [/yellow|gelb|amarill[oa]\b|jaune\b|amarel[oa]\b/, '#e0b020'],
  [/pink|rosa\b|rose\b/, '#e85a9a'],
  [/purple|violet|lila\b|morad[oa]\b|rox[oa]\b/, '#7a2ab0'],
  [/black\b|schwarz|negr[oa]\b|noire?\b|pret[oa]\b/, '#2a2630'],
  [/white\b|weiß|blanc[oa]?\b|blanche\b|branc[oa]\b/, '#e8e4ea'],
];

const FEMALE =
  /\b(woman|she|her|queen|princess|girl|lady|frau|königin|prinzessin|mujer|reina|princesa|femme|reine|princesse|mulher|rainha)\b/i;

interface ChosenScene {
  key: string;
  scene: Scene;
  changes: SceneChanges;
}

/** The scene for one person that fits a prompt, changed as it says. */
export function sceneForPrompt(
  prompt: string,
  gender: DrawnGender | undefined,
): (ChosenScene & { gender: DrawnGender }) | undefined {
  const chosen = sceneOf(wordsOf(prompt)?.[1], prompt);
  return chosen && { ...chosen, gender: gender ?? (FEMALE.test(prompt) ? 'female' : 'male') };
}

/** The scene for a group that fits a prompt, changed as it says. */
export const groupSceneForPrompt = (prompt: string): ChosenScene | undefined =>
  sceneOf(wordsOf(prompt)?.[2], prompt);

const wordsOf = (prompt: string) => SCENES_BY_WORD.find(([words]) => hasWordStartingWith(prompt, words));

function sceneOf(key: string | undefined, prompt: string): ChosenScene | undefined {
  const scene = key === undefined ? undefined : filterNamed(key).scene;
  if (key === undefined || scene === undefined) return undefined;
  const colour = COLOURS.find(([words]) => hasWordStartingWith(prompt, words))?.[1];
  const night = hasWordStartingWith(
    prompt,
    /night|midnight|tonight|nachts?\b|mitternacht|noche|nuit|noite|moonl/,
  );
  const dusk = hasWordStartingWith(
    prompt,
    /dusk|sunset|sundown|evening|abend|atardecer|crépuscule|pôr do sol|soir/,
  );
  const rain = hasWordStartingWith(
    prompt,
    /rain(?!bow)|storm|thunder|regen(?!bogen|erat)|lluvia|pluie|chuva/,
  );
  const snow = hasWordStartingWith(prompt, /snow|schnee|nieve|neige|neve\b|blizzard/);
  const changes: SceneChanges = {
    ...(dusk && { time: 'dusk' }),
    ...(night && { time: 'night' }),
    ...(snow && { weather: 'snow' }),
    ...(rain && { weather: 'rain' }),
    ...(colour !== undefined && { colour }),
  };
  return { key, scene, changes };
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

/**
 * The filter for a prompt. Without a known word it is chosen by a hash of the prompt, so that the same words get the same
 * filter.
 */
export function filterForPrompt(prompt: string): string {
  const match = FILTERS_BY_WORD.find(([words]) => hasWordStartingWith(prompt, words));
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
  const dark = gradient('down', 'shade', [0, '#000', 0], [0.5, '#000', 0.58], [1, '#000', 0.8]);
  const shade = `<rect y="${top - 190}" width="${width}" height="${height - top + 190}" fill="url(#shade)"/>`;
  const rule = `<rect x="${width / 2 - 46}" y="${top - 52}" width="92" height="6" fill="#ffd166"/>`;
  const text = lines.map((line, index) => textSvg(line, width / 2, top + index * pitch, style));
  return drawSvg(canvas, context, dark + shade + rule + text.join(''));
}

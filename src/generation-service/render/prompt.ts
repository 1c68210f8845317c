import { type Canvas, drawSvg, type Scene } from './canvas.ts';
import { centred, type Lettering, wrap } from './lettering.ts';

/** Words people use, and the recipe that comes nearest. The first that is found wins. */
const wishes: [words: RegExp, recipe: string][] = [
  [/water ?colou?r|aquarelle/i, 'face/3'],
  [/comic|cartoon|super ?hero/i, 'face/4'],
  [/manga|anime/i, 'stylized/22'],
  [/noir|black and white|detective/i, 'face/5'],
  [/neon|cyber|futur|robot/i, 'face/6'],
  [/blueprint|cyanotype/i, 'face/7'],
  [/pencil|sketch|drawing|charcoal/i, 'face/8'],
  [/vapor|synth|80s|retro/i, 'face/9'],
  [/mosaic|roman/i, 'face/11'],
  [/oil|painting|renaissance|king|queen|baroque/i, 'face/12'],
  [/stained|church|cathedral/i, 'face/14'],
  [/glitch|hack|matrix/i, 'face/18'],
  [/snow|winter|ice|christmas/i, 'realistic/5'],
  [/rain|storm/i, 'realistic/6'],
  [/autumn|leaves|forest/i, 'realistic/8'],
  [/party|birthday|confetti|celebrat/i, 'realistic/9'],
  [/aurora|northern/i, 'face/29'],
  [/sea|ocean|water|mermaid|beach/i, 'realistic/17'],
  [/night|star|space|moon|astronaut|galaxy/i, 'realistic/19'],
  [/love|heart|valentine/i, 'realistic/23'],
  [/old|vintage|sepia|antique/i, 'realistic/24'],
  [/brick|toy/i, 'face/21'],
  [/knit|wool/i, 'stylized/9'],
  [/pixel|8-?bit|game/i, 'stylized/19'],
  [/gold|sun|summer|desert/i, 'face/19'],
  [/blossom|flower|spring|garden/i, 'face/25'],
  [/halloween|pumpkin|witch/i, 'custom/halloween-lantern'],
  [/pop ?art|warhol/i, 'face/1'],
];

const others = ['face/10', 'face/12', 'realistic/12', 'face/3', 'stylized/21', 'face/19', 'stylized/23'];

/** The look that a prompt asks for; one without a known word always gets the same look for the same words. */
export function recipeForPrompt(prompt: string): string {
  const wish = wishes.find(([words]) => words.test(prompt));
  if (wish !== undefined) return wish[1];
  const sum = [...prompt.toLowerCase()].reduce(
    (hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0,
    7,
  );
  return others[sum % others.length] ?? 'face/12';
}

/** Letters the prompt over the lower part of the picture. */
export function letterPrompt(canvas: Canvas, prompt: string, { unit }: Scene): Promise<Canvas> {
  const { width, height } = canvas;
  const long = prompt.length > 60;
  const style: Lettering = { size: (long ? 42 : 62) * unit, colour: '#ffffff', weight: 0.14, spacing: 0.28 };
  const lines = wrap(prompt, width - 160 * unit, long ? 5 : 3, style);
  const pitch = style.size * 1.65;
  const top = height - 80 * unit - lines.length * pitch + pitch - style.size;
  const shade = `<linearGradient id="p" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#000" stop-opacity="0"/><stop offset=".5" stop-color="#000" stop-opacity=".58"/><stop offset="1" stop-color="#000" stop-opacity=".8"/></linearGradient>
    <rect y="${top - 190 * unit}" width="${width}" height="${height - top + 190 * unit}" fill="url(#p)"/>
    <rect x="${width / 2 - 46 * unit}" y="${top - 52 * unit}" width="${92 * unit}" height="${6 * unit}" fill="#ffd166"/>`;
  const text = lines.map((line, index) => centred(line, width / 2, top + index * pitch, style));
  return drawSvg(canvas, shade + text.join(''));
}

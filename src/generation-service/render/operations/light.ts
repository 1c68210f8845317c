import { blurred, drawSvg, type Operation } from '../canvas.ts';

/** Bright parts glow into their surroundings. */
export const bloom =
  (strength: number, sigma = 26): Operation =>
  async (canvas, { unit }) => {
    const soft = await blurred(canvas, sigma * unit);
    const { data } = canvas;
    for (let i = 0; i < data.length; i += 1) {
      const base = data[i] ?? 0;
      const glow = (soft.data[i] ?? 0) * strength;
      data[i] = 255 - ((255 - base) * (255 - Math.min(255, glow))) / 255;
    }
    return canvas;
  };

/** A coloured wash over the picture, straight down unless a direction is given. */
export const wash =
  (
    top: string,
    bottom: string,
    opacity: number,
    blend: 'soft-light' | 'screen' | 'multiply' | 'overlay' | 'over',
  ): Operation =>
  (canvas) =>
    drawSvg(
      canvas,
      `<linearGradient id="w" x1="0" y1="0" x2="0.25" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>
       <rect width="100%" height="100%" fill="url(#w)" opacity="${opacity}"/>`,
      blend,
    );

/** Light that fell into the camera from the sides. */
export const lightLeak =
  (...colours: string[]): Operation =>
  (canvas, { random }) => {
    const { width, height } = canvas;
    const spots = colours.map((colour, index) => {
      const side = index % 2 === 0 ? 0.02 : 0.98;
      const cx = width * side;
      const cy = height * (0.15 + random() * 0.7);
      const r = Math.max(width, height) * (0.28 + random() * 0.25);
      return `<radialGradient id="l${index}"><stop offset="0" stop-color="${colour}" stop-opacity=".95"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>
        <ellipse cx="${cx}" cy="${cy}" rx="${r * 0.62}" ry="${r}" fill="url(#l${index})"/>`;
    });
    return drawSvg(canvas, spots.join(''), 'screen');
  };

/** A sun in a corner with rays through the air. */
export const sunRays =
  (colour: string, x = 0.82, y = -0.05): Operation =>
  (canvas, { random }) => {
    const { width, height } = canvas;
    const cx = width * x;
    const cy = height * y;
    const reach = Math.hypot(width, height) * 1.1;
    const rays = Array.from({ length: 13 }, () => {
      const turn = random() * Math.PI * 2;
      const spread = 0.02 + random() * 0.05;
      const at = (angle: number) => `${cx + Math.cos(angle) * reach} ${cy + Math.sin(angle) * reach}`;
      return `<path d="M${cx} ${cy} L${at(turn - spread)} L${at(turn + spread)} Z" fill="${colour}" opacity="${0.1 + random() * 0.16}"/>`;
    });
    const glow = `<radialGradient id="s"><stop offset="0" stop-color="#fff" stop-opacity=".95"/><stop offset=".25" stop-color="${colour}" stop-opacity=".75"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>
      <circle cx="${cx}" cy="${cy}" r="${reach * 0.5}" fill="url(#s)"/>`;
    return drawSvg(canvas, rays.join('') + glow, 'screen');
  };

/** Wavering curtains of light across the upper part. */
export const aurora =
  (...colours: string[]): Operation =>
  async (canvas, { random, unit }) => {
    const { width, height } = canvas;
    const curtains = colours.map((colour, index) => {
      const base = height * (0.1 + index * 0.11);
      const points = Array.from({ length: 9 }, (_, n) => {
        const x = (width * n) / 8;
        return [x, base + Math.sin(n * 1.1 + index * 2 + random()) * height * 0.07] as const;
      });
      const upper = points.map(([x, y]) => `${x.toFixed(0)} ${y.toFixed(0)}`).join(' L');
      const lower = [...points].reverse();
      const edge = lower
        .map(([x, y]) => `${x.toFixed(0)} ${(y + height * (0.2 + random() * 0.1)).toFixed(0)}`)
        .join(' L');
      return `<linearGradient id="a${index}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colour}" stop-opacity=".05"/><stop offset=".55" stop-color="${colour}" stop-opacity=".85"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></linearGradient>
        <path d="M${upper} L${edge} Z" fill="url(#a${index})" filter="url(#b)"/>`;
    });
    const blur = `<filter id="b" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="${22 * unit}"/></filter>`;
    return drawSvg(canvas, blur + curtains.join(''), 'screen');
  };

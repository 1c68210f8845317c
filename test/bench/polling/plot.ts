import type { Point } from './optimum.ts';

export type Series = {
  label: string;
  colour: string;
  points: readonly Point[];
  line: boolean;
  dashed?: boolean;
  /** Hollow, so that a point beneath another still shows. */
  ring?: boolean;
};
export type Panel = { title: string; series: readonly Series[] };

const WIDTH = 400;
const HEIGHT = 340;
const MARGIN = { left: 58, right: 14, top: 40, bottom: 48 };
const FONT = 'font-family="system-ui, sans-serif"';

/** Delay against calls, both logarithmic: down and to the left is better. */
export function plot(title: string, panels: readonly Panel[]): string {
  const width = WIDTH * panels.length;
  const legend = [...new Map(panels.flatMap(({ series }) => series.map((one) => [one.label, one]))).values()];
  const columns = Math.ceil(legend.length / 2);
  const height = HEIGHT + 96;
  const body = panels.map((panel, i) => `<g transform="translate(${i * WIDTH} 36)">${drawPanel(panel)}</g>`);
  const keys = legend.map(({ label, colour, line, dashed, ring }, i) => {
    const x = 40 + (i % columns) * ((width - 40) / columns);
    const y = HEIGHT + 52 + Math.floor(i / columns) * 22;
    const mark = line ? stroke(`M${x} ${y}h24`, colour, dashed) : '';
    const sign = dashed ? '' : dot(x + 12, y, 4, colour, ring);
    return `${mark}${sign}<text x="${x + 32}" y="${y + 4}">${label}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ${FONT} font-size="12" fill="#222" role="img">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${width / 2}" y="24" text-anchor="middle" font-size="16" font-weight="600">${title}</text>
${body.join('\n')}
${keys.join('\n')}
</svg>
`;
}

function drawPanel({ title, series }: Panel): string {
  const points = series.flatMap((one) => one.points);
  const x = scale(
    points.map(({ calls }) => calls),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = scale(
    points.map(({ delay }) => delay / 1000),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const grid = [
    ...x.ticks.map(
      (tick) =>
        `${stroke(`M${x.at(tick)} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}`, '#e4e4e4')}<text x="${x.at(tick)}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="middle">${tick}</text>`,
    ),
    ...y.ticks.map(
      (tick) =>
        `${stroke(`M${MARGIN.left} ${y.at(tick)}H${WIDTH - MARGIN.right}`, '#e4e4e4')}<text x="${MARGIN.left - 6}" y="${y.at(tick) + 4}" text-anchor="end">${tick}</text>`,
    ),
  ];
  const drawn = series.map(({ points, colour, line, dashed, ring }) => {
    const sorted = points.toSorted((a, b) => a.calls - b.calls);
    const place = ({ calls, delay }: Point): string => `${x.at(calls)} ${y.at(delay / 1000)}`;
    const path = line ? stroke(`M${sorted.map(place).join('L')}`, colour, dashed) : '';
    const radius = line ? 3 : 5;
    const dots = sorted.map(({ calls, delay }) => dot(x.at(calls), y.at(delay / 1000), radius, colour, ring));
    return dashed ? path : path + dots.join('');
  });
  const middle = (MARGIN.top + HEIGHT - MARGIN.bottom) / 2;
  return `<text x="${(MARGIN.left + WIDTH) / 2}" y="${MARGIN.top - 14}" text-anchor="middle" font-weight="600">${title}</text>
${grid.join('')}
<text x="${(MARGIN.left + WIDTH) / 2}" y="${HEIGHT - 12}" text-anchor="middle">status calls per job</text>
<text transform="translate(16 ${middle}) rotate(-90)" text-anchor="middle">mean delay, seconds</text>
${drawn.join('\n')}`;
}

function scale(
  values: readonly number[],
  from: number,
  to: number,
): { at: (value: number) => number; ticks: number[] } {
  const low = Math.log(Math.min(...values) * 0.85);
  const high = Math.log(Math.max(...values) * 1.15);
  const ticks = [-2, -1, 0, 1, 2].flatMap((power) =>
    [1, 2, 5].map((digit) => Number((digit * 10 ** power).toPrecision(1))),
  );
  const at = (value: number): number =>
    Math.round(10 * (from + ((Math.log(value) - low) / (high - low)) * (to - from))) / 10;
  return { at, ticks: ticks.filter((tick) => Math.log(tick) >= low && Math.log(tick) <= high) };
}

function stroke(path: string, colour: string, dashed = false): string {
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="${colour === '#e4e4e4' ? 1 : 2}"${dashed ? ' stroke-dasharray="5 4"' : ''}/>`;
}

function dot(x: number, y: number, radius: number, colour: string, ring = false): string {
  const paint = ring
    ? `r="${radius + 2}" fill="none" stroke="${colour}" stroke-width="2"`
    : `r="${radius}" fill="${colour}"`;
  return `<circle cx="${x}" cy="${y}" ${paint}/>`;
}

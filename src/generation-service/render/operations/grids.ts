import { copyCanvas, createCanvas, drawSvg, type Operation, place, resized, type Scene } from '../canvas.ts';

/** The picture repeated in a grid, each cell going through steps of its own. */
export const grid =
  (columns: number, rows: number, cells: readonly Operation[][], gap = 0): Operation =>
  async (canvas, scene) => {
    const { width, height } = canvas;
    const space = Math.round(gap * scene.unit);
    const cellWidth = Math.ceil((width - space * (columns + 1)) / columns);
    const cellHeight = Math.ceil((height - space * (rows + 1)) / rows);
    const small = await resized(canvas, cellWidth, cellHeight);
    const result = createCanvas(width, height);
    result.data.fill(248);
    const inner: Scene = { ...scene, unit: Math.min(cellWidth, cellHeight) / 1200 };
    for (let n = 0; n < columns * rows; n += 1) {
      let cell = copyCanvas(small);
      for (const step of cells[n % cells.length] ?? []) cell = await step(cell, inner);
      const left = space + (n % columns) * (cellWidth + space);
      const top = space + Math.floor(n / columns) * (cellHeight + space);
      place(result, cell, left, top);
    }
    return result;
  };

/** A setting sun with bars, a grid to the horizon, behind and below the picture. */
export const sunsetGrid = (): Operation => (canvas) => {
  const { width, height } = canvas;
  const horizon = height * 0.8;
  const lines = Array.from({ length: 21 }, (_, n) => {
    const x = width / 2 + (n - 10) * width * 0.055;
    const far = width / 2 + (n - 10) * width * 0.28;
    return `<path d="M${x} ${horizon} L${far} ${height}"/>`;
  });
  const rows = Array.from({ length: 8 }, (_, n) => {
    const y = horizon + (height - horizon) * (n / 8) ** 1.7;
    return `<path d="M0 ${y} H${width}"/>`;
  });
  const fade = `<linearGradient id="f" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#2a0845" stop-opacity="0"/><stop offset=".2" stop-color="#2a0845" stop-opacity=".9"/><stop offset="1" stop-color="#1a0533"/></linearGradient>
      <rect y="${horizon - height * 0.06}" width="${width}" height="${height}" fill="url(#f)"/>`;
  return drawSvg(
    canvas,
    `${fade}<g stroke="#22e4ff" stroke-width="${width * 0.003}" opacity=".85">${lines.join('')}${rows.join('')}</g>`,
  );
};

/** Straight lines from the middle outwards, as behind a comic hero. */
export const speedLines =
  (colour: string, count = 90): Operation =>
  (canvas, { random }) => {
    const { width, height } = canvas;
    const reach = Math.hypot(width, height);
    const wedges = Array.from({ length: count }, () => {
      const turn = random() * Math.PI * 2;
      const spread = 0.004 + random() * 0.014;
      const start = reach * (0.34 + random() * 0.12);
      const at = (angle: number, away: number) =>
        `${(width / 2 + Math.cos(angle) * away).toFixed(0)} ${(height / 2 + Math.sin(angle) * away).toFixed(0)}`;
      return `<path d="M${at(turn, start)} L${at(turn - spread, reach)} L${at(turn + spread, reach)} Z"/>`;
    });
    return drawSvg(canvas, `<g fill="${colour}">${wedges.join('')}</g>`);
  };

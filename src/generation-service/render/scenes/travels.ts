import { both, circle, darker, ellipse, group, lighter, line, mix, path, rect, times } from './brush.ts';
import { aroundFace, folds, rim, type Scene, scarf, shadowOnFace, torso } from './scene.ts';
import { cloud, darkCorners, hills, sky } from './scenery.ts';

export const pilot: Scene = {
  light: { direction: [-0.6, -0.6, -1], ambient: 0.6, colour: [255, 246, 228] },
  colours: { male: '#7a4a24', female: '#8a3a2a', boy: '#6a5228', girl: '#9a4a4a' },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const plane = (x: number, y: number, s: number, colour: string) =>
      group(
        `translate(${x} ${y}) rotate(-10) scale(${s})`,
        path(
          'M-230 10 C-160 -40 120 -46 190 -20 L214 -84 L246 -84 L240 10 C200 40 -140 50 -230 10 Z',
          brush.shaded(colour, 0.4, 0.4),
        ),
        path(
          'M-140 -110 H110 L130 -88 H-150 Z M-120 44 H120 L140 66 H-130 Z',
          brush.down('#fff0d0', '#d8b070'),
        ),
        line('M-100 -88 L-84 44 M70 -88 L84 44 M-30 -88 L-20 -30 M20 -88 L20 -30', '#5a3a1a', 8),
        ellipse(-30, -38, 30, 24, '#4a2c16'),
        ellipse(-240, 6, 10, 110, '#ffffff', 'opacity=".4"'),
        ellipse(-236, 8, 20, 22, brush.metal('#98a2ac')),
        line('M-110 66 L-120 110 M-20 66 L-30 110', '#5a3a1a', 8),
        circle(-75, 118, 34, '#2a2018') + circle(-75, 118, 14, '#c4b090'),
      );
    const fields = times(20, (n) =>
      path(
        `M${(n % 5) * w * 0.26 - 100} ${h * (0.8 + Math.floor(n / 5) * 0.055)} l${w * 0.24} -20 l${w * 0.06} ${h * 0.056} l${-w * 0.26} 16 Z`,
        ['#8ab858', '#d8c468', '#6a9a48', '#b89a50', '#4a8a50'][n % 5] ?? '#8ab858',
        'opacity=".8"',
      ),
    );
    return `${sky(b, '#3a86c8', '#8ac4e4', '#fbe8c4', '#f4d8a0')}${brush.soft(w * 0.18, h * 0.2, 420, 380, '#fff4c8', 0.9)}${hills(b, h * 0.78, 30, '#8aa86a', '#5a8a50')}${fields}${cloud(b, w * 0.2, h * 0.6, 2.2)}${cloud(b, w * 0.8, h * 0.66, 2.6)}${plane(w * 0.8, h * 0.15, 0.9, '#c42a2a')}${plane(w * 0.16, h * 0.34, 0.42, '#2a6a4a')}${cloud(b, w * 0.86, h * 0.3, 1)}${cloud(b, w * 0.3, h * 0.1, 1.1)}${cloud(b, w * 0.5, h * 0.95, 2.8)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, random } = f;
    const fleece = both(
      times(60, (n) => {
        const t = n / 59;
        return ellipse(
          80 + t * w * 0.5 - (n % 4) * 16 + random() * 12,
          340 + (n % 4) * 62 + random() * 20 + t * 60,
          46,
          40,
          brush.round('#fffdf6', '#eadcc0', '#b89a70'),
        );
      }),
    );
    const zip = line('M0 520 V1700', '#d8c9a0', 14) + line('M0 520 V1700', '#4a2c16', 4);
    const wings = group(
      `translate(${-w * 0.5} 760) scale(1.1)`,
      both(path('M10 0 C60 -40 130 -36 160 -30 C130 10 70 26 10 16 Z', brush.metal('#e8c050'))),
      ellipse(0, 4, 22, 24, brush.metal('#f0d070')),
    );
    return `${torso({ ...f, shoulders: w * 1.12 }, brush.shaded(colour, 0.3, 0.6), 150)}${folds(f)}${zip}${fleece}${wings}`;
  },
  front: (f) => {
    const { brush, colour, outline, isFemale } = f;
    const leather = brush.shaded(colour, 0.34, 0.55);
    const cap =
      'M0 -322 C180 -322 262 -190 258 -10 C256 130 236 230 190 300 C150 340 90 330 60 300 L-60 300 C-90 330 -150 340 -190 300 C-236 230 -256 130 -258 -10 C-262 -190 -180 -322 0 -322 Z';
    const seams =
      line('M0 -320 V-206', darker(colour, 0.6), 6) +
      both(
        line('M120 -296 C90 -260 90 -230 104 -196', darker(colour, 0.6), 6, 0.8) +
          ellipse(222, 30, 40, 56, brush.round(lighter(colour, 0.2), darker(colour, 0.5))) +
          circle(222, 30, 13, brush.metal('#d8b050')),
      );
    const lens = (x: number) =>
      ellipse(x, -256, 98, 74, brush.metal('#c9a050')) +
      ellipse(x, -256, 76, 54, brush.round('#e8f8ff', '#7ab0c8', '#24485a')) +
      path(
        `M${x - 52} -268 Q${x - 20} -302 ${x + 26} -296 Q${x - 20} -280 ${x - 40} -244 Z`,
        '#ffffff',
        'opacity=".7"',
      );
    const goggles =
      path(
        'M-262 -240 L-190 -282 L-180 -226 L-264 -190 Z M262 -240 L190 -282 L180 -226 L264 -190 Z',
        '#3a2414',
      ) +
      path('M-40 -262 Q0 -290 40 -262 L34 -238 Q0 -256 -34 -238 Z', '#3a2414') +
      lens(-104) +
      lens(104);
    const silk = isFemale ? '#fff0f0' : '#fbf6ea';
    const flying =
      path(
        'M110 300 C260 330 330 250 460 330 C520 370 560 330 620 360 C560 440 480 420 420 440 C320 430 220 460 90 400 Z',
        brush.cloth(silk),
      ) + line('M150 340 C280 370 340 310 470 380 M140 376 C260 410 340 370 440 410', '#b8a890', 6, 0.5);
    return `${shadowOnFace(f)}${aroundFace(f, path(cap, leather))}${seams}${rim(f, lighter(colour, 0.15), 14, -2)}${line(outline(-11), '#1a0e06', 3, 0.5)}${goggles}${flying}${scarf(f, silk, 172)}`;
  },
};

export const samurai: Scene = {
  light: { direction: [0.5, -0.6, -1], ambient: 0.58, colour: [255, 240, 226] },
  colours: { male: '#a81f2a', female: '#6a2a8a', boy: '#1f5a8a', girl: '#c43a6a' },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const mountain =
      path(
        `M${w * 0.02} ${h * 0.64} Q${w * 0.26} ${h * 0.56} ${w * 0.4} ${h * 0.3} Q${w * 0.47} ${h * 0.27} ${w * 0.54} ${h * 0.3} Q${w * 0.7} ${h * 0.56} ${w * 0.98} ${h * 0.64} Z`,
        brush.down('#7a86b0', '#4a5a8a'),
      ) +
      path(
        `M${w * 0.4} ${h * 0.3} Q${w * 0.47} ${h * 0.27} ${w * 0.54} ${h * 0.3} L${w * 0.6} ${h * 0.4} l-44 -20 l-30 50 l-40 -40 l-36 44 l-34 -50 l-50 30 Z`,
        '#ffffff',
      );
    const pagoda = group(
      `translate(${w * 0.86} ${h * 0.74})`,
      times(
        4,
        (n) =>
          path(
            `M${-150 + n * 22} ${-n * 116} Q0 ${-40 - n * 116} ${150 - n * 22} ${-n * 116} L${176 - n * 22} ${14 - n * 116} Q0 ${-20 - n * 116} ${-176 + n * 22} ${14 - n * 116} Z`,
            brush.down('#4a5468', '#242a38'),
          ) + rect(-90 + n * 14, 6 - n * 116, 180 - n * 28, 112, brush.down('#d04a3a', '#8a241c')),
      ),
      line('M0 -420 V-500', '#c9a24a', 10),
    );
    const branch = (flip: number, x: number) =>
      group(
        `translate(${x} 0) scale(${flip} 1)`,
        line(
          `M0 ${h * 0.04} Q${w * 0.14} ${h * 0.06} ${w * 0.26} ${h * 0.16} M${w * 0.12} ${h * 0.07} Q${w * 0.18} ${h * 0.02} ${w * 0.26} ${h * 0.03}`,
          '#4a2c24',
          24,
        ),
        times(46, () => {
          const bx = random() * w * 0.3;
          const by = h * 0.02 + random() * h * 0.17;
          return ellipse(bx, by, 24, 22, brush.round('#ffffff', '#ffb8d0', '#f080a8'), 'opacity=".92"');
        }),
      );
    const petals = times(50, () => {
      const x = random() * w;
      const y = random() * h;
      return ellipse(x, y, 11, 6, '#ffc4d8', `opacity=".85" transform="rotate(${random() * 180} ${x} ${y})"`);
    });
    return `${sky(b, '#f4b890', '#ffe0c0', '#fff4e0', '#f4dcc4')}<circle cx="${w * 0.7}" cy="${h * 0.22}" r="${Math.min(w, h) * 0.17}" fill="${brush.down('#f04a3a', '#ff8a5a')}"/>${mountain}${brush.soft(w * 0.5, h * 0.64, w * 0.8, 110, '#ffffff', 0.85)}${hills(b, h * 0.68, 30, '#8ab090', '#4a7a60')}${pagoda}${hills(b, h * 0.82, 18, '#6a9a70', '#2a5a48')}${branch(1, 0)}${branch(-1, w)}${petals}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w } = f;
    const lace = (x: number, y: number, wide: number, rows: number) =>
      times(
        rows,
        (n) =>
          `${rect(x - wide / 2, y + n * 92, wide, 84, brush.down(mix(colour, '#1a0a0a', 0.55), mix(colour, '#1a0a0a', 0.8)), 'rx="10"')}${times(Math.floor(wide / 30), (k) => line(`M${x - wide / 2 + 15 + k * 30} ${y + n * 92 + 12} v56`, k % 2 ? '#e8c050' : colour, 12))}`,
      );
    const shoulders = both(group(`translate(${w * 0.98} 440) rotate(9)`, lace(0, 0, 260, 6)));
    const chest =
      path(`M${-w * 0.62} 380 H${w * 0.62} L${w * 0.66} 820 H${-w * 0.66} Z`, brush.metal('#3a3034')) +
      path(
        'M0 470 C80 470 120 540 120 600 C120 680 60 730 0 730 C-60 730 -120 680 -120 600 C-120 540 -80 470 0 470 Z',
        brush.metal('#e0b040'),
      ) +
      path('M0 510 L18 570 L80 572 L30 608 L50 668 L0 632 L-50 668 L-30 608 L-80 572 L-18 570 Z', colour);
    return `${torso(f, brush.cloth(mix(colour, '#1a1214', 0.7)), 140)}${chest}${lace(0, 830, w * 1.3, 9)}${shoulders}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, outline } = f;
    const gold = brush.metal('#e8bc48');
    const iron = brush.metal('#4a4248');
    const cowl =
      'M0 -300 C190 -300 252 -150 246 10 C240 180 200 300 130 360 L-130 360 C-200 300 -240 180 -246 10 C-252 -150 -190 -300 0 -300 Z';
    const neck = both(
      times(4, (n) =>
        path(
          `M${206 + n * 16} ${-110 + n * 66} C${300 + n * 26} ${-60 + n * 70} ${330 + n * 26} ${10 + n * 66} ${340 + n * 22} ${60 + n * 62} L${214 + n * 10} ${10 + n * 66} Z`,
          brush.down(lighter(colour, 0.1), darker(colour, 0.5)),
          'stroke="#e8c050" stroke-width="6"',
        ),
      ),
    );
    const bowl =
      path(
        'M-266 -128 C-280 -330 -140 -440 0 -442 C140 -440 280 -330 266 -128 C140 -206 -140 -206 -266 -128 Z',
        iron,
      ) +
      times(9, (n) =>
        line(`M${-220 + n * 55} -176 Q${-170 + n * 42} -330 ${-26 + n * 6.5} -436`, '#1a1418', 7, 0.6),
      ) +
      brush.soft(-100, -330, 90, 80, '#ffffff', 0.35);
    const peak = path(
      'M-286 -110 C-150 -216 150 -216 286 -110 L276 -66 C150 -166 -150 -166 -276 -66 Z',
      gold,
    );
    const crest = isFemale
      ? group(
          'translate(0 -300)',
          times(9, (n) =>
            ellipse(0, -72, 24, 62, brush.down('#fff0b8', '#e8bc48'), `transform="rotate(${-80 + n * 20})"`),
          ),
          circle(0, 0, 46, brush.round('#ffffff', colour, darker(colour, 0.5))),
        )
      : path(
          'M-40 -232 C-240 -310 -300 -420 -266 -560 C-200 -430 -130 -344 0 -306 C130 -344 200 -430 266 -560 C300 -420 240 -310 40 -232 Z',
          gold,
        ) + circle(0, -262, 44, brush.round('#ffffff', colour, darker(colour, 0.5)));
    const knot =
      line('M-150 250 Q0 400 150 250', colour, 26) +
      ellipse(0, 330, 30, 26, brush.cloth(colour)) +
      line('M-10 350 L-44 470 M10 350 L44 470', colour, 20) +
      line('M-48 470 v50 M40 470 v50', '#e8c050', 14);
    return `${shadowOnFace(f)}${neck}${aroundFace(f, path(cowl, brush.round('#f4ece0', '#c9bca8', '#7a6a5a')))}${rim(f, '#e8dccb', 14, -2)}${line(outline(-11), '#3a2c24', 3, 0.5)}${knot}${group('translate(0 -18)', bowl, peak, crest)}`;
  },
};

export const pharaoh: Scene = {
  light: { direction: [0.6, -0.5, -1], ambient: 0.58, colour: [255, 240, 210] },
  colours: { male: '#1f4aa8', female: '#0f8a8a', boy: '#2a6ac4', girl: '#8a3ab0' },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const pyramid = (x: number, y: number, s: number) =>
      path(`M${x} ${y - 420 * s} L${x + 420 * s} ${y} H${x} Z`, brush.down('#c98a3a', '#8a5420')) +
      path(`M${x} ${y - 420 * s} L${x - 420 * s} ${y} H${x} Z`, brush.down('#ffe0a0', '#e0ac5a')) +
      times(8, (n) =>
        line(`M${x - 48 * s * (n + 1)} ${y - 420 * s + 48 * s * (n + 1)} H${x}`, '#b07a34', 3, 0.35),
      );
    const palm = (x: number, y: number, s: number) =>
      group(
        `translate(${x} ${y}) scale(${s})`,
        line('M0 0 Q30 -220 10 -420', '#7a4a24', 36),
        times(9, (n) =>
          group(
            `translate(10 -420) rotate(${-150 + n * 37})`,
            path('M0 0 Q110 -70 230 30 Q110 -10 0 0 Z', brush.across('#2a8a4a', '#6ac468')),
          ),
        ),
      );
    return `${sky(b, '#e87a3a', '#ffb45a', '#ffe4a0', '#ffe4a0')}${brush.soft(w * 0.22, h * 0.26, 460, 460, '#fff4c0', 0.95)}<circle cx="${w * 0.22}" cy="${h * 0.26}" r="92" fill="#fffadc"/>${pyramid(w * 0.18, h * 0.66, 0.9)}${pyramid(w * 0.86, h * 0.68, 1.25)}${pyramid(w * 0.62, h * 0.64, 0.5)}${hills(b, h * 0.68, 22, '#f0c878', '#c98a40')}${palm(w * 0.07, h * 0.86, 1)}${palm(w * 0.95, h * 0.84, 0.9)}${hills(b, h * 0.84, 26, '#e8b460', '#9a5a24')}${darkCorners(b, '#5a1a04', 0.3)}`;
  },
  behind: (f) => {
    const { brush, skin, shoulders: w, colour, gender } = f;
    const top = gender === 'male' ? 760 : 520;
    const dark = mix(skin, '#2a0a04', 0.5);
    const linen =
      path(
        `M${-w * 0.74} ${top} Q0 ${top + 90} ${w * 0.74} ${top} L${w * 0.8} 1700 H${-w * 0.8} Z`,
        brush.across('#d8ccb4', '#fffaf0', '#efe4d0', '#c4b498'),
      ) +
      times(9, (n) =>
        line(`M${-w * 0.5 + n * w * 0.125} 800 L${-w * 0.6 + n * w * 0.15} 1700`, '#b8a888', 5, 0.5),
      );
    const bands = both(
      path(`M${w * 0.78} 760 L${w * 1.06} 760 L${w * 1.05} 850 L${w * 0.78} 850 Z`, brush.metal('#e8bc48')) +
        path(`M${w * 0.8} 790 H${w * 1.05} V818 H${w * 0.8} Z`, colour),
    );
    return `${torso(f, brush.round(lighter(skin, 0.2), skin, dark), 96)}${both(line(`M${w * 0.74} 640 Q${w * 0.7} 900 ${w * 0.76} 1300`, dark, 12, 0.4))}${linen}${bands}`;
  },
  front: (f) => {
    const { brush, colour, shoulders: w } = f;
    const gold = brush.metal('#f0c040');
    const cloth =
      'M0 -340 C200 -340 300 -250 330 -60 C350 80 350 160 372 250 L250 500 L140 520 L150 60 L-150 60 L-140 520 L-250 500 L-372 250 C-350 160 -350 80 -330 -60 C-300 -250 -200 -340 0 -340 Z';
    const stripes =
      both(
        times(13, (n) =>
          path(
            `M${180 - n * 4} ${-180 + n * 54} L${420} ${-230 + n * 58} L${420} ${-204 + n * 58} L${180 - n * 4} ${-154 + n * 54} Z`,
            colour,
          ),
        ),
      ) +
      times(7, (n) =>
        path(
          `M${-330} ${-214 - n * 22} Q0 ${-330 - n * 36} 330 ${-214 - n * 22} L330 ${-204 - n * 22} Q0 ${-318 - n * 36} -330 ${-204 - n * 22} Z`,
          colour,
        ),
      );
    const band = path(
      'M-228 -128 C-140 -232 140 -232 228 -128 L220 -84 C130 -184 -130 -184 -220 -84 Z',
      gold,
    );
    const cobra = group(
      'translate(0 -250)',
      path('M-16 70 C-70 30 -60 -50 0 -76 C60 -50 70 30 16 70 Z', gold),
      path('M-10 50 C-36 20 -34 -30 0 -50 C34 -30 36 20 10 50 Z', colour),
      ellipse(0, -78, 24, 20, gold),
      ellipse(-9, -82, 4, 5, '#16100a') + ellipse(9, -82, 4, 5, '#16100a'),
    );
    const collar = times(6, (step) => {
      const n = 5 - step;
      const r = w * (0.4 + n * 0.1);
      const deep = 250 + n * 62;
      const tone = [colour, '#e8bc48', '#c4302a', '#e8bc48', '#1f9a8a', colour][n] ?? colour;
      const beads = times(19, (k) => {
        const t = k / 9 - 1;
        return ellipse(
          t * r * 0.96,
          110 + Math.sqrt(Math.max(0, 1 - t * t)) * (deep - 24),
          8,
          14,
          '#fff0c0',
          'opacity=".75"',
        );
      });
      return (
        ellipse(0, 110, r, deep, tone) +
        ellipse(0, 110, r, deep, 'none', 'stroke="#8a5a10" stroke-width="5" stroke-opacity=".5"') +
        beads
      );
    });
    return `${shadowOnFace(f)}${aroundFace(f, `<g clip-path="${brush.clip('M-700 110 H700 V900 H-700 Z')}">${collar}</g>${brush.soft(0, 220, 200, 80, '#000000', 0.45)}`, -4)}${aroundFace(f, `<g clip-path="${brush.clip(cloth)}">${path(cloth, brush.across('#a8741a', '#ffd86a', '#f0b830', '#ffe48a', '#9a6414'))}${stripes}</g>`)}${both(line('M140 520 L150 140', '#8a5a10', 8, 0.6))}${group('translate(0 -20)', band, cobra)}`;
  },
};

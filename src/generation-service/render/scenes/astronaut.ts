import { both, circle, darker, ellipse, group, lighter, line, path, rect, times } from './brush.ts';
import { aroundFace, folds, rim, type Scene, shadowOnFace, torso } from './scene.ts';

export const astronaut: Scene = {
  light: { direction: [-0.5, -0.5, -1], ambient: 0.62, colour: [255, 250, 244] },
  colours: { male: '#e87a2a', female: '#2a9fc4', boy: '#3a6fd8', girl: '#c44a9a' },
  background: ({ width, height, brush, random }) => {
    const star = () => {
      const x = random() * width;
      const y = random() * height;
      const r = random() ** 3 * 3.4 + 0.7;
      let colour = '#ffffff';
      if (random() < 0.2) colour = '#ffd9a8';
      else if (random() < 0.4) colour = '#bcd6ff';
      const glow = r > 2.6 ? brush.soft(x, y, r * 7, r * 7, colour, 0.5) : '';
      return `${glow}<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}" opacity="${0.4 + random() * 0.6}"/>`;
    };
    const r = Math.max(width * 0.82, height * 0.56);
    const earth = { x: width * 0.5, y: height * 0.64 + r, r };
    const land = times(34, () => {
      const a = Math.PI * (1.1 + random() * 0.8);
      const d = earth.r * (0.72 + random() * 0.26);
      const x = earth.x + Math.cos(a) * d;
      const y = earth.y + Math.sin(a) * d;
      return group(
        `translate(${x} ${y}) rotate(${(a * 180) / Math.PI + 90})`,
        brush.soft(
          0,
          0,
          70 + random() * 130,
          34 + random() * 56,
          random() < 0.6 ? '#3f9a54' : '#b09a50',
          0.95,
        ),
      );
    });
    const clouds = times(60, () => {
      const a = Math.PI * (1.08 + random() * 0.84);
      const d = earth.r * (0.7 + random() * 0.29);
      const x = earth.x + Math.cos(a) * d;
      const y = earth.y + Math.sin(a) * d;
      return group(
        `translate(${x} ${y}) rotate(${(a * 180) / Math.PI + 90})`,
        brush.soft(0, 0, 60 + random() * 130, 12 + random() * 18, '#ffffff', 0.9),
      );
    });
    const planet = group(
      `translate(${width * 0.84} ${height * 0.16})`,
      circle(0, 0, 92, brush.round('#ffe2b0', '#e09a5a', '#6a3424')),
      line('M-88 -18 Q0 14 88 -18 M-90 14 Q0 46 90 14', '#8a4a2c', 9, 0.35),
      line('M-84 36 C-190 72 -160 20 -86 -10 M84 -34 C190 -74 160 -16 88 6', '#f4d9a8', 12, 0.85),
      line('M-150 58 Q0 78 150 -56', '#f4d9a8', 13, 0.9),
    );
    const rim = times(
      9,
      (n) =>
        `<circle cx="${earth.x}" cy="${earth.y}" r="${earth.r + n * 8}" fill="none" stroke="#8fd8ff" stroke-width="10" opacity="${0.5 - n * 0.055}"/>`,
    );
    const disc = `M${earth.x - earth.r} ${earth.y} a${earth.r} ${earth.r} 0 1 1 ${earth.r * 2} 0 a${earth.r} ${earth.r} 0 1 1 ${-earth.r * 2} 0`;
    return `${rect(0, 0, width, height, brush.down('#050617', '#12123a', '#2a2466'))}
      ${brush.soft(width * 0.2, height * 0.3, width * 0.55, height * 0.3, '#7a3ac4', 0.42)}${brush.soft(width * 0.86, height * 0.42, width * 0.5, height * 0.26, '#1f7ac4', 0.4)}${brush.soft(width * 0.55, height * 0.12, width * 0.4, height * 0.14, '#e0568a', 0.22)}
      ${times(260, star)}${planet}${rim}<g clip-path="${brush.clip(disc)}">${path(disc, brush.down('#5ab8f0', '#1f6ec4', '#0d3a86'))}${land}${clouds}${brush.soft(earth.x, earth.y - earth.r, earth.r * 0.9, 180, '#ffffff', 0.3)}</g>`;
  },
  behind: (figure) => {
    const { brush, shoulders: w, colour } = figure;
    const pack = both(
      path(
        `M${w * 0.2} 330 L${w * 0.72} 330 Q${w * 0.92} 330 ${w * 0.94} 420 L${w * 0.98} 1500 L0 1500 Z`,
        brush.across('#aab2c4', '#6a7288'),
      ),
    );
    const patch = group(
      `translate(${w * 0.46} 640)`,
      circle(0, 0, 62, brush.round(lighter(colour, 0.3), darker(colour, 0.3))),
      circle(0, 0, 62, 'none', 'stroke="#fff" stroke-width="6"'),
      path('M0 -42 L11 -12 L42 -12 L17 7 L27 38 L0 19 L-27 38 L-17 7 L-42 -12 L-11 -12 Z', '#ffe9a8'),
    );
    const box = group(
      'translate(0 800)',
      `${rect(-130, -80, 260, 190, brush.down('#f4f6fa', '#a8b0c2'), 'rx="26"')}${rect(-102, -54, 110, 66, brush.down('#14343a', '#2a7a72'), 'rx="10"')}`,
      line('M-94 -20 l22 0 l10 -20 l16 36 l12 -16 l30 0', '#7affc8', 5),
      circle(54, -22, 26, brush.round(lighter(colour, 0.4), darker(colour, 0.3))),
      circle(-70, 62, 17, brush.round('#ff9a8a', '#b3202a')) +
        circle(-16, 62, 17, brush.round('#ffe9a8', '#c48a1a')) +
        circle(38, 62, 17, brush.round('#b8ffc8', '#1a8a4a')),
    );
    const stripes = both(
      path(`M${w * 1.15} 570 L${w * 0.74} 610 L${w * 0.72} 664 L${w * 1.18} 632 Z`, colour),
    );
    const hoses = both(
      line(`M116 790 Q${w * 0.52} 820 ${w * 0.5} 1000 T${w * 0.4} 1500`, '#5a6278', 44) +
        line(`M116 784 Q${w * 0.5} 812 ${w * 0.48} 1000 T${w * 0.38} 1500`, '#c2c9d8', 20, 0.7),
    );
    return `${pack}${torso({ ...figure, shoulders: w * 1.16 }, brush.round('#ffffff', '#dfe4ee', '#8f98ae'), 210)}${folds(figure, '#9aa2b8')}${stripes}${hoses}${box}${patch}
      ${ellipse(0, 18, 352, 362, brush.round('#3a4468', '#141a34', '#05060f'))}${brush.soft(0, 160, 260, 170, '#000000', 0.6)}`;
  },
  front: (figure) => {
    const { brush, outline, colour, isFemale, isChild, shoulders } = figure;
    const cap =
      'M0 -292 C190 -292 262 -150 258 20 C256 180 190 306 0 318 C-190 306 -256 180 -258 20 C-262 -150 -190 -292 0 -292 Z';
    const seams =
      line('M0 -288 C-8 -260 -8 -230 0 -206', '#8f98ae', 5) +
      both(line('M186 -200 C150 -190 150 -120 178 -70 M232 120 C200 130 160 190 130 290', '#8f98ae', 5, 0.8));
    const side = both(
      path(
        'M150 -160 C240 -190 300 -60 268 70 C250 110 200 90 180 40 C196 -30 190 -100 150 -160 Z',
        brush.round(lighter(colour, 0.25), darker(colour, 0.35)),
      ) +
        ellipse(232, 10, 40, 62, brush.round('#4a5068', '#14161f')) +
        ellipse(232, 10, 22, 38, brush.metal('#9aa4b8')),
    );
    const microphone =
      line('M-236 50 Q-232 190 -92 196', '#22242e', 12) +
      ellipse(-84, 196, 30, 15, brush.round('#5a6078', '#14161f'));
    const r = Math.min(316, shoulders * 0.86);
    const glass = `<ellipse cx="0" cy="16" rx="356" ry="368" fill="${brush.round('#ffffff', '#8fb8e8', '#3a5aa8')}" opacity=".12"/><ellipse cx="0" cy="16" rx="356" ry="368" fill="none" stroke="${brush.across('#ffffff', '#a8b8d8', '#6a7aa0', '#e8f0ff')}" stroke-width="20"/>`;
    const shine = `${path('M-282 -150 C-240 -270 -120 -330 -20 -334 C-130 -300 -220 -220 -250 -110 Z', '#ffffff', 'opacity=".5"')}${path('M290 60 C280 170 230 260 150 312 C220 230 256 150 262 60 Z', '#ffffff', 'opacity=".28"')}${ellipse(-214, 190, 20, 34, '#ffffff', 'opacity=".3" transform="rotate(-30 -214 190)"')}`;
    const decoration = isFemale
      ? path('M-26 -262 l26 14 l26 -14 l-6 30 l6 26 l-26 -12 l-26 12 l6 -26 Z', colour)
      : path('M-40 -262 H40 L30 -226 H-30 Z', isChild ? colour : darker(colour, 0.25));
    return `${shadowOnFace(figure)}${aroundFace(figure, path(cap, brush.round('#ffffff', '#e8ecf4', '#98a2ba')))}${side}${seams}${decoration}${rim(figure, '#f4f6fb', 15, -3)}${line(outline(-12), '#5a6480', 3, 0.5)}${microphone}${glass}${shine}${path(`M${-r} 300 A${r} 96 0 0 0 ${r} 300 L${r + 22} 352 A${r + 22} 116 0 0 1 ${-r - 22} 352 Z`, brush.metal('#b8c2d6'))}${line(`M${-r} 312 A${r} 96 0 0 0 ${r} 312`, '#ffffff', 6, 0.7)}${line(`M${-r - 18} 350 A${r + 20} 112 0 0 0 ${r + 18} 350`, colour, 16, 0.9)}`;
  },
};

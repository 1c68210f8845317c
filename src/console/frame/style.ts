export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf7f3, #151210);
  --card: light-dark(#ffffff, #1e1916);
  --ink: light-dark(#231e1a, #f0e9e2);
  --soft: light-dark(#66584e, #b5a69b);
  --line: light-dark(#e2d9cf, #3a312b);
  --accent: light-dark(#a83c1a, #ff9166);
  --second: light-dark(#2a5d8f, #8fc1f2);
  --third: light-dark(#5c6b1e, #c5d27a);
  --fill: light-dark(#f2dccf, #4a2b1e);
  --on-accent: light-dark(#ffffff, #1c0d07);
  --good: light-dark(#2f6b3c, #8fd19e);
  --bad: light-dark(#a11c2c, #ff9aa0);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
  color: var(--ink);
  background: var(--paper);
  accent-color: var(--accent);
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
a { color: var(--accent); text-underline-offset: .2em; }
.skip { position: absolute; left: -100vw; } .skip:focus { left: 1rem; top: .5rem; z-index: 1; background: var(--card); padding: .5rem 1rem; }
header { background: var(--card); border-bottom: 1px solid var(--line); }
.bar, main, footer { width: 100%; max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; min-height: 3.5rem; padding-block: .4rem; }
.brand { display: flex; align-items: center; gap: .6rem; margin: 0; font-weight: 650; }
.brand img { border-radius: 7px; }
nav { flex: 1; min-width: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .1rem; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .45rem .7rem; border-radius: .5rem; color: var(--soft); text-decoration: none; }
nav a:hover { color: var(--ink); background: var(--paper); }
nav a[aria-current] { color: var(--ink); background: var(--fill); font-weight: 600; }
main { flex: 1; padding-block: 1.5rem 2.5rem; }
footer { padding-block: 0 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1.25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
p { margin: .5rem 0; }
.quiet { color: var(--soft); font-size: .9rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .75rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.tiles li, .card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .9rem 1.1rem; }
.tiles b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles .word b { font-size: 1.05rem; line-height: 1.5; }
.tiles span { color: var(--soft); font-size: .9rem; }
.good b { color: var(--good); } .bad b { color: var(--bad); }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; padding: .5rem .9rem; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td { overflow-wrap: break-word; max-width: 32rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
time, code, .id { font-variant-numeric: tabular-nums; white-space: nowrap; }
code, .id { font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: .9em; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 1.5rem; margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .5rem 1.1rem; }
.facts div { padding: .5rem 0; min-width: 0; } .facts dt { color: var(--soft); font-size: .85rem; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.state { display: inline-block; padding: 0 .55rem; border-radius: 1rem; font-size: .88em; border: 1px solid currentColor; white-space: nowrap; }
.state.done { color: var(--good); } .state.failed, .state.uncertain { color: var(--bad); } .state.cancelled { color: var(--soft); }
.done[role=status] { border-left: 4px solid var(--good); background: var(--card); padding: .6rem 1rem; border-radius: .4rem; margin-bottom: 1.25rem; }
.problem { border-left: 4px solid var(--bad); background: var(--card); padding: .6rem 1rem; border-radius: .4rem; }
form.search, form.fields { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; margin: 0 0 1.25rem; }
form.search { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: .9rem 1.1rem 1.1rem; }
.field { display: block; flex: 1 1 12rem; min-width: 0; } .field span { display: block; color: var(--soft); font-size: .85rem; margin-bottom: .15rem; }
input, select, button, .button { font: inherit; color: inherit; min-height: 2.6rem; border-radius: .5rem; border: 1px solid light-dark(#8b7d72, #7d6e64); background: var(--paper); padding: .4rem .7rem; }
input[type=text], input[type=password], input[type=number], select { width: 100%; }
button, .button { cursor: pointer; display: inline-block; text-decoration: none; background: var(--card); color: var(--ink); padding: .4rem 1.1rem; }
button:hover, .button:hover { border-color: var(--accent); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
button.plain { border-color: transparent; background: none; color: var(--soft); padding-inline: .7rem; } button.plain:hover { color: var(--ink); border-color: var(--line); }
.pages { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem; }
.actions { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem; }
.actions form { margin: 0; }
.bare { align-items: center; justify-content: center; } .bare main { flex: none; max-width: 24rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 2rem; margin: 1rem; }
.bare img { border-radius: 14px; } .bare h1 { margin: .75rem 0 1rem; } .bare form { display: grid; gap: 1rem; }
@media (max-width: 40rem) {
  .bar { gap: 0 .5rem; } .brand { flex: 1; } nav { order: 3; flex: 1 0 100%; overflow-x: auto; } nav ul { flex-wrap: nowrap; } nav a { white-space: nowrap; }
  .bar, main, footer { padding-inline: 1rem; } th, td { padding: .45rem .6rem; }
  .tiles { grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); }
}
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="15" fill="#1b1411"/><circle cx="32" cy="32" r="21" fill="none" stroke="#ff7a4d" stroke-width="4"/>
<path d="M20 44V34M32 44V22M44 44V29" stroke="#ff7a4d" stroke-width="5" stroke-linecap="round"/></svg>`;

import { brandColors } from '#shared/brand/colors.ts';

/** The one style tag of the reference page. Its policy has the hash of this text. */
export const referenceStyle = `
:root { color-scheme: light; --ink: #26302f; --soft: #55605f; --line: #d9dedd; --tint: #f5f7f7; --primary: ${brandColors.primary}; }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); background: #fff; overflow-wrap: break-word; }
a { color: var(--primary); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .75rem 1rem; background: #fff; z-index: 1; }
.page { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; margin: 3rem 0 .5rem; padding-top: 1rem; border-top: 2px solid var(--primary); }
h3 { font-size: 1.125rem; margin: 2.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.25rem 0 .375rem; }
p { margin: .375rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .375rem 0; min-height: 2.75rem; font-size: .875rem; text-decoration: none; }
nav li a { overflow-wrap: anywhere; }
nav li a:hover { text-decoration: underline; }
nav strong { display: block; margin-top: 1rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .875rem; }
pre { margin: .375rem 0; padding: .75rem 1rem; background: var(--tint); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; }
.method { flex: none; display: inline-block; min-width: 3.75rem; padding: .0625rem .375rem; border: 1px solid currentColor; border-radius: 4px; font: 600 .75rem/1.4 ui-monospace, monospace; text-align: center; color: var(--primary); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
th, td { padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
/* On a phone, a table scrolls sideways rather than squeezing its sentences. */
td:last-child { min-width: 14rem; }
thead th { font-size: .8125rem; color: var(--soft); }
tbody th { font-weight: 400; white-space: nowrap; }
summary { cursor: pointer; padding: .5rem 0; min-height: 2.75rem; font-weight: 600; }
@media (min-width: 64em) {
  .columns { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 3rem; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1rem .5rem; }
  nav li a { min-height: 0; padding: .25rem 0; }
}
`;

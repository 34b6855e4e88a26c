import { readFile, writeFile } from 'node:fs/promises';
import { instance } from '@viz-js/viz';

const source = 'docs/how-it-works.dot';
const target = 'docs/how-it-works.svg';

/** The README's picture as SVG, drawn by Graphviz from its text. */
export async function renderDiagram(): Promise<string> {
  const viz = await instance();
  return viz.renderString(await readFile(source, 'utf8'), { format: 'svg' });
}

if (import.meta.main) await writeFile(target, await renderDiagram());

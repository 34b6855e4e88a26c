import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Commands of a page: a `sh` block, with the `text` block below it. */
export interface CommandBlock {
  /** Of the section that it is in. */
  heading: string;
  /** The words after `sh`, such as `undo`. Readers don't see them. */
  tags: string[];
  commands: string;
  /** What the page says that the commands print; null: nothing is said. */
  expected: string | null;
}

/** The `sh` blocks of a page, in its order. A block in a list is indented; its commands are not. */
export function commandBlocks(file: string): CommandBlock[] {
  const blocks: CommandBlock[] = [];
  let heading = '';
  let fence: { indent: string; words: string[]; lines: string[] } | null = null;
  // Whether only empty lines follow the last block of commands.
  let isBelow = false;
  for (const line of readFileSync(path.join(root, file), 'utf8').split('\n')) {
    const [, indent = '', info] = /^( *)```(.*)$/.exec(line) ?? [];
    if (fence === null) {
      if (info !== undefined) fence = { indent, words: info.split(' ').filter(Boolean), lines: [] };
      else if (/^#+ /.test(line)) heading = line.replace(/^#+ /, '');
      if (info === undefined && line.trim() !== '') isBelow = false;
      continue;
    }
    if (info === undefined) {
      fence.lines.push(line.startsWith(fence.indent) ? line.slice(fence.indent.length) : line);
      continue;
    }
    const [language, ...tags] = fence.words;
    const text = fence.lines.join('\n');
    const last = blocks.at(-1);
    if (language === 'text' && isBelow && last !== undefined) last.expected = text;
    isBelow = language === 'sh';
    if (isBelow) blocks.push({ heading, tags, commands: text, expected: null });
    fence = null;
  }
  return blocks;
}

/** Whether a page describes this output: `…` stands for any text in a line; a line of its own stands for any lines. */
export function isAsDescribed(output: string, expected: string): boolean {
  const lines = expected.split('\n').map((line) => {
    if (line === '…') return '(?:.*\\n)*';
    return `${line.split('…').map(literal).join('.*')} *\\n`;
  });
  return new RegExp(`^${lines.join('')}$`).test(`${output.trimEnd()}\n`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ts } from '@ts-morph/common';

/** What differs in kind from the example brand: name, colors, icon, consents, logos and video, and questions. */
const ownFolder = path.resolve(import.meta.dirname, 'fernbend');

const vowels: Readonly<Record<string, string>> = {
  ...{ a: 'e', e: 'i', i: 'o', o: 'u', u: 'a' },
  ...{ A: 'E', E: 'I', I: 'O', O: 'U', U: 'A' },
};

/** Its words are the messages of the API, which all brands share. */
export const specifiedModule = 'leadMessages.ts';

/** Other words of the same length: each vowel is the next one. Names in capitals, addresses and links stay. */
export function rewriteText(text: string): string {
  return text
    .replaceAll('P-Long®', 'Fernbend™')
    .replaceAll('P-Long', 'Fernbend')
    .split(/(\s+)/)
    .map((word) =>
      /@|:\/\/|^\/|Fernbend/.test(word)
        ? word
        : word.replaceAll(
            /\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|\b[A-Z]{2,}s?\b|[aeiouAEIOU]/g,
            (found) => vowels[found] ?? found,
          ),
    )
    .join('');
}

/** Whether a literal is a text for people, and no key, path, address or drawing. */
function isText(literal: string): boolean {
  if (/^(?:[/#]|https?:|mailto:|tel:|data:|M[\d.])|^[\d\s.]+$/.test(literal)) return false;
  // One lower-case word is a key, unless it is of the first brand's trade or has the mark of a footnote.
  return /\s|^[A-Z][a-z]|¹$|urolog|erectile|enhancement|^(?:inch(?:es)?|girth|length)$/.test(literal);
}

/** The two dimensions have other names, which only the brand may know. */
function renameDimensions(code: string): string {
  return code
    .replaceAll(/\bgirth\b(?=['",.)\]}: ])/g, 'raise')
    .replaceAll(/\blength: (?![\d.]+, coarse)(?=[{'"`\d])|'length'/g, (found) =>
      found.replace('length', 'bend'),
    )
    .replaceAll(/\b(averageGain|sliders)\.length\b/g, '$1.bend');
}

/** A module of the example brand with each text rewritten. */
export function rewriteModule(code: string): string {
  const renamed = renameDimensions(code);
  const file = ts.createSourceFile('brand.ts', renamed, ts.ScriptTarget.Latest, true);
  const edits: { from: number; to: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const isKey = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
    if (!isKey && (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))) {
      const raw = node.getText();
      if (isText(node.text)) edits.push({ from: node.getStart(), to: node.end, text: rewriteText(raw) });
    } else if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node))
      edits.push({ from: node.getStart(), to: node.end, text: rewriteText(node.getText()) });
    else if (ts.isRegularExpressionLiteral(node))
      edits.push({ from: node.getStart(), to: node.end, text: rewriteText(node.getText()) });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  let text = renamed;
  for (const edit of edits.toReversed()) text = text.slice(0, edit.from) + edit.text + text.slice(edit.to);
  return text;
}

/** Replaces the brand in a copy of the repository by the second one. Tests of the brand stay. */
export async function replaceBrand(brandFolder: string): Promise<void> {
  for (const name of await readdir(brandFolder, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.test)\.ts$/.test(name) || name === specifiedModule) continue;
    const file = path.join(brandFolder, name);
    await writeFile(file, rewriteModule(await readFile(file, 'utf8')));
  }
  await rm(path.join(brandFolder, 'public'), { recursive: true });
  await cp(ownFolder, brandFolder, { recursive: true });
}

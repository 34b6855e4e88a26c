/** More than a drawing of a logo has. */
const elementsMax = 20_000;
/** With so many, nested in each other, a part is drawn about four hundred times at most. */
const usesMax = 16;
/** What drawing programs declare: a short text, such as a namespace, that contains no other entity. */
const plainEntity = /^\s{1,9}[\w:.-]{1,40}\s{1,9}(?:"[^"&%<]{0,100}"|'[^'&%<]{0,100}')\s{0,9}>/;
const declaration = /<!ENTITY/i;
const use = /<(?:[^\s<>/:]+:)?use[\s/>]/i;

/**
 * Whether a browser can draw an SVG in an ordinary time: a file of a kilobyte can otherwise multiply its parts or its
 * text without end. In one pass, without parsing it. Text in an encoding that isn't like ASCII is refused.
 */
export function isBoundedSvg(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '');
  const [, ...entities] = text.split(declaration);
  return (
    !text.includes('\0') &&
    text.trimStart().startsWith('<') &&
    text.split('<').length <= elementsMax &&
    text.split(use).length <= usesMax + 1 &&
    entities.every((entity) => plainEntity.test(entity.slice(0, 300)))
  );
}
